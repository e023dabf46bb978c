//! Expressions and their one meaning: 32 bits with sign, wrapping; `/` and `%`
//! truncate; `&&` and `||` stop early (docs/argos.md, section 5).

use crate::VariableId;

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Expr {
    /// A number.
    Const(i32),
    /// The value of a variable.
    Var(VariableId),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `!`
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names say it; `symbol` spells them")]
pub enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// The one way an expression can fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DivisionByZero;

/// Cuts a 32-bit result to the 16 bits a variable or message holds.
pub fn cut(value: i32) -> i16 {
    value as i16
}

impl UnaryOp {
    /// As written.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Negate => "-",
            UnaryOp::Not => "!",
        }
    }

    /// Its value.
    pub fn apply(self, x: i32) -> i32 {
        match self {
            UnaryOp::Negate => x.wrapping_neg(),
            UnaryOp::Not => i32::from(x == 0),
        }
    }
}

impl BinaryOp {
    /// Every operator.
    pub const ALL: [Self; 13] = [
        Self::Or,
        Self::And,
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::LessEqual,
        Self::Greater,
        Self::GreaterEqual,
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::Remainder,
    ];

    /// As written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Remainder => "%",
        }
    }

    /// How tightly it binds; higher is tighter. All bind to the left.
    pub fn strength(self) -> u8 {
        match self {
            BinaryOp::Or => 1,
            BinaryOp::And => 2,
            BinaryOp::Equal | BinaryOp::NotEqual => 3,
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => 4,
            BinaryOp::Add | BinaryOp::Subtract => 5,
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => 6,
        }
    }

    /// Its value, both operands known. `Or` and `And` are callers' work when the
    /// right operand must not be looked at.
    pub fn apply(self, x: i32, y: i32) -> Result<i32, DivisionByZero> {
        Ok(match self {
            BinaryOp::Or => i32::from(x != 0 || y != 0),
            BinaryOp::And => i32::from(x != 0 && y != 0),
            BinaryOp::Equal => i32::from(x == y),
            BinaryOp::NotEqual => i32::from(x != y),
            BinaryOp::Less => i32::from(x < y),
            BinaryOp::LessEqual => i32::from(x <= y),
            BinaryOp::Greater => i32::from(x > y),
            BinaryOp::GreaterEqual => i32::from(x >= y),
            BinaryOp::Add => x.wrapping_add(y),
            BinaryOp::Subtract => x.wrapping_sub(y),
            BinaryOp::Multiply => x.wrapping_mul(y),
            BinaryOp::Divide if y != 0 => x.wrapping_div(y),
            BinaryOp::Remainder if y != 0 => x.wrapping_rem(y),
            BinaryOp::Divide | BinaryOp::Remainder => return Err(DivisionByZero),
        })
    }
}

impl Expr {
    /// The value under `lookup`.
    pub fn eval(&self, lookup: &dyn Fn(VariableId) -> i16) -> Result<i32, DivisionByZero> {
        match self {
            Expr::Const(value) => Ok(*value),
            Expr::Var(variable) => Ok(i32::from(lookup(*variable))),
            Expr::Unary(op, x) => Ok(op.apply(x.eval(lookup)?)),
            Expr::Binary(op, x, y) => {
                let x = x.eval(lookup)?;
                match (op, x) {
                    (BinaryOp::Or, 1..) | (BinaryOp::Or, ..=-1) => Ok(1),
                    (BinaryOp::And, 0) => Ok(0),
                    _ => op.apply(x, y.eval(lookup)?),
                }
            }
        }
    }

    /// Calls `visit` with every variable the expression reads, repeats included.
    pub fn variables(&self, visit: &mut dyn FnMut(VariableId)) {
        match self {
            Expr::Const(_) => {}
            Expr::Var(variable) => visit(*variable),
            Expr::Unary(_, x) => x.variables(visit),
            Expr::Binary(_, x, y) => {
                x.variables(visit);
                y.variables(visit);
            }
        }
    }
}
