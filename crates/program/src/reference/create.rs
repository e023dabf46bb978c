//! The initial state, and processes that come to life.

use super::act::Execution;
use super::{Actor, Channel, Declared, Failure, Problem, Process, Rules, Scene, State, Unlimited};
use crate::{Initial, ProctypeId, Program, Variable};
use std::sync::Arc;

/// The state at the start: globals in source order, then the processes that are
/// active from the start, then the claim.
pub fn initial(program: &Program, rules: &Rules) -> Result<State, Failure> {
    let scene = Scene { program, rules, budget: &Unlimited, timeout: false, tells_inside: false };
    let empty = State::default();
    let mut run = Execution::new(scene, &empty, Actor::Nobody);
    let lengths = program.globals.iter().map(|variable| variable.length as usize);
    run.state.to_mut().globals = lengths.map(|length| Arc::new(vec![0; length])).collect();
    for (id, variable) in program.globals.iter_ids() {
        let values = run.initial_values(Declared::Global(id), variable, &[])?;
        run.state.to_mut().globals[id] = Arc::new(values);
    }
    for proctype in &program.start {
        run.create(*proctype, &[], program.proctypes[*proctype].priority)?;
    }
    if let Some(claim) = rules.claim {
        run.state.to_mut().claim = Some(newborn(program, claim, 1));
        run.initialise(Actor::Claim, claim, &[])?;
    }
    let automaton = program.trace.as_ref().map(|trace| trace.automaton);
    run.state.to_mut().trace = automaton.map(|id| program.proctypes[id].start);
    Ok(run.state.into_owned())
}

/// A process whose variables are not initialised yet.
fn newborn(program: &Program, proctype: ProctypeId, priority: i32) -> Process {
    let kind = &program.proctypes[proctype];
    let lengths = kind.variables.iter().map(|variable| variable.length as usize);
    Process {
        proctype,
        location: kind.start,
        locals: lengths.map(|length| Arc::new(vec![0; length])).collect(),
        priority,
    }
}

impl Execution<'_> {
    /// Creates a process; its pid is the number of those alive.
    pub(super) fn create(
        &mut self,
        proctype: ProctypeId,
        arguments: &[i32],
        priority: i32,
    ) -> Result<usize, Failure> {
        let pid = self.state.processes.len();
        // SPIN keeps one pid for the claim.
        let claim = self.scene.rules.spin_counts && self.scene.rules.claim.is_some();
        if pid + usize::from(claim) >= self.numbers() {
            return Err(self.failure(Problem::TooManyProcesses));
        }
        let program = self.scene.program;
        let priority = if program.uses.priorities { priority } else { 1 };
        let process = Arc::new(newborn(program, proctype, priority));
        self.state.to_mut().processes.push(process);
        self.initialise(Actor::Process(pid), proctype, arguments)?;
        Ok(pid)
    }

    /// How many processes, or channels, can be told apart.
    fn numbers(&self) -> usize {
        if self.scene.rules.wide { 0xffff } else { 0xff }
    }

    /// Parameters, then locals in order of declaration, seen from the newborn.
    fn initialise(
        &mut self,
        newborn: Actor,
        proctype: ProctypeId,
        arguments: &[i32],
    ) -> Result<(), Failure> {
        let creator = std::mem::replace(&mut self.actor, newborn);
        let edge = self.edge.take();
        for (id, variable) in self.scene.program.proctypes[proctype].variables.iter_ids() {
            let values = self.initial_values(Declared::Local(proctype, id), variable, arguments)?;
            if let Some(body) = self.state.to_mut().body_mut(newborn) {
                body.locals[id] = Arc::new(values);
            }
        }
        (self.actor, self.edge) = (creator, edge);
        Ok(())
    }

    fn initial_values(
        &mut self,
        declared: Declared,
        variable: &Variable,
        arguments: &[i32],
    ) -> Result<Vec<i32>, Failure> {
        let length = variable.length as usize;
        let mut values = match &variable.initial {
            Initial::Zero => vec![0; length],
            Initial::Value(expr) => {
                let value =
                    self.value(expr).map_err(|failure| at_declaration(failure, variable))?;
                vec![value; length]
            }
            Initial::List(values) => values.clone(),
            Initial::Channel(_) => {
                let numbers = (0..length).map(|_| self.new_channel(declared));
                numbers.collect::<Result<Vec<i32>, Failure>>()?
            }
            // An active proctype with parameters starts with zeros.
            Initial::Argument(index) => vec![arguments.get(*index).copied().unwrap_or(0)],
        };
        values.resize(length, 0);
        let cut = |value| self.cut(variable.scalar, value, variable.is_array);
        Ok(values.into_iter().map(cut).collect())
    }

    fn new_channel(&mut self, declared: Declared) -> Result<i32, Failure> {
        let number = self.state.channels.len() + 1;
        if number > self.numbers() {
            return Err(self.failure(Problem::TooManyChannels));
        }
        let owner = self.pid();
        self.state.to_mut().channels.push(Channel { declared, owner, messages: Arc::default() });
        Ok(number as i32)
    }
}

fn at_declaration(failure: Failure, variable: &Variable) -> Failure {
    Failure { span: Some(variable.span), ..failure }
}
