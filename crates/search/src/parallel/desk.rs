//! What one worker has before it: its stack, its waves, its counts.

use super::{Shared, Task};
use crate::Executed;
use crate::memo::Memo;
use crate::memory::Memory;
use crate::waves::{Origin, WAVE, Waves};
use crate::worklist::unnamed;
use collapse::{Account, Collapse, Cursor, Full, Met, Need};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use system::{Rest, Successors, System, Word, apart};

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

/// Apart from the other desks.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Desk {
    pub(super) stack: Vec<Task>,
    waves: Waves,
    /// Those of a wave that are to be looked up one by one.
    unknown: Vec<u32>,
    cursor: Cursor,
    memo: Option<Memo>,
    state: Vec<Word>,
    batch: Successors,
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
    pub(super) fn new<S: System>(system: &S) -> Self {
        Self {
            stack: Vec::new(),
            waves: Waves::default(),
            unknown: Vec::new(),
            cursor: Cursor::default(),
            memo: Memo::new(system, false).filter(|_| system.commutes()),
            state: apart(0, system.width()),
            batch: unnamed(system),
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
        self.stack.iter_mut().map(|task| &mut task.key).chain(self.waves.forms_mut())
    }

    /// Fields of keys are new.
    pub(super) fn outdate(&mut self) {
        self.memo.iter_mut().for_each(Memo::outdate);
    }

    /// Gives the memory of the memo back; whether there was any.
    pub(super) fn give_up(&mut self, memory: &mut Memory) -> bool {
        self.memo.as_mut().is_some_and(|memo| memo.give_up(memory))
    }

    pub(super) fn start(&mut self, store: &Collapse, state: &[Word]) -> Result<(), Need> {
        let key = store.start(&mut self.cursor, state)?;
        self.waves.forms().push(key);
        self.waves.begin();
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
            let Some(task) = self.stack.pop() else {
                if self.waves.len() == 0 {
                    return Exit::Idle;
                }
                match self.provide(shared, self.waves.len()) {
                    Ok(()) => self.turn(store),
                    Err(exit) => return exit,
                }
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
        if self.recall(shared, store, system, task)? {
            return Ok(());
        }
        store.load(&mut self.cursor, task.key, &mut self.state);
        self.batch.clear();
        if system.commutes() && !self.batch.is_named() {
            self.batch.set_after(u32::from(task.tag));
        }
        system.successors(&self.state, &mut self.batch);
        if self.batch.is_empty() && self.batch.left_out() == 0 {
            let proper = system.rest(&self.state) == Rest::Proper;
            return if proper { Ok(()) } else { Err(Exit::Finding) };
        }
        self.provide(shared, self.batch.len() + 2 * WAVE)?;
        self.intern(store)?;
        if self.batch.is_named() {
            self.batch.steps().for_each(|step| self.executed.mark(step));
        }
        self.new_matched += self.batch.left_out() as u64;
        // There is no log, so no number of a parent.
        self.waves.join(&self.batch, 0, task.depth + 1);
        if self.waves.is_full() {
            self.turn(store);
        }
        Ok(())
    }

    /// Expands a state by what its agents did before; `false` or on `Err` nothing has happened.
    #[inline]
    fn recall<S: System>(
        &mut self,
        shared: &Shared,
        store: &Collapse,
        system: &S,
        task: Task,
    ) -> Result<bool, Exit> {
        let Some(memo) = &mut self.memo else { return Ok(false) };
        let (tables, state) = ((store, &mut self.cursor), (task.key, u32::from(task.tag)));
        let recalled = memo.recall(system, tables, state, &mut Shares(&shared.memory));
        if !recalled.map_err(Exit::Need)? {
            return Ok(false);
        }
        let coming = memo.found().len();
        self.provide(shared, coming + 2 * WAVE)?;
        let Some(memo) = &self.memo else { return Ok(false) };
        self.new_matched += memo.found().left_out() as u64;
        self.waves.add(memo.found().iter(), 0, task.depth + 1);
        if self.waves.is_full() {
            self.turn(store);
        }
        Ok(true)
    }

    /// Makes sure that so many states may come.
    #[inline]
    fn provide(&mut self, shared: &Shared, coming: usize) -> Result<(), Exit> {
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
        Ok(())
    }

    fn intern(&mut self, store: &Collapse) -> Result<(), Exit> {
        if !self.batch.landings().is_empty() {
            return Err(Exit::Finding);
        }
        let (family, forms) = ((&*self.state, self.batch.states()), self.waves.forms());
        let interned = store.intern_all(&mut self.cursor, family, |key| forms.push(key));
        interned.map_err(|need| {
            self.waves.take_back(1);
            Exit::Need(need)
        })
    }

    /// Looks the older wave up and asks for the other one.
    fn turn(&mut self, store: &Collapse) {
        let wave = self.waves.arrived();
        let mut unknown = std::mem::take(&mut self.unknown);
        store.table().sift_shared(&wave.forms, &mut unknown);
        self.new_matched += (wave.len() - unknown.len()) as u64;
        for at in &unknown {
            let (form, origin) = wave.state(*at as usize, 1);
            self.meet(store, form[0], origin);
        }
        self.unknown = unknown;
        self.waves.turn(wave, 1, |form| store.table().prefetch(form[0]));
    }

    #[inline(always)]
    fn meet(&mut self, store: &Collapse, key: Word, origin: Origin) {
        if store.table().insert_shared(key) == Met::New {
            self.new_states += 1;
            self.unbooked += 1;
            self.quota -= 1;
            self.depth = self.depth.max(origin.depth);
            self.stack.push(Task { key, depth: origin.depth, tag: origin.tag });
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

/// The account of all workers, held only while it is used.
struct Shares<'a>(&'a Mutex<Memory>);

impl Account for Shares<'_> {
    fn take(&mut self, bytes: u64) -> Result<(), Full> {
        super::lock(self.0).take(bytes)
    }

    fn give(&mut self, bytes: u64) {
        super::lock(self.0).give(bytes);
    }
}
