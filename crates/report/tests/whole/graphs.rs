//! Machines to test with.

use report::{Graph, GraphEdge, GraphNode, Machine};
use trace::EventKind;

pub(super) fn node(id: &str, at: u32) -> GraphNode {
    GraphNode {
        id: id.into(),
        line: at,
        lines: Vec::new(),
        label: None,
        start: false,
        end: id == "end",
        labelled: false,
        unreachable: false,
    }
}

pub(super) fn edge(from: &str, action: &str, to: &str, at: u32) -> GraphEdge {
    let kind = match action {
        _ if action.contains("timeout") => EventKind::Tau,
        _ if action.contains('!') => EventKind::Send,
        _ if action.contains('?') => EventKind::Receive,
        _ => EventKind::Internal,
    };
    GraphEdge {
        from: from.into(),
        to: to.into(),
        action: action.into(),
        kind,
        file: None,
        line: at,
        executed: None,
    }
}

pub(super) fn machine(name: &str, assertion: bool, line: u32) -> Machine {
    let graph = Graph { nodes: vec![node("s1", line), node("end", 0)], edges: Vec::new() };
    Machine { name: name.into(), states_raw: 9, states: 9, assertion, line, graph }
}

/// The sender of the alternating bit protocol.
pub(super) fn sender() -> Machine {
    let mut nodes =
        vec![node("s1", 5), node("s2", 7), node("s3", 11), node("s4", 13), node("end", 0)];
    nodes[0].start = true;
    nodes[0].lines = vec![5, 9];
    nodes[1].lines = vec![7, 8, 9];
    nodes[4].unreachable = true;
    let mut edges = vec![
        edge("s1", "link!msg1", "s2", 5),
        edge("s2", "sender?ack1", "s3", 7),
        edge("s2", "sender?ack0", "s2", 8),
        edge("s2", "sender?timeout", "s1", 9),
        edge("s3", "link!msg0", "s4", 11),
        edge("s4", "sender?ack0", "s1", 13),
        edge("s4", "sender?ack1", "s4", 14),
        edge("s4", "sender?timeout", "s3", 15),
    ];
    edges[2].executed = Some(false);
    edges[6].executed = Some(false);
    let graph = Graph { nodes, edges };
    Machine { name: "sender".into(), states_raw: 7, states: 5, assertion: false, line: 3, graph }
}

/// A machine of `size` states in a ring with chords.
pub(super) fn ring(size: usize) -> Machine {
    let id = |n: usize| format!("s{}", n % size + 1);
    let nodes = (0..size).map(|n| node(&id(n), n as u32 + 3)).collect();
    let edges = (0..size).flat_map(|n| {
        [
            edge(&id(n), &format!("channel!message{n}"), &id(n + 1), n as u32 + 3),
            edge(&id(n), &format!("channel?reply{n}"), &id(n * 3 + 2), n as u32 + 4),
        ]
    });
    let graph = Graph { nodes, edges: edges.collect() };
    Machine {
        name: "ring".into(),
        states_raw: size,
        states: size,
        assertion: false,
        line: 1,
        graph,
    }
}
