//! States in which nothing can move, as claims: where errors are (docs/argos.md, section 9),
//! and where a timeout can fire that waits for everybody else.

use crate::belief::{Belief, Cell, Claim, Claimed, Place, Queue};
use crate::expr::Expr;
use crate::net::{Action, Pattern, Receive, Timeout};
use crate::reverse::{Reverse, each, empty, one};
use crate::solve::{Cases, TooMany, Wanted};
use automata::{EdgeId, MachineId, StateId};
use model::{ChannelId, MessageId};

impl Reverse<'_> {
    /// The cases in which no machine can move; with `timeouts` not by a timeout either.
    pub(crate) fn blocked(&self, belief: Belief, timeouts: bool) -> Cases {
        let mut cases = vec![belief];
        for machine in self.net.machines.ids() {
            cases = each(cases, |case| self.stuck(&case, machine, timeouts))?;
        }
        Ok(cases)
    }

    /// The cases in which `machine` cannot move.
    pub(crate) fn stuck(&self, belief: &Belief, machine: MachineId, timeouts: bool) -> Cases {
        let mut all = Vec::new();
        for state in belief.at[machine].states() {
            let edges = &self.net.machines[machine].states[*state].edges;
            let body = |edge: &EdgeId| &self.net.machines[machine].edges[*edge].action;
            if edges.iter().any(|edge| *body(edge) == Action::Else) {
                continue;
            }
            let Some(case) = self.placed(belief.clone(), machine, *state) else { continue };
            all.extend(self.all_prevented(case, machine, edges, timeouts)?);
        }
        Ok(all)
    }

    /// The cases in which no edge before this one is executable, whatever the timeout.
    pub(crate) fn stuck_before(
        &self,
        belief: Belief,
        (machine, state): (MachineId, StateId),
        edge: EdgeId,
    ) -> Cases {
        let edges = &self.net.machines[machine].states[state].edges;
        let place = edges.iter().position(|other| *other == edge).unwrap_or(0);
        self.all_prevented(belief, machine, &edges[..place], false)
    }

    fn all_prevented(
        &self,
        belief: Belief,
        machine: MachineId,
        edges: &[EdgeId],
        timeouts: bool,
    ) -> Cases {
        let mut cases = vec![belief];
        for edge in edges {
            let action = &self.net.machines[machine].edges[*edge].action;
            cases = each(cases, |case| self.prevented(case, machine, action, timeouts))?;
        }
        Ok(cases)
    }

    /// The cases in which an action cannot be executed. What fails does execute.
    fn prevented(
        &self,
        belief: Belief,
        machine: MachineId,
        action: &Action,
        timeouts: bool,
    ) -> Cases {
        Ok(match action {
            Action::Skip | Action::Assign(..) | Action::Assert(_) | Action::Else => Vec::new(),
            Action::Test(e) => self.require(belief, e, Wanted::Zero)?,
            Action::Send(channel, message, fields) => match self.net.is_rendezvous(*channel) {
                true => self.refused(belief, machine, (*channel, *message), fields)?,
                false => self.full(belief, *channel).into_iter().collect(),
            },
            Action::Receive(receive) => match self.net.is_rendezvous(receive.channel) {
                true => vec![belief],
                false => self.headed(belief, receive, false)?,
            },
            Action::Timeout(timeout) => match timeout {
                _ if !timeouts => vec![belief],
                Timeout::Never => vec![belief],
                Timeout::Empty(channel) => self.filled(belief, *channel).into_iter().collect(),
                Timeout::Last => Vec::new(),
            },
        })
    }

    /// A message of which nothing is known.
    fn unknown(&self, channel: ChannelId) -> Claim {
        let names = self.flow.sorts[channel].clone();
        let valued = names.iter().any(|m| self.unlooked(channel, *m) == Claimed::Whatever);
        let fields = if valued { Claimed::Whatever } else { Claimed::NOTHING };
        Claim { names, fields }
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
        self.holding(belief, channel, self.net.channels[channel].capacity)
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

    /// The oldest message of the channel is one that the receive takes; or it is not, or there is
    /// none.
    pub(crate) fn headed(&self, belief: Belief, receive: &Receive, takes: bool) -> Cases {
        let channel = receive.channel;
        let bare = empty(belief.clone(), channel).filter(|_| !takes);
        let mut cases: Vec<Belief> = bare.into_iter().collect();
        let Some(filled) = self.filled(belief, channel) else { return Ok(cases) };
        let names = filled.queues[channel].claims[0].names.clone();
        let (taken, others): (Vec<MessageId>, Vec<MessageId>) =
            names.iter().partition(|name| !receive.names(&[**name]).is_empty());
        let among = |names: Vec<MessageId>| {
            let mut case = filled.clone();
            case.queues[channel].claims[0].names = names;
            case
        };
        if !receive.compares() {
            let names = if takes { taken } else { others };
            cases.extend((!names.is_empty()).then(|| among(names)));
            return Ok(cases);
        }
        cases.extend((!takes && !others.is_empty()).then(|| among(others)));
        for name in taken {
            for case in self.looked(among(vec![name]), channel, name) {
                let (same, other) = self.compared(case, receive, name)?;
                cases.extend(if takes { same } else { other });
            }
        }
        Ok(cases)
    }

    /// The oldest message with its fields in transit as well, so that they can be
    /// compared; a case each for one with fields and one without.
    fn looked(&self, belief: Belief, channel: ChannelId, name: MessageId) -> Vec<Belief> {
        let Some(carried) = self.flow.carried(channel, name) else { return Vec::new() };
        let mut cases = Vec::new();
        if belief.queues[channel].claims[0].fields == Claimed::Whatever {
            if carried.bare || carried.fields.is_empty() {
                let mut bare = belief.clone();
                bare.queues[channel].claims[0].fields = Claimed::NOTHING;
                cases.push(bare);
            }
            let mut full = belief;
            let cells = carried.fields.iter().map(|values| full.symbol(values.clone())).collect();
            full.queues[channel].claims[0].fields = Claimed::Values(cells);
            cases.extend((!carried.fields.is_empty()).then_some(full));
        } else {
            cases.push(belief);
        }
        let in_transit = |mut case: Belief| {
            let Claimed::Values(cells) = &case.queues[channel].claims[0].fields else {
                return None;
            };
            case.transit = cells.clone();
            case.settled()
        };
        cases.into_iter().filter_map(in_transit).collect()
    }

    /// The cases in which the message in transit is what the receive asks for, and those in
    /// which it is not: all fields are as asked for up to one, and that one is not, or is not
    /// there. Transit is empty then.
    fn compared(
        &self,
        belief: Belief,
        receive: &Receive,
        name: MessageId,
    ) -> Result<(Vec<Belief>, Vec<Belief>), TooMany> {
        let number = Cell::Known(self.net.messages[name].number);
        let head = [(&receive.head, None)];
        let fields = receive.fields.iter().enumerate().map(|(index, p)| (p, Some(index)));
        let count = belief.transit.len();
        let (mut same, mut other) = (vec![belief], Vec::new());
        for (pattern, index) in head.into_iter().chain(fields) {
            let Pattern::Match(wanted) = pattern else { continue };
            if index.is_some_and(|index| index >= count) {
                other.append(&mut same);
                break;
            }
            let field = |case: &Belief| index.map_or(number, |index| case.transit[index]);
            other.extend(each(same.clone(), |case| {
                let field = field(&case);
                self.require(case, wanted, Wanted::Other(field))
            })?);
            same = each(same, |case| {
                let field = field(&case);
                self.require(case, wanted, Wanted::Result(field))
            })?;
        }
        let landed = |cases| each(cases, |case| one(Some(Belief { transit: Vec::new(), ..case })));
        Ok((landed(same)?, landed(other)?))
    }

    /// Nobody takes what is offered at a rendezvous: none of the others is where it could,
    /// or what they ask for is something else.
    fn refused(
        &self,
        belief: Belief,
        machine: MachineId,
        (channel, name): (ChannelId, MessageId),
        fields: &[Expr],
    ) -> Cases {
        let mut cases = self.defined(belief, fields)?;
        for peer in self.net.machines.ids().filter(|peer| *peer != machine) {
            cases = each(cases, |case| self.refused_by(case, peer, (channel, name), fields))?;
        }
        Ok(cases)
    }

    fn refused_by(
        &self,
        belief: Belief,
        peer: MachineId,
        (channel, name): (ChannelId, MessageId),
        fields: &[Expr],
    ) -> Cases {
        let body = &self.net.machines[peer];
        let takers = |state: StateId| {
            let receives = body.edges_from(state).filter_map(|(_, e)| e.action.receives(channel));
            receives.filter(|receive| !receive.names(&[name]).is_empty())
        };
        let (taking, free): (Vec<StateId>, Vec<StateId>) =
            belief.at[peer].states().iter().partition(|state| takers(**state).next().is_some());
        let mut all = Vec::new();
        if let Some(place) = Place::among(free) {
            let mut case = belief.clone();
            case.at[peer] = place;
            all.push(case);
        }
        for state in taking {
            let mut cases: Vec<Belief> =
                self.placed(belief.clone(), peer, state).into_iter().collect();
            for receive in takers(state) {
                cases = each(cases, |case| {
                    let offered = self.offered(case, (channel, name), fields)?;
                    each(offered, |case| Ok(self.compared(case, receive, name)?.1))
                })?;
            }
            all.extend(cases);
        }
        Ok(all)
    }

    /// What is offered at a rendezvous, in transit.
    fn offered(
        &self,
        mut belief: Belief,
        (channel, name): (ChannelId, MessageId),
        fields: &[Expr],
    ) -> Cases {
        let Some(carried) = self.flow.carried(channel, name) else { return Ok(Vec::new()) };
        belief.transit = carried.fields.iter().map(|v| belief.symbol(v.clone())).collect();
        let mut cases = vec![belief];
        for (index, field) in fields.iter().enumerate() {
            cases = each(cases, |case| {
                let cell = case.transit[index];
                self.require(case, field, Wanted::Result(cell))
            })?;
        }
        Ok(cases)
    }
}
