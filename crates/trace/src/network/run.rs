//! A run of a network in progress, on the un-minimised machines.

use super::explain::explain;
use super::onward;
use super::recorder::{Recorder, snapshot};
use super::statement;
use super::wait::{blocked_because, waits};
use crate::run::STEPS_PER_QUESTION;
use crate::{
    Channel, Choice, Event, Explanation, Kind, Lasts, Location, Mismatch, Run, RunRules, Scenario,
    Snapshot, Wait, location,
};
use automata::reference::{self, Move, Outcome, Rest, World};
use automata::{Edge, EdgeId, MachineId, Network, ObserverId};
use base::{Id, IdVec, SourceMap, StatePredicate};
use model::Predicate;
use std::borrow::Cow;
use system::{Step, StepKind};

/// How a run of a network ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It could go on.
    Running,
    /// Nothing can move.
    Blocked(Rest),
    /// The last step violates this assertion.
    Violation(ObserverId),
    /// The last step divides by zero.
    DivisionByZero,
}

/// A run of a network in progress. Trails come from a search of minimised machines: each of
/// their edges stands for some of the un-minimised ones.
pub struct NetworkRun<'a> {
    raw: &'a Network,
    /// The same, without assertions once one has failed and the run goes on.
    network: Cow<'a, Network>,
    searched: &'a Network,
    /// It is a run of the network that has no assertions.
    unwatched: bool,
    sources: &'a SourceMap,
    predicates: &'a [StatePredicate<Predicate>],
    worlds: Vec<World>,
    moves: Vec<Move>,
    /// Set while the last step is an error no step may follow.
    failed: Option<Ending>,
    /// The step that violated an assertion, and what was to be said of it, in a run that
    /// went on behind it.
    violation: Option<(usize, Option<Explanation>)>,
}

impl<'a> NetworkRun<'a> {
    /// A run of `raw` at its start; `searched` is what trails are found on.
    pub fn new(raw: &'a Network, searched: &'a Network, sources: &'a SourceMap) -> Self {
        Self {
            raw,
            network: Cow::Borrowed(raw),
            searched,
            unwatched: false,
            sources,
            predicates: &[],
            worlds: vec![reference::initial(raw)],
            moves: Vec::new(),
            failed: None,
            violation: None,
        }
    }

    /// A run of a network without assertions, of which trails are found on itself.
    pub fn unwatched(network: &'a Network, sources: &'a SourceMap) -> Self {
        let unwatched = true;
        Self { unwatched, ..Self::new(network, network, sources) }
    }

    /// With predicates that can be asked about.
    #[must_use]
    pub fn with_predicates(self, predicates: &'a [StatePredicate<Predicate>]) -> Self {
        Self { predicates, ..self }
    }

    /// How the run stands: running, blocked or failed.
    pub fn ending(&self) -> Ending {
        self.failed.unwrap_or_else(|| match self.moves_now().is_empty() {
            true => Ending::Blocked(reference::rest(&self.network, self.world())),
            false => Ending::Running,
        })
    }

    fn world(&self) -> &World {
        self.worlds.last().expect("the initial world is never taken back")
    }

    fn moves_now(&self) -> Vec<Move> {
        match self.failed {
            None => reference::moves(&self.network, self.world()),
            Some(_) => Vec::new(),
        }
    }

    fn edge(&self, step: Move) -> &Edge {
        &self.network.machines[step.machine].edges[step.edge]
    }

    fn restart(&mut self) {
        let (unwatched, predicates) = (self.unwatched, self.predicates);
        *self = Self { unwatched, predicates, ..Self::new(self.raw, self.searched, self.sources) };
    }

    fn make(&mut self, step: Move) {
        let world = match reference::apply(&self.network, self.world(), step) {
            Outcome::World(next) => next,
            Outcome::Violation(observer, next) => {
                self.failed = Some(Ending::Violation(observer));
                next
            }
            Outcome::DivisionByZero => {
                self.failed = Some(Ending::DivisionByZero);
                self.world().clone()
            }
        };
        self.moves.push(step);
        self.worlds.push(world);
    }

    /// The executable move of the un-minimised machine that a searched edge stands
    /// for. Strong equivalence promises that there is one.
    fn original(&self, step: &Step) -> Option<Move> {
        let machine = MachineId::new(step.agent as usize);
        let edge = self.searched.machines.get(machine)?;
        let edge = edge.edges.get(EdgeId::new(step.edge as usize))?;
        let mut moves = self.moves_now().into_iter();
        moves.find(|m| m.machine == machine && edge.originals.contains(&m.edge))
    }

    /// Takes the choice a saved event stands for; says whether there is one.
    fn take_event(&mut self, event: &Event) -> bool {
        let fits = |step: &Move| {
            let machine = &self.network.machines[step.machine];
            let edge = &machine.edges[step.edge];
            *machine.name == *event.process
                && machine.node(edge.from) == event.from
                && (machine.node(edge.to) == event.to || event.violates)
                && statement(&self.network, edge, self.sources) == event.action
        };
        let found = self.moves_now().into_iter().find(fits);
        found.is_some_and(|step| {
            self.make(step);
            true
        })
    }

    /// Goes on without assertions, past a violation that is reported.
    fn unwatch(&mut self) {
        self.violation = Some((self.moves.len() - 1, self.explained()));
        self.failed = None;
        self.network.to_mut().observers = IdVec::new();
        for world in &mut self.worlds {
            world.seen = IdVec::new();
        }
    }

    fn explained(&self) -> Option<Explanation> {
        let before = &self.worlds[self.worlds.len().saturating_sub(2)];
        let last = [before, self.world()];
        explain(&self.network, &self.moves, last, self.ending(), self.sources)
    }
}

impl Run for NetworkRun<'_> {
    fn steps(&self) -> usize {
        self.moves.len()
    }

    fn choices(&self) -> Vec<Choice> {
        let choice = |step: Move| Choice {
            process: self.network.machines[step.machine].name.to_string(),
            action: statement(&self.network, self.edge(step), self.sources),
            line: self.sources.line(self.edge(step).span),
            blocked: None,
        };
        self.moves_now().into_iter().map(choice).collect()
    }

    fn blocked(&self) -> Vec<Choice> {
        let now = self.moves_now();
        let world = self.world();
        let stuck = self.network.machines.iter_ids().filter(|(id, machine)| {
            world.at[*id] != machine.end && now.iter().all(|step| step.machine != *id)
        });
        stuck
            .map(|(id, machine)| {
                let edges: Vec<&Edge> =
                    machine.edges_from(world.at[id]).map(|(_, edge)| edge).collect();
                let texts = edges.iter().map(|edge| statement(&self.network, edge, self.sources));
                Choice {
                    process: machine.name.to_string(),
                    action: texts.collect::<Vec<_>>().join(", "),
                    line: edges.first().map_or(0, |edge| self.sources.line(edge.span)),
                    blocked: Some(blocked_because(&self.network, world, id)),
                }
            })
            .collect()
    }

    fn take(&mut self, index: usize) -> bool {
        let step = self.moves_now().get(index).copied();
        step.map(|step| self.make(step)).is_some()
    }

    fn back(&mut self) -> bool {
        self.failed = None;
        self.worlds.truncate(self.worlds.len().max(2) - 1);
        self.moves.pop().is_some()
    }

    fn follow_while(&mut self, trail: &[Step], lasts: Lasts<'_>) -> Result<(), Mismatch> {
        self.restart();
        for (index, step) in trail.iter().enumerate() {
            if index.is_multiple_of(STEPS_PER_QUESTION) && !lasts() {
                return Err(Mismatch::late(index + 1));
            }
            if self.failed.is_some() {
                return Err(Mismatch::new(index + 1, "the run ended before this step"));
            }
            let step = self.original(step).ok_or_else(|| Mismatch::cannot(index + 1))?;
            self.make(step);
        }
        Ok(())
    }

    fn retrace(&mut self, scenario: &Scenario, _choices: &[u32]) -> Result<(), Mismatch> {
        self.restart();
        let violating = scenario.trace.iter().position(|event| event.violates);
        for (index, event) in scenario.trace.iter().enumerate() {
            if index > 0 && violating == Some(index - 1) {
                self.unwatch();
            }
            if !self.take_event(event) {
                let step = format!("{} of {}", event.action, event.process);
                return Err(Mismatch::new(index + 1, &step));
            }
        }
        Ok(())
    }

    /// By the shortest way to a world where nothing can move, as the reports of 1985 do.
    fn go_to_end(&mut self) {
        if matches!(self.failed, Some(Ending::Violation(_))) {
            self.unwatch();
            let onward = onward::to_rest(&self.network, self.world());
            onward.into_iter().for_each(|step| self.make(step));
        }
    }

    fn told_while(&self, lasts: Lasts<'_>) -> Option<(Scenario, Vec<usize>)> {
        let mut recorder = Recorder::new(&self.network, self.sources);
        let failed = self.failed.map(|_| self.moves.len() - 1);
        let violating = self.violation.as_ref().map(|(step, _)| *step).or(failed);
        for (index, step) in self.moves.iter().enumerate() {
            if index.is_multiple_of(STEPS_PER_QUESTION) && !lasts() {
                return None;
            }
            let violates = violating == Some(index);
            recorder.record(*step, &self.worlds[index], &self.worlds[index + 1], violates);
        }
        Some((recorder.finish(), vec![1; self.moves.len()]))
    }

    fn snapshot(&self) -> Snapshot {
        snapshot(&self.network, self.world())
    }

    fn lines(&self) -> Vec<(String, Option<u32>)> {
        let machines = self.network.machines.iter_ids();
        machines
            .map(|(id, machine)| {
                let at = self.world().at[id];
                let span = machine.states[at].span.filter(|_| at != machine.end);
                (machine.name.to_string(), span.map(|span| self.sources.line(span)))
            })
            .collect()
    }

    fn holds(&self, predicate: usize) -> Option<bool> {
        let predicate = self.predicates.get(predicate)?;
        reference::holds(&self.network, self.world(), &predicate.holds).ok()
    }

    fn endings(&self) -> Vec<Explanation> {
        let ending = match &self.violation {
            Some((_, explanation)) => explanation.clone(),
            None => self.explained(),
        };
        ending.into_iter().collect()
    }

    fn waits(&self) -> Option<Vec<Wait>> {
        match self.ending() {
            Ending::Blocked(rest) if self.violation.is_none() => {
                Some(waits(&self.network, self.world(), rest, self.sources))
            }
            _ => None,
        }
    }

    fn leftovers(&self) -> Option<(String, Location)> {
        let left = self.explained().filter(|left| left.requirement.kind == Kind::Residual)?;
        Some((left.message, location(self.sources, Some(left.span?))))
    }

    fn channels(&self) -> Vec<Channel> {
        super::channels(&self.network)
    }

    /// Events alone say which step was taken.
    fn taken(&self) -> Vec<u32> {
        Vec::new()
    }

    fn path(&self) -> Vec<u32> {
        let place = |(world, step): (&World, &Move)| {
            let moves = reference::moves(&self.network, world);
            moves.iter().position(|it| it == step).unwrap_or_default() as u32
        };
        self.worlds.iter().zip(&self.moves).map(place).collect()
    }

    fn trail(&self) -> Vec<Step> {
        let step = |step: &Move| {
            let (agent, edge) = (step.machine.index() as u32, step.edge.index() as u32);
            Step::new(agent, edge, StepKind::Internal)
        };
        self.moves.iter().map(step).collect()
    }

    fn identity(&self) -> String {
        format!("{:?} {:?}", self.world(), self.failed)
    }

    /// The options say the rest.
    fn rules(&self) -> RunRules {
        RunRules { without_assertions: self.unwatched, ..RunRules::default() }
    }
}
