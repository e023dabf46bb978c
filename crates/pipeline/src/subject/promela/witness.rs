//! A run of a program as a judge of cycles sees it, by the reference interpreter.

use crate::cycles::Witness;
use program::reference::{self, Failure, Rules, State, Step as Executed};
use program::{Expr, Program};
use system::{HALTED, Letter, Processes, Step};
use trace::{Mismatch, matches_step};

/// Takes the steps of a trail; the cycle begins behind `start` steps.
///
/// # Errors
/// The step that cannot be taken, or a state where a proposition fails.
pub(super) fn witness(
    program: &Program,
    rules: &Rules,
    atoms: &[Expr],
    trail: &[Step],
    start: usize,
) -> Result<Witness, Mismatch> {
    let cannot = |at: usize| Mismatch::new(at + 1, "the reference interpreter cannot take it");
    let mut state = reference::initial(program, rules).map_err(|_| cannot(0))?;
    let (mut witness, mut first) = (Witness::default(), None);
    for at in 0..=trail.len() {
        let steps = reference::steps(program, rules, &state);
        let letter = letter(program, rules, atoms, &state).ok_or_else(|| cannot(at))?;
        let halted = if steps.is_empty() { HALTED } else { 0 };
        witness.letters.push(letter | halted);
        witness.enabled.push(steps.iter().fold(0, |all, step| all | participants(rules, step)));
        if at == start {
            first = Some(state.clone());
        }
        let Some(wanted) = trail.get(at) else {
            // Without a step of its own the cycle is that nothing moves.
            witness.returns = first.is_some_and(|first| first == state)
                && (trail.len() > start || steps.is_empty());
            break;
        };
        let step = taken(steps, wanted).ok_or_else(|| cannot(at))?;
        witness.moved.push(participants(rules, &step));
        state = step.state;
    }
    Ok(witness)
}

/// The step of a trail among those of a state.
fn taken(steps: Vec<Executed>, wanted: &Step) -> Option<Executed> {
    let step = steps.into_iter().nth(wanted.choice as usize);
    step.filter(|step| matches_step(step, wanted) && !step.ends)
}

/// The first proposition that cannot be evaluated behind a trail, by its number, and why.
pub(super) fn failing(
    program: &Program,
    rules: &Rules,
    atoms: &[Expr],
    trail: &[Step],
) -> Option<(usize, Failure)> {
    let mut state = reference::initial(program, rules).ok()?;
    for wanted in trail {
        state = taken(reference::steps(program, rules, &state), wanted)?.state;
    }
    let failure = |atom| reference::holds(program, rules, &state, atom).err();
    atoms.iter().enumerate().find_map(|(at, atom)| Some((at, failure(atom)?)))
}

fn letter(program: &Program, rules: &Rules, atoms: &[Expr], state: &State) -> Option<Letter> {
    atoms.iter().enumerate().try_fold(0, |letter, (at, atom)| {
        let holds = reference::holds(program, rules, state, atom).ok()?;
        Some(letter | Letter::from(holds) << at)
    })
}

/// Everybody who takes part in a step.
fn participants(rules: &Rules, step: &Executed) -> Processes {
    let all = step.participants(rules);
    all.fold(0, |set, pid| set | Processes::checked_shl(1, pid as u32).unwrap_or(0))
}
