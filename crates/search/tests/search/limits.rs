//! Memory, time and budgets end a search with its result.

use crate::graph::Graph;
use crate::toys::Counters;
use crate::{all_errors, counted, replay, search};
use search::{
    Hurry, Order, Outcome, Plan, Progress, RESIDUALS_KEPT_MAX, Request, Shortest, Stop, StoreKind,
    Watch, Why, run, shortest,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use system::{Blocked, Budget, LoopHeads, Step, StepKind, StepOutcome, Successors, System, Word};

const KINDS: [(Order, StoreKind, Option<u64>); 9] = [
    (Order::Exhaustive, StoreKind::Compact, None),
    (Order::BreadthFirst, StoreKind::Compact, None),
    (Order::DepthFirst, StoreKind::Compact, None),
    (Order::Exhaustive, StoreKind::Full, None),
    (Order::BreadthFirst, StoreKind::Full, None),
    (Order::DepthFirst, StoreKind::Full, None),
    (Order::DepthFirst, StoreKind::Full, Some(1000)),
    (Order::DepthFirst, StoreKind::Path, None),
    (Order::DepthFirst, StoreKind::Labelled, None),
];

fn limited(order: Order, store: StoreKind, depth: Option<u64>, bytes: u64) -> Request {
    Request { memory_bytes_max: Some(bytes), ..all_errors(order, store, depth) }
}

#[test]
fn memory_is_used_up_to_the_limit_and_not_beyond() {
    let grid = Counters { counters: 4, top: 200 };
    for (order, store, depth) in KINDS.into_iter().take(7) {
        for bytes in [100_000, 1_000_000, 10_000_000] {
            let outcome = search(&grid, &limited(order, store, depth, bytes));
            assert_eq!(outcome.why_incomplete.first(), Some(&Why::Memory));
            // What was found is kept in any case.
            let found = if outcome.statistics.errors > 0 { bytes / 10 } else { 0 };
            assert!(outcome.statistics.peak_bytes <= bytes + found, "{order:?} {bytes}");
            assert!(outcome.statistics.peak_bytes > bytes / 3, "{order:?} {bytes}");
            assert!(outcome.statistics.store_bytes <= outcome.statistics.peak_bytes);
            assert!(outcome.statistics.states > 0);
            assert!(!outcome.complete());
        }
    }
}

#[test]
fn a_path_that_does_not_fit_ends_the_search() {
    let chain = Counters { counters: 1, top: 10_000_000 };
    for (order, store, depth) in KINDS {
        let outcome = search(&chain, &limited(order, store, depth, 2_000_000));
        let end = if depth.is_some() { Why::Depth } else { Why::Memory };
        assert_eq!(outcome.why_incomplete, [end]);
        assert!(outcome.statistics.peak_bytes <= 2_000_000);
    }
}

#[test]
fn any_limit_gives_a_result_and_a_generous_one_changes_nothing() {
    for seed in 0..300 {
        let graph = Graph::random(seed, 8, 3);
        for (order, store, depth) in KINDS {
            let free = search(&graph, &all_errors(order, store, depth));
            for bytes in [0, 1, 500, 5_000, 20_000, 40_000, 80_000, 1_000_000] {
                let outcome = search(&graph, &limited(order, store, depth, bytes));
                replay(&graph, &outcome);
                within_or_the_same(&outcome, &free, bytes);
            }
        }
    }
}

fn within_or_the_same(outcome: &Outcome, free: &Outcome, bytes: u64) {
    let statistics = outcome.statistics;
    assert_eq!(statistics.transitions, statistics.states + statistics.matched);
    if outcome.complete() {
        assert_eq!(counted(outcome), counted(free));
        assert_eq!(outcome.findings, free.findings);
    } else {
        assert!(outcome.why_incomplete.contains(&Why::Memory));
        assert!(bytes < 1_000_000);
        assert!(statistics.errors <= free.statistics.errors);
    }
}

/// Stops after some ticks and checks that the numbers only rise.
struct Impatient {
    ticks: u64,
    stop: Stop,
    last: Progress,
}

impl Watch for Impatient {
    fn tick(&mut self, progress: &Progress) -> Option<Stop> {
        let before = self.last.states + self.last.matched;
        let now = progress.states + progress.matched;
        assert!(before < now && now <= before + 2048);
        assert!(progress.depth >= self.last.depth && progress.errors >= self.last.errors);
        assert!(progress.bytes > 0 && progress.waiting > 0);
        self.last = *progress;
        self.ticks -= 1;
        (self.ticks == 0).then_some(self.stop)
    }
}

fn impatient(ticks: u64, stop: Stop) -> Impatient {
    Impatient { ticks, stop, last: Progress::default() }
}

#[test]
fn a_watch_ends_every_search_soon() {
    let grid = Counters { counters: 3, top: 1_000 };
    for (order, store, depth) in KINDS {
        for (stop, why) in [(Stop::Time, Why::Time), (Stop::Interrupted, Why::Interrupted)] {
            let plan = Plan::new(&all_errors(order, store, depth)).unwrap();
            let outcome =
                run(&grid, &mut [], &plan, &mut impatient(5, stop)).expect("it needs nothing");
            assert_eq!(outcome.why_incomplete[0], why);
            assert!((4000..6000).contains(&outcome.statistics.transitions));
        }
    }
    let stopped =
        shortest(&grid, &Request::default(), &mut |_| true, &mut impatient(3, Stop::Time));
    assert_eq!(stopped, Shortest::NotWithinBudget);
}

/// A state with two thousand successors at rest. The first step may end in an error.
struct Star {
    rest: Blocked,
    first: StepOutcome,
}

impl System for Star {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, words: &mut [Word]) {
        words[0] = 0;
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        for edge in (0..2000).filter(|_| state[0] == 0) {
            let step = Step::new(0, edge, StepKind::Send);
            out.push(step, state)[0] = Word::from(edge) + 1;
            out.set_outcome(if edge == 0 { self.first } else { StepOutcome::State });
        }
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        self.rest
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        Some(self)
    }
}

impl LoopHeads for Star {
    fn is_loop_head(&self, _: &[Word]) -> bool {
        true
    }
}

#[test]
fn residuals_are_all_counted_and_some_are_kept() {
    let star = Star { rest: Blocked::Residual, first: StepOutcome::State };
    for (order, store, depth) in KINDS {
        let outcome = search(&star, &Request { order, store, depth, ..Request::default() });
        assert!(outcome.complete() && outcome.findings.is_empty());
        assert_eq!(outcome.statistics.residuals, 2000);
        assert_eq!(outcome.residuals.len(), RESIDUALS_KEPT_MAX);
    }
}

/// The work list holds errors back until their level is done: a search that ends
/// before still reports them.
#[test]
fn an_error_in_hand_is_not_lost_when_the_search_is_stopped() {
    let star = Star { rest: Blocked::ProperEnd, first: StepOutcome::Fault };
    for (order, store, depth) in KINDS {
        let plan = Plan::new(&all_errors(order, store, depth)).unwrap();
        let outcome =
            run(&star, &mut [], &plan, &mut impatient(1, Stop::Time)).expect("it needs nothing");
        assert_eq!(outcome.why_incomplete, [Why::Time]);
        assert_eq!(outcome.findings.len(), 1);
        replay(&star, &outcome);
    }
}

/// Out of time after some ticks.
struct Late(u64);

impl Watch for Late {
    fn tick(&mut self, _: &Progress) -> Option<Stop> {
        self.0 -= 1;
        (self.0 == 0).then_some(Stop::Time)
    }
}

/// Has no time as soon as it is asked where nobody can tick, for the so-manieth time.
struct Hasty(Arc<AtomicU64>, Stop);

impl Watch for Hasty {
    fn tick(&mut self, _: &Progress) -> Option<Stop> {
        None
    }

    fn hurry(&self) -> Hurry {
        let (left, stop) = (Arc::clone(&self.0), self.1);
        let less = |left: u64| left.checked_sub(1);
        Arc::new(move || {
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).err().map(|_| stop)
        })
    }
}

/// A table that grows, or whose keys all change, asks whether there is time.
#[test]
fn a_growing_store_asks_the_clock() {
    let grid = Counters { counters: 3, top: 200 };
    for (order, store, depth) in KINDS.into_iter().take(3) {
        for (asked, stop, why) in
            [(3, Stop::Time, Why::Time), (40, Stop::Interrupted, Why::Interrupted)]
        {
            let plan = Plan::new(&all_errors(order, store, depth)).unwrap();
            let watch = &mut Hasty(Arc::new(AtomicU64::new(asked)), stop);
            let outcome = run(&grid, &mut [], &plan, watch).expect("it needs nothing");
            assert_eq!(outcome.why_incomplete, [why], "{order:?}");
            assert!(outcome.statistics.states < 200 * 200 * 200);
            replay(&grid, &outcome);
        }
    }
}

/// A single state whose successors take for ever.
struct Bottomless;

impl System for Bottomless {
    fn width(&self) -> usize {
        1
    }
    fn initial(&self, words: &mut [Word]) {
        words[0] = 0;
    }
    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        while budget.lasts(out.bytes()) {
            out.push(Step::new(0, 0, StepKind::Internal), state)[0] += out.len() as Word;
        }
        false
    }
    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::Deadlock
    }
    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        Some(self)
    }
}

impl LoopHeads for Bottomless {
    fn is_loop_head(&self, _: &[Word]) -> bool {
        true
    }
}

#[test]
fn a_search_ends_in_the_middle_of_a_state() {
    for (order, store, depth) in KINDS {
        let outcome = search(&Bottomless, &limited(order, store, depth, 1_000_000));
        assert_eq!(outcome.why_incomplete, [Why::Memory]);
        assert_eq!((outcome.statistics.states, outcome.findings.len()), (1, 0));
        let plan = Plan::new(&all_errors(order, store, depth)).expect("sound");
        let outcome = run(&Bottomless, &mut [], &plan, &mut Late(7)).expect("it needs nothing");
        assert_eq!(outcome.why_incomplete, [Why::Time]);
        assert_eq!((outcome.statistics.states, outcome.findings.len()), (1, 0));
    }
}
