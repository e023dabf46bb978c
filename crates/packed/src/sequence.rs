//! Unseen sequences: from one visible state to the next, depth first and in order, with
//! the stack made explicit: sequences are as long as the model likes.

use crate::commute::Orders;
use crate::driver::Names;
use crate::{Backend, Bail, Batch, Move, Packed, Scratch};
use system::{Successors, Word};

/// Moves a sequence may have. One that comes back to a state it was in never ends, so it
/// is given up here as well: SPIN's models stay far below, and a lookup of every unseen
/// state on the path would cost as much as its execution.
const LENGTH_MAX: usize = 1 << 14;

/// Edges all sequences of a state may have together, those that were followed included. There
/// may be more ways through them than anybody can wait for; the fallback also knows
/// whom to ask how long.
const EDGES_MAX: usize = 1 << 16;

/// All sequences that begin in a state.
pub(crate) struct Sequences {
    width: usize,
    /// The most moves of each agent.
    most: Vec<usize>,
    /// The moves of all levels and, at the same index, the states they lead to. Both are
    /// as long as they ever were: only what levels name counts.
    moves: Vec<Move>,
    words: Vec<Word>,
    levels: Vec<Level>,
    /// The edge by which the sequence at hand began.
    first: Move,
}

/// What can be done in one state on the path.
struct Level {
    /// The moves not followed yet.
    next: usize,
    end: usize,
    /// Edges executed up to here, and how many of them take an offer.
    weight: u16,
    takers: u8,
}

impl Sequences {
    pub(crate) fn new(packed: &Packed) -> Self {
        Self {
            width: packed.width,
            most: (0..packed.agents.len()).map(|agent| packed.most(agent)).collect(),
            moves: Vec::new(),
            words: Vec::new(),
            levels: Vec::new(),
            first: Move::default(),
        }
    }

    /// Begins with these moves, some of which go on, and the states they lead to.
    pub(crate) fn start(&mut self, moves: &[Move], words: &[Word]) {
        self.reserve(moves.len());
        self.moves[..moves.len()].copy_from_slice(moves);
        let length = moves.len() * self.width;
        self.words[..length].copy_from_slice(&words[..length]);
        self.levels.clear();
        self.levels.push(Level { next: 0, end: moves.len(), weight: 0, takers: 0 });
    }

    fn reserve(&mut self, count: usize) {
        if self.moves.len() < count {
            let count = count.max(2 * self.moves.len());
            self.moves.resize(count, Move::default());
            self.words.resize(count * self.width, 0);
        }
    }

    /// Appends all visible steps to `out`.
    pub(crate) fn run(
        &mut self,
        backend: &impl Backend,
        scratch: &mut Scratch,
        (names, orders): (&Names, Orders<'_>),
        out: &mut Successors,
    ) -> Result<(), Bail> {
        let mut executed = 0;
        while let Some(level) = self.levels.last_mut() {
            if level.next == level.end {
                self.levels.pop();
                continue;
            }
            let (index, end) = (level.next, level.end);
            let edges = self.moves[index].weight();
            let weight = level.weight.saturating_add(edges);
            let takes = u8::from(self.moves[index].taker().is_some());
            let takers = level.takers.saturating_add(takes);
            level.next += 1;
            executed += usize::from(edges);
            if executed > EDGES_MAX {
                return Err(Bail);
            }
            if self.levels.len() == 1 {
                self.first = self.moves[index];
            }
            let count = match names.goes_on(self.moves[index]) {
                Some(agent) => self.go_on(backend, scratch, agent, (index, end))?,
                None => 0,
            };
            match count {
                0 if orders.leave_out(self.first.edge()) => out.leave_out(1),
                0 => self.emit(index, (weight, takers), (names, orders), out),
                _ => self.levels.push(Level { next: end, end: end + count, weight, takers }),
            }
        }
        Ok(())
    }

    /// Puts the moves of `agent` in the state at `index` behind `end`; how many there are.
    fn go_on(
        &mut self,
        backend: &impl Backend,
        scratch: &mut Scratch,
        agent: usize,
        (index, end): (usize, usize),
    ) -> Result<usize, Bail> {
        if self.levels.len() >= LENGTH_MAX {
            return Err(Bail);
        }
        self.reserve(end + self.most[agent]);
        let (before, behind) = self.words.split_at_mut(end * self.width);
        let state = &before[index * self.width..][..self.width];
        let mut batch = Batch::new(self.width, &mut self.moves[end..], behind);
        backend.ask(agent, state, scratch, &mut batch)?;
        Ok(batch.len())
    }

    fn emit(
        &mut self,
        index: usize,
        (weight, takers): (u16, u8),
        (names, orders): (&Names, Orders<'_>),
        out: &mut Successors,
    ) {
        let step = names.step(self.first, out.len());
        let state = &self.words[index * self.width..][..self.width];
        let weight = weight.saturating_add(names.prefix);
        out.push(system::Step { weight, takers, ..step }, state);
        out.tag_last(orders.tag(self.first.edge()));
    }
}
