//! Which formulas a run of a trail violates: what the trail says of its automaton is not needed
//! for that, and SPIN's is another than ours.

use super::SpinModel;
use crate::Options;
use crate::cycles;
use crate::subject::Infinite;
use engine::program::named;
use program::ClaimKind;
use program::reference::{self, Mover, Rules};
use system::Step;
use trace::spin::EdgeRun;

/// The names of the formulas that a run violates: for ever by its cycle, or whatever follows.
pub(super) fn violated(model: SpinModel<'_>, run: &EdgeRun) -> Vec<String> {
    let closed = run.closed(&model.promela.program);
    let run = closed.as_ref().unwrap_or(run);
    let Some((steps, cycle)) = visible(model, run) else { return Vec::new() };
    let rules = run.rules;
    let options = Options {
        plain: true,
        lossy: rules.lossy_sends,
        inner_unless: rules.inner_unless_first,
        ..Options::default()
    };
    let claims = model.promela.program.claims.iter().enumerate();
    let formulas = claims.filter(|(_, claim)| matches!(claim.kind, ClaimKind::Ltl(_)));
    let violated = formulas.filter(|(index, _)| {
        let group = model.promela.infinite(Infinite::Claim(*index), &options);
        group.is_some_and(|group| cycles::is_violated(&group, steps.clone(), cycle))
    });
    violated.map(|(_, claim)| claim.name.to_string()).collect()
}

/// A run by its visible steps, and how many stand before its cycle. None if it has another
/// structure, or watches a claim.
fn visible(model: SpinModel<'_>, run: &EdgeRun) -> Option<(Vec<Step>, Option<usize>)> {
    let program = model.promela.silent();
    let rules = Rules { spin_counts: false, ..run.rules };
    let mut state = reference::initial(program, &rules).ok().filter(|_| rules.claim.is_none())?;
    let (mut steps, mut cycle, mut done) = (Vec::new(), None, 0);
    loop {
        if run.cycle == Some(done) {
            cycle = Some(steps.len());
        }
        if done == run.steps.len() {
            return (cycle.is_some() == run.cycle.is_some()).then_some((steps, cycle));
        }
        let rest = &run.steps[done..];
        let all = reference::steps(program, &rules, &state).into_iter().enumerate();
        let fits = |step: &reference::Step| {
            let made = rest.iter().map(|made| (made.mover, made.made.edge, made.made.peer));
            let micros = step.micros.iter().map(|m| (Mover::Process(m.pid), m.edge, m.peer));
            !step.ends && step.micros.len() <= rest.len() && micros.zip(made).all(|(a, b)| a == b)
        };
        let taken = all.filter(|(_, step)| fits(step)).max_by_key(|(_, step)| step.micros.len());
        let (choice, step) = taken.filter(|(_, step)| !step.micros.is_empty())?;
        steps.push(named(&step, choice));
        done += step.micros.len();
        state = step.state;
    }
}
