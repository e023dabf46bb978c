//! Sleep sets among the steps of ample sets: what Godefroid, Holzmann and Pirottin (1995) call
//! the full method in their conclusions (Godefroid and Wolper, *Using Partial Orders for the
//! Efficient Verification of Deadlock Freedom and Safety Properties*, 1993).
//!
//! Algorithm 2 of 1995 ([`crate::sleep`]) forgets the sleep set of a state when it leaves it.
//! That every state is visited all the same is proven there for a search of all steps. With
//! ample sets it is not true: the other order, for the sake of which a step slept, may not be
//! explored. Godefroid and Wolper therefore store a sleep set with each state, and explore
//! a state again for what was asleep; with a cache that costs many times the edges. Here a step
//! is put to sleep only when all that lies behind it has been decided.
//!
//! A state is *decided* when every blocked state and every violation that can be reached from
//! it has been found. A step sleeps in a state if it leads to a decided state there or did
//! so in a state before, from where only independent steps led here. Behind it are the same
//! runs then, so lines 11 and 21 of the algorithm, which see to cycles, are not needed.
//!
//! When a state is left from which no step leads back to the path above it, by way of
//! whatever was explored behind it, it is decided, and so is all that was entered since. These
//! are the states of finished strongly connected components (Tarjan 1972), of what is
//! explored. Proof by the induction of [`crate::ample`], for runs from states of the component:
//! a step of the run that is followed leads to a decided state or to one of the component; one
//! that is asleep, to a decided state; and so does, or is as in that proof, the step of
//! the ample set that leads out of the path. Nothing of this asks what is stored of states that
//! were left, so a cache may forget them. The initial state is decided when it is left.
//!
//! Without cycles each state is decided when it is left, and this is Algorithm 2 on ample sets.
//! Where all of a model is one cycle nothing is decided before the end, and no step sleeps.

use crate::Why;
use crate::ample::Ample;
use crate::memory::Memory;
use crate::reduction::{Behind, Entered, Reduction};
use crate::sleep::Sleep;
use crate::store::Opens;
use system::Independence;

/// Follows the steps of ample sets that are not asleep.
pub(crate) struct SleepAmple<'s> {
    ample: Ample<'s>,
    sleep: Sleep<'s>,
    /// For each state of the path the place of the first one on it that is reached from what was
    /// explored behind it so far; its own place if none before it is.
    lows: Vec<usize>,
    /// The same of the state that was left last; `DECIDED` if no step leads back.
    left: usize,
    /// The first place of the path that is reached from states that were left and may be
    /// undecided.
    ///
    /// INVARIANT: all of these are behind the state at that place.
    undecided: usize,
}

/// No place of the path.
const DECIDED: usize = usize::MAX;

impl<'s> SleepAmple<'s> {
    pub(crate) fn new(system: &'s dyn Independence) -> Self {
        Self {
            ample: Ample::new(system),
            sleep: Sleep::new(system),
            lows: Vec::new(),
            left: DECIDED,
            undecided: DECIDED,
        }
    }
}

impl<T: Opens> Reduction<T> for SleepAmple<'_> {
    const BY_TRANSITION: bool = false;

    fn enter(
        &mut self,
        entered: &Entered<T>,
        kept: &mut [bool],
        memory: &mut Memory,
    ) -> Result<(), Why> {
        self.ample.enter(entered, kept, memory)?;
        memory.grow(&mut self.lows, 1)?;
        self.lows.push(self.lows.len());
        self.sleep.put_to_sleep(entered.transitions, kept, memory, |_| false)
    }

    fn follow(&mut self, at: usize, memory: &mut Memory) -> Result<(), Why> {
        Reduction::<T>::follow(&mut self.sleep, at, memory)
    }

    /// A state that was closed before is one of those that may be undecided, if there are any.
    fn followed(&mut self, at: usize, behind: Behind) {
        let low = match behind {
            Behind::Path(place) => place,
            Behind::Closed => self.undecided,
            Behind::Explored => std::mem::replace(&mut self.left, DECIDED),
        };
        if let Some(own) = self.lows.last_mut() {
            *own = low.min(*own);
        }
        self.sleep.backtrack(at, low == DECIDED);
    }

    fn leave(&mut self, first: usize) {
        let low = self.lows.pop().unwrap_or(0);
        let place = self.lows.len();
        self.left = if low < place { low } else { DECIDED };
        if low < place {
            self.undecided = low.min(self.undecided);
        } else if self.undecided >= place {
            self.undecided = DECIDED;
        }
        Reduction::<T>::leave(&mut self.sleep, first);
    }

    fn left_out(&self) -> u64 {
        Reduction::<T>::left_out(&self.ample) + Reduction::<T>::left_out(&self.sleep)
    }
}
