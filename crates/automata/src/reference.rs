//! The reference interpreter: what a network means, in the plainest code there
//! is. Fallback on purpose: nothing is packed, cached or shared. Engines are
//! compared with it state by state, and every trace is re-executed by it before
//! anybody sees it.

use crate::{
    Action, DefaultRule, Direction, EdgeId, EndRule, MachineId, Network, ObserverId, Sighting,
    StateId, TimeoutRule,
};
use base::{Id, IdVec};
use model::{
    ChannelId, DivisionByZero, Expr, Look, Message, MessageId, Predicate, VariableId, cut,
};
use std::collections::BTreeSet;

/// A whole system state.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct World {
    /// Where each machine stands.
    pub at: IdVec<MachineId, StateId>,
    /// What each channel holds, oldest first.
    pub queues: IdVec<ChannelId, Vec<Message>>,
    /// The value of each variable.
    pub values: IdVec<VariableId, i16>,
    /// The set of states of each observer.
    pub seen: IdVec<ObserverId, BTreeSet<StateId>>,
}

/// One executable move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move {
    /// Who moves.
    pub machine: MachineId,
    /// Along which edge.
    pub edge: EdgeId,
}

/// Where a move leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// To a world to go on from.
    World(World),
    /// Into a violation of an assertion; the world is the one after the move.
    Violation(ObserverId, World),
    /// Into a division by zero; the move has no effect.
    DivisionByZero,
}

/// How a world without a move is judged (docs/argos.md, section 9), one class each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// All at proper ends, channels empty.
    Proper,
    /// All at proper ends, messages left.
    Residual,
    /// All at proper ends, but this assertion is not at its end (Holzmann 1987, section 5).
    Violation(ObserverId),
    /// The others wait only to send to full channels.
    BlockedSend,
    /// Some message is left that its reader does not accept.
    UnspecifiedReception,
    /// No process can move, channels empty.
    Deadlock,
}

/// The world at the start.
pub fn initial(network: &Network) -> World {
    World {
        at: network.machines.iter().map(|machine| machine.start).collect(),
        queues: network.channels.iter().map(|channel| channel.initial.clone()).collect(),
        values: network.variables.iter().map(|variable| variable.initial).collect(),
        seen: network.observers.iter().map(|observer| observer.initial()).collect(),
    }
}

/// Every executable move: machines in declaration order, edges in source order;
/// under the `last` rule timeouts only if there is nothing else.
pub fn moves(network: &Network, world: &World) -> Vec<Move> {
    let urgent = candidates(network, world).filter(|(_, action)| !is_timeout(action));
    let urgent: Vec<Move> =
        urgent.filter(|(m, _)| executable(network, world, *m)).map(|(m, _)| m).collect();
    match network.rules.timeout {
        TimeoutRule::Off => urgent,
        TimeoutRule::Last if !urgent.is_empty() => urgent,
        TimeoutRule::Last | TimeoutRule::Any | TimeoutRule::Empty => {
            let all = candidates(network, world).map(|(m, _)| m);
            all.filter(|m| executable(network, world, *m)).collect()
        }
    }
}

fn candidates<'a>(
    network: &'a Network,
    world: &'a World,
) -> impl Iterator<Item = (Move, &'a Action)> {
    network.machines.iter_ids().flat_map(|(id, machine)| {
        let edges = machine.edges_from(world.at[id]);
        edges.map(move |(edge, body)| (Move { machine: id, edge }, &body.action))
    })
}

fn is_timeout(action: &Action) -> bool {
    matches!(action, Action::Timeout(_))
}

/// Whether a move can execute, the `last` rule of timeouts aside.
fn executable(network: &Network, world: &World, step: Move) -> bool {
    let head = |channel: ChannelId| world.queues[channel].first();
    match action(network, step) {
        Action::Skip | Action::Assign(..) => true,
        // A condition that divides by zero "executes" into the error.
        Action::Condition(e) => eval(world, e) != Ok(0),
        Action::Send(c, ..) => !is_full(network, world, *c),
        Action::Receive(c, m, _) => head(*c).is_some_and(|message| message.name == *m),
        Action::ReceiveAny(c) => head(*c).is_some_and(|message| {
            network.rules.default_receive == DefaultRule::Any
                || !named_receive(network, world, step.machine, *c, *message)
        }),
        Action::Timeout(c) => {
            network.rules.timeout != TimeoutRule::Empty || world.queues[*c].is_empty()
        }
    }
}

fn named_receive(
    network: &Network,
    world: &World,
    machine: MachineId,
    channel: ChannelId,
    message: Message,
) -> bool {
    network.machines[machine].edges_from(world.at[machine]).any(|(_, edge)| {
        matches!(edge.action, Action::Receive(c, m, _) if c == channel && m == message.name)
    })
}

/// Whether nothing more fits into `channel`.
pub fn is_full(network: &Network, world: &World, channel: ChannelId) -> bool {
    world.queues[channel].len() >= network.channels[channel].capacity as usize
}

fn action(network: &Network, step: Move) -> &Action {
    &network.machines[step.machine].edges[step.edge].action
}

fn eval(world: &World, expr: &Expr) -> Result<i32, DivisionByZero> {
    expr.eval(&|variable| i32::from(world.values[*variable]))
}

/// Whether a predicate holds in a world.
///
/// # Errors
/// It divides by zero there.
pub fn holds(
    network: &Network,
    world: &World,
    predicate: &Predicate,
) -> Result<bool, DivisionByZero> {
    Ok(predicate.eval(&|seen| look(network, world, seen))? != 0)
}

fn look(network: &Network, world: &World, look: &Look) -> i32 {
    match look {
        Look::Variable(variable) => i32::from(world.values[*variable]),
        Look::Length(channel) => world.queues[*channel].len() as i32,
        Look::Full(channel) => i32::from(is_full(network, world, *channel)),
        Look::Head(channel, name, value) => {
            let head = world.queues[*channel].first();
            i32::from(head.is_some_and(|message| is_of(message, *name, *value)))
        }
        Look::Count(channel, name, value) => {
            let of = |message: &&Message| is_of(message, *name, *value);
            world.queues[*channel].iter().filter(of).count() as i32
        }
        Look::At(process, label) => {
            let id = MachineId::new(process.index());
            let state = &network.machines[id].states[world.at[id]];
            i32::from(state.labels.contains(label))
        }
        Look::AtEnd(number) => i32::from(at_end(network, world, ObserverId::new(*number))),
    }
}

/// Whether the set of an observer contains its end: all that its assertion asks for was seen.
pub fn at_end(network: &Network, world: &World, id: ObserverId) -> bool {
    world.seen[id].contains(&network.observers[id].machine().end)
}

/// Whether a message has this name, and this value if one is given.
fn is_of(message: &Message, name: MessageId, value: Option<i16>) -> bool {
    message.name == name && (value.is_none() || message.value == value)
}

/// What observers see of `step` in `world`.
pub fn sighting(network: &Network, world: &World, step: Move) -> Option<Sighting> {
    match action(network, step) {
        Action::ReceiveAny(channel) => world.queues[*channel].first().map(|message| Sighting {
            direction: Direction::Receive,
            channel: *channel,
            message: message.name,
        }),
        other => other.sighting(),
    }
}

/// Executes a move out of [`moves`].
pub fn apply(network: &Network, world: &World, step: Move) -> Outcome {
    let mut next = world.clone();
    next.at[step.machine] = network.machines[step.machine].edges[step.edge].to;
    if perform(network, &mut next, step).is_err() {
        return Outcome::DivisionByZero;
    }
    let Some(seen) = sighting(network, world, step) else { return Outcome::World(next) };
    let mut violated = None;
    for (id, observer) in network.observers.iter_ids() {
        if observer.scope().contains(&seen) {
            next.seen[id] = observer.after(&world.seen[id], seen);
            if next.seen[id].is_empty() {
                violated = violated.or(Some(id));
            }
        }
    }
    match violated {
        Some(id) => Outcome::Violation(id, next),
        None => Outcome::World(next),
    }
}

fn perform(network: &Network, world: &mut World, step: Move) -> Result<(), DivisionByZero> {
    match action(network, step) {
        Action::Skip | Action::Timeout(_) => {}
        Action::Condition(e) => {
            eval(world, e)?;
        }
        Action::Assign(variable, e) => world.values[*variable] = cut(eval(world, e)?),
        Action::Send(channel, name, value) => {
            let value = value.as_ref().map(|e| eval(world, e)).transpose()?.map(cut);
            world.queues[*channel].push(Message { name: *name, value });
        }
        Action::Receive(channel, _, variable) => {
            let message = world.queues[*channel].remove(0);
            if let (Some(variable), Some(value)) = (variable, message.value) {
                world.values[*variable] = value;
            }
        }
        Action::ReceiveAny(channel) => {
            world.queues[*channel].remove(0);
        }
    }
    Ok(())
}

/// Whether a machine is where it may stay for ever.
pub fn at_proper_end(network: &Network, world: &World, id: MachineId) -> bool {
    let (machine, at) = (&network.machines[id], world.at[id]);
    at == machine.end
        || machine.states[at].resting
        || (network.rules.end == EndRule::Home && at == machine.start && all_empty(world))
}

fn all_empty(world: &World) -> bool {
    world.queues.iter().all(Vec::is_empty)
}

/// Judges a world in which nothing can move.
pub fn rest(network: &Network, world: &World) -> Rest {
    let stuck: Vec<MachineId> =
        network.machines.ids().filter(|id| !at_proper_end(network, world, *id)).collect();
    if stuck.is_empty() {
        return proper_rest(network, world);
    }
    if stuck.iter().all(|id| waits_only_to_send(network, world, *id)) {
        Rest::BlockedSend
    } else if !all_empty(world) {
        Rest::UnspecifiedReception
    } else {
        Rest::Deadlock
    }
}

fn proper_rest(network: &Network, world: &World) -> Rest {
    let mut observers = network.observers.iter_ids();
    let unfinished =
        observers.find(|(id, observer)| observer.ends() && !at_end(network, world, *id));
    match unfinished {
        Some((id, _)) => Rest::Violation(id),
        None if all_empty(world) => Rest::Proper,
        None => Rest::Residual,
    }
}

/// Whether all a machine could do is send to full channels.
pub fn waits_only_to_send(network: &Network, world: &World, id: MachineId) -> bool {
    let mut edges = network.machines[id].edges_from(world.at[id]).peekable();
    edges.peek().is_some()
        && edges.all(
            |(_, edge)| matches!(edge.action, Action::Send(c, ..) if is_full(network, world, c)),
        )
}
