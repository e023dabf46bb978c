//! Proctypes as machines of a report.

use base::{Id, SourceMap};
use program::{Action, LocationId, LocationMarks, Proctype, ProctypeId, Program};
use report::{Graph, GraphEdge, GraphNode, Machine};
use std::collections::BTreeSet;
use trace::{EventKind, program_statement};

/// Every proctype, claims and traces included.
pub(super) fn machines(program: &Program, sources: &SourceMap) -> Vec<Machine> {
    let watching = watching(program);
    program
        .proctypes
        .iter_ids()
        .map(|(id, proctype)| {
            let graph = graph(proctype, sources);
            Machine {
                name: proctype.name.to_string(),
                states_raw: graph.nodes.len(),
                states: graph.nodes.len(),
                assertion: watching.contains(&id),
                line: sources.line(proctype.span),
                graph,
            }
        })
        .collect()
}

/// Whether some process has a location with such a mark.
pub(super) fn has_labels(program: &Program, mark: impl Fn(&LocationMarks) -> bool) -> bool {
    let watching = watching(program);
    let acting = program.proctypes.iter_ids().filter(|(id, _)| !watching.contains(id));
    let mut locations = acting.flat_map(|(_, proctype)| &proctype.locations);
    locations.any(|location| mark(&location.marks))
}

/// The proctypes that only watch: never claims and event traces.
pub(super) fn watching(program: &Program) -> BTreeSet<ProctypeId> {
    let claims = program.claims.iter().filter_map(|claim| match claim.kind {
        program::ClaimKind::Never(id) => Some(id),
        program::ClaimKind::Ltl(_) => None,
    });
    claims.chain(program.trace.as_ref().map(|trace| trace.automaton)).collect()
}

fn graph(proctype: &Proctype, sources: &SourceMap) -> Graph {
    let reachable = proctype.reachable();
    let shown = |id: &LocationId| reachable.contains(id);
    let nodes =
        proctype.locations.iter_ids().filter(|(id, _)| shown(id)).map(|(id, location)| GraphNode {
            id: node(id),
            line: location.span.map_or(0, |span| sources.line(span)),
            lines: Vec::new(),
            label: location.labels.first().map(ToString::to_string),
            start: id == proctype.start,
            end: id == proctype.end || location.marks.end,
            labelled: !location.labels.is_empty(),
            unreachable: false,
        });
    let edges = proctype.locations.ids().filter(shown).flat_map(|id| {
        proctype.edges_from(id).map(|(_, edge)| GraphEdge {
            from: node(edge.from),
            to: node(edge.to),
            action: program_statement(edge, sources),
            kind: kind(&edge.action),
            line: sources.line(edge.span),
            executed: None,
        })
    });
    Graph { nodes: nodes.collect(), edges: edges.collect() }
}

fn node(id: LocationId) -> String {
    format!("l{}", id.index())
}

fn kind(action: &Action) -> EventKind {
    match action {
        Action::Send { .. } => EventKind::Send,
        Action::Receive { .. } => EventKind::Receive,
        _ => EventKind::Internal,
    }
}
