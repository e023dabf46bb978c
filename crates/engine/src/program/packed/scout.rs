//! A short search ahead of the search, to see which processes there are.

use super::facts::Facts;
use super::knowledge::Knowledge;
use super::slow::Bytes;
use crate::program::creates;
use program::reference::State;
use std::collections::HashSet;
use system::{Successors, System, Unlimited, Word};

/// States looked at breadth first at most, and how many without anything new are enough.
const STATES_MAX: usize = 2000;
const PATIENCE: usize = 200;
/// Walks into the depth, and their steps.
const WALKS: u64 = 4;
const WALK_STEPS: usize = 100;

/// Looks around from some states: the initial one, and what surprised an earlier search.
pub(super) fn scout(bytes: &Bytes<'_>, facts: &Facts, starts: &[State], knowledge: &mut Knowledge) {
    let program = bytes.program;
    for state in starts {
        knowledge.learn(program, facts, state);
    }
    // Who is there at the start is all there is.
    if !creates(program) {
        return;
    }
    let mut see = |words: &[Word]| knowledge.learn(program, facts, &bytes.state(words));
    for start in starts {
        let Some(words) = bytes.words(start) else { continue };
        around(bytes, words.clone(), &mut see);
        (1..=WALKS).for_each(|seed| walk(bytes, words.clone(), seed, &mut see));
    }
}

fn around(bytes: &Bytes<'_>, start: Vec<Word>, see: &mut impl FnMut(&[Word]) -> bool) {
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start];
    let (mut next, mut last_news) = (0, 0);
    let mut out = Successors::new(bytes.closures.width());
    while next < open.len().min(last_news + PATIENCE) && open.len() < STATES_MAX {
        out.clear();
        bytes.closures.successors(&open[next], &mut out, &mut Unlimited);
        next += 1;
        for (_, _, state) in out.iter().filter(|(_, landing, _)| landing.enters()) {
            if seen.insert(state.to_vec()) {
                if see(state) {
                    last_news = open.len();
                }
                open.push(state.to_vec());
            }
        }
    }
}

fn walk(bytes: &Bytes<'_>, start: Vec<Word>, seed: u64, see: &mut impl FnMut(&[Word]) -> bool) {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut at = start;
    let mut out = Successors::new(bytes.closures.width());
    for _ in 0..WALK_STEPS {
        out.clear();
        bytes.closures.successors(&at, &mut out, &mut Unlimited);
        let ways = out.iter().filter(|(_, landing, _)| landing.enters());
        let ways: Vec<&[Word]> = ways.map(|(_, _, state)| state).collect();
        // Xorshift, by Marsaglia.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let Some(way) = (random >> 32).checked_rem(ways.len() as u64) else { return };
        at = ways[way as usize].to_vec();
        see(&at);
    }
}
