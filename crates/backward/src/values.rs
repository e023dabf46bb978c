//! Sets of 32-bit values: what is known of a value that is not known.

use crate::expr::Range;

/// A set of values, as intervals in order that neither touch nor overlap.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Values {
    spans: Vec<(i32, i32)>,
}

impl Values {
    /// Every value from `low` to `high`.
    pub(crate) fn between(low: i32, high: i32) -> Self {
        Self { spans: vec![(low, high)] }
    }

    /// One value.
    pub(crate) fn one(value: i32) -> Self {
        Self { spans: vec![(value, value)] }
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> u64 {
        self.spans.iter().map(|(low, high)| u64::from(high.abs_diff(*low)) + 1).sum()
    }

    /// The value, if there is exactly one.
    pub(crate) fn single(&self) -> Option<i32> {
        match self.spans.as_slice() {
            [(low, high)] if low == high => Some(*low),
            _ => None,
        }
    }

    /// Whether `value` is one of them.
    pub(crate) fn contains(&self, value: i32) -> bool {
        self.spans.iter().any(|(low, high)| (*low..=*high).contains(&value))
    }

    /// The values in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = i32> {
        self.spans.iter().flat_map(|(low, high)| *low..=*high)
    }

    /// Those that are in both.
    #[must_use]
    pub(crate) fn and(&self, other: &Values) -> Self {
        let mut spans = Vec::new();
        for (low, high) in &self.spans {
            for (from, to) in &other.spans {
                let (low, high) = (*low.max(from), *high.min(to));
                if low <= high {
                    spans.push((low, high));
                }
            }
        }
        Self { spans }
    }

    /// Those that are in one of them.
    #[must_use]
    pub(crate) fn or(&self, other: &Values) -> Self {
        Self::joined(self.spans.iter().chain(&other.spans).copied().collect())
    }

    /// The union of intervals in any order.
    fn joined(mut spans: Vec<(i32, i32)>) -> Self {
        spans.sort_unstable();
        let mut joined: Vec<(i32, i32)> = Vec::new();
        for (low, high) in spans {
            match joined.last_mut() {
                Some(last) if i64::from(low) <= i64::from(last.1) + 1 => last.1 = last.1.max(high),
                _ => joined.push((low, high)),
            }
        }
        Self { spans: joined }
    }

    /// Whether each of them is in `other`.
    pub(crate) fn within(&self, other: &Values) -> bool {
        self.spans
            .iter()
            .all(|(low, high)| other.spans.iter().any(|(from, to)| from <= low && high <= to))
    }

    /// Those that pass. What is said of an interval is so for all of it; where nothing is said
    /// its halves are asked. Of one value something must be said.
    #[must_use]
    pub(crate) fn passing(&self, mut passes: impl FnMut(i32, i32) -> Option<bool>) -> Self {
        let mut left: Vec<(i32, i32)> = self.spans.iter().rev().copied().collect();
        let mut spans: Vec<(i32, i32)> = Vec::new();
        while let Some((low, high)) = left.pop() {
            match (passes(low, high), spans.last_mut()) {
                (Some(false), _) => {}
                (Some(true), Some(last)) if i64::from(low) == i64::from(last.1) + 1 => {
                    last.1 = high;
                }
                (Some(true), _) => spans.push((low, high)),
                (None, _) => {
                    // Rounded down, or the halves of two negative values would not be smaller.
                    let middle = (i64::from(low) + i64::from(high)).div_euclid(2) as i32;
                    left.extend([(middle + 1, high), (low, middle)]);
                }
            }
        }
        Self { spans }
    }

    /// Each of them plus `by`, cut to a type they all are of.
    #[must_use]
    pub(crate) fn shifted(&self, by: i32, range: Range) -> Self {
        let moved = self.spans.iter().flat_map(|(low, high)| {
            let (from, to) = (range.cut(low.wrapping_add(by)), range.cut(high.wrapping_add(by)));
            match from <= to {
                true => vec![(from, to)],
                false => vec![(range.low, to), (from, range.high)],
            }
        });
        Self::joined(moved.collect())
    }
}

impl FromIterator<i32> for Values {
    fn from_iter<I: IntoIterator<Item = i32>>(values: I) -> Self {
        let mut values: Vec<i32> = values.into_iter().collect();
        values.sort_unstable();
        let mut spans: Vec<(i32, i32)> = Vec::new();
        for value in values {
            match spans.last_mut() {
                Some(last) if i64::from(value) <= i64::from(last.1) + 1 => last.1 = value,
                _ => spans.push((value, value)),
            }
        }
        Self { spans }
    }
}

/// Every way to choose one value of each set; the last changes fastest.
pub(crate) fn choices(sets: &[Values]) -> impl Iterator<Item = Vec<i32>> {
    let mut ways: Box<dyn Iterator<Item = Vec<i32>>> = Box::new(std::iter::once(Vec::new()));
    for set in sets {
        let set = set.clone();
        ways = Box::new(ways.flat_map(move |chosen| {
            let values: Vec<i32> = set.iter().collect();
            values.into_iter().map(move |value| [chosen.as_slice(), &[value]].concat())
        }));
    }
    ways
}

/// How many ways [`choices`] gives.
pub(crate) fn ways(sets: &[Values]) -> u64 {
    sets.iter().fold(1, |product, set| product.saturating_mul(set.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(values: &[i32]) -> Values {
        values.iter().copied().collect()
    }

    const SHORT: Range = Range::SHORT;

    fn all() -> Values {
        SHORT.values()
    }

    #[test]
    fn sets_are_written_in_one_way() {
        assert_eq!(set(&[3, 1, 2, 2]), set(&[1, 2]).or(&set(&[3])));
        assert_eq!(set(&[1, 5]).or(&set(&[2, 3, 4])).spans, [(1, 5)]);
        assert_eq!(all().passing(|low, high| (low == high).then_some(true)), all());
        let far = |low, high| if low > 9 { Some(true) } else { (high <= 9).then_some(false) };
        assert_eq!(set(&[1, 7, 8, 9, 10, 11]).passing(far), set(&[10, 11]));
        let extremes = [i32::MIN, i32::MIN + 1, i32::MAX - 1, i32::MAX];
        assert_eq!(
            set(&extremes).passing(|low, high| (low == high).then_some(low > 0)),
            set(&extremes[2..])
        );
        assert_eq!(all().len(), 65536);
        assert_eq!(set(&[i32::MAX]).or(&set(&[i32::MIN])).len(), 2);
    }

    #[test]
    fn sets_meet_and_move() {
        assert_eq!(set(&[1, 2, 5]).and(&set(&[2, 3, 5])), set(&[2, 5]));
        assert!(set(&[2, 5]).within(&set(&[1, 2, 5])) && !set(&[2, 3]).within(&set(&[2, 5])));
        assert_eq!(set(&[SHORT.high, 0]).shifted(1, SHORT), set(&[SHORT.low, 1]));
        assert_eq!(all().shifted(-7, SHORT), all());
        assert_eq!(set(&[4]).single(), Some(4));
    }

    #[test]
    fn all_choices_are_made() {
        let made: Vec<Vec<i32>> = choices(&[set(&[0, 1]), set(&[7]), set(&[2, 4])]).collect();
        assert_eq!(made, [[0, 7, 2], [0, 7, 4], [1, 7, 2], [1, 7, 4]]);
        assert_eq!(ways(&[set(&[0, 1]), all()]), 131_072);
        assert_eq!(choices(&[]).count(), 1);
    }
}
