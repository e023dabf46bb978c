//! A naive depth first search, to count with.
#![allow(dead_code, reason = "every test binary uses a part of it")]

use program::Program;
use program::reference::{
    Failure, Problem, Rest, Rules, State, Step, at_rest, identity, initial, steps,
};
use std::collections::HashSet;

/// What a whole search found.
#[derive(Debug, Default)]
pub(crate) struct Count {
    pub(crate) stored: usize,
    pub(crate) matched: usize,
    pub(crate) failures: Vec<Failure>,
    pub(crate) rests: Vec<Rest>,
}

impl Count {
    /// Stored and matched: all anybody compares; their sum is the transitions.
    pub(crate) fn figures(&self) -> (usize, usize) {
        (self.stored, self.matched)
    }

    /// What went wrong, once each, in the order found.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = Vec::new();
        for failure in &self.failures {
            if !problems.contains(&failure.problem) {
                problems.push(failure.problem.clone());
            }
        }
        problems
    }
}

/// Explores as `pan -c0` does.
pub(crate) fn spin_counts(program: &Program) -> Count {
    count(program, &Rules { spin_counts: true, ..Rules::default() })
}

/// Explores everything under `rules`.
pub(crate) fn count(program: &Program, rules: &Rules) -> Count {
    assert_eq!(program::verify(program), Vec::<String>::new());
    let mut count = Count::default();
    let mut known: HashSet<State> = HashSet::new();
    let first = initial(program, rules).expect("the program starts");
    let mut stack: Vec<std::vec::IntoIter<Step>> = Vec::new();
    let mut next = Some(first);
    loop {
        if let Some(state) = next.take() {
            if known.insert(identity(program, rules, &state)) {
                count.stored += 1;
                stack.push(successors(program, rules, &state, &mut count).into_iter());
            } else {
                count.matched += 1;
            }
        }
        let Some(rest) = stack.last_mut() else { return count };
        match rest.next() {
            None => drop(stack.pop()),
            Some(step) if step.is_transition() && step.ends => count.matched += 1,
            Some(step) if step.ends => {}
            Some(step) => next = Some(step.state),
        }
    }
}

fn successors(program: &Program, rules: &Rules, state: &State, count: &mut Count) -> Vec<Step> {
    let steps = steps(program, rules, state);
    count.failures.extend(steps.iter().flat_map(|step| step.failures.iter().cloned()));
    if steps.iter().all(|step| step.ends) {
        let rest = at_rest(program, rules, state);
        if !matches!(rest, Rest::Proper | Rest::Residual) {
            count.rests.push(rest);
        }
    }
    steps
}
