//! Sending and receiving.

use super::act::{Done, Execution};
use super::{Failure, Problem, Traffic};
use crate::{Expr, Pattern, Queue, Scalar};
use std::sync::Arc;

/// One half of a rendezvous, waiting for the other.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    /// Where in the list of channels its channel is.
    pub(super) channel: usize,
    /// What is offered.
    pub(super) message: Vec<i32>,
}

impl Execution<'_> {
    /// `q!a,b` or `q!!a,b`.
    pub(super) fn send(
        &mut self,
        queue: &Queue,
        arguments: &[Expr],
        sorted: bool,
    ) -> Result<Done, Failure> {
        let index = self.channel(queue)?;
        let program = self.scene.program;
        let channel = &self.state.channels[index];
        let (kind, rendezvous) = (channel.kind(program), channel.is_rendezvous(program));
        if channel.is_full(program) {
            let lost = self.scene.rules.lossy_sends;
            return Ok(if lost { Done::Moved } else { Done::Blocked });
        }
        let mut values = self.values(arguments)?;
        let (given, fields) = (values.len(), kind.fields.len());
        values.resize(fields, 0);
        let cut = |(field, value): (&Scalar, &i32)| self.cut(*field, *value, false);
        let message: Vec<i32> = kind.fields.iter().zip(&values).map(cut).collect();
        if given != fields {
            self.report(Problem::SendArity { given, fields })?;
        }
        self.sent(index, &message)?;
        if rendezvous {
            self.carry(index, true, 0, &message);
            return Ok(Done::Offered(Offer { channel: index, message }));
        }
        let carried = message.clone();
        let messages = Arc::make_mut(&mut self.state.to_mut().channels[index].messages);
        // Compared before it is cut: SPIN sorts what was written, not what arrives.
        let greater = || messages.iter().position(|other| *other > values);
        let place = if sorted { greater() } else { None };
        let place = place.unwrap_or(messages.len());
        messages.insert(place, message);
        self.carry(index, true, place, &carried);
        Ok(Done::Moved)
    }

    /// Records a message in transit, for reports of the run.
    fn carry(&mut self, channel: usize, sent: bool, slot: usize, message: &[i32]) {
        self.traffic.push(Traffic { channel, sent, slot, message: message.to_vec() });
    }

    /// `q?a,b` and the other forms of receive; `how` is `??`, and `<...>`. Whether it executed.
    pub(super) fn receive(
        &mut self,
        queue: &Queue,
        patterns: &[Pattern],
        (random, keep): (bool, bool),
        offer: Option<&Offer>,
    ) -> Result<bool, Failure> {
        let index = self.channel(queue)?;
        let rendezvous = self.state.channels[index].is_rendezvous(self.scene.program);
        if let Some(offer) = offer {
            if offer.channel != index || !self.matches(&offer.message, patterns)? {
                return Ok(false);
            }
            self.keep_fields(&offer.message, patterns)?;
            self.received(index, &offer.message)?;
            return Ok(true);
        }
        let slot = if rendezvous { None } else { self.find(index, patterns, random)? };
        let Some(slot) = slot else { return Ok(false) };
        let message = self.state.channels[index].messages[slot].clone();
        self.keep_fields(&message, patterns)?;
        if !keep {
            self.received(index, &message)?;
            self.carry(index, false, slot, &message);
            Arc::make_mut(&mut self.state.to_mut().channels[index].messages).remove(slot);
        }
        Ok(true)
    }

    /// Which message of a channel a receive would take.
    pub(super) fn find(
        &mut self,
        index: usize,
        patterns: &[Pattern],
        random: bool,
    ) -> Result<Option<usize>, Failure> {
        let reach = if random { usize::MAX } else { 1 };
        let messages = Arc::clone(&self.state.channels[index].messages);
        for (slot, message) in messages.iter().enumerate().take(reach) {
            if self.matches(message, patterns)? {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    /// How many messages of a channel begin with these fields; at most its oldest one if `head`.
    pub(super) fn count(
        &mut self,
        index: usize,
        patterns: &[Pattern],
        head: bool,
    ) -> Result<usize, Failure> {
        let reach = if head { 1 } else { usize::MAX };
        let messages = self.state.channels[index].messages.clone();
        let mut count = 0;
        for message in messages.iter().take(reach) {
            let fits = patterns.len() <= message.len() && self.matches(message, patterns)?;
            count += usize::from(fits);
        }
        Ok(count)
    }

    /// Whether constants and `eval` agree; a variable takes anything. A field that is not there is
    /// 0, as in SPIN.
    fn matches(&mut self, message: &[i32], patterns: &[Pattern]) -> Result<bool, Failure> {
        for (i, pattern) in patterns.iter().enumerate() {
            if let Pattern::Match(expr) = pattern {
                let wanted = self.value(expr)?;
                if message.get(i).copied().unwrap_or(0) != wanted {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Stores the fields of a received message, left to right: an index further
    /// right sees what came in further left.
    fn keep_fields(&mut self, message: &[i32], patterns: &[Pattern]) -> Result<(), Failure> {
        let (given, fields) = (patterns.len(), message.len());
        if given != fields {
            self.report(Problem::ReceiveArity { given, fields })?;
        }
        let values = message.iter().copied().chain(std::iter::repeat(0));
        for (pattern, value) in patterns.iter().zip(values) {
            if let Pattern::Store(place) = pattern {
                self.store(place, value)?;
            }
        }
        Ok(())
    }
}
