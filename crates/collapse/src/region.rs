//! Zeroed memory that grows without a copy: pages straight from the operating
//! system, which can move them to a larger place by changing its page tables.

use crate::Full;
use memmap2::MmapRaw;
use std::sync::atomic::AtomicU64;

/// Memory comes in pages of this size.
pub(crate) const PAGE_BYTES: usize = 4096;
/// Words of a page.
pub(crate) const PAGE_WORDS: usize = PAGE_BYTES / size_of::<u64>();

/// From this size on large pages are asked for: a table that fits the caches of
/// the page tables does not need them, and the first touch of one is dear.
const HUGE_BYTES_MIN: usize = 8 << 20;

/// So many pages, all zero at first.
#[derive(Debug, Default)]
pub(crate) struct Region {
    map: Option<MmapRaw>,
}

impl Region {
    /// The bytes mapped.
    pub(crate) fn bytes(&self) -> usize {
        self.map.as_ref().map_or(0, MmapRaw::len)
    }

    /// Makes the region `pages` long; the new pages are zero. On failure nothing
    /// has changed.
    pub(crate) fn grow(&mut self, pages: usize) -> Result<(), Full> {
        let bytes = pages.checked_mul(PAGE_BYTES).ok_or(Full)?;
        match &mut self.map {
            None => self.map = Some(map(bytes)?),
            Some(map) => enlarge(map, bytes)?,
        }
        if let Some(map) = self.map.as_ref().filter(|_| bytes >= HUGE_BYTES_MIN) {
            ask_for_huge_pages(map);
        }
        Ok(())
    }

    /// The words, for many threads at once.
    #[inline(always)]
    pub(crate) fn cells(&self) -> &[AtomicU64] {
        let Some(map) = &self.map else { return &[] };
        // SAFETY: the mapping is live as long as `self`, readable, writable, aligned
        // to a page and a whole number of words long. Shared access to it is only
        // through this slice of atomics; `words` needs the region for itself.
        unsafe { std::slice::from_raw_parts(map.as_mut_ptr().cast(), map.len() / size_of::<u64>()) }
    }

    /// The words, for one owner.
    pub(crate) fn words(&mut self) -> &mut [u64] {
        let Some(map) = &mut self.map else { return &mut [] };
        let words = map.len() / size_of::<u64>();
        // SAFETY: as above, and `&mut self` rules out every other access.
        unsafe { std::slice::from_raw_parts_mut(map.as_mut_ptr().cast(), words) }
    }
}

fn map(bytes: usize) -> Result<MmapRaw, Full> {
    memmap2::MmapMut::map_anon(bytes).map(MmapRaw::from).map_err(|_| Full)
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
