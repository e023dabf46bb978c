//! A packed form as a system: asks a back end, names the steps, follows unseen sequences,
//! and turns to who knows all rules when a state is given up.

use crate::claim::{ClaimMoves, Product};
use crate::commute::{Commute, Orders};
use crate::sequence::Sequences;
use crate::view::Views;
use crate::{Backend, Bail, Batch, Edge, Move, Packed, Scratch, Then};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;
use system::{
    Anatomy, Blank, Divided, Endless, Part, Patience, Rest, Step, Successors, System, Word, apart,
};

/// The memory of a larger answer is given back before the next one.
const ANSWER_BYTES_MAX: u64 = 1 << 20;

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
    /// Made when a search first asks for them.
    views: OnceCell<Option<Views>>,
}

impl<B: Backend, S: Slow> Driver<B, S> {
    /// `backend` executes `packed`; `slow` answers for the states it gives up.
    pub fn new(packed: Arc<Packed>, backend: B, slow: S) -> Self {
        debug_assert_eq!(packed.verify(), Ok(()), "a form that keeps what it promises");
        let work = RefCell::new(Work::new(&packed));
        Self { packed, backend, slow, work, views: OnceCell::new() }
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

    /// Asks who knows all rules, and remembers it: for a state that has errors is asked for again
    /// when they are reported.
    #[cold]
    fn ask_slow(&self, work: &mut Work, state: &[Word], patience: &mut dyn Patience) -> bool {
        work.given_up = None;
        if work.answer.bytes() > ANSWER_BYTES_MAX {
            work.answer = Successors::new(self.packed.width);
        }
        work.answer.clear();
        let lasted = self.slow.successors_within(state, &mut work.answer, patience);
        if !self.slow.notes_executed() {
            work.note_answer();
        }
        work.given_up = lasted.then(|| state.into());
        lasted
    }

    #[inline]
    fn views(&self) -> Option<&Views> {
        self.views.get_or_init(|| Views::new(&self.packed)).as_ref()
    }

    /// Which entries of the list of executed edges ([`Edge::mark`]) were executed by the
    /// back end so far. What `slow` executed is not among them.
    pub fn marks(&self) -> Vec<bool> {
        let work = self.work.borrow();
        let mut marks = vec![false; self.packed.marks];
        for ((_, edge), executed) in self.packed.edges().zip(&work.scratch.executed) {
            marks[edge.mark as usize] |= *executed != 0;
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
        if work.expand((&self.packed, &self.backend), None, state, out) == Ok(()) {
            return true;
        }
        work.bails += 1;
        out.clear();
        let lasted =
            work.given_up.as_deref() == Some(state) || self.ask_slow(work, state, patience);
        for (step, landing, words) in work.answer.iter() {
            out.push(step, words);
            out.land(landing);
        }
        lasted
    }

    fn notes_executed(&self) -> bool {
        true
    }

    /// A claim moves with every step: no two of the product commute.
    fn commutes(&self) -> bool {
        self.packed.claim.is_none()
    }

    fn divided(&self) -> Option<&dyn Divided> {
        let views = if self.packed.claim.is_none() { self.views() } else { None };
        views.map(|_| self as &dyn Divided)
    }

    /// What `slow` executed is among them only if it does not note it itself.
    fn noted(&self, mark: &mut dyn FnMut(u32, u32)) {
        let work = self.work.borrow();
        let executed = work.names.edges.iter().zip(&work.scratch.executed);
        let executed = executed.filter(|(_, executed)| **executed != 0);
        executed.for_each(|(edge, _)| mark(edge.step.agent, edge.step.edge));
    }

    fn rest(&self, state: &[Word]) -> Rest {
        self.slow.rest(state)
    }

    fn labelled(&self, state: &[Word]) -> bool {
        self.slow.labelled(state)
    }
}

impl<B: Backend, S: Slow> Divided for Driver<B, S> {
    fn agents(&self) -> usize {
        self.packed.agents.len()
    }

    fn home(&self, agent: usize) -> usize {
        self.packed.agents[agent].at.word as usize
    }

    fn view(&self, agent: usize, state: &[Word], look: &mut dyn FnMut(usize)) -> bool {
        let place = self.packed.agents[agent].at.get(state) as usize;
        self.views().is_some_and(|views| views.of(agent, place, look))
    }

    fn steps_of(&self, agent: usize, state: &[Word], out: &mut Successors) -> bool {
        let work = &mut *self.work.borrow_mut();
        if !out.is_named() {
            out.set_after(0);
        }
        work.expand((&self.packed, &self.backend), Some(agent), state, out) == Ok(())
    }

    fn left_out(&self, after: u32, row: &mut Vec<Word>) {
        let work = &mut *self.work.borrow_mut();
        let commute = work.commute.get_or_insert_with(|| Commute::new(&self.packed));
        commute.row_of_tags(after, row);
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

/// Everything that changes, apart from that of another thread.
#[repr(align(128))]
pub(crate) struct Work {
    width: usize,
    asks_timeout: bool,
    /// A claim that saw a timeout holds it for the whole step.
    holds_timeout: bool,
    /// The most moves of all agents together; room for them.
    most: usize,
    moves: Vec<Move>,
    pub(crate) names: Names,
    /// Made when a search first says how a state was discovered.
    commute: Option<Commute>,
    pub(crate) scratch: Scratch,
    sequences: Sequences,
    pub(crate) claim_moves: [ClaimMoves; 2],
    bails: u64,
    /// The state given up last, and the answer for it.
    given_up: Option<Box<[Word]>>,
    answer: Successors,
}

impl Work {
    fn new(packed: &Packed) -> Self {
        let most = (0..packed.movers()).map(|agent| packed.most(agent)).sum();
        Self {
            width: packed.width,
            asks_timeout: packed.asks_timeout,
            holds_timeout: packed.claim.is_some(),
            most,
            moves: apart(Move::default(), most),
            names: Names::new(packed),
            commute: None,
            scratch: Scratch::new(packed),
            sequences: Sequences::new(packed),
            claim_moves: [ClaimMoves::new(packed), ClaimMoves::new(packed)],
            bails: 0,
            given_up: None,
            answer: Successors::new(packed.width),
        }
    }

    fn expand(
        &mut self,
        (packed, backend): (&Packed, &impl Backend),
        agent: Option<usize>,
        state: &[Word],
        out: &mut Successors,
    ) -> Result<(), Bail> {
        if let Some(claim) = &packed.claim {
            return Product { packed, backend, claim }.steps(self, state, out);
        }
        self.scratch.timeout = false;
        let moved = self.ask((packed, backend), agent, state, out.after(), out)?;
        if !moved && self.asks_timeout && agent.is_none() {
            self.scratch.timeout = true;
            self.ask((packed, backend), None, state, None, out)?;
        }
        Ok(())
    }

    /// Appends what the system does in a state that was discovered by a step `after`; whether
    /// it can do anything, what is left out included.
    #[inline]
    pub(crate) fn ask(
        &mut self,
        (packed, backend): (&Packed, &impl Backend),
        agent: Option<usize>,
        state: &[Word],
        after: Option<u32>,
        out: &mut Successors,
    ) -> Result<bool, Bail> {
        let Self { names, moves, commute, scratch, sequences, .. } = self;
        let orders = match after {
            Some(tag) => commute.get_or_insert_with(|| Commute::new(packed)).orders(tag),
            None => Orders::default(),
        };
        // To where they will stand if none of them goes on.
        let (first, room) = (out.len(), out.room(self.most));
        let mut batch = Batch::new(self.width, moves, room).leaving_out(orders.left_out());
        match agent {
            Some(agent) => backend.ask(agent, state, scratch, &mut batch)?,
            None => backend.ask_all(state, scratch, &mut batch)?,
        }
        let (count, spared) = (batch.len(), batch.spared());
        out.leave_out(spared);
        let visible = match names.any_goes_on {
            true => moves[..count].iter().take_while(|by| !by.goes_on()).count(),
            false => count,
        };
        let step = |index: usize| names.step(moves[index], first + index);
        out.fill(visible, step, |index| orders.tag(moves[index].edge()));
        if visible < count {
            // The moves from one that goes on: they make room for what it leads to.
            scratch.timeout &= self.holds_timeout;
            sequences.start(&moves[visible..count], out.room(count - visible));
            sequences.run(backend, scratch, (names, orders), out)?;
        }
        Ok(count + spared > 0)
    }

    /// Notes the steps of who knows all rules.
    fn note_answer(&mut self) {
        let Self { names, scratch, answer, .. } = self;
        for step in answer.steps() {
            let same = |name: &Name| (name.step.agent, name.step.edge) == (step.agent, step.edge);
            if let Some(at) = names.edges.iter().position(same) {
                scratch.executed[at] = 1;
            }
        }
    }
}

/// What moves are called.
pub(crate) struct Names {
    edges: Vec<Name>,
    /// Edges of the claim in front of each step.
    pub(crate) prefix: u16,
    numbers_choices: bool,
    any_goes_on: bool,
}

struct Name {
    step: Step,
    /// The index of its agent.
    agent: u32,
}

impl Name {
    fn new(packed: &Packed, agent: usize, edge: &Edge) -> Self {
        let step = Step::new(packed.agents[agent].number, edge.number, edge.kind);
        Self { step, agent: agent as u32 }
    }
}

impl Names {
    fn new(packed: &Packed) -> Self {
        let edges = packed.edges().map(|(agent, edge)| Name::new(packed, agent, edge));
        let any_goes_on = packed.edges().any(|(_, edge)| edge.then == Then::GoesOn);
        Self { edges: edges.collect(), prefix: 0, numbers_choices: true, any_goes_on }
    }

    /// The index of the agent that goes on after this move, if it is to.
    #[inline]
    pub(crate) fn goes_on(&self, by: Move) -> Option<usize> {
        let last = by.taker().unwrap_or(by.edge()) as usize;
        by.goes_on().then(|| self.edges[last].agent as usize)
    }

    /// The step that begins with this move, the `index`-th of its state.
    #[inline]
    pub(crate) fn step(&self, by: Move, index: usize) -> Step {
        let choice = if self.numbers_choices { index as u32 } else { 0 };
        let weight = self.prefix + by.weight();
        Step { choice, weight, ..self.edges[by.edge() as usize].step }
    }
}
