//! A system with some of its steps left out.

use crate::choose::{Keep, choose, drop_timeouts, drop_unless_all};
use crate::random::{mix, of_state};
use std::cell::RefCell;
use system::{Blocked, Budget, LoopHeads, Parts, Scope, StepKind, Successors, System, Word};

/// What is left out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Filters {
    /// If all transitions of some process are local, nobody else moves: they are an ample set.
    pub local_first: bool,
    /// How many steps are followed.
    pub keep: Keep,
    /// Timeouts fire only if nothing else can move.
    pub timeouts_last: bool,
    /// No send that puts more messages than this into a channel, unless nothing else
    /// can move.
    pub messages_max: Option<usize>,
    /// What breaks ties; none for the order of declaration.
    pub seed: Option<u64>,
    /// In which order the steps come.
    pub reorder: Option<Reorder>,
}

/// Another order of the steps of a state: all of them are followed, and a depth-first search
/// goes another way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reorder {
    /// The last step first.
    Reversed,
    /// An order that is a function of the state and this seed.
    Random(u64),
}

impl Default for Filters {
    fn default() -> Self {
        Self {
            local_first: false,
            keep: Keep::All,
            timeouts_last: false,
            messages_max: None,
            seed: None,
            reorder: None,
        }
    }
}

impl Filters {
    /// Whether deadlocks and violations may be among what is left out. Local transitions
    /// that come first leave none out: the steps of such a process commute with all
    /// others and stay possible whatever others do, and no cycle consists of such
    /// states alone.
    fn scope(self) -> Scope {
        let Self { local_first, seed, reorder, .. } = self;
        let whole = Filters { local_first, seed, reorder, ..Filters::default() };
        if self == whole { Scope::Whole } else { Scope::Part }
    }
}

/// The system.
pub struct Filtered<'s> {
    inside: &'s dyn System,
    parts: Option<&'s dyn Parts>,
    filters: Filters,
    kept: RefCell<Vec<bool>>,
}

impl<'s> Filtered<'s> {
    /// `inside` without what the filters leave out; `None` if it does not know the parts of its
    /// states and a filter asks for them.
    pub fn new(inside: &'s dyn System, filters: Filters) -> Option<Self> {
        let (parts, asks) = (inside.parts(), filters.local_first || filters.messages_max.is_some());
        (parts.is_some() || !asks).then(|| Self {
            inside,
            parts,
            filters,
            kept: RefCell::new(Vec::new()),
        })
    }

    fn filter(&self, state: &[Word], out: &mut Successors) {
        if out.len() < 2 {
            return;
        }
        let kept = &mut *self.kept.borrow_mut();
        kept.clear();
        kept.resize(out.len(), true);
        if self.filters.local_first {
            self.drop_interleavings(state, out, kept);
        }
        if self.filters.timeouts_last {
            drop_timeouts(out, kept);
        }
        if let Some(most) = self.filters.messages_max {
            drop_unless_all(kept, |index| {
                out.step(index).0.kind == StepKind::Send
                    && self.parts.is_some_and(|parts| parts.is_crowded(out.state(index), most))
            });
        }
        let number = self.filters.seed.map(|seed| of_state(seed, state));
        if self.filters.keep != Keep::All {
            choose(self.filters.keep, number, out, kept);
        }
        if kept.contains(&false) {
            out.keep(kept);
        }
        if let Some(reorder) = self.filters.reorder {
            let mut places: Vec<usize> = (0..out.len()).collect();
            match reorder {
                Reorder::Reversed => places.reverse(),
                Reorder::Random(seed) => {
                    let number = of_state(seed, state);
                    places.sort_by_cached_key(|at| mix(number, *at as u64));
                }
            }
            out.reorder(&places);
        }
    }

    fn drop_interleavings(&self, state: &[Word], steps: &Successors, kept: &mut [bool]) {
        let mut asked = None;
        for step in steps.steps() {
            if asked == Some(step.agent) || step.kind != StepKind::Internal {
                continue;
            }
            asked = Some(step.agent);
            if self.parts.is_some_and(|parts| parts.is_local(state, step.agent)) {
                let agents = steps.steps().map(|other| other.agent == step.agent);
                kept.iter_mut().zip(agents).for_each(|(kept, own)| *kept = own);
                return;
            }
        }
    }
}

impl System for Filtered<'_> {
    fn width(&self) -> usize {
        self.inside.width()
    }

    fn identity_words(&self) -> usize {
        self.inside.identity_words()
    }

    fn scope(&self) -> Scope {
        self.filters.scope().max(self.inside.scope())
    }

    fn initial(&self, words: &mut [Word]) {
        self.inside.initial(words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        let whole = self.inside.successors(state, out, budget);
        if whole {
            self.filter(state, out);
        }
        whole
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.inside.blocked(state)
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        self.inside.loop_heads()
    }
}
