//! Predicates over states: the atomic propositions of formulas, as closures.

use crate::closures::{Value, value};
use crate::visit::visit_expr;
use crate::{Bail, Expr, Packed, Scratch};
use std::cell::RefCell;
use system::Word;

/// Expressions that are evaluated in a state by themselves, not as part of an edge.
pub struct Predicates {
    values: Vec<Value>,
    scratch: RefCell<Scratch>,
}

impl Predicates {
    /// For states of `packed`.
    pub fn new(packed: &Packed, exprs: &[Expr]) -> Self {
        let mut scratch = Scratch::new(packed);
        let temps = exprs.iter().map(temps).max().unwrap_or(0);
        scratch.temps.resize(scratch.temps.len().max(temps), 0);
        Self { values: exprs.iter().map(value).collect(), scratch: RefCell::new(scratch) }
    }

    /// Whether each of them is not zero, in order; a [`Bail`] of one does not affect the others.
    pub fn evaluate<'a>(
        &'a self,
        state: &'a [Word],
    ) -> impl Iterator<Item = Result<bool, Bail>> + 'a {
        self.values.iter().map(|value| {
            let value = value(state, &mut self.scratch.borrow_mut());
            value.map(|value| value != 0)
        })
    }
}

/// How many temporaries an expression uses.
pub(crate) fn temps(expr: &Expr) -> usize {
    let mut count = 0;
    visit_expr(expr, &mut |_, expr| {
        if let Some(Expr::Temp(temp) | Expr::Find { index: temp, .. }) = expr {
            count = count.max(*temp as usize + 1);
        }
    });
    count
}
