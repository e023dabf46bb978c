//! The edges of a whole space, listed once. Worth their memory if they are followed often.

use super::walker::{Listed, Sets, Walker};
use crate::Why;
use crate::memory::bytes_of;
use collapse::Account;
use std::collections::HashMap;
use system::Processes;

/// For each state where its edges begin, and where they lead.
#[derive(Debug, Default)]
pub struct Edges {
    firsts: Vec<u32>,
    targets: Vec<u32>,
    /// Of each edge the place of the set of processes that take part, if that was asked for.
    places: Vec<u16>,
    pub(super) sets: Sets,
    /// One bit per state: it has no step.
    halted: Vec<u64>,
    /// Who takes part in steps that are no edges, of the states that have some.
    failing: HashMap<u32, Processes>,
}

impl Walker<'_> {
    /// Lists all edges.
    ///
    /// # Errors
    /// Why not: there is no room, for one.
    pub fn list(&mut self) -> Result<Edges, Why> {
        let mut edges = Edges::default();
        match self.list_into(&mut edges) {
            Ok(()) => Ok(edges),
            Err(why) => {
                self.memory().give(edges.capacity_bytes());
                Err(why)
            }
        }
    }

    fn list_into(&mut self, edges: &mut Edges) -> Result<(), Why> {
        let mut listed = Listed::default();
        let states = self.space().states();
        self.memory().grow(&mut edges.firsts, states + 1)?;
        edges.halted.resize(states.div_ceil(64), 0);
        for state in 0..states as u32 {
            let expansion = self.expand(state, &mut listed)?;
            self.memory().grow(&mut edges.targets, listed.targets.len())?;
            self.memory().grow(&mut edges.places, listed.sets.len())?;
            edges.firsts.push(u32::try_from(edges.targets.len()).map_err(|_| Why::Memory)?);
            edges.targets.extend(&listed.targets);
            edges.places.extend(&listed.sets);
            let moved = listed.sets.iter().fold(0, |all, place| all | self.participants(*place));
            if expansion.enabled != moved {
                edges.failing.insert(state, expansion.enabled);
            }
            let halts = expansion.letter.is_some_and(|letter| letter % 2 == 1);
            edges.halted[state as usize / 64] |= u64::from(halts) << (state % 64);
        }
        edges.firsts.push(u32::try_from(edges.targets.len()).map_err(|_| Why::Memory)?);
        edges.sets = self.sets().clone();
        Ok(())
    }
}

impl Edges {
    /// The edges of a state; whether it has no step, and who takes part in what is no edge.
    pub(super) fn read(&self, state: u32, into: &mut Listed) -> (bool, Processes) {
        let at = state as usize;
        let range = self.firsts[at] as usize..self.firsts[at + 1] as usize;
        into.targets.extend_from_slice(&self.targets[range.clone()]);
        into.sets.extend_from_slice(self.places.get(range).unwrap_or_default());
        let halts = self.halted[at / 64] >> (at % 64) & 1 != 0;
        (halts, self.failing.get(&state).copied().unwrap_or(0))
    }

    fn capacity_bytes(&self) -> u64 {
        bytes_of(&self.firsts) + bytes_of(&self.targets) + bytes_of(&self.places)
    }
}
