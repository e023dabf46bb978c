//! Sleep sets on random systems full of cycles: processes that run in circles and share a
//! few bits. Every state is visited, with and without a cache; each for the first time by
//! the path that a search without sleep sets takes.
//!
//! This is what the tests of the path in lines 11 and 21 of the algorithm are for: without
//! either of them some system here is searched along other paths, and another depth shows it.

use search::{CacheRequest, FindingKind, Order, Reduce, Replace, Request, StoreKind, Why};
use std::collections::BTreeSet;
use system::{
    Blocked, Budget, Candidates, Independence, Step, StepKind, StepOutcome, Successors, System,
    Transition, Word,
};
use testkit::Random;

const SYSTEMS: u64 = 60_000;

/// An edge of a process: executable where a bit has a value, sets a bit.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: u64,
    to: u64,
    wants: Option<(u64, u64)>,
    sets: Option<(u64, u64)>,
    /// It ends in a violation.
    fails: bool,
}

/// Processes; a state is the place of each in four bits, and the bits behind them.
#[derive(Debug)]
struct Circles(Vec<Vec<Edge>>);

const BITS: u64 = 32;

impl Circles {
    /// Some; of their edges one in `failing` ends in a violation.
    fn random(random: &mut Random, failing: Option<u64>) -> Self {
        let bit = |random: &mut Random| {
            (random.below(3) == 0).then(|| (random.below(2), random.below(2)))
        };
        let process = |random: &mut Random| {
            let places = 2 + random.below(2);
            let edge = |random: &mut Random| Edge {
                from: random.below(places),
                to: random.below(places),
                wants: bit(random),
                sets: bit(random),
                fails: failing.is_some_and(|one_in| random.below(one_in) == 0),
            };
            (0..2 + random.below(3)).map(|_| edge(random)).collect()
        };
        let count = 2 + random.below(2) + u64::from(failing.is_some());
        Self((0..count).map(|_| process(random)).collect())
    }

    fn edge(&self, transition: Transition) -> (usize, Edge) {
        let (process, edge) = (transition.0 as usize / 8, transition.0 as usize % 8);
        (process, self.0[process][edge])
    }
}

impl System for Circles {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, words: &mut [Word]) {
        words[0] = 0;
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        for (process, edges) in self.0.iter().enumerate() {
            let shift = 4 * process;
            for (number, edge) in edges.iter().enumerate() {
                let holds = |(bit, value)| state[0] >> (BITS + bit) & 1 == value;
                if state[0] >> shift & 15 == edge.from && edge.wants.is_none_or(holds) {
                    let step = Step::new(process as u32, number as u32, StepKind::Internal);
                    let next = &mut out.push(step, state)[0];
                    *next = *next & !(15 << shift) | edge.to << shift;
                    if let Some((bit, value)) = edge.sets {
                        *next = *next & !(1 << (BITS + bit)) | value << (BITS + bit);
                    }
                    if edge.fails {
                        out.set_outcome(StepOutcome::Violation(process as u32));
                    }
                    out.set_transition(Transition(8 * step.agent + step.edge));
                }
            }
        }
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::Deadlock
    }

    fn independence(&self) -> Option<&dyn Independence> {
        Some(self)
    }
}

/// Whether one of two edges sets a bit of the other.
fn interfere(one: Edge, other: Edge) -> bool {
    let bits = |edge: Edge| [edge.wants, edge.sets].into_iter().flatten().map(|(bit, _)| bit);
    let writes = |a: Edge, b: Edge| a.sets.is_some_and(|(bit, _)| bits(b).any(|x| x == bit));
    writes(one, other) || writes(other, one)
}

impl Independence for Circles {
    fn dependent(&self, one: Transition, other: Transition) -> bool {
        let ((p, one), (q, other)) = (self.edge(one), self.edge(other));
        p == q || interfere(one, other)
    }

    /// The steps of a process of which no edge at its place interferes with any of the others.
    fn ample(&self, state: &[Word], batch: &Successors, found: &mut Candidates) {
        for (process, edges) in self.0.iter().enumerate() {
            let place = state[0] >> (4 * process) & 15;
            let others = || (0..self.0.len()).filter(|other| *other != process);
            let mut here = edges.iter().filter(|edge| edge.from == place);
            let alone = here.all(|edge| {
                others().flat_map(|other| &self.0[other]).all(|other| !interfere(*edge, *other))
            });
            let own = |at: &usize| batch.step(*at).0.agent == process as u32;
            let steps: Vec<usize> = (0..batch.len()).filter(own).collect();
            let enters = steps.iter().all(|at| batch.step(*at).1.enters());
            if let (true, true, [first, ..]) = (alone, enters, steps.as_slice()) {
                found.push(std::iter::once(*first..first + steps.len()));
            }
        }
    }
}

fn search(system: &Circles, request: Request) -> search::Outcome {
    let request = Request { order: Order::DepthFirst, all_errors: true, ..request };
    crate::search(system, &request)
}

#[test]
fn sleep_sets_lose_no_state_on_cycles() {
    let mut random = Random::new(1995);
    let mut fewer = 0;
    for number in 0..SYSTEMS {
        let system = Circles::random(&mut random, None);
        let whole = search(&system, Request::default()).statistics;
        let asleep = Request { reduce: Reduce::Sleep, ..Request::default() };
        let found = search(&system, asleep).statistics;
        assert_eq!(found.states, whole.states, "{system:?}");
        assert_eq!((found.depth, found.errors), (whole.depth, whole.errors), "{system:?}");
        assert_eq!(found.transitions + found.left_out, whole.transitions, "{system:?}");
        fewer += u64::from(found.transitions < whole.transitions);
        if number % 4 == 0 {
            let states_max = Some((whole.states / 2).max(2));
            let replace = if number % 8 == 0 { Replace::Random } else { Replace::RoundRobin };
            let cache = CacheRequest {
                states_max,
                replace,
                count_recreated: true,
                ..CacheRequest::default()
            };
            let cached = Request { cache: Some(cache), states_max: Some(5_000), ..asleep };
            let outcome = search(&system, cached);
            let again = outcome.cache.expect("there is a cache").recreated;
            match outcome.why_incomplete.as_slice() {
                [] => assert_eq!(outcome.statistics.states - again, whole.states, "{system:?}"),
                why => assert!(why == [Why::Cache] || why == [Why::States], "{why:?}"),
            }
        }
    }
    assert!(fewer * 4 > SYSTEMS, "only {fewer} have fewer transitions");
}

/// What a search found: blocked states, and of what steps end in each kind.
fn found(outcome: &search::Outcome) -> (BTreeSet<Vec<Word>>, BTreeSet<String>) {
    let (mut blocked, mut kinds) = (BTreeSet::new(), BTreeSet::new());
    for finding in &outcome.findings {
        match finding.kind {
            FindingKind::Blocked(_) => drop(blocked.insert(finding.state.clone())),
            kind => drop(kinds.insert(format!("{kind:?}"))),
        }
    }
    (blocked, kinds)
}

/// Sleep sets and ample sets together, on the full store, a cache and the path: every blocked
/// state and every kind of violation. Broken on purpose, on a copy: steps put to sleep whatever
/// was left undecided behind them, and no proviso; each was found. That a closed state may be
/// undecided is in the proof; taking it for decided was not found in these systems.
#[test]
fn sleep_sets_on_ample_sets_lose_no_error_on_cycles() {
    let mut random = Random::new(1993);
    let (mut fewer, mut slept) = (0, 0);
    for number in 0..SYSTEMS / 2 {
        let system = Circles::random(&mut random, Some(2 + number % 16));
        let whole = search(&system, Request::default());
        let all = found(&whole);
        let states_max = Some((whole.statistics.states / 2).max(2));
        let cache = CacheRequest { states_max, ..CacheRequest::default() };
        let stores =
            [(StoreKind::Full, None), (StoreKind::Full, Some(cache)), (StoreKind::Path, None)];
        let mut transitions = [0; 2];
        for (at, reduce) in [Reduce::Ample, Reduce::SleepAmple].into_iter().enumerate() {
            for (store, cache) in stores {
                let states_max = Some(5_000);
                let request = Request { reduce, store, cache, states_max, ..Request::default() };
                let outcome = search(&system, request);
                if outcome.complete() {
                    assert_eq!(found(&outcome), all, "{reduce:?} {store:?} {cache:?} {system:?}");
                } else {
                    let why = outcome.why_incomplete.as_slice();
                    assert!(why == [Why::Cache] || why == [Why::States], "{why:?}");
                }
                if store == StoreKind::Full && cache.is_none() {
                    assert!(outcome.complete());
                    transitions[at] = outcome.statistics.transitions;
                }
            }
        }
        fewer += u64::from(transitions[0] < whole.statistics.transitions);
        slept += u64::from(transitions[1] < transitions[0]);
    }
    assert!(fewer * 20 > SYSTEMS, "only {fewer} have fewer transitions with ample sets");
    assert!(slept * 400 > SYSTEMS, "only {slept} have fewer with sleep sets as well");
}
