//! What to call processes, channels and messages of a run: `Peer:0` only when
//! there are several `Peer`s, `to[1]` for an element of a channel array.

use program::reference::{Channel, Declared, State};
use program::{ProctypeId, Program, Scalar};
use std::collections::{BTreeMap, BTreeSet};

/// The names of one run.
#[derive(Default)]
pub(super) struct Names {
    /// By pid; a pid used again by another proctype keeps its first name.
    processes: BTreeMap<usize, (String, ProctypeId)>,
    /// By index.
    channels: BTreeMap<usize, String>,
}

impl Names {
    /// The names for everything that lives in `states`.
    pub(super) fn new<'s>(program: &Program, states: impl Iterator<Item = &'s State>) -> Self {
        let mut born: BTreeMap<usize, ProctypeId> = BTreeMap::new();
        let mut channels: BTreeMap<usize, Channel> = BTreeMap::new();
        for state in states {
            // Both are numbered without gaps, and the first one with a number names it.
            let known = born.len();
            let processes = state.processes.iter().map(|process| process.proctype);
            born.extend((known..).zip(processes.skip(known)));
            let known = channels.len();
            channels.extend((known..).zip(state.channels.iter().skip(known).cloned()));
        }
        let mut names = Self::default();
        for (pid, proctype) in &born {
            let several = born.values().filter(|other| *other == proctype).count() > 1;
            let name = &program.proctypes[*proctype].name;
            let name = if several { format!("{name}:{pid}") } else { name.to_string() };
            names.processes.insert(*pid, (name, *proctype));
        }
        for (index, channel) in &channels {
            let name = names.channel_name(program, &channels, *index, channel);
            names.channels.insert(*index, name);
        }
        names
    }

    fn channel_name(
        &self,
        program: &Program,
        all: &BTreeMap<usize, Channel>,
        index: usize,
        channel: &Channel,
    ) -> String {
        let variable = match channel.declared {
            Declared::Global(id) => &program.globals[id],
            Declared::Local(proctype, id) => &program.proctypes[proctype].variables[id],
        };
        let same =
            |other: &Channel| other.declared == channel.declared && other.owner == channel.owner;
        let place = all.range(..index).filter(|(_, other)| same(other)).count();
        let owner = channel.owner.map(|pid| format!("{}.", self.process(pid)));
        let element = if variable.is_array { format!("[{place}]") } else { String::new() };
        format!("{}{}{element}", owner.unwrap_or_default(), variable.name)
    }

    /// The process with this pid.
    pub(super) fn process(&self, pid: usize) -> String {
        self.processes.get(&pid).map_or_else(|| format!("process {pid}"), |(name, _)| name.clone())
    }

    /// What it executes.
    pub(super) fn proctype(&self, pid: usize) -> Option<ProctypeId> {
        self.processes.get(&pid).map(|(_, proctype)| *proctype)
    }

    /// The channel at this index.
    pub(super) fn channel(&self, index: usize) -> String {
        self.channels.get(&index).cloned().unwrap_or_else(|| format!("channel {}", index + 1))
    }

    /// All channels in order of number.
    pub(super) fn all_channels(&self) -> impl Iterator<Item = (usize, &str)> {
        self.channels.iter().map(|(index, name)| (*index, name.as_str()))
    }

    /// A whole message, as `open(0,red)`.
    pub(super) fn message_text(
        &self,
        program: &Program,
        fields: &[Scalar],
        message: &[i32],
    ) -> String {
        match message_words(program, fields, message).split_first() {
            None => String::new(),
            Some((first, [])) => first.clone(),
            Some((first, rest)) => format!("{first}({})", rest.join(",")),
        }
    }

    /// The names of the processes in `pids`.
    pub(super) fn list(&self, pids: &BTreeSet<usize>) -> Vec<String> {
        pids.iter().map(|pid| self.process(*pid)).collect()
    }
}

/// The fields of a message, each as its type shows it.
pub(super) fn message_words(program: &Program, fields: &[Scalar], message: &[i32]) -> Vec<String> {
    let word = |(index, value): (usize, &i32)| {
        let named = fields.get(index).and_then(|scalar| word(program, *scalar, *value));
        named.unwrap_or_else(|| value.to_string())
    };
    message.iter().enumerate().map(word).collect()
}

/// The name of a value, if its type has one for it: a symbolic constant, a truth value.
pub(super) fn word(program: &Program, scalar: Scalar, value: i32) -> Option<String> {
    match (scalar, value) {
        (Scalar::Mtype(set), _) => {
            let mut constants = program.mtypes[set].constants.iter();
            constants.find(|(_, number)| *number == value).map(|(name, _)| name.to_string())
        }
        (Scalar::Bool, 0) => Some("false".to_owned()),
        (Scalar::Bool, 1) => Some("true".to_owned()),
        _ => None,
    }
}
