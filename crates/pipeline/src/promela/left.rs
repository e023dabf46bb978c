//! Messages nobody takes: at a standstill those that a process is not ready for
//! though it waits for that very channel, at a proper end those that are left.

use super::decide::Decided;
use super::replay::{Replayed, Replayer};
use super::view::statement;
use super::wait::Standstill;
use crate::Loaded;
use crate::assemble::location;
use program::reference::{self, Channel};
use program::{Action, Edge, Pattern, Program};
use report::{ErrorEntry, Finding, Location, Reception};

/// The id of the warning about messages left at a proper end.
const RESIDUAL: &str = "W0013";
/// The id of the warning about a message that a waiting process does not take.
const UNSPECIFIED: &str = "W0014";

impl Standstill<'_> {
    /// Who waits to receive from which channel and is not ready for what is there.
    pub(super) fn unspecified(&self, loaded: &Loaded) -> Vec<Reception> {
        let mut list = Vec::new();
        for (pid, process) in self.state.processes.iter().enumerate() {
            let proctype = &self.program.proctypes[process.proctype];
            let receives: Vec<(&Edge, usize)> = proctype
                .edges_from(process.location)
                .filter_map(|(_, edge)| self.source(pid, edge).map(|index| (edge, index)))
                .collect();
            let mut indices: Vec<usize> = receives.iter().map(|(_, index)| *index).collect();
            indices.sort_unstable();
            indices.dedup();
            for index in indices {
                let here = receives.iter().filter(|(_, other)| *other == index);
                let here: Vec<&Edge> = here.map(|(edge, _)| *edge).collect();
                list.extend(self.reception(pid, index, &here, loaded));
            }
        }
        list
    }

    /// The channel a receive takes from, if it is a buffer with something in it.
    fn source(&self, pid: usize, edge: &Edge) -> Option<usize> {
        let Action::Receive { queue, .. } = &edge.action else { return None };
        let (index, channel) = self.channel(pid, queue)?;
        (!channel.messages.is_empty()).then_some(index)
    }

    fn reception(
        &self,
        pid: usize,
        index: usize,
        receives: &[&Edge],
        loaded: &Loaded,
    ) -> Option<Reception> {
        let channel = &self.state.channels[index];
        // One that would take it is kept from moving by something else.
        if receives.iter().any(|edge| self.takes(pid, edge, channel)) {
            return None;
        }
        let fields = &channel.kind(self.program).fields;
        let head = channel.messages.first()?;
        let mut ready: Vec<String> = receives.iter().map(|e| statement(e, self.sources)).collect();
        ready.dedup();
        Some(Reception {
            process: self.names.process(pid),
            channel: self.names.channel(index),
            message: self.names.message_text(self.program, fields, head),
            ready,
            location: location(loaded, receives.first().map(|edge| edge.span)),
        })
    }

    fn takes(&self, pid: usize, edge: &Edge, channel: &Channel) -> bool {
        let Action::Receive { patterns, random, .. } = &edge.action else { return false };
        let fits = |message: &Vec<i32>| {
            patterns.iter().zip(message).all(|(pattern, field)| match pattern {
                Pattern::Match(expr) => {
                    let wanted = reference::value(self.program, self.rules, self.state, pid, expr);
                    wanted == Some(*field)
                }
                Pattern::Store(_) | Pattern::Any => true,
            })
        };
        let reach = if *random { usize::MAX } else { 1 };
        channel.messages.iter().take(reach).any(fits)
    }
}

/// The warnings about messages that waiting processes are not ready for, each once.
pub(super) fn unspecified(errors: &[ErrorEntry], loaded: &Loaded) -> Vec<Finding> {
    if loaded.allowed.iter().any(|id| id == UNSPECIFIED) {
        return Vec::new();
    }
    let mut known: Vec<&Reception> = Vec::new();
    for reception in errors.iter().flat_map(|error| &error.unspecified) {
        if !known.contains(&reception) {
            known.push(reception);
        }
    }
    known.into_iter().map(warning).collect()
}

fn warning(reception: &Reception) -> Finding {
    let Reception { process, channel, message, ready, location } = reception;
    Finding {
        id: UNSPECIFIED.to_owned(),
        severity: "warning".to_owned(),
        message: format!("unspecified reception of {message} from {channel} in {process}"),
        hint: Some(format!("receive {message} there too, or do not send it before")),
        text: ready.join(", "),
        notes: vec!["nothing can move, and this is the first message in the channel".to_owned()],
        ..place(location)
    }
}

fn place(location: &Location) -> Finding {
    Finding {
        id: String::new(),
        severity: String::new(),
        message: String::new(),
        file: location.file.clone(),
        line: location.line,
        column: location.column,
        hint: None,
        text: String::new(),
        notes: Vec::new(),
        others: Vec::new(),
    }
}

/// The warning about messages left at proper ends, with the first of them.
pub(super) fn residual(program: &Program, decided: &Decided, loaded: &Loaded) -> Option<Finding> {
    let run = decided.runs.iter().find(|run| !run.outcome.residuals.is_empty())?;
    let first = run.outcome.residuals.first()?;
    if loaded.allowed.iter().any(|id| id == RESIDUAL) {
        return None;
    }
    let mut replayer = Replayer::new(program, &run.rules, &loaded.sources).ok()?;
    let replayed = replayer.replay(&first.trail).ok()?;
    let count = run.outcome.statistics.residuals;
    let ends = if count == 1 { "1 proper end".to_owned() } else { format!("{count} proper ends") };
    Some(Finding {
        id: RESIDUAL.to_owned(),
        severity: "warning".to_owned(),
        message: format!("messages are left in channels at {ends}"),
        hint: Some(
            "receive them before the processes end, or do not send them; --queues-empty makes \
             it an error"
                .to_owned(),
        ),
        notes: vec![leftovers(program, &replayed)],
        ..place(&last_send(&replayed, loaded))
    })
}

/// `1 message left: q holds 2`.
pub(super) fn leftovers(program: &Program, run: &Replayed) -> String {
    let channels = run.last.channels.iter().enumerate();
    let full = channels.filter(|(_, channel)| !channel.messages.is_empty());
    let total: usize = full.clone().map(|(_, channel)| channel.messages.len()).sum();
    let holds = full.map(|(index, channel)| {
        let fields = &channel.kind(program).fields;
        let texts = channel.messages.iter().map(|m| run.names.message_text(program, fields, m));
        format!("{} holds {}", run.names.channel(index), texts.collect::<Vec<_>>().join(", "))
    });
    let holds = holds.collect::<Vec<_>>().join("; ");
    let messages = if total == 1 { "message" } else { "messages" };
    format!("{total} {messages} left: {holds}")
}

/// The last send nobody answered.
fn last_send(run: &Replayed, loaded: &Loaded) -> Location {
    let is_left = |event: &&trace::Event| event.received == Some(false);
    let last = run.scenario.trace.iter().rev().find(is_left);
    let Some(event) = last else { return location(loaded, None) };
    let main = loaded.sources.files.iter().next().map(|file| file.name.clone());
    let file = event.file.clone().or(main).unwrap_or_default();
    Location { file, line: event.line, column: event.column }
}
