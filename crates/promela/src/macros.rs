//! Statements that one use of a macro spells together. What is written there is the same for
//! all of them, so each is called by words of its own.

use crate::Listing;
use base::{Id, SourceMap, Span};
use program::{EdgeId, Program, Wording};
use std::collections::{HashMap, HashSet};

/// Words the statements of macros that stand for several.
pub(crate) fn tell_apart(program: &mut Program, listing: &Listing, sources: &SourceMap) {
    for (proctype, id) in program.proctypes.iter_mut().zip((0..).map(Id::new)) {
        let words = |edge| listing.statement(id, edge).map(|statement| statement.text.as_str());
        let written: Vec<(EdgeId, Written<'_>)> = (0..)
            .map(Id::new)
            .zip(proctype.edges.iter())
            .filter(|(_, edge)| edge.wording == Wording::Written)
            .filter_map(|(id, edge)| {
                let (place, own) = (sources.statement(edge.span), edge.span);
                Some((id, Written { place, own, words: words(id)? }))
            })
            .collect();
        let shared = shared(written.iter().map(|(_, written)| *written));
        for (id, written) in written {
            if shared.contains(&written.place) {
                proctype.edges[id].wording = Wording::Made(plain(written.words).into());
            }
        }
    }
}

/// A statement, where it is written.
#[derive(Clone, Copy)]
struct Written<'a> {
    /// As the user sees it: the use of a macro.
    place: Span,
    /// As far as the statement itself is known to reach.
    own: Span,
    /// SPIN's words.
    words: &'a str,
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

/// The places that several statements of a proctype are written at. If they begin with an argument
/// of the macro, as `s > 0 -> s--` does, nothing but their words tells them apart.
fn shared<'a>(statements: impl Iterator<Item = Written<'a>>) -> HashSet<Span> {
    let mut first: HashMap<Span, (Span, &str)> = HashMap::new();
    statements
        .filter(|it| *first.entry(it.place).or_insert((it.own, it.words)) != (it.own, it.words))
        .map(|it| it.place)
        .collect()
}
