//! A bijection on numbers of so many bits that makes every bit depend on every bit. The key
//! of a state is mixed once, when it is made, and unmixed once, when the state is
//! expanded; tables and loops see only mixed keys.

use crate::slots::{MARK, SMALL_BITS, SMALL_SHIFT};

const FACTORS: [u64; 2] = [0x9fb2_1c65_1e98_df25, 0xd6e8_feb8_6659_fd93];
const INVERSES: [u64; 2] = [inverse(FACTORS[0]), inverse(FACTORS[1])];

/// From numbers to keys and back. Which way it is stays the same for millions of keys, so it is
/// cheaper to ask each time than to shift by amounts that the compiler does not see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mix {
    /// Keys of numbers below 2^63 - 1: even, and never zero.
    Wide,
    /// Keys of numbers below 2^42, for [small slots](crate::slots::Small).
    Small,
}

impl Mix {
    #[inline(always)]
    pub(crate) fn key_of(self, number: u64) -> u64 {
        match self {
            Self::Wide => WIDE.key_of(number),
            Self::Small => SMALL.key_of(number),
        }
    }

    #[inline(always)]
    pub(crate) fn number_of(self, key: u64) -> u64 {
        match self {
            Self::Wide => WIDE.number_of(key),
            Self::Small => SMALL.number_of(key),
        }
    }
}

/// A bijection on numbers of so many bits, and where keys lie in a word.
#[derive(Clone, Copy, Debug)]
struct Bijection {
    mask: u64,
    /// At least half the bits, so that each shift undoes itself.
    half: u32,
    /// Keys begin with the highest bit of a word, which leaves the lowest one free.
    shift: u32,
    /// The lowest number is mixed as this, for zero stays zero and is no key.
    base: u64,
    /// Or else this is set in every key.
    mark: u64,
}

const WIDE: Bijection = Bijection { mask: u64::MAX >> 1, half: 32, shift: 1, base: 1, mark: 0 };
const SMALL: Bijection = Bijection {
    mask: (1 << SMALL_BITS) - 1,
    half: SMALL_BITS / 2,
    shift: SMALL_SHIFT,
    base: 0,
    mark: MARK,
};

impl Bijection {
    #[inline(always)]
    fn key_of(self, number: u64) -> u64 {
        self.mix(number + self.base) << self.shift | self.mark
    }

    #[inline(always)]
    fn number_of(self, key: u64) -> u64 {
        self.unmix(key >> self.shift) - self.base
    }

    #[inline(always)]
    fn mix(self, number: u64) -> u64 {
        let number = (number ^ number >> self.half).wrapping_mul(FACTORS[0]) & self.mask;
        let number = (number ^ number >> self.half).wrapping_mul(FACTORS[1]) & self.mask;
        number ^ number >> self.half
    }

    #[inline(always)]
    fn unmix(self, number: u64) -> u64 {
        let number = (number ^ number >> self.half).wrapping_mul(INVERSES[1]) & self.mask;
        let number = (number ^ number >> self.half).wrapping_mul(INVERSES[0]) & self.mask;
        number ^ number >> self.half
    }
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
    fn unmix_undoes_mix() {
        for mix in [WIDE, SMALL] {
            let mut number = 1u64;
            for _ in 0..100_000 {
                assert!(mix.mix(number) <= mix.mask);
                assert_eq!(mix.unmix(mix.mix(number)), number);
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) & mix.mask;
            }
            for edge in [0, 1, mix.mask - 1, mix.mask - 2, 1 << (SMALL_BITS - 1)] {
                assert_eq!(mix.number_of(mix.key_of(edge)), edge);
            }
            assert_eq!(mix.mix(0), 0);
        }
        assert_eq!(SMALL.number_of(SMALL.key_of(SMALL.mask)), SMALL.mask);
    }
}
