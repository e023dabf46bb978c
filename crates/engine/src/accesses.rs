//! What the edges of a network access, for sleep sets and ample sets. Nothing of it depends
//! on the state, for channels have names.

use crate::Order;
use crate::lowered::is_executable;
use automata::{Action, Direction, Edge, Network, TimeoutRule};
use base::Id;
use model::{ChannelId, Expr, MessageId, VariableId};
use packed::{AccessExpr, AccessTable, EdgeAccesses};
use system::{Access, LastStatement, Object};

/// The accesses of all edges of the packed form of a network.
pub(crate) fn accesses(network: &Network, order: Order) -> AccessTable {
    let (mut edges, mut exits) = (Vec::new(), Vec::new());
    for id in order.machines(network) {
        let machine = &network.machines[id];
        for at in machine.states.ids() {
            let executable = machine.edges_from(at).map(|(_, edge)| edge);
            let executable = executable.filter(|edge| is_executable(network, &edge.action));
            edges.extend(executable.map(|edge| of_edge(network, edge)));
        }
        exits.push(vec![None; machine.states.len()]);
    }
    AccessTable { edges, exits }
}

fn of_edge(network: &Network, edge: &Edge) -> EdgeAccesses {
    let statement = match edge.action {
        Action::Skip => LastStatement::Jump,
        Action::Receive(..) | Action::ReceiveAny(_) => LastStatement::Receive,
        Action::Send(..) => LastStatement::Send,
        Action::Assign(..) => LastStatement::Assign,
        Action::Condition(_) | Action::Timeout(_) => LastStatement::Other,
    };
    EdgeAccesses {
        executed: executed(network, &edge.action),
        refused: refused(network, &edge.action),
        statement,
    }
}

fn executed(network: &Network, action: &Action) -> Vec<AccessExpr> {
    match action {
        Action::Skip => Vec::new(),
        Action::Condition(condition) => reads(condition),
        Action::Assign(target, value) => {
            [reads(value), vec![variable(*target, Access::WRITE)]].concat()
        }
        Action::Send(to, message, value) => {
            let mut all: Vec<_> = value.iter().flat_map(reads).collect();
            all.push(channel(*to, Access::SEND));
            all.extend(observed(network, Direction::Send, *to, Some(*message)));
            all
        }
        Action::Receive(from, message, target) => {
            let mut all: Vec<_> = target.iter().map(|to| variable(*to, Access::WRITE)).collect();
            all.push(channel(*from, Access::RECEIVE));
            all.extend(observed(network, Direction::Receive, *from, Some(*message)));
            all
        }
        // Which receives by name stand beside it says nothing of the channel but its
        // head, which a send leaves alone.
        Action::ReceiveAny(from) => {
            let mut all = vec![channel(*from, Access::RECEIVE)];
            all.extend(observed(network, Direction::Receive, *from, None));
            all
        }
        Action::Timeout(on) => match network.rules.timeout {
            TimeoutRule::Empty => vec![channel(*on, Access::PEEK_SENDS)],
            TimeoutRule::Last => vec![AccessExpr::Timeout],
            TimeoutRule::Any | TimeoutRule::Off => Vec::new(),
        },
    }
}

fn refused(network: &Network, action: &Action) -> Vec<AccessExpr> {
    match action {
        Action::Condition(condition) => reads(condition),
        Action::Send(to, ..) => vec![channel(*to, Access::PEEK_RECEIVES)],
        Action::Receive(from, ..) | Action::ReceiveAny(from) => vec![channel(*from, Access::PEEK)],
        Action::Timeout(on) => match network.rules.timeout {
            TimeoutRule::Empty => vec![channel(*on, Access::PEEK)],
            TimeoutRule::Last => vec![AccessExpr::Timeout],
            TimeoutRule::Any | TimeoutRule::Off => Vec::new(),
        },
        Action::Skip | Action::Assign(..) => Vec::new(),
    }
}

fn reads(expr: &Expr) -> Vec<AccessExpr> {
    let mut all = Vec::new();
    expr.variables(&mut |id| all.push(variable(*id, Access::READ)));
    all
}

fn variable(id: VariableId, access: Access) -> AccessExpr {
    AccessExpr::Object(Object::Variable(id.index() as u32), access)
}

fn channel(id: ChannelId, access: Access) -> AccessExpr {
    AccessExpr::Object(Object::Channel(id.index() as u32), access)
}

/// The assertions in whose scope an event is move along, whatever the message if there is
/// none. They are numbered behind the variables.
fn observed(
    network: &Network,
    direction: Direction,
    channel: ChannelId,
    message: Option<MessageId>,
) -> impl Iterator<Item = AccessExpr> {
    let observers = network.observers.iter_ids().filter(move |(_, observer)| {
        observer.scope().iter().any(|seen| {
            seen.direction == direction
                && seen.channel == channel
                && message.is_none_or(|message| seen.message == message)
        })
    });
    observers.map(|(id, _)| {
        let number = network.variables.len() + id.index();
        AccessExpr::Object(Object::Variable(number as u32), Access::WRITE)
    })
}
