//! Which words of two states differ, as bits. Most successors differ from their parent
//! in one word or two; which ones cannot be foretold, so nothing branches on it.

/// Words compared at once.
const AT_ONCE: usize = 4;

/// So many words are compared by one call.
pub(crate) const COMPARED: usize = 32;

/// One bit for each of the first 32 words that differs.
#[inline(always)]
pub(crate) fn differing(one: &[u64], other: &[u64]) -> u32 {
    let ((ones, one), (others, other)) = (one.as_chunks(), other.as_chunks());
    let (mut bits, mut place) = (0, 0);
    for (one, other) in ones.iter().zip(others) {
        bits |= four(one, other) << (place & 31);
        place += AT_ONCE as u32;
    }
    for (one, other) in one.iter().zip(other) {
        bits |= u32::from(one != other) << (place & 31);
        place += 1;
    }
    bits
}

#[inline(always)]
#[cfg(target_arch = "x86_64")]
fn four(one: &[u64; AT_ONCE], other: &[u64; AT_ONCE]) -> u32 {
    use std::arch::x86_64::{
        __m128i, _mm_and_ps, _mm_castsi128_ps, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_ps,
        _mm_shuffle_ps,
    };
    let (one, other): (*const __m128i, *const __m128i) =
        (one.as_ptr().cast(), other.as_ptr().cast());
    // SAFETY: the loads lie within the 32 bytes that each array borrows, and ask for no
    // alignment. SSE2 is part of x86-64.
    let equal = unsafe {
        let two = |at: usize| {
            let words = (_mm_loadu_si128(one.add(at)), _mm_loadu_si128(other.add(at)));
            _mm_castsi128_ps(_mm_cmpeq_epi32(words.0, words.1))
        };
        let (first, second) = (two(0), two(1));
        // The lower halves of the four words, and the upper ones.
        let lower = _mm_shuffle_ps::<0b10_00_10_00>(first, second);
        let upper = _mm_shuffle_ps::<0b11_01_11_01>(first, second);
        _mm_movemask_ps(_mm_and_ps(lower, upper))
    };
    equal as u32 ^ 0b1111
}

#[inline(always)]
#[cfg(not(target_arch = "x86_64"))]
fn four(one: &[u64; AT_ONCE], other: &[u64; AT_ONCE]) -> u32 {
    let differs = |at: usize| u32::from(one[at] != other[at]) << at;
    differs(0) | differs(1) | differs(2) | differs(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that differ in one half only, in both, or not at all.
    #[test]
    fn every_word_that_differs_has_its_bit() {
        let values = [0, 1, 1 << 32, 1 << 63, u64::MAX, 0x8000_0000];
        for seed in 0..5000usize {
            let word = |at: usize| values[(seed * 7 + at * (1 + seed % 5)) % values.len()];
            let one: Vec<u64> = (0..seed % 25).map(word).collect();
            let other: Vec<u64> = (0..seed % 25).map(|at| word(at + seed % 3 * at)).collect();
            let slowly = (0..one.len()).filter(|at| one[*at] != other[*at]);
            assert_eq!(differing(&one, &other), slowly.fold(0, |bits, at| bits | 1 << at));
        }
    }
}
