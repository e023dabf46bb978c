//! The shortest way to an error of a given kind. In: a system, a budget of states
//! and a predicate. Out: a trail with no shorter one, or how sure it is that there
//! is none. The breadth-first search with a goal of its own, nothing more.

use crate::goal::{Candidate, Goal, Weight};
use crate::plan::{Plan, Request};
use crate::{Finding, FindingKind, Watch, Why};
use system::{Blocked, System};

/// What became of the search for a shortest trail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shortest {
    /// No accepted error can be reached in fewer steps.
    Found(Finding),
    /// The budget was used up or the watch ended the search before an answer.
    NotWithinBudget,
    /// The system can reach no accepted error.
    Nowhere,
}

/// Searches breadth first, within the limits of `budget` (states, memory, depth; its
/// order and store do not matter), for an error that `accept` takes. It is asked about every state at rest that is not proper,
/// residual ones included, and about every step that ends in an error.
pub fn shortest(
    system: &dyn System,
    budget: &Request,
    accept: &mut dyn FnMut(&Candidate) -> bool,
    watch: &mut dyn Watch,
) -> Shortest {
    let plan = Plan::shortest(budget);
    let outcome = plan.execute(system, &mut Accepted { accept }, watch);
    let outcome = outcome.expect("a breadth-first search needs no capability");
    match (outcome.findings.into_iter().next(), outcome.why_incomplete.as_slice()) {
        (Some(finding), [Why::FirstError]) => Shortest::Found(finding),
        (None, []) => Shortest::Nowhere,
        // Stopped within a level, even with an error in hand: an error of the
        // level before may be one step nearer.
        _ => Shortest::NotWithinBudget,
    }
}

/// The first error that the predicate takes.
struct Accepted<'a> {
    accept: &'a mut dyn FnMut(&Candidate) -> bool,
}

impl Goal for Accepted<'_> {
    fn weigh(&mut self, candidate: &Candidate) -> Weight {
        let proper = candidate.kind == FindingKind::Blocked(Blocked::ProperEnd);
        if !proper && (self.accept)(candidate) { Weight::Error } else { Weight::Nothing }
    }

    fn enough(&self, _: u64) -> Option<Why> {
        Some(Why::FirstError)
    }
}
