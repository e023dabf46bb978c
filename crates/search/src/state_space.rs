//! The state space of a system: every state that can be reached, each with a number and the
//! letter of its atomic propositions. What a run does for ever cannot be seen from one state at a
//! time, so searches for cycles walk through the space, as often as there are properties.
//!
//! The states are those that an ordinary unordered search left in its store, by one thread or
//! several; nothing else is kept of them but a letter. Edges are made anew by whoever walks
//! ([`Walker`]), from the same transition caches that made them before, or listed once if
//! many properties are to be decided ([`Edges`]).
//!
//! ```text
//! store     collapsed states, 5 to 13 bytes each; the number of a state follows from its place
//! letters   a byte for each state
//! edges     four bytes each, if they are listed
//! ```
//!
//! A state without a step stutters: it has one edge, to itself, in which no process takes
//! part. So every maximal run is infinite. A step that ends in an error has no edge.
//!
//! A space that is not complete is still a part of the real one: a cycle in it is a cycle of
//! the system. An edge that leaves it is not there.

mod edges;
mod letters;
mod unjudged;
mod walker;

pub use edges::Edges;
pub use walker::{Expansion, Listed, Walker};

use crate::ample::Proviso;
use crate::frontier::{Fifo, Lifo};
use crate::goal::Errors;
use crate::ledger::{Ledger, Limits};
use crate::memory::Memory;
use crate::rows::Rows;
use crate::store::Compact;
use crate::worklist::{self, Explored};
use crate::{Outcome, Refusal, Watch, Why, threads};
use collapse::{Collapse, Cursor, Ranks};
use letters::Places;
use std::sync::atomic::AtomicBool;
use system::{Letter, Processes, Scope, Step, Successors, System, Unlimited, Word};
use unjudged::Unjudged;

/// How a space is explored, and how large it may be.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpaceRequest {
    /// It will be asked which processes take part in each edge.
    pub participants: bool,
    /// With ample sets, for what stuttering does not change and one who is not asked who takes part in
    /// steps: where one process is moved alone, its edges are the only ones.
    pub reduces: bool,
    /// Last in first out instead of breadth first: far from the start.
    pub is_deep: bool,
    /// So many states may be stored.
    pub states_max: Option<u64>,
    /// So many bytes the process may hold.
    pub memory_bytes_max: Option<u64>,
}

/// The states of a system.
#[derive(Debug)]
pub struct StateSpace {
    width: usize,
    states: Collapse,
    ranks: Ranks,
    /// For each state 0, or one more than the number of the process that is moved alone there.
    alone: Vec<u16>,
    initial: u32,
    places: Places,
    alphabet: Vec<Letter>,
    is_unreadable: bool,
    has_faults: bool,
}

/// Explores a system, with one more thread for each of its copies unless the space is bounded.
/// Without a space there was no memory for it, or no time.
///
/// # Errors
/// The system lacks a capability that the request needs.
pub fn explore(
    system: &dyn System,
    copies: &mut [&mut (dyn System + Send)],
    request: &SpaceRequest,
    watch: &mut dyn Watch,
) -> Result<(Option<StateSpace>, Outcome), Refusal> {
    let whole = system.identity_words() == system.width() && system.scope() == Scope::Whole;
    system.letters().filter(|_| whole).ok_or(Refusal::NoLetters)?;
    if request.participants {
        system.participants().ok_or(Refusal::NoParticipants)?;
    }
    if request.reduces {
        system.independence().filter(|_| !request.participants).ok_or(Refusal::NoIndependence)?;
    }
    let fails = AtomicBool::new(false);
    let Explored { mut outcome, store: states, alone } =
        stored(system, copies, request, watch, &fails);
    if states.table().is_abandoned() {
        return Ok((None, outcome));
    }
    let mut memory = Memory::holding(states.bytes(), request.memory_bytes_max, watch);
    let space = StateSpace::new((system, copies), (states, alone), &mut memory);
    let space = match space {
        Ok(space) => Some(StateSpace { has_faults: fails.into_inner(), ..space }),
        Err(why) => {
            outcome.why_incomplete.push(why);
            None
        }
    };
    Ok((space, outcome))
}

/// The search that stores the states.
fn stored(
    system: &dyn System,
    copies: &mut [&mut (dyn System + Send)],
    request: &SpaceRequest,
    watch: &mut dyn Watch,
    fails: &AtomicBool,
) -> Explored<Collapse> {
    let states_max = request.states_max.unwrap_or(u64::MAX);
    let (depth_max, memory_bytes_max) = (u64::MAX, request.memory_bytes_max);
    let limits = Limits { depth_max, states_max, memory_bytes_max };
    let first = Unjudged { system, fails };
    if !copies.is_empty() && states_max == u64::MAX && !request.reduces {
        let mut others: Vec<_> =
            copies.iter_mut().map(|copy| Unjudged { system: &mut **copy, fails }).collect();
        let mut others: Vec<&mut (dyn System + Send)> =
            others.iter_mut().map(|other| other as &mut (dyn System + Send)).collect();
        let searched = threads::search(&first, &mut others, (limits, None), watch);
        let found = searched.expect("nothing is found in a system that judges nothing");
        let (outcome, store) = found;
        return Explored { outcome, store, alone: Rows::default() };
    }
    let mut goal = Errors::All;
    let (ledger, store) =
        (Ledger::new(system.width(), limits, &mut goal, watch), || Compact::new(system.width()));
    let reduces = request.reduces.then_some(Proviso::All);
    let Explored { outcome, store, alone } = match request.is_deep {
        true => worklist::explore::<_, Lifo>(&first, store(), ledger, reduces),
        false => worklist::explore::<_, Fifo>(&first, store(), ledger, reduces),
    };
    Explored { outcome, store: store.into_states(), alone }
}

/// Who is moved alone, by the numbers of the states; nothing if nobody is.
fn by_number(
    (states, ranks): (&Collapse, &Ranks),
    alone: &Rows<2>,
    memory: &mut Memory,
) -> Result<Vec<u16>, Why> {
    if alone.len() == 0 {
        return Ok(Vec::new());
    }
    memory.charge(2 * ranks.len() as u64)?;
    let mut agents = vec![0; ranks.len()];
    for [key, agent] in (0..alone.len()).map(|at| alone.get(at)) {
        let number = states.table().number(ranks, key).ok_or(Why::Memory)?;
        agents[number as usize] = u16::try_from(agent + 1).map_err(|_| Why::Memory)?;
    }
    Ok(agents)
}

impl StateSpace {
    /// Numbers what is stored, and reads the letters.
    fn new(
        (system, copies): (&dyn System, &mut [&mut (dyn System + Send)]),
        (mut states, alone): (Collapse, Rows<2>),
        memory: &mut Memory,
    ) -> Result<Self, Why> {
        states.finish();
        let ranks = states.table().ranks(memory).map_err(|_| Why::Memory)?;
        let alone = by_number((&states, &ranks), &alone, memory)?;
        let mut initial = vec![0; system.width()];
        system.initial(&mut initial);
        let key = states.start(&mut Cursor::default(), &initial).map_err(|_| Why::Memory)?;
        let initial = states.table().number(&ranks, key).ok_or(Why::Memory)?;
        let read = letters::read((system, copies), (&states, &ranks), memory)?;
        let letters::Read { places, alphabet, is_unreadable } = read;
        let width = system.width();
        Ok(Self {
            width,
            states,
            ranks,
            alone,
            initial,
            places,
            alphabet,
            is_unreadable,
            has_faults: false,
        })
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.ranks.len()
    }

    /// Whether steps of some state are left out.
    pub fn is_reduced(&self) -> bool {
        !self.alone.is_empty()
    }

    /// The number of the process that is moved alone in a state, if one is.
    fn alone(&self, state: u32) -> Option<u16> {
        self.alone.get(state as usize)?.checked_sub(1)
    }

    /// The initial state.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// Whether some step ends in an error. Runs behind it are not here.
    pub fn has_faults(&self) -> bool {
        self.has_faults
    }

    /// Whether there is a state in which an atomic proposition cannot be evaluated.
    pub fn is_unreadable(&self) -> bool {
        self.is_unreadable
    }

    /// The letters there are: each twice, the second time for a state that has no step.
    pub fn alphabet(&self) -> &[Letter] {
        &self.alphabet
    }

    /// The letter of a state that has a step, by its place in the alphabet; none if a
    /// proposition cannot be evaluated there. That of one without is the next.
    #[inline]
    pub fn letter(&self, state: u32) -> Option<usize> {
        self.places.get(state).map(|place| 2 * place)
    }

    /// The bytes held.
    pub fn bytes(&self) -> u64 {
        let alone = size_of_val(&*self.alone) as u64;
        self.states.bytes() + self.ranks.bytes() + self.places.bytes() + alone
    }

    /// The words of a state.
    pub fn words(&self, state: u32) -> Vec<Word> {
        let mut words = vec![0; self.width];
        let key = self.states.table().key(&self.ranks, state);
        self.states.load(&mut Cursor::default(), key, &mut words);
        words
    }

    /// A step of the system from one state to another in which these processes take part, or
    /// any if that is not asked for; none if there is none: the state stutters.
    pub fn step(
        &self,
        system: &dyn System,
        (from, to): (u32, u32),
        participants: Option<Processes>,
    ) -> Option<Step> {
        let (from, to) = (self.words(from), self.words(to));
        let mut batch = Successors::new(self.width);
        system.successors(&from, &mut batch, &mut Unlimited);
        let sets = match (participants, system.participants()) {
            (Some(_), Some(participants)) => participants.of_steps(&from).unwrap_or_default(),
            _ => Vec::new(),
        };
        let fits = |at: usize| participants.is_none() || sets.get(at).copied() == participants;
        let leads = |(at, (_, outcome, words)): &(usize, (Step, system::StepOutcome, &[Word]))| {
            outcome.enters() && **words == *to && fits(*at)
        };
        let mut steps = batch.iter().enumerate();
        steps.find(leads).map(|(_, (step, _, _))| step)
    }
}
