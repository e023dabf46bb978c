//! Formulas: what is temporal becomes structure, what is not a predicate.

use super::Lowerer;
use crate::tree::{Expr, ExprKind};
use program::{BinaryOp, Formula, UnaryOp};

impl Lowerer {
    pub(super) fn formula(&mut self, expr: &Expr) -> Formula {
        if !is_temporal(expr) {
            self.scope.watches = true;
            let holds = self.value(expr);
            self.scope.watches = false;
            return Formula::Holds(holds, expr.span);
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => Formula::Not(self.boxed(operand)),
            // `&` and `|` too: what is temporal is a truth value.
            ExprKind::Binary(BinaryOp::And | BinaryOp::BitAnd, left, right) => {
                Formula::And(self.boxed(left), self.boxed(right))
            }
            ExprKind::Binary(BinaryOp::Or | BinaryOp::BitOr, left, right) => {
                Formula::Or(self.boxed(left), self.boxed(right))
            }
            ExprKind::Temporal(op, operands) => {
                let operands = operands.iter().map(|operand| self.formula(operand)).collect();
                let nothing = Formula::Holds(program::Expr::Const(0), expr.span);
                Formula::of(*op, operands).unwrap_or(nothing)
            }
            // Arithmetic over a temporal operator: reported by `value`.
            _ => Formula::Holds(self.value(expr), expr.span),
        }
    }

    fn boxed(&mut self, expr: &Expr) -> Box<Formula> {
        Box::new(self.formula(expr))
    }
}

fn is_temporal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Temporal(..) => true,
        ExprKind::Unary(_, operand) => is_temporal(operand),
        ExprKind::Binary(_, left, right) => is_temporal(left) || is_temporal(right),
        _ => false,
    }
}
