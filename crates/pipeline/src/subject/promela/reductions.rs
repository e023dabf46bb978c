//! Which reductions a search makes: decided here and nowhere else.

use crate::Options;
use program::{Program, Reductions};

/// The reductions that are sound for a search and not switched off. Each comment says
/// why it is sound for what the search decides; the arguments stand with the passes.
pub(super) fn chosen(options: &Options, with_claim: bool) -> Reductions {
    // `--spin-counts` promises the states of SPIN's verifier without its own.
    let on = !options.plain && !options.spin_counts;
    Reductions {
        // What nothing reads no requirement depends on; claims and formulas read too.
        hide: on && !options.no_hide,
        // Every step stays, so whatever is decided step by step is too.
        dead_reset: on && !options.no_dead_reset,
        // Keeps failures and deadlocks. A claim moves once per step, so it can tell.
        merge: on && !options.no_merge && !with_claim,
    }
}

/// The reductions that made a difference to a program, by the names of their options.
pub(super) fn names(reduced: &Program) -> Vec<String> {
    let made = reduced.reductions();
    let names = [(made.hide, "hide"), (made.dead_reset, "dead-reset"), (made.merge, "merge")];
    names.iter().filter(|(made, _)| *made).map(|(_, name)| (*name).to_owned()).collect()
}
