//! Where in the words of a state fields are put.

use ::packed::{Array, Field};

/// How many bits of a word are used at most, unless that costs words: a store keeps an
/// index of the values of each word, which stays small if they are few.
const BITS_WANTED: u32 = 48;
const BITS_MAX: u32 = 64;

/// How a value lies in a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Shape {
    pub(super) bits: u32,
    pub(super) signed: bool,
}

/// Words being filled, from `first` on.
#[derive(Clone, Debug)]
pub(super) struct Packer {
    first: u32,
    used: Vec<u32>,
    limit: u32,
}

impl Packer {
    /// Words from `first` on, for so many bits in all.
    pub(super) fn new(first: u32, bits: u32) -> Self {
        let roomy = bits.div_ceil(BITS_WANTED) == bits.div_ceil(BITS_MAX);
        let limit = if roomy { BITS_WANTED } else { BITS_MAX };
        Self { first, used: Vec::new(), limit }
    }

    /// The first word behind those used.
    pub(super) fn end(&self) -> u32 {
        self.first + self.used.len() as u32
    }

    /// Room for one value.
    pub(super) fn field(&mut self, shape: Shape) -> Field {
        self.block(shape, shape.bits)
    }

    /// Room for several values of one kind.
    pub(super) fn array(&mut self, length: u32, shape: Shape) -> Array {
        let length = length.max(1);
        if length.checked_mul(shape.bits).is_some_and(|bits| bits <= self.limit) {
            let first = self.block(shape, length * shape.bits);
            return Array { first, length, per_word: length };
        }
        let words = length.div_ceil(BITS_MAX / shape.bits);
        let per_word = length.div_ceil(words);
        let word = self.end();
        let first = Field { word, shift: 0, bits: shape.bits, signed: shape.signed };
        for start in (0..length).step_by(per_word as usize) {
            self.used.push(per_word.min(length - start) * shape.bits);
        }
        Array { first, length, per_word }
    }

    /// Room for `bits` bits, the first of which are a field of `shape`.
    fn block(&mut self, shape: Shape, bits: u32) -> Field {
        let limit = self.limit.max(bits);
        let fits = |used: &u32| used + bits <= limit;
        let index = self.used.iter().position(fits).unwrap_or_else(|| {
            self.used.push(0);
            self.used.len() - 1
        });
        let shift = self.used[index];
        self.used[index] += bits;
        Field { word: self.first + index as u32, shift, bits: shape.bits, signed: shape.signed }
    }
}

/// How many bits tell numbers from 0 to `max` apart; at least one.
pub(super) fn bits_for(max: usize) -> u32 {
    (usize::BITS - max.leading_zeros()).max(1)
}
