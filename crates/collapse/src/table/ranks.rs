//! Numbers for the keys of a table to which nothing is added any more: 0, 1, 2, ... in the order
//! of its slots. So whatever is known of a key lies in a list without gaps, and neither the key
//! nor its number is stored a second time: a table needs four bytes more for each line.

use super::{LINE_BYTES, OPEN, Slots, Small, Table, Wide};
use crate::prefetch::prefetch;
use crate::wave::Wave;
use crate::{Account, Full};
use std::ops::Range;
use std::sync::PoisonError;

/// Instead of the number of a key that is not there.
pub const ABSENT: u32 = u32::MAX;

/// How many keys lie before each line of a table.
///
/// INVARIANT: as long as nothing is added to the table, it is of that table.
#[derive(Debug, Default)]
pub struct Ranks {
    before: Vec<u32>,
    /// The keys that lie in no line come last.
    spill: Vec<u64>,
    len: usize,
}

impl Ranks {
    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many lines there are.
    pub fn lines(&self) -> usize {
        self.before.len()
    }

    /// The numbers of the keys that lie in these lines; behind the last line, of those that
    /// lie in none, too.
    pub fn numbers(&self, lines: &Range<usize>) -> Range<usize> {
        let at = |line: usize| self.before.get(line).map_or(self.len, |before| *before as usize);
        at(lines.start)..at(lines.end)
    }

    /// The bytes held.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.before) as u64
    }

    /// The number of a key that lies in no line.
    #[cold]
    fn behind(&self, key: u64) -> u32 {
        let first = self.len - self.spill.len();
        let at = self.spill.iter().position(|other| other & !OPEN == key & !OPEN);
        at.map_or(ABSENT, |at| (first + at) as u32)
    }

    /// The last line before which at most so many keys lie. Keys are spread evenly, so it is
    /// near where it would be if each line had as many as any other.
    fn line_of(&self, number: u32) -> usize {
        let (lines, before) = (self.before.len(), &self.before);
        let guess = (u64::from(number) * lines as u64 / self.len as u64) as usize;
        let (mut low, mut high, mut step) = (guess, guess + 1, 1);
        while low > 0 && before[low] > number {
            low = low.saturating_sub(step);
            step *= 2;
        }
        step = 1;
        while high < lines && before[high] <= number {
            high += step;
            step *= 2;
        }
        low + before[low..high.min(lines)].partition_point(|before| *before <= number) - 1
    }
}

impl Table {
    /// Numbers the keys.
    ///
    /// # Errors
    /// There is no room, or there are too many keys for numbers of 32 bits.
    pub fn ranks(&self, account: &mut dyn Account) -> Result<Ranks, Full> {
        if self.len >= u32::MAX as usize {
            return Err(Full);
        }
        let lines = self.region.cells().len() * size_of::<u64>() / LINE_BYTES;
        account.take((lines * size_of::<u32>()) as u64)?;
        let mut before = Vec::new();
        before.try_reserve_exact(lines).map_err(|_| Full)?;
        let mut len = 0;
        with_slots!(self, S => for line in self.region.shared_lines::<S>() {
            before.push(len as u32);
            len += S::used(&S::read(line));
        });
        let spill = self.spill.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let len = len + spill.len();
        Ok(Ranks { before, spill, len })
    }

    /// Starts to fetch what [`Table::number`] will read.
    #[inline(always)]
    pub fn prefetch_number(&self, ranks: &Ranks, key: u64) {
        self.prefetch(key);
        prefetch(ranks.before.as_ptr().wrapping_add(self.home(key)));
    }

    /// Appends the number of each of these keys to `numbers`, [`ABSENT`] if it is not there.
    #[inline]
    pub fn numbers(&self, ranks: &Ranks, keys: &[u64], numbers: &mut Vec<u32>) {
        let (wave, region) = (Wave { keys, homes: self.lines }, &self.region);
        let behind = |key| ranks.behind(key);
        with_slots!(self, S => {
            wave.number::<S>(region.shared_lines::<S>(), &ranks.before, numbers, behind);
        });
    }

    /// The number of a key, if it is there.
    pub fn number(&self, ranks: &Ranks, key: u64) -> Option<u32> {
        let mut numbers = Vec::new();
        self.numbers(ranks, &[key], &mut numbers);
        numbers.pop().filter(|number| *number != ABSENT)
    }

    /// The key of a number.
    pub fn key(&self, ranks: &Ranks, number: u32) -> u64 {
        let in_lines = ranks.len - ranks.spill.len();
        if let Some(behind) = (number as usize).checked_sub(in_lines) {
            return ranks.spill[behind] & !OPEN;
        }
        let line = ranks.line_of(number);
        let at = (number - ranks.before[line]) as usize;
        with_slots!(self, S => {
            let slots = S::read(&self.region.shared_lines::<S>()[line]);
            S::key(slots.as_ref()[at], &S::stand(line, self.lines)) & !OPEN
        })
    }

    /// Calls `look` with the keys of [these numbers](Ranks::numbers), in order.
    pub fn visit_lines(&self, ranks: &Ranks, lines: &Range<usize>, look: &mut dyn FnMut(u64)) {
        with_slots!(self, S => {
            for number in lines.clone() {
                let line = S::read(&self.region.shared_lines::<S>()[number]);
                let stand = S::stand(number, self.lines);
                let used = S::used(&line);
                line.as_ref()[..used].iter().for_each(|slot| look(S::key(*slot, &stand) & !OPEN));
            }
        });
        if lines.end == ranks.lines() {
            ranks.spill.iter().for_each(|key| look(key & !OPEN));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::Mix;

    struct Any;

    impl Account for Any {
        fn take(&mut self, _: u64) -> Result<(), Full> {
            Ok(())
        }

        fn give(&mut self, _: u64) {}
    }

    fn numbered(mix: Mix, count: u64) {
        let mut table = Table::new(1);
        let key = |n: u64| mix.key_of(n * n + 3 * n);
        for n in 0..count {
            table.make_room(1, &mut Any).unwrap();
            table.insert(key(n));
        }
        if mix == Mix::Small {
            table.make_room_to_shrink(&mut Any).unwrap();
            table.shrink(|key| key);
        }
        let ranks = table.ranks(&mut Any).unwrap();
        assert_eq!(ranks.len() as u64, count);
        let mut numbers: Vec<u32> = (0..count)
            .map(|n| {
                let number = table.number(&ranks, key(n)).unwrap();
                assert_eq!(table.key(&ranks, number), key(n));
                number
            })
            .collect();
        numbers.sort_unstable();
        assert!((0..count as u32).eq(numbers));
        assert!((count..count + 100).all(|n| table.number(&ranks, key(n)).is_none()));
        let half = ranks.lines() / 2;
        for lines in [0..half, half..ranks.lines()] {
            let mut next = ranks.numbers(&lines);
            let mut look =
                |key| assert_eq!(table.number(&ranks, key), next.next().map(|n| n as u32));
            table.visit_lines(&ranks, &lines, &mut look);
            assert_eq!(next.next(), None);
        }
    }

    #[test]
    fn every_key_has_a_number_and_every_number_its_key() {
        for count in [1, 2, 100, 5_000, 40_000] {
            numbered(Mix::Wide, count);
        }
        numbered(Mix::Small, 30_000);
    }
}
