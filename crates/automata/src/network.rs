//! The network as data: machines, channels, variables, observers and the rules
//! under which they move.

use crate::{Observer, ObserverId};
use base::{Id, IdVec, Name, Span, define_id};
use model::{ChannelId, Expr, ExprText, Message, MessageId, Variable, VariableId, Vocabulary};
use std::fmt;

define_id!(
    /// A machine: one per process, in declaration order.
    MachineId, "p";
    /// A state of one machine.
    StateId, "s";
    /// An edge of one machine.
    EdgeId, "e"
);

/// A whole network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Network {
    /// Channels in declaration order.
    pub channels: IdVec<ChannelId, Channel>,
    /// Message names.
    pub messages: IdVec<MessageId, Name>,
    /// Variables, shared and local; an owner's id is that of its machine.
    pub variables: IdVec<VariableId, Variable>,
    /// One machine per process.
    pub machines: IdVec<MachineId, Machine>,
    /// One observer per assertion.
    pub observers: IdVec<ObserverId, Observer>,
    /// How it moves and when it may rest.
    pub rules: Rules,
}

/// A channel with its capacity decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Its name.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// Slots, at least one.
    pub capacity: u32,
    /// Contents at the start, oldest first; never more than `capacity`.
    pub initial: Vec<Message>,
}

/// The choices the papers leave to the analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// When `c?timeout` can execute (docs/argos.md, section 11).
    pub timeout: TimeoutRule,
    /// When `c?default` can execute (docs/argos.md, section 11).
    pub default_receive: DefaultRule,
    /// What counts as a proper end (docs/argos.md, section 9).
    pub end: EndRule,
}

/// When a timeout can fire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeoutRule {
    /// Only if nothing else in the system can execute.
    #[default]
    Last,
    /// If its channel is empty.
    Empty,
    /// Always.
    Any,
    /// Never.
    Off,
}

/// When a default receive can take a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DefaultRule {
    /// Any message at the head of its channel.
    #[default]
    Any,
    /// Only one that no named receive of the same state takes.
    Else,
}

/// What counts as a proper end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EndRule {
    /// The end state, or a state with an `end` label.
    #[default]
    Strict,
    /// Also a start state while all channels are empty.
    Home,
}

/// A finite state machine (Q, start, end, A, T).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Name of its process or assertion.
    pub name: Name,
    /// Where that is declared.
    pub span: Span,
    /// Where it starts.
    pub start: StateId,
    /// Where it ends; always there, even if unreachable (Holzmann 1987, section 4).
    pub end: StateId,
    /// Its states: breadth first from the start, the end last.
    pub states: IdVec<StateId, State>,
    /// Its edges, ordered by the state they leave, then by source text.
    pub edges: IdVec<EdgeId, Edge>,
}

/// A state of a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The statement that stands here.
    pub span: Option<Span>,
    /// The labels before it.
    pub labels: Vec<Name>,
    /// Whether a loop can start here, "labelled" in Holzmann 1987, section 5: a goto target or
    /// the head of a `do`.
    pub labelled: bool,
    /// Whether an `end` label makes it a proper resting place (docs/argos.md, section 9).
    pub resting: bool,
    /// The states of the un-minimised machine it stands for.
    pub members: Vec<StateId>,
    /// Its first edge; the others follow up to `edges_end`.
    pub edges_start: u32,
    /// One past its last edge.
    pub edges_end: u32,
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
    /// The statement.
    pub span: Span,
    /// The edges of the un-minimised machine it stands for.
    pub originals: Vec<EdgeId>,
}

/// What an edge does. Equal actions are interchangeable: this is the alphabet
/// of the machine.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Action {
    /// Nothing: `skip`, or a jump in guard position.
    Skip,
    /// Waits until the expression is not zero.
    Condition(Expr),
    /// Sets a variable.
    Assign(VariableId, Expr),
    /// Puts a message.
    Send(ChannelId, MessageId, Option<Expr>),
    /// Takes a message with this name from the head.
    Receive(ChannelId, MessageId, Option<VariableId>),
    /// Takes any message from the head.
    ReceiveAny(ChannelId),
    /// Fires the timeout of a channel.
    Timeout(ChannelId),
}

/// Whether a message goes in or comes out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Direction {
    /// `c!m`
    Send,
    /// `c?m`
    Receive,
}

/// What an observer can see: direction, channel, message; values are ignored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Sighting {
    /// In or out.
    pub direction: Direction,
    /// Which channel.
    pub channel: ChannelId,
    /// Which message.
    pub message: MessageId,
}

impl State {
    /// The first label before it, by which it is called.
    pub fn label(&self) -> Option<&Name> {
        self.labels.first()
    }
}

impl Machine {
    /// The edges that leave `state`, with their ids.
    pub fn edges_from(&self, state: StateId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        let State { edges_start, edges_end, .. } = self.states[state];
        let range = edges_start as usize..edges_end as usize;
        self.edges.as_slice()[range.clone()].iter().zip(range).map(|(e, i)| (EdgeId::new(i), e))
    }

    /// The states that some path from the start reaches.
    pub fn reachable(&self) -> Vec<bool> {
        let mut seen = vec![false; self.states.len()];
        let mut waiting = vec![self.start];
        seen[self.start.index()] = true;
        while let Some(state) = waiting.pop() {
            for (_, edge) in self.edges_from(state) {
                if !std::mem::replace(&mut seen[edge.to.index()], true) {
                    waiting.push(edge.to);
                }
            }
        }
        seen
    }

    /// What to call a state: `s1`, `s2`, ..., `end`.
    pub fn node(&self, state: StateId) -> String {
        if state == self.end { "end".to_owned() } else { format!("s{}", state.index() + 1) }
    }
}

impl Network {
    /// The channel sort (Holzmann 1987, section 4): messages that can be in it, in order of id.
    pub fn sort(&self, channel: ChannelId) -> Vec<MessageId> {
        let initial = self.channels[channel].initial.iter().map(|message| message.name);
        let edges = self.machines.iter().flat_map(|machine| &machine.edges);
        let sent = edges.filter_map(|edge| match edge.action {
            Action::Send(to, message, _) if to == channel => Some(message),
            _ => None,
        });
        let mut sort: Vec<MessageId> = initial.chain(sent).collect();
        sort.sort_unstable();
        sort.dedup();
        sort
    }

    /// The machines that receive from `channel`, or wait for its timeout.
    pub fn readers(&self, channel: ChannelId) -> Vec<MachineId> {
        self.users(|action| {
            matches!(action, Action::Receive(c, ..) | Action::ReceiveAny(c) if *c == channel)
        })
    }

    /// The machines that send to `channel`.
    pub fn writers(&self, channel: ChannelId) -> Vec<MachineId> {
        self.users(|action| matches!(action, Action::Send(c, ..) if *c == channel))
    }

    fn users(&self, uses: impl Fn(&Action) -> bool) -> Vec<MachineId> {
        let machines = self.machines.iter_ids();
        machines
            .filter(|(_, machine)| machine.edges.iter().any(|edge| uses(&edge.action)))
            .map(|(id, _)| id)
            .collect()
    }

    /// A local variable as `process.name`, a shared one as `name`.
    pub fn full_name(&self, variable: VariableId) -> String {
        let Variable { name, owner, .. } = &self.variables[variable];
        match owner {
            Some(owner) => format!("{}.{name}", self.machines[MachineId::new(owner.index())].name),
            None => name.to_string(),
        }
    }
}

impl Vocabulary for Network {
    fn channel(&self, id: ChannelId) -> &str {
        &self.channels[id].name
    }
    fn message(&self, id: MessageId) -> &str {
        &self.messages[id]
    }
    fn variable(&self, id: VariableId) -> &str {
        &self.variables[id].name
    }
}

/// An action in the user's words.
pub struct ActionText<'a> {
    /// The action.
    pub action: &'a Action,
    /// The names.
    pub names: &'a dyn Vocabulary,
}

impl fmt::Display for ActionText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names;
        let text = |expr| ExprText { expr, names };
        match self.action {
            Action::Skip => f.write_str("skip"),
            Action::Condition(expr) => write!(f, "({})", text(expr)),
            Action::Assign(v, expr) => write!(f, "{} = {}", names.variable(*v), text(expr)),
            Action::Send(c, m, None) => write!(f, "{}!{}", names.channel(*c), names.message(*m)),
            Action::Send(c, m, Some(expr)) => {
                write!(f, "{}!{}({})", names.channel(*c), names.message(*m), text(expr))
            }
            Action::Receive(c, m, None) => {
                write!(f, "{}?{}", names.channel(*c), names.message(*m))
            }
            Action::Receive(c, m, Some(v)) => {
                let (c, m) = (names.channel(*c), names.message(*m));
                write!(f, "{c}?{m}({})", names.variable(*v))
            }
            Action::ReceiveAny(c) => write!(f, "{}?default", names.channel(*c)),
            Action::Timeout(c) => write!(f, "{}?timeout", names.channel(*c)),
        }
    }
}
