//! A PROMELA program without dynamic processes as a net, one machine for each process.
//!
//! The net begins when the last `run` is done: up to there nothing may happen but one
//! thing ([`start`]). From there on the processes are what they are, and a variable that
//! nobody writes is a number. What has no form here is refused, with its place.
//!
//! The net leaves out that a process which has ended dies when all younger ones have
//! died. Nothing in a net depends on that, and it never blocks another process for
//! ever, so the same states are reachable up to which processes are dead.

mod action;
mod expression;
mod question;
mod run;
mod scope;
mod start;

pub use run::Position;

use crate::net::{Channel, Edge, Kind, Machine, Message, Net, State, Variable};
use automata::{EdgeId, MachineId, StateId};
use base::{Id, IdVec, Name, Span};
use model::{ChannelId, MessageId};
use program::reference::{self, Rules};
use program::{ClaimKind, LocationId, ProctypeId, Program, Scalar};
use scope::Scope;
use std::collections::HashMap;

/// What has no form as a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfit {
    /// Where it stands.
    pub span: Span,
    /// What it is, as `a never claim`.
    pub what: String,
}

fn unfit<T>(span: Span, what: impl Into<String>) -> Result<T, Unfit> {
    Err(Unfit { span, what: what.into() })
}

/// A program as a net.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The net.
    pub net: Net,
    /// The steps before it begins: which one of those there are.
    opening: Vec<usize>,
    /// The pid of each machine.
    pids: IdVec<MachineId, usize>,
    /// The edge of the program each edge is.
    origins: IdVec<MachineId, IdVec<EdgeId, program::EdgeId>>,
    /// The element of a variable each variable is.
    elements: Vec<scope::Element>,
    alphabet: Alphabet,
}

/// What messages of each channel are called: by their first field where every send says
/// what that is, all alike elsewhere.
#[derive(Clone, Debug, Default)]
struct Alphabet {
    named: Vec<bool>,
    names: HashMap<(ChannelId, i32), MessageId>,
    kinds: IdVec<MessageId, Kind>,
}

/// A program as a net.
///
/// # Errors
/// What has no form as one.
pub fn of_program(program: &Program) -> Result<Lowered, Unfit> {
    refuse_watchers(program)?;
    let start = start::start(program)?;
    let scope = Scope::new(program, &start.state)?;
    let alphabet = alphabet(&scope)?;
    let mut lowered = Lowered {
        net: Net { channels: channels(&scope, &alphabet), ..Net::default() },
        opening: start.choices,
        pids: scope.machines.iter().map(|process| process.pid).collect(),
        origins: IdVec::new(),
        elements: scope.elements.clone(),
        alphabet,
    };
    for id in scope.machines.ids() {
        let (machine, origins) = machine(&scope, &lowered.alphabet, id)?;
        lowered.net.machines.push(machine);
        lowered.origins.push(origins);
    }
    lowered.net.messages = lowered.alphabet.kinds.clone();
    lowered.net.variables = variables(&scope);
    Ok(lowered)
}

fn refuse_watchers(program: &Program) -> Result<(), Unfit> {
    if let Some(claim) = program.claims.first() {
        let what = match claim.kind {
            ClaimKind::Never(_) => "a never claim",
            ClaimKind::Ltl(_) => "an ltl formula",
        };
        return unfit(claim.span, what);
    }
    match &program.trace {
        Some(trace) => unfit(program.proctypes[trace.automaton].span, "an event trace"),
        None => Ok(()),
    }
}

/// The names of the processes alive: `Peer:0` only when there are several `Peer`s.
fn process_name(program: &Program, state: &reference::State, pid: usize) -> String {
    let kind: ProctypeId = state.processes[pid].proctype;
    let name = &program.proctypes[kind].name;
    let several = state.processes.iter().filter(|other| other.proctype == kind).count() > 1;
    if several { format!("{name}:{pid}") } else { name.to_string() }
}

fn channels(scope: &Scope<'_>, alphabet: &Alphabet) -> IdVec<ChannelId, Channel> {
    let state = scope.state;
    let channel = |(index, channel): (usize, &reference::Channel)| {
        let id = ChannelId::new(index);
        let kind = channel.kind(scope.program);
        let fields = kind.fields.iter().map(|field| scope::range(*field, false));
        let fields = fields.skip(usize::from(alphabet.named[index]));
        let initial = channel.messages.iter().map(|message| alphabet.message(id, message));
        Channel {
            name: channel_name(scope.program, state, index),
            capacity: kind.capacity,
            fields: fields.collect(),
            initial: initial.collect(),
        }
    };
    state.channels.iter().enumerate().map(channel).collect()
}

fn channel_name(program: &Program, state: &reference::State, index: usize) -> String {
    let channel = &state.channels[index];
    let variable = channel.declared.variable(program);
    let same = |other: &&reference::Channel| {
        other.declared == channel.declared && other.owner == channel.owner
    };
    let place = state.channels[..index].iter().filter(same).count();
    let owner = channel.owner.map(|pid| format!("{}.", process_name(program, state, pid)));
    let element = if variable.is_array { format!("[{place}]") } else { String::new() };
    format!("{}{}{element}", owner.unwrap_or_default(), variable.name)
}

fn variables(scope: &Scope<'_>) -> IdVec<model::VariableId, Variable> {
    let variable = |element: &scope::Element| Variable {
        name: element.name.clone(),
        owner: element.owner,
        range: element.range,
        initial: element.initial,
    };
    scope.elements.iter().map(variable).collect()
}

type Origins = IdVec<EdgeId, program::EdgeId>;

/// One process: states are its locations, with the edges a net can have.
fn machine(
    scope: &Scope<'_>,
    alphabet: &Alphabet,
    id: MachineId,
) -> Result<(Machine, Origins), Unfit> {
    let process = &scope.machines[id];
    let kind = scope.kind(id);
    let state = |(at, location): (LocationId, &program::Location)| State {
        node: format!("l{}", at.index()),
        labels: location.labels.clone(),
        span: location.span,
        resting: location.marks.end,
        edges: Vec::new(),
    };
    let mut states: IdVec<StateId, State> = kind.locations.iter_ids().map(state).collect();
    let place = |location: LocationId| StateId::new(location.index());
    states[place(kind.end)].node = "end".to_owned();
    let (mut edges, mut origins) = (IdVec::new(), IdVec::new());
    for origin in &process.edges {
        let body = &kind.edges[*origin];
        let (from, to) = (place(body.from), place(body.to));
        for action in action::actions(scope, alphabet, id, body)? {
            let edge = edges.push(Edge { from, to, action, atomic: body.goes_on() });
            states[from].edges.push(edge);
            origins.push(*origin);
        }
    }
    let name = process_name(scope.program, scope.state, process.pid);
    let start = place(scope.state.processes[process.pid].location);
    Ok((Machine { name, start, end: place(kind.end), states, edges }, origins))
}

/// The names of messages: what is sent, and what is there at the start.
fn alphabet(scope: &Scope<'_>) -> Result<Alphabet, Unfit> {
    let channels = scope.state.channels.len();
    let mut heads: Vec<Option<Vec<i32>>> = vec![Some(Vec::new()); channels];
    for (id, head) in action::heads(scope)? {
        let known = &mut heads[id.index()];
        match (head, known.as_mut()) {
            (Some(number), Some(numbers)) => numbers.push(number),
            _ => *known = None,
        }
    }
    let mut alphabet = Alphabet::default();
    for (index, (channel, numbers)) in scope.state.channels.iter().zip(heads).enumerate() {
        let field = channel.kind(scope.program).fields.first();
        let numbers = numbers.filter(|_| field.is_some());
        alphabet.named.push(numbers.is_some());
        let first = channel.messages.iter().filter_map(|message| message.first().copied());
        match (numbers, field) {
            (Some(numbers), Some(field)) => {
                for number in first.chain(numbers) {
                    let name = name_of(scope.program, *field, number);
                    alphabet.add(ChannelId::new(index), number, name);
                }
            }
            _ => alphabet.add(ChannelId::new(index), 0, Name::new("message")),
        }
    }
    Ok(alphabet)
}

fn name_of(program: &Program, field: Scalar, number: i32) -> Name {
    let symbol = program.symbol(field, number);
    symbol.map_or_else(|| Name::new(&number.to_string()), Name::clone)
}

impl Alphabet {
    fn add(&mut self, channel: ChannelId, number: i32, name: Name) {
        let same = |(_, kind): &(MessageId, &Kind)| kind.number == number && kind.name == name;
        let known = self.kinds.iter_ids().find(same).map(|(id, _)| id);
        let id = known.unwrap_or_else(|| self.kinds.push(Kind { name, number }));
        self.names.insert((channel, number), id);
    }

    /// What a message of a channel is called that begins with this number; nothing if
    /// there is none.
    fn name(&self, channel: ChannelId, number: i32) -> Option<MessageId> {
        let key = if self.named[channel.index()] { number } else { 0 };
        self.names.get(&(channel, key)).copied()
    }

    fn message(&self, channel: ChannelId, fields: &[i32]) -> Message {
        let number = fields.first().copied().unwrap_or(0);
        // INVARIANT: the names of a channel are those of all sends to it.
        let name = self.name(channel, number).unwrap_or(MessageId::new(0));
        let skipped = usize::from(self.named[channel.index()]);
        Message { name, fields: fields[skipped..].to_vec() }
    }
}

/// How programs are executed that become nets.
fn rules() -> Rules {
    Rules::default()
}
