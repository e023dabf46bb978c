//! Repeatable random numbers.

use std::ops::Range;
use std::{env, thread};

/// SplitMix64 (Steele, Lea, Flood 2014): one seed, the same choices everywhere.
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`, which is positive.
    pub fn below<N: TryFrom<u64> + TryInto<u64>>(&mut self, bound: N) -> N {
        let number = bound.try_into().ok().and_then(|bound| self.bits().checked_rem(bound));
        number.and_then(|number| N::try_from(number).ok()).expect("a positive bound")
    }

    /// A number of `low ..= high`.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// True in one of `count` cases.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// One of the list, itself.
    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        *self.pick(list)
    }

    /// One of the list.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// One of the list, each as often as its weight says.
    pub fn weighted<T: Copy>(&mut self, list: &[(usize, T)]) -> T {
        let total: usize = list.iter().map(|(weight, _)| weight).sum();
        let mut rest = self.below(total);
        for (weight, choice) in list {
            if rest < *weight {
                return *choice;
            }
            rest -= weight;
        }
        list[list.len() - 1].1
    }
}

/// The environment variable that names the only seed to run.
const ONLY: &str = "ARGOS_SEED";

/// Runs `test` with each seed and its random numbers. If it panics the seed is printed;
/// `ARGOS_SEED` runs that one alone.
pub fn for_seeds(seeds: Range<u64>, mut test: impl FnMut(u64, &mut Random)) {
    let only = env::var(ONLY).ok().and_then(|seed| seed.parse().ok());
    for seed in only.map_or(seeds, |seed: u64| seed..seed + 1) {
        let _told = Told(seed);
        test(seed, &mut Random::new(seed));
    }
}

/// Prints a seed when a panic passes by.
struct Told(u64);

impl Drop for Told {
    #[expect(clippy::print_stderr, reason = "a test that fails talks to its user")]
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("failed with seed {0}; {ONLY}={0} runs it alone", self.0);
        }
    }
}
