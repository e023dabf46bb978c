//! A state as the executor works on it: the very bytes `super::super::bytes` would
//! write, with a table of where processes and channels begin. Loading and storing
//! a variable is reading and writing in place, copying a state is copying memory,
//! and handing it to a search is filling words.
//!
//! INVARIANT: `bytes` holds, in order, the number of processes and their records,
//! the number of channels and their records, the globals, `last`, the flags, the
//! claim's record if there is one, and where the event trace stands. Records of
//! processes come first, so that they never move while they live.

use super::code::{ChannelKind, Code};
use system::Word;

/// How a value lies in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// One byte without sign.
    One,
    /// Two without sign.
    Two,
    /// Two with sign.
    Short,
    /// Three without sign.
    Three,
    /// Four.
    Four,
}

impl Shape {
    /// Bytes it takes.
    pub(super) fn size(self) -> usize {
        match self {
            Shape::One => 1,
            Shape::Two | Shape::Short => 2,
            Shape::Three => 3,
            Shape::Four => 4,
        }
    }

    /// The value at `at`.
    #[inline]
    pub(super) fn read(self, bytes: &[u8], at: usize) -> i32 {
        match self {
            Shape::One => i32::from(bytes[at]),
            Shape::Two => i32::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])),
            Shape::Short => i32::from(i16::from_le_bytes([bytes[at], bytes[at + 1]])),
            Shape::Three => i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], 0]),
            Shape::Four => {
                i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
            }
        }
    }

    /// Puts `value` at `at`.
    #[inline]
    pub(super) fn write(self, bytes: &mut [u8], at: usize, value: i32) {
        match self {
            Shape::One => bytes[at] = value as u8,
            _ => {
                let size = self.size();
                bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
            }
        }
    }
}

/// A type: what is left of a value, and how it lies in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    pub(super) shape: Shape,
    pub(super) mask: i32,
}

/// Where a channel begins, and of which kind it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    pub(super) at: usize,
    pub(super) kind: usize,
}

/// Bytes before the messages of a channel: declaration (proctype, variable),
/// owner, length.
pub(super) const CHANNEL_HEADER: usize = 8;

/// A state; see the module.
#[derive(Default, Debug)]
pub(super) struct Image {
    /// What tells states apart.
    pub(super) bytes: Vec<u8>,
    /// What travels along: whether the system stutters, and hidden globals.
    pub(super) tail: Vec<u8>,
    /// Where the record of each process begins.
    pub(super) frames: Vec<usize>,
    /// Where each channel is.
    pub(super) channels: Vec<Slot>,
    /// Where the number of channels stands.
    pub(super) queues: usize,
    /// Where the globals begin.
    pub(super) globals: usize,
}

impl Clone for Image {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Reuses the memory that is there.
    fn clone_from(&mut self, source: &Self) {
        self.bytes.clone_from(&source.bytes);
        self.tail.clone_from(&source.tail);
        self.frames.clone_from(&source.frames);
        self.channels.clone_from(&source.channels);
        (self.queues, self.globals) = (source.queues, source.globals);
    }
}

impl Image {
    /// Becomes the state these words stand for.
    pub(super) fn load(&mut self, code: &Code, words: &[Word]) {
        let (head, tail) = words.split_at(code.head);
        unpack(head, &mut self.bytes);
        unpack(tail, &mut self.tail);
        self.tail.truncate(code.tail_bytes);
        self.locate(code);
    }

    fn locate(&mut self, code: &Code) {
        let mut at = 2;
        self.frames.clear();
        for _ in 0..self.number(0) {
            self.frames.push(at);
            at += code.kinds[self.number(at)].size;
        }
        self.queues = at;
        at += 2;
        self.channels.clear();
        for _ in 0..self.number(self.queues) {
            let kind = code.channel_kind(self.number(at), self.number(at + 2));
            self.channels.push(Slot { at, kind });
            let length = self.number(at + 6);
            at += CHANNEL_HEADER + length * code.channels[kind].message_bytes;
        }
        self.globals = at;
        let claim = self.claim(code);
        let end = claim.map_or(self.last(code) + 4, |at| at + code.kinds[self.number(at)].size);
        self.bytes.truncate(end + 2);
    }

    /// Fills the words of a state; says whether it fits.
    pub(super) fn save(&self, code: &Code, words: &mut [Word]) -> bool {
        let (head, tail) = words.split_at_mut(code.head);
        pack(&self.bytes, head) && pack(&self.tail, tail)
    }

    /// Whether both stand for the same state.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.bytes == other.bytes && self.tail == other.tail
    }

    /// A number that equal states share.
    pub(super) fn hash(&self) -> u64 {
        let mix =
            |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        let mut hash = self.bytes.len() as u64;
        for bytes in [&self.bytes, &self.tail] {
            let (words, rest) = bytes.as_chunks::<8>();
            hash = words.iter().fold(hash, |hash, word| mix(hash, u64::from_le_bytes(*word)));
            hash = rest.iter().fold(hash, |hash, byte| mix(hash, u64::from(*byte)));
        }
        hash ^ hash >> 29
    }

    /// The two bytes at `at`.
    #[inline]
    pub(super) fn number(&self, at: usize) -> usize {
        usize::from(u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]))
    }

    /// Sets the two bytes at `at`.
    #[inline]
    pub(super) fn set_number(&mut self, at: usize, number: usize) {
        self.bytes[at..at + 2].copy_from_slice(&(number as u16).to_le_bytes());
    }

    /// Where it stands who moved last.
    pub(super) fn last(&self, code: &Code) -> usize {
        self.globals + code.globals_bytes
    }

    /// Where the claim's record begins, if there is a claim.
    pub(super) fn claim(&self, code: &Code) -> Option<usize> {
        let last = self.last(code);
        (self.number(last + 2) & 1 == 1).then_some(last + 4)
    }

    /// Where it stands where the event trace stands.
    pub(super) fn trace(&self) -> usize {
        self.bytes.len() - 2
    }

    /// Whether only the claim moves from here on.
    pub(super) fn stutters(&self) -> bool {
        self.tail.first() == Some(&1)
    }

    /// Makes room for `size` zeros at `at`; tables are the caller's.
    pub(super) fn widen(&mut self, at: usize, size: usize) {
        let end = self.bytes.len();
        self.bytes.resize(end + size, 0);
        self.bytes.copy_within(at..end, at + size);
        self.bytes[at..at + size].fill(0);
    }

    /// Takes `size` bytes out at `at`; tables are the caller's.
    pub(super) fn narrow(&mut self, at: usize, size: usize) {
        let end = self.bytes.len();
        self.bytes.copy_within(at + size..end, at);
        self.bytes.truncate(end - size);
    }

    /// How many messages the channel at `index` holds.
    #[inline]
    pub(super) fn length(&self, index: usize) -> usize {
        self.number(self.channels[index].at + 6)
    }

    /// The process the channel at `index` goes with; none for those of the program.
    pub(super) fn owner(&self, index: usize) -> Option<usize> {
        self.number(self.channels[index].at + 4).checked_sub(1)
    }

    /// Where message `slot` of the channel at `index` begins.
    #[inline]
    pub(super) fn message(&self, kind: &ChannelKind, index: usize, slot: usize) -> usize {
        self.channels[index].at + CHANNEL_HEADER + slot * kind.message_bytes
    }

    /// Makes room for a message at place `slot`; says where.
    pub(super) fn insert_message(
        &mut self,
        kind: &ChannelKind,
        index: usize,
        slot: usize,
    ) -> usize {
        let at = self.message(kind, index, slot);
        self.widen(at, kind.message_bytes);
        self.set_number(self.channels[index].at + 6, self.length(index) + 1);
        for channel in &mut self.channels[index + 1..] {
            channel.at += kind.message_bytes;
        }
        self.globals += kind.message_bytes;
        at
    }

    /// Takes message `slot` out.
    pub(super) fn remove_message(&mut self, kind: &ChannelKind, index: usize, slot: usize) {
        let at = self.message(kind, index, slot);
        self.narrow(at, kind.message_bytes);
        self.set_number(self.channels[index].at + 6, self.length(index) - 1);
        for channel in &mut self.channels[index + 1..] {
            channel.at -= kind.message_bytes;
        }
        self.globals -= kind.message_bytes;
    }
}

fn unpack(words: &[Word], bytes: &mut Vec<u8>) {
    bytes.resize(size_of_val(words), 0);
    let (chunks, _) = bytes.as_chunks_mut::<{ size_of::<Word>() }>();
    for (chunk, word) in chunks.iter_mut().zip(words) {
        *chunk = word.to_le_bytes();
    }
}

fn pack(bytes: &[u8], words: &mut [Word]) -> bool {
    let (whole, rest) = bytes.as_chunks::<{ size_of::<Word>() }>();
    let needed = whole.len() + usize::from(!rest.is_empty());
    let Some((front, back)) = words.split_at_mut_checked(needed) else { return false };
    for (word, chunk) in front.iter_mut().zip(whole) {
        *word = Word::from_le_bytes(*chunk);
    }
    if let (Some(word), false) = (front.last_mut(), rest.is_empty()) {
        let mut last = [0; size_of::<Word>()];
        last[..rest.len()].copy_from_slice(rest);
        *word = Word::from_le_bytes(last);
    }
    back.fill(0);
    true
}
