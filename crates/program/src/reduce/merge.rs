//! Merging: a statement that no other process can observe follows the one before it in the
//! same visible step.
//!
//! Let `f` be the only edge of a location `m`, always executable, unable to fail, and
//! touching nothing that others see. Whatever others do while a process waits at `m`
//! they can do behind `f` as well, and the outcome is the same: in any run `f` can be
//! moved to the left, directly behind the edge that entered `m`, and be added where
//! it is missing. So every state in which nothing moves, every failure (nothing
//! fails at `m` but others' statements, which `f` does not disturb) and every edge
//! that can be executed at all is found without resting at `m`. There are never more
//! states than without: those that remain are some of the old ones. Nothing is said
//! about a claim, which moves once per step: it is for searches without one.
//!
//! Infinite runs ([`Kept::Runs`]). No proposition reads what `f` writes, so the run with `f`
//! moved to the left shows the same propositions up to stuttering, and satisfies the same
//! formulas without `X` (Lamport 1983; Peled and Wilke 1997). A label of `f`'s target is a
//! proposition, too, if acceptance and progress are looked at; and whatever a formula asks
//! about processes that can move (`enabled`, `timeout`) or moved (`_last`) `f` may change.
//! Who passes arrives, so no run for ever is cut short.
//!
//! Fairness ([`Kept::FairRuns`]). Let `f` change for no other process whether it can move: no
//! `timeout` in the program, and no rendezvous behind `f`, as there is none at `m`. A fair run
//! does not wait at `m` for ever, since `f` can always be executed. With `f` moved to the left
//! each process moves as often as before, and each other process can move in the same
//! states; the process itself can move at `m`, before and behind it, or not behind it in
//! either run. So one is fair, weakly or strongly, if the other is. With a rendezvous behind
//! `f` this fails: who waits to send to a process in a loop `n: c?x; m: f; goto n` can always
//! move if `m` is left out, and not at `m`.
//!
//! Others see more of `f` than variables: that it moves the process away from a
//! label (`P@L`, `pc_value`, `enabled`, priorities, `_last`), and that the process
//! can take the offer of a rendezvous behind it. The last matters where somebody
//! does something else as long as nobody takes it: an `else`, an `unless`, an atomic
//! sequence that blocks.

use super::Kept;
use super::access::{cannot_fail, somewhere, stays_inside, watched_locals};
use super::cycle;
use crate::{
    Action, Edge, EdgeId, Expr, Location, LocationId, LocationMarks, Place, PrintPart, Proctype,
    ProctypeId, Program, VariableId, VariableRef,
};
use base::IdVec;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The program with merged edges; the program as it is if something in it watches
/// processes step by step.
pub(super) fn merge(mut program: Program, kept: Kept) -> Program {
    if is_watched(&program) || kept >= Kept::Runs && is_asked(&program, kept) {
        return program;
    }
    let sight = Sight { kept, ..Sight::new(&program) };
    let kinds: Vec<ProctypeId> =
        program.proctypes.ids().filter(|id| program.is_process(*id)).collect();
    for id in kinds {
        let passing = passing(&program, &sight, id);
        let kind = &mut program.proctypes[id];
        let inside = cycle::inside_deterministic(kind);
        for edge in kind.edges.ids().collect::<Vec<_>>() {
            let edge = &mut kind.edges[edge];
            edge.merged = !edge.atomic && passing[edge.to] && !inside.contains(&edge.from);
        }
    }
    program
}

/// Whether somebody can tell how often or how far a process moved.
pub(super) fn is_watched(program: &Program) -> bool {
    let watches =
        |expr: &Expr| matches!(expr, Expr::Enabled(_) | Expr::PcValue(_) | Expr::NonProgress);
    let of_claims = |id: ProctypeId| !program.is_process(id);
    let mut kinds = program.proctypes.iter_ids().filter(|(id, _)| !of_claims(*id));
    program.uses.last || program.uses.priorities || kinds.any(|(_, kind)| kind.mentions(&watches))
}

/// Whether a formula asks who can move, or a process does and fairness counts.
fn is_asked(program: &Program, kept: Kept) -> bool {
    let asks = |expr: &Expr| {
        matches!(expr, Expr::Enabled(_) | Expr::PcValue(_) | Expr::Timeout | Expr::Last)
    };
    let timeout = || program.proctypes.iter().any(Proctype::asks_timeout);
    program.looks().iter().any(|expr| expr.mentions(&asks)) || kept >= Kept::FairRuns && timeout()
}

/// What others see of a process.
pub(super) struct Sight {
    kept: Kept,
    /// The labels somebody asks about.
    pub(super) labels: BTreeSet<(ProctypeId, LocationId)>,
    /// The locals that another process reads.
    locals: BTreeSet<(ProctypeId, VariableId)>,
    /// Somebody does something else as long as nobody takes an offer.
    pub(super) readiness: bool,
}

impl Sight {
    pub(super) fn new(program: &Program) -> Self {
        let labels = RefCell::new(BTreeSet::new());
        somewhere(program, &|expr| {
            if let Expr::RemoteLabel(label) = expr {
                labels.borrow_mut().insert((label.proctype, label.location));
            }
            false
        });
        Self {
            kept: Kept::Failures,
            labels: labels.into_inner(),
            locals: watched_locals(program),
            readiness: program.has_rendezvous() && has_alternative_to_send(program),
        }
    }

    /// Whether it can be seen that a process arrives at a location.
    fn shows(&self, program: &Program, id: ProctypeId, at: LocationId) -> bool {
        let (kind, marks) = (&program.proctypes[id], program.proctypes[id].locations[at].marks);
        self.labels.contains(&(id, at))
            || self.kept >= Kept::Runs && (marks.accept || marks.progress)
            || self.kept >= Kept::FairRuns && program.has_rendezvous() && communicates(kind, at)
            || self.readiness && may_take_offer(kind, at)
    }
}

/// Whether a process can send or receive at a location.
fn communicates(kind: &Proctype, at: LocationId) -> bool {
    let sends = |edge: &Edge| matches!(edge.action, Action::Send { .. });
    may_take_offer(kind, at) || kind.edges_from(at).any(|(_, edge)| sends(edge))
}

/// Whether it matters to some sender that its offer is not taken.
fn has_alternative_to_send(program: &Program) -> bool {
    let matters = |kind: &Proctype, at: LocationId, location: &Location| {
        let mut edges = kind.edges_from(at).map(|(_, edge)| &edge.action);
        let sends = kind.edges_from(at).any(|(_, e)| matches!(e.action, Action::Send { .. }));
        let entered_atomically = || kind.edges.iter().any(|edge| edge.to == at && edge.atomic);
        sends
            && (kind.deterministic
                || location.groups.len() > 1
                || edges.any(|action| *action == Action::Else)
                || entered_atomically())
    };
    program
        .proctypes
        .iter()
        .any(|kind| kind.locations.iter_ids().any(|(at, location)| matters(kind, at, location)))
}

/// For each location whether a process need not rest there.
fn passing(program: &Program, sight: &Sight, id: ProctypeId) -> IdVec<LocationId, bool> {
    let kind = &program.proctypes[id];
    let unseen = |at: LocationId| match only_edge(kind, at) {
        Some(edge) => is_unseen(program, sight, id, &kind.edges[edge]),
        None => false,
    };
    let mut passing: IdVec<LocationId, bool> = kind.locations.ids().map(unseen).collect();
    // Who passes must arrive: each cycle has a location to rest at.
    for at in kind.locations.ids() {
        if passing[at] && returns(kind, &passing, at) {
            passing[at] = false;
        }
    }
    passing
}

/// The edge of a location that has one, no escapes, and no meaning of its own.
fn only_edge(kind: &Proctype, at: LocationId) -> Option<EdgeId> {
    let location = &kind.locations[at];
    let plain = location.marks == LocationMarks::default() && at != kind.end;
    match location.groups.as_slice() {
        [group] if plain => group.first().copied().filter(|_| group.len() == 1),
        _ => None,
    }
}

/// Whether following the only edges leads from `at` to `at` again.
fn returns(kind: &Proctype, passing: &IdVec<LocationId, bool>, at: LocationId) -> bool {
    let mut here = at;
    for _ in kind.locations.ids() {
        match only_edge(kind, here) {
            Some(edge) if passing[here] => here = kind.edges[edge].to,
            _ => return false,
        }
        if here == at {
            return true;
        }
    }
    false
}

/// Whether an edge always executes and no other process can observe it.
fn is_unseen(program: &Program, sight: &Sight, id: ProctypeId, edge: &Edge) -> bool {
    let kind = &program.proctypes[id];
    let own = Own { program, sight, id };
    let silent = match &edge.action {
        Action::Skip | Action::Else => true,
        Action::Print(parts) => parts.iter().filter_map(PrintPart::value).all(cannot_fail),
        Action::Condition(Expr::Const(value)) => *value != 0,
        Action::Assign(place, expr) => own.is_place(place) && own.is_value(expr),
        _ => false,
    };
    silent
        && !edge.atomic
        && kind.provided.is_none()
        && !sight.labels.contains(&(id, edge.from))
        && !sight.shows(program, id, edge.to)
}

/// Whether a process can take the offer of a rendezvous at `at`.
pub(super) fn may_take_offer(kind: &Proctype, at: LocationId) -> bool {
    let takes =
        |action: &Action| matches!(action, Action::Receive { .. } | Action::Deterministic { .. });
    kind.edges_from(at).any(|(_, edge)| takes(&edge.action))
}

/// What belongs to a process alone.
pub(super) struct Own<'a> {
    pub(super) program: &'a Program,
    pub(super) sight: &'a Sight,
    pub(super) id: ProctypeId,
}

impl Own<'_> {
    /// Whether no other process reads what is stored there.
    pub(super) fn is_place(&self, place: &Place) -> bool {
        let own = match place.variable {
            VariableRef::Global(id) => self.program.globals[id].unread,
            VariableRef::Local(id) => !self.sight.locals.contains(&(self.id, id)),
        };
        own && stays_inside(place)
    }

    /// Whether no other process changes the value, and it can always be computed.
    pub(super) fn is_value(&self, expr: &Expr) -> bool {
        let foreign = |expr: &Expr| match expr {
            Expr::Load(Place { variable: VariableRef::Global(id), .. }) => {
                !self.program.globals[*id].unread
            }
            _ => false,
        };
        cannot_fail(expr) && !expr.mentions(&foreign)
    }
}
