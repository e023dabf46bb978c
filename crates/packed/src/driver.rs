//! A packed form as a system: asks a back end, names the steps, follows unseen sequences,
//! and falls back to the reference interpreter where a state is given up.

use crate::claim::{ClaimMoves, Product};
use crate::commute::{Commute, Orders};
use crate::independence::Independent;
use crate::read_set::ReadSets;
use crate::sequence::Sequences;
use crate::{AccessTable, Backend, Bail, Batch, Edge, Expr, Move, Packed, Scratch, Then};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;
use system::{
    Agents, Blocked, Budget, Candidates, Dependency, Distances, EdgeCoverage, Independence,
    Letters, LoopHeads, Participants, Parts, PersistentSets, Processes, Step, Successors, Symmetry,
    System, Transition, Word, apart,
};

/// The memory of a larger answer is given back before the next one.
const ANSWER_BYTES_MAX: u64 = 1 << 20;

/// The reference interpreter, on the same words.
pub trait Fallback {
    /// As [`System::successors`].
    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool;

    /// As [`System::blocked`].
    fn blocked(&self, state: &[Word]) -> Blocked;

    /// As [`System::loop_heads`].
    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        None
    }

    /// As [`System::distances`].
    fn distances(&self) -> Option<&dyn Distances> {
        None
    }

    /// As [`System::parts`].
    fn parts(&self) -> Option<&dyn Parts> {
        None
    }

    /// As [`System::letters`].
    fn letters(&self) -> Option<&dyn Letters> {
        None
    }

    /// As [`System::participants`]; of transitions the driver itself knows more.
    fn participants(&self) -> Option<&dyn Participants> {
        None
    }

    /// As [`System::symmetry`].
    fn symmetry(&self) -> Option<&dyn Symmetry> {
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
    fallback: S,
    work: RefCell<Work>,
    /// Made when a search first asks for them.
    read_sets: OnceCell<Option<ReadSets>>,
    /// If the accesses of edges are known.
    independent: Option<RefCell<Independent>>,
}

impl<B: Backend, S: Fallback> Driver<B, S> {
    /// `backend` executes `packed`; `fallback` answers for the states it gives up.
    pub fn new(packed: Arc<Packed>, backend: B, fallback: S) -> Self {
        debug_assert_eq!(packed.verify(), Ok(()), "a form that keeps what it promises");
        let work = RefCell::new(Work::new(&packed));
        Self { packed, backend, fallback, work, read_sets: OnceCell::new(), independent: None }
    }

    /// Agent and edge alone name a step: its choice stays 0.
    pub fn without_choices(mut self) -> Self {
        self.work.get_mut().names.numbers_choices = false;
        self
    }

    /// With what its edges access, and which of them depend on each other.
    pub fn with_accesses(mut self, table: &AccessTable, dependency: Dependency) -> Self {
        let independent = Independent::new(&self.packed, table, dependency);
        self.independent = Some(RefCell::new(independent));
        self
    }

    /// With propositions that are evaluated in its states, for ample sets: if the accesses of edges are
    /// known, an ample set changes none of them.
    pub fn observed(mut self, propositions: &[Expr]) -> Self {
        if let Some(independent) = &mut self.independent {
            independent.get_mut().observe(propositions);
        }
        self
    }

    /// Who answers for the states that are given up.
    pub fn fallback(&self) -> &S {
        &self.fallback
    }

    /// Asks the reference interpreter, and remembers it: for a state that has errors is asked for again
    /// when they are reported.
    #[cold]
    fn ask_fallback(&self, work: &mut Work, state: &[Word], budget: &mut dyn Budget) -> bool {
        work.given_up = None;
        if work.answer.bytes() > ANSWER_BYTES_MAX {
            work.answer = Successors::new(self.packed.width);
        }
        work.answer.clear();
        let lasted = self.fallback.successors(state, &mut work.answer, budget);
        if !self.fallback.records_edges() {
            work.note_answer();
        }
        work.given_up = lasted.then(|| state.into());
        lasted
    }

    #[cold]
    fn name_transitions(&self, state: &[Word], timeout: Option<bool>, out: &mut Successors) {
        let Some(independent) = &self.independent else { return Independent::name_unknown(out) };
        let mut independent = independent.borrow_mut();
        let timeout = timeout.unwrap_or_else(|| independent.is_timeout(state));
        independent.name(state, timeout, out);
    }

    #[inline]
    fn read_sets(&self) -> Option<&ReadSets> {
        self.read_sets.get_or_init(|| ReadSets::new(&self.packed)).as_ref()
    }

    /// Of the processes that take part in a transition those that do more than take the offer of
    /// another; `None` if nothing is known of it.
    pub fn movers(&self, transition: Transition) -> Option<Processes> {
        self.independent.as_ref()?.borrow().movers(transition)
    }

    /// Which entries of the list of executed edges ([`Edge::mark`]) were executed by the
    /// back end so far. What `fallback` executed is not among them.
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

impl<B: Backend, S: Fallback> System for Driver<B, S> {
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
            if out.has_transitions() || out.has_last_statements() {
                self.name_transitions(state, Some(work.timed_out), out);
            }
            return true;
        }
        work.bails += 1;
        out.clear();
        let lasted =
            work.given_up.as_deref() == Some(state) || self.ask_fallback(work, state, budget);
        for (step, outcome, words) in work.answer.iter() {
            out.push(step, words);
            out.set_outcome(outcome);
        }
        if out.has_transitions() || out.has_last_statements() {
            self.name_transitions(state, None, out);
        }
        lasted
    }

    fn edge_coverage(&self) -> Option<&dyn EdgeCoverage> {
        Some(self)
    }

    /// A claim moves with every step: no two of the product commute.
    fn has_first_step_sleep(&self) -> bool {
        self.packed.claim.is_none()
    }

    /// A step of the product is one of the claim, too.
    fn has_sequences(&self) -> bool {
        let goes_on = |edge: &Edge| edge.then == Then::GoesOn;
        self.packed.claim.is_some() || self.packed.edges().any(|(_, edge)| goes_on(edge))
    }

    fn agents(&self) -> Option<&dyn Agents> {
        let read_sets = if self.packed.claim.is_none() { self.read_sets() } else { None };
        read_sets.map(|_| self as &dyn Agents)
    }

    fn independence(&self) -> Option<&dyn Independence> {
        self.independent.as_ref().map(|_| self as &dyn Independence)
    }

    fn persistent_sets(&self) -> Option<&dyn PersistentSets> {
        self.agents()?;
        self.independent.as_ref().map(|_| self as &dyn PersistentSets)
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.fallback.blocked(state)
    }

    fn parts(&self) -> Option<&dyn Parts> {
        self.fallback.parts()
    }

    fn letters(&self) -> Option<&dyn Letters> {
        self.fallback.letters()
    }

    fn participants(&self) -> Option<&dyn Participants> {
        self.fallback.participants().map(|_| self as &dyn Participants)
    }

    fn symmetry(&self) -> Option<&dyn Symmetry> {
        self.fallback.symmetry()
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        self.fallback.loop_heads()
    }

    fn distances(&self) -> Option<&dyn Distances> {
        self.fallback.distances()
    }
}

impl<B: Backend, S: Fallback> Participants for Driver<B, S> {
    fn move_alone(&self) -> bool {
        let offers = |edge: &Edge| matches!(edge.then, Then::Offered(_));
        self.packed.claim.is_none() && !self.packed.edges().any(|(_, edge)| offers(edge))
    }

    /// By the numbers of their agents; `None` also if one is too large for a set.
    fn of_transition(&self, transition: Transition) -> Option<Processes> {
        self.independent.as_ref()?.borrow().participants(transition)
    }

    fn of_steps(&self, state: &[Word]) -> Option<Vec<Processes>> {
        self.fallback.participants()?.of_steps(state)
    }
}

impl<B: Backend, S: Fallback> Independence for Driver<B, S> {
    fn dependent(&self, one: Transition, other: Transition) -> bool {
        let independent = self.independent.as_ref();
        independent.is_none_or(|independent| independent.borrow_mut().dependent(one, other))
    }

    fn weight(&self, transition: Transition) -> u16 {
        let independent = self.independent.as_ref();
        independent.map_or(1, |independent| independent.borrow().weight(transition))
    }

    fn ample(&self, state: &[Word], batch: &Successors, found: &mut Candidates) {
        if let Some(independent) = &self.independent {
            independent.borrow_mut().ample(state, batch, found);
        }
    }
}

impl<B: Backend, S: Fallback> PersistentSets for Driver<B, S> {
    fn present(&self, agent: usize, state: &[Word]) -> u16 {
        let independent = self.independent.as_ref();
        independent.map_or(0, |independent| independent.borrow_mut().present(agent, state))
    }

    fn presents(&self) -> u16 {
        let independent = self.independent.as_ref();
        independent.map_or(0, |independent| independent.borrow().presents())
    }

    fn future(&self, agent: usize, state: &[Word], row: &mut Vec<Word>) -> usize {
        let independent = self.independent.as_ref();
        independent.map_or(0, |independent| independent.borrow_mut().future(agent, state, row))
    }
}

impl<B: Backend, S: Fallback> EdgeCoverage for Driver<B, S> {
    /// What `fallback` executed is among them only if it does not record it itself.
    fn executed(&self, mark: &mut dyn FnMut(u32, u32)) {
        let work = self.work.borrow();
        let executed = work.names.edges.iter().zip(&work.scratch.executed);
        let executed = executed.filter(|(_, executed)| **executed != 0);
        executed.for_each(|(edge, _)| mark(edge.step.agent, edge.step.edge));
    }
}

impl<B: Backend, S: Fallback> Agents for Driver<B, S> {
    fn count(&self) -> usize {
        self.packed.agents.len()
    }

    fn location_word(&self, agent: usize) -> usize {
        self.packed.agents[agent].at.word as usize
    }

    fn read_set(&self, agent: usize, state: &[Word], look: &mut dyn FnMut(usize)) -> bool {
        let place = self.packed.agents[agent].at.get(state) as usize;
        self.read_sets().is_some_and(|sets| sets.of(agent, place, look))
    }

    fn steps_of(&self, agent: usize, state: &[Word], out: &mut Successors) -> bool {
        let work = &mut *self.work.borrow_mut();
        if !out.is_named() {
            out.set_after(0);
        }
        let listed = work.expand((&self.packed, &self.backend), Some(agent), state, out) == Ok(());
        if listed && out.has_transitions() {
            self.name_transitions(state, Some(false), out);
        }
        listed
    }

    fn first_step_sleep_set(&self, after: u32, row: &mut Vec<Word>) {
        let work = &mut *self.work.borrow_mut();
        let commute = work.commute.get_or_insert_with(|| Commute::new(&self.packed));
        commute.row_of_tags(after, row);
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
    /// The steps of the last state are possible only because nothing else is.
    timed_out: bool,
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
            timed_out: false,
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
        (self.scratch.timeout, self.timed_out) = (false, false);
        let moved = self.ask((packed, backend), agent, state, out.after(), out)?;
        if !moved && self.asks_timeout && agent.is_none() {
            (self.scratch.timeout, self.timed_out) = (true, true);
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

    /// Notes the steps of the reference interpreter.
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
        let (weight, takers) = (self.prefix + by.weight(), u8::from(by.taker().is_some()));
        Step { choice, weight, takers, ..self.edges[by.edge() as usize].step }
    }
}
