//! Who waits for what when nothing can move: the wait-for table.

use super::recorder::message_text;
use super::statement;
use crate::Wait;
use automata::reference::{self, Rest, World};
use automata::{Action, Edge, MachineId, Network};
use base::SourceMap;
use model::{ChannelId, Expr, VariableId};

/// One row per process of a blocked world.
pub(super) fn waits(
    network: &Network,
    world: &World,
    rest: Rest,
    sources: &SourceMap,
) -> Vec<Wait> {
    let culprits = culprits(network, world, rest);
    network.machines.ids().map(|id| row(network, world, id, &culprits, sources)).collect()
}

fn row(
    network: &Network,
    world: &World,
    id: MachineId,
    culprits: &[MachineId],
    sources: &SourceMap,
) -> Wait {
    let machine = &network.machines[id];
    let state = &machine.states[world.at[id]];
    let edges: Vec<&Edge> = machine.edges_from(world.at[id]).map(|(_, edge)| edge).collect();
    let texts: Vec<String> = edges.iter().map(|edge| statement(network, edge, sources)).collect();
    let proper = reference::at_proper_end(network, world, id);
    Wait {
        process: machine.name.to_string(),
        line: state.span.map_or(0, |span| sources.line(span)),
        at: state.label().map(ToString::to_string),
        waits: if texts.is_empty() { "-".to_owned() } else { texts.join(", ") },
        because: because(network, world, id, &edges, proper),
        needs: if proper { Vec::new() } else { names(network, &alive(network, world, id)) },
        culprit: culprits.contains(&id),
    }
}

fn names(network: &Network, ids: &[MachineId]) -> Vec<String> {
    ids.iter().map(|id| network.machines[*id].name.to_string()).collect()
}

/// The processes that could let `id` go on and have not ended.
fn alive(network: &Network, world: &World, id: MachineId) -> Vec<MachineId> {
    let ended = |helper: &MachineId| world.at[*helper] == network.machines[*helper].end;
    helpers(network, world, id).into_iter().filter(|helper| !ended(helper)).collect()
}

fn because(
    network: &Network,
    world: &World,
    id: MachineId,
    edges: &[&Edge],
    proper: bool,
) -> String {
    if edges.is_empty() {
        return "at its end".to_owned();
    }
    let mut reasons = reasons(network, world, edges.iter().map(|edge| &edge.action));
    if proper {
        reasons.push("at a proper resting place, so no error by itself".to_owned());
    } else if alive(network, world, id).is_empty() {
        let gone = names(network, &helpers(network, world, id));
        let verb = if gone.len() == 1 { "has" } else { "have" };
        reasons.extend((!gone.is_empty()).then(|| format!("{} {verb} ended", and(&gone))));
    }
    reasons.join("; ")
}

/// Why a process cannot move, for a simulation.
pub(super) fn blocked_because(network: &Network, world: &World, id: MachineId) -> String {
    let edges = network.machines[id].edges_from(world.at[id]);
    reasons(network, world, edges.map(|(_, edge)| &edge.action)).join("; ")
}

/// Full and empty channels are named together, heads and values one by one.
fn reasons<'a>(
    network: &Network,
    world: &World,
    actions: impl Iterator<Item = &'a Action>,
) -> Vec<String> {
    let mut channels: Vec<(ChannelId, bool)> = Vec::new();
    let mut variables: Vec<VariableId> = Vec::new();
    for action in actions {
        match action {
            Action::Send(c, ..) => channels.push((*c, true)),
            Action::Receive(c, ..) | Action::ReceiveAny(c) | Action::Timeout(c) => {
                channels.push((*c, false));
            }
            Action::Condition(e) => note_variables(e, &mut variables),
            Action::Skip | Action::Assign(..) => {}
        }
    }
    channels.sort_unstable();
    channels.dedup();
    let is_empty = |c: ChannelId| world.queues[c].is_empty();
    let name = |c: &ChannelId| network.channels[*c].name.to_string();
    let pick = |want: &dyn Fn(ChannelId, bool) -> bool| -> Vec<ChannelId> {
        let picked = channels.iter().filter(|(c, send)| want(*c, *send));
        picked.map(|(c, _)| *c).collect()
    };
    let mut reasons = Vec::new();
    for channel in pick(&|c, send| !send && !is_empty(c)) {
        let head = message_text(network, &world.queues[channel][0]);
        reasons.push(format!("the head of {} is {head}", name(&channel)));
    }
    let together = |list: Vec<ChannelId>, what: &str| {
        let verb = if list.len() == 1 { "is" } else { "are" };
        let names: Vec<String> = list.iter().map(name).collect();
        (!names.is_empty()).then(|| format!("{} {verb} {what}", and(&names)))
    };
    reasons.extend(together(pick(&|c, send| !send && is_empty(c)), "empty"));
    reasons.extend(together(pick(&|_, send| send), "full"));
    reasons.extend(
        variables.iter().map(|v| format!("{} is {}", network.variables[*v].name, world.values[*v])),
    );
    reasons
}

fn note_variables(expr: &Expr, variables: &mut Vec<VariableId>) {
    expr.variables(&mut |v| {
        if !variables.contains(v) {
            variables.push(*v);
        }
    });
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn and(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The processes that could let `id` go on: writers of the empty channels it
/// reads, readers of the full channels it writes.
fn helpers(network: &Network, world: &World, id: MachineId) -> Vec<MachineId> {
    let machine = &network.machines[id];
    let mut helpers: Vec<MachineId> = machine
        .edges_from(world.at[id])
        .flat_map(|(_, edge)| match &edge.action {
            Action::Receive(c, ..) | Action::ReceiveAny(c) if world.queues[*c].is_empty() => {
                network.writers(*c)
            }
            Action::Send(c, ..) => network.readers(*c),
            _ => Vec::new(),
        })
        .filter(|helper| *helper != id)
        .collect();
    helpers.sort_unstable();
    helpers.dedup();
    helpers
}

/// Whom to blame: readers of a message nobody takes; else the processes that
/// wait for each other in a circle; else all that are stuck.
pub(super) fn culprits(network: &Network, world: &World, rest: Rest) -> Vec<MachineId> {
    let stuck: Vec<MachineId> = network
        .machines
        .ids()
        .filter(|id| !reference::at_proper_end(network, world, *id))
        .collect();
    let chosen: Vec<MachineId> = match rest {
        Rest::UnspecifiedReception => unwilling(network, world, &stuck),
        _ => stuck.iter().copied().filter(|id| on_circle(network, world, &stuck, *id)).collect(),
    };
    if chosen.is_empty() { stuck } else { chosen }
}

/// The first nonempty channel that `id` wants to receive from where it stands.
fn refused(network: &Network, world: &World, id: MachineId) -> Option<ChannelId> {
    let edges = network.machines[id].edges_from(world.at[id]);
    let mut channels = edges.filter_map(|(_, edge)| match edge.action {
        Action::Receive(c, ..) | Action::ReceiveAny(c) => Some(c),
        _ => None,
    });
    channels.find(|c| !world.queues[*c].is_empty())
}

/// The message that waits for `id`: in a channel it receives from here, else in
/// one it receives from elsewhere.
pub(super) fn unread(network: &Network, world: &World, id: MachineId) -> Option<ChannelId> {
    let mut nonempty = network.channels.ids().filter(|c| !world.queues[*c].is_empty());
    refused(network, world, id).or_else(|| nonempty.find(|c| network.readers(*c).contains(&id)))
}

/// Who stands before a message it does not take; if nobody does, who would have
/// to come to it; a process that only waits to send is not to blame.
fn unwilling(network: &Network, world: &World, stuck: &[MachineId]) -> Vec<MachineId> {
    let here = stuck.iter().copied().filter(|id| refused(network, world, *id).is_some());
    let here: Vec<MachineId> = here.collect();
    if !here.is_empty() {
        return here;
    }
    let readers = stuck.iter().copied().filter(|id| {
        unread(network, world, *id).is_some() && !reference::waits_only_to_send(network, world, *id)
    });
    readers.collect()
}

fn on_circle(network: &Network, world: &World, stuck: &[MachineId], start: MachineId) -> bool {
    let mut seen = Vec::new();
    let mut waiting = helpers(network, world, start);
    while let Some(id) = waiting.pop() {
        if id == start {
            return true;
        }
        if stuck.contains(&id) && !seen.contains(&id) {
            seen.push(id);
            waiting.extend(helpers(network, world, id));
        }
    }
    false
}
