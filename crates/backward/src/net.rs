//! What is executed backwards: processes as machines that a network of Argos and a
//! PROMELA program without dynamic processes both become. One edge is one step, but for
//! a rendezvous, which is two edges at once, and for what is atomic.

use crate::expr::{Expr, Leaf, Range};
use automata::{EdgeId, MachineId, StateId};
use base::{IdVec, Name, Span};
use model::{ChannelId, MessageId, VariableId};

/// Machines, channels and variables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Net {
    /// One machine per process.
    pub machines: IdVec<MachineId, Machine>,
    /// Channels.
    pub channels: IdVec<ChannelId, Channel>,
    /// What messages are called.
    pub messages: IdVec<MessageId, Kind>,
    /// Variables.
    pub variables: IdVec<VariableId, Variable>,
    /// A start state is a proper end while all channels are empty.
    pub home: bool,
}

/// A process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// Where it starts.
    pub start: StateId,
    /// Where it ends: no edge leaves.
    pub end: StateId,
    /// Its states.
    pub states: IdVec<StateId, State>,
    /// Its edges.
    pub edges: IdVec<EdgeId, Edge>,
}

/// A state of a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// As `argos show` calls it.
    pub node: String,
    /// Labels that stand here.
    pub labels: Vec<Name>,
    /// The statement that stands here.
    pub span: Option<Span>,
    /// An `end` label makes it a proper resting place.
    pub resting: bool,
    /// The edges that leave it, in source order.
    pub edges: Vec<EdgeId>,
}

/// An edge of a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The state it leaves.
    pub from: StateId,
    /// The state it reaches.
    pub to: StateId,
    /// What it does.
    pub action: Action,
    /// After it the same machine continues, unless it cannot: no other machine moves.
    pub atomic: bool,
}

/// What an edge does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing.
    Skip,
    /// Waits until it is not zero.
    Test(Expr),
    /// Never waits; nothing follows if it is zero.
    Assert(Expr),
    /// Never waits. Sets a variable, if there is nothing against it: of the edges of an
    /// assignment to an element that is computed, one for each element.
    Assign(VariableId, Expr, Option<Expr>),
    /// Puts a message, the fields already cut.
    Send(ChannelId, MessageId, Vec<Expr>),
    /// Takes a message.
    Receive(Receive),
    /// Executable iff no edge before it at its state is.
    Else,
    /// A timeout.
    Timeout(Timeout),
}

/// What a receive takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receive {
    /// From the head of this channel.
    pub channel: ChannelId,
    /// Messages by name.
    pub taken: Taken,
    /// What becomes of the number of the name.
    pub head: Pattern,
    /// What becomes of the fields; a message without fields takes none of them.
    pub fields: Vec<Pattern>,
}

/// Names of messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taken {
    /// This one.
    Only(MessageId),
    /// All but these.
    AllBut(Vec<MessageId>),
}

/// What becomes of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Any value.
    Any,
    /// Any value, stored here.
    Store(VariableId),
    /// This value only.
    Match(Expr),
}

/// When a timeout fires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timeout {
    /// If nothing else can move.
    Last,
    /// If this channel is empty.
    Empty(ChannelId),
    /// Never.
    Never,
}

/// A channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// Slots; with none a send and a receive are one step.
    pub capacity: u32,
    /// The types of the fields, the name left out.
    pub fields: Vec<Range>,
    /// Contents at the start, oldest first.
    pub initial: Vec<Message>,
}

/// What a message is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kind {
    /// As written.
    pub name: Name,
    /// The number that the name is.
    pub number: i32,
}

/// A message.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Message {
    /// What it is called.
    pub name: MessageId,
    /// Its fields.
    pub fields: Vec<i32>,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The machine that alone reads it; without one, all may.
    pub owner: Option<MachineId>,
    /// Its type.
    pub range: Range,
    /// Its value at the start.
    pub initial: i32,
}

/// A whole state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct World {
    /// Where each machine stands.
    pub at: IdVec<MachineId, StateId>,
    /// What each channel holds, oldest first.
    pub queues: IdVec<ChannelId, Vec<Message>>,
    /// The value of each variable.
    pub values: IdVec<VariableId, i32>,
}

/// One step: an edge, or the two of a rendezvous.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Motion {
    /// Who moves.
    pub machine: MachineId,
    /// Along which edge.
    pub edge: EdgeId,
    /// The receiver of a rendezvous and its edge.
    pub peer: Option<(MachineId, EdgeId)>,
}

impl Machine {
    /// The edges that leave `state`, with their ids.
    pub(crate) fn edges_from(&self, state: StateId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        self.states[state].edges.iter().map(|id| (*id, &self.edges[*id]))
    }
}

impl Net {
    /// The state at the start.
    pub(crate) fn initial(&self) -> World {
        World {
            at: self.machines.iter().map(|machine| machine.start).collect(),
            queues: self.channels.iter().map(|channel| channel.initial.clone()).collect(),
            values: self.variables.iter().map(|variable| variable.initial).collect(),
        }
    }

    /// The edges of a motion, the sender's first.
    pub(crate) fn edges(&self, motion: Motion) -> impl Iterator<Item = (MachineId, &Edge)> {
        let both = std::iter::once((motion.machine, motion.edge)).chain(motion.peer);
        both.map(|(machine, edge)| (machine, &self.machines[machine].edges[edge]))
    }

    /// The machine that alone continues after a motion, unless it cannot: of a rendezvous
    /// the receiver.
    pub(crate) fn goes_on(&self, motion: Motion) -> Option<MachineId> {
        let last = self.edges(motion).last();
        last.filter(|(_, edge)| edge.atomic).map(|(machine, _)| machine)
    }

    /// Whether a send and a receive on this channel are one step.
    pub(crate) fn is_rendezvous(&self, channel: ChannelId) -> bool {
        self.channels[channel].capacity == 0
    }

    /// The states of a machine with this label; those of one that has no label `end` are its end,
    /// if that is asked for.
    pub(crate) fn labelled(&self, machine: MachineId, label: &str) -> Vec<StateId> {
        let Machine { states, end, .. } = &self.machines[machine];
        let labelled =
            states.iter_ids().filter(|(_, state)| state.labels.iter().any(|l| **l == *label));
        let found: Vec<StateId> = labelled.map(|(id, _)| id).collect();
        if found.is_empty() && label == "end" { vec![*end] } else { found }
    }

    /// The machines that receive from `channel`.
    pub(crate) fn readers(&self, channel: ChannelId) -> Vec<MachineId> {
        self.users(|action| action.receives(channel).is_some())
    }

    /// The machines that send to `channel`.
    pub(crate) fn writers(&self, channel: ChannelId) -> Vec<MachineId> {
        self.users(|action| matches!(action, Action::Send(c, ..) if *c == channel))
    }

    fn users(&self, uses: impl Fn(&Action) -> bool) -> Vec<MachineId> {
        let uses = |machine: &Machine| machine.edges.iter().any(|edge| uses(&edge.action));
        let machines = self.machines.iter_ids();
        machines.filter(|(_, machine)| uses(machine)).map(|(id, _)| id).collect()
    }
}

impl World {
    pub(crate) fn value(&self, leaf: Leaf) -> i32 {
        match leaf {
            Leaf::Variable(variable) => self.values[variable],
            Leaf::Length(channel) => self.queues[channel].len() as i32,
        }
    }
}

impl Action {
    /// The receive from `channel`, if it is one.
    pub(crate) fn receives(&self, channel: ChannelId) -> Option<&Receive> {
        match self {
            Action::Receive(receive) if receive.channel == channel => Some(receive),
            _ => None,
        }
    }
}

impl Receive {
    /// Whether it would take the oldest message of its channel.
    pub(crate) fn takes_oldest(&self, net: &Net, world: &World) -> bool {
        let Some(oldest) = world.queues[self.channel].first() else { return false };
        let fits = |pattern: &Pattern, value: Option<i32>| match pattern {
            Pattern::Match(wanted) => wanted.value(&|leaf| world.value(leaf)) == value,
            Pattern::Any | Pattern::Store(_) => true,
        };
        let mut fields = self.fields.iter().enumerate();
        !self.names(&[oldest.name]).is_empty()
            && fits(&self.head, Some(net.messages[oldest.name].number))
            && fields.all(|(place, pattern)| fits(pattern, oldest.fields.get(place).copied()))
    }

    /// Whether all that matters of a message is its name.
    pub(crate) fn is_plain(&self) -> bool {
        self.fields.iter().chain([&self.head]).all(|pattern| *pattern == Pattern::Any)
    }

    /// Whether it takes some messages of a name and others not.
    pub(crate) fn compares(&self) -> bool {
        let patterns = self.fields.iter().chain([&self.head]);
        patterns.into_iter().any(|pattern| matches!(pattern, Pattern::Match(_)))
    }

    /// The messages of `sort` that it may take.
    pub(crate) fn names(&self, sort: &[MessageId]) -> Vec<MessageId> {
        let names = sort.iter().copied();
        match &self.taken {
            Taken::Only(wanted) => names.filter(|name| name == wanted).collect(),
            Taken::AllBut(others) => names.filter(|name| !others.contains(name)).collect(),
        }
    }
}
