//! What restrictions keep and what they give up, on random systems.

mod toy;

use restrict::{Filtered, Filters, Folded, Keep, Reorder, Walks};
use search::{
    CacheRequest, FindingKind, Order, Outcome, Plan, Replace, Request, StoreKind, Unwatched, Why,
    run,
};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use system::{
    Blocked, Part, Parts, Step, StepKind, StepOutcome, Successors, System, Unlimited, Word,
};
use toy::Toy;

const SYSTEMS: u64 = 3000;

fn request(order: Order, store: StoreKind) -> Request {
    let memory_bytes_max = Some(1 << 22);
    Request { order, store, memory_bytes_max, all_errors: true, ..Request::default() }
}

fn filtered(toy: &Toy, filters: Filters) -> Filtered<'_> {
    Filtered::new(toy, filters).expect("a toy knows its parts")
}

fn searched<S: System>(system: &S, request: &Request) -> Outcome {
    let plan = Plan::new(request).expect("a sound combination");
    run(system, &mut [], &plan, &mut Unwatched).expect("it needs nothing")
}

fn breadth_first<S: System>(system: &S) -> Outcome {
    searched(system, &request(Order::BreadthFirst, StoreKind::Full))
}

/// Every restriction that leaves steps out.
fn restrictions() -> Vec<Filters> {
    let two = NonZeroUsize::new(2).expect("not zero");
    let keeps = [
        Keep::All,
        Keep::Processes(NonZeroUsize::MIN),
        Keep::Processes(two),
        Keep::OnePerProcess,
        Keep::OnePerState,
    ];
    let mut all = Vec::new();
    for keep in keeps {
        for (messages_max, seed) in [(None, None), (Some(1), None), (None, Some(7))] {
            let timeouts_last = true;
            let filters = Filters { keep, timeouts_last, messages_max, seed, ..Filters::default() };
            all.push(filters);
            all.push(Filters { local_first: true, ..filters });
        }
    }
    all
}

fn successors(system: &dyn System, state: &[Word]) -> Successors {
    let mut out = Successors::new(system.width());
    system.successors(state, &mut out, &mut Unlimited);
    out
}

/// Follows a trail in a system; what it ends in.
fn follow(system: &dyn System, trail: &[Step]) -> Option<(Vec<Word>, StepOutcome)> {
    let (mut state, mut last) = (vec![0; system.width()], StepOutcome::State);
    system.initial(&mut state);
    for step in trail {
        let out = successors(system, &state);
        let index = out.steps().position(|other| other == *step)?;
        last = out.step(index).1;
        state = out.state(index).to_vec();
    }
    Some((state, last))
}

/// Every finding is one of the system inside.
fn findings_are_real(system: &dyn System, outcome: &Outcome, context: &str) {
    for finding in &outcome.findings {
        let (state, outcome) = follow(system, &finding.trail).expect("a run of the system");
        match finding.kind {
            FindingKind::Blocked(_) => {
                assert!(successors(system, &state).is_empty(), "{context}: an invented deadlock");
            }
            FindingKind::Step(wanted) => assert_eq!(outcome, wanted, "{context}"),
        }
    }
}

#[test]
fn a_restriction_keeps_some_steps_of_a_state_and_invents_none() {
    for seed in 0..SYSTEMS {
        let toy = Toy::new(seed);
        let states = reached(&toy);
        for filters in restrictions() {
            let filtered = filtered(&toy, filters);
            for state in &states {
                let (all, some) = (successors(&toy, state), successors(&filtered, state));
                assert_eq!(all.is_empty(), some.is_empty(), "{seed} {filters:?}");
                let kept: Vec<Step> = some.steps().collect();
                let order: Vec<Step> = all.steps().filter(|step| kept.contains(step)).collect();
                assert_eq!(kept, order, "{seed} {filters:?}");
                keeps_as_many_as_it_says(filters, &all, &some);
                assert_eq!(successors(&filtered, state).steps().collect::<Vec<_>>(), kept);
            }
        }
    }
}

/// A depth-first search in another order is complete, and its first run is another one.
#[test]
fn in_another_order_all_steps_of_a_state_are_followed() {
    let mut others = 0;
    for seed in 0..SYSTEMS {
        let toy = Toy::new(seed);
        let figures = |outcome: &Outcome| {
            let statistics = &outcome.statistics;
            (statistics.states, statistics.matched, outcome.complete(), verdicts(outcome))
        };
        let depth_first = request(Order::DepthFirst, StoreKind::Full);
        let plain = searched(&toy, &depth_first);
        for reorder in [Reorder::Reversed, Reorder::Random(seed)] {
            let filters = Filters { reorder: Some(reorder), ..Filters::default() };
            let turned = filtered(&toy, filters);
            for state in reached(&toy) {
                let (all, some) = (successors(&toy, &state), successors(&turned, &state));
                let whole = |out: &Successors| -> Vec<(Step, StepOutcome, Vec<Word>)> {
                    let mut steps: Vec<_> =
                        out.iter().map(|(a, b, c)| (a, b, c.to_vec())).collect();
                    steps.sort_by_key(|(step, ..)| *step);
                    steps
                };
                assert_eq!(whole(&all), whole(&some), "{seed} {reorder:?}");
            }
            let outcome = searched(&turned, &depth_first);
            findings_are_real(&toy, &outcome, &format!("{seed} {reorder:?}"));
            assert_eq!(figures(&plain), figures(&outcome), "{seed} {reorder:?}");
            let first = |outcome: &Outcome| outcome.findings.first().map(|it| it.trail.clone());
            others += u64::from(first(&plain) != first(&outcome));
        }
    }
    assert!(others > SYSTEMS / 4, "only {others} first runs are others");
}

/// The states of a system, not too many.
fn reached(toy: &Toy) -> Vec<Vec<Word>> {
    let mut initial = vec![0; toy.width()];
    toy.initial(&mut initial);
    let mut known = BTreeSet::from([initial.clone()]);
    let mut open = vec![initial];
    while let Some(state) = open.pop().filter(|_| known.len() < 50) {
        for (_, outcome, next) in successors(toy, &state).iter() {
            if outcome.enters() && known.insert(next.to_vec()) {
                open.push(next.to_vec());
            }
        }
    }
    known.into_iter().collect()
}

fn keeps_as_many_as_it_says(filters: Filters, all: &Successors, some: &Successors) {
    let harmless = |out: &Successors| -> Vec<Step> {
        out.iter().filter(|(_, outcome, _)| *outcome == StepOutcome::State).map(|s| s.0).collect()
    };
    let (of_all, kept) = (harmless(all), harmless(some));
    let agents: BTreeSet<u32> = kept.iter().map(|step| step.agent).collect();
    match filters.keep {
        Keep::All => {}
        Keep::OnePerState => assert!(kept.len() <= 1),
        Keep::OnePerProcess => assert_eq!(kept.len(), agents.len()),
        Keep::Processes(most) => assert!(agents.len() <= most.get()),
    }
    let plain = filters.messages_max.is_none() && !filters.local_first;
    if plain && matches!(filters.keep, Keep::Processes(_)) && kept.len() < of_all.len() {
        // Who is kept keeps all: every option but a timeout beside something else.
        let own = |step: &&Step| agents.contains(&step.agent) && step.kind != StepKind::Timeout;
        assert!(of_all.iter().filter(own).all(|step| kept.contains(step)), "{filters:?}");
    }
    if plain && filters.seed.is_none() && !kept.is_empty() && kept.len() == 1 {
        let best = of_all.iter().map(|step| step.kind).min();
        let errors = all.len() - of_all.len();
        assert!(errors > 0 || best == Some(kept[0].kind), "the best kind goes first");
    }
}

#[test]
fn a_restricted_search_is_never_complete_and_all_it_finds_is_real() {
    for seed in 0..SYSTEMS / 100 {
        let toy = Toy::new(seed);
        for filters in restrictions() {
            let filtered = filtered(&toy, filters);
            for (order, store) in combinations() {
                let depth = (order == Order::Partial).then_some(20);
                let outcome = searched(&filtered, &Request { depth, ..request(order, store) });
                assert!(!outcome.complete(), "{seed} {filters:?} {order:?} {store:?}");
                findings_are_real(&toy, &outcome, &format!("{seed} {filters:?}"));
            }
        }
    }
}

/// Orders and stores that go together and end on any system.
fn combinations() -> Vec<(Order, StoreKind)> {
    use StoreKind::{Bitstate, Compact, Full, Hash64};
    let mut all = vec![(Order::BreadthFirst, Compact), (Order::BreadthFirst, Full)];
    for order in [Order::Exhaustive, Order::DepthFirst, Order::Partial] {
        all.extend([Compact, Full, Hash64].map(|store| (order, store)));
    }
    all.push((Order::Partial, Bitstate));
    all
}

/// What a search found out: which states rest, which properties fail.
fn verdicts(outcome: &Outcome) -> (BTreeSet<Vec<Word>>, BTreeSet<u32>) {
    let (mut rests, mut failed) = (BTreeSet::new(), BTreeSet::new());
    for finding in &outcome.findings {
        match finding.kind {
            FindingKind::Blocked(Blocked::Deadlock) => drop(rests.insert(finding.state.clone())),
            FindingKind::Step(StepOutcome::Violation(property)) => drop(failed.insert(property)),
            other => panic!("{other:?} does not occur"),
        }
    }
    (rests, failed)
}

fn inward() -> Filters {
    Filters { local_first: true, ..Filters::default() }
}

#[test]
fn internal_actions_first_keep_deadlocks_and_violations() {
    let (mut saved, mut seen) = (0, 0);
    for seed in 0..10 * SYSTEMS {
        let toy = Toy::new(seed);
        let (all, some) = (breadth_first(&toy), breadth_first(&filtered(&toy, inward())));
        assert!(some.complete(), "a complete search");
        assert_eq!(verdicts(&all), verdicts(&some), "{seed}: {toy:?}");
        assert!(some.statistics.states <= all.statistics.states);
        saved += all.statistics.states - some.statistics.states;
        seen += all.statistics.states;
        findings_are_real(&toy, &some, "internal actions first");
    }
    assert!(saved * 20 > seen, "only {saved} of {seen} states are saved");
}

#[test]
fn the_guard_of_loops_is_needed() {
    let misses = (0..10 * SYSTEMS).filter(|seed| {
        let toy = Toy { guards_loops: false, ..Toy::new(*seed) };
        let some = breadth_first(&filtered(&toy, inward()));
        verdicts(&breadth_first(&toy)) != verdicts(&some)
    });
    assert!(misses.count() > 0, "no system shows why loops are guarded");
}

#[test]
fn a_folded_search_is_never_complete_and_all_it_finds_is_real() {
    let parts = [
        Part::Process("0".to_owned()),
        Part::Channel("1".to_owned()),
        Part::Variable { process: None, name: "shared".to_owned() },
    ];
    let mut smaller = 0;
    for seed in 0..SYSTEMS / 30 {
        let toy = Toy::new(seed);
        let whole = breadth_first(&toy).statistics.states;
        for part in &parts {
            for (order, store) in combinations() {
                let blanks = toy.blank(part).into_iter().collect();
                let folded = Folded::new(&toy, blanks);
                let depth = (order == Order::Partial).then_some(20);
                let outcome = searched(&folded, &Request { depth, ..request(order, store) });
                assert!(!outcome.complete(), "{seed} {part:?} {order:?} {store:?}");
                assert!(outcome.statistics.states <= whole);
                smaller += u32::from(outcome.statistics.states < whole);
                findings_are_real(&toy, &outcome, &format!("{seed} {part:?}"));
            }
        }
    }
    assert!(smaller > 0, "folding never folds anything");
}

#[test]
fn nothing_folded_is_the_same_states() {
    for seed in 0..SYSTEMS {
        let toy = Toy::new(seed);
        let (all, folded) = (breadth_first(&toy), breadth_first(&Folded::new(&toy, Vec::new())));
        assert_eq!(all.statistics.states, folded.statistics.states);
        assert_eq!(all.findings.len(), folded.findings.len());
        assert!(!folded.complete());
    }
}

/// A search with a cache of half the states of another one; `None` if the path alone filled it,
/// or it did its work again and again.
fn cached<S: System>(system: &S, seed: u64, states: u64) -> Option<Outcome> {
    let replaces = [Replace::Random, Replace::RoundRobin, Replace::Subtree, Replace::Type];
    let cache = CacheRequest {
        states_max: Some((states / 2).max(2)),
        replace: replaces[(seed % 4) as usize],
        count_recreated: true,
        ..CacheRequest::default()
    };
    let request = Request {
        cache: Some(cache),
        states_max: Some(5_000),
        ..request(Order::DepthFirst, StoreKind::Full)
    };
    let outcome = searched(system, &request);
    let gave_up = |why: &Why| matches!(why, Why::Cache | Why::States);
    (!outcome.why_incomplete.iter().any(gave_up)).then_some(outcome)
}

/// A cache visits the states that a restriction leaves; of foldings, what it finds is real.
#[test]
fn a_cache_beside_a_restriction_is_never_complete_and_misses_no_state_of_it() {
    let mut judged = 0;
    for seed in 0..SYSTEMS / 30 {
        let toy = Toy::new(seed);
        for filters in restrictions() {
            let filtered = filtered(&toy, filters);
            let whole = searched(&filtered, &request(Order::DepthFirst, StoreKind::Full));
            let Some(outcome) = cached(&filtered, seed, whole.statistics.states) else { continue };
            judged += 1;
            let again = outcome.cache.expect("there is a cache").recreated;
            assert_eq!(outcome.statistics.states - again, whole.statistics.states, "{seed}");
            assert_eq!(verdicts(&outcome), verdicts(&whole), "{seed} {filters:?}");
            assert!(!outcome.complete());
            findings_are_real(&toy, &outcome, &format!("{seed} {filters:?}"));
        }
        let part = Part::Process("0".to_owned());
        let folded = Folded::new(&toy, toy.blank(&part).into_iter().collect());
        let states = breadth_first(&folded).statistics.states;
        if let Some(outcome) = cached(&folded, seed, states) {
            assert!(!outcome.complete());
            findings_are_real(&toy, &outcome, &format!("{seed} folded"));
        }
    }
    assert!(judged > 1000, "only {judged} fitted into their caches");
}

#[test]
fn walks_are_runs_and_never_complete() {
    let walk = Request { depth: Some(30), ..request(Order::DepthFirst, StoreKind::Path) };
    let mut differ = 0;
    for seed in 0..SYSTEMS {
        let toy = Toy::new(seed);
        let walks = |seed: u64| searched(&Walks::new(&toy, seed, 5), &walk);
        let (first, again, other) = (walks(1), walks(1), walks(2));
        assert!(!first.complete());
        assert_eq!(first.findings, again.findings, "the same seed, the same walks");
        assert_eq!(first.statistics, again.statistics);
        findings_are_real(&toy, &first, "walks");
        assert!(first.statistics.states <= 1 + 5 * 30);
        differ += u32::from(first.findings != other.findings);
    }
    assert!(differ > 0, "another seed, other walks");
}
