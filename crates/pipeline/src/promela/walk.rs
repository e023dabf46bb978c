//! A run of a program in progress.

use super::ending::{Ending, claim_of, failed};
use super::names::Names;
use super::narrate::{Narrator, snapshot};
use super::replay::at_rest;
use super::wait::Standstill;
use super::{saved, view};
use crate::{Choice, Loaded, Options, Play, SavedTrace};
use program::reference::{self, Failure, Rest, Rules, State, Step};
use program::{Edge, Program};
use report::{Channel, RunRules};
use trace::{Scenario, Snapshot, Wait};

/// A run of a program; without any claim, unless it follows one that has one.
pub(crate) struct Walk<'a> {
    program: &'a Program,
    loaded: &'a Loaded,
    rules: Rules,
    /// What the options say about `rules.spin_counts`.
    counted: bool,
    initial: State,
    steps: Vec<Step>,
    taken: Vec<u32>,
}

/// The initial state, by rules with longer numbers where it needs them.
fn start(program: &Program, rules: Rules) -> Result<(Rules, State), Failure> {
    match reference::initial(program, &rules) {
        Err(failure) if failure.problem.is_overflow() && !rules.wide => {
            start(program, Rules { wide: true, ..rules })
        }
        initial => Ok((rules, initial?)),
    }
}

impl<'a> Walk<'a> {
    /// A run at its start.
    pub(crate) fn new(
        program: &'a Program,
        loaded: &'a Loaded,
        options: &Options,
    ) -> Result<Self, String> {
        let counted = options.spin_counts;
        let rules = Rules { spin_counts: false, ..options.program_rules() };
        let (rules, initial) =
            start(program, rules).map_err(|failure| failed(loaded, &Names::default(), &failure))?;
        let (steps, taken) = (Vec::new(), Vec::new());
        Ok(Self { program, loaded, rules, counted, initial, steps, taken })
    }

    /// Begins again by these rules and takes these choices: all, or up to the step that
    /// cannot be taken, whose number it says.
    fn begin(&mut self, rules: Rules, choices: &[u32]) -> Result<(), usize> {
        (self.rules, self.initial) = start(self.program, rules).map_err(|_| 0usize)?;
        self.steps.clear();
        self.taken.clear();
        let stops = choices.iter().position(|choice| !self.take(*choice as usize));
        stops.map_or(Ok(()), |index| Err(index + 1))
    }

    fn state(&self) -> &State {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }

    fn moves(&self) -> Vec<Step> {
        match self.steps.last() {
            Some(last) if last.ends => Vec::new(),
            _ => reference::steps(self.program, &self.rules, self.state()),
        }
    }

    fn names(&self) -> Names {
        let states = self.steps.iter().map(|step| &step.state);
        Names::new(self.program, std::iter::once(&self.initial).chain(states))
    }

    fn standstill<'s>(&'s self, names: &'s Names) -> Standstill<'s> {
        let (program, rules, sources) = (self.program, &self.rules, &self.loaded.sources);
        Standstill { program, rules, names, state: self.state(), sources }
    }

    /// The first edge of a step, which names it.
    fn edge(&self, step: &Step) -> Option<(usize, &'a Edge)> {
        let micro = step.micros.first()?;
        let proctype = self.state().processes.get(micro.pid)?.proctype;
        self.program.proctypes[proctype].edges.get(micro.edge).map(|edge| (micro.pid, edge))
    }

    fn choice(&self, names: &Names, step: &Step) -> Choice {
        let sources = &self.loaded.sources;
        let more = if step.micros.len() > 1 { " ..." } else { "" };
        match self.edge(step) {
            None => {
                Choice { process: String::new(), action: String::new(), line: 0, blocked: None }
            }
            Some((pid, edge)) => Choice {
                process: names.process(pid),
                action: format!("{}{more}", view::statement(edge, sources)),
                line: sources.line(edge.span),
                blocked: None,
            },
        }
    }

    fn rest(&self) -> Option<Rest> {
        let ends = self.steps.last().is_some_and(|step| step.ends);
        if ends { None } else { at_rest(self.program, &self.rules, self.state()) }
    }
}

impl Play for Walk<'_> {
    fn steps(&self) -> usize {
        self.steps.len()
    }

    fn choices(&self) -> Vec<Choice> {
        let names = self.names();
        self.moves().iter().map(|step| self.choice(&names, step)).collect()
    }

    fn blocked(&self) -> Vec<Choice> {
        let names = self.names();
        let moving: Vec<String> =
            self.moves().iter().map(|step| self.choice(&names, step).process).collect();
        let all: Vec<usize> = (0..self.state().processes.len()).collect();
        let waits = self.standstill(&names).waits(&all);
        let still = waits.into_iter().filter(|wait| !moving.contains(&wait.process));
        still
            .map(|wait| Choice {
                process: wait.process,
                action: wait.waits,
                line: wait.line,
                blocked: Some(wait.because),
            })
            .collect()
    }

    fn take(&mut self, index: usize) -> bool {
        let Some(step) = self.moves().into_iter().nth(index) else { return false };
        let overflows = step.failures.iter().any(|failure| failure.problem.is_overflow());
        if overflows && !self.rules.wide {
            let choices = [&self.taken[..], &[index as u32]].concat();
            return self.begin(Rules { wide: true, ..self.rules }, &choices).is_ok();
        }
        self.steps.push(step);
        self.taken.push(index as u32);
        true
    }

    fn back(&mut self) -> bool {
        self.taken.pop();
        self.steps.pop().is_some()
    }

    fn retrace(&mut self, saved: &SavedTrace) -> Result<(), String> {
        let choices = saved.errors.first().map_or(&saved.choices, |error| &error.choices);
        let rules = saved::rules(self.program, saved, 0);
        self.begin(rules, choices).map_err(|step| format!("step {step}"))
    }

    fn scenario(&self) -> Scenario {
        let names = self.names();
        let (program, sources) = (self.program, &self.loaded.sources);
        let mut narrator = Narrator::new(program, &self.rules, sources, &names, &self.initial);
        let mut before = &self.initial;
        for step in &self.steps {
            narrator.record(before, step);
            before = &step.state;
        }
        narrator.finish()
    }

    fn taken(&self) -> Vec<u32> {
        self.taken.clone()
    }

    fn rules(&self) -> RunRules {
        RunRules {
            claim: claim_of(self.program, &self.rules).map(|claim| claim.name.to_string()),
            wide: self.rules.wide,
            ordinary: self.counted && !self.rules.spin_counts,
        }
    }

    fn snapshot(&self) -> Snapshot {
        snapshot(self.program, &self.names(), self.state())
    }

    fn lines(&self) -> Vec<(String, Option<u32>)> {
        let rows = self.standstill(&self.names()).waits(&[]);
        let line = |wait: &Wait| (wait.waits != "-").then_some(wait.line);
        rows.into_iter().map(|wait| (wait.process.clone(), line(&wait))).collect()
    }

    fn problem(&self) -> Option<String> {
        let names = self.names();
        let failure = self.steps.last().and_then(|step| step.failures.last());
        let (rest, claim) = (self.rest(), claim_of(self.program, &self.rules));
        Ending { names: &names, failure, rest: rest.as_ref(), claim }.told(self.loaded)
    }

    fn waits(&self) -> Option<Vec<Wait>> {
        let stuck = match self.rest()? {
            Rest::InvalidEnd(stuck) => stuck,
            _ => Vec::new(),
        };
        Some(self.standstill(&self.names()).waits(&stuck))
    }

    fn channels(&self) -> Vec<Channel> {
        view::channels(self.program, &self.rules, &self.names(), self.state())
    }
}
