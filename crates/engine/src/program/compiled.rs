//! PROMELA programs as closures. [`Closures`] lists the same steps in the same
//! order, with the same words, as [`Followed`](super::Followed), which is its judge.
//!
//! A program comes in that the verifier accepts; each expression and action of it
//! becomes a closure over one flat memory (`image`), the bytes of a state as they
//! stand in its words. Read it outside in: `walk` follows atomic sequences, `choose`
//! asks which edges are executable, `act`, `message` and `create` execute them,
//! `value` computes. Once the pools are filled only claims, event traces, `run` and
//! `enabled` allocate. The successors of 60,000 states of SPIN's example `dtp.pml`
//! take 0.08 s instead of 2.2 s, of `sort.pml` 0.07 s instead of 2.5 s, and of
//! `snoopy.pml` 0.07 s instead of 1.4 s.
//!
//! What differs from the reference is only what nobody sees: faults have no names
//! and places, and nothing is printed. Whoever explains a step asks the reference.

mod act;
mod ample;
mod choose;
mod claim;
mod code;
mod create;
mod emit;
mod event;
mod fault;
mod image;
mod memory;
mod message;
mod outlook;
mod record;
mod value;
mod walk;

use super::bytes;
use super::{Breach, Executor, head, unexecuted};
use ample::Amples;
use claim::{Product, system};
use code::Code;
use emit::{Emit, Notes, Prefix};
use image::Image;
use memory::Memory;
use program::reference::{self, Failure, Rules};
use program::{Action, Expr, Initial, Proctype, Program, Variable};
use record::{Recorder, UNKNOWN};
use std::cell::RefCell;
use std::ops::Range;
use system::{
    Blocked, Budget, Dependency, Independence, Parts, Successors, System, Transition, Unlimited,
    Word,
};
use walk::Stacks;

/// Why a program is not made into closures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The initial values of the program fail.
    Failure(Failure),
    /// It holds something rare that only the reference interpreter does.
    Unsupported(&'static str),
}

/// A program run by closures.
pub struct Closures {
    code: Code,
    initial: Vec<Word>,
    notes: Notes,
    executed: RefCell<Vec<Vec<bool>>>,
    scratch: RefCell<Scratch>,
}

/// What is used again from state to state.
#[derive(Default)]
struct Scratch {
    memory: Memory,
    stacks: Stacks,
    visible: Image,
    /// The state whose steps were listed last: what was recorded is about it.
    listed: Vec<Word>,
    amples: Amples,
}

/// The system of `program`, with states of at least `width` words.
///
/// # Errors
/// The initial values of the program fail, or it holds something unsupported.
pub fn compile(program: &Program, rules: Rules, width: usize) -> Result<Closures, Refused> {
    prepare(program, rules, width, None)
}

/// The same, with closures that write down what they touch, a little slower: only so do
/// they know which of their steps do not depend on each other.
///
/// # Errors
/// As [`compile`].
pub fn compile_recording(
    program: &Program,
    rules: Rules,
    width: usize,
    dependency: Dependency,
) -> Result<Closures, Refused> {
    prepare(program, rules, width, Some(dependency))
}

fn prepare(
    program: &Program,
    rules: Rules,
    width: usize,
    dependency: Option<Dependency>,
) -> Result<Closures, Refused> {
    if let Some(reason) = unsupported(program, &rules) {
        return Err(Refused::Unsupported(reason));
    }
    let initial = reference::initial(program, &rules).map_err(Refused::Failure)?;
    let head = head(program, &rules, &initial, width);
    let mut words = vec![0; head + bytes::tail_words(program, &rules)];
    let fits = bytes::write((program, &rules), head, &initial, &mut words);
    debug_assert!(fits, "the width is that of the initial state at least");
    let code = code::prepare(program, &rules, head, dependency.is_some());
    let mut scratch = Scratch::default();
    if let Some(dependency) = dependency {
        scratch.memory.record = Recorder::new(dependency, code.is_entangled());
    }
    Ok(Closures {
        code,
        initial: words,
        notes: Notes::default(),
        executed: RefCell::new(unexecuted(program)),
        scratch: RefCell::new(scratch),
    })
}

/// What of a program the closures do not do, if there is anything.
fn unsupported(program: &Program, rules: &Rules) -> Option<&'static str> {
    if !has_room(program) {
        return Some("more of something than 16 bits can count");
    }
    let is_run = |expr: &Expr| matches!(expr, Expr::Run { .. });
    let starts = |variable: &Variable| match &variable.initial {
        Initial::Value(expr) => expr.mentions(&|e| is_run(e) || *e == Expr::Timeout),
        _ => false,
    };
    for kind in &program.proctypes {
        if kind.variables.iter().any(starts) {
            return Some("`run` or `timeout` in the initial value of a local");
        }
        if kind.provided.as_ref().is_some_and(|condition| condition.mentions(&is_run)) {
            return Some("`run` in a `provided` clause");
        }
    }
    let claim = rules.claim.map(|id| &program.proctypes[id]);
    claim.filter(|claim| acts(claim)).map(|_| "a never claim that sends, receives or runs")
}

/// Whether all numbers in the bytes of a state fit into their 16 bits; the reference
/// works on wider ones until it writes them down.
fn has_room(program: &Program) -> bool {
    const NUMBERS: usize = 0xffff;
    let is_narrow = |number: i32| (0..NUMBERS as i32).contains(&number);
    let has_small_channel = |variable: &Variable| match &variable.initial {
        Initial::Channel(kind) => (kind.capacity as usize) < NUMBERS,
        _ => true,
    };
    let wide = |expr: &Expr| matches!(expr, Expr::Run { priority: Some(p), .. } if !is_narrow(*p));
    let is_small = |kind: &Proctype| {
        kind.locations.len() < NUMBERS
            && kind.variables.len() < NUMBERS
            && kind.variables.iter().all(has_small_channel)
            && is_narrow(kind.priority)
            && !kind.mentions(&wide)
    };
    program.proctypes.len() < NUMBERS
        && program.proctypes.iter().all(is_small)
        && program.globals.len() < NUMBERS
        && program.globals.iter().all(has_small_channel)
}

/// Whether a claim does more than look and assign.
fn acts(claim: &Proctype) -> bool {
    let acts = |action: &Action| matches!(action, Action::Send { .. } | Action::Receive { .. });
    claim.mentions(&|expr| matches!(expr, Expr::Run { .. }))
        || claim.edges.iter().any(|edge| acts(&edge.action))
}

impl Closures {
    /// Forgets what was executed and met so far.
    pub(super) fn forget(&mut self) {
        self.notes = Notes::default();
        self.executed.get_mut().iter_mut().for_each(|edges| edges.fill(false));
    }

    /// Emits every step of `base`.
    fn steps(&self, base: &Image, memory: &mut Memory, stacks: &mut Stacks, emit: &mut Emit<'_>) {
        let code = &self.code;
        if code.rules.claim.is_some() {
            return Product { code, m: memory, stacks, emit }.steps(base);
        }
        system(code, memory, stacks, (base, false), emit);
        // Nobody would answer otherwise if nobody asks about it.
        if !emit.moved && !emit.stopped && (code.timeouts.0 || code.timeouts.1) {
            emit.count = 0;
            system(code, memory, stacks, (base, true), emit);
        }
    }

    fn emit<'a>(
        &'a self,
        out: Option<&'a mut Successors>,
        parent: &'a [Word],
        executed: &'a mut [Vec<bool>],
        budget: &'a mut dyn Budget,
    ) -> Emit<'a> {
        Emit {
            code: &self.code,
            out,
            parent,
            executed,
            notes: &self.notes,
            count: 0,
            moved: false,
            marked: 0,
            claim: Prefix::default(),
            budget,
            stopped: false,
            transition: UNKNOWN,
        }
    }

    /// Whether a process has a statement that can only fail, which SPIN does not
    /// count as a step.
    fn fails(&self, image: &Image) -> bool {
        let mut scratch = self.scratch.borrow_mut();
        let Scratch { memory, stacks, .. } = &mut *scratch;
        let mut endless = Unlimited;
        let mut emit = self.emit(None, &[], &mut [], &mut endless);
        self.steps(image, memory, stacks, &mut emit);
        emit.moved
    }

    fn judge(&self, image: &Image) -> Blocked {
        let code = &self.code;
        let may_stay = |body: &usize| {
            let (kind, location) = image.stand(*body);
            code.kinds[kind].locations[location].end
        };
        let has_messages = || (0..image.channels.len()).any(|index| image.length(index) > 0);
        let unfinished = || {
            let at = image.number(image.trace()).checked_sub(1);
            let mut watch = code.watch.iter().zip(at);
            !image.frames.is_empty() && watch.any(|(watch, at)| !watch.may_rest(code, at))
        };
        if code.rules.claim.is_some() {
            Blocked::ProperEnd
        } else if !image.frames.iter().all(may_stay) {
            Blocked::Deadlock
        } else if code.rules.queues_empty_at_end && has_messages() {
            Blocked::MessagesLeft
        } else if unfinished() {
            Blocked::Violation(Breach::TraceAssertion.number())
        } else if has_messages() {
            Blocked::Residual
        } else {
            Blocked::ProperEnd
        }
    }
}

impl Executor for Closures {
    fn is_too_narrow(&self) -> bool {
        self.notes.too_narrow.get()
    }

    fn needs_long_numbers(&self) -> bool {
        self.notes.long_numbers.get()
    }

    fn met_uncounted_error(&self) -> bool {
        self.notes.uncounted.get()
    }

    fn executed(&self) -> Vec<Vec<bool>> {
        self.executed.borrow().clone()
    }
}

impl System for Closures {
    fn width(&self) -> usize {
        self.initial.len()
    }

    fn identity_words(&self) -> usize {
        self.code.head
    }

    fn initial(&self, words: &mut [Word]) {
        words.copy_from_slice(&self.initial);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        let mut scratch = self.scratch.borrow_mut();
        let Scratch { memory, stacks, visible, listed, .. } = &mut *scratch;
        state.clone_into(listed);
        visible.load(&self.code, state);
        let mut executed = self.executed.borrow_mut();
        let mut emit = self.emit(Some(out), state, &mut executed, budget);
        self.steps(visible, memory, stacks, &mut emit);
        let stopped = emit.stopped;
        if std::mem::take(&mut memory.untold) {
            self.notes.uncounted.set(true);
        }
        !stopped
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        let mut image = Image::default();
        image.load(&self.code, state);
        match self.judge(&image) {
            Blocked::ProperEnd => Blocked::ProperEnd,
            _ if self.code.rules.spin_counts && self.fails(&image) => Blocked::ProperEnd,
            rest => rest,
        }
    }

    fn independence(&self) -> Option<&dyn Independence> {
        Some(self)
    }

    fn parts(&self) -> Option<&dyn Parts> {
        Some(self)
    }
}

impl Independence for Closures {
    fn dependent(&self, one: Transition, other: Transition) -> bool {
        self.scratch.borrow().memory.record.dependent(one, other)
    }

    fn ample(&self, state: &[Word], batch: &Successors, found: &mut Vec<Range<usize>>) {
        let Some(outlooks) = &self.code.outlooks else { return };
        if self.scratch.borrow().listed != state {
            self.successors(state, &mut Successors::new(state.len()), &mut Unlimited);
        }
        let mut scratch = self.scratch.borrow_mut();
        let Scratch { memory, visible, amples, .. } = &mut *scratch;
        amples.find((&self.code, outlooks), visible, (&memory.record, batch), found);
    }
}
