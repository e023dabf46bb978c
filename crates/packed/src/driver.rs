//! A packed form as a system: asks a back end, names the steps, follows unseen sequences,
//! and turns to who knows all rules when a state is given up.

use crate::commute::{Commute, Orders};
use crate::sequence::Sequences;
use crate::view::Views;
use crate::{Backend, Bail, Batch, Edge, Move, Packed, Scratch, Then};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;
use system::{
    Agents, Blocked, Budget, EdgeCoverage, LoopHeads, Parts, Step, Successors, System, Word, apart,
};

/// The memory of a larger answer is given back before the next one.
const ANSWER_BYTES_MAX: u64 = 1 << 20;

/// Who knows all rules, on the same words.
pub trait Slow {
    /// As [`System::successors`].
    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool;

    /// As [`System::rest`].
    fn blocked(&self, state: &[Word]) -> Blocked;

    /// As [`System::loop_heads`].
    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        None
    }

    /// As [`System::parts`].
    fn parts(&self) -> Option<&dyn Parts> {
        None
    }

    /// Whether it records the edges it executes itself.
    fn records_edges(&self) -> bool {
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
    fn ask_slow(&self, work: &mut Work, state: &[Word], budget: &mut dyn Budget) -> bool {
        work.given_up = None;
        if work.answer.bytes() > ANSWER_BYTES_MAX {
            work.answer = Successors::new(self.packed.width);
        }
        work.answer.clear();
        let lasted = self.slow.successors(state, &mut work.answer, budget);
        if !self.slow.records_edges() {
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

    fn identity_words(&self) -> usize {
        self.packed.telling
    }

    fn initial(&self, words: &mut [Word]) {
        words.copy_from_slice(&self.packed.initial);
    }

    /// The back end is quick, or gives up: it need not ask.
    #[inline]
    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        let work = &mut *self.work.borrow_mut();
        if work.expand((&self.packed, &self.backend), None, state, out) == Ok(()) {
            return true;
        }
        work.bails += 1;
        out.clear();
        let lasted = work.given_up.as_deref() == Some(state) || self.ask_slow(work, state, budget);
        for (step, outcome, words) in work.answer.iter() {
            out.push(step, words);
            out.set_outcome(outcome);
        }
        lasted
    }

    fn edge_coverage(&self) -> Option<&dyn EdgeCoverage> {
        Some(self)
    }

    fn has_first_step_sleep(&self) -> bool {
        true
    }

    fn agents(&self) -> Option<&dyn Agents> {
        self.views().map(|_| self as &dyn Agents)
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.slow.blocked(state)
    }

    fn parts(&self) -> Option<&dyn Parts> {
        self.slow.parts()
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        self.slow.loop_heads()
    }
}

impl<B: Backend, S: Slow> EdgeCoverage for Driver<B, S> {
    /// What `slow` executed is among them only if it does not record it itself.
    fn executed(&self, mark: &mut dyn FnMut(u32, u32)) {
        let work = self.work.borrow();
        let executed = work.names.edges.iter().zip(&work.scratch.executed);
        let executed = executed.filter(|(_, executed)| **executed != 0);
        executed.for_each(|(edge, _)| mark(edge.step.agent, edge.step.edge));
    }
}

impl<B: Backend, S: Slow> Agents for Driver<B, S> {
    fn count(&self) -> usize {
        self.packed.agents.len()
    }

    fn location_word(&self, agent: usize) -> usize {
        self.packed.agents[agent].at.word as usize
    }

    fn read_set(&self, agent: usize, state: &[Word], look: &mut dyn FnMut(usize)) -> bool {
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

    fn first_step_sleep_set(&self, after: u32, row: &mut Vec<Word>) {
        let work = &mut *self.work.borrow_mut();
        let commute = work.commute.get_or_insert_with(|| Commute::new(&self.packed));
        commute.row_of_tags(after, row);
    }
}

/// Everything that changes, apart from that of another thread.
#[repr(align(128))]
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
    /// The state given up last, and the answer for it.
    given_up: Option<Box<[Word]>>,
    answer: Successors,
}

impl Work {
    fn new(packed: &Packed) -> Self {
        let most = (0..packed.agents.len()).map(|agent| packed.most(agent)).sum();
        Self {
            width: packed.width,
            asks_timeout: packed.asks_timeout,
            most,
            moves: apart(Move::default(), most),
            names: Names::new(packed),
            commute: None,
            scratch: Scratch::new(packed),
            sequences: Sequences::new(packed),
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
        let Self { names, moves, commute, scratch, sequences, .. } = self;
        let mut orders = match out.after() {
            Some(tag) => commute.get_or_insert_with(|| Commute::new(packed)).orders(tag),
            None => Orders::default(),
        };
        scratch.timeout = false;
        let mut ask = |scratch: &mut Scratch, orders: Orders<'_>| {
            // To where they will stand if none of them goes on.
            let room = out.room(self.most);
            let mut batch = Batch::new(self.width, moves, room).leaving_out(orders.left_out());
            match agent {
                Some(agent) => backend.ask(agent, state, scratch, &mut batch)?,
                None => backend.ask_all(state, scratch, &mut batch)?,
            }
            Ok((batch.len(), batch.spared()))
        };
        let mut asked = ask(scratch, orders)?;
        if asked == (0, 0) && self.asks_timeout && agent.is_none() {
            (orders, scratch.timeout) = (Orders::default(), true);
            asked = ask(scratch, orders)?;
        }
        let (count, spared) = asked;
        out.leave_out(spared);
        let visible = match names.any_goes_on {
            true => moves[..count].iter().take_while(|by| !by.goes_on()).count(),
            false => count,
        };
        let step = |index: usize| names.step(moves[index], index);
        out.fill(visible, step, |index| orders.tag(moves[index].edge()));
        if visible == count {
            return Ok(());
        }
        // The moves from one that goes on: they make room for what it leads to.
        scratch.timeout = false;
        sequences.start(&moves[visible..count], out.room(count - visible));
        sequences.run(backend, scratch, (names, orders), out)
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
        Self { edges: edges.collect(), numbers_choices: true, any_goes_on }
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
        Step { choice, weight: by.weight(), ..self.edges[by.edge() as usize].step }
    }
}
