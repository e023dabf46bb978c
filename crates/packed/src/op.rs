//! What guards and bodies are made of.

use crate::{Array, Expr, Field};
use system::Word;

/// One operation. Guards hold only those that leave the state alone: `Let`, `Offer`,
/// `Require`, `Check`, `Switch` of such, `Bail`. A temporary is set before it is read, on
/// every way through its edge.
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// Sets a temporary of the edge. Temporaries are seen by what follows in guard and body.
    Let(u32, Expr),
    /// Sets a value of the offer.
    Offer(u32, Expr),
    /// Without this the edge does not move, or the choice of a walk is not taken; in the
    /// body of a choice it bails.
    Require(Expr),
    /// Bails if zero.
    Check(Expr),
    /// Puts a value, cut to the bits of the field.
    Set(Field, Expr),
    /// Puts a value into an element; bails unless the index is in range.
    SetElement(Array, Expr, Expr),
    /// Takes the element at an index out: those behind it move up, the last becomes zero.
    /// Bails unless the index is in range.
    Take(Array, Expr),
    /// Puts a value before the element at an index: it and those behind it move back, the
    /// last one is lost. Bails unless the index is in range.
    Insert(Array, Expr, Expr),
    /// Sets all elements to zero.
    Clear(Array),
    /// A set of at most 64 members, one bit each, in one word from `shift` on: becomes the
    /// union of what `table` says for its members. Bails if nothing is left.
    Map {
        /// Where the set is.
        word: u32,
        /// Its lowest bit.
        shift: u32,
        /// For each member the set it turns into.
        table: Vec<Word>,
    },
    /// The operations for a value; the last ones if it is not listed.
    Switch(Expr, Vec<(i32, Vec<Op>)>, Vec<Op>),
    /// A sequence without choice, in place.
    Walk(Walk),
    /// Gives the state up.
    Bail,
}

/// A sequence that takes at each place the first choice whose guard holds, until it is at
/// `end`. If none holds at the first place, the edge does not move (within the body of a
/// choice it bails); if none holds later, or it takes more than [`Walk::LENGTH_MAX`] choices,
/// it bails.
#[derive(Clone, PartialEq, Debug)]
pub struct Walk {
    /// Where it starts.
    pub start: usize,
    /// Where it ends; not an index of `places`.
    pub end: usize,
    /// The choices of each place, in order.
    pub places: Vec<Vec<Choice>>,
}

impl Walk {
    /// How many choices may be taken: it is in no other way bound to end.
    pub const LENGTH_MAX: u32 = 1 << 16;
}

/// One way on within a [`Walk`].
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// Whether it is taken; evaluated on the state as it is by now.
    pub guard: Vec<Op>,
    /// What it changes.
    pub body: Vec<Op>,
    /// Where it leads.
    pub next: usize,
}
