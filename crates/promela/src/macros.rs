//! Statements that one use of a macro spells together. What is written there is the same for
//! all of them, so each is called by words of its own.

use crate::Listing;
use base::{Id, SourceMap, Span};
use program::{Edge, Program, Wording};
use std::collections::{HashMap, HashSet};

/// Words the statements of macros that stand for several.
pub(crate) fn tell_apart(program: &mut Program, listing: &Listing, sources: &SourceMap) {
    for (proctype, id) in program.proctypes.iter_mut().zip((0..).map(Id::new)) {
        let shared = shared(proctype.edges.iter(), sources);
        for (edge, edge_id) in proctype.edges.iter_mut().zip((0..).map(Id::new)) {
            let words = listing.statement(id, edge_id).map(|statement| statement.text.as_str());
            let is_shared = shared.contains(&sources.statement(edge.span));
            if let Some(words) = words.filter(|_| is_shared && edge.wording == Wording::Written) {
                edge.wording = Wording::Made(plain(words).into());
            }
        }
    }
}

/// SPIN's words as a person would write them: it puts parentheses round every condition, and a
/// `break` is a jump to it.
fn plain(words: &str) -> &str {
    let inner = words.strip_prefix("((").and_then(|rest| rest.strip_suffix("))"));
    match inner {
        Some(inner) => &words[1..=inner.len() + 2],
        None if words.starts_with("goto :b") => "break",
        None => words,
    }
}

/// The places that several statements of a proctype are written at.
fn shared<'a>(edges: impl Iterator<Item = &'a Edge>, sources: &SourceMap) -> HashSet<Span> {
    let mut first: HashMap<Span, Span> = HashMap::new();
    let written = edges.filter(|edge| edge.wording == Wording::Written);
    let places = written.map(|edge| (sources.statement(edge.span), edge.span));
    places
        .filter(|(place, own)| *first.entry(*place).or_insert(*own) != *own)
        .map(|it| it.0)
        .collect()
}
