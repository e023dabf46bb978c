//! Arrays. In one word, which most are, elements move by shifts.

use super::host::Helper;
use super::maker::{Maker, SURE};
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use packed::{Array, Expr};

impl Maker<'_> {
    /// An index in range; else it bails.
    pub(crate) fn index(&mut self, array: Array, index: &Expr) -> Value {
        let value = self.value(index);
        if !matches!(index, Expr::Const(number) if array.get(*number).is_some()) {
            self.within(value, array.length);
        }
        value
    }

    /// How far its element is from the lowest bit of its word, given the index there.
    fn shift(&mut self, array: Array, index: Value) -> Value {
        let index = self.b.ins().uextend(I64, index);
        let bits = self.b.ins().imul_imm_s(index, i64::from(array.first.bits));
        self.b.ins().iadd_imm_s(bits, i64::from(array.first.shift))
    }

    /// The word of an element, counted in bytes from the first of the state, and the shift
    /// within it.
    fn locate(&mut self, array: Array, index: Value) -> (Value, Value) {
        let per_word = self.number(array.per_word as i32);
        let word = self.b.ins().udiv(index, per_word);
        let before = self.b.ins().imul(word, per_word);
        let within = self.b.ins().isub(index, before);
        let word = self.b.ins().uextend(I64, word);
        let bytes = self.b.ins().ishl_imm_u(word, 3);
        (bytes, self.shift(array, within))
    }

    pub(crate) fn element(&mut self, array: Array, index: Value) -> Value {
        let (word, shift) = if array.words() == 1 {
            (self.load(array.first.word), self.shift(array, index))
        } else {
            let (bytes, shift) = self.locate(array, index);
            let base = self.read_from(array);
            let at = self.b.ins().iadd(base, bytes);
            // Not to be moved to before the check of the index.
            (self.b.ins().load(I64, SURE, at, 8 * array.first.word as i32), shift)
        };
        let low = self.b.ins().ushr(word, shift);
        self.extend(low, array.first)
    }

    pub(crate) fn set_element(&mut self, array: Array, index: Value, number: Value) {
        let bits = self.cut(number, array.first);
        let ones = self.word(array.first.mask() >> array.first.shift);
        if array.words() == 1 {
            let shift = self.shift(array, index);
            let word = self.load(array.first.word);
            let word = self.replaced(word, ones, bits, shift);
            return self.store(array.first.word, word);
        }
        let (bytes, shift) = self.locate(array, index);
        let copy = self.changed(array);
        let at = self.b.ins().iadd(copy, bytes);
        let offset = 8 * array.first.word as i32;
        let word = self.b.ins().load(I64, SURE, at, offset);
        let word = self.replaced(word, ones, bits, shift);
        self.b.ins().store(SURE, word, at, offset);
    }

    /// A word with other bits in a part of it.
    fn replaced(&mut self, word: Value, ones: Value, bits: Value, shift: Value) -> Value {
        let mask = self.b.ins().ishl(ones, shift);
        let kept = self.b.ins().band_not(word, mask);
        let bits = self.b.ins().ishl(bits, shift);
        self.b.ins().bor(kept, bits)
    }

    pub(crate) fn take(&mut self, array: Array, index: Value) {
        if array.words() > 1 {
            let (words, array) = (self.changed(array), self.keep(array));
            return self.help(Helper::Take, &[words, array, index]);
        }
        let (stays, moves, word) = self.cut_at(array, index);
        let from = self.b.ins().band_imm_s(word, array.mask(0) as i64);
        let up = self.b.ins().ushr_imm_u(from, i64::from(array.first.bits));
        let up = self.b.ins().band(up, moves);
        let word = self.b.ins().bor(stays, up);
        self.store(array.first.word, word);
    }

    pub(crate) fn insert(&mut self, array: Array, index: Value, number: Value) {
        if array.words() > 1 {
            let (words, array) = (self.changed(array), self.keep(array));
            return self.help(Helper::Insert, &[words, array, index, number]);
        }
        let (stays, moves, word) = self.cut_at(array, index);
        let from = self.b.ins().band(word, moves);
        let back = self.b.ins().ishl_imm_u(from, i64::from(array.first.bits));
        let back = self.b.ins().band_imm_s(back, array.mask(0) as i64);
        let shift = self.shift(array, index);
        let bits = self.cut(number, array.first);
        let bits = self.b.ins().ishl(bits, shift);
        let word = self.b.ins().bor(stays, back);
        let word = self.b.ins().bor(word, bits);
        self.store(array.first.word, word);
    }

    /// Of an array in one word: what of the word is not the element at `index` or behind
    /// it, the bits that are, and the whole word.
    fn cut_at(&mut self, array: Array, index: Value) -> (Value, Value, Value) {
        let shift = self.shift(array, index);
        let ones = self.word(u64::MAX);
        let from_here = self.b.ins().ishl(ones, shift);
        let moves = self.b.ins().band_imm_s(from_here, array.mask(0) as i64);
        let word = self.load(array.first.word);
        let stays = self.b.ins().band_not(word, moves);
        (stays, moves, word)
    }

    pub(crate) fn clear(&mut self, array: Array) {
        for i in 0..array.words() {
            let word = self.load(array.first.word + i);
            let word = self.b.ins().band_imm_s(word, !array.mask(i) as i64);
            self.store(array.first.word + i, word);
        }
    }

    /// The address of a description that lives as long as the code.
    fn keep(&mut self, array: Array) -> Value {
        let kept: Box<[Array]> = [array].into();
        let address = kept.as_ptr().expose_provenance();
        self.constants.arrays.push(kept);
        self.word(address as u64)
    }
}
