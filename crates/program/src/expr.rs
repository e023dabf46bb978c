//! Expressions: 32 bits with sign, evaluated as C does.

use crate::{LocationId, Pattern, ProctypeId, VariableId};
use base::{BinaryOp, UnaryOp};

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// A number, a truth value, a symbolic constant.
    Const(i32),
    /// The value of a variable.
    Load(Place),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands; `&&` and `||` stop early.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len`, `empty`, `full`, `nempty`, `nfull` of a channel.
    Probe(Probe, Queue),
    /// `q?[...]`, `q??[...]`: whether a receive could execute.
    Poll {
        /// The channel.
        queue: Queue,
        /// What it asks for.
        patterns: Vec<Pattern>,
        /// `??`: anywhere in the channel, not only at its head.
        random: bool,
    },
    /// How many messages of a channel begin with these fields; of its oldest one only, if
    /// `head`. Only formulas and predicates look at that.
    Messages {
        /// The channel.
        queue: Queue,
        /// The fields; those that are not named may have any value.
        patterns: Vec<Pattern>,
        /// Only the oldest message counts.
        head: bool,
    },
    /// Creates a process; its value is the new pid.
    Run {
        /// Which proctype.
        proctype: ProctypeId,
        /// Its arguments.
        arguments: Vec<Expr>,
        /// Its priority, if given.
        priority: Option<i32>,
    },
    /// Whether nothing else in the system can move.
    Timeout,
    /// `_pid`
    Pid,
    /// `_nr_pr`
    ProcessCount,
    /// `_last`
    Last,
    /// `np_`: no process is at a progress label.
    NonProgress,
    /// Some process is at an acceptance label. It has no name in PROMELA.
    Accepting,
    /// `enabled(p)`
    Enabled(Box<Expr>),
    /// `pc_value(p)`
    PcValue(Box<Expr>),
    /// `get_priority(p)`; `_priority` is that of the own process.
    Priority(Box<Expr>),
    /// `P[i]@L`
    RemoteLabel(RemoteLabel),
    /// `P[i]:x`
    RemoteVariable(RemoteVariable),
}

/// A channel in an expression: any expression that yields a channel number.
#[derive(Clone, PartialEq, Debug)]
pub struct Queue {
    /// Its number.
    pub number: Box<Expr>,
    /// As written, for messages.
    pub name: base::Name,
}

/// A variable, element or leaf that can be read or written.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// The variable.
    pub variable: VariableRef,
    /// For arrays, and arrays of structures: one per dimension, outermost first.
    /// The element is the sum of index times stride.
    pub subscripts: Vec<Subscript>,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum VariableRef {
    /// In the program.
    Global(VariableId),
    /// In the process that executes.
    Local(VariableId),
}

/// One index of an array.
#[derive(Clone, PartialEq, Debug)]
pub struct Subscript {
    /// The index.
    pub index: Expr,
    /// The number of elements of this dimension: 0 <= index < bound.
    pub bound: u32,
    /// How many scalars of the flattened variable one element of it spans.
    pub stride: u32,
}

/// What is asked of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the words of the language")]
pub enum Probe {
    Len,
    Empty,
    Full,
    NotEmpty,
    NotFull,
}

/// `P[i]@L`: whether a process stands at a label.
#[derive(Clone, PartialEq, Debug)]
pub struct RemoteLabel {
    /// Of which proctype the process must be.
    pub proctype: ProctypeId,
    /// Its pid; without one, the first instance alive.
    pub pid: Option<Box<Expr>>,
    /// The location the label stands at.
    pub location: LocationId,
    /// The label, for messages.
    pub label: base::Name,
}

/// `P[i]:x`: a local variable of another process.
#[derive(Clone, PartialEq, Debug)]
pub struct RemoteVariable {
    /// Of which proctype the process must be.
    pub proctype: ProctypeId,
    /// Its pid; without one, the first instance alive.
    pub pid: Option<Box<Expr>>,
    /// The variable there; its subscripts are evaluated in the asking process.
    pub place: Box<Place>,
}

impl Probe {
    /// As written.
    pub fn word(self) -> &'static str {
        match self {
            Probe::Len => "len",
            Probe::Empty => "empty",
            Probe::Full => "full",
            Probe::NotEmpty => "nempty",
            Probe::NotFull => "nfull",
        }
    }
}

impl VariableRef {
    /// Its id, if it is a global.
    pub fn global(self) -> Option<VariableId> {
        match self {
            VariableRef::Global(id) => Some(id),
            VariableRef::Local(_) => None,
        }
    }

    /// Its id, if it is a local.
    pub fn local(self) -> Option<VariableId> {
        match self {
            VariableRef::Global(_) => None,
            VariableRef::Local(id) => Some(id),
        }
    }
}
