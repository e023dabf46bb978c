//! Random formulas: their automata against their meaning.

mod support;

use ltl::translate;
use support::{random_formula, random_word};
use testkit::for_seeds;

/// How many words each automaton reads.
const WORDS: usize = 10;

#[test]
fn automata_accept_the_words_that_satisfy_the_formula() {
    for_seeds(0..10_000, |_, random| {
        let formula = random_formula(random, 4);
        let automaton = translate(&formula).expect("a small formula");
        for _ in 0..WORDS {
            let (prefix, cycle) = random_word(random);
            let expected = formula.evaluate(&prefix, &cycle)[0];
            let accepted = automaton.accepts(&prefix, &cycle);
            assert_eq!(accepted, expected, "{formula:?} on {prefix:?} {cycle:?}");
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
