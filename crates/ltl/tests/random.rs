//! Random formulas: their automata against their meaning.

mod support;

use ltl::{Automaton, Class, Cube, degeneralise, determinise_terminal, translate};
use support::{parse, random_formula, random_word};
use testkit::for_seeds;

/// How many words each automaton reads.
const WORDS: usize = 20;

#[test]
fn automata_accept_the_words_that_satisfy_the_formula() {
    for_seeds(0..10_000, |_, random| {
        let formula = random_formula(random, 4);
        let automaton = translate(&formula).expect("a small formula");
        let buchi = degeneralise(&automaton).transition_based();
        let observer = determinise_terminal(&automaton);
        assert!(observer.is_none() || automaton.class() == Class::Terminal);
        for _ in 0..WORDS {
            let (prefix, cycle) = random_word(random);
            let expected = formula.evaluate(&prefix, &cycle)[0];
            let accepts = |it: &Automaton| it.accepts(&prefix, &cycle) == expected;
            assert!(accepts(&automaton), "{formula:?} on {prefix:?} {cycle:?}");
            assert!(accepts(&buchi), "state-based {formula:?} on {prefix:?} {cycle:?}");
            let observed = observer.as_ref().is_none_or(accepts);
            assert!(observed, "deterministic {formula:?} on {prefix:?} {cycle:?}");
        }
    });
}

#[test]
fn a_formula_and_its_negation_share_no_word() {
    for_seeds(0..10_000, |_, random| {
        let formula = random_formula(random, 4);
        let positive = translate(&formula).expect("a small formula");
        let negative = translate(&formula.clone().negated()).expect("a small formula");
        let product = positive.product(&negative).expect("few acceptance sets");
        assert!(product.is_empty_language(), "{formula:?}");
    });
}

/// `a V X <>b` implies `<>b`, but must not lose its promise.
#[test]
fn an_implied_obligation_keeps_its_promise() {
    let automaton = translate(&parse("a V X <>b")).expect("a small formula");
    assert!(!automaton.accepts(&[], &[0]));
    assert!(automaton.accepts(&[], &[0, 2]));
}

#[test]
fn observers_read_each_letter_in_one_way() {
    for_seeds(0..2_000, |_, random| {
        let formula = random_formula(random, 4);
        let automaton = translate(&formula).expect("a small formula");
        let Some(observer) = determinise_terminal(&automaton) else { return };
        for (letter, state) in (0..8).flat_map(|it| observer.states.iter().map(move |s| (it, s))) {
            let ways = state.edges.iter().filter(|edge| edge.label.allows(letter)).count();
            assert_eq!(ways, 1, "{formula:?}");
        }
    });
}

/// What a search relies on.
#[test]
fn marks_and_targets_are_in_range() {
    for_seeds(0..2_000, |_, random| {
        let formula = random_formula(random, 4);
        let automaton = translate(&formula).expect("a small formula");
        let edges = automaton.states.iter().flat_map(|state| &state.edges);
        for edge in edges {
            assert!((edge.target as usize) < automaton.states.len());
            assert_eq!(edge.marks & !automaton.all_marks(), 0);
            assert_eq!(edge.label.positive & edge.label.negative, 0);
        }
        if automaton.class() == Class::Terminal {
            let loops = automaton.states.iter().enumerate().filter(|(number, state)| {
                state.edges.iter().any(|it| it.label == Cube::TRUE && it.target as usize == *number)
            });
            let universal = loops.filter(|(number, _)| automaton.is_universal(*number as u32));
            assert!(universal.count() <= 1, "{formula:?}");
        }
    });
}
