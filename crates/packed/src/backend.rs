//! What a back end is asked, and where it puts its answers.

use crate::Packed;
use system::{Word, apart};

/// The state is given up: the reference interpreter must be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bail;

/// One way of executing a packed form. It is shared by all threads.
pub trait Backend {
    /// Appends to `batch`, which has room for [`Packed::most`] of this agent, all moves of
    /// `agent` (an index) in `state` that are not left out. Sequences without a choice are
    /// followed ([`Place::is_followed`](crate::Place::is_followed)), edges that moved noted.
    fn ask(
        &self,
        agent: usize,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail>;

    /// The same for all agents but a claim, in order.
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

/// Who moved: an edge and, if it was an offer, the edge that took it; how many edges of the
/// unseen sequence they begin moved behind them, and whether it goes on. Edges are numbered as
/// [`Packed::edges`] lists them.
///
/// One word: the edge in the lowest 24 bits, the other one in the next 24, then 15 bits of
/// how many more moved, and one that says whether the sequence goes on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Move(u64);

impl Move {
    /// Where the edge that took is.
    pub const TAKER_SHIFT: u32 = 24;
    /// The edge that took if nobody did. Edges have smaller numbers.
    pub const ALONE: u32 = (1 << 24) - 1;
    /// Where it is how many more edges moved.
    pub const MORE_SHIFT: u32 = 48;
    /// As how many more edges a move has that bailed: more than are ever followed.
    const FAILED: u64 = (1 << 15) - 1;
    /// Set if the sequence goes on.
    pub const GOES_ON: u64 = 1 << 63;

    /// A move of one edge.
    pub fn alone(edge: u32) -> Self {
        Self::both(edge, Self::ALONE)
    }

    /// A move of two edges.
    pub fn both(edge: u32, taker: u32) -> Self {
        Self(u64::from(taker) << Self::TAKER_SHIFT | u64::from(edge))
    }

    /// The same move, with so many more edges behind it.
    pub fn followed(self, more: u64, goes_on: bool) -> Self {
        Self(self.0 | more << Self::MORE_SHIFT | u64::from(goes_on) << 63)
    }

    /// The same move, which bailed.
    pub(crate) fn failed(self) -> Self {
        self.followed(Self::FAILED, false)
    }

    /// Whether it bailed.
    pub(crate) fn is_failed(self) -> bool {
        (self.0 & !Self::GOES_ON) >> Self::MORE_SHIFT == Self::FAILED
    }

    /// All that is known of it.
    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    /// The edge that moved, or offered.
    #[inline]
    pub fn edge(self) -> u32 {
        self.0 as u32 & Self::ALONE
    }

    /// The edge that took.
    #[inline]
    pub fn taker(self) -> Option<u32> {
        let taker = (self.0 >> Self::TAKER_SHIFT) as u32 & Self::ALONE;
        (taker != Self::ALONE).then_some(taker)
    }

    /// How many edges moved.
    #[inline]
    pub fn weight(self) -> u16 {
        let more = (self.0 & !Self::GOES_ON) >> Self::MORE_SHIFT;
        1 + u16::from(self.taker().is_some()) + more as u16
    }

    /// Whether the agent that moved last goes on, unseen.
    #[inline]
    pub fn goes_on(self) -> bool {
        self.0 & Self::GOES_ON != 0
    }
}

/// Moves and the states they lead to, appended one by one to borrowed room.
#[derive(Debug)]
pub struct Batch<'a> {
    width: usize,
    moves: &'a mut [Move],
    words: &'a mut [Word],
    len: usize,
    left_out: &'a [Word],
    spared: usize,
    tolerant: bool,
}

impl<'a> Batch<'a> {
    /// Room for as many moves, of states of `width` words, as fit into both.
    pub fn new(width: usize, moves: &'a mut [Move], words: &'a mut [Word]) -> Self {
        Self { width, moves, words, len: 0, left_out: &[], spared: 0, tolerant: false }
    }

    /// Moves that begin with one of these edges, a bit for each of the form's or none at all,
    /// are not appended but counted, unless they go on.
    pub fn leaving_out(self, left_out: &'a [Word]) -> Self {
        Self { left_out, ..self }
    }

    /// An edge that bails is a move that failed, and the others go on; by closures only.
    pub(crate) fn tolerant(self) -> Self {
        Self { tolerant: true, ..self }
    }

    /// A move bailed: whether others go on.
    #[cold]
    pub(crate) fn fail(&mut self, by: Move) -> Result<(), Bail> {
        if !self.tolerant {
            return Err(Bail);
        }
        self.accept(by.failed());
        Ok(())
    }

    /// Which edges are left out.
    pub fn left_out(&self) -> &'a [Word] {
        self.left_out
    }

    /// Whether moves that begin with this edge are left out.
    #[inline]
    pub fn leaves_out(&self, edge: u32) -> bool {
        is_set(self.left_out, edge)
    }

    /// So many moves were left out.
    #[inline]
    pub fn spare(&mut self, moves: usize) {
        self.spared += moves;
    }

    /// How many moves were left out.
    #[inline]
    pub fn spared(&self) -> usize {
        self.spared
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

/// The bit of an edge, if there are any.
#[inline]
pub(crate) fn is_set(bits: &[Word], edge: u32) -> bool {
    let word = bits.get((edge / Word::BITS) as usize);
    word.is_some_and(|word| word >> (edge % Word::BITS) & 1 != 0)
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
    /// For each edge whether it ever moved, 0 or 1.
    pub executed: Vec<u8>,
}

impl Scratch {
    /// Enough for this form.
    pub fn new(packed: &Packed) -> Self {
        Self {
            timeout: false,
            temps: apart(0, packed.temps()),
            offer: apart(0, packed.offer()),
            offered: apart(0, packed.width),
            executed: apart(0, packed.edges().count()),
        }
    }
}
