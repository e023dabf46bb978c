//! One line of the root table, looked at as a whole: which slot holds a key, and how
//! many are used. How many slots of a line hold something cannot be foretold, and a
//! branch mistaken costs more than comparing all of them at once.

/// Slots of a line: 64 bytes, one transfer from memory.
pub(crate) const LINE: usize = 8;

/// Eight slots.
pub(crate) type Line = [u64; LINE];

/// The first slot with the value of `slot`, but for its lowest bit.
#[inline(always)]
pub(crate) fn with_key(line: &Line, slot: u64) -> Option<usize> {
    let equal = equal(line, slot, !1);
    (equal != 0).then(|| equal.trailing_zeros() as usize / 2 % LINE)
}

/// How many slots are used, in a line that fills from the front.
#[inline(always)]
pub(crate) fn used(line: &Line) -> usize {
    (equal(line, 0, !0) | 1 << (2 * LINE)).trailing_zeros() as usize / 2
}

/// For each slot two bits, the lower one set if the slot equals `value` within `mask`.
#[inline(always)]
#[cfg(target_arch = "x86_64")]
fn equal(line: &Line, value: u64, mask: u64) -> u32 {
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_epi8,
        _mm_packs_epi16, _mm_packs_epi32, _mm_set1_epi64x, _mm_setzero_si128, _mm_xor_si128,
    };
    let first: *const __m128i = line.as_ptr().cast();
    // SAFETY: the four loads lie within the 64 bytes that `line` borrows, and ask for no
    // alignment. SSE2 is part of x86-64.
    let halves = unsafe {
        let (value, mask) = (_mm_set1_epi64x(value as i64), _mm_set1_epi64x(mask as i64));
        let pair = |at: usize| {
            let differs = _mm_xor_si128(_mm_loadu_si128(first.add(at)), value);
            _mm_cmpeq_epi32(_mm_and_si128(differs, mask), _mm_setzero_si128())
        };
        let low = _mm_packs_epi32(pair(0), pair(1));
        let high = _mm_packs_epi32(pair(2), pair(3));
        _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u32
    };
    // One bit for each half of a slot; both count.
    halves & halves >> 1 & 0x5555
}

#[inline(always)]
#[cfg(not(target_arch = "x86_64"))]
fn equal(line: &Line, value: u64, mask: u64) -> u32 {
    one_by_one(line, value, mask)
}

/// The same without special instructions.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn one_by_one(line: &Line, value: u64, mask: u64) -> u32 {
    let equals = |slot: &u64| (slot ^ value) & mask == 0;
    line.iter().enumerate().fold(0, |bits, (at, slot)| bits | u32::from(equals(slot)) << (2 * at))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that differ in one half only, in the lowest bit only, or not at all.
    #[test]
    fn all_slots_at_once_are_as_one_by_one() {
        let values = [0, 1, 2, 3, 1 << 32, 1 << 63, u64::MAX, u64::MAX - 1, 0x8000_0000];
        for seed in 0..5000usize {
            let slot = |at: usize| values[(seed * 7 + at * (1 + seed % 5)) % values.len()];
            let line: Line = std::array::from_fn(slot);
            for value in values {
                assert_eq!(equal(&line, value, !1), one_by_one(&line, value, !1));
                assert_eq!(equal(&line, value, !0), one_by_one(&line, value, !0));
                let first = line.iter().position(|slot| slot ^ value <= 1);
                assert_eq!(with_key(&line, value), first);
            }
        }
    }

    #[test]
    fn a_line_fills_from_the_front() {
        for count in 0..=LINE {
            let line: Line = std::array::from_fn(|at| u64::from(at < count) * 6);
            assert_eq!(used(&line), count);
            assert_eq!(with_key(&line, 7), (count > 0).then_some(0));
        }
    }
}
