//! Machines of a network as the report shows them.

use crate::Networks;
use crate::subject::MachineForm;
use automata::{Action, Machine, Network, StateId};
use base::{Id, SourceMap};
use report::{Graph, GraphEdge, GraphNode};
use trace::{EventKind, location};

/// Processes, then assertions.
pub(super) fn machines(
    networks: &Networks,
    form: MachineForm<'_>,
    sources: &SourceMap,
) -> Vec<report::Machine> {
    let (shown, executed) = match form {
        MachineForm::Minimised => (&networks.searched, None),
        MachineForm::Written(executed) => (&networks.raw, executed),
    };
    let of = |network: &Network| -> Vec<(Machine, bool)> {
        let processes = network.machines.iter().map(|machine| (machine.clone(), false));
        let observers = network.observers.iter().map(|o| (o.machine().clone(), true));
        processes.chain(observers).collect()
    };
    let both = of(&networks.raw).into_iter().zip(of(&networks.searched)).zip(of(shown));
    both.enumerate()
        .map(|(index, (((raw, assertion), (searched, _)), (machine, _)))| {
            let executed = executed.and_then(|executed| executed.get(index));
            report::Machine {
                name: machine.name.to_string(),
                states_raw: raw.states.len(),
                states: searched.states.len(),
                assertion,
                line: sources.line(machine.span),
                graph: graph(shown, &machine, &raw, sources, executed.map(Vec::as_slice)),
            }
        })
        .collect()
}

/// The graph of a machine. `raw` is the un-minimised machine its states
/// stand for; `executed` says which edges a search fired, if that is known.
fn graph(
    network: &Network,
    machine: &Machine,
    raw: &Machine,
    sources: &SourceMap,
    executed: Option<&[bool]>,
) -> Graph {
    let reachable = machine.reachable();
    let nodes = machine.states.iter_ids().map(|(id, state)| {
        let lines = member_lines(raw, &state.members, sources);
        GraphNode {
            id: machine.node(id),
            line: lines.first().copied().unwrap_or(0),
            lines,
            label: state.label().map(ToString::to_string),
            start: id == machine.start,
            end: id == machine.end || state.resting,
            labelled: state.labelled,
            unreachable: !reachable[id.index()],
        }
    });
    let edges = machine.edges.iter_ids().map(|(id, edge)| GraphEdge {
        from: machine.node(edge.from),
        to: machine.node(edge.to),
        action: trace::statement(network, edge, sources),
        kind: kind(&edge.action),
        file: sources.unless_main(location(sources, Some(edge.span)).file),
        line: sources.line(edge.span),
        executed: executed.map(|executed| executed[id.index()]),
    });
    Graph { nodes: nodes.collect(), edges: edges.collect() }
}

/// The lines of the statements a state can execute, or where it stands.
fn member_lines(raw: &Machine, members: &[StateId], sources: &SourceMap) -> Vec<u32> {
    let mut lines: Vec<u32> = members
        .iter()
        .flat_map(|member| {
            let own = raw.states[*member].span.into_iter();
            let edges = raw.edges_from(*member).map(|(_, edge)| edge.span);
            let mut spans: Vec<_> = edges.collect();
            if spans.is_empty() {
                spans.extend(own);
            }
            spans
        })
        .map(|span| sources.line(span))
        .collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

fn kind(action: &Action) -> EventKind {
    match action {
        Action::Skip | Action::Condition(_) | Action::Assign(..) => EventKind::Internal,
        Action::Send(..) => EventKind::Send,
        Action::Receive(..) | Action::ReceiveAny(_) => EventKind::Receive,
        Action::Timeout(_) => EventKind::Tau,
    }
}
