//! Proctypes as machines of a report, channels as its channels.

use super::names::Names;
use base::{Id, SourceMap};
use program::reference::{self, Channel, Rules, State};
use program::{Action, Edge, LocationId, Proctype, Program};
use report::{Graph, GraphEdge, GraphNode, Machine};
use std::collections::BTreeSet;
use trace::EventKind;

/// Every proctype, claims and traces included.
pub(crate) fn machines(program: &Program, sources: &SourceMap) -> Vec<Machine> {
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

/// Whether some process has labels that only a search for cycles looks at.
pub(super) fn has_cycle_labels(program: &Program) -> bool {
    let watching = watching(program);
    let acting = program.proctypes.iter_ids().filter(|(id, _)| !watching.contains(id));
    let mut locations = acting.flat_map(|(_, proctype)| &proctype.locations);
    locations.any(|location| location.marks.accept || location.marks.progress)
}

/// The proctypes that only watch: never claims and event traces.
fn watching(program: &Program) -> BTreeSet<program::ProctypeId> {
    let claims = program.claims.iter().filter_map(|claim| match claim.kind {
        program::ClaimKind::Never(id) => Some(id),
        program::ClaimKind::Ltl(_) => None,
    });
    claims.chain(program.trace.as_ref().map(|trace| trace.automaton)).collect()
}

fn graph(proctype: &Proctype, sources: &SourceMap) -> Graph {
    let reachable = reachable(proctype);
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
            action: statement(edge, sources),
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

/// The locations some path reaches; those inside a `d_step` are not among them.
pub(crate) fn reachable(proctype: &Proctype) -> BTreeSet<LocationId> {
    let mut seen = BTreeSet::from([proctype.start, proctype.end]);
    let mut waiting = vec![proctype.start];
    while let Some(id) = waiting.pop() {
        for (_, edge) in proctype.edges_from(id) {
            if seen.insert(edge.to) {
                waiting.push(edge.to);
            }
        }
    }
    seen
}

/// A statement as the user wrote it.
pub(super) fn statement(edge: &Edge, sources: &SourceMap) -> String {
    let written = sources.text(sources.statement(edge.span));
    match edge.action {
        Action::Die => "-end-".to_owned(),
        _ => written.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

fn kind(action: &Action) -> EventKind {
    match action {
        Action::Send { .. } => EventKind::Send,
        Action::Receive { .. } => EventKind::Receive,
        _ => EventKind::Internal,
    }
}

/// The channels of a state.
pub(crate) fn channels_of(program: &Program, state: &State) -> Vec<report::Channel> {
    let names = Names::new(program, std::iter::once(state));
    channels(program, &Rules::default(), &names, state)
}

/// The channels of a run, for charts. Readers are those processes alive at the
/// end that have a receive on the channel, as far as its name leads to it there.
pub(super) fn channels(
    program: &Program,
    rules: &Rules,
    names: &Names,
    last: &State,
) -> Vec<report::Channel> {
    let capacity = |channel: &Channel| channel.kind(program).capacity;
    let users = users(program, rules, last);
    let of = |index: usize, sends: bool| {
        let pids: BTreeSet<usize> =
            users.iter().filter(|u| (u.1, u.2) == (index, sends)).map(|u| u.0).collect();
        names.list(&pids)
    };
    names
        .all_channels()
        .map(|(index, name)| report::Channel {
            name: name.to_owned(),
            capacity: last.channels.get(index).map_or(0, capacity),
            sort: Vec::new(),
            readers: of(index, false),
            writers: of(index, true),
            contents_max: String::new(),
        })
        .collect()
}

/// Who uses which channel: pid, index of the channel, whether it sends.
fn users(program: &Program, rules: &Rules, state: &State) -> BTreeSet<(usize, usize, bool)> {
    let mut users = BTreeSet::new();
    for (pid, process) in state.processes.iter().enumerate() {
        for edge in &program.proctypes[process.proctype].edges {
            let (queue, sends) = match &edge.action {
                Action::Send { queue, .. } => (queue, true),
                Action::Receive { queue, .. } => (queue, false),
                _ => continue,
            };
            let number = reference::value(program, rules, state, pid, &queue.number);
            let index = number.and_then(|n| usize::try_from(n).ok()).and_then(|n| n.checked_sub(1));
            users.extend(index.map(|index| (pid, index, sends)));
        }
    }
    users
}
