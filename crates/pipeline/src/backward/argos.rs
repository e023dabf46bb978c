//! What is special about an Argos model that is executed backwards.

use super::forward::Aimed;
use crate::decide::{Decided, Found, Length, Requirement, Run};
use crate::host::Timed;
use crate::{Loaded, Networks, Options};
use ::backward::{Decision, Motion, Net, Suspect, Target, Verdict, of_network, of_world, suspects};
use automata::reference::{self, Move, World};
use automata::{EdgeId, MachineId, Network};
use engine::{Compiled, Order};
use model::Model;
use search::{Outcome, Plan};
use trace::Scenario;

/// A model and its net.
pub(super) struct Described {
    pub(super) networks: Networks,
    pub(super) net: Net,
}

impl Described {
    pub(super) fn new(model: &Model, options: &Options) -> Self {
        // Assertions play no part in this.
        let networks = Networks::new(model, options).keeping(&[]);
        let net = of_network(&networks.searched);
        Self { networks, net }
    }

    /// Whether a run found backwards leads, forwards, into what it was found for.
    pub(super) fn confirmed(&self, decision: &Decision, target: Option<&Target>) -> bool {
        let network = &self.networks.searched;
        executed(network, &decision.trail).is_some_and(|world| match target {
            Some(target) => target.holds(&of_world(&world)),
            None => {
                reference::moves(network, &world).is_empty()
                    && suspects(&self.net, &of_world(&world)).contains(&decision.suspect)
            }
        })
    }

    /// The run to a reachable candidate, executed again and told.
    pub(super) fn scenario(&self, decision: &Decision, loaded: &Loaded) -> Option<Scenario> {
        let Networks { raw, searched } = &self.networks;
        let replayed = trace::replay(raw, searched, &edges(&decision.trail), &loaded.sources);
        replayed.ok().map(|replayed| replayed.scenario)
    }

    /// The errors as the rest of the pipeline knows them.
    pub(super) fn decided(&self, decisions: &[Decision], forward: &Outcome) -> Decided {
        let reachable = decisions.iter().filter(|d| d.verdict == Verdict::Reachable);
        let found = reachable.filter_map(|decision| {
            let requirement = requirement(&decision.suspect)?;
            let trail = edges(&decision.trail);
            Some(Found { requirement, trail, length: Length::Shortest, run: 0 })
        });
        let found: Vec<Found> = found.collect();
        let run = Run {
            networks: self.networks.clone(),
            watching: Vec::new(),
            outcome: forward.clone(),
            name: "breadth first".to_owned(),
            before: Vec::new(),
        };
        Decided { runs: vec![run], shown: found.len(), found, ..Decided::default() }
    }

    /// The forward search of the same question.
    pub(super) fn search(
        &self,
        target: Option<&Target>,
        plan: &Plan,
        watch: &mut Timed<'_>,
    ) -> Outcome {
        let system = Compiled::new(&self.networks.searched, Order::Declared);
        let outcome = match target {
            None => search::run(&system, &mut [], plan, watch),
            Some(target) => search::run(&Aimed { system, target }, &mut [], plan, watch),
        };
        outcome.expect("breadth first needs no capability")
    }
}

fn edges(trail: &[Motion]) -> Vec<(MachineId, EdgeId)> {
    trail.iter().map(|motion| (motion.machine, motion.edge)).collect()
}

fn executed(network: &Network, trail: &[Motion]) -> Option<World> {
    trail.iter().try_fold(reference::initial(network), |world, motion| {
        let step = Move { machine: motion.machine, edge: motion.edge };
        let possible = reference::moves(network, &world).contains(&step);
        match reference::apply(network, &world, step) {
            reference::Outcome::World(next) if possible => Some(next),
            _ => None,
        }
    })
}

/// What fails if a candidate is reachable; nothing for a target.
fn requirement(suspect: &Suspect) -> Option<Requirement> {
    match suspect {
        Suspect::Deadlock(_) => Some(Requirement::Deadlock),
        Suspect::Reception(..) | Suspect::Unread(..) => Some(Requirement::UnspecifiedReception),
        Suspect::BlockedSend(..) => Some(Requirement::BlockedSend),
        Suspect::Target => None,
    }
}
