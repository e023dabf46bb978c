//! A run in progress: what the reference interpreters of all languages have in common.

use crate::{Explanation, Location, Reception, Scenario, Snapshot, Wait};
use serde::{Deserialize, Serialize};
use std::fmt;
use system::Step;

/// Whether there is time to go on. INVARIANT: once there is none, there is none again.
pub type Lasts<'a> = &'a dyn Fn() -> bool;

/// So many steps are executed or told between two questions to the clock: less than a
/// millisecond for a small model, and for one of a thousand processes less than a second.
pub(crate) const STEPS_PER_QUESTION: usize = 256;

/// A run in progress, executed by the reference interpreter of its language: the judge of
/// every trail that a search finds, of every run that was saved, and what a simulation is.
pub trait Run {
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

    /// Begins again and takes the steps of a trail, as long as there is time.
    ///
    /// # Errors
    /// The first step that the interpreter cannot take: the trail is wrong. Or the time is over
    /// ([`Mismatch::out_of_time`]): nothing is known of the rest.
    fn follow_while(&mut self, trail: &[Step], lasts: Lasts<'_>) -> Result<(), Mismatch>;

    /// The same however long it takes.
    ///
    /// # Errors
    /// The first step that the interpreter cannot take.
    fn follow(&mut self, trail: &[Step]) -> Result<(), Mismatch> {
        self.follow_while(trail, &|| true)
    }

    /// Begins again and takes the steps of a saved run: its events, or its choices where
    /// events do not say which step was taken.
    ///
    /// # Errors
    /// The first step that cannot be taken in this model; the run stops before it.
    fn retrace(&mut self, scenario: &Scenario, choices: &[u32]) -> Result<(), Mismatch>;

    /// Goes on behind a violation to where the model itself comes to rest. The run still
    /// ends in the violation, as far as [`Self::endings`] are asked.
    fn go_to_end(&mut self) {}

    /// The run so far, and how many events of it each step is; nothing if there was no time.
    fn told_while(&self, lasts: Lasts<'_>) -> Option<(Scenario, Vec<usize>)>;
    /// The run so far.
    fn scenario(&self) -> Scenario {
        self.told_while(&|| true).map(|(scenario, _)| scenario).unwrap_or_default()
    }
    /// Says at each event of the run's scenario what could have been done instead, where
    /// [`Self::scenario`] has not said it yet: from the last one back, as long as `edges` edges
    /// suffice, of which those are taken off that were executed to find out. The answer is how
    /// many of the first events say nothing.
    fn tell_others(&self, _scenario: &mut Scenario, _edges: &mut u64) -> usize {
        0
    }
    /// How many events of the scenario each step is.
    fn events_of_steps(&self) -> Vec<usize> {
        self.told_while(&|| true).map(|(_, counts)| counts).unwrap_or_default()
    }
    /// Which choice was taken at each step, where a saved run needs them.
    fn taken(&self) -> Vec<u32>;
    /// The number of the choice at each step, as [`Self::take`] numbers them.
    fn path(&self) -> Vec<u32> {
        self.taken()
    }
    /// The steps as a search of every statement names them.
    fn trail(&self) -> Vec<Step>;
    /// The whole state, and whether the run may go on from it, as a text that no other has.
    fn identity(&self) -> String;
    /// By which rules, for a run that is to be saved.
    fn rules(&self) -> RunRules;
    /// The state now.
    fn snapshot(&self) -> Snapshot;
    /// The line each process stands at; none at its end.
    fn lines(&self) -> Vec<(String, Option<u32>)>;
    /// Whether a predicate of the model's list, by its number, holds now; `None` if it cannot be
    /// evaluated.
    fn holds(&self, predicate: usize) -> Option<bool>;
    /// What is wrong now: a step may fail, be let pass, and end in a deadlock.
    fn endings(&self) -> Vec<Explanation>;
    /// Who waits for what, if nothing can move.
    fn waits(&self) -> Option<Vec<Wait>>;
    /// Messages that waiting processes are not ready for.
    fn unspecified(&self) -> Vec<Reception> {
        Vec::new()
    }
    /// The messages that are left in channels in words, and where to look for them.
    fn leftovers(&self) -> Option<(String, Location)>;
    /// The channels, for charts.
    fn channels(&self) -> Vec<Channel>;

    /// All that is wrong now in one sentence.
    fn problem(&self) -> Option<String> {
        let all: Vec<String> = self.endings().into_iter().map(|ending| ending.message).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

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

/// A step that the reference interpreter cannot do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The number of the step, from 1.
    pub step: usize,
    /// What went wrong; of a saved run the step in words, if it has any.
    pub reason: String,
    /// Nothing did: there was no time to take the step.
    pub out_of_time: bool,
}

impl Mismatch {
    /// A step of a trail, and what went wrong.
    pub fn new(step: usize, reason: &str) -> Self {
        Self { step, reason: reason.to_owned(), out_of_time: false }
    }

    /// There was no time to take this step.
    pub fn late(step: usize) -> Self {
        Self { out_of_time: true, ..Self::new(step, "the time is over") }
    }

    /// A step of a trail that is not among those the interpreter lists.
    pub(crate) fn cannot(step: usize) -> Self {
        Self::new(step, "the reference interpreter cannot take it")
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.reason)
    }
}

/// What decides about the steps of a run of a program, besides the options.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RunRules {
    /// The never claim that runs beside the system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    /// Numbers of processes and channels have 16 bits, because there are so many.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wide: bool,
    /// Assertions do not fail: the run is about something behind one, or is infinite.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_assertions: bool,
    /// The ordinary rules hold in spite of `--spin-counts`: SPIN does not count what
    /// is wrong there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ordinary: bool,
}

/// A channel.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// Slots.
    pub capacity: u32,
    /// Its sort: messages that can be in it, by name.
    pub sort: Vec<String>,
    /// Processes that receive from it.
    pub readers: Vec<String>,
    /// Processes that send to it.
    pub writers: Vec<String>,
    /// How many different contents it can have by its sort: sum of |S|^i, as a
    /// decimal text because it may be large (values not counted).
    pub contents_max: String,
}
