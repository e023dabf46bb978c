//! A network with propositions. Searches for cycles and predicates see it neither minimised nor
//! watched by assertions, with every label a state; that of a service is minimised, and its
//! assertion watches.

use super::executor::{self, Learned};
use super::temporal;
use crate::Options;
use crate::cycles::Witness;
use crate::subject::atoms::Atoms;
use crate::subject::{Boxed, Form, Shortening, Systems, Unsearchable};
use crate::workflow::Workflow;
use automata::reference::{self, Move, Outcome as After, World};
use automata::{EdgeId, MachineId, Network};
use base::{Id, SourceMap};
use model::{Model, Predicate};
use search::Outcome;
use system::{HALTED, Letter, Processes, Step};
use trace::{Explanation, Mismatch, NetworkRun, Run};

/// A network and what is looked at.
pub(super) struct Looked<'a> {
    pub(super) model: &'a Model,
    /// As it is written.
    pub(super) raw: &'a Network,
    /// The same, or minimised.
    pub(super) searched: &'a Network,
    pub(super) atoms: Atoms<Predicate>,
    pub(super) learned: Learned,
}

impl Looked<'_> {
    fn letter(&self, world: &World) -> Option<Letter> {
        let atoms = self.atoms.predicates.iter().enumerate();
        atoms.clone().try_fold(0, |letter, (at, atom)| {
            let holds = reference::holds(self.raw, world, atom).ok()?;
            Some(letter | Letter::from(holds) << at)
        })
    }

    fn after(&self, world: &World, moves: &[Move], step: &Step) -> Option<World> {
        let machine = MachineId::new(step.agent as usize);
        let edge =
            self.searched.machines.get(machine)?.edges.get(EdgeId::new(step.edge as usize))?;
        let fits = |m: &&Move| m.machine == machine && edge.originals.contains(&m.edge);
        let step = *moves.iter().find(fits)?;
        match reference::apply(self.raw, world, step) {
            After::World(next) => Some(next),
            After::Violation(..) | After::DivisionByZero => None,
        }
    }
}

/// A machine as a set.
fn mover(machine: usize) -> Processes {
    Processes::checked_shl(1, machine as u32).unwrap_or(0)
}

impl Form for Looked<'_> {
    fn size(&self) -> u64 {
        self.searched.machines.iter().map(|machine| machine.states.len() as u64).sum()
    }

    fn systems(&self, workflow: &Workflow, options: &Options) -> Result<Systems<'_>, Unsearchable> {
        let atoms = Some(&*self.atoms.predicates);
        Ok(executor::systems(self.searched, &self.learned, atoms, workflow, options))
    }

    fn learn(&self, searched: &[Boxed<'_>]) -> bool {
        self.learned.learn(self.searched, searched)
    }

    fn executed(&self, _: &Outcome, _: &[Boxed<'_>], _symmetry: bool) -> Vec<Vec<bool>> {
        Vec::new()
    }

    fn shortening(&self) -> Shortening {
        Shortening::Nothing
    }

    fn witness(&self, trail: &[Step], start: usize) -> Result<Witness, Mismatch> {
        let cannot = |at: usize| Mismatch::new(at + 1, "the reference interpreter cannot take it");
        let mut world = reference::initial(self.raw);
        let (mut witness, mut first) = (Witness::default(), None);
        for at in 0..=trail.len() {
            let moves = reference::moves(self.raw, &world);
            let letter = self.letter(&world).ok_or_else(|| cannot(at))?;
            witness.letters.push(letter | if moves.is_empty() { HALTED } else { 0 });
            let enabled = moves.iter().fold(0, |all, m| all | mover(m.machine.index()));
            witness.enabled.push(enabled);
            if at == start {
                first = Some(world.clone());
            }
            let Some(step) = trail.get(at) else {
                // Without a step of its own the cycle is that nothing moves.
                witness.returns = first.is_some_and(|first| first == world)
                    && (trail.len() > start || moves.is_empty());
                break;
            };
            world = self.after(&world, &moves, step).ok_or_else(|| cannot(at))?;
            witness.moved.push(mover(step.agent as usize));
        }
        Ok(witness)
    }

    fn atoms(&self, sources: &SourceMap) -> Vec<String> {
        temporal::texts(&self.atoms, self.model, sources)
    }

    fn run<'a>(&'a self, sources: &'a SourceMap) -> Result<Box<dyn Run + 'a>, Explanation> {
        Ok(Box::new(match self.raw.observers.is_empty() {
            true => NetworkRun::unwatched(self.raw, sources),
            false => NetworkRun::new(self.raw, self.searched, sources),
        }))
    }
}
