//! Formulas that hold because a premise of theirs never occurs.
//!
//! On the state space on which a formula was decided it is decided again with each conclusion
//! false ([`Formula::premises`] has the theory): if a run violates that, the premise occurs and
//! the conclusion is needed there; if none does, the formula holds whatever the conclusion says. The
//! propositions are the same, so every reduction that keeps the formula keeps this; fairness is that
//! of the check. A premise that occurs is mostly found in a part of the space; one that does not
//! costs another walk through it.

use super::rounds::Decision;
use super::{Group, Temporal};
use crate::Options;
use liveness::Helpers;
use ltl::{Formula, Premise, translate};
use search::{Walker, Why};
use trace::{Kind, Requirement};

/// Of so many premises of a formula it is said whether they occur.
const PREMISES_MAX: usize = 16;

/// What is known of the premises of a formula that holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Vacuity {
    /// Each occurs.
    Used,
    /// This one does not.
    Vacuous(Box<Premise>),
    /// That is not decided.
    Unknown,
}

/// Decides it for the formulas of a group that hold on a space that is complete.
pub(super) fn judge(
    walker: &mut Walker<'_>,
    helpers: &mut Helpers<'_, '_>,
    (group, options): (&Group<'_>, &Options),
    decisions: &[Decision],
) -> Vec<(Requirement, Vacuity)> {
    let held = group.properties.iter().zip(decisions);
    let held = held.filter(|(_, decision)| matches!(decision, Decision::Open));
    let mut all = Vec::new();
    for (property, _) in held {
        let premises = premises(property);
        if !premises.is_empty() {
            let mut occurs = |formula: &Formula| violated(walker, helpers, options, formula);
            all.push((property.requirement, of(premises, &mut occurs)));
        }
    }
    all
}

/// The premises of a formula as it is written; none of other requirements.
fn premises(property: &Temporal) -> Vec<Premise> {
    let formula = property.bad.as_ref().ok().and_then(|bad| bad.formula.as_ref());
    match (property.requirement.kind, formula) {
        (Kind::Ltl, Some(Formula::Not(formula))) => formula.premises(),
        _ => Vec::new(),
    }
}

/// `violated` says of a formula whether some run violates it, or nothing.
fn of(premises: Vec<Premise>, violated: &mut dyn FnMut(&Formula) -> Option<bool>) -> Vacuity {
    let mut all_known = premises.len() <= PREMISES_MAX;
    for premise in premises.into_iter().take(PREMISES_MAX) {
        match violated(&premise.without) {
            Some(true) => {}
            Some(false) => return Vacuity::Vacuous(Box::new(premise)),
            None => all_known = false,
        }
    }
    if all_known { Vacuity::Used } else { Vacuity::Unknown }
}

fn violated(
    walker: &mut Walker<'_>,
    helpers: &mut Helpers<'_, '_>,
    options: &Options,
    formula: &Formula,
) -> Option<bool> {
    let automaton = translate(&formula.clone().negated()).ok()?;
    let found: Result<_, Why> =
        liveness::violation(walker, helpers, &automaton, options.fairness());
    found.ok().map(|lasso| lasso.is_some())
}
