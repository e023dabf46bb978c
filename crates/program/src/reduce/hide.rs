//! Hiding: a global that nothing reads does not tell states apart.
//!
//! No expression that decides anything mentions it, so no step depends on what it
//! holds, and two states that differ in it alone have the same future. What is stored
//! to it is dropped; indices and right sides are still evaluated, for they may fail.
//! A global that is read only to compute what is stored to such globals
//! (`n = n + 1`) is one too, if that computation cannot fail.
//!
//! What is printed counts as unread, if printing it cannot fail: prints are seen in
//! replays only, and those run the plain program.

use super::access::{Variables, action_reads, cannot_fail, outside_edges, place_reads, reads};
use super::cycle;
use crate::{Action, Program, VariableId, VariableRef};
use std::collections::BTreeSet;

/// The program in which nothing is stored to the globals that nothing reads.
pub(super) fn hide(mut program: Program) -> Program {
    for id in never_read(&program) {
        program.globals[id].unread = true;
    }
    program
}

/// The globals that something is stored to and that nothing reads.
pub(crate) fn never_read(program: &Program) -> BTreeSet<VariableId> {
    let mut unread = stored_to(program);
    for expr in outside_edges(program) {
        remove(&mut unread, &reads(expr));
    }
    if let Some(trace) = &program.trace {
        unread.retain(|id| !trace.sends.contains(id) && !trace.receives.contains(id));
    }
    loop {
        let before = unread.len();
        for edge in program.proctypes.iter().flat_map(|kind| &kind.edges) {
            let needed = needed(&edge.action, &unread);
            remove(&mut unread, &needed);
        }
        if unread.len() == before {
            return unread;
        }
    }
}

/// What processes store to, except around invisible cycles.
fn stored_to(program: &Program) -> BTreeSet<VariableId> {
    let (mut stored, mut kept) = (BTreeSet::new(), BTreeSet::new());
    for (id, kind) in program.proctypes.iter_ids() {
        let unseen = cycle::unseen(program, kind);
        for (edge_id, edge) in kind.edges.iter_ids() {
            let seen = program.is_process(id) && !unseen.contains(&edge_id);
            let set = if seen { &mut stored } else { &mut kept };
            set.extend(edge.action.targets().iter().filter_map(|place| place.variable.global()));
        }
    }
    &stored - &kept
}

/// What an action reads, if nothing needs what is in `unread`.
fn needed(action: &Action, unread: &BTreeSet<VariableId>) -> Variables {
    match action {
        Action::Assign(place, expr)
            if place.variable.global().is_some_and(|id| unread.contains(&id))
                && cannot_fail(expr) =>
        {
            place_reads(place)
        }
        _ => action_reads(action),
    }
}

fn remove(unread: &mut BTreeSet<VariableId>, read: &Variables) {
    unread.retain(|id| !read.contains(&VariableRef::Global(*id)));
}
