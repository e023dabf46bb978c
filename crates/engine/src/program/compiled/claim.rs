//! The synchronous product with a never claim. The claim moves first, then the
//! system. If the system cannot, it stands still, and the claim goes on alone.

use super::choose::{self, Choice};
use super::code::Code;
use super::emit::{Emit, Prefix};
use super::fault::Fault;
use super::image::Image;
use super::memory::{CLAIM, Memory};
use super::record::UNKNOWN;
use super::walk::{Stacks, walk};

/// A move of the claim: one edge, or an atomic sequence.
#[derive(Clone)]
struct Move {
    image: Image,
    prefix: Prefix,
    /// Why it ends here.
    fault: Option<Fault>,
}

/// The product under way.
pub(super) struct Product<'a, 'e> {
    pub(super) code: &'a Code,
    pub(super) m: &'a mut Memory,
    pub(super) stacks: &'a mut Stacks,
    pub(super) emit: &'a mut Emit<'e>,
}

impl Product<'_, '_> {
    /// Emits every step of the product.
    pub(super) fn steps(&mut self, base: &Image) {
        if base.stutters() {
            for step in self.claim_moves(base, self.code.timeouts.0) {
                self.alone(base, step, true);
            }
            return;
        }
        let first = self.claim_moves(base, false);
        first.iter().for_each(|first| self.joined(base, first, false));
        if self.emit.moved {
            return;
        }
        // What did not move was not worth a number.
        self.emit.count = 0;
        let timeout = self.is_timeout(base, first.is_empty());
        for first in self.claim_moves(base, timeout) {
            let count = self.emit.count;
            self.emit.moved = false;
            self.joined(base, &first, timeout);
            if !self.emit.moved {
                self.emit.count = count;
                self.stand_still(base, first, timeout);
            }
        }
    }

    /// Whether it is time for a timeout, after no claim move led to one of the
    /// system: if the system cannot move. The claim may have been in its way; SPIN
    /// then thinks of timeouts only if both sides mention them, and of none at all
    /// that only the claim mentions.
    fn is_timeout(&mut self, base: &Image, claim_blocks: bool) -> bool {
        if self.code.rules.spin_counts {
            let (processes, claims) = self.code.timeouts;
            return processes && (!claim_blocks || claims);
        }
        !claim_blocks || !self.system_moves(base)
    }

    fn system_moves(&mut self, base: &Image) -> bool {
        let mut dry = Emit {
            code: self.code,
            out: None,
            parent: self.emit.parent,
            executed: &mut *self.emit.executed,
            notes: self.emit.notes,
            count: 0,
            moved: false,
            marked: 0,
            claim: Prefix::default(),
            budget: &mut *self.emit.budget,
            stopped: self.emit.stopped,
            transition: UNKNOWN,
        };
        system(self.code, self.m, self.stacks, (base, false), &mut dry);
        let (moved, stopped) = (dry.moved, dry.stopped);
        self.emit.stopped = stopped;
        moved
    }

    /// A move of the claim, then each step of the system.
    fn joined(&mut self, base: &Image, first: &Move, timeout: bool) {
        self.emit.claim = first.prefix;
        match first.fault {
            Some(_) => self.emit.step(base, (&[], &first.image), None, first.fault),
            None => {
                let question = (&first.image, timeout);
                system(self.code, self.m, self.stacks, question, self.emit);
            }
        }
    }

    /// A move of the claim while the system stands still. SPIN's verifier lets it
    /// move twice before it looks whether it knows the state, and once from then on.
    fn stand_still(&mut self, base: &Image, first: Move, timeout: bool) {
        if !self.code.rules.spin_counts {
            return self.alone(base, first, false);
        }
        let moves = self.claim_moves(&first.image, timeout);
        if moves.is_empty() && first.prefix.noted.is_some() {
            // It counts nothing, but has seen what is wrong.
            let fault = first.prefix.noted;
            return self.alone(base, Move { fault, ..first }, false);
        }
        for mut second in moves {
            second.prefix.first = first.prefix.first.or(second.prefix.first);
            second.prefix.edges += first.prefix.edges;
            second.prefix.noted = second.prefix.noted.or(first.prefix.noted);
            self.alone(base, second, true);
        }
    }

    /// Emits a move of the claim alone.
    fn alone(&mut self, base: &Image, mut step: Move, stutters: bool) {
        if stutters && let Some(flag) = step.image.tail.first_mut() {
            *flag = 1;
        }
        self.emit.claim = step.prefix;
        self.emit.step(base, (&[], &step.image), None, step.fault);
    }

    /// Every move of the claim. An atomic sequence is one move, and none at all if
    /// it blocks.
    fn claim_moves(&mut self, base: &Image, timeout: bool) -> Vec<Move> {
        let standing = Move { image: base.clone(), prefix: Prefix::default(), fault: None };
        if is_over(self.code, base) && !self.code.rules.spin_counts {
            return vec![Move { fault: Some(Fault::ClaimEnd), ..standing }];
        }
        self.m.timeout = timeout;
        // Claims only look; nobody interrupts them.
        let extensions = std::mem::replace(&mut self.m.extensions, u32::MAX);
        let mut found = Vec::new();
        let mut open = vec![Sequence { step: standing, hidden: Vec::new(), goes_on: true }];
        let mut choices = Vec::new();
        while let Some(sequence) = open.pop() {
            if !sequence.goes_on {
                found.push(sequence.step);
                continue;
            }
            self.m.dirty = true;
            let image = &sequence.step.image;
            choose::choices(self.code, self.m, image, (CLAIM, false), &mut choices);
            let extended = choices.drain(..).rev().map(|c| sequence.extended(self.code, c));
            open.extend(extended);
        }
        (self.m.timeout, self.m.extensions) = (false, extensions);
        found
    }
}

/// Emits what the processes can do, the claim aside.
pub(super) fn system(
    code: &Code,
    m: &mut Memory,
    stacks: &mut Stacks,
    (base, timeout): (&Image, bool),
    emit: &mut Emit<'_>,
) {
    (m.timeout, m.dirty) = (timeout, true);
    m.record.begin();
    for pid in (0..base.frames.len()).rev() {
        emit.retreat(0);
        if !emit.stopped {
            m.record.begin_process();
            walk(code, m, stacks, (base, pid), emit);
            m.record.end_process(pid);
        }
    }
    m.timeout = false;
}

/// An atomic sequence of the claim under way.
struct Sequence {
    step: Move,
    /// The states it came through.
    hidden: Vec<Image>,
    /// It is not at its end yet.
    goes_on: bool,
}

impl Sequence {
    /// The sequence with one more edge.
    fn extended(&self, code: &Code, choice: Choice) -> Sequence {
        let mut step = self.step.clone();
        let atomic = matches!(choice.result, Ok(Some(_)));
        step.prefix.first = step.prefix.first.or(Some(choice.edge));
        step.prefix.edges += 1;
        let fault = match choice.result {
            Err(fault) => Some(fault),
            Ok(_) => {
                step.image = choice.image;
                step.prefix.noted = choice.noted.or(step.prefix.noted);
                if atomic && self.hidden.iter().any(|hidden| hidden.is(&step.image)) {
                    Some(Fault::EndlessAtomic)
                } else {
                    is_over(code, &step.image).then_some(Fault::ClaimEnd)
                }
            }
        };
        step.fault = fault.filter(|fault| !fault.is_passed(&code.rules));
        step.prefix.noted = fault.or(step.prefix.noted);
        let hidden = self.hidden.iter().chain([&self.step.image]).cloned().collect();
        Sequence { goes_on: atomic && step.fault.is_none(), step, hidden }
    }
}

/// Whether the claim is where it says that the system is wrong.
fn is_over(code: &Code, image: &Image) -> bool {
    image.claim(code).is_none_or(|body| {
        let (kind, location) = image.stand(body);
        code.kinds[kind].locations[location].end
    })
}
