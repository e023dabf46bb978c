//! From the net back to the program: states, and runs that the reference interpreter
//! takes.

use super::{Lowered, rules};
use crate::net::{Motion, World};
use base::Id;
use model::ChannelId;
use program::reference::{self, Micro, State, Step, steps};
use program::{Action, Program, VariableRef};

/// Who moves along which edge, and with whom.
type Key = (usize, program::EdgeId, Option<(usize, program::EdgeId)>);

/// A state of the program with what it is to the net. INVARIANT: what a process held when
/// it died is kept in the world.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The state.
    pub state: State,
    /// The state of the net.
    pub world: World,
}

impl Lowered {
    /// The state of the net in which a program stands, `before` what it stood in before.
    fn world(&self, state: &State, before: &World) -> World {
        let at = self.net.machines.iter_ids().map(|(id, machine)| {
            let process = state.processes.get(self.pids[id]);
            process.map_or(machine.end, |p| automata::StateId::new(p.location.index()))
        });
        let queues = self.net.channels.ids().map(|id: ChannelId| {
            let channel = state.channels.get(id.index());
            let messages = channel.into_iter().flat_map(|channel| &*channel.messages);
            messages.map(|message| self.alphabet.message(id, message)).collect()
        });
        let mut values = before.values.clone();
        for (place, element) in self.elements.iter().enumerate() {
            let held = match (element.variable, element.owner) {
                (VariableRef::Global(id), _) => Some(&state.globals[id]),
                (VariableRef::Local(id), Some(owner)) => {
                    let process = state.processes.get(self.pids[owner]);
                    process.map(|process| &process.locals[id])
                }
                (VariableRef::Local(_), None) => None,
            };
            if let Some(held) = held {
                values[model::VariableId::new(place)] = held[element.index];
            }
        }
        World { at: at.collect(), queues: queues.collect(), values }
    }

    /// The steps before the net begins, each with its number, and where they lead.
    pub fn opening(&self, program: &Program) -> Option<(Vec<(usize, Step)>, Position)> {
        let mut state = reference::initial(program, &rules()).ok()?;
        let mut taken = Vec::new();
        for choice in &self.opening {
            let step = steps(program, &rules(), &state).into_iter().nth(*choice)?;
            state = step.state.clone();
            taken.push((*choice, step));
        }
        let world = self.world(&state, &self.net.initial());
        Some((taken, Position { state, world }))
    }

    /// Where a step leads.
    pub fn after(&self, before: &Position, step: &Step) -> Position {
        let world = self.world(&step.state, &before.world);
        Position { state: step.state.clone(), world }
    }

    /// Executes a run of the net on the program, from its initial state: the steps with
    /// their numbers, and where they lead. With `to_rest` everybody who can die does at the
    /// end. Nothing if the program cannot.
    pub fn executed(
        &self,
        program: &Program,
        trail: &[Motion],
        to_rest: bool,
    ) -> Option<(Vec<(usize, Step)>, Position)> {
        let (mut taken, mut at) = self.opening(program)?;
        let keys: Vec<Key> = trail.iter().map(|motion| self.key(*motion)).collect();
        let mut left = keys.as_slice();
        while !left.is_empty() || to_rest {
            let all = steps(program, &rules(), &at.state).into_iter().enumerate();
            let all: Vec<(usize, Step)> = all.filter(|(_, step)| !step.ends).collect();
            let fits = |(_, step): &&(usize, Step)| {
                let keys = living(program, &at.state, step);
                !keys.is_empty() && left.starts_with(&keys)
            };
            let dies = |(_, step): &&(usize, Step)| living(program, &at.state, step).is_empty();
            let next = all.iter().find(fits).or_else(|| all.iter().find(dies));
            let Some((choice, step)) = next else {
                if left.is_empty() {
                    break;
                }
                return None;
            };
            left = &left[living(program, &at.state, step).len()..];
            let landed = self.after(&at, step);
            taken.push((*choice, step.clone()));
            at = landed;
        }
        Some((taken, at))
    }

    fn key(&self, motion: Motion) -> Key {
        let one = |(machine, edge)| (self.pids[machine], self.origins[machine][edge]);
        let (pid, edge) = one((motion.machine, motion.edge));
        (pid, edge, motion.peer.map(one))
    }
}

/// The edges of a step but for those by which a process dies.
fn living(program: &Program, before: &State, step: &Step) -> Vec<Key> {
    let lives = |micro: &&Micro| {
        let kind = before.processes.get(micro.pid).map(|process| process.proctype);
        kind.is_none_or(|kind| program.proctypes[kind].edges[micro.edge].action != Action::Die)
    };
    let micros = step.micros.iter().filter(lives);
    micros.map(|micro| (micro.pid, micro.edge, micro.peer)).collect()
}
