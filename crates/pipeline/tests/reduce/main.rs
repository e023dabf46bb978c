//! What reductions must keep, on random programs and networks and on the corpus: every state for sleep
//! sets, whatever the store forgets; every blocked state; whether each requirement fails.
//! And what systems say of their steps: that independent ones commute; and that what packed
//! forms leave out is met all the same.
//!
//! Who judges the judges: each of these breaks was tried on a copy, and tests of this folder
//! failed. In the searches: line 14 of the sleep sets keeping what depends on the step; ample
//! sets without their proviso. In the footprints: no write of variables, no look for an
//! `else`, behind an escape, for a send that finds no room, for a poll, for a rendezvous that
//! nobody takes; sorted sends as plain ones; `timeout` as any test; no trace of the end of a
//! process; what stops an atomic sequence in the middle left out; outlooks without the looks
//! of an `else`; no trace of the events of a `trace`, now or later; the numbers of processes,
//! or messages that go with one, not asked for before it ends alone. In what packed forms leave out: steps behind the one that discovered a state
//! as well; footprints without what other edges of the place look at; steps that commute
//! one way only; unseen sequences with the footprint of their first edge. That a receive
//! changes the messages of a channel was not missed, for it changes their number as well.
//! Lines 11 and 21 of the sleep sets, which these programs have too few cycles
//! for, are judged in `search`.

mod bare;
mod checked;
#[path = "../judges/generator.rs"]
mod generator;
mod naive;
mod networks;
#[path = "../judges/print.rs"]
mod print;
mod shared;
mod unordered;

use bare::bare;
use checked::{Checked, Spied};
use engine::program::{Executor, Knowledge, PackedProgram, pack};
use naive::Naive;
use preprocess::Input;
use program::Program;
use program::reference::Rules;
use search::{
    CacheRequest, Order, Outcome, Plan, Reduce, Replace, Request, StoreKind, Unwatched, Why,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use system::{Dependency, LastStatement, System};
use testkit::Folder;
use testkit::Random;
use testkit::promela::dependent::model;

/// Random programs per test below; there are four.
const SAMPLES: u64 = 12_500;
/// States beyond which a random program is not judged.
const STATES_MAX: usize = 150;
/// A store of the path visits states again and again: only tiny spaces, and not for ever.
const TINY: usize = 40;
const PATH_STATES_MAX: u64 = 4_000;

const RELATIONS: [Dependency; 3] = [Dependency::Paper, Dependency::Fine, Dependency::Syntactic];

fn parse(name: &str, text: &[u8], folder: &Path) -> Option<Program> {
    let input = Input { name, bytes: text };
    promela::read(input, &preprocess::Options::default(), &Folder::new(folder)).program
}

/// A program in packed form, by closures, that knows what its steps access.
type Packed<'a> = PackedProgram<'a, Arc<packed::Closures>>;

/// A program with all of it, if it has no more states.
fn known(
    program: &Program,
    rules: Rules,
    dependency: Dependency,
    states_max: usize,
) -> Option<(Packed<'_>, Naive)> {
    let mut knowledge = Knowledge::default();
    loop {
        let form = pack(program, rules, knowledge).ok()?;
        let table = form.accesses();
        let system = form.on_closures().with_accesses(&table, dependency);
        let naive = Naive::of(&system, states_max);
        if !system.is_too_narrow() {
            return Some((system, naive?));
        }
        knowledge = system.knowledge();
    }
}

/// Every way to forget.
const REPLACES: [Replace; 11] = [
    Replace::Random,
    Replace::RoundRobin,
    Replace::Most,
    Replace::Least,
    Replace::Class,
    Replace::Subtree,
    Replace::Type,
    Replace::Avoid(LastStatement::Jump),
    Replace::Avoid(LastStatement::Receive),
    Replace::Avoid(LastStatement::Send),
    Replace::Avoid(LastStatement::Assign),
];
/// States a cache may create before it is given up: near the size of the path it does its
/// work again and again.
const CACHE_STATES_MAX: u64 = 3_000;

fn run(system: &dyn System, request: &Request) -> Outcome {
    let plan = Plan::new(request).expect("sound");
    search::run(system, &mut [], &plan, &mut Unwatched).expect("it has what the plan needs")
}

/// A cache of a third or a tenth of the states visits all of them, with and without sleep
/// sets, or says why not.
fn judge_cache<S: System>(name: &str, system: &S, naive: &Naive, seed: u64) {
    let replace = REPLACES[(seed % 11) as usize];
    let (divisor, scan) = if seed.is_multiple_of(2) { (3, 20) } else { (10, 3) };
    let states_max = Some((naive.states.len() as u64 / divisor).max(2));
    let (count_recreated, revisits) = (true, true);
    let cache = CacheRequest { states_max, replace, scan, count_recreated, revisits, seed };
    for reduce in [Reduce::Nothing, Reduce::Sleep] {
        let request = Request {
            cache: Some(cache),
            reduce,
            all_errors: true,
            states_max: Some(CACHE_STATES_MAX),
            order: Order::DepthFirst,
            ..Request::default()
        };
        let spied = Spied::new(system);
        let outcome = run(&spied, &request);
        let figures = outcome.cache.expect("there is a cache");
        assert!(figures.pinned <= figures.slots, "{name}");
        match outcome.why_incomplete.as_slice() {
            [] => {
                naive.compare(name, &spied.visited.borrow(), &outcome);
                let new = outcome.statistics.states - figures.recreated;
                assert_eq!(new, naive.states.len() as u64, "{name} {replace:?}");
            }
            why => assert!(why == [Why::Cache] || why == [Why::States], "{name} {why:?}"),
        }
    }
}

/// Ample sets keep every blocked state and every kind of failure, in fewer states; so do sleep
/// sets among their steps, and a cache. Where numbers do not matter, blocked states may be met
/// without who is through, and numbered in another way.
fn judge_ample(name: &str, program: &Program, system: &Packed<'_>, naive: &Naive) -> bool {
    let outcomes = ample(name, system, naive);
    for outcome in &outcomes {
        if program.is_anonymous() {
            naive.compare_seen(name, outcome, &|state| bare(program, system.state(state)));
        } else {
            naive.compare_findings(name, outcome);
        }
    }
    (outcomes[0].statistics.states as usize) < naive.states.len()
}

/// The complete searches with ample sets, alone first, with sleep sets as well, and with a cache
/// of half the states.
fn ample<S: System>(name: &str, system: &S, naive: &Naive) -> Vec<Outcome> {
    let states_max = Some((naive.states.len() as u64 / 2).max(2));
    let cache = CacheRequest { states_max, ..CacheRequest::default() };
    let mut outcomes = Vec::new();
    for (reduce, cache) in [
        (Reduce::Ample, None),
        (Reduce::SleepAmple, None),
        (Reduce::Ample, Some(cache)),
        (Reduce::SleepAmple, Some(cache)),
    ] {
        let states_max = cache.map(|_| CACHE_STATES_MAX);
        let request = Request { reduce, cache, all_errors: true, states_max, ..Request::default() };
        let outcome = run(system, &request);
        match outcome.why_incomplete.as_slice() {
            [] => outcomes.push(outcome),
            why => assert!(
                cache.is_some() && [[Why::Cache], [Why::States]].contains(&[why[0]]),
                "{name}: {why:?}"
            ),
        }
    }
    outcomes.extend(unordered::outcomes(name, system));
    outcomes
}

/// Both loops on the packed form, by what its agents did before, meet every state, and count
/// every step; the unordered one leaves steps out, and how many it was is the answer.
fn judge_commuting(name: &str, program: &Program, rules: Rules, naive: &Naive) -> u64 {
    let mut knowledge = Knowledge::default();
    loop {
        let Ok(form) = pack(program, rules, knowledge) else { return 0 };
        let system = form.on_closures();
        let orders = [Order::Exhaustive, Order::BreadthFirst, Order::DepthFirst];
        let outcomes = orders.map(|order| {
            let request = Request { order, all_errors: true, ..Request::default() };
            run(&system, &request)
        });
        if !system.is_too_narrow() {
            outcomes.iter().for_each(|outcome| naive.compare_figures(name, outcome));
            return outcomes.iter().map(|outcome| outcome.statistics.spared).sum();
        }
        knowledge = system.knowledge();
    }
}

/// Judges a system that is known whole.
fn judge<S: System>(name: &str, system: &S, naive: &Naive) {
    let checked = Checked::new(system, name);
    let all = Request { all_errors: true, store: StoreKind::Full, ..Request::default() };
    run(&checked, &all);
    let stores = [StoreKind::Compact, StoreKind::Full];
    for store in stores.into_iter().skip(naive.states.len() % 2) {
        let request = Request { store, reduce: Reduce::Sleep, ..all };
        let spied = Spied::new(system);
        let outcome = run(&spied, &request);
        assert!(outcome.complete(), "{name}: {:?}", outcome.why_incomplete);
        naive.compare(name, &spied.visited.borrow(), &outcome);
        let statistics = outcome.statistics;
        assert_eq!(statistics.states, naive.states.len() as u64, "{name}");
        assert_eq!(statistics.transitions + statistics.left_out, naive.transitions, "{name}");
    }
    if naive.states.len() <= TINY && naive.states.len().is_multiple_of(4) {
        let reduce = Reduce::Sleep;
        let states_max = Some(PATH_STATES_MAX);
        let request = Request { store: StoreKind::Path, reduce, states_max, ..all };
        let spied = Spied::new(system);
        let outcome = run(&spied, &request);
        if outcome.complete() {
            naive.compare(name, &spied.visited.borrow(), &outcome);
        }
    }
}

fn judge_samples(first: u64) {
    let (mut judged, mut smaller, mut sparing) = (0, 0, 0);
    for seed in first..first + SAMPLES {
        let text = model(&mut Random::new(seed));
        let Some(program) = parse("random.pml", text.as_bytes(), Path::new("")) else { continue };
        let lossy_sends = seed.is_multiple_of(8);
        let rules = Rules { lossy_sends, ..Rules::default() };
        let dependency = RELATIONS[(seed % 3) as usize];
        let known = known(&program, rules, dependency, STATES_MAX);
        let Some((system, naive)) = known else { continue };
        judge(&text, &system, &naive);
        judge_cache(&text, &system, &naive, seed);
        smaller += u64::from(judge_ample(&text, &program, &system, &naive));
        if seed % 4 == 1 {
            unordered::judge_coverage(&text, &program, rules);
            let form = pack(&program, rules, system.knowledge()).expect("as before");
            let table = form.accesses();
            let [one, mut other] = [form.clone(), form]
                .map(|form| form.on_closures().with_accesses(&table, dependency));
            unordered::judge_threads(&text, (&one, &mut other), naive.finds());
        }
        sparing += u64::from(judge_commuting(&text, &program, rules, &naive) > 0);
        judged += 1;
    }
    assert!(sparing * 2 >= judged, "only {sparing} of {judged} leave steps out");
    assert!(judged * 10 >= SAMPLES * 7, "only {judged} were small enough");
    assert!(smaller * 4 >= judged, "only {smaller} of {judged} have fewer states");
}

#[test]
fn random_programs_first_quarter() {
    judge_samples(0);
}

#[test]
fn random_programs_second_quarter() {
    judge_samples(SAMPLES);
}

#[test]
fn random_programs_third_quarter() {
    judge_samples(2 * SAMPLES);
}

#[test]
fn random_programs_last_quarter() {
    judge_samples(3 * SAMPLES);
}

/// Where it matters that a process has not ended yet when another one is created: of its
/// number, of how many there are, of a message that goes with it.
#[test]
fn who_is_through_is_missed_by_some() {
    let traps = [
        "proctype P() { skip } proctype Q() { assert(_pid != 2) } init { run P(); run Q() }",
        "proctype P() { skip } proctype Q() { assert(_nr_pr < 3) } init { run P(); run Q() }",
        "proctype P() { chan o = [1] of { byte }; o!1 } proctype Q() { end: false }
         init { run P(); run Q() }",
        "proctype P() { skip } proctype Q(byte n) { assert(n != 2) } init { byte n;
         run P(); n = run P(); run Q(n) }",
        "proctype P() { chan o = [1] of { byte }; skip } proctype Q(byte n) { assert(n != 2) }
         proctype R() { chan o = [1] of { byte }; run Q(o) } init { run P(); run R() }",
    ];
    for text in traps {
        let program = parse("trap.pml", text.as_bytes(), Path::new("")).expect("a program");
        let rules = Rules::default();
        let (system, naive) =
            known(&program, rules, Dependency::Fine, STATES_MAX).expect("a small system");
        judge_ample(text, &program, &system, &naive);
    }
}

/// The models of the corpus with their names.
fn corpus() -> Vec<PathBuf> {
    testkit::files("corpus/promela", &["pml"])
}

#[test]
fn the_corpus_keeps_its_states() {
    let mut judged = 0;
    for path in corpus() {
        let text = std::fs::read(&path).expect("a readable model");
        let folder = path.parent().expect("models stand in folders");
        let name = path.display().to_string();
        let Some(program) = parse(&name, &text, folder) else { continue };
        for dependency in RELATIONS {
            let known = known(&program, Rules::default(), dependency, 2_000);
            let Some((system, naive)) = known else { continue };
            judge(&name, &system, &naive);
            if naive.states.len() <= 500 && dependency == Dependency::Paper {
                (0..11).for_each(|seed| judge_cache(&name, &system, &naive, seed));
            }
            judge_ample(&name, &program, &system, &naive);
            if !system.is_too_narrow() {
                judge_commuting(&name, &program, Rules::default(), &naive);
            }
            judged += 1;
        }
    }
    assert!(judged >= 330, "only {judged} were judged");
}
