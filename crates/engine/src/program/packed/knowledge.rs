//! Which processes can stand in which slot, as far as anybody has seen.
//!
//! A state has a slot per pid. Processes end youngest first and bring their channels
//! with them, so that the channels of a process follow those of all older ones: with
//! its proctype and the number of channels before its own everything about a process
//! in a slot is fixed but its location and its variables. That is an [`Incarnation`].
//!
//! A local that nothing assigns keeps what it began with. As long as an incarnation was
//! only ever seen with one value in it, that is taken for a constant: of ten nodes of a
//! ring each has its channels for good.
//!
//! Likewise a channel has room for as many messages as were seen in it, not for as many as it
//! is declared to hold ([`room`]).

use super::facts::Facts;
use crate::room::{room, widened};
use base::IdVec;
use program::reference::{Declared, Process, State, Values};
use program::{Initial, Proctype, ProctypeId, Program, Variable, VariableId};
use std::collections::HashMap;

/// How often a search is begun again before values that might change are no longer
/// taken for constants.
const TRUSTING_ROUNDS: usize = 3;

/// What was seen so far; grows from round to round of a search.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    slots: Vec<Vec<Incarnation>>,
    /// For how many messages there is room where that is more than at first.
    rooms: HashMap<Declared, u32>,
    /// How often a process that nobody had seen before made a search begin again.
    rounds: usize,
    /// It will have been a process that makes the search begin again.
    met_processes: bool,
    /// States that held something new, to look around from.
    failed_speculations: Vec<State>,
    /// What the locals begin with in the program that this is known of.
    initials: IdVec<ProctypeId, Vec<Initial>>,
}

/// A kind of process in a slot.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Incarnation {
    pub(super) proctype: ProctypeId,
    /// How many channels there are before its own.
    pub(super) base: usize,
    /// The values of those locals that are constant.
    pub(super) constants: IdVec<VariableId, Option<Vec<i32>>>,
}

impl Incarnation {
    /// The never claim of a program that begins with it. It has no channels of its own.
    pub(super) fn of_claim(claim: &Process, facts: &Facts) -> Self {
        let constant = |(id, values): (VariableId, &Values)| {
            (!facts.is_assigned(claim.proctype, id)).then(|| values.to_vec())
        };
        let constants = claim.locals.iter_ids().map(constant).collect();
        Self { proctype: claim.proctype, base: 0, constants }
    }
}

impl Knowledge {
    /// The incarnations of each slot.
    pub(super) fn slots(&self) -> &[Vec<Incarnation>] {
        &self.slots
    }

    /// For how many messages there is room in a channel of this capacity.
    pub(super) fn room(&self, declared: Declared, capacity: u32) -> u32 {
        self.rooms.get(&declared).copied().unwrap_or_else(|| room(capacity))
    }

    /// The same for a search of another form of the program.
    #[must_use]
    pub fn settled(&self) -> Self {
        Self { met_processes: false, failed_speculations: Vec::new(), ..self.clone() }
    }

    /// Makes it knowledge of this program, which has the same processes, but perhaps other
    /// statements, and zeros where another form of it begins with something that it reads. A
    /// value that was only ever seen once is still taken for a constant: whoever creates a
    /// process checks it.
    pub(super) fn adapt(&mut self, program: &Program, facts: &Facts) {
        let initials =
            |kind: &Proctype| kind.variables.iter().map(|it| it.initial.clone()).collect();
        let initials: IdVec<ProctypeId, Vec<Initial>> =
            program.proctypes.iter().map(initials).collect();
        let before = std::mem::replace(&mut self.initials, initials);
        for known in self.slots.iter_mut().flatten() {
            let kind = &program.proctypes[known.proctype];
            for ((id, variable), old) in kind.variables.iter_ids().zip(&before[known.proctype]) {
                let constant = &mut known.constants[id];
                if facts.is_assigned(known.proctype, id) {
                    *constant = None;
                } else if variable.initial == Initial::Zero {
                    *constant = Some(vec![0; variable.length as usize]);
                } else if variable.initial != *old {
                    *constant = None;
                }
            }
        }
    }

    /// A search begins again.
    pub(super) fn begin_again(&mut self) {
        self.rounds += usize::from(std::mem::take(&mut self.met_processes));
    }

    /// States that held something new, to look around from; they are forgotten then.
    pub(super) fn failed_speculations(&mut self) -> Vec<State> {
        std::mem::take(&mut self.failed_speculations)
    }

    /// Takes in what `state` shows, and remembers it if there was anything new.
    pub(super) fn speculation_failed(&mut self, program: &Program, facts: &Facts, state: State) {
        self.make_rooms(program, &state);
        if self.learn(program, facts, &state) {
            self.met_processes = true;
            self.failed_speculations.push(state);
        }
    }

    /// Makes room for the messages of a state.
    fn make_rooms(&mut self, program: &Program, state: &State) {
        for channel in &state.channels {
            let (capacity, length) = (channel.kind(program).capacity, channel.messages.len());
            let room = self.room(channel.declared, capacity);
            if length > room as usize {
                self.rooms.insert(channel.declared, widened(room, length, capacity));
            }
        }
    }

    /// Takes in what `state` shows; whether there was anything new.
    pub(super) fn learn(&mut self, program: &Program, facts: &Facts, state: &State) -> bool {
        let trusting = self.rounds < TRUSTING_ROUNDS;
        let mut base = state.channels.iter().filter(|channel| channel.owner.is_none()).count();
        let mut news = false;
        for (pid, process) in state.processes.iter().enumerate() {
            if pid == self.slots.len() {
                self.slots.push(Vec::new());
            }
            news |= meet(&mut self.slots[pid], (program, facts), (process, base), trusting);
            base += facts.channels(process.proctype);
        }
        news
    }
}

fn meet(
    slot: &mut Vec<Incarnation>,
    (program, facts): (&Program, &Facts),
    (process, base): (&Process, usize),
    trusting: bool,
) -> bool {
    let same = |known: &&mut Incarnation| known.proctype == process.proctype && known.base == base;
    if let Some(known) = slot.iter_mut().find(same) {
        return correct(known, process);
    }
    let kind = &program.proctypes[process.proctype];
    let constant = |(id, variable): (VariableId, &Variable)| {
        let kept = !facts.is_assigned(process.proctype, id) && (trusting || is_certain(variable));
        kept.then(|| process.locals[id].to_vec())
    };
    let constants = kind.variables.iter_ids().map(constant).collect();
    slot.push(Incarnation { proctype: process.proctype, base, constants });
    true
}

/// Whether a variable of every incarnation always begins alike.
fn is_certain(variable: &Variable) -> bool {
    match &variable.initial {
        Initial::Zero | Initial::List(_) | Initial::Channel(_) => true,
        Initial::Value(expr) => matches!(expr, program::Expr::Const(_)),
        Initial::Argument(_) => false,
    }
}

/// Gives up constants that turn out to be none.
fn correct(known: &mut Incarnation, process: &Process) -> bool {
    let mut news = false;
    for (constant, values) in known.constants.iter_mut().zip(&process.locals) {
        if constant.as_ref().is_some_and(|constant| *constant != **values) {
            *constant = None;
            news = true;
        }
    }
    news
}
