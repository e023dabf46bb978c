//! States in which nothing can move, as claims: where errors are (X3), and where a
//! timeout can fire that waits for everybody else.

use crate::belief::{Belief, Claim, Claimed, Queue};
use crate::flow::{any_names, named};
use crate::reverse::{Reverse, empty, read};
use crate::solve::{Cases, Wanted};
use automata::{Action, MachineId, StateId, TimeoutRule};
use model::{ChannelId, MessageId};

impl Reverse<'_> {
    /// The cases in which no machine can move; with `timeouts` not by a timeout either.
    pub(crate) fn blocked(&self, belief: Belief, timeouts: bool) -> Cases {
        let mut cases = vec![belief];
        for machine in self.network.machines.ids() {
            let stuck: Result<Vec<Vec<Belief>>, _> =
                cases.into_iter().map(|case| self.stuck(&case, machine, timeouts)).collect();
            cases = stuck?.concat();
        }
        Ok(cases)
    }

    /// The cases in which `machine` cannot move.
    pub(crate) fn stuck(&self, belief: &Belief, machine: MachineId, timeouts: bool) -> Cases {
        let mut all = Vec::new();
        for state in belief.at[machine].states() {
            let Some(case) = self.placed(belief.clone(), machine, *state) else { continue };
            all.extend(self.stuck_at(case, machine, *state, timeouts)?);
        }
        Ok(all)
    }

    fn stuck_at(
        &self,
        belief: Belief,
        machine: MachineId,
        state: StateId,
        timeouts: bool,
    ) -> Cases {
        let mut cases = vec![belief];
        for (_, edge) in self.network.machines[machine].edges_from(state) {
            let mut left = Vec::new();
            for case in cases {
                left.extend(self.prevented(case, (machine, state), &edge.action, timeouts)?);
            }
            cases = left;
        }
        Ok(cases)
    }

    /// The cases in which an action cannot be executed.
    fn prevented(
        &self,
        belief: Belief,
        (machine, state): (MachineId, StateId),
        action: &Action,
        timeouts: bool,
    ) -> Cases {
        Ok(match action {
            Action::Skip | Action::Assign(..) => Vec::new(),
            Action::Condition(e) => belief.require(e, &read, Wanted::Zero)?,
            Action::Send(channel, ..) => self.full(belief, *channel).into_iter().collect(),
            Action::Receive(channel, ..) => {
                let taken = named(self.network, machine, state, *channel);
                self.unread(belief, *channel, &taken)
            }
            Action::ReceiveAny(channel) => {
                let sort = &self.flow.sorts[*channel];
                let taken = any_names(self.network, machine, state, *channel, sort);
                self.unread(belief, *channel, &taken)
            }
            Action::Timeout(channel) => match self.network.rules.timeout {
                _ if !timeouts => vec![belief],
                TimeoutRule::Off => vec![belief],
                TimeoutRule::Empty => self.filled(belief, *channel).into_iter().collect(),
                TimeoutRule::Last | TimeoutRule::Any => Vec::new(),
            },
        })
    }

    /// A message of which nothing is known.
    fn unknown(&self, channel: ChannelId) -> Claim {
        let names = self.flow.sorts[channel].clone();
        let valued = names.iter().any(|m| self.unlooked(channel, *m) == Claimed::Whatever);
        let value = if valued { Claimed::Whatever } else { Claimed::Nothing };
        Claim { names, value }
    }

    /// The cases of a belief by one more thing that is not known of a channel: whether
    /// there is one more message, or what a message is called. Nothing if all is known.
    pub(crate) fn named(&self, belief: &Belief) -> Option<Vec<Belief>> {
        let queues = belief.queues.iter_ids();
        for (channel, queue) in queues {
            let several = |claim: &Claim| claim.names.len() > 1;
            if let Some(place) = queue.claims.iter().position(several) {
                let names = &queue.claims[place].names;
                return Some(
                    names
                        .iter()
                        .map(|name| {
                            let mut case = belief.clone();
                            case.queues[channel].claims[place].names = vec![*name];
                            case
                        })
                        .collect(),
                );
            }
            if queue.more > 0 {
                let (mut without, mut with) = (belief.clone(), belief.clone());
                without.queues[channel].more = 0;
                with.queues[channel].more -= 1;
                let claim = self.unknown(channel);
                if claim.names.is_empty() {
                    return Some(vec![without]);
                }
                with.queues[channel].claims.push(claim);
                return Some(vec![without, with]);
            }
        }
        None
    }

    /// The channel is full.
    pub(crate) fn full(&self, belief: Belief, channel: ChannelId) -> Option<Belief> {
        self.holding(belief, channel, self.network.channels[channel].capacity)
    }

    /// The channel holds exactly so many messages.
    pub(crate) fn holding(
        &self,
        mut belief: Belief,
        channel: ChannelId,
        count: u32,
    ) -> Option<Belief> {
        let claim = self.unknown(channel);
        let Queue { claims, more } = &mut belief.queues[channel];
        let missing = (count as usize).checked_sub(claims.len())?;
        if missing > *more as usize || (missing > 0 && claim.names.is_empty()) {
            return None;
        }
        claims.extend(std::iter::repeat_n(claim, missing));
        *more = 0;
        Some(belief)
    }

    /// The channel is not empty.
    pub(crate) fn filled(&self, mut belief: Belief, channel: ChannelId) -> Option<Belief> {
        let claim = self.unknown(channel);
        let Queue { claims, more } = &mut belief.queues[channel];
        if claims.is_empty() {
            *more = more.checked_sub(1)?;
            if claim.names.is_empty() {
                return None;
            }
            claims.push(claim);
        }
        Some(belief)
    }

    /// The channel is empty, or its oldest message is none of `taken`.
    fn unread(&self, belief: Belief, channel: ChannelId, taken: &[MessageId]) -> Vec<Belief> {
        let nothing = empty(belief.clone(), channel);
        let other = self.filled(belief, channel).and_then(|mut belief| {
            let oldest = belief.queues[channel].claims.first_mut()?;
            oldest.names.retain(|name| !taken.contains(name));
            (!oldest.names.is_empty()).then_some(belief)
        });
        nothing.into_iter().chain(other).collect()
    }
}
