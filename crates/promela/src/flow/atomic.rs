//! Which elements belong to an atomic sequence. All but the last statement are
//! marked; what is the last one if the sequence ends in a block or a choice is
//! decided here.

use super::chain::{Chain, ElementId, ElementKind, RunId};

/// Marks the elements of an atomic sequence, nested ones included.
pub(super) fn mark(chain: &mut Chain, run: RunId) {
    mark_all(chain, run);
    let last = chain.runs[run].last;
    match chain.elements[last].kind {
        ElementKind::Block(inner) | ElementKind::Unless(inner, _) => mark(chain, inner),
        _ => {
            chain.elements[last].atomic = false;
            chain.elements[last].closes_atomic = true;
        }
    }
}

fn mark_all(chain: &mut Chain, run: RunId) {
    for element in chain.members(run, chain.runs[run].last) {
        chain.elements[element].atomic = true;
        if matches!(chain.elements[element].kind, ElementKind::Deterministic(..)) {
            continue;
        }
        for inner in chain.inside(element) {
            mark_all(chain, inner);
        }
    }
}

/// A jump out of an atomic sequence ends it, unless it leads into another one. Treats the
/// blocks of a run, outermost first.
pub(super) fn bridge(chain: &mut Chain, run: RunId) {
    for element in chain.members(run, chain.runs[run].last) {
        if let ElementKind::Block(inner) = chain.elements[element].kind {
            jumps(chain, inner);
        }
        for inner in chain.inside(element) {
            bridge(chain, inner);
        }
    }
}

fn jumps(chain: &mut Chain, run: RunId) {
    for element in chain.members(run, chain.runs[run].extent) {
        match chain.elements[element].kind {
            ElementKind::Jump(label) => {
                if let Some(target) = chain.labels[label] {
                    jump(chain, element, target);
                }
            }
            ElementKind::Leave(number) => {
                if let Some(target) = chain.exits[number] {
                    jump(chain, element, target);
                }
            }
            ElementKind::Choice(_) | ElementKind::Unless(..) => {
                for inner in chain.inside(element) {
                    jumps(chain, inner);
                }
            }
            _ => {}
        }
    }
}

fn jump(chain: &mut Chain, element: ElementId, target: ElementId) {
    let target = &chain.elements[target];
    let inside = target.atomic || target.closes_atomic;
    let from = &mut chain.elements[element];
    if from.atomic && !inside {
        (from.atomic, from.closes_atomic) = (false, true);
    } else if from.closes_atomic && inside {
        (from.atomic, from.closes_atomic) = (true, false);
    }
}
