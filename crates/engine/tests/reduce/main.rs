//! Reductions change how many states a program has, and nothing else: on the whole
//! corpus and on random models the reduced program fails at the same edges, rests
//! where the plain one rests, and executes what it executes.

mod explore;
mod traps;

use explore::{explore, explore_inward};
use preprocess::{Input, Options};
use program::reference::Rules;
use program::{ClaimKind, Kept, Program, Reductions, reduce};
use std::path::{Path, PathBuf};
use testkit::Folder;
use testkit::Random;
use testkit::promela::reducible::model;

/// Random models that are compared.
const SAMPLES: u64 = 400;
/// Plain states beyond which a model is not compared.
const STATES_MAX: usize = 1500;

/// The model in a text; what is wrong with it if it is none.
fn parse(name: &str, text: &[u8], folder: &Path) -> Result<Program, String> {
    let input = Input { name, bytes: text };
    let lowered = promela::read(input, &Options::default(), &Folder::new(folder));
    lowered.program.ok_or_else(|| format!("{:?}", lowered.diagnostics))
}

/// The seven ways to reduce.
fn ways() -> impl Iterator<Item = Reductions> {
    (1..8).map(|bits| Reductions {
        kept: Kept::Failures,
        hide: bits & 1 != 0,
        dead_reset: bits & 2 != 0,
        merge: bits & 4 != 0,
    })
}

/// Without a claim and with each.
fn rules(program: &Program) -> Vec<Rules> {
    let claims = program.claims.iter().filter_map(|claim| match claim.kind {
        ClaimKind::Never(id) => Some(Some(id)),
        ClaimKind::Ltl(_) => None,
    });
    let with = |claim| Rules { claim, ..Rules::default() };
    let odd = Rules { queues_empty_at_end: true, lossy_sends: true, ..Rules::default() };
    claims.map(with).chain([Rules::default(), odd]).collect()
}

/// Compares a program with all its reduced forms. How many states it has, and how
/// many with all reductions; none if there are too many.
fn compare(name: &str, program: &Program) -> Option<(usize, usize)> {
    let mut counts = None;
    for rules in rules(program) {
        let (plain, states) = explore(program, &rules, STATES_MAX)?;
        for way in ways().filter(|way| rules.claim.is_none() || !way.merge) {
            let reduced = reduce(program, way);
            assert_eq!(program::verify(&reduced), Vec::<String>::new(), "{name} {way:?}");
            let again = explore(&reduced, &rules, states);
            let Some((found, fewer)) = again else {
                panic!("{name} {way:?} {rules:?}: more than {states} states\n{reduced}");
            };
            assert_eq!(found, plain, "{name} {way:?} {rules:?}\n{reduced}");
            if way == Reductions::ALL && rules == Rules::default() {
                counts = Some((states, fewer));
            }
        }
    }
    counts
}

/// Compares a program and its reduced forms with what they do where who is about its own
/// business goes first: the same failures, rests and executed edges, never more states.
/// Whether there were fewer for some form; none if there are too many.
fn compare_inward(name: &str, program: &Program) -> Option<bool> {
    let mut fewer = false;
    for rules in rules(program).into_iter().filter(|rules| rules.claim.is_none()) {
        for way in [Reductions::NONE, Reductions::ALL] {
            let form = reduce(program, way);
            let (all, states) = explore(&form, &rules, STATES_MAX)?;
            let Some((some, kept)) = explore_inward(&form, &rules, states) else {
                panic!("{name} {way:?} {rules:?}: more than {states} states\n{form}");
            };
            assert_eq!(some, all, "{name} {way:?} {rules:?}\n{form}");
            fewer |= kept < states;
        }
    }
    Some(fewer)
}

#[test]
fn internal_actions_first_keep_the_errors_of_random_models() {
    let (mut compared, mut smaller) = (0, 0);
    for seed in 0..SAMPLES {
        let text = model(&mut Random::new(seed));
        let Ok(program) = parse("random.pml", text.as_bytes(), Path::new("")) else { continue };
        if let Some(fewer) = compare_inward(&text, &program) {
            compared += 1;
            smaller += u64::from(fewer);
        }
    }
    assert!(compared >= SAMPLES / 2, "only {compared} models were small enough");
    assert!(smaller * 10 >= compared, "only {smaller} of {compared} have fewer states");
}

#[test]
fn internal_actions_first_keep_the_errors_of_the_corpus() {
    let mut compared = 0;
    for path in corpus() {
        let text = std::fs::read(&path).expect("a readable model");
        let folder = path.parent().expect("models stand in folders");
        let Ok(program) = parse("corpus", &text, folder) else { continue };
        compared += usize::from(compare_inward(&path.display().to_string(), &program).is_some());
    }
    assert!(compared >= 120, "only {compared} compared");
}

fn corpus() -> Vec<PathBuf> {
    testkit::files("corpus/promela", &["pml"])
}

#[test]
fn the_corpus_keeps_its_errors() {
    let (mut compared, mut smaller) = (0, 0);
    for path in corpus() {
        let text = std::fs::read(&path).expect("a readable model");
        let name = path.display().to_string();
        let folder = path.parent().expect("models stand in folders");
        let Ok(program) = parse(&name, &text, folder) else { continue };
        if let Some((plain, reduced)) = compare(&name, &program) {
            compared += 1;
            smaller += usize::from(reduced < plain);
        }
    }
    assert!(compared >= 120 && smaller >= 50, "{compared} compared, {smaller} smaller");
}

#[test]
fn random_models_keep_their_errors() {
    let (mut compared, mut smaller) = (0, 0);
    for seed in 0..SAMPLES {
        let text = model(&mut Random::new(seed));
        let Ok(program) = parse("random.pml", text.as_bytes(), Path::new("")) else { continue };
        if let Some((plain, reduced)) = compare(&text, &program) {
            compared += 1;
            smaller += u64::from(reduced < plain);
        }
    }
    assert!(compared >= SAMPLES / 2, "only {compared} models were small enough");
    assert!(smaller * 2 >= compared, "only {smaller} of {compared} have fewer states");
}
