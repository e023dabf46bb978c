//! Chains of statements that SPIN's verifier executes as one step unless it is told
//! not to (`-o3`). A line of such a trail names the first statement only. Measured
//! against the automata that `pan -d` prints.

use program::{Action, Edge, EdgeId, Expr, LocationId, Pattern, Place, Proctype, VariableRef};

/// Whether the statement of `edge` can be the first of a chain.
pub(super) fn begins(kind: &Proctype, edge: &Edge, rendezvous: bool) -> bool {
    let may = match &edge.action {
        Action::Condition(condition) => {
            !condition.mentions(&|expr| matches!(expr, Expr::Run { .. }))
        }
        Action::Send { .. } => !rendezvous,
        Action::Receive { .. } => true,
        other => is_plain(other),
    };
    may && is_quiet(kind, edge)
}

/// The only edge of `at`, if a chain goes on through it.
pub(super) fn next(kind: &Proctype, at: LocationId) -> Option<EdgeId> {
    let location = &kind.locations[at];
    let [group] = location.groups.as_slice() else { return None };
    let [edge] = group.as_slice() else { return None };
    let known = &kind.edges[*edge];
    let goes_on = location.labels.is_empty() && is_plain(&known.action) && is_quiet(kind, known);
    goes_on.then_some(*edge)
}

/// Neither waits nor chooses nor ends.
fn is_plain(action: &Action) -> bool {
    matches!(action, Action::Assign(..) | Action::Print(_) | Action::Assert(_))
}

/// Within an atomic sequence, its last statement included, or of no interest to
/// any other process.
fn is_quiet(kind: &Proctype, edge: &Edge) -> bool {
    let closes = || kind.edges.iter().any(|other| other.atomic && other.to == edge.from);
    edge.atomic || closes() || is_local(&edge.action)
}

fn is_local(action: &Action) -> bool {
    let reads = action.mentions(&|expr| match expr {
        Expr::Load(place) => is_global(place),
        Expr::Probe(..)
        | Expr::Poll { .. }
        | Expr::Messages { .. }
        | Expr::Timeout
        | Expr::ProcessCount
        | Expr::Last
        | Expr::NonProgress
        | Expr::Accepting
        | Expr::Enabled(_)
        | Expr::PcValue(_)
        | Expr::Priority(_)
        | Expr::RemoteLabel(_)
        | Expr::RemoteVariable(_) => true,
        _ => false,
    });
    let writes = match action {
        Action::Assign(place, _) => is_global(place),
        Action::Receive { patterns, .. } => {
            patterns.iter().any(|p| matches!(p, Pattern::Store(place) if is_global(place)))
        }
        _ => false,
    };
    !reads && !writes
}

fn is_global(place: &Place) -> bool {
    matches!(place.variable, VariableRef::Global(_))
}
