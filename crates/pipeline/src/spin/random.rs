//! A random run, edge by edge, for the form of SPIN's simulator.

use super::guide::{Follower, Run};
use super::meaning::Meaning;
use super::steps::Ended;
use crate::{Dice, Loaded};
use program::Program;
use program::reference::{self, Move, Mover};

/// A random run without claims; none if the initial values of the model fail.
pub fn random(
    program: &Program,
    loaded: &Loaded,
    meaning: Meaning,
    seed: u64,
    steps_max: Option<u64>,
) -> Option<(Run, Ended)> {
    let rules = meaning.rules();
    let mut follower = Follower::new(program, &loaded.listing, rules).ok()?;
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
        for micro in &step.micros {
            let same = |made: &Move| (made.edge, made.peer) == (micro.edge, micro.peer);
            follower.take(Mover::Process(micro.pid), same)?;
        }
    }
}
