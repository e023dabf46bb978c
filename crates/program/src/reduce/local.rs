//! Locations with local transitions only (Holzmann 1985, section 3.1): every edge there reads and
//! writes only what belongs to the process, and cannot fail. Whatever others do they can do
//! behind such an edge as well, and it stays as executable as it is: a search for deadlocks
//! and failures may let the process go first.
//!
//! Unlike [merging](super::merge) this covers choices too, and every step stays visible.
//! The proviso: a process that always goes first could loop for ever and keep the others from
//! moving, so each cycle keeps a location that is not local.

use super::cycle;
use super::merge::{Own, Sight, is_watched, may_take_offer};
use crate::{Action, Edge, LocationId, LocationMarks, Proctype, ProctypeId, Program};
use base::IdVec;

/// For each location of each proctype whether all its transitions are local.
pub fn local_locations(program: &Program) -> IdVec<ProctypeId, IdVec<LocationId, bool>> {
    let sight = Sight::new(program);
    let watched = is_watched(program);
    let kinds = program.proctypes.iter_ids();
    kinds
        .map(|(id, kind)| match !watched && program.is_process(id) {
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
            && kind.edges_from(at).all(|(_, edge)| is_local(&own, edge))
    };
    let mut local: IdVec<LocationId, bool> = kind.locations.ids().map(alone).collect();
    for start in loop_starts(kind, &local) {
        local[start] = false;
    }
    local
}

/// Whether an edge is a local transition.
fn is_local(own: &Own<'_>, edge: &Edge) -> bool {
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

/// A location of each cycle of such locations. A merged edge leads to a location that is never
/// visible, where others cannot move, so cycles are those of the visible locations. One
/// depth-first search finds them: every cycle has an edge back to the current path.
fn loop_starts(kind: &Proctype, local: &IdVec<LocationId, bool>) -> Vec<LocationId> {
    let rests = Rests::new(kind);
    let mut visits: IdVec<LocationId, Visit> =
        kind.locations.iter().map(|_| Visit::Never).collect();
    let mut starts = Vec::new();
    for root in kind.locations.ids().filter(|at| local[*at]) {
        let mut path = vec![(root, rests.behind(kind, root))];
        if visits[root] != Visit::Never {
            continue;
        }
        visits[root] = Visit::OnPath;
        while let Some((here, open)) = path.last_mut() {
            let Some(next) = open.pop() else {
                visits[*here] = Visit::Left;
                path.pop();
                continue;
            };
            match visits[next] {
                Visit::OnPath => starts.push(next),
                Visit::Never if local[next] => {
                    visits[next] = Visit::OnPath;
                    path.push((next, rests.behind(kind, next)));
                }
                Visit::Never | Visit::Left => {}
            }
        }
    }
    starts
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Never,
    OnPath,
    Left,
}

/// Where a process comes to rest that enters a location.
struct Rests(IdVec<LocationId, LocationId>);

impl Rests {
    fn new(kind: &Proctype) -> Self {
        let mut passed: IdVec<LocationId, bool> = kind.locations.iter().map(|_| false).collect();
        kind.edges.iter().filter(|edge| edge.merged).for_each(|edge| passed[edge.to] = true);
        let mut rests: IdVec<LocationId, LocationId> = kind.locations.ids().collect();
        let mut known: IdVec<LocationId, bool> = passed.iter().map(|passed| !passed).collect();
        for at in kind.locations.ids() {
            let (mut way, mut here) = (Vec::new(), at);
            while !std::mem::replace(&mut known[here], true) {
                way.push(here);
                here = kind.edges_from(here).next().map_or(here, |(_, edge)| edge.to);
            }
            way.into_iter().for_each(|passed| rests[passed] = rests[here]);
        }
        Self(rests)
    }

    /// Where the edges of a location lead.
    fn behind(&self, kind: &Proctype, at: LocationId) -> Vec<LocationId> {
        kind.edges_from(at).map(|(_, edge)| self.0[edge.to]).collect()
    }
}
