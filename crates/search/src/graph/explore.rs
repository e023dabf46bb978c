//! How a graph is made: breadth first, by the per-process transition cache where it knows the
//! steps of a state, else by the system. States are looked up in batches.

use super::numbers::Numbers;
use super::{Graph, UNREADABLE, span};
use crate::memory::Memory;
use crate::transition_cache::{Noted, Targets, TransitionCache};
use crate::{Progress, Refusal, Stop, Watch, Why};
use collapse::{Collapse, Cursor, Form, Need};
use std::collections::HashMap;
use system::{
    Budget, HALTED, Letter, Letters, Participants, Processes, Scope, Successors, System,
    Transition, Word,
};

/// So many successors are looked up at once, and those of one state more.
const BATCH: usize = 64;
/// The watch is asked once for so many edges.
const EDGES_PER_TICK: usize = 1024;
/// The store of the keys has so many of them, as a sample of all.
const SAMPLE: usize = 1 << 13;
/// At so many states somebody looks at the graph for the first time, and again when there are
/// so many times as many: what is near the start is found at once, at the cost of a seventh.
const FIRST_LOOK: usize = 1 << 12;
const LOOKS_APART: usize = 8;

/// What a graph is to have, and how large it may be.
#[derive(Clone, Copy, Debug, Default)]
pub struct GraphRequest {
    /// Which processes take part in each edge.
    pub participants: bool,
    /// Depth first instead of breadth first: far from the start, and slower.
    pub is_deep: bool,
    /// So many states may be stored.
    pub states_max: Option<u64>,
    /// So many bytes the process may hold.
    pub memory_bytes_max: Option<u64>,
}

/// Explores a system. `look` is shown the graph while it grows, and ends the exploration by
/// `false`. Also says why the graph is not finished, if it is not.
///
/// # Errors
/// The system lacks a capability that the request needs.
pub fn explore(
    system: &dyn System,
    request: &GraphRequest,
    watch: &mut dyn Watch,
    look: &mut dyn FnMut(&mut Graph) -> bool,
) -> Result<(Graph, Option<Why>), Refusal> {
    let whole = system.identity_words() == system.width() && system.scope() == Scope::Whole;
    let letters = system.letters().filter(|_| whole).ok_or(Refusal::NoLetters)?;
    let participants = match request.participants {
        true => Some(system.participants().ok_or(Refusal::NoParticipants)?),
        false => None,
    };
    let mut memory = Memory::watched(request.memory_bytes_max, watch);
    let mut graph = Graph::new(system.width());
    let why = match Numbers::new(&mut memory) {
        Ok(numbers) => {
            let states_max = request.states_max.unwrap_or(u64::MAX).min(u64::from(u32::MAX) - 1);
            let mut explorer = Explorer {
                system,
                letters,
                participants,
                is_deep: request.is_deep,
                states_max: states_max as usize,
                memory,
                watch,
                graph: &mut graph,
                numbers,
                cache: TransitionCache::new(system, noted(request)),
                steps: Steps::new(system.width(), request),
                letter_places: HashMap::new(),
                set_places: HashMap::new(),
                transition_places: Vec::new(),
                edges: 0,
            };
            explorer.run(look).err()
        }
        Err(why) => Some(why),
    };
    Ok((graph, why))
}

fn noted(request: &GraphRequest) -> Noted {
    if request.participants { Noted::Transitions } else { Noted::Weights }
}

impl Graph {
    fn new(width: usize) -> Self {
        Self {
            width,
            store: Collapse::new(width, 1),
            cursor: Cursor::default(),
            keys: Vec::new(),
            spans: Vec::new(),
            targets: Vec::new(),
            participants: Vec::new(),
            sets: Vec::new(),
            letters: Vec::new(),
            alphabet: Vec::new(),
            halted: Vec::new(),
            expanded: 0,
            depth: 0,
            failing: HashMap::new(),
            faults: 0,
            unreadable: None,
            is_crowded: false,
        }
    }
}

/// The successors of some states, on their way to be looked up.
struct Steps {
    targets: Targets,
    /// The states, how many each has, and whether it stutters.
    counts: Vec<(usize, usize, bool)>,
    /// The places of the sets of processes that take part, if they are wanted.
    participants: Vec<u16>,
    /// The state at hand and its successors.
    state: Vec<Word>,
    batch: Successors,
}

impl Steps {
    fn new(width: usize, request: &GraphRequest) -> Self {
        let batch = Successors::new(width);
        let batch = if request.participants { batch.with_transitions() } else { batch };
        Self {
            targets: Targets::default(),
            counts: Vec::new(),
            participants: Vec::new(),
            state: vec![0; width],
            batch,
        }
    }
}

struct Explorer<'a> {
    system: &'a dyn System,
    letters: &'a dyn Letters,
    participants: Option<&'a dyn Participants>,
    is_deep: bool,
    states_max: usize,
    memory: Memory,
    watch: &'a mut dyn Watch,
    graph: &'a mut Graph,
    numbers: Numbers,
    cache: Option<TransitionCache>,
    steps: Steps,
    letter_places: HashMap<Letter, u16>,
    set_places: HashMap<Processes, u16>,
    /// By the number of a transition; `None` if nobody asked.
    transition_places: Vec<Option<u16>>,
    /// Edges since the watch was asked.
    edges: usize,
}

impl Explorer<'_> {
    fn run(&mut self, look: &mut dyn FnMut(&mut Graph) -> bool) -> Result<(), Why> {
        self.start()?;
        if self.is_deep {
            return self.go_deep();
        }
        let (mut next, mut level_end, mut next_look) = (0, 1, FIRST_LOOK);
        while next < self.graph.states() {
            self.expand(next)?;
            next += 1;
            let ends_level = next == level_end;
            if self.steps.targets.len() >= BATCH || ends_level {
                self.arrive()?;
            }
            if ends_level && self.graph.states() > level_end {
                self.graph.depth += 1;
                level_end = self.graph.states();
            }
            if self.graph.expanded >= next_look {
                next_look *= LOOKS_APART;
                if !look(self.graph) {
                    return Err(Why::FirstError);
                }
            }
        }
        Ok(())
    }

    /// The last state discovered is the next one to be expanded.
    fn go_deep(&mut self) -> Result<(), Why> {
        let mut open = vec![0];
        while let Some(next) = open.pop() {
            let known = self.graph.states();
            self.expand(next)?;
            self.arrive()?;
            open.extend((known..self.graph.states()).rev());
        }
        Ok(())
    }

    /// The initial state has number 0.
    fn start(&mut self) -> Result<(), Why> {
        self.system.initial(&mut self.steps.state);
        let key = loop {
            let graph = &mut *self.graph;
            match graph.store.start(&mut graph.cursor, &self.steps.state) {
                Ok(key) => break key,
                Err(need) => self.adapt(need)?,
            }
        };
        self.numbers.insert_all(&[key], &mut self.graph.keys, &mut Vec::new());
        self.welcome()?;
        self.sample(0)
    }

    /// Lists the successors of a state.
    fn expand(&mut self, number: usize) -> Result<(), Why> {
        loop {
            self.load(number);
            self.steps.targets.begin(0);
            match self.list(number)? {
                Ok(halts) => {
                    let count = self.steps.targets.count();
                    self.steps.counts.push((number, count, halts));
                    return self.read(number, halts);
                }
                Err(need) => {
                    self.steps.targets.take_back();
                    self.arrive()?;
                    self.adapt(need)?;
                }
            }
        }
    }

    fn load(&mut self, number: usize) {
        let graph = &mut *self.graph;
        graph.store.load(&mut graph.cursor, graph.keys[number], &mut self.steps.state);
    }

    /// Lists the successors of the state that is loaded; says whether it has none.
    fn list(&mut self, number: usize) -> Result<Result<bool, Need>, Why> {
        match self.recall(number) {
            Ok(false) => {}
            Ok(true) => return Ok(Ok(false)),
            Err(need) => return Ok(Err(need)),
        }
        let steps = &mut self.steps;
        steps.batch.clear();
        let mut asked = Asked { memory: &self.memory, watch: self.watch, end: Ok(()) };
        self.system.successors(&steps.state, &mut steps.batch, &mut asked);
        asked.end?;
        if steps.batch.is_empty() {
            steps.targets.room(1, 1)[0] = self.graph.store.number_of(self.graph.keys[number]);
            steps.targets.fill(1, |_| 0);
            let nobody = self.place_of_set(0)?;
            self.steps.participants.extend(self.participants.map(|_| nobody));
            return Ok(Ok(true));
        }
        Ok(self.intern(number)?.map(|()| false))
    }

    /// Lists them by the transition cache, if it can.
    fn recall(&mut self, number: usize) -> Result<bool, Need> {
        let (Some(cache), graph) = (&mut self.cache, &mut *self.graph) else { return Ok(false) };
        let (tables, state) = ((&graph.store, &mut graph.cursor), (graph.keys[number], 0));
        let targets = &mut self.steps.targets;
        if !cache.recall(self.system, tables, state, &mut self.memory, targets)? {
            return Ok(false);
        }
        if self.participants.is_some() && !self.recall_participants() {
            self.steps.targets.take_back();
            return Ok(false);
        }
        Ok(true)
    }

    /// Who takes part in the steps recalled; `false` if that is not known of all of them.
    fn recall_participants(&mut self) -> bool {
        let before = self.steps.participants.len();
        for at in self.steps.targets.first()..self.steps.targets.len() {
            let transition = self.steps.targets.notes()[at].note();
            let Some(place) = self.place_of_transition(Transition(u32::from(transition))) else {
                self.steps.participants.truncate(before);
                return false;
            };
            self.steps.participants.push(place);
        }
        true
    }

    fn place_of_transition(&mut self, transition: Transition) -> Option<u16> {
        let at = transition.0 as usize;
        if let Some(place) = self.transition_places.get(at).copied().flatten() {
            return Some(place);
        }
        let set = self.participants?.of_transition(transition)?;
        let place = self.place_of_set(set).ok()?;
        let places = self.transition_places.len().max(at + 1);
        self.transition_places.resize(places, None);
        self.transition_places[at] = Some(place);
        Some(place)
    }

    fn place_of_set(&mut self, set: Processes) -> Result<u16, Why> {
        if let Some(place) = self.set_places.get(&set) {
            return Ok(*place);
        }
        let place = u16::try_from(self.graph.sets.len()).map_err(|_| Why::Memory)?;
        self.graph.sets.push(set);
        self.set_places.insert(set, place);
        Ok(place)
    }

    /// Lists the successors of the batch. Steps that end in an error lead nowhere.
    fn intern(&mut self, number: usize) -> Result<Result<(), Need>, Why> {
        let before = self.steps.participants.len();
        if let Some(participants) = self.participants {
            self.ask_participants(participants, number)?;
        }
        let listed = self.steps.batch.len();
        self.steps.batch.keep_entering();
        let Steps { targets, state, batch, .. } = &mut self.steps;
        let mut forms = targets.room(batch.len(), 1).iter_mut();
        let write = |number| forms.next().into_iter().for_each(|form| *form = number);
        let graph = &mut *self.graph;
        let family = (&**state, batch.states());
        if let Err(need) = graph.store.intern_all(&mut graph.cursor, family, write) {
            self.steps.participants.truncate(before);
            return Ok(Err(need));
        }
        targets.fill(batch.len(), |_| 0);
        graph.faults += (listed - batch.len()) as u64;
        Ok(Ok(()))
    }

    /// Notes who takes part in the steps of the batch: by their transitions, or, if nothing is
    /// known of one, by asking the system once more.
    fn ask_participants(
        &mut self,
        participants: &dyn Participants,
        number: usize,
    ) -> Result<(), Why> {
        let transitions = self.steps.batch.transitions().to_vec();
        let outcomes = self.steps.batch.iter();
        let enters: Vec<bool> = outcomes.map(|(_, outcome, _)| outcome.enters()).collect();
        let mut asked = None;
        for (at, transition) in transitions.into_iter().enumerate() {
            let place = match self.place_of_transition(transition) {
                Some(place) => place,
                None => {
                    let state = &self.steps.state;
                    let sets = asked.get_or_insert_with(|| participants.of_steps(state));
                    let set = sets.as_ref().and_then(|sets| sets.get(at).copied());
                    self.graph.is_crowded |= set.is_none();
                    self.place_of_set(set.ok_or(Why::States)?)?
                }
            };
            if enters[at] {
                self.steps.participants.push(place);
            } else {
                let set = self.graph.sets[usize::from(place)];
                *self.graph.failing.entry(number as u32).or_default() |= set;
            }
        }
        Ok(())
    }

    /// Notes the letter of the state that is loaded.
    fn read(&mut self, number: usize, halts: bool) -> Result<(), Why> {
        let halted = if halts { HALTED } else { 0 };
        let place = match self.letters.letter(&self.steps.state) {
            Some(letter) => self.place_of_letter(letter | halted)?,
            None => {
                self.graph.unreadable.get_or_insert(number as u32);
                UNREADABLE
            }
        };
        self.graph.letters[number] = place;
        Ok(())
    }

    fn place_of_letter(&mut self, letter: Letter) -> Result<u16, Why> {
        if let Some(place) = self.letter_places.get(&letter) {
            return Ok(*place);
        }
        let place = u16::try_from(self.graph.alphabet.len()).ok();
        let place = place.filter(|place| *place != UNREADABLE).ok_or(Why::Memory)?;
        self.graph.alphabet.push(letter);
        self.letter_places.insert(letter, place);
        Ok(place)
    }

    /// Looks all successors listed up, and gives the states they belong to their edges.
    fn arrive(&mut self) -> Result<(), Why> {
        let Self { graph, steps, numbers, memory, .. } = self;
        let (coming, known) = (steps.targets.len(), graph.states());
        if known + coming > self.states_max {
            // Only what is new counts, but near the limit one need not be exact.
            return Err(Why::States);
        }
        memory.grow(&mut graph.keys, coming)?;
        memory.grow(&mut graph.targets, coming)?;
        memory.grow(&mut graph.participants, steps.participants.len())?;
        numbers.make_room(&graph.keys, coming, memory)?;
        let mut first = graph.targets.len();
        let forms = steps.targets.forms_mut(1);
        forms.iter_mut().for_each(|form| *form = graph.store.key_of(*form));
        numbers.insert_all(forms, &mut graph.keys, &mut graph.targets);
        graph.participants.append(&mut steps.participants);
        for (state, count, halts) in steps.counts.drain(..) {
            graph.spans[state] = span(first, count);
            graph.halted[state / 64] |= u64::from(halts) << (state % 64);
            graph.expanded += 1;
            first += count;
        }
        steps.targets.clear();
        self.welcome()?;
        self.sample(known)?;
        self.edges += coming;
        if self.edges >= EDGES_PER_TICK { self.tick() } else { Ok(()) }
    }

    /// Makes room for what is noted of new states.
    fn welcome(&mut self) -> Result<(), Why> {
        let Self { graph, memory, .. } = self;
        let states = graph.keys.len();
        let new = states - graph.spans.len();
        memory.grow(&mut graph.spans, new)?;
        memory.grow(&mut graph.letters, new)?;
        graph.spans.resize(states, 0);
        graph.letters.resize(states, UNREADABLE);
        graph.halted.resize(states.div_ceil(64), 0);
        Ok(())
    }

    /// The store is shown the first keys, from this one on.
    fn sample(&mut self, from: usize) -> Result<(), Why> {
        let Self { graph, memory, .. } = self;
        let last = graph.keys.len().min(SAMPLE);
        for key in &graph.keys[from.min(last)..last] {
            graph.store.table_mut().make_room(1, memory).map_err(|_| Why::Memory)?;
            graph.store.insert(*key);
        }
        Ok(())
    }

    /// Provides what the store lacks; all keys may change.
    #[cold]
    fn adapt(&mut self, need: Need) -> Result<(), Why> {
        self.cache.iter_mut().for_each(TransitionCache::outdate);
        let Self { graph, memory, numbers, .. } = self;
        let (layouts, keys) = (graph.store.layouts(), &mut graph.keys);
        let mut held = |change: &mut dyn FnMut(&mut Word, Form)| {
            keys.iter_mut().for_each(|key| change(key, Form::Key));
        };
        graph.store.adapt(need, memory, &mut held).map_err(|_| Why::Memory)?;
        if graph.store.layouts() != layouts {
            numbers.renew(&graph.keys);
        }
        Ok(())
    }

    #[cold]
    fn tick(&mut self) -> Result<(), Why> {
        self.edges = 0;
        self.memory.tick(self.watch);
        let (states, expanded) = (self.graph.states() as u64, self.graph.expanded as u64);
        let progress = Progress {
            states,
            matched: (self.graph.edges() as u64).saturating_sub(states),
            waiting: states - expanded,
            bytes: self.memory.held(),
            ..Progress::default()
        };
        stopped(self.watch.tick(&progress))
    }
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
