//! Expressions and their one meaning: 32 bits with sign, wrapping; `/` and `%`
//! truncate; `&&` and `||` stop early (docs/argos.md, section 5).

use crate::VariableId;
use base::{BinaryOp, UnaryOp};

/// An expression over variables, or over whatever else has values.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Expr<V = VariableId> {
    /// A number.
    Const(i32),
    /// The value of a variable.
    Var(V),
    /// One operand; never `~`.
    Unary(UnaryOp, Box<Self>),
    /// Two operands; never a bitwise operator.
    Binary(BinaryOp, Box<Self>, Box<Self>),
}

/// The one way an expression can fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DivisionByZero;

/// Cuts a 32-bit result to the 16 bits a variable or message holds.
pub fn cut(value: i32) -> i16 {
    value as i16
}

impl<V> Expr<V> {
    /// The value under `lookup`.
    pub fn eval(&self, lookup: &dyn Fn(&V) -> i32) -> Result<i32, DivisionByZero> {
        match self {
            Expr::Const(value) => Ok(*value),
            Expr::Var(variable) => Ok(lookup(variable)),
            Expr::Unary(op, x) => Ok(op.apply(x.eval(lookup)?)),
            Expr::Binary(op, x, y) => {
                let x = x.eval(lookup)?;
                match op.decided(x) {
                    Some(value) => Ok(value),
                    None => op.apply(x, y.eval(lookup)?).ok_or(DivisionByZero),
                }
            }
        }
    }

    /// Calls `visit` with every variable the expression reads, repeats included.
    pub fn variables(&self, visit: &mut dyn FnMut(&V)) {
        match self {
            Expr::Const(_) => {}
            Expr::Var(variable) => visit(variable),
            Expr::Unary(_, x) => x.variables(visit),
            Expr::Binary(_, x, y) => {
                x.variables(visit);
                y.variables(visit);
            }
        }
    }

    /// Two operands joined.
    #[must_use]
    pub fn joined(op: BinaryOp, x: Self, y: Self) -> Self {
        Expr::Binary(op, Box::new(x), Box::new(y))
    }
}
