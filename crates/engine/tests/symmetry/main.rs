//! What one state of all permutations must keep, on random programs of processes that are alike:
//! which kinds of failures there are, every blocked state up to a permutation, the length of
//! shortest runs; in every order, with every store, with ample sets.
//!
//! The judge of representatives is `Brute`: every permutation of a state of the reference interpreter,
//! by what the generator knows of its own models. It knows nothing of how processes that can be exchanged are
//! found, nor of colours.

mod broken;
mod brute;

use broken::{Break, Broken};
use brute::{Brute, Orbit};
use engine::program::{Executor, Knowledge, PackedProgram, pack};
use preprocess::Input;
use program::reference::Rules;
use program::{Program, Reductions};
use restrict::Symmetric;
use search::{
    CacheRequest, FindingKind, Order, Outcome, Plan, Reduce, Request, StoreKind, Unwatched, Why,
};
use std::collections::{BTreeSet, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use system::{Blocked, Dependency, StepOutcome, Successors, Symmetry, System, Unlimited, Word};
use testkit::promela::symmetric::{Model, model};
use testkit::{Folder, Random, for_seeds, naive};

/// Random programs.
const SAMPLES: u64 = 5_000;
/// States beyond which a program is not judged.
const STATES_MAX: usize = 3_000;

type Packed<'a> = PackedProgram<'a, Arc<packed::Closures>>;

fn parse(text: &str) -> Option<Program> {
    let input = Input { name: "random.pml", bytes: text.as_bytes() };
    let files = &mut Folder::new(Path::new(""));
    let program = promela::read(input, &preprocess::Options::default(), files).program?;
    let kept = Reductions { merge: false, ..Reductions::ALL };
    Some(program::reduce(&program, kept))
}

/// Everything a program can do, state by state.
struct Naive {
    states: HashSet<Vec<Word>>,
    rests: BTreeSet<(Orbit, Blocked)>,
    orbits: BTreeSet<Orbit>,
    landings: BTreeSet<String>,
    /// The length of a shortest run to a failure.
    nearest: Option<usize>,
}

/// A program that knows its symmetry, and all of it, if it has no more states.
fn known<'a>(program: &'a Program, brute: &Brute) -> Option<(Packed<'a>, Naive)> {
    let mut knowledge = Knowledge::default();
    loop {
        let form = pack(program, Rules::default(), knowledge).ok()?;
        let table = form.accesses();
        let system = form.on_closures().with_accesses(&table, Dependency::Fine);
        let naive = Naive::of(&system, brute);
        if !system.is_too_narrow() {
            return Some((system, naive?));
        }
        knowledge = system.knowledge();
    }
}

impl Naive {
    fn of(system: &Packed<'_>, brute: &Brute) -> Option<Self> {
        let mut first = vec![0; system.width()];
        system.initial(&mut first);
        let mut all = Self {
            states: HashSet::new(),
            rests: BTreeSet::new(),
            orbits: BTreeSet::new(),
            landings: BTreeSet::new(),
            nearest: None,
        };
        let mut batch = Successors::new(system.width());
        let states = naive::search(first, STATES_MAX, |state, distance| {
            batch.clear();
            system.successors(state, &mut batch, &mut Unlimited);
            all.note(system, (state, distance), &batch, brute)
        })?;
        all.states = states.into_keys().collect();
        Some(all)
    }

    fn note(
        &mut self,
        system: &Packed<'_>,
        (state, distance): (&[Word], usize),
        batch: &Successors,
        brute: &Brute,
    ) -> Vec<Vec<Word>> {
        let orbit = brute.orbit(&system.state(state));
        if batch.is_empty() && system.blocked(state) != Blocked::ProperEnd {
            let rest = brute.at_rest(&system.state(state));
            self.rests.insert((rest, system.blocked(state)));
            if system.blocked(state) != Blocked::Residual {
                self.nearest.get_or_insert(distance);
            }
        }
        self.orbits.insert(orbit);
        for (_, landing, _) in batch.iter().filter(|it| it.1 != StepOutcome::State) {
            self.landings.insert(format!("{landing:?}"));
            self.nearest = Some(self.nearest.map_or(distance + 1, |it| it.min(distance + 1)));
        }
        let entered = batch.iter().filter(|(_, landing, _)| landing.enters());
        entered.map(|(_, _, next)| next.to_vec()).collect()
    }
}

fn run(system: &dyn System, request: &Request) -> Outcome {
    let plan = Plan::new(request).expect("sound");
    search::run(system, &mut [], &plan, &mut Unwatched).expect("it has what the plan needs")
}

/// Every combination that claims to keep what is compared.
fn requests(states: usize) -> Vec<Request> {
    let all = Request { all_errors: true, ..Request::default() };
    let mut requests = Vec::new();
    for reduce in [Reduce::Nothing, Reduce::Ample] {
        for order in [Order::Exhaustive, Order::BreadthFirst, Order::DepthFirst] {
            for store in [StoreKind::Compact, StoreKind::Full] {
                requests.push(Request { reduce, order, store, ..all });
            }
        }
    }
    let depth_first = Request { order: Order::DepthFirst, ..all };
    for reduce in [Reduce::Nothing, Reduce::Sleep, Reduce::Ample, Reduce::SleepAmple] {
        let states_max = Some((states as u64 / 2).max(2));
        let cache = Some(CacheRequest { states_max, ..CacheRequest::default() });
        if reduce != Reduce::Sleep && reduce != Reduce::SleepAmple {
            requests.push(Request { reduce, cache, states_max: Some(9_000), ..depth_first });
        }
    }
    let (path, states_max) = (StoreKind::Path, Some(9_000));
    requests.push(Request { store: path, states_max, ..depth_first });
    requests
}

/// Judges a program, with the order its own symmetry puts states in or with another one.
fn judge(
    model: &Model,
    (system, symmetry): (&Packed<'_>, &dyn Symmetry),
    naive: &Naive,
    brute: &Brute,
) {
    let name = &model.text;
    let symmetric = Symmetric::by(system, symmetry);
    for request in requests(naive.states.len()) {
        let outcome = run(&symmetric, &request);
        if !outcome.complete() {
            let bounded = request.cache.is_some() || request.store == StoreKind::Path;
            let stopped = [Why::Cache, Why::States].contains(&outcome.why_incomplete[0]);
            assert!(bounded && stopped, "{name}{request:?} {:?}", outcome.why_incomplete);
            continue;
        }
        let (mut rests, mut landings) = (BTreeSet::new(), BTreeSet::new());
        for finding in outcome.findings.iter().chain(&outcome.residuals) {
            match finding.kind {
                FindingKind::Blocked(rest) => {
                    let state = symmetric.state(&finding.state);
                    assert!(naive.states.contains(&state), "{name}: it can be reached");
                    rests.insert((brute.at_rest(&system.state(&state)), rest));
                }
                FindingKind::Step(landing) => {
                    landings.insert(format!("{landing:?}"));
                }
            }
        }
        assert_eq!(landings, naive.landings, "{name}{request:?}");
        if model.is_twisted || model.numbers.contains(&0) {
            // What the generator knows of numbers need not be true of these, nor where a variable
            // that is dead or never read is zero, as a process is.
            let verdicts = |rests: &BTreeSet<(Orbit, Blocked)>| -> BTreeSet<Blocked> {
                rests.iter().map(|(_, verdict)| *verdict).collect()
            };
            assert_eq!(verdicts(&rests), verdicts(&naive.rests), "{name}{request:?}");
        } else {
            assert_eq!(rests, naive.rests, "{name}{request:?}");
        }
        let states = outcome.statistics.states as usize;
        let plain = request.reduce == Reduce::Nothing && request.cache.is_none();
        if model.is_plain && !model.is_twisted && plain && request.store != StoreKind::Path {
            assert_eq!(states, naive.orbits.len(), "{name}{request:?}");
        }
    }
    let nearest = Request { order: Order::BreadthFirst, ..Request::default() };
    let found = run(&symmetric, &nearest).findings.first().map(|finding| finding.trail.len());
    assert_eq!(found.is_some(), naive.nearest.is_some(), "{name}");
    if !model.ends {
        assert_eq!(found, naive.nearest, "{name}");
    }
}

fn judge_samples(seeds: std::ops::Range<u64>) {
    let (mut judged, mut symmetric, mut narrow) = (0, 0, 0);
    let total = seeds.end - seeds.start;
    for_seeds(seeds, |_, random: &mut Random| {
        let model = model(random);
        let Some(program) = parse(&model.text) else { return };
        let brute = Brute::new(&program, &model);
        let Some((system, naive)) = known(&program, &brute) else { return };
        judged += 1;
        if system.symmetry().is_none() {
            let exchange = system.exchange();
            let no_room = exchange.refused.iter().any(|(_, why)| why.words.contains("no room"));
            assert!(model.is_twisted || no_room, "{}{:?}", model.text, exchange.refused);
            narrow += u64::from(no_room);
            return;
        }
        symmetric += 1;
        judge(&model, (&system, system.exchange()), &naive, &brute);
    });
    assert!(total == 1 || judged * 10 >= total * 6, "only {judged} of {total} were judged");
    assert!(total == 1 || symmetric * 10 >= judged * 6, "{symmetric} of {judged}, {narrow} narrow");
}

#[test]
fn random_programs_first_half() {
    judge_samples(0..SAMPLES / 2);
}

#[test]
fn random_programs_second_half() {
    judge_samples(SAMPLES / 2..SAMPLES);
}

/// The judge of this file finds out what is wrong with a canonical order.
/// Tried in `packed::orbit` besides: names that are not renamed (found by program 16), and the way instead of
/// its inverse (by program 88), which differ for three members or more.
#[test]
fn a_broken_canonical_order_is_found_out() {
    for how in [Break::Confused, Break::Partial, Break::Unmoved] {
        let (mut judged, mut caught) = (0, 0);
        for_seeds(0..100, |_, random: &mut Random| {
            let model = model(random);
            let Some(program) = parse(&model.text) else { return };
            let brute = Brute::new(&program, &model);
            let Some((system, naive)) = known(&program, &brute) else { return };
            if system.symmetry().is_none() || naive.states.len() < 20 {
                return;
            }
            let mut initial = vec![0; system.width()];
            system.initial(&mut initial);
            let broken = Broken::new(system.exchange(), how, initial);
            let judge = || judge(&model, (&system, &broken), &naive, &brute);
            judged += 1;
            caught += u32::from(catch_unwind(AssertUnwindSafe(judge)).is_err());
        });
        assert!(judged >= 15 && caught > 0, "{how:?}: {caught} of {judged}");
    }
}
