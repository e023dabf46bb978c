//! Random systems and random automata: every answer against the definition, every run judged.
//!
//! Who judges the judges: each of these breaks was tried on a copy, and a test here failed.
//! Components: weak fairness not asked for; the edge that enters a component not counted, nor
//! the processes that move by it; a component finished without a cycle taken for one; the parts
//! of a component left unsearched under strong fairness, or searched with the states where
//! somebody starves. Runs: a tour that does not go home, or does not meet who starves.

mod judge;
#[path = "../../../ltl/tests/support/mod.rs"]
mod support;
mod toy;

use judge::Case;
use ltl::{Automaton, Cube, Edge, Formula, State, translate};
use testkit::{Random, for_seeds};
use toy::{Toy, random_automaton};

/// Systems per test.
const SYSTEMS: u64 = 60_000;

/// Judges one system, and counts the violations for each kind of fairness if it is known who
/// takes part in what.
fn judge(
    random: &mut Random,
    automaton: &Automaton,
    formula: Option<&Formula>,
    counts: &mut [usize; 3],
) {
    let toy = Toy::random(random);
    let participants = random.chance(80);
    let case = Case::new(&toy, automaton, formula, participants);
    let verdicts = case.judge(random, participants);
    if random.chance(10) {
        case.again(random).judge_part(&verdicts, random);
    }
    for (count, violated) in counts.iter_mut().zip(verdicts).filter(|_| participants) {
        *count += usize::from(violated);
    }
}

/// There are many of each kind, and fairness makes a difference.
fn assert_mixed(counts: [usize; 3]) {
    let [none, weak, strong] = counts;
    assert!(strong > 5_000 && none > weak + 150 && weak > strong + 100, "{counts:?}");
}

#[test]
fn formulas() {
    let mut counts = [0; 3];
    for_seeds(0..SYSTEMS, |_, random| {
        let formula = support::random_formula(random, 3);
        let automaton = translate(&formula).expect("a small formula");
        judge(random, &automaton, Some(&formula), &mut counts);
    });
    assert_mixed(counts);
}

/// Formulas that only infinite words decide.
#[test]
fn formulas_of_recurrence() {
    let mut counts = [0; 3];
    for_seeds(0..SYSTEMS, |_, random| {
        let mut formula = recurrence(random);
        for _ in 0..random.below(3) {
            let (a, b) = (Box::new(formula), Box::new(recurrence(random)));
            formula = if random.chance(70) { Formula::And(a, b) } else { Formula::Or(a, b) };
        }
        let automaton = translate(&formula).expect("a small formula");
        judge(random, &automaton, Some(&formula), &mut counts);
    });
    assert_mixed(counts);
}

/// Something for ever again, or at last for ever.
fn recurrence(random: &mut Random) -> Formula {
    let inner = Box::new(support::random_formula(random, 1));
    if random.chance(70) {
        Formula::Always(Box::new(Formula::Eventually(inner)))
    } else {
        Formula::Eventually(Box::new(Formula::Always(inner)))
    }
}

#[test]
fn automata_of_no_formula() {
    let mut counts = [0; 3];
    for_seeds(0..SYSTEMS, |_, random| {
        let automaton = random_automaton(random);
        judge(random, &automaton, None, &mut counts);
    });
    assert_mixed(counts);
}

/// As many acceptance sets as there can be, one met by each edge.
#[test]
fn sixty_four_acceptance_sets() {
    for missing in [false, true] {
        let edge = |set: u32| Edge {
            label: Cube::TRUE,
            target: (set + 1) % 64,
            marks: if missing && set == 63 { 0 } else { 1 << set },
        };
        let states = (0..64).map(|set| State { edges: vec![edge(set)] }).collect();
        let automaton = Automaton { states, initial: 0, sets: 64 };
        for_seeds(0..20, |_, random| {
            let toy = Toy::random(random);
            let case = Case::new(&toy, &automaton, None, true);
            assert_eq!(case.judge(random, true)[0], !missing);
        });
    }
}
