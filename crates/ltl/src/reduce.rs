//! The schedule of reductions of an automaton, until none of them helps.

use crate::acceptance::Between;
use crate::automaton::Automaton;
use crate::determinise::determinise_terminal;

/// Makes the automaton smaller; its language stays.
///
/// Marks between components mean nothing, but simulation compares them: states merge that
/// agree without them all, or with them all.
pub(crate) fn reduce(automaton: &mut Automaton) {
    automaton.remove_useless();
    automaton.merge_equal();
    loop {
        let before = size(automaton);
        for between in [Between::Clear, Between::Fill] {
            automaton.reduce_sets(between);
            automaton.reduce_by_simulation();
            automaton.remove_useless();
        }
        if size(automaton) == before {
            break;
        }
    }
    automaton.reduce_sets(Between::Clear);
    automaton.sharpen();
    determinise(automaton);
}

/// Makes a terminal automaton deterministic if it does not grow.
fn determinise(automaton: &mut Automaton) {
    if automaton.is_deterministic() {
        return;
    }
    let Some(mut deterministic) = determinise_terminal(automaton) else { return };
    deterministic.remove_useless();
    deterministic.reduce_sets(Between::Clear);
    let (states, edges, _) = size(&deterministic);
    if states <= automaton.states.len() && edges <= automaton.edge_count() {
        *automaton = deterministic;
    }
}

fn size(automaton: &Automaton) -> (usize, usize, u32) {
    (automaton.states.len(), automaton.edge_count(), automaton.sets)
}
