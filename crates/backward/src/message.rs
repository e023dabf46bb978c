//! Messages on their way back: out of the variables they were stored in, into claims,
//! and out of claims to who sent them.

use crate::belief::{Belief, Cell, Claim, Claimed};
use crate::expr::{Expr, Leaf};
use crate::net::{Pattern, Receive, Taken};
use crate::reverse::{Reverse, each, one};
use crate::solve::{Cases, Wanted};
use crate::values::Values;
use model::{ChannelId, MessageId, VariableId};

impl Reverse<'_> {
    /// The message received was the oldest.
    pub(crate) fn unreceived(&self, after: &Belief, receive: &Receive) -> Cases {
        let channel = receive.channel;
        let names = receive.names(&self.flow.sorts[channel]);
        if receive.is_plain() {
            let fields = match receive.taken {
                Taken::Only(message) => self.unlooked(channel, message),
                Taken::AllBut(_) => Claimed::Whatever,
            };
            return one(self.claimed(after.clone(), channel, Claim { names, fields }));
        }
        let mut cases = Vec::new();
        for name in names {
            let back = self.unstored_whole(after, receive, name)?;
            cases.extend(back.into_iter().filter_map(|mut case| {
                let fields = Claimed::Values(std::mem::take(&mut case.transit));
                let claim = Claim { names: vec![name], fields };
                self.claimed(case, channel, claim)?.settled()
            }));
        }
        Ok(cases)
    }

    /// What was the case before a message of this name was stored, with its fields in
    /// transit: it may have none.
    pub(crate) fn unstored_whole(
        &self,
        after: &Belief,
        receive: &Receive,
        name: MessageId,
    ) -> Cases {
        let Some(carried) = self.flow.carried(receive.channel, name) else {
            return Ok(Vec::new());
        };
        let mut cases = Vec::new();
        if carried.bare {
            cases.extend(self.unstored(after, receive, name, &[])?);
        }
        if !carried.fields.is_empty() {
            cases.extend(self.unstored(after, receive, name, &carried.fields)?);
        }
        Ok(cases)
    }

    /// What is stored further right is stored later. What must match was compared before
    /// anything was stored.
    fn unstored(
        &self,
        after: &Belief,
        receive: &Receive,
        name: MessageId,
        fields: &[Values],
    ) -> Cases {
        let mut belief = after.clone();
        belief.transit = fields.iter().map(|values| belief.symbol(values.clone())).collect();
        let number = self.net.messages[name].number;
        let patterns: Vec<&Pattern> = receive.fields.iter().take(fields.len()).collect();
        let mut cases = vec![belief];
        for (index, pattern) in patterns.iter().enumerate().rev() {
            if let Pattern::Store(variable) = pattern {
                cases = each(cases, |case| self.taken_out(case, *variable, index))?;
            }
        }
        if let Pattern::Store(variable) = receive.head {
            let number = Cell::Known(self.net.variables[variable].range.cut(number));
            let back = |case| one(self.was_stored(case, variable, number));
            cases = each(cases, back)?;
        }
        if let Pattern::Match(wanted) = &receive.head {
            let same = Wanted::Result(Cell::Known(number));
            cases = each(cases, |case| self.require(case, wanted, same))?;
        }
        for (index, pattern) in patterns.iter().enumerate() {
            if let Pattern::Match(wanted) = pattern {
                let same = |case: Belief| {
                    let field = case.transit[index];
                    self.require(case, wanted, Wanted::Result(field))
                };
                cases = each(cases, same)?;
            }
        }
        Ok(cases)
    }

    /// Field `index` was stored in a variable, of which nothing is known before.
    fn taken_out(&self, mut belief: Belief, variable: VariableId, index: usize) -> Cases {
        let (field, stored) = (belief.transit[index], belief.values[variable]);
        let range = self.net.variables[variable].range;
        let fits = match field {
            Cell::Known(value) => range.holds(value),
            Cell::Symbol(symbol) => belief.symbols[symbol].within(&range.values()),
        };
        if fits {
            return one(self.was_stored(belief, variable, field));
        }
        belief.values[variable] = field;
        let cut = Expr::Cut(range, Box::new(Expr::variable(variable)));
        let forget = |mut case: Belief| {
            case.values[variable] = case.symbol(self.flow.anywhere[variable].clone());
            one(Some(case))
        };
        each(belief.require(&cut, Wanted::Result(stored))?, forget)
    }

    fn was_stored(&self, mut belief: Belief, variable: VariableId, value: Cell) -> Option<Belief> {
        let stored = belief.values[variable];
        belief.equate(value, stored)?;
        belief.values[variable] = belief.symbol(self.flow.anywhere[variable].clone());
        Some(belief)
    }

    /// The fields in transit are those that were sent with this message.
    pub(crate) fn redeemed(
        &self,
        belief: Belief,
        message: (ChannelId, MessageId),
        fields: &[Expr],
    ) -> Cases {
        let mut cases = vec![belief];
        for (index, field) in fields.iter().enumerate() {
            let simple = matches!(field, Expr::Const(_) | Expr::Read(Leaf::Variable(_)));
            cases = each(cases, |case| match case.transit[index] {
                cell if simple || !self.is_free(&case, message, index) => {
                    self.require(case, field, Wanted::Result(cell))
                }
                _ => self.defined(case, std::slice::from_ref(field)),
            })?;
        }
        each(cases, |case| one(Some(Belief { transit: Vec::new(), ..case })))
    }

    /// Nothing is claimed of a field in transit: then no case for each value is needed.
    fn is_free(
        &self,
        belief: &Belief,
        (channel, message): (ChannelId, MessageId),
        index: usize,
    ) -> bool {
        let Cell::Symbol(symbol) = belief.transit[index] else { return false };
        let carried = self.flow.carried(channel, message).and_then(|c| c.fields.get(index));
        let all = carried.is_some_and(|values| values.within(&belief.symbols[symbol]));
        all && belief.uses(symbol) == 1
    }

    /// The fields sent have a value.
    pub(crate) fn defined(&self, belief: Belief, fields: &[Expr]) -> Cases {
        let mut cases = one(Some(belief))?;
        for field in fields.iter().filter(|field| field.can_fail()) {
            cases = each(cases, |case| self.require(case, field, Wanted::Defined))?;
        }
        Ok(cases)
    }

    /// The fields of a message that nothing reads.
    pub(crate) fn unlooked(&self, channel: ChannelId, message: MessageId) -> Claimed {
        let valued = self.flow.carried(channel, message).is_some_and(|c| !c.fields.is_empty());
        if valued { Claimed::Whatever } else { Claimed::NOTHING }
    }

    /// One claim more, at the old end, if there is room for it.
    fn claimed(&self, mut belief: Belief, channel: ChannelId, claim: Claim) -> Option<Belief> {
        let capacity = self.net.channels[channel].capacity as usize;
        let queue = &mut belief.queues[channel];
        if queue.claims.len() >= capacity || claim.names.is_empty() {
            return None;
        }
        queue.claims.insert(0, claim);
        queue.more = queue.more.min((capacity - queue.claims.len()) as u32);
        Some(belief)
    }
}
