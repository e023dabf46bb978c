//! The state graph of a small model, or of a part of a larger one: its states and the steps
//! between them, breadth first, by the reference interpreter; and the quotient of it by one part,
//! in which all states with the same value of that part are one node.
//!
//! It is made to be looked at, so a few hundred nodes are many and the speed of a search is not
//! needed. The reference interpreter says which states are the same ([`trace::Run::identity`]),
//! goes back and forth between them, and has the words for every step.

use indexmap::IndexMap;
use std::collections::HashSet;
use trace::{Lasts, Run, Snapshot};

/// A graph of states.
#[derive(Clone, PartialEq, Debug)]
pub struct StateGraph {
    /// The states in the order of their distance from the first one.
    pub nodes: Vec<StateNode>,
    /// The steps in the order of the states they leave.
    pub edges: Vec<StateEdge>,
    /// Whether it has every state that can be reached from the first one.
    pub is_whole: bool,
}

/// A state.
#[derive(Clone, PartialEq, Debug)]
pub struct StateNode {
    /// The state before it on a shortest way, and the number of the choice there.
    pub before: Option<(usize, u32)>,
    /// What it is called.
    pub name: String,
    /// Nothing can move.
    pub is_end: bool,
    /// What is wrong there, in one sentence.
    pub problem: Option<String>,
    /// Where its steps lead was not looked at.
    pub is_open: bool,
}

/// A step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateEdge {
    /// The state it leaves.
    pub from: usize,
    /// The state it leads to.
    pub to: usize,
    /// The process that moves.
    pub process: String,
    /// The statement.
    pub action: String,
}

impl StateGraph {
    /// The choices that lead to a node from the first state.
    pub fn path(&self, node: usize) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = node;
        while let Some((before, choice)) = self.nodes[at].before {
            path.push(choice);
            at = before;
        }
        path.reverse();
        path
    }
}

/// The states that can be reached from the one where `run` is, at most so many, as long as there
/// is time; `name` says what a state is called. The run is where it was when this is done.
pub fn state_graph(
    run: &mut dyn Run,
    most: usize,
    name: &dyn Fn(&dyn Run) -> String,
    lasts: Lasts<'_>,
) -> StateGraph {
    let mut graph = StateGraph { nodes: Vec::new(), edges: Vec::new(), is_whole: true };
    let mut known: IndexMap<String, ()> = IndexMap::new();
    let mut here = Here { run, path: Vec::new() };
    known.insert(here.run.identity(), ());
    graph.nodes.push(looked_at(here.run, None, name));
    let mut next = 0;
    while next < graph.nodes.len() {
        if !lasts() {
            break;
        }
        here.go(&graph.path(next));
        let choices = here.run.choices();
        // A state is drawn with all of its steps, or as one that was not looked at.
        let room = most.saturating_sub(graph.nodes.len());
        let mut fresh = Vec::new();
        let mut edges = Vec::new();
        for (number, choice) in choices.into_iter().enumerate() {
            here.run.take(number);
            let (to, is_new) = known.insert_full(here.run.identity(), ());
            if is_new.is_none() {
                fresh.push(looked_at(here.run, Some((next, number as u32)), name));
            }
            here.run.back();
            edges.push(StateEdge {
                from: next,
                to,
                process: choice.process,
                action: choice.action,
            });
        }
        if fresh.len() > room {
            known.truncate(graph.nodes.len());
            break;
        }
        graph.nodes[next].is_open = false;
        graph.nodes.extend(fresh);
        graph.edges.extend(edges);
        next += 1;
    }
    graph.is_whole = next == graph.nodes.len();
    here.go(&[]);
    graph
}

fn looked_at(
    run: &dyn Run,
    before: Option<(usize, u32)>,
    name: &dyn Fn(&dyn Run) -> String,
) -> StateNode {
    let is_end = run.choices().is_empty();
    let problem = if is_end { run.problem() } else { None };
    StateNode { before, name: name(run), is_end, problem, is_open: true }
}

/// A run, and where it is behind the state it began at.
struct Here<'r> {
    run: &'r mut dyn Run,
    path: Vec<u32>,
}

impl Here<'_> {
    /// Goes back as far as both ways are the same, and on from there.
    fn go(&mut self, path: &[u32]) {
        let shared = self.path.iter().zip(path).take_while(|(old, new)| old == new).count();
        for _ in shared..self.path.len() {
            self.run.back();
        }
        for choice in &path[shared..] {
            self.run.take(*choice as usize);
        }
        self.path = path.to_vec();
    }
}

/// A part of a state by which a graph can be folded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatePart {
    /// Where a process stands.
    Process(String),
    /// The value of a variable.
    Variable(String),
    /// What is in a channel.
    Channel(String),
}

impl StatePart {
    /// The parts of a state by name, `process P` and so on.
    pub fn all(snapshot: &Snapshot) -> Vec<String> {
        let processes = snapshot.at.keys().map(|name| format!("process {name}"));
        let variables = snapshot.vars.keys().map(|name| format!("variable {name}"));
        let channels = snapshot.queues.keys().map(|name| format!("channel {name}"));
        processes.chain(variables).chain(channels).collect()
    }

    /// The part with such a name.
    pub fn named(text: &str) -> Option<Self> {
        let (kind, name) = text.split_once(' ')?;
        let name = name.to_owned();
        match kind {
            "process" => Some(Self::Process(name)),
            "variable" => Some(Self::Variable(name)),
            "channel" => Some(Self::Channel(name)),
            _ => None,
        }
    }

    /// Its value in the state where a run is.
    pub fn value(&self, run: &dyn Run) -> String {
        let gone = || "not there".to_owned();
        match self {
            Self::Process(name) => {
                let lines = run.lines();
                let line = lines.iter().find(|(process, _)| process == name);
                let node = run.snapshot().at.get(name).cloned();
                match (line, node) {
                    (Some((_, Some(line))), Some(node)) => format!("line {line} ({node})"),
                    (_, Some(node)) => node,
                    (_, None) => gone(),
                }
            }
            Self::Variable(name) => run.snapshot().value(name).unwrap_or_else(gone),
            Self::Channel(name) => match run.snapshot().queues.get(name) {
                None => gone(),
                Some(queue) if queue.is_empty() => "(empty)".to_owned(),
                Some(queue) => queue.join(", "),
            },
        }
    }
}

/// The quotient of a graph: nodes of one name are one, which stands for the nearest of them.
/// Of the steps that keep the name only those stay whose process `keeps` has.
pub fn quotient(graph: &StateGraph, keeps: &dyn Fn(&str) -> bool) -> (Vec<Class>, Vec<StateEdge>) {
    let mut classes: IndexMap<&str, Class> = IndexMap::new();
    let mut class_of = Vec::with_capacity(graph.nodes.len());
    for (number, node) in graph.nodes.iter().enumerate() {
        let entry = classes.entry(&node.name);
        class_of.push(entry.index());
        let class = entry.or_insert_with(|| Class { nearest: number, ..Class::default() });
        class.states += 1;
        class.has_problem |= node.problem.is_some();
        class.has_end |= node.is_end && node.problem.is_none();
        class.is_open |= node.is_open;
    }
    let mut known = HashSet::new();
    let mut edges = Vec::new();
    for edge in &graph.edges {
        let (from, to) = (class_of[edge.from], class_of[edge.to]);
        if from == to && !keeps(&edge.process) {
            continue;
        }
        let edge = StateEdge { from, to, ..edge.clone() };
        if known.insert((from, to, edge.process.clone(), edge.action.clone())) {
            edges.push(edge);
        }
    }
    (classes.into_values().collect(), edges)
}

/// A node of a quotient.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Class {
    /// The nearest of its states.
    pub nearest: usize,
    /// How many states it has, of those that were looked at.
    pub states: usize,
    /// In some of them something is wrong.
    pub has_problem: bool,
    /// Some of them are proper ends.
    pub has_end: bool,
    /// The steps of some of them were not looked at.
    pub is_open: bool,
}
