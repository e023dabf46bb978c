//! Who waits for what when a program stands still, and which message nobody is
//! ready to take.

use super::names::Names;
use super::values::joined;
use super::{one_line, statement};
use crate::{Fact, Wait};
use base::{SourceMap, Span};
use program::reference::{self, Channel, Rules, State};
use program::{Action, Edge, Proctype, Program, Queue};

/// A state in which nothing can move, and what is needed to explain it.
pub(super) struct Standstill<'a> {
    pub(super) program: &'a Program,
    pub(super) rules: &'a Rules,
    pub(super) names: &'a Names,
    pub(super) state: &'a State,
    pub(super) sources: &'a SourceMap,
}

impl Standstill<'_> {
    /// One row per process alive; `stuck` are those that may not stay.
    pub(super) fn waits(&self, stuck: &[usize]) -> Vec<Wait> {
        let alive = 0..self.state.processes.len();
        alive.map(|pid| self.row(pid, stuck.contains(&pid))).collect()
    }

    /// The first statement a process could execute where it stands.
    pub(super) fn first_statement(&self, pid: usize) -> Option<Span> {
        let process = self.state.processes.get(pid)?;
        let proctype = &self.program.proctypes[process.proctype];
        proctype.edges_from(process.location).next().map(|(_, edge)| edge.span)
    }

    /// The label of the control location of a process, and its line.
    fn location(&self, pid: usize) -> (Option<String>, u32) {
        let process = &self.state.processes[pid];
        let location = &self.program.proctypes[process.proctype].locations[process.location];
        let span = location.span.or_else(|| self.first_statement(pid));
        let label = location.labels.first().map(ToString::to_string);
        (label, span.map_or(0, |span| self.sources.line(span)))
    }

    /// `A at line 12, B at critical`.
    pub(super) fn places(&self, pids: &[usize]) -> String {
        let place = |pid: &usize| match self.location(*pid) {
            (Some(label), _) => format!("{} at {label}", self.names.process(*pid)),
            (None, line) => format!("{} at line {line}", self.names.process(*pid)),
        };
        pids.iter().map(place).collect::<Vec<_>>().join(", ")
    }

    fn row(&self, pid: usize, stuck: bool) -> Wait {
        let process = &self.state.processes[pid];
        let proctype = &self.program.proctypes[process.proctype];
        let edges: Vec<&Edge> = proctype.edges_from(process.location).map(|(_, e)| e).collect();
        let texts: Vec<String> = edges.iter().flat_map(|e| self.wants(pid, e)).collect();
        let ended = process.location == proctype.end;
        let (at, line) = self.location(pid);
        Wait {
            process: self.names.process(pid),
            line,
            at,
            waits: if ended { "-".to_owned() } else { texts.join(", ") },
            because: match (ended, stuck) {
                (true, _) => "at its end".to_owned(),
                (false, true) => self.reasons(pid, &edges),
                (false, false) => {
                    format!("{}; at an end label, so no error by itself", self.reasons(pid, &edges))
                }
            },
            needs: match stuck {
                true => self.helpers(pid).iter().map(|it| self.names.process(*it)).collect(),
                false => Vec::new(),
            },
            culprit: stuck,
        }
    }

    /// The statement a process wants to execute; of a `d_step` its first ones.
    fn wants(&self, pid: usize, edge: &Edge) -> Vec<String> {
        let Action::Deterministic { start, .. } = &edge.action else {
            return vec![statement(edge, self.sources)];
        };
        let proctype = &self.program.proctypes[self.state.processes[pid].proctype];
        proctype.edges_from(*start).flat_map(|(_, edge)| self.wants(pid, edge)).collect()
    }

    fn reasons(&self, pid: usize, edges: &[&Edge]) -> String {
        if let Some(forbidden) = self.not_provided(pid) {
            return forbidden;
        }
        let mut reasons: Vec<String> = Vec::new();
        for edge in edges {
            for reason in self.obstacles(pid, edge) {
                if !reasons.contains(&reason) {
                    reasons.push(reason);
                }
            }
        }
        reasons.join("; ")
    }

    /// What keeps a statement from being executed; of a `d_step` its first ones.
    fn obstacles(&self, pid: usize, edge: &Edge) -> Vec<String> {
        match &edge.action {
            Action::Receive { queue, patterns, .. } => {
                let refused = self.refused(pid, queue).map(|fact| fact.to_string());
                let wanted = Some(joined(&self.wanted(pid, patterns)));
                let wanted = wanted.filter(|wanted| !wanted.is_empty());
                refused.into_iter().chain(wanted).collect()
            }
            Action::Send { queue, .. } => {
                self.no_room(pid, queue).map(|fact| fact.to_string()).into_iter().collect()
            }
            Action::Condition(condition) => {
                vec![self.falsehood(pid, condition, &statement(edge, self.sources))]
            }
            Action::Deterministic { start, .. } => {
                let proctype = &self.program.proctypes[self.state.processes[pid].proctype];
                let first = proctype.edges_from(*start);
                first.flat_map(|(_, edge)| self.obstacles(pid, edge)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The `provided` clause of a process, if it does not hold.
    fn not_provided(&self, pid: usize) -> Option<String> {
        let kind = &self.program.proctypes[self.state.processes[pid].proctype];
        let condition = kind.provided.as_ref()?;
        let value = reference::value(self.program, self.rules, self.state, pid, condition)?;
        (value == 0).then(|| self.falsehood(pid, condition, &self.provided(kind)))
    }

    /// A `provided` clause as it is written.
    pub(super) fn provided(&self, kind: &Proctype) -> String {
        let written = kind.provided_span.map(|span| self.sources.statement(span));
        let text = written.map_or_else(String::new, |span| one_line(self.sources.text(span)));
        format!("provided ({text})")
    }

    pub(super) fn channel(&self, pid: usize, queue: &Queue) -> Option<(usize, &Channel)> {
        let number = reference::value(self.program, self.rules, self.state, pid, &queue.number)?;
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.state.channels.get(index).map(|channel| (index, channel))
    }

    /// Why nothing can be received: the message at the head is the one that
    /// nobody is ready to take.
    pub(super) fn refused(&self, pid: usize, queue: &Queue) -> Option<Fact> {
        let (index, channel) = self.channel(pid, queue)?;
        let name = self.names.channel(index);
        Some(match channel.messages.first() {
            _ if channel.is_rendezvous(self.program) => Fact::NobodyOffers(name),
            None => Fact::is(name, "empty"),
            Some(head) => {
                let fields = &channel.kind(self.program).fields;
                let text = self.names.message_text(self.program, fields, head);
                Fact::is(format!("the head of {name}"), text)
            }
        })
    }

    pub(super) fn no_room(&self, pid: usize, queue: &Queue) -> Option<Fact> {
        let (index, channel) = self.channel(pid, queue)?;
        let name = self.names.channel(index);
        Some(match channel.is_rendezvous(self.program) {
            true => Fact::NobodyTakes(name),
            false => Fact::is(name, "full"),
        })
    }
}
