//! Messages nobody takes: at a standstill those that a process is not ready for
//! though it waits for that very channel, at a proper end those that are left.

use super::statement;
use super::wait::Standstill;
use crate::{Reception, location};
use program::reference::{self, Channel};
use program::{Action, Edge, Pattern};

impl Standstill<'_> {
    /// Who waits to receive from which channel and is not ready for what is there.
    pub(super) fn unspecified(&self) -> Vec<Reception> {
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
                list.extend(self.reception(pid, index, &here));
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

    fn reception(&self, pid: usize, index: usize, receives: &[&Edge]) -> Option<Reception> {
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
            location: location(self.sources, receives.first().map(|edge| edge.span)),
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

    /// `1 message left: q holds 2`.
    pub(super) fn leftovers(&self) -> String {
        let channels = self.state.channels.iter().enumerate();
        let full = channels.filter(|(_, channel)| !channel.messages.is_empty());
        let total: usize = full.clone().map(|(_, channel)| channel.messages.len()).sum();
        let holds = full.map(|(index, channel)| {
            let fields = &channel.kind(self.program).fields;
            let text = |m: &Vec<i32>| self.names.message_text(self.program, fields, m);
            let texts: Vec<String> = channel.messages.iter().map(text).collect();
            format!("{} holds {}", self.names.channel(index), texts.join(", "))
        });
        let holds = holds.collect::<Vec<_>>().join("; ");
        let messages = if total == 1 { "message" } else { "messages" };
        format!("{total} {messages} left: {holds}")
    }
}
