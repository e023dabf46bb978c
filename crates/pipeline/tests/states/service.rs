//! Random Argos models with random assertions: whether the service of one can be performed, against
//! a search of the reference interpreter that drops the steps it forbids.

use crate::{LOSSY, PARTS, STATES_MAX, WHOLE, checked, undirected};
use automata::reference::{self, Outcome};
use automata::{BuildOptions, DefaultRule, Network, Rules, TimeoutRule};
use base::IdVec;
use pipeline::{Default_, Options, SavedTrace, Search, Store, Timeout};
use preprocess::Input;
use report::{PropertyVerdict, Verdict};
use std::collections::HashMap;
use std::num::NonZeroU32;
use testkit::{NoFiles, Random, for_seeds, protocol};

const SAMPLES: u64 = 2000;
const ASSERTIONS: usize = 2;

/// What a naive search says of a service.
struct Naive {
    /// The fewest steps to where it is performed.
    performed: Option<usize>,
    /// Some step of an allowed run divides by zero.
    has_faults: bool,
}

fn event(random: &mut Random) -> String {
    let sign = if random.chance(60) { "!" } else { "?" };
    format!("c{}{sign}m{}", random.below(2), random.below(3))
}

/// An assertion that ends, of a few events.
fn assertion(random: &mut Random) -> String {
    let part = |random: &mut Random| match random.below(5) {
        0 => format!("if :: {} :: {} fi", event(random), event(random)),
        1 => format!("do :: {} :: {}; break od", event(random), event(random)),
        2 => format!("if :: {} :: skip fi", event(random)),
        _ => event(random),
    };
    let parts: Vec<String> = (0..1 + random.below(3)).map(|_| part(random)).collect();
    format!("assert {{ {} }}\n", parts.join("; "))
}

/// How the model is read, under the rules of the options.
fn build(options: &Options) -> BuildOptions {
    let timeout = match options.timeout {
        Timeout::Last => TimeoutRule::Last,
        Timeout::Empty => TimeoutRule::Empty,
        Timeout::Any => TimeoutRule::Any,
        Timeout::Off => TimeoutRule::Off,
    };
    let default_receive = match options.default {
        Default_::Any => DefaultRule::Any,
        Default_::Else => DefaultRule::Else,
    };
    let rules = Rules { timeout, default_receive, ..Rules::default() };
    BuildOptions { rules, ..BuildOptions::default() }
}

/// Every state of the runs that the assertion allows, unless there are too many.
fn explored(text: &str, number: usize, options: &Options) -> Option<Naive> {
    let input = Input { name: "random.argos", bytes: text.as_bytes() };
    let model = argos::read(input, &preprocess::Options::default(), &NoFiles).model?;
    let whole = automata::build(&model, &build(options));
    let observer = whole.observers.iter().nth(number)?.clone();
    let end = observer.machine().end;
    let network = Network { observers: IdVec::from_iter([observer]), ..whole };
    let first = reference::initial(&network);
    let mut known = HashMap::from([(first.clone(), 0)]);
    let (mut worlds, mut at) = (vec![first], 0);
    let mut naive = Naive { performed: None, has_faults: false };
    while let Some(world) = worlds.get(at).cloned() {
        let distance = known[&world];
        if world.seen.iter().any(|set| set.contains(&end)) {
            naive.performed = naive.performed.or(Some(distance));
        }
        for step in reference::moves(&network, &world) {
            match reference::apply(&network, &world, step) {
                Outcome::DivisionByZero => naive.has_faults = true,
                Outcome::Violation(..) => {}
                Outcome::World(next) => {
                    if !known.contains_key(&next) {
                        known.insert(next.clone(), distance + 1);
                        worlds.push(next);
                    }
                }
            }
        }
        at += 1;
        if worlds.len() > STATES_MAX {
            return None;
        }
    }
    Some(naive)
}

/// A service, searched for in some way that is complete, or in one that is not.
fn asked(random: &mut Random, number: usize, is_whole: bool) -> Options {
    let name = if random.chance(50) { "assert " } else { "" };
    let options = Options {
        within: Some(format!("{name}{}", number + 1)),
        engine: random.one_of(&crate::ENGINES),
        no_minimise: random.chance(30),
        timeout: random.one_of(&[Timeout::Last, Timeout::Last, Timeout::Any, Timeout::Empty]),
        default: random.one_of(&[Default_::Any, Default_::Else]),
        threads: NonZeroU32::new(1 + random.below(2) as u32),
        ..Options::default()
    };
    let (bounded, lossy) = (random.chance(30), random.chance(30));
    match (is_whole, bounded, lossy) {
        (true, _, full) => {
            let store = if full { Store::Full } else { Store::Compact };
            Options { search: random.one_of(&WHOLE), store, ..options }
        }
        (false, true, _) => {
            Options { search: Search::Bfs, depth: Some(random.below(6)), ..options }
        }
        (false, _, true) => {
            let memory = Some(1 << 24);
            Options { store: random.one_of(&LOSSY), search: Search::Dfs, memory, ..options }
        }
        (false, false, false) => Options { search: random.one_of(&PARTS), ..options },
    }
}

/// Judges a report; whether the service can be performed.
fn compare(report: &report::Report, naive: &Naive, options: &Options, told: &str) -> bool {
    let [property] = report.properties.as_slice() else { panic!("one service\n{told}") };
    let is_whole = WHOLE.contains(&options.search) && !LOSSY.contains(&options.store);
    let may_end = is_whole && !naive.has_faults;
    let fits = match (naive.performed, property.verdict) {
        (Some(_), PropertyVerdict::Reached) => report.verdict == Verdict::Possible,
        (None, PropertyVerdict::Unreached) => report.verdict == Verdict::Impossible && may_end,
        (Some(_), PropertyVerdict::Unknown) => !is_whole || options.depth.is_some(),
        (None, PropertyVerdict::Unknown) => !may_end || options.depth.is_some(),
        _ => false,
    };
    let verdicts = (property.verdict, report.verdict);
    assert!(fits, "{verdicts:?}, {:?}\n{told}", naive.performed);
    if let Some(witness) = report.witnesses.first() {
        if witness.length == "shortest" {
            assert_eq!(Some(witness.steps), naive.performed, "{told}");
        }
        let saved = SavedTrace::of_error(report, options, 0).expect("there is a run");
        let replayed = pipeline::replay_saved(&saved, 0, &saved.load());
        let replayed = replayed.unwrap_or_else(|why| panic!("{why}\n{told}"));
        assert_eq!(replayed.scenario.trace.len(), witness.scenario.trace.len(), "{told}");
    }
    naive.performed.is_some()
}

#[test]
fn services() {
    let (mut possible, mut impossible) = (0, 0);
    for_seeds(0..SAMPLES, |_, random| {
        let mut text =
            if random.chance(50) { protocol::protocol } else { protocol::endless }(random);
        (0..ASSERTIONS).for_each(|_| text.push_str(&assertion(random)));
        for is_whole in [true, false] {
            let number = random.below(ASSERTIONS as u64) as usize;
            let options = undirected(asked(random, number, is_whole));
            let Some(naive) = explored(&text, number, &options) else { return };
            let told = format!("{options:?}\n{text}");
            let report = checked("random.argos", &text, &options);
            match compare(&report, &naive, &options, &told) {
                true => possible += 1,
                false => impossible += 1,
            }
        }
    });
    assert!(possible > SAMPLES / 10 && impossible > SAMPLES / 10, "{possible} {impossible}");
}
