//! Statements become locations and edges, by the rules SPIN uses when it merges
//! nothing. Which locations exist decides how many states a model has, so these
//! rules are followed to the letter; the tests compare with `pan -d`.
//!
//! Three steps. [`chain`] links the statements of a body into elements: every
//! statement, every jump and every place where options join again is one, and
//! knows its successor. [`atomic`] marks what belongs to an atomic sequence and
//! [`escape`] what an `unless` can interrupt. [`emit`] makes a location of each
//! element a process can rest at, walking past the others ("hunting"): joins,
//! jumps and the words `unless` cost nothing, but the first statement of an
//! option or block is never walked past, since it is that option's edge.

mod atomic;
mod chain;
mod emit;
mod escape;

use base::{IdVec, Name, Span};
use program::{Action, Edge, EdgeId, Location, LocationId, Wording};

/// A label of a proctype, by its position in [`Body::labels`].
pub(crate) type LabelIndex = usize;

/// A body with names resolved.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) code: Code,
    pub(crate) labels: Vec<Label>,
    /// The closing brace.
    pub(crate) end: Span,
    /// Claims keep every `skip`.
    pub(crate) claim: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) name: Name,
    /// Some `P@L` asks for it: a jump that carries it becomes a step.
    pub(crate) remote: bool,
}

/// A sequence of statements.
pub(crate) type Code = Vec<Stmt>;

#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) labels: Vec<LabelIndex>,
    pub(crate) span: Span,
    pub(crate) kind: Kind,
    /// What SPIN prints for it.
    pub(crate) text: String,
    /// What people call it.
    pub(crate) wording: Wording,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Anything that is one step, `else` included.
    Basic(Action),
    /// The step a declaration in the middle of a body is, when it has no effect.
    Idle,
    Goto(LabelIndex),
    Break,
    Choice {
        looping: bool,
        options: Vec<Code>,
        /// The option that is tried last, if that is not the last one.
        last: Option<usize>,
        /// Written as `if` or `do`, not as `for` or `select`: superfluous `skip`s go.
        written: bool,
    },
    Block(Code),
    Atomic(Code),
    Deterministic(Code),
    Unless(Box<Stmt>, Box<Stmt>),
}

/// A body as an automaton.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    pub(crate) start: LocationId,
    pub(crate) end: LocationId,
    pub(crate) locations: IdVec<LocationId, Location>,
    pub(crate) edges: IdVec<EdgeId, Edge>,
    /// Where each label stands, if it is reached or asked for.
    pub(crate) labels: Vec<Option<LocationId>>,
    /// Jumps that lead nowhere but to themselves, which SPIN refuses.
    pub(crate) endless: Vec<Span>,
    /// How SPIN lists it.
    pub(crate) listing: Draft,
}

/// How SPIN lists a body, its numbers not yet those of the whole text.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    /// SPIN's name for the statement of each edge.
    pub(crate) statements: IdVec<EdgeId, Listed>,
    /// How many numbers SPIN gives away for this body, and how many loops it has.
    pub(crate) counts: (u32, usize),
    /// SPIN numbers something of it elsewhere.
    pub(crate) displaced: bool,
}

/// How SPIN lists a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Listed {
    /// Its number in the body, from 1 on.
    pub(crate) number: u32,
    /// Its words; a `break` says the number of its loop in the body.
    pub(crate) words: Words,
}

/// The words for a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Words {
    Text(String),
    /// `break`, by the number of its loop.
    Leave(usize),
}

/// Builds the automaton of a body.
pub(crate) fn build(body: &Body) -> Automaton {
    let mut chain = chain::link(body);
    let body_run = chain.body;
    atomic::bridge(&mut chain, body_run);
    emit::emit(&chain, body)
}
