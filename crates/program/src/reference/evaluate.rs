//! Expressions: 32 bits with sign, as C computes them.

use super::act::Execution;
use super::{Actor, Failure, Problem, choose};
use crate::{
    BinaryOp, Expr, LocationMarks, Place, Probe, ProctypeId, Queue, RemoteLabel, RemoteVariable,
    VariableRef,
};
use base::Name;
use std::sync::Arc;

impl Execution<'_> {
    /// The value of `expr` for the actor. A `run` in it happens.
    pub(super) fn value(&mut self, expr: &Expr) -> Result<i32, Failure> {
        Ok(match expr {
            Expr::Const(value) => *value,
            Expr::Load(place) => self.load(place)?,
            Expr::Unary(op, a) => op.apply(self.value(a)?),
            Expr::Binary(op, a, b) => self.binary(*op, a, b)?,
            Expr::Choose(condition, a, b) => {
                let chosen = if self.value(condition)? != 0 { a } else { b };
                self.value(chosen)?
            }
            Expr::Probe(probe, queue) => self.probe(*probe, queue)?,
            Expr::Poll { queue, patterns, random } => {
                let index = self.channel(queue)?;
                if self.state.channels[index].is_rendezvous(self.scene.program) {
                    self.report(Problem::PollOfRendezvous(queue.name.clone()))?;
                    return Ok(0);
                }
                i32::from(self.find(index, patterns, *random)?.is_some())
            }
            Expr::Messages { queue, patterns, head } => {
                let index = self.channel(queue)?;
                self.count(index, patterns, *head)? as i32
            }
            Expr::Run { proctype, arguments, priority } => {
                let arguments = self.values(arguments)?;
                self.create(*proctype, &arguments, priority.unwrap_or(1))? as i32
            }
            Expr::Timeout => i32::from(self.scene.timeout),
            Expr::Pid => self.pid().unwrap_or(0) as i32,
            Expr::ProcessCount => self.process_count() as i32,
            Expr::Last => self.state.last as i32,
            Expr::NonProgress => i32::from(!self.is_marked(|marks| marks.progress)),
            Expr::Accepting => i32::from(self.is_marked(|marks| marks.accept)),
            Expr::Enabled(pid) => i32::from(self.enabled(pid)?),
            Expr::PcValue(pid) => self.pc_value(pid)?,
            Expr::Priority(pid) => self.priority(pid)?,
            Expr::RemoteLabel(label) => i32::from(self.stands_at(label)?),
            Expr::RemoteVariable(variable) => self.remote_load(variable)?,
        })
    }

    /// The values of several expressions, in order.
    pub(super) fn values(&mut self, exprs: &[Expr]) -> Result<Vec<i32>, Failure> {
        exprs.iter().map(|expr| self.value(expr)).collect()
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<i32, Failure> {
        let a = self.value(a)?;
        if let Some(value) = op.decided(a) {
            return Ok(value);
        }
        let b = self.value(b)?;
        let zero = self.failure(Problem::DivisionByZero);
        op.apply(a, b).ok_or(zero)
    }

    fn load(&mut self, place: &Place) -> Result<i32, Failure> {
        // A bad index is reported already; SPIN reads what lies there, we read 0.
        let Some(element) = self.element(place, self.name_of(place.variable))? else {
            return Ok(0);
        };
        let values = match place.variable {
            VariableRef::Global(id) => Some(&self.state.globals[id]),
            VariableRef::Local(id) => self.state.body(self.actor).map(|body| &body.locals[id]),
        };
        Ok(values.map_or(0, |values| values[element]))
    }

    /// Sets `place` to `value`, cut to its type.
    pub(super) fn store(&mut self, place: &Place, value: i32) -> Result<(), Failure> {
        // After a bad index the write is dropped: SPIN overwrites whatever is there.
        let Some(element) = self.element(place, self.name_of(place.variable))? else {
            return Ok(());
        };
        let variable = self.variable(place.variable).filter(|variable| !variable.unread);
        let Some(variable) = variable else { return Ok(()) };
        let value = self.cut(variable.scalar, value, variable.is_array);
        let actor = self.actor;
        let state = self.state.to_mut();
        match place.variable {
            VariableRef::Global(id) => Arc::make_mut(&mut state.globals[id])[element] = value,
            VariableRef::Local(id) => {
                if let Some(body) = state.body_mut(actor) {
                    Arc::make_mut(&mut body.locals[id])[element] = value;
                }
            }
        }
        Ok(())
    }

    /// Which element of its variable a place is; none after a bad index.
    fn element(&mut self, place: &Place, name: Name) -> Result<Option<usize>, Failure> {
        let mut element = 0;
        for subscript in &place.subscripts {
            let index = self.value(&subscript.index)?;
            let bound = subscript.bound;
            match u32::try_from(index) {
                Ok(inside) if inside < bound => {
                    element += inside as usize * subscript.stride as usize;
                }
                _ => {
                    self.report(Problem::Index { variable: name, index, bound })?;
                    return Ok(None);
                }
            }
        }
        Ok(Some(element))
    }

    fn variable(&self, variable: VariableRef) -> Option<&crate::Variable> {
        let proctype = self.state.body(self.actor).map(|body| body.proctype);
        self.scene.program.variable(proctype, variable)
    }

    fn name_of(&self, variable: VariableRef) -> Name {
        self.variable(variable).map_or_else(|| Name::new(""), |variable| variable.name.clone())
    }

    /// Where in the list of channels `queue` is.
    pub(super) fn channel(&mut self, queue: &Queue) -> Result<usize, Failure> {
        let number = self.value(&queue.number)?;
        let index = usize::try_from(i64::from(number) - 1).ok();
        match index.filter(|index| *index < self.state.channels.len()) {
            Some(index) => Ok(index),
            None if number == 0 => {
                Err(self.failure(Problem::UninitialisedChannel(queue.name.clone())))
            }
            None => Err(self.failure(Problem::DeadChannel(queue.name.clone()))),
        }
    }

    fn probe(&mut self, probe: Probe, queue: &Queue) -> Result<i32, Failure> {
        let index = self.channel(queue)?;
        let channel = &self.state.channels[index];
        let (length, full) = (channel.messages.len(), channel.is_full(self.scene.program));
        Ok(match probe {
            Probe::Len => length as i32,
            Probe::Empty => i32::from(length == 0),
            Probe::NotEmpty => i32::from(length > 0),
            Probe::Full => i32::from(full),
            Probe::NotFull => i32::from(!full),
        })
    }

    fn process_count(&self) -> usize {
        let claim = self.scene.rules.spin_counts && self.state.claim.is_some();
        self.state.processes.len() + usize::from(claim)
    }

    /// Whether some process is at a location with such a mark.
    fn is_marked(&self, mark: impl Fn(&LocationMarks) -> bool) -> bool {
        let mut processes = self.state.processes.iter();
        processes.any(|process| {
            mark(&process.kind(self.scene.program).locations[process.location].marks)
        })
    }

    /// The pid an expression yields, if such a process is alive.
    fn alive(&mut self, pid: &Expr) -> Result<Option<usize>, Failure> {
        let pid = usize::try_from(self.value(pid)?).ok();
        Ok(pid.filter(|pid| *pid < self.state.processes.len()))
    }

    fn enabled(&mut self, pid: &Expr) -> Result<bool, Failure> {
        let Some(pid) = self.alive(pid)? else { return Ok(false) };
        if self.actor == Actor::Process(pid) {
            return Err(self.failure(Problem::EnabledOfSelf));
        }
        // Two processes that wait for each other to be enabled would ask in
        // circles; whoever is being asked already is taken not to be.
        if self.asked.contains(&pid) {
            return Ok(false);
        }
        let asked: Vec<usize> = self.asked.iter().copied().chain([pid]).collect();
        Ok(choose::is_enabled(self.scene, &self.state, pid, &asked))
    }

    fn pc_value(&mut self, pid: &Expr) -> Result<i32, Failure> {
        let number = self.alive(pid)?.map(|pid| {
            let process = &self.state.processes[pid];
            self.scene.program.proctypes[process.proctype].locations[process.location].number
        });
        Ok(number.map_or(0, |number| number as i32))
    }

    fn priority(&mut self, pid: &Expr) -> Result<i32, Failure> {
        Ok(self.alive(pid)?.map_or(0, |pid| self.state.processes[pid].priority))
    }

    /// The process a remote reference means, if it is alive.
    fn remote(&mut self, kind: ProctypeId, pid: Option<&Expr>) -> Result<Option<usize>, Failure> {
        match pid {
            Some(pid) => self.alive(pid),
            None => Ok(self.state.processes.iter().position(|p| p.proctype == kind)),
        }
    }

    fn stands_at(&mut self, label: &RemoteLabel) -> Result<bool, Failure> {
        let pid = self.remote(label.proctype, label.pid.as_deref())?;
        Ok(pid.is_some_and(|pid| {
            let process = &self.state.processes[pid];
            process.proctype == label.proctype && process.location == label.location
        }))
    }

    fn remote_load(&mut self, remote: &RemoteVariable) -> Result<i32, Failure> {
        // A dead process reads as zero, as in SPIN: formulas outlive processes.
        let Some(pid) = self.remote(remote.proctype, remote.pid.as_deref())? else {
            return Ok(0);
        };
        let id = match remote.place.variable {
            VariableRef::Local(id) => id,
            VariableRef::Global(_) => return self.load(&remote.place),
        };
        let name = self.scene.program.proctypes[remote.proctype].variables[id].name.clone();
        if self.state.processes[pid].proctype != remote.proctype {
            self.report(Problem::RemoteReference(name))?;
            return Ok(0);
        }
        let element = self.element(&remote.place, name)?;
        Ok(element.map_or(0, |element| self.state.processes[pid].locals[id][element]))
    }
}
