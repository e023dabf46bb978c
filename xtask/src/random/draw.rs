//! A repeatable source of choices.

/// SplitMix64 (Steele, Lea, Flood 2014): one seed, the same choices everywhere.
pub(super) struct Draw(u64);

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number of `low ..= high`.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in so many of a hundred cases.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(super) fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// One of the list, each as often as its weight says.
    pub(super) fn weighted<T: Copy>(&mut self, list: &[(usize, T)]) -> T {
        let mut rest = self.below(list.iter().map(|(weight, _)| weight).sum());
        for (weight, choice) in list {
            if rest < *weight {
                return *choice;
            }
            rest -= weight;
        }
        list[list.len() - 1].1
    }
}
