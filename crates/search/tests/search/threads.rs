//! Several threads give what one gives.

use crate::graph::Graph;
use crate::{all_errors, counted, replay, search};
use search::{
    Order, Outcome, Plan, Progress, Request, Stop, StoreKind, Unwatched, Watch, Why, run,
};
use system::{Blocked, Budget, Step, StepKind, StepOutcome, Successors, System, Word};

/// Wheels that turn for ever, one tooth at a time, the odd ones both ways.
#[derive(Clone, Copy)]
struct Wheels {
    wheels: usize,
    teeth: Word,
}

impl System for Wheels {
    fn width(&self) -> usize {
        self.wheels
    }

    fn initial(&self, words: &mut [Word]) {
        words.fill(0);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        for wheel in 0..self.wheels {
            for (edge, turn) in [(0, 1), (1, self.teeth - 1)].into_iter().take(1 + wheel % 2) {
                let step = Step::new(wheel as u32, edge, StepKind::Internal);
                let next = &mut out.push(step, state)[wheel];
                *next = (*next + turn) % self.teeth;
            }
        }
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::ProperEnd
    }
}

pub(crate) fn parallel<S: System + Send + Clone>(
    system: &S,
    threads: usize,
    request: &Request,
) -> Outcome {
    watched(system, threads, request, &mut Unwatched)
}

pub(crate) fn watched<S: System + Send + Clone>(
    system: &S,
    threads: usize,
    request: &Request,
    watch: &mut dyn Watch,
) -> Outcome {
    let mut copies = vec![system.clone(); threads - 1];
    let plan = Plan::new(request).expect("a sound request");
    let mut copies: Vec<_> = copies.iter_mut().map(|copy| copy as _).collect();
    run(system, &mut copies, &plan, watch).expect("it needs nothing")
}

/// Lets threads search, who do not say how many states wait, and then stops the one.
pub(crate) struct ThreadsOnly;

impl Watch for ThreadsOnly {
    fn tick(&mut self, progress: &Progress) -> Option<Stop> {
        (progress.waiting > 0).then_some(Stop::Time)
    }
}

/// Counters without end. The highest step of the last one fails, or is its last, far away for a
/// breadth-first search.
#[derive(Clone, Copy)]
struct Deep {
    fails: bool,
}

const DEEP: Word = 300;

impl System for Deep {
    fn width(&self) -> usize {
        6
    }

    fn initial(&self, words: &mut [Word]) {
        words.fill(0);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        for counter in (0..6).filter(|_| self.fails || state[5] < DEEP) {
            let step = Step::new(counter as u32, 0, StepKind::Internal);
            out.push(step, state)[counter] += 1;
            if state[5] + 1 == DEEP && counter == 5 && self.fails {
                out.set_outcome(StepOutcome::Violation(3));
            }
        }
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::Deadlock
    }
}

#[test]
fn what_threads_find_is_kept_if_one_does_not_come_to_it() {
    for (fails, threads) in [(true, 2), (false, 2), (true, 3), (false, 4)] {
        let system = Deep { fails };
        let outcome = watched(&system, threads, &Request::default(), &mut ThreadsOnly);
        assert_eq!((outcome.findings.len(), outcome.statistics.errors), (1, 1));
        assert_eq!(outcome.why_incomplete, [Why::Time]);
        assert!(!outcome.canonical && !outcome.complete());
        replay(&system, &outcome);
    }
}

#[test]
fn threads_count_what_one_thread_counts() {
    for (wheels, teeth) in [(1, 5), (2, 300), (4, 19), (7, 5), (12, 2), (26, 1), (30, 1)] {
        let system = Wheels { wheels, teeth };
        for order in [Order::Exhaustive, Order::BreadthFirst] {
            let request = all_errors(order, StoreKind::Compact, None);
            let one = search(&system, &request);
            for threads in 1..5 {
                let many = parallel(&system, threads, &request);
                assert!(many.complete());
                let numbers = |outcome: &Outcome| {
                    let found = counted(outcome);
                    (found.states, found.matched, found.transitions)
                };
                assert_eq!(numbers(&many), numbers(&one));
                assert_eq!(many.executed, one.executed);
            }
        }
    }
}

#[test]
fn what_threads_find_is_what_breadth_first_finds() {
    for seed in 0..400 {
        let graph = Graph::random(seed, 40, 3);
        for all in [true, false] {
            let request = Request { all_errors: all, ..Request::default() };
            let many = parallel(&graph, 3, &request);
            let one = search(&graph, &Request { order: Order::BreadthFirst, ..request });
            assert_eq!(many.findings, one.findings);
            assert_eq!(many.residuals, one.residuals);
            assert_eq!(many.complete(), one.complete());
            assert!(many.canonical);
            assert_eq!(many.statistics.states, one.statistics.states);
            assert_eq!(many.statistics.matched, one.statistics.matched);
        }
    }
}

/// From the first state to some fans, from each to as many leaves, from each leaf to its end: a
/// word for each of the three.
#[derive(Clone, Copy)]
struct Fans {
    fans: Word,
    leaves: Word,
}

impl System for Fans {
    fn width(&self) -> usize {
        3
    }

    fn initial(&self, words: &mut [Word]) {
        words.fill(0);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        let (word, values) = match state {
            [0, ..] => (0, self.fans),
            [_, 0, _] => (1, self.leaves),
            [_, _, 0] => (2, 1),
            _ => return true,
        };
        for value in 1..=values {
            out.push(Step::new(0, value as u32, StepKind::Internal), state)[word] = value;
        }
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::ProperEnd
    }
}

/// Many successors are on their way while states with few are expanded: room for all of them
/// was made.
#[test]
fn states_with_many_successors_are_followed_by_some_with_few() {
    for (fans, leaves) in [(2, 1000), (3, 70), (5, 150), (40, 333), (2, 20_000)] {
        let system = Fans { fans, leaves };
        let states = 1 + fans + 2 * fans * leaves;
        for order in [Order::Exhaustive, Order::BreadthFirst] {
            let request = all_errors(order, StoreKind::Compact, None);
            for threads in 1..4 {
                let outcome = parallel(&system, threads, &request);
                assert!(outcome.complete());
                assert_eq!(outcome.statistics.states, states);
            }
        }
    }
}

#[test]
fn threads_end_within_the_memory_given() {
    let system = Wheels { wheels: 6, teeth: 30 };
    for bytes in [0, 10_000, 1_000_000, 5_000_000] {
        let request = Request { memory_bytes_max: Some(bytes), ..Request::default() };
        let outcome = parallel(&system, 2, &request);
        assert_eq!(outcome.why_incomplete, [Why::Memory]);
        assert!(outcome.statistics.peak_bytes <= bytes);
        assert!(!outcome.complete());
    }
}
