//! What the edges of a network touch. A transition is a machine with an edge; nothing of it
//! depends on the state, for channels have names.

use automata::{Action, Direction, Edge, Machine, MachineId, Network, StateId, TimeoutRule};
use base::{Id, IdVec};
use model::{ChannelId, Expr, MessageId, VariableId};
use std::collections::BTreeSet;
use system::{Access, Accesses, Dependency, LastStatement, Object, Step, Transition};

/// The footprints of all edges.
pub(crate) struct Footprints {
    pub(crate) dependency: Dependency,
    /// The number of the first edge of each machine.
    first: IdVec<MachineId, u32>,
    /// By number: the edges of all machines in a row.
    all: Vec<Accesses>,
    tags: Vec<LastStatement>,
    /// By number: what an edge asks that does not execute.
    looks: Vec<Accesses>,
    /// What each machine may still touch, by its state.
    outlooks: IdVec<MachineId, Vec<Accesses>>,
}

impl Footprints {
    pub(crate) fn new(network: &Network) -> Self {
        let (mut first, mut outlooks) = (IdVec::new(), IdVec::new());
        let (mut all, mut tags, mut looks) = (Vec::new(), Vec::new(), Vec::new());
        for (id, machine) in network.machines.iter_ids() {
            first.push(all.len() as u32);
            all.extend(machine.edges.iter().map(|edge| footprint(network, id, edge)));
            tags.extend(machine.edges.iter().map(|edge| tag(&edge.action)));
            looks.extend(machine.edges.iter().map(|edge| look(network, id, edge)));
            let outlook = |at| outlook(network, id, machine, at);
            outlooks.push(machine.states.ids().map(outlook).collect());
        }
        Self { dependency: Dependency::default(), first, all, tags, looks, outlooks }
    }

    pub(crate) fn transition(&self, step: Step) -> Transition {
        Transition(self.first[MachineId::new(step.agent as usize)] + step.edge)
    }

    pub(crate) fn last_statement(&self, step: Step) -> LastStatement {
        self.tags[self.transition(step).0 as usize]
    }

    /// What a machine is asked whose `edges` leave its state, given its steps.
    pub(crate) fn asked(
        &self,
        id: MachineId,
        edges: impl Iterator<Item = u32>,
        steps: &[Step],
    ) -> Accesses {
        let mut asked = Accesses::default();
        steps.iter().for_each(|step| asked.join(&self.all[self.transition(*step).0 as usize]));
        for edge in edges.filter(|edge| steps.iter().all(|step| step.edge != *edge)) {
            asked.join(&self.looks[(self.first[id] + edge) as usize]);
        }
        asked
    }

    /// What a machine may still touch in this state of it.
    pub(crate) fn outlook(&self, id: MachineId, at: usize) -> &Accesses {
        &self.outlooks[id][at]
    }

    pub(crate) fn dependent(&self, one: Transition, other: Transition) -> bool {
        let [one, other] = [one, other].map(|transition| &self.all[transition.0 as usize]);
        one.depends_on(other, self.dependency)
    }
}

fn tag(action: &Action) -> LastStatement {
    match action {
        Action::Skip => LastStatement::Jump,
        Action::Receive(..) | Action::ReceiveAny(_) => LastStatement::Receive,
        Action::Send(..) => LastStatement::Send,
        Action::Assign(..) => LastStatement::Assign,
        Action::Condition(_) | Action::Timeout(_) => LastStatement::Other,
    }
}

fn footprint(network: &Network, id: MachineId, edge: &Edge) -> Accesses {
    let mut touched = Touched { network, footprint: Accesses::default() };
    touched.footprint.moves(crate::agent(id));
    touched.action(&edge.action);
    touched.footprint
}

/// What an edge asks that does not execute. A timeout that waits for all others is not
/// asked while somebody else can move.
fn look(network: &Network, id: MachineId, edge: &Edge) -> Accesses {
    let mut touched = Touched { network, footprint: Accesses::default() };
    touched.footprint.moves(crate::agent(id));
    match &edge.action {
        Action::Condition(condition) => touched.reads(condition),
        Action::Send(channel, ..) => touched.channel(*channel, Access::PEEK_RECEIVES),
        Action::Receive(channel, ..) | Action::ReceiveAny(channel) => {
            touched.channel(*channel, Access::PEEK);
        }
        Action::Timeout(channel) if network.rules.timeout == TimeoutRule::Empty => {
            touched.channel(*channel, Access::PEEK);
        }
        Action::Skip | Action::Assign(..) | Action::Timeout(_) => {}
    }
    touched.footprint
}

/// What the edges reachable from a state of a machine touch.
fn outlook(network: &Network, id: MachineId, machine: &Machine, at: StateId) -> Accesses {
    let (mut known, mut open) = (BTreeSet::from([at]), vec![at]);
    let mut outlook = Accesses::default();
    while let Some(at) = open.pop() {
        for (_, edge) in machine.edges_from(at) {
            let waits = matches!(edge.action, Action::Timeout(_))
                && network.rules.timeout == TimeoutRule::Last;
            if !waits {
                outlook.join(&footprint(network, id, edge));
            }
            if known.insert(edge.to) {
                open.push(edge.to);
            }
        }
    }
    outlook
}

struct Touched<'a> {
    network: &'a Network,
    footprint: Accesses,
}

impl Touched<'_> {
    fn action(&mut self, action: &Action) {
        match action {
            Action::Skip => {}
            Action::Condition(condition) => self.reads(condition),
            Action::Assign(variable, value) => {
                self.reads(value);
                self.variable(*variable, Access::WRITE);
            }
            Action::Send(channel, message, value) => {
                value.iter().for_each(|value| self.reads(value));
                self.channel(*channel, Access::SEND);
                self.seen(Direction::Send, *channel, Some(*message));
            }
            Action::Receive(channel, message, variable) => {
                variable.iter().for_each(|variable| self.variable(*variable, Access::WRITE));
                self.channel(*channel, Access::RECEIVE);
                self.seen(Direction::Receive, *channel, Some(*message));
            }
            // Which receives by name stand beside it says nothing of the channel but its
            // head, which a send leaves alone.
            Action::ReceiveAny(channel) => {
                self.channel(*channel, Access::RECEIVE);
                self.seen(Direction::Receive, *channel, None);
            }
            Action::Timeout(channel) => match self.network.rules.timeout {
                TimeoutRule::Empty => self.channel(*channel, Access::PEEK_SENDS),
                TimeoutRule::Last => self.footprint.add_everything(),
                TimeoutRule::Any | TimeoutRule::Off => {}
            },
        }
    }

    fn reads(&mut self, expr: &Expr) {
        expr.variables(&mut |variable| self.variable(variable, Access::READ));
    }

    fn variable(&mut self, variable: VariableId, manner: Access) {
        self.footprint.add(Object::Variable(variable.index() as u32), manner);
    }

    fn channel(&mut self, channel: ChannelId, manner: Access) {
        self.footprint.add(Object::Channel(channel.index() as u32), manner);
    }

    /// The assertions in whose scope it is move along, whatever the message if there is
    /// none. They are numbered behind the variables.
    fn seen(&mut self, direction: Direction, channel: ChannelId, message: Option<MessageId>) {
        for (id, observer) in self.network.observers.iter_ids() {
            let in_scope = observer.scope().iter().any(|seen| {
                seen.direction == direction
                    && seen.channel == channel
                    && message.is_none_or(|message| seen.message == message)
            });
            if in_scope {
                let number = self.network.variables.len() + id.index();
                self.footprint.add(Object::Variable(number as u32), Access::WRITE);
            }
        }
    }
}
