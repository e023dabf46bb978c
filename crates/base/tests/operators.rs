//! The table of operators.

use base::BinaryOp;

#[test]
fn a_symbol_names_one_operator() {
    for symbol in "|| && | ^ & == != < <= > >= << >> + - * / %".split(' ') {
        let op = BinaryOp::from_symbol(symbol).expect("an operator");
        assert_eq!(op.symbol(), symbol);
        assert_eq!(op.is_comparison(), "== != < <= > >=".split(' ').any(|it| it == symbol));
        assert_eq!(op.is_bitwise(), "| ^ & << >>".split(' ').any(|it| it == symbol));
    }
    assert_eq!(BinaryOp::from_symbol("="), None);
}

#[test]
fn the_left_operand_decides_alone_only_where_the_right_one_cannot_matter() {
    for op in ["||", "&&", "+", "/"].map(|symbol| BinaryOp::from_symbol(symbol).expect("known")) {
        for a in [-1, 0, 1, 5] {
            let Some(value) = op.decided(a) else { continue };
            assert!([-1, 0, 1, 5].iter().all(|b| op.apply(a, *b) == Some(value)));
        }
    }
    assert_eq!(BinaryOp::Divide.decided(0), None);
    assert_eq!(BinaryOp::Divide.apply(0, 0), None);
}
