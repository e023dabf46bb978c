//! Where a process is alone with itself (S12): every edge there only asks and changes
//! what belongs to the process, and cannot fail. Whatever others do they can do behind
//! such an edge as well, and it stays as executable as it is: a search for deadlocks and
//! failures may let the process go first.
//!
//! Unlike [merging](super::merge) this is for choices too, and leaves every step visible.
//! Who always goes first could go round for ever and keep others from moving: each
//! cycle keeps a location where nobody goes first.

use super::merge::{Own, Sight, is_watched, may_take_offer};
use super::{cycle, is_process};
use crate::{Action, Edge, LocationId, LocationMarks, Proctype, ProctypeId, Program};
use base::IdVec;

/// For each location of each proctype whether a process may go first there.
pub fn inward(program: &Program) -> IdVec<ProctypeId, IdVec<LocationId, bool>> {
    let sight = Sight::new(program);
    let watched = is_watched(program);
    let kinds = program.proctypes.iter_ids();
    kinds
        .map(|(id, kind)| match !watched && is_process(program, id) {
            true => locations(program, &sight, id),
            false => kind.locations.iter().map(|_| false).collect(),
        })
        .collect()
}

fn locations(program: &Program, sight: &Sight, id: ProctypeId) -> IdVec<LocationId, bool> {
    let kind = &program.proctypes[id];
    let inside = cycle::inside_deterministic(kind);
    let own = Own { program, sight, id };
    let alone = |at: LocationId| {
        let location = &kind.locations[at];
        let plain = location.marks == LocationMarks::default() && at != kind.end;
        let free = kind.provided.is_none() && !kind.deterministic;
        plain
            && free
            && !inside.contains(&at)
            && location.groups.len() == 1
            && kind.edges_from(at).all(|(_, edge)| is_own(&own, edge))
    };
    let mut inward: IdVec<LocationId, bool> = kind.locations.ids().map(alone).collect();
    // Where merged edges lead nobody rests: that is no place to let others move.
    let passed = |at: &LocationId| kind.edges.iter().any(|edge| edge.merged && edge.to == *at);
    let (passed, rested): (Vec<LocationId>, Vec<LocationId>) =
        kind.locations.ids().partition(passed);
    for at in rested.into_iter().chain(passed) {
        if inward[at] && returns(kind, &inward, at) {
            inward[at] = false;
        }
    }
    inward
}

/// Whether an edge is nobody else's business.
fn is_own(own: &Own<'_>, edge: &Edge) -> bool {
    let named = |at: LocationId| own.sight.labels.contains(&(own.id, at));
    let silent = match &edge.action {
        Action::Skip | Action::Else | Action::Print(_) => true,
        Action::Condition(expr) => own.is_value(expr),
        Action::Assign(place, expr) => own.is_place(place) && own.is_value(expr),
        _ => false,
    };
    let kind = &own.program.proctypes[own.id];
    silent
        && !edge.atomic
        && !named(edge.from)
        && !named(edge.to)
        && (!own.sight.readiness || !may_take_offer(kind, edge.to))
}

/// Whether a way through such locations leads from `at` to `at` again.
fn returns(kind: &Proctype, inward: &IdVec<LocationId, bool>, at: LocationId) -> bool {
    let mut met: IdVec<LocationId, bool> = kind.locations.iter().map(|_| false).collect();
    let mut open = vec![at];
    while let Some(here) = open.pop() {
        for (_, edge) in kind.edges_from(here) {
            if edge.to == at {
                return true;
            }
            if inward[edge.to] && !std::mem::replace(&mut met[edge.to], true) {
                open.push(edge.to);
            }
        }
    }
    false
}
