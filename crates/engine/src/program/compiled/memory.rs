//! What closures work on: a state, who acts on it, and what they say besides.

use super::code::Code;
use super::fault::Fault;
use super::image::Image;

/// The actor that is the never claim.
pub(super) const CLAIM: usize = usize::MAX;

/// What closures work on.
#[derive(Default)]
pub(super) struct Memory {
    /// The state as far as it got.
    pub(super) image: Image,
    /// The pid of who acts.
    pub(super) actor: usize,
    /// Where the locals of the actor begin.
    pub(super) frame: usize,
    /// The last fault that was passed over.
    pub(super) noted: Option<Fault>,
    /// Some fault was passed over that no step will tell of: the statement then blocks,
    /// or something else fails in the same step.
    pub(super) untold: bool,
    /// Nothing else can move.
    pub(super) timeout: bool,
    /// The state may not be what the question is about any more.
    pub(super) dirty: bool,
    /// The processes whose being enabled is in question.
    pub(super) asked: Vec<usize>,
    /// Only what takes the offer is executable.
    pub(super) taking: bool,
    /// The rendezvous on offer.
    pub(super) offer: Offer,
    /// States to be used again.
    pub(super) pool: Vec<Image>,
    /// Edges executed inside steps since anybody was asked for patience.
    pub(super) effort: u64,
    /// How often a single `d_step` was given twice the time.
    pub(super) extensions: u32,
    /// A `d_step` was left before its end, and all that was found is void.
    pub(super) tired: bool,
}

/// A `d_step` gets so many edges before somebody is asked for patience.
const EDGES_PER_D_STEP: u64 = 1 << 18;

/// One half of a rendezvous.
#[derive(Clone, Default)]
pub(super) struct Offer {
    pub(super) channel: usize,
    pub(super) message: Vec<i32>,
}

impl Memory {
    /// Goes back to `base`, if need be.
    #[inline]
    pub(super) fn refresh(&mut self, base: &Image) {
        if self.dirty {
            self.image.clone_from(base);
            self.dirty = false;
        }
    }

    /// Who acts from now on.
    #[inline]
    pub(super) fn act_as(&mut self, code: &Code, actor: usize) {
        self.actor = actor;
        self.frame = self.body(code, actor).unwrap_or(0) + code.header();
    }

    /// Where the record of an actor begins, if it is alive.
    #[inline]
    pub(super) fn body(&self, code: &Code, actor: usize) -> Option<usize> {
        self.image.body(code, actor)
    }

    /// Passes over `fault` if the rules say so.
    pub(super) fn report(&mut self, code: &Code, fault: Fault) -> Result<(), Fault> {
        if !fault.is_passed(&code.rules) {
            return Err(fault);
        }
        self.note(fault);
        Ok(())
    }

    /// Whether a `d_step` of so many edges may still go on.
    #[inline]
    pub(super) fn may_go_on(&mut self, edges: u64) -> bool {
        self.tired |= edges >> self.extensions.min(63) > EDGES_PER_D_STEP;
        !self.tired
    }

    fn note(&mut self, fault: Fault) {
        let before = self.noted.replace(fault);
        self.tell(before, Some(fault));
    }

    /// Two faults of one step, which tells of one.
    pub(super) fn tell(&mut self, one: Option<Fault>, other: Option<Fault>) {
        let differ = |(one, other): (Fault, Fault)| one.breach() != other.breach();
        self.untold |= one.zip(other).is_some_and(differ);
    }

    /// Takes the state out, and leaves another in its place that means nothing.
    pub(super) fn take(&mut self) -> Image {
        self.dirty = true;
        let spare = self.pool.pop().unwrap_or_default();
        std::mem::replace(&mut self.image, spare)
    }

    /// Keeps the memory of a state that is done with; most are empty by then,
    /// having been handed on.
    pub(super) fn recycle(&mut self, image: Image) {
        if image.bytes.capacity() > 0 {
            self.pool.push(image);
        }
    }
}

impl Image {
    /// Where the record of an actor begins, if it is alive.
    #[inline]
    pub(super) fn body(&self, code: &Code, actor: usize) -> Option<usize> {
        match actor {
            CLAIM => self.claim(code),
            pid => self.frames.get(pid).copied(),
        }
    }

    /// The proctype and location in a record.
    #[inline]
    pub(super) fn stand(&self, body: usize) -> (usize, usize) {
        (self.number(body), self.number(body + 2))
    }

    /// The priority of a process.
    pub(super) fn priority(&self, code: &Code, pid: usize) -> i32 {
        if code.has_priorities { self.number(self.frames[pid] + 4) as i32 } else { 1 }
    }
}

impl Code {
    /// Bytes of a record before its locals.
    #[inline]
    pub(super) fn header(&self) -> usize {
        if self.has_priorities { 6 } else { 4 }
    }
}
