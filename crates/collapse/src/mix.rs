//! A bijection on 63-bit numbers that makes every bit depend on every bit. The key
//! of a state is mixed once, when it is made, and unmixed once, when the state is
//! expanded; tables and loops see only mixed keys. Zero stays zero.

const MASK: u64 = u64::MAX >> 1;
const FACTORS: [u64; 2] = [0x9fb2_1c65_1e98_df25, 0xd6e8_feb8_6659_fd93];
const INVERSES: [u64; 2] = [inverse(FACTORS[0]), inverse(FACTORS[1])];

/// Mixes.
#[inline]
pub(crate) fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(FACTORS[0]) & MASK;
    let number = (number ^ number >> 32).wrapping_mul(FACTORS[1]) & MASK;
    number ^ number >> 32
}

/// Undoes [`mix`]. The shifts are more than half the width, so each undoes itself.
#[inline]
pub(crate) fn unmix(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(INVERSES[1]) & MASK;
    let number = (number ^ number >> 32).wrapping_mul(INVERSES[0]) & MASK;
    number ^ number >> 32
}

/// The key of a number below 2^63 - 1: mixed, even and never zero.
#[inline(always)]
pub fn key_of(number: u64) -> u64 {
    mix(number + 1) << 1
}

/// The number of a key.
#[inline(always)]
pub fn number_of(key: u64) -> u64 {
    unmix(key >> 1) - 1
}

/// The inverse of an odd number modulo 2^64 by Newton's iteration, which doubles
/// the right bits each time.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut round = 0;
    while round < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unmix_undoes_mix_within_63_bits() {
        let mut number = 1u64;
        for _ in 0..100_000 {
            assert!(mix(number) <= MASK);
            assert_eq!(unmix(mix(number)), number);
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) & MASK;
        }
        for edge in [0, 1, MASK, MASK - 1, 1 << 62] {
            assert_eq!(unmix(mix(edge)), edge);
        }
        assert_eq!(mix(0), 0);
    }
}
