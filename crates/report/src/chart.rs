//! One run, ready to be drawn: what columns, steps, lanes, SVG and Mermaid have
//! in common. Time runs down, one step is one row, a message belongs to the
//! lane of the process that takes it.

use crate::style::{Row, Screen};
use crate::{Channel, ErrorEntry, Kind, Language, Report, Verdict, words};
use indexmap::IndexSet;
use std::collections::HashSet;
use trace::{Event, EventKind, Scenario, Wait};

/// A run and what is needed to draw it.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// The file of the model.
    pub model: &'a str,
    /// The command that repeats the run.
    pub command: &'a str,
    /// The verdict and what happened; for a simulation what it is.
    pub title: String,
    /// Processes, one lane each, in declaration order.
    pub lanes: Vec<&'a str>,
    /// Channels in declaration order.
    pub channels: &'a [Channel],
    /// Channels the assertions speak of.
    pub watched: Vec<&'a str>,
    /// The run.
    pub scenario: &'a Scenario,
    /// Who waits for what at its end, when nothing can move.
    pub waits: &'a [Wait],
    /// First step of the part that repeats, 0-based.
    pub cycle_start: Option<usize>,
    /// What is known of its length.
    pub length: &'a str,
    /// How it ends.
    pub ending: Ending,
    /// By lane: several channels lead there, so each message is labelled with its own.
    pub named_channels: Vec<bool>,
}

/// How a run ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A step of it is the violation; the words say which and of what.
    Fails(String),
    /// It stops where it must not, though every step of it was allowed.
    Stops(String),
    /// Nothing can move.
    Blocked,
    /// It goes on for ever.
    Repeats,
    /// It was only followed this far.
    Open,
}

impl<'a> Chart<'a> {
    /// The run of one error of a report.
    pub fn of_error(report: &'a Report, index: usize) -> Option<Self> {
        let error = report.errors.get(index).filter(|error| error.replayed)?;
        let what = words::sentence(report, index, error);
        let title = format!("{}: {what}", verdict_word(report.verdict));
        Some(Self::of_entry(report, error, title, ending(report, index, error)))
    }

    /// The run to a state that was asked for.
    pub fn of_witness(report: &'a Report, index: usize) -> Option<Self> {
        let witness = report.witnesses.get(index)?;
        let property = report.properties.iter().find(|it| it.witness == Some(index))?;
        let title = format!("{}: {}", property.name, witness.message);
        Some(Self::of_entry(report, witness, title, Ending::Open))
    }

    fn of_entry(report: &'a Report, error: &'a ErrorEntry, title: String, ending: Ending) -> Self {
        let machines = report.machines.iter();
        // In PROMELA machines are proctypes; the processes are those of the run.
        let mut lanes: IndexSet<&str> = match report.language {
            Language::Argos => {
                machines.clone().filter(|m| !m.assertion).map(|m| m.name.as_str()).collect()
            }
            Language::Promela => error.scenario.initial.at.keys().map(String::as_str).collect(),
        };
        lanes.extend(appearing(&error.scenario));
        // Who never moved is in the run too.
        let waiting = error.waits.as_deref().unwrap_or_default();
        lanes.extend(waiting.iter().map(|wait| wait.process.as_str()));
        let edges = machines.filter(|m| m.assertion).flat_map(|m| &m.graph.edges);
        let watched: IndexSet<&str> =
            edges.filter_map(|edge| edge.action.split(['!', '?']).next()).collect();
        let chart = Self {
            model: &report.model,
            command: &report.command,
            title,
            lanes: lanes.into_iter().collect(),
            channels: &report.channels,
            watched: watched.into_iter().collect(),
            scenario: &error.scenario,
            waits: error.waits.as_deref().unwrap_or_default(),
            cycle_start: error.cycle_start,
            length: &error.length,
            ending,
            named_channels: Vec::new(),
        };
        chart.with_named_channels()
    }

    /// A bare run, as of a simulation.
    pub fn of_scenario(model: &'a str, channels: &'a [Channel], scenario: &'a Scenario) -> Self {
        let mut lanes: IndexSet<&str> = scenario.initial.at.keys().map(String::as_str).collect();
        lanes.extend(appearing(scenario));
        let chart = Self {
            model,
            command: "",
            title: format!("run of {model}"),
            lanes: lanes.into_iter().collect(),
            channels,
            watched: Vec::new(),
            scenario,
            waits: &[],
            cycle_start: None,
            length: "",
            ending: Ending::Open,
            named_channels: Vec::new(),
        };
        chart.with_named_channels()
    }

    fn with_named_channels(self) -> Self {
        let mut leading: Vec<HashSet<&str>> = vec![HashSet::new(); self.lanes.len()];
        let sends = self.scenario.trace.iter().filter(|event| event.kind != EventKind::Tau);
        for event in sends.filter(|event| event.is_event()) {
            if let (Some(lane), Some(channel)) = (self.target(event), event.channel.as_deref()) {
                leading[lane].insert(channel);
            }
        }
        let named_channels = leading.iter().map(|channels| channels.len() > 1).collect();
        Self { named_channels, ..self }
    }

    /// What an arrow is labelled with: its message, behind its channel where several lead to
    /// the same process.
    pub(crate) fn label(&self, event: &Event, is_read: bool) -> String {
        let message = event.message_text();
        let message = if is_read { message } else { format!("[{message}]") };
        match self.target(event).filter(|lane| self.named_channels[*lane]) {
            Some(_) => format!("{}!{message}", event.channel.as_deref().unwrap_or("")),
            None => message,
        }
    }

    /// The same at a receive apart from its send.
    pub(crate) fn receive_label(&self, event: &Event) -> String {
        let lane = self.lane(&event.process).filter(|lane| self.named_channels[*lane]);
        let channel = lane.and(event.channel.as_deref()).unwrap_or("");
        format!("{channel}?{}", event.message_text())
    }

    /// What repeats for ever, in words.
    pub(crate) fn repeating(&self) -> Option<String> {
        let first = self.cycle_start.filter(|_| self.ending == Ending::Repeats)? + 1;
        let last = self.scenario.trace.len();
        Some(match first == last {
            true => format!("step {last} repeats for ever"),
            false => format!("steps {first} to {last} repeat for ever"),
        })
    }

    /// The steps, up to the violation unless all are wanted.
    pub(crate) fn steps(&self, to_end: bool) -> &'a [Event] {
        let trace = &self.scenario.trace;
        match trace.iter().position(|event| event.violates) {
            Some(last) if !to_end => &trace[..=last],
            _ => trace,
        }
    }

    /// Lane of a process.
    pub(crate) fn lane(&self, process: &str) -> Option<usize> {
        self.lanes.iter().position(|lane| *lane == process)
    }

    /// Lane that takes the message of a send, or would: its receiver's, or the
    /// only reader's of the channel.
    pub(crate) fn target(&self, event: &Event) -> Option<usize> {
        if event.kind == EventKind::Rendezvous {
            let peer = event.changes.at.keys().find(|process| **process != event.process);
            return peer.and_then(|process| self.lane(process)).or_else(|| self.reader(event));
        }
        match event.matched.and_then(|other| self.scenario.trace.get(other)) {
            Some(receive) => self.lane(&receive.process),
            None => self.reader(event),
        }
    }

    fn reader(&self, event: &Event) -> Option<usize> {
        let name = event.channel.as_deref()?;
        let channel = self.channels.iter().find(|channel| channel.name == name)?;
        match channel.readers.as_slice() {
            [only] => self.lane(only),
            _ => None,
        }
    }

    /// Sends and timeouts among the steps.
    pub(crate) fn events(&self) -> usize {
        self.scenario.trace.iter().filter(|event| event.is_event()).count()
    }
}

/// The processes of the steps in the order they come to be.
fn appearing(scenario: &Scenario) -> impl Iterator<Item = &str> {
    scenario.trace.iter().flat_map(|event| {
        let changed = event.changes.at.keys().map(String::as_str);
        std::iter::once(event.process.as_str()).chain(changed)
    })
}

/// What a step without a message is called: its statement, or what it printed.
pub(crate) fn deed(event: &Event) -> String {
    let printed = event.printed.strip_suffix('\n').filter(|text| !text.is_empty());
    let printed = printed.unwrap_or(&event.printed).escape_debug();
    let is_print = ["printf", "printm"].iter().any(|word| event.action.starts_with(word));
    match (event.printed.is_empty(), is_print) {
        (true, _) => event.action.clone(),
        (false, true) => format!("prints \"{printed}\""),
        (false, false) => format!("{}; prints \"{printed}\"", event.action),
    }
}

/// Whether a sent message is taken within the first `shown` steps.
pub(crate) fn is_read(event: &Event, shown: usize) -> bool {
    let taken = event.matched.is_none_or(|receive| receive < shown);
    event.received.unwrap_or(event.matched.is_some()) && taken
}

/// The verdict as the first word of a screen.
pub(crate) fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "HOLDS",
        Verdict::Violated => "VIOLATED",
        Verdict::Incomplete => "INCOMPLETE",
        Verdict::Possible => "POSSIBLE",
        Verdict::Impossible => "IMPOSSIBLE",
        Verdict::Error => "ERROR",
    }
}

fn ending(report: &Report, index: usize, error: &ErrorEntry) -> Ending {
    if error.cycle_start.is_some() {
        return Ending::Repeats;
    }
    if error.waits.is_some() {
        return Ending::Blocked;
    }
    let property = report.properties.iter().find(|property| property.error == Some(index));
    let named = property.filter(|property| property.line.is_some());
    let name = named.map_or_else(|| "an assertion".to_owned(), words::named);
    let trace = &error.scenario.trace;
    let marked = trace.iter().position(|event| event.violates);
    let step = marked.map_or(trace.len(), |index| index + 1);
    match (error.kind, marked) {
        _ if error.stays => Ending::Stops("the system stops here and stays for ever".to_owned()),
        (Kind::Ltl, _) => {
            let formula = property.map_or_else(|| "the formula".to_owned(), words::named);
            Ending::Stops(format!("{formula} is violated, whatever follows"))
        }
        (Kind::Invariant, _) => {
            let name = property.map_or_else(|| "the invariant".to_owned(), words::named);
            Ending::Stops(format!("{name} is false here"))
        }
        (Kind::Assertion, Some(_)) => Ending::Fails(format!("step {step} violates {name}")),
        (Kind::Assertion, None) => {
            Ending::Stops(format!("the run ends here, which {name} does not allow"))
        }
        (Kind::DivisionByZero, _) => Ending::Fails(format!("step {step}: division by zero")),
        (kind, Some(_)) => Ending::Fails(format!("step {step}: {}", words::kind_word(kind))),
        (kind, None) => Ending::Stops(words::kind_word(kind).to_owned()),
    }
}

/// Rows of a run with its middle left out when it is long.
pub(crate) struct Listing<T> {
    head: Vec<T>,
    left_out: usize,
    tail: Vec<T>,
}

/// More rows than this and the middle is left out.
const ROWS_MAX: usize = 60;
const ROWS_FIRST: usize = 20;
const ROWS_LAST: usize = 30;

impl<T> Listing<T> {
    pub(crate) fn new(mut rows: Vec<T>, whole: bool) -> Self {
        if whole || rows.len() <= ROWS_MAX {
            return Self { head: rows, left_out: 0, tail: Vec::new() };
        }
        let tail = rows.split_off(rows.len() - ROWS_LAST);
        let left_out = rows.len() - ROWS_FIRST;
        rows.truncate(ROWS_FIRST);
        Self { head: rows, left_out, tail }
    }

    /// Puts the rows on a screen, and `gap` for so many that are left out.
    pub(crate) fn show(
        self,
        out: &mut Screen,
        rows: impl Fn(T) -> Vec<Row>,
        gap: impl Fn(usize) -> Row,
    ) {
        self.head.into_iter().flat_map(&rows).for_each(|row| out.row(row));
        if self.left_out > 0 {
            out.row(gap(self.left_out));
            out.shortened = true;
        }
        self.tail.into_iter().flat_map(&rows).for_each(|row| out.row(row));
    }
}
