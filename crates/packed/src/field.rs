//! Bit fields of the words of a state.

use system::Word;

/// Some bits of one word. INVARIANT: `1 <= bits <= 32`, `shift + bits <= 64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// Which word.
    pub word: u32,
    /// The lowest bit.
    pub shift: u32,
    /// How many bits.
    pub bits: u32,
    /// Whether the highest bit is a sign.
    pub signed: bool,
}

impl Field {
    /// The bits of the field, at their place.
    pub fn mask(self) -> Word {
        (Word::MAX >> (Word::BITS - self.bits)) << self.shift
    }

    /// The value in `words`.
    #[inline]
    pub fn get(self, words: &[Word]) -> i32 {
        // Moved to the top first: the shift back extends the sign, or zeros.
        let top = words[self.word as usize] << (Word::BITS - self.shift - self.bits);
        let back = Word::BITS - self.bits;
        if self.signed { ((top as i64) >> back) as i32 } else { (top >> back) as i32 }
    }

    /// Puts the low bits of `value` into `words`.
    #[inline]
    pub fn set(self, words: &mut [Word], value: i32) {
        let word = &mut words[self.word as usize];
        *word = (*word & !self.mask()) | ((value as u32 as Word) << self.shift & self.mask());
    }
}

/// Fields of one kind at regular distances: an array, or the messages of a channel (one
/// array per message field, oldest message first, unused elements zero).
///
/// Element `i` is in word `first.word + i / per_word`, `(i % per_word) * first.bits` bits
/// above `first.shift`. INVARIANT: `per_word >= 1`; an array of more than one word begins
/// at bit 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Array {
    /// Its first element.
    pub first: Field,
    /// Elements.
    pub length: u32,
    /// Elements in a word.
    pub per_word: u32,
}

impl Array {
    /// The element at `index`, which is in range.
    #[inline]
    pub fn element(self, index: u32) -> Field {
        debug_assert!(index < self.length, "an index in range");
        let word = self.first.word + index / self.per_word;
        let shift = self.first.shift + (index % self.per_word) * self.first.bits;
        Field { word, shift, ..self.first }
    }
}
