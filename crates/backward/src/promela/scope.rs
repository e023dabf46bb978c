//! What names stand for: which processes there are, which variables are written, and
//! which are numbers.

use super::start::reachable;
use super::{Unfit, unfit};
use crate::expr::Range;
use automata::MachineId;
use base::{Id, IdVec};
use program::reference::State;
use program::{Action, Edge, EdgeId, LocationId, Proctype, Program, Scalar, Variable, VariableRef};
use std::collections::{HashMap, HashSet};

/// Everything that lowering looks up.
pub(super) struct Scope<'a> {
    pub(super) program: &'a Program,
    /// The state the net begins in.
    pub(super) state: &'a State,
    pub(super) machines: IdVec<MachineId, Process>,
    /// The variables of the net in order.
    pub(super) elements: Vec<Element>,
    /// Where the elements of a variable begin.
    firsts: HashMap<(Option<MachineId>, VariableRef), usize>,
}

/// A process that does something.
pub(super) struct Process {
    pub(super) pid: usize,
    /// The edges it may take, in the order of their locations.
    pub(super) edges: Vec<EdgeId>,
}

/// An element of a variable.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) variable: VariableRef,
    pub(super) index: usize,
    pub(super) owner: Option<MachineId>,
    pub(super) name: String,
    pub(super) range: Range,
    pub(super) initial: i32,
}

impl<'a> Scope<'a> {
    pub(super) fn new(program: &'a Program, state: &'a State) -> Result<Self, Unfit> {
        let mut machines = IdVec::new();
        for (pid, process) in state.processes.iter().enumerate() {
            let kind = &program.proctypes[process.proctype];
            if process.location != kind.end {
                refuse_kind(program, kind)?;
                let mut edges = Vec::new();
                for location in reachable(program, process) {
                    edges.extend(plain_edges(kind, location)?);
                }
                machines.push(Process { pid, edges });
            }
        }
        let (elements, firsts) = (Vec::new(), HashMap::new());
        let mut scope = Self { program, state, machines, elements, firsts };
        scope.declare();
        Ok(scope)
    }

    /// What a machine executes.
    pub(super) fn kind(&self, id: MachineId) -> &'a Proctype {
        &self.program.proctypes[self.state.processes[self.machines[id].pid].proctype]
    }

    /// Makes variables of what is written, and of arrays.
    fn declare(&mut self) {
        let written = self.written();
        for (id, variable) in self.program.globals.iter_ids() {
            let reference = VariableRef::Global(id);
            let values = &self.state.globals[id];
            self.declare_one(None, reference, variable, values, &written);
        }
        for machine in self.machines.ids() {
            let process = &self.state.processes[self.machines[machine].pid];
            for (id, variable) in self.program.proctypes[process.proctype].variables.iter_ids() {
                let reference = VariableRef::Local(id);
                let values = &process.locals[id];
                self.declare_one(Some(machine), reference, variable, values, &written);
            }
        }
    }

    fn declare_one(
        &mut self,
        owner: Option<MachineId>,
        reference: VariableRef,
        variable: &Variable,
        values: &[i32],
        written: &HashSet<(Option<MachineId>, VariableRef)>,
    ) {
        let varies = written.contains(&(owner, reference)) || variable.is_array;
        if variable.scalar == Scalar::Chan || !varies {
            return;
        }
        self.firsts.insert((owner, reference), self.elements.len());
        for (index, initial) in values.iter().enumerate() {
            let several = variable.is_array || values.len() > 1;
            let place = if several { format!("[{index}]") } else { String::new() };
            self.elements.push(Element {
                variable: reference,
                index,
                owner,
                name: format!("{}{place}", variable.name),
                range: range(variable.scalar, variable.is_array),
                initial: *initial,
            });
        }
    }

    /// The variables some edge of a process writes.
    fn written(&self) -> HashSet<(Option<MachineId>, VariableRef)> {
        let mut written = HashSet::new();
        for (id, edge) in self.edges() {
            let variables = edge.action.targets().into_iter().map(|place| place.variable);
            written.extend(variables.map(|variable| (owner(id, variable), variable)));
        }
        written
    }

    /// Every edge of every machine.
    pub(super) fn edges(&self) -> impl Iterator<Item = (MachineId, &'a Edge)> {
        self.machines.iter_ids().flat_map(|(id, process)| {
            let kind = self.kind(id);
            process.edges.iter().map(move |edge| (id, &kind.edges[*edge]))
        })
    }

    /// The variables of the net that are the elements of one of the program; nothing for
    /// one that is never written.
    pub(super) fn variables(
        &self,
        id: MachineId,
        reference: VariableRef,
    ) -> Option<Vec<model::VariableId>> {
        let first = *self.firsts.get(&(owner(id, reference), reference))?;
        let length = self.values(id, reference).len();
        Some((first..first + length).map(model::VariableId::new).collect())
    }

    /// The values of a variable at the beginning.
    pub(super) fn values(&self, id: MachineId, reference: VariableRef) -> &'a [i32] {
        match reference {
            VariableRef::Global(variable) => &self.state.globals[variable],
            VariableRef::Local(variable) => {
                &self.state.processes[self.machines[id].pid].locals[variable]
            }
        }
    }

    /// The declaration of a variable.
    pub(super) fn declaration(&self, id: MachineId, reference: VariableRef) -> &'a Variable {
        match reference {
            VariableRef::Global(variable) => &self.program.globals[variable],
            VariableRef::Local(variable) => &self.kind(id).variables[variable],
        }
    }
}

fn owner(id: MachineId, variable: VariableRef) -> Option<MachineId> {
    variable.local().map(|_| id)
}

fn refuse_kind(program: &Program, kind: &Proctype) -> Result<(), Unfit> {
    if kind.provided.is_some() {
        return unfit(kind.span, "a `provided` clause");
    }
    if kind.deterministic {
        return unfit(kind.span, "a `D_proctype`");
    }
    if program.uses.priorities && kind.priority != 1 {
        return unfit(kind.span, "a process with a priority");
    }
    Ok(())
}

/// The edges of a location but for the one by which a process dies.
fn plain_edges(kind: &Proctype, location: LocationId) -> Result<Vec<EdgeId>, Unfit> {
    let body = &kind.locations[location];
    if body.groups.len() > 1 {
        let edge = body.groups.iter().flatten().next().map(|edge| kind.edges[*edge].span);
        return unfit(body.span.or(edge).unwrap_or(kind.span), "an `unless`");
    }
    let edges = body.groups.iter().flatten().copied();
    Ok(edges.filter(|edge| kind.edges[*edge].action != Action::Die).collect())
}

/// The numbers of a type. Pids have 8 bits: there are not more processes.
pub(super) fn range(scalar: Scalar, in_array: bool) -> Range {
    match scalar {
        Scalar::Bit | Scalar::Bool if !in_array => Range { low: 0, high: 1 },
        Scalar::Bit
        | Scalar::Bool
        | Scalar::Byte
        | Scalar::Mtype(_)
        | Scalar::Pid
        | Scalar::Chan => Range { low: 0, high: 255 },
        Scalar::Short => Range::SHORT,
        Scalar::Int => Range { low: i32::MIN, high: i32::MAX },
        Scalar::Unsigned(bits) => Range { low: 0, high: ((1_u32 << bits) - 1) as i32 },
    }
}
