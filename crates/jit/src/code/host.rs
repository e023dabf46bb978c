//! What machine code and its host know of each other.

use cranelift_codegen::ir::Type;
use cranelift_codegen::ir::types::{I32, I64};
use packed::{Array, Move};
use system::Word;

/// What a function needs besides the state.
#[repr(C)]
pub(crate) struct Context {
    /// `width` words: the state in which the offering agent has moved.
    pub(crate) offered: *mut Word,
    /// The values of the offer.
    pub(crate) offer: *mut i32,
    /// A bit for each edge: whether moves that begin with it are left out. How many were.
    pub(crate) left_out: *const Word,
    pub(crate) spared: u64,
    /// A byte for each edge: whether it ever moved.
    pub(crate) executed: *mut u8,
    /// Whether nothing else can move.
    pub(crate) timeout: i32,
}

/// Writes moves and the states they lead to, from the given places on; returns the end of
/// the moves, null if it bails.
pub(crate) type Code =
    unsafe extern "C" fn(*mut Context, *const Word, *mut Word, *mut Move) -> *mut Move;

/// A function of the host that code may call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Helper {
    Copy,
    Take,
    Insert,
}

impl Helper {
    pub(crate) const ALL: [Helper; 3] = [Helper::Copy, Helper::Take, Helper::Insert];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Helper::Copy => "copy",
            Helper::Take => "take",
            Helper::Insert => "insert",
        }
    }

    /// The types of its parameters; it returns nothing.
    pub(crate) fn parameters(self) -> &'static [Type] {
        match self {
            Helper::Copy => &[I64, I64, I64],
            Helper::Take => &[I64, I64, I32],
            Helper::Insert => &[I64, I64, I32, I32],
        }
    }

    pub(crate) fn address(self) -> *const u8 {
        match self {
            Helper::Copy => copy as *const u8,
            Helper::Take => take as *const u8,
            Helper::Insert => insert as *const u8,
        }
    }
}

/// Copies a state. SAFETY: both have `width` words and are apart.
unsafe extern "C" fn copy(from: *const Word, to: *mut Word, width: usize) {
    // SAFETY: as above.
    unsafe { std::ptr::copy_nonoverlapping(from, to, width) }
}

/// SAFETY: the words of the array, which outlives the code, exist behind `words`; the
/// index is in range.
unsafe extern "C" fn take(words: *mut Word, array: *const Array, index: u32) {
    // SAFETY: as above.
    unsafe { (*array).take(of(words, *array), index) }
}

/// SAFETY: as for `take`.
unsafe extern "C" fn insert(words: *mut Word, array: *const Array, index: u32, value: i32) {
    // SAFETY: as above.
    unsafe { (*array).insert(of(words, *array), index, value) }
}

/// The state up to the end of the array. SAFETY: these words exist.
unsafe fn of<'a>(words: *mut Word, array: Array) -> &'a mut [Word] {
    let length = (array.first.word + array.words()) as usize;
    // SAFETY: as above.
    unsafe { std::slice::from_raw_parts_mut(words, length) }
}
