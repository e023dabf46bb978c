//! A packed form as a system: asks a back end, names the steps, follows unseen sequences,
//! and turns to who knows all rules when a state is given up.

use crate::commute::{Commute, Orders};
use crate::sequence::Sequences;
use crate::{Backend, Bail, Batch, Edge, Move, Packed, Scratch, Then};
use std::cell::RefCell;
use std::sync::Arc;
use system::{Anatomy, Blank, Endless, Part, Patience, Rest, Step, Successors, System, Word};

/// Who knows all rules, on the same words.
pub trait Slow {
    /// As [`System::successors_within`].
    fn successors_within(
        &self,
        state: &[Word],
        out: &mut Successors,
        patience: &mut dyn Patience,
    ) -> bool;

    /// As [`System::rest`].
    fn rest(&self, state: &[Word]) -> Rest;

    /// As [`System::labelled`].
    fn labelled(&self, state: &[Word]) -> bool;

    /// As [`System::notes_executed`].
    fn notes_executed(&self) -> bool {
        false
    }
}

/// The system. One per thread; the back end may be shared.
pub struct Driver<B, S> {
    packed: Arc<Packed>,
    backend: B,
    slow: S,
    work: RefCell<Work>,
}

impl<B: Backend, S: Slow> Driver<B, S> {
    /// `backend` executes `packed`; `slow` answers for the states it gives up.
    pub fn new(packed: Arc<Packed>, backend: B, slow: S) -> Self {
        debug_assert_eq!(packed.verify(), Ok(()), "a form that keeps what it promises");
        let work = RefCell::new(Work::new(&packed));
        Self { packed, backend, slow, work }
    }

    /// Agent and edge alone name a step: its choice stays 0.
    pub fn without_choices(mut self) -> Self {
        self.work.get_mut().names.numbers_choices = false;
        self
    }

    /// Who answers for the states that are given up.
    pub fn slow(&self) -> &S {
        &self.slow
    }

    /// Which entries of the list of executed edges ([`Edge::mark`]) were executed by the
    /// back end so far. What `slow` executed is not among them.
    pub fn marks(&self) -> Vec<bool> {
        let names = &self.work.borrow().names;
        let mut marks = vec![false; self.packed.marks];
        for ((_, edge), executed) in self.packed.edges().zip(&names.executed) {
            marks[edge.mark as usize] |= executed;
        }
        marks
    }

    /// How many states were given up so far.
    pub fn bails(&self) -> u64 {
        self.work.borrow().bails
    }
}

impl<B: Backend, S: Slow> System for Driver<B, S> {
    fn width(&self) -> usize {
        self.packed.width
    }

    fn telling(&self) -> usize {
        self.packed.telling
    }

    fn initial(&self, words: &mut [Word]) {
        words.copy_from_slice(&self.packed.initial);
    }

    fn successors(&self, state: &[Word], out: &mut Successors) {
        self.successors_within(state, out, &mut Endless);
    }

    /// The back end is quick, or gives up: it need not ask.
    #[inline]
    fn successors_within(
        &self,
        state: &[Word],
        out: &mut Successors,
        patience: &mut dyn Patience,
    ) -> bool {
        let work = &mut *self.work.borrow_mut();
        if work.expand((&self.packed, &self.backend), state, out) == Ok(()) {
            return true;
        }
        work.bails += 1;
        out.clear();
        if out.is_named() || self.slow.notes_executed() {
            let lasted = self.slow.successors_within(state, out, patience);
            if out.is_named() && !self.slow.notes_executed() {
                out.steps().for_each(|step| work.names.execute_named(step));
            }
            return lasted;
        }
        let mut named = Successors::new(self.packed.width);
        let lasted = self.slow.successors_within(state, &mut named, patience);
        for (step, landing, words) in named.iter() {
            work.names.execute_named(step);
            out.push(step, words);
            out.land(landing);
        }
        lasted
    }

    fn notes_executed(&self) -> bool {
        true
    }

    fn commutes(&self) -> bool {
        true
    }

    /// What `slow` executed is among them only if it does not note it itself.
    fn noted(&self, mark: &mut dyn FnMut(u32, u32)) {
        let names = &self.work.borrow().names;
        let executed = names.edges.iter().zip(&names.executed).filter(|(_, executed)| **executed);
        executed.for_each(|(edge, _)| mark(edge.step.agent, edge.step.edge));
    }

    fn rest(&self, state: &[Word]) -> Rest {
        self.slow.rest(state)
    }

    fn labelled(&self, state: &[Word]) -> bool {
        self.slow.labelled(state)
    }
}

/// What knows all rules knows the parts of a state as well.
impl<B: Backend, S: Slow + Anatomy> Anatomy for Driver<B, S> {
    fn is_inward(&self, state: &[Word], agent: u32) -> bool {
        self.slow.is_inward(state, agent)
    }

    fn is_crowded(&self, state: &[Word], most: usize) -> bool {
        self.slow.is_crowded(state, most)
    }

    fn blank(&self, part: &Part) -> Option<Blank<'_>> {
        self.slow.blank(part)
    }
}

/// Everything that changes.
struct Work {
    width: usize,
    asks_timeout: bool,
    /// The most moves of all agents together; room for them.
    most: usize,
    moves: Vec<Move>,
    names: Names,
    /// Made when a search first says how a state was discovered.
    commute: Option<Commute>,
    scratch: Scratch,
    sequences: Sequences,
    bails: u64,
}

impl Work {
    fn new(packed: &Packed) -> Self {
        let most = (0..packed.agents.len()).map(|agent| packed.most(agent)).sum();
        Self {
            width: packed.width,
            asks_timeout: packed.asks_timeout,
            most,
            moves: vec![Move::default(); most],
            names: Names::new(packed),
            commute: None,
            scratch: Scratch::new(packed),
            sequences: Sequences::new(packed),
            bails: 0,
        }
    }

    fn expand(
        &mut self,
        (packed, backend): (&Packed, &impl Backend),
        state: &[Word],
        out: &mut Successors,
    ) -> Result<(), Bail> {
        self.scratch.timeout = false;
        let mut count = self.ask(backend, state, out)?;
        if count == 0 && self.asks_timeout {
            self.scratch.timeout = true;
            count = self.ask(backend, state, out)?;
        }
        let orders = match out.after().filter(|_| !self.scratch.timeout) {
            Some(tag) => self.commute.get_or_insert_with(|| Commute::new(packed)).orders(tag),
            None => Orders::default(),
        };
        let names = &mut self.names;
        let visible = match names.any_goes_on {
            true => {
                self.moves[..count].iter().take_while(|by| names.goes_on(**by).is_none()).count()
            }
            false => count,
        };
        let kept = leave_out(orders, &mut self.moves[..visible], self.width, out);
        let moves = &self.moves[..kept];
        moves.iter().for_each(|by| names.execute(*by));
        let step = |index: usize| names.step(moves[index], index);
        out.fill(kept, step, |index| orders.tag(moves[index].edge()));
        if visible == count {
            return Ok(());
        }
        // The moves from one that goes on: they make room for what it leads to.
        self.scratch.timeout = false;
        let words = &out.room(count - kept)[(visible - kept) * self.width..];
        self.sequences.start(&self.moves[visible..count], words);
        self.sequences.run(backend, &mut self.scratch, (names, orders), out)
    }

    /// Writes all moves to where they will stand if none of them goes on.
    fn ask(
        &mut self,
        backend: &impl Backend,
        state: &[Word],
        out: &mut Successors,
    ) -> Result<usize, Bail> {
        let mut batch = Batch::new(self.width, &mut self.moves, out.room(self.most));
        backend.ask_all(state, &mut self.scratch, &mut batch)?;
        Ok(batch.len())
    }
}

/// Moves the moves that count, and the states they lead to, to the front; how many.
#[inline]
fn leave_out(orders: Orders<'_>, moves: &mut [Move], width: usize, out: &mut Successors) -> usize {
    if orders.keep_all() {
        return moves.len();
    }
    let words = out.room(moves.len());
    let mut kept = 0;
    for index in 0..moves.len() {
        if orders.leave_out(moves[index].edge()) {
            continue;
        }
        if kept < index {
            moves[kept] = moves[index];
            // Word by word, in line: states are short and a call of `memcpy` is not.
            (0..width).for_each(|word| words[kept * width + word] = words[index * width + word]);
        }
        kept += 1;
    }
    out.leave_out(moves.len() - kept);
    kept
}

/// What moves are called, and which edges were executed.
pub(crate) struct Names {
    edges: Vec<Name>,
    executed: Vec<bool>,
    numbers_choices: bool,
    any_goes_on: bool,
}

struct Name {
    step: Step,
    /// The index of its agent.
    agent: u32,
    goes_on: bool,
}

impl Name {
    fn new(packed: &Packed, agent: usize, edge: &Edge) -> Self {
        let step = Step::new(packed.agents[agent].number, edge.number, edge.kind);
        Self { step, agent: agent as u32, goes_on: edge.then == Then::GoesOn }
    }
}

impl Names {
    fn new(packed: &Packed) -> Self {
        let edges = packed.edges().map(|(agent, edge)| Name::new(packed, agent, edge));
        let edges: Vec<Name> = edges.collect();
        Self {
            executed: vec![false; edges.len()],
            numbers_choices: true,
            any_goes_on: edges.iter().any(|edge| edge.goes_on),
            edges,
        }
    }

    /// The index of the agent that goes on after this move, if it is to.
    #[inline]
    pub(crate) fn goes_on(&self, by: Move) -> Option<usize> {
        let last = &self.edges[by.taker().unwrap_or(by.edge()) as usize];
        last.goes_on.then_some(last.agent as usize)
    }

    /// The step that begins with this move, the `index`-th of its state.
    #[inline]
    pub(crate) fn step(&self, by: Move, index: usize) -> Step {
        let weight = Self::weight(by);
        let choice = if self.numbers_choices { index as u32 } else { 0 };
        Step { choice, weight, ..self.edges[by.edge() as usize].step }
    }

    /// How many edges move.
    #[inline]
    pub(crate) fn weight(by: Move) -> u16 {
        1 + u16::from(by.taker().is_some())
    }

    /// Notes that it was executed.
    #[inline]
    pub(crate) fn execute(&mut self, by: Move) {
        self.executed[by.edge() as usize] = true;
        if let Some(taker) = by.taker() {
            self.executed[taker as usize] = true;
        }
    }

    /// Notes a step of who knows all rules.
    fn execute_named(&mut self, step: Step) {
        let same = |name: &Name| (name.step.agent, name.step.edge) == (step.agent, step.edge);
        if let Some(at) = self.edges.iter().position(same) {
            self.executed[at] = true;
        }
    }
}
