//! Formulas and automata as text.

mod support;

use ltl::{Automaton, Cube, Edge, State};
use support::{name, parse, random_formula};
use testkit::for_seeds;

#[test]
fn the_text_of_a_formula_is_read_back_as_the_same() {
    for_seeds(0..2_000, |_, random| {
        let formula = random_formula(random, 5);
        let text = formula.display(&name);
        assert_eq!(parse(&text), formula, "{text}");
    });
}

#[test]
fn parentheses_only_where_an_operator_meets_another() {
    for text in ["[](a -> <>b)", "a && b && (c || d)", "(a U b) U c", "!(a <-> []b)", "X (a W b)"] {
        assert_eq!(parse(text).display(&name), text);
    }
    let named = |atom| format!("x == {atom}");
    assert_eq!(parse("!a U b").display(&named), "!(x == 0) U (x == 1)");
}

#[test]
fn an_automaton_has_a_line_for_each_edge() {
    let both = Cube { positive: 1, negative: 2 };
    let edges = vec![
        Edge { label: Cube::TRUE, target: 0, marks: 0 },
        Edge { label: both, target: 0, marks: 3 },
    ];
    let automaton = Automaton { states: vec![State { edges }], initial: 0, sets: 2 };
    assert_eq!(
        automaton.table(&name),
        "1 states, 2 edges, 2 acceptance sets, starts in 0\n0 -> 0  true\n0 -> 0  a && !b  {0,1}\n"
    );
    let dot = automaton.dot(&|atom| format!("\"{atom}\""));
    assert!(dot.contains("0 -> 0 [label=\"(\\\"0\\\") && !(\\\"1\\\")  {0,1}\"];"), "{dot}");
}
