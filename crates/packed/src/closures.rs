//! The back end of closures: every guard and every change is compiled once, the shapes
//! that models are made of into closures of their own. Safe, portable, and what machine
//! code is compared with.

mod change;
mod test;
mod value;

use crate::{Backend, Bail, Batch, FOLLOWED_MAX, Field, Move, Packed, Scratch, Then};
use change::Body;
use std::sync::Arc;
use system::Word;
use test::Test;
pub(crate) use value::{Value, value};

/// A packed form as closures.
pub struct Closures {
    agents: Vec<Agent>,
    movers: usize,
}

/// Compiles a form.
pub fn closures(packed: &Packed) -> Arc<Closures> {
    compile(packed, true)
}

/// Compiles a form so that sequences are not followed in place: each move is one edge.
pub(crate) fn stepwise(packed: &Packed) -> Arc<Closures> {
    compile(packed, false)
}

fn compile(packed: &Packed, follows: bool) -> Arc<Closures> {
    let mut compiler = Compiler { edges: 0, follows };
    let agents = packed.agents.iter().map(|agent| compiler.agent(agent)).collect();
    Arc::new(Closures { agents, movers: packed.movers() })
}

struct Agent {
    at: Field,
    places: Vec<Place>,
}

struct Place {
    groups: Groups,
    takes: Groups,
    is_followed: bool,
}

type Groups = Box<[Box<[Edge]>]>;

struct Edge {
    number: u32,
    is_else: bool,
    guard: Test,
    body: Body,
    /// Whether the body always ends well.
    is_sure: bool,
    goes_on: bool,
    /// Who may take its offer, if it makes one.
    takers: Option<Box<[usize]>>,
}

struct Compiler {
    edges: u32,
    /// Sequences are followed in place where they can be.
    follows: bool,
}

impl Compiler {
    fn agent(&mut self, agent: &crate::Agent) -> Agent {
        let place = |place: &crate::Place| {
            // In this order they are numbered.
            let groups = self.groups(&place.groups);
            let takes = self.groups(&place.takes);
            Place { groups, takes, is_followed: self.follows && place.is_followed() }
        };
        Agent { at: agent.at, places: agent.places.iter().map(place).collect() }
    }

    fn groups(&mut self, groups: &[Vec<crate::Edge>]) -> Groups {
        groups.iter().map(|group| group.iter().map(|edge| self.edge(edge)).collect()).collect()
    }

    fn edge(&mut self, edge: &crate::Edge) -> Edge {
        let number = self.edges;
        self.edges += 1;
        Edge {
            number,
            is_else: edge.is_else,
            guard: Test::new(&edge.guard),
            body: Body::new(&edge.body),
            is_sure: edge.is_sure(),
            goes_on: edge.then == Then::GoesOn,
            takers: match &edge.then {
                Then::Offered(takers) => Some(takers.as_slice().into()),
                Then::Visible | Then::GoesOn => None,
            },
        }
    }
}

impl Backend for Closures {
    fn ask(
        &self,
        agent: usize,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        let groups = &self.agents[agent].place(state)?.groups;
        self.moves((agent, groups), Move::alone, state, scratch, batch)
    }

    fn ask_all(
        &self,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        (0..self.movers).try_for_each(|agent| self.ask(agent, state, scratch, batch))
    }
}

impl Agent {
    #[inline]
    fn place(&self, state: &[Word]) -> Result<&Place, Bail> {
        self.places.get(self.at.get(state) as u32 as usize).ok_or(Bail)
    }
}

impl Closures {
    /// The moves of the first group of an agent that has any; `by` is who makes them, given
    /// the edge.
    #[inline]
    fn moves(
        &self,
        (agent, groups): (usize, &Groups),
        by: impl Fn(u32) -> Move,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        let count = |batch: &Batch<'_>| batch.len() + batch.spared();
        let before = count(batch);
        for group in groups {
            for edge in group {
                if edge.is_else && count(batch) > before {
                    continue;
                }
                match edge.guard.holds(state, scratch) {
                    Ok(true) => {}
                    Ok(false) => continue,
                    Err(Bail) => {
                        batch.fail(by(edge.number))?;
                        continue;
                    }
                }
                match &edge.takers {
                    Some(takers) => self.offer(edge, takers, state, scratch, batch)?,
                    None => self.one(agent, (edge, by(edge.number)), state, scratch, batch)?,
                }
            }
            if count(batch) > before {
                break;
            }
        }
        Ok(())
    }

    /// The move of an edge whose guard holds and that makes no offer.
    #[inline]
    fn one(
        &self,
        agent: usize,
        (edge, by): (&Edge, Move),
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        let left_out = batch.leaves_out(by.edge());
        if left_out && edge.is_sure && !edge.goes_on {
            batch.spare(1);
            return Ok(());
        }
        let next = batch.slot();
        next.copy_from_slice(state);
        match edge.body.apply(next, scratch) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(Bail) => return batch.fail(by),
        }
        scratch.executed[by.edge() as usize] = 1;
        scratch.executed[edge.number as usize] = 1;
        let by = if edge.goes_on { self.follow(agent, by, next, scratch)? } else { by };
        match left_out && !by.goes_on() {
            true => batch.spare(1),
            false => batch.accept(by),
        }
        Ok(())
    }

    /// Follows the sequence that a move has begun, in place.
    fn follow(
        &self,
        agent: usize,
        by: Move,
        state: &mut [Word],
        scratch: &mut Scratch,
    ) -> Result<Move, Bail> {
        for more in 0..FOLLOWED_MAX {
            let place = self.agents[agent].place(state)?;
            if !place.is_followed {
                return Ok(by.followed(more, true));
            }
            let mut only = None;
            for edge in place.groups.iter().flatten() {
                if edge.is_else && only.is_some() || !edge.guard.holds(state, scratch)? {
                    continue;
                }
                if only.replace(edge).is_some() {
                    return Ok(by.followed(more, true));
                }
            }
            let Some(edge) = only else { return Ok(by.followed(more, false)) };
            // Guards of others may have used the same temporaries.
            edge.guard.holds(state, scratch)?;
            edge.body.apply(state, scratch)?;
            scratch.executed[edge.number as usize] = 1;
            if !edge.goes_on {
                return Ok(by.followed(more + 1, false));
            }
        }
        Err(Bail)
    }

    fn offer(
        &self,
        edge: &Edge,
        takers: &[usize],
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        // Out of the scratch, so that both can be changed; no allocation.
        let mut offered = std::mem::take(&mut scratch.offered);
        offered.copy_from_slice(state);
        let mut made = edge.body.apply(&mut offered, scratch);
        if made == Ok(true) {
            made = takers
                .iter()
                .try_for_each(|taker| {
                    let takes = &self.agents[*taker].place(&offered)?.takes;
                    let by = |taker| Move::both(edge.number, taker);
                    self.moves((*taker, takes), by, &offered, scratch, batch)
                })
                .map(|()| true);
        }
        scratch.offered = offered;
        match made {
            Ok(_) => Ok(()),
            Err(Bail) => batch.fail(Move::alone(edge.number)),
        }
    }
}
