//! The steps by which states were discovered, found by asking the system again from the
//! initial state on. Trails to many errors have most of their steps in common: those are
//! found once.

use crate::log::{Log, origin};
use crate::waves::tag_of;
use crate::worker::unnamed;
use std::collections::HashMap;
use system::{Step, Successors, System, Unlimited, Word};

/// So many words are remembered of states, or forgotten all at once.
const WORDS_MAX: usize = 1 << 20;
/// What a state takes beside its own words, roughly.
const WORDS_PER_STATE: usize = 12;

/// The steps found so far.
#[derive(Debug)]
pub(crate) struct Trails {
    /// First-step sleep sets were applied.
    sleeps: bool,
    /// States by their numbers.
    ///
    /// INVARIANT: if a state is known, so are those it was discovered by; but for the initial
    /// one, which never is.
    known: HashMap<u64, Known>,
    words: usize,
    /// The successors of a state as the search saw them, and with their names.
    seen: Successors,
    named: Successors,
}

/// A state, and by which step it was discovered.
#[derive(Clone, Debug)]
struct Known {
    step: Step,
    tag: u16,
    state: Box<[Word]>,
}

impl Trails {
    pub(crate) fn new(system: &dyn System, sleeps: bool) -> Self {
        let (seen, named) = (unnamed(system), Successors::new(system.width()));
        Self { sleeps, known: HashMap::new(), words: 0, seen, named }
    }

    /// The steps from the initial state to the one of this number.
    pub(crate) fn of(&mut self, system: &dyn System, logs: &[&Log], number: u64) -> Vec<Step> {
        if self.words > WORDS_MAX {
            self.known.clear();
            self.words = 0;
        }
        let (mut unknown, mut at) = (Vec::new(), number);
        while at > 0 && !self.known.contains_key(&at) {
            unknown.push(at);
            at = origin(logs, at).0;
        }
        let mut steps = self.steps_to(logs, at);
        let mut state = vec![0; system.width()];
        let mut tag = 0;
        match self.known.get(&at) {
            Some(known) => {
                state.copy_from_slice(&known.state);
                tag = known.tag;
            }
            None => system.initial(&mut state),
        }
        for number in unknown.into_iter().rev() {
            let next = self.successor(system, (&state, tag), origin(logs, number).1);
            debug_assert!(next.is_some(), "a state is a successor of its parent");
            let Some(next) = next else { break };
            steps.push(next.step);
            state.copy_from_slice(&next.state);
            tag = next.tag;
            if self.words <= WORDS_MAX {
                self.words += next.state.len() + WORDS_PER_STATE;
                self.known.insert(number, next);
            }
        }
        steps
    }

    /// The steps to a state that is known, or the initial one.
    fn steps_to(&self, logs: &[&Log], mut number: u64) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Some(known) = self.known.get(&number) {
            steps.push(known.step);
            number = origin(logs, number).0;
        }
        steps.reverse();
        steps
    }

    /// The successor at this place, of a state that was discovered by a step of this tag. It
    /// was discovered by the first step that leads to exactly its words.
    fn successor(
        &mut self,
        system: &dyn System,
        (state, tag): (&[Word], u16),
        place: usize,
    ) -> Option<Known> {
        let Self { seen, named, .. } = self;
        seen.clear();
        if self.sleeps {
            seen.set_after(u32::from(tag));
        }
        system.successors(state, seen, &mut Unlimited);
        seen.keep_entering();
        let width = state.len();
        let words = seen.states().get(place * width..(place + 1) * width)?;
        named.clear();
        system.successors(state, named, &mut Unlimited);
        let mut ways = named.iter().filter(|way| way.1.enters());
        let (step, _, _) = ways.find(|(_, _, found)| *found == words)?;
        Some(Known { step, tag: tag_of(seen, place), state: words.into() })
    }
}
