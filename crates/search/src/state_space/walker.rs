//! Who walks through a state space, and makes the edges of each state where it comes by: from
//! the per-process transition cache where it knows the steps of a state, else by the system.

use super::edges::Edges;
use super::{SpaceRequest, StateSpace};
use crate::memory::Memory;
use crate::transition_cache::{Noted, Targets, TransitionCache};
use crate::worker::unnamed;
use crate::{Progress, Refusal, Stop, Watch, Why};
use collapse::{ABSENT, Cursor};
use std::collections::HashMap;
use std::sync::Arc;
use system::{Budget, Participants, Processes, Successors, System, Transition, Word};

/// The watch is asked once for so many edges.
const EDGES_PER_TICK: usize = 1024;

/// So many states are a sample of all, and one in so many of them is many.
const SAMPLE: usize = 1 << 8;
const SLOW_SHARE: usize = 4;

/// The edges of a state: where each leads, and the place of the set of processes that take part
/// in it, if that was asked for.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// The states.
    pub targets: Vec<u32>,
    /// The places of the sets: see [`Walker::participants`].
    pub sets: Vec<u16>,
}

impl Listed {
    fn clear(&mut self) {
        self.targets.clear();
        self.sets.clear();
    }
}

/// What is to be known of a state beside its edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expansion {
    /// Its letter, by its place in the alphabet; none if a proposition cannot be evaluated.
    pub letter: Option<usize>,
    /// The processes that take part in some step, be it one that ends in an error or leaves
    /// the space; none unless they were asked for.
    pub enabled: Processes,
}

/// Walks through a space.
pub struct Walker<'a> {
    space: &'a StateSpace,
    system: &'a dyn System,
    participants: Option<&'a dyn Participants>,
    watch: &'a mut dyn Watch,
    memory: Memory,
    cursor: Cursor,
    cache: Option<TransitionCache>,
    targets: Targets,
    state: Vec<Word>,
    batch: Successors,
    /// The keys of its states.
    forms: Vec<Word>,
    sets: Sets,
    edges: Option<Arc<Edges>>,
    /// Edges since the watch was asked, and states in all.
    fired: usize,
    expanded: u64,
    /// For so many the system was asked.
    asked: usize,
}

/// The sets of processes met, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets {
    pub(super) list: Vec<Processes>,
    places: HashMap<Processes, u16>,
    /// By the number of a transition, or of an agent if they move alone; `None` if nobody asked.
    places_by_number: Vec<Option<u16>>,
}

impl Sets {
    fn place(&mut self, set: Processes) -> Result<u16, Why> {
        if let Some(place) = self.places.get(&set) {
            return Ok(*place);
        }
        let place = u16::try_from(self.list.len()).map_err(|_| Why::Memory)?;
        self.list.push(set);
        self.places.insert(set, place);
        Ok(place)
    }

    /// That of the transition of this number, or of the agent if they move alone.
    #[inline]
    fn place_by_number(&mut self, participants: &dyn Participants, number: u32) -> Option<u16> {
        let known = self.places_by_number.get(number as usize).copied().flatten();
        known.or_else(|| self.meet(participants, number))
    }

    #[cold]
    fn meet(&mut self, participants: &dyn Participants, number: u32) -> Option<u16> {
        let set = match participants.move_alone() {
            true => Processes::checked_shl(1, number),
            false => participants.of_transition(Transition(number)),
        };
        let (place, at) = (self.place(set?).ok()?, number as usize);
        let places = self.places_by_number.len().max(at + 1);
        self.places_by_number.resize(places, None);
        self.places_by_number[at] = Some(place);
        Some(place)
    }
}

impl<'a> Walker<'a> {
    /// One through `space`, by the system it is of.
    ///
    /// # Errors
    /// The system does not know who takes part in its steps.
    pub fn new(
        space: &'a StateSpace,
        system: &'a dyn System,
        request: &SpaceRequest,
        watch: &'a mut dyn Watch,
    ) -> Result<Self, Refusal> {
        let participants = match request.participants {
            true => Some(system.participants().ok_or(Refusal::NoParticipants)?),
            false => None,
        };
        let (noted, batch) = match participants {
            None if space.is_reduced() => (Noted::Agents, Successors::new(system.width())),
            None => (Noted::Weights, unnamed(system)),
            Some(all) if all.move_alone() => (Noted::Agents, Successors::new(system.width())),
            Some(_) => (Noted::Transitions, Successors::new(system.width()).with_transitions()),
        };
        let memory = Memory::holding(space.bytes(), request.memory_bytes_max, watch);
        Ok(Self {
            space,
            system,
            participants,
            watch,
            memory,
            cursor: Cursor::default(),
            cache: TransitionCache::new(system, noted),
            targets: Targets::default(),
            state: vec![0; system.width()],
            batch,
            forms: Vec::new(),
            sets: Sets::default(),
            edges: None,
            fired: 0,
            expanded: 0,
            asked: 0,
        })
    }

    /// The space.
    pub fn space(&self) -> &'a StateSpace {
        self.space
    }

    /// So many bytes may be held beside what is.
    pub fn bytes_left(&self) -> u64 {
        self.memory.left()
    }

    /// Whether it says who takes part in edges.
    pub fn knows_participants(&self) -> bool {
        self.participants.is_some()
    }

    /// The edges that need not be made.
    pub fn edges(&self) -> Option<&Arc<Edges>> {
        self.edges.as_ref()
    }

    /// The set of this place.
    pub fn participants(&self, place: u16) -> Processes {
        self.sets.list[usize::from(place)]
    }

    /// The initial state.
    pub fn initial(&self) -> u32 {
        // Where edges are listed it is the first.
        if self.edges.is_some() { 0 } else { self.space.initial() }
    }

    /// The letter of a state, as [`Expansion::letter`], if it has a step.
    pub fn letter(&self, state: u32) -> Option<usize> {
        match &self.edges {
            Some(edges) => edges.letter(state),
            None => self.space.letter(state),
        }
    }

    /// The number of a state in the space.
    pub fn original(&self, state: u32) -> u32 {
        self.edges.as_ref().map_or(state, |edges| edges.original(state))
    }

    /// Edges that are listed need not be made. All numbers of states are others from now on:
    /// see [`Walker::original`].
    pub fn follow(&mut self, edges: &Arc<Edges>) {
        self.sets = edges.sets.clone();
        self.edges = Some(Arc::clone(edges));
    }

    /// Whether the system has to be asked for the edges of many states, by a sample of them, and
    /// for who takes part in each: that takes much longer than to recall them.
    ///
    /// # Errors
    /// As [`Walker::expand`].
    pub fn is_slow(&mut self) -> Result<bool, Why> {
        if !self.knows_participants() {
            return Ok(false);
        }
        let (states, mut listed) = (self.space.states(), Listed::default());
        let (asked, sample) = (self.asked, states.min(SAMPLE));
        for at in 0..sample {
            self.expand((states * at / sample) as u32, &mut listed)?;
            if (self.asked - asked) * SLOW_SHARE > sample {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes the edges of a state into `into`.
    ///
    /// # Errors
    /// Time or memory ends, or the user ended it; or some process has too large a number for
    /// a set of them, which is [`Why::States`].
    pub fn expand(&mut self, state: u32, into: &mut Listed) -> Result<Expansion, Why> {
        into.clear();
        let (letter, failing) = match &self.edges {
            Some(edges) => edges.read(state, into),
            None => {
                let (halts, failing) = self.make(state, into)?;
                let letter = self.space.letter(state);
                (letter.map(|letter| letter + usize::from(halts)), failing)
            }
        };
        self.expanded += 1;
        self.fired += into.targets.len();
        if self.fired >= EDGES_PER_TICK {
            self.tick()?;
        }
        let sets = into.sets.iter();
        let enabled = sets.fold(failing, |all, place| all | self.sets.list[usize::from(*place)]);
        Ok(Expansion { letter, enabled })
    }

    /// Makes the edges; says whether the state has no step, and who takes part in steps that
    /// lead out of the space.
    fn make(&mut self, state: u32, into: &mut Listed) -> Result<(bool, Processes), Why> {
        let key = self.space.states.table().key(&self.space.ranks, state);
        self.targets.clear();
        self.targets.begin(0);
        if self.recall(key, into) {
            self.space.alone(state).iter().for_each(|agent| self.targets.keep_noted(*agent));
            return Ok((false, self.look_up(into)));
        }
        into.clear();
        self.targets.clear();
        self.ask(key)?;
        if self.batch.is_empty() {
            into.targets.push(state);
            if self.participants.is_some() {
                into.sets.push(self.sets.place(0)?);
            }
            return Ok((true, 0));
        }
        let sets = self.sets_of_batch()?;
        let alone = self.space.alone(state).map(u32::from);
        Ok(self.intern((&sets, alone), into))
    }

    /// Lists the successors by the transition cache, if it can.
    fn recall(&mut self, key: Word, into: &mut Listed) -> bool {
        let (Some(cache), store) = (&mut self.cache, &self.space.states) else { return false };
        let (tables, targets) = ((store, &mut self.cursor), &mut self.targets);
        let recalled = cache.recall(self.system, tables, (key, 0), &mut self.memory, targets);
        // In a part of the space a successor may have a word that no state has.
        if !matches!(recalled, Ok(true)) {
            return false;
        }
        let Some(participants) = self.participants else { return true };
        self.targets.notes().iter().all(|note| {
            let place = self.sets.place_by_number(participants, u32::from(note.note()));
            into.sets.extend(place);
            place.is_some()
        })
    }

    /// The numbers of the states recalled; says who takes part in what leads out of the space.
    fn look_up(&mut self, into: &mut Listed) -> Processes {
        let (states, ranks) = (&self.space.states, &self.space.ranks);
        let forms = self.targets.forms_mut(1);
        for form in &mut *forms {
            *form = states.key_of(*form);
            states.table().prefetch_number(ranks, *form);
        }
        states.table().numbers(ranks, forms, &mut into.targets);
        self.leave_out(into)
    }

    /// Leaves out what is not in the space; says who takes part in it. They are enabled all the
    /// same: a run is not fair to them because a part of the space does not show it.
    fn leave_out(&self, into: &mut Listed) -> Processes {
        if !into.targets.contains(&ABSENT) {
            return 0;
        }
        let edges = into.targets.iter().zip(&into.sets);
        let absent = edges.filter(|(target, _)| **target == ABSENT);
        let leaving = absent.fold(0, |all, (_, set)| all | self.sets.list[usize::from(*set)]);
        drop_absent(into);
        leaving
    }

    /// Asks the system for the successors of a state.
    fn ask(&mut self, key: Word) -> Result<(), Why> {
        self.asked += 1;
        self.space.states.load(&mut self.cursor, key, &mut self.state);
        self.batch.clear();
        let mut asked = Asked { memory: &self.memory, watch: self.watch, end: Ok(()) };
        self.system.successors(&self.state, &mut self.batch, &mut asked);
        asked.end
    }

    /// Who takes part in the steps of the batch: by their agents or transitions, or, if nothing
    /// is known of one, by asking the system once more.
    fn sets_of_batch(&mut self) -> Result<Vec<u16>, Why> {
        let Some(participants) = self.participants else { return Ok(Vec::new()) };
        let (sets, mut asked) = (&mut self.sets, None);
        let place = |(at, number): (usize, u32)| {
            if let Some(place) = sets.place_by_number(participants, number) {
                return Ok(place);
            }
            let all = asked.get_or_insert_with(|| participants.of_steps(&self.state));
            let set = all.as_ref().and_then(|all| all.get(at).copied());
            sets.place(set.ok_or(Why::States)?)
        };
        match self.batch.has_transitions() {
            true => self.batch.transitions().iter().map(|t| t.0).enumerate().map(place).collect(),
            false => self.batch.steps().map(|step| step.agent).enumerate().map(place).collect(),
        }
    }

    /// Lists the successors of the batch that are in the space, or those of the one who is moved
    /// alone; says who takes part in the others, and in steps that end in an error.
    fn intern(
        &mut self,
        (sets, alone): (&[u16], Option<u32>),
        into: &mut Listed,
    ) -> (bool, Processes) {
        let is_there = |at: usize| {
            let moves = |agent| self.batch.step(at).0.agent == agent;
            self.batch.outcome(at).enters() && alone.is_none_or(moves)
        };
        let are_all_there = self.batch.outcomes().is_empty() && alone.is_none();
        let enters: Vec<bool> = match are_all_there {
            true => Vec::new(),
            false => (0..self.batch.len()).map(is_there).collect(),
        };
        let store = &self.space.states;
        let (family, forms) = ((&*self.state, self.batch.states()), &mut self.forms);
        forms.clear();
        let take = |number| forms.push(store.key_of(number));
        let (table, ranks) = (store.table(), &self.space.ranks);
        if store.intern_all(&mut self.cursor, family, take).is_ok() {
            self.forms.iter().for_each(|key| table.prefetch_number(ranks, *key));
            table.numbers(ranks, &self.forms, &mut into.targets);
        } else {
            self.intern_each(into);
        }
        let leaves = enters.iter().zip(&mut into.targets).filter(|(enters, _)| !**enters);
        leaves.for_each(|(_, target)| *target = ABSENT);
        into.sets.extend_from_slice(sets);
        (false, self.leave_out(into))
    }

    /// The numbers of the successors, one by one: in a part of the space one may have a word that
    /// no state has, and so no key.
    #[cold]
    fn intern_each(&mut self, into: &mut Listed) {
        let store = &self.space.states;
        let number = |at| {
            let key = store.start(&mut self.cursor, self.batch.state(at)).ok()?;
            store.table().number(&self.space.ranks, key)
        };
        let numbers = (0..self.batch.len()).map(number);
        into.targets.extend(numbers.map(|number| number.unwrap_or(ABSENT)));
    }

    #[cold]
    fn tick(&mut self) -> Result<(), Why> {
        self.fired = 0;
        self.memory.tick(self.watch);
        let progress = Progress {
            states: self.space.states() as u64,
            matched: self.expanded,
            bytes: self.memory.held(),
            ..Progress::default()
        };
        stopped(self.watch.tick(&progress))
    }

    pub(super) fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    pub(super) fn sets(&self) -> &Sets {
        &self.sets
    }
}

/// Leaves out what is not in the space.
fn drop_absent(listed: &mut Listed) {
    let targets = &listed.targets;
    let mut at = 0;
    listed.sets.retain(|_| {
        at += 1;
        targets[at - 1] != ABSENT
    });
    listed.targets.retain(|target| *target != ABSENT);
}

fn stopped(stop: Option<Stop>) -> Result<(), Why> {
    match stop {
        None => Ok(()),
        Some(Stop::Time) => Err(Why::Time),
        Some(Stop::Interrupted) => Err(Why::Interrupted),
    }
}

/// The budget for one state: asks the watch and the memory limit.
struct Asked<'a> {
    memory: &'a Memory,
    watch: &'a mut dyn Watch,
    end: Result<(), Why>,
}

impl Budget for Asked<'_> {
    fn lasts(&mut self, bytes: u64) -> bool {
        let room = self.memory.allow(bytes);
        self.end = room.and_then(|()| stopped(self.watch.tick(&Progress::default())));
        self.end.is_ok()
    }
}
