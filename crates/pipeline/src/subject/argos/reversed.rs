//! An Argos model executed backwards.

use super::{Argos, Networks};
use crate::Options;
use crate::subject::{Reversible, Subject, no_target};
use ::backward::{
    Decision, Motion, Net, NoTarget, Suspect, Target, of_network, of_world, suspects,
};
use automata::reference::{self, Move, World};
use base::{Diagnostic, Id, Purpose};
use engine::{Order, Readable, ReferenceNetwork, Rooms};
use model::Model;
use search::{Outcome, Plan, Watch, Why};
use system::{Blocked, Budget, Step, StepKind, StepOutcome, Successors, System, Word};
use trace::{Kind, Requirement};

/// A model and its net.
pub(super) struct Reversed {
    argos: Argos,
    net: Net,
}

impl Reversed {
    pub(super) fn new(model: &Model, options: &Options) -> Self {
        let argos = Argos::new(model.clone(), options);
        // Assertions play no part in this.
        let networks = argos.networks().keeping(&[]);
        let net = of_network(&networks.searched);
        Self { argos: Argos { networks: networks.into(), ..argos }, net }
    }

    fn executed(&self, trail: &[Motion]) -> Option<World> {
        let Networks { searched, .. } = self.argos.networks();
        trail.iter().try_fold(reference::initial(searched), |world, motion| {
            let step = Move { machine: motion.machine, edge: motion.edge };
            let possible = reference::moves(searched, &world).contains(&step);
            match reference::apply(searched, &world, step) {
                reference::Outcome::World(next) if possible => Some(next),
                _ => None,
            }
        })
    }
}

impl Reversible for Reversed {
    fn subject(&self) -> &dyn Subject {
        &self.argos
    }

    fn net(&self) -> &Net {
        &self.net
    }

    fn target(&self) -> Option<Result<Target, Diagnostic>> {
        let mut predicates = self.argos.model().predicates.iter();
        let asked = predicates.find(|predicate| predicate.purpose == Purpose::Target)?;
        let target = Target::of_network(&self.net, &asked.holds, &asked.written);
        Some(target.map_err(|NoTarget { what, span }| no_target(what, span)))
    }

    fn trail(&self, decision: &Decision, target: Option<&Target>) -> Option<(Vec<Step>, bool)> {
        let searched = &self.argos.networks().searched;
        let leads = self.executed(&decision.trail).is_some_and(|world| match target {
            Some(target) => target.holds(&self.net, &of_world(&world)),
            None => {
                reference::moves(searched, &world).is_empty()
                    && suspects(&self.net, &of_world(&world)).contains(&decision.suspect)
            }
        });
        let step = |motion: &Motion| {
            let (agent, edge) = (motion.machine.index(), motion.edge.index());
            Step::new(agent as u32, edge as u32, StepKind::Internal)
        };
        Some((decision.trail.iter().map(step).collect(), leads))
    }

    fn requirement(&self, decision: &Decision) -> Option<Requirement> {
        match decision.suspect {
            Suspect::Deadlock(_) => Some(Kind::Deadlock.into()),
            Suspect::Reception(..) | Suspect::Unread(..) => Some(Kind::UnspecifiedReception.into()),
            Suspect::BlockedSend(..) => Some(Kind::BlockedSend.into()),
            Suspect::Target => None,
        }
    }

    fn seek(&self, target: &Target, plan: &Plan, watch: &mut dyn Watch) -> Option<Outcome> {
        let network = &self.argos.networks().searched;
        let mut rooms = Rooms::at_first(network);
        loop {
            let system = ReferenceNetwork::within(network, Order::Declared, &rooms);
            let targeted = Targeted { system, net: &self.net, target };
            let outcome = search::run(&targeted, &mut [], plan, watch).ok()?;
            let ends = |why: &Why| matches!(why, Why::Time | Why::Interrupted | Why::Memory);
            if !targeted.system.is_too_narrow() || outcome.why_incomplete.iter().any(ends) {
                return Some(outcome);
            }
            rooms = targeted.system.rooms();
        }
    }
}

/// The model as the reference interpreter executes it, in which a state of the target has
/// one step, which ends there.
struct Targeted<'a> {
    system: ReferenceNetwork<'a>,
    net: &'a Net,
    target: &'a Target,
}

impl System for Targeted<'_> {
    fn width(&self) -> usize {
        self.system.width()
    }

    fn initial(&self, words: &mut [Word]) {
        self.system.initial(words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        if self.target.holds(self.net, &of_world(&self.system.world(state))) {
            out.push(Step::new(0, 0, StepKind::Internal), state);
            out.set_outcome(StepOutcome::Violation(0));
            return true;
        }
        self.system.successors(state, out, budget)
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::ProperEnd
    }
}
