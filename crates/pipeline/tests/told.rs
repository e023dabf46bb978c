//! What a run says of itself: the changes of its steps lead from state to state, and what could
//! have been done instead of each is what the reference interpreter offered there.

use pipeline::{Choice, Dice, Memory, Options, Run, Source, load, simulate, tell_others_of_run};
use std::collections::BTreeSet;
use std::fs;
use testkit::files;
use trace::Snapshot;

const STEPS: usize = 60;

/// Two variables of these have one name in reports: of two calls of an `inline`, and of two
/// elements of an array of structures.
const AMBIGUOUS: [&str; 2] = ["m44_inline.pml", "m52_typedef.pml"];

/// Runs a model at random; `None` where it has errors or no start.
fn simulated(file: &std::path::Path, seed: u64, check: impl Fn(&str, &mut dyn Run, u64)) -> bool {
    let name = file.display().to_string();
    let text = fs::read(file).expect("readable");
    let options = Options::default();
    let loaded = load(Source::new(&name, &text), &options, &Memory::default());
    match simulate(&loaded, &options, None) {
        Some(Ok(mut run)) => check(&name, &mut *run, seed),
        _ => return false,
    }
    true
}

/// Compares the run with what was offered while it was made.
fn compare(name: &str, run: &mut dyn Run, seed: u64) {
    let mut dice = Dice::new(seed);
    let mut offered: Vec<(String, BTreeSet<String>)> = Vec::new();
    let mut states = vec![run.snapshot()];
    while run.steps() < STEPS {
        let choices = run.choices();
        // The dots stand for the rest of a sequence.
        let text = |it: &Choice| format!("{}: {}", it.process, it.action.trim_end_matches(" ..."));
        let texts: Vec<String> = choices.iter().map(text).collect();
        let Some(index) = (dice.roll() as usize).checked_rem(texts.len()) else { break };
        if !run.take(index) {
            break;
        }
        let chosen = texts[index].clone();
        offered.push((chosen, texts.into_iter().collect()));
        states.push(run.snapshot());
    }
    let mut scenario = run.scenario();
    assert_eq!(tell_others_of_run(&mut scenario, run), 0, "{name}: all steps say it");
    let mut state = scenario.initial.clone();
    let mut events = scenario.trace.iter();
    for (step, count) in run.events_of_steps().into_iter().enumerate() {
        let own: Vec<_> = events.by_ref().take(count).collect();
        own.iter().for_each(|event| state.apply(&event.changes));
        let place = format!("{name}, seed {seed}, step {}", step + 1);
        // A step that fails halfway is told up to where it failed.
        if own.iter().all(|event| !event.violates) {
            assert_eq!(facts(&state), facts(&states[step + 1]), "{place}");
        }
        let Some(first) = own.first() else { continue };
        // Behind the first statement a sequence may part from others once more.
        let (chosen, all) = &offered[step];
        let wanted = all.iter().filter(|it| *it != chosen);
        let told: BTreeSet<String> =
            first.others.iter().filter(|it| *it != chosen).cloned().collect();
        assert_eq!(bare(told.iter()), bare(wanted), "{place}");
    }
}

/// All that a state says, one line each. A process is called `P` until there is a second `P`, and
/// `P:0` in a longer run: the numbers are left out.
fn facts(state: &Snapshot) -> Vec<String> {
    let at = state.at.iter().map(|(name, node)| format!("{name} at {node}"));
    let queues = state.queues.iter().map(|(name, queue)| format!("{name} has {queue:?}"));
    let vars = state.vars.iter().map(|(name, value)| format!("{name} is {value}"));
    let words = state.words.iter().map(|(name, word)| format!("{name} means {word}"));
    let all: Vec<String> = at.chain(queues).chain(vars).chain(words).collect();
    bare(all.iter())
}

/// Texts in order, without the numbers of processes.
fn bare<'a>(texts: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut all: Vec<String> = texts.map(|text| without_numbers(text)).collect();
    all.sort();
    all
}

/// `P:12: x = 1` is `P: x = 1`.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(':') {
        let number = behind.chars().take_while(char::is_ascii_digit).count();
        out.push_str(before);
        if number == 0 {
            out.push(':');
        }
        rest = &behind[number..];
    }
    out + rest
}

#[test]
fn runs_of_the_corpus_say_what_the_interpreter_does() {
    let mut models = 0;
    for folder in ["corpus/promela", "corpus/papers", "corpus/faulty", "corpus/live"] {
        let all = files(folder, &["argos", "pml"]);
        for file in all.iter().filter(|file| !AMBIGUOUS.iter().any(|name| file.ends_with(name))) {
            for seed in 0..3 {
                models += u32::from(simulated(file, seed, compare));
            }
        }
    }
    assert!(models > 300, "{models}");
}
