//! Terminal automata: those of the negations of safety properties. A run is bad as soon as the
//! automaton gets to a state that accepts whatever comes, so it is enough to look for such a
//! state, breadth first: the run is a shortest one, and fairness makes no difference.

use crate::Helpers;
use crate::lasso::{Edge, Lasso, edges};
use crate::product::{Node, Product, Taken};
use crate::reach::{is_reachable, shortest};
use ltl::{Automaton, Cube};
use search::{Walker, Why};

/// A shortest run that a terminal automaton accepts, whatever follows: up to the state whose
/// letter is the last one needed.
pub(crate) fn bad_prefix(
    product: &Product<'_>,
    walker: &mut Walker<'_>,
    helpers: &mut Helpers<'_, '_>,
    automaton: &Automaton,
) -> Result<Option<Lasso>, Why> {
    let sinks: Vec<bool> = (0..automaton.states.len() as u32)
        .map(|state| is_accepting_sink(automaton, state))
        .collect();
    let accepts = |node: Node| sinks[product.automaton_state(node)];
    if accepts(product.initial) {
        return Ok(Some(Lasso::default()));
    }
    let may_be_bad = match is_invariant(automaton, &sinks) {
        true => breaks_invariant(product, &sinks),
        false => is_reachable(product, walker, helpers, &accepts)?,
    };
    if !may_be_bad {
        return Ok(None);
    }
    let wanted = |step: &Taken| accepts(step.to);
    let Some(mut way) = shortest(product, walker, product.initial, None, wanted, |_| false)? else {
        return Ok(None);
    };
    way.pop();
    Ok(Some(Lasso { prefix: edges(product, walker, &way), cycle: Vec::new() }))
}

/// A shortest run to a state in which an atomic proposition cannot be evaluated.
///
/// # Errors
/// Why it is not known.
pub fn unreadable(walker: &mut Walker<'_>) -> Result<Option<Vec<Edge>>, Why> {
    let space = walker.space();
    if !space.is_unreadable() {
        return Ok(None);
    }
    let anything = ltl::Edge { label: Cube::TRUE, target: 0, marks: 0 };
    let states = vec![ltl::State { edges: vec![anything] }];
    let product = Product::new(walker, &Automaton { states, initial: 0, sets: 0 })?;
    if walker.letter(product.state(product.initial)).is_none() {
        return Ok(Some(Vec::new()));
    }
    let readable: Vec<bool> =
        (0..space.states() as u32).map(|state| walker.letter(state).is_some()).collect();
    let wanted = |step: &Taken| !readable[product.state(step.to) as usize];
    let way = shortest(&product, walker, product.initial, None, wanted, |_| false)?;
    Ok(way.map(|way| edges(&product, walker, &way)))
}

/// Whether an automaton in this state accepts whatever comes.
fn is_accepting_sink(automaton: &Automaton, state: u32) -> bool {
    let all = automaton.all_marks();
    let edges = &automaton.states[state as usize].edges;
    edges.iter().any(|edge| edge.target == state && edge.label == Cube::TRUE && edge.marks == all)
}

/// Whether the automaton stays where it is until it accepts: it looks at each state by itself.
fn is_invariant(automaton: &Automaton, sinks: &[bool]) -> bool {
    let edges = &automaton.states[automaton.initial as usize].edges;
    edges.iter().all(|edge| edge.target == automaton.initial || sinks[edge.target as usize])
}

/// Whether some state has a letter on which the automaton of an invariant accepts. Every state
/// of the space can be reached, by a run that the automaton follows unless it accepts before, so
/// no edge need be looked at. A state that may stand still is taken for both.
fn breaks_invariant(product: &Product<'_>, sinks: &[bool]) -> bool {
    let bad = |letter: usize| {
        product.moves(product.initial, Some(letter)).iter().any(|by| sinks[by.target as usize])
    };
    let bad: Vec<bool> = (0..product.space.alphabet().len()).map(bad).collect();
    (0..product.space.states() as u32).any(|state| {
        product.space.letter(state).is_some_and(|letter| bad[letter] || bad[letter + 1])
    })
}
