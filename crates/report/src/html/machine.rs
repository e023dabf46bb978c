//! Machines for the page: where a process can be, in words, where it can go, and a picture.

use crate::machine_svg::{Drawing, drawing};
use crate::{GraphNode, Machine, words};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use trace::Event;

/// A machine.
#[derive(Clone, Debug, Serialize)]
pub(super) struct MachineView {
    name: String,
    /// Its size, and why there is no picture if there is none.
    about: String,
    nodes: Vec<NodeView>,
    edges: Vec<EdgeView>,
    drawing: Option<Drawing>,
}

/// A state of it.
#[derive(Clone, Debug, Serialize)]
struct NodeView {
    id: String,
    /// `line 22`, `wait, line 12`, `end`.
    place: String,
}

/// A statement.
#[derive(Clone, Debug, Serialize)]
struct EdgeView {
    from: String,
    to: String,
    action: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: u32,
    /// Whether the search executed it, in words; empty if that is not known.
    #[serde(skip_serializing_if = "str::is_empty")]
    executed: &'static str,
}

impl MachineView {
    /// `complete` says whether what was not executed never is.
    pub(super) fn new(machine: &Machine, complete: bool) -> Self {
        let (drawing, why) = match drawing(machine) {
            Ok(drawing) => (Some(drawing), None),
            Err(why) => (None, Some(why)),
        };
        let edges = machine.graph.edges.iter().map(|edge| EdgeView {
            from: edge.from.clone(),
            to: edge.to.clone(),
            action: edge.action.clone(),
            file: edge.file.clone(),
            line: edge.line,
            executed: match edge.executed {
                None => "",
                Some(true) => "yes",
                Some(false) if complete => "never",
                Some(false) => "not in the part searched",
            },
        });
        let nodes = &machine.graph.nodes;
        Self {
            name: machine.name.clone(),
            about: why.unwrap_or_else(|| size(machine)),
            nodes: nodes
                .iter()
                .map(|node| NodeView { id: node.id.clone(), place: place(node) })
                .collect(),
            edges: edges.collect(),
            drawing,
        }
    }
}

fn size(machine: &Machine) -> String {
    let states = words::count(machine.graph.nodes.len() as u64, "state");
    let edges = words::count(machine.graph.edges.len() as u64, "edge");
    let searched = match machine.states == machine.states_raw {
        true => String::new(),
        false => format!("; {} when minimised", words::count(machine.states as u64, "state")),
    };
    format!("{states}, {edges}{searched}")
}

fn place(node: &GraphNode) -> String {
    match (&node.label, node.line) {
        (Some(label), 0) => label.clone(),
        (Some(label), line) => format!("{label}, line {line}"),
        (None, 0) if node.end => "end".to_owned(),
        (None, 0) => node.id.clone(),
        (None, line) => format!("line {line}"),
    }
}

/// The ends of the edges of a machine.
type Edges<'a> = HashSet<(&'a str, &'a str)>;

/// The machines of a model, to find that of a process.
pub(super) struct Graphs<'a> {
    machines: HashMap<&'a str, (usize, Edges<'a>)>,
}

impl<'a> Graphs<'a> {
    pub(super) fn new(machines: &'a [Machine]) -> Self {
        let edges = |machine: &'a Machine| {
            let edges = machine.graph.edges.iter();
            edges.map(|edge| (edge.from.as_str(), edge.to.as_str())).collect()
        };
        let entry = |(index, machine): (usize, &'a Machine)| {
            (machine.name.as_str(), (index, edges(machine)))
        };
        Self { machines: machines.iter().enumerate().map(entry).collect() }
    }

    /// The machine of a process: the one of its name, where `Peer:0` is a `Peer`. A process that
    /// has another statement has none: its number was used again for another kind of process.
    pub(super) fn machine_of(&self, process: &str, trace: &[Event]) -> Option<usize> {
        let kind = process.rsplit_once(':').map_or(process, |(kind, _)| kind);
        let (index, edges) = self.machines.get(process).or_else(|| self.machines.get(kind))?;
        let mut steps = trace.iter().filter(|event| event.process == process);
        let fits = steps.all(|event| {
            event.violates || edges.contains(&(event.from.as_str(), event.to.as_str()))
        });
        fits.then_some(*index)
    }
}
