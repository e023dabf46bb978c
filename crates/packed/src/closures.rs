//! The back end of closures: every guard and every change is compiled once, the shapes
//! that models are made of into closures of their own. Safe, portable, and what machine
//! code is compared with.

mod change;
mod test;
mod value;

use crate::{Backend, Bail, Batch, Field, Move, Packed, Scratch, Then};
use change::Body;
use std::sync::Arc;
use system::Word;
use test::Test;

/// A packed form as closures.
pub struct Closures {
    agents: Vec<Agent>,
}

/// Compiles a form.
pub fn closures(packed: &Packed) -> Arc<Closures> {
    let mut compiler = Compiler { edges: 0 };
    let agents = packed.agents.iter().map(|agent| compiler.agent(agent)).collect();
    Arc::new(Closures { agents })
}

struct Agent {
    at: Field,
    places: Vec<Place>,
}

struct Place {
    groups: Groups,
    takes: Groups,
}

type Groups = Box<[Box<[Edge]>]>;

struct Edge {
    number: u32,
    is_else: bool,
    guard: Test,
    body: Body,
    /// Who may take its offer, if it makes one.
    takers: Option<Box<[usize]>>,
}

struct Compiler {
    edges: u32,
}

impl Compiler {
    fn agent(&mut self, agent: &crate::Agent) -> Agent {
        let place = |place: &crate::Place| {
            // In this order they are numbered.
            let groups = self.groups(&place.groups);
            Place { groups, takes: self.groups(&place.takes) }
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
        let place = self.agents[agent].place(state)?;
        self.moves(&place.groups, Move::alone, state, scratch, batch)
    }

    fn ask_all(
        &self,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        (0..self.agents.len()).try_for_each(|agent| self.ask(agent, state, scratch, batch))
    }
}

impl Agent {
    #[inline]
    fn place(&self, state: &[Word]) -> Result<&Place, Bail> {
        self.places.get(self.at.get(state) as u32 as usize).ok_or(Bail)
    }
}

impl Closures {
    /// The moves of the first group that has any; `by` is who makes them, given the edge.
    #[inline]
    fn moves(
        &self,
        groups: &Groups,
        by: impl Fn(u32) -> Move,
        state: &[Word],
        scratch: &mut Scratch,
        batch: &mut Batch<'_>,
    ) -> Result<(), Bail> {
        let before = batch.len();
        for group in groups {
            for edge in group {
                if edge.is_else && batch.len() > before || !edge.guard.holds(state, scratch)? {
                    continue;
                }
                if let Some(takers) = &edge.takers {
                    self.offer(edge, takers, state, scratch, batch)?;
                    continue;
                }
                let next = batch.slot();
                next.copy_from_slice(state);
                if edge.body.apply(next, scratch)? {
                    batch.accept(by(edge.number));
                }
            }
            if batch.len() > before {
                break;
            }
        }
        Ok(())
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
                    self.moves(takes, |by| Move::both(edge.number, by), &offered, scratch, batch)
                })
                .map(|()| true);
        }
        scratch.offered = offered;
        made.map(|_| ())
    }
}
