//! Expressions over the variables and channels of a net: 32 bits with sign, wrapping,
//! as both languages compute them.

use crate::values::Values;
use model::{ChannelId, VariableId};
use program::{BinaryOp, UnaryOp};

/// The numbers of a type, and how others are cut to them. INVARIANT: as many as a power
/// of two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    /// The smallest.
    pub low: i32,
    /// The largest.
    pub high: i32,
}

impl Range {
    /// 16 bits with sign: the numbers of Argos.
    pub const SHORT: Self = Self { low: i16::MIN as i32, high: i16::MAX as i32 };

    /// `value` cut: the one number of this type that is equal to it modulo their number.
    pub fn cut(self, value: i32) -> i32 {
        let count = i64::from(self.high) - i64::from(self.low) + 1;
        let above = (i64::from(value) - i64::from(self.low)).rem_euclid(count);
        (i64::from(self.low) + above) as i32
    }

    pub(crate) fn holds(self, value: i32) -> bool {
        (self.low..=self.high).contains(&value)
    }

    pub(crate) fn within(self, other: Range) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    pub(crate) fn values(self) -> Values {
        Values::between(self.low, self.high)
    }
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A number.
    Const(i32),
    /// What is looked up.
    Read(Leaf),
    /// An element of an array; there is no value outside of it.
    Element(Vec<VariableId>, Vec<Subscript>),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands; `&&` and `||` stop early.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// The second if the first is not zero, else the third.
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Cut to a type.
    Cut(Range, Box<Expr>),
}

/// One index of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subscript {
    /// The index.
    pub index: Expr,
    /// It is smaller than this.
    pub bound: u32,
    /// How many elements it skips.
    pub stride: u32,
}

/// What an expression reads of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Leaf {
    /// The value of a variable.
    Variable(VariableId),
    /// How many messages a channel holds.
    Length(ChannelId),
}

impl Expr {
    /// The value of a variable.
    pub fn variable(id: VariableId) -> Self {
        Expr::Read(Leaf::Variable(id))
    }

    pub(crate) fn binary(op: BinaryOp, x: Expr, y: Expr) -> Self {
        Expr::Binary(op, Box::new(x), Box::new(y))
    }

    /// The value under `look`; nothing if it fails.
    pub(crate) fn value(&self, look: &dyn Fn(Leaf) -> i32) -> Option<i32> {
        Some(match self {
            Expr::Const(value) => *value,
            Expr::Read(leaf) => look(*leaf),
            Expr::Element(elements, subscripts) => {
                look(Leaf::Variable(elements[element(subscripts, look)?]))
            }
            Expr::Unary(op, x) => op.apply(x.value(look)?),
            Expr::Binary(op, x, y) => {
                let x = x.value(look)?;
                op.decided(x).or_else(|| op.apply(x, y.value(look)?))?
            }
            Expr::Choose(condition, x, y) => {
                let chosen = if condition.value(look)? != 0 { x } else { y };
                chosen.value(look)?
            }
            Expr::Cut(range, x) => range.cut(x.value(look)?),
        })
    }

    /// The expressions directly inside.
    fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Const(_) | Expr::Read(_) => Vec::new(),
            Expr::Element(_, subscripts) => subscripts.iter().map(|s| &s.index).collect(),
            Expr::Unary(_, x) | Expr::Cut(_, x) => vec![x],
            Expr::Binary(_, x, y) => vec![x, y],
            Expr::Choose(x, y, z) => vec![x, y, z],
        }
    }

    /// What it reads, each once and in order.
    pub(crate) fn leaves(&self) -> Vec<Leaf> {
        let mut list = Vec::new();
        self.collect(&mut list);
        list.sort_unstable();
        list.dedup();
        list
    }

    fn collect(&self, list: &mut Vec<Leaf>) {
        match self {
            Expr::Read(leaf) => list.push(*leaf),
            Expr::Element(elements, _) => {
                list.extend(elements.iter().map(|id| Leaf::Variable(*id)));
            }
            _ => {}
        }
        self.parts().into_iter().for_each(|part| part.collect(list));
    }

    /// The same with a number for the length of a channel.
    #[must_use]
    pub(crate) fn with_length(&self, channel: ChannelId, length: i32) -> Self {
        let inside = |part: &Expr| Box::new(part.with_length(channel, length));
        match self {
            Expr::Read(Leaf::Length(c)) if *c == channel => Expr::Const(length),
            Expr::Const(_) | Expr::Read(_) => self.clone(),
            Expr::Element(elements, subscripts) => {
                let subscripts = subscripts.iter().map(|subscript| Subscript {
                    index: subscript.index.with_length(channel, length),
                    ..*subscript
                });
                Expr::Element(elements.clone(), subscripts.collect())
            }
            Expr::Unary(op, x) => Expr::Unary(*op, inside(x)),
            Expr::Binary(op, x, y) => Expr::Binary(*op, inside(x), inside(y)),
            Expr::Choose(x, y, z) => Expr::Choose(inside(x), inside(y), inside(z)),
            Expr::Cut(range, x) => Expr::Cut(*range, inside(x)),
        }
    }

    /// Whether there may be no value.
    pub(crate) fn can_fail(&self) -> bool {
        let here = match self {
            Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, y) => {
                !matches!(**y, Expr::Const(divisor) if divisor != 0)
            }
            Expr::Element(..) => true,
            _ => false,
        };
        here || self.parts().into_iter().any(Expr::can_fail)
    }
}

fn element(subscripts: &[Subscript], look: &dyn Fn(Leaf) -> i32) -> Option<usize> {
    subscripts.iter().try_fold(0, |sum, Subscript { index, bound, stride }| {
        let index = u32::try_from(index.value(look)?).ok().filter(|index| index < bound)?;
        Some(sum + index as usize * *stride as usize)
    })
}

/// The value of an expression with these values of what it reads; nothing if it fails.
pub(crate) fn evaluate(expr: &Expr, leaves: &[Leaf], values: &[i32]) -> Option<i32> {
    expr.value(&|wanted| {
        let found = leaves.iter().position(|leaf| *leaf == wanted);
        found.map_or(0, |index| values[index])
    })
}
