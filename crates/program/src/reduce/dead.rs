//! Dead variables: a local that every path writes before anything reads it is set
//! to zero where it dies.
//!
//! Which locals may still be read is a backward data flow over locations: what the
//! edges of a location read, and what is alive where they lead and they do not
//! overwrite. A value that only feeds dead ones is dead itself. States that differ in
//! dead locals have the same steps, in the same order, to states that again differ in
//! dead locals only; so each may stand for the other. At a location every dead local
//! is zero, whichever way led there: hence never more states than without.
//!
//! Never reset: what no edge writes (an executor may take it for a constant of its
//! process), what `provided` asks at every location, what others look at
//! (`P[i]:x`), channels that a declaration made (they never change anything), and
//! what `cycle` says. Prints that cannot fail are no reads, as for `hide`.

use super::access::{action_reads, cannot_fail, place_reads, reads, watched_locals};
use super::cycle;
use crate::{
    Action, Edge, Expr, Initial, LocationId, Place, Proctype, ProctypeId, Program, VariableId,
    VariableRef,
};
use base::IdVec;
use std::collections::BTreeSet;

type Locals = BTreeSet<VariableId>;
/// For each location the locals that may still be read there.
type Alive = IdVec<LocationId, Locals>;

/// The program with resets behind the edges where locals die.
pub(super) fn reset(mut program: Program) -> Program {
    let kinds: Vec<ProctypeId> =
        program.proctypes.ids().filter(|id| program.is_process(*id)).collect();
    for id in kinds {
        let alive = alive(&program, id);
        let kind = &mut program.proctypes[id];
        start_dead_as_zero(kind, &alive);
        let inside = cycle::inside_deterministic(kind);
        let outside: Vec<_> = kind.edges.ids().collect();
        for edge in outside {
            if !inside.contains(&kind.edges[edge].from) {
                kind.edges[edge].resets = resets(kind, &kind.edges[edge], &alive);
            }
        }
    }
    program
}

/// What dies on an edge: dead behind it, and perhaps not zero.
fn resets(kind: &Proctype, edge: &Edge, alive: &Alive) -> Vec<VariableId> {
    let held = alive[edge.from].iter().copied().chain(written(kind, edge));
    let died: Locals = held.filter(|id| !alive[edge.to].contains(id)).collect();
    if edge.action == Action::Die { Vec::new() } else { died.into_iter().collect() }
}

/// A local that is dead from the start starts as zero.
fn start_dead_as_zero(kind: &mut Proctype, alive: &Alive) {
    for id in kind.variables.ids().collect::<Vec<_>>() {
        if !alive[kind.start].contains(&id) {
            kind.variables[id].initial = Initial::Zero;
        }
    }
}

/// For each location of a proctype the locals that may still be read there.
pub fn live_locals(program: &Program, id: ProctypeId) -> IdVec<LocationId, BTreeSet<VariableId>> {
    alive(program, id)
}

fn alive(program: &Program, id: ProctypeId) -> Alive {
    let kind = &program.proctypes[id];
    let kept = kept(program, id);
    let alive = flow(program, kind, &kept);
    let around = kept_around(program, kind, &alive);
    if around.is_empty() { alive } else { flow(program, kind, &(&kept | &around)) }
}

/// The locals that are never reset.
fn kept(program: &Program, id: ProctypeId) -> Locals {
    let kind = &program.proctypes[id];
    let mut kept: Locals =
        kind.provided.iter().flat_map(reads).filter_map(VariableRef::local).collect();
    let watched = watched_locals(program).into_iter().filter(|(of, _)| *of == id);
    kept.extend(watched.map(|(_, local)| local));
    kept.extend(unwritten(kind));
    for (local, variable) in kind.variables.iter_ids() {
        match &variable.initial {
            Initial::Zero | Initial::List(_) | Initial::Argument(_) => {}
            Initial::Channel(_) => kept.extend([local]),
            Initial::Value(expr) => {
                // Initial values are computed one from the other, before any edge.
                kept.extend(reads(expr).into_iter().filter_map(VariableRef::local));
                kept.extend((!cannot_fail(expr)).then_some(local));
            }
        }
    }
    kept
}

/// The locals that edges read and none writes.
fn unwritten(kind: &Proctype) -> Locals {
    let read = kind.edges.iter().flat_map(|edge| action_reads(&edge.action));
    let written: Locals = kind.edges.iter().flat_map(targets).collect();
    read.filter_map(VariableRef::local).filter(|id| !written.contains(id)).collect()
}

/// What is written around an invisible cycle and dead somewhere on it: a reset
/// there would make states equal that are not. Inside a `d_step` there are none.
fn kept_around(program: &Program, kind: &Proctype, alive: &Alive) -> Locals {
    let unseen = cycle::unseen(program, kind);
    let inside = cycle::inside_deterministic(kind);
    let edges = || {
        let edges = unseen.iter().map(|id| &kind.edges[*id]);
        edges.filter(|edge| !inside.contains(&edge.from))
    };
    let dies = |id: &VariableId| edges().any(|edge| !alive[edge.from].contains(id));
    edges().flat_map(|edge| written(kind, edge)).filter(dies).collect()
}

/// The least sets that hold `kept` and satisfy the equations.
fn flow(program: &Program, kind: &Proctype, kept: &Locals) -> Alive {
    let mut alive: Alive = kind.locations.iter().map(|_| kept.clone()).collect();
    let mut grows = true;
    while grows {
        grows = false;
        for edge in &kind.edges {
            let behind = alive[edge.to].clone();
            let before = match edge.action {
                Action::Deterministic { start, end } => {
                    grows |= absorb(&mut alive[end], behind);
                    alive[start].clone()
                }
                _ => before(program, kind, edge, behind),
            };
            grows |= absorb(&mut alive[edge.from], before);
        }
    }
    alive
}

fn absorb(set: &mut Locals, more: Locals) -> bool {
    let size = set.len();
    set.extend(more);
    set.len() > size
}

/// What may be read from the beginning of an edge on.
fn before(program: &Program, kind: &Proctype, edge: &Edge, behind: Locals) -> Locals {
    let needed = match &edge.action {
        Action::Assign(place, expr) if !is_needed(program, place, expr, &behind) => {
            place_reads(place)
        }
        action => action_reads(action),
    };
    let mut places = edge.action.targets();
    places.retain(|place| place.subscripts.is_empty());
    let overwritten: Locals = places.iter().filter_map(|place| place.variable.local()).collect();
    let overwritten = |id: &VariableId| overwritten.contains(id) && kind.variables[*id].length == 1;
    let left = behind.into_iter().filter(|id| !overwritten(id));
    left.chain(needed.into_iter().filter_map(VariableRef::local)).collect()
}

/// Whether what is assigned matters, or can fail.
fn is_needed(program: &Program, place: &Place, expr: &Expr, behind: &Locals) -> bool {
    let is_read = match place.variable {
        VariableRef::Global(id) => !program.globals[id].unread,
        VariableRef::Local(id) => behind.contains(&id),
    };
    is_read || !cannot_fail(expr)
}

/// The locals an edge writes, all of a `d_step` included.
fn written(kind: &Proctype, edge: &Edge) -> Locals {
    let inside = cycle::inside(kind, edge);
    let edges = inside.iter().flat_map(|at| kind.edges_from(*at)).map(|(_, edge)| edge);
    edges.chain([edge]).flat_map(targets).collect()
}

fn targets(edge: &Edge) -> Locals {
    edge.action.targets().iter().filter_map(|place| place.variable.local()).collect()
}
