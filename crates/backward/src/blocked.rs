//! States in which nothing can move, as claims: where errors are (docs/argos.md, section 9),
//! and where a timeout can fire that waits for everybody else.

use crate::belief::{Belief, Cell, Claim, Claimed, Place, Queue};
use crate::expr::Expr;
use crate::net::{Action, Pattern, Receive, Timeout};
use crate::reverse::{Reverse, each, empty, one};
use crate::solve::{Cases, Wanted};
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
                false => self.unread(belief, receive)?,
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

    /// The channel is empty, or its oldest message is not what the receive takes.
    fn unread(&self, belief: Belief, receive: &Receive) -> Cases {
        let channel = receive.channel;
        let mut cases: Vec<Belief> = empty(belief.clone(), channel).into_iter().collect();
        let Some(filled) = self.filled(belief, channel) else { return Ok(cases) };
        let names = filled.queues[channel].claims[0].names.clone();
        let taken = receive.names(&names);
        let mut other = filled.clone();
        other.queues[channel].claims[0].names.retain(|name| !taken.contains(name));
        cases.extend(Some(other).filter(|o| !o.queues[channel].claims[0].names.is_empty()));
        if !receive.compares() {
            return Ok(cases);
        }
        for name in taken {
            let mut case = filled.clone();
            case.queues[channel].claims[0].names = vec![name];
            for case in self.looked(case, channel, name) {
                cases.extend(self.mismatched(case, receive, name)?);
            }
        }
        Ok(cases)
    }

    /// The oldest message with its fields in transit as well, so that they can be
    /// compared.
    fn looked(&self, mut belief: Belief, channel: ChannelId, name: MessageId) -> Vec<Belief> {
        let Some(carried) = self.flow.carried(channel, name) else { return Vec::new() };
        if belief.queues[channel].claims[0].fields == Claimed::Whatever {
            let cells = carried.fields.iter().map(|values| belief.symbol(values.clone()));
            let cells: Vec<Cell> = cells.collect();
            belief.queues[channel].claims[0].fields = Claimed::Values(cells);
        }
        let Claimed::Values(cells) = &belief.queues[channel].claims[0].fields else {
            return Vec::new();
        };
        belief.transit = cells.clone();
        belief.settled().into_iter().collect()
    }

    /// The cases in which the message in transit is not what the receive asks for: all
    /// fields are as asked for up to one, and that one is not. Transit is empty then.
    fn mismatched(&self, belief: Belief, receive: &Receive, name: MessageId) -> Cases {
        let number = Cell::Known(self.net.messages[name].number);
        let head = [(&receive.head, None)];
        let fields = receive.fields.iter().enumerate().map(|(index, p)| (p, Some(index)));
        let (mut same, mut other) = (vec![belief], Vec::new());
        for (pattern, index) in head.into_iter().chain(fields) {
            let Pattern::Match(wanted) = pattern else { continue };
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
        each(other, |case| one(Some(Belief { transit: Vec::new(), ..case })))
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
                    each(offered, |case| self.mismatched(case, receive, name))
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
