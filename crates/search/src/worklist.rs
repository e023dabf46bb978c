//! The unordered loop: states wait in a frontier, first in first out or last in
//! first out; each is expanded once.
//!
//! In: a system, a store that gives the words of its states back, a frontier. A
//! successor travels in [`Waves`] before it is looked up, and a new state into
//! the [`Log`], which numbers it. What holds: a state is put into the frontier once,
//! when it is new; successors are looked up in the order they are generated, so
//! with a frontier by level the log has one of the shortest ways to each
//! state, and findings come in the order of their distance.

use crate::frontier::{Frontier, Waiting};
use crate::goal::Candidate;
use crate::ledger::Ledger;
use crate::log::Log;
use crate::memo::Memo;
use crate::outcome::{FindingKind, Outcome, Why};
use crate::store::{Decode, Key};
use crate::trails::Trails;
use crate::waves::{Origin, Wave, Waves, tag_of};
use collapse::{Form, Need};
use system::{Successors, System, Unlimited, Word};

/// Room is made for so many states at a time, to ask less often.
const STATES_PER_ROOM: usize = 256;

/// Searches from the initial state until nothing waits.
pub(crate) fn search<T, F>(system: &dyn System, store: T, frontier: F, ledger: Ledger) -> Outcome
where
    T: Decode<Note = ()>,
    F: Frontier,
{
    let (state, batch) = (vec![0; system.width()], unnamed(system));
    // At a limit of depth the other way round might end a step before its target.
    let unbounded = ledger.limits.depth_max == u64::MAX;
    let commutes = system.has_first_step_sleep() && !batch.is_named() && unbounded;
    let (waves, log, trails) = (Waves::default(), Log::default(), Trails::new(system, commutes));
    let (errors, new, level, room) = (Vec::new(), Vec::new(), 0, 0);
    let memo = Memo::new(system, false).filter(|_| commutes);
    let mut search = Worklist {
        system,
        store,
        frontier,
        ledger,
        commutes,
        memo,
        waves,
        log,
        trails,
        state,
        batch,
        errors,
        new,
        level,
        room,
    };
    let end = search.explore();
    let end = search.settle(end);
    search.ledger.mark_recorded(system);
    search.ledger.statistics.log_bytes = search.log.bytes();
    search.ledger.outcome(&search.store, end)
}

/// A buffer for successors by whatever steps, if nobody has to look at them.
pub(crate) fn unnamed(system: &dyn System) -> Successors {
    match system.edge_coverage().is_some() {
        true => Successors::unnamed(system.width()),
        false => Successors::new(system.width()),
    }
}

struct Worklist<'s, 'l, T, F> {
    system: &'s dyn System,
    store: T,
    frontier: F,
    ledger: Ledger<'l>,
    /// The system is told by which step a state was discovered.
    commutes: bool,
    memo: Option<Memo>,
    waves: Waves,
    log: Log,
    trails: Trails,
    /// The state being expanded, and its successors.
    state: Vec<Word>,
    batch: Successors,
    /// Steps that end in an error and are not reported yet: the key and the number of the
    /// state they leave, and their place among its successors.
    errors: Vec<(Key, u64, u32)>,
    /// Those of a wave that are new, with their keys.
    new: Vec<(u32, Key)>,
    /// The depth of the states being expanded.
    level: u64,
    /// So many more states may arrive before room has to be made.
    ///
    /// INVARIANT: at least as many as are on their way.
    room: usize,
}

impl<T, F> Worklist<'_, '_, T, F>
where
    T: Decode<Note = ()>,
    F: Frontier,
{
    fn explore(&mut self) -> Result<(), Why> {
        self.start()?;
        loop {
            let Some(next) = self.frontier.take() else {
                if self.waves.len() == 0 {
                    return Ok(());
                }
                self.turn()?;
                continue;
            };
            self.turn_to(next.depth)?;
            self.expand(next)?;
        }
    }

    fn start(&mut self) -> Result<(), Why> {
        self.system.initial(&mut self.state);
        self.make_room(1)?;
        let mut form = vec![0; self.store.stride()];
        while let Err(need) = self.store.start(&self.state, &mut form) {
            self.adapt(need, None)?;
        }
        self.waves.start(form.len()).copy_from_slice(&form);
        self.turn()
    }

    /// A step out of level `n` that ends in an error is at distance `n + 1`, as far
    /// as the states of the next level: it waits until the states at rest in its
    /// own level are judged. Without a promise of levels it waits for nothing.
    fn turn_to(&mut self, depth: u64) -> Result<(), Why> {
        if F::BY_LEVEL && depth == self.level {
            return Ok(());
        }
        self.level = depth;
        if self.errors.is_empty() { Ok(()) } else { self.report_errors() }
    }

    /// Counts what is still on its way and reports what still waits: an error in
    /// hand is never lost because the search ends for another reason.
    fn settle(&mut self, end: Result<(), Why>) -> Result<(), Why> {
        match end {
            Ok(()) => self.report_errors(),
            Err(why @ (Why::FirstError | Why::Errors)) => {
                // Room for all of the ring was made; `why` came first.
                let _ = self.drain();
                Err(why)
            }
            Err(why) => {
                // Ends at the latest with the last error; `why` came first.
                let _ = self.report_errors();
                Err(why)
            }
        }
    }

    fn expand(&mut self, mut at: Waiting) -> Result<(), Why> {
        if self.recall(&mut at)? {
            return Ok(());
        }
        self.store.decode(at.key, &mut self.state);
        self.batch.clear();
        if self.commutes {
            self.batch.set_after(u32::from(at.tag));
        }
        let wanted = (self.state.as_slice(), &mut self.batch);
        self.ledger.successors(self.system, wanted, self.frontier.len())?;
        self.ledger.spare(self.batch.left_out());
        if self.batch.is_empty() && self.batch.left_out() == 0 {
            return self.judge(at.number);
        }
        if at.depth >= self.ledger.limits.depth_max {
            self.ledger.statistics.truncated += 1;
            return Ok(());
        }
        let coming = self.waves.len() + self.batch.len();
        if self.room < coming {
            self.make_room(coming)?;
        }
        self.ledger.mark(&self.batch);
        if !self.batch.outcomes().is_empty() {
            self.note_errors(at)?;
        }
        while let Err(need) = self.intern() {
            self.widen(need, &mut at.key)?;
        }
        self.waves.coming().join(at.number, at.depth + 1);
        self.send(self.batch.len() + self.batch.left_out())
    }

    /// The successors of the batch join the wave that comes.
    fn intern(&mut self) -> Result<(), Need> {
        let (batch, found) = (&self.batch, self.waves.coming().begin());
        let forms = found.room(batch.len(), self.store.stride());
        self.store.intern_all((&self.state, batch.states()), forms)?;
        found.fill(batch.len(), |place| tag_of(batch, place));
        Ok(())
    }

    /// Expands a state by what its agents did before; `false` if nothing has happened.
    #[inline]
    fn recall(&mut self, at: &mut Waiting) -> Result<bool, Why> {
        let (Some(memo), Some(tables)) = (&mut self.memo, self.store.collapse()) else {
            return Ok(false);
        };
        let (state, found) = ((at.key.0, u32::from(at.tag)), self.waves.coming().begin());
        match memo.recall(self.system, tables, state, &mut self.ledger.memory, found) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(need) => return self.adapt(need, Some(&mut at.key)).map(|()| false),
        }
        let (count, left_out) = (found.count(), found.left_out());
        self.waves.coming().join(at.number, at.depth + 1);
        let coming = self.waves.len();
        if self.room < coming {
            self.make_room(coming)?;
        }
        self.ledger.spare(left_out);
        self.send(count + left_out)?;
        Ok(true)
    }

    /// The successors by so many edges are on their way.
    #[inline]
    fn send(&mut self, edges: usize) -> Result<(), Why> {
        if self.waves.is_full() {
            self.turn()?;
        }
        self.ledger.fire(edges, self.frontier.len() + self.waves.len())
    }

    /// Notes the successors that end in an error; only those that lead on stay.
    #[cold]
    fn note_errors(&mut self, at: Waiting) -> Result<(), Why> {
        self.ledger.memory.grow(&mut self.errors, self.batch.outcomes().len())?;
        for (index, outcome) in self.batch.outcomes() {
            self.errors.push((at.key, at.number, *index));
            if !outcome.enters() {
                self.ledger.matched(1);
            }
        }
        self.batch.keep_entering();
        Ok(())
    }

    /// Looks the older wave up and asks for the other one.
    fn turn(&mut self) -> Result<(), Why> {
        let (stride, wave) = (self.store.stride(), self.waves.arrived());
        self.new.clear();
        self.store.insert_all(wave.forms(stride), (), &mut self.new);
        let welcomed = self.welcome(&wave);
        self.waves.turn(wave, stride, |forms| self.store.ask_for(forms));
        welcomed
    }

    /// The new ones of a wave begin to wait; the others count as matched.
    #[inline(always)]
    fn welcome(&mut self, wave: &Wave) -> Result<(), Why> {
        let (mut end, mut known) = (Ok(()), wave.len() - self.new.len());
        for (before, (at, key)) in self.new.iter().enumerate() {
            let Origin { parent, depth, place, tag } = wave.origin(*at as usize);
            end = self.ledger.create(depth);
            if end.is_err() {
                // What comes behind does not count any more.
                known = *at as usize - before;
                break;
            }
            let number = self.log.len();
            self.log.push(parent, place);
            self.frontier.put(Waiting { key: *key, number, depth, tag });
        }
        self.room -= self.new.len();
        self.ledger.matched(known);
        end
    }

    fn drain(&mut self) -> Result<(), Why> {
        self.turn()?;
        self.turn()
    }

    /// The store changes all keys; the state being expanded, of this key, is loaded again.
    #[cold]
    fn widen(&mut self, need: Need, key: &mut Key) -> Result<(), Why> {
        self.adapt(need, Some(key))?;
        self.store.decode(*key, &mut self.state);
        Ok(())
    }

    fn adapt(&mut self, need: Need, mut at: Option<&mut Key>) -> Result<(), Why> {
        let Self { frontier, waves, errors, .. } = self;
        let mut held = |change: &mut dyn FnMut(&mut Word, Form)| {
            at.iter_mut().for_each(|key| change(&mut key.0, Form::Key));
            errors.iter_mut().for_each(|(key, _, _)| change(&mut key.0, Form::Key));
            frontier.change_keys(&mut |key| change(key, Form::Key));
            waves.change_keys(change);
        };
        self.memo.iter_mut().for_each(Memo::outdate);
        self.store.adapt(need, &mut self.ledger.memory, &mut held)
    }

    fn judge(&mut self, number: u64) -> Result<(), Why> {
        let kind = FindingKind::Blocked(self.system.blocked(&self.state));
        let candidate = Candidate { kind, state: &self.state, step: None };
        let (trails, log) = (&mut self.trails, &self.log);
        self.ledger.report(candidate, || trails.of(self.system, log, number))
    }

    fn report_errors(&mut self) -> Result<(), Why> {
        for index in 0..self.errors.len() {
            let (key, number, at) = self.errors[index];
            // All of it was fetched before: nobody need be asked, and nobody may
            // end it and lose the error.
            self.store.decode(key, &mut self.state);
            let mut batch = Successors::new(self.system.width());
            self.system.successors(&self.state, &mut batch, &mut Unlimited);
            let (step, outcome) = batch.step(at as usize);
            let kind = FindingKind::Step(outcome);
            let candidate = Candidate { kind, state: &self.state, step: Some(step) };
            self.ledger.report(candidate, || {
                let mut steps = self.trails.of(self.system, &self.log, number);
                steps.push(step);
                steps
            })?;
        }
        self.errors.clear();
        Ok(())
    }

    /// Makes room for these states and, if that is possible, for many more.
    #[cold]
    fn make_room(&mut self, states: usize) -> Result<(), Why> {
        self.room = 0;
        let many = states + STATES_PER_ROOM;
        self.try_room(many).or_else(|_| self.try_room(states)).or_else(|why| {
            let memory = &mut self.ledger.memory;
            let freed = self.memo.as_mut().is_some_and(|memo| memo.give_up(memory));
            if freed { self.try_room(states) } else { Err(why) }
        })
    }

    fn try_room(&mut self, states: usize) -> Result<(), Why> {
        let memory = &mut self.ledger.memory;
        self.store.make_room(states, memory)?;
        self.log.make_room(states, memory)?;
        self.frontier.make_room(states, memory)?;
        self.room = states;
        Ok(())
    }
}
