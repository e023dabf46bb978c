//! The reference interpreter on the small models of the corpus: as many states as
//! SPIN's verifier stores and matches, which the first line of each model says.

mod count;

use count::spin_counts;
use program::reference::{Problem, Rest, Rules};
use program::{ClaimKind, Program};
use std::fs;
use std::path::Path;
use testkit::NoFiles;

/// Models without a figure to compare: embedded C, and formulas, whose automata
/// are not SPIN's.
const APART: [&str; 3] = ["m60_c_code.pml", "m76_stutter.pml", "m99_progress_f.pml"];

fn read(name: &str, text: &str) -> Result<Program, String> {
    let input = preprocess::Input { name, bytes: text.as_bytes() };
    let lowered = promela::read(input, &preprocess::Options::default(), &NoFiles);
    let complaints = lowered.diagnostics.iter().map(|found| found.message.clone());
    let complaints = complaints.collect::<Vec<_>>().join("; ");
    lowered.program.ok_or(complaints)
}

/// Stored and matched as the first line has them.
fn expected(text: &str) -> Option<(usize, usize)> {
    let figures = text.strip_prefix("/* spin-counts: ")?;
    let mut figures = figures.split([' ', ';']).map(str::parse);
    match (figures.next()?, figures.next()?) {
        (Ok(stored), Ok(matched)) => Some((stored, matched)),
        _ => None,
    }
}

/// What is wrong with the model `name`, if anything.
fn complaint(name: &str, text: &str) -> Option<String> {
    let expected = expected(text)?;
    let program = match read(name, text) {
        Ok(program) => program,
        Err(complaints) => return Some(format!("{name}: not read: {complaints}")),
    };
    let flaws = program::verify(&program);
    if !flaws.is_empty() {
        return Some(format!("{name}: {}", flaws.join("; ")));
    }
    let claim = program.claims.first().and_then(|claim| match claim.kind {
        ClaimKind::Never(id) => Some(id),
        ClaimKind::Ltl(_) => None,
    });
    let rules = Rules { spin_counts: true, claim, ..Rules::default() };
    let found = count::count(&program, &rules).figures();
    (found != expected).then(|| format!("{name}: found {found:?}, SPIN {expected:?}"))
}

fn check(folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/promela").join(folder);
    let mut complaints = Vec::new();
    let mut models: Vec<_> = fs::read_dir(folder).expect("the corpus").flatten().collect();
    models.sort_by_key(fs::DirEntry::file_name);
    for model in models {
        let name = model.file_name().to_string_lossy().into_owned();
        if name.ends_with(".pml") && !APART.contains(&name.as_str()) {
            let text = fs::read_to_string(model.path()).expect("a readable model");
            complaints.extend(complaint(&name, &text));
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn the_small_models_have_the_states_that_spin_finds() {
    check("mini");
}

#[test]
fn the_corners_of_the_semantics_are_those_of_spin() {
    check("semantics");
}

/// What the model `name` of the corpus has under other rules.
fn under(folder: &str, name: &str, rules: Rules) -> count::Count {
    let path = format!("{}/../../corpus/promela/{folder}/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).expect("a readable model");
    count::count(&read(name, &text).expect("it reads"), &rules)
}

#[test]
fn the_innermost_escape_can_come_first() {
    let rules = Rules { spin_counts: true, inner_unless_first: true, ..Rules::default() };
    let found = under("semantics", "unless_nested.pml", rules);
    assert_eq!(found.figures(), (54, 28), "as with -J");
}

#[test]
fn channels_can_be_asked_to_be_empty_at_the_end() {
    let rules = Rules { spin_counts: true, queues_empty_at_end: true, ..Rules::default() };
    let found = under("mini", "m28_nonempty_end.pml", rules);
    assert_eq!((found.figures(), found.rests), ((7, 1), vec![Rest::MessagesLeft]), "as with -q");
}

#[test]
fn full_channels_can_lose_messages() {
    let text = "chan q = [1] of { byte }; byte x;
        active proctype S() { q!1; q!2; q!3 }
        active proctype R() { byte v; do :: q?v -> x = v :: timeout -> break od }";
    let rules = Rules { spin_counts: true, lossy_sends: true, ..Rules::default() };
    let found = count::count(&read("lossy", text).expect("it reads"), &rules);
    assert_eq!(found.figures(), (34, 5), "as with -m");
}

#[test]
fn a_division_by_zero_is_reported() {
    let text = "byte a, b; active proctype P() { a = 4; a = a / b; b = 1 }";
    let program = read("division", text).expect("it reads");
    assert_eq!(spin_counts(&program).problems(), [Problem::DivisionByZero]);
}
