//! Which of many errors are executed again and shown. A model can have thousands, each
//! with a long run: all are counted, and those in front are replayed.

use report::Line;

/// So many steps are replayed, some seconds' work, beside the first error of each kind.
const REPLAYED_MAX: usize = 80_000;

/// Puts what is to be shown in front, in order; says how many that are. `about` says which
/// requirement an error is about and how many steps lead to it.
pub(crate) fn put_in_front<F, R: PartialEq>(
    found: &mut Vec<F>,
    about: impl Fn(&F) -> (R, usize),
) -> usize {
    let mut room = REPLAYED_MAX;
    let mut known = Vec::new();
    let (shown, rest): (Vec<F>, Vec<F>) = found.drain(..).partition(|one| {
        let (requirement, steps) = about(one);
        let is_new = !known.contains(&requirement);
        known.extend(is_new.then_some(requirement));
        let fits = steps <= room;
        room = room.saturating_sub(steps);
        is_new || fits
    });
    let count = shown.len();
    found.extend(shown.into_iter().chain(rest));
    count
}

/// What to say of those that are not shown.
pub(crate) fn note(hidden: usize) -> Option<Line> {
    (hidden > 0).then(|| Line {
        head: "note".to_owned(),
        text: format!(
            "{hidden} more errors of these kinds are counted, not executed again, and have no type"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_each_kind_is_shown_however_long() {
        let mut found = vec![(1, 90_000), (1, 10), (2, 95_000), (2, 20), (3, 1)];
        assert_eq!(put_in_front(&mut found, |one| *one), 3);
        assert_eq!(found, [(1, 90_000), (2, 95_000), (3, 1), (1, 10), (2, 20)]);
        let mut few = vec![(1, 30_000), (1, 30_000), (1, 30_000), (1, 5_000)];
        assert_eq!(put_in_front(&mut few, |one| *one), 2);
        assert!(note(0).is_none() && note(2).is_some());
    }
}
