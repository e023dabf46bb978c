//! The books of one search: what both loops count, report and ask leave for.
//!
//! In: what the loop just did. Out: `Err` with the reason as soon as the search is
//! to end, which the loops pass up with `?`; at last the [`Outcome`].

use crate::goal::{Candidate, Goal, Weight};
use crate::memory::Memory;
use crate::outcome::{Finding, Outcome, RESIDUALS_KEPT_MAX, Statistics, Why};
use crate::store::{States, Store};
use crate::{CacheFigures, Coverage, Executed, Progress, Stop, Watch};
use system::{Budget, Step, Successors, System, Word};

/// The watch is asked once for so many edges.
const EDGES_PER_TICK: u64 = 1024;

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// States so deep are judged but not expanded.
    pub(crate) depth_max: u64,
    /// So many states may be created.
    pub(crate) states_max: u64,
    /// So many bytes may be held.
    pub(crate) memory_bytes_max: Option<u64>,
}

/// The books of one search.
pub(crate) struct Ledger<'a> {
    pub(crate) limits: Limits,
    pub(crate) memory: Memory,
    pub(crate) statistics: Statistics,
    goal: &'a mut dyn Goal,
    watch: &'a mut dyn Watch,
    /// What became of the cache so far, if there is one.
    pub(crate) cache: Option<CacheFigures>,
    /// Edges since the watch was asked.
    edges: u64,
    pub(crate) executed: Executed,
    findings: Vec<Finding>,
    residuals: Vec<Finding>,
    /// What was reported: the words of the state and a word for the step. Stores
    /// that forget and states explored again come upon the same error many times.
    reported: States,
    reported_key: Vec<Word>,
    report_memory: Memory,
    /// How much of `report_memory` is booked in `memory`.
    report_booked: u64,
}

impl<'a> Ledger<'a> {
    pub(crate) fn new(
        width: usize,
        limits: Limits,
        goal: &'a mut dyn Goal,
        watch: &'a mut dyn Watch,
    ) -> Self {
        Self {
            limits,
            memory: Memory::watched(limits.memory_bytes_max, watch),
            statistics: Statistics::default(),
            goal,
            watch,
            cache: None,
            edges: 0,
            executed: Executed::default(),
            findings: Vec::new(),
            residuals: Vec::new(),
            reported: States::new(width + 1, width + 1),
            reported_key: Vec::with_capacity(width + 1),
            report_memory: Memory::new(None),
            report_booked: 0,
        }
    }

    /// The edges of a state are executed. Unnamed ones are noted by the system.
    #[inline]
    pub(crate) fn mark(&mut self, batch: &Successors) {
        if batch.is_named() {
            batch.steps().for_each(|step| self.executed.mark(step));
        }
    }

    /// Takes in what the system recorded.
    pub(crate) fn mark_recorded(&mut self, system: &dyn System) {
        if let Some(coverage) = system.edge_coverage() {
            coverage.executed(&mut |agent, edge| self.executed.mark_edge(agent, edge));
        }
    }

    /// So many edges are followed. Every so often the watch is asked.
    #[inline]
    pub(crate) fn fire(&mut self, edges: usize, waiting: usize) -> Result<(), Why> {
        self.edges += edges as u64;
        if self.edges < EDGES_PER_TICK { Ok(()) } else { self.tick(waiting as u64) }
    }

    /// Fetches the successors of `state`. The watch and the memory limit may end a
    /// search in the middle of them: `out` is then not to be used.
    pub(crate) fn successors(
        &mut self,
        system: &dyn System,
        (state, out): (&[Word], &mut Successors),
        waiting: usize,
    ) -> Result<(), Why> {
        let mut asked = Books { ledger: self, waiting, end: Ok(()) };
        system.successors(state, out, &mut asked);
        asked.end
    }

    #[cold]
    pub(crate) fn tick(&mut self, waiting: u64) -> Result<(), Why> {
        self.edges = 0;
        self.memory.tick(self.watch);
        let Statistics { states, matched, depth, errors, .. } = self.statistics;
        let bytes = self.memory.held();
        let cache = self.cache;
        let progress = Progress { states, matched, depth, waiting, bytes, errors, cache };
        match self.watch.tick(&progress) {
            None => Ok(()),
            Some(Stop::Time) => Err(Why::Time),
            Some(Stop::Interrupted) => Err(Why::Interrupted),
        }
    }

    /// A state is new at this depth, if there may be one more.
    #[inline]
    pub(crate) fn create(&mut self, depth: u64) -> Result<(), Why> {
        if self.statistics.states >= self.limits.states_max {
            return Err(Why::States);
        }
        self.statistics.states += 1;
        self.statistics.depth = self.statistics.depth.max(depth);
        Ok(())
    }

    /// So many edges led to nothing new, or into an error.
    #[inline]
    pub(crate) fn matched(&mut self, edges: usize) {
        self.statistics.matched += edges as u64;
    }

    /// Reports the candidate if it counts and is not known. The trail is worked out
    /// only then; for a outcome it ends with the candidate's step.
    pub(crate) fn report(
        &mut self,
        candidate: Candidate,
        trail: impl FnOnce() -> Vec<Step>,
    ) -> Result<(), Why> {
        let weight = self.goal.weigh(&candidate);
        let known = match weight {
            Weight::Nothing => true,
            Weight::Mark => false,
            Weight::Warning | Weight::Error => !self.remember(&candidate),
        };
        if known {
            return Ok(());
        }
        match weight {
            Weight::Error | Weight::Mark => {
                let room = self.keep_error(finding(candidate, trail));
                self.goal.enough(self.statistics.errors).map_or(room, Err)
            }
            _ => self.keep_warning(candidate, trail),
        }
    }

    /// Whether the candidate is reported for the first time. Only the allocator
    /// can fail here: then it counts as new, for an error twice is better than none.
    fn remember(&mut self, candidate: &Candidate) -> bool {
        self.reported_key.clear();
        self.reported_key.extend_from_slice(candidate.state);
        self.reported_key.push(candidate.step.map_or(Word::MAX, step_word));
        match self.reported.make_room(1, &mut self.report_memory) {
            Ok(()) => self.reported.add(&self.reported_key).1,
            Err(_) => true,
        }
    }

    fn keep_error(&mut self, finding: Finding) -> Result<(), Why> {
        self.statistics.errors += 1;
        let room = self.charge(bytes_of(&finding));
        self.findings.push(finding);
        room
    }

    fn keep_warning(
        &mut self,
        candidate: Candidate,
        trail: impl FnOnce() -> Vec<Step>,
    ) -> Result<(), Why> {
        self.statistics.residuals += 1;
        if self.residuals.len() >= RESIDUALS_KEPT_MAX {
            return self.charge(0);
        }
        let finding = finding(candidate, trail);
        let room = self.charge(bytes_of(&finding));
        self.residuals.push(finding);
        room
    }

    /// Books the bytes of a finding and what has come to be remembered: in any
    /// case, see [`Memory::charge`].
    fn charge(&mut self, bytes: u64) -> Result<(), Why> {
        let remembered = self.report_memory.held();
        let booked = std::mem::replace(&mut self.report_booked, remembered);
        self.memory.charge(bytes + remembered - booked)
    }

    /// Closes the books: `end` says what ended the search before its time.
    pub(crate) fn outcome<T: Store>(mut self, store: &T, end: Result<(), Why>) -> Outcome {
        self.statistics.transitions = self.statistics.states + self.statistics.matched;
        self.statistics.store_bytes = store.bytes();
        self.statistics.peak_bytes = self.memory.peak();
        let mut why_incomplete: Vec<Why> = end.err().into_iter().collect();
        if self.statistics.truncated > 0 {
            why_incomplete.push(Why::Depth);
        }
        if store.coverage() != Coverage::Exact {
            why_incomplete.push(Why::Lossy);
        }
        Outcome {
            statistics: self.statistics,
            findings: self.findings,
            residuals: self.residuals,
            canonical: true,
            why_incomplete,
            executed: self.executed,
            coverage: store.coverage(),
            cache: store.cache(),
        }
    }
}

/// The budget for one state: asks the watch and the memory limit.
pub(crate) struct Books<'a, 'l> {
    pub(crate) ledger: &'a mut Ledger<'l>,
    /// So many states wait.
    pub(crate) waiting: usize,
    /// Why the budget ended, if it did.
    pub(crate) end: Result<(), Why>,
}

impl Budget for Books<'_, '_> {
    fn lasts(&mut self, bytes: u64) -> bool {
        let room = self.ledger.memory.allow(bytes);
        self.end = room.and_then(|()| self.ledger.tick(self.waiting as u64));
        self.end.is_ok()
    }
}

fn finding(candidate: Candidate, trail: impl FnOnce() -> Vec<Step>) -> Finding {
    Finding { kind: candidate.kind, trail: trail(), state: candidate.state.to_vec() }
}

fn bytes_of(finding: &Finding) -> u64 {
    let lists = size_of_val(&*finding.state) + size_of_val(&*finding.trail);
    (size_of::<Finding>() + lists) as u64
}

/// A step within its state in one word; never `Word::MAX`, which stands for none:
/// no machine has that many edges.
fn step_word(step: Step) -> Word {
    Word::from(step.agent) << 32 | Word::from(step.edge)
}
