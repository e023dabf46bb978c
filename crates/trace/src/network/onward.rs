//! The reports of 1985: a violating run followed on to where it
//! comes to rest. The assertion has spoken; from there the protocol alone runs
//! on, by the shortest way to a world where nothing can move.

use automata::Network;
use automata::reference::{self, Move, Outcome, World};
use std::collections::{HashMap, VecDeque};

/// How many worlds may be looked at before giving up.
const WORLDS_MAX: usize = 20_000;

/// The moves from `start` to the nearest world where nothing can move; none if
/// the protocol runs for ever, or too long. `network` comes without observers.
pub(super) fn to_rest(network: &Network, start: &World) -> Vec<Move> {
    let mut came_by: HashMap<World, Option<(World, Move)>> = HashMap::new();
    came_by.insert(start.clone(), None);
    let mut waiting = VecDeque::from([start.clone()]);
    while let Some(world) = waiting.pop_front() {
        let moves = reference::moves(network, &world);
        if moves.is_empty() {
            return way_back(&came_by, world);
        }
        for step in moves {
            if let Outcome::World(next) = reference::apply(network, &world, step)
                && came_by.len() < WORLDS_MAX
                && !came_by.contains_key(&next)
            {
                came_by.insert(next.clone(), Some((world.clone(), step)));
                waiting.push_back(next);
            }
        }
    }
    Vec::new()
}

fn way_back(came_by: &HashMap<World, Option<(World, Move)>>, mut world: World) -> Vec<Move> {
    let mut moves = Vec::new();
    while let Some(Some((before, step))) = came_by.get(&world) {
        moves.push(*step);
        world = before.clone();
    }
    moves.reverse();
    moves
}
