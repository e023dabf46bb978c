//! The steps by which states were discovered, found by asking the system again. Trails to
//! many errors have most of their steps in common: those are found once.

use crate::log::Log;
use crate::store::Decode;
use std::collections::HashMap;
use system::{Step, Successors, System};

/// So many steps are remembered; with more than that all are forgotten.
const STEPS_MAX: usize = 1 << 16;

/// The steps found so far.
#[derive(Debug, Default)]
pub(crate) struct Trails {
    /// The step by which the state of a number was discovered.
    steps: HashMap<u64, Step>,
}

impl Trails {
    /// The steps from the initial state to this one.
    pub(crate) fn of<S, T>(
        &mut self,
        system: &S,
        store: &mut T,
        log: &Log,
        mut number: u64,
    ) -> Vec<Step>
    where
        S: System,
        T: Decode<Note = ()>,
    {
        let mut steps = Vec::new();
        while number > 0 {
            let known = self.steps.get(&number).copied();
            let step = known.or_else(|| self.find(system, store, log, number));
            steps.extend(step);
            number = log.parent(number);
        }
        steps.reverse();
        steps
    }

    /// A state was discovered by the first step of its parent that leads to exactly its
    /// words.
    fn find<S, T>(&mut self, system: &S, store: &mut T, log: &Log, number: u64) -> Option<Step>
    where
        S: System,
        T: Decode<Note = ()>,
    {
        let (mut state, mut parent) = (vec![0; system.width()], vec![0; system.width()]);
        store.decode(log.key(number), &mut state);
        store.decode(log.key(log.parent(number)), &mut parent);
        let mut batch = Successors::new(system.width());
        system.successors(&parent, &mut batch);
        let mut ways = batch.iter().filter(|way| way.1.enters());
        let way = ways.find(|(_, _, words)| *words == state);
        debug_assert!(way.is_some(), "a state is a successor of its parent");
        let step = way.map(|(step, _, _)| step)?;
        if self.steps.len() == STEPS_MAX {
            self.steps.clear();
        }
        self.steps.insert(number, step);
        Some(step)
    }
}
