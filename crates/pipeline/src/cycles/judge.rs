//! Whether a run is what a search for cycles said, by the reference interpreter and by the
//! definitions of formulas and fairness.

use super::rounds::Trail;
use super::{Bad, Cycle, Group, Temporal, Witness};
use crate::Options;
use crate::decide::Found;
use crate::shorten::Length;
use crate::subject::Form;
use liveness::Fairness;
use system::{HALTED, Letter, Processes, Step};
use trace::Mismatch;

/// A violation with its run, once the run has passed.
pub(super) fn judged(
    group: &Group<'_>,
    options: &Options,
    property: &Temporal,
    bad: &Bad,
    trail: Trail,
) -> Found {
    let is_first_found = trail.is_reduced || group.form.unmerged().is_some() && !trail.repeats;
    let passed = expanded(&*group.form, trail).and_then(|trail| {
        let witness = group.form.witness(&trail.steps, trail.prefix)?;
        judge(bad, options.fairness(), &trail, &witness).map(|()| (trail, witness))
    });
    let (trail, witness, start) = match passed {
        Ok((trail, witness)) => {
            let start = trail.repeats.then_some(trail.prefix);
            (Ok(trail.steps), witness, start)
        }
        Err(mismatch) => (Err(mismatch), Witness::default(), None),
    };
    let length = match start {
        _ if is_first_found => Length::FirstFound,
        Some(_) => Length::Cycle,
        None => Length::Shortest,
    };
    let unfair = |fairness| start.map_or(0, |start| starved(fairness, start, &witness));
    let (starved, starved_often) = (unfair(Fairness::Weak), unfair(Fairness::Strong));
    let cycle = Cycle {
        violation: property.violation,
        start,
        letters: witness.letters,
        bad: bad.formula.clone(),
        starved,
        starved_often,
        why: Vec::new(),
        turning: None,
        failing: None,
    };
    Found { trail, cycle: Some(cycle), ..Found::new(property.requirement, Vec::new(), length) }
}

/// A run of a form by the steps of the model as it is written.
pub(super) fn expanded(form: &dyn Form, trail: Trail) -> Result<Trail, Mismatch> {
    let prefix = form.expand(trail.steps[..trail.prefix].to_vec(), &|| true)?.len();
    Ok(Trail { steps: form.expand(trail.steps, &|| true)?, prefix, ..trail })
}

/// Whether a run violates the property of a group of one: the steps from `cycle` on repeat;
/// without it, whatever follows.
pub(crate) fn is_violated(group: &Group<'_>, steps: Vec<Step>, cycle: Option<usize>) -> bool {
    let [Temporal { bad: Ok(bad), .. }] = group.properties.as_slice() else { return false };
    let prefix = cycle.unwrap_or(steps.len());
    let trail = Trail { steps, prefix, repeats: cycle.is_some(), is_reduced: false };
    let witness = group.form.witness(&trail.steps, trail.prefix);
    witness.and_then(|witness| judge(bad, Fairness::None, &trail, &witness)).is_ok()
}

/// Whether a run is what the search said, by definition.
fn judge(bad: &Bad, fairness: Fairness, trail: &Trail, witness: &Witness) -> Result<(), Mismatch> {
    let fault = |text: &str| Err(Mismatch::new(trail.steps.len(), text));
    let violates = |prefix: &[Letter], cycle: &[Letter]| match &bad.formula {
        Some(formula) => formula.evaluate(prefix, cycle)[0],
        None => bad.automaton.accepts(prefix, cycle),
    };
    let letters = &witness.letters;
    if !trail.repeats {
        // It is bad whatever follows: the same state for ever, nothing, everything.
        let (last, rest) =
            letters.split_last().map_or((0, &[][..]), |(last, _)| (*last, &**letters));
        // Where the system stands still nothing else follows.
        let tails = if last & HALTED != 0 { &[last][..] } else { &[last, 0, !HALTED] };
        let all = tails.iter().all(|letter| violates(rest, &[*letter]));
        return if all { Ok(()) } else { fault("the formula is not decided by this prefix") };
    }
    if !witness.returns {
        return fault("the cycle does not return to its first state");
    }
    let halts = trail.steps.len() == trail.prefix;
    let end = letters.len() - usize::from(!halts);
    if !violates(&letters[..trail.prefix], &letters[trail.prefix..end]) {
        return fault("the run does not violate the property");
    }
    match starved(fairness, trail.prefix, witness) {
        0 => Ok(()),
        _ => fault("the run is not fair"),
    }
}

/// The processes that are treated unfairly by a run with a cycle from this step on.
fn starved(fairness: Fairness, start: usize, witness: &Witness) -> Processes {
    let states = witness.enabled.get(start..).unwrap_or_default();
    let steps = witness.moved.get(start..).unwrap_or_default();
    let moved = steps.iter().fold(0, |all, set| all | set);
    let wanting = match fairness {
        Fairness::None => 0,
        Fairness::Weak if states.is_empty() => 0,
        Fairness::Weak => states.iter().fold(Processes::MAX, |all, set| all & set),
        Fairness::Strong => states.iter().fold(0, |all, set| all | set),
    };
    wanting & !moved
}
