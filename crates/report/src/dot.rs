//! Machines as Graphviz text.

use crate::style::safe;
use crate::{GraphEdge, GraphNode, Machine};
use std::fmt::Write;
use trace::EventKind;

/// One or more machines as a Graphviz graph; several stand side by side.
pub fn dot(machines: &[Machine]) -> String {
    let mut out = String::from("digraph argos {\n");
    out.push_str("  graph [fontname=\"Helvetica\", labeljust=l];\n");
    out.push_str("  node [fontname=\"Helvetica\", fontsize=11, shape=box, style=rounded];\n");
    out.push_str("  edge [fontname=\"Courier\", fontsize=10];\n");
    for (number, machine) in machines.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{number} {{");
        let _ = writeln!(out, "    label={}; color=\"#c9d0d8\";", quote(&machine.name));
        let nodes = &machine.graph.nodes;
        let marked = nodes.iter().any(|node| node.start);
        for (index, node) in nodes.iter().enumerate() {
            let start = node.start || (!marked && index == 0);
            out.push_str(&node_text(number, index, start, node));
        }
        for edge in &machine.graph.edges {
            out.push_str(&edge_text(number, machine, edge));
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

fn node_text(number: usize, index: usize, start: bool, node: &GraphNode) -> String {
    let mut label = node.id.clone();
    if let Some(name) = &node.label {
        label += &format!(" {name}");
    }
    if node.line > 0 {
        label += &format!("\nline {}", node.line);
    }
    let mut look = String::new();
    if start {
        look += ", penwidth=2";
    }
    if node.end {
        look += ", peripheries=2";
    }
    if node.unreachable {
        look += ", style=\"rounded,dashed\"";
    }
    format!("    m{number}n{index} [label={}{look}];\n", quote(&label))
}

/// Nothing for an edge between nodes that are not there.
fn edge_text(number: usize, machine: &Machine, edge: &GraphEdge) -> String {
    let index = |id: &str| machine.graph.nodes.iter().position(|node| node.id == id);
    let (Some(from), Some(to)) = (index(&edge.from), index(&edge.to)) else {
        return String::new();
    };
    let style = match edge.kind {
        _ if edge.executed == Some(false) => ", style=dotted",
        EventKind::Tau => ", style=dashed",
        _ => "",
    };
    let label = quote(&edge.action);
    format!("    m{number}n{from} -> m{number}n{to} [label={label}{style}];\n")
}

/// A quoted Graphviz string; line breaks are kept, everything else is safe.
fn quote(text: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| safe(line).replace('\\', "\\\\").replace('"', "\\\""))
        .collect();
    format!("\"{}\"", lines.join("\\n"))
}
