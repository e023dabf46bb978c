//! What an expression found when it was evaluated, in words: why a condition is false, and
//! what an assertion that failed was told.

use super::names::word;
use super::wait::Standstill;
use crate::Fact;
use program::reference::{self, Failure, Mover};
use program::{Action, Expr, Pattern, Place, Queue, action_text};

/// More values than this explain nothing.
const VALUES_MAX: usize = 8;

impl Standstill<'_> {
    /// Why a condition of a process, written as `text`, does not hold.
    pub(super) fn falsehood(&self, pid: usize, condition: &Expr, text: &str) -> String {
        let values = self.values(pid, condition);
        let says_no_more = values.is_empty() || values == format!("{text} is 0");
        match condition {
            Expr::Load(_) if !values.is_empty() => values,
            _ if says_no_more => format!("{text} is false"),
            _ => format!("{text} is false: {values}"),
        }
    }

    /// `turn[1] is 10, len(q) is 2`: what a process reads in an expression, each once.
    pub(super) fn values(&self, pid: usize, expr: &Expr) -> String {
        let mut found = self.facts(pid, expr);
        found.truncate(VALUES_MAX);
        joined(&found)
    }

    /// The same one by one.
    pub(super) fn facts(&self, pid: usize, expr: &Expr) -> Vec<Fact> {
        let mut found = Vec::new();
        self.read(pid, expr, &mut found);
        found
    }

    /// What the values were that a receive asks for.
    pub(super) fn wanted(&self, pid: usize, patterns: &[Pattern]) -> Vec<Fact> {
        let mut found = Vec::new();
        for pattern in patterns {
            if let Pattern::Match(expr) = pattern {
                self.read(pid, expr, &mut found);
            }
        }
        found
    }

    /// What an assertion that failed in this state was told; nothing of other failures.
    pub(super) fn told(&self, failure: &Failure) -> String {
        let edge = failure.edge.map(|(kind, edge)| &self.program.proctypes[kind].edges[edge]);
        let (Some(pid), Some(edge)) = (failure.pid, edge) else { return String::new() };
        let Action::Assert(condition) = &edge.action else { return String::new() };
        let at = self.state.processes.get(pid).map(|process| process.location);
        if at == Some(edge.from) {
            return self.values(pid, condition);
        }
        match self.inside(pid, failure) {
            Some(state) => Standstill { state: &state, ..*self }.values(pid, condition),
            None => String::new(),
        }
    }

    /// The state inside a `d_step` in which a statement of it fails.
    fn inside(&self, pid: usize, failure: &Failure) -> Option<reference::State> {
        let mover = Mover::Process(pid);
        let moves = reference::moves(self.program, self.rules, self.state, mover, false);
        let failed = moves.into_iter().find(|made| made.failures.last() == Some(failure))?;
        Some(failed.inside.into_iter().next_back().map_or(failed.state, |last| last.state))
    }

    fn read(&self, pid: usize, expr: &Expr, found: &mut Vec<Fact>) {
        let value = match expr {
            Expr::Unary(_, a) => return self.read(pid, a, found),
            Expr::Binary(_, a, b) => {
                self.read(pid, a, found);
                return self.read(pid, b, found);
            }
            Expr::Choose(a, b, c) => {
                return [a, b, c].into_iter().for_each(|part| self.read(pid, part, found));
            }
            Expr::Load(place) => self.loaded(pid, place, expr),
            Expr::Probe(_, queue) => self.length(pid, queue),
            Expr::Poll { queue, .. } | Expr::Messages { queue, .. } => self.refused(pid, queue),
            Expr::Const(_) | Expr::Run { .. } | Expr::Timeout | Expr::Accepting => None,
            Expr::Pid
            | Expr::ProcessCount
            | Expr::Last
            | Expr::NonProgress
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::Priority(_)
            | Expr::RemoteLabel(_)
            | Expr::RemoteVariable(_) => self.asked(pid, expr),
        };
        found.extend(value.filter(|value| !found.contains(value)));
    }

    /// A variable; of an array the element that was read.
    fn loaded(&self, pid: usize, place: &Place, expr: &Expr) -> Option<Fact> {
        let kind = self.state.processes.get(pid)?.proctype;
        let variable = self.program.variable(Some(kind), place.variable)?;
        let value = self.value(pid, expr)?;
        let value = word(self.program, variable.scalar, value).unwrap_or(value.to_string());
        if !variable.is_array {
            return Some(Fact::is(&*variable.name, value));
        }
        let parts = place.subscripts.iter().map(|part| {
            let index = self.value(pid, &part.index)?;
            Some(index * part.stride as i32)
        });
        let element: i32 = parts.sum::<Option<i32>>()?;
        Some(Fact::is(format!("{}[{element}]", variable.name), value))
    }

    fn length(&self, pid: usize, queue: &Queue) -> Option<Fact> {
        let (index, channel) = self.channel(pid, queue)?;
        let what = format!("len({})", self.names.channel(index));
        Some(Fact::is(what, channel.messages.len().to_string()))
    }

    /// Anything else that has a value, by its text.
    fn asked(&self, pid: usize, expr: &Expr) -> Option<Fact> {
        let kind = self.state.processes.get(pid)?.proctype;
        let text = action_text(self.program, kind, &Action::Condition(expr.clone()));
        Some(Fact::is(text, self.value(pid, expr)?.to_string()))
    }

    pub(super) fn value(&self, pid: usize, expr: &Expr) -> Option<i32> {
        reference::value(self.program, self.rules, self.state, pid, expr)
    }
}

/// `x is 1, y is 2`.
pub(super) fn joined(facts: &[Fact]) -> String {
    facts.iter().map(Fact::to_string).collect::<Vec<_>>().join(", ")
}
