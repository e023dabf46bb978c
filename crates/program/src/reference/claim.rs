//! The synchronous product with a never claim. The claim moves first, then the
//! system. If the system cannot, it stands still, and the claim goes on alone.

use super::choose::{self, Choice};
use super::{Actor, Failure, Problem, Scene, State, Step, is_move, system_steps};
use crate::{EdgeId, ProctypeId, Program};

/// Every step of the product.
pub(super) fn product(scene: Scene<'_>, state: &State) -> Vec<Step> {
    if state.stutters {
        let late = Scene { timeout: mentions_timeout(scene.program, false), ..scene };
        return claim_steps(late, state).into_iter().map(stuttered).collect();
    }
    let first = claim_steps(scene, state);
    let prompt: Vec<Step> = first.iter().flat_map(|first| joined(scene, first)).collect();
    if prompt.iter().any(|step| is_move(scene.rules, step)) {
        return prompt;
    }
    let late = Scene { timeout: is_timeout(scene, state, first.is_empty()), ..scene };
    let mut steps = Vec::new();
    for first in claim_steps(late, state) {
        let together = joined(late, &first);
        match together.iter().any(|step| is_move(scene.rules, step)) {
            true => steps.extend(together),
            false => steps.extend(alone(late, first)),
        }
    }
    steps
}

/// Whether it is time for a timeout, after no claim move led to one of the system:
/// if the system cannot move. The claim may have been in its way; SPIN then thinks
/// of timeouts only if both sides mention them, and of none at all that only the
/// claim mentions.
fn is_timeout(scene: Scene<'_>, state: &State, claim_blocks: bool) -> bool {
    if scene.rules.spin_counts {
        return mentions_timeout(scene.program, false)
            && (!claim_blocks || mentions_timeout(scene.program, true));
    }
    !claim_blocks || !system_steps(scene, state).any(|step| is_move(scene.rules, &step))
}

/// Whether some claim mentions a timeout, or some other proctype.
fn mentions_timeout(program: &Program, claims: bool) -> bool {
    let mut kinds = program.proctypes.iter_ids().filter(|(id, _)| program.is_claim(*id) == claims);
    kinds.any(|(_, kind)| kind.asks_timeout())
}

/// A move of the claim, then each step of the system.
fn joined(scene: Scene<'_>, first: &Step) -> Vec<Step> {
    if first.ends {
        return vec![first.clone()];
    }
    let steps = system_steps(scene, &first.state);
    steps.map(|step| after(first, step)).collect()
}

/// A move of the claim while the system stands still. SPIN's verifier lets it move
/// twice before it looks whether it knows the state, and once from then on.
fn alone(scene: Scene<'_>, first: Step) -> Vec<Step> {
    if !scene.rules.spin_counts {
        return vec![first];
    }
    let second = claim_steps(scene, &first.state);
    if second.is_empty() && !first.failures.is_empty() {
        // It counts nothing, but has seen what is wrong.
        return vec![Step { ends: true, ..first }];
    }
    second.into_iter().map(|second| stuttered(after(&first, second))).collect()
}

fn stuttered(mut step: Step) -> Step {
    step.state.stutters = true;
    step
}

/// `next` with what came before it in front.
fn after(first: &Step, mut next: Step) -> Step {
    next.claim.splice(..0, first.claim.iter().copied());
    next.failures.splice(..0, first.failures.iter().cloned());
    next
}

/// Every move of the claim alone, as a step in which the system does nothing. An
/// atomic sequence is one move, and none at all if it blocks.
fn claim_steps(scene: Scene<'_>, state: &State) -> Vec<Step> {
    if is_over(scene, state) && !scene.rules.spin_counts {
        let failures = vec![over(None)];
        return vec![Step { failures, ends: true, ..idle_step(state.clone()) }];
    }
    let mut found = Vec::new();
    let mut open = vec![Walk { step: idle_step(state.clone()), hidden: Vec::new(), goes_on: true }];
    while let Some(walk) = open.pop() {
        if !walk.goes_on {
            found.push(walk.step);
            continue;
        }
        let choices = choose::choices(scene, &walk.step.state, Actor::Claim);
        open.extend(choices.into_iter().rev().map(|choice| walk.extended(scene, choice)));
    }
    found
}

/// An atomic sequence of the claim under way.
struct Walk {
    step: Step,
    /// The states it came through.
    hidden: Vec<State>,
    /// It is not at its end yet.
    goes_on: bool,
}

impl Walk {
    /// The sequence with one more edge.
    fn extended(&self, scene: Scene<'_>, choice: Choice) -> Walk {
        let mut step = self.step.clone();
        let atomic = choice.result.as_ref().is_ok_and(|outcome| outcome.goes_on.is_some());
        step.claim.push(choice.edge);
        let place = self.step.state.claim.as_ref().map(|claim| (claim.proctype, choice.edge));
        let failure = match choice.result {
            Err(failure) => Some(failure),
            Ok(mut outcome) => {
                step.state = outcome.state;
                step.failures.append(&mut outcome.failures);
                if atomic && self.hidden.contains(&step.state) {
                    Some(Failure { problem: Problem::EndlessAtomic, ..over(place) })
                } else if is_over(scene, &step.state) {
                    Some(over(place))
                } else {
                    None
                }
            }
        };
        step.ends = failure.as_ref().is_some_and(|failure| !failure.is_passed(scene.rules));
        step.failures.extend(failure.map(|failure| located(scene, failure)));
        let hidden = self.hidden.iter().chain([&self.step.state]).cloned().collect();
        Walk { goes_on: atomic && !step.ends, step, hidden }
    }
}

fn idle_step(state: State) -> Step {
    Step { claim: Vec::new(), micros: Vec::new(), state, failures: Vec::new(), ends: false }
}

/// Whether the claim is where it says that the system is wrong.
fn is_over(scene: Scene<'_>, state: &State) -> bool {
    let claim = state.claim.as_ref();
    claim.is_none_or(|claim| claim.kind(scene.program).is_end(claim.location))
}

fn over(edge: Option<(ProctypeId, EdgeId)>) -> Failure {
    Failure { problem: Problem::ClaimEnd, pid: None, edge, span: None }
}

fn located(scene: Scene<'_>, failure: Failure) -> Failure {
    let edge = failure.edge.map(|(kind, edge)| &scene.program.proctypes[kind].edges[edge]);
    Failure { span: failure.span.or(edge.map(|edge| edge.span)), ..failure }
}
