//! The statements that a complete search never executed, and of each whether some process came to it.

use crate::Loaded;
use crate::decide::{Decided, Searched};
use crate::subject::{Statements, Subject};
use report::Unreached;
use std::collections::BTreeSet;

/// The id of the warning about statements never executed.
const NEVER_EXECUTED: &str = "W0007";

/// The statements never executed, if some search looked everywhere. Of a machine no process
/// was of, every statement is missing: what leaves it out is listed, and that is enough.
pub(super) fn unreached(
    subject: &dyn Subject,
    executed: &[Vec<bool>],
    decided: &Decided<'_>,
    loaded: &Loaded,
) -> Vec<Unreached> {
    let covering = || decided.searches.iter().filter(|search| search.pass.covers_edges());
    let is_complete = covering().any(|search| search.outcome.complete());
    if !is_complete || loaded.allows(NEVER_EXECUTED) {
        return Vec::new();
    }
    let saw_all = covering().any(Searched::saw_all);
    let mut list: Vec<Unreached> = Vec::new();
    for (machine, executed) in subject.statements(&loaded.sources).iter().zip(executed) {
        if machine.is_started || executed.contains(&true) {
            list.extend(missed(machine, executed, saw_all));
        }
    }
    list.dedup();
    list
}

/// Those of one machine, in the order of the text.
fn missed(machine: &Statements, executed: &[bool], saw_all: bool) -> Vec<Unreached> {
    let of = |wanted: bool| {
        let edges = machine.edges.iter().zip(executed).enumerate();
        edges.filter_map(move |(at, (edge, done))| {
            edge.as_ref().filter(|_| *done == wanted).map(|edge| (at, edge))
        })
    };
    let entered = entered(machine, executed);
    // A statement whose guard was copied into the state around it has several edges; it
    // was executed if one of them was.
    let missed = of(false).filter(|(_, missed)| !of(true).any(|(_, done)| done == *missed));
    let waited = |missed: &Unreached| {
        let mut edges = of(false).filter(|(_, edge)| *edge == missed);
        edges.any(|(at, _)| entered.contains(&machine.ways[at].0))
    };
    let told = |(_, missed): (usize, &Unreached)| Unreached {
        blocked: saw_all.then(|| waited(missed)),
        ..missed.clone()
    };
    let mut list: Vec<Unreached> = missed.map(told).collect();
    list.sort_by_key(|missed| (missed.line, missed.column));
    list
}

/// The control locations that some process was at: where it starts, and where the edges that were
/// executed lead. An edge that ends in an error leads nowhere, so this is asked only where none does.
fn entered(machine: &Statements, executed: &[bool]) -> BTreeSet<usize> {
    let ways = machine.ways.iter().zip(executed);
    let reached = ways.filter(|(_, done)| **done).map(|((_, to), _)| *to);
    reached.chain([machine.start]).collect()
}
