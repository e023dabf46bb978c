//! The verifier: what must hold of a program, in words.
//!
//! It checks that ids are in range, that each edge is listed once at the location
//! it leaves, that a process can only die at its end, that places stay inside
//! their variables whatever the index, that calls have as many arguments as
//! parameters, that a `d_step` holds no other and reaches no end of a process, and
//! that what reductions noted down can be executed. Of a program that passes, the reference interpreter executes every
//! step without panic. It does not check that the locations are those SPIN would
//! make: the tests do, by counting states.

mod expression;

use crate::reduce::never_read;
use crate::{
    Action, ClaimKind, Edge, EdgeId, Initial, LocationId, Proctype, ProctypeId, Program, Scalar,
    Variable,
};
use base::{Id, reach};
use expression::Scope;

/// Every rule the program breaks, one sentence each; empty when it is sound.
pub fn verify(program: &Program) -> Vec<String> {
    let mut broken = Vec::new();
    for variable in &program.globals {
        verify_variable(&Scope { program, proctype: None }, variable, 0, &mut broken);
    }
    let known = |id: &ProctypeId| id.index() < program.proctypes.len();
    if !program.start.iter().all(known) {
        broken.push("a process of the start has no proctype".to_owned());
    }
    for id in program.proctypes.ids() {
        verify_proctype(program, id, &mut broken);
    }
    verify_claims(program, &mut broken);
    verify_unread(program, &mut broken);
    verify_trace(program, &mut broken);
    broken
}

/// Nothing may depend on a variable whose stores are dropped.
fn verify_unread(program: &Program, broken: &mut Vec<String>) {
    let locals = program.proctypes.iter().flat_map(|kind| &kind.variables);
    if locals.into_iter().any(|variable| variable.unread) {
        broken.push("a local is said to be unread".to_owned());
    }
    let never_read = never_read(program);
    for (id, variable) in program.globals.iter_ids().filter(|(_, variable)| variable.unread) {
        if !never_read.contains(&id) {
            broken.push(format!("{}: it is said to be unread and is read", variable.name));
        }
    }
}

fn verify_claims(program: &Program, broken: &mut Vec<String>) {
    let scope = Scope { program, proctype: None };
    for claim in &program.claims {
        let sound = match &claim.kind {
            ClaimKind::Never(id) => id.index() < program.proctypes.len(),
            ClaimKind::Ltl(formula) => {
                let mut sound = true;
                formula.each_predicate(&mut |expr| sound = sound && scope.is_sound(expr));
                sound
            }
        };
        if !sound {
            broken.push(format!("{}: the claim names what is not there", claim.name));
        }
    }
}

fn verify_trace(program: &Program, broken: &mut Vec<String>) {
    let Some(trace) = &program.trace else { return };
    let Some(automaton) = program.proctypes.get(trace.automaton) else {
        broken.push("the event trace has no automaton".to_owned());
        return;
    };
    let watched = |id| program.globals.get(id).is_some_and(|v| v.scalar == Scalar::Chan);
    if !trace.sends.iter().chain(&trace.receives).all(|id| watched(*id)) {
        broken.push("the event trace watches what is no channel".to_owned());
    }
    let watches = |action: &Action| {
        matches!(action, Action::Send { .. } | Action::Receive { .. } | Action::Die | Action::Skip)
    };
    if !automaton.edges.iter().all(|edge| watches(&edge.action)) || !automaton.variables.is_empty()
    {
        broken.push("the event trace does more than watch".to_owned());
    }
}

fn verify_proctype(program: &Program, id: ProctypeId, broken: &mut Vec<String>) {
    let kind = &program.proctypes[id];
    let scope = Scope { program, proctype: Some(id) };
    if let Some(flaw) = shape_flaw(kind) {
        broken.push(format!("{}: {flaw}", kind.name));
        return;
    }
    if let Some(flaw) = reduction_flaw(kind) {
        broken.push(format!("{}: {flaw}", kind.name));
    }
    if kind.parameters > kind.variables.len() {
        broken.push(format!("{}: it has more parameters than variables", kind.name));
    }
    for variable in &kind.variables {
        verify_variable(&scope, variable, kind.parameters, broken);
    }
    if !kind.provided.iter().all(|expr| scope.is_sound(expr)) {
        broken.push(format!("{}: `provided` names what is not there", kind.name));
    }
    for edge in &kind.edges {
        if !scope.is_action_sound(&edge.action) {
            broken.push(format!("{}: an action names what is not there", kind.name));
        }
        if let Action::Deterministic { start, end } = edge.action
            && !is_deterministic_sound(kind, start, end)
        {
            broken.push(format!("{}: a d_step holds another or leads to the end", kind.name));
        }
    }
}

/// What is wrong with what a reduction noted down.
fn reduction_flaw(kind: &Proctype) -> Option<&'static str> {
    let mut resets = kind.edges.iter().flat_map(|edge| &edge.resets);
    if resets.any(|id| kind.variables.get(*id).is_none()) {
        return Some("an edge resets what is not there");
    }
    let mut merged = kind.edges.iter().filter(|edge| edge.merged);
    merged.find_map(|edge| merge_flaw(kind, edge))
}

/// Behind a merged edge there is one way to go, and it comes to an end.
fn merge_flaw(kind: &Proctype, merged: &Edge) -> Option<&'static str> {
    let mut at = merged.to;
    for _ in &kind.locations {
        let [group] = kind.locations[at].groups.as_slice() else {
            return Some("a merged edge leads to a choice");
        };
        let [next] = group.as_slice() else { return Some("a merged edge leads to a choice") };
        let next = &kind.edges[*next];
        if next.atomic || at == kind.end {
            return Some("a merged edge leads into an atomic sequence or to the end");
        }
        if !next.merged {
            return None;
        }
        at = next.to;
    }
    Some("merged edges lead in a circle")
}

/// What is wrong with the graph of a proctype.
fn shape_flaw(kind: &Proctype) -> Option<&'static str> {
    let is_location = |id: LocationId| id.index() < kind.locations.len();
    if !is_location(kind.start) || !is_location(kind.end) {
        return Some("start or end is not a location");
    }
    let leads_nowhere = |action: &Action| match action {
        Action::Deterministic { start, end } => !is_location(*start) || !is_location(*end),
        _ => false,
    };
    let mut edges = kind.edges.iter();
    if edges.any(|e| !is_location(e.from) || !is_location(e.to) || leads_nowhere(&e.action)) {
        return Some("an edge leads nowhere");
    }
    let mut listed: Vec<EdgeId> = Vec::new();
    for (id, location) in kind.locations.iter_ids() {
        for edge in location.groups.iter().flatten() {
            match kind.edges.get(*edge) {
                Some(there) if there.from == id => listed.push(*edge),
                _ => return Some("a location lists an edge that does not leave it"),
            }
        }
    }
    listed.sort_unstable();
    if !listed.iter().copied().eq(kind.edges.ids()) {
        return Some("an edge is not listed exactly once");
    }
    let mut deaths = kind.edges.iter().filter(|edge| edge.action == Action::Die);
    if deaths.any(|edge| edge.from != kind.end) {
        return Some("a process dies before its end");
    }
    None
}

/// Whether a `d_step` stays clear of other `d_step`s and of the end of the process.
fn is_deterministic_sound(kind: &Proctype, start: LocationId, end: LocationId) -> bool {
    let edges = |at| kind.edges_from(at).map(|(_, edge)| edge).filter(move |_| at != end);
    let reached = reach([start], |at| edges(at).map(|edge| edge.to));
    let leaves = |edge: &Edge| matches!(edge.action, Action::Deterministic { .. } | Action::Die);
    !reached.into_iter().flat_map(edges).any(leaves)
}

fn verify_variable(
    scope: &Scope<'_>,
    variable: &Variable,
    parameters: usize,
    broken: &mut Vec<String>,
) {
    let length = variable.length as usize;
    let initial = match &variable.initial {
        Initial::Zero => true,
        Initial::Value(expr) => scope.is_sound(expr),
        Initial::List(values) => values.len() <= length,
        Initial::Channel(_) => variable.scalar == Scalar::Chan,
        Initial::Argument(index) => *index < parameters && length == 1,
    };
    if !initial {
        broken.push(format!("{}: its initial value makes no sense", variable.name));
    }
    if length == 0 {
        broken.push(format!("{}: its length makes no sense", variable.name));
    }
    let fields = match &variable.initial {
        Initial::Channel(kind) => kind.fields.as_slice(),
        _ => &[],
    };
    let has_width = |scalar: &Scalar| match scalar {
        Scalar::Unsigned(bits) => (1..=31).contains(bits),
        _ => true,
    };
    if !has_width(&variable.scalar) || !fields.iter().all(has_width) {
        broken.push(format!("{}: no integer has so many bits", variable.name));
    }
}
