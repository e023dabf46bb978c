//! Which transitions the steps of a state are.
//!
//! A back end says by which edge a step begins. What the step accesses is found by taking
//! it once more, edge by edge, and by what was tried on the way and could not execute: that
//! counts for an `else`, for what an `unless` escapes from, and for an atomic sequence that
//! stops in the middle. All of it is decided by the words that the agent reads, so it is
//! worked out once for each value of them: a per-process transition cache. An agent with many
//! variables of its own has millions of such values, of which few matter here; it is asked for its
//! moves instead, and they decide, with the values of indices and bounds ([`crate::described`]).

use crate::access::{AccessExpr, AccessTable, EdgeAccesses, add, map};
use crate::backend::{Backend, Bail, Batch, Move, Scratch};
use crate::closures::{Closures, Value, stepwise, value};
use crate::described::Described;
use crate::observed::Observed;
use crate::read_set::ReadSets;
use crate::transition::{AccessId, Part, Transitions};
use crate::{Expr, Packed, Then};
use rapidhash::RapidHashMap;
use std::sync::Arc;
use system::{Accesses, Dependency, Transition, Word};

/// What an agent does in states that it sees alike.
pub(crate) struct Recorded {
    /// Of its steps, in order, and whether the back end bails at their ends.
    pub(crate) transitions: Vec<(Transition, bool)>,
    /// All that it was asked, whether it executed or not, if that can be said.
    pub(crate) tried: Option<AccessId>,
    /// Whether one of its steps may change the truth of an atomic proposition, here or later.
    pub(crate) is_visible: bool,
}

/// So many answers are remembered.
const REMEMBERED_MAX: usize = 1 << 18;

/// Of steps with more edges nothing is said: an atomic sequence may have no end.
const EDGES_MAX: usize = 1 << 16;

/// Finds the transitions of steps.
pub(crate) struct Recorder {
    pub(crate) packed: Arc<Packed>,
    pub(crate) stepwise: Arc<Closures>,
    /// By number.
    edges: Vec<EdgeAccesses<Value>>,
    /// The first edge of each place of each agent.
    first: Vec<Vec<u32>>,
    /// The agent of each edge.
    pub(crate) owners: Vec<u32>,
    most: Vec<usize>,
    pub(crate) scratch: Scratch,
    read_sets: Option<ReadSets>,
    /// If somebody observes the states.
    pub(crate) observed: Option<Observed>,
    pub(crate) transitions: Transitions,
    /// By the words that are read, until they have had too many values.
    remembered: Option<RapidHashMap<Box<[Word]>, Arc<Recorded>>>,
    described: Described,
}

impl Recorder {
    pub(crate) fn new(packed: &Arc<Packed>, table: &AccessTable, dependency: Dependency) -> Self {
        let mut scratch = Scratch::new(packed);
        scratch.temps.resize(scratch.temps.len().max(temps(table)), 0);
        let compiled = |edge: &EdgeAccesses| EdgeAccesses {
            executed: map(&edge.executed, &mut value),
            refused: map(&edge.refused, &mut value),
            statement: edge.statement,
        };
        Self {
            packed: Arc::clone(packed),
            stepwise: stepwise(packed),
            edges: table.edges.iter().map(compiled).collect(),
            first: first_edges(packed),
            owners: packed.edges().map(|(agent, _)| agent as u32).collect(),
            most: (0..packed.agents.len()).map(|agent| packed.most(agent)).collect(),
            scratch,
            read_sets: ReadSets::new(packed),
            observed: None,
            transitions: Transitions::new(dependency),
            remembered: Some(RapidHashMap::default()),
            described: Described::new(packed, table),
        }
    }

    /// The steps of `agent` (an index) in `state`; in the second of two questions `timeout`
    /// is true.
    pub(crate) fn steps_of(
        &mut self,
        agent: usize,
        state: &[Word],
        timeout: bool,
    ) -> Result<Arc<Recorded>, Bail> {
        if timeout {
            return Ok(Arc::new(self.record(agent, state, true)?));
        }
        let Some(remembered) = &self.remembered else { return self.steps_by_moves(agent, state) };
        let Some(key) = self.key(agent, state) else { return self.steps_by_moves(agent, state) };
        if let Some(known) = remembered.get(&key) {
            return Ok(Arc::clone(known));
        }
        let recorded = self.steps_by_moves(agent, state)?;
        self.remembered = self.remembered.take().filter(|known| known.len() < REMEMBERED_MAX);
        if let Some(remembered) = &mut self.remembered {
            remembered.insert(key, Arc::clone(&recorded));
        }
        Ok(recorded)
    }

    /// The same, found by the moves of the agent.
    fn steps_by_moves(&mut self, agent: usize, state: &[Word]) -> Result<Arc<Recorded>, Bail> {
        let mut described = std::mem::take(&mut self.described);
        let known = described.find(self, agent, state);
        let recorded = match known {
            Ok(Some(recorded)) => Ok(recorded),
            Ok(None) => self.record(agent, state, false).map(Arc::new),
            Err(bail) => Err(bail),
        };
        if let Ok(recorded) = &recorded {
            described.remember(recorded);
        }
        self.described = described;
        recorded
    }

    /// Whether a word is in the read set of an agent at a place.
    pub(crate) fn reads(&self, agent: usize, place: usize, word: usize) -> bool {
        let mut found = false;
        let mut look = |other| found |= other == word;
        let known = self.read_sets.as_ref().is_some_and(|sets| sets.of(agent, place, &mut look));
        known && found
    }

    /// The agent, where it stands, and the words that decide what it does, if they are known.
    fn key(&self, agent: usize, state: &[Word]) -> Option<Box<[Word]>> {
        let place = self.packed.agents[agent].at.get(state) as usize;
        let mut key = vec![agent as Word, place as Word];
        let known = self.read_sets.as_ref()?.of(agent, place, &mut |word| key.push(state[word]));
        known.then(|| key.into())
    }

    /// Takes every step of an agent, edge by edge, depth first.
    fn record(&mut self, agent: usize, state: &[Word], timeout: bool) -> Result<Recorded, Bail> {
        let (mut transitions, mut tried) = (Vec::new(), Accesses::default());
        let (mut failed, mut is_visible) = (false, false);
        let start = crate::transition::UNKNOWN;
        let mut edges = 0;
        let mut open = vec![self.level(agent, state, timeout, start, &mut tried)?];
        while let Some(level) = open.last_mut() {
            let Some(by) = level.moves.get(level.next).copied() else {
                open.pop();
                continue;
            };
            let width = self.packed.width;
            let after = level.words[level.next * width..][..width].to_vec();
            level.next += 1;
            edges += 1;
            if edges > EDGES_MAX {
                return Err(Bail);
            }
            let path = self.lengthen(level.path, by, &level.state);
            failed |= by.is_failed();
            is_visible |= self.is_visible(by);
            if !by.goes_on() {
                transitions.push((path, by.is_failed()));
                continue;
            }
            let agent = self.owners[by.taker().unwrap_or(by.edge()) as usize] as usize;
            let next = self.level(agent, &after, false, path, &mut tried)?;
            match next.moves.is_empty() {
                true => transitions.push((self.stop(path, agent, &after), false)),
                false => open.push(next),
            }
        }
        let is_known = !tried.has_everything() && !timeout && !failed;
        let tried = tried.while_others_move();
        let tried = is_known.then(|| self.transitions.number(&tried));
        Ok(Recorded { transitions, tried, is_visible })
    }

    /// Whether a move may change the truth of an atomic proposition.
    fn is_visible(&self, by: Move) -> bool {
        let Some(observed) = &self.observed else { return false };
        observed.sees(by.edge()) || by.taker().is_some_and(|taker| observed.sees(taker))
    }

    /// What an agent can do in a state; adds what it was asked to `tried`.
    fn level(
        &mut self,
        agent: usize,
        state: &[Word],
        timeout: bool,
        path: Transition,
        tried: &mut Accesses,
    ) -> Result<Level, Bail> {
        let most = self.most(agent, state);
        let mut moves = vec![Move::default(); most];
        let mut words = vec![0; most * self.packed.width];
        let mut batch = Batch::new(self.packed.width, &mut moves, &mut words).tolerant();
        self.scratch.timeout = timeout;
        self.stepwise.ask(agent, state, &mut self.scratch, &mut batch)?;
        let count = batch.len();
        moves.truncate(count);
        self.try_all(agent, state, &moves, tried);
        Ok(Level { state: state.into(), moves, words, next: 0, path })
    }

    /// The most moves that an agent may have where it stands: offers that nobody can take may fail
    /// all the same.
    pub(crate) fn most(&self, agent: usize, state: &[Word]) -> usize {
        self.most[agent] + self.edges_at(agent, state)
    }

    /// How many edges an agent has where it stands.
    fn edges_at(&self, agent: usize, state: &[Word]) -> usize {
        let agent = &self.packed.agents[agent];
        let place = agent.places.get(agent.at.get(state) as usize);
        place.map_or(0, |place| place.groups.iter().map(Vec::len).sum())
    }

    /// Adds all that an agent was asked in a state in which it has these moves.
    fn try_all(&mut self, agent: usize, state: &[Word], moves: &[Move], tried: &mut Accesses) {
        let packed = Arc::clone(&self.packed);
        let place = packed.agents[agent].at.get(state) as usize;
        let (mut edge, mut moved) = (self.first[agent][place], false);
        let groups = &packed.agents[agent].places[place].groups;
        for (at, group) in groups.iter().enumerate() {
            for description in group {
                let executes = moves.iter().any(|by| by.edge() == edge);
                if matches!(description.then, Then::Offered(_)) {
                    // Who takes it depends on where the others stand.
                    tried.add_everything();
                } else if executes || !(description.is_else && moved) {
                    self.add(edge, executes, state, tried);
                }
                moved |= executes;
                edge += 1;
            }
            if moved {
                // What is not asked may take an offer of another process all the same.
                let takes = &packed.agents[agent].places[place].takes;
                if at + 1 < groups.len() && !takes.is_empty() {
                    tried.add_everything();
                }
                break;
            }
        }
    }

    /// The value of an expression, if it does not fail.
    pub(crate) fn value(&mut self, expr: &Value, state: &[Word]) -> Option<i32> {
        expr(state, &mut self.scratch).ok()
    }

    /// Adds what an edge accesses in a state in which it executes, or does not.
    fn add(&mut self, edge: u32, executes: bool, state: &[Word], to: &mut Accesses) {
        let Self { edges, scratch, .. } = self;
        let edge = &edges[edge as usize];
        let all: &[AccessExpr<Value>] = if executes { &edge.executed } else { &edge.refused };
        add(all, &mut |value| value(state, scratch).ok(), to);
    }

    /// The path with one more move, made in `state`.
    fn lengthen(&mut self, path: Transition, by: Move, state: &[Word]) -> Transition {
        let mut accesses = Accesses::default();
        accesses.moves(self.number_of(by.edge()));
        self.add(by.edge(), true, state, &mut accesses);
        for edge in self.refused_before(by.edge(), state) {
            self.add(edge, false, state, &mut accesses);
        }
        if let Some(taker) = by.taker() {
            accesses.moves(self.number_of(taker));
            self.add(taker, true, state, &mut accesses);
        }
        let last = by.taker().unwrap_or(by.edge());
        let statement = Some(self.edges[last as usize].statement);
        let accesses = self.transitions.number(&accesses);
        let mover = Some(self.number_of(by.edge()));
        let part = Part { edge: Some(by.edge()), taker: by.taker(), mover, accesses };
        self.transitions.longer(path, part, statement)
    }

    /// The path, which ends because nothing that the agent was asked executes.
    fn stop(&mut self, path: Transition, agent: usize, state: &[Word]) -> Transition {
        let mut accesses = Accesses::default();
        self.try_all(agent, state, &[], &mut accesses);
        let accesses = self.transitions.number(&accesses);
        self.transitions.longer(path, Part { edge: None, taker: None, mover: None, accesses }, None)
    }

    /// The number of the agent whose edge it is.
    fn number_of(&self, edge: u32) -> u32 {
        self.packed.agents[self.owners[edge as usize] as usize].number
    }

    /// The edges of its place that an edge executes only because they do not: those of the
    /// groups before its own, and, for an `else`, those before it.
    fn refused_before(&self, edge: u32, state: &[Word]) -> std::ops::Range<u32> {
        let agent = &self.packed.agents[self.owners[edge as usize] as usize];
        let place = agent.at.get(state) as usize;
        let first = self.first[self.owners[edge as usize] as usize][place];
        let mut begin = first;
        for group in &agent.places[place].groups {
            let end = begin + group.len() as u32;
            if (begin..end).contains(&edge) {
                let is_else = group[(edge - begin) as usize].is_else;
                return first..if is_else { edge } else { begin };
            }
            begin = end;
        }
        first..first
    }
}

/// A state on the way and what is still to be taken there.
struct Level {
    state: Box<[Word]>,
    moves: Vec<Move>,
    words: Vec<Word>,
    next: usize,
    path: Transition,
}

/// The number of the first edge of each place of each agent.
fn first_edges(packed: &Packed) -> Vec<Vec<u32>> {
    let mut next = 0;
    let mut place = |place: &crate::Place| {
        let first = next;
        let groups = place.groups.iter().chain(&place.takes);
        next += groups.map(Vec::len).sum::<usize>() as u32;
        first
    };
    packed.agents.iter().map(|agent| agent.places.iter().map(&mut place).collect()).collect()
}

/// How many temporaries the expressions of a table use.
fn temps(table: &AccessTable) -> usize {
    let mut count = 0;
    let mut see = |expr: &Expr| count = count.max(crate::predicates::temps(expr));
    for edge in &table.edges {
        map(&edge.executed, &mut see);
        map(&edge.refused, &mut see);
    }
    count
}
