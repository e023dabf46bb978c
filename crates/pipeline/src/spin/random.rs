//! A random run, edge by edge, for the form of SPIN's simulator.

use super::SpinModel;
use crate::Dice;
use program::reference;
use report::spin::Ended;
use trace::spin::{EdgeRun, Follower, Meaning, Until};

/// A random run without claims; none if the initial values of the model fail.
pub fn random(
    model: SpinModel<'_>,
    meaning: Meaning,
    seed: u64,
    steps_max: Option<u64>,
) -> Option<(EdgeRun, Ended)> {
    let (program, rules) = (&model.promela.program, meaning.rules());
    let mut follower = Follower::new(program, &model.promela.listing, rules).ok()?;
    let mut dice = Dice::new(seed);
    loop {
        if steps_max.is_some_and(|max| follower.run.depth() >= max) {
            return Some((follower.run, Ended::Cut));
        }
        let failed = follower.run.steps.last().is_some_and(|step| step.made.ends);
        let steps = reference::steps(program, &rules, follower.run.state());
        if failed || steps.is_empty() {
            return Some((follower.run, Ended::Stuck));
        }
        let step = &steps[(dice.roll() % steps.len() as u64) as usize];
        follower.take_step(step, Until::End)?;
    }
}
