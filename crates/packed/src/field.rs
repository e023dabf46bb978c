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
    #[inline]
    pub fn mask(self) -> Word {
        (Word::MAX >> (Word::BITS - self.bits)) << self.shift
    }

    /// Whether it has all bits of another field.
    pub(crate) fn covers(self, other: Field) -> bool {
        self.word == other.word && other.mask() & !self.mask() == 0
    }

    /// The value in `words`.
    #[inline]
    pub fn get(self, words: &[Word]) -> i32 {
        // Moved to the top first: the shift back extends the sign, or zeros.
        let top = words[self.word as usize] << (Word::BITS - self.shift - self.bits);
        let back = Word::BITS - self.bits;
        if self.signed { ((top as i64) >> back) as i32 } else { (top >> back) as i32 }
    }

    /// Whether `number` can be its value.
    pub fn fits(self, number: i32) -> bool {
        self.cut(number) == number
    }

    /// Its value once `number` was put into it.
    pub(crate) fn cut(self, number: i32) -> i32 {
        let mut word = [0];
        let alone = Field { word: 0, ..self };
        alone.set(&mut word, number);
        alone.get(&word)
    }

    /// The bits that `number` has at its place, cut to those of the field.
    #[inline]
    pub fn bits_of(self, number: i32) -> Word {
        (number as u32 as Word) << self.shift & self.mask()
    }

    /// Puts the low bits of `value` into `words`.
    #[inline]
    pub fn set(self, words: &mut [Word], value: i32) {
        let word = &mut words[self.word as usize];
        *word = (*word & !self.mask()) | self.bits_of(value);
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

    /// The element at `index`, if it is in range.
    #[inline]
    pub fn get(self, index: i32) -> Option<Field> {
        let index = index as u32;
        (index < self.length).then(|| self.element(index))
    }

    /// How many words it has elements in.
    pub fn words(self) -> u32 {
        self.length.div_ceil(self.per_word)
    }

    /// The bits of its elements in its `word`-th word.
    pub fn mask(self, word: u32) -> Word {
        let bits = self.first.bits * self.per_word.min(self.length - word * self.per_word);
        (Word::MAX >> (Word::BITS - bits)) << self.first.shift
    }

    /// Whether none of its elements has a bit of `field`.
    pub(crate) fn is_apart(self, field: Field) -> bool {
        let word = field.word.wrapping_sub(self.first.word);
        word >= self.words() || self.mask(word) & field.mask() == 0
    }

    /// Takes the element at `index`, which is in range, out: those behind it move up.
    pub fn take(self, words: &mut [Word], index: u32) {
        let (first, bits) = (index / self.per_word, self.first.bits);
        for i in first..self.words() {
            let next = match i + 1 < self.words() {
                true => self.element((i + 1) * self.per_word).get(words),
                false => 0,
            };
            let mask = self.mask(i);
            let word = &mut words[(self.first.word + i) as usize];
            let stays = !mask | self.below(if i == first { index % self.per_word } else { 0 });
            *word = (*word & stays) | ((*word & mask) >> bits & mask & !stays);
            let last = ((i + 1) * self.per_word).min(self.length) - 1;
            self.element(last).set(words, next);
        }
    }

    /// Puts `value` before the element at `index`, which is in range: those from there on
    /// move back, the last one is lost.
    pub fn insert(self, words: &mut [Word], index: u32, value: i32) {
        let (first, bits) = (index / self.per_word, self.first.bits);
        let (mut index, mut value) = (index, value);
        for i in first..self.words() {
            let last = ((i + 1) * self.per_word).min(self.length) - 1;
            let lost = self.element(last).get(words);
            let mask = self.mask(i);
            let word = &mut words[(self.first.word + i) as usize];
            let stays = !mask | self.below(index % self.per_word);
            *word = (*word & stays) | ((*word & !stays) << bits & mask);
            self.element(index).set(words, value);
            (index, value) = ((i + 1) * self.per_word, lost);
        }
    }

    /// The bits of the first `count` elements of a word; not all of a word's.
    fn below(self, count: u32) -> Word {
        ((1 << (count * self.first.bits)) - 1) << self.first.shift
    }

    /// Sets all elements to zero.
    pub fn clear(self, words: &mut [Word]) {
        for i in 0..self.words() {
            words[(self.first.word + i) as usize] &= !self.mask(i);
        }
    }
}
