//! Expressions that must have a value before anything runs.

use super::Lowerer;
use crate::tree;
use base::Diagnostic;
use program::{Expr, Initial};

impl Lowerer {
    /// The value of `expr`, which must be constant and lie within `least..=most`.
    pub(super) fn constant(
        &mut self,
        expr: &tree::Expr,
        of: &str,
        range: std::ops::RangeInclusive<i32>,
    ) -> Option<i32> {
        let lowered = self.expr(expr);
        let Some(value) = self.fold(&lowered) else {
            let found = Diagnostic::error("M0024", expr.span, format!("{of} must be a constant"))
                .label("known only when the model runs")
                .help("write a number, or an expression of numbers and #define macros");
            self.report_unknown(found);
            return None;
        };
        if !range.contains(&value) {
            let (least, most) = (range.start(), range.end());
            let message = format!("{of} must lie between {least} and {most}");
            let found = Diagnostic::error("M0024", expr.span, message)
                .label(format!("this is {value}"))
                .help("choose a number in that range");
            self.report(found);
            return None;
        }
        Some(value)
    }

    /// The value of an expression of constants, and of globals that begin with one.
    fn fold(&self, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Unary(op, operand) => Some(op.apply(self.fold(operand)?)),
            Expr::Binary(op, left, right) => op.apply(self.fold(left)?, self.fold(right)?),
            Expr::Load(place) if place.subscripts.is_empty() => {
                match &self.globals[place.variable.global()?].initial {
                    Initial::Value(value) => self.fold(value),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
