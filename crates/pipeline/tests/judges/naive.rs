//! The oracle: breadth first over whole worlds, by the reference interpreter,
//! with nothing but a hash map. Short enough to be believed.

use automata::reference::{self, Move, Outcome, World};
use automata::{Network, ObserverId};
use base::Id;
use search::FindingKind;
use std::collections::{HashMap, VecDeque};
use system::{Blocked, StepOutcome};

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
    let mut waiting = VecDeque::from([(reference::initial(network), 0)]);
    naive.worlds.insert(reference::initial(network), (0, false));
    while let Some((world, distance)) = waiting.pop_front() {
        let moves = reference::moves(network, &world);
        naive.edges += moves.len();
        naive.worlds.insert(world.clone(), (distance, !moves.is_empty()));
        let error = |kind, step, distance| Failure { kind, world: world.clone(), step, distance };
        if moves.is_empty() {
            match rest(reference::rest(network, &world)) {
                Blocked::ProperEnd => {}
                Blocked::Residual => naive.residuals += 1,
                other => naive.errors.push(error(FindingKind::Blocked(other), None, distance)),
            }
        }
        for step in moves {
            let landing = match reference::apply(network, &world, step) {
                Outcome::World(next) if naive.worlds.contains_key(&next) => continue,
                Outcome::World(next) => {
                    naive.worlds.insert(next.clone(), (distance + 1, false));
                    waiting.push_back((next, distance + 1));
                    continue;
                }
                Outcome::Violation(observer, _) => StepOutcome::Violation(number(observer)),
                Outcome::DivisionByZero => StepOutcome::Fault,
            };
            naive.errors.push(error(FindingKind::Step(landing), Some(step), distance + 1));
        }
        if naive.worlds.len() > most {
            return None;
        }
    }
    Some(naive)
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
