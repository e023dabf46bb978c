//! What a back end is asked, and where it puts its answers.

use crate::Packed;
use system::Word;

/// The state is given up: an executor that knows all rules must be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bail;

/// One way of executing a packed form. It is shared by all threads.
pub trait Backend {
    /// Appends to `batch`, which has room for [`Packed::most`] of this agent, all moves of
    /// `agent` (an index) in `state`.
    fn ask(
        &self,
        agent: usize,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail>;

    /// The same for all agents, in order.
    fn ask_all(
        &self,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail>;
}

impl<B: Backend + ?Sized> Backend for std::sync::Arc<B> {
    fn ask(
        &self,
        agent: usize,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        (**self).ask(agent, state, scratch, batch)
    }

    fn ask_all(
        &self,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        (**self).ask_all(state, scratch, batch)
    }
}

/// Who moved: an edge and, if it was an offer, the edge that took it. Edges are numbered
/// as [`Packed::edges`] lists them.
///
/// One word, the edge in its lower half, the other one in its upper half.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Move(u64);

impl Move {
    /// The upper half if nobody took.
    pub const ALONE: u32 = u32::MAX;

    /// A move of one edge.
    pub fn alone(edge: u32) -> Self {
        Self::both(edge, Self::ALONE)
    }

    /// A move of two edges.
    pub fn both(edge: u32, taker: u32) -> Self {
        Self(u64::from(taker) << 32 | u64::from(edge))
    }

    /// The edge that moved, or offered.
    #[inline]
    pub fn edge(self) -> u32 {
        self.0 as u32
    }

    /// The edge that took.
    #[inline]
    pub fn taker(self) -> Option<u32> {
        let taker = (self.0 >> 32) as u32;
        (taker != Self::ALONE).then_some(taker)
    }
}

/// Moves and the states they lead to, appended one by one to borrowed room.
#[derive(Debug)]
pub struct Batch<'a> {
    width: usize,
    moves: &'a mut [Move],
    words: &'a mut [Word],
    len: usize,
}

impl<'a> Batch<'a> {
    /// Room for as many moves, of states of `width` words, as fit into both.
    pub fn new(width: usize, moves: &'a mut [Move], words: &'a mut [Word]) -> Self {
        Self { width, moves, words, len: 0 }
    }

    /// The number of moves.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The words of the next state. What they hold means nothing.
    #[inline]
    pub fn slot(&mut self) -> &mut [Word] {
        &mut self.words[self.len * self.width..][..self.width]
    }

    /// Says that the next state was written.
    #[inline]
    pub fn accept(&mut self, by: Move) {
        self.moves[self.len] = by;
        self.len += 1;
    }

    /// The moves to come and their states, for a back end that writes many at once.
    pub fn room(&mut self) -> (&mut [Move], &mut [Word]) {
        (&mut self.moves[self.len..], &mut self.words[self.len * self.width..])
    }

    /// Says that `count` moves and states were written into the room.
    pub fn accept_many(&mut self, count: usize) {
        assert!(self.len + count <= self.moves.len(), "as many as there is room for");
        self.len += count;
    }
}

/// What executing an edge needs besides states; one per thread.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// Whether nothing else can move.
    pub timeout: bool,
    /// The temporaries.
    pub temps: Vec<i32>,
    /// The values of the offer.
    pub offer: Vec<i32>,
    /// The state in which the offering agent has moved.
    pub offered: Vec<Word>,
}

impl Scratch {
    /// Enough for this form.
    pub fn new(packed: &Packed) -> Self {
        Self {
            timeout: false,
            temps: vec![0; packed.temps()],
            offer: vec![0; packed.offer()],
            offered: vec![0; packed.width],
        }
    }
}
