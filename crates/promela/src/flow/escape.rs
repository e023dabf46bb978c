//! Which places an `unless` can interrupt: all of its main part, at any depth,
//! but not the inside of a `d_step`.

use super::chain::{Chain, ElementKind, RunId};

/// Lets `escape` interrupt everything in `main`. Inner ones attach first, so
/// the innermost comes first in each list.
pub(super) fn attach(chain: &mut Chain, main: RunId, escape: RunId) {
    for element in chain.members(main, chain.runs[main].extent) {
        chain.elements[element].escapes.push(escape);
        if matches!(chain.elements[element].kind, ElementKind::Deterministic(..)) {
            continue;
        }
        for inner in chain.inside(element) {
            attach(chain, inner, escape);
        }
    }
}
