//! What expressions are worth.

use base::Id;
use model::{BinaryOp, DivisionByZero, Expr, VariableId, cut};

fn binary(op: BinaryOp, x: Expr, y: Expr) -> Expr {
    Expr::Binary(op, Box::new(x), Box::new(y))
}

#[test]
fn the_right_operand_is_left_alone_when_the_left_decides() {
    let fails = binary(BinaryOp::Divide, Expr::Const(1), Expr::Const(0));
    let none = |_: &VariableId| 0;
    assert_eq!(fails.eval(&none), Err(DivisionByZero));
    for left in [-3, 5] {
        let or = binary(BinaryOp::Or, Expr::Const(left), fails.clone());
        assert_eq!(or.eval(&none), Ok(1));
    }
    assert_eq!(binary(BinaryOp::And, Expr::Const(0), fails).eval(&none), Ok(0));
}

#[test]
fn arithmetic_wraps_and_truncates() {
    let v = Expr::Var(VariableId::new(0));
    let min = |_: &VariableId| i32::from(i16::MIN);
    let square = binary(BinaryOp::Multiply, v.clone(), v);
    assert_eq!(square.eval(&min), Ok(1 << 30));
    assert_eq!(BinaryOp::Divide.apply(-7, 2), Some(-3));
    assert_eq!(BinaryOp::Remainder.apply(-7, 2), Some(-1));
    assert_eq!(BinaryOp::Divide.apply(i32::MIN, -1), Some(i32::MIN));
    assert_eq!(cut(40000), -25536);
}
