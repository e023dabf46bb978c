//! A run of an Argos model in progress, on the un-minimised machines.

use crate::{Choice, Networks, Play, SavedTrace, view};
use automata::reference::{self, Move, Outcome, World};
use automata::{Edge, Network};
use base::SourceMap;
use report::{Channel, RunRules};
use trace::{Ending, Event, Explanation, Recorder, Replayed, Scenario, Snapshot, Wait};

/// A run in progress.
pub struct Simulation {
    network: Network,
    sources: SourceMap,
    worlds: Vec<World>,
    moves: Vec<Move>,
    /// Set while the last step is an error no step may follow.
    failed: Option<Ending>,
}

impl Simulation {
    /// A run at its start.
    pub fn new(networks: &Networks, sources: &SourceMap) -> Self {
        let network = networks.raw.clone();
        let worlds = vec![reference::initial(&network)];
        Self { network, sources: sources.clone(), worlds, moves: Vec::new(), failed: None }
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

    fn choice(&self, step: Move) -> Choice {
        let machine = &self.network.machines[step.machine];
        let edge = &machine.edges[step.edge];
        Choice {
            process: machine.name.to_string(),
            action: trace::statement(&self.network, edge, &self.sources),
            line: self.sources.line(edge.span),
            blocked: None,
        }
    }

    /// Takes the choice a saved event stands for; says whether there is one.
    pub fn follow(&mut self, event: &Event) -> bool {
        let moves = self.moves_now();
        let fits = |step: &Move| {
            let machine = &self.network.machines[step.machine];
            let edge = &machine.edges[step.edge];
            *machine.name == *event.process
                && machine.node(edge.from) == event.from
                && (machine.node(edge.to) == event.to || event.violates)
                && self.text(*step) == event.action
        };
        moves.iter().position(fits).is_some_and(|index| self.take(index))
    }

    fn text(&self, step: Move) -> String {
        let edge = &self.network.machines[step.machine].edges[step.edge];
        trace::statement(&self.network, edge, &self.sources)
    }

    /// Goes on without assertions, past a violation that was reported.
    pub(crate) fn unwatch(&mut self) {
        self.failed = None;
        self.network.observers = base::IdVec::new();
        for world in &mut self.worlds {
            world.seen = base::IdVec::new();
        }
    }

    /// How the run stands: running, blocked or failed.
    pub fn ending(&self) -> Ending {
        self.failed.unwrap_or_else(|| trace::ending(&self.network, self.world()))
    }

    /// What is wrong, if something is.
    pub fn explain(&self) -> Option<Explanation> {
        let count = self.worlds.len();
        let before = self.worlds[count.saturating_sub(2)].clone();
        let replayed = Replayed {
            scenario: Scenario::default(),
            last: [before, self.world().clone()],
            moves: self.moves.clone(),
            ending: self.ending(),
        };
        trace::explain(&self.network, &replayed, &self.sources)
    }
}

impl Play for Simulation {
    fn steps(&self) -> usize {
        self.moves.len()
    }

    fn choices(&self) -> Vec<Choice> {
        self.moves_now().into_iter().map(|step| self.choice(step)).collect()
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
                let texts =
                    edges.iter().map(|edge| trace::statement(&self.network, edge, &self.sources));
                Choice {
                    process: machine.name.to_string(),
                    action: texts.collect::<Vec<_>>().join(", "),
                    line: edges.first().map_or(0, |edge| self.sources.line(edge.span)),
                    blocked: Some(trace::blocked_because(&self.network, world, id)),
                }
            })
            .collect()
    }

    fn take(&mut self, index: usize) -> bool {
        let Some(step) = self.moves_now().get(index).copied() else { return false };
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
        true
    }

    fn back(&mut self) -> bool {
        self.failed = None;
        self.worlds.truncate(self.worlds.len().max(2) - 1);
        self.moves.pop().is_some()
    }

    fn scenario(&self) -> Scenario {
        let mut recorder = Recorder::new(&self.network, &self.sources);
        for (index, step) in self.moves.iter().enumerate() {
            let last = index + 1 == self.moves.len();
            let failed = last && self.failed.is_some();
            recorder.record(*step, &self.worlds[index], &self.worlds[index + 1], failed);
        }
        recorder.finish()
    }

    fn snapshot(&self) -> Snapshot {
        trace::snapshot(&self.network, self.world())
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

    fn waits(&self) -> Option<Vec<Wait>> {
        match self.ending() {
            Ending::Blocked(rest) => {
                Some(trace::waits(&self.network, self.world(), rest, &self.sources))
            }
            _ => None,
        }
    }

    fn channels(&self) -> Vec<Channel> {
        view::channels(&self.network)
    }

    fn retrace(&mut self, saved: &SavedTrace) -> Result<(), String> {
        let events = saved.scenario(0).map_or(&[][..], |scenario| &scenario.trace);
        for (index, event) in events.iter().enumerate() {
            if !self.follow(event) {
                let Event { action, process, .. } = event;
                return Err(format!("step {}, {action} of {process}", index + 1));
            }
        }
        Ok(())
    }

    /// Events alone say which step was taken.
    fn taken(&self) -> Vec<u32> {
        Vec::new()
    }

    /// The options say it all.
    fn rules(&self) -> RunRules {
        RunRules::default()
    }

    fn problem(&self) -> Option<String> {
        self.explain().map(|explanation| explanation.message)
    }
}
