//! The whole line from text to report in one function, [`check`], and the same
//! stages for the other commands: [`show`], [`simulate`], [`replay_saved`], [`backward`],
//! [`spin`].
//!
//! Values in, values out: files, clocks, memory and the user's patience are asked
//! of a [`Host`], so every command can be tested with a string. Languages are known by
//! [`load`] alone; everything else is written against the trait `subject::Subject`.

mod ahead;
mod assemble;
mod backward;
mod check;
mod cycles;
mod decide;
mod formula;
mod gates;
mod host;
mod load;
mod no_return;
mod options;
mod others;
mod saved;
mod shorten;
mod show;
mod shown;
mod simulate;
pub mod spin;
mod stage;
mod state_graph;
mod states;
mod subject;
mod switches;
mod unreached;
mod whole;
mod workflow;

pub use ::backward::{Scope, Tricks};
pub use ::base::Purpose;
pub use ahead::Behind;
pub use backward::{BackwardAsked, Backwarded, backward, unfinished_backward};
pub use check::{Checked, Usage, check, check_ahead, unfinished};
pub use formula::{ShownFormulas, show_formula};
pub use host::{Host, Memory};
pub use load::{Loaded, Source, is_model, load, preprocessed};
pub use options::{
    AFTER_ERROR, Calls, Check, Default_, Dependency, End, Engine, Fair, Gate, Options, Reduce,
    Replace, SHORTEN_BUDGET, Search, Store, Timeout,
};
pub use others::{tell_others, tell_others_of_run, tell_others_of_saved};
pub use preprocess::Files;
pub use report::Kind;
pub use saved::{ReplayedTrace, SavedTrace, Unreplayable, replay_saved};
pub use search::SCAN;
pub use show::{Shown, ShownReversed, show, show_reversed};
pub use simulate::{
    Goal, Taken, ToldRun, ending, go_randomly, machines, predicates, retake, simulate, taken,
    view_of_run,
};
pub use stage::fold;
pub use state_graph::{Class, StateEdge, StateGraph, StateNode, StatePart, quotient, state_graph};
pub use subject::Networks;
pub use system::Dice;
pub use trace::{Choice, Run};

/// Explains a diagnostic id in plain sentences: `argos help A0012`.
pub fn explain(id: &str) -> Option<&'static str> {
    argos::explain(id).or_else(|| ::promela::explain(id))
}

/// The ids most like `topic`, if any is like it at all.
pub fn near(topic: &str) -> Vec<&'static str> {
    const SHOWN_MAX: usize = 4;
    let topic = topic.to_ascii_uppercase();
    let alike = |id: &str| id.chars().zip(topic.chars()).filter(|(a, b)| a == b).count();
    let most = explained().map(alike).max().unwrap_or(0);
    let is_id = topic.len() > 2 && most + 2 >= topic.len();
    explained().filter(|id| is_id && alike(id) == most).take(SHOWN_MAX).collect()
}

/// Every id that can be explained.
pub fn explained() -> impl Iterator<Item = &'static str> {
    // Both languages share the preprocessor, and its ids.
    let own = ::promela::explained().filter(|id| argos::explain(id).is_none());
    argos::explained().chain(own)
}
