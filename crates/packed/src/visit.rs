//! Everything a form is made of, seen once.

use crate::{Choice, Expr, Op, Packed};

impl Packed {
    pub(crate) fn visit(&self, see: &mut Seen<'_>) {
        for (_, edge) in self.edges() {
            visit_ops(&edge.guard, see);
            visit_ops(&edge.body, see);
        }
    }
}

/// Is shown every operation and every expression.
pub(crate) type Seen<'a> = dyn FnMut(Option<&Op>, Option<&Expr>) + 'a;

pub(crate) fn visit_ops(ops: &[Op], see: &mut Seen<'_>) {
    for op in ops {
        see(Some(op), None);
        match op {
            Op::Let(_, a) | Op::Offer(_, a) | Op::Require(a) | Op::Check(a) => visit_expr(a, see),
            Op::Set(_, a) | Op::Take(_, a) => visit_expr(a, see),
            Op::SetElement(_, a, b) | Op::Insert(_, a, b) => {
                visit_expr(a, see);
                visit_expr(b, see);
            }
            Op::Switch(value, cases, otherwise) => {
                visit_expr(value, see);
                cases.iter().for_each(|(_, ops)| visit_ops(ops, see));
                visit_ops(otherwise, see);
            }
            Op::Walk(walk) => walk.places.iter().flatten().for_each(|choice: &Choice| {
                visit_ops(&choice.guard, see);
                visit_ops(&choice.body, see);
            }),
            Op::Clear(_) | Op::Map { .. } | Op::Bail => {}
        }
    }
}

pub(crate) fn visit_expr(expr: &Expr, see: &mut Seen<'_>) {
    see(None, Some(expr));
    match expr {
        Expr::Element(_, a) | Expr::Unary(_, a) | Expr::Within(a, _) => visit_expr(a, see),
        Expr::Binary(_, a, b) | Expr::Find { count: a, condition: b, .. } => {
            visit_expr(a, see);
            visit_expr(b, see);
        }
        Expr::Choose(a, b, c) => {
            visit_expr(a, see);
            visit_expr(b, see);
            visit_expr(c, see);
        }
        Expr::Const(_) | Expr::Field(_) | Expr::Temp(_) | Expr::Offered(_) => {}
        Expr::Timeout | Expr::Bail => {}
    }
}
