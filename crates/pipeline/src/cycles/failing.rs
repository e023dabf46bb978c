//! A proposition that cannot be evaluated in some state, such as one with an index outside its
//! array: an error of the model, told by the run to that state.

use super::{Cycle, Group, Trail, expanded};
use crate::decide::Found;
use crate::shorten::Length;
use base::Span;
use search::Graph;
use std::collections::VecDeque;
use system::System;
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

/// The way to the first state in which a proposition fails, if there is such a state.
pub(super) fn trail(graph: &mut Graph, system: &dyn System) -> Option<Trail> {
    let wanted = graph.unreadable()?;
    let edges = path(graph, wanted);
    let mut steps = Vec::with_capacity(edges.len());
    for (state, edge) in edges {
        steps.push(graph.step(system, state, edge)?);
    }
    Some(Trail { prefix: steps.len(), steps, repeats: false })
}

/// A shortest path from the initial state, by the states it leaves and the edges it takes.
fn path(graph: &Graph, wanted: u32) -> Vec<(u32, usize)> {
    let mut entered: Vec<Option<(u32, usize)>> = vec![None; graph.states()];
    let mut open = VecDeque::from([0]);
    while let Some(state) = open.pop_front().filter(|_| wanted != 0) {
        for edge in graph.edges_of(state) {
            let target = graph.target(edge);
            if target != 0 && entered[target as usize].is_none() {
                entered[target as usize] = Some((state, edge));
                open.push_back(target);
            }
        }
        if entered[wanted as usize].is_some() {
            break;
        }
    }
    let before = |(state, _): &(u32, usize)| entered[*state as usize];
    let mut path: Vec<_> = std::iter::successors(entered[wanted as usize], before).collect();
    path.reverse();
    path
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
