//! Which words go into one field.
//!
//! Words are paired when their numbers do not fit side by side any more, which may be when
//! hardly a state is known: a process that creates others makes all their words vary in one
//! step. So while there are few keys, all pairs are chosen again whenever keys change.

use crate::tree::{KEY_BITS_MAX, Name, Tree, VARYING_MAX};

/// After pairing a key should need at most so many of each four bits: else the
/// next field that grows would make all keys change again.
const QUARTERS_AFTER_PAIRING: u32 = 3;
/// So many keys are looked at to find out which neighbours belong together, fewer if there are
/// many neighbours.
const SAMPLE: usize = 1 << 14;
/// To choose all pairs again takes a few instructions for each word of each key: it is done while
/// there are at most so many of them.
const WORDS_CHOSEN_AGAIN_MAX: usize = 1 << 17;
/// A pair that was seen less often, on average, may have more values than the sample shows.
const SEEN_MIN: usize = 8;

/// Whether pairs are still chosen again if there are so many keys of so many words.
pub(crate) fn are_chosen_again(keys: usize, words: usize) -> bool {
    keys * words <= WORDS_CHOSEN_AGAIN_MAX
}

/// So many keys are to be looked at, if so many fields vary.
pub(crate) fn sample_of(varying: usize) -> usize {
    SAMPLE / varying.div_ceil(VARYING_MAX).max(1)
}

/// Which of the fields that vary, of so many bits each, to pair with their next one: those that
/// save most, of those the narrowest, no field twice, until the key is short enough and not
/// divided among too many. At least one; those that save nothing only if none saves anything.
pub(crate) fn neighbours(needs: &[u32], gain: impl Fn(usize) -> u32) -> Vec<usize> {
    let pairs = 0..needs.len().saturating_sub(1);
    let mut gains: Vec<(u32, usize)> = pairs.map(|at| (gain(at), at)).collect();
    gains.sort_unstable_by_key(|(gain, at)| {
        (std::cmp::Reverse(*gain), needs[*at] + needs[at + 1], *at)
    });
    let saves = gains.first().is_some_and(|(gain, _)| *gain > 0);
    let (mut bits, mut firsts) = (needs.iter().sum::<u32>(), Vec::new());
    for (gain, at) in gains {
        let crowded = needs.len() - firsts.len() > VARYING_MAX;
        let more = !is_enough(bits) && gain > 0 || crowded && (gain > 0 || !saves);
        if !more && !firsts.is_empty() {
            break;
        }
        if firsts.iter().all(|first: &usize| first.abs_diff(at) > 1) {
            firsts.push(at);
            bits = bits.saturating_sub(gain);
        }
    }
    firsts.sort_unstable();
    firsts
}

fn is_enough(bits: u32) -> bool {
    4 * bits <= QUARTERS_AFTER_PAIRING * KEY_BITS_MAX
}

/// The bits a pair of two fields of so many bits together would save, as far as a sample of what
/// is in them shows.
pub(crate) fn gain(bits: u32, sample: impl ExactSizeIterator<Item = (u64, u64)>) -> u32 {
    let seen = sample.len();
    let mut pairs: Vec<(u64, u64)> = sample.collect();
    pairs.sort_unstable();
    pairs.dedup();
    // Where almost every key has a pair of its own the sample shows a lower bound
    // only; half of what it promises orders such pairs behind the others.
    let gain = bits.saturating_sub(bits_of(pairs.len()));
    if 2 * pairs.len() > seen { gain / 2 } else { gain }
}

fn bits_of(values: usize) -> u32 {
    usize::BITS - values.saturating_sub(1).leading_zeros()
}

/// A field that varies, as a sample shows it.
struct Column {
    bits: u32,
    numbers: Vec<u64>,
}

impl Tree {
    /// A tree of the same words with pairs chosen anew, by what a sample of numbers shows; it has
    /// taken the leaves of this one, which can still say what they are in an old number.
    pub(crate) fn paired_again(&mut self, sample: &[u64], growing: Option<Name>) -> Self {
        let mut tree = self.leaves_only();
        tree.order(growing);
        let needs = tree.needs_for(growing);
        let varying = needs.iter().take_while(|need| **need > 0).count();
        let states: Vec<Vec<u64>> = sample.iter().map(|number| self.leaves_of(*number)).collect();
        let mut columns: Vec<Column> = (0..varying)
            .map(|at| {
                let word = tree.field_at(at);
                let numbers = states.iter().map(|leaves| leaves[word]).collect();
                Column { bits: needs[at], numbers }
            })
            .collect();
        loop {
            let needs: Vec<u32> = columns.iter().map(|column| column.bits).collect();
            let before = needs.iter().sum::<u32>();
            if is_enough(before) && needs.len() <= VARYING_MAX || needs.len() < 2 {
                return tree;
            }
            let firsts = neighbours(&needs, |at| saved(&columns[at], &columns[at + 1]));
            tree.pair(&firsts);
            firsts.iter().rev().for_each(|at| {
                let second = columns.remove(at + 1);
                columns[*at] = joined(&columns[*at], &second);
            });
            let after = columns.iter().map(|column| column.bits).sum::<u32>();
            if after >= before && after <= tree.bits_max && columns.len() <= VARYING_MAX {
                return tree;
            }
        }
    }
}

/// What a pair is sure to save.
fn saved(one: &Column, other: &Column) -> u32 {
    let mut pairs: Vec<(u64, u64)> =
        one.numbers.iter().zip(&other.numbers).map(|(one, other)| (*one, *other)).collect();
    let seen = pairs.len();
    pairs.sort_unstable();
    pairs.dedup();
    let is_sure = SEEN_MIN * pairs.len() <= seen;
    if is_sure { (one.bits + other.bits).saturating_sub(bits_of(pairs.len())) } else { 0 }
}

/// The pair of two fields, which may have more values than the sample shows.
fn joined(one: &Column, other: &Column) -> Column {
    let numbers: Vec<u64> =
        one.numbers.iter().zip(&other.numbers).map(|(one, other)| one << 32 | other).collect();
    let mut values = numbers.clone();
    values.sort_unstable();
    values.dedup();
    let bits = one.bits + other.bits - saved(one, other);
    let number = |value: &u64| values.partition_point(|other| other < value) as u64;
    Column { bits, numbers: numbers.iter().map(number).collect() }
}
