//! The strict depth-first loop: a state's first successor is explored to its end
//! before its second one is looked at, in the order the system lists them.
//!
//! In: a system, a store, the rule for states met again. After `analyze` in
//! Holzmann's *Automated Protocol Validation in Argos* (1987), section 5, with its
//! recursion written out as a path of frames: searches go millions of levels deep.
//!
//! We differ in one point: all successors of a state are generated at once into
//! [`Slices`] and then walked, which gives the same order as one at a time and
//! leaves room to fetch their lines of the store ahead.

use crate::goal::Candidate;
use crate::ledger::Ledger;
use crate::memory::Memory;
use crate::outcome::{FindingKind, Outcome, Why};
use crate::revisit::{Again, Revisit};
use crate::store::{Key, Seen, Store};
use system::{Landing, Step, StepKind, Successors, System, Word};

/// Searches from the initial state until the path is empty again.
pub(crate) fn search<S, T, R>(system: &S, store: T, revisit: R, ledger: Ledger) -> Outcome
where
    S: System,
    R: Revisit,
    T: Store<Note = R::Note>,
{
    let batch = Successors::new(system.width());
    let slices = Slices::new(system.width());
    let mut search = DepthFirst { system, store, revisit, ledger, batch, slices, path: Vec::new() };
    let end = search.explore();
    search.ledger.outcome(&search.store, end)
}

struct DepthFirst<'s, 'l, S, T, R> {
    system: &'s S,
    store: T,
    revisit: R,
    ledger: Ledger<'l>,
    batch: Successors,
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

impl<S, T, R> DepthFirst<'_, '_, S, T, R>
where
    S: System,
    R: Revisit,
    T: Store<Note = R::Note>,
{
    fn explore(&mut self) -> Result<(), Why> {
        let mut state = vec![0; self.system.width()];
        self.system.initial(&mut state);
        self.slices.start(&state, &mut self.ledger.memory)?;
        self.visit(0)?;
        while let Some(frame) = self.path.last_mut() {
            if frame.next < self.slices.len() {
                let at = frame.next;
                frame.next += 1;
                self.follow(at)?;
            } else {
                self.leave();
            }
        }
        Ok(())
    }

    fn follow(&mut self, at: usize) -> Result<(), Why> {
        let (step, landing) = self.slices.steps[at];
        self.ledger.fire(step, self.path.len())?;
        if !landing.enters() {
            self.ledger.matched();
        }
        if landing != Landing::State {
            self.report(step, landing)?;
        }
        if landing.enters() { self.visit(at) } else { Ok(()) }
    }

    /// The depth of the successor at this place of the slices.
    fn depth(&self, at: usize) -> u64 {
        let (step, _) = self.slices.steps[at];
        self.path.last().map_or(0, |frame| frame.depth + u64::from(step.weight))
    }

    /// Meets the state at this place of the slices.
    fn visit(&mut self, at: usize) -> Result<(), Why> {
        let depth = self.depth(at);
        self.store.make_room(1, &mut self.ledger.memory)?;
        match self.store.insert(self.slices.state(at), self.revisit.arrive(depth)) {
            Seen::New(key) => {
                self.ledger.create(depth)?;
                self.enter(at, key)
            }
            Seen::OnPath(_) => {
                self.ledger.matched();
                self.ledger.statistics.loops += 1;
                Ok(())
            }
            Seen::Done(key) => {
                self.ledger.matched();
                match self.revisit.meet_again(self.store.note(key), depth) {
                    Some(again) => self.enter_again(at, key, again),
                    None => Ok(()),
                }
            }
        }
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
    fn enter(&mut self, at: usize, key: Key) -> Result<(), Why> {
        let wanted = (self.slices.state(at), &mut self.batch);
        self.ledger.successors(self.system, wanted, self.path.len())?;
        if self.batch.is_empty() {
            self.store.close(key);
            return self.judge(at);
        }
        let depth = self.depth(at);
        if depth >= self.ledger.limits.depth_max {
            self.ledger.statistics.truncated += 1;
            self.store.close(key);
            return Ok(());
        }
        let memory = &mut self.ledger.memory;
        memory.grow(&mut self.path, 1)?;
        let first = self.slices.len();
        self.slices.append(&self.batch, memory)?;
        self.path.push(Frame { key, depth, first, next: first });
        Ok(())
    }

    fn leave(&mut self) {
        if let Some(frame) = self.path.pop() {
            self.slices.truncate(frame.first);
            self.store.close(frame.key);
        }
    }

    fn judge(&mut self, at: usize) -> Result<(), Why> {
        let state = self.slices.state(at);
        let kind = FindingKind::Rest(self.system.rest(state));
        let candidate = Candidate { kind, state, step: None };
        self.ledger.report(candidate, || trail(&self.path, &self.slices))
    }

    fn report(&mut self, step: Step, landing: Landing) -> Result<(), Why> {
        let state = self.slices.state(self.entered(self.path.len() - 1));
        let kind = FindingKind::Landing(landing);
        let candidate = Candidate { kind, state, step: Some(step) };
        self.ledger.report(candidate, || trail(&self.path, &self.slices))
    }

    /// Where in the slices the state of this frame lies.
    fn entered(&self, frame: usize) -> usize {
        if frame == 0 { 0 } else { self.path[frame - 1].next - 1 }
    }
}

/// The steps being explored, from the initial state: the path is the trail.
fn trail(path: &[Frame], slices: &Slices) -> Vec<Step> {
    path.iter().map(|frame| slices.steps[frame.next - 1].0).collect()
}

/// The successors of all states of the path, one slice after the other. Place 0
/// is the initial state, which belongs to no frame.
struct Slices {
    width: usize,
    steps: Vec<(Step, Landing)>,
    words: Vec<Word>,
}

impl Slices {
    fn new(width: usize) -> Self {
        Self { width, steps: Vec::new(), words: Vec::new() }
    }

    fn len(&self) -> usize {
        self.steps.len()
    }

    fn state(&self, at: usize) -> &[Word] {
        &self.words[at * self.width..(at + 1) * self.width]
    }

    /// The step into the initial state is there for the numbering only.
    fn start(&mut self, initial: &[Word], memory: &mut Memory) -> Result<(), Why> {
        self.make_room(1, memory)?;
        let nobody = Step::new(0, 0, StepKind::Internal);
        self.steps.push((nobody, Landing::State));
        self.words.extend_from_slice(initial);
        Ok(())
    }

    fn append(&mut self, batch: &Successors, memory: &mut Memory) -> Result<(), Why> {
        self.make_room(batch.len(), memory)?;
        for (step, landing, state) in batch.iter() {
            self.steps.push((step, landing));
            self.words.extend_from_slice(state);
        }
        Ok(())
    }

    fn make_room(&mut self, states: usize, memory: &mut Memory) -> Result<(), Why> {
        memory.grow(&mut self.steps, states)?;
        memory.grow(&mut self.words, states * self.width)
    }

    fn truncate(&mut self, states: usize) {
        self.steps.truncate(states);
        self.words.truncate(states * self.width);
    }
}
