//! Zeroed memory that grows without a copy: pages straight from the operating
//! system. A small region is moved by changing page tables; a large one gets a
//! range of addresses far beyond its size, of which it uses more and more, so that
//! all of it can lie on large pages.
//!
//! Measured with a table of 150 MB: a third of the search was spent in walks of
//! the page tables with small pages.

use crate::slots::{LINE_BYTES, Slots};
use crate::{Account, Full};
use memmap2::{MmapOptions, MmapRaw};
use std::sync::atomic::AtomicU64;

/// Memory comes in pages of this size.
pub(crate) const PAGE_BYTES: usize = 4096;
/// Words of a page.
pub(crate) const PAGE_WORDS: usize = PAGE_BYTES / size_of::<u64>();

const HUGE_PAGE_BYTES: usize = 2 << 20;
const HUGE_PAGE: usize = HUGE_PAGE_BYTES / PAGE_BYTES;
/// From so many pages on a region uses large ones. Measured on a virtual machine: the first
/// touch of a small page costs 2.1 us, of a large one 160 us, as much as that of 76 small ones.
const HUGE_MIN: usize = HUGE_PAGE / 8;
/// Addresses a large region tries to get; they cost nothing until they are used.
const RANGE_BYTES_MAX: usize = 1 << 40;
/// A large region takes one part in so many of a limited address space.
const LIMITED_SHARE: usize = 8;

/// So many pages, all zero at first.
#[derive(Debug, Default)]
pub struct Region {
    map: Option<MmapRaw>,
    /// Where in the mapping the region begins, in bytes.
    start: usize,
    pages: usize,
    /// It lies on large pages, if the system has some.
    large: bool,
}

/// The number of pages that a region of at least so many takes: whole large ones.
pub(crate) fn whole(pages: usize) -> usize {
    if pages < HUGE_MIN { pages } else { pages.next_multiple_of(HUGE_PAGE) }
}

impl Region {
    pub(crate) fn pages(&self) -> usize {
        self.pages
    }

    /// The bytes held: whole large pages where it lies on them, for none is there in part.
    pub fn bytes(&self) -> u64 {
        bytes_of(self.pages, self.large)
    }

    /// Makes room for so many words, and a quarter more if the account allows it.
    #[cold]
    pub fn make_room(&mut self, words: usize, account: &mut dyn Account) -> Result<(), Full> {
        let needed = words.div_ceil(PAGE_WORDS).max(self.pages);
        self.enlarge(&[whole(needed + needed / 4), needed], account)
    }

    /// Gives the region the first of these sizes that the account allows. On failure nothing
    /// has changed.
    pub(crate) fn enlarge(
        &mut self,
        sizes: &[usize],
        account: &mut dyn Account,
    ) -> Result<(), Full> {
        sizes.iter().find_map(|pages| self.enlarge_to(*pages, account).ok()).ok_or(Full)
    }

    /// A region that moves to large pages is held twice for a moment; if the account does not
    /// allow that it stays on small ones.
    fn enlarge_to(&mut self, pages: usize, account: &mut dyn Account) -> Result<(), Full> {
        let old = self.bytes();
        let moves = self.moves(pages) && account.take(bytes_of(pages, true)).is_ok();
        let mut more = bytes_of(pages, moves || self.large);
        if !moves {
            more -= old;
            account.take(more)?;
        }
        let grown = self.grow(pages, moves);
        account.give(old + more - self.bytes());
        grown
    }

    /// Whether growing to so many pages copies the region, once, to large pages.
    fn moves(&self, pages: usize) -> bool {
        pages >= HUGE_MIN && !self.large
    }

    /// Makes the region `pages` long; the new pages are zero. It is copied to large
    /// pages only if it `may_move`. On failure nothing has changed.
    fn grow(&mut self, pages: usize, may_move: bool) -> Result<(), Full> {
        let bytes = pages.checked_mul(PAGE_BYTES).ok_or(Full)?;
        if may_move && self.moves(pages) {
            self.move_to(range(bytes)?);
        }
        let mapped = self.map.as_ref().map_or(0, MmapRaw::len);
        if self.start + bytes > mapped {
            match &mut self.map {
                None => self.map = Some(map(bytes)?),
                Some(map) => enlarge(map, self.start + bytes)?,
            }
        }
        self.pages = pages;
        Ok(())
    }

    fn move_to(&mut self, map: MmapRaw) {
        let start = map.as_ptr().align_offset(HUGE_PAGE_BYTES);
        let mut new = Region { map: Some(map), start, pages: self.pages, large: true };
        new.words().copy_from_slice(self.words());
        *self = new;
    }

    /// The words, for many threads at once.
    #[inline(always)]
    pub fn cells(&self) -> &[AtomicU64] {
        let Some(map) = &self.map else { return &[] };
        // SAFETY: the mapping is live as long as `self`, readable, writable, and holds
        // `pages` pages from `start`, which is aligned to a page. Shared access to it
        // is only through this slice of atomics; `words` needs the region for itself.
        unsafe {
            let first = map.as_mut_ptr().add(self.start).cast();
            std::slice::from_raw_parts(first, self.pages * PAGE_WORDS)
        }
    }

    /// The words as lines, for many threads at once.
    #[inline(always)]
    pub(crate) fn shared_lines<S: Slots>(&self) -> &[S::Cells] {
        let cells = self.cells();
        let lines = size_of_val(cells) / LINE_BYTES;
        // SAFETY: the same bytes, which begin with a page and so are aligned; a line is 64 bytes
        // of atomic integers of any value.
        unsafe { std::slice::from_raw_parts(cells.as_ptr().cast(), lines) }
    }

    /// The words as lines, for one owner.
    #[inline(always)]
    pub(crate) fn lines<S: Slots>(&mut self) -> &mut [S::Line] {
        let words = self.words();
        let lines = size_of_val(words) / LINE_BYTES;
        // SAFETY: as above, with plain integers, and `&mut self` rules out every other access.
        unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), lines) }
    }

    /// The words, for one owner.
    #[inline(always)]
    pub fn words(&mut self) -> &mut [u64] {
        let Some(map) = &mut self.map else { return &mut [] };
        // SAFETY: as above, and `&mut self` rules out every other access.
        unsafe {
            let first = map.as_mut_ptr().add(self.start).cast();
            std::slice::from_raw_parts_mut(first, self.pages * PAGE_WORDS)
        }
    }
}

/// What so many pages take, on large ones or on small ones.
fn bytes_of(pages: usize, large: bool) -> u64 {
    let pages = if large { pages.next_multiple_of(HUGE_PAGE) } else { pages };
    (pages * PAGE_BYTES) as u64
}

fn map(bytes: usize) -> Result<MmapRaw, Full> {
    MmapOptions::new().len(bytes).map_anon().map(MmapRaw::from).map_err(|_| Full)
}

/// A range of addresses with much more room than `bytes`, on large pages. Where addresses are
/// limited (`ulimit -v`) other regions and the heap need some as well.
fn range(bytes: usize) -> Result<MmapRaw, Full> {
    let reserve = |room: usize| MmapOptions::new().len(room).no_reserve_swap().map_anon();
    let mut room = RANGE_BYTES_MAX;
    let unlimited = reserve(room).ok();
    while unlimited.is_none() && room > bytes && reserve(room).is_err() {
        room /= 2;
    }
    let share = (room / LIMITED_SHARE).max(bytes + HUGE_PAGE_BYTES);
    let map = unlimited.map_or_else(|| reserve(share), Ok).map_err(|_| Full)?;
    let map = MmapRaw::from(map);
    ask_for_huge_pages(&map);
    Ok(map)
}

#[cfg(target_os = "linux")]
fn enlarge(map: &mut MmapRaw, bytes: usize) -> Result<(), Full> {
    let options = memmap2::RemapOptions::new().may_move(true);
    // SAFETY: the mapping is anonymous, so there is no file whose end it could
    // pass; no slice of the old place is alive, for we hold `&mut`.
    unsafe { map.remap(bytes, options) }.map_err(|_| Full)
}

/// Elsewhere the old pages are copied, so both are held for a moment.
#[cfg(not(target_os = "linux"))]
fn enlarge(old: &mut MmapRaw, bytes: usize) -> Result<(), Full> {
    let new = map(bytes)?;
    // SAFETY: both mappings are live, distinct, and at least `old.len()` long.
    unsafe { std::ptr::copy_nonoverlapping(old.as_ptr(), new.as_mut_ptr(), old.len()) };
    *old = new;
    Ok(())
}

/// A wish: where the system does not know it, small pages do as well.
fn ask_for_huge_pages(map: &MmapRaw) {
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    #[cfg(not(target_os = "linux"))]
    let _ = map;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_stays_and_what_is_new_is_zero() {
        for may_move in [true, false] {
            let mut region = Region::default();
            let mut pages = 1;
            while pages < 4 * HUGE_MIN {
                let old = region.words().len();
                region.grow(pages, may_move).unwrap();
                let words = region.words();
                assert_eq!(words.len(), pages * PAGE_WORDS);
                assert!(words[old..].iter().all(|word| *word == 0));
                assert!(words[..old].iter().enumerate().all(|(at, word)| *word == at as u64));
                words.iter_mut().enumerate().for_each(|(at, word)| *word = at as u64);
                pages += pages / 2 + 1;
            }
            assert_eq!(region.large, may_move);
        }
    }
}
