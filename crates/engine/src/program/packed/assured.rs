//! Which sends and receives of an atomic sequence never have to wait: those of a channel of
//! which the sequence has found out before that there is room, or a message. Nobody else moves in
//! between, so it is still so. A process does not stop there, and what others do to the
//! channel does not matter to whether it does.
//!
//! A fact is that a channel, by the expression that means it, is not full or not empty. Facts hold
//! at a location iff they hold behind each edge that leads to it, by a step that does not end
//! there; none holds where the process may stop, for then others move.

use base::IdVec;
use program::{
    Action, BinaryOp, EdgeId, Expr, LocationId, Pattern, Place, Probe, Proctype, VariableRef,
};

/// A probe that holds of a channel.
type Fact = (Probe, Expr);

/// Of each edge whether it never has to wait although it sends or receives.
pub(super) fn assured(kind: &Proctype) -> IdVec<EdgeId, bool> {
    let facts = facts(kind);
    kind.edges.iter().map(|edge| is_assured(&edge.action, known(&facts, edge.from))).collect()
}

/// The facts at each location, none where nothing leads to.
type Facts = IdVec<LocationId, Option<Vec<Fact>>>;

fn known(facts: &Facts, at: LocationId) -> &[Fact] {
    facts[at].as_deref().unwrap_or_default()
}

fn facts(kind: &Proctype) -> Facts {
    let mut facts: Facts = kind.locations.iter().map(|_| None).collect();
    facts[kind.start] = Some(Vec::new());
    // Facts only become fewer.
    let mut changes = true;
    while std::mem::take(&mut changes) {
        for edge in kind.edges.iter() {
            let Some(before) = &facts[edge.from] else { continue };
            let is_inside = edge.goes_on() && never_waits(kind, edge.from, before);
            let first = |is_first: bool| if is_first { Vec::new() } else { before.clone() };
            let mut behind = match edge.goes_on() {
                true => after(&edge.action, first(!is_inside)),
                false => Vec::new(),
            };
            behind.retain(|(_, queue)| {
                let is_reset =
                    |local: &program::VariableId| reads(queue, VariableRef::Local(*local));
                !edge.resets.iter().any(is_reset)
            });
            let there = match &facts[edge.to] {
                None => behind,
                Some(there) => there.iter().filter(|fact| behind.contains(fact)).cloned().collect(),
            };
            changes |= facts[edge.to].as_ref() != Some(&there);
            facts[edge.to] = Some(there);
        }
    }
    facts
}

/// Whether a process with these facts always has an edge there that executes.
fn never_waits(kind: &Proctype, at: LocationId, facts: &[Fact]) -> bool {
    kind.edges_from(at).any(|(_, edge)| match &edge.action {
        Action::Skip | Action::Print(_) | Action::Assert(_) | Action::Assign(..) => true,
        Action::Else => true,
        action => is_assured(action, facts),
    })
}

fn is_assured(action: &Action, facts: &[Fact]) -> bool {
    let holds = |probe: Probe, queue: &Expr| facts.contains(&(probe, queue.clone()));
    match action {
        Action::Send { queue, .. } => holds(Probe::NotFull, &queue.number),
        Action::Receive { queue, patterns, .. } => {
            let takes_all = patterns.iter().all(|pattern| !matches!(pattern, Pattern::Match(_)));
            takes_all && holds(Probe::NotEmpty, &queue.number)
        }
        _ => false,
    }
}

/// The facts behind an action.
fn after(action: &Action, mut facts: Vec<Fact>) -> Vec<Fact> {
    match action {
        Action::Skip | Action::Print(_) | Action::Assert(_) | Action::Else => {}
        Action::Condition(condition) => learn(condition, &mut facts),
        Action::Assign(..) => {}
        Action::Send { .. } if is_assured(action, &facts) => {
            facts.retain(|(probe, _)| *probe != Probe::NotFull);
        }
        Action::Receive { .. } if is_assured(action, &facts) => {
            facts.retain(|(probe, _)| *probe != Probe::NotEmpty);
        }
        _ => facts.clear(),
    }
    let stored = action.targets();
    let is_stored = |queue: &Expr| stored.iter().any(|place| reads(queue, place.variable));
    facts.retain(|(_, queue)| !is_stored(queue));
    facts
}

/// Adds what a condition that holds says of channels that have a name.
fn learn(condition: &Expr, facts: &mut Vec<Fact>) {
    match condition {
        Expr::Binary(BinaryOp::And, a, b) => [a, b].iter().for_each(|part| learn(part, facts)),
        Expr::Probe(probe @ (Probe::NotFull | Probe::NotEmpty), queue) => {
            if matches!(&*queue.number, Expr::Load(Place { subscripts, .. }) if subscripts.is_empty())
            {
                facts.push((*probe, (*queue.number).clone()));
            }
        }
        // A new process takes no step before this one stops.
        _ => {}
    }
}

fn reads(queue: &Expr, variable: VariableRef) -> bool {
    matches!(queue, Expr::Load(place) if place.variable == variable)
}
