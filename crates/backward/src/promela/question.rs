//! A predicate of states of a program as what backward execution begins with. It belongs to
//! no process, and looks into all of them.

use super::expression::Eye;
use super::scope::Scope;
use super::{Lowered, Unfit, action, start, unfit};
use crate::expr::Expr;
use crate::net::Action;
use crate::target::{Formula, Target};
use automata::{MachineId, StateId};
use base::{Id, Written};
use program::{BinaryOp, ProctypeId, Program, RemoteLabel, RemoteVariable, UnaryOp};

impl Lowered {
    /// The states that have a predicate, which is written there. A variable of a process that
    /// has ended is what it was.
    ///
    /// # Errors
    /// A part of it that nothing can begin with.
    pub fn target(
        &self,
        program: &Program,
        predicate: &program::Expr,
        written: &Written,
    ) -> Result<Target, Unfit> {
        let start = start::start(program)?;
        let scope = Scope::new(program, &start.state)?;
        if scope.machines.is_empty() {
            return unfit(written.span, "a model in which every process has ended");
        }
        let (span, asked) = (written.span, Some(written));
        let eye = Eye { scope: &scope, machine: MachineId::new(0), span, asked };
        Ok(Target { formula: self.formula(eye, predicate)? })
    }

    fn formula(&self, eye: Eye<'_, '_>, predicate: &program::Expr) -> Result<Formula, Unfit> {
        use program::Expr as E;
        let inside = |at: usize, part: &E| self.formula(eye.operand(at), part).map(Box::new);
        Ok(match predicate {
            E::Binary(BinaryOp::And, x, y) => Formula::Both(inside(0, x)?, inside(1, y)?),
            E::Binary(BinaryOp::Or, x, y) => Formula::Either(inside(0, x)?, inside(1, y)?),
            E::Unary(UnaryOp::Not, x) => Formula::Not(inside(0, x)?),
            E::RemoteLabel(label) => eye.at(label)?,
            E::Messages { queue, patterns, head: true } => {
                // Fields that are left out may have any value.
                let mut patterns = patterns.clone();
                patterns
                    .resize(action::fields(eye, eye.channel(queue)?).len(), program::Pattern::Any);
                match action::received(eye, &self.alphabet, queue, &patterns)? {
                    Action::Receive(receive) => Formula::Head(receive),
                    _ => return eye.unfit("`head`"),
                }
            }
            other => Formula::Test(eye.expr(other)?),
        })
    }
}

impl Eye<'_, '_> {
    fn at(self, label: &RemoteLabel) -> Result<Formula, Unfit> {
        let machine = self.meant(label.proctype, label.pid.as_deref())?;
        let at = |machine| Formula::At(machine, vec![StateId::new(label.location.index())]);
        Ok(machine.map_or(Formula::Test(Expr::Const(0)), at))
    }

    /// A variable of another process.
    pub(super) fn remote(self, variable: &RemoteVariable) -> Result<Expr, Unfit> {
        match self.meant(variable.proctype, variable.pid.as_deref())? {
            Some(machine) => Eye { machine, ..self }.load(&variable.place),
            None => self.unfit("a variable of a process that is not alive"),
        }
    }

    /// The machine that is the process of a reference, if there is one.
    fn meant(
        self,
        proctype: ProctypeId,
        pid: Option<&program::Expr>,
    ) -> Result<Option<MachineId>, Unfit> {
        let Some(pid) = self.pid(proctype, pid)? else { return Ok(None) };
        let kind = self.scope.state.processes.get(pid).map(|process| process.proctype);
        let mut machines = self.scope.machines.iter_ids().filter(|_| kind == Some(proctype));
        Ok(machines.find(|(_, process)| process.pid == pid).map(|(machine, _)| machine))
    }

    /// The pid in a reference; without one it is the first process alive, which is the oldest:
    /// younger ones die first.
    fn pid(
        self,
        proctype: ProctypeId,
        pid: Option<&program::Expr>,
    ) -> Result<Option<usize>, Unfit> {
        let Some(pid) = pid else {
            let mut processes = self.scope.state.processes.iter();
            return Ok(processes.position(|process| process.proctype == proctype));
        };
        match self.expr(pid)? {
            Expr::Const(pid) => Ok(usize::try_from(pid).ok()),
            _ => self.unfit("a computed pid"),
        }
    }
}
