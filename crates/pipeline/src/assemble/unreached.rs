//! What a complete search never executed, and what it found left over.

use crate::decide::Decided;
use crate::{Loaded, Networks};
use automata::{EdgeId, MachineId, Network};
use base::Id;
use report::{Finding, Unreached};

/// For each machine and each edge of its un-minimised form: whether some search
/// executed the edge that stands for it.
pub(super) fn executed(networks: &Networks, decided: &Decided) -> Vec<Vec<bool>> {
    let machines = networks.raw.machines.iter_ids();
    machines
        .map(|(id, raw)| {
            let mut fired = vec![false; raw.edges.len()];
            for (edge_id, edge) in networks.searched.machines[id].edges.iter_ids() {
                let (agent, number) = (id.index() as u32, edge_id.index() as u32);
                let done = decided.runs.iter().any(|r| r.outcome.executed.contains(agent, number));
                for original in &edge.originals {
                    fired[original.index()] |= done;
                }
            }
            fired
        })
        .collect()
}

/// The statements never executed, if the searches looked everywhere.
pub(super) fn unreached(networks: &Networks, decided: &Decided, loaded: &Loaded) -> Vec<Unreached> {
    let silenced = loaded.allowed.iter().any(|id| id == NEVER_EXECUTED);
    if silenced || !decided.runs.iter().any(|run| run.outcome.complete()) {
        return Vec::new();
    }
    let mut list: Vec<Unreached> = Vec::new();
    for (machine, fired) in networks.raw.machines.ids().zip(executed(networks, decided)) {
        let missed = fired.iter().enumerate().filter(|(_, fired)| !**fired);
        let mut own: Vec<Unreached> = missed
            .map(|(index, _)| statement(&networks.raw, machine, EdgeId::new(index), loaded))
            .filter(|missed| !was_executed_elsewhere(networks, machine, &fired, missed, loaded))
            .collect();
        own.sort_by_key(|missed| (missed.line, missed.column));
        list.extend(own);
    }
    list.dedup();
    list
}

fn statement(network: &Network, id: MachineId, edge: EdgeId, loaded: &Loaded) -> Unreached {
    let machine = &network.machines[id];
    let edge = &machine.edges[edge];
    let place = loaded.sources.place(loaded.sources.statement(edge.span));
    Unreached {
        process: machine.name.to_string(),
        line: place.line,
        column: place.column,
        statement: trace::statement(network, edge, &loaded.sources),
    }
}

/// A statement has several edges where its guard was copied into the state
/// around it; it was executed if one of them was.
fn was_executed_elsewhere(
    networks: &Networks,
    id: MachineId,
    fired: &[bool],
    missed: &Unreached,
    loaded: &Loaded,
) -> bool {
    fired
        .iter()
        .enumerate()
        .filter(|(_, fired)| **fired)
        .any(|(index, _)| statement(&networks.raw, id, EdgeId::new(index), loaded) == *missed)
}

/// Messages left at a proper end: a warning of its own, with the first case.
pub(super) fn residual(decided: &Decided, loaded: &Loaded) -> Option<Finding> {
    let run = &decided.runs[0];
    let first = run.outcome.residuals.first()?;
    if loaded.allowed.iter().any(|id| id == RESIDUAL) {
        return None;
    }
    let trail = crate::decide::trail(first);
    let networks = &run.networks;
    let replayed = trace::replay(&networks.raw, &networks.searched, &trail, &loaded.sources);
    let explanation = trace::explain(&networks.raw, &replayed.ok()?, &loaded.sources)?;
    let place = loaded.sources.place(loaded.sources.statement(explanation.span?));
    let count = run.outcome.statistics.residuals;
    let ends = if count == 1 { "1 proper end".to_owned() } else { format!("{count} proper ends") };
    Some(Finding {
        id: RESIDUAL.to_owned(),
        severity: "warning".to_owned(),
        message: format!("messages are left in channels at {ends}"),
        file: place.file,
        line: place.line,
        column: place.column,
        hint: Some("receive them before the processes end, or do not send them".to_owned()),
        text: String::new(),
        notes: vec![explanation.message],
        others: Vec::new(),
    })
}

/// The id of the warning about statements never executed.
const NEVER_EXECUTED: &str = "W0007";
/// The id of the warning about messages left at a proper end.
const RESIDUAL: &str = "W0013";
