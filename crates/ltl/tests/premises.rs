//! The premises of formulas: which there are, and that a formula without its conclusion says more.

mod support;

use ltl::Formula;
use support::{name, parse, random_formula, random_word};
use testkit::for_seeds;

fn told(text: &str) -> Vec<(String, String)> {
    let display = |formula: &Formula| formula.display(&name);
    let premises = parse(text).premises().into_iter();
    premises.map(|it| (display(&it.premise), display(&it.without))).collect()
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[test]
fn premises_of_known_formulas() {
    assert_eq!(told("[](a -> <>b)"), pairs(&[("a", "[]!a")]));
    assert_eq!(told("[](!a || b)"), pairs(&[("a", "[]!a")]));
    assert_eq!(told("[](!a || !b)"), pairs(&[("a", "[]!a"), ("b", "[]!b")]));
    assert_eq!(told("<>a -> <>b"), pairs(&[("<>a", "!<>a")]));
    let nested = pairs(&[("a", "[]!a"), ("b", "[](a -> !b)")]);
    assert_eq!(told("[](a -> (b -> c))"), nested);
    // Not below a negation, an equivalence or a premise.
    assert_eq!(told("!(a -> b)"), []);
    assert_eq!(told("[]((a -> b) <-> c)"), []);
    assert_eq!(told("(a -> b) -> c"), pairs(&[("a -> b", "!(a -> b)")]));
    assert_eq!(told("!!(a -> b)").len(), 1);
    assert_eq!(told("[]<>a"), []);
}

#[test]
fn without_its_conclusion_a_formula_is_stronger() {
    let (mut stronger, mut premises) = (0, 0);
    for_seeds(0..10_000, |_, random| {
        let formula = random_formula(random, 4);
        for premise in formula.premises() {
            premises += 1;
            for _ in 0..10 {
                let (prefix, cycle) = random_word(random);
                let says = |formula: &Formula| formula.evaluate(&prefix, &cycle)[0];
                let (whole, without) = (says(&formula), says(&premise.without));
                assert!(whole || !without, "{formula:?} {premise:?} on {prefix:?} {cycle:?}");
                stronger += usize::from(whole && !without);
            }
        }
    });
    assert!(std::env::var("ARGOS_SEED").is_ok() || premises > 2_000 && stronger > 2_000);
}
