//! Expressions that must have a value before anything runs.

use super::Lowerer;
use crate::tree;
use base::Diagnostic;
use program::{BinaryOp, Expr, Initial, UnaryOp, VariableRef};

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
            Expr::Unary(op, operand) => {
                let value = self.fold(operand)?;
                Some(match op {
                    UnaryOp::Negate => value.wrapping_neg(),
                    UnaryOp::Not => i32::from(value == 0),
                    UnaryOp::Complement => !value,
                })
            }
            Expr::Binary(op, left, right) => binary(*op, self.fold(left)?, self.fold(right)?),
            Expr::Load(place) if place.subscripts.is_empty() => match place.variable {
                VariableRef::Global(id) => match &self.globals[id].initial {
                    Initial::Value(value) => self.fold(value),
                    _ => None,
                },
                VariableRef::Local(_) => None,
            },
            _ => None,
        }
    }
}

fn binary(op: BinaryOp, left: i32, right: i32) -> Option<i32> {
    Some(match op {
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Subtract => left.wrapping_sub(right),
        BinaryOp::Multiply => left.wrapping_mul(right),
        BinaryOp::Divide => left.checked_div(right)?,
        BinaryOp::Remainder => left.checked_rem(right)?,
        BinaryOp::ShiftLeft => left.wrapping_shl(right as u32),
        BinaryOp::ShiftRight => left.wrapping_shr(right as u32),
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitOr => left | right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::Equal => i32::from(left == right),
        BinaryOp::NotEqual => i32::from(left != right),
        BinaryOp::Less => i32::from(left < right),
        BinaryOp::LessEqual => i32::from(left <= right),
        BinaryOp::Greater => i32::from(left > right),
        BinaryOp::GreaterEqual => i32::from(left >= right),
        BinaryOp::And => i32::from(left != 0 && right != 0),
        BinaryOp::Or => i32::from(left != 0 || right != 0),
    })
}
