//! The reversed machines (Holzmann 1984, section 3): what must have been the case
//! before a motion, given what is claimed after it.
//!
//! A receive becomes a claim at the old end of its channel, a send redeems the claim
//! at the new end; claims never exceed the capacity. An assignment becomes a
//! test of what is claimed, a test stays one, and what was in the variable before is
//! unknown, but for counters, which count back. What is atomic is taken back edge by
//! edge too: a claim about an invisible state says who continues from it, and only a
//! motion after which that machine goes on leads there.

use crate::belief::{Belief, Cell, Claimed, Place, Queue};
use crate::expr::{Expr, Leaf, Range};
use crate::flow::Flow;
use crate::net::{Action, Motion, Net, Timeout};
use crate::solve::{Cases, TooMany, Wanted};
use crate::values::Values;
use automata::{MachineId, StateId};
use base::{Id, IdVec};
use model::{ChannelId, MessageId, VariableId};
use program::BinaryOp;

/// More cases than this of one step or one state are too many.
const CASES_MAX: usize = 20_000;

/// A net to be executed backwards.
#[derive(Debug)]
pub(crate) struct Reverse<'a> {
    pub(crate) net: &'a Net,
    pub(crate) flow: Flow,
    /// Every step there can be.
    pub(crate) motions: Vec<Motion>,
    /// For each machine and state the motions by which it comes there, as the sender if
    /// it is a rendezvous.
    into: IdVec<MachineId, IdVec<StateId, Vec<usize>>>,
    /// For each machine and state whether a motion behind which it goes on leads there.
    entered: IdVec<MachineId, IdVec<StateId, bool>>,
}

/// One case or none.
pub(crate) fn one(belief: Option<Belief>) -> Cases {
    Ok(belief.and_then(Belief::settled).into_iter().collect())
}

/// The cases of all cases, unless they are too many.
pub(crate) fn each(cases: Vec<Belief>, split: impl Fn(Belief) -> Cases) -> Cases {
    let mut all = Vec::new();
    for case in cases {
        all.extend(split(case)?);
        if all.len() > CASES_MAX {
            return Err(TooMany);
        }
    }
    Ok(all)
}

impl<'a> Reverse<'a> {
    pub(crate) fn new(net: &'a Net) -> Self {
        let flow = Flow::new(net);
        let motions = motions(net, &flow);
        let none = |machine: &crate::net::Machine| machine.states.ids().map(|_| Vec::new());
        let mut into: IdVec<MachineId, IdVec<StateId, Vec<usize>>> =
            net.machines.iter().map(|machine| none(machine).collect()).collect();
        let never = |machine: &crate::net::Machine| machine.states.ids().map(|_| false);
        let mut entered: IdVec<MachineId, IdVec<StateId, bool>> =
            net.machines.iter().map(|machine| never(machine).collect()).collect();
        for (index, motion) in motions.iter().enumerate() {
            let to = net.machines[motion.machine].edges[motion.edge].to;
            into[motion.machine][to].push(index);
            if let Some((machine, edge)) = net.edges(*motion).last().filter(|(_, e)| e.atomic) {
                entered[machine][edge.to] = true;
            }
        }
        Self { net, flow, motions, into, entered }
    }

    /// The motions of a machine that can have been the last.
    pub(crate) fn last_motions(&self, belief: &Belief, machine: MachineId) -> Vec<usize> {
        let states = belief.at[machine].states().iter();
        let all = states.flat_map(|state| self.into[machine][*state].iter().copied());
        let fits = |index: &usize| {
            let motion = self.motions[*index];
            let arrived = |(peer, edge)| {
                let to = self.net.machines[peer].edges[edge].to;
                belief.at[peer].states().contains(&to)
            };
            motion.peer.is_none_or(arrived)
                && (belief.inside.is_none() || belief.inside == self.net.goes_on(motion))
        };
        all.filter(fits).collect()
    }

    /// Nothing is known but where machines can be.
    pub(crate) fn anything(&self) -> Belief {
        let net = self.net;
        let everywhere = net.machines.iter_ids().map(|(id, machine)| {
            let reached = machine.states.ids().filter(|state| self.flow.reached(id, *state));
            Place::among(reached.collect()).unwrap_or(Place::At(machine.start))
        });
        let queues = net.channels.iter().map(|channel| Queue::unknown(channel.capacity));
        Belief {
            at: everywhere.collect(),
            queues: queues.collect(),
            values: net.variables.ids().map(|id| Cell::Symbol(id.index())).collect(),
            symbols: self.flow.anywhere.iter().cloned().collect(),
            inside: None,
            transit: Vec::new(),
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
        for (id, variable) in self.net.variables.iter_ids() {
            if variable.owner == Some(machine) {
                let cell = belief.values[id];
                belief.limit(cell, self.flow.values(machine, at, id))?;
            }
        }
        belief.settled()
    }

    /// What was the case before a motion: states that everybody sees, and states within an
    /// atomic sequence.
    pub(crate) fn before(&self, after: &Belief, motion: Motion) -> Cases {
        let mut cases = self.before_visible(after, motion)?;
        let machine = motion.machine;
        let edge = &self.net.machines[machine].edges[motion.edge];
        // Within a sequence it does not matter whether everything else is blocked.
        let fires = matches!(edge.action, Action::Timeout(Timeout::Last));
        if self.entered[machine][edge.from] && !fires {
            let hidden = |case: &Belief| Belief { inside: Some(machine), ..case.clone() };
            let hidden: Vec<Belief> = cases.iter().map(hidden).collect();
            cases.extend(hidden);
        }
        Ok(cases)
    }

    fn before_visible(&self, after: &Belief, motion: Motion) -> Cases {
        let machine = motion.machine;
        let edge = &self.net.machines[machine].edges[motion.edge];
        let mut cases = vec![self.arrived(after, motion)];
        if let Some(blocked) = self.net.goes_on(motion).filter(|_| after.inside.is_none()) {
            // After an atomic edge a state is visible to all only if no machine continues.
            cases = each(cases, |case| self.stuck(&case, blocked, false))?;
        }
        cases = each(cases, |case| self.undone(&case, motion))?;
        let placed = cases.into_iter().filter_map(|case| self.departed(case, motion));
        match edge.action {
            Action::Timeout(Timeout::Last) => {
                each(placed.collect(), |case| self.blocked(case, false))
            }
            Action::Else => {
                let before = |case| self.stuck_before(case, (machine, edge.from), motion.edge);
                each(placed.collect(), before)
            }
            _ => Ok(placed.collect()),
        }
    }

    /// Everybody who moved is where the motion leads.
    fn arrived(&self, after: &Belief, motion: Motion) -> Belief {
        let mut belief = Belief { inside: None, ..after.clone() };
        for (machine, edge) in self.net.edges(motion) {
            belief.at[machine] = Place::At(edge.to);
        }
        belief
    }

    /// Everybody who moved is back.
    fn departed(&self, belief: Belief, motion: Motion) -> Option<Belief> {
        let mut edges = self.net.edges(motion);
        edges.try_fold(belief, |belief, (machine, edge)| self.placed(belief, machine, edge.from))
    }

    /// Takes the effect of a motion back; who moved is still behind it.
    fn undone(&self, after: &Belief, motion: Motion) -> Cases {
        let belief = after.clone();
        match &self.net.machines[motion.machine].edges[motion.edge].action {
            Action::Skip | Action::Else | Action::Timeout(Timeout::Last) => Ok(vec![belief]),
            Action::Test(e) | Action::Assert(e) => self.require(belief, e, Wanted::Truth),
            Action::Assign(variable, e, when) => {
                let cases = self.unassigned(belief, *variable, e)?;
                match when {
                    None => Ok(cases),
                    Some(when) => each(cases, |case| self.require(case, when, Wanted::Truth)),
                }
            }
            Action::Send(channel, message, fields) => match motion.peer {
                None => self.unsent(&belief, *channel, *message, fields),
                Some((peer, edge)) => {
                    let taker = &self.net.machines[peer].edges[edge].action;
                    let Some(receive) = taker.receives(*channel) else { return Ok(Vec::new()) };
                    let cases = self.unstored_whole(&belief, receive, *message)?;
                    each(cases, |case| self.redeemed(case, (*channel, *message), fields))
                }
            },
            Action::Receive(receive) => self.unreceived(&belief, receive),
            Action::Timeout(Timeout::Empty(channel)) => one(empty(belief, *channel)),
            Action::Timeout(Timeout::Never) => Ok(Vec::new()),
        }
    }

    /// The cases in which `expr` comes to what is wanted; the lengths of channels become
    /// numbers first.
    pub(crate) fn require(&self, belief: Belief, expr: &Expr, wanted: Wanted) -> Cases {
        let lengths = expr.leaves().into_iter().find_map(|leaf| match leaf {
            Leaf::Length(channel) => Some(channel),
            Leaf::Variable(_) => None,
        });
        let Some(channel) = lengths else { return belief.require(expr, wanted) };
        let mut cases = Vec::new();
        for count in 0..=self.net.channels[channel].capacity {
            if let Some(case) = self.holding(belief.clone(), channel, count) {
                let expr = expr.with_length(channel, count as i32);
                cases.extend(self.require(case, &expr, wanted)?);
            }
        }
        Ok(cases)
    }

    fn unassigned(&self, mut belief: Belief, variable: VariableId, expr: &Expr) -> Cases {
        let result = belief.values[variable];
        let range = self.net.variables[variable].range;
        let step = step_of(expr, variable, range);
        let counted = step.and_then(|step| counted_back(&belief, variable, step, range));
        if let Some(before) = counted {
            return one(Some(before));
        }
        belief.values[variable] = belief.symbol(self.flow.anywhere[variable].clone());
        self.require(belief, expr, Wanted::Result(result))
    }

    /// The message sent was the newest: one of the unknown ones, or the last claim.
    fn unsent(
        &self,
        belief: &Belief,
        channel: ChannelId,
        message: MessageId,
        fields: &[Expr],
    ) -> Cases {
        let mut cases = Vec::new();
        if belief.queues[channel].more > 0 {
            let mut unknown = belief.clone();
            unknown.queues[channel].more -= 1;
            cases.extend(self.defined(unknown, fields)?);
        }
        let mut redeemed = belief.clone();
        redeemed.queues[channel].more = 0;
        let Some(claim) = redeemed.queues[channel].claims.pop() else { return Ok(cases) };
        if claim.names.contains(&message) {
            cases.extend(match claim.fields {
                Claimed::Whatever => self.defined(redeemed, fields)?,
                Claimed::Values(cells) if cells.len() == fields.len() => {
                    redeemed.transit = cells;
                    self.redeemed(redeemed, (channel, message), fields)?
                }
                Claimed::Values(_) => Vec::new(),
            });
        }
        Ok(cases)
    }
}

/// Every step there can be, as far as each machine by itself can take it.
fn motions(net: &Net, flow: &Flow) -> Vec<Motion> {
    let taken = |machine: MachineId| {
        let edges = net.machines[machine].edges.iter_ids();
        edges.filter(move |(edge, _)| flow.taken(machine, *edge))
    };
    let mut list = Vec::new();
    for machine in net.machines.ids() {
        for (edge, body) in taken(machine) {
            match &body.action {
                Action::Send(channel, message, _) if net.is_rendezvous(*channel) => {
                    for peer in net.machines.ids().filter(|peer| *peer != machine) {
                        let takers = taken(peer).filter(|(_, taker)| {
                            let receive = taker.action.receives(*channel);
                            receive.is_some_and(|r| !r.names(&[*message]).is_empty())
                        });
                        let peers = takers.map(|(id, _)| Some((peer, id)));
                        list.extend(peers.map(|peer| Motion { machine, edge, peer }));
                    }
                }
                Action::Receive(receive) if net.is_rendezvous(receive.channel) => {}
                _ => list.push(Motion { machine, edge, peer: None }),
            }
        }
    }
    list
}

/// The channel is empty.
pub(crate) fn empty(mut belief: Belief, channel: ChannelId) -> Option<Belief> {
    let queue = &mut belief.queues[channel];
    queue.more = 0;
    queue.claims.is_empty().then_some(belief)
}

/// By how much `v = v + k` or `v = v - k` counts.
pub(crate) fn step_of(expr: &Expr, variable: VariableId, range: Range) -> Option<i32> {
    let sum = match expr {
        Expr::Cut(cut, sum) if *cut == range => &**sum,
        other => other,
    };
    match sum {
        Expr::Binary(op, x, y) if **x == Expr::variable(variable) => match (op, &**y) {
            (BinaryOp::Add, Expr::Const(k)) => Some(*k),
            (BinaryOp::Subtract, Expr::Const(k)) => Some(k.wrapping_neg()),
            _ => None,
        },
        _ => None,
    }
}

/// `v++` becomes `v--`, unless the unknown value of `v` stands elsewhere too.
fn counted_back(belief: &Belief, variable: VariableId, step: i32, range: Range) -> Option<Belief> {
    let mut before = belief.clone();
    match belief.values[variable] {
        Cell::Known(value) => {
            before.values[variable] = Cell::Known(range.cut(value.wrapping_sub(step)));
        }
        Cell::Symbol(symbol) if belief.uses(symbol) == 1 => {
            let values: Values = belief.symbols[symbol].shifted(step.wrapping_neg(), range);
            before.symbols[symbol] = values;
        }
        Cell::Symbol(_) => return None,
    }
    Some(before)
}
