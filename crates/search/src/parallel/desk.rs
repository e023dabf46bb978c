//! What one worker has before it: its stack, its ring, its counts.

use super::{Shared, Task};
use crate::Executed;
use crate::frontier::Waiting;
use crate::ring::{RING, Ring};
use collapse::{Collapse, Cursor, Met, Need};
use std::sync::atomic::Ordering;
use system::{Landing, Rest, Successors, System, Word};

/// A worker shows itself after so many states, if nobody asks before.
const STATES_PER_TICK: u32 = 2048;
/// It looks so often whether others have nothing to do.
const STATES_PER_SHARE: u32 = 64;
/// With fewer states than this a worker shares none.
const SHARED_MIN: usize = 64;

/// Why a worker lets go of the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    /// It has worked for a while.
    Tick,
    /// Somebody wants the store for itself.
    Pause,
    /// It has nothing to do.
    Idle,
    /// A successor has no key yet.
    Need(Need),
    /// So many states may come and the table has no room.
    Room(usize),
    /// There is something to report.
    Finding,
    /// There is no memory for the stack.
    Full,
}

#[derive(Debug)]
pub(super) struct Desk {
    pub(super) stack: Vec<Task>,
    ring: Ring,
    cursor: Cursor,
    state: Vec<Word>,
    batch: Successors,
    /// The keys of the batch.
    keys: Vec<Word>,
    /// So many states may still be added.
    pub(super) quota: usize,
    /// States added that the table has not booked.
    pub(super) unbooked: usize,
    pub(super) new_states: u64,
    pub(super) new_matched: u64,
    pub(super) depth: u64,
    pub(super) executed: Executed,
}

impl Desk {
    pub(super) fn new(width: usize) -> Self {
        Self {
            stack: Vec::new(),
            ring: Ring::new(1),
            cursor: Cursor::default(),
            state: vec![0; width],
            batch: Successors::new(width),
            keys: Vec::new(),
            quota: 0,
            unbooked: 0,
            new_states: 0,
            new_matched: 0,
            depth: 0,
            executed: Executed::default(),
        }
    }

    /// Every key on this desk, to change.
    pub(super) fn keys_mut(&mut self) -> impl Iterator<Item = &mut Word> {
        self.stack.iter_mut().map(|task| &mut task.number).chain(self.ring.forms_mut())
    }

    pub(super) fn start(&mut self, store: &Collapse, state: &[Word]) -> Result<(), Need> {
        self.ring.free(1)[0] = store.start(&mut self.cursor, state)?;
        self.ring.push(Waiting { number: 0, depth: 0 });
        Ok(())
    }

    pub(super) fn work<S: System>(
        &mut self,
        shared: &Shared,
        worker: usize,
        store: &Collapse,
        system: &S,
    ) -> Exit {
        for turn in 0..STATES_PER_TICK {
            if turn % STATES_PER_SHARE == 0 {
                self.share(shared, worker);
            }
            if shared.pausing.load(Ordering::Relaxed) > 0 || shared.over.load(Ordering::Relaxed) {
                return Exit::Pause;
            }
            if self.quota < RING {
                self.quota += shared.reserve(RING);
                if self.quota < RING {
                    return Exit::Room(RING);
                }
            }
            let Some(task) = self.stack.pop() else {
                if self.ring.len() == 0 {
                    return Exit::Idle;
                }
                (0..self.ring.len()).for_each(|_| self.arrive(store));
                continue;
            };
            if let Err(exit) = self.expand(shared, store, system, task) {
                self.stack.push(task);
                return exit;
            }
        }
        Exit::Tick
    }

    /// Expands a state; on `Err` nothing has happened.
    fn expand<S: System>(
        &mut self,
        shared: &Shared,
        store: &Collapse,
        system: &S,
        task: Task,
    ) -> Result<(), Exit> {
        store.load(&mut self.cursor, task.number, &mut self.state);
        self.batch.clear();
        system.successors(&self.state, &mut self.batch);
        if self.batch.is_empty() {
            let proper = system.rest(&self.state) == Rest::Proper;
            return if proper { Ok(()) } else { Err(Exit::Finding) };
        }
        let coming = self.batch.len() + RING;
        if self.quota < coming {
            self.quota += shared.reserve(coming);
            if self.quota < coming {
                return Err(Exit::Room(coming));
            }
        }
        if self.stack.capacity() - self.stack.len() < coming {
            let room = super::lock(&shared.memory).grow(&mut self.stack, coming);
            room.map_err(|_| Exit::Full)?;
        }
        self.intern(store)?;
        self.batch.steps().for_each(|step| self.executed.mark(step));
        for index in 0..self.keys.len() {
            if self.ring.is_full() {
                self.arrive(store);
            }
            self.ring.free(1)[0] = self.keys[index];
            self.ring.push(Waiting { number: 0, depth: task.depth + 1 });
        }
        Ok(())
    }

    fn intern(&mut self, store: &Collapse) -> Result<(), Exit> {
        self.keys.clear();
        for (_, landing, state) in self.batch.iter() {
            if landing != Landing::State {
                return Err(Exit::Finding);
            }
            let key = store.intern(&mut self.cursor, &self.state, state).map_err(Exit::Need)?;
            store.table().prefetch(key);
            self.keys.push(key);
        }
        Ok(())
    }

    #[inline(always)]
    fn arrive(&mut self, store: &Collapse) {
        let (form, origin) = self.ring.pop(1);
        let key = form[0];
        if store.table().insert_shared(key) == Met::New {
            self.new_states += 1;
            self.unbooked += 1;
            self.quota -= 1;
            self.depth = self.depth.max(origin.depth);
            self.stack.push(Waiting { number: key, depth: origin.depth });
        } else {
            self.new_matched += 1;
        }
    }

    /// Shares the older half of the stack, from which more follows, if somebody is
    /// idle and nothing is shared yet.
    fn share(&mut self, shared: &Shared, worker: usize) {
        if shared.idle.load(Ordering::Relaxed) == 0 || self.stack.len() < SHARED_MIN {
            return;
        }
        let mut share = super::lock(&shared.shares[worker]);
        if share.is_empty() {
            share.extend(self.stack.drain(..self.stack.len() / 2));
        }
    }
}
