//! Statements and expressions written out again, in the user's names: the one
//! spelling that machines, traces and reports share.

use crate::{ChannelId, Expr, MessageId, Model, VariableId};
use std::fmt;

/// Who knows the names behind the ids.
pub trait Vocabulary {
    /// The channel's name.
    fn channel(&self, id: ChannelId) -> &str;
    /// The message's name.
    fn message(&self, id: MessageId) -> &str;
    /// The variable's name.
    fn variable(&self, id: VariableId) -> &str;
}

impl Vocabulary for Model {
    fn channel(&self, id: ChannelId) -> &str {
        &self.channels[id].name
    }
    fn message(&self, id: MessageId) -> &str {
        &self.messages[id]
    }
    fn variable(&self, id: VariableId) -> &str {
        &self.variables[id].name
    }
}

/// An expression with as few parentheses as its meaning allows.
pub struct ExprText<'a> {
    /// The expression.
    pub expr: &'a Expr,
    /// The names.
    pub names: &'a dyn Vocabulary,
}

impl fmt::Display for ExprText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.names, self.expr, 0)
    }
}

/// Unary operators bind tighter than any binary one.
const UNARY: u8 = 12;

fn write(
    f: &mut fmt::Formatter<'_>,
    names: &dyn Vocabulary,
    expr: &Expr,
    outer: u8,
) -> fmt::Result {
    match expr {
        Expr::Const(value) if *value < 0 && outer >= UNARY => write!(f, "({value})"),
        Expr::Const(value) => write!(f, "{value}"),
        Expr::Var(variable) => f.write_str(names.variable(*variable)),
        Expr::Unary(op, x) => {
            f.write_str(op.symbol())?;
            write(f, names, x, UNARY)
        }
        Expr::Binary(op, x, y) => {
            let strength = op.strength();
            let (open, close) = if strength < outer { ("(", ")") } else { ("", "") };
            f.write_str(open)?;
            write(f, names, x, strength)?;
            write!(f, " {} ", op.symbol())?;
            write(f, names, y, strength + 1)?;
            f.write_str(close)
        }
    }
}
