//! What a best-first search for a failing `assert` aims at: that some process stands before one.
//! Whether it fails there is not looked at: by the values of now, with what the process has to do until
//! then, `corpus/faulty/window5.pml` takes 95,055 states instead of 5,475.

use super::build::any;
use super::scope::{Lowering, Scope};
use ::packed::Expr;
use program::{Action, Edge, LocationId, Proctype};

impl Lowering<'_> {
    /// Whether somebody stands before an `assert` that can fail; zero if there is none.
    pub(super) fn asserts_next(&self) -> Expr {
        let slots = self.layout.slots.iter().enumerate();
        any(slots.flat_map(|(pid, slot)| {
            slot.rooms.iter().flat_map(move |room| {
                let scope = Scope::new(*self, pid, room);
                let edges = scope.kind().edges.iter().filter(|edge| asserts(&scope, edge));
                let stands = |edge: &Edge| scope.stands_at(pid, room.proctype, edge.from);
                edges.map(stands).collect::<Vec<Expr>>()
            })
        }))
    }
}

/// Whether an edge asserts something that is not always true.
fn asserts(scope: &Scope<'_>, edge: &Edge) -> bool {
    match &edge.action {
        Action::Assert(expr) => !matches!(scope.value(expr), Expr::Const(value) if value != 0),
        Action::Deterministic { start, end } => inside(scope.kind(), *start, *end)
            .iter()
            .any(|edge| matches!(edge.action, Action::Assert(_))),
        _ => false,
    }
}

/// The edges of a `d_step`.
fn inside(kind: &Proctype, start: LocationId, end: LocationId) -> Vec<&Edge> {
    let (mut known, mut edges, mut next) = (vec![start], Vec::new(), 0);
    while let Some(at) = known.get(next).copied() {
        for (_, edge) in kind.edges_from(at) {
            if edge.to != end && !known.contains(&edge.to) {
                known.push(edge.to);
            }
            edges.push(edge);
        }
        next += 1;
    }
    edges
}
