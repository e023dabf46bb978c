//! Machines and channels as the report shows them.

use automata::{Action, Machine, MachineId, Network, StateId};
use base::{Id, SourceMap};
use model::ChannelId;
use report::{Channel, Graph, GraphEdge, GraphNode};
use trace::EventKind;

/// The graph of a machine. `lines_of` gives the un-minimised machine its states
/// stand for; `executed` says which edges a search fired, if that is known.
pub(crate) fn graph(
    network: &Network,
    machine: &Machine,
    raw: &Machine,
    sources: &SourceMap,
    executed: Option<&dyn Fn(usize) -> bool>,
) -> Graph {
    let reachable = machine.reachable();
    let nodes = machine.states.iter_ids().map(|(id, state)| {
        let lines = member_lines(raw, &state.members, sources);
        GraphNode {
            id: machine.node(id),
            line: lines.first().copied().unwrap_or(0),
            lines,
            label: state.label.as_ref().map(ToString::to_string),
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
        line: sources.line(edge.span),
        executed: executed.map(|executed| executed(id.index())),
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

/// All channels with their sorts.
pub(crate) fn channels(network: &Network) -> Vec<Channel> {
    let names = |ids: Vec<MachineId>| {
        ids.into_iter().map(|id| network.machines[id].name.to_string()).collect()
    };
    network
        .channels
        .iter_ids()
        .map(|(id, channel)| Channel {
            name: channel.name.to_string(),
            capacity: channel.capacity,
            sort: network.sort(id).iter().map(|m| network.messages[*m].to_string()).collect(),
            readers: names(network.readers(id)),
            writers: names(network.writers(id)),
            contents_max: contents_max(network, id),
        })
        .collect()
}

/// The sum of |S|^i for i up to the capacity (Holzmann 1987, section 4), as far as 128 bits go.
fn contents_max(network: &Network, channel: ChannelId) -> String {
    let size = network.sort(channel).len() as u128;
    let mut sum: u128 = 1;
    let mut power: u128 = 1;
    for _ in 0..network.channels[channel].capacity {
        let next = power.checked_mul(size).and_then(|next| Some((next, sum.checked_add(next)?)));
        match next {
            Some((next, total)) => (power, sum) = (next, total),
            None => return "more than 10^38".to_owned(),
        }
    }
    sum.to_string()
}
