//! Tests on values that are not known: they choose a value, leave fewer values, or
//! become one case for each value. The plain assignment of the 1984 paper would
//! forget what was claimed of the value before.

use crate::belief::{Belief, Cell};
use crate::bounds::Bounds;
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
        self.split(&Test { expr, leaves, cells, wanted })
    }

    /// The cases in which a test is passed.
    fn split(self, test: &Test<'_>) -> Cases {
        let cells = &test.cells;
        let mut symbols: Vec<usize> = cells.iter().filter_map(symbol).collect();
        symbols.sort_unstable();
        symbols.dedup();
        // The symbol with the most values stays one.
        symbols.sort_by_key(|symbol| self.symbols[*symbol].len());
        let Some(widest) = symbols.pop() else {
            let passes = test.holds(&filled(cells, &[], &[]));
            return Ok(if passes { vec![self] } else { Vec::new() });
        };
        let sets: Vec<_> = symbols.iter().map(|symbol| self.symbols[*symbol].clone()).collect();
        let cases = ways(&sets);
        if cases > CASES_MAX || cases.saturating_mul(self.symbols[widest].len()) > EVALUATIONS_MAX {
            return Err(TooMany);
        }
        symbols.push(widest);
        let case = |chosen: Vec<i32>| self.case(&symbols, &chosen, test);
        Ok(choices(&sets).filter_map(case).collect())
    }

    /// The case in which all symbols but the last have the chosen values.
    fn case(&self, symbols: &[usize], chosen: &[i32], test: &Test<'_>) -> Option<Belief> {
        let mut case = self.clone();
        let (widest, others) = symbols.split_last()?;
        let mut values = filled(&test.cells, others, chosen);
        let open: Vec<bool> =
            test.cells.iter().map(|cell| *cell == Cell::Symbol(*widest)).collect();
        case.symbols[*widest] = self.symbols[*widest].passing(|low, high| {
            if low < high {
                return test.bounded(&values, &open, Bounds { low, high });
            }
            let open = values.iter_mut().zip(&open).filter(|(_, open)| **open);
            open.for_each(|(value, _)| *value = low);
            Some(test.holds(&values))
        });
        for (symbol, value) in others.iter().zip(chosen) {
            case.symbols[*symbol] = Values::one(*value);
        }
        case.settled()
    }
}

/// An expression and what it must come to.
struct Test<'a> {
    expr: &'a Expr,
    /// What it reads.
    leaves: Vec<Leaf>,
    /// The values of those, and of what it is compared with.
    cells: Vec<Cell>,
    wanted: Wanted,
}

impl Test<'_> {
    /// Whether it is passed with these values of the cells.
    fn holds(&self, values: &[i32]) -> bool {
        let result = evaluate(self.expr, &self.leaves, values);
        result.is_some_and(|result| match self.wanted {
            Wanted::Truth => result != 0,
            Wanted::Zero => result == 0,
            Wanted::Defined => true,
            Wanted::Result(_) => Some(&result) == values.last(),
            Wanted::Other(_) => Some(&result) != values.last(),
        })
    }

    /// Whether it is passed with every value of a span in the open cells, or with none.
    fn bounded(&self, values: &[i32], open: &[bool], span: Bounds) -> Option<bool> {
        let cell = |index: usize| if open[index] { span } else { Bounds::one(values[index]) };
        let look =
            |leaf| self.leaves.iter().position(|it| *it == leaf).map_or(Bounds::one(0), cell);
        let result = self.expr.bounds(&look)?;
        let compared = || result.equal(cell(values.len() - 1));
        match self.wanted {
            Wanted::Truth => result.truth(),
            Wanted::Zero => result.truth().map(|truth| !truth),
            Wanted::Defined => Some(true),
            Wanted::Result(_) => compared(),
            Wanted::Other(_) => compared().map(|equal| !equal),
        }
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
