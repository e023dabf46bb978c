//! Small expressions of the packed form, with constants computed at once.

use ::packed::{BinaryOp, Expr, Field, Op, UnaryOp};

pub(super) fn constant(value: i32) -> Expr {
    Expr::Const(value)
}

pub(super) fn unary(op: UnaryOp, a: Expr) -> Expr {
    match a {
        Expr::Const(a) => Expr::Const(op.apply(a)),
        a => Expr::Unary(op, Box::new(a)),
    }
}

pub(super) fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    match (op, &a, &b) {
        (BinaryOp::And, Expr::Const(0), _) => return Expr::Const(0),
        (BinaryOp::Or, Expr::Const(1), _) => return Expr::Const(1),
        (BinaryOp::Add | BinaryOp::Subtract, _, Expr::Const(0)) => return a,
        (BinaryOp::Add, Expr::Const(0), _) => return b,
        (BinaryOp::Multiply, _, Expr::Const(1)) => return a,
        (BinaryOp::And, Expr::Const(_), _) if is_truth(&b) => return b,
        (BinaryOp::Or, Expr::Const(0), _) if is_truth(&b) => return b,
        (BinaryOp::And, _, Expr::Const(b)) if *b != 0 && is_truth(&a) => return a,
        (BinaryOp::Or, _, Expr::Const(0)) if is_truth(&a) => return a,
        (op, Expr::Const(a), Expr::Const(b)) => {
            if let Some(value) = op.apply(*a, *b) {
                return Expr::Const(value);
            }
        }
        _ => {}
    }
    Expr::Binary(op, Box::new(a), Box::new(b))
}

/// Whether an expression is 0 or 1.
fn is_truth(expr: &Expr) -> bool {
    use BinaryOp::{And, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Or};
    match expr {
        Expr::Const(value) => matches!(value, 0 | 1),
        Expr::Field(field) => field.bits == 1 && !field.signed,
        Expr::Unary(op, _) => *op == UnaryOp::Not,
        Expr::Binary(op, ..) => {
            matches!(op, And | Or | Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
        }
        _ => false,
    }
}

pub(super) fn and(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::And, a, b)
}

pub(super) fn or(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::Or, a, b)
}

pub(super) fn equal(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::Equal, a, b)
}

/// All of them, in order.
pub(super) fn all(conditions: impl IntoIterator<Item = Expr>) -> Expr {
    conditions.into_iter().reduce(and).unwrap_or(Expr::Const(1))
}

/// One of them.
pub(super) fn any(conditions: impl IntoIterator<Item = Expr>) -> Expr {
    conditions.into_iter().reduce(or).unwrap_or(Expr::Const(0))
}

pub(super) fn choose(condition: Expr, a: Expr, b: Expr) -> Expr {
    match condition {
        Expr::Const(0) => b,
        Expr::Const(_) => a,
        condition => Expr::Choose(Box::new(condition), Box::new(a), Box::new(b)),
    }
}

/// The operations if a condition holds, others if not.
pub(super) fn either(condition: Expr, yes: Vec<Op>, no: Vec<Op>) -> Vec<Op> {
    match condition {
        Expr::Const(0) => no,
        Expr::Const(_) => yes,
        condition => vec![Op::Switch(condition, vec![(0, no)], yes)],
    }
}

/// What must hold; nothing to ask if it always does.
pub(super) fn require(condition: Expr) -> Option<Op> {
    match condition {
        Expr::Const(value) if value != 0 => None,
        condition => Some(Op::Require(condition)),
    }
}

/// `field` with so much more in it.
pub(super) fn changed(field: Field, by: i32) -> Op {
    let (op, by) = if by < 0 { (BinaryOp::Subtract, -by) } else { (BinaryOp::Add, by) };
    Op::Set(field, binary(op, Expr::Field(field), constant(by)))
}

/// `value` cut to so many bits.
pub(super) fn cut(value: Expr, bits: u32, signed: bool) -> Expr {
    if bits >= i32::BITS {
        return value;
    }
    if !signed {
        return binary(BinaryOp::BitAnd, value, constant(((1u32 << bits) - 1) as i32));
    }
    let distance = constant((i32::BITS - bits) as i32);
    let up = binary(BinaryOp::ShiftLeft, value, distance.clone());
    binary(BinaryOp::ShiftRight, up, distance)
}

/// Whether evaluating it can bail.
pub(super) fn can_bail(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Field(_) | Expr::Temp(_) | Expr::Offered(_) | Expr::Timeout => false,
        Expr::Element(..) | Expr::Within(..) | Expr::Bail => true,
        Expr::Unary(_, a) => can_bail(a),
        Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, a, b) => {
            can_bail(a) || !matches!(**b, Expr::Const(b) if b != 0)
        }
        Expr::Binary(_, a, b) => can_bail(a) || can_bail(b),
        Expr::Choose(a, b, c) => can_bail(a) || can_bail(b) || can_bail(c),
        Expr::Find { count, condition, .. } => can_bail(count) || can_bail(condition),
    }
}
