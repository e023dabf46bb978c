//! The seam between models and searches: what a searchable system is.
//!
//! A state is a slice of 64-bit words whose meaning only the system knows. Two
//! states are the same iff their words are equal: a system writes one state in
//! one way only, and everything that decides the future (monitor sets of
//! assertions included) is in the words. A search never looks inside. Only a
//! system that copies SPIN's answers may let some words travel along without
//! telling states apart ([`System::telling`]).

mod anatomy;
mod deed;
mod divided;

pub use anatomy::{Anatomy, Blank, Part};
pub use deed::{Deed, Deeds, Dependency, Footprint, Manner, Object};
pub use divided::Divided;

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

/// What the last edge of a step is, in the order in which states behind it are worth
/// keeping (Godefroid, Holzmann and Pirottin 1995, section 5): where jumps lead, paths meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tag {
    /// A jump, or a `skip`.
    Jump = 1,
    /// A receive.
    Receive,
    /// A send.
    Send,
    /// An assignment.
    Assign,
    /// Anything else.
    Other,
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

/// How a state without a step is judged. One class per state (docs/argos.md, section 9).
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
/// reused from state to state. An unnamed one keeps the states and what is wrong with
/// them, and not by which steps they are reached: a search that meets a million states a
/// second asks for the names of a handful.
///
/// Instead of its step, a successor in an unnamed buffer has a tag, and steps may be left
/// out: those that need not be looked up, given the tag of the step by which the state was
/// discovered ([`System::commutes`]).
///
/// INVARIANT: `words` holds at least `len` states; what is behind them is room that was
/// used before, so that whoever writes whole states need not clear it. `steps` has `len`
/// steps if they are named, else none; `tags` the other way round. `landings` are in order and none is a plain state.
#[derive(Clone, Debug)]
pub struct Successors {
    width: usize,
    named: bool,
    len: usize,
    steps: Vec<Step>,
    tags: Vec<u32>,
    landings: Vec<(u32, Landing)>,
    words: Vec<Word>,
    after: Option<u32>,
    left_out: usize,
}

impl Successors {
    /// A buffer for states of `width` words.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            named: true,
            len: 0,
            steps: Vec::new(),
            tags: Vec::new(),
            landings: Vec::new(),
            words: Vec::new(),
            after: None,
            left_out: 0,
        }
    }

    /// A buffer that does not keep the steps.
    pub fn unnamed(width: usize) -> Self {
        Self { named: false, ..Self::new(width) }
    }

    /// Whether steps are kept.
    pub fn is_named(&self) -> bool {
        self.named
    }

    /// Forgets the last batch.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
        self.steps.clear();
        self.tags.clear();
        self.landings.clear();
        self.after = None;
        self.left_out = 0;
    }

    /// The state whose successors come was discovered by a step of this tag, 0 if by none.
    /// To be said of a cleared, unnamed buffer, and only to a system that
    /// [commutes](System::commutes).
    #[inline]
    pub fn set_after(&mut self, tag: u32) {
        debug_assert!(!self.named, "a buffer that keeps tags");
        self.after = Some(tag);
    }

    /// The tag of the step by which the state was discovered, if somebody says.
    #[inline]
    pub fn after(&self) -> Option<u32> {
        self.after
    }

    /// So many more steps are left out.
    #[inline]
    pub fn leave_out(&mut self, steps: usize) {
        self.left_out += steps;
    }

    /// How many steps were left out. What they lead to is met in another way.
    #[inline]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The tags of the successors, in an unnamed buffer.
    #[inline]
    pub fn tags(&self) -> &[u32] {
        &self.tags
    }

    /// Gives the successor pushed last a tag, in an unnamed buffer.
    #[inline]
    pub fn tag_last(&mut self, tag: u32) {
        self.tags.last_mut().into_iter().for_each(|last| *last = tag);
    }

    /// Starts a successor as a copy of `parent` and hands out its words to change.
    #[inline]
    pub fn push(&mut self, step: Step, parent: &[Word]) -> &mut [Word] {
        debug_assert_eq!(parent.len(), self.width, "states of one system have one width");
        self.reserve(1);
        match self.named {
            true => self.steps.push(step),
            false => self.tags.push(0),
        }
        self.len += 1;
        let words = &mut self.words[(self.len - 1) * self.width..][..self.width];
        // Word by word, in line: states are short and a call of `memcpy` is not.
        words.iter_mut().zip(parent).for_each(|(word, parent)| *word = *parent);
        words
    }

    /// Where the next `count` successors will stand, to be written before it is said by
    /// [`Successors::fill`] that they are there. What it holds means nothing.
    #[inline]
    pub fn room(&mut self, count: usize) -> &mut [Word] {
        self.reserve(count);
        &mut self.words[self.len * self.width..]
    }

    /// Says that the next `count` states of the room are successors; `name` is asked for
    /// the step of each if steps are kept, else `tag` for its tag.
    #[inline]
    pub fn fill(
        &mut self,
        count: usize,
        name: impl FnMut(usize) -> Step,
        tag: impl FnMut(usize) -> u32,
    ) {
        assert!((self.len + count) * self.width <= self.words.len(), "there is room for them");
        match self.named {
            true => self.steps.extend((0..count).map(name)),
            false => self.tags.extend((0..count).map(tag)),
        }
        self.len += count;
    }

    #[inline]
    fn reserve(&mut self, count: usize) {
        let needed = (self.len + count) * self.width;
        if self.words.len() < needed {
            self.words.resize(needed.max(2 * self.words.len()), 0);
        }
    }

    /// Takes the successor pushed last back.
    pub fn take_back(&mut self) {
        self.land(Landing::State);
        self.steps.pop();
        self.tags.pop();
        self.len -= 1;
    }

    /// Says where the successor pushed last leads.
    #[inline]
    pub fn land(&mut self, landing: Landing) {
        let last = self.len as u32 - 1;
        self.landings.pop_if(|(index, _)| *index == last);
        if landing != Landing::State {
            self.landings.push((last, landing));
        }
    }

    /// Drops the successors that are no states to go on from.
    pub fn keep_entering(&mut self) {
        let entering: Vec<bool> = (0..self.len).map(|i| self.landing(i).enters()).collect();
        self.keep(&entering);
        self.landings.clear();
    }

    /// Keeps the successors that are `wanted`, in their order, and drops the others.
    pub fn keep(&mut self, wanted: &[bool]) {
        let place = |index: usize| wanted[..index].iter().filter(|wanted| **wanted).count();
        self.landings.retain(|(index, _)| wanted[*index as usize]);
        for (index, _) in &mut self.landings {
            *index = place(*index as usize) as u32;
        }
        let mut kept = 0;
        for index in (0..self.len).filter(|index| wanted[*index]) {
            let from = index * self.width;
            self.words.copy_within(from..from + self.width, kept * self.width);
            match self.named {
                true => self.steps[kept] = self.steps[index],
                false => self.tags[kept] = self.tags[index],
            }
            kept += 1;
        }
        self.len = kept;
        self.steps.truncate(kept);
        self.tags.truncate(kept);
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> u64 {
        let steps =
            self.steps.capacity() * size_of::<Step>() + self.tags.capacity() * size_of::<u32>();
        let landings = self.landings.capacity() * size_of::<(u32, Landing)>();
        (steps + landings + self.words.capacity() * size_of::<Word>()) as u64
    }

    /// The number of successors.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The successors that are more than states to go on from, in order.
    #[inline]
    pub fn landings(&self) -> &[(u32, Landing)] {
        &self.landings
    }

    /// Where the `index`-th step leads.
    #[inline]
    pub fn landing(&self, index: usize) -> Landing {
        let found = self.landings.binary_search_by_key(&(index as u32), |(index, _)| *index);
        found.map_or(Landing::State, |at| self.landings[at].1)
    }

    /// The `index`-th step and where it leads. Steps are kept.
    #[inline]
    pub fn step(&self, index: usize) -> (Step, Landing) {
        (self.steps[index], self.landing(index))
    }

    /// The steps in order. They are kept.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        debug_assert!(self.named, "a buffer that keeps steps");
        self.steps.iter().copied()
    }

    /// The words of the `index`-th successor.
    #[inline]
    pub fn state(&self, index: usize) -> &[Word] {
        &self.words[index * self.width..(index + 1) * self.width]
    }

    /// The words of all successors.
    #[inline]
    pub fn states(&self) -> &[Word] {
        &self.words[..self.len * self.width]
    }

    /// Steps, landings and words in order. Steps are kept.
    pub fn iter(&self) -> impl Iterator<Item = (Step, Landing, &[Word])> {
        debug_assert!(self.named, "a buffer that keeps steps");
        (0..self.len()).map(|i| (self.steps[i], self.landing(i), self.state(i)))
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

    /// Whether the system itself notes which edges it executes: then a search need not
    /// look at steps for it, and may leave them unnamed.
    fn notes_executed(&self) -> bool {
        false
    }

    /// Whether a search that expands every state once, in whatever order, may tell the
    /// system by which step a state was discovered ([`Successors::set_after`]). Then the
    /// system may leave out steps whose targets are met in another way, at the same
    /// distance; it counts them ([`Successors::left_out`]).
    fn commutes(&self) -> bool {
        false
    }

    /// How its steps divide among agents, if that is known. Only a system that
    /// [commutes](System::commutes) and notes what it executes says so.
    fn divided(&self) -> Option<&dyn Divided> {
        None
    }

    /// Calls `mark` with agent and edge of whatever it noted.
    fn noted(&self, _mark: &mut dyn FnMut(u32, u32)) {}

    /// What the last edge of a step of `batch` is, which is what was listed last.
    fn tag(&self, batch: &Successors, index: usize) -> Tag {
        match batch.step(index).0.kind {
            StepKind::Receive => Tag::Receive,
            StepKind::Send => Tag::Send,
            StepKind::Internal | StepKind::Timeout => Tag::Other,
        }
    }

    /// Judges a state that has no successor.
    fn rest(&self, state: &[Word]) -> Rest;

    /// Whether some process stands where a loop can start (Holzmann 1987, section 5). Every cycle
    /// of the state space goes through such a state.
    fn labelled(&self, state: &[Word]) -> bool;
}

/// Lists that a thread writes all the time end so many bytes before the next one begins.
const APART: usize = 128;

/// A list of `len` values that shares no line of the cache with another list made so. Threads
/// whose lists share one wait for each other at every write: twice the time was measured.
pub fn apart<T: Clone>(value: T, len: usize) -> Vec<T> {
    let mut list = Vec::with_capacity(len + APART / size_of::<T>().max(1));
    list.resize(len, value);
    list
}
