//! The reversed net as a [`System`]: a state is the number of a belief, and the
//! first state is a root from which one step leads to each belief to begin with.
//!
//! What makes it smaller can be turned off ([`Tricks`]): it omits beliefs that violate an
//! invariant, beliefs subsumed by one visited before in the same search, and beliefs that an
//! earlier search has proven unreachable.
//!
//! The successors of a state never change: a belief once admitted is always admitted, and
//! what excludes a belief is never forgotten.

use crate::belief::Belief;
use crate::invariant::Invariants;
use crate::net::{Action, World};
use crate::reverse::Reverse;
use automata::StateId;
use base::Id;
use indexmap::IndexSet;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use system::{Blocked, Budget, Step, StepKind, StepOutcome, Successors, System, Word};

/// What is done beyond the method of 1984.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tricks {
    /// Leave out what breaks an invariant.
    pub invariants: bool,
    /// Leave out what an earlier candidate has shown to be unreachable.
    pub share: bool,
    /// Leave out what is part of something more general.
    pub subsume: bool,
}

impl Tricks {
    /// All of them.
    pub const ALL: Self = Self { invariants: true, share: true, subsume: true };
    /// The method of 1984, with unknown values done right.
    pub const NONE: Self = Self { invariants: false, share: false, subsume: false };
}

/// The root state.
const ROOT: Word = 0;

pub(crate) struct Beliefs<'r, 'a> {
    pub(crate) reverse: &'r Reverse<'a>,
    invariants: Option<&'r Invariants>,
    tricks: Tricks,
    seeds: Vec<Belief>,
    start: World,
    known: RefCell<Known>,
}

#[derive(Default)]
struct Known {
    beliefs: IndexSet<Belief>,
    bytes: u64,
    /// Let through in this search.
    live: HashSet<usize>,
    live_index: Index,
    /// Out of reach.
    dead: HashSet<usize>,
    dead_index: Index,
    /// Whether a test had too many cases.
    gave_up: bool,
}

/// Beliefs by what must be equal for one to cover another.
#[derive(Default)]
struct Index {
    buckets: HashMap<Alike, Vec<usize>>,
}

/// Where all machines are, if that is known, and how many claims each channel has.
type Alike = (Option<Vec<StateId>>, Vec<usize>);

impl Index {
    fn key(belief: &Belief) -> Alike {
        let at = belief.at.iter().map(|place| match place.states() {
            [state] => Some(*state),
            _ => None,
        });
        (at.collect(), belief.queues.iter().map(|queue| queue.claims.len()).collect())
    }

    fn insert(&mut self, belief: &Belief, number: usize) {
        self.buckets.entry(Self::key(belief)).or_default().push(number);
    }

    /// Whether some belief of the index covers this one.
    fn covers(&self, beliefs: &IndexSet<Belief>, belief: &Belief) -> bool {
        let (at, lengths) = Self::key(belief);
        let covers =
            |numbers: &Vec<usize>| numbers.iter().any(|number| beliefs[*number].covers(belief));
        let general = (None, lengths);
        let same = at
            .is_some_and(|at| self.buckets.get(&(Some(at), general.1.clone())).is_some_and(covers));
        same || self.buckets.get(&general).is_some_and(covers)
    }
}

impl<'r, 'a> Beliefs<'r, 'a> {
    pub(crate) fn new(
        reverse: &'r Reverse<'a>,
        invariants: Option<&'r Invariants>,
        tricks: Tricks,
    ) -> Self {
        let start = reverse.net.initial();
        let (seeds, known) = (Vec::new(), RefCell::new(Known::default()));
        Self { reverse, invariants, tricks, seeds, start, known }
    }

    /// Turns to the next candidate.
    pub(crate) fn start_from(&mut self, seeds: Vec<Belief>) {
        self.seeds = seeds;
        let known = self.known.get_mut();
        known.live.clear();
        known.live_index = Index::default();
        known.gave_up = false;
        if !self.tricks.share {
            known.beliefs.clear();
            known.bytes = 0;
        }
    }

    /// Everything met in this search is out of reach.
    pub(crate) fn mark_unreachable(&mut self) {
        let known = self.known.get_mut();
        if self.tricks.share {
            for number in known.live.drain() {
                known.dead.insert(number);
                known.dead_index.insert(&known.beliefs[number], number);
            }
        }
    }

    /// Whether a test had too many cases, so that not everything was followed.
    pub(crate) fn gave_up(&self) -> bool {
        self.known.borrow().gave_up
    }

    /// The number of a belief to go on from, unless it need not be looked at.
    fn admit(&self, belief: Belief) -> Option<usize> {
        let known = &mut *self.known.borrow_mut();
        if let Some(number) = known.beliefs.get_index_of(&belief) {
            if known.live.contains(&number) {
                return Some(number);
            }
            if known.dead.contains(&number) {
                return None;
            }
        }
        if self.invariants.is_some_and(|invariants| !invariants.allow(&belief)) {
            return None;
        }
        if self.tricks.subsume
            && (known.live_index.covers(&known.beliefs, &belief)
                || known.dead_index.covers(&known.beliefs, &belief))
        {
            return None;
        }
        Some(known.admit(belief, self.tricks.subsume))
    }

    fn follow(&self, out: &mut Successors, state: &[Word], step: Step, belief: Belief) {
        let goal = belief.contains(&self.start);
        if let Some(number) = self.admit(belief) {
            out.push(step, state)[0] = number as Word + 1;
            if goal {
                out.set_outcome(StepOutcome::Violation(0));
            }
        }
    }
}

impl Known {
    fn admit(&mut self, belief: Belief, indexed: bool) -> usize {
        let bytes = belief.bytes();
        let (number, fresh) = self.beliefs.insert_full(belief);
        if fresh {
            self.bytes += bytes;
        }
        self.live.insert(number);
        if indexed {
            self.live_index.insert(&self.beliefs[number], number);
        }
        number
    }
}

fn kind(action: &Action) -> StepKind {
    match action {
        Action::Send(..) => StepKind::Send,
        Action::Receive(_) => StepKind::Receive,
        Action::Timeout(_) => StepKind::Timeout,
        _ => StepKind::Internal,
    }
}

impl System for Beliefs<'_, '_> {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, words: &mut [Word]) {
        words[0] = ROOT;
    }

    /// The beliefs are kept here, so the search is told how much they take.
    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        self.expand(state, out);
        budget.lasts(self.known.borrow().bytes)
    }

    /// A state nothing leads to is no error of a backward search.
    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::ProperEnd
    }
}

impl Beliefs<'_, '_> {
    /// Appends the beliefs before that of a state.
    fn expand(&self, state: &[Word], out: &mut Successors) {
        if state[0] == ROOT {
            // A step of nobody: the number behind the last machine.
            let nobody = self.reverse.net.machines.len() as u32;
            for (choice, seed) in (0..).zip(&self.seeds) {
                let step = Step { choice, ..Step::new(nobody, 0, StepKind::Internal) };
                self.follow(out, state, step, seed.clone());
            }
            return;
        }
        let belief = self.known.borrow().beliefs[state[0] as usize - 1].clone();
        for (id, machine) in self.reverse.net.machines.iter_ids() {
            for index in self.reverse.last_motions(&belief, id) {
                let motion = self.reverse.motions[index];
                let kind = kind(&machine.edges[motion.edge].action);
                let step = Step::new(id.index() as u32, index as u32, kind);
                match self.reverse.before(&belief, motion) {
                    Ok(cases) => {
                        cases.into_iter().for_each(|case| self.follow(out, state, step, case));
                    }
                    Err(_) => self.known.borrow_mut().gave_up = true,
                }
            }
        }
    }
}
