//! Words of the state: read from where they are cheapest, written to the copy.

use super::host::Helper;
use super::maker::{FIXED, Maker, SURE};
use cranelift_codegen::ir::types::{I8X16, I32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use packed::{Array, Field};

/// The most words of a state that are copied without a call.
const INLINE_MAX: usize = 16;

/// What an edge sees of the state.
#[derive(Clone)]
pub(crate) enum View {
    /// The state it moves in: its guard.
    Parent,
    /// The copy it changes. A word that was not written yet is still the parent's, whose
    /// value the guard may have in a register.
    Copy { at: Value, written: Vec<bool> },
}

impl View {
    pub(crate) fn copy(at: Value, width: usize) -> Self {
        View::Copy { at, written: vec![false; width] }
    }

    /// Forgets what was not written, where ways meet that wrote different words.
    pub(crate) fn meet(&mut self, other: &View) {
        if let (View::Copy { written, .. }, View::Copy { written: others, .. }) = (self, other) {
            written.iter_mut().zip(others).for_each(|(here, there)| *here |= there);
        }
    }

    /// From now on any word may have been written.
    pub(crate) fn forget(&mut self) {
        if let View::Copy { written, .. } = self {
            written.fill(true);
        }
    }
}

impl Maker<'_> {
    /// Copies the parent to `target`.
    pub(crate) fn copy(&mut self, target: Value) {
        if self.width > INLINE_MAX {
            let width = self.word(self.width as u64);
            return self.help(Helper::Copy, &[self.state, target, width]);
        }
        for word in (0..self.width as i32).step_by(2) {
            let pair = word + 1 < self.width as i32;
            let of = if pair { I8X16 } else { I64 };
            // States lie at words, not at pairs of them.
            let flags = if pair { MemFlagsData::new().with_notrap() } else { SURE };
            let value = self.b.ins().load(of, flags, self.state, 8 * word);
            self.b.ins().store(flags, value, target, 8 * word);
        }
    }

    pub(crate) fn load(&mut self, word: u32) -> Value {
        let offset = 8 * word as i32;
        match &self.view {
            View::Copy { at, written } if written[word as usize] => {
                let at = *at;
                self.b.ins().load(I64, SURE, at, offset)
            }
            _ => self.b.ins().load(I64, FIXED, self.state, offset),
        }
    }

    pub(crate) fn store(&mut self, word: u32, value: Value) {
        let View::Copy { at, written } = &mut self.view else {
            unreachable!("a guard changes nothing");
        };
        written[word as usize] = true;
        let at = *at;
        self.b.ins().store(SURE, value, at, 8 * word as i32);
    }

    /// The copy, of which the words of this array will be written.
    pub(crate) fn changed(&mut self, array: Array) -> Value {
        let View::Copy { at, written } = &mut self.view else {
            unreachable!("a guard changes nothing");
        };
        let first = array.first.word as usize;
        written[first..first + array.words() as usize].fill(true);
        *at
    }

    /// Where all words of this array can be read.
    pub(crate) fn read_from(&mut self, array: Array) -> Value {
        let first = array.first.word as usize;
        match &self.view {
            View::Copy { at, written }
                if written[first..][..array.words() as usize].contains(&true) =>
            {
                *at
            }
            _ => self.state,
        }
    }

    /// The value of a field, 32 bits.
    pub(crate) fn field(&mut self, field: Field) -> Value {
        let word = self.load(field.word);
        let shift = self.word(u64::from(field.shift));
        let low = if field.shift == 0 { word } else { self.b.ins().ushr(word, shift) };
        self.extend(low, field)
    }

    /// The number in the lowest bits of a word, if it is one of such a field.
    pub(crate) fn extend(&mut self, low: Value, field: Field) -> Value {
        let narrow = self.b.ins().ireduce(I32, low);
        match (field.bits, field.signed) {
            (32, _) => narrow,
            (bits, false) => self.b.ins().band_imm_u(narrow, (1_i64 << bits) - 1),
            (bits, true) => {
                let up = self.b.ins().ishl_imm_u(narrow, i64::from(32 - bits));
                self.b.ins().sshr_imm_u(up, i64::from(32 - bits))
            }
        }
    }

    /// Puts a number into a field.
    pub(crate) fn put(&mut self, field: Field, number: Value) {
        let low = self.cut(number, field);
        let bits = self.b.ins().ishl_imm_u(low, i64::from(field.shift));
        let word = self.load(field.word);
        let kept = self.b.ins().band_imm_s(word, !field.mask() as i64);
        let word = self.b.ins().bor(kept, bits);
        self.store(field.word, word);
    }

    /// The lowest bits of a number as a word, as many as the field has.
    pub(crate) fn cut(&mut self, number: Value, field: Field) -> Value {
        let wide = self.b.ins().uextend(I64, number);
        match field.bits {
            32 => wide,
            bits => self.b.ins().band_imm_u(wide, (1_i64 << bits) - 1),
        }
    }

    /// Puts a constant into a field.
    pub(crate) fn put_constant(&mut self, field: Field, number: i32) {
        let (mask, bits) = (field.mask(), field.bits_of(number));
        let mut word = self.load(field.word);
        if bits != mask {
            word = self.b.ins().band_imm_s(word, !mask as i64);
        }
        if bits != 0 {
            word = self.b.ins().bor_imm_s(word, bits as i64);
        }
        self.store(field.word, word);
    }
}
