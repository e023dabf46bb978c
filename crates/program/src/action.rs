//! What an edge does.

use crate::{Expr, LocationId, Place, Queue};

/// What an edge does.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// Nothing, always executable: `skip`, `true`, a jump that is a step.
    Skip,
    /// Executable iff not zero. May hold one `run`, which then happens.
    Condition(Expr),
    /// Executable iff no edge that stands before it at its location is.
    Else,
    /// Sets a variable, cut to its type.
    Assign(Place, Expr),
    /// Fails if zero.
    Assert(Expr),
    /// `printf`, `printm`: no effect but on a replay.
    Print(Vec<PrintPart>),
    /// `q!a,b`; `!!` inserts in order.
    Send {
        /// The channel.
        queue: Queue,
        /// The fields.
        arguments: Vec<Expr>,
        /// `!!`
        sorted: bool,
    },
    /// `q?a,b` and the other forms of receive.
    Receive {
        /// The channel.
        queue: Queue,
        /// The fields.
        patterns: Vec<Pattern>,
        /// `??`: the oldest message that matches.
        random: bool,
        /// `q?<...>`: leaves the message where it is.
        keep: bool,
    },
    /// `set_priority(p, e)`
    SetPriority(Expr, Expr),
    /// A `d_step`: from `start` on, the first executable edge of each location,
    /// until `end`; one indivisible step.
    Deterministic {
        /// Where it begins: a location of the same proctype that nothing else enters.
        start: LocationId,
        /// Where it is done.
        end: LocationId,
    },
    /// The process ends: executable iff it is the youngest alive.
    Die,
}

/// One field of a receive or poll.
#[derive(Clone, PartialEq, Debug)]
pub enum Pattern {
    /// Any value, stored here.
    Store(Place),
    /// This value only: a constant, or `eval(e)`.
    Match(Expr),
    /// `_`: any value.
    Any,
}

/// A piece of what `printf` writes.
#[derive(Clone, PartialEq, Debug)]
pub enum PrintPart {
    /// Text, escapes resolved.
    Text(String),
    /// `%d`
    Decimal(Expr),
    /// `%u`
    Unsigned(Expr),
    /// `%x`
    Hexadecimal(Expr),
    /// `%o`
    Octal(Expr),
    /// `%c`
    Character(Expr),
    /// `%e`: the name of a symbolic constant.
    Symbol(Expr),
}
