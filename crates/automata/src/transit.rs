//! Transit-state suppression: a state whose only action is `skip` merely
//! connects two others, so whatever leads to it leads on to the next one. The
//! paper's loop (Holzmann 1987, section 4) does not end on a cycle of skips; ours keeps
//! one state of such a cycle.

use crate::{Action, Edge, EdgeId, Machine, State, StateId};
use base::{Id, IdVec, Name, Span, define_id};
use std::collections::VecDeque;

define_id!(
    /// A state while a machine is being built.
    NodeId, "n"
);

/// A machine before suppression and numbering.
pub(crate) struct Draft {
    pub(crate) name: Name,
    pub(crate) span: Span,
    pub(crate) nodes: IdVec<NodeId, Node>,
    pub(crate) start: NodeId,
    pub(crate) end: NodeId,
    /// Whether a statement with a label is a state in any case.
    pub(crate) keeps_labels: bool,
}

/// A state of a draft.
#[derive(Default)]
pub(crate) struct Node {
    pub(crate) span: Option<Span>,
    pub(crate) labels: Vec<Name>,
    pub(crate) labelled: bool,
    pub(crate) resting: bool,
    pub(crate) edges: Vec<NodeEdge>,
}

/// An edge of a draft.
#[derive(Clone)]
pub(crate) struct NodeEdge {
    pub(crate) action: Action,
    pub(crate) to: NodeId,
    pub(crate) span: Span,
}

/// Redirects every edge past transit states, drops what cannot be reached and
/// numbers the rest breadth first, the end last.
pub(crate) fn suppress(mut draft: Draft) -> Machine {
    let destination = destinations(&draft);
    move_labels(&mut draft.nodes, &destination);
    for node in draft.nodes.iter_mut() {
        for edge in &mut node.edges {
            edge.to = destination[edge.to];
        }
    }
    draft.start = destination[draft.start];
    number(draft)
}

fn transit(draft: &Draft, node: NodeId) -> Option<NodeId> {
    let Node { edges, labels, .. } = &draft.nodes[node];
    match edges.as_slice() {
        _ if draft.keeps_labels && !labels.is_empty() => None,
        [NodeEdge { action: Action::Skip, to, .. }] => Some(*to),
        _ => None,
    }
}

/// Where each node leads once transit states are passed over.
fn destinations(draft: &Draft) -> IdVec<NodeId, NodeId> {
    let nodes = &draft.nodes;
    let mut known: IdVec<NodeId, Option<NodeId>> = nodes.iter().map(|_| None).collect();
    let mut walk_of: IdVec<NodeId, Option<NodeId>> = nodes.iter().map(|_| None).collect();
    for node in nodes.ids() {
        let mut path = Vec::new();
        let mut at = node;
        let found = loop {
            if let Some(found) = known[at] {
                break found;
            }
            match transit(draft, at) {
                None => break at,
                // INVARIANT: a cycle of skips keeps the state it was entered by,
                // which from then on is known to all its other states.
                Some(_) if walk_of[at] == Some(node) => break at,
                Some(next) => {
                    walk_of[at] = Some(node);
                    path.push(at);
                    at = next;
                }
            }
        };
        path.push(found);
        for passed in path {
            known[passed] = Some(found);
        }
    }
    known.iter().map(|found| found.expect("the loop above settles every node")).collect()
}

/// A loop that started at a suppressed state starts at its destination (Holzmann 1987, section 5).
fn move_labels(nodes: &mut IdVec<NodeId, Node>, destination: &IdVec<NodeId, NodeId>) {
    for node in nodes.ids() {
        let to = destination[node];
        if to != node && nodes[node].labelled {
            nodes[to].labelled = true;
        }
        if to != node && nodes[to].labels.is_empty() {
            nodes[to].labels = nodes[node].labels.clone();
        }
    }
}

fn number(draft: Draft) -> Machine {
    let order = breadth_first(&draft);
    let mut number: IdVec<NodeId, Option<StateId>> = draft.nodes.iter().map(|_| None).collect();
    for (position, node) in order.iter().enumerate() {
        number[*node] = Some(StateId::new(position));
    }
    let state = |node: NodeId| number[node].expect("every edge leads to a numbered node");
    let mut machine = Machine {
        start: state(draft.start),
        end: state(draft.end),
        name: draft.name,
        span: draft.span,
        states: IdVec::new(),
        edges: IdVec::new(),
    };
    for node in order {
        let from = state(node);
        let node = &draft.nodes[node];
        let edges_start = machine.edges.len() as u32;
        for edge in &node.edges {
            let own = EdgeId::new(machine.edges.len());
            machine.edges.push(Edge {
                from,
                to: state(edge.to),
                action: edge.action.clone(),
                span: edge.span,
                originals: vec![own],
            });
        }
        machine.states.push(State {
            span: node.span,
            labels: node.labels.clone(),
            labelled: node.labelled,
            resting: node.resting,
            members: vec![from],
            edges_start,
            edges_end: machine.edges.len() as u32,
        });
    }
    machine
}

fn breadth_first(draft: &Draft) -> Vec<NodeId> {
    let mut seen: IdVec<NodeId, bool> = draft.nodes.iter().map(|_| false).collect();
    seen[draft.start] = true;
    seen[draft.end] = true;
    let mut order = Vec::new();
    let mut waiting = VecDeque::from([draft.start]);
    while let Some(node) = waiting.pop_front() {
        if node != draft.end {
            order.push(node);
        }
        for edge in &draft.nodes[node].edges {
            if !std::mem::replace(&mut seen[edge.to], true) {
                waiting.push_back(edge.to);
            }
        }
    }
    order.push(draft.end);
    order
}
