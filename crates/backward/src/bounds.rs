//! What an expression can come to while what it reads lies between bounds: often enough to decide
//! a test for a whole interval, where there are thousands of values to try one by one.

use crate::expr::{Expr, Leaf, Range};
use program::{BinaryOp, UnaryOp};

/// All values from one to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    pub(crate) low: i32,
    pub(crate) high: i32,
}

impl Bounds {
    /// Zero or one.
    const TRUTH: Self = Self { low: 0, high: 1 };

    pub(crate) fn one(value: i32) -> Self {
        Self { low: value, high: value }
    }

    fn single(self) -> Option<i32> {
        (self.low == self.high).then_some(self.low)
    }

    /// Nothing if it wraps around.
    fn fitting(low: i64, high: i64) -> Option<Self> {
        Some(Self { low: i32::try_from(low).ok()?, high: i32::try_from(high).ok()? })
    }

    /// Whether every value is a truth, or none is.
    pub(crate) fn truth(self) -> Option<bool> {
        if self.low > 0 || self.high < 0 {
            Some(true)
        } else {
            self.single().map(|value| value != 0)
        }
    }

    /// Whether every value is one of the others whatever both are, or none ever is.
    pub(crate) fn equal(self, other: Self) -> Option<bool> {
        if self.high < other.low || other.high < self.low {
            return Some(false);
        }
        (self.single().is_some() && self == other).then_some(true)
    }

    fn less(self, other: Self) -> Option<bool> {
        if self.high < other.low {
            return Some(true);
        }
        (self.low >= other.high).then_some(false)
    }

    fn decided(truth: Option<bool>) -> Self {
        truth.map_or(Self::TRUTH, |truth| Self::one(truth.into()))
    }

    fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn cut(self, range: Range) -> Option<Self> {
        match self.single() {
            Some(value) => Some(Self::one(range.cut(value))),
            None => (range.holds(self.low) && range.holds(self.high)).then_some(self),
        }
    }
}

impl Expr {
    /// Bounds of the value under `look`; nothing if there are none that say more than nothing,
    /// or there may be no value.
    pub(crate) fn bounds(&self, look: &dyn Fn(Leaf) -> Bounds) -> Option<Bounds> {
        match self {
            Expr::Const(value) => Some(Bounds::one(*value)),
            Expr::Read(leaf) => Some(look(*leaf)),
            Expr::Element(..) => None,
            Expr::Unary(op, x) => unary(*op, x.bounds(look)?),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), x, y) => {
                let ends = *op == BinaryOp::Or;
                match x.bounds(look)?.truth() {
                    Some(x) if x == ends => Some(Bounds::one(ends.into())),
                    Some(_) => Some(Bounds::decided(y.bounds(look)?.truth())),
                    None => {
                        let y = y.bounds(look)?.truth();
                        Some(Bounds::decided(y.filter(|y| *y == ends)))
                    }
                }
            }
            Expr::Binary(op, x, y) => binary(*op, x.bounds(look)?, y.bounds(look)?),
            Expr::Choose(condition, x, y) => match condition.bounds(look)?.truth() {
                Some(true) => x.bounds(look),
                Some(false) => y.bounds(look),
                None => Some(x.bounds(look)?.hull(y.bounds(look)?)),
            },
            Expr::Cut(range, x) => x.bounds(look)?.cut(*range),
        }
    }
}

fn unary(op: UnaryOp, x: Bounds) -> Option<Bounds> {
    let (low, high) = (i64::from(x.low), i64::from(x.high));
    match op {
        UnaryOp::Negate => Bounds::fitting(-high, -low),
        UnaryOp::Not => Some(Bounds::decided(x.truth().map(|truth| !truth))),
        UnaryOp::Complement => Bounds::fitting(-1 - high, -1 - low),
    }
}

fn binary(op: BinaryOp, x: Bounds, y: Bounds) -> Option<Bounds> {
    if let (Some(x), Some(y)) = (x.single(), y.single()) {
        return op.apply(x, y).map(Bounds::one);
    }
    let not = |truth: Option<bool>| truth.map(|truth| !truth);
    let [a, b, c, d] = [x.low, x.high, y.low, y.high].map(i64::from);
    match op {
        BinaryOp::Equal => Some(Bounds::decided(x.equal(y))),
        BinaryOp::NotEqual => Some(Bounds::decided(not(x.equal(y)))),
        BinaryOp::Less => Some(Bounds::decided(x.less(y))),
        BinaryOp::GreaterEqual => Some(Bounds::decided(not(x.less(y)))),
        BinaryOp::Greater => Some(Bounds::decided(y.less(x))),
        BinaryOp::LessEqual => Some(Bounds::decided(not(y.less(x)))),
        BinaryOp::Add => Bounds::fitting(a + c, b + d),
        BinaryOp::Subtract => Bounds::fitting(a - d, b - c),
        BinaryOp::Multiply => {
            let all = [a * c, a * d, b * c, b * d];
            Bounds::fitting(*all.iter().min()?, *all.iter().max()?)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;
    use model::VariableId;
    use testkit::{Random, for_seeds};

    fn leaf(index: usize) -> Leaf {
        Leaf::Variable(VariableId::new(index))
    }

    fn random(random: &mut Random, depth: usize) -> Expr {
        let number = random.below(11) - 5;
        if depth == 0 {
            let extreme = [i32::MAX, i32::MIN, 32767, -32768][random.below(4)];
            return match random.below(4) {
                0 => Expr::Const(if random.below(5) == 0 { extreme } else { number }),
                _ => Expr::Read(leaf(random.below(2))),
            };
        }
        let part = |source: &mut Random| Box::new(self::random(source, depth - 1));
        let symbols = "|| && | ^ & == != < <= > >= << >> + - * / %".split(' ');
        let symbols: Vec<&str> = symbols.collect();
        match random.below(8) {
            0 => {
                let ops = [UnaryOp::Negate, UnaryOp::Not, UnaryOp::Complement];
                Expr::Unary(ops[random.below(3)], part(random))
            }
            1 => Expr::Cut(Range { low: -8, high: 7 }, part(random)),
            2 => Expr::Choose(part(random), part(random), part(random)),
            _ => {
                let op = BinaryOp::from_symbol(symbols[random.below(symbols.len())]);
                Expr::Binary(op.expect("listed"), part(random), part(random))
            }
        }
    }

    /// Whatever is said to be so is so for every value between the bounds.
    #[test]
    fn bounds_hold_every_value() {
        for_seeds(0..20_000, |_, source| {
            let depth = source.below(4);
            let expr = random(source, depth);
            let low = source.below(20) - 10;
            let span = Bounds { low, high: low + source.below(6) };
            let fixed = source.below(9) - 4;
            let look = |wanted| if wanted == leaf(0) { span } else { Bounds::one(fixed) };
            let Some(bounds) = expr.bounds(&look) else { return };
            for value in span.low..=span.high {
                let exact = expr.value(&|wanted| if wanted == leaf(0) { value } else { fixed });
                let exact = exact.expect("what has bounds has a value");
                assert!((bounds.low..=bounds.high).contains(&exact), "{expr:?} at {value}");
                assert!(bounds.truth().is_none_or(|truth| truth == (exact != 0)));
            }
        });
    }
}
