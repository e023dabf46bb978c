//! A list that grows without moving what it holds: equal segments of
//! `1 << SHIFT` items. A plain vector doubles, and near a memory limit that means
//! stopping at a half or a third of it; this approaches the limit in small steps,
//! for one more indirection whose table stays in the cache (24 bytes for every
//! thousand states).

use crate::Why;
use crate::memory::{Memory, bytes_of};

const SHIFT: usize = 10;
const ITEMS: usize = 1 << SHIFT;

/// Items of `width` values each, numbered from 0.
#[derive(Clone, Debug)]
pub(crate) struct Segments<T> {
    width: usize,
    len: usize,
    /// INVARIANT: each has room for `ITEMS * width` values; all before the one
    /// that holds item `len - 1` are full, all after it are empty.
    segments: Vec<Vec<T>>,
}

impl<T: Copy> Segments<T> {
    pub(crate) fn new(width: usize) -> Self {
        Self { width, len: 0, segments: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn make_room(&mut self, items: usize, memory: &mut Memory) -> Result<(), Why> {
        while self.segments.len() << SHIFT < self.len + items {
            memory.grow(&mut self.segments, 1)?;
            let mut segment = Vec::new();
            memory.resize(&mut segment, ITEMS * self.width)?;
            self.segments.push(segment);
        }
        Ok(())
    }

    /// Adds an item; room for it was made before.
    pub(crate) fn push(&mut self, item: &[T]) {
        debug_assert_eq!(item.len(), self.width, "items of one list have one width");
        self.segments[self.len >> SHIFT].extend_from_slice(item);
        self.len += 1;
    }

    /// Takes the last item off; its room stays.
    pub(crate) fn pop(&mut self) {
        self.len -= 1;
        self.segments[self.len >> SHIFT].truncate((self.len & (ITEMS - 1)) * self.width);
    }

    pub(crate) fn get(&self, index: usize) -> &[T] {
        let start = (index & (ITEMS - 1)) * self.width;
        &self.segments[index >> SHIFT][start..start + self.width]
    }

    pub(crate) fn get_mut(&mut self, index: usize) -> &mut [T] {
        let start = (index & (ITEMS - 1)) * self.width;
        &mut self.segments[index >> SHIFT][start..start + self.width]
    }

    pub(crate) fn bytes(&self) -> u64 {
        bytes_of(&self.segments) + self.segments.iter().map(bytes_of).sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stay_where_they_are_across_segments() {
        let mut memory = Memory::new(None);
        let mut list = Segments::new(3);
        for i in 0..5000u64 {
            list.make_room(1, &mut memory).unwrap();
            list.push(&[i, i + 1, i + 2]);
        }
        (0..2500).for_each(|_| list.pop());
        list.push(&[7, 7, 7]);
        assert_eq!(list.len(), 2501);
        assert!((0..2500).all(|i| list.get(i) == [i as u64, i as u64 + 1, i as u64 + 2]));
        assert_eq!(list.get(2500), [7, 7, 7]);
        assert_eq!(list.bytes(), memory.held());
    }

    #[test]
    fn values_of_no_size_cost_only_the_table() {
        let mut memory = Memory::new(None);
        let mut list = Segments::new(1);
        for _ in 0..3000 {
            list.make_room(1, &mut memory).unwrap();
            list.push(&[()]);
        }
        assert_eq!(list.get(2999), [()]);
        assert_eq!(list.bytes(), memory.held());
        assert!(memory.held() < 1000);
    }
}
