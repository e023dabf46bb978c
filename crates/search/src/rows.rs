//! A list of rows of a few words that grows in place. A plain vector doubles and is held twice
//! while it moves, and near a memory limit that means stopping at a half or a third of it;
//! this comes near the limit in small steps, and large ones lie on large pages.

use crate::Why;
use collapse::{Account, Region};
use std::sync::atomic::Ordering;
use system::Word;

/// Rows of `W` words, numbered from 0.
#[derive(Debug, Default)]
pub(crate) struct Rows<const W: usize> {
    region: Region,
    len: usize,
    /// So many fit.
    room: usize,
}

impl<const W: usize> Rows<W> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.region.bytes()
    }

    #[inline]
    pub(crate) fn make_room(&mut self, rows: usize, account: &mut dyn Account) -> Result<(), Why> {
        if self.len + rows <= self.room {
            return Ok(());
        }
        let grown = self.region.make_room((self.len + rows) * W, account);
        self.room = self.region.cells().len() / W;
        grown.map_err(|_| Why::Memory)
    }

    /// Adds a row; room for it was made before.
    #[inline(always)]
    pub(crate) fn push(&mut self, row: [Word; W]) {
        let (rows, _) = self.region.words().as_chunks_mut();
        rows[self.len] = row;
        self.len += 1;
    }

    /// Takes the last row off; its room stays.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<[Word; W]> {
        self.len = self.len.checked_sub(1)?;
        let (rows, _) = self.region.words().as_chunks();
        Some(rows[self.len])
    }

    pub(crate) fn get(&self, number: usize) -> [Word; W] {
        let row = &self.region.cells()[number * W..][..W];
        std::array::from_fn(|at| row[at].load(Ordering::Relaxed))
    }

    /// Every row, to change.
    pub(crate) fn rows_mut(&mut self) -> &mut [[Word; W]] {
        &mut self.region.words().as_chunks_mut().0[..self.len]
    }

    /// Forgets all rows; their room stays.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Forgets all but the first rows; their room stays.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.len = self.len.min(rows);
    }

    /// Takes the first rows off and hands each to `take`; their room stays.
    pub(crate) fn drain_first(&mut self, rows: usize, take: impl FnMut([Word; W])) {
        self.rows_mut()[..rows].iter().copied().for_each(take);
        self.rows_mut().copy_within(rows.., 0);
        self.len -= rows;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;

    #[test]
    fn rows_stay_as_they_are_while_the_list_grows() {
        let mut memory = Memory::new(None);
        let mut rows = Rows::<3>::default();
        for i in 0..200_000u64 {
            rows.make_room(1, &mut memory).unwrap();
            rows.push([i, i + 1, i + 2]);
        }
        (0..1000).for_each(|_| assert!(rows.pop().is_some()));
        rows.push([7, 7, 7]);
        assert_eq!(rows.len(), 199_001);
        assert!((0..199_000).all(|i| rows.get(i)[2] == i as u64 + 2));
        assert_eq!(rows.rows_mut().last(), Some(&[7, 7, 7]));
        assert_eq!(rows.bytes(), memory.held());
        let mut first = Vec::new();
        rows.drain_first(1000, |[row, ..]| first.push(row));
        assert!(first.into_iter().eq(0..1000));
        assert_eq!(
            (rows.len(), rows.get(0), rows.get(198_000)),
            (198_001, [1000, 1001, 1002], [7; 3])
        );
    }

    #[test]
    fn a_limit_is_approached_in_small_steps() {
        let mut memory = Memory::new(Some(13 << 20));
        let mut rows = Rows::<1>::default();
        while rows.make_room(1, &mut memory).is_ok() {
            rows.push([1]);
        }
        // Whole large pages: the thirteenth megabyte would be half of one.
        assert_eq!((rows.len() * 8, memory.held()), (12 << 20, 12 << 20));
        assert!(memory.peak() <= 13 << 20);
        rows.clear();
        assert_eq!((rows.pop(), rows.len()), (None, 0));
    }
}
