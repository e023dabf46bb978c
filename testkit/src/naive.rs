//! The naive search: too simple to be wrong, and what every other search is compared with.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// Every state that can be reached from `initial` with its distance, or nothing if there
/// are more than `most`. `expand` is given each state once, with its distance, the
/// nearest first, and lists the states that its steps lead to.
pub fn search<S: Clone + Eq + Hash, N: IntoIterator<Item = S>>(
    initial: S,
    most: usize,
    mut expand: impl FnMut(&S, usize) -> N,
) -> Option<HashMap<S, usize>> {
    let mut distances = HashMap::from([(initial.clone(), 0)]);
    let mut waiting = VecDeque::from([(initial, 0)]);
    while let Some((state, distance)) = waiting.pop_front() {
        for next in expand(&state, distance) {
            if !distances.contains_key(&next) {
                distances.insert(next.clone(), distance + 1);
                waiting.push_back((next, distance + 1));
            }
        }
        if distances.len() > most {
            return None;
        }
    }
    Some(distances)
}

#[cfg(test)]
mod tests {
    use super::search;

    #[test]
    fn distances_are_the_shortest() {
        let collatz = |number: &u64, _: usize| [number * 2 % 10, (number + 3) % 10];
        let distances = search(1, 10, collatz).expect("ten numbers");
        assert_eq!(distances.len(), 10);
        assert_eq!([1, 2, 4, 7, 8, 5].map(|number| distances[&number]), [0, 1, 1, 2, 2, 2]);
        assert!(search(1, 9, collatz).is_none());
    }
}
