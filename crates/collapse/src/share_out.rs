//! Work for several threads at once, while the tables belong to one.

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

/// Sorts, with at most so many threads.
pub(crate) fn sort(threads: usize, words: &mut [u64]) {
    if threads < 2 || words.is_empty() {
        return words.sort_unstable();
    }
    let (low, _, high) = words.select_nth_unstable(words.len() / 2);
    let mut halves = [(threads / 2, low), (threads - threads / 2, high)];
    share_out(2, &mut halves, |(threads, half)| sort(*threads, half));
}
