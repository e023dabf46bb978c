//! `argos sim`: one run at a time, in either language, by the reference
//! interpreters: random, chosen step by step with the way back, or along a saved
//! run.

use crate::{Loaded, Networks, Options, SavedTrace, Simulation, Subject, promela};
use report::{Channel, RunRules};
use trace::{Scenario, Snapshot, Wait};

/// A run in progress.
pub trait Play {
    /// How many steps were taken.
    fn steps(&self) -> usize;
    /// The executable steps, in the order [`Self::take`] numbers them.
    fn choices(&self) -> Vec<Choice>;
    /// Processes that cannot move now: their statements together, and the reason.
    fn blocked(&self) -> Vec<Choice>;
    /// Takes the `index`-th choice; says whether there was one.
    fn take(&mut self, index: usize) -> bool;
    /// Undoes the last step; says whether there was one.
    fn back(&mut self) -> bool;
    /// Takes the steps of a saved run; the first one that cannot be taken ends it,
    /// in words.
    fn retrace(&mut self, saved: &SavedTrace) -> Result<(), String>;
    /// The run so far.
    fn scenario(&self) -> Scenario;
    /// Which choice was taken at each step, for a run that is to be saved.
    fn taken(&self) -> Vec<u32>;
    /// By which rules, for a run that is to be saved.
    fn rules(&self) -> RunRules;
    /// The state now.
    fn snapshot(&self) -> Snapshot;
    /// The line each process stands at; none at its end.
    fn lines(&self) -> Vec<(String, Option<u32>)>;
    /// What is wrong now, if something is.
    fn problem(&self) -> Option<String>;
    /// Who waits for what, if nothing can move.
    fn waits(&self) -> Option<Vec<Wait>>;
    /// The channels, for charts.
    fn channels(&self) -> Vec<Channel>;

    /// Takes one choice; `random` is any number. Says whether there was one.
    fn take_random(&mut self, random: u64) -> bool {
        let count = self.choices().len() as u64;
        count > 0 && self.take((random % count) as usize)
    }
}

/// A statement that could be executed, or could not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The process.
    pub process: String,
    /// The statement.
    pub action: String,
    /// Its line.
    pub line: u32,
    /// Why it cannot execute; `None` if it can.
    pub blocked: Option<String>,
}

/// A run of a model at its start; `None` if the text has errors. A program whose
/// initial values fail has no start: the failure is said in words.
pub fn play<'a>(
    loaded: &'a Loaded,
    options: &Options,
) -> Option<Result<Box<dyn Play + 'a>, String>> {
    Some(match loaded.subject.as_ref()? {
        Subject::Model(model) => {
            let networks = Networks::new(model, options);
            Ok(Box::new(Simulation::new(&networks, &loaded.sources)))
        }
        Subject::Program(program) => promela::Walk::new(program, loaded, options)
            .map(|walk| Box::new(walk) as Box<dyn Play + 'a>),
    })
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
