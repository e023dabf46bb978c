//! Persistent sets of single processes (Godefroid 1996), the candidates for ample sets
//! (Holzmann and Peled 1994; Clarke, Grumberg and Peled 1999, chapter 10): a process that
//! does now only what no other process can ever disturb, or be disturbed by, from its
//! control location.
//!
//! The present of the process is all that it was asked in the state, edges that do not
//! execute included; the future of the others is all that they may still access
//! (condition C1). As long as only others move, nothing that the process asked changes its
//! answer: it keeps exactly its steps, and each of them commutes with whatever the others
//! do. One side is about enabled transitions only, which is why the relation of sleep sets
//! may be used: whatever the process cannot do now stands among its accesses as a peek.
//!
//! `timeout` is no access here. As long as the process can move, no timeout fires elsewhere.
//!
//! A process that can only exit, where numbers do not matter ([`AccessTable::exits`]): nobody can
//! tell whether it has exited. Call two states alike that are the same but for such processes, and
//! for the numbers of processes and channels. All steps but exits are the same in states that are
//! alike, and lead to states that are; exits come to an end, so where no other step is left a
//! blocked state is reached that is alike. What is kept is therefore kept of states up to being alike,
//! and there exits are no steps at all. So a process that can only exit may be moved alone,
//! although nobody can be created at the same time without getting another number; and its exit is no
//! part of anybody's future: `run` may be moved alone before it. What is kept of blocked states is
//! all but the processes that can only exit, and the numbers. A message that goes with a process
//! would be missed there, so with messages it is not moved alone to exit.
//!
//! A process that a form does not know yet is missing in the future of who creates it. The
//! step that creates it ends the search, which begins again with that process; until then it
//! is a step into a state without successors, and reductions keep those.

use crate::access::{AccessTable, add_any};
use crate::bit_sets::BitSets;
use crate::closures::{Value, value};
use crate::read_set::{all_targets, targets};
use crate::record::Recorder;
use crate::transition::AccessId;
use crate::visit::visit_expr;
use crate::{Agent, Edge, Expr, Packed, Place, Then};
use rapidhash::RapidHashMap;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use system::{
    Accesses, Candidates, Dependency, Processes, StepOutcome, Stubborn, Successors, Word,
};

/// A control location of an agent: both are indices.
type Node = (usize, usize);

/// An agent that can move, and the places of its steps.
type Mover = (usize, Range<usize>);

/// What processes may still access, and how it goes with what others do.
pub(crate) struct Persistent {
    packed: Arc<Packed>,
    /// What is done at each place, and where each leads: own places and those of processes
    /// that are created.
    here: Vec<Vec<Accesses>>,
    leads: Vec<Vec<Vec<Node>>>,
    exits: Vec<Vec<Option<Value>>>,
    /// The words that the conditions of `exits` read.
    exit_words: Vec<Vec<Option<Vec<usize>>>>,
    futures: RapidHashMap<Node, Accesses>,
    apart: RapidHashMap<(AccessId, Node), bool>,
    presents: Presents,
    /// The future of each node as bits, and how many presents it knows.
    rows: RapidHashMap<Node, (usize, Vec<Word>)>,
}

/// What agents are asked where they may be moved alone: by whom and which accesses, none where
/// all that the agent does is to exit unseen. The number of each is its place and one.
#[derive(Default)]
struct Presents {
    all: Vec<(usize, Option<AccessId>)>,
    numbers: RapidHashMap<(usize, Option<AccessId>), u16>,
}

/// So many presents have a number.
const PRESENTS_MAX: usize = (1 << 12) - 1;

impl Presents {
    fn number(&mut self, present: (usize, Option<AccessId>)) -> u16 {
        if let Some(known) = self.numbers.get(&present) {
            return *known;
        }
        if self.all.len() == PRESENTS_MAX {
            return 0;
        }
        self.all.push(present);
        self.numbers.insert(present, self.all.len() as u16);
        self.all.len() as u16
    }
}

impl Persistent {
    pub(crate) fn new(packed: &Arc<Packed>, table: &AccessTable) -> Self {
        let mut first = 0;
        let mut here = Vec::new();
        for agent in &packed.agents {
            let place = |(at, place): (usize, &Place)| {
                let count = edges(place).count();
                let accesses = self::here(agent, (at, place), (table, first));
                first += count;
                accesses
            };
            here.push(agent.places.iter().enumerate().map(place).collect());
        }
        let leads = (0..packed.agents.len()).map(|agent| leads(packed, agent)).collect();
        Self {
            packed: Arc::clone(packed),
            here,
            leads,
            exits: table.exits.iter().map(|exits| compiled(exits)).collect(),
            exit_words: table.exits.iter().map(|exits| words(exits)).collect(),
            futures: RapidHashMap::default(),
            apart: RapidHashMap::default(),
            presents: Presents::default(),
            rows: RapidHashMap::default(),
        }
    }

    /// Somebody observes the states, by the numbers of processes too: an exit is a step like others.
    pub(crate) fn observe(&mut self) {
        self.exits.iter_mut().flatten().for_each(|exit| *exit = None);
    }

    /// The number of what an agent is asked in a state, if it may ever be moved alone there, else 0.
    pub(crate) fn present(&mut self, recorder: &mut Recorder, agent: usize, state: &[Word]) -> u16 {
        let Ok(recorded) = recorder.steps_of(agent, state, false) else { return 0 };
        if recorded.is_visible {
            return 0;
        }
        let Some(tried) = recorded.tried else { return 0 };
        let unseen = !recorded.transitions.is_empty()
            && self.exits_by_read_set(recorder, agent, state)
            && self.exits_unseen(recorder, agent, state);
        self.presents.number((agent, Some(tried).filter(|_| !unseen)))
    }

    /// How many presents have numbers.
    pub(crate) fn presents(&self) -> u16 {
        self.presents.all.len() as u16
    }

    /// Bit `n` for the present of number `n`, of another agent, that an agent may disturb from
    /// where it stands.
    pub(crate) fn row(
        &mut self,
        recorder: &Recorder,
        (agent, state): (usize, &[Word]),
        row: &mut Vec<Word>,
    ) -> usize {
        let node = (agent, self.place(agent, state));
        let (count, mut own) = self.rows.remove(&node).unwrap_or_default();
        own.resize(self.presents.all.len() / Word::BITS as usize + 1, 0);
        for number in count + 1..=self.presents.all.len() {
            let (other, tried) = self.presents.all[number - 1];
            let disturbs = |tried| !self.is_apart(recorder, tried, node);
            if other != agent && tried.is_some_and(disturbs) {
                own[number / Word::BITS as usize] |= 1 << (number % Word::BITS as usize);
            }
        }
        row.clone_from(&own);
        self.rows.insert(node, (self.presents.all.len(), own));
        node.1
    }

    /// Whether the read set of a process decides that its exit is not seen.
    fn exits_by_read_set(&self, recorder: &Recorder, agent: usize, state: &[Word]) -> bool {
        let place = self.place(agent, state);
        let words = self.exit_words[agent].get(place).and_then(Option::as_ref);
        words.is_some_and(|words| words.iter().all(|word| recorder.reads(agent, place, *word)))
    }

    /// Adds the steps of each process that can be moved alone; if there is none, those of
    /// groups.
    pub(crate) fn find(
        &mut self,
        recorder: &mut Recorder,
        state: &[Word],
        batch: &Successors,
        found: &mut Candidates,
    ) {
        let moving = self.moving(batch);
        if moving.len() < 2 {
            return;
        }
        let asked: Vec<_> = moving
            .iter()
            .map(|(agent, steps)| asked(recorder, *agent, state, (batch, steps)))
            .collect();
        for ((agent, steps), tried) in moving.iter().zip(&asked) {
            // Where all depends on all, so does an exit.
            let Some(tried) = *tried else { continue };
            if self.exits_unseen(recorder, *agent, state)
                || self.is_undisturbed(recorder, *agent, tried, state)
            {
                found.push([steps.clone()]);
            }
        }
        if found.is_empty() {
            self.find_groups(recorder, state, (&moving, &asked), found);
        }
    }

    /// Adds the steps of groups of processes that can be moved alone together.
    fn find_groups(
        &mut self,
        recorder: &mut Recorder,
        state: &[Word],
        (moving, asked): (&[Mover], &[Option<AccessId>]),
        found: &mut Candidates,
    ) {
        let agents = self.packed.agents.len();
        if agents > Stubborn::AGENTS_MAX {
            return;
        }
        let mut stubborn = Stubborn::default();
        for agent in 0..agents {
            let mover = moving.iter().position(|(mover, _)| *mover == agent);
            let tried = match mover {
                Some(at) => asked[at],
                None => self::asked(recorder, agent, state, (&Successors::new(0), &(0..0))),
            };
            let disturbers = tried.map(|tried| self.disturbers(recorder, (agent, tried), state));
            stubborn.push(mover.is_some(), disturbers);
        }
        let of = |group: Processes| {
            moving.iter().filter(move |(agent, _)| group >> agent & 1 != 0).map(|(_, steps)| steps)
        };
        for group in stubborn.groups(|group| of(group).map(|steps| steps.len() as u32).sum()) {
            found.push(of(*group).cloned());
        }
    }

    /// Who may disturb what an agent is asked.
    fn disturbers(
        &mut self,
        recorder: &Recorder,
        (agent, tried): (usize, AccessId),
        state: &[Word],
    ) -> Processes {
        let others = (0..self.packed.agents.len()).filter(|other| *other != agent);
        others.fold(0, |all, other| {
            let node = (other, self.place(other, state));
            let disturbs = !self.is_apart(recorder, tried, node);
            all | Processes::from(disturbs) << other
        })
    }

    /// The agents that can move, with their steps: they stand side by side.
    fn moving(&self, batch: &Successors) -> Vec<Mover> {
        let index = |number: u32| self.packed.agents.iter().position(|a| a.number == number);
        let mut found: Vec<Mover> = Vec::new();
        let mut last = None;
        for (at, step) in batch.steps().enumerate() {
            match found.last_mut().filter(|_| last == Some(step.agent)) {
                Some((_, steps)) => steps.end = at + 1,
                None => found.extend(index(step.agent).map(|agent| (agent, at..at + 1))),
            }
            last = Some(step.agent);
        }
        found
    }

    fn place(&self, agent: usize, state: &[Word]) -> usize {
        self.packed.agents[agent].at.get(state) as usize
    }

    /// Whether all that a process does is to exit, and nobody can tell.
    fn exits_unseen(&self, recorder: &mut Recorder, agent: usize, state: &[Word]) -> bool {
        let exits = self.exits[agent].get(self.place(agent, state)).and_then(Option::as_ref);
        exits.is_some_and(|unseen| recorder.value(unseen, state).is_some_and(|holds| holds != 0))
    }

    fn is_undisturbed(
        &mut self,
        recorder: &Recorder,
        agent: usize,
        tried: AccessId,
        state: &[Word],
    ) -> bool {
        let mut others = (0..self.packed.agents.len()).filter(|other| *other != agent);
        others.all(|other| {
            let node = (other, self.place(other, state));
            self.is_apart(recorder, tried, node)
        })
    }

    /// Whether some accesses and those a process at a place may ever make are independent.
    fn is_apart(&mut self, recorder: &Recorder, tried: AccessId, node: Node) -> bool {
        if let Some(known) = self.apart.get(&(tried, node)) {
            return *known;
        }
        let future = match self.futures.get(&node) {
            Some(known) => known,
            None => {
                let future = self.future(node);
                self.futures.entry(node).or_insert(future)
            }
        };
        let tried_accesses = recorder.transitions.accesses(tried);
        let apart = !tried_accesses.depends_on(future, Dependency::Fine);
        self.apart.insert((tried, node), apart);
        apart
    }

    /// What a process at a place may still access, with those it creates.
    fn future(&self, node: Node) -> Accesses {
        let (mut known, mut open) = (BTreeSet::from([node]), vec![node]);
        let mut future = Accesses::default();
        while let Some((agent, place)) = open.pop() {
            let Some(here) = self.here[agent].get(place) else { continue };
            let exits_unseen = self.exits[agent].get(place).is_some_and(Option::is_some);
            if !exits_unseen {
                future.join(here);
            }
            let next = self.leads[agent][place].iter().filter(|node| known.insert(**node));
            open.extend(next);
        }
        future.while_others_move()
    }
}

/// What an agent is asked in a state in which it has these steps, if that is known and all
/// of them lead to states.
fn asked(
    recorder: &mut Recorder,
    agent: usize,
    state: &[Word],
    (batch, steps): (&Successors, &Range<usize>),
) -> Option<AccessId> {
    let enters = steps.clone().all(|at| batch.outcome(at) == StepOutcome::State);
    let recorded = recorder.steps_of(agent, state, false).ok()?;
    let moves = enters && !recorded.is_visible && recorded.transitions.len() == steps.len();
    recorded.tried.filter(|_| moves)
}

fn compiled(exprs: &[Option<Expr>]) -> Vec<Option<Value>> {
    exprs.iter().map(|expr| expr.as_ref().map(value)).collect()
}

/// The words that each condition reads.
fn words(exprs: &[Option<Expr>]) -> Vec<Option<Vec<usize>>> {
    let words = |expr: &Expr| {
        let mut bits = BitSets::default();
        visit_expr(expr, &mut |_, expr| expr.into_iter().for_each(|expr| bits.see_expr(expr)));
        bits.words_read().collect()
    };
    exprs.iter().map(|expr| expr.as_ref().map(words)).collect()
}

/// The edges of a place in the order that numbers them.
fn edges(place: &Place) -> impl Iterator<Item = &Edge> {
    place.groups.iter().chain(&place.takes).flatten()
}

/// What the edges of a place access, the first of which has the number `first`. That one does
/// not execute counts where another stands behind it, or a sequence stops.
fn here(
    agent: &Agent,
    (at, place): (usize, &Place),
    (table, first): (&AccessTable, usize),
) -> Accesses {
    let goes_on_here = |(from, other): (usize, &Place)| {
        let goes_on = |edge: &Edge| edge.then == Then::GoesOn;
        edges(other).any(|edge| goes_on(edge) && targets(agent, from, edge).contains(&at))
    };
    let is_peeked_at = place.groups.len() > 1
        || edges(place).any(|edge| edge.is_else)
        || agent.places.iter().enumerate().any(goes_on_here);
    let mut accesses = Accesses::default();
    for edge in &table.edges[first..first + edges(place).count()] {
        add_any(&edge.executed, &mut accesses);
        if is_peeked_at {
            add_any(&edge.refused, &mut accesses);
        }
    }
    accesses
}

/// Where each place of an agent leads.
fn leads(packed: &Packed, agent: usize) -> Vec<Vec<Node>> {
    let created = |edge: &Edge| {
        let nodes = all_targets(&packed.agents, edge).into_iter();
        nodes.filter(|(other, _)| *other != agent).collect::<Vec<Node>>()
    };
    let from = |(at, place): (usize, &Place)| {
        let mut nodes: Vec<Node> = Vec::new();
        for edge in edges(place) {
            let own = targets(&packed.agents[agent], at, edge).into_iter();
            nodes.extend(own.map(|to| (agent, to)));
            nodes.extend(created(edge));
        }
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    };
    packed.agents[agent].places.iter().enumerate().map(from).collect()
}
