//! Expressions that are known before anything runs.

use crate::tree::{Expr, ExprKind};
use base::Span;

/// Why an expression has no value yet.
pub(super) struct Fault {
    pub(super) span: Span,
    pub(super) reason: &'static str,
}

/// The value of `expr`; `Err(None)` when the reason was reported before.
pub(super) fn value(expr: &Expr) -> Result<i32, Option<Fault>> {
    let fault = |reason| Some(Fault { span: expr.span, reason });
    match &expr.kind {
        ExprKind::Number(value) => Ok(*value),
        ExprKind::Variable(_) => Err(fault("a variable has no value yet")),
        ExprKind::Unary(op, x) => Ok(op.apply(value(x)?)),
        ExprKind::Binary(op, x, y) => {
            op.apply(value(x)?, value(y)?).ok_or_else(|| fault("this divides by zero"))
        }
        ExprKind::Temporal(..) | ExprKind::Look(_) | ExprKind::Broken => Err(None),
    }
}
