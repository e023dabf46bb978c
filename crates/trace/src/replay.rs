//! The honesty check: a trail found on minimised, compiled machines is executed
//! again by the reference interpreter on the un-minimised ones. If that fails,
//! the fault is ours and is said so; the trail is never shown as a finding.

use crate::{Recorder, Scenario};
use automata::reference::{self, Move, Outcome, Rest, World};
use automata::{EdgeId, MachineId, Network, ObserverId};
use base::SourceMap;
use std::fmt;

/// The steps of a run on the searched network.
pub type Trail = Vec<(MachineId, EdgeId)>;

/// How a run ends.
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

/// A run that was re-executed.
#[derive(Clone, PartialEq, Debug)]
pub struct Replayed {
    /// The run in the user's names.
    pub scenario: Scenario,
    /// The world before the last step, and after it.
    pub last: [World; 2],
    /// The moves of the un-minimised machines.
    pub moves: Vec<Move>,
    /// How it ends.
    pub ending: Ending,
}

/// A step of a trail that the reference interpreter cannot do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The number of the step, from 1.
    pub step: usize,
    /// What went wrong.
    pub reason: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.reason)
    }
}

/// Re-executes `trail`, found on `searched`, on the un-minimised `raw`.
pub fn replay(
    raw: &Network,
    searched: &Network,
    trail: &Trail,
    sources: &SourceMap,
) -> Result<Replayed, Mismatch> {
    let world = reference::initial(raw);
    let mut recorder = Recorder::new(raw, sources);
    let mut last = [world.clone(), world];
    let mut moves = Vec::new();
    let mut ending = Ending::Running;
    for (index, step) in trail.iter().enumerate() {
        let fail = |reason: &str| Mismatch { step: index + 1, reason: reason.to_owned() };
        if ending != Ending::Running {
            return Err(fail("the run ended before this step"));
        }
        let world = last[1].clone();
        let chosen = original(raw, searched, &world, *step)
            .ok_or_else(|| fail("the reference interpreter cannot take it"))?;
        let after = match reference::apply(raw, &world, chosen) {
            Outcome::World(after) => after,
            Outcome::Violation(observer, after) => {
                ending = Ending::Violation(observer);
                after
            }
            Outcome::DivisionByZero => {
                ending = Ending::DivisionByZero;
                world.clone()
            }
        };
        recorder.record(chosen, &world, &after, ending != Ending::Running);
        moves.push(chosen);
        last = [world, after];
    }
    if ending == Ending::Running {
        ending = self::ending(raw, &last[1]);
    }
    Ok(Replayed { scenario: recorder.finish(), last, moves, ending })
}

/// Whether a world can go on, and if not, how it rests.
pub fn ending(raw: &Network, world: &World) -> Ending {
    if reference::moves(raw, world).is_empty() {
        Ending::Blocked(reference::rest(raw, world))
    } else {
        Ending::Running
    }
}

/// The executable move of the un-minimised machine that the searched edge stands
/// for. Strong equivalence promises that there is one.
fn original(
    raw: &Network,
    searched: &Network,
    world: &World,
    (machine, edge): (MachineId, EdgeId),
) -> Option<Move> {
    let edge = searched.machines.get(machine)?.edges.get(edge)?;
    reference::moves(raw, world)
        .into_iter()
        .find(|m| m.machine == machine && edge.originals.contains(&m.edge))
}
