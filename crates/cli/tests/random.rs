//! Random PROMELA models: argos counts the states and errors that SPIN's verifier
//! counts. Needs `spin` and `gcc`; `tcc` makes it five times as fast.

use std::fs;
use std::path::{Path, PathBuf};
use testkit::argos;
use testkit::judge::{Judge, Judgement, judge, keep};

/// Models of one run of the tests; `cargo xtask conformance --random` does more.
const MODELS: usize = 200;
/// Not the seeds of the document.
const SEED: u64 = 1_000_000;

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random");
    fs::create_dir_all(&folder).expect("the scratch directory is ours");
    folder
}

fn arbiter() -> Judge {
    Judge::new(&argos::path(), &folder())
}

#[test]
fn random_models_have_the_states_and_errors_that_spin_finds() {
    let arbiter = arbiter();
    let outcomes = judge(&arbiter, SEED, MODELS);
    let compared = outcomes.iter().filter(|it| it.judgement.compared()).count();
    assert!(compared >= MODELS, "{compared} models compared; is spin installed?");
    let mut wrong = Vec::new();
    for outcome in &outcomes {
        if let Judgement::Differs { way, told } = &outcome.judgement {
            let file = keep(&arbiter, outcome, way, told, &folder()).expect("a writable folder");
            wrong.push(format!("seed {}: {told}\n  {}", outcome.seed, file.display()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let agreed = outcomes.iter().filter(|it| matches!(it.judgement, Judgement::Agrees { .. }));
    assert!(agreed.count() > MODELS * 9 / 10, "most models are compared in full");
}

/// The first line of each model says what the two say, and they do not say the same.
#[test]
fn what_differs_from_spin_differs_as_written() {
    let arbiter = arbiter();
    let place = testkit::root().join("corpus/promela/differences");
    let mut models: Vec<PathBuf> =
        fs::read_dir(place).expect("the corpus").map(|it| it.expect("readable").path()).collect();
    models.sort();
    assert!(models.len() > 4, "the corpus is there");
    for model in models {
        let text = fs::read_to_string(&model).expect("a readable model");
        let first = text.lines().next().unwrap_or_default();
        let told = arbiter.describe(&model);
        if std::env::var_os("ARGOS_BLESS").is_some() {
            let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
            fs::write(&model, format!("/* {told} */\n{rest}")).expect("a writable model");
            continue;
        }
        assert_eq!(first, format!("/* {told} */"), "{}", model.display());
        let (spin, ours) = told.split_once("; argos ").expect("both");
        assert_ne!(spin, format!("SPIN {ours}"), "{}", model.display());
    }
}
