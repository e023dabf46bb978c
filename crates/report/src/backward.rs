//! What a backward execution found out, as data. Serialised it is a report with the
//! potential errors beside it.

use crate::Report;
use indexmap::IndexMap;
use serde::Serialize;
use trace::{Event, Snapshot};

/// Everything one run of `backward` found out.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Backward {
    /// The part every command has.
    #[serde(flatten)]
    pub report: Report,
    /// Every potential error, in the order they were looked at.
    pub candidates: Vec<Candidate>,
    /// What the forward search of the same question costs.
    pub forward: Forward,
}

/// A potential error.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Candidate {
    /// `deadlock`, `unspecified-reception`, `blocked-send`; `target` for what was asked.
    pub kind: String,
    /// Where processes and messages would have to be.
    #[serde(rename = "where")]
    pub place: String,
    /// Whether it can be.
    pub verdict: Reached,
    /// Claims looked at.
    pub states: u64,
    /// Steps back looked at.
    pub transitions: u64,
    /// Why no search was needed: `place`, `values`, `invariant`, `shared`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruled_out: Option<String>,
    /// Claims looked at by the method of 1984, with `--compare`; null when it is more
    /// than the comparison may look at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states_1984: Option<Option<u64>>,
    /// For a reachable one: the state before the first step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial: Option<Snapshot>,
    /// For a reachable one: the steps, forwards, executed again.
    pub trace: Option<Vec<Event>>,
}

/// Whether a potential error can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reached {
    /// A run leads there.
    Reachable,
    /// None does.
    Unreachable,
    /// A limit ended the search.
    Bound,
}

/// The forward search of the same question.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Forward {
    /// States it stored.
    pub states: u64,
    /// `states` and edges that led to nothing new.
    pub transitions: u64,
    /// Whether it saw everything.
    pub complete: bool,
    /// Whether it found what was looked for: an error, or the target.
    pub found: bool,
    /// Error states by kind.
    pub errors: IndexMap<String, u64>,
    /// Its time.
    pub seconds: f64,
}

impl Backward {
    /// How many candidates have this verdict.
    pub fn count(&self, verdict: Reached) -> usize {
        self.candidates.iter().filter(|candidate| candidate.verdict == verdict).count()
    }

    /// The claims looked at, all together.
    pub fn states(&self) -> u64 {
        self.candidates.iter().map(|candidate| candidate.states).sum()
    }

    /// Whether somebody asked for a state.
    pub fn is_target(&self) -> bool {
        self.candidates.iter().any(|candidate| candidate.kind == "target")
    }

    /// The object on one line.
    pub fn json(&self) -> String {
        crate::json_of(self)
    }
}
