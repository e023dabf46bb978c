//! The oracle: breadth first over whole worlds, by the reference interpreter,
//! with nothing but a hash map. Short enough to be believed.

use automata::reference::{self, Move, Outcome, World};
use automata::{Network, ObserverId};
use base::Id;
use search::FindingKind;
use std::collections::{HashMap, HashSet};
use system::{Blocked, StepOutcome};
use testkit::naive;

/// What there is to know about a state space.
#[derive(Default)]
pub(crate) struct Naive {
    /// Every world with its distance from the initial one and whether it moves.
    pub(crate) worlds: HashMap<World, (usize, bool)>,
    pub(crate) edges: usize,
    pub(crate) errors: Vec<Failure>,
    pub(crate) residuals: usize,
}

/// A world at rest, or a world and the step out of it that ends in an error.
pub(crate) struct Failure {
    pub(crate) kind: FindingKind,
    pub(crate) world: World,
    pub(crate) step: Option<Move>,
    pub(crate) distance: usize,
}

/// The whole state space, or nothing if it has more worlds than `most`.
pub(crate) fn search(network: &Network, most: usize) -> Option<Naive> {
    let mut naive = Naive::default();
    let mut moving = HashSet::new();
    let distances = naive::search(reference::initial(network), most, |world, distance| {
        let moves = reference::moves(network, world);
        if moves.is_empty() {
            naive.blocked(network, world, distance);
        } else {
            moving.insert(world.clone());
        }
        naive.edges += moves.len();
        moves
            .into_iter()
            .filter_map(|step| naive.after(network, world, step, distance))
            .collect::<Vec<_>>()
    })?;
    let worlds = distances.into_iter();
    naive.worlds = worlds
        .map(|(world, at)| {
            let moves = moving.contains(&world);
            (world, (at, moves))
        })
        .collect();
    Some(naive)
}

impl Naive {
    fn blocked(&mut self, network: &Network, world: &World, distance: usize) {
        match rest(reference::rest(network, world)) {
            Blocked::ProperEnd => {}
            Blocked::Residual => self.residuals += 1,
            other => {
                let kind = FindingKind::Blocked(other);
                self.errors.push(Failure { kind, world: world.clone(), step: None, distance });
            }
        }
    }

    /// The world behind a step, unless it ends in an error.
    fn after(
        &mut self,
        network: &Network,
        world: &World,
        step: Move,
        distance: usize,
    ) -> Option<World> {
        let landing = match reference::apply(network, world, step) {
            Outcome::World(next) => return Some(next),
            Outcome::Violation(observer, _) => StepOutcome::Violation(number(observer)),
            Outcome::DivisionByZero => StepOutcome::Fault,
        };
        let kind = FindingKind::Step(landing);
        let (step, distance) = (Some(step), distance + 1);
        self.errors.push(Failure { kind, world: world.clone(), step, distance });
        None
    }
}

fn number(observer: ObserverId) -> u32 {
    observer.index() as u32
}

/// The same judgement in the words of a search.
pub(crate) fn rest(rest: reference::Rest) -> Blocked {
    match rest {
        reference::Rest::Proper => Blocked::ProperEnd,
        reference::Rest::Residual => Blocked::Residual,
        reference::Rest::Violation(observer) => Blocked::Violation(number(observer)),
        reference::Rest::BlockedSend => Blocked::BlockedSend,
        reference::Rest::UnspecifiedReception => Blocked::UnspecifiedReception,
        reference::Rest::Deadlock => Blocked::Deadlock,
    }
}
