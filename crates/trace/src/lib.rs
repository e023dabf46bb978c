//! From a trail (bare steps of a search) to a scenario: re-executed by the reference
//! interpreter of its language, with names, lines, message matches and changes, so that
//! every output shows the same run; and what is wrong at its end, in words.
//!
//! [`Run`] is what both languages have in common; [`NetworkRun`] is a run of the
//! un-minimised machines of an Argos model, [`ProgramRun`] one of a PROMELA program. A
//! trail that the interpreter cannot follow is a [`Mismatch`]: a fault of ours, and never
//! shown as a finding. [`spin`] follows and writes the trails of SPIN.

mod explanation;
mod guard;
mod network;
mod program;
mod run;
mod scenario;
pub mod spin;

pub use explanation::{Explanation, Kind, Location, Reception, Requirement, location};
pub use guard::{Fact, Glance, Glances, Guard, GuardPart, GuardValues};
pub use network::{Ending, NetworkRun, channels, glance as network_glance, statement};
pub use program::{
    Looker, ProgramRun, kind, matches_step, problem_words, statement as program_statement,
};
pub use run::{Channel, Choice, Lasts, Mismatch, Run, RunRules};
pub use scenario::{Changes, Event, EventKind, Scenario, Snapshot, Wait};
