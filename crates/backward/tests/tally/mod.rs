//! What both judges of this folder do with what was decided: compare it with what a naive
//! search found, and count.

use backward::{Decided, Decision, Suspect, Verdict};
use std::collections::BTreeSet;

/// How many candidates were compared.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    pub(crate) samples: usize,
    pub(crate) reachable: usize,
    pub(crate) unreachable: usize,
    pub(crate) bound: usize,
}

impl Tally {
    pub(crate) fn count(&mut self, verdict: Verdict) {
        *match verdict {
            Verdict::Reachable => &mut self.reachable,
            Verdict::Unreachable => &mut self.unreachable,
            Verdict::Bound => &mut self.bound,
        } += 1;
    }

    /// Every difference from the errors there are, in words. `leads_there` says whether the
    /// steps of a decision lead into its error.
    pub(crate) fn compare(
        &mut self,
        decided: &Decided,
        errors: &BTreeSet<Suspect>,
        leads_there: impl Fn(&Decision) -> bool,
    ) -> Vec<String> {
        if decided.too_many {
            self.bound += 1;
            return Vec::new();
        }
        let is_listed = |error: &Suspect| decided.decisions.iter().any(|it| it.suspect == *error);
        let missing = errors.iter().filter(|error| !is_listed(error));
        let mut faults: Vec<String> =
            missing.map(|error| format!("{error:?} is no candidate")).collect();
        for decision in &decided.decisions {
            self.count(decision.verdict);
            let real = errors.contains(&decision.suspect);
            let fault = match decision.verdict {
                Verdict::Reachable => !real || !leads_there(decision),
                Verdict::Unreachable => real,
                Verdict::Bound => false,
            };
            if fault {
                faults.push(format!("{decision:?}, forward {real}"));
            }
        }
        faults
    }
}
