//! Random walks through states: whatever happens to the layout of keys, two states have one
//! key iff they are equal.

use collapse::{Account, Collapse, Cursor, Form, Full, KEY_BITS_MAX, Lookup, Need, Patience};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use testkit::Random;

/// An account that books and refuses above a limit.
#[derive(Debug)]
struct Free {
    held: u64,
    held_max: u64,
    patience: Patience,
}

impl Default for Free {
    fn default() -> Self {
        Self { held: 0, held_max: u64::MAX, patience: Patience::default() }
    }
}

impl Account for Free {
    fn take(&mut self, bytes: u64) -> Result<(), Full> {
        if self.held.saturating_add(bytes) > self.held_max {
            return Err(Full);
        }
        self.held += bytes;
        Ok(())
    }

    fn give(&mut self, bytes: u64) {
        self.held -= bytes;
    }

    fn patience(&self) -> Patience {
        self.patience.clone()
    }
}

/// Walks at random through states and compares with a map of whole states.
struct Walk {
    words: usize,
    collapse: Collapse,
    cursor: Cursor,
    account: Free,
    /// The keys held outside, each with its state.
    keys: Vec<u64>,
    states: Vec<Vec<u64>>,
    known: HashMap<Vec<u64>, usize>,
}

impl Walk {
    fn new(words: usize, bits: u32) -> Self {
        let collapse = Collapse::with_key_bits(words, bits, 1 + words % 3);
        Self {
            words,
            collapse,
            cursor: Cursor::default(),
            account: Free::default(),
            keys: vec![],
            states: vec![],
            known: HashMap::new(),
        }
    }

    fn adapt(&mut self, need: Need) -> Result<(), Full> {
        let keys = &mut self.keys;
        let mut held = |change: &mut dyn FnMut(&mut u64, Form)| {
            keys.iter_mut().for_each(|key| change(key, Form::Key));
        };
        self.collapse.adapt(need, &mut self.account, &mut held)
    }

    fn key(&mut self, parent: Option<usize>, state: &[u64]) -> Result<u64, Full> {
        let mut words = vec![0; state.len()];
        loop {
            let key = match parent {
                None => self.collapse.start(&mut self.cursor, state),
                Some(parent) => {
                    self.collapse.load(&mut self.cursor, self.keys[parent], &mut words);
                    assert_eq!(words, self.states[parent]);
                    self.collapse.intern(&mut self.cursor, &words, state)
                }
            };
            match key {
                Ok(key) => return Ok(key),
                Err(need) => self.adapt(need)?,
            }
        }
    }

    fn visit(&mut self, parent: Option<usize>, state: &[u64]) -> Result<(), Full> {
        let key = self.key(parent, state)?;
        self.collapse.table_mut().make_room(1, &mut self.account)?;
        let met = self.collapse.insert(key);
        assert_eq!(met == Lookup::New, !self.known.contains_key(state), "{state:?}");
        if let Some(at) = self.known.get(state) {
            assert_eq!(self.keys[*at], key);
        } else {
            self.known.insert(state.to_vec(), self.keys.len());
            self.keys.push(key);
            self.states.push(state.to_vec());
        }
        assert_eq!(self.collapse.bytes(), self.account.held);
        Ok(())
    }

    fn check(&mut self) {
        let mut words = vec![0; self.states[0].len()];
        for (key, state) in self.keys.iter().zip(&self.states) {
            self.collapse.load(&mut self.cursor, *key, &mut words);
            assert_eq!(words, *state);
            assert_eq!(self.collapse.insert(*key), Lookup::Open);
        }
        assert_eq!(self.collapse.table().len(), self.states.len());
    }
}

/// `values` values per word, `steps` steps that change up to three words.
fn walk(words: usize, bits: u32, values: u64, steps: usize, seed: u64) -> (Walk, Result<(), Full>) {
    let mut random = Random::new(seed);
    let mut walk = Walk::new(words, bits);
    let end = steps_of(&mut walk, &mut random, values, steps);
    (walk, end)
}

fn steps_of(walk: &mut Walk, random: &mut Random, values: u64, steps: usize) -> Result<(), Full> {
    let words = walk.words;
    walk.visit(None, &vec![0; words])?;
    for _ in 0..steps {
        let parent = random.below(walk.states.len());
        let mut state = walk.states[parent].clone();
        for _ in 0..random.below(4).min(words) {
            // Words that follow one another, so that some pairs belong together.
            let at = random.below(words);
            state[at] = random.below(values).wrapping_mul(0x0001_0001_0001_0001);
        }
        walk.visit(Some(parent), &state)?;
    }
    Ok(())
}

/// Patient for so many questions.
fn patient(questions: u64) -> Patience {
    let left = Arc::new(AtomicU64::new(questions));
    let less = |left: u64| left.checked_sub(1);
    Patience::new(move || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok())
}

/// Whenever time runs out, either nothing has changed or the table is abandoned; what is held
/// outside can be read in any case.
#[test]
fn whoever_grows_can_be_interrupted() {
    let (mut abandoned, mut whole) = (0, 0);
    for (words, bits, values, steps) in
        [(3, KEY_BITS_MAX, 200, 60_000), (6, 20, 8, 30_000), (9, 40, 300, 40_000)]
    {
        for questions in (0..40).chain((40..400).step_by(30)) {
            let mut walk = Walk::new(words, bits);
            walk.account.patience = patient(questions);
            let end = steps_of(&mut walk, &mut Random::new(questions), values, steps);
            if end.is_ok() {
                break;
            }
            if walk.collapse.table().is_abandoned() {
                abandoned += 1;
                let full = walk.collapse.table_mut().make_room(1, &mut Free::default());
                assert_eq!(full, Err(Full), "nothing is put into it any more");
            } else if !walk.states.is_empty() {
                whole += 1;
                walk.check();
            }
            let mut found = vec![0; words];
            for (key, state) in walk.keys.iter().zip(&walk.states) {
                walk.collapse.load(&mut walk.cursor, *key, &mut found);
                assert_eq!(found, *state, "{questions} questions");
            }
        }
    }
    assert!(abandoned > 10 && whole > 2, "{abandoned} {whole}");
}

#[test]
fn any_number_of_words_gives_exact_keys() {
    for (words, values, steps) in
        [(0, 1, 10), (1, 3000, 9000), (2, 400, 9000), (5, 90, 9000), (10, 3, 9000)]
            .into_iter()
            .chain([
                (23, 500, 9000),
                (25, 9, 9000),
                (64, 100, 6000),
                (130, 4, 4000),
                (700, 60, 800),
            ])
    {
        let (mut walk, end) = walk(words, KEY_BITS_MAX, values, steps, words as u64 + 1);
        assert_eq!(end, Ok(()));
        walk.check();
    }
}

/// Short keys: fields widen and pair all the time.
#[test]
fn keys_stay_exact_while_their_layout_changes() {
    for seed in 0..60 {
        for (words, bits, values) in
            [(3, 14, 40), (6, 20, 12), (9, 24, 70), (40, 26, 5), (2, 12, 90)]
        {
            let (mut walk, end) = walk(words, bits, values, 1500, seed + 1);
            assert_eq!(end, Ok(()), "{words} {bits} {values}");
            assert!(walk.collapse.layouts() > 0, "{words} {bits} {values}");
            walk.check();
        }
    }
}

/// Words get more and more values: keys are small once there are many, and then no longer.
#[test]
fn keys_become_small_and_wide_again() {
    let (mut walk, mut random) = (Walk::new(5, KEY_BITS_MAX), Random::new(3));
    let (wide, mut seen) = (walk.collapse.key_of(0), vec![false]);
    walk.visit(None, &[0; 5]).unwrap();
    for step in 0..60_000u64 {
        let parent = random.below(walk.states.len());
        let mut state = walk.states[parent].clone();
        state[random.below(5) as usize] = random.below(2 + step / 200);
        walk.visit(Some(parent), &state).unwrap();
        // Keys of small slots are mixed another way.
        let small = walk.collapse.key_of(0) != wide;
        if seen.last() != Some(&small) {
            seen.push(small);
            walk.check();
        }
    }
    walk.check();
    assert_eq!(seen, [false, true, false]);
}

/// Among hundreds of words that stay as they are, those that vary have fields of their own.
#[test]
fn words_that_do_not_vary_take_no_bits() {
    let (words, varying) = (500, [0, 3, 100, 307, 499]);
    let (mut walk, mut random) = (Walk::new(words, KEY_BITS_MAX), Random::new(5));
    walk.visit(None, &vec![9; words]).unwrap();
    for _ in 0..6000 {
        let parent = random.below(walk.states.len());
        let mut state = walk.states[parent].clone();
        state[varying[random.below(5)]] = random.below(60);
        walk.visit(Some(parent), &state).unwrap();
    }
    walk.check();
    let fields: Vec<u64> = (0..words).map(|word| walk.collapse.field(word).all()).collect();
    let mut used = 0;
    for (word, bits) in fields.iter().enumerate() {
        assert_eq!(*bits != 0, varying.contains(&word), "{word}");
        assert_eq!(used & bits, 0, "{word} shares bits");
        used |= bits;
    }
}

/// All words have another value from the second state on, as where a process creates hundreds:
/// those that vary from then on have fields of their own nevertheless.
#[test]
fn pairs_are_chosen_by_what_varies() {
    for (words, varying) in [(60, [0, 1, 2, 3, 4]), (240, [0, 7, 100, 101, 239])] {
        let (mut walk, mut random) = (Walk::new(words, KEY_BITS_MAX), Random::new(5));
        walk.visit(None, &vec![0; words]).unwrap();
        walk.visit(Some(0), &vec![1; words]).unwrap();
        for _ in 0..20_000 {
            let parent = 1 + random.below(walk.states.len() - 1);
            let mut state = walk.states[parent].clone();
            state[varying[random.below(5)]] = 1 + random.below(12);
            walk.visit(Some(parent), &state).unwrap();
        }
        walk.check();
        let fields: Vec<u64> = (0..words).map(|word| walk.collapse.field(word).all()).collect();
        for (at, word) in varying.iter().enumerate() {
            let others = varying[..at].iter().filter(|other| fields[**other] & fields[*word] != 0);
            assert_eq!(others.count(), 0, "{word} of {words}: {:x?}", varying.map(|v| fields[v]));
        }
        let layouts = walk.collapse.layouts();
        assert!(layouts < 30, "{layouts} layouts for {words} words");
    }
}

/// One word after the other begins to vary, long after there were many keys.
#[test]
fn words_may_vary_late() {
    let words = 150;
    let (mut walk, mut random) = (Walk::new(words, KEY_BITS_MAX), Random::new(8));
    walk.visit(None, &vec![3; words]).unwrap();
    for step in 0..25_000 {
        let parent = random.below(walk.states.len());
        let mut state = walk.states[parent].clone();
        state[random.below(4 + (step / 300).min(words - 4))] = random.below(5);
        walk.visit(Some(parent), &state).unwrap();
    }
    walk.check();
    let layouts = walk.collapse.layouts();
    assert!(layouts < 40, "{layouts} layouts");
}

#[test]
fn more_states_than_keys_is_full_and_not_wrong() {
    let (mut walk, end) = walk(4, 6, 50, 3000, 7);
    assert_eq!(end, Err(Full));
    walk.check();
}

#[test]
fn a_refused_growth_changes_nothing() {
    for held_max in [0, 100, 4096, 6000, 20_000, 60_000, 100_000] {
        let mut walk = Walk::new(30, KEY_BITS_MAX);
        walk.account.held_max = held_max;
        let end = steps_of(&mut walk, &mut Random::new(11), 300, 6000);
        assert_eq!(end, Err(Full));
        assert!(walk.account.held <= held_max);
        if !walk.states.is_empty() {
            walk.check();
        }
    }
}
