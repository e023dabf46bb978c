//! The channels of a run of a program, for charts.

use super::names::Names;
use crate::Channel;
use program::reference::{self, Rules, State};
use program::{Action, Program};
use std::collections::BTreeSet;

/// The channels of a run. Readers are those processes alive at the end that have a receive
/// on the channel, as far as its name leads to it there.
pub(super) fn channels(
    program: &Program,
    rules: &Rules,
    names: &Names,
    last: &State,
) -> Vec<Channel> {
    let capacity = |channel: &reference::Channel| channel.kind(program).capacity;
    let users = users(program, rules, last);
    let of = |index: usize, sends: bool| {
        let pids: BTreeSet<usize> =
            users.iter().filter(|u| (u.1, u.2) == (index, sends)).map(|u| u.0).collect();
        names.list(&pids)
    };
    names
        .all_channels()
        .map(|(index, name)| Channel {
            name: name.to_owned(),
            capacity: last.channels.get(index).map_or(0, capacity),
            sort: Vec::new(),
            readers: of(index, false),
            writers: of(index, true),
            contents_max: String::new(),
        })
        .collect()
}

/// Who uses which channel: pid, index of the channel, whether it sends.
fn users(program: &Program, rules: &Rules, state: &State) -> BTreeSet<(usize, usize, bool)> {
    let mut users = BTreeSet::new();
    for (pid, process) in state.processes.iter().enumerate() {
        for edge in &program.proctypes[process.proctype].edges {
            let (queue, sends) = match &edge.action {
                Action::Send { queue, .. } => (queue, true),
                Action::Receive { queue, .. } => (queue, false),
                _ => continue,
            };
            let number = reference::value(program, rules, state, pid, &queue.number);
            let index = number.and_then(|n| usize::try_from(n).ok()).and_then(|n| n.checked_sub(1));
            users.extend(index.map(|index| (pid, index, sends)));
        }
    }
    users
}
