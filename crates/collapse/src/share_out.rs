//! Work for several threads at once, while the tables belong to one.

use crate::patience::Patience;

/// Does all `jobs`, with at most so many threads. They live no longer than the call: it is
/// made when a table grows or its keys change, a few dozen times in a search.
pub(crate) fn share_out<T: Send>(threads: usize, jobs: &mut [T], work: impl Fn(&mut T) + Sync) {
    let each = jobs.len().div_ceil(threads.max(1)).max(1);
    let mut parts = jobs.chunks_mut(each);
    let Some(own) = parts.next() else { return };
    std::thread::scope(|scope| {
        for part in parts {
            scope.spawn(|| part.iter_mut().for_each(&work));
        }
        own.iter_mut().for_each(&work);
    });
}

/// So many words are sorted in one go, in some hundredths of a second.
const SORTED_AT_ONCE: usize = 1 << 20;

/// Sorts, with at most so many threads, as long as there is time.
pub(crate) fn sort(threads: usize, words: &mut [u64], patience: &Patience) {
    if words.len() <= SORTED_AT_ONCE && (threads < 2 || words.is_empty()) {
        return words.sort_unstable();
    }
    if !patience.lasts() {
        return;
    }
    let (low, _, high) = words.select_nth_unstable(words.len() / 2);
    let mut halves = [(threads / 2, low), (threads - threads / 2, high)];
    share_out(threads.min(2), &mut halves, |(threads, half)| sort(*threads, half, patience));
}
