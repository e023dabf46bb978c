//! Statements and expressions written out again, in the user's names: the one
//! spelling that machines, traces and reports share.

use crate::{ChannelId, Expr, Look, MessageId, Model, Predicate, VariableId};
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
        write(f, &|variable| self.names.variable(*variable).to_owned(), self.expr, 0)
    }
}

impl Model {
    /// A predicate as formulas are written.
    pub fn predicate_text(&self, predicate: &Predicate) -> String {
        struct Text<'a>(&'a Model, &'a Predicate);
        impl fmt::Display for Text<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write(f, &|look| self.0.look(look), self.1, 0)
            }
        }
        Text(self, predicate).to_string()
    }

    fn look(&self, look: &Look) -> String {
        match look {
            Look::Variable(id) => {
                let variable = &self.variables[*id];
                let owner = variable.owner.map(|owner| format!("{}.", self.processes[owner].name));
                owner.unwrap_or_default() + &variable.name
            }
            Look::Length(id) => format!("len({})", self.channel(*id)),
            Look::Full(id) => format!("full({})", self.channel(*id)),
            Look::Head(id, message, value) => {
                format!("head({}) == {}", self.channel(*id), self.kind(*message, *value))
            }
            Look::Count(id, message, value) => {
                format!("count({}, {})", self.channel(*id), self.kind(*message, *value))
            }
            Look::At(process, label) => match label.strip_prefix(':') {
                Some(line) => format!("{}:{line}", self.processes[*process].name),
                None => format!("{}@{label}", self.processes[*process].name),
            },
            Look::AtEnd(number) => format!("end of monitor {}", number + 1),
        }
    }

    fn kind(&self, message: MessageId, value: Option<i16>) -> String {
        let value = value.map_or_else(String::new, |value| format!("({value})"));
        format!("{}{value}", self.message(message))
    }
}

/// Unary operators bind tighter than any binary one.
const UNARY: u8 = 12;

fn write<V>(
    f: &mut fmt::Formatter<'_>,
    name: &dyn Fn(&V) -> String,
    expr: &Expr<V>,
    outer: u8,
) -> fmt::Result {
    match expr {
        Expr::Const(value) if *value < 0 && outer >= UNARY => write!(f, "({value})"),
        Expr::Const(value) => write!(f, "{value}"),
        Expr::Var(variable) => f.write_str(&name(variable)),
        Expr::Unary(op, x) => {
            f.write_str(op.symbol())?;
            write(f, name, x, UNARY)
        }
        Expr::Binary(op, x, y) => {
            let strength = op.strength();
            let (open, close) = if strength < outer { ("(", ")") } else { ("", "") };
            f.write_str(open)?;
            write(f, name, x, strength)?;
            write!(f, " {} ", op.symbol())?;
            write(f, name, y, strength + 1)?;
            f.write_str(close)
        }
    }
}
