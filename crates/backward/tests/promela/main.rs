//! Backward against forward, on PROMELA: on random models of the subset every potential
//! error is reachable backwards iff some state of a naive search of the reference
//! interpreter is that error, and the steps found lead into such a state. The same on
//! every model of the corpus that has a reversed form; what has none is refused.
//!
//! Who judges the judge: each of these breaks was tried, and found. A state within an
//! atomic sequence that everybody sees; a sequence that cannot be entered backwards; an
//! `else` that asks nobody; an offer that is refused for its name only; an `eval` that is
//! not compared; a field that is claimed and taken for free. Fields that are cut when they
//! are stored and elements with a computed index are too rare and have a test of their own.

#[path = "../tally/mod.rs"]
mod tally;

use backward::{
    Decided, Limits, Lowered, Position, Scope, Suspect, Target, Tricks, Unfit, Verdict, decide,
    decide_target, of_program, suspects,
};
use base::Purpose;
use preprocess::Further;
use program::Program;
use program::reference::{Rest, Rules, at_rest, steps};
use search::Unwatched;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use tally::Tally;
use testkit::NoFiles;
use testkit::promela::reversible::model;
use testkit::{Random, naive};

/// Models that are compared.
const SAMPLES: usize = 400;
/// Larger state spaces are left out.
const STATES_MAX: usize = 1500;
/// A backward search may go so far; what is beyond is not compared, and counted.
const LIMITS: Limits = Limits { depth: None, states: Some(500), memory: None };

fn program(text: &str) -> Option<Program> {
    asked(text, None)
}

/// The same with a predicate behind it.
fn asked(text: &str, question: Option<&str>) -> Option<Program> {
    let input = preprocess::Input { name: "sample.pml", bytes: text.as_bytes() };
    let further = question.map(|question| {
        let (name, purpose) = (Purpose::Target.option().to_owned(), Some(Purpose::Target));
        Further::Text { name, text: question.to_owned(), purpose }
    });
    let further = further.into_iter().collect();
    let options = preprocess::Options { further, ..preprocess::Options::default() };
    promela::read(input, &options, &NoFiles).program
}

/// What the predicate behind a program is to backward execution.
fn target(program: &Program, lowered: &Lowered) -> Result<Target, Unfit> {
    let asked = &program.predicates[0];
    lowered.target(program, &asked.holds, &asked.written)
}

/// What a naive search finds.
struct Seen {
    errors: BTreeSet<Suspect>,
    worlds: Vec<backward::World>,
}

#[test]
fn backward_and_forward_agree_on_every_candidate() {
    let mut random = Random::new(1984);
    let mut tally = Tally::default();
    while tally.samples < SAMPLES {
        let text = model(&mut random);
        let Some(program) = program(&text) else { continue };
        let lowered = of_program(&program).unwrap_or_else(|unfit| panic!("{unfit:?}\n{text}"));
        let Some(seen) = seen(&program, &lowered) else { continue };
        tally.samples += 1;
        for tricks in tricks(tally.samples) {
            let decided = decide(&lowered.net, Scope::ALL, tricks, LIMITS, &mut Unwatched);
            let faults = compare(&program, &lowered, &decided, &seen.errors, &mut tally);
            assert!(faults.is_empty(), "{faults:#?} with {tricks:?}\n{text}");
        }
        let first = &lowered.net.machines.iter().next().expect("there is a process").name;
        let faults = targets(&text, first, &mut tally);
        assert!(faults.is_empty(), "{faults:#?}\n{text}");
    }
    println!("{tally:?}");
    assert!(tally.reachable > SAMPLES / 2 && tally.unreachable > SAMPLES, "{tally:?}");
    assert!(tally.bound * 5 < tally.reachable + tally.unreachable, "{tally:?}");
}

/// All improvements, and in turn none or one.
fn tricks(sample: usize) -> [Tricks; 2] {
    let turn = [
        Tricks::NONE,
        Tricks { invariants: true, ..Tricks::NONE },
        Tricks { share: true, ..Tricks::NONE },
        Tricks { subsume: true, ..Tricks::NONE },
    ];
    [Tricks::ALL, turn[sample % turn.len()]]
}

/// All states, and every error; nothing if that is too much.
fn seen(program: &Program, lowered: &Lowered) -> Option<Seen> {
    let rules = Rules::default();
    let (_, start) = lowered.opening(program)?;
    let mut errors = BTreeSet::new();
    let known = naive::search(start, STATES_MAX, |at, _| {
        let all = steps(program, &rules, &at.state);
        let still = all.is_empty();
        if still && matches!(at_rest(program, &rules, &at.state), Rest::InvalidEnd(_)) {
            errors.extend(suspects(&lowered.net, &at.world));
        }
        let going = all.iter().filter(|step| !step.ends);
        going.map(|step| lowered.after(at, step)).collect::<Vec<_>>()
    })?;
    Some(Seen { errors, worlds: known.into_keys().map(|at| at.world).collect() })
}

/// Every difference, in words.
fn compare(
    program: &Program,
    lowered: &Lowered,
    decided: &Decided,
    errors: &BTreeSet<Suspect>,
    tally: &mut Tally,
) -> Vec<String> {
    tally.compare(decided, errors, |decision| {
        let end = lowered.executed(program, &decision.trail, true);
        end.is_some_and(|(_, at)| is_error(program, lowered, &at, decision))
    })
}

fn is_error(
    program: &Program,
    lowered: &Lowered,
    at: &Position,
    decision: &backward::Decision,
) -> bool {
    let rules = Rules::default();
    steps(program, &rules, &at.state).is_empty()
        && matches!(at_rest(program, &rules, &at.state), Rest::InvalidEnd(_))
        && suspects(&lowered.net, &at.world).contains(&decision.suspect)
}

/// States that are asked for.
fn targets(text: &str, first: &str, tally: &mut Tally) -> Vec<String> {
    let first = match first.split_once(':') {
        Some((name, pid)) => format!("{name}[{pid}]"),
        None => first.to_owned(),
    };
    let questions = [
        format!("{first}@finish && len(c) == 1"),
        format!("{first}@end && a[0] == 1"),
        "x == 2 && !empty(c)".to_owned(),
        "y == 0 && a[1] != 0".to_owned(),
        "head(c) == ma && x != 1".to_owned(),
        "nempty(c) && head(c) != mb(1)".to_owned(),
        "head(c) == ma(x) && y == 1".to_owned(),
        "!(head(c) == 1(y)) && len(c) == 1".to_owned(),
    ];
    let mut faults = Vec::new();
    for question in questions {
        let Some(program) = asked(text, Some(&question)) else { continue };
        let lowered = of_program(&program).expect("it has a form without the question");
        let target = target(&program, &lowered).unwrap_or_else(|unfit| panic!("{unfit:?}\n{text}"));
        let Some(seen) = seen(&program, &lowered) else { continue };
        let net = &lowered.net;
        let decision = decide_target(net, &target, Tricks::ALL, LIMITS, &mut Unwatched);
        tally.count(decision.verdict);
        let real = seen.worlds.iter().any(|world| target.holds(net, world));
        let end = || lowered.executed(&program, &decision.trail, false);
        let right = match decision.verdict {
            Verdict::Reachable => real && end().is_some_and(|(_, at)| target.holds(net, &at.world)),
            Verdict::Unreachable => !real,
            Verdict::Bound => true,
        };
        if !right {
            faults.push(format!("{question}: {decision:?}, forward {real}"));
        }
    }
    faults
}

/// The models of the corpus, by name.
fn corpus(folder: &str) -> Vec<(PathBuf, String)> {
    let models = testkit::files(&format!("corpus/{folder}"), &["pml"]);
    let text = |path: &PathBuf| std::fs::read_to_string(path).expect("it can be read");
    models.into_iter().map(|path| (path.clone(), text(&path))).collect()
}

#[test]
fn backward_and_forward_agree_on_the_corpus() {
    let mut tally = Tally::default();
    for (path, text) in ["backward", "promela/mini"].into_iter().flat_map(corpus) {
        let Some(program) = program(&text) else { continue };
        let Ok(lowered) = of_program(&program) else { continue };
        let Some(seen) = seen(&program, &lowered) else { continue };
        tally.samples += 1;
        let decided = decide(&lowered.net, Scope::ALL, Tricks::ALL, LIMITS, &mut Unwatched);
        let faults = compare(&program, &lowered, &decided, &seen.errors, &mut tally);
        assert!(faults.is_empty(), "{faults:#?} in {}", path.display());
    }
    println!("{tally:?}");
    assert!(tally.samples > 30 && tally.reachable > 10 && tally.unreachable > 100, "{tally:?}");
}

/// Each construct beyond the subset with a word of what is said about it.
const REFUSED: [(&str, &str); 24] = [
    ("active [2] proctype P() { run Q() } proctype Q() { skip }", "`run` when other things"),
    ("init { run Q(); run Q() } proctype Q() { skip }", "`run` when other things"),
    ("active proctype P() { byte x; { x = 1; x = 2 } unless { x == 1 } }", "`unless`"),
    ("byte x; active proctype P() { d_step { x = 1; x = 2 } }", "`d_step`"),
    ("byte x; active proctype P() { skip } never { do :: x == 1 od }", "a never claim"),
    ("byte x; active proctype P() { skip } ltl p { [] (x == 0) }", "an ltl formula"),
    ("chan c = [1] of { byte }; active proctype P() { c!1 } trace { c!1 }", "event trace"),
    ("byte x; active proctype P() provided (x == 0) { skip }", "`provided`"),
    ("active proctype P() priority 2 { skip; set_priority(0, 3) }", "priority"),
    ("active D_proctype P() { skip }", "`D_proctype`"),
    ("chan c = [2] of { byte }; active proctype P() { c!!1 }", "sorted send"),
    ("chan c = [2] of { byte }; active proctype P() { c??1 }", "`??`"),
    ("chan c = [2] of { byte }; active proctype P() { byte x; c?<x> }", "`?<...>`"),
    ("chan c = [2] of { byte }; active proctype P() { c?[1] }", "`q?[...]`"),
    ("chan c = [1] of { chan }; active proctype P() { c!c }", "carries channels"),
    ("chan c = [1] of { byte }; active proctype P() { chan d; d = c; d!1 }", "channel"),
    ("chan c[2] = [1] of { byte }; active proctype P() { byte i; i = 1; c[i]!1 }", "index of `c`"),
    ("active proctype P() { _nr_pr == 1 }", "`_nr_pr`"),
    ("active proctype P() { skip; _last == 0 }", "`_last`"),
    ("active proctype P() { l: skip } active proctype Q() { P@l }", "another process"),
    ("byte x; active proctype P() { timeout || x == 1 }", "`timeout`"),
    (
        "byte a[2]; chan c = [1] of { byte }; active proctype P() { byte i; i = 1; c?a[i] }",
        "computed index",
    ),
    ("active proctype P() { skip } active proctype Q() { enabled(0) }", "`enabled`"),
    ("byte a[1]; active proctype P() { printf(\"%d\", pc_value(0)) }", "`pc_value`"),
];

#[test]
fn what_has_no_reversed_form_is_refused_where_it_stands() {
    let said = REFUSED.map(|(text, word)| match program(text).map(|p| of_program(&p)) {
        Some(Err(unfit)) if unfit.what.contains(word) => None,
        other => Some((text, other.map(|lowered| lowered.err()))),
    });
    let wrong: Vec<_> = said.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What comes before the last `run` of an atomic `init` is no part of the net.
#[test]
fn the_net_begins_when_all_processes_are_there() {
    let text = "byte x; chan c = [1] of { byte };
        proctype P(byte n) { c!n; c!n }
        init { x = 3; atomic { run P(7); x = 4; run P(8) }; c?x }";
    let program = program(text).expect("it is right");
    let lowered = of_program(&program).expect("it has a form");
    let names: Vec<&str> = lowered.net.machines.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["init", "P:1", "P:2"]);
    let (steps, at) = lowered.opening(&program).expect("it begins");
    assert_eq!((steps.len(), at.state.globals.iter().next()), (2, Some(&Arc::new(vec![4]))));
    let decided = decide(&lowered.net, Scope::ALL, Tricks::ALL, LIMITS, &mut Unwatched);
    let seen = seen(&program, &lowered).expect("it is small");
    let faults = compare(&program, &lowered, &decided, &seen.errors, &mut Tally::default());
    assert!(faults.is_empty() && !seen.errors.is_empty(), "{faults:?}");
}

#[test]
fn stored_fields_are_cut_and_computed_elements_told_apart() {
    let cut = "chan c = [1] of { byte, byte }; unsigned v : 2, w : 2;
        active proctype P() { c!6,7 } active proctype Q() { c?w,v; got: skip }";
    let element = "bit y; byte a[2]; active proctype Q() { y = 1; a[y] = 5; got: skip }";
    for (text, question, verdict) in [
        (cut, "Q@got && v == 3", Verdict::Reachable),
        (cut, "Q@got && w == 2", Verdict::Reachable),
        (cut, "Q@got && (v != 3 || w != 2)", Verdict::Unreachable),
        (element, "Q@got && a[1] == 5", Verdict::Reachable),
        (element, "Q@got && a[0] == 5", Verdict::Unreachable),
        (element, "Q@got && a[1] != 5", Verdict::Unreachable),
    ] {
        let program = asked(text, Some(question)).expect("it is right");
        let lowered = of_program(&program).expect("it has a form");
        let target = target(&program, &lowered).expect("it can begin there");
        for tricks in [Tricks::ALL, Tricks::NONE] {
            let found = decide_target(&lowered.net, &target, tricks, LIMITS, &mut Unwatched);
            assert_eq!(found.verdict, verdict, "{question}");
        }
    }
}
