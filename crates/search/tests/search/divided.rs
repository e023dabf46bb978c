//! Systems of agents that look at a few words: a store whose searches remember what they do
//! gives what one gives that asks every time.

use crate::plans::same_outcome;
use crate::threads::{ThreadsOnly, parallel, watched};
use crate::{all_errors, counted, replay, search};
use search::{Order, Request, StoreKind, Why};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use system::{
    Agents, Blocked, Budget, EdgeCoverage, Step, StepKind, StepOutcome, Successors, System, Word,
};
use testkit::Random;

/// As many agents as words, each at home in one. It looks at the next ones as well if the
/// value of its home is even, and what it sees decides at random what it does.
#[derive(Clone)]
struct Cells {
    words: usize,
    values: u64,
    /// How many words an agent looks at.
    looks: usize,
    seed: u64,
    /// Nobody fails, and there is always a step: no finding, however long the way to it.
    calm: bool,
    asked: Cell<u64>,
    executed: RefCell<BTreeSet<(u32, u32)>>,
}

impl Cells {
    fn new(words: usize, values: u64, looks: usize, seed: u64) -> Self {
        let (asked, executed) = (Cell::new(0), RefCell::default());
        Self { words, values, looks, seed, calm: false, asked, executed }
    }

    fn calm(words: usize, values: u64, looks: usize, seed: u64) -> Self {
        Self { calm: true, ..Self::new(words, values, looks, seed) }
    }

    fn view(&self, agent: usize, state: &[Word]) -> impl Iterator<Item = usize> {
        let looks = if state[agent].is_multiple_of(2) { self.looks } else { 1 };
        let words = self.words;
        (0..looks).map(move |more| (agent + more) % words)
    }

    /// Whether it fails, or all its steps lead to states.
    fn act(&self, agent: usize, state: &[Word], out: &mut Successors) -> bool {
        let seen = self.view(agent, state).fold(self.seed + agent as u64, |seen, word| {
            (seen ^ state[word]).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        });
        let (mut random, view) = (Random::new(seen), self.view(agent, state).collect::<Vec<_>>());
        let fails = !self.calm && random.below(40) == 0;
        let least = u64::from(self.calm && agent == 0);
        for edge in 0..random.below(4).max(least) as u32 {
            self.executed.borrow_mut().insert((agent as u32, edge));
            let step = Step { weight: 1 + edge as u16, ..step(agent, edge) };
            let next = out.push(step, state);
            for word in view.iter().filter(|word| **word == agent || edge > 0) {
                next[*word] = random.below(self.values);
            }
            if fails && edge == 1 {
                out.set_outcome(StepOutcome::Violation(7));
            }
        }
        !fails
    }
}

fn step(agent: usize, edge: u32) -> Step {
    Step::new(agent as u32, edge, StepKind::Internal)
}

impl System for Cells {
    fn width(&self) -> usize {
        self.words
    }

    fn initial(&self, words: &mut [Word]) {
        words.fill(0);
    }

    /// If nobody has a step, some states have one by nobody in particular.
    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        (0..self.words).for_each(|agent| {
            self.act(agent, state, out);
        });
        if out.is_empty() && state[0] % 2 == 1 {
            self.executed.borrow_mut().insert((99, 0));
            out.push(step(99, 0), state)[0] = 0;
        }
        true
    }

    fn edge_coverage(&self) -> Option<&dyn EdgeCoverage> {
        Some(self)
    }

    fn has_first_step_sleep(&self) -> bool {
        true
    }

    fn agents(&self) -> Option<&dyn Agents> {
        Some(self)
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        if state[1].is_multiple_of(2) { Blocked::Deadlock } else { Blocked::Residual }
    }
}

impl EdgeCoverage for Cells {
    fn executed(&self, mark: &mut dyn FnMut(u32, u32)) {
        self.executed.borrow().iter().for_each(|(agent, edge)| mark(*agent, *edge));
    }
}

impl Agents for Cells {
    fn count(&self) -> usize {
        self.words
    }

    fn location_word(&self, agent: usize) -> usize {
        agent
    }

    fn read_set(&self, agent: usize, state: &[Word], read: &mut dyn FnMut(usize)) -> bool {
        self.view(agent, state).for_each(read);
        true
    }

    fn steps_of(&self, agent: usize, state: &[Word], out: &mut Successors) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.act(agent, state, out)
    }

    fn first_step_sleep_set(&self, _: u32, row: &mut Vec<Word>) {
        row.clear();
    }
}

const ORDERS: [Order; 3] = [Order::Exhaustive, Order::BreadthFirst, Order::DepthFirst];

#[test]
fn what_is_remembered_is_what_would_be_answered() {
    for seed in 0..60 {
        let (words, values) = (2 + seed as usize % 3, 2 + seed % 5);
        let system = Cells::new(words, values, 1 + seed as usize % words, seed);
        for order in ORDERS {
            let request = all_errors(order, StoreKind::Full, None);
            same_outcome(&system, &request);
            replay(&system, &search(&system, &Request { store: StoreKind::Compact, ..request }));
        }
    }
}

/// 6^7 states at most; what an agent sees of them is one of 36.
#[test]
fn few_are_asked_twice() {
    let mut states = 0;
    for seed in 0..5 {
        let system = Cells::calm(7, 6, 2, seed);
        for order in ORDERS {
            system.asked.set(0);
            let outcome = search(&system, &all_errors(order, StoreKind::Compact, None));
            states = states.max(outcome.statistics.states);
            let most = 2000 + outcome.statistics.states / 10;
            assert!(system.asked.get() < most, "{} times {:?}", system.asked.get(), order);
        }
    }
    assert!(states > 100_000, "{states} states");
}

/// Who looks at everything sees every state for the first time: remembering is given up.
#[test]
fn agents_that_see_everything_are_asked_as_before() {
    let mut states = 0;
    for seed in 0..4 {
        let system = Cells::calm(5, 11, 5, seed);
        for order in ORDERS {
            same_outcome(&system, &all_errors(order, StoreKind::Full, None));
        }
        system.asked.set(0);
        let outcome = search(&system, &all_errors(Order::Exhaustive, StoreKind::Compact, None));
        states = states.max(outcome.statistics.states);
        let trial = 2 * (1 << 15) * 5;
        assert!(system.asked.get() <= trial, "asked {} times", system.asked.get());
    }
    assert!(states > 100_000, "{states} states");
}

/// Memory that suffices for the states suffices: what is remembered gives way.
#[test]
fn remembering_takes_no_memory_from_states() {
    let system = Cells::calm(6, 9, 2, 3);
    for order in ORDERS {
        let free = search(&system, &all_errors(order, StoreKind::Compact, None));
        assert!(free.complete() && free.statistics.states > 50_000, "{order:?}");
        let mut completed = 0;
        for percent in [30, 60, 90, 97, 100] {
            let bytes = free.statistics.peak_bytes * percent / 100;
            let request = Request {
                memory_bytes_max: Some(bytes),
                ..all_errors(order, StoreKind::Compact, None)
            };
            let outcome = search(&system, &request);
            assert!(outcome.statistics.peak_bytes <= bytes, "{order:?}");
            match outcome.complete() {
                true => assert_eq!(outcome.statistics.states, free.statistics.states),
                false => assert_eq!(outcome.why_incomplete, [Why::Memory]),
            }
            completed += u32::from(outcome.complete());
        }
        assert!(completed > 0, "{order:?}");
    }
}

#[test]
fn threads_remember_as_well() {
    for seed in 0..20 {
        let system = Cells::calm(6, 5, 2, seed);
        let request = all_errors(Order::Exhaustive, StoreKind::Compact, None);
        let both = parallel(&system, 2, &request);
        let alone = search(&system, &request);
        assert_eq!(both.findings.len(), alone.findings.len());
        let (both, alone) = (counted(&both), counted(&alone));
        assert_eq!((both.states, both.transitions), (alone.states, alone.transitions));
    }
}

/// The way to what a thread finds goes through the logs of all, and through what was recalled.
#[test]
fn threads_find_the_way_through_what_they_remember() {
    let mut kept = 0;
    for seed in 0..40 {
        let system = Cells::new(7, 6, 2, seed);
        let outcome = watched(&system, 3, &Request::default(), &mut ThreadsOnly);
        replay(&system, &outcome);
        kept += u32::from(!outcome.canonical);
    }
    assert!(kept > 0, "no finding of threads was kept");
}
