//! A proposition that cannot be evaluated in some state, such as one with an index outside its
//! array: an error of the model, told by the run to that state.

use super::judge::expanded;
use super::rounds::Trail;
use super::{Cycle, Group};
use crate::decide::Found;
use crate::shorten::Length;
use base::Span;
use trace::Requirement;

/// A proposition, and why it cannot be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct FailingAtom {
    /// What a model must not do.
    pub(crate) requirement: Requirement,
    /// What is wrong, in words that a place can follow.
    pub(crate) problem: String,
    /// Which proposition it is.
    pub(crate) number: usize,
    /// Where it is written.
    pub(crate) span: Option<Span>,
}

/// The error, once the reference interpreter has met it at the end of the way.
pub(super) fn found(group: &Group<'_>, trail: Trail) -> Option<Found> {
    let is_merged = group.form.unmerged().is_some();
    let trail = expanded(&*group.form, trail).ok()?;
    let failing = group.form.failing_atom(&trail.steps)?;
    let length = if is_merged { Length::FirstFound } else { Length::Shortest };
    let found = Found::new(failing.requirement, trail.steps, length);
    Some(Found { cycle: Some(Cycle::failing(failing)), ..found })
}

/// Why nothing is decided where there is such a state.
pub(super) fn reason(failed: Option<&Found>) -> String {
    let problem = failed.and_then(|found| Some(&found.cycle.as_ref()?.failing.as_ref()?.problem));
    let problem = problem.map(|problem| format!(": {}", problem.trim_end_matches(',')));
    format!("in some state a proposition cannot be evaluated{}", problem.unwrap_or_default())
}
