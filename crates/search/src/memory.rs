//! The bytes of one search: every list, table and finding that grows with the
//! search asks here first. In: what a growth would cost. Out: leave to grow, or
//! [`Why::Memory`], which ends the search with its result.
//!
//! INVARIANT: `held` is the sum of the capacities allocated, and never grows beyond
//! `held_max` but for findings, which are never dropped (see [`Memory::charge`]).
//!
//! The limit is one for the process. What it holds beside the search, as its own text, machine
//! code or what an allocator does not give back, nobody books; it is seen from outside.

use crate::{Hurry, Stop, Watch, Why};
use collapse::{Account, Full, Patience};
use std::fmt;
use std::mem::size_of;

/// A search has one in so many bytes of the limit whatever else the process holds.
const LEAST_SHARE: u64 = 2;
/// Of so many ticks at one it is asked what the whole process holds, which takes some
/// microseconds.
const TICKS_PER_LOOK: u32 = 256;

/// The account of the bytes held.
#[derive(Clone)]
pub(crate) struct Memory {
    held: u64,
    held_max: u64,
    peak: u64,
    /// So many bytes the process may hold.
    bytes_max: u64,
    ticks: u32,
    /// Whether there is time for a table to grow.
    hurry: Option<Hurry>,
}

impl Memory {
    pub(crate) fn new(bytes_max: Option<u64>) -> Self {
        let bytes_max = bytes_max.unwrap_or(u64::MAX);
        Self { held: 0, held_max: bytes_max, peak: 0, bytes_max, ticks: 0, hurry: None }
    }

    /// The same for a process that is watched.
    pub(crate) fn watched(bytes_max: Option<u64>, watch: &dyn Watch) -> Self {
        Self::holding(0, bytes_max, watch)
    }

    /// The same for a search that goes on with so many bytes of another.
    pub(crate) fn holding(held: u64, bytes_max: Option<u64>, watch: &dyn Watch) -> Self {
        let mut memory = Self::new(bytes_max);
        memory.exchange(0, held);
        memory.hurry = Some(watch.hurry());
        memory.see(watch.resident_bytes());
        memory
    }

    /// At every tick: looks now and then what the process holds.
    pub(crate) fn tick(&mut self, watch: &dyn Watch) {
        self.ticks = (self.ticks + 1) % TICKS_PER_LOOK;
        if self.ticks == 0 {
            self.see(watch.resident_bytes());
        }
    }

    /// The process holds so many bytes now: those that are not booked here are not for the
    /// search. They become more only, for what is booked need not be there yet.
    fn see(&mut self, resident: u64) {
        let beside = resident.saturating_sub(self.held);
        let least = self.bytes_max / LEAST_SHARE;
        let left = self.bytes_max.saturating_sub(beside).max(least);
        self.held_max = self.held_max.min(left);
    }

    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    /// How many bytes a search may hold, if there is a limit, and the whole process.
    pub(crate) fn limits(&self) -> Option<(u64, u64)> {
        (self.bytes_max < u64::MAX).then_some((self.held_max, self.bytes_max))
    }

    /// How many bytes more may be held.
    pub(crate) fn left(&self) -> u64 {
        self.held_max.saturating_sub(self.held)
    }

    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    /// Makes room in `list` for `additional` more: doubling while the limit
    /// allows, by an eighth near it.
    #[inline]
    pub(crate) fn grow<T>(&mut self, list: &mut Vec<T>, additional: usize) -> Result<(), Why> {
        if list.capacity() - list.len() >= additional {
            return Ok(());
        }
        let needed = list.len() + additional;
        let doubled = needed.max(2 * list.capacity()).max(16);
        self.resize(list, doubled).or_else(|_| self.resize(list, needed + needed / 8))
    }

    /// Gives `list` exactly this capacity. A list that moves is held twice for a
    /// moment, so the old bytes are given back only after.
    pub(crate) fn resize<T>(&mut self, list: &mut Vec<T>, capacity: usize) -> Result<(), Why> {
        let old = bytes_of(list);
        self.allow((capacity * size_of::<T>()) as u64)?;
        list.try_reserve_exact(capacity - list.len()).map_err(|_| Why::Memory)?;
        self.exchange(old, bytes_of(list));
        Ok(())
    }

    /// Whether so many bytes may be allocated beside those held.
    pub(crate) fn allow(&self, bytes: u64) -> Result<(), Why> {
        if self.held.saturating_add(bytes) > self.held_max { Err(Why::Memory) } else { Ok(()) }
    }

    /// Books a growth that was allowed: `new` bytes stand where `old` stood.
    pub(crate) fn exchange(&mut self, old: u64, new: u64) {
        self.peak = self.peak.max(self.held + new);
        self.held = self.held - old + new;
    }

    /// Books what is kept in any case. A finding must not be lost because there
    /// is no room for it: it is kept, and the search ends after it.
    pub(crate) fn charge(&mut self, bytes: u64) -> Result<(), Why> {
        self.exchange(0, bytes);
        self.allow(0)
    }
}

impl Account for Memory {
    fn take(&mut self, bytes: u64) -> Result<(), Full> {
        self.allow(bytes).map_err(|_| Full)?;
        self.exchange(0, bytes);
        Ok(())
    }

    fn give(&mut self, bytes: u64) {
        self.held -= bytes;
    }

    fn patience(&self) -> Patience {
        self.hurry
            .clone()
            .map_or_else(Patience::default, |hurry| Patience::new(move || hurry().is_none()))
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory")
            .field("held", &self.held)
            .field("held_max", &self.held_max)
            .finish()
    }
}

impl Memory {
    /// Why a table could not grow: there was no time, or there is no room.
    pub(crate) fn full(&self) -> Why {
        match self.hurry.as_ref().and_then(|hurry| hurry()) {
            Some(Stop::Time) => Why::Time,
            Some(Stop::Interrupted) => Why::Interrupted,
            None => Why::Memory,
        }
    }
}

/// The bytes a list has allocated.
pub(crate) fn bytes_of<T>(list: &Vec<T>) -> u64 {
    if size_of::<T>() == 0 { 0 } else { (list.capacity() * size_of::<T>()) as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_process_holds_beside_the_search_counts() {
        let mut memory = Memory::new(Some(1000));
        memory.take(300).unwrap();
        memory.see(500);
        assert_eq!(memory.limits(), Some((800, 1000)));
        assert!(memory.take(501).is_err() && memory.take(500).is_ok());
        // What is booked need not be there yet.
        memory.see(600);
        assert_eq!(memory.limits(), Some((800, 1000)));
        // Half the limit is for the search in any case.
        memory.see(5000);
        assert_eq!(memory.limits(), Some((500, 1000)));
        let mut memory = Memory::new(None);
        memory.see(5000);
        assert_eq!((memory.limits(), memory.take(1 << 50)), (None, Ok(())));
    }
}
