//! Steps on their way to the search: numbered, named, counted, written.

use super::code::Code;
use super::fault::Fault;
use super::image::Image;
use std::cell::Cell;
use system::{Budget, LastStatement, Step, StepKind, StepOutcome, Successors, Transition, Word};

/// One executed edge, or the two of a rendezvous.
#[derive(Clone, Copy, Debug)]
pub(super) struct Micro {
    pub(super) pid: usize,
    pub(super) edge: usize,
    pub(super) peer: Option<(usize, usize)>,
    /// The path up to it and with it.
    pub(super) transition: Transition,
}

/// What a search must be told besides its successors.
#[derive(Default)]
pub(super) struct Notes {
    /// Some state did not fit.
    pub(super) too_narrow: Cell<bool>,
    /// Some state needs longer numbers.
    pub(super) long_numbers: Cell<bool>,
    /// Some error was met that SPIN's verifier does not count.
    pub(super) uncounted: Cell<bool>,
}

/// What the claim did before the system moves.
#[derive(Clone, Copy, Default)]
pub(super) struct Prefix {
    pub(super) first: Option<usize>,
    pub(super) edges: usize,
    pub(super) noted: Option<Fault>,
}

/// Where steps go.
pub(super) struct Emit<'a> {
    pub(super) code: &'a Code,
    /// None only to ask whether anything moves.
    pub(super) out: Option<&'a mut Successors>,
    pub(super) parent: &'a [Word],
    pub(super) executed: &'a mut [Vec<bool>],
    pub(super) notes: &'a Notes,
    /// How many steps there were.
    pub(super) count: usize,
    /// One of them executed something.
    pub(super) moved: bool,
    /// How much of the path is marked as executed.
    pub(super) marked: usize,
    pub(super) claim: Prefix,
    pub(super) budget: &'a mut dyn Budget,
    /// Patience did not last: what was emitted is not all.
    pub(super) stopped: bool,
    /// That of the next step.
    pub(super) transition: Transition,
}

/// The agent of steps in which only the claim moves.
const NOBODY: usize = 0xffff;

impl Emit<'_> {
    /// A step from `base` along a path to a state, by way of what was passed over,
    /// into a fault if there is one.
    pub(super) fn step(
        &mut self,
        base: &Image,
        (path, image): (&[Micro], &Image),
        noted: Option<Fault>,
        fault: Option<Fault>,
    ) {
        let code = self.code;
        let choice = self.count;
        self.count += 1;
        self.moved |= fault.is_none_or(|fault| !fault.stalls(&code.rules));
        if code.rules.spin_counts && fault.is_some_and(|fault| fault != Fault::EndlessAtomic) {
            if self.out.is_some() {
                self.notes.uncounted.set(true);
            }
            return;
        }
        if self.out.is_none() {
            return;
        }
        if fault.is_some_and(Fault::is_overflow) {
            self.notes.long_numbers.set(true);
        }
        self.mark(base, path, image);
        let step = self.named(base, path, choice);
        let differ = |(one, other): (Fault, Fault)| one.breach() != other.breach();
        if noted.zip(self.claim.noted).is_some_and(differ) {
            self.notes.uncounted.set(true);
        }
        let noted = noted.or(self.claim.noted);
        let Some(out) = &mut self.out else { return };
        // What does not fit cannot be read back: it is left out, and the whole
        // search is repeated anyway.
        if !image.save(code, out.push(step, self.parent)) {
            self.notes.too_narrow.set(true);
            out.take_back();
            return;
        }
        out.set_transition(self.transition);
        if out.has_last_statements() {
            out.set_last_statement(last_statement(code, base, path));
        }
        match (fault, noted) {
            (Some(fault), _) => out.set_outcome(StepOutcome::Violation(fault.breach().number())),
            (None, Some(noted)) => out.set_outcome(StepOutcome::Noted(noted.breach().number())),
            (None, None) => {}
        }
    }

    /// Asks whether to go on, with the bytes held besides the steps.
    pub(super) fn ask(&mut self, bytes: u64) {
        let steps = self.out.as_ref().map_or(0, |out| out.bytes());
        self.stopped |= !self.budget.lasts(bytes + steps);
    }

    fn named(&self, base: &Image, path: &[Micro], choice: usize) -> Step {
        let (agent, edge) = match path.first() {
            Some(micro) => (micro.pid, micro.edge),
            None => (NOBODY, self.claim.first.unwrap_or(0)),
        };
        let halves: usize = path.iter().map(|micro| 1 + usize::from(micro.peer.is_some())).sum();
        Step {
            agent: agent as u32,
            edge: edge as u32,
            choice: choice as u32,
            weight: u16::try_from(self.claim.edges + halves).unwrap_or(u16::MAX),
            kind: path.first().map_or(StepKind::Internal, |micro| self.kind(base, micro)),
        }
    }

    /// What an edge of a process does, as far as a search may care.
    fn kind(&self, base: &Image, micro: &Micro) -> StepKind {
        let proctype = base.frames.get(micro.pid).map(|body| base.stand(*body).0);
        let edge = proctype.and_then(|kind| self.code.kinds[kind].edges.get(micro.edge));
        edge.map_or(StepKind::Internal, |edge| edge.kind)
    }

    /// The path is cut to `length` and goes on otherwise.
    pub(super) fn retreat(&mut self, length: usize) {
        self.marked = self.marked.min(length);
    }

    /// Notes what a step executes, for the list of what never was.
    fn mark(&mut self, base: &Image, path: &[Micro], image: &Image) {
        let mut steady = true;
        for (i, micro) in path.iter().enumerate().skip(self.marked) {
            for (pid, edge) in [Some((micro.pid, micro.edge)), micro.peer].into_iter().flatten() {
                // Of who came to life on the way only the end of it may know.
                steady &= pid < base.frames.len();
                let kind = |image: &Image| image.frames.get(pid).map(|body| image.stand(*body).0);
                if let Some(kind) = kind(base).or_else(|| kind(image))
                    && let Some(executed) = self.executed[kind].get_mut(edge)
                {
                    *executed = true;
                }
            }
            if steady {
                self.marked = i + 1;
            }
        }
    }
}

/// What the last edge of a path is. A process that came to life on the way has no edge
/// anybody could look up.
fn last_statement(code: &Code, base: &Image, path: &[Micro]) -> LastStatement {
    let Some(last) = path.last() else { return LastStatement::Other };
    let (pid, edge) = last.peer.unwrap_or((last.pid, last.edge));
    let kind = base.frames.get(pid).map(|body| &code.kinds[base.stand(*body).0]);
    kind.and_then(|kind| kind.edges.get(edge)).map_or(LastStatement::Other, |edge| edge.tag)
}
