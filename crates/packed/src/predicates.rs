//! Predicates over states: the atomic propositions of formulas, as closures.

use crate::bit_sets::BitSets;
use crate::closures::{Value, value};
use crate::visit::visit_expr;
use crate::{Bail, Expr, Packed, Scratch};
use base::BinaryOp;
use std::cell::RefCell;
use system::Word;

/// Expressions that are evaluated in a state by themselves, not as part of an edge.
pub struct Predicates {
    values: Vec<Value>,
    words: Option<Vec<usize>>,
    scratch: RefCell<Scratch>,
}

impl Predicates {
    /// For states of `packed`.
    pub fn new(packed: &Packed, exprs: &[Expr]) -> Self {
        let mut scratch = Scratch::new(packed);
        let temps = exprs.iter().map(temps).max().unwrap_or(0);
        scratch.temps.resize(scratch.temps.len().max(temps), 0);
        let words = words(exprs);
        Self { values: exprs.iter().map(value).collect(), words, scratch: RefCell::new(scratch) }
    }

    /// The words of a state that decide them all; `None` if some of them may bail, so that
    /// somebody else decides.
    pub fn read_set(&self) -> Option<&[usize]> {
        self.words.as_deref()
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

/// The words that expressions read, unless one of them may bail.
fn words(exprs: &[Expr]) -> Option<Vec<usize>> {
    let (mut bits, mut bails) = (BitSets::default(), false);
    for expr in exprs {
        visit_expr(expr, &mut |_, expr| {
            let Some(expr) = expr else { return };
            bits.see_expr(expr);
            bails |= match expr {
                Expr::Binary(op, ..) => matches!(op, BinaryOp::Divide | BinaryOp::Remainder),
                Expr::Element(..) | Expr::Within(..) | Expr::Bail => true,
                Expr::Timeout | Expr::Offered(_) => true,
                _ => false,
            };
        });
    }
    (!bails).then(|| bits.words_read().collect())
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
