//! The automaton of a formula as text, and as a machine for pictures.

use crate::look::Look;
use crate::style::{Role, Row, Screen, cut, width, wrap};
use crate::{Graph, GraphEdge, GraphNode, Machine, words};
use trace::EventKind;

/// The automaton by which a property of infinite runs is decided: it accepts the runs that
/// violate the property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Automaton {
    /// The name of the property.
    pub name: String,
    /// The formula as it was read; none for a never claim.
    pub formula: Option<String>,
    /// Its class, and what that means for a search.
    pub class: [String; 2],
    /// How many acceptance sets it has.
    pub sets: u32,
    /// How many states it has.
    pub states: usize,
    /// The state it starts in.
    pub initial: usize,
    /// In order of the states they leave.
    pub edges: Vec<AutomatonEdge>,
}

/// An edge of an automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutomatonEdge {
    /// The state it leaves.
    pub from: usize,
    /// What holds in the states of the model it reads.
    pub reads: String,
    /// The state it leads to.
    pub to: usize,
    /// The acceptance sets it belongs to.
    pub sets: Vec<u32>,
}

impl AutomatonEdge {
    fn sets(&self) -> String {
        let sets: Vec<String> = self.sets.iter().map(|set| (set + 1).to_string()).collect();
        if sets.is_empty() { String::new() } else { format!("{{{}}}", sets.join(",")) }
    }
}

fn state(number: usize) -> String {
    format!("s{}", number + 1)
}

/// An automaton: what it accepts, its class and size, then its edges.
pub fn automaton(automaton: &Automaton, look: &Look) -> String {
    let mut out = Screen::new();
    let room = look.palette.room();
    let head = Row::new().put(Role::Name, &automaton.name);
    out.row(match &automaton.formula {
        Some(formula) => head.plain("   ").plain(&cut(formula, room, look.palette.signs().cut)),
        None => head.plain("   never claim"),
    });
    let [class, meaning] = &automaton.class;
    let accepts = match &automaton.formula {
        Some(formula) => format!("the runs that violate it: !({formula})"),
        None => "the runs that it forbids".to_owned(),
    };
    let facts =
        [("accepts", accepts), ("class", format!("{class}: {meaning}")), ("size", size(automaton))];
    for (label, text) in facts {
        let mut label = label;
        for line in wrap(&text, room.saturating_sub(11)) {
            let row = Row::new().plain("  ").put(Role::Faint, std::mem::take(&mut label));
            out.row(row.to(11, 0).plain(&line));
        }
    }
    out.row(Row::new());
    out.extend(edges(automaton, look));
    out.render(&look.palette)
}

fn size(automaton: &Automaton) -> String {
    let states = words::count(automaton.states as u64, "state");
    let edges = words::count(automaton.edges.len() as u64, "edge");
    let sets = words::count(u64::from(automaton.sets), "acceptance set");
    format!("{states}, {edges}, {sets}")
}

/// One line for each edge, the state named once.
fn edges(automaton: &Automaton, look: &Look) -> Screen {
    let widest = automaton.edges.iter().map(|edge| width(&edge.reads)).max().unwrap_or(0);
    let reads = widest.clamp(5, look.palette.room().saturating_sub(32).max(12));
    let columns = [12, 12 + reads + 2, 12 + reads + 8];
    let mut out = Screen::new();
    let heads = ["state", "reads", "next", "sets"];
    let mut row = Row::new().plain("  ").put(Role::Faint, heads[0]);
    for (column, head) in columns.into_iter().zip(&heads[1..]) {
        row = row.to(column, 2).put(Role::Faint, head);
    }
    out.row(row);
    for number in 0..automaton.states {
        let start = if number == automaton.initial { " start" } else { "" };
        let mut row = Row::new().plain("  ").plain(&format!("{}{start}", state(number)));
        for edge in automaton.edges.iter().filter(|edge| edge.from == number) {
            let text = cut(&edge.reads, reads, look.palette.signs().cut);
            let filled = std::mem::take(&mut row).to(columns[0], 0).plain(&text);
            let filled = filled.to(columns[1], 2).plain(&state(edge.to));
            out.row(filled.to(columns[2], 2).plain(&edge.sets()));
        }
        if row.width() > 0 {
            out.row(row.to(columns[0], 0).put(Role::Faint, "-"));
        }
    }
    out
}

impl Automaton {
    /// The automaton as a machine: what it reads are the actions, with the acceptance sets
    /// behind in braces.
    pub fn machine(&self) -> Machine {
        let node = |number: usize| GraphNode {
            id: state(number),
            line: 0,
            lines: Vec::new(),
            label: None,
            start: number == self.initial,
            end: false,
            labelled: false,
            unreachable: false,
        };
        let edge = |edge: &AutomatonEdge| GraphEdge {
            from: state(edge.from),
            to: state(edge.to),
            action: format!("{} {}", edge.reads, edge.sets()).trim_end().to_owned(),
            kind: EventKind::Internal,
            file: None,
            line: 0,
            executed: None,
        };
        let name = match &self.formula {
            Some(formula) => format!("{}: !({formula})", self.name),
            None => self.name.clone(),
        };
        let nodes = (0..self.states).map(node).collect();
        let graph = Graph { nodes, edges: self.edges.iter().map(edge).collect() };
        let states = self.states;
        Machine { name, states_raw: states, states, assertion: false, line: 0, graph }
    }
}
