//! Statements of a program that a complete search never executed.

use super::decide::Decided;
use super::view;
use crate::Loaded;
use base::Id;
use program::{Action, Edge, Program};
use report::Unreached;

/// What no search executed, if one looked everywhere. Claims only watch, and the
/// inside of a `d_step` is one step: neither is listed.
pub(super) fn unreached(program: &Program, decided: &Decided, loaded: &Loaded) -> Vec<Unreached> {
    let complete = |run: &&super::decide::Run| run.claim.is_none() && run.outcome.complete();
    let Some(run) = decided.runs.iter().find(complete) else { return Vec::new() };
    if loaded.allowed.iter().any(|id| id == "W0007") {
        return Vec::new();
    }
    let started = started(program, &run.executed);
    let mut list = Vec::new();
    for (id, proctype) in program.proctypes.iter_ids().filter(|(id, _)| started[id.index()]) {
        let locations = view::reachable(proctype);
        let of = |wanted: bool| {
            let edges = proctype.edges.iter_ids().filter(|(_, e)| locations.contains(&e.from));
            let fired = edges.filter(|(edge, _)| run.executed[id.index()][edge.index()] == wanted);
            fired.map(|(_, edge)| entry(&proctype.name, edge, loaded)).collect::<Vec<_>>()
        };
        let done = of(true);
        let mut missed = of(false);
        // A statement lifted into another choice has several edges.
        missed.retain(|entry| !done.contains(entry) && entry.statement != "-end-");
        missed.sort_by_key(|entry| (entry.line, entry.column));
        missed.dedup();
        list.extend(missed);
    }
    list
}

/// The proctypes of which some process ran: those of the start, and those that
/// executed anything. Of the others every statement is missing; that they never
/// run is said by the list of the first ones.
fn started(program: &Program, executed: &[Vec<bool>]) -> Vec<bool> {
    let ids = program.proctypes.ids();
    ids.map(|id| program.start.contains(&id) || executed[id.index()].contains(&true)).collect()
}

fn entry(process: &str, edge: &Edge, loaded: &Loaded) -> Unreached {
    let place = loaded.sources.place(loaded.sources.statement(edge.span));
    let statement = match edge.action {
        Action::Die => "-end-".to_owned(),
        _ => view::statement(edge, &loaded.sources),
    };
    Unreached { process: process.to_owned(), line: place.line, column: place.column, statement }
}
