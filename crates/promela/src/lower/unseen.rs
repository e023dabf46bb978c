//! Labels that no state shows: those inside indivisible sequences.

use super::Lowerer;
use super::proctype::Draft;
use crate::flow::Automaton;
use base::Diagnostic;
use program::{Action, Edge, Expr, LocationId};
use std::collections::BTreeSet;

impl Lowerer {
    /// Warns of labels that acceptance and progress are read from, where no process is seen.
    pub(super) fn unseen_labels(&mut self, draft: &Draft, built: &Automaton) {
        // A process that may not run loses control in the middle of an atomic sequence.
        if draft.provided.is_some() {
            return;
        }
        let inside = inside_steps(built);
        for (label, location) in draft.labels.iter().zip(&built.labels) {
            let prefix = ["accept", "progress"].into_iter().find(|it| label.name.starts_with(it));
            let (Some(prefix), Some(location)) = (prefix, location) else { continue };
            let around = match inside.contains(location) {
                true => "d_step",
                false if self.is_passed(*location, built) => "atomic",
                false => continue,
            };
            let message = format!("no process is ever seen at the label `{}`", label.name);
            let found = Diagnostic::warning("N0012", label.span, message)
                .label(format!("inside {around}, which is one step"))
                .note(format!("{prefix} labels count where a process is between two steps"))
                .help(format!("put the label before or behind the {around}"));
            self.report(found);
        }
    }

    /// Whether processes only pass through the location: all ways there are within an atomic
    /// sequence, and it cannot block.
    fn is_passed(&self, location: LocationId, built: &Automaton) -> bool {
        let mut arriving = built.edges.iter().filter(|edge| edge.to == location).peekable();
        location != built.start
            && arriving.peek().is_some()
            && arriving.all(|edge| edge.atomic && !self.hands_over(edge))
            && built.edges.iter().any(|edge| edge.from == location && never_blocks(edge))
    }

    /// A handshake gives the control to the receiver.
    fn hands_over(&self, edge: &Edge) -> bool {
        self.handshakes && matches!(edge.action, Action::Send { .. } | Action::Receive { .. })
    }
}

/// Whether a process can always take the edge, or another one beside it.
fn never_blocks(edge: &Edge) -> bool {
    match &edge.action {
        Action::Skip | Action::Else | Action::Assign(_, _) | Action::Print(_) => true,
        Action::Assert(_) | Action::SetPriority(..) => true,
        Action::Condition(Expr::Const(value)) => *value != 0,
        _ => false,
    }
}

/// The locations inside the `d_step`s of a body.
fn inside_steps(built: &Automaton) -> BTreeSet<LocationId> {
    let mut inside = BTreeSet::new();
    for step in built.edges.iter() {
        let Action::Deterministic { start, end } = step.action else { continue };
        let mut waiting = vec![start];
        while let Some(at) = waiting.pop() {
            if at != end && inside.insert(at) {
                waiting.extend(built.edges.iter().filter(|it| it.from == at).map(|it| it.to));
            }
        }
    }
    inside
}
