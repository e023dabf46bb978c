//! A trail of a reduced program as a trail of the plain one, statement by statement.

use engine::program::named;
use program::Program;
use program::reference::{self, Micro, Rules, State};
use system::Step;
use trace::{Lasts, Mismatch, matches_step};

/// So many steps are taken between two questions to the clock.
const STEPS_PER_QUESTION: usize = 256;

/// Who moves along which edge, and with whom.
type Key = (usize, program::EdgeId, Option<(usize, program::EdgeId)>);

/// Executes `trail` on the reduced program and then the same edges, in the same
/// order, on the plain one, as long as there is time. A merged step becomes several.
pub(super) fn expand(
    (plain, reduced): (&Program, &Program),
    rules: &Rules,
    trail: &[Step],
    lasts: Lasts<'_>,
) -> Result<Vec<Step>, Mismatch> {
    let start = |program| {
        reference::initial(program, rules)
            .map_err(|_| Mismatch::new(0, "the initial values of the program fail"))
    };
    let (mut shadow, mut state) = (start(reduced)?, start(plain)?);
    let mut steps = Vec::new();
    for (index, wanted) in trail.iter().enumerate() {
        if index.is_multiple_of(STEPS_PER_QUESTION) && !lasts() {
            return Err(Mismatch::late(trail.len()));
        }
        let taken = reference::nth_step(reduced, rules, &shadow, wanted.choice as usize)
            .filter(|step| matches_step(step, wanted))
            .ok_or_else(|| Mismatch::new(index + 1, "the reduced program cannot take it"))?;
        let landed = follow(plain, rules, state, &taken, &mut steps)
            .ok_or_else(|| Mismatch::new(index + 1, "the plain program cannot take it"))?;
        (shadow, state) = (taken.state, landed);
    }
    Ok(steps)
}

/// Takes the steps of the plain program that together are `taken`; where they lead.
fn follow(
    plain: &Program,
    rules: &Rules,
    mut state: State,
    taken: &reference::Step,
    steps: &mut Vec<Step>,
) -> Option<State> {
    let wanted: Vec<Key> = taken.micros.iter().map(key).collect();
    let (mut left, mut claim) = (wanted.as_slice(), taken.claim.as_slice());
    loop {
        let fits = |step: &reference::Step| {
            let done = step.micros.len() == left.len();
            let keys = step.micros.iter().map(key);
            step.claim == claim
                && step.micros.len() <= left.len()
                && keys.zip(left).all(|(key, wanted)| key == *wanted)
                && if done { step.failures == taken.failures } else { !step.ends }
        };
        let found = reference::steps(plain, rules, &state).into_iter().enumerate();
        let (choice, step) =
            found.filter(|(_, step)| fits(step)).max_by_key(|f| f.1.micros.len())?;
        // Only a claim moves without any edge of the system, and only once.
        if step.micros.is_empty() && !left.is_empty() {
            return None;
        }
        steps.push(named(&step, choice));
        left = &left[step.micros.len()..];
        claim = &[];
        state = step.state;
        if left.is_empty() {
            return Some(state);
        }
    }
}

fn key(micro: &Micro) -> Key {
    (micro.pid, micro.edge, micro.peer)
}
