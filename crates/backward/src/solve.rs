//! Tests on values that are not known: they choose a value, leave fewer values, or
//! become one case for each value. The plain assignment of the 1984 paper would
//! forget what was claimed of the value before.

use crate::belief::{Belief, Cell};
use crate::expr::{Expr, Leaf, evaluate};
use crate::values::{Values, choices, ways};
use program::BinaryOp;

/// More cases than this, or more evaluations, are too many.
const CASES_MAX: u64 = 1024;
const EVALUATIONS_MAX: u64 = 1 << 20;

/// A test has more cases than can be told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooMany;

/// The beliefs that are left, together all of what was believed.
pub(crate) type Cases = Result<Vec<Belief>, TooMany>;

/// What an expression must come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// Anything but zero.
    Truth,
    /// Zero.
    Zero,
    /// Any value: only no division by zero.
    Defined,
    /// This value.
    Result(Cell),
    /// A value, but not this one.
    Other(Cell),
}

impl Belief {
    /// The cases in which `expr` comes to what is wanted; it reads variables only.
    pub(crate) fn require(mut self, expr: &Expr, wanted: Wanted) -> Cases {
        if let Some((one, other)) = equality(&self, expr, wanted) {
            let same = self.equate(one, other);
            return Ok(same.and_then(|()| self.settled()).into_iter().collect());
        }
        let leaves = expr.leaves();
        let mut cells = Vec::new();
        for leaf in &leaves {
            match leaf {
                Leaf::Variable(id) => cells.push(self.values[*id]),
                Leaf::Length(_) => return Err(TooMany),
            }
        }
        if let Wanted::Result(cell) | Wanted::Other(cell) = wanted {
            cells.push(cell);
        }
        let holds = |values: &[i32]| {
            let result = evaluate(expr, &leaves, values);
            result.is_some_and(|result| match wanted {
                Wanted::Truth => result != 0,
                Wanted::Zero => result == 0,
                Wanted::Defined => true,
                Wanted::Result(_) => Some(&result) == values.last(),
                Wanted::Other(_) => Some(&result) != values.last(),
            })
        };
        self.split(&cells, &holds)
    }

    /// The cases in which the values of `cells` pass.
    fn split(self, cells: &[Cell], holds: &dyn Fn(&[i32]) -> bool) -> Cases {
        let mut symbols: Vec<usize> = cells.iter().filter_map(symbol).collect();
        symbols.sort_unstable();
        symbols.dedup();
        // The symbol with the most values stays one.
        symbols.sort_by_key(|symbol| self.symbols[*symbol].len());
        let Some(widest) = symbols.pop() else {
            let passes = holds(&filled(cells, &[], &[]));
            return Ok(if passes { vec![self] } else { Vec::new() });
        };
        let sets: Vec<_> = symbols.iter().map(|symbol| self.symbols[*symbol].clone()).collect();
        let cases = ways(&sets);
        if cases > CASES_MAX || cases.saturating_mul(self.symbols[widest].len()) > EVALUATIONS_MAX {
            return Err(TooMany);
        }
        symbols.push(widest);
        let case = |chosen: Vec<i32>| self.case(&symbols, &chosen, cells, holds);
        Ok(choices(&sets).filter_map(case).collect())
    }

    /// The case in which all symbols but the last have the chosen values.
    fn case(
        &self,
        symbols: &[usize],
        chosen: &[i32],
        cells: &[Cell],
        holds: &dyn Fn(&[i32]) -> bool,
    ) -> Option<Belief> {
        let mut case = self.clone();
        let (widest, others) = symbols.split_last()?;
        let mut values = filled(cells, others, chosen);
        let open = |cell: &Cell| *cell == Cell::Symbol(*widest);
        let open: Vec<usize> = (0..cells.len()).filter(|index| open(&cells[*index])).collect();
        case.symbols[*widest] = self.symbols[*widest].filtered(|value| {
            open.iter().for_each(|index| values[*index] = value);
            holds(&values)
        });
        for (symbol, value) in others.iter().zip(chosen) {
            case.symbols[*symbol] = Values::one(*value);
        }
        case.settled()
    }
}

fn symbol(cell: &Cell) -> Option<usize> {
    match cell {
        Cell::Known(_) => None,
        Cell::Symbol(symbol) => Some(*symbol),
    }
}

/// The values of the cells with these values of the symbols.
fn filled(cells: &[Cell], symbols: &[usize], values: &[i32]) -> Vec<i32> {
    let value = |cell: &Cell| match cell {
        Cell::Known(value) => *value,
        Cell::Symbol(wanted) => {
            let place = symbols.iter().position(|symbol| symbol == wanted);
            place.map_or(0, |place| values[place])
        }
    };
    cells.iter().map(value).collect()
}

/// Two cells that must be equal and nothing else: `x == y`, or a result that is the
/// value of a variable. One symbol for both is better than a case for each value.
fn equality(belief: &Belief, expr: &Expr, wanted: Wanted) -> Option<(Cell, Cell)> {
    let simple = |expr: &Expr| match expr {
        Expr::Const(value) => Some(Cell::Known(*value)),
        Expr::Read(Leaf::Variable(variable)) => Some(belief.values[*variable]),
        _ => None,
    };
    match (expr, wanted) {
        (_, Wanted::Result(cell)) => Some((simple(expr)?, cell)),
        (Expr::Binary(BinaryOp::Equal, x, y), Wanted::Truth)
        | (Expr::Binary(BinaryOp::NotEqual, x, y), Wanted::Zero) => Some((simple(x)?, simple(y)?)),
        _ => None,
    }
}
