//! `P[i]@L` and `P[i]:x`: looking into other processes.

use super::Lowerer;
use super::types::Type;
use crate::tree::{self, Reference, Word};
use base::{Diagnostic, Id, IdVec, Name};
use program::{
    Action, Expr, Formula, Initial, LocationId, Pattern, Place, PrintPart, Proctype, ProctypeId,
    Queue, RemoteLabel, RemoteVariable,
};
use std::collections::HashMap;

impl Lowerer {
    pub(super) fn remote_label(
        &mut self,
        name: &Word,
        pid: Option<&tree::Expr>,
        label: &Word,
    ) -> Expr {
        let pid = pid.map(|pid| Box::new(self.value(pid)));
        let Some(proctype) = self.proctype(name) else { return Expr::Const(0) };
        let labels = &mut self.drafts[proctype].labels;
        match labels.iter_mut().find(|known| known.name == label.name) {
            Some(known) => known.remote = true,
            None => {
                let names: Vec<Name> = labels.iter().map(|known| known.name.clone()).collect();
                let help =
                    self.suggestion(&label.name, names.iter(), "put the label into its body");
                let message = format!("`{}` has no label `{}`", name.name, label.name);
                let found =
                    Diagnostic::error("M0009", label.span, message).label("unknown").help(help);
                self.report_unknown(found);
            }
        }
        // The location is filled in when all automata are built.
        let location = LocationId::new(0);
        Expr::RemoteLabel(RemoteLabel { proctype, pid, location, label: label.name.clone() })
    }

    pub(super) fn remote_variable(
        &mut self,
        name: &Word,
        pid: Option<&tree::Expr>,
        variable: &Reference,
    ) -> Expr {
        let pid = pid.map(|pid| Box::new(self.value(pid)));
        let Some(proctype) = self.proctype(name) else { return Expr::Const(0) };
        let Some(first) = variable.parts.first() else { return Expr::Const(0) };
        let Some(symbol) = self.drafts[proctype].names.get(&first.name.name).cloned() else {
            let names: Vec<Name> = self.drafts[proctype].names.keys().cloned().collect();
            let help = self.suggestion(&first.name.name, names.iter(), "declare it there");
            let message = format!("`{}` has no local variable `{}`", name.name, first.name.name);
            let found =
                Diagnostic::error("M0007", first.name.span, message).label("unknown").help(help);
            self.report_unknown(found);
            return Expr::Const(0);
        };
        let Some(resolved) = self.resolve_from(&symbol, variable) else { return Expr::Const(0) };
        if let Type::Structure(_) = resolved.of {
            let found = Diagnostic::error("M0016", variable.span, "a whole structure")
                .label("a single value is needed")
                .help("name one of its fields");
            self.report(found);
        }
        let place = Box::new(resolved.place);
        Expr::RemoteVariable(RemoteVariable { proctype, pid, place })
    }
}

/// Where the labels of each proctype are.
pub(super) type Places = HashMap<(ProctypeId, Name), LocationId>;

/// Fills in the locations of labels.
pub(super) struct Filler<'a>(pub(super) &'a Places);

impl Filler<'_> {
    pub(super) fn proctypes(&self, proctypes: &mut IdVec<ProctypeId, Proctype>) {
        for proctype in proctypes.iter_mut() {
            proctype.provided.iter_mut().for_each(|provided| self.expr(provided));
            for edge in proctype.edges.iter_mut() {
                self.action(&mut edge.action);
            }
            for variable in proctype.variables.iter_mut() {
                if let Initial::Value(value) = &mut variable.initial {
                    self.expr(value);
                }
            }
        }
    }

    pub(super) fn formula(&self, formula: &mut Formula) {
        match formula {
            Formula::Holds(expr, _) => self.expr(expr),
            Formula::Not(inner)
            | Formula::Next(inner)
            | Formula::Always(inner)
            | Formula::Eventually(inner) => self.formula(inner),
            Formula::And(left, right)
            | Formula::Or(left, right)
            | Formula::Implies(left, right)
            | Formula::Equivalent(left, right)
            | Formula::Until(left, right)
            | Formula::WeakUntil(left, right)
            | Formula::Release(left, right) => {
                self.formula(left);
                self.formula(right);
            }
        }
    }

    fn action(&self, action: &mut Action) {
        match action {
            Action::Condition(expr) | Action::Assert(expr) => self.expr(expr),
            Action::Assign(place, expr) => {
                self.place(place);
                self.expr(expr);
            }
            Action::Print(parts) => parts.iter_mut().for_each(|part| self.part(part)),
            Action::Send { queue, arguments, .. } => {
                self.queue(queue);
                arguments.iter_mut().for_each(|argument| self.expr(argument));
            }
            Action::Receive { queue, patterns, .. } => {
                self.queue(queue);
                self.patterns(patterns);
            }
            Action::SetPriority(process, priority) => {
                self.expr(process);
                self.expr(priority);
            }
            Action::Skip | Action::Else | Action::Deterministic { .. } | Action::Die => {}
        }
    }

    fn part(&self, part: &mut PrintPart) {
        match part {
            PrintPart::Text(_) => {}
            PrintPart::Decimal(expr)
            | PrintPart::Unsigned(expr)
            | PrintPart::Hexadecimal(expr)
            | PrintPart::Octal(expr)
            | PrintPart::Character(expr)
            | PrintPart::Symbol(expr) => self.expr(expr),
        }
    }

    fn patterns(&self, patterns: &mut [Pattern]) {
        for pattern in patterns {
            match pattern {
                Pattern::Store(place) => self.place(place),
                Pattern::Match(expr) => self.expr(expr),
                Pattern::Any => {}
            }
        }
    }

    fn queue(&self, queue: &mut Queue) {
        self.expr(&mut queue.number);
    }

    fn place(&self, place: &mut Place) {
        place.subscripts.iter_mut().for_each(|subscript| self.expr(&mut subscript.index));
    }

    fn expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Load(place) => self.place(place),
            Expr::Unary(_, operand) => self.expr(operand),
            Expr::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Choose(condition, yes, no) => {
                self.expr(condition);
                self.expr(yes);
                self.expr(no);
            }
            Expr::Probe(_, queue) => self.queue(queue),
            Expr::Poll { queue, patterns, .. } => {
                self.queue(queue);
                self.patterns(patterns);
            }
            Expr::Run { arguments, .. } => {
                arguments.iter_mut().for_each(|argument| self.expr(argument));
            }
            Expr::Enabled(process) | Expr::PcValue(process) | Expr::Priority(process) => {
                self.expr(process);
            }
            Expr::RemoteLabel(remote) => {
                remote.pid.iter_mut().for_each(|pid| self.expr(pid));
                if let Some(location) = self.0.get(&(remote.proctype, remote.label.clone())) {
                    remote.location = *location;
                }
            }
            Expr::RemoteVariable(remote) => {
                remote.pid.iter_mut().for_each(|pid| self.expr(pid));
                self.place(&mut remote.place);
            }
            Expr::Const(_)
            | Expr::Timeout
            | Expr::Pid
            | Expr::ProcessCount
            | Expr::Last
            | Expr::NonProgress
            | Expr::Accepting => {}
        }
    }
}
