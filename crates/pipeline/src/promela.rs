//! `check` for PROMELA: the searches of a program, each decided on its own.
//!
//! One search without any claim decides assertions, deadlocks and run-time
//! errors; one per never claim decides that claim. Acceptance conditions and
//! `ltl` formulas need cycles, which these searches do not look for: they stay
//! unknown, and the verdict says so.

mod assemble;
mod decide;
mod ending;
mod expand;
mod found;
mod left;
mod names;
mod narrate;
mod reductions;
mod replay;
mod saved;
mod unreached;
mod view;
mod wait;
mod walk;

pub(crate) use assemble::searched;
pub(crate) use decide::{Decided, Refused, Run as SearchRun, decide, search};
pub(crate) use found::{Found, Requirement};
pub(crate) use replay::{executed, scenario};
pub(crate) use saved::replay_saved;
pub(crate) use view::{channels_of, machines, reachable};
pub(crate) use walk::Walk;
