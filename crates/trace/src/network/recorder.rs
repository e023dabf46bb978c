//! Writes a run down step by step: names, lines, who receives which message,
//! and what changed.

use super::statement;
use crate::{Changes, Event, EventKind, Scenario, Snapshot};
use automata::reference::{self, Move, World};
use automata::{Action, EdgeId, MachineId, Network};
use base::{FileId, Id, IdVec, SourceMap};
use indexmap::IndexMap;
use model::{ChannelId, Message};
use std::collections::{HashMap, VecDeque};

/// Collects the events of one run.
pub(super) struct Recorder<'a> {
    network: &'a Network,
    sources: &'a SourceMap,
    scenario: Scenario,
    /// For each message in a channel: the step that sent it.
    senders: IdVec<ChannelId, VecDeque<Option<usize>>>,
    /// The event of each edge so far, without what differs from time to time, and what it is
    /// called where it is not taken: words take longer than to execute.
    events: HashMap<(MachineId, EdgeId), (Event, String)>,
}

impl<'a> Recorder<'a> {
    /// Starts at the initial world.
    pub(super) fn new(network: &'a Network, sources: &'a SourceMap) -> Self {
        let world = reference::initial(network);
        let initial = snapshot(network, &world);
        let senders = world.queues.iter().map(|queue| queue.iter().map(|_| None).collect());
        Self {
            network,
            sources,
            scenario: Scenario { initial, trace: Vec::new() },
            senders: senders.collect(),
            events: HashMap::new(),
        }
    }

    /// Adds one step.
    pub(super) fn record(&mut self, step: Move, before: &World, after: &World, violates: bool) {
        let network = self.network;
        let machine = &network.machines[step.machine];
        let mut event = Event {
            to: machine.node(after.at[step.machine]),
            violates,
            others: self.others(step, before),
            changes: changes(network, before, after),
            ..self.known(step).0.clone()
        };
        self.traffic(&machine.edges[step.edge].action, before, after, &mut event);
        self.scenario.trace.push(event);
    }

    fn known(&mut self, step: Move) -> &(Event, String) {
        let (network, sources) = (self.network, self.sources);
        self.events.entry((step.machine, step.edge)).or_insert_with(|| {
            let event = event(network, step, sources);
            let other = format!("{}: {}", event.process, event.action);
            (event, other)
        })
    }

    /// The run so far, with sends nobody received marked.
    pub(super) fn finish(self) -> Scenario {
        self.scenario
    }

    fn traffic(&mut self, action: &Action, before: &World, after: &World, event: &mut Event) {
        let index = self.scenario.trace.len();
        match action {
            Action::Send(channel, ..) => {
                // A send that divided by zero put nothing into the channel.
                if after.queues[*channel].len() <= before.queues[*channel].len() {
                    return;
                }
                event.kind = EventKind::Send;
                event.received = Some(false);
                self.carry(*channel, after.queues[*channel].last(), event);
                self.senders[*channel].push_back(Some(index));
            }
            Action::Receive(channel, ..) | Action::ReceiveAny(channel) => {
                event.kind = EventKind::Receive;
                self.carry(*channel, before.queues[*channel].first(), event);
                if let Some(Some(sent)) = self.senders[*channel].pop_front() {
                    event.matched = Some(sent);
                    self.scenario.trace[sent].received = Some(true);
                    self.scenario.trace[sent].matched = Some(index);
                }
            }
            Action::Timeout(channel) => {
                event.kind = EventKind::Tau;
                event.channel = Some(self.network.channels[*channel].name.to_string());
            }
            Action::Skip | Action::Condition(_) | Action::Assign(..) => {}
        }
    }

    fn carry(&self, channel: ChannelId, message: Option<&Message>, event: &mut Event) {
        event.channel = Some(self.network.channels[channel].name.to_string());
        event.message = message.map(|m| self.network.messages[m.name].to_string());
        event.values = message.and_then(|m| m.value).map(i32::from).into_iter().collect();
    }

    fn others(&mut self, chosen: Move, world: &World) -> Vec<String> {
        let others = reference::moves(self.network, world).into_iter().filter(|m| *m != chosen);
        others.map(|other| self.known(other).1.clone()).collect()
    }
}

/// The event of an edge, without what differs from time to time.
fn event(network: &Network, step: Move, sources: &SourceMap) -> Event {
    let machine = &network.machines[step.machine];
    let edge = &machine.edges[step.edge];
    let place = sources.place(sources.statement(edge.span));
    let main = sources.files.get(FileId::new(0)).map(|file| file.name.as_str());
    Event {
        process: machine.name.to_string(),
        action: statement(network, edge, sources),
        kind: EventKind::Internal,
        channel: None,
        message: None,
        words: Vec::new(),
        values: Vec::new(),
        file: (main != Some(&place.file)).then_some(place.file),
        line: place.line,
        column: place.column,
        received: None,
        matched: None,
        from: machine.node(edge.from),
        to: String::new(),
        violates: false,
        truth: String::new(),
        printed: String::new(),
        others: Vec::new(),
        changes: Changes::default(),
    }
}

/// What is otherwise in `after`. Only the parts that differ are put into words: a step changes
/// little of a world, and runs may have a million steps.
fn changes(network: &Network, before: &World, after: &World) -> Changes {
    let at = network.machines.iter_ids().filter(|(id, _)| before.at[*id] != after.at[*id]);
    let queues = network.channels.iter_ids();
    let queues = queues.filter(|(id, _)| before.queues[*id] != after.queues[*id]);
    let vars = network.variables.ids().filter(|id| before.values[*id] != after.values[*id]);
    Changes {
        at: at.map(|(id, m)| (m.name.to_string(), m.node(after.at[id]))).collect(),
        queues: queues
            .map(|(id, c)| (c.name.to_string(), texts(network, &after.queues[id])))
            .collect(),
        vars: vars.map(|id| (network.full_name(id), i32::from(after.values[id]))).collect(),
        words: IndexMap::new(),
    }
}

/// A world in the user's names.
pub(super) fn snapshot(network: &Network, world: &World) -> Snapshot {
    let machines = network.machines.iter_ids();
    let channels = network.channels.iter_ids();
    let variables = network.variables.ids();
    Snapshot {
        at: machines.map(|(id, m)| (m.name.to_string(), m.node(world.at[id]))).collect(),
        queues: channels
            .map(|(id, c)| (c.name.to_string(), texts(network, &world.queues[id])))
            .collect(),
        vars: variables.map(|id| (network.full_name(id), i32::from(world.values[id]))).collect(),
        words: IndexMap::new(),
    }
}

fn texts(network: &Network, queue: &[Message]) -> Vec<String> {
    queue.iter().map(|message| message_text(network, message)).collect()
}

/// A message as `msg` or `msg(3)`.
pub(super) fn message_text(network: &Network, message: &Message) -> String {
    let name = &network.messages[message.name];
    message.value.map_or_else(|| name.to_string(), |value| format!("{name}({value})"))
}
