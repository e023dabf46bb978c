//! What a program never changes: variables that nothing assigns keep the value they
//! begin with, and need no place in a state.

use base::IdVec;
use program::reference::State;
use program::{
    Action, BinaryOp, Expr, Initial, LocationId, Place, Proctype, ProctypeId, Program, Variable,
    VariableId, VariableRef,
};

/// What a program never changes.
pub(super) struct Facts {
    /// The values of the globals that nothing assigns.
    globals: IdVec<VariableId, Option<Vec<i32>>>,
    /// Of each proctype, which locals something assigns.
    assigned: IdVec<ProctypeId, IdVec<VariableId, bool>>,
    /// Of each proctype, how many channels come with a process.
    channels: IdVec<ProctypeId, usize>,
    /// Of each proctype, the locations from which a `run` can be reached.
    creates: IdVec<ProctypeId, IdVec<LocationId, bool>>,
}

impl Facts {
    /// The facts of a program that begins in `initial`.
    pub(super) fn new(program: &Program, initial: &State) -> Self {
        let mut globals =
            initial.globals.iter().map(|values| Some(values.to_vec())).collect::<IdVec<_, _>>();
        let mut assigned: IdVec<ProctypeId, IdVec<VariableId, bool>> = program
            .proctypes
            .iter()
            .map(|kind| kind.variables.iter().map(|_| false).collect())
            .collect();
        for (id, kind) in program.proctypes.iter_ids() {
            for place in kind.edges.iter().flat_map(|edge| edge.action.targets()) {
                match place.variable {
                    VariableRef::Global(variable) => globals[variable] = None,
                    VariableRef::Local(variable) => assigned[id][variable] = true,
                }
            }
        }
        let channels_of = |kind: &Proctype| kind.variables.iter().map(channels_in).sum();
        let channels = program.proctypes.iter().map(channels_of).collect();
        let creates = program.proctypes.iter().map(creates).collect();
        Self { globals, assigned, channels, creates }
    }

    /// The values of a global that nothing assigns.
    pub(super) fn global(&self, id: VariableId) -> Option<&[i32]> {
        self.globals[id].as_deref()
    }

    /// The values of all globals that nothing assigns.
    pub(super) fn globals(&self) -> &IdVec<VariableId, Option<Vec<i32>>> {
        &self.globals
    }

    /// Whether a `run` can be reached from a location.
    pub(super) fn creates(&self, proctype: ProctypeId, location: LocationId) -> bool {
        self.creates[proctype][location]
    }

    /// Whether something assigns a local after its process began.
    pub(super) fn is_assigned(&self, proctype: ProctypeId, id: VariableId) -> bool {
        self.assigned[proctype][id]
    }

    /// Whether some process of a state may still create another one.
    pub(super) fn may_create(&self, state: &State) -> bool {
        state.processes.iter().any(|process| self.creates[process.proctype][process.location])
    }

    /// How many channels come with a process of this proctype.
    pub(super) fn channels(&self, proctype: ProctypeId) -> usize {
        self.channels[proctype]
    }
}

/// The locations from which a `run` can be reached.
fn creates(kind: &Proctype) -> IdVec<LocationId, bool> {
    let is_run = |expr: &Expr| matches!(expr, Expr::Run { .. });
    let mut creates: IdVec<LocationId, bool> = kind.locations.iter().map(|_| false).collect();
    for edge in kind.edges.iter().filter(|edge| edge.action.mentions(&is_run)) {
        creates[edge.from] = true;
    }
    let mut grows = true;
    while std::mem::take(&mut grows) {
        for edge in &kind.edges {
            let within = match edge.action {
                Action::Deterministic { start, .. } => creates[start],
                _ => false,
            };
            if !creates[edge.from] && (within || creates[edge.to]) {
                creates[edge.from] = true;
                grows = true;
            }
        }
    }
    creates
}

/// How many channels a variable is declared with.
pub(super) fn channels_in(variable: &Variable) -> usize {
    match variable.initial {
        Initial::Channel(_) => variable.length as usize,
        _ => 0,
    }
}

/// What is known while a program is lowered: the constants of the program and of one
/// process.
#[derive(Clone, Copy)]
pub(super) struct Constants<'a> {
    pub(super) facts: &'a Facts,
    pub(super) pid: usize,
    /// The values of those locals that are constant.
    pub(super) locals: &'a IdVec<VariableId, Option<Vec<i32>>>,
}

impl<'a> Constants<'a> {
    /// The values of a variable, if they are constant.
    pub(super) fn values(&self, variable: VariableRef) -> Option<&'a [i32]> {
        match variable {
            VariableRef::Global(id) => self.facts.global(id),
            VariableRef::Local(id) => self.locals[id].as_deref(),
        }
    }

    /// The value of an expression, if it is constant and does not fail.
    pub(super) fn fold(&self, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Pid => Some(self.pid as i32),
            Expr::Load(place) => {
                let element = self.element(place)?;
                self.values(place.variable)?.get(element).copied()
            }
            Expr::Unary(op, a) => Some(op.apply(self.fold(a)?)),
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
            Expr::Choose(condition, a, b) => {
                self.fold(if self.fold(condition)? != 0 { a } else { b })
            }
            _ => None,
        }
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<i32> {
        let a = self.fold(a)?;
        op.decided(a).or_else(|| op.apply(a, self.fold(b)?))
    }

    /// Which element of its variable a place is, if that is constant and in range.
    pub(super) fn element(&self, place: &Place) -> Option<usize> {
        let mut element = 0;
        for subscript in &place.subscripts {
            let index = u32::try_from(self.fold(&subscript.index)?).ok()?;
            element += (index < subscript.bound).then_some(index * subscript.stride)? as usize;
        }
        Some(element)
    }
}
