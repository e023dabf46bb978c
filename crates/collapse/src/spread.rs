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

use crate::patience::Patience;
use crate::share_out::share_out;
use crate::slots::{Slots, home};

/// A thread is not worth it for fewer lines.
const LINES_PER_THREAD: usize = 1 << 12;

/// The lines of a table while slots move.
pub(crate) struct Spread<'a, S: Slots> {
    pub(crate) lines: &'a mut [S::Line],
    /// The first so many lines are homes.
    pub(crate) homes: usize,
    /// So many lines were, or would be if slots had stood as close as they do.
    pub(crate) homes_before: usize,
    pub(crate) threads: usize,
    pub(crate) patience: &'a Patience,
    /// Keys that belong to lines of a later round, or that found no place in the part of the
    /// lines that a thread had.
    pub(crate) waiting: Vec<u64>,
}

impl<S: Slots> Spread<'_, S> {
    /// Moves the slots of the first `filled` lines; the keys that found no place behind their
    /// home. `None` if there was no time: then slots lie anywhere.
    pub(crate) fn run(mut self, filled: usize) -> Option<Vec<u64>> {
        let (mut high, mut behind) = (filled, Vec::new());
        while high > 0 {
            if !self.patience.lasts() {
                return None;
            }
            let low =
                (high as u128 * self.homes_before as u128).div_ceil(self.homes as u128) as usize;
            if low < high {
                self.round(low, high)?;
                high = low;
            } else {
                self.take_out(high);
                high = 0;
            }
            self.place_waiting(self.scaled(high), &mut behind);
        }
        self.place_waiting(0, &mut behind);
        Some(behind)
    }

    /// The line where slots of the old line `number` begin to belong.
    fn scaled(&self, number: usize) -> usize {
        let scaled = number as u128 * self.homes as u128 / self.homes_before as u128;
        if number >= self.homes_before { self.lines.len() } else { scaled as usize }
    }

    /// Moves the slots of the lines from `low` to `high`, if there is time.
    fn round(&mut self, low: usize, high: usize) -> Option<()> {
        let parts = self.threads.min((high - low) / LINES_PER_THREAD).max(1);
        let cuts: Vec<_> = (0..=parts).map(|part| low + (high - low) * part / parts).collect();
        let firsts: Vec<_> = cuts.iter().map(|cut| self.scaled(*cut)).collect();
        let (from, to) = self.lines.split_at_mut(high);
        let (mut from, mut to) = (&mut from[low..], &mut to[firsts[0] - high..]);
        let mut pours: Vec<_> = (0..parts)
            .filter_map(|part| {
                Some(Pour::<S> {
                    from_number: cuts[part],
                    from: from.split_off_mut(..cuts[part + 1] - cuts[part])?,
                    to: to.split_off_mut(..firsts[part + 1] - firsts[part])?,
                    first: firsts[part],
                    homes: self.homes,
                    homes_before: self.homes_before,
                    patience: self.patience,
                    is_done: false,
                    left: Vec::new(),
                })
            })
            .collect();
        share_out(parts, &mut pours, Pour::run);
        pours.iter_mut().for_each(|pour| self.waiting.append(&mut pour.left));
        pours.iter().all(|pour| pour.is_done).then_some(())
    }

    /// All keys of the first lines wait.
    fn take_out(&mut self, lines: usize) {
        for (number, line) in self.lines[..lines].iter_mut().enumerate() {
            let slots = std::mem::take(line);
            let used = &slots.as_ref()[..S::used(&slots)];
            let stand = S::stand(number, self.homes_before);
            self.waiting.extend(used.iter().map(|slot| S::key(*slot, &stand)));
        }
    }

    /// Places what belongs to line `done` or behind: no round is to come there.
    fn place_waiting(&mut self, done: usize, behind: &mut Vec<u64>) {
        let Self { lines, waiting, homes, .. } = self;
        for key in waiting.extract_if(.., |key| home(*key, *homes) >= done) {
            let first = home(key, *homes);
            let mut rest = lines[first..].iter_mut().enumerate().take(S::REACH);
            match rest.find(|(_, line)| S::used(line) < line.as_ref().len()) {
                Some((distance, line)) => {
                    let used = S::used(line);
                    line.as_mut()[used] = S::slot(key, distance);
                }
                None => behind.push(key),
            }
        }
    }
}

/// Slots on their way from some lines to others, which are empty.
struct Pour<'a, S: Slots> {
    /// The number of the first line of `from`.
    from_number: usize,
    from: &'a mut [S::Line],
    to: &'a mut [S::Line],
    /// The number of the first line of `to`.
    first: usize,
    homes: usize,
    homes_before: usize,
    patience: &'a Patience,
    /// There was time for all of them.
    is_done: bool,
    /// Keys that belong elsewhere, or for which there was no place any more.
    left: Vec<u64>,
}

impl<S: Slots> Pour<'_, S> {
    /// How far each line is filled stands beside the lines: to read a line as a whole right
    /// after a slot of it was written takes the processor longer than all else here.
    fn run(&mut self) {
        let mut fills = vec![0; self.to.len()];
        for (number, line) in (self.from_number..).zip(self.from.iter_mut()) {
            if !self.patience.lasts_at(number) {
                return;
            }
            let (slots, stand) = (std::mem::take(line), S::stand(number, self.homes_before));
            for slot in &slots.as_ref()[..S::used(&slots)] {
                let key = S::key(*slot, &stand);
                let at = home(key, self.homes).wrapping_sub(self.first);
                if !place::<S>((&mut *self.to, &mut fills), at, key) {
                    self.left.push(key);
                }
            }
        }
        self.is_done = true;
    }
}

/// Puts a key into the first line from `home` on that is not full; whether there is one.
#[inline(always)]
fn place<S: Slots>((lines, fills): (&mut [S::Line], &mut [u8]), home: usize, key: u64) -> bool {
    let mut distance = 0;
    while let (Some(line), Some(fill)) =
        (lines.get_mut(home + distance), fills.get_mut(home + distance))
    {
        if let Some(free) = line.as_mut().get_mut(usize::from(*fill)) {
            *free = S::slot(key, distance);
            *fill += 1;
            return true;
        }
        distance += 1;
        if distance == S::REACH {
            break;
        }
    }
    false
}
