//! Small systems whose numbers one can work out by hand.

use crate::{all_errors, search};
use search::{
    FindingKind, Order, Plan, Refusal, Request, Shortest, StoreKind, Unwatched, shortest,
};
use system::{Blocked, Budget, LoopHeads, Step, StepKind, Successors, System, Word};

fn step(agent: u32, edge: u32) -> Step {
    Step::new(agent, edge, StepKind::Internal)
}

/// `counters` counters, each of which counts from 0 to `top` and stops.
pub(crate) struct Counters {
    pub(crate) counters: usize,
    pub(crate) top: Word,
}

impl System for Counters {
    fn width(&self) -> usize {
        self.counters
    }

    fn initial(&self, words: &mut [Word]) {
        words.fill(0);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        for (agent, _) in state.iter().enumerate().filter(|(_, count)| **count < self.top) {
            out.push(step(agent as u32, 0), state)[agent] += 1;
        }
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::Deadlock
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        Some(self)
    }
}

impl LoopHeads for Counters {
    fn is_loop_head(&self, _: &[Word]) -> bool {
        false
    }
}

/// A token that goes round for ever.
struct Ring(Word);

impl System for Ring {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, words: &mut [Word]) {
        words[0] = 0;
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        out.push(step(state[0] as u32, 0), state)[0] = (state[0] + 1) % self.0;
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        unreachable!("the token can always move")
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        Some(self)
    }
}

impl LoopHeads for Ring {
    fn is_loop_head(&self, state: &[Word]) -> bool {
        state[0] == 0
    }
}

/// Philosophers who take the left fork, then the right one, then lay both down.
/// A word per philosopher: the number of forks in hand.
struct Philosophers(usize);

impl System for Philosophers {
    fn width(&self) -> usize {
        self.0
    }

    fn initial(&self, words: &mut [Word]) {
        words.fill(0);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        for who in 0..self.0 {
            let (left, right) = ((who + self.0 - 1) % self.0, (who + 1) % self.0);
            let free = match state[who] {
                0 => state[left] < 2,
                1 => state[right] == 0,
                _ => true,
            };
            if free {
                let edge = state[who] as u32;
                out.push(step(who as u32, edge), state)[who] = (state[who] + 1) % 3;
            }
        }
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::Deadlock
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        Some(self)
    }
}

impl LoopHeads for Philosophers {
    fn is_loop_head(&self, state: &[Word]) -> bool {
        state.contains(&0)
    }
}

#[test]
fn a_diamond_has_its_states_and_edges() {
    let diamond = Counters { counters: 2, top: 1 };
    for order in [Order::Exhaustive, Order::DepthFirst, Order::BreadthFirst] {
        let outcome = search(&diamond, &all_errors(order, StoreKind::Compact, None));
        let statistics = outcome.statistics;
        assert_eq!((statistics.states, statistics.matched, statistics.transitions), (4, 1, 5));
        assert_eq!((statistics.depth, statistics.errors), (2, 1));
        assert_eq!(outcome.executed.iter().collect::<Vec<_>>(), [(0, 0), (1, 0)]);
    }
}

#[test]
fn a_store_of_the_path_walks_every_path_and_reports_once() {
    let grid = Counters { counters: 2, top: 6 };
    for store in [StoreKind::Path, StoreKind::Labelled] {
        let outcome = search(&grid, &all_errors(Order::DepthFirst, store, None));
        assert_eq!(outcome.findings.len(), 1);
        // Lattice paths from the corner: the sum of the binomials of (i + j, i).
        assert_eq!(outcome.statistics.states, 3431);
        assert_eq!(outcome.statistics.matched, 0);
    }
}

#[test]
fn a_ring_closes_one_loop() {
    let ring = Ring(10);
    for store in [StoreKind::Compact, StoreKind::Full, StoreKind::Labelled, StoreKind::Path] {
        let outcome = search(&ring, &all_errors(Order::DepthFirst, store, None));
        let statistics = outcome.statistics;
        assert_eq!((statistics.states, statistics.matched, statistics.loops), (10, 1, 1));
        assert_eq!(statistics.depth, 9);
        assert!(outcome.complete() && outcome.findings.is_empty());
    }
}

#[test]
fn philosophers_deadlock_with_one_fork_each() {
    for count in 2..7 {
        let table = Philosophers(count);
        for order in [Order::Exhaustive, Order::DepthFirst, Order::BreadthFirst] {
            let outcome = search(&table, &all_errors(order, StoreKind::Compact, None));
            assert_eq!(outcome.findings.len(), 1);
            assert_eq!(outcome.findings[0].state, vec![1; count]);
            assert_eq!(outcome.findings[0].kind, FindingKind::Blocked(Blocked::Deadlock));
        }
        match shortest(&table, &Request::default(), &mut |_| true, &mut Unwatched) {
            Shortest::Found(finding) => assert_eq!(finding.trail.len(), count),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_chain_of_a_million_states_needs_no_deep_stack() {
    let chain = Counters { counters: 1, top: 1_000_000 };
    for store in [StoreKind::Compact, StoreKind::Full, StoreKind::Path] {
        let outcome = search(&chain, &all_errors(Order::DepthFirst, store, None));
        assert_eq!(outcome.statistics.states, 1_000_001);
        assert_eq!(outcome.statistics.depth, 1_000_000);
        assert_eq!(outcome.findings[0].trail.len(), 1_000_000);
    }
}

#[test]
fn a_system_without_words_has_one_state() {
    let nothing = Counters { counters: 0, top: 1 };
    for order in [Order::Exhaustive, Order::DepthFirst, Order::BreadthFirst] {
        let outcome = search(&nothing, &all_errors(order, StoreKind::Compact, None));
        assert_eq!((outcome.statistics.states, outcome.findings.len()), (1, 1));
        assert!(outcome.findings[0].trail.is_empty());
    }
}

#[test]
fn what_cannot_be_served_is_refused_with_a_way_out() {
    let order = Order::BreadthFirst;
    for store in [StoreKind::Labelled, StoreKind::Path] {
        let refusal = Plan::new(&Request { order, store, ..Request::default() }).unwrap_err();
        assert_eq!(refusal, Refusal::NoPathBreadthFirst(store));
        assert!(refusal.to_string().ends_with("search depth first, or store all states"));
    }
    for store in [StoreKind::Bitstate, StoreKind::Hash64] {
        let refusal = Plan::new(&Request { order, store, ..Request::default() }).unwrap_err();
        assert_eq!(refusal, Refusal::NoWordsBreadthFirst);
        assert!(refusal.to_string().ends_with("search depth first, or store all states"));
    }
    let errors_max = std::num::NonZeroU64::new(5);
    let refusal = Plan::new(&Request { errors_max, ..Request::default() }).unwrap_err();
    assert!(refusal.to_string().contains("after 5 of them; ask for all errors"));
}
