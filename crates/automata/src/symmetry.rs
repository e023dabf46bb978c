//! Which processes of a network can be exchanged without anybody noticing: copies of one text.
//!
//! Two machines are copies if their edges are the same in their order, but for the names of the channels,
//! messages and variables they use. To exchange them exchanges what they use under different names, and
//! leads from one state of each other machine to another: a server is then behind the request of one
//! instead of that of the other. That is an automorphism of the network if every other machine does the same
//! from there on, which is decided by partition refinement: its states and those of the machine with names
//! exchanged are to be pairwise equivalent. Unlike PROMELA's processes, which know their numbers, copies have nothing
//! but names, so no value of a variable or message stands for one.
//!
//! What the rules and assertions see must not change either, nor the initial state ([`Reason`]): so whatever one
//! copy ever executes, each other one does, and what was never executed is known of all.

use crate::network::{Action, EndRule, Machine, MachineId, Network, StateId};
use crate::{Edge, EdgeId, Sighting};
use base::{IdVec, Name};
use model::{ChannelId, Expr, Message, MessageId, VariableId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Two machines exchanged, and what is exchanged with them. Maps have only what moves, both ways.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Swap {
    /// The machines.
    machines: BTreeMap<MachineId, MachineId>,
    channels: BTreeMap<ChannelId, ChannelId>,
    messages: BTreeMap<MessageId, MessageId>,
    variables: BTreeMap<VariableId, VariableId>,
    /// Of each other machine that has to go elsewhere.
    states: BTreeMap<MachineId, BTreeMap<StateId, StateId>>,
}

/// Machines that can be exchanged, and what each of them has that the others have in its place: a row for each
/// such thing, in the order of the machines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Class {
    /// In declaration order; two or more.
    pub machines: Vec<MachineId>,
    /// Their channels.
    pub channels: Vec<Vec<ChannelId>>,
    /// Their messages.
    pub messages: Vec<Vec<MessageId>>,
    /// Their variables, local and shared.
    pub variables: Vec<Vec<VariableId>>,
    /// States of other machines.
    pub states: BTreeMap<MachineId, Vec<Vec<StateId>>>,
    /// The first machine exchanged with each of the others.
    swaps: Vec<Swap>,
}

/// Why two copies cannot be exchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// An assertion sees a channel of one of them.
    Watched(Name),
    /// Another machine treats them differently.
    Told(Name),
    /// Their channels have different capacities.
    Capacity(Name, Name),
    /// They, or what they have, do not begin alike.
    Beginning,
    /// They use under different names what somebody else has, or each other's things in no order.
    Shared,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Watched(channel) => write!(f, "an assertion watches `{channel}`"),
            Reason::Told(machine) => write!(f, "`{machine}` treats them differently"),
            Reason::Capacity(one, other) => {
                write!(f, "`{one}` and `{other}` have different capacities")
            }
            Reason::Beginning => f.write_str("what they have does not begin alike"),
            Reason::Shared => f.write_str("what they have under different names is not their own"),
        }
    }
}

/// The symmetry of a network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Symmetry {
    /// Who can be exchanged.
    pub classes: Vec<Class>,
    /// Copies that cannot, and why.
    pub refused: Vec<(Name, Name, Reason)>,
}

/// Finds the machines of a network that can be exchanged.
pub fn interchangeable(network: &Network) -> Symmetry {
    let mut symmetry = Symmetry::default();
    let mut placed = BTreeSet::new();
    for first in network.machines.ids() {
        if placed.contains(&first) {
            continue;
        }
        let (mut machines, mut swaps) = (vec![first], Vec::new());
        for other in network.machines.ids().filter(|other| *other > first) {
            let Some(names) = copies(network, first, other).filter(|_| !placed.contains(&other))
            else {
                continue;
            };
            match swap(network, names) {
                Ok(swap) => {
                    machines.push(other);
                    swaps.push(swap);
                }
                Err(reason) => symmetry.refuse(network, (first, other), reason),
            }
        }
        let Some(other) = machines.get(1).copied() else { continue };
        match Class::new(&machines, swaps).filter(|class| symmetry.is_apart(class)) {
            Some(class) => {
                placed.extend(machines);
                symmetry.classes.push(class);
            }
            None => symmetry.refuse(network, (first, other), Reason::Shared),
        }
    }
    symmetry
}

impl Symmetry {
    fn refuse(&mut self, network: &Network, (one, other): (MachineId, MachineId), why: Reason) {
        let name = |id: MachineId| network.machines[id].name.clone();
        self.refused.push((name(one), name(other), why));
    }

    /// Whether a class moves nothing that another one moves.
    fn is_apart(&self, class: &Class) -> bool {
        fn meet<T: PartialEq>(one: &[Vec<T>], other: &[Vec<T>]) -> bool {
            one.iter().flatten().any(|it| other.iter().flatten().any(|other| it == other))
        }
        !self.classes.iter().any(|other| {
            meet(&class.channels, &other.channels)
                || meet(&class.messages, &other.messages)
                || meet(&class.variables, &other.variables)
                || class.states.iter().any(|(machine, states)| {
                    other.states.get(machine).is_some_and(|other| meet(states, other))
                })
        })
    }

    /// Marks with each edge those that it becomes when machines are exchanged.
    pub fn close(&self, network: &Network, executed: &mut [Vec<bool>]) {
        let swaps: Vec<&Swap> = self.classes.iter().flat_map(|class| &class.swaps).collect();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (id, machine) in network.machines.iter_ids() {
                for edge in machine.edges.ids() {
                    if !executed[base::Id::index(id)][base::Id::index(edge)] {
                        continue;
                    }
                    for (id, edge) in swaps.iter().filter_map(|it| it.edge(network, (id, edge))) {
                        let mark = &mut executed[base::Id::index(id)][base::Id::index(edge)];
                        changed |= !std::mem::replace(mark, true);
                    }
                }
            }
        }
    }
}

impl Class {
    /// None if what moves is not a row of things, one for each machine.
    fn new(machines: &[MachineId], swaps: Vec<Swap>) -> Option<Self> {
        let moved: BTreeSet<MachineId> =
            swaps.iter().flat_map(|swap| swap.states.keys().copied()).collect();
        let of = |machine: &MachineId| {
            let maps = swaps.iter().map(|swap| swap.states.get(machine).cloned());
            let states = rows(&maps.map(Option::unwrap_or_default).collect::<Vec<_>>());
            states.map(|states| (*machine, states))
        };
        fn all<T: Copy + Ord>(
            swaps: &[Swap],
            map: impl Fn(&Swap) -> &BTreeMap<T, T>,
        ) -> Option<Vec<Vec<T>>> {
            rows(&swaps.iter().map(|swap| map(swap).clone()).collect::<Vec<_>>())
        }
        Some(Self {
            machines: machines.to_vec(),
            channels: all(&swaps, |swap| &swap.channels)?,
            messages: all(&swaps, |swap| &swap.messages)?,
            variables: all(&swaps, |swap| &swap.variables)?,
            states: moved.iter().map(of).collect::<Option<_>>()?,
            swaps,
        })
    }
}

/// What the first machine has and each of the others in its place; `None` if something moves that is
/// in no such row.
fn rows<T: Copy + Ord>(swaps: &[BTreeMap<T, T>]) -> Option<Vec<Vec<T>>> {
    let mut rows: Vec<Vec<T>> = Vec::new();
    for own in swaps[0].keys() {
        let images: Option<BTreeSet<T>> = swaps.iter().map(|swap| swap.get(own).copied()).collect();
        let Some(images) = images.filter(|images| images.len() == swaps.len()) else { continue };
        // Of two, either may be said to be the first one's.
        if swaps.len() > 1 || images.iter().all(|image| own < image) {
            let others = swaps.iter().map(|swap| swap[own]);
            rows.push(std::iter::once(*own).chain(others).collect());
        }
    }
    let is_in_row =
        |at: usize, moved: &T| rows.iter().any(|row| row[0] == *moved || row[at + 1] == *moved);
    let mut moved =
        swaps.iter().enumerate().flat_map(|(at, swap)| swap.keys().map(move |it| (at, it)));
    moved.all(|(at, it)| is_in_row(at, it)).then_some(rows)
}

/// Notes that two things are exchanged, if that agrees with what was noted.
fn pair<T: Copy + Ord>(map: &mut BTreeMap<T, T>, one: T, other: T) -> bool {
    *map.entry(one).or_insert(other) == other && *map.entry(other).or_insert(one) == one
}

/// The names in which two machines differ, if they differ in nothing else.
fn copies(network: &Network, one: MachineId, other: MachineId) -> Option<Swap> {
    let mut swap = Swap::default();
    pair(&mut swap.machines, one, other);
    let (one, other) = (&network.machines[one], &network.machines[other]);
    let alike = one.states.len() == other.states.len()
        && one.edges.len() == other.edges.len()
        && (one.start, one.end) == (other.start, other.end)
        && one.states.iter().zip(&other.states).all(|(a, b)| a.resting == b.resting);
    let edges = || one.edges.iter().zip(&other.edges);
    let matches = |(a, b): (&Edge, &Edge)| {
        (a.from, a.to) == (b.from, b.to) && swap.pair(&a.action, &b.action)
    };
    (alike && edges().all(matches)).then_some(swap)
}

impl Swap {
    fn pair(&mut self, one: &Action, other: &Action) -> bool {
        match (one, other) {
            (Action::Skip, Action::Skip) => true,
            (Action::Condition(a), Action::Condition(b)) => self.pair_expr(a, b),
            (Action::Assign(a, x), Action::Assign(b, y)) => {
                pair(&mut self.variables, *a, *b) && self.pair_expr(x, y)
            }
            (Action::Send(c, m, x), Action::Send(d, n, y)) => {
                pair(&mut self.channels, *c, *d)
                    && pair(&mut self.messages, *m, *n)
                    && match (x, y) {
                        (Some(x), Some(y)) => self.pair_expr(x, y),
                        (x, y) => x.is_none() && y.is_none(),
                    }
            }
            (Action::Receive(c, m, v), Action::Receive(d, n, w)) => {
                pair(&mut self.channels, *c, *d)
                    && pair(&mut self.messages, *m, *n)
                    && match (v, w) {
                        (Some(v), Some(w)) => pair(&mut self.variables, *v, *w),
                        (v, w) => v.is_none() && w.is_none(),
                    }
            }
            (Action::ReceiveAny(c), Action::ReceiveAny(d))
            | (Action::Timeout(c), Action::Timeout(d)) => pair(&mut self.channels, *c, *d),
            _ => false,
        }
    }

    fn pair_expr(&mut self, one: &Expr, other: &Expr) -> bool {
        match (one, other) {
            (Expr::Const(a), Expr::Const(b)) => a == b,
            (Expr::Var(a), Expr::Var(b)) => pair(&mut self.variables, *a, *b),
            (Expr::Unary(op, a), Expr::Unary(other, b)) => op == other && self.pair_expr(a, b),
            (Expr::Binary(op, a, x), Expr::Binary(other, b, y)) => {
                op == other && self.pair_expr(a, b) && self.pair_expr(x, y)
            }
            _ => false,
        }
    }

    /// Whether the initial state stays the same.
    fn begins_alike(&self, network: &Network) -> bool {
        let value = |id: &VariableId| network.variables[*id].initial;
        let renamed = |message: &Message| Message { name: self.message(message.name), ..*message };
        let channels = network.channels.iter_ids().all(|(id, channel)| {
            let there = &network.channels[self.channel(id)].initial;
            channel.initial.iter().map(renamed).eq(there.iter().copied())
        });
        channels && self.variables.iter().all(|(one, other)| value(one) == value(other))
    }

    /// Only what moves.
    fn reduced(mut self) -> Self {
        self.channels.retain(|one, other| one != other);
        self.messages.retain(|one, other| one != other);
        self.variables.retain(|one, other| one != other);
        self
    }

    fn channel(&self, id: ChannelId) -> ChannelId {
        self.channels.get(&id).copied().unwrap_or(id)
    }

    fn message(&self, id: MessageId) -> MessageId {
        self.messages.get(&id).copied().unwrap_or(id)
    }

    fn variable(&self, id: VariableId) -> VariableId {
        self.variables.get(&id).copied().unwrap_or(id)
    }

    fn expr(&self, expr: &Expr) -> Expr {
        match expr {
            Expr::Const(value) => Expr::Const(*value),
            Expr::Var(id) => Expr::Var(self.variable(*id)),
            Expr::Unary(op, a) => Expr::Unary(*op, Box::new(self.expr(a))),
            Expr::Binary(op, a, b) => {
                Expr::Binary(*op, Box::new(self.expr(a)), Box::new(self.expr(b)))
            }
        }
    }

    fn action(&self, action: &Action) -> Action {
        match action {
            Action::Skip => Action::Skip,
            Action::Condition(expr) => Action::Condition(self.expr(expr)),
            Action::Assign(id, expr) => Action::Assign(self.variable(*id), self.expr(expr)),
            Action::Send(channel, message, value) => {
                let value = value.as_ref().map(|value| self.expr(value));
                Action::Send(self.channel(*channel), self.message(*message), value)
            }
            Action::Receive(channel, message, into) => {
                let into = into.map(|into| self.variable(into));
                Action::Receive(self.channel(*channel), self.message(*message), into)
            }
            Action::ReceiveAny(channel) => Action::ReceiveAny(self.channel(*channel)),
            Action::Timeout(channel) => Action::Timeout(self.channel(*channel)),
        }
    }

    fn state(&self, machine: MachineId, state: StateId) -> StateId {
        let states = self.states.get(&machine);
        states.and_then(|states| states.get(&state)).copied().unwrap_or(state)
    }

    /// The edge that an edge becomes.
    fn edge(
        &self,
        network: &Network,
        (id, edge): (MachineId, EdgeId),
    ) -> Option<(MachineId, EdgeId)> {
        if let Some(other) = self.machines.get(&id) {
            return Some((*other, edge));
        }
        let (machine, Edge { from, to, action, .. }) =
            (&network.machines[id], &network.machines[id].edges[edge]);
        let (to, action) = (self.state(id, *to), self.action(action));
        let mut edges = machine.edges_from(self.state(id, *from));
        let found = edges.find(|(_, edge)| edge.to == to && edge.action == action);
        found.map(|(edge, _)| (id, edge))
    }
}

/// Exchanging two copies with what they have, if nobody notices.
fn swap(network: &Network, names: Swap) -> Result<Swap, Reason> {
    let mut swap = names.reduced();
    for (one, other) in &swap.channels {
        let (one, other) = (&network.channels[*one], &network.channels[*other]);
        if one.capacity != other.capacity {
            return Err(Reason::Capacity(one.name.clone(), other.name.clone()));
        }
    }
    if !swap.begins_alike(network) {
        return Err(Reason::Beginning);
    }
    let seen = network.observers.iter().flat_map(|observer| observer.scope());
    let moves = |seen: &&Sighting| {
        swap.channels.contains_key(&seen.channel) || swap.messages.contains_key(&seen.message)
    };
    if let Some(seen) = seen.into_iter().find(moves) {
        return Err(Reason::Watched(network.channels[seen.channel].name.clone()));
    }
    for (id, machine) in network.machines.iter_ids() {
        if swap.machines.contains_key(&id) {
            continue;
        }
        let told = || Reason::Told(machine.name.clone());
        let states = moved_states(network, machine, &swap).ok_or_else(told)?;
        if states.contains_key(&machine.start) {
            return Err(told());
        }
        if !states.is_empty() {
            swap.states.insert(id, states);
        }
    }
    Ok(swap)
}

/// Where another machine goes when copies are exchanged; `None` if it does something else
/// wherever it goes, or in several states the same.
fn moved_states(
    network: &Network,
    machine: &Machine,
    swap: &Swap,
) -> Option<BTreeMap<StateId, StateId>> {
    let edges = machine.edges.iter();
    let exchanged: Vec<Action> = edges.map(|edge| swap.action(&edge.action)).collect();
    if machine.edges.iter().zip(&exchanged).all(|(edge, action)| edge.action == *action) {
        return Some(BTreeMap::new());
    }
    let home = network.rules.end == EndRule::Home;
    let first = |id: StateId| {
        u32::from(id == machine.end)
            + 2 * u32::from(machine.states[id].resting)
            + 4 * u32::from(home && id == machine.start)
    };
    let first: IdVec<StateId, u32> = machine.states.ids().map(first).collect();
    // Colours of the states as they are, and with names exchanged.
    let (mut plain, mut named) = (first.clone(), first);
    let mut count = 0;
    loop {
        let mut known = BTreeMap::new();
        plain = recoloured(machine, &plain, &|at| &machine.edges[at].action, &mut known);
        named = recoloured(machine, &named, &|at| &exchanged[base::Id::index(at)], &mut known);
        if known.len() == count {
            break;
        }
        count = known.len();
    }
    let mut states = BTreeMap::new();
    for (state, colour) in named.iter_ids().filter(|(state, colour)| plain[*state] != **colour) {
        let mut alike = plain.iter_ids().filter(|(_, other)| *other == colour).map(|it| it.0);
        let (target, None) = (alike.next()?, alike.next()) else { return None };
        states.insert(state, target);
    }
    states.iter().all(|(one, other)| states.get(other) == Some(one)).then_some(states)
}

/// What a state can do, and to which colours it leads.
type Signature<'a> = (u32, BTreeSet<(&'a Action, u32)>);

fn recoloured<'a>(
    machine: &Machine,
    colours: &IdVec<StateId, u32>,
    action: &dyn Fn(EdgeId) -> &'a Action,
    known: &mut BTreeMap<Signature<'a>, u32>,
) -> IdVec<StateId, u32> {
    let signature = |state: StateId| {
        let edges = machine.edges_from(state);
        (colours[state], edges.map(|(id, edge)| (action(id), colours[edge.to])).collect())
    };
    let colour = |state: StateId| {
        let fresh = known.len() as u32;
        *known.entry(signature(state)).or_insert(fresh)
    };
    machine.states.ids().map(colour).collect()
}
