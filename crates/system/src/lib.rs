//! The seam between models and searches: what a searchable system is.
//!
//! A state is a slice of 64-bit words whose meaning only the system knows. Two
//! states are the same iff their words are equal: a system writes one state in
//! one way only, and everything that decides the future (monitor sets of
//! assertions included) is in the words. A search never looks inside. Only a
//! system that copies SPIN's answers may let some words travel along without
//! telling states apart ([`System::telling`]).

mod anatomy;

pub use anatomy::{Anatomy, Blank, Part};

/// One 64-bit piece of a state.
pub type Word = u64;

/// What a step does, as far as a search may care (priorities, tags, statistics).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StepKind {
    /// Touches nothing outside its process but shared variables.
    Internal,
    /// Takes a message.
    Receive,
    /// Puts a message.
    Send,
    /// Fires a timeout.
    Timeout,
}

/// One executable step: which process, which edge of its machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// The process that moves.
    pub agent: u32,
    /// The edge it takes, numbered within its machine.
    pub edge: u32,
    /// Which one of the steps of a state that begin with this edge: an atomic
    /// sequence can be left in many ways.
    pub choice: u32,
    /// How many edges are executed in it: more than one for a sequence that is
    /// visible only at its end.
    pub weight: u16,
    /// What it does.
    pub kind: StepKind,
}

impl Step {
    /// A step of a single edge.
    pub fn new(agent: u32, edge: u32, kind: StepKind) -> Self {
        Self { agent, edge, choice: 0, weight: 1, kind }
    }
}

/// Where a step leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Landing {
    /// To a state to go on from.
    State,
    /// Into a violation of the property with this number; the branch ends here.
    Violation(u32),
    /// Into a division by zero; the branch ends here.
    Fault,
    /// To a state to go on from, by a violation of the property with this number
    /// that is reported and does not end the branch.
    Noted(u32),
}

impl Landing {
    /// Whether the step leads to a state.
    pub fn enters(self) -> bool {
        matches!(self, Landing::State | Landing::Noted(_))
    }
}

/// How a state without a step is judged. One class per state (X3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rest {
    /// Every process is at a proper end and every channel is empty.
    Proper,
    /// Every process is at a proper end but messages are left: a warning.
    Residual,
    /// The property with this number is not satisfied by ending here.
    Violation(u32),
    /// Who is not at a proper end waits only to send to full channels.
    BlockedSend,
    /// A message is left that nobody takes.
    UnspecifiedReception,
    /// Nobody can move and the channels are empty.
    Deadlock,
}

/// All steps of one state with the states they lead to: one batch, one buffer,
/// reused from state to state.
///
/// INVARIANT: `words` holds at least `steps.len()` states; what is behind them is room
/// that was used before, so that whoever writes whole states need not clear it.
#[derive(Clone, Debug)]
pub struct Successors {
    width: usize,
    steps: Vec<(Step, Landing)>,
    words: Vec<Word>,
}

impl Successors {
    /// A buffer for states of `width` words.
    pub fn new(width: usize) -> Self {
        Self { width, steps: Vec::new(), words: Vec::new() }
    }

    /// Forgets the last batch.
    pub fn clear(&mut self) {
        self.steps.clear();
    }

    /// Starts a successor as a copy of `parent` and hands out its words to change.
    #[inline]
    pub fn push(&mut self, step: Step, parent: &[Word]) -> &mut [Word] {
        debug_assert_eq!(parent.len(), self.width, "states of one system have one width");
        self.reserve(1);
        self.steps.push((step, Landing::State));
        let words = &mut self.words[(self.steps.len() - 1) * self.width..][..self.width];
        // Word by word, in line: states are short and a call of `memcpy` is not.
        words.iter_mut().zip(parent).for_each(|(word, parent)| *word = *parent);
        words
    }

    /// Where the next `count` successors will stand, to be written before it is said by
    /// [`Successors::fill`] that they are there. What it holds means nothing.
    pub fn room(&mut self, count: usize) -> &mut [Word] {
        self.reserve(count);
        &mut self.words[self.steps.len() * self.width..]
    }

    /// Says that the next states of the room are successors, by these steps.
    #[inline]
    pub fn fill(&mut self, steps: impl ExactSizeIterator<Item = Step>) {
        let count = self.steps.len() + steps.len();
        assert!(count * self.width <= self.words.len(), "there is room for them");
        self.steps.extend(steps.map(|step| (step, Landing::State)));
    }

    fn reserve(&mut self, count: usize) {
        let needed = (self.steps.len() + count) * self.width;
        if self.words.len() < needed {
            self.words.resize(needed.max(2 * self.words.len()), 0);
        }
    }

    /// Keeps the successors that are `kept`, in their order, and drops the others.
    pub fn keep(&mut self, kept: &[bool]) {
        let mut to = 0;
        for from in (0..self.len()).filter(|index| kept[*index]) {
            self.steps[to] = self.steps[from];
            self.words.copy_within(from * self.width..(from + 1) * self.width, to * self.width);
            to += 1;
        }
        self.steps.truncate(to);
    }

    /// Takes the successor pushed last back.
    pub fn take_back(&mut self) {
        self.steps.pop();
    }

    /// Says that the successor pushed last ends in an error.
    #[inline]
    pub fn land(&mut self, landing: Landing) {
        if let Some(last) = self.steps.last_mut() {
            last.1 = landing;
        }
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> u64 {
        let steps = self.steps.capacity() * size_of::<(Step, Landing)>();
        (steps + self.words.capacity() * size_of::<Word>()) as u64
    }

    /// The number of successors.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The `index`-th step and where it leads.
    #[inline]
    pub fn step(&self, index: usize) -> (Step, Landing) {
        self.steps[index]
    }

    /// The steps in order.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        self.steps.iter().map(|(step, _)| *step)
    }

    /// The words of the `index`-th successor.
    #[inline]
    pub fn state(&self, index: usize) -> &[Word] {
        &self.words[index * self.width..(index + 1) * self.width]
    }

    /// Steps, landings and words in order.
    pub fn iter(&self) -> impl Iterator<Item = (Step, Landing, &[Word])> {
        (0..self.len()).map(|i| (self.steps[i].0, self.steps[i].1, self.state(i)))
    }
}

/// Whoever waits for the successors of one state. A step may be a whole sequence,
/// with more ways through it than anybody can wait for.
pub trait Patience {
    /// Asked now and then, with the bytes held for the state at hand. `false` ends
    /// the work on it.
    fn lasts(&mut self, bytes: u64) -> bool;
}

/// Waits for ever.
#[derive(Clone, Copy, Debug, Default)]
pub struct Endless;

impl Patience for Endless {
    fn lasts(&mut self, _: u64) -> bool {
        true
    }
}

/// How much of what there is a system shows to a search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Scope {
    /// All of it, as far as deadlocks and violations go.
    #[default]
    Whole,
    /// Some steps are left out: what is found is real, what is not found proves nothing.
    Part,
    /// States that differ are taken for one another, with or without steps left out.
    Folded,
}

/// A system that can be searched.
pub trait System {
    /// The number of words of a state; the same for all states.
    fn width(&self) -> usize;

    /// How many of the first words tell states apart. The others travel along: of
    /// two states that differ only there, the one met first stands for both.
    fn telling(&self) -> usize {
        self.width()
    }

    /// How much it shows. A search of less than the whole is never complete.
    fn scope(&self) -> Scope {
        Scope::Whole
    }

    /// Writes the initial state into `words`, `width` of them.
    fn initial(&self, words: &mut [Word]);

    /// Appends every executable step of `state` with its outcome to `out`, which
    /// comes in empty. The order is part of the system: searches that promise an
    /// order promise this one.
    fn successors(&self, state: &[Word], out: &mut Successors);

    /// As [`System::successors`], as long as `patience` lasts. Says whether it did; if
    /// not, `out` holds some of the successors only.
    fn successors_within(
        &self,
        state: &[Word],
        out: &mut Successors,
        _patience: &mut dyn Patience,
    ) -> bool {
        self.successors(state, out);
        true
    }

    /// Judges a state that has no successor.
    fn rest(&self, state: &[Word]) -> Rest;

    /// Whether some process stands where a loop can start (C7, S3). Every cycle
    /// of the state space goes through such a state.
    fn labelled(&self, state: &[Word]) -> bool;
}
