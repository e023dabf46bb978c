//! The edges of a whole space, listed once. Worth their memory if they are followed often.
//!
//! The store has its states in the order of their keys, so whoever walks along edges meets one
//! far from the other each time. Here states are numbered anew, breadth first: what is met
//! together lies together, and a walk takes half the time.

use super::walker::{Listed, Sets, Walker};
use crate::Why;
use crate::memory::bytes_of;
use collapse::{ABSENT, Account};
use std::collections::HashMap;
use system::Processes;

/// For each state where its edges begin, and where they lead, all by new numbers.
#[derive(Debug, Default)]
pub struct Edges {
    firsts: Vec<u32>,
    targets: Vec<u32>,
    /// Of each edge the place of the set of processes that take part, if that was asked for.
    places: Vec<u16>,
    pub(super) sets: Sets,
    /// Of each state its letter; [`NO_LETTER`] if it has none.
    letters: Vec<u32>,
    /// Of each state the number it has in the space.
    originals: Vec<u32>,
    /// Who takes part in steps that are no edges, of the states that have some.
    failing: HashMap<u32, Processes>,
}

/// Instead of the letter of a state in which a proposition cannot be evaluated.
const NO_LETTER: u32 = u32::MAX;

impl Walker<'_> {
    /// Lists all edges.
    ///
    /// # Errors
    /// Why not: there is no room, for one.
    pub fn list(&mut self) -> Result<Edges, Why> {
        let (mut edges, mut numbers) = (Edges::default(), Vec::new());
        let listed = self.list_into(&mut edges, &mut numbers);
        self.memory().give(bytes_of(&numbers));
        match listed {
            Ok(()) => Ok(edges),
            Err(why) => {
                self.memory().give(edges.capacity_bytes());
                Err(why)
            }
        }
    }

    /// Breadth first; `numbers` has the new number of each state that was met.
    fn list_into(&mut self, edges: &mut Edges, numbers: &mut Vec<u32>) -> Result<(), Why> {
        let states = self.space().states();
        self.memory().resize(numbers, states)?;
        numbers.resize(states, ABSENT);
        self.memory().resize(&mut edges.firsts, states + 1)?;
        self.memory().resize(&mut edges.letters, states)?;
        self.memory().resize(&mut edges.originals, states)?;
        let initial = self.space().initial();
        numbers[initial as usize] = 0;
        edges.originals.push(initial);
        let (mut next, mut listed) = (0, Listed::default());
        while let Some(state) = edges.originals.get(next).copied() {
            let expansion = self.expand(state, &mut listed)?;
            self.memory().grow(&mut edges.targets, listed.targets.len())?;
            self.memory().grow(&mut edges.places, listed.sets.len())?;
            edges.firsts.push(u32::try_from(edges.targets.len()).map_err(|_| Why::Memory)?);
            edges.letters.push(expansion.letter.map_or(NO_LETTER, |letter| letter as u32));
            edges.places.extend(&listed.sets);
            let moved = listed.sets.iter().fold(0, |all, place| all | self.participants(*place));
            if expansion.enabled != moved {
                edges.failing.insert(next as u32, expansion.enabled);
            }
            listed.targets.iter().for_each(|target| edges.lead_to(*target, numbers));
            next += 1;
        }
        edges.firsts.push(u32::try_from(edges.targets.len()).map_err(|_| Why::Memory)?);
        edges.sets = self.sets().clone();
        Ok(())
    }
}

impl Edges {
    /// Adds an edge to a state of the space.
    fn lead_to(&mut self, state: u32, numbers: &mut [u32]) {
        let number = &mut numbers[state as usize];
        if *number == ABSENT {
            *number = self.originals.len() as u32;
            self.originals.push(state);
        }
        self.targets.push(*number);
    }

    /// The edges of a state; its letter, and who takes part in what is no edge.
    pub(super) fn read(&self, state: u32, into: &mut Listed) -> (Option<usize>, Processes) {
        let at = state as usize;
        let range = self.firsts[at] as usize..self.firsts[at + 1] as usize;
        into.targets.extend_from_slice(&self.targets[range.clone()]);
        into.sets.extend_from_slice(self.places.get(range).unwrap_or_default());
        let failing = match self.failing.is_empty() {
            true => 0,
            false => self.failing.get(&state).copied().unwrap_or(0),
        };
        (self.letter(state), failing)
    }

    /// The letter of a state.
    pub(super) fn letter(&self, state: u32) -> Option<usize> {
        let letter = self.letters[state as usize];
        (letter != NO_LETTER).then_some(letter as usize)
    }

    /// The number that a state has in the space.
    pub(super) fn original(&self, state: u32) -> u32 {
        self.originals[state as usize]
    }

    fn capacity_bytes(&self) -> u64 {
        let states = bytes_of(&self.firsts) + bytes_of(&self.letters) + bytes_of(&self.originals);
        states + bytes_of(&self.targets) + bytes_of(&self.places)
    }
}
