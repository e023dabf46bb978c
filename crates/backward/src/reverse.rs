//! The reversed machines (B1-B3): what must have been the case before an edge was
//! taken, given what is claimed after it.
//!
//! A receive becomes a claim at the old end of its channel, a send redeems the claim
//! at the new end; claims never exceed the capacity (B7). An assignment becomes a
//! test of what is claimed, a test stays one, and what was in the variable before is
//! unknown, but for counters, which count back.

use crate::belief::{Belief, Cell, Claim, Claimed, Place, Queue};
use crate::flow::{Flow, any_names};
use crate::solve::{Cases, Wanted};
use crate::values::Values;
use automata::{Action, EdgeId, MachineId, Network, StateId, TimeoutRule};
use base::{Id, IdVec};
use model::{BinaryOp, ChannelId, Expr, MessageId, VariableId, cut};

/// A network to be executed backwards.
#[derive(Debug)]
pub(crate) struct Reverse<'a> {
    pub(crate) network: &'a Network,
    pub(crate) flow: Flow,
    /// For each machine and state the edges that lead there and can be taken.
    into: IdVec<MachineId, IdVec<StateId, Vec<EdgeId>>>,
}

/// One case or none.
fn one(belief: Option<Belief>) -> Cases {
    Ok(belief.and_then(Belief::settled).into_iter().collect())
}

impl<'a> Reverse<'a> {
    pub(crate) fn new(network: &'a Network) -> Self {
        let flow = Flow::new(network);
        let into = network.machines.iter_ids().map(|(id, machine)| {
            let mut into: IdVec<StateId, Vec<EdgeId>> =
                machine.states.ids().map(|_| Vec::new()).collect();
            for (edge, body) in machine.edges.iter_ids() {
                if flow.taken(id, edge) {
                    into[body.to].push(edge);
                }
            }
            into
        });
        let into = into.collect();
        Self { network, flow, into }
    }

    /// The edges of a machine that can be the last one taken.
    pub(crate) fn last_edges(&self, belief: &Belief, machine: MachineId) -> Vec<EdgeId> {
        let states = belief.at[machine].states().iter();
        states.flat_map(|state| self.into[machine][*state].iter().copied()).collect()
    }

    /// Nothing is known but where machines can be.
    pub(crate) fn anything(&self) -> Belief {
        let network = self.network;
        let everywhere = network.machines.iter_ids().map(|(id, machine)| {
            let reached = machine.states.ids().filter(|state| self.flow.reached(id, *state));
            Place::among(reached.collect()).unwrap_or(Place::At(machine.start))
        });
        let queues = network.channels.iter().map(|channel| Queue::unknown(channel.capacity));
        Belief {
            at: everywhere.collect(),
            queues: queues.collect(),
            values: network.variables.ids().map(|id| Cell::Symbol(id.index())).collect(),
            symbols: self.flow.anywhere.iter().cloned().collect(),
        }
    }

    /// Puts a machine somewhere, with the values its variables can have there.
    pub(crate) fn placed(
        &self,
        mut belief: Belief,
        machine: MachineId,
        at: StateId,
    ) -> Option<Belief> {
        belief.at[machine] = Place::At(at);
        for (id, variable) in self.network.variables.iter_ids() {
            if variable.owner.is_some_and(|owner| owner.index() == machine.index()) {
                let cell = belief.values[id];
                belief.limit(cell, self.flow.values(machine, at, id))?;
            }
        }
        belief.settled()
    }

    /// What was the case before `edge` was taken.
    pub(crate) fn before(&self, after: &Belief, machine: MachineId, edge: EdgeId) -> Cases {
        let edge = &self.network.machines[machine].edges[edge];
        let placed = self.undone(after, (machine, edge.from), &edge.action)?;
        let placed = placed.into_iter().filter_map(|b| self.placed(b, machine, edge.from));
        if matches!(edge.action, Action::Timeout(_)) && self.timeout_is_last() {
            let cases: Result<Vec<Vec<Belief>>, _> =
                placed.map(|belief| self.blocked(belief, false)).collect();
            return Ok(cases?.concat());
        }
        Ok(placed.collect())
    }

    fn timeout_is_last(&self) -> bool {
        self.network.rules.timeout == TimeoutRule::Last
    }

    /// Takes the effect of an action back; the machine is still behind it.
    fn undone(&self, after: &Belief, from: (MachineId, StateId), action: &Action) -> Cases {
        let belief = after.clone();
        match action {
            Action::Skip => Ok(vec![belief]),
            Action::Condition(e) => belief.require(e, &read, Wanted::Truth),
            Action::Assign(variable, e) => self.unassigned(belief, *variable, e),
            Action::Send(channel, message, value) => {
                self.unsent(&belief, *channel, *message, value.as_ref())
            }
            Action::Receive(channel, message, variable) => {
                self.unreceived(&belief, *channel, *message, *variable)
            }
            Action::ReceiveAny(channel) => {
                let sort = &self.flow.sorts[*channel];
                let names = any_names(self.network, from.0, from.1, *channel, sort);
                one(self.claimed(belief, *channel, Claim { names, value: Claimed::Whatever }))
            }
            Action::Timeout(channel) => match self.network.rules.timeout {
                TimeoutRule::Off => Ok(Vec::new()),
                TimeoutRule::Empty => one(empty(belief, *channel)),
                TimeoutRule::Last | TimeoutRule::Any => Ok(vec![belief]),
            },
        }
    }

    fn unassigned(&self, mut belief: Belief, variable: VariableId, expr: &Expr) -> Cases {
        let result = belief.values[variable];
        let step = step_of(expr, variable);
        if let Some(before) = step.and_then(|step| counted_back(&belief, variable, step)) {
            return one(Some(before));
        }
        belief.values[variable] = belief.symbol(self.flow.anywhere[variable].clone());
        belief.require(expr, &read, Wanted::Result(result))
    }

    /// The message sent was the newest: one of the unknown ones, or the last claim.
    fn unsent(
        &self,
        belief: &Belief,
        channel: ChannelId,
        message: MessageId,
        value: Option<&Expr>,
    ) -> Cases {
        let mut cases = Vec::new();
        if belief.queues[channel].more > 0 {
            let mut unknown = belief.clone();
            unknown.queues[channel].more -= 1;
            cases.extend(defined(unknown, value)?);
        }
        let mut redeemed = belief.clone();
        redeemed.queues[channel].more = 0;
        let Some(claim) = redeemed.queues[channel].claims.pop() else { return Ok(cases) };
        if claim.names.contains(&message) {
            cases.extend(match (claim.value, value) {
                (Claimed::Whatever, value) => defined(redeemed, value)?,
                (Claimed::Nothing, None) => one(Some(redeemed))?,
                (Claimed::Value(cell), Some(expr)) => {
                    redeemed.require(expr, &read, Wanted::Result(cell))?
                }
                (Claimed::Nothing, Some(_)) | (Claimed::Value(_), None) => Vec::new(),
            });
        }
        Ok(cases)
    }

    /// The message received was the oldest.
    fn unreceived(
        &self,
        belief: &Belief,
        channel: ChannelId,
        message: MessageId,
        variable: Option<VariableId>,
    ) -> Cases {
        let Some(carried) = self.flow.carried(channel, message) else { return Ok(Vec::new()) };
        let claim = |value| Claim { names: vec![message], value };
        let mut cases = Vec::new();
        match variable {
            None => {
                let value = self.unlooked(channel, message);
                cases.extend(self.claimed(belief.clone(), channel, claim(value)));
            }
            Some(variable) => {
                if carried.bare {
                    cases.extend(self.claimed(belief.clone(), channel, claim(Claimed::Nothing)));
                }
                if !carried.values.is_empty() {
                    let value = Claimed::Value(belief.values[variable]);
                    let case = self.claimed(belief.clone(), channel, claim(value));
                    cases.extend(case.and_then(|mut case| {
                        case.limit(belief.values[variable], &carried.values)?;
                        case.values[variable] = case.symbol(self.flow.anywhere[variable].clone());
                        Some(case)
                    }));
                }
            }
        }
        Ok(cases.into_iter().filter_map(Belief::settled).collect())
    }

    /// The value of a message that nobody looks at.
    pub(crate) fn unlooked(&self, channel: ChannelId, message: MessageId) -> Claimed {
        let valued = self.flow.carried(channel, message).is_some_and(|c| !c.values.is_empty());
        if valued { Claimed::Whatever } else { Claimed::Nothing }
    }

    /// One claim more, at the old end, if there is room for it.
    fn claimed(&self, mut belief: Belief, channel: ChannelId, claim: Claim) -> Option<Belief> {
        let capacity = self.network.channels[channel].capacity as usize;
        let queue = &mut belief.queues[channel];
        if queue.claims.len() >= capacity || claim.names.is_empty() {
            return None;
        }
        queue.claims.insert(0, claim);
        queue.more = queue.more.min((capacity - queue.claims.len()) as u32);
        Some(belief)
    }
}

/// The value of a variable.
pub(crate) fn read(belief: &Belief, variable: VariableId) -> Cell {
    belief.values[variable]
}

/// The channel is empty.
pub(crate) fn empty(mut belief: Belief, channel: ChannelId) -> Option<Belief> {
    let queue = &mut belief.queues[channel];
    queue.more = 0;
    queue.claims.is_empty().then_some(belief)
}

/// The value sent is one.
fn defined(belief: Belief, value: Option<&Expr>) -> Cases {
    match value {
        Some(expr) if can_fail(expr) => belief.require(expr, &read, Wanted::Defined),
        _ => one(Some(belief)),
    }
}

/// Whether an expression can divide by zero.
fn can_fail(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Var(_) => false,
        Expr::Unary(_, x) => can_fail(x),
        Expr::Binary(op, x, y) => {
            let divides = matches!(op, BinaryOp::Divide | BinaryOp::Remainder);
            let safe = matches!(**y, Expr::Const(divisor) if divisor != 0);
            (divides && !safe) || can_fail(x) || can_fail(y)
        }
    }
}

/// By how much `v = v + k` or `v = v - k` counts.
fn step_of(expr: &Expr, variable: VariableId) -> Option<i16> {
    match expr {
        Expr::Binary(op, x, y) if **x == Expr::Var(variable) => match (op, &**y) {
            (BinaryOp::Add, Expr::Const(k)) => Some(cut(*k)),
            (BinaryOp::Subtract, Expr::Const(k)) => Some(cut(k.wrapping_neg())),
            _ => None,
        },
        _ => None,
    }
}

/// `v++` becomes `v--` (B3), unless the unknown value of `v` stands elsewhere too.
fn counted_back(belief: &Belief, variable: VariableId, step: i16) -> Option<Belief> {
    let mut before = belief.clone();
    match belief.values[variable] {
        Cell::Known(value) => before.values[variable] = Cell::Known(value.wrapping_sub(step)),
        Cell::Symbol(symbol) if belief.uses(symbol) == 1 => {
            let values: Values = belief.symbols[symbol].shifted(step.wrapping_neg());
            before.symbols[symbol] = values;
        }
        Cell::Symbol(_) => return None,
    }
    Some(before)
}
