//! `P[i]@L` and `P[i]:x`: looking into other processes.

use super::Lowerer;
use super::types::Type;
use crate::tree::{self, Reference, Word};
use base::{Diagnostic, Id, IdVec, Name};
use program::{Expr, Initial, LocationId, Proctype, ProctypeId, RemoteLabel, RemoteVariable};
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
                edge.action.each_part_mut(&mut |part| self.expr(part));
            }
            for variable in proctype.variables.iter_mut() {
                if let Initial::Value(value) = &mut variable.initial {
                    self.expr(value);
                }
            }
        }
    }

    /// Fills in the labels of an expression and of all inside it.
    pub(super) fn expr(&self, expr: &mut Expr) {
        expr.each_part_mut(&mut |part| self.expr(part));
        if let Expr::RemoteLabel(remote) = expr
            && let Some(location) = self.0.get(&(remote.proctype, remote.label.clone()))
        {
            remote.location = *location;
        }
    }
}
