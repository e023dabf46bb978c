//! A transition cache per agent, keyed by its read set (LTSmin's transition caching; Blom, van de
//! Pol and Weber 2009): its steps are not computed twice in states that look the same to it.
//!
//! An agent of a [`Agents`] system looks at a few words of a state, and a collapsed state has
//! a field for each. So the bits of those fields say everything the agent can do, and a step
//! of it is a change of those bits: remembered once, it is made by an exclusive or, without
//! loading the state, executing an edge or numbering a word.
//!
//! ```text
//! number   [ i0 | i1 | i2 | i3 ]     of a state
//! view     [ ## |    | ## |    ]     what an agent at home in i0 looks at, by the value of i0
//! entry    number & view  ->  the changes its steps make
//! ```
//!
//! It is a cache: an entry gives way to another, an agent to which most states are new is
//! asked every time, and all is forgotten when keys change.

mod found;
mod habit;

pub(crate) use found::Found;

use collapse::{Account, Collapse, Cursor, Need};
use found::Change;
use habit::{Entry, Habit};
use system::{Agents, Successors, System, Word, apart};

/// So many steps of agents with several are remembered.
const MORE_MAX: usize = 1 << 16;
/// What an agent with so many steps does is not remembered.
const STEPS_MAX: usize = 1 << 10;
/// Weights are less than this.
const WEIGHTS: usize = 1 << u16::BITS;
/// Every so many states agents show whether it is worth remembering what they do.
const STATES_PER_TRIAL: u64 = 1 << 15;

/// The steps of the agents of a system.
#[derive(Debug)]
pub(crate) struct Memo {
    habits: Vec<Habit>,
    /// Behind the first one, the steps of agents that have several.
    more: Vec<Change>,
    /// The most steps of an agent that are remembered.
    most: usize,
    /// Which steps a state leaves out, a bit for each tag, by the tag of the step that
    /// discovered it; empty where nobody has asked.
    rows: Vec<Box<[Word]>>,
    row_bytes: u64,
    /// The state at hand, if an agent has to be asked, its steps there and the numbers of
    /// the states they lead to.
    state: Vec<Word>,
    batch: Successors,
    numbers: Vec<Word>,
    /// States since the last trial.
    states: u64,
    booked: u64,
    /// The fields of homes and views are to be asked for anew.
    outdated: bool,
    /// How often keys had changed when they were.
    layouts: u32,
    given_up: bool,
}

impl Memo {
    /// For a search that looks at tags, or at weights if it keeps names; none if the system is
    /// not divided.
    pub(crate) fn new(system: &dyn System, named: bool) -> Option<Self> {
        let (agents, width) = (system.agents()?, system.width());
        let batch = if named { Successors::new(width) } else { Successors::unnamed(width) };
        Some(Self {
            habits: (0..agents.count()).map(|_| Habit::default()).collect(),
            more: Vec::new(),
            most: 1,
            rows: Vec::new(),
            row_bytes: 0,
            state: apart(0, width),
            batch,
            numbers: Vec::new(),
            states: 0,
            booked: 0,
            outdated: true,
            layouts: 0,
            given_up: false,
        })
    }

    /// The fields of keys are new.
    pub(crate) fn outdate(&mut self) {
        self.outdated = true;
    }

    /// What was remembered holds on unless keys changed: bits that fields have gained are
    /// zero in all that was seen.
    #[cold]
    fn renew(&mut self, system: &dyn Agents, store: &Collapse) {
        self.outdated = false;
        for (agent, habit) in self.habits.iter_mut().enumerate() {
            habit.renew(store.field(system.location_word(agent)));
        }
        if std::mem::replace(&mut self.layouts, store.layouts()) != store.layouts() {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.more.clear();
        self.habits.iter_mut().for_each(Habit::clear);
    }

    /// Appends the successors of the state of `key`, by their numbers, to `found`, which was
    /// told that they come, without those left out by one that was discovered by a step of the
    /// tag `after`. Unless `true`, none are appended, and it has to be asked for as a whole.
    #[inline]
    pub(crate) fn recall(
        &mut self,
        system: &dyn System,
        (store, cursor): (&Collapse, &mut Cursor),
        (key, after): (Word, u32),
        account: &mut dyn Account,
        found: &mut Found,
    ) -> Result<bool, Need> {
        if self.given_up || self.is_unprepared(after) && !self.prepare(system, store, after) {
            return Ok(false);
        }
        self.states += 1;
        let state = (store.number_of(key), after);
        let Some(new) = self.follow(state, 0, found) else {
            return Ok(found.count() + found.left_out() > 0);
        };
        store.load(cursor, key, &mut self.state);
        let recalled = self.recall_from(new, system, (store, cursor), state, account, found);
        if recalled != Ok(true) {
            found.take_back();
        }
        recalled
    }

    /// Whether the fields are to be asked for, or what such a state leaves out.
    #[inline(always)]
    fn is_unprepared(&self, after: u32) -> bool {
        self.outdated || self.rows.get(after as usize).is_none_or(|row| row.is_empty())
    }

    #[cold]
    fn prepare(&mut self, system: &dyn System, store: &Collapse, after: u32) -> bool {
        let Some(system) = system.agents() else { return false };
        if self.outdated {
            self.renew(system, store);
        }
        if self.is_unprepared(after) {
            self.learn_row(system, after);
        }
        true
    }

    /// The same from an agent on to which the state is new.
    fn recall_from(
        &mut self,
        mut agent: usize,
        system: &dyn System,
        (store, cursor): (&Collapse, &mut Cursor),
        state: (Word, u32),
        account: &mut dyn Account,
        found: &mut Found,
    ) -> Result<bool, Need> {
        let Some(system) = system.agents() else { return Ok(false) };
        loop {
            if !self.ask(system, agent, (store, cursor))? {
                return Ok(false);
            }
            self.learn(system, agent, state, store, found);
            if !self.pays(account) {
                return Ok(false);
            }
            match self.follow(state, agent + 1, found) {
                Some(next) => agent = next,
                None => return Ok(found.count() + found.left_out() > 0),
            }
        }
    }

    /// Takes the steps of the agents from this one on, up to one to which the state is new.
    #[inline(always)]
    fn follow(
        &self,
        (number, after): (Word, u32),
        first: usize,
        found: &mut Found,
    ) -> Option<usize> {
        found.reserve(self.habits.len() * self.most, 1);
        let mut adding = found.adding(number, &self.rows[after as usize]);
        let mut new = None;
        for (agent, habit) in (first..).zip(&self.habits[first..]) {
            let seen = habit.sees(number);
            let entry = habit.entry(seen);
            if entry.seen != seen {
                new = Some(agent);
                break;
            }
            adding.add(entry.first(), entry.steps() > 0);
            if entry.steps() > 1 {
                self.more[entry.more()].iter().for_each(|change| adding.add(*change, true));
            }
        }
        let end = adding.end();
        found.added(end);
        new
    }

    fn learn_row(&mut self, system: &dyn Agents, after: u32) {
        let mut row = Vec::new();
        system.first_step_sleep_set(after, &mut row);
        // A bit for every weight, none of which is left out.
        let words = if self.batch.is_named() { WEIGHTS / Word::BITS as usize } else { 1 };
        row.resize(row.len().max(words), 0);
        self.row_bytes += size_of_val(&*row) as u64;
        let rows = self.rows.len().max(after as usize + 1);
        self.rows.resize(rows, Box::default());
        self.rows[after as usize] = row.into();
    }

    /// Asks an agent for its steps; `false` if they are not to be told by themselves.
    fn ask(
        &mut self,
        system: &dyn Agents,
        agent: usize,
        (store, cursor): (&Collapse, &mut Cursor),
    ) -> Result<bool, Need> {
        self.batch.clear();
        let told = system.steps_of(agent, &self.state, &mut self.batch);
        if !told || !self.batch.outcomes().is_empty() {
            return Ok(false);
        }
        self.numbers.clear();
        let (family, numbers) = ((&*self.state, self.batch.states()), &mut self.numbers);
        store.intern_all(cursor, family, |number| numbers.push(number))?;
        Ok(true)
    }

    /// Takes what the agent said, and remembers it if that may pay.
    fn learn(
        &mut self,
        system: &dyn Agents,
        agent: usize,
        (number, after): (Word, u32),
        store: &Collapse,
        found: &mut Found,
    ) {
        let first = self.more.len();
        found.reserve(self.numbers.len(), 1);
        let mut adding = found.adding(number, &self.rows[after as usize]);
        for (at, other) in self.numbers.iter().enumerate() {
            let note = match self.batch.is_named() {
                true => self.batch.step(at).0.weight,
                false => u16::try_from(self.batch.tags()[at]).unwrap_or(0),
            };
            let change = Change { bits: other ^ number, note };
            adding.add(change, true);
            self.more.push(change);
        }
        let end = adding.end();
        found.added(end);
        let look = |bits: &mut dyn FnMut(Word)| {
            system.read_set(agent, &self.state, &mut |word| bits(store.field(word).all()))
        };
        let habit = &mut self.habits[agent];
        let few = self.numbers.len() < STEPS_MAX;
        if !habit.miss() || !few || !habit.looks(number, look) {
            return self.more.truncate(first);
        }
        self.most = self.most.max(self.numbers.len());
        habit.write(Entry::new(habit.sees(number), first, &mut self.more));
        if self.more.len() > MORE_MAX {
            self.forget();
        }
    }

    /// Whether to go on: not if most states are new to all agents, or there is no memory.
    fn pays(&mut self, account: &mut dyn Account) -> bool {
        if self.states >= STATES_PER_TRIAL {
            self.habits.iter_mut().for_each(|habit| habit.judge(self.states));
            self.given_up = self.habits.iter().all(Habit::is_given_up);
            self.states = 0;
        }
        if self.given_up || !self.book(account) {
            self.give_up(account);
        }
        !self.given_up
    }

    /// Gives all memory back for good; whether there was any.
    #[cold]
    pub(crate) fn give_up(&mut self, account: &mut dyn Account) -> bool {
        let bytes = std::mem::take(&mut self.booked);
        account.give(bytes);
        (self.row_bytes, self.given_up) = (0, true);
        self.habits.iter_mut().for_each(|habit| *habit = Habit::default());
        (self.more, self.rows) = (Vec::new(), Vec::new());
        bytes > 0
    }

    fn book(&mut self, account: &mut dyn Account) -> bool {
        let more = (self.more.capacity() * size_of::<Change>()) as u64;
        let bytes = self.habits.iter().map(Habit::bytes).sum::<u64>() + self.row_bytes + more;
        let grown = bytes.saturating_sub(self.booked);
        let booked = grown == 0 || account.take(grown).is_ok();
        self.booked += if booked { grown } else { 0 };
        booked
    }
}
