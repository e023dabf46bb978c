//! Formulas and automata as text, for people and for DOT.

use crate::Formula;
use crate::automaton::{Automaton, Edge};
use crate::cube::Cube;
use std::fmt::Write;

/// How tightly a text holds together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Needs no parentheses anywhere.
    Closed,
    /// A binary operator is outermost.
    Open(&'static str),
}

impl Formula {
    /// The formula with the operators of PROMELA. Parentheses are around each binary operand
    /// of another operator, so nothing depends on how operators bind.
    pub fn display(&self, atoms: &dyn Fn(u32) -> String) -> String {
        use Formula::*;
        let (text, _) = self.fold(|formula, operands: &[(String, Shape)]| match formula {
            True => ("true".into(), Shape::Closed),
            False => ("false".into(), Shape::Closed),
            Atom(atom) => (atom_text(&atoms(*atom)), Shape::Closed),
            Not(_) => prefix("!", operands),
            Next(_) => prefix("X ", operands),
            Eventually(_) => prefix("<>", operands),
            Always(_) => prefix("[]", operands),
            And(..) => infix("&&", operands),
            Or(..) => infix("||", operands),
            Implies(..) => infix("->", operands),
            Equivalent(..) => infix("<->", operands),
            Until(..) => infix("U", operands),
            WeakUntil(..) => infix("W", operands),
            Release(..) => infix("V", operands),
        });
        text
    }
}

/// A predicate with an operator of its own, as `x == 1`, in parentheses.
fn atom_text(name: &str) -> String {
    let plain = |it: char| it.is_alphanumeric() || "_.[]@:?".contains(it);
    if name.chars().all(plain) { name.to_owned() } else { format!("({name})") }
}

fn closed((text, shape): &(String, Shape)) -> String {
    if *shape == Shape::Closed { text.clone() } else { format!("({text})") }
}

fn prefix(sign: &str, operands: &[(String, Shape)]) -> (String, Shape) {
    (format!("{sign}{}", closed(&operands[0])), Shape::Closed)
}

/// A chain of `&&` or `||` needs no parentheses on the left.
fn infix(sign: &'static str, operands: &[(String, Shape)]) -> (String, Shape) {
    let chain = operands[0].1 == Shape::Open(sign) && matches!(sign, "&&" | "||");
    let left = if chain { operands[0].0.clone() } else { closed(&operands[0]) };
    (format!("{left} {sign} {}", closed(&operands[1])), Shape::Open(sign))
}

impl Cube {
    /// The literals, joined by `&&`.
    pub fn display(self, atoms: &dyn Fn(u32) -> String) -> String {
        let used = (0..64).filter(|atom| self.atoms() >> atom & 1 == 1);
        let literals: Vec<String> = used
            .map(|atom| {
                let sign = if self.negative >> atom & 1 == 1 { "!" } else { "" };
                format!("{sign}{}", atom_text(&atoms(atom)))
            })
            .collect();
        if literals.is_empty() { "true".to_owned() } else { literals.join(" && ") }
    }
}

impl Automaton {
    /// A table with a line for each edge: from, label, to, acceptance sets in braces.
    pub fn table(&self, atoms: &dyn Fn(u32) -> String) -> String {
        let mut text = format!(
            "{} states, {} edges, {} acceptance sets, starts in {}\n",
            self.states.len(),
            self.edge_count(),
            self.sets,
            self.initial
        );
        for (from, state) in self.states.iter().enumerate() {
            for edge in &state.edges {
                let label = edge.label.display(atoms);
                let _ = writeln!(text, "{from} -> {}  {label}{}", edge.target, marks(edge));
            }
        }
        text
    }

    /// The automaton as a DOT graph.
    pub fn dot(&self, atoms: &dyn Fn(u32) -> String) -> String {
        let mut text = String::from("digraph automaton {\n  rankdir=LR;\n  start [shape=point];\n");
        let _ = writeln!(text, "  start -> {};", self.initial);
        for (from, state) in self.states.iter().enumerate() {
            let _ = writeln!(text, "  {from} [shape=circle];");
            for edge in &state.edges {
                let label = format!("{}{}", edge.label.display(atoms), marks(edge));
                let label = label.replace('\\', "\\\\").replace('"', "\\\"");
                let _ = writeln!(text, "  {from} -> {} [label=\"{label}\"];", edge.target);
            }
        }
        text + "}\n"
    }
}

/// The acceptance sets of an edge, if it has any.
fn marks(edge: &Edge) -> String {
    let sets = (0..64).filter(|set| edge.marks >> set & 1 == 1);
    let sets: Vec<String> = sets.map(|set| set.to_string()).collect();
    if sets.is_empty() { String::new() } else { format!("  {{{}}}", sets.join(",")) }
}
