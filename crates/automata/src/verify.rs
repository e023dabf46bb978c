//! The verifier: what must hold of a network after every pass, in words.
//!
//! It checks that ids are in range, that edges are stored with the state they
//! leave, that the end state has no edge, that states are reachable (the end
//! excepted), that every cycle has a labelled state, that channels can hold
//! their initial contents, that observers only watch, and that members and
//! originals of states and edges partition a machine. It does not check that a
//! minimised machine is equivalent to its original: the tests do, by running both.

use crate::{Action, Machine, Network, StateId};
use base::Id;
use model::Expr;

/// Every rule the network breaks, one sentence each; empty when it is sound.
pub fn verify(network: &Network) -> Vec<String> {
    let mut broken = Vec::new();
    for channel in &network.channels {
        if channel.capacity == 0 || channel.initial.len() > channel.capacity as usize {
            broken.push(format!("channel {} cannot hold its contents", channel.name));
        }
    }
    for machine in &network.machines {
        verify_machine(machine, &mut broken);
        for edge in &machine.edges {
            if !ids_in_range(network, &edge.action) {
                broken.push(format!("{}: an action names what is not there", machine.name));
            }
        }
    }
    for observer in &network.observers {
        let machine = observer.machine();
        verify_machine(machine, &mut broken);
        let watches = |action: &Action| {
            matches!(action, Action::Skip | Action::Send(_, _, None) | Action::Receive(_, _, None))
        };
        if !machine.edges.iter().all(|edge| watches(&edge.action)) {
            broken.push(format!("{} does more than watch", machine.name));
        }
    }
    broken
}

fn verify_machine(machine: &Machine, broken: &mut Vec<String>) {
    let mut complain = |text: &str| broken.push(format!("{}: {text}", machine.name));
    let states = machine.states.len();
    if machine.start.index() >= states || machine.end.index() >= states {
        return complain("start or end is not a state");
    }
    if machine.edges.iter().any(|edge| edge.to.index() >= states) {
        return complain("an edge leads nowhere");
    }
    let mut next = 0;
    for (id, state) in machine.states.iter_ids() {
        if state.edges_start != next || state.edges_end < next {
            return complain("edges are not stored state by state");
        }
        next = state.edges_end;
        if next as usize > machine.edges.len() {
            return complain("a state claims edges that are not there");
        }
        if machine.edges_from(id).any(|(_, edge)| edge.from != id) {
            complain("an edge is stored with a state it does not leave");
        }
    }
    if next as usize != machine.edges.len() {
        complain("an edge belongs to no state");
    }
    if machine.edges_from(machine.end).next().is_some() {
        complain("the end state has an edge");
    }
    let reachable = machine.reachable();
    if machine.states.ids().any(|id| id != machine.end && !reachable[id.index()]) {
        complain("a state cannot be reached");
    }
    if has_unlabelled_cycle(machine) {
        complain("a cycle has no labelled state");
    }
    if !is_partition(machine.states.iter().flat_map(|state| &state.members))
        || !is_partition(machine.edges.iter().flat_map(|edge| &edge.originals))
    {
        complain("members or originals do not partition a machine");
    }
}

fn is_partition<'a, K: Id + 'a>(ids: impl Iterator<Item = &'a K>) -> bool {
    let mut indices: Vec<usize> = ids.map(|id| id.index()).collect();
    indices.sort_unstable();
    indices.iter().copied().eq(0..indices.len())
}

/// Removes states that lead to no unlabelled state until none is left to remove.
fn has_unlabelled_cycle(machine: &Machine) -> bool {
    let mut alive: Vec<bool> = machine.states.iter().map(|state| !state.labelled).collect();
    loop {
        let leads_on = |id: StateId| machine.edges_from(id).any(|(_, e)| alive[e.to.index()]);
        let dead: Vec<usize> = machine
            .states
            .ids()
            .filter(|id| alive[id.index()] && !leads_on(*id))
            .map(Id::index)
            .collect();
        if dead.is_empty() {
            return alive.contains(&true);
        }
        for index in dead {
            alive[index] = false;
        }
    }
}

fn ids_in_range(network: &Network, action: &Action) -> bool {
    let channel = |c: &model::ChannelId| network.channels.get(*c).is_some();
    let message = |m: &model::MessageId| network.messages.get(*m).is_some();
    let variable = |v: &model::VariableId| network.variables.get(*v).is_some();
    let expr = |e: &Expr| {
        let mut fine = true;
        e.variables(&mut |v| fine &= variable(v));
        fine
    };
    match action {
        Action::Skip => true,
        Action::Condition(e) => expr(e),
        Action::Assign(v, e) => variable(v) && expr(e),
        Action::Send(c, m, e) => channel(c) && message(m) && e.as_ref().is_none_or(expr),
        Action::Receive(c, m, v) => channel(c) && message(m) && v.as_ref().is_none_or(variable),
        Action::ReceiveAny(c) | Action::Timeout(c) => channel(c),
    }
}
