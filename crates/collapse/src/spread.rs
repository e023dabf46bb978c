//! Slots put where they belong after the table has grown.
//!
//! Slots lie in the order of their homes, and that order does not change. So the slots of the
//! upper lines go to lines behind all the old ones, those of the next lines to where the first
//! ones were, and so on: a third of the lines in each round if the table has grown by half.
//! Within a round nothing is read where something is written, so threads share it out.
//!
//! ```text
//! lines    0                low         high             scaled(low)        scaled(high)
//! before   [ waits          | this round | free           |                  | done ]
//! after    [ waits          | free       | free           | slots            | done ]
//! ```

use crate::line::{LINE, Line, used};
use crate::share_out::share_out;
use crate::table::home;

/// A thread is not worth it for fewer lines.
const LINES_PER_THREAD: usize = 1 << 12;

/// The lines of a table while slots move.
pub(crate) struct Spread<'a> {
    pub(crate) lines: &'a mut [Line],
    /// The first so many lines are homes.
    pub(crate) homes: usize,
    /// So many lines were, or would be if slots had stood as close as they do.
    pub(crate) homes_before: usize,
    pub(crate) threads: usize,
    /// Slots that belong to lines of a later round, or that found no place in the part of the
    /// lines that a thread had.
    pub(crate) waiting: Vec<u64>,
}

impl Spread<'_> {
    /// Moves the slots of the first `filled` lines; those that found no place behind their
    /// home.
    pub(crate) fn run(mut self, filled: usize) -> Vec<u64> {
        let (mut high, mut behind) = (filled, Vec::new());
        while high > 0 {
            let low = (high * self.homes_before).div_ceil(self.homes);
            if low < high {
                self.round(low, high);
                high = low;
            } else {
                self.take_out(high);
                high = 0;
            }
            self.place_waiting(self.scaled(high), &mut behind);
        }
        self.place_waiting(0, &mut behind);
        behind
    }

    /// The line where slots of the old line `number` begin to belong.
    fn scaled(&self, number: usize) -> usize {
        let scaled = number * self.homes / self.homes_before;
        if number >= self.homes_before { self.lines.len() } else { scaled }
    }

    /// Moves the slots of the lines from `low` to `high`.
    fn round(&mut self, low: usize, high: usize) {
        let parts = self.threads.min((high - low) / LINES_PER_THREAD).max(1);
        let cuts: Vec<_> = (0..=parts).map(|part| low + (high - low) * part / parts).collect();
        let firsts: Vec<_> = cuts.iter().map(|cut| self.scaled(*cut)).collect();
        let (from, to) = self.lines.split_at_mut(high);
        let (mut from, mut to) = (&mut from[low..], &mut to[firsts[0] - high..]);
        let mut pours: Vec<_> = (0..parts)
            .filter_map(|part| {
                Some(Pour {
                    from: from.split_off_mut(..cuts[part + 1] - cuts[part])?,
                    to: to.split_off_mut(..firsts[part + 1] - firsts[part])?,
                    first: firsts[part],
                    homes: self.homes,
                    left: Vec::new(),
                })
            })
            .collect();
        share_out(parts, &mut pours, Pour::run);
        pours.iter_mut().for_each(|pour| self.waiting.append(&mut pour.left));
    }

    /// All slots of the first lines wait.
    fn take_out(&mut self, lines: usize) {
        for line in &mut self.lines[..lines] {
            let slots = std::mem::take(line);
            self.waiting.extend(&slots[..used(&slots)]);
        }
    }

    /// Places what belongs to line `done` or behind: no round is to come there.
    fn place_waiting(&mut self, done: usize, behind: &mut Vec<u64>) {
        let Self { lines, waiting, homes, .. } = self;
        for slot in waiting.extract_if(.., |slot| home(*slot, *homes) >= done) {
            let mut rest = lines[home(slot, *homes)..].iter_mut();
            match rest.find(|line| used(line) < LINE) {
                Some(line) => line[used(line)] = slot,
                None => behind.push(slot),
            }
        }
    }
}

/// Slots on their way from some lines to others, which are empty.
struct Pour<'a> {
    from: &'a mut [Line],
    to: &'a mut [Line],
    /// The number of the first line of `to`.
    first: usize,
    homes: usize,
    /// Slots that belong elsewhere, or for which there was no place any more.
    left: Vec<u64>,
}

impl Pour<'_> {
    /// How far each line is filled stands beside the lines: to read a line as a whole right
    /// after a slot of it was written takes the processor longer than all else here.
    fn run(&mut self) {
        let mut fills = vec![0; self.to.len()];
        for line in self.from.iter_mut() {
            let slots = std::mem::take(line);
            for slot in &slots[..used(&slots)] {
                let at = home(*slot, self.homes).wrapping_sub(self.first);
                if !place((&mut *self.to, &mut fills), at, *slot) {
                    self.left.push(*slot);
                }
            }
        }
    }
}

/// Puts a slot into the first line from `number` on that is not full; whether there is one.
#[inline(always)]
fn place((lines, fills): (&mut [Line], &mut [u8]), mut number: usize, slot: u64) -> bool {
    while let (Some(line), Some(fill)) = (lines.get_mut(number), fills.get_mut(number)) {
        if usize::from(*fill) < LINE {
            line[usize::from(*fill)] = slot;
            *fill += 1;
            return true;
        }
        number += 1;
    }
    false
}
