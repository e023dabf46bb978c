//! A trail executed again, step by step, by the reference interpreter.

use super::names::Names;
use super::narrate::Narrator;
use base::{Id, SourceMap};
use program::Program;
use program::reference::{self, Failure, Rest, Rules, State};
use system::Step;
use trace::{Mismatch, Scenario};

/// A run that was executed again.
pub(super) struct Replayed {
    pub(super) scenario: Scenario,
    pub(super) names: Names,
    /// The state it ends in.
    pub(super) last: State,
    /// What its last step did wrong.
    pub(super) failure: Option<Failure>,
    /// How it rests, if nothing can move.
    pub(super) rest: Option<Rest>,
    /// How many visible steps it has.
    pub(super) steps: usize,
}

/// Executes `trail` again; every step must be the one the search took.
pub(super) fn replay(
    program: &Program,
    rules: &Rules,
    trail: &[Step],
    sources: &SourceMap,
) -> Result<Replayed, Mismatch> {
    let wanted = trail.iter().map(|step| (step.choice, Some(*step)));
    follow(program, rules, &wanted.collect::<Vec<_>>(), sources)
}

/// Executes the run that these choices name.
pub(super) fn replay_choices(
    program: &Program,
    rules: &Rules,
    choices: &[u32],
    sources: &SourceMap,
) -> Result<Replayed, Mismatch> {
    let wanted = choices.iter().map(|choice| (*choice, None));
    follow(program, rules, &wanted.collect::<Vec<_>>(), sources)
}

fn follow(
    program: &Program,
    rules: &Rules,
    trail: &[(u32, Option<Step>)],
    sources: &SourceMap,
) -> Result<Replayed, Mismatch> {
    let fail = |step: usize, reason: &str| Mismatch { step, reason: reason.to_owned() };
    let initial = reference::initial(program, rules)
        .map_err(|_| fail(0, "the initial values of the program fail"))?;
    let mut states = vec![initial];
    let mut steps = Vec::new();
    for (index, (choice, wanted)) in trail.iter().enumerate() {
        let before = states.last().expect("the initial state is there");
        let step = reference::steps(program, rules, before)
            .into_iter()
            .nth(*choice as usize)
            .filter(|step| wanted.is_none_or(|wanted| is_same(step, &wanted)))
            .ok_or_else(|| fail(index + 1, "the reference interpreter cannot take it"))?;
        states.push(step.state.clone());
        steps.push(step);
    }
    let names = Names::new(program, states.iter());
    let mut narrator = Narrator::new(program, rules, sources, &names, &states[0]);
    for (before, step) in states.iter().zip(&steps) {
        narrator.record(before, step);
    }
    let scenario = narrator.finish();
    let last = states.pop().expect("the initial state is there");
    let failure = steps.last().and_then(|step| step.failures.last().cloned());
    let ends = steps.last().is_some_and(|step| step.ends);
    let rest = if ends { None } else { at_rest(program, rules, &last) };
    Ok(Replayed { scenario, names, last, failure, rest, steps: steps.len() })
}

/// A trail names the first edge of each step; the choice says which step it is.
fn is_same(step: &reference::Step, wanted: &Step) -> bool {
    step.micros.first().is_none_or(|micro| {
        micro.pid as u32 == wanted.agent && micro.edge.index() as u32 == wanted.edge
    })
}

fn at_rest(program: &Program, rules: &Rules, state: &State) -> Option<Rest> {
    // Counting as SPIN does, a statement that only fails does not move anything.
    let moves = reference::steps(program, rules, state);
    let still = moves.iter().all(|step| rules.spin_counts && !step.is_transition());
    still.then(|| reference::at_rest(program, rules, state))
}
