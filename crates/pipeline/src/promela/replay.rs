//! A trail executed again, step by step, by the reference interpreter.

use super::ending::Ending;
use super::names::Names;
use super::narrate::Narrator;
use base::{Id, SourceMap};
use program::reference::{self, Failure, Rest, Rules, State};
use program::{Claim, Program};
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

impl Replayed {
    /// How it ends, beside a claim if there was one.
    pub(super) fn ending<'a>(&'a self, claim: Option<&'a Claim>) -> Ending<'a> {
        let (failure, rest) = (self.failure.as_ref(), self.rest.as_ref());
        Ending { names: &self.names, failure, rest, claim }
    }
}

/// Executes trails again. What a trail has in common with the one before is not
/// executed twice: the errors of a deep search lie on one long path, or close to it.
pub(super) struct Replayer<'a> {
    program: &'a Program,
    rules: &'a Rules,
    sources: &'a SourceMap,
    initial: State,
    /// What was executed last: which choice each time, and the step it stands for.
    choices: Vec<u32>,
    steps: Vec<reference::Step>,
}

impl<'a> Replayer<'a> {
    /// Stands in the initial state of `program`.
    pub(super) fn new(
        program: &'a Program,
        rules: &'a Rules,
        sources: &'a SourceMap,
    ) -> Result<Self, Mismatch> {
        let initial = reference::initial(program, rules)
            .map_err(|_| mismatch(0, "the initial values of the program fail"))?;
        Ok(Self { program, rules, sources, initial, choices: Vec::new(), steps: Vec::new() })
    }

    /// Executes `trail`; every step must be the one the search took.
    pub(super) fn replay(&mut self, trail: &[Step]) -> Result<Replayed, Mismatch> {
        self.execute(trail)?;
        Ok(self.told())
    }

    fn execute(&mut self, trail: &[Step]) -> Result<(), Mismatch> {
        let choices: Vec<u32> = trail.iter().map(|step| step.choice).collect();
        self.go(&choices)?;
        let differs =
            self.steps.iter().zip(trail).position(|(step, wanted)| !is_same(step, wanted));
        differs.map_or(Ok(()), |index| Err(mismatch(index + 1, CANNOT)))
    }

    /// Executes the run that these choices name.
    pub(super) fn replay_choices(&mut self, choices: &[u32]) -> Result<Replayed, Mismatch> {
        self.go(choices)?;
        Ok(self.told())
    }

    /// Takes back what `choices` do not begin with, and goes on from there.
    fn go(&mut self, choices: &[u32]) -> Result<(), Mismatch> {
        let shared = self.choices.iter().zip(choices).take_while(|(old, new)| old == new).count();
        self.choices.truncate(shared);
        self.steps.truncate(shared);
        for choice in &choices[shared..] {
            let step = reference::steps(self.program, self.rules, self.last())
                .into_iter()
                .nth(*choice as usize)
                .ok_or_else(|| mismatch(self.steps.len() + 1, CANNOT))?;
            self.choices.push(*choice);
            self.steps.push(step);
        }
        Ok(())
    }

    fn last(&self) -> &State {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }

    /// The run in the user's names.
    fn told(&self) -> Replayed {
        let (program, rules) = (self.program, self.rules);
        let after = self.steps.iter().map(|step| &step.state);
        let names = Names::new(program, std::iter::once(&self.initial).chain(after.clone()));
        let mut narrator = Narrator::new(program, rules, self.sources, &names, &self.initial);
        let before = std::iter::once(&self.initial).chain(after);
        before.zip(&self.steps).for_each(|(before, step)| narrator.record(before, step));
        let scenario = narrator.finish();
        let failure = self.steps.last().and_then(|step| step.failures.last().cloned());
        let ends = self.steps.last().is_some_and(|step| step.ends);
        let last = self.last().clone();
        let rest = if ends { None } else { at_rest(program, rules, &last) };
        Replayed { scenario, names, last, failure, rest, steps: self.steps.len() }
    }
}

/// The steps of a trail, executed again.
pub(crate) fn executed(
    program: &Program,
    rules: &Rules,
    trail: &[Step],
) -> Result<Vec<reference::Step>, Mismatch> {
    let nowhere = SourceMap::default();
    let mut replayer = Replayer::new(program, rules, &nowhere)?;
    replayer.execute(trail)?;
    Ok(replayer.steps)
}

/// The run of a trail, executed again and told.
pub(crate) fn scenario(
    program: &Program,
    rules: &Rules,
    trail: &[Step],
    sources: &SourceMap,
) -> Result<Scenario, Mismatch> {
    Ok(Replayer::new(program, rules, sources)?.replay(trail)?.scenario)
}

const CANNOT: &str = "the reference interpreter cannot take it";

fn mismatch(step: usize, reason: &str) -> Mismatch {
    Mismatch { step, reason: reason.to_owned() }
}

/// A trail names the first edge of each step; the choice says which step it is.
pub(super) fn is_same(step: &reference::Step, wanted: &Step) -> bool {
    step.micros.first().is_none_or(|micro| {
        micro.pid as u32 == wanted.agent && micro.edge.index() as u32 == wanted.edge
    })
}

/// How a state in which nothing can move rests.
pub(super) fn at_rest(program: &Program, rules: &Rules, state: &State) -> Option<Rest> {
    // Counting as SPIN does, a statement that only fails does not move anything.
    let moves = reference::steps(program, rules, state);
    let still = moves.iter().all(|step| rules.spin_counts && !step.is_transition());
    still.then(|| reference::at_rest(program, rules, state))
}
