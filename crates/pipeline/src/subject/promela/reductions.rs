//! Which reductions a search makes: decided here and nowhere else.

use crate::{Fair, Options};
use program::{Kept, Program, Reductions};

/// What a search decides, which is what reductions have to keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decides {
    /// Failures, and states in which nothing moves.
    Failures,
    /// Every step counts: a claim moves once per step, and so does a formula with `X`.
    Steps,
    /// Infinite runs, by formulas without `X`.
    Runs,
}

/// The reductions that are sound for a search and not switched off. Each comment says
/// why it is sound for what the search decides; the arguments stand with the passes.
pub(super) fn chosen(options: &Options, decides: Decides) -> Reductions {
    // `--spin-counts` promises the states of SPIN's verifier without its own.
    let on = !options.plain && !options.spin_counts;
    Reductions {
        // What nothing reads no requirement depends on; claims and formulas read too.
        hide: on && !options.no_hide,
        // Every step stays, so whatever is decided step by step is too.
        dead_reset: on && !options.no_dead_reset,
        merge: on && !options.no_merge && decides != Decides::Steps,
        kept: match (decides, options.fair) {
            (Decides::Runs, Fair::None) => Kept::Runs,
            (Decides::Runs, _) => Kept::FairRuns,
            (Decides::Failures | Decides::Steps, _) => Kept::Failures,
        },
    }
}

/// The reductions that made a difference to a program, by the names of their options.
pub(super) fn names(reduced: &Program) -> Vec<String> {
    let made = reduced.reductions();
    let names = [(made.hide, "hide"), (made.dead_reset, "dead-reset"), (made.merge, "merge")];
    names.iter().filter(|(made, _)| *made).map(|(_, name)| (*name).to_owned()).collect()
}
