//! The path of a depth-first search through the product.
//!
//! A node on the path takes eight bytes: its number, and how many of its steps were taken. The
//! edges of the last nodes are kept in a list; those of nodes far from the end of the path are
//! dropped when there are many, and made again when the search comes back there.

use crate::product::{Node, Product, Taken};
use search::{Expansion, Listed, Walker, Why};
use system::Processes;

/// So many words of edges are kept at most, and half of them when there are more; few where
/// small systems are to test it.
const LISTED_MAX: usize = if cfg!(debug_assertions) { 1 << 6 } else { 1 << 20 };
/// Behind the edges of a node come its letter and how many edges there are.
const TRAILER: usize = 2;
/// Instead of the letter of a node whose state has none.
const NO_LETTER: u32 = u32::MAX;

/// A node on the path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    node: Node,
    /// So many of its steps were taken.
    taken: u32,
}

/// The nodes on a path.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    frames: Vec<Frame>,
    /// The edges of the last frames, each list with its trailer.
    listed: Vec<u32>,
    /// Of the same edges the places of the sets of processes, if they are known; trailers
    /// included.
    sets: Vec<u16>,
    /// The edges of so many frames, the first ones, are not kept.
    dropped: usize,
    fresh: Listed,
    /// Edges are taken in another order for each number.
    order: u32,
}

impl Stack {
    /// One that takes the edges of a node in an order of its own.
    pub(crate) fn in_order(order: u32) -> Self {
        Self { order, ..Self::default() }
    }

    /// The last node.
    #[inline]
    pub(crate) fn last(&self) -> Option<Node> {
        self.frames.last().map(|frame| frame.node)
    }

    /// Goes on to a node; says who is enabled there.
    pub(crate) fn push(
        &mut self,
        product: &Product<'_>,
        walker: &mut Walker<'_>,
        node: Node,
    ) -> Result<Processes, Why> {
        let frames = &mut self.frames;
        let bytes = size_of_val(&**frames) as u64;
        // It doubles.
        if frames.len() == frames.capacity() && bytes > walker.bytes_left() {
            return Err(Why::Memory);
        }
        frames.push(Frame { node, taken: 0 });
        self.list(product, walker, node)
    }

    fn list(
        &mut self,
        product: &Product<'_>,
        walker: &mut Walker<'_>,
        node: Node,
    ) -> Result<Processes, Why> {
        let Expansion { letter, enabled } = walker.expand(product.state(node), &mut self.fresh)?;
        let coming = self.fresh.targets.len() + TRAILER;
        if !self.listed.is_empty() && self.listed.len() + coming > LISTED_MAX {
            self.drop_lists();
        }
        let letter = letter.map_or(NO_LETTER, |letter| letter as u32);
        self.listed.extend_from_slice(&self.fresh.targets);
        self.listed.extend([letter, self.fresh.targets.len() as u32]);
        if walker.knows_participants() {
            self.sets.extend_from_slice(&self.fresh.sets);
            self.sets.extend([0; TRAILER]);
        }
        Ok(enabled)
    }

    /// Drops the lists of the first frames, all but the last half.
    #[cold]
    fn drop_lists(&mut self) {
        let (mut start, mut kept) = (self.listed.len(), 0);
        while start > LISTED_MAX / 2 {
            start -= self.listed[start - 1] as usize + TRAILER;
            kept += 1;
        }
        // The frame at hand, pushed last, has no list yet.
        self.dropped = self.frames.len() - 1 - kept;
        self.listed.drain(..start);
        if !self.sets.is_empty() {
            self.sets.drain(..start);
        }
    }

    /// The next step of the last node.
    #[inline]
    pub(crate) fn next(
        &mut self,
        product: &Product<'_>,
        walker: &mut Walker<'_>,
    ) -> Result<Option<Taken>, Why> {
        let Some(&Frame { node, .. }) = self.frames.last() else { return Ok(None) };
        if self.dropped == self.frames.len() {
            self.list(product, walker, node)?;
            self.dropped -= 1;
        }
        let end = self.listed.len() - TRAILER;
        let (letter, count) = (self.listed[end], self.listed[end + 1] as usize);
        let letter = (letter != NO_LETTER).then_some(letter as usize);
        let moves = product.moves(node, letter);
        let frame = self.frames.last_mut().expect("there is one");
        let (mut edge, mut by) = (frame.taken as usize, 0);
        if moves.len() != 1 {
            (edge, by) = (edge % count.max(1), edge / count.max(1));
        }
        if edge >= count || by >= moves.len() {
            return Ok(None);
        }
        frame.taken += 1;
        if self.order > 0 {
            edge = (edge + self.order as usize * (1 + node.index() % 7)) % count;
        }
        let at = end - count + edge;
        let moved = self.sets.get(at).map_or(0, |set| walker.participants(*set));
        let to = product.target(self.listed[at], moves[by]);
        Ok(Some(Taken { from: node, to, marks: moves[by].marks, moved }))
    }

    /// Where the steps of the last node lead, which was just entered.
    #[inline]
    pub(crate) fn targets(&self, product: &Product<'_>) -> impl Iterator<Item = Node> {
        let end = self.listed.len() - TRAILER;
        let (letter, count) = (self.listed[end], self.listed[end + 1] as usize);
        let letter = (letter != NO_LETTER).then_some(letter as usize);
        let moves = self.last().map_or(&[][..], |node| product.moves(node, letter)).iter();
        let targets = &self.listed[end - count..end];
        moves.flat_map(|by| targets.iter().map(|target| product.target(*target, *by)))
    }

    /// Goes back from the last node.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Node> {
        let frame = self.frames.pop()?;
        if self.dropped > self.frames.len() {
            self.dropped = self.frames.len();
            return Some(frame.node);
        }
        let start = self.listed.len() - TRAILER - self.listed[self.listed.len() - 1] as usize;
        self.listed.truncate(start);
        self.sets.truncate(start);
        Some(frame.node)
    }

    /// The nodes of the path.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        self.frames.iter().map(|frame| frame.node)
    }

    /// Empties it.
    pub(crate) fn clear(&mut self) {
        self.frames.clear();
        self.listed.clear();
        self.sets.clear();
        self.dropped = 0;
    }
}
