//! The steps by which states were discovered, found by asking the system again from the
//! initial state on. Trails to many errors have most of their steps in common: those are
//! found once.

use crate::log::{Log, Way, origin};
use crate::waves::tag_of;
use crate::worker::unnamed;
use std::collections::HashMap;
use system::{Step, Successors, System, Unlimited, Word};

/// So many words are remembered of states, or forgotten all at once.
const WORDS_MAX: usize = 1 << 20;
/// What an anchor takes beside the words of its state, roughly.
const WORDS_PER_ANCHOR: usize = 64;

/// The steps found so far.
#[derive(Debug)]
pub(crate) struct Trails {
    /// First-step sleep sets were applied.
    sleeps: bool,
    /// Anchors by their numbers.
    ///
    /// INVARIANT: if one is known, so are those on the way to it.
    known: HashMap<u64, Known>,
    words: usize,
    /// The successors of a state as the search saw them, and with their names.
    seen: Successors,
    named: Successors,
}

/// An anchor: the one before it, and the steps from there.
#[derive(Clone, Debug)]
struct Known {
    before: u64,
    steps: Vec<Step>,
    state: Reached,
}

/// A state, and the tag of the step by which it was discovered.
#[derive(Clone, Debug)]
struct Reached {
    words: Box<[Word]>,
    tag: u16,
}

/// A part of a trail: from an anchor by these places to another one, or to the end.
struct Segment {
    from: u64,
    places: Vec<usize>,
    to: Option<u64>,
}

impl Trails {
    pub(crate) fn new(system: &dyn System, sleeps: bool) -> Self {
        let (seen, named) = (unnamed(system), Successors::new(system.width()));
        Self { sleeps, known: HashMap::new(), words: 0, seen, named }
    }

    /// The steps from the initial state to the one discovered in this way.
    pub(crate) fn of(&mut self, system: &dyn System, logs: &[&Log], way: Way) -> Vec<Step> {
        if self.words > WORDS_MAX {
            self.known.clear();
            self.words = 0;
        }
        let segments = self.unknown(logs, way);
        let from = segments.last().map_or(0, |segment| segment.from);
        let mut steps = self.steps_to(from);
        let mut state = self.known.get(&from).map(|known| known.state.clone());
        for Segment { from, places, to } in segments.into_iter().rev() {
            let before = steps.len();
            for place in places {
                state = match state {
                    None => Some(initial(system)),
                    Some(state) => {
                        let next = self.successor(system, &state, place);
                        debug_assert!(next.is_some(), "a state is a successor of its parent");
                        let Some((step, next)) = next else { return steps };
                        steps.push(step);
                        Some(next)
                    }
                };
            }
            if let (Some(anchor), Some(state)) = (to, &state) {
                self.words += state.words.len() + WORDS_PER_ANCHOR;
                let (steps, state) = (steps[before..].to_vec(), state.clone());
                self.known.insert(anchor, Known { before: from, steps, state });
            }
        }
        steps
    }

    /// The parts of the way from an anchor that is known on, the last one first.
    fn unknown(&self, logs: &[&Log], mut way: Way) -> Vec<Segment> {
        let last = Segment { from: way.anchor, places: way.places().collect(), to: None };
        let mut segments = vec![last];
        while way.anchor > 0 && !self.known.contains_key(&way.anchor) {
            let (to, (before, place)) = (way.anchor, origin(logs, way.anchor));
            let places = before.places().chain([place]).collect();
            segments.push(Segment { from: before.anchor, places, to: Some(to) });
            way = before;
        }
        segments
    }

    /// The steps to an anchor that is known, or that before the initial state.
    fn steps_to(&self, mut anchor: u64) -> Vec<Step> {
        let mut segments = Vec::new();
        while let Some(known) = self.known.get(&anchor) {
            segments.push(&known.steps);
            anchor = known.before;
        }
        segments.into_iter().rev().flatten().copied().collect()
    }

    /// The successor at this place. It was discovered by the first step that leads to exactly
    /// its words.
    fn successor(
        &mut self,
        system: &dyn System,
        state: &Reached,
        place: usize,
    ) -> Option<(Step, Reached)> {
        let Self { seen, named, .. } = self;
        seen.clear();
        if self.sleeps {
            seen.set_after(u32::from(state.tag));
        }
        system.successors(&state.words, seen, &mut Unlimited);
        seen.keep_entering();
        let width = state.words.len();
        let words = seen.states().get(place * width..(place + 1) * width)?;
        named.clear();
        system.successors(&state.words, named, &mut Unlimited);
        let mut ways = named.iter().filter(|way| way.1.enters());
        let (step, _, _) = ways.find(|(_, _, found)| *found == words)?;
        Some((step, Reached { words: words.into(), tag: tag_of(seen, place) }))
    }
}

fn initial(system: &dyn System) -> Reached {
    let mut words = vec![0; system.width()];
    system.initial(&mut words);
    Reached { words: words.into(), tag: 0 }
}
