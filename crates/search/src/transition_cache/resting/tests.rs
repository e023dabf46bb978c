use crate::memory::Memory;
use crate::transition_cache::{Noted, Targets, TransitionCache};
use collapse::{Collapse, Cursor, Form, Lookup};
use std::collections::HashSet;
use system::{Agents, Blocked, Budget, Step, StepKind, Successors, System, Unlimited, Word, apart};
use testkit::Random;

/// What an agent does. Word 0 is a clock, and each agent has a word of its own behind it.
#[derive(Clone, Copy, Debug)]
enum Life {
    /// Counts up to a number, again and again, and moves the clock.
    Busy(Word),
    /// Waits until its word is not 0, which nobody sets.
    Waits,
    /// Reads the clock all the time, and waits for an hour that never comes.
    Watches,
    /// Moves once, at an hour of the clock.
    Wakes(Word),
}

struct Town {
    lives: Vec<Life>,
    hours: Word,
}

impl Town {
    fn reads_clock(&self, agent: usize) -> bool {
        !matches!(self.lives[agent], Life::Waits)
    }

    fn act(&self, agent: usize, state: &[Word], out: &mut Successors) {
        let own = state[agent + 1];
        let step = Step::new(agent as u32, 0, StepKind::Internal);
        match self.lives[agent] {
            Life::Busy(most) => {
                let words = out.push(step, state);
                words[agent + 1] = (own + 1) % most;
                words[0] = (words[0] + 1) % self.hours;
            }
            Life::Wakes(hour) if state[0] == hour && own == 0 => {
                out.push(step, state)[agent + 1] = 1
            }
            Life::Waits | Life::Watches | Life::Wakes(_) => {}
        }
    }
}

impl System for Town {
    fn width(&self) -> usize {
        self.lives.len() + 1
    }

    fn initial(&self, words: &mut [Word]) {
        words.fill(0);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        (0..self.lives.len()).for_each(|agent| self.act(agent, state, out));
        true
    }

    fn agents(&self) -> Option<&dyn Agents> {
        Some(self)
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::ProperEnd
    }
}

impl Agents for Town {
    fn count(&self) -> usize {
        self.lives.len()
    }

    fn location_word(&self, agent: usize) -> usize {
        agent + 1
    }

    fn read_set(&self, agent: usize, _: &[Word], read: &mut dyn FnMut(usize)) -> bool {
        read(agent + 1);
        if self.reads_clock(agent) {
            read(0);
        }
        true
    }

    fn steps_of(&self, agent: usize, state: &[Word], out: &mut Successors) -> bool {
        self.act(agent, state, out);
        true
    }

    fn first_step_sleep_set(&self, _: u32, row: &mut Vec<Word>) {
        row.clear();
    }
}

/// All states, and how many agents and groups were asked in them, all in all. Successors are
/// those that the town has, in order.
fn explore(town: &Town) -> (u64, u64) {
    let mut memory = Memory::new(None);
    let (mut store, mut cursor) = (Collapse::new(town.width(), 1), Cursor::default());
    let mut cache = TransitionCache::new(town, Noted::Agents).expect("it has agents");
    let (mut targets, mut out) = (Targets::default(), Successors::new(town.width()));
    let mut words = apart(0, town.width());
    let mut keys = vec![loop {
        match store.start(&mut cursor, &words) {
            Ok(key) => break key,
            Err(need) => store.adapt(need, &mut memory, &mut |_| {}).expect("room"),
        }
    }];
    let (mut at, mut asked) = (0, 0);
    store.table_mut().make_room(1, &mut memory).expect("room");
    store.insert(keys[0]);
    while at < keys.len() {
        targets.clear();
        targets.begin(0);
        let state = (keys[at], 0);
        let tables = (&store, &mut cursor);
        match cache.recall(town, tables, state, &mut memory, &mut targets) {
            Ok(recalled) => assert!(recalled, "everything can be remembered"),
            Err(need) => {
                let held = &mut |change: &mut dyn FnMut(&mut Word, Form)| {
                    keys.iter_mut().for_each(|key| change(key, Form::Key));
                };
                store.adapt(need, &mut memory, held).expect("room");
                cache.outdate();
                continue;
            }
        }
        asked += cache.asked() as u64;
        store.load(&mut cursor, keys[at], &mut words);
        out.clear();
        town.successors(&words, &mut out, &mut Unlimited);
        let found: Vec<Word> = targets.forms(1).to_vec();
        assert_eq!(found.len(), out.len(), "{words:?}");
        store.table_mut().make_room(found.len(), &mut memory).expect("room");
        for (number, expected) in found.iter().zip(out.states().chunks(town.width())) {
            let key = store.key_of(*number);
            store.load(&mut cursor, key, &mut words);
            assert_eq!(words[..], *expected);
            if store.insert(key) == Lookup::New {
                keys.push(key);
            }
        }
        at += 1;
    }
    (keys.len() as u64, asked)
}

/// States of a town without its idle agents, counted naively.
fn count(town: &Town) -> u64 {
    let mut out = Successors::new(town.width());
    let mut words = vec![0; town.width()];
    town.initial(&mut words);
    let (mut known, mut open) = (HashSet::from([words.clone()]), vec![words]);
    while let Some(state) = open.pop() {
        out.clear();
        town.successors(&state, &mut out, &mut Unlimited);
        for state in out.states().chunks(town.width()) {
            if known.insert(state.to_vec()) {
                open.push(state.to_vec());
            }
        }
    }
    known.len() as u64
}

/// Beside five busy agents as many idle ones as you like are asked as one or two.
#[test]
fn who_rests_is_not_asked() {
    for idle in [0, 16, 64, 240] {
        for (seed, life) in [(1, Life::Waits), (2, Life::Watches)] {
            let mut lives = vec![life; idle];
            let mut random = Random::new(seed);
            for _ in 0..5 {
                lives.insert(random.below(lives.len() + 1), Life::Busy(6));
            }
            let (states, asked) = explore(&Town { lives, hours: 7 });
            assert_eq!(states, 6u64.pow(5) * 7);
            let most = 5 * states + 2 * states + 400 * idle as u64;
            assert!(asked <= most, "{idle} {life:?}: {asked} in {states} states");
        }
    }
}

/// Whoever wakes takes its steps in its place, wherever it rested.
#[test]
fn who_wakes_moves_in_order() {
    for seed in 1..60 {
        let mut random = Random::new(seed);
        let hours = 2 + random.below(40);
        let (busy, wakes) = (2 + random.below(2), random.below(4));
        let mut lives = Vec::new();
        for _ in 0..busy {
            lives.push(Life::Busy(2 + random.below(12)));
        }
        for _ in 0..wakes {
            lives.insert(random.below(lives.len() + 1), Life::Wakes(random.below(hours)));
        }
        let expected = count(&Town { lives: lives.clone(), hours });
        for _ in 0..random.below(30) + 8 {
            let life = if random.below(3) > 0 { Life::Waits } else { Life::Watches };
            lives.insert(random.below(lives.len() + 1), life);
        }
        assert_eq!(explore(&Town { lives, hours }).0, expected, "seed {seed}");
    }
}
