//! Which processes can be moved alone: those that do now only what no other process can
//! ever disturb, or be disturbed by, from where it stands.
//!
//! In: what was written down of each process while its steps were listed, edges that do
//! not execute included, and the outlooks of the others. As long as only others move,
//! nothing that process asked changes its answer: it keeps exactly its steps, and each of
//! them commutes with whatever the others do. That is a persistent set, and it is about
//! enabled steps on one side only, which is why the relation of sleep sets may be used:
//! whatever the process cannot do now stands in its footprint as a look.
//!
//! A process that is through can be ended alone although nobody else can be created at the
//! same time: who is created before and who after has another number, and that is all.
//! Where numbers do not matter, the state in which it has ended does all that the state
//! in which it has not does, and blocks where it blocks. What is kept of blocked states is
//! then all but the processes that are through in them, and the numbers.

use super::code::Code;
use super::image::Image;
use super::outlook::Outlooks;
use super::record::{Recorder, Touched};
use std::collections::HashMap;
use std::ops::Range;
use system::{Accesses, Dependency, StepOutcome, Successors};

/// The outlooks met so far, and how they go with what processes do.
#[derive(Default)]
pub(super) struct Amples {
    numbers: HashMap<Vec<u32>, usize>,
    outlooks: Vec<(Accesses, bool)>,
    apart: HashMap<(Touched, usize), bool>,
    key: Vec<u32>,
    /// Of the processes of the state at hand.
    at_hand: Vec<usize>,
}

impl Amples {
    /// Adds the steps of each process that can be moved alone.
    pub(super) fn find(
        &mut self,
        (code, outlooks): (&Code, &Outlooks),
        image: &Image,
        (record, batch): (&Recorder, &Successors),
        found: &mut Vec<Range<usize>>,
    ) {
        let moving = processes(batch);
        if moving.len() < 2 {
            return;
        }
        self.look_at(code, outlooks, image);
        for (pid, steps) in moving {
            let enters = steps.clone().all(|index| batch.step(index).1 == StepOutcome::State);
            let Some(touched) = record.asked(pid).filter(|_| enters) else { continue };
            let mut others = (0..image.frames.len()).filter(|other| *other != pid);
            if ends_unseen(code, image, pid)
                || others.all(|other| self.is_apart(record, touched, other))
            {
                found.push(steps);
            }
        }
    }

    fn look_at(&mut self, code: &Code, outlooks: &Outlooks, image: &Image) {
        self.at_hand.clear();
        for pid in 0..image.frames.len() {
            self.key.clear();
            outlooks.key(code, image, pid, &mut self.key);
            let number = match self.numbers.get(&self.key) {
                Some(known) => *known,
                None => {
                    self.outlooks.push(outlooks.of(&self.key));
                    self.numbers.insert(self.key.clone(), self.outlooks.len() - 1);
                    self.outlooks.len() - 1
                }
            };
            self.at_hand.push(number);
        }
    }

    /// Whether what was touched and what another process may ever touch are apart.
    fn is_apart(&mut self, record: &Recorder, touched: Touched, other: usize) -> bool {
        let number = self.at_hand[other];
        let outlooks = &self.outlooks;
        *self.apart.entry((touched, number)).or_insert_with(|| {
            let (outlook, any_channel) = &outlooks[number];
            let footprint = record.touches(touched);
            let meets = *any_channel && footprint.has_channels();
            !meets && !footprint.depends_on(outlook, Dependency::Fine)
        })
    }
}

/// Whether all that a process does is to end, and nobody can tell: messages in a channel
/// that goes with it would be missed in a blocked state.
fn ends_unseen(code: &Code, image: &Image, pid: usize) -> bool {
    let (kind, location) = image.stand(image.frames[pid]);
    let is_left = |index: usize| image.owner(index) == Some(pid) && image.length(index) > 0;
    code.is_anonymous
        && code.kinds[kind].locations[location].is_last
        && !(0..image.channels.len()).any(is_left)
}

/// The processes that can move, with their steps: they stand side by side.
fn processes(batch: &Successors) -> Vec<(usize, Range<usize>)> {
    let mut found: Vec<(usize, Range<usize>)> = Vec::new();
    for (index, step) in batch.steps().enumerate() {
        let pid = step.agent as usize;
        match found.last_mut() {
            Some((last, steps)) if *last == pid => steps.end = index + 1,
            _ => found.push((pid, index..index + 1)),
        }
    }
    found
}
