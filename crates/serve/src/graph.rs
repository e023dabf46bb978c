//! State graphs as pictures: all states of a small model, the nearest of a larger one, or a larger
//! part of it folded by one part of a state.

use crate::answer::Session;
use crate::wire::{Answer, GraphAnswer, GraphNodeText};
use indexmap::IndexSet;
use pipeline::{
    Class, Run, StateEdge, StateGraph, StatePart, Taken, quotient, retake, state_graph,
};
use report::{Graph, GraphEdge, GraphNode, graph_drawing};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use trace::EventKind;

/// More states than this are not drawn one by one: nobody reads such a picture.
const DRAWN_MAX: usize = 250;
/// A picture of more edges than this has their statements beside them when one points at them.
const LABELLED_MAX: usize = 40;
/// The parts by which it can be folded are those of so many states.
const PARTS_FROM: usize = 500;
/// So many states are looked at for a quotient.
const FOLDED_MAX: usize = 10_000;

/// The graph of the states ahead of the run.
pub(crate) fn answer(session: &Session<'_>, run: &mut dyn Run) -> Result<Answer, String> {
    let asked = session.asked;
    retake(run, &asked.path, session.lasts).map_err(|mismatch| mismatch.to_string())?;
    let folded = match &asked.by {
        None => None,
        Some(by) => Some(StatePart::named(by).ok_or("there is no such part of a state")?),
    };
    let most = if folded.is_some() { FOLDED_MAX } else { DRAWN_MAX };
    // Processes and their variables come and go.
    let (parts, looked) = (RefCell::new(IndexSet::new()), Cell::new(0));
    // Without a part every state is a class of its own.
    let name = |run: &dyn Run| {
        if looked.replace(looked.get() + 1) < PARTS_FROM {
            parts.borrow_mut().extend(StatePart::all(&run.snapshot()));
        }
        match &folded {
            Some(part) => part.value(run),
            None => run.identity(),
        }
    };
    let graph = state_graph(run, most, &name, session.lasts);
    // A process that comes back to where it was has moved all the same.
    let keeps = |mover: &str| match &folded {
        Some(StatePart::Process(process)) => process == mover,
        Some(_) => false,
        None => true,
    };
    let (classes, edges) = quotient(&graph, &keeps);
    let about = about(&graph, &classes, asked.by.as_deref());
    let shown = classes.len().min(DRAWN_MAX);
    let edges: Vec<StateEdge> =
        edges.into_iter().filter(|edge| edge.from < shown && edge.to < shown).collect();
    let classes = &classes[..shown];
    let nodes = texts(&graph, classes, run, folded.is_some());
    let drawing = graph_drawing(drawn(classes, &nodes, &edges));
    Ok(Answer::Graph(Box::new(GraphAnswer {
        drawing,
        edges: statements(&edges, &nodes),
        nodes,
        about,
        parts: parts.into_inner().into_iter().collect(),
        by: asked.by.clone(),
    })))
}

fn about(graph: &StateGraph, classes: &[Class], by: Option<&str>) -> String {
    let count = graph.nodes.len();
    let states = if count == 1 { "1 state".to_owned() } else { format!("{count} states") };
    let all = classes.len();
    let values = match all.checked_sub(DRAWN_MAX) {
        None | Some(0) => format!("{all} values"),
        Some(_) => format!("the first {DRAWN_MAX} of {all} values"),
    };
    let wrong = graph.nodes.iter().filter(|node| node.problem.is_some()).count();
    let wrong = match wrong {
        0 => String::new(),
        _ => format!("; in {wrong} of them something is wrong"),
    };
    let about = match (by, graph.is_whole) {
        (None, true) => format!("{states}: all that can be reached from here"),
        (None, false) => format!("the nearest {states}; there are more, so fold them by a part"),
        (Some(by), true) => {
            format!("{values} of {by} in {states}: all that can be reached from here")
        }
        (Some(by), false) => {
            format!("{values} of {by} in the nearest {states}; there are more states")
        }
    };
    about + &wrong
}

/// What is said of each node, with a way to it.
fn texts(
    graph: &StateGraph,
    classes: &[Class],
    run: &mut dyn Run,
    is_folded: bool,
) -> Vec<GraphNodeText> {
    let text = |(number, class): (usize, &Class)| {
        let node = &graph.nodes[class.nearest];
        let path = way(run, &graph.path(class.nearest));
        let states =
            if class.states == 1 { "1 state" } else { &format!("{} states", class.states) };
        let last = path.last().map_or_else(
            || "where the graph begins".to_owned(),
            |last| format!("{} steps, by {}: {}", path.len(), last.process, last.action),
        );
        let name = match is_folded {
            true => format!("{}, {states}; nearest: ", node.name),
            false => String::new(),
        };
        let wrong = node.problem.as_ref().map_or_else(String::new, |what| format!("; {what}"));
        GraphNodeText {
            id: if is_folded { node.name.clone() } else { number.to_string() },
            title: format!("{name}{last}{wrong}"),
            path,
            problem: class.has_problem,
            end: class.has_end,
            open: class.is_open,
        }
    };
    classes.iter().enumerate().map(text).collect()
}

/// The steps of a way in words; the run is where it was afterwards.
fn way(run: &mut dyn Run, choices: &[u32]) -> Vec<Taken> {
    let path: Vec<Taken> =
        choices.iter().map_while(|choice| crate::answer::words(run, *choice)).collect();
    for _ in &path {
        run.back();
    }
    path
}

/// What is drawn: states by their numbers, classes by their values.
fn drawn(classes: &[Class], nodes: &[GraphNodeText], edges: &[StateEdge]) -> Graph {
    let node = |(number, (class, text)): (usize, (&Class, &GraphNodeText))| GraphNode {
        id: text.id.clone(),
        line: 0,
        lines: Vec::new(),
        label: None,
        start: number == 0,
        end: class.has_end,
        labelled: false,
        unreachable: false,
    };
    let has_labels = edges.len() <= LABELLED_MAX;
    let edge = |edge: &StateEdge| GraphEdge {
        from: nodes[edge.from].id.clone(),
        to: nodes[edge.to].id.clone(),
        action: if has_labels { words(edge) } else { String::new() },
        kind: EventKind::Internal,
        file: None,
        line: 0,
        executed: None,
    };
    Graph {
        nodes: classes.iter().zip(nodes).enumerate().map(node).collect(),
        edges: edges.iter().map(edge).collect(),
    }
}

fn words(edge: &StateEdge) -> String {
    format!("{}: {}", edge.process, edge.action)
}

/// The statements between each pair of nodes.
fn statements(edges: &[StateEdge], nodes: &[GraphNodeText]) -> Vec<(String, String, String)> {
    let mut pairs: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    for edge in edges {
        pairs.entry((edge.from, edge.to)).or_default().push(words(edge));
    }
    let id = |node: usize| nodes[node].id.clone();
    pairs.into_iter().map(|((from, to), all)| (id(from), id(to), all.join("\n"))).collect()
}
