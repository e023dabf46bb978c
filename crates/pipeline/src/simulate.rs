//! `argos sim`: one run at a time by the reference interpreters: random, chosen step by step
//! with the way back, or along a saved run.

use crate::{Loaded, Options};
use trace::{Run, RunRules};

/// A run of a model at its start, by rules that were saved or by the ordinary ones; `None` if
/// the text has errors. A model whose initial values fail has no start: the failure is said in
/// words.
pub fn simulate<'a>(
    loaded: &'a Loaded,
    options: &Options,
    saved: Option<&RunRules>,
) -> Option<Result<Box<dyn Run + 'a>, String>> {
    let rules = saved.cloned().unwrap_or(RunRules { ordinary: true, ..RunRules::default() });
    let run = loaded.subject.as_ref()?.run(options, &rules, &loaded.sources);
    Some(run.map_err(|failure| failure.message))
}

/// Random numbers that are the same everywhere: SplitMix64 (Steele, Lea, Flood, 2014).
pub struct Dice(u64);

impl Dice {
    /// Dice that always fall the same way for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
