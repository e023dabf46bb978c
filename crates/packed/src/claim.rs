//! The synchronous product with a never claim (Holzmann 1997, "The model checker SPIN",
//! section 2.2). The claim moves first, then the system; if the system cannot, it stands
//! still, and the claim goes on alone.
//!
//! Only what goes well is here. A claim that reaches its end is a violation and bails, as do
//! its atomic sequences.

use crate::driver::Work;
use crate::{Backend, Bail, Batch, Field, Move, Packed, Scratch};
use system::{Step, Successors, Word, apart};

/// The last agent of a form is a never claim.
#[derive(Clone, PartialEq, Debug)]
pub struct Claim {
    /// Says that the system stands still and the next move is the claim's alone. With it the
    /// product is that of SPIN's verifier, which lets the claim move twice before it looks
    /// whether it knows the state, and once from then on.
    pub stutters: Option<Field>,
    /// Some claim of the model reads [`Expr::Timeout`](crate::Expr::Timeout).
    pub asks_timeout: bool,
}

/// The moves of the claim in a state and the states they lead to.
#[derive(Default)]
pub(crate) struct ClaimMoves {
    moves: Vec<Move>,
    words: Vec<Word>,
    len: usize,
}

impl ClaimMoves {
    /// Room for all moves of the claim, if there is one.
    pub(crate) fn new(packed: &Packed) -> Self {
        let most = packed.claim.as_ref().map_or(0, |_| packed.most(packed.movers()));
        let (moves, words) = (apart(Move::default(), most), apart(0, most * packed.width));
        Self { moves, words, len: 0 }
    }

    fn state(&self, index: usize, width: usize) -> &[Word] {
        &self.words[index * width..][..width]
    }
}

/// A form with a claim, and who executes it.
pub(crate) struct Product<'a, B> {
    pub(crate) packed: &'a Packed,
    pub(crate) backend: &'a B,
    pub(crate) claim: &'a Claim,
}

impl<B: Backend> Product<'_, B> {
    /// Appends every step of the product.
    pub(crate) fn steps(
        &self,
        work: &mut Work,
        state: &[Word],
        out: &mut Successors,
    ) -> Result<(), Bail> {
        // Out of the work, so that both can be changed; no allocation.
        let [mut first, mut second] = std::mem::take(&mut work.claim_moves);
        let done = self.steps_with((&mut first, &mut second), work, state, out);
        work.claim_moves = [first, second];
        done
    }

    fn steps_with(
        &self,
        (first, second): (&mut ClaimMoves, &mut ClaimMoves),
        work: &mut Work,
        state: &[Word],
        out: &mut Successors,
    ) -> Result<(), Bail> {
        if self.claim.stutters.is_some_and(|stutters| stutters.get(state) != 0) {
            self.ask_claim(state, self.packed.asks_timeout, &mut work.scratch, first)?;
            (0..first.len).for_each(|i| self.go_alone(work, (first.moves[i], 0), first, i, out));
            return Ok(());
        }
        self.ask_claim(state, false, &mut work.scratch, first)?;
        for i in 0..first.len {
            self.join(work, first, i, false, out)?;
        }
        if !out.is_empty() {
            return Ok(());
        }
        let timeout = self.is_timeout(work, state, first.len == 0, out)?;
        self.ask_claim(state, timeout, &mut work.scratch, first)?;
        for i in 0..first.len {
            let before = out.len();
            self.join(work, first, i, timeout, out)?;
            if out.len() > before {
                continue;
            }
            if self.claim.stutters.is_none() {
                self.go_alone(work, (first.moves[i], 0), first, i, out);
                continue;
            }
            let after = first.state(i, self.packed.width);
            self.ask_claim(after, timeout, &mut work.scratch, second)?;
            let by = (first.moves[i], first.moves[i].weight());
            (0..second.len).for_each(|i| self.go_alone(work, by, second, i, out));
        }
        Ok(())
    }

    /// Lists the moves of the claim.
    fn ask_claim(
        &self,
        state: &[Word],
        timeout: bool,
        scratch: &mut Scratch,
        found: &mut ClaimMoves,
    ) -> Result<(), Bail> {
        scratch.timeout = timeout;
        let mut batch = Batch::new(self.packed.width, &mut found.moves, &mut found.words);
        self.backend.ask(self.packed.movers(), state, scratch, &mut batch)?;
        found.len = batch.len();
        Ok(())
    }

    /// Appends a move of the claim followed by each step of the system.
    fn join(
        &self,
        work: &mut Work,
        first: &ClaimMoves,
        index: usize,
        timeout: bool,
        out: &mut Successors,
    ) -> Result<(), Bail> {
        work.scratch.timeout = timeout;
        work.names.prefix = first.moves[index].weight();
        let state = first.state(index, self.packed.width);
        work.ask((self.packed, self.backend), None, state, None, out).map(|_| ())
    }

    /// Appends a move of the claim while the system stands still; `by` is the move that names
    /// the step, with the weight of what came before.
    fn go_alone(
        &self,
        work: &Work,
        (by, before): (Move, u16),
        moves: &ClaimMoves,
        index: usize,
        out: &mut Successors,
    ) {
        let weight = before + moves.moves[index].weight();
        let step = Step { weight, ..work.names.step(by, out.len()) };
        let words = out.push(step, moves.state(index, self.packed.width));
        self.claim.stutters.into_iter().for_each(|stutters| stutters.set(words, 1));
    }

    /// Whether it is time for a timeout, after no move of the claim led to one of the system:
    /// if the system cannot move. The claim may have been in its way; SPIN then thinks of
    /// timeouts only if both sides mention them, and of none at all that only the claim
    /// mentions.
    fn is_timeout(
        &self,
        work: &mut Work,
        state: &[Word],
        claim_blocks: bool,
        out: &mut Successors,
    ) -> Result<bool, Bail> {
        let asked = self.claim.asks_timeout;
        if self.claim.stutters.is_some() {
            return Ok(self.packed.asks_timeout && (!claim_blocks || asked));
        }
        Ok(!claim_blocks || asked && !self.system_moves(work, state, out)?)
    }

    /// Whether the system could move if the claim let it; no step comes of it.
    fn system_moves(
        &self,
        work: &mut Work,
        state: &[Word],
        out: &mut Successors,
    ) -> Result<bool, Bail> {
        let executed = work.scratch.executed.clone();
        work.scratch.timeout = false;
        let moved = work.ask((self.packed, self.backend), None, state, None, out)?;
        work.scratch.executed = executed;
        out.clear();
        Ok(moved)
    }
}
