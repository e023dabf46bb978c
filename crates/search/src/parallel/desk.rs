//! What one worker has before it: its stack, its waves, its counts.

use super::{Shared, Task};
use crate::Executed;
use crate::memo::Memo;
use crate::memory::Memory;
use crate::waves::{Origin, Waves, tag_of};
use crate::worklist::unnamed;
use collapse::{Collapse, Cursor, Form, Need};
use std::sync::atomic::Ordering;
use system::{Blocked, Successors, System, Unlimited, Word, apart};

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
    /// Those of a wave that are new.
    new: Vec<u32>,
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
    pub(super) fn new(system: &dyn System) -> Self {
        Self {
            stack: Vec::new(),
            waves: Waves::default(),
            new: Vec::new(),
            cursor: Cursor::default(),
            memo: Memo::new(system, false).filter(|_| system.has_first_step_sleep()),
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

    /// Changes every key on this desk.
    pub(super) fn change_keys(&mut self, change: &mut dyn FnMut(&mut Word, Form)) {
        self.stack.iter_mut().for_each(|task| change(&mut task.key, Form::Key));
        self.waves.change_keys(change);
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
        self.waves.start(1)[0] = key;
        Ok(())
    }

    pub(super) fn work(
        &mut self,
        shared: &Shared,
        worker: usize,
        store: &Collapse,
        system: &dyn System,
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
    fn expand(
        &mut self,
        shared: &Shared,
        store: &Collapse,
        system: &dyn System,
        task: Task,
    ) -> Result<(), Exit> {
        if self.recall(shared, store, system, task)? {
            return Ok(());
        }
        store.load(&mut self.cursor, task.key, &mut self.state);
        self.batch.clear();
        if system.has_first_step_sleep() && !self.batch.is_named() {
            self.batch.set_after(u32::from(task.tag));
        }
        system.successors(&self.state, &mut self.batch, &mut Unlimited);
        if self.batch.is_empty() && self.batch.left_out() == 0 {
            let proper = system.blocked(&self.state) == Blocked::ProperEnd;
            return if proper { Ok(()) } else { Err(Exit::Finding) };
        }
        self.provide(shared, self.waves.len() + self.batch.len())?;
        self.intern(store)?;
        if self.batch.is_named() {
            self.batch.steps().for_each(|step| self.executed.mark(step));
        }
        self.new_matched += self.batch.left_out() as u64;
        // There is no log, so no number of a parent.
        self.waves.coming().join(0, task.depth + 1);
        if self.waves.is_full() {
            self.turn(store);
        }
        Ok(())
    }

    /// Expands a state by what its agents did before; `false` or on `Err` nothing has happened.
    #[inline]
    fn recall(
        &mut self,
        shared: &Shared,
        store: &Collapse,
        system: &dyn System,
        task: Task,
    ) -> Result<bool, Exit> {
        let Some(memo) = &mut self.memo else { return Ok(false) };
        let (tables, state) = ((store, &mut self.cursor), (task.key, u32::from(task.tag)));
        let (account, found) = (&mut &shared.memory, self.waves.coming().begin());
        let recalled = memo.recall(system, tables, state, account, found);
        if !recalled.map_err(Exit::Need)? {
            return Ok(false);
        }
        let left_out = found.left_out();
        if let Err(exit) = self.provide(shared, self.waves.len()) {
            self.waves.coming().take_back();
            return Err(exit);
        }
        self.new_matched += left_out as u64;
        self.waves.coming().join(0, task.depth + 1);
        if self.waves.is_full() {
            self.turn(store);
        }
        Ok(true)
    }

    /// Makes sure that so many states may come, with those that are on their way.
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
        if !self.batch.outcomes().is_empty() {
            return Err(Exit::Finding);
        }
        let (batch, found) = (&self.batch, self.waves.coming().begin());
        let mut forms = found.room(batch.len(), 1).iter_mut();
        let write = |number| forms.next().into_iter().for_each(|form| *form = number);
        let family = (&*self.state, batch.states());
        store.intern_all(&mut self.cursor, family, write).map_err(Exit::Need)?;
        found.fill(batch.len(), |place| tag_of(batch, place));
        Ok(())
    }

    /// Looks the older wave up and asks for the other one.
    fn turn(&mut self, store: &Collapse) {
        let wave = self.waves.arrived();
        store.table().insert_all_shared(wave.forms(1), &mut self.new);
        for at in &self.new {
            let (key, Origin { depth, tag, .. }) =
                (wave.forms(1)[*at as usize], wave.origin(*at as usize));
            self.depth = self.depth.max(depth);
            self.stack.push(Task { key, depth, tag });
        }
        let new = self.new.len();
        self.new_matched += (wave.len() - new) as u64;
        self.new_states += new as u64;
        self.unbooked += new;
        self.quota -= new;
        self.waves.turn(wave, 1, |numbers| store.ask_for(numbers));
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
