//! What can be reached from where.

use std::collections::BTreeSet;

/// `starts`, and all that `next` leads to from there, however far.
pub fn reach<T, N>(starts: impl IntoIterator<Item = T>, mut next: impl FnMut(T) -> N) -> BTreeSet<T>
where
    T: Copy + Ord,
    N: IntoIterator<Item = T>,
{
    let mut waiting: Vec<T> = starts.into_iter().collect();
    let mut reached = BTreeSet::new();
    while let Some(at) = waiting.pop() {
        if reached.insert(at) {
            waiting.extend(next(at));
        }
    }
    reached
}
