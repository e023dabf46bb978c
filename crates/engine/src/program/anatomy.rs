//! The parts of the states of a program, as the reference interpreter has them.

use super::ReferenceProgram;
use base::{Id, IdVec};
use program::reference::{Declared, State, Values};
use program::{LocationId, ProctypeId, Program, Variable, VariableId};
use std::sync::Arc;
use system::{Blank, Part, Parts, Word};

/// For each location of each proctype whether a process is alone with itself there.
pub(super) type LocalLocations = IdVec<ProctypeId, IdVec<LocationId, bool>>;

/// What a part means in a program.
#[derive(PartialEq, Default)]
pub(super) struct Pieces {
    /// All of processes of these types.
    pub(super) processes: Vec<ProctypeId>,
    pub(super) locals: Vec<(ProctypeId, VariableId)>,
    pub(super) globals: Vec<VariableId>,
    pub(super) channels: Vec<Declared>,
}

/// Whether states of a program have a part.
pub fn has_part(program: &Program, part: &Part) -> bool {
    Pieces::new(program, part).is_some()
}

impl Pieces {
    /// The pieces of a part; `None` if there are none.
    pub(super) fn new(program: &Program, part: &Part) -> Option<Self> {
        let kinds = || program.proctypes.iter_ids();
        let locals = |process: Option<&String>, name: &str, wanted: &dyn Fn(&Variable) -> bool| {
            let named =
                kinds().filter(|(_, kind)| process.is_none_or(|p| kind.name.as_str() == *p));
            let own = named.flat_map(|(id, kind)| {
                kind.variables.iter_ids().map(move |(variable, v)| (id, variable, v))
            });
            let own = own.filter(|(_, _, v)| v.name.as_str() == name && wanted(v));
            own.map(|(id, variable, _)| (id, variable)).collect::<Vec<_>>()
        };
        let globals = |name: &str, wanted: &dyn Fn(&Variable) -> bool| {
            let all = program.globals.iter_ids();
            let named = all.filter(|(_, v)| v.name.as_str() == name && wanted(v));
            named.map(|(id, _)| id).collect::<Vec<_>>()
        };
        let mut pieces = Pieces::default();
        match part {
            Part::Process(name) => {
                let named = kinds().filter(|(_, kind)| kind.name.as_str() == name);
                pieces.processes.extend(named.map(|(id, _)| id));
            }
            Part::Channel(name) => {
                let holds = |v: &Variable| matches!(v.initial, program::Initial::Channel(_));
                pieces.channels.extend(globals(name, &holds).into_iter().map(Declared::Global));
                let own = locals(None, name, &holds).into_iter();
                pieces.channels.extend(own.map(|(kind, id)| Declared::Local(kind, id)));
            }
            Part::Variable { process, name } => {
                pieces.locals = locals(process.as_ref(), name, &|_| true);
                if process.is_none() {
                    pieces.globals = globals(name, &|_| true);
                }
            }
        }
        (pieces != Pieces::default()).then_some(pieces)
    }

    /// Writes zeros over the pieces of a state.
    fn clear(&self, state: &mut State) {
        for process in state.processes.iter_mut().map(Arc::make_mut) {
            if self.processes.contains(&process.proctype) {
                process.location = LocationId::new(0);
                process.locals.iter_mut().for_each(blank);
            }
            let own = self.locals.iter().filter(|(kind, _)| *kind == process.proctype);
            own.for_each(|(_, id)| blank(&mut process.locals[*id]));
        }
        self.globals.iter().for_each(|id| blank(&mut state.globals[*id]));
        for channel in &mut state.channels {
            if self.channels.contains(&channel.declared) {
                channel.messages = Arc::default();
            }
        }
    }
}

/// Sets all values to zero.
fn blank(values: &mut Values) {
    Arc::make_mut(values).fill(0);
}

impl Parts for ReferenceProgram<'_> {
    fn is_local(&self, state: &[Word], agent: u32) -> bool {
        let state = self.state(state);
        let process = state.processes.get(agent as usize);
        process.is_some_and(|process| self.local[process.proctype][process.location])
    }

    fn is_crowded(&self, state: &[Word], most: usize) -> bool {
        self.state(state).channels.iter().any(|channel| channel.messages.len() > most)
    }

    fn blank(&self, part: &Part) -> Option<Blank<'_>> {
        let pieces = Pieces::new(self.program(), part)?;
        Some(Box::new(move |words| {
            let mut state = self.state(words);
            pieces.clear(&mut state);
            words.fill(0);
            let fits = self.write(&state, words);
            debug_assert!(fits, "a state that holds less fits as well");
        }))
    }
}
