//! Messages of a program that are never sent or never received, by a search of everything.
//!
//! A message is known by its symbolic constant. Which channel a statement uses is known only when
//! it is executed, so all channels are taken together, and a field holds constants of a set if it
//! does so in every channel type of that many fields. What is executed with anything else in such a
//! field, a variable, may be any message of the set; so may what stands inside a `d_step`, of
//! which it is not known whether it was executed. In doubt nothing is said.

use super::view::watching;
use base::{Id, SourceMap, Span};
use program::{Action, ChannelType, Edge, Expr, MtypeId, Pattern, Program, Scalar};
use report::{Unused, UnusedKind};
use std::collections::{BTreeMap, BTreeSet};
use trace::location;

/// A symbolic constant: its set, by number, and its value.
type Symbol = (usize, i32);

/// Messages that certainly or perhaps were sent, or received.
#[derive(Default)]
struct Seen {
    certain: BTreeSet<Symbol>,
    possible: BTreeSet<Symbol>,
    /// Sets of which any message may have been.
    any: BTreeSet<usize>,
    /// Any message at all may have been.
    all: bool,
}

/// Lists them; `executed` has for each proctype which of its edges were executed.
pub(super) fn unused(
    program: &Program,
    executed: &[Vec<bool>],
    sources: &SourceMap,
) -> Vec<Unused> {
    let fields = Fields::of(program);
    let (mut sent, mut received) = (Seen::default(), Seen::default());
    let mut written: BTreeMap<Symbol, Span> = BTreeMap::new();
    let watching = watching(program);
    let acting = program.proctypes.iter_ids().zip(executed);
    for ((_, kind), executed) in acting.filter(|((id, _), _)| !watching.contains(id)) {
        let steps = kind.reachable();
        for (edge, executed) in kind.edges.iter().zip(executed) {
            let is_inside = !steps.contains(&edge.from);
            if let Action::Send { .. } = &edge.action {
                let symbols = fields.named(edge).into_iter().flatten().flatten();
                for symbol in symbols {
                    written.entry(symbol).or_insert(edge.span);
                }
            }
            let seen = match &edge.action {
                Action::Send { .. } => &mut sent,
                Action::Receive { .. } => &mut received,
                _ => continue,
            };
            if *executed || is_inside {
                seen.note(&fields, edge, *executed);
            }
        }
    }
    let entries = written.into_iter().filter_map(|(symbol, span)| {
        let name = Fields::name(program, symbol)?;
        let (kind, text) = match (sent.has(symbol), received.has(symbol)) {
            (false, _) => (UnusedKind::Send, format!("{name} is never sent")),
            (true, false) if sent.certain.contains(&symbol) => {
                (UnusedKind::Receive, format!("{name} is sent and never received"))
            }
            _ => return None,
        };
        Some(Unused { kind, name, text, location: Some(location(sources, Some(span))) })
    });
    entries.collect()
}

impl Seen {
    fn note(&mut self, fields: &Fields, edge: &Edge, is_certain: bool) {
        let Some(named) = fields.named(edge) else {
            self.all = true;
            return;
        };
        for (at, symbol) in named.into_iter().enumerate() {
            match (symbol, fields.set(edge, at)) {
                (Some(symbol), _) => {
                    self.possible.insert(symbol);
                    self.certain.extend(is_certain.then_some(symbol));
                }
                (None, Some(set)) => drop(self.any.insert(set.index())),
                (None, None) => {}
            }
        }
    }

    fn has(&self, symbol: Symbol) -> bool {
        self.all || self.any.contains(&symbol.0) || self.possible.contains(&symbol)
    }
}

/// What the fields of messages hold, by how many there are; none where channel types differ.
struct Fields {
    by_count: BTreeMap<usize, Option<Vec<Scalar>>>,
}

impl Fields {
    fn of(program: &Program) -> Self {
        let locals = program.proctypes.iter().flat_map(|kind| &kind.variables);
        let types = program.globals.iter().chain(locals).filter_map(|it| it.channel.as_ref());
        let mut by_count: BTreeMap<usize, Option<Vec<Scalar>>> = BTreeMap::new();
        for ChannelType { fields, .. } in types {
            let known = by_count.entry(fields.len()).or_insert_with(|| Some(fields.clone()));
            if known.as_ref().is_some_and(|known| known != fields) {
                *known = None;
            }
        }
        Self { by_count }
    }

    /// The fields of a send or receive, if all channels of so many agree.
    fn fields(&self, edge: &Edge) -> Option<&[Scalar]> {
        let count = match &edge.action {
            Action::Send { arguments, .. } => arguments.len(),
            Action::Receive { patterns, .. } => patterns.len(),
            _ => return None,
        };
        self.by_count.get(&count)?.as_deref()
    }

    /// The set of which a field holds constants, if it does.
    fn set(&self, edge: &Edge, at: usize) -> Option<MtypeId> {
        match self.fields(edge)?.get(at)? {
            Scalar::Mtype(set) => Some(*set),
            _ => None,
        }
    }

    /// For each field of a send or receive the constant that is named in it; nothing if it is not
    /// known what the fields hold.
    fn named(&self, edge: &Edge) -> Option<Vec<Option<Symbol>>> {
        let constants: Vec<Option<i32>> = match &edge.action {
            Action::Send { arguments, .. } => arguments.iter().map(constant).collect(),
            Action::Receive { patterns, .. } => patterns
                .iter()
                .map(|pattern| match pattern {
                    Pattern::Match(expr) => constant(expr),
                    Pattern::Store(_) | Pattern::Any => None,
                })
                .collect(),
            _ => return None,
        };
        self.fields(edge)?;
        let symbol =
            |(at, value): (usize, Option<i32>)| Some((self.set(edge, at)?.index(), value?));
        Some(constants.into_iter().enumerate().map(symbol).collect())
    }

    fn name(program: &Program, (set, value): Symbol) -> Option<String> {
        program.symbol(Scalar::Mtype(MtypeId::new(set)), value).map(ToString::to_string)
    }
}

fn constant(expr: &Expr) -> Option<i32> {
    match expr {
        Expr::Const(value) => Some(*value),
        _ => None,
    }
}
