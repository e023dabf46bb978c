//! A run of a program in the user's names: what every chart and list is drawn
//! from. The steps come from the reference interpreter; a visible step of several
//! edges becomes several events, each with what it changed.

use super::names::{Names, message_words, word};
use super::statement;
use crate::{Changes, Event, EventKind, Scenario, Snapshot};
use base::{Id, SourceMap};
use program::reference::{self, Micro, Rules, State, Step, Traffic};
use program::{Action, Edge, EdgeId, LocationId, ProctypeId, Program, Wording};
use std::collections::HashMap;

/// Writes a run down.
pub(super) struct Narrator<'a> {
    program: &'a Program,
    rules: &'a Rules,
    sources: &'a SourceMap,
    names: &'a Names,
    scenario: Scenario,
    /// For each message in a channel: the event that sent it.
    senders: Vec<Vec<Option<usize>>>,
    /// How many events each step is.
    counts: Vec<usize>,
    /// The event of each edge executed so far, without what differs from time to time: to put
    /// a statement into words takes longer than to execute it.
    events: HashMap<(ProctypeId, EdgeId), Event>,
}

impl<'a> Narrator<'a> {
    pub(super) fn new(
        program: &'a Program,
        rules: &'a Rules,
        sources: &'a SourceMap,
        names: &'a Names,
        initial: &State,
    ) -> Self {
        let senders = initial.channels.iter().map(|c| vec![None; c.messages.len()]).collect();
        let scenario = Scenario { initial: snapshot(program, names, initial), trace: Vec::new() };
        let (counts, events) = (Vec::new(), HashMap::new());
        Self { program, rules, sources, names, scenario, senders, counts, events }
    }

    /// Adds a visible step that led from `before` to its own state.
    pub(super) fn record(&mut self, before: &State, step: &Step) {
        let known = self.scenario.trace.len();
        for edge in &step.claim {
            if let Some(claim) = self.rules.claim {
                let event = self.event("claim", (claim, *edge));
                self.scenario.trace.push(event);
            }
        }
        let inside = reference::states_inside(self.program, self.rules, before, step);
        // What jumps that are no events change is part of the event before them, or the next.
        let (mut state, mut told) = (before, before);
        for (index, micro) in step.micros.iter().enumerate() {
            let behind = inside.get(index).unwrap_or(&step.state);
            if self.micro((state, told, behind), micro, step.micros.len() == 1) {
                told = behind;
            }
            state = behind;
        }
        let last = self.scenario.trace.last_mut().filter(|_| !std::ptr::eq(told, state));
        if let Some(last) = last {
            last.changes.extend(changes(self.program, self.names, told, state));
        }
        if let Some(last) = self.scenario.trace.last_mut() {
            last.violates = !step.failures.is_empty();
        }
        self.senders.resize(step.state.channels.len(), Vec::new());
        self.counts.push(self.scenario.trace.len() - known);
    }

    /// The run so far, and how many events each of its steps is.
    pub(super) fn finish(self) -> (Scenario, Vec<usize>) {
        (self.scenario, self.counts)
    }

    /// Adds what one edge did in a state, and what is otherwise behind it than when the event
    /// before it was told; says whether it is an event.
    fn micro(
        &mut self,
        (state, told, behind): (&State, &State, &State),
        micro: &Micro,
        alone: bool,
    ) -> bool {
        let Some(proctype) = self.proctype(state, micro.pid) else { return false };
        let edge = self.program.proctypes[proctype].edges.get(micro.edge);
        let Some(edge) = edge.filter(|edge| is_told(edge, alone)) else { return false };
        let mut event = self.event(&self.names.process(micro.pid), (proctype, micro.edge));
        event.printed.clone_from(&micro.printed);
        // A send that fails puts nothing into any channel.
        if !micro.traffic.is_empty() {
            event.kind = kind(&edge.action, micro.peer.is_some());
        }
        self.scenario.trace.push(event);
        for traffic in &micro.traffic {
            self.traffic(state, traffic, micro.peer.is_some());
        }
        if let Some(event) = self.scenario.trace.last_mut() {
            event.changes = changes(self.program, self.names, told, behind);
            if let Some((peer, _)) = micro.peer {
                // A receiver that comes back to where it was is one all the same.
                let node = behind.processes.get(peer).map(|process| node(process.location));
                let known = event.changes.at.entry(self.names.process(peer));
                known.or_insert(node.unwrap_or_default());
            }
        }
        true
    }

    /// What a process executes; one that died in this very step is looked up by its
    /// name in the run.
    fn proctype(&self, state: &State, pid: usize) -> Option<ProctypeId> {
        let process = state.processes.get(pid);
        process.map(|process| process.proctype).or_else(|| self.names.proctype(pid))
    }

    fn event(&mut self, process: &str, edge: (ProctypeId, EdgeId)) -> Event {
        let (program, sources) = (self.program, self.sources);
        let known = self.events.entry(edge);
        let known =
            known.or_insert_with(|| event(&program.proctypes[edge.0].edges[edge.1], sources));
        Event { process: process.to_owned(), ..known.clone() }
    }

    /// Names the message of the last event and finds its other end.
    fn traffic(&mut self, state: &State, traffic: &Traffic, rendezvous: bool) {
        let index = self.scenario.trace.len() - 1;
        let channel = traffic.channel;
        self.senders.resize(self.senders.len().max(channel + 1), Vec::new());
        let name = self.names.channel(channel);
        let fields = state.channels.get(channel).map(|c| c.kind(self.program).fields.clone());
        let fields = fields.unwrap_or_default();
        let mut words = message_words(self.program, &fields, &traffic.message).into_iter();
        let message = words.next().unwrap_or_default();
        let values = traffic.message.get(1..).unwrap_or_default();
        let words = words.collect::<Vec<_>>();
        let numbers: Vec<String> = values.iter().map(i32::to_string).collect();
        let queue = &mut self.senders[channel];
        if traffic.sent && !rendezvous {
            queue.insert(traffic.slot.min(queue.len()), Some(index));
        }
        let sender = match traffic.sent {
            false if !rendezvous && traffic.slot < queue.len() => queue.remove(traffic.slot),
            _ => None,
        };
        let event = &mut self.scenario.trace[index];
        event.channel = Some(name);
        event.message = Some(message);
        event.values = values.to_vec();
        event.words = if words == numbers { Vec::new() } else { words };
        if traffic.sent {
            event.received = Some(rendezvous);
        }
        if let Some(sent) = sender {
            event.matched = Some(sent);
            self.scenario.trace[sent].received = Some(true);
            self.scenario.trace[sent].matched = Some(index);
        }
    }
}

/// Whether an edge is an event: a jump that nobody wrote is one only where it is the whole step.
pub(super) fn is_told(edge: &Edge, alone: bool) -> bool {
    edge.wording != Wording::Join || alone
}

/// The event of an edge, without what differs from time to time.
fn event(edge: &Edge, sources: &SourceMap) -> Event {
    let span = sources.statement(edge.span);
    let place = sources.place(span);
    Event {
        process: String::new(),
        action: statement(edge, sources),
        kind: EventKind::Internal,
        channel: None,
        message: None,
        values: Vec::new(),
        words: Vec::new(),
        file: sources.unless_main(place.file),
        line: place.line,
        column: place.column,
        received: None,
        matched: None,
        from: node(edge.from),
        to: node(edge.to),
        violates: false,
        truth: String::new(),
        printed: String::new(),
        others: Vec::new(),
        changes: Changes::default(),
    }
}

/// A location as a node of its machine.
fn node(location: LocationId) -> String {
    format!("l{}", location.index())
}

fn kind(action: &Action, rendezvous: bool) -> EventKind {
    match action {
        _ if rendezvous => EventKind::Rendezvous,
        Action::Send { .. } => EventKind::Send,
        Action::Receive { keep: false, .. } => EventKind::Receive,
        _ => EventKind::Internal,
    }
}

/// A state in the user's names.
pub(super) fn snapshot(program: &Program, names: &Names, state: &State) -> Snapshot {
    let mut shown = Snapshot::default();
    (0..state.processes.len())
        .for_each(|pid| add_process(&mut shown, program, names, (state, None), pid));
    add_globals(&mut shown, program, (state, None));
    (0..state.channels.len()).for_each(|index| add_queue(&mut shown, program, names, state, index));
    shown
}

/// What is otherwise in `after`. Only the parts that differ are put into words: a
/// step changes little of a state, and runs may have many thousand steps.
fn changes(program: &Program, names: &Names, before: &State, after: &State) -> Changes {
    let (mut old, mut new) = (Snapshot::default(), Snapshot::default());
    let (from, to) = ((before, Some(after)), (after, Some(before)));
    for pid in 0..before.processes.len().max(after.processes.len()) {
        if before.processes.get(pid) != after.processes.get(pid) {
            add_process(&mut old, program, names, from, pid);
            add_process(&mut new, program, names, to, pid);
        }
    }
    if before.globals != after.globals {
        add_globals(&mut old, program, from);
        add_globals(&mut new, program, to);
    }
    for index in 0..before.channels.len().max(after.channels.len()) {
        if before.channels.get(index) != after.channels.get(index) {
            add_queue(&mut old, program, names, before, index);
            add_queue(&mut new, program, names, after, index);
        }
    }
    old.changes_to(&new)
}

/// A state, and another one if only what is otherwise there is of interest.
type Unlike<'a> = (&'a State, Option<&'a State>);

/// Where a process stands and its variables, if it is alive.
fn add_process(
    shown: &mut Snapshot,
    program: &Program,
    names: &Names,
    (state, other): Unlike<'_>,
    pid: usize,
) {
    let Some(process) = state.processes.get(pid) else { return };
    let other = other.and_then(|other| other.processes.get(pid));
    let other = other.filter(|other| other.proctype == process.proctype);
    let name = names.process(pid);
    let kind = &program.proctypes[process.proctype];
    for (id, variable) in kind.variables.iter_ids() {
        let others = other.map(|other| other.locals[id].as_slice());
        let unlike = (process.locals[id].as_slice(), others);
        add_values(shown, program, (&|| format!("{name}.{}", variable.name), variable), unlike);
    }
    shown.at.insert(name, node(process.location));
}

fn add_globals(shown: &mut Snapshot, program: &Program, (state, other): Unlike<'_>) {
    for (id, variable) in program.globals.iter_ids() {
        let others = other.map(|other| other.globals[id].as_slice());
        let unlike = (state.globals[id].as_slice(), others);
        add_values(shown, program, (&|| variable.name.to_string(), variable), unlike);
    }
}

/// The messages in a channel, if there is one.
fn add_queue(shown: &mut Snapshot, program: &Program, names: &Names, state: &State, index: usize) {
    let Some(channel) = state.channels.get(index) else { return };
    let fields = &channel.kind(program).fields;
    let texts = channel.messages.iter().map(|m| names.message_text(program, fields, m));
    shown.queues.insert(names.channel(index), texts.collect());
}

fn add_values(
    shown: &mut Snapshot,
    program: &Program,
    (name, variable): (&dyn Fn() -> String, &program::Variable),
    (values, others): (&[i32], Option<&[i32]>),
) {
    // A channel variable names its channel; its number means nothing to people.
    if variable.channel.is_some() || others == Some(values) {
        return;
    }
    let name = name();
    for (index, value) in values.iter().enumerate() {
        if others.is_some_and(|others| others.get(index) == Some(value)) {
            continue;
        }
        let name = if variable.is_array { format!("{name}[{index}]") } else { name.clone() };
        if let Some(word) = word(program, variable.scalar, *value) {
            shown.words.insert(name.clone(), word);
        }
        shown.vars.insert(name, *value);
    }
}
