//! Expressions over the fields of a state: 32 bits with sign, numbers wrap.

use crate::{Array, Field};
use base::{BinaryOp, UnaryOp};

/// An expression. Evaluating it may bail.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// A number.
    Const(i32),
    /// What a field holds.
    Field(Field),
    /// An element; bails unless the index is in range.
    Element(Array, Box<Expr>),
    /// A temporary of the edge, set before by [`crate::Op::Let`] or bound by `Find`.
    Temp(u32),
    /// A value of the offer being made or taken.
    Offered(u32),
    /// Whether nothing else can move.
    Timeout,
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands; `And` and `Or` evaluate the second only if they must. `Divide` and
    /// `Remainder` bail if it is zero.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// The second if the first is not zero, else the third; only one is evaluated.
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The value, if it is at least 0 and below the bound; else it bails.
    Within(Box<Expr>, u32),
    /// The first `i` from 0 up to below `count` for which `condition`, which reads it as
    /// the temporary `index`, is not zero; -1 if there is none.
    Find {
        /// The temporary.
        index: u32,
        /// How many to try.
        count: Box<Expr>,
        /// What is looked for.
        condition: Box<Expr>,
    },
    /// Bails.
    Bail,
}
