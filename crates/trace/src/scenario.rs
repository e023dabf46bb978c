//! The run as plain data, in the user's names. The field names are the JSON
//! contract: a saved trace is this, and every chart is drawn from it.

use crate::{Location, location};
use base::SourceMap;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// A run from the initial state.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Scenario {
    /// The state before the first step.
    pub initial: Snapshot,
    /// The steps in order.
    pub trace: Vec<Event>,
}

impl Scenario {
    /// Where the last send stands that nobody answered; line 0 if there is none.
    pub(crate) fn last_send(&self, sources: &SourceMap) -> Location {
        let is_left = |event: &&Event| event.received == Some(false);
        let last = self.trace.iter().rev().find(is_left);
        let Some(event) = last else { return location(sources, None) };
        let main = sources.files.iter().next().map(|file| file.name.clone());
        let file = event.file.clone().or(main).unwrap_or_default();
        Location { file, line: event.line, column: event.column }
    }
}

/// A whole state.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// Where each process stands: node of its machine, as `s3` or `end`.
    pub at: IndexMap<String, String>,
    /// Contents of each channel, oldest first.
    pub queues: IndexMap<String, Vec<String>>,
    /// Variables; a local one is written `process.name`.
    pub vars: IndexMap<String, i32>,
    /// The same in words, where a number says less: symbolic constants and truth values.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub words: IndexMap<String, String>,
}

impl Snapshot {
    /// What is otherwise in `after`.
    pub fn changes_to(&self, after: &Snapshot) -> Changes {
        fn differing<V: Clone + PartialEq>(
            old: &IndexMap<String, V>,
            new: &IndexMap<String, V>,
        ) -> IndexMap<String, V> {
            let changed = new.iter().filter(|(name, value)| old.get(*name) != Some(value));
            changed.map(|(name, value)| (name.clone(), value.clone())).collect()
        }
        Changes {
            at: differing(&self.at, &after.at),
            queues: differing(&self.queues, &after.queues),
            vars: differing(&self.vars, &after.vars),
            words: differing(&self.words, &after.words),
            ended: {
                let processes = self.at.keys().filter(|name| !after.at.contains_key(*name));
                let channels = self.queues.keys().filter(|name| !after.queues.contains_key(*name));
                processes.chain(channels).cloned().collect()
            },
        }
    }

    /// Applies what a step changed.
    pub fn apply(&mut self, changes: &Changes) {
        for process in &changes.ended {
            let is_local =
                |name: &str| name.strip_prefix(process).is_some_and(|rest| rest.starts_with('.'));
            self.at.shift_remove(process);
            self.queues.shift_remove(process);
            self.vars.retain(|name, _| !is_local(name));
            self.words.retain(|name, _| !is_local(name));
        }
        self.at.extend(changes.at.clone());
        self.queues.extend(changes.queues.clone());
        self.vars.extend(changes.vars.clone());
        self.words.retain(|name, _| !changes.vars.contains_key(name));
        self.words.extend(changes.words.clone());
    }

    /// The value of a variable as people read it, if there is one.
    pub fn value(&self, name: &str) -> Option<String> {
        value(&self.vars, &self.words, name)
    }
}

fn value(
    vars: &IndexMap<String, i32>,
    words: &IndexMap<String, String>,
    name: &str,
) -> Option<String> {
    let number = vars.get(name)?;
    Some(words.get(name).cloned().unwrap_or_else(|| number.to_string()))
}

impl Changes {
    /// Adds what changed after that.
    pub(crate) fn extend(&mut self, later: Changes) {
        self.words.retain(|name, _| !later.vars.contains_key(name));
        self.at.extend(later.at);
        self.queues.extend(later.queues);
        self.vars.extend(later.vars);
        self.words.extend(later.words);
        self.ended.extend(later.ended);
    }

    /// The new value of a variable as people read it, if it has one.
    pub fn value(&self, name: &str) -> Option<String> {
        value(&self.vars, &self.words, name)
    }
}

/// What a step changed: values after it, changed names only.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Changes {
    /// Processes that stand elsewhere now.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub at: IndexMap<String, String>,
    /// Channels with other contents now.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub queues: IndexMap<String, Vec<String>>,
    /// Variables with another value now.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub vars: IndexMap<String, i32>,
    /// The same in words, where a number says less.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub words: IndexMap<String, String>,
    /// Processes that are gone now, with their variables, and channels of theirs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<String>,
}

/// What kind of step an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    /// A message put into a channel.
    Send,
    /// A message taken out of a channel.
    Receive,
    /// Both at once (PROMELA).
    Rendezvous,
    /// A timeout.
    Tau,
    /// Anything else.
    Internal,
}

/// One step of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Event {
    /// The process that moves.
    pub process: String,
    /// The statement, as `link!msg1`, `sender?timeout`, `rbit == 1`, `skip`.
    pub action: String,
    /// What kind of step.
    pub kind: EventKind,
    /// The channel of a send, receive or timeout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The message of a send or receive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The values it carries.
    #[serde(default)]
    pub values: Vec<i32>,
    /// The same in words, where numbers say less.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// The file of the statement, when it is not the model itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the statement.
    pub line: u32,
    /// The column of the statement.
    pub column: u32,
    /// For a send: whether the message is received by the end of the trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub received: Option<bool>,
    /// Index of the other end (0-based): of the receive for a send, of the send
    /// for a receive. A message there from the start has none.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub matched: Option<usize>,
    /// Node the process leaves.
    pub from: String,
    /// Node it reaches.
    pub to: String,
    /// Whether this step is the violation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub violates: bool,
    /// Of an infinite run: which propositions hold behind it, `T` or `F` each.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub truth: String,
    /// What it printed (PROMELA).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub printed: String,
    /// What could have happened instead, as `process: action`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
    /// What it changed.
    pub changes: Changes,
}

impl Event {
    /// The message with its values, as `msg(3)`; empty when there is none.
    pub fn message_text(&self) -> String {
        let name = self.message.as_deref().unwrap_or("");
        if self.values.is_empty() {
            return name.to_owned();
        }
        let values: Vec<String> = match self.words.is_empty() {
            true => self.values.iter().map(i32::to_string).collect(),
            false => self.words.clone(),
        };
        format!("{name}({})", values.join(","))
    }

    /// Whether the papers count it: sends, rendezvous and timeouts, not receives.
    pub fn is_event(&self) -> bool {
        matches!(self.kind, EventKind::Send | EventKind::Rendezvous | EventKind::Tau)
    }
}

/// Who waits for what at the end of a run that blocks: a row of the wait-for
/// table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Wait {
    /// The process.
    pub process: String,
    /// The line it stands at.
    pub line: u32,
    /// The label it stands at, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The statements it could execute next, as `ca?m1, ua?abort`; `-` at its end.
    pub waits: String,
    /// Why none of them can, as `ca and ua are empty`.
    pub because: String,
    /// The processes that could help.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// Whether it is on a waiting cycle or holds the message nobody takes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub culprit: bool,
}
