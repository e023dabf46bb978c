//! Atomic sequences: from one visible state to the next, depth first, with the
//! stack made explicit: sequences are as long as the model likes.

use super::choose::{self, Choice};
use super::code::Code;
use super::emit::{Emit, Micro};
use super::fault::Fault;
use super::image::Image;
use super::memory::Memory;
use super::record::UNKNOWN;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Edges inside steps before somebody is asked for patience: some 20 ms.
const EDGES_PER_ASK: u64 = 1 << 15;

/// What a walk needs, kept from state to state.
#[derive(Default)]
pub(super) struct Stacks {
    frames: Vec<Frame>,
    choices: Vec<Choice>,
    /// The edges from the visible state to here.
    path: Vec<Micro>,
    /// The states on the path that nobody sees, by hash: how many there are.
    hidden: HashMap<u64, usize>,
    /// States in which it could not even be asked who may move. They stay hidden
    /// for the rest of the walk.
    failed: Vec<(usize, Image)>,
}

/// A state on the path and what is still to be tried there.
struct Frame {
    pid: usize,
    /// None for the visible state.
    image: Option<Image>,
    /// If nobody sees it.
    hash: Option<u64>,
    /// Where its choices begin, and the next one.
    first: usize,
    next: usize,
    /// How long the path is here, and what was passed over on it.
    length: usize,
    noted: Option<Fault>,
}

/// Emits every visible step of `base` that begins with a move of process `pid`.
pub(super) fn walk(
    code: &Code,
    m: &mut Memory,
    stacks: &mut Stacks,
    (base, pid): (&Image, usize),
    emit: &mut Emit<'_>,
) {
    let timeout = m.timeout;
    let mut walk = Walk { code, m, stacks, base, emit };
    walk.stacks.path.clear();
    let options = walk.options(base, pid);
    // Within a step `timeout` is false again, except that a claim which saw it be
    // true holds it for the whole step.
    walk.m.timeout = timeout && code.rules.claim.is_some();
    match options {
        Ok(first) if first == walk.stacks.choices.len() => {}
        Ok(first) => walk.run(Frame {
            pid,
            image: None,
            hash: None,
            first,
            next: first,
            length: 0,
            noted: None,
        }),
        Err(fault) => {
            walk.emit.transition = UNKNOWN;
            walk.emit.step(base, (&[], base), None, Some(fault));
        }
    }
    walk.m.timeout = timeout;
}

struct Walk<'a, 'e> {
    code: &'a Code,
    m: &'a mut Memory,
    stacks: &'a mut Stacks,
    base: &'a Image,
    emit: &'a mut Emit<'e>,
}

impl Walk<'_, '_> {
    /// Puts what process `pid` can do on the stack of choices; where it begins.
    fn options(&mut self, base: &Image, pid: usize) -> Result<usize, Fault> {
        let first = self.stacks.choices.len();
        loop {
            let may_move = choose::may_move(self.code, self.m, base, pid);
            if may_move == Ok(true) {
                choose::choices(self.code, self.m, base, (pid, false), &mut self.stacks.choices);
            }
            if !std::mem::take(&mut self.m.tired) {
                return may_move.map(|_| first);
            }
            // A `d_step` takes its time. From the start, with twice as much of it, or
            // not at all.
            self.drop_choices(first);
            self.m.dirty = true;
            self.m.extensions += 1;
            self.ask();
            if self.emit.stopped {
                return Ok(first);
            }
        }
    }

    fn drop_choices(&mut self, first: usize) {
        let done = self.stacks.choices.drain(first..).map(|choice| choice.image);
        done.for_each(|image| self.m.recycle(image));
    }

    /// Counts an edge; every so often somebody is asked whether to go on.
    fn spend(&mut self) {
        self.m.effort += 1;
        if self.m.effort >= EDGES_PER_ASK {
            self.ask();
        }
    }

    #[cold]
    fn ask(&mut self) {
        self.m.effort = 0;
        let states = self.stacks.frames.len() + self.stacks.choices.len() + self.m.pool.len();
        let each = self.base.bytes.capacity() + size_of::<Frame>() + size_of::<Choice>();
        self.emit.ask((states * each) as u64);
    }

    fn run(&mut self, root: Frame) {
        self.stacks.frames.push(root);
        while let Some(frame) = self.stacks.frames.last_mut() {
            let next = frame.next;
            frame.next += 1;
            match next < self.stacks.choices.len() && !self.emit.stopped {
                true => self.follow(next),
                false => self.close(),
            }
        }
        self.stacks.hidden.clear();
        self.stacks.failed.clear();
    }

    fn close(&mut self) {
        let Some(frame) = self.stacks.frames.pop() else { return };
        if let Some(Entry::Occupied(mut count)) =
            frame.hash.map(|hash| self.stacks.hidden.entry(hash))
        {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
        self.drop_choices(frame.first);
        frame.image.into_iter().for_each(|image| self.m.recycle(image));
    }

    fn follow(&mut self, next: usize) {
        self.spend();
        let Some(frame) = self.stacks.frames.last() else { return };
        let choice = &mut self.stacks.choices[next];
        self.stacks.path.truncate(frame.length);
        self.emit.retreat(frame.length);
        let before = self.stacks.path.last().map_or(UNKNOWN, |micro| micro.transition);
        let (edge, peer) = (choice.edge, choice.peer);
        let mut micro = Micro { pid: frame.pid, edge, peer, transition: UNKNOWN };
        micro.transition = self.m.record.follow(before, &micro, choice.touched);
        self.emit.transition = micro.transition;
        self.stacks.path.push(micro);
        let path = self.stacks.path.as_slice();
        self.m.tell(frame.noted, choice.noted);
        let noted = choice.noted.or(frame.noted);
        match choice.result {
            Err(fault) => {
                let image = frame.image.as_ref().unwrap_or(self.base);
                self.emit.step(self.base, (path, image), noted, Some(fault));
            }
            Ok(None) => self.emit.step(self.base, (path, &choice.image), noted, None),
            Ok(Some(pid)) => {
                let image = std::mem::take(&mut choice.image);
                self.enter(pid, image, noted);
            }
        }
    }

    /// Goes on within the sequence, or finds that it cannot: then the state is
    /// visible after all.
    fn enter(&mut self, pid: usize, image: Image, noted: Option<Fault>) {
        let hash = image.hash() ^ (pid as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if self.is_hidden(pid, &image, hash) {
            self.step(&image, noted, Some(Fault::EndlessAtomic));
            return self.m.recycle(image);
        }
        // The question is about another state now, and about yet another then.
        self.m.dirty = true;
        let options = self.options(&image, pid);
        self.m.dirty = true;
        let first = match options {
            Ok(first) => first,
            Err(fault) => {
                self.step(&image, noted, Some(fault));
                return self.stacks.failed.push((pid, image));
            }
        };
        let goes_on = choose::any_moves(self.code, &self.stacks.choices[first..]);
        if goes_on {
            *self.stacks.hidden.entry(hash).or_default() += 1;
        } else {
            self.emit.transition = self.m.record.stop(self.emit.transition, pid);
            self.step(&image, noted, None);
        }
        let (hash, length) = (goes_on.then_some(hash), self.stacks.path.len());
        let image = Some(image);
        self.stacks.frames.push(Frame { pid, image, hash, first, next: first, length, noted });
    }

    fn step(&mut self, image: &Image, noted: Option<Fault>, fault: Option<Fault>) {
        self.emit.step(self.base, (&self.stacks.path, image), noted, fault);
    }

    fn is_hidden(&self, pid: usize, image: &Image, hash: u64) -> bool {
        let same = |frame: &Frame| {
            frame.hash == Some(hash)
                && frame.pid == pid
                && frame.image.as_ref().is_some_and(|hidden| hidden.is(image))
        };
        let known = self.stacks.hidden.contains_key(&hash);
        (known && self.stacks.frames.iter().any(same))
            || self.stacks.failed.iter().any(|(who, there)| *who == pid && there.is(image))
    }
}
