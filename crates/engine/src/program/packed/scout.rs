//! A short search ahead of the search, to see which processes there are.

use super::facts::Facts;
use super::knowledge::Knowledge;
use super::slow::Bytes;
use program::Program;
use program::reference::{Rules, State};
use std::collections::HashSet;
use system::{Successors, System, Word};

/// States looked at breadth first, and steps of walks into the depth.
const STATES_MAX: usize = 1000;
const WALKS: usize = 8;
const WALK_STEPS: usize = 128;

/// Looks around from the initial state and from what surprised an earlier search.
pub(super) fn scout(
    program: &Program,
    rules: &Rules,
    facts: &Facts,
    initial: &State,
    knowledge: &mut Knowledge,
) {
    let mut starts = std::mem::take(&mut knowledge.surprises);
    starts.push(initial.clone());
    for state in &starts {
        knowledge.learn(program, facts, state);
    }
    let Ok(bytes) = Bytes::new(program, *rules, &starts) else { return };
    let mut see = |words: &[Word]| {
        knowledge.learn(program, facts, &bytes.state(words));
    };
    for start in &starts {
        let Some(words) = bytes.words(start) else { continue };
        around(&bytes, words.clone(), &mut see);
        (1..=WALKS).for_each(|seed| walk(&bytes, words.clone(), seed, &mut see));
    }
}

fn around(bytes: &Bytes<'_>, start: Vec<Word>, see: &mut impl FnMut(&[Word])) {
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start];
    let mut next = 0;
    let mut out = Successors::new(bytes.closures.width());
    while next < open.len() && open.len() < STATES_MAX {
        out.clear();
        bytes.closures.successors(&open[next], &mut out);
        next += 1;
        for (_, _, state) in out.iter().filter(|(_, landing, _)| landing.enters()) {
            if seen.insert(state.to_vec()) {
                see(state);
                open.push(state.to_vec());
            }
        }
    }
}

fn walk(bytes: &Bytes<'_>, start: Vec<Word>, seed: usize, see: &mut impl FnMut(&[Word])) {
    let mut random = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut at = start;
    let mut out = Successors::new(bytes.closures.width());
    for _ in 0..WALK_STEPS {
        out.clear();
        bytes.closures.successors(&at, &mut out);
        let ways: Vec<&[Word]> =
            out.iter().filter(|(_, landing, _)| landing.enters()).map(|(_, _, s)| s).collect();
        // Xorshift, by Marsaglia.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let Some(way) = (random >> 32).checked_rem(ways.len() as u64) else { return };
        at = ways[way as usize].to_vec();
        see(&at);
    }
}
