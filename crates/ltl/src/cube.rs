//! Labels of edges.

/// Into how many parts a cube is cut to see whether others cover it.
const PARTS_MAX: usize = 32;

/// A conjunction of literals: the letters an edge can read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube {
    /// The atoms that must hold, as bits.
    pub positive: u64,
    /// The atoms that must not hold, as bits.
    pub negative: u64,
}

impl Cube {
    /// The cube of every letter.
    pub const TRUE: Cube = Cube { positive: 0, negative: 0 };

    /// Whether the letter satisfies every literal.
    pub fn allows(self, letter: u64) -> bool {
        self.positive & !letter == 0 && self.negative & letter == 0
    }

    /// The letters of both, if there are any.
    pub fn and(self, other: Cube) -> Option<Cube> {
        let positive = self.positive | other.positive;
        let negative = self.negative | other.negative;
        (positive & negative == 0).then_some(Cube { positive, negative })
    }

    /// Whether every letter of the other cube is one of this.
    pub fn contains(self, other: Cube) -> bool {
        self.positive & !other.positive == 0 && self.negative & !other.negative == 0
    }

    /// The atoms that decide.
    pub fn atoms(self) -> u64 {
        self.positive | self.negative
    }

    /// The letters of this cube that are not in the other, if these are a cube.
    pub(crate) fn without(self, other: Cube) -> Option<Cube> {
        let positive = other.positive & !self.positive;
        let negative = other.negative & !self.negative;
        let one = (positive | negative).count_ones() == 1 && self.and(other).is_some();
        one.then_some(Cube {
            positive: self.positive | negative,
            negative: self.negative | positive,
        })
    }

    /// The letters of this cube that are not in the other, as disjoint cubes.
    fn minus(self, other: Cube) -> Vec<Cube> {
        if self.and(other).is_none() {
            return vec![self];
        }
        let mut rest = self;
        let mut parts = Vec::new();
        for bit in (0..64).map(|atom| 1 << atom) {
            let (positive, negative) = (rest.positive, rest.negative);
            if other.positive & !positive & bit != 0 {
                parts.push(Cube { positive, negative: negative | bit });
                rest.positive |= bit;
            } else if other.negative & !negative & bit != 0 {
                parts.push(Cube { positive: positive | bit, negative });
                rest.negative |= bit;
            }
        }
        parts
    }

    /// Whether each letter of this cube is one of the others; no, if that is hard to decide.
    pub(crate) fn covered_by(self, others: &[Cube]) -> bool {
        if others.iter().any(|other| other.contains(self)) {
            return true;
        }
        let mut rest = vec![self];
        for other in others {
            rest = rest.into_iter().flat_map(|part| part.minus(*other)).collect();
            if rest.is_empty() || rest.len() > PARTS_MAX {
                break;
            }
        }
        rest.is_empty()
    }
}
