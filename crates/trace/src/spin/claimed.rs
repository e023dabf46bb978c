//! The moves of a never claim along an infinite run: SPIN's trails have them before each step.
//!
//! The run is a lasso, so the claim beside it has finitely many places: a position of the run
//! and a location of the claim. A cycle through an accepting one is what is wrong with the run.
//! It may take several rounds of the cycle of the run.

use super::guide::{EdgeRun, Follower, Until};
use crate::{Mismatch, matches_step};
use base::Id;
use program::reference::{self, Mover, Rules, State, Step};
use program::{EdgeId, LocationId, ProctypeId, Program};
use promela::Listing;
use std::collections::{BTreeMap, VecDeque};

/// Executes an infinite run together with a never claim that accepts it, edge by edge, counting
/// processes as SPIN does. `rules` are those without a claim; the steps from `cycle` on repeat.
/// None if the claim does not accept it under SPIN's rules.
pub fn with_claim(
    program: &Program,
    listing: &Listing,
    (rules, claim): (Rules, ProctypeId),
    trail: &[system::Step],
    cycle: usize,
) -> Option<EdgeRun> {
    let lasso = Lasso::new(program, &rules, trail, cycle).ok()?;
    let watched = Rules { claim: Some(claim), spin_counts: true, ..rules };
    let product = Product { program, rules: watched, claim, lasso: &lasso };
    let (prefix, round) = product.accepting_run()?;
    let mut follower = Follower::new(program, listing, watched).ok()?;
    for (index, (place, edge)) in prefix.iter().chain(&round).enumerate() {
        if index == prefix.len() {
            follower.run.cycle = Some(follower.run.steps.len());
        }
        follower.take(Mover::Claim, |made| made.edge == *edge)?;
        if let Some(step) = lasso.steps.get(place.position) {
            follower.take_step(step, Until::End)?;
        }
    }
    let first =
        follower.run.cycle.map(|cycle| follower.run.state_at(cycle) == follower.run.state());
    first.unwrap_or(false).then_some(follower.run)
}

/// A run: its states, one more than steps, and where its cycle begins.
struct Lasso {
    states: Vec<State>,
    steps: Vec<Step>,
    cycle: usize,
}

impl Lasso {
    fn new(
        program: &Program,
        rules: &Rules,
        trail: &[system::Step],
        cycle: usize,
    ) -> Result<Self, Mismatch> {
        let initial = reference::initial(program, rules).map_err(|_| Mismatch::cannot(0))?;
        let (mut states, mut steps) = (vec![initial], Vec::new());
        for (index, wanted) in trail.iter().enumerate() {
            let step = reference::steps(program, rules, &states[index]);
            let step = step.into_iter().nth(wanted.choice as usize);
            let step = step.filter(|step| matches_step(step, wanted));
            let step = step.ok_or_else(|| Mismatch::cannot(index + 1))?;
            states.push(step.state.clone());
            steps.push(step);
        }
        Ok(Self { states, steps, cycle })
    }

    /// The position behind one; a run that stops stays at its last.
    fn next(&self, position: usize) -> usize {
        match position + 1 {
            next if next < self.steps.len() => next,
            next if next == self.steps.len() && self.cycle < next => self.cycle,
            _ => self.steps.len(),
        }
    }
}

/// The run at a position, the claim at a location, before the claim moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    position: usize,
    location: usize,
}

/// Moves of the claim, each with the place it leaves.
type Way = Vec<(Place, EdgeId)>;

struct Product<'a> {
    program: &'a Program,
    rules: Rules,
    claim: ProctypeId,
    lasso: &'a Lasso,
}

impl Product<'_> {
    /// A way to an accepting place within the cycle of the run, and one from there to itself.
    fn accepting_run(&self) -> Option<(Way, Way)> {
        let claim = &self.program.proctypes[self.claim];
        let start = Place { position: 0, location: claim.start.index() };
        let from_start = self.reach(start);
        let accepts = |place: &&Place| {
            let location = LocationId::new(place.location);
            place.position >= self.lasso.cycle && claim.locations[location].marks.accept
        };
        let known = from_start.keys().copied().chain([start]).collect::<Vec<_>>();
        known.iter().filter(accepts).find_map(|place| {
            let round = way(&self.reach(*place), *place, *place)?;
            let prefix =
                if *place == start { Vec::new() } else { way(&from_start, start, *place)? };
            Some((prefix, round))
        })
    }

    /// Every place behind `start`, with the move that came to it first.
    fn reach(&self, start: Place) -> BTreeMap<Place, (Place, EdgeId)> {
        let mut found = BTreeMap::new();
        let mut waiting = VecDeque::from([start]);
        while let Some(place) = waiting.pop_front() {
            for (edge, next) in self.moves(place) {
                found.entry(next).or_insert_with(|| {
                    waiting.push_back(next);
                    (place, edge)
                });
            }
        }
        found
    }

    /// What the claim can do at a place.
    fn moves(&self, place: Place) -> Vec<(EdgeId, Place)> {
        let Some(state) = self.state(place) else { return Vec::new() };
        let (program, rules) = (self.program, &self.rules);
        let mut processes = (0..state.processes.len()).map(Mover::Process);
        let late = processes
            .all(|process| reference::moves(program, rules, &state, process, false).is_empty());
        let position = self.lasso.next(place.position);
        let moves = reference::moves(program, rules, &state, Mover::Claim, late).into_iter();
        let going = moves.filter(|made| made.failures.is_empty());
        going
            .filter_map(|made| {
                let location = made.state.claim?.location.index();
                Some((made.edge, Place { position, location }))
            })
            .collect()
    }

    /// The state at a place.
    fn state(&self, place: Place) -> Option<State> {
        let initial = reference::initial(self.program, &self.rules).ok()?;
        let mut claim = initial.claim?;
        claim.location = LocationId::new(place.location);
        Some(State { claim: Some(claim), ..self.lasso.states[place.position].clone() })
    }
}

/// The moves from `start` to `end`, at least one.
fn way(found: &BTreeMap<Place, (Place, EdgeId)>, start: Place, end: Place) -> Option<Way> {
    let mut moves = Vec::new();
    let mut at = end;
    loop {
        let (from, edge) = *found.get(&at)?;
        moves.push((from, edge));
        at = from;
        if at == start {
            moves.reverse();
            return Some(moves);
        }
    }
}
