//! Proctypes as automata: which control locations exist decides which states
//! exist, so the front end follows SPIN's rules to the letter.

use crate::{Action, Expr, Variable, VariableId};
use base::{IdVec, Name, Span, define_id, reach};
use std::collections::BTreeSet;

define_id!(
    /// A proctype; `init`, claims and trace automata are proctypes too.
    ProctypeId, "P";
    /// A control location of one proctype.
    LocationId, "l";
    /// An edge of one proctype.
    EdgeId, "e"
);

/// A proctype.
#[derive(Clone, PartialEq, Debug)]
pub struct Proctype {
    /// Its name; `init` and claims have theirs.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// How many of the first variables are parameters.
    pub parameters: usize,
    /// Parameters, then all locals of all blocks in order of declaration.
    pub variables: IdVec<VariableId, Variable>,
    /// Where it starts.
    pub start: LocationId,
    /// Where its closing brace is: its only edge is [`Action::Die`].
    pub end: LocationId,
    /// Control locations.
    pub locations: IdVec<LocationId, Location>,
    /// Edges.
    pub edges: IdVec<EdgeId, Edge>,
    /// `provided (e)`: may move only while it holds.
    pub provided: Option<Expr>,
    /// Where that condition is written.
    pub provided_span: Option<Span>,
    /// `priority`, 1 unless given.
    pub priority: i32,
    /// `D_proctype`: two executable edges are an error.
    pub deterministic: bool,
    /// Its text has a `timeout`, if only where no edge comes from: SPIN counts that as
    /// asking.
    pub names_timeout: bool,
}

/// A control location.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Location {
    /// Edges in groups of falling priority: the escapes of the outermost `unless`
    /// first, the statement's own edges last. Only the first group with an
    /// executable edge is taken. Within a group in source order, an `else` behind
    /// the other options of its choice.
    pub groups: Vec<Vec<EdgeId>>,
    /// Labels that stand here.
    pub labels: Vec<Name>,
    /// Special labels.
    pub marks: LocationMarks,
    /// The statement that stands here.
    pub span: Option<Span>,
    /// SPIN's number for it, which `pc_value` gives.
    pub number: u32,
}

/// The special labels of a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LocationMarks {
    /// `end...`: a proper resting place.
    pub end: bool,
    /// `accept...`
    pub accept: bool,
    /// `progress...`
    pub progress: bool,
}

/// An edge.
#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    /// The location it leaves. A copy of an edge lifted into another choice is an
    /// edge of its own.
    pub from: LocationId,
    /// The location it reaches.
    pub to: LocationId,
    /// What it does.
    pub action: Action,
    /// Marked atomic: after it the same process goes on, the state between is
    /// not visible, unless the process blocks there.
    pub atomic: bool,
    /// Merged with the only edge of the location it reaches: that one follows in the
    /// same visible step, as behind an atomic edge. Made by [`reduce`](crate::reduce()).
    pub merged: bool,
    /// Locals set to zero once it was executed, because nothing will read what they
    /// hold. Made by [`reduce`](crate::reduce()).
    pub resets: Vec<VariableId>,
    /// The statement.
    pub span: Span,
    /// What to call it.
    pub wording: Wording,
}

/// What people call the statement of an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wording {
    /// What is written at its span.
    Written,
    /// One of the statements that a `for` or `select` is short for.
    Made(Name),
    /// Nothing: a jump nobody wrote, from the end of an option to where the choice goes on.
    Join,
}

impl Edge {
    /// Whether the same process goes on behind it within the same visible step.
    pub fn goes_on(&self) -> bool {
        self.atomic || self.merged
    }
}

impl Proctype {
    /// Whether a jump that nobody wrote is one of several edges of a step.
    pub fn has_joins_in_sequences(&self) -> bool {
        let follows = |at| self.edges.iter().any(|edge| edge.atomic && edge.to == at);
        let joins = |edge: &Edge| edge.wording == Wording::Join;
        self.edges.iter().any(|edge| joins(edge) && (edge.atomic || follows(edge.from)))
    }

    /// The locations some path reaches; those inside a `d_step` are not among them.
    pub fn reachable(&self) -> BTreeSet<LocationId> {
        let mut reached = self.stands();
        reached.insert(self.end);
        reached
    }

    /// The locations a process can be seen at: not those within a `d_step`.
    pub fn stands(&self) -> BTreeSet<LocationId> {
        reach([self.start], |at| self.edges_from(at).map(|(_, edge)| edge.to))
    }

    /// Whether a process may end at a location: its last one, or one with an `end` label.
    pub fn is_end(&self, at: LocationId) -> bool {
        at == self.end || self.locations[at].marks.end
    }

    /// All edges that leave `location`, with their ids, escapes first.
    pub fn edges_from(&self, location: LocationId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        let edges = self.locations[location].groups.iter().flatten();
        edges.map(|edge| (*edge, &self.edges[*edge]))
    }
}
