//! Invisible cycles: around them a process may loop for ever within one
//! visible step. The executors notice that by a state that returns, so the passes
//! must not make states equal there that are not, and so take for the sake of the
//! same finding, in the same step, a little less than they could.

use crate::{Action, Edge, EdgeId, LocationId, Proctype, Program};
use base::reach;
use std::collections::BTreeSet;

/// The edges of a proctype that lie on a cycle of edges behind which a process may
/// go on unseen: atomic ones, those inside a `d_step`, and, where a rendezvous can
/// hand control over and back, sends.
pub(super) fn unseen(program: &Program, kind: &Proctype) -> BTreeSet<EdgeId> {
    let inside = inside_deterministic(kind);
    let hands_over = program.has_rendezvous();
    let goes_on = |edge: &Edge| {
        let sends = hands_over && matches!(edge.action, Action::Send { .. });
        edge.atomic || sends || inside.contains(&edge.from)
    };
    let edges: Vec<(EdgeId, &Edge)> =
        kind.edges.iter_ids().filter(|(_, edge)| goes_on(edge)).collect();
    let on_cycle = |edge: &Edge| {
        let behind = |at| {
            let edges = edges.iter().map(|(_, edge)| edge);
            edges.filter(move |other| other.from == at).map(|other| other.to)
        };
        reach([edge.to], behind).contains(&edge.from)
    };
    edges.iter().filter(|(_, edge)| on_cycle(edge)).map(|(id, _)| *id).collect()
}

/// Every location inside a `d_step`.
pub(super) fn inside_deterministic(kind: &Proctype) -> BTreeSet<LocationId> {
    kind.edges.iter().flat_map(|edge| inside(kind, edge)).collect()
}

/// The locations inside the `d_step` that an edge is, if it is one.
pub(super) fn inside(kind: &Proctype, edge: &Edge) -> BTreeSet<LocationId> {
    let Action::Deterministic { start, end } = edge.action else { return BTreeSet::new() };
    reach([start], |at| kind.edges_from(at).map(|(_, edge)| edge.to).filter(move |to| *to != end))
}
