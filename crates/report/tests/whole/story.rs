//! A run told as a list of steps, from which queues, matches and changes follow.

use indexmap::IndexMap;
use report::Setting;
use trace::{Changes, Event, EventKind, Scenario, Snapshot};

/// A run under construction.
pub(super) struct Story {
    pub(super) scenario: Scenario,
    queues: IndexMap<String, Vec<(String, usize)>>,
    at: IndexMap<String, String>,
}

impl Story {
    pub(super) fn new(processes: &[&str], channels: &[&str]) -> Self {
        let at: IndexMap<String, String> =
            processes.iter().map(|name| ((*name).to_owned(), "s1".to_owned())).collect();
        let queues = channels.iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
        let empty = channels.iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
        let initial = Snapshot { at: at.clone(), queues: empty, ..Snapshot::default() };
        Self { scenario: Scenario { initial, trace: Vec::new() }, queues, at }
    }

    /// `link!msg1`, `link?msg1`, `link?timeout`, or anything else.
    pub(super) fn step(mut self, process: &str, action: &str, line: u32) -> Self {
        let mut event = self.event(process, action, line);
        if let Some((channel, message)) = action.split_once('!') {
            self.send(&mut event, channel, message);
        } else if let Some((channel, message)) = action.split_once('?') {
            self.receive(&mut event, channel, message);
        } else if let Some((name, value)) = action.split_once(" = ") {
            event.changes.vars.insert(name.to_owned(), value.parse().expect("a number"));
            self.scenario.initial.vars.entry(name.to_owned()).or_insert(0);
        }
        self.scenario.trace.push(event);
        self
    }

    pub(super) fn event(&mut self, process: &str, action: &str, line: u32) -> Event {
        let to = format!("s{line}");
        let from = self.at.insert(process.to_owned(), to.clone()).unwrap_or_default();
        let mut changes = Changes::default();
        if from != to {
            changes.at.insert(process.to_owned(), to.clone());
        }
        Event {
            process: process.to_owned(),
            action: action.to_owned(),
            kind: EventKind::Internal,
            channel: None,
            message: None,
            values: Vec::new(),
            words: Vec::new(),
            file: None,
            line,
            column: 5,
            received: None,
            matched: None,
            from,
            to,
            violates: false,
            truth: String::new(),
            printed: String::new(),
            others: Vec::new(),
            changes,
        }
    }

    fn send(&mut self, event: &mut Event, channel: &str, message: &str) {
        let (name, values) = match message.split_once('(') {
            Some((name, values)) => (name, values.trim_end_matches(')')),
            None => (message, ""),
        };
        event.kind = EventKind::Send;
        event.channel = Some(channel.to_owned());
        event.message = Some(name.to_owned());
        event.values = values.split(',').filter_map(|value| value.parse().ok()).collect();
        event.received = Some(false);
        let index = self.scenario.trace.len();
        self.queues[channel].push((message.to_owned(), index));
        event.changes.queues.insert(channel.to_owned(), self.contents(channel));
    }

    fn receive(&mut self, event: &mut Event, channel: &str, message: &str) {
        event.channel = Some(channel.to_owned());
        if message == "timeout" {
            event.kind = EventKind::Tau;
            return;
        }
        event.kind = EventKind::Receive;
        let (text, send) = self.queues[channel].remove(0);
        let index = self.scenario.trace.len();
        let sent = &mut self.scenario.trace[send];
        sent.received = Some(true);
        sent.matched = Some(index);
        event.message = sent.message.clone();
        event.values = sent.values.clone();
        event.matched = Some(send);
        assert!(message == "default" || message == text, "{message} is not at the head");
        event.changes.queues.insert(channel.to_owned(), self.contents(channel));
    }

    fn contents(&self, channel: &str) -> Vec<String> {
        self.queues[channel].iter().map(|(message, _)| message.clone()).collect()
    }

    /// The last step is the violation.
    pub(super) fn violated(mut self) -> Scenario {
        self.scenario.trace.last_mut().expect("an event").violates = true;
        self.scenario
    }

    pub(super) fn end(self) -> Scenario {
        self.scenario
    }
}

/// The settings of every sample.
pub(super) fn setting() -> Setting {
    Setting {
        timeout: Some("last".into()),
        end: "strict".into(),
        search: "auto".into(),
        store: "full".into(),
        ..Setting::default()
    }
}
