//! States of one to seven hundred words: the compact store lays out keys anew,
//! pairs words and pairs of words, and is still the full one.

use crate::plans::same_outcome;
use crate::toys::Counters;
use crate::{all_errors, search};
use search::{Order, Request, StoreKind};
use system::{Blocked, Budget, Step, StepKind, Successors, System, Word};
use testkit::Random;

/// A pseudo-random successor function: from each state some steps that change a
/// word, its neighbour and sometimes a third one.
struct Scramble {
    words: usize,
    /// How many values a word can take.
    values: u64,
    seed: u64,
}

impl Scramble {
    fn value(&self, random: &mut Random) -> Word {
        random.below(self.values).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl System for Scramble {
    fn width(&self) -> usize {
        self.words
    }

    fn initial(&self, words: &mut [Word]) {
        words.fill(0);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        let sum = state.iter().fold(self.seed, |sum, word| sum.rotate_left(5) ^ word);
        let mut random = Random::new(sum);
        for edge in 0..random.below(4) as u32 {
            let at = random.below(self.words as u64) as usize;
            let (one, other) = (self.value(&mut random), self.value(&mut random));
            let next = out.push(Step::new(at as u32, edge, StepKind::Internal), state);
            next[at] = one;
            next[(at + 1) % self.words] ^= one;
            if edge == 2 {
                next[random.below(self.words as u64) as usize] = other;
            }
        }
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::Deadlock
    }
}

#[test]
fn wide_states_are_told_apart() {
    for (words, values, states) in [(1, 5000, 2000), (2, 90, 3000), (5, 40, 9000), (9, 200, 9000)]
        .into_iter()
        .chain([(20, 60, 9000), (40, 9, 9000), (63, 300, 4000), (130, 30, 2000), (700, 5, 700)])
    {
        for seed in 0..2 {
            let system = Scramble { words, values, seed };
            for order in [Order::Exhaustive, Order::DepthFirst, Order::BreadthFirst] {
                let request = all_errors(order, StoreKind::Full, None);
                same_outcome(&system, &Request { states_max: Some(states), ..request });
            }
        }
    }
}

/// Every combination occurs: nothing is saved by pairing, and the key of 70 bits
/// that this takes side by side has to be paired all the same.
#[test]
fn keys_of_more_than_63_bits_are_exact() {
    let grid = Counters { counters: 14, top: 20 };
    for order in [Order::Exhaustive, Order::DepthFirst, Order::BreadthFirst] {
        let request = all_errors(order, StoreKind::Full, None);
        same_outcome(&grid, &Request { states_max: Some(60_000), ..request });
    }
}

#[test]
fn a_state_costs_at_most_sixteen_bytes() {
    let grid = Counters { counters: 4, top: 31 };
    for order in [Order::Exhaustive, Order::DepthFirst, Order::BreadthFirst] {
        let statistics = search(&grid, &all_errors(order, StoreKind::Compact, None)).statistics;
        assert_eq!(statistics.states, 1 << 20);
        let each = statistics.store_bytes as f64 / statistics.states as f64;
        assert!((4.7..7.1).contains(&each), "{order:?}: {each}");
    }
}
