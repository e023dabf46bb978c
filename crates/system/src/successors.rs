//! The steps of one state.

use crate::{LastStatement, Step, StepOutcome, Transition, Word};

/// All steps of one state with the states they lead to: one batch, one buffer,
/// reused from state to state. An unnamed one keeps the states and what is wrong with
/// them, and not by which steps they are reached: a search that meets a million states a
/// second asks for the names of a handful.
///
/// Instead of its step, a successor in an unnamed buffer has a tag, and steps may be left
/// out: the first-step sleep set, given the tag of the step by which the state was discovered
/// ([`System::has_first_step_sleep`](crate::System::has_first_step_sleep)). A buffer made for a
/// reduction has the transition of each step, one made for a cache its last statement.
///
/// INVARIANT: `words` holds at least `len` states; what is behind them is room that was
/// used before, so that whoever writes whole states need not clear it. `steps` has `len`
/// steps if they are named, else none; `tags` the other way round; `transitions` and
/// `last_statements` have `len` if the buffer is to have them. `outcomes` are in order and none
/// is a plain state.
#[derive(Clone, Debug)]
pub struct Successors {
    width: usize,
    named: bool,
    len: usize,
    steps: Vec<Step>,
    tags: Vec<u32>,
    transitions: Option<Vec<Transition>>,
    last_statements: Option<Vec<LastStatement>>,
    outcomes: Vec<(u32, StepOutcome)>,
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
            transitions: None,
            last_statements: None,
            outcomes: Vec::new(),
            words: Vec::new(),
            after: None,
            left_out: 0,
        }
    }

    /// A buffer that does not keep the steps.
    pub fn unnamed(width: usize) -> Self {
        Self { named: false, ..Self::new(width) }
    }

    /// A buffer with the transition of each step, for a system that knows which are
    /// [independent](crate::System::independence).
    pub fn with_transitions(self) -> Self {
        Self { transitions: Some(Vec::new()), ..self }
    }

    /// A buffer with the last statement of each step.
    pub fn with_last_statements(self) -> Self {
        Self { last_statements: Some(Vec::new()), ..self }
    }

    /// Whether the transition of each step is wanted.
    #[inline]
    pub fn has_transitions(&self) -> bool {
        self.transitions.is_some()
    }

    /// Whether the last statement of each step is wanted.
    #[inline]
    pub fn has_last_statements(&self) -> bool {
        self.last_statements.is_some()
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
        self.transitions.iter_mut().for_each(Vec::clear);
        self.last_statements.iter_mut().for_each(Vec::clear);
        self.outcomes.clear();
        self.after = None;
        self.left_out = 0;
    }

    /// The state whose successors come was discovered by a step of this tag, 0 if by none.
    /// To be said of a cleared, unnamed buffer, and only to a system that
    /// [`has_first_step_sleep`](crate::System::has_first_step_sleep).
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

    /// How many steps were left out. What they lead to is reached in another way.
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

    /// Gives each successor a tag, in an unnamed buffer.
    pub fn tag_all(&mut self, mut tag: impl FnMut(&[Word]) -> u32) {
        let states = self.words.chunks_exact(self.width);
        self.tags.iter_mut().zip(states).for_each(|(own, state)| *own = tag(state));
    }

    /// Says which transition the successor pushed last is reached by, if that is wanted.
    #[inline]
    pub fn set_transition(&mut self, transition: Transition) {
        if let Some(transitions) = &mut self.transitions {
            transitions.truncate(self.len - 1);
            transitions.push(transition);
        }
    }

    /// Says what the last statement of the step to the successor pushed last is, if that is
    /// wanted; without it, it follows from the kind of the step.
    #[inline]
    pub fn set_last_statement(&mut self, statement: LastStatement) {
        let last = self.last_statements.as_mut().and_then(|list| list.last_mut());
        last.into_iter().for_each(|last| *last = statement);
    }

    /// Says by which transitions the successors are reached, and what their last statements
    /// are, as far as that is wanted.
    pub fn set_transitions(&mut self, named: Vec<(Transition, LastStatement)>) {
        debug_assert_eq!(named.len(), self.len, "one for each successor");
        if let Some(transitions) = &mut self.transitions {
            transitions.clear();
            transitions.extend(named.iter().map(|(transition, _)| *transition));
        }
        if let Some(statements) = &mut self.last_statements {
            statements.clear();
            statements.extend(named.iter().map(|(_, statement)| *statement));
        }
    }

    /// The transitions of the steps, in order. They are wanted.
    #[inline]
    pub fn transitions(&self) -> &[Transition] {
        let transitions = self.transitions.as_deref().unwrap_or_default();
        debug_assert_eq!(transitions.len(), self.len, "the system names every transition");
        transitions
    }

    /// The last statements of the steps, in order. They are wanted.
    #[inline]
    pub fn last_statements(&self) -> &[LastStatement] {
        self.last_statements.as_deref().unwrap_or_default()
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
        if let Some(last_statements) = &mut self.last_statements {
            last_statements.push(LastStatement::of(step.kind));
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
        self.set_outcome(StepOutcome::State);
        self.len -= 1;
        self.truncate_details();
    }

    /// Says what the outcome of the step to the successor pushed last is.
    #[inline]
    pub fn set_outcome(&mut self, outcome: StepOutcome) {
        let last = self.len as u32 - 1;
        self.outcomes.pop_if(|(index, _)| *index == last);
        if outcome != StepOutcome::State {
            self.outcomes.push((last, outcome));
        }
    }

    /// Says which marks each successor has; all are plain states so far.
    pub fn mark_each(&mut self, mut marks_of: impl FnMut(&[Word]) -> u32) {
        debug_assert!(self.outcomes.is_empty(), "plain states");
        for index in 0..self.len {
            let marks = marks_of(&self.words[index * self.width..(index + 1) * self.width]);
            if marks != 0 {
                self.outcomes.push((index as u32, StepOutcome::Marked(marks)));
            }
        }
    }

    /// Drops the successors that are no states to go on from.
    pub fn keep_entering(&mut self) {
        let entering: Vec<bool> = (0..self.len).map(|i| self.outcome(i).enters()).collect();
        self.keep(&entering);
        self.outcomes.clear();
    }

    /// Keeps the successors that are `wanted`, in their order, and drops the others.
    pub fn keep(&mut self, wanted: &[bool]) {
        let place = |index: usize| wanted[..index].iter().filter(|wanted| **wanted).count();
        self.outcomes.retain(|(index, _)| wanted[*index as usize]);
        for (index, _) in &mut self.outcomes {
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
            self.transitions.iter_mut().for_each(|list| list[kept] = list[index]);
            self.last_statements.iter_mut().for_each(|list| list[kept] = list[index]);
            kept += 1;
        }
        self.len = kept;
        self.truncate_details();
    }

    /// Puts the successors in another order: first the one at the first of `places`.
    pub fn reorder(&mut self, places: &[usize]) {
        debug_assert_eq!(places.len(), self.len, "every successor has a place");
        let state = |at: &usize| self.words[at * self.width..][..self.width].iter().copied();
        let words: Vec<Word> = places.iter().flat_map(state).collect();
        self.words[..words.len()].copy_from_slice(&words);
        let outcome = |(at, place): (usize, &usize)| (at as u32, self.outcome(*place));
        let outcomes = places.iter().enumerate().map(outcome);
        self.outcomes = outcomes.filter(|(_, it)| *it != StepOutcome::State).collect();
        reordered(&mut self.steps, places);
        reordered(&mut self.tags, places);
        self.transitions.iter_mut().for_each(|list| reordered(list, places));
        self.last_statements.iter_mut().for_each(|list| reordered(list, places));
    }

    /// What is kept beside the states is as long as there are successors.
    fn truncate_details(&mut self) {
        let len = self.len;
        self.steps.truncate(len);
        self.tags.truncate(len);
        self.transitions.iter_mut().for_each(|list| list.truncate(len));
        self.last_statements.iter_mut().for_each(|list| list.truncate(len));
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> u64 {
        let steps =
            self.steps.capacity() * size_of::<Step>() + self.tags.capacity() * size_of::<u32>();
        let outcomes = self.outcomes.capacity() * size_of::<(u32, StepOutcome)>();
        (steps + outcomes + self.words.capacity() * size_of::<Word>()) as u64
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
    pub fn outcomes(&self) -> &[(u32, StepOutcome)] {
        &self.outcomes
    }

    /// The outcome of the `index`-th step.
    #[inline]
    pub fn outcome(&self, index: usize) -> StepOutcome {
        let found = self.outcomes.binary_search_by_key(&(index as u32), |(index, _)| *index);
        found.map_or(StepOutcome::State, |at| self.outcomes[at].1)
    }

    /// The `index`-th step and its outcome. Steps are kept.
    #[inline]
    pub fn step(&self, index: usize) -> (Step, StepOutcome) {
        (self.steps[index], self.outcome(index))
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

    /// Steps, outcomes and words in order. Steps are kept.
    pub fn iter(&self) -> impl Iterator<Item = (Step, StepOutcome, &[Word])> {
        debug_assert!(self.named, "a buffer that keeps steps");
        (0..self.len()).map(|i| (self.steps[i], self.outcome(i), self.state(i)))
    }
}

/// A list that is kept of each successor, or of none.
fn reordered<T: Copy>(list: &mut Vec<T>, places: &[usize]) {
    if !list.is_empty() {
        *list = places.iter().map(|at| list[*at]).collect();
    }
}
