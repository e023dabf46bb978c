//! The strict depth-first loop: a state's first successor is explored to its end
//! before its second one is looked at, in the order the system lists them.
//!
//! In: a system, a store, the rule for states met again, the reduction. After `analyze` in
//! Holzmann's *Automated Protocol Validation in Argos* (1987), section 5, with its
//! recursion written out as a path of frames: searches go millions of levels deep.
//!
//! We differ in one point: all successors of a state are generated at once into
//! [`Slices`] and then walked, which gives the same order as one at a time and lets
//! the lines of the store that they need come meanwhile.

use crate::goal::Candidate;
use crate::ledger::Ledger;
use crate::memory::Memory;
use crate::outcome::{FindingKind, Outcome, Why};
use crate::reduction::{Behind, Entered, Reduction};
use crate::revisit::{Again, Revisit};
use crate::store::{Coverage, Key, Seen, Store};
use crate::transition_cache::{Noted, Targets, TransitionCache};
use collapse::{Form, Need};
use system::{
    LastStatement, Step, StepKind, StepOutcome, Successors, System, Transition, Unlimited, Word,
};

/// Searches from the initial state until the path is empty again.
pub(crate) fn search<T, R, P>(
    system: &dyn System,
    store: T,
    (revisit, reduction): (R, P),
    ledger: Ledger,
) -> Outcome
where
    R: Revisit,
    T: Store<Note = R::Note>,
    P: Reduction<T>,
{
    let batch = Successors::new(system.width());
    let batch = if P::ACTIVE { batch.with_transitions() } else { batch };
    let batch = if R::TAGS { batch.with_last_statements() } else { batch };
    let (slices, path) = (Slices::new(store.stride(), R::TAGS), Vec::new());
    let noted = if P::ACTIVE { Noted::Transitions } else { Noted::Weights };
    let recalls = (!P::ACTIVE || P::BY_TRANSITION) && !R::TAGS;
    let transition_cache = TransitionCache::new(system, noted).filter(|_| recalls);
    let mut search = DepthFirst {
        system,
        store,
        revisit,
        reduction,
        ledger,
        transition_cache,
        targets: Targets::default(),
        state: vec![0; system.width()],
        batch,
        transitions: Vec::new(),
        kept: Vec::new(),
        slices,
        path,
    };
    let mut end = search.start();
    while end.is_ok() && !search.path.is_empty() {
        end = search.advance();
    }
    search.ledger.mark_recorded(system);
    search.ledger.statistics.left_out = search.reduction.left_out();
    search.ledger.outcome(&search.store, end)
}

struct DepthFirst<'s, 'l, T, R, P> {
    system: &'s dyn System,
    store: T,
    revisit: R,
    reduction: P,
    ledger: Ledger<'l>,
    /// Steps it recalls have no names.
    transition_cache: Option<TransitionCache>,
    targets: Targets,
    /// The state entered last, and its successors.
    state: Vec<Word>,
    batch: Successors,
    /// By which transitions they are reached, if they were recalled; which are followed.
    transitions: Vec<Transition>,
    kept: Vec<bool>,
    slices: Slices,
    /// INVARIANT: the open states, from the initial one; each frame's slice ends
    /// where the next one's begins, the last one's at the end of `slices`. The
    /// successor before a frame's `next` is the one being explored.
    path: Vec<Frame>,
}

/// One state of the path with what is left to do there.
#[derive(Clone, Copy, Debug)]
struct Frame {
    key: Key,
    /// Edges executed on the way here.
    depth: u64,
    /// Its first successor in the slices.
    first: usize,
    /// The next successor to explore.
    next: usize,
}

impl<T, R, P> DepthFirst<'_, '_, T, R, P>
where
    R: Revisit,
    T: Store<Note = R::Note>,
    P: Reduction<T>,
{
    /// Follows the next step of the last state of the path, or leaves it.
    #[inline(always)]
    fn advance(&mut self) -> Result<(), Why> {
        let frame = self.path.last_mut().expect("the path is not empty");
        if frame.next < self.slices.len() {
            let at = frame.next;
            frame.next += 1;
            return self.follow(at);
        }
        self.leave();
        Ok(())
    }

    /// Puts the initial state at place 0 and visits it. The step into it is there for the
    /// numbering only.
    fn start(&mut self) -> Result<(), Why> {
        self.system.initial(&mut self.state);
        let nobody = Step::new(0, 0, StepKind::Internal);
        self.slices.make_room(1, &mut self.ledger.memory)?;
        self.slices.push(nobody, StepOutcome::State);
        self.slices.tag(|| LastStatement::Jump);
        while let Err(need) = self.store.start(&self.state, self.slices.form_mut(0)) {
            self.adapt(need)?;
        }
        self.visit(0)
    }

    fn follow(&mut self, at: usize) -> Result<(), Why> {
        let (step, outcome) = self.slices.steps[at];
        self.ledger.fire(1, self.path.len())?;
        if P::ACTIVE {
            self.reduction.follow(at, &mut self.ledger.memory)?;
        }
        if outcome != StepOutcome::State {
            self.report(step, outcome)?;
        }
        if outcome.enters() {
            return self.visit(at);
        }
        self.ledger.matched(1);
        self.followed(at, Behind::Explored);
        Ok(())
    }

    /// The successor at this place of the slices was followed, and this lies behind it.
    fn followed(&mut self, at: usize, behind: Behind) {
        if P::ACTIVE && at > 0 {
            self.reduction.followed(at, behind);
        }
    }

    /// A state of the path is met again. Where it is on the path is looked for near the end
    /// only, for a path may be long: behind that it counts as its beginning.
    fn closed_cycle(&mut self, at: usize, key: Key) {
        if P::ACTIVE {
            let near = self.path.len().saturating_sub(NEAR);
            let place = self.path[near..].iter().position(|frame| frame.key == key);
            self.followed(at, Behind::Path(place.map_or(0, |place| near + place)));
        }
    }

    /// The depth of the successor at this place of the slices.
    fn depth(&self, at: usize) -> u64 {
        let (step, _) = self.slices.steps[at];
        self.path.last().map_or(0, |frame| frame.depth + u64::from(step.weight))
    }

    /// Meets the state at this place of the slices.
    fn visit(&mut self, at: usize) -> Result<(), Why> {
        let depth = self.depth(at);
        self.make_room()?;
        self.store.admit(self.slices.form(at))?;
        let tag = self.slices.tags.as_ref().map_or(LastStatement::Other, |tags| tags[at]);
        match self.store.insert(self.slices.form(at), self.revisit.arrive(depth, tag)) {
            Seen::New(key) => {
                self.ledger.create(depth)?;
                self.ledger.cache = self.store.cache();
                self.enter(at, key)
            }
            Seen::OnPath(key) => {
                self.ledger.matched(1);
                self.ledger.statistics.loops += 1;
                self.closed_cycle(at, key);
                Ok(())
            }
            Seen::Done(key) => {
                self.ledger.matched(1);
                match self.revisit.meet_again(self.store.note(key), depth) {
                    Some(again) => self.enter_again(at, key, again),
                    None => {
                        self.followed(at, Behind::Closed);
                        Ok(())
                    }
                }
            }
        }
    }

    /// Makes room for a state. The transition cache is given up for it, if need be.
    #[inline]
    fn make_room(&mut self) -> Result<(), Why> {
        let memory = &mut self.ledger.memory;
        self.store.make_room(1, memory).or_else(|why| {
            let freed = self.transition_cache.as_mut().is_some_and(|cache| cache.give_up(memory));
            if freed { self.store.make_room(1, memory) } else { Err(why) }
        })
    }

    /// Explores a stored state again. If the depth bound had cut it, it counted as
    /// truncated iff it has successors, and then it no longer is.
    fn enter_again(&mut self, at: usize, key: Key, again: Again<R::Note>) -> Result<(), Why> {
        self.store.set_note(key, again.note);
        self.store.reopen(key);
        self.enter(at, key)?;
        if !again.expanded && !self.batch.is_empty() {
            self.ledger.statistics.truncated -= 1;
        }
        Ok(())
    }

    /// Judges an open state without successors; else puts it on the path, if the
    /// depth bound allows.
    fn enter(&mut self, at: usize, mut key: Key) -> Result<(), Why> {
        if self.transition_cache.is_some() && self.recall(at, &mut key)? {
            return Ok(());
        }
        self.store.load(self.slices.form(at), &mut self.state);
        self.batch.clear();
        let wanted = (self.state.as_slice(), &mut self.batch);
        self.ledger.successors(self.system, wanted, self.path.len())?;
        if self.batch.is_empty() {
            self.store.close(key);
            self.judge()?;
            self.followed(at, Behind::Explored);
            return Ok(());
        }
        let depth = self.depth(at);
        if depth >= self.ledger.limits.depth_max {
            return self.cut(at, key);
        }
        self.ledger.mark(&self.batch);
        let memory = &mut self.ledger.memory;
        let room = memory.grow(&mut self.path, 1);
        let room = room.and_then(|()| self.slices.make_room(self.batch.len(), memory));
        match room {
            // It proves nothing anyway, and may find something on another branch.
            Err(_) if self.store.coverage() != Coverage::Exact => return self.cut(at, key),
            room => room?,
        }
        let first = self.slices.len();
        self.path.push(Frame { key, depth, first, next: first });
        (0..self.batch.len()).try_for_each(|index| self.append(index, at))?;
        if P::ACTIVE { self.reduce(first, false) } else { Ok(()) }
    }

    /// What is behind an open state is not looked at.
    fn cut(&mut self, at: usize, key: Key) -> Result<(), Why> {
        self.ledger.statistics.truncated += 1;
        self.store.close(key);
        self.followed(at, Behind::Explored);
        Ok(())
    }

    /// Puts a state on the path by the transition cache; `false` if nothing has happened,
    /// but that its key may be another one.
    fn recall(&mut self, at: usize, key: &mut Key) -> Result<bool, Why> {
        let depth = self.depth(at);
        let (Some(cache), Some(tables)) = (&mut self.transition_cache, self.store.collapse())
        else {
            return Ok(false);
        };
        let state = (self.slices.form(at)[0], 0);
        self.targets.clear();
        self.targets.begin(0);
        let targets = &mut self.targets;
        match cache.recall(self.system, tables, state, &mut self.ledger.memory, targets) {
            Ok(true) if depth < self.ledger.limits.depth_max => {}
            Ok(_) => return Ok(false),
            Err(need) => {
                self.adapt(need)?;
                *key = Key(self.slices.form(at)[0]);
                return Ok(false);
            }
        }
        let (memory, first) = (&mut self.ledger.memory, self.slices.len());
        memory.grow(&mut self.path, 1)?;
        self.slices.make_room(targets.len(), memory)?;
        self.path.push(Frame { key: *key, depth, first, next: first });
        self.store.ask_for(targets.forms_mut(1));
        let independence = if P::ACTIVE { self.system.independence() } else { None };
        self.transitions.clear();
        for ((place, form), note) in (0..).zip(targets.forms(1)).zip(targets.notes()) {
            let weight = independence.map_or(note.note(), |independence| {
                let transition = Transition(u32::from(note.note()));
                self.transitions.push(transition);
                independence.weight(transition)
            });
            self.slices.push_recalled(*form, place, weight);
        }
        if P::ACTIVE {
            self.reduce(first, true)?;
        }
        Ok(true)
    }

    /// Takes the successors out of the last slice that others stand for.
    fn reduce(&mut self, first: usize, recalled: bool) -> Result<(), Why> {
        self.kept.clear();
        self.kept.resize(self.slices.len() - first, true);
        let batch = &self.batch;
        let entered = Entered {
            store: &self.store,
            steps: &self.slices.steps[first..],
            transitions: if recalled { &self.transitions } else { batch.transitions() },
            expanded: (!recalled).then_some((&*self.state, batch)),
            forms: self.slices.forms_from(first),
        };
        self.reduction.enter(&entered, &mut self.kept, &mut self.ledger.memory)?;
        self.slices.retain(first, &self.kept);
        Ok(())
    }

    /// Interns a successor of the state at `at` and asks for its line of the store.
    fn append(&mut self, index: usize, at: usize) -> Result<(), Why> {
        let (step, outcome) = self.batch.step(index);
        self.slices.push(step, outcome);
        self.slices.tag(|| self.batch.last_statements()[index]);
        if !outcome.enters() {
            return Ok(());
        }
        let last = self.slices.len() - 1;
        loop {
            let form = self.slices.form_mut(last);
            match self.store.intern(&self.state, self.batch.state(index), form) {
                Ok(()) => break self.store.prefetch(form),
                Err(need) => {
                    self.adapt(need)?;
                    self.store.load(self.slices.form(at), &mut self.state);
                }
            }
        }
        Ok(())
    }

    /// The store changes all forms and keys. Zero is no key: there the form of a
    /// step that enters no state would be.
    #[cold]
    fn adapt(&mut self, need: Need) -> Result<(), Why> {
        let (slices, path) = (&mut self.slices, &mut self.path);
        let mut held = |change: &mut dyn FnMut(&mut Word, Form)| {
            let forms = slices.forms.iter_mut().filter(|form| **form != 0);
            forms.for_each(|form| change(form, Form::Key));
            path.iter_mut().for_each(|frame| change(&mut frame.key.0, Form::Key));
        };
        self.transition_cache.iter_mut().for_each(TransitionCache::outdate);
        self.store.adapt(need, &mut self.ledger.memory, &mut held)
    }

    fn leave(&mut self) {
        if let Some(frame) = self.path.pop() {
            self.slices.truncate(frame.first);
            self.store.close(frame.key);
            if P::ACTIVE {
                self.reduction.leave(frame.first);
            }
            self.followed(self.entered(self.path.len()), Behind::Explored);
        }
    }

    fn judge(&mut self) -> Result<(), Why> {
        let kind = FindingKind::Blocked(self.system.blocked(&self.state));
        let candidate = Candidate { kind, state: &self.state, step: None };
        let (store, path) = (&mut self.store, (&*self.path, &mut self.slices));
        self.ledger.report(candidate, || trail(self.system, store, path))
    }

    fn report(&mut self, step: Step, outcome: StepOutcome) -> Result<(), Why> {
        let from = self.entered(self.path.len() - 1);
        self.store.load(self.slices.form(from), &mut self.state);
        let kind = FindingKind::Step(outcome);
        let candidate = Candidate { kind, state: &self.state, step: Some(step) };
        let (store, path) = (&mut self.store, (&*self.path, &mut self.slices));
        self.ledger.report(candidate, || trail(self.system, store, path))
    }

    /// Where in the slices the state of this frame lies.
    fn entered(&self, frame: usize) -> usize {
        entered(&self.path, frame)
    }
}

fn entered(path: &[Frame], frame: usize) -> usize {
    if frame == 0 { 0 } else { path[frame - 1].next - 1 }
}

/// The steps being explored, from the initial state: the path is the trail. A step that was
/// recalled gets its name, by asking the system again, and keeps it for the next trail.
fn trail<T: Store>(
    system: &dyn System,
    store: &mut T,
    (path, slices): (&[Frame], &mut Slices),
) -> Vec<Step> {
    let (mut state, mut batch) = (vec![0; system.width()], Successors::new(system.width()));
    for (at, frame) in path.iter().enumerate() {
        let step = slices.steps[frame.next - 1].0;
        if step.agent == NAMELESS {
            store.load(slices.form(entered(path, at)), &mut state);
            batch.clear();
            system.successors(&state, &mut batch, &mut Unlimited);
            slices.steps[frame.next - 1] = batch.step(step.edge as usize);
        }
    }
    path.iter().map(|frame| slices.steps[frame.next - 1].0).collect()
}

/// So far back a state that closes a cycle is looked for.
const NEAR: usize = 64;

/// Who makes a step that was recalled.
const NAMELESS: u32 = u32::MAX;

/// The successors of all states of the path, one slice after the other. Place 0
/// is the initial state, which belongs to no frame.
struct Slices {
    stride: usize,
    steps: Vec<(Step, StepOutcome)>,
    forms: Vec<Word>,
    /// What the last edge of each step is; none if nobody asks.
    tags: Option<Vec<LastStatement>>,
}

impl Slices {
    fn new(stride: usize, tagged: bool) -> Self {
        let tags = tagged.then(Vec::new);
        Self { stride, steps: Vec::new(), forms: Vec::new(), tags }
    }

    fn len(&self) -> usize {
        self.steps.len()
    }

    fn form(&self, at: usize) -> &[Word] {
        &self.forms[at * self.stride..(at + 1) * self.stride]
    }

    fn form_mut(&mut self, at: usize) -> &mut [Word] {
        &mut self.forms[at * self.stride..(at + 1) * self.stride]
    }

    /// Adds a successor whose form is still to be written. Room was made before.
    fn push(&mut self, step: Step, outcome: StepOutcome) {
        self.steps.push((step, outcome));
        self.forms.resize(self.forms.len() + self.stride, 0);
    }

    /// Adds a successor without a name: instead of its edge it has its place among all steps of
    /// its state, of which some may be left out here.
    fn push_recalled(&mut self, form: Word, place: u32, weight: u16) {
        let nameless = Step { weight, ..Step::new(NAMELESS, place, StepKind::Internal) };
        self.steps.push((nameless, StepOutcome::State));
        self.forms.push(form);
    }

    /// Says what the last edge of the step added last is, if anybody asks.
    fn tag(&mut self, tag: impl FnOnce() -> LastStatement) {
        if let Some(tags) = &mut self.tags {
            tags.push(tag());
        }
    }

    /// The forms from this place on.
    fn forms_from(&self, first: usize) -> &[Word] {
        &self.forms[first * self.stride..]
    }

    /// Keeps of the places from `first` on those that are `kept`.
    fn retain(&mut self, first: usize, kept: &[bool]) {
        let mut end = first;
        for at in (first..self.len()).filter(|at| kept[at - first]) {
            self.steps[end] = self.steps[at];
            let form = at * self.stride..(at + 1) * self.stride;
            self.forms.copy_within(form, end * self.stride);
            self.tags.iter_mut().for_each(|tags| tags[end] = tags[at]);
            end += 1;
        }
        self.truncate(end);
    }

    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        memory.grow(&mut self.steps, states)?;
        if let Some(tags) = &mut self.tags {
            memory.grow(tags, states)?;
        }
        memory.grow(&mut self.forms, states * self.stride)
    }

    fn truncate(&mut self, states: usize) {
        self.steps.truncate(states);
        self.tags.iter_mut().for_each(|tags| tags.truncate(states));
        self.forms.truncate(states * self.stride);
    }
}
