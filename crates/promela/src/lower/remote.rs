//! `P[i]@L` and `P[i]:x`: looking into other processes.

use super::Lowerer;
use super::types::Type;
use crate::tree::{self, Reference, Word};
use base::{Diagnostic, Id, IdVec, Name, SourceMap, Span};
use program::{
    BinaryOp, Expr, Initial, LocationId, Proctype, ProctypeId, RemoteLabel, RemoteVariable,
};
use std::collections::HashMap;

/// Where a process has ended, if it has no such label.
pub(super) const END: &str = "end";

/// Whether a name is one that `argos show` gives to a location: `l3`.
fn is_numbered(name: &Name) -> bool {
    name.strip_prefix('l').is_some_and(|number| number.parse::<u32>().is_ok())
}

/// Lines listed in a message.
const LINES_SHOWN: usize = 12;

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
            None if self.begins && *label.name == *END => {}
            None => {
                let names: Vec<Name> = labels.iter().map(|known| known.name.clone()).collect();
                let line = format!("write `{}:12` for the statements of line 12", name.name);
                let help = match is_numbered(&label.name) {
                    true => "put the label into its body, or ".to_owned() + &line,
                    false => "put the label into its body".to_owned(),
                };
                let help = self.suggestion(&label.name, names.iter(), &help);
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

    /// `P:12`, as a label that no text can have.
    pub(super) fn line(
        &mut self,
        name: &Word,
        pid: Option<&tree::Expr>,
        (line, place): (u32, Span),
    ) -> Expr {
        let pid = pid.map(|pid| Box::new(self.value(pid)));
        let Some(proctype) = self.proctype(name) else { return Expr::Const(0) };
        let label = Name::new(&format!(":{line}"));
        self.lines.entry((proctype, label.clone())).or_insert((line, place));
        let location = LocationId::new(0);
        Expr::RemoteLabel(RemoteLabel { proctype, pid, location, label })
    }

    /// The locations of the lines that were asked for: those where a statement begins there.
    pub(super) fn find_lines(
        &mut self,
        proctypes: &IdVec<ProctypeId, Proctype>,
        sources: &SourceMap,
    ) -> Lines {
        let mut found = Lines::new();
        for ((id, label), (line, place)) in std::mem::take(&mut self.lines) {
            let kind = &proctypes[id];
            let mut locations: Vec<LocationId> = Vec::new();
            for edge in kind.edges.iter().filter(|edge| sources.line(edge.span) == line) {
                if !locations.contains(&edge.from) {
                    locations.push(edge.from);
                }
            }
            if locations.is_empty() {
                self.unknown_line(kind, (line, place), sources);
            }
            found.insert((id, label), locations);
        }
        found
    }

    fn unknown_line(&mut self, kind: &Proctype, (line, place): (u32, Span), sources: &SourceMap) {
        let mut known: Vec<u32> = kind.edges.iter().map(|edge| sources.line(edge.span)).collect();
        known.sort_unstable();
        known.dedup();
        known.sort_by_key(|known| known.abs_diff(line));
        known.truncate(LINES_SHOWN);
        known.sort_unstable();
        let known: Vec<String> = known.iter().map(u32::to_string).collect();
        let message = format!("`{}` has no statement in line {line}", kind.name);
        let found = Diagnostic::error("M0039", place, message)
            .label("no statement begins there")
            .help(format!("its statements near it begin in lines {}", known.join(", ")));
        self.report_unknown(found);
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

/// Where the statements of lines that were asked for begin.
pub(super) type Lines = HashMap<(ProctypeId, Name), Vec<LocationId>>;

/// Where the labels of each proctype are.
pub(super) type Places = HashMap<(ProctypeId, Name), LocationId>;

/// Fills in the locations of labels.
pub(super) struct Filler<'a>(pub(super) &'a Places, pub(super) &'a Lines);

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
        if let Expr::RemoteLabel(remote) = expr
            && let Some(locations) = self.1.get(&(remote.proctype, remote.label.clone()))
        {
            let at = |location: &LocationId| {
                Expr::RemoteLabel(RemoteLabel { location: *location, ..remote.clone() })
            };
            let any = locations
                .iter()
                .map(at)
                .reduce(|one, other| Expr::Binary(BinaryOp::Or, Box::new(one), Box::new(other)));
            *expr = any.unwrap_or(Expr::Const(0));
        }
    }
}
