//! States: everything that decides the future, and nothing else.

use super::{Actor, Rules};
use crate::{
    ChannelType, Initial, LocationId, Proctype, ProctypeId, Program, Variable, VariableId,
};
use base::IdVec;
use std::sync::Arc;

/// The values of a variable, element by element. States share those that did not change between
/// them, as they share processes: what a step costs does not depend on the size of arrays.
pub type Values = Arc<Vec<i32>>;

/// A whole system state.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct State {
    /// The value of each global, element by element.
    pub globals: IdVec<VariableId, Values>,
    /// Who is alive, in order of pid. States share what did not change between them: a step of
    /// one process in a thousand copies that one.
    pub processes: Vec<Arc<Process>>,
    /// The channels, by number from 1 on. The numbers of those that go when their
    /// owner dies are given out again.
    pub channels: Vec<Channel>,
    /// The pid that moved last; 0 at the start, and always if the program does not
    /// look at it.
    pub last: usize,
    /// Where the claim stands; none without one, or after its end.
    pub claim: Option<Process>,
    /// Where the event trace stands.
    pub trace: Option<LocationId>,
    /// The system stands still and the next move is the claim's alone. Set under
    /// `spin_counts` only.
    pub stutters: bool,
}

/// A process.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Process {
    /// What it executes.
    pub proctype: ProctypeId,
    /// Where it stands.
    pub location: LocationId,
    /// The value of each parameter and local, element by element.
    pub locals: IdVec<VariableId, Values>,
    /// Its priority; 1 if the program does not use priorities.
    pub priority: i32,
}

/// A channel.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Channel {
    /// The declaration that made it; says its type.
    pub declared: Declared,
    /// The process it goes with; none for those of the program.
    pub owner: Option<usize>,
    /// What is in it, oldest first, already cut to the types of its fields.
    pub messages: Arc<Vec<Vec<i32>>>,
}

/// Which variable a channel was made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Declared {
    /// A global.
    Global(VariableId),
    /// A local of a proctype.
    Local(ProctypeId, VariableId),
}

/// What of `state` tells it from others. Under `spin_counts` SPIN's answer: not
/// what is `hidden`, and not whose turn it is once the system stands still.
pub fn identity(program: &Program, rules: &Rules, state: &State) -> State {
    let mut same = state.clone();
    if rules.spin_counts {
        same.stutters = false;
        for (id, variable) in program.globals.iter_ids().filter(|(_, v)| v.hidden) {
            same.globals[id] = Arc::new(vec![0; variable.length as usize]);
        }
    }
    same
}

impl Declared {
    /// The variable.
    pub fn variable(self, program: &Program) -> &Variable {
        match self {
            Declared::Global(id) => &program.globals[id],
            Declared::Local(proctype, id) => &program.proctypes[proctype].variables[id],
        }
    }
}

impl State {
    /// The process or claim that acts.
    pub(super) fn body(&self, actor: Actor) -> Option<&Process> {
        match actor {
            Actor::Process(pid) => self.processes.get(pid).map(|process| &**process),
            Actor::Claim => self.claim.as_ref(),
            Actor::Nobody => None,
        }
    }

    /// The process or claim that acts, to change.
    pub(super) fn body_mut(&mut self, actor: Actor) -> Option<&mut Process> {
        match actor {
            Actor::Process(pid) => self.processes.get_mut(pid).map(Arc::make_mut),
            Actor::Claim => self.claim.as_mut(),
            Actor::Nobody => None,
        }
    }
}

impl Process {
    /// Its proctype.
    pub(super) fn kind<'a>(&self, program: &'a Program) -> &'a Proctype {
        &program.proctypes[self.proctype]
    }
}

impl Channel {
    /// What it carries.
    pub fn kind<'a>(&self, program: &'a Program) -> &'a ChannelType {
        match &self.declared.variable(program).initial {
            Initial::Channel(kind) => kind,
            // INVARIANT: `create` makes channels for such variables only.
            _ => unreachable!("a channel that no declaration made"),
        }
    }

    /// Whether a send and a receive on it are one step.
    pub fn is_rendezvous(&self, program: &Program) -> bool {
        self.kind(program).capacity == 0
    }

    /// Whether nothing more fits. A rendezvous is never full: an offer waits for
    /// nobody's room.
    pub fn is_full(&self, program: &Program) -> bool {
        let capacity = self.kind(program).capacity as usize;
        capacity > 0 && self.messages.len() >= capacity
    }
}
