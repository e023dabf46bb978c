//! Formulas that make translators explode: each ends soon, with an automaton or a limit.

mod support;

use ltl::{Automaton, Formula, TooLarge, degeneralise, determinise_terminal, translate};
use std::time::{Duration, Instant};
use support::random_formula;
use testkit::for_seeds;

/// Far above what any of them takes.
const TIME_MAX: Duration = Duration::from_secs(30);

/// Everything that is done with a formula and its negation; what comes of the formula.
fn run(what: &str, formula: &Formula) -> Result<Automaton, TooLarge> {
    let start = Instant::now();
    let results = [formula.clone(), formula.clone().negated()].map(|formula| {
        let automaton = translate(&formula)?;
        degeneralise(&automaton);
        determinise_terminal(&automaton);
        Ok(automaton)
    });
    assert!(start.elapsed() < TIME_MAX, "{what} took {:?}", start.elapsed());
    let [result, _] = results;
    result
}

/// As `run`, where it does not matter what comes of it.
fn ends(what: &str, formula: &Formula) {
    let _ = run(what, formula);
}

fn atom(number: usize) -> Box<Formula> {
    Box::new(Formula::Atom(number as u32 % 64))
}

/// Nests an operator `depth` levels deep.
fn nested(depth: usize, operator: impl Fn(usize, Box<Formula>) -> Formula) -> Formula {
    (0..depth).fold(*atom(0), |inner, level| operator(level, Box::new(inner)))
}

#[test]
fn deep_nesting() {
    ends("until right", &nested(200, |level, inner| Formula::Until(atom(level), inner)));
    ends("until left", &nested(200, |level, inner| Formula::Until(inner, atom(level))));
    ends("weak until", &nested(200, |level, inner| Formula::WeakUntil(inner, atom(level))));
    ends("release", &nested(200, |level, inner| Formula::Release(atom(level), inner)));
    ends("equivalent", &nested(200, |level, inner| Formula::Equivalent(atom(level), inner)));
    ends("next", &nested(200, |_, inner| Formula::Next(inner)));
    ends("not", &nested(200, |_, inner| inner.negated()));
    ends(
        "eventually, and",
        &nested(100, |level, inner| {
            Formula::Eventually(Box::new(Formula::And(atom(level), inner)))
        }),
    );
    ends(
        "always, eventually",
        &nested(66, |level, inner| {
            let both = Formula::Or(atom(level), Box::new(Formula::Eventually(inner)));
            Formula::Always(Box::new(both))
        }),
    );
}

/// A formula for each atom below a number, joined.
fn joined(
    count: usize,
    join: impl Fn(Box<Formula>, Box<Formula>) -> Formula,
    part: impl Fn(usize) -> Formula,
) -> Formula {
    (1..count).fold(part(0), |all, number| join(Box::new(all), Box::new(part(number))))
}

#[test]
fn many_conjuncts() {
    let recurs = |number| Formula::Always(Box::new(Formula::Eventually(atom(number))));
    for count in [4, 8, 12, 30, 64] {
        ends(&format!("{count} recurrences"), &joined(count, Formula::And, recurs));
    }
    let twelve = run("12", &joined(12, Formula::And, recurs)).expect("one state");
    assert_eq!((twelve.states.len(), twelve.edge_count(), twelve.sets), (1, 4096, 12));
    let responds = |number: usize| {
        let response = Box::new(Formula::Eventually(atom(number + 1)));
        Formula::Always(Box::new(Formula::Implies(atom(number), response)))
    };
    for count in [4, 8, 12, 63] {
        ends(&format!("{count} responses"), &joined(count, Formula::And, responds));
    }
    let fair = |number: usize| {
        Formula::Implies(Box::new(recurs(2 * number)), Box::new(recurs(2 * number + 1)))
    };
    for count in [4, 8, 30] {
        ends(&format!("{count} strong fairness"), &joined(count, Formula::And, fair));
    }
    let later = |number: usize| nested(number % 12, |_, inner| Formula::Next(inner));
    ends("64 eventualities", &joined(64, Formula::And, |it| Formula::Eventually(atom(it))));
    ends("64 nexts", &joined(64, Formula::Equivalent, later));
    ends("64 equivalences", &joined(64, Formula::Equivalent, |it| *atom(it)));
    ends("64 untils", &joined(64, Formula::Until, |it| *atom(it)));
}

#[test]
fn too_deep_and_too_many_atoms_are_said() {
    let deep = nested(5_000, |_, inner| Formula::Next(inner));
    assert_eq!(
        translate(&deep).expect_err("too deep").to_string(),
        "the formula needs more than 400 levels of operators"
    );
    let atom = Formula::Atom(64);
    assert_eq!(
        translate(&atom).expect_err("a letter has 64 bits").to_string(),
        "the formula needs more than 64 atoms"
    );
}

#[test]
fn random_formulas_of_eight_levels() {
    for_seeds(0..100, |seed, random| ends(&format!("{seed}"), &random_formula(random, 8)));
}
