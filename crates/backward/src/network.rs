//! An Argos network as a net; all ids stay what they are.

use crate::expr::{Expr, Range};
use crate::net::{
    Action, Channel, Edge, Kind, Machine, Message, Net, Pattern, Receive, State, Taken, Timeout,
    Variable, World,
};
use automata::{DefaultRule, EndRule, MachineId, Network, StateId, TimeoutRule, reference};
use base::Id;
use model::{ChannelId, MessageId};

/// The net of a network.
pub fn of_network(network: &Network) -> Net {
    let channel = |channel: &automata::Channel| Channel {
        name: channel.name.to_string(),
        capacity: channel.capacity,
        fields: vec![Range::SHORT],
        initial: channel.initial.iter().map(message).collect(),
    };
    let variable = |variable: &model::Variable| Variable {
        name: variable.name.to_string(),
        owner: variable.owner.map(|owner| MachineId::new(owner.index())),
        range: Range::SHORT,
        initial: variable.initial.into(),
    };
    let kind = |(id, name): (MessageId, &base::Name)| Kind {
        name: name.clone(),
        number: id.index() as i32,
    };
    Net {
        machines: network.machines.ids().map(|id| machine(network, id)).collect(),
        channels: network.channels.iter().map(channel).collect(),
        messages: network.messages.iter_ids().map(kind).collect(),
        variables: network.variables.iter().map(variable).collect(),
        home: network.rules.end == EndRule::Home,
    }
}

/// A state of a network as one of its net; what assertions saw is left out.
pub fn of_world(world: &reference::World) -> World {
    World {
        at: world.at.clone(),
        queues: world.queues.iter().map(|held| held.iter().map(message).collect()).collect(),
        values: world.values.iter().map(|value| i32::from(*value)).collect(),
    }
}

fn message(message: &model::Message) -> Message {
    Message { name: message.name, fields: message.value.iter().map(|v| i32::from(*v)).collect() }
}

fn machine(network: &Network, id: MachineId) -> Machine {
    let machine = &network.machines[id];
    let state = |(at, state): (StateId, &automata::State)| State {
        node: machine.node(at),
        labels: state.label().into_iter().cloned().collect(),
        span: state.span,
        resting: state.resting,
        edges: machine.edges_from(at).map(|(edge, _)| edge).collect(),
    };
    let edge = |edge: &automata::Edge| Edge {
        from: edge.from,
        to: edge.to,
        action: action(network, machine, edge),
        atomic: false,
    };
    Machine {
        name: machine.name.to_string(),
        start: machine.start,
        end: machine.end,
        states: machine.states.iter_ids().map(state).collect(),
        edges: machine.edges.iter().map(edge).collect(),
    }
}

fn action(network: &Network, machine: &automata::Machine, edge: &automata::Edge) -> Action {
    match &edge.action {
        automata::Action::Skip => Action::Skip,
        automata::Action::Condition(e) => Action::Test(expr(e)),
        automata::Action::Assign(variable, e) => Action::Assign(*variable, short(e), None),
        automata::Action::Send(channel, message, value) => {
            Action::Send(*channel, *message, value.iter().map(short).collect())
        }
        automata::Action::Receive(channel, message, variable) => {
            let fields = variable.iter().map(|variable| Pattern::Store(*variable)).collect();
            let taken = Taken::Only(*message);
            Action::Receive(Receive { channel: *channel, taken, head: Pattern::Any, fields })
        }
        automata::Action::ReceiveAny(channel) => {
            let named = match network.rules.default_receive {
                DefaultRule::Any => Vec::new(),
                DefaultRule::Else => named(machine, edge.from, *channel),
            };
            let (channel, taken) = (*channel, Taken::AllBut(named));
            Action::Receive(Receive { channel, taken, head: Pattern::Any, fields: Vec::new() })
        }
        automata::Action::Timeout(channel) => match network.rules.timeout {
            TimeoutRule::Last => Action::Timeout(Timeout::Last),
            TimeoutRule::Empty => Action::Timeout(Timeout::Empty(*channel)),
            TimeoutRule::Any => Action::Skip,
            TimeoutRule::Off => Action::Timeout(Timeout::Never),
        },
    }
}

/// The messages that named receives take from `channel` at `state`.
fn named(machine: &automata::Machine, state: StateId, channel: ChannelId) -> Vec<MessageId> {
    let taken = machine.edges_from(state).filter_map(|(_, edge)| match edge.action {
        automata::Action::Receive(c, message, _) if c == channel => Some(message),
        _ => None,
    });
    taken.collect()
}

/// An expression whose value is stored or sent.
fn short(e: &model::Expr) -> Expr {
    match expr(e) {
        Expr::Const(value) => Expr::Const(Range::SHORT.cut(value)),
        read @ Expr::Read(_) => read,
        other => Expr::Cut(Range::SHORT, Box::new(other)),
    }
}

fn expr(e: &model::Expr) -> Expr {
    match e {
        model::Expr::Const(value) => Expr::Const(*value),
        model::Expr::Var(variable) => Expr::variable(*variable),
        model::Expr::Unary(op, x) => Expr::Unary(*op, Box::new(expr(x))),
        model::Expr::Binary(op, x, y) => Expr::binary(*op, expr(x), expr(y)),
    }
}
