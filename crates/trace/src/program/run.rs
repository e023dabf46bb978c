//! A run of a program in progress.

use super::channels::channels;
use super::ending::{Ending, claim_of, initial_failure};
use super::names::Names;
use super::narrate::{Narrator, is_told, snapshot};
use super::others::Edges;
use super::statement;
use super::wait::Standstill;
use crate::run::STEPS_PER_QUESTION;
use crate::{
    Channel, Choice, Explanation, Lasts, Location, Mismatch, Reception, Run, RunRules, Scenario,
    Snapshot, Wait,
};
use base::{Id, SourceMap};
use indexmap::IndexSet;
use program::reference::{self, Failure, Micro, Rest, Rules, State, Step};
use program::{Edge, Program};
use std::cell::OnceCell;

/// A run of a program. What a trail has in common with the one before is not executed
/// twice: the errors of a deep search lie on one long path, or close to it.
pub struct ProgramRun<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    rules: Rules,
    /// It does not count as SPIN does though `--spin-counts` was asked for.
    ordinary: bool,
    /// Its program has no assertions, though the model has some.
    without_assertions: bool,
    initial: State,
    steps: Vec<Step>,
    /// Which choice each step was.
    taken: Vec<u32>,
    /// The names of whatever lives in its states, once asked for.
    names: OnceCell<Names>,
}

/// Stands behind the alternatives to a step when there are too many to find all.
const MORE: &str = "and others, too many to list";

/// The initial state, by rules with longer numbers where it needs them.
fn start(program: &Program, rules: Rules) -> Result<(Rules, State), Failure> {
    match reference::initial(program, &rules) {
        Err(failure) if failure.problem.is_overflow() && !rules.wide => {
            start(program, Rules { wide: true, ..rules })
        }
        initial => Ok((rules, initial?)),
    }
}

impl<'a> ProgramRun<'a> {
    /// A run at its start; `ordinary` says that it does not count as SPIN does though
    /// `--spin-counts` was asked for.
    ///
    /// # Errors
    /// The initial values of the program fail: it has no start.
    pub fn new(
        program: &'a Program,
        sources: &'a SourceMap,
        rules: Rules,
        ordinary: bool,
    ) -> Result<Self, Explanation> {
        let (rules, initial) =
            start(program, rules).map_err(|failure| initial_failure(sources, &failure))?;
        let (steps, taken, names) = (Vec::new(), Vec::new(), OnceCell::new());
        let without_assertions = false;
        Ok(Self {
            program,
            sources,
            rules,
            ordinary,
            without_assertions,
            initial,
            steps,
            taken,
            names,
        })
    }

    /// The same of a program whose assertions were taken out.
    #[must_use]
    pub fn without_assertions(self, without_assertions: bool) -> Self {
        Self { without_assertions, ..self }
    }

    /// Takes back what `choices` do not begin with, and goes on from there: all, or up to the
    /// step that cannot be taken.
    fn go(&mut self, choices: &[u32], lasts: Lasts<'_>) -> Result<(), Mismatch> {
        let shared = self.taken.iter().zip(choices).take_while(|(old, new)| old == new).count();
        self.taken.truncate(shared);
        self.steps.truncate(shared);
        self.names = OnceCell::new();
        for (index, choice) in choices.iter().enumerate().skip(shared) {
            if index.is_multiple_of(STEPS_PER_QUESTION) && !lasts() {
                return Err(Mismatch::late(index + 1));
            }
            if !self.take(*choice as usize) {
                return Err(Mismatch::cannot(index + 1));
            }
        }
        Ok(())
    }

    /// Begins again with longer numbers.
    fn widen(&mut self, choices: &[u32]) -> bool {
        let Ok((rules, initial)) = start(self.program, Rules { wide: true, ..self.rules }) else {
            return false;
        };
        (self.rules, self.initial) = (rules, initial);
        self.steps.clear();
        self.taken.clear();
        self.go(choices, &|| true).is_ok()
    }

    fn state(&self) -> &State {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }

    /// The last step failed, and nothing follows.
    fn is_over(&self) -> bool {
        self.steps.last().is_some_and(|step| step.ends)
    }

    fn moves(&self) -> Vec<Step> {
        match self.is_over() {
            true => Vec::new(),
            false => reference::steps(self.program, &self.rules, self.state()),
        }
    }

    fn names(&self) -> &Names {
        let states = self.steps.iter().map(|step| &step.state);
        let states = std::iter::once(&self.initial).chain(states);
        self.names.get_or_init(|| Names::new(self.program, states))
    }

    fn standstill(&self) -> Standstill<'_> {
        let (program, rules, names) = (self.program, &self.rules, self.names());
        Standstill { program, rules, names, state: self.state(), sources: self.sources }
    }

    /// The first edge of a step of a state, which names it.
    fn edge(&self, state: &State, step: &Step) -> Option<(usize, &'a Edge)> {
        let micro = step.micros.first()?;
        let proctype = state.processes.get(micro.pid)?.proctype;
        self.program.proctypes[proctype].edges.get(micro.edge).map(|edge| (micro.pid, edge))
    }

    /// What else could have been done in the state before a step, as `process: statement`: behind
    /// how many of its edges another step parts from it, and what that does there.
    fn others(&self, index: usize, edges: &mut u64) -> Vec<(usize, String)> {
        let before = index.checked_sub(1).map_or(&self.initial, |last| &self.steps[last].state);
        let budget = Edges::new(*edges);
        let moves = reference::steps_within(self.program, &self.rules, before, &budget);
        *edges -= budget.used();
        let chosen = &self.steps[index].micros;
        let parted = |other: &Step| {
            let mut pairs = chosen.iter().zip(&other.micros);
            let shared =
                pairs.position(|(a, b)| (a.pid, a.edge, a.peer) != (b.pid, b.edge, b.peer));
            let shared = shared?;
            Some((shared, self.micro_text(before, &other.micros[shared])?))
        };
        let others: IndexSet<(usize, String)> = moves.iter().filter_map(parted).collect();
        let more = budget.is_over().then(|| (0, MORE.to_owned()));
        others.into_iter().chain(more).collect()
    }

    fn micro_text(&self, before: &State, micro: &Micro) -> Option<String> {
        let process = before.processes.get(micro.pid).map(|process| process.proctype);
        let kind = &self.program.proctypes[process.or_else(|| self.names().proctype(micro.pid))?];
        let edge = kind.edges.get(micro.edge)?;
        Some(format!("{}: {}", self.names().process(micro.pid), statement(edge, self.sources)))
    }

    /// How many of the first edges of a step are events of the scenario.
    fn shown(&self, before: &State, micros: &[Micro], alone: bool) -> usize {
        let is_shown = |micro: &&Micro| {
            let process = before.processes.get(micro.pid).map(|process| process.proctype);
            let kind = process.or_else(|| self.names().proctype(micro.pid));
            kind.is_some_and(|kind| is_told(&self.program.proctypes[kind].edges[micro.edge], alone))
        };
        micros.iter().filter(is_shown).count()
    }

    fn choice(&self, state: &State, step: &Step) -> Choice {
        let more = if step.micros.len() > 1 { " ..." } else { "" };
        match self.edge(state, step) {
            None => {
                Choice { process: String::new(), action: String::new(), line: 0, blocked: None }
            }
            Some((pid, edge)) => Choice {
                process: self.names().process(pid),
                action: format!("{}{more}", statement(edge, self.sources)),
                line: self.sources.line(edge.span),
                blocked: None,
            },
        }
    }

    /// How a state in which nothing can move rests.
    fn rest(&self) -> Option<Rest> {
        if self.is_over() {
            return None;
        }
        let (program, rules) = (self.program, &self.rules);
        // Counting as SPIN does, a statement that only fails does not move anything.
        let moves = reference::steps(program, rules, self.state());
        let still = moves.iter().all(|step| rules.spin_counts && !step.is_transition());
        still.then(|| reference::at_rest(program, rules, self.state()))
    }

    fn stuck(&self) -> Option<Vec<usize>> {
        match self.rest()? {
            Rest::InvalidEnd(stuck) => Some(stuck),
            _ => None,
        }
    }
}

impl Run for ProgramRun<'_> {
    fn steps(&self) -> usize {
        self.steps.len()
    }

    fn choices(&self) -> Vec<Choice> {
        self.moves().iter().map(|step| self.choice(self.state(), step)).collect()
    }

    fn blocked(&self) -> Vec<Choice> {
        let moving: Vec<String> = self.choices().into_iter().map(|c| c.process).collect();
        let all: Vec<usize> = (0..self.state().processes.len()).collect();
        let waits = self.standstill().waits(&all);
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
        if self.is_over() {
            return false;
        }
        let step = reference::nth_step(self.program, &self.rules, self.state(), index);
        let Some(step) = step else { return false };
        let overflows = step.failures.iter().any(|failure| failure.problem.is_overflow());
        if overflows && !self.rules.wide {
            let choices = [&self.taken[..], &[index as u32]].concat();
            return self.widen(&choices);
        }
        self.steps.push(step);
        self.taken.push(index as u32);
        self.names = OnceCell::new();
        true
    }

    fn take_random(&mut self, random: u64) -> bool {
        let count = reference::step_count(self.program, &self.rules, self.state());
        let index = random.checked_rem(count as u64);
        index.is_some_and(|index| self.take(index as usize))
    }

    fn back(&mut self) -> bool {
        self.taken.pop();
        self.names = OnceCell::new();
        self.steps.pop().is_some()
    }

    /// Every step must be the one the search took.
    fn follow_while(&mut self, trail: &[system::Step], lasts: Lasts<'_>) -> Result<(), Mismatch> {
        let choices: Vec<u32> = trail.iter().map(|step| step.choice).collect();
        self.go(&choices, lasts)?;
        let mut pairs = self.steps.iter().zip(trail);
        let differs = pairs.position(|(step, wanted)| !matches_step(step, wanted));
        differs.map_or(Ok(()), |index| Err(Mismatch::cannot(index + 1)))
    }

    fn retrace(&mut self, _scenario: &Scenario, choices: &[u32]) -> Result<(), Mismatch> {
        self.go(choices, &|| true).map_err(|mismatch| Mismatch::new(mismatch.step, ""))
    }

    fn told_while(&self, lasts: Lasts<'_>) -> Option<(Scenario, Vec<usize>)> {
        let (program, rules, names) = (self.program, &self.rules, self.names());
        let mut narrator = Narrator::new(program, rules, self.sources, names, &self.initial);
        let mut before = &self.initial;
        for (index, step) in self.steps.iter().enumerate() {
            if index.is_multiple_of(STEPS_PER_QUESTION) && !lasts() {
                return None;
            }
            narrator.record(before, step);
            before = &step.state;
        }
        Some(narrator.finish())
    }

    fn tell_others(&self, scenario: &mut Scenario, edges: &mut u64) -> usize {
        let mut end: usize = self.events_of_steps().iter().sum();
        for (index, count) in self.events_of_steps().into_iter().enumerate().rev() {
            if *edges == 0 {
                return end;
            }
            end -= count;
            let step = &self.steps[index];
            // The moves of a claim come first, and are nobody's choice.
            let own = end + step.claim.len();
            let before = index.checked_sub(1).map_or(&self.initial, |last| &self.steps[last].state);
            for (shared, text) in self.others(index, edges) {
                let shown = self.shown(before, &step.micros[..shared], step.micros.len() == 1);
                let last = end + count.saturating_sub(1);
                if let Some(event) = scenario.trace.get_mut((own + shown).min(last)) {
                    event.others.push(text);
                }
            }
        }
        0
    }

    fn taken(&self) -> Vec<u32> {
        self.taken.clone()
    }

    fn trail(&self) -> Vec<system::Step> {
        let named = |(step, choice): (&Step, &u32)| {
            let first = step.micros.first();
            let (agent, edge) =
                first.map_or((0, 0), |micro| (micro.pid as u32, micro.edge.index() as u32));
            let named = system::Step::new(agent, edge, system::StepKind::Internal);
            system::Step { choice: *choice, ..named }
        };
        self.steps.iter().zip(&self.taken).map(named).collect()
    }

    fn identity(&self) -> String {
        format!("{:?} {}", self.state(), self.is_over())
    }

    fn rules(&self) -> RunRules {
        RunRules {
            claim: claim_of(self.program, &self.rules).map(|claim| claim.name.to_string()),
            wide: self.rules.wide,
            without_assertions: self.without_assertions,
            ordinary: self.ordinary,
        }
    }

    fn snapshot(&self) -> Snapshot {
        snapshot(self.program, self.names(), self.state())
    }

    fn lines(&self) -> Vec<(String, Option<u32>)> {
        let rows = self.standstill().waits(&[]);
        let line = |wait: &Wait| (wait.waits != "-").then_some(wait.line);
        rows.into_iter().map(|wait| (wait.process.clone(), line(&wait))).collect()
    }

    fn holds(&self, predicate: usize) -> Option<bool> {
        let predicate = self.program.predicates.get(predicate)?;
        reference::holds(self.program, &self.rules, self.state(), &predicate.holds).ok()
    }

    fn endings(&self) -> Vec<Explanation> {
        let failure = self.steps.last().and_then(|step| step.failures.last());
        let (standstill, rest) = (self.standstill(), self.rest());
        Ending { standstill: &standstill, failure, rest: rest.as_ref() }.explained()
    }

    fn waits(&self) -> Option<Vec<Wait>> {
        self.stuck().map(|stuck| self.standstill().waits(&stuck))
    }

    fn unspecified(&self) -> Vec<Reception> {
        self.stuck().map_or_else(Vec::new, |_| self.standstill().unspecified())
    }

    fn leftovers(&self) -> Option<(String, Location)> {
        Some((self.standstill().leftovers(), self.scenario().last_send(self.sources)))
    }

    fn channels(&self) -> Vec<Channel> {
        channels(self.program, &self.rules, self.names(), self.state())
    }
}

/// Whether a step is the one of a trail, which names the first edge of each; the choice says
/// which of those that begin with it.
pub fn matches_step(step: &Step, wanted: &system::Step) -> bool {
    step.micros.first().is_none_or(|micro| {
        micro.pid as u32 == wanted.agent && micro.edge.index() as u32 == wanted.edge
    })
}
