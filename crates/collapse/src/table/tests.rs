use super::*;
use crate::line::{LINE, Line};
use crate::mix::Mix;
use crate::slots::{MARK, SMALL_SHIFT};
use crate::wave::{Fill, Lines, add_shared};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use testkit::Random;

/// An account that books and refuses above a limit.
#[derive(Debug)]
pub(crate) struct Free {
    pub(crate) held: u64,
    pub(crate) held_max: u64,
}

impl Default for Free {
    fn default() -> Self {
        Self { held: 0, held_max: u64::MAX }
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
}

/// The ways keys are mixed, and whether they go into small slots.
const KINDS: [(Mix, bool); 2] = [(Mix::Wide, false), (Mix::Small, true)];

/// A table without keys.
fn empty(small: bool, threads: usize, account: &mut Free) -> Table {
    let mut table = Table::new(threads);
    if small {
        table.make_room_to_shrink(account).unwrap();
        table.shrink(|key| key);
    }
    table
}

/// Keys that belong to the last line.
fn late(mix: Mix, number: u64) -> u64 {
    let small = mix.key_of(0) & MARK != 0;
    let (highest, shift) = if small { (!0 << SMALL_SHIFT | MARK, SMALL_SHIFT) } else { (!1, 1) };
    highest - (number << shift)
}

#[test]
fn a_table_is_a_set_with_flags() {
    for ((mix, small), dense) in KINDS.into_iter().flat_map(|kind| [(kind, true), (kind, false)]) {
        let mut account = Free::default();
        let mut table = empty(small, 1, &mut account);
        let mut random = Random::new(5);
        let mut known = HashMap::new();
        for round in 0..300_000u64 {
            let key = mix.key_of(if dense { round / 2 } else { random.below(1 << 42) });
            table.make_room(1, &mut account).unwrap();
            let expected = match known.get(&key) {
                None => Lookup::New,
                Some(true) => Lookup::Open,
                Some(false) => Lookup::Done,
            };
            assert_eq!(table.insert(key), expected);
            known.entry(key).or_insert(true);
            match random.below(3) {
                0 => table.close(key),
                1 => table.reopen(key),
                _ => continue,
            }
            known.insert(key, table.insert(key) == Lookup::Open);
        }
        same_keys(&table, &known);
        assert_eq!(table.bytes(), account.held);
        let change = |old: u64| Mix::Wide.key_of(mix.number_of(old) ^ 0x5555);
        recode(&mut table, change, &mut account);
        same_keys(&table, &known.iter().map(|(key, open)| (change(*key), *open)).collect());
        assert_eq!(table.bytes(), account.held);
    }
}

/// Replaces all keys by wide ones.
fn recode(table: &mut Table, change: impl Fn(u64) -> u64 + Sync, account: &mut Free) {
    if table.is_small() {
        table.make_room_to_widen(account).unwrap();
        table.widen(change);
    } else {
        table.recode(change);
    }
}

fn same_keys(table: &Table, known: &HashMap<u64, bool>) {
    assert_eq!(table.len(), known.len());
    assert_eq!(table.sample(usize::MAX).len(), known.len());
    for (key, open) in known {
        assert_eq!(table.is_open(*key), *open);
    }
    let keys: Vec<u64> = known.keys().copied().collect();
    let mut new = Vec::new();
    table.insert_all_shared(&keys, &mut new);
    assert!(new.is_empty());
}

#[test]
fn keys_that_overflow_the_last_line_are_kept() {
    for (mix, small) in KINDS {
        let mut account = Free::default();
        let mut table = empty(small, 1, &mut account);
        table.make_room(100, &mut account).unwrap();
        for number in 0..200 {
            assert_eq!(table.insert(late(mix, number)), Lookup::New);
        }
        for number in 0..200 {
            assert_eq!(table.insert(late(mix, number)), Lookup::Open);
            table.close(late(mix, number));
            assert!(!table.is_open(late(mix, number)));
        }
        table.make_room(300_000, &mut account).unwrap();
        for number in 0..200 {
            assert_eq!(table.insert(late(mix, number)), Lookup::Done);
        }
        assert_eq!(table.sample(usize::MAX).len(), 200);
    }
}

/// Known ones, new ones, twins, and those behind the last line: for one owner, for many
/// threads, and one by one.
#[test]
fn a_wave_of_keys_is_as_one_key_after_the_other() {
    KINDS.into_iter().for_each(|(mix, small)| compare_waves(mix, small));
}

fn compare_waves(mix: Mix, small: bool) {
    let [mut one, mut all, mut shared] =
        [1, 1, 2].map(|threads| empty(small, threads, &mut Free::default()));
    for round in 0..400u64 {
        let keys: Vec<u64> = (0..40)
            .map(|at| match at % 4 {
                0 => late(mix, round * at % 300),
                _ => mix.key_of(round * 25 + at * at % 31),
            })
            .collect();
        for table in [&mut one, &mut all, &mut shared] {
            table.make_room(40, &mut Free::default()).unwrap();
        }
        let new: Vec<u32> =
            (0..40).filter(|at| one.insert(keys[*at as usize]) == Lookup::New).collect();
        let (mut wave, mut together) = (Vec::new(), Vec::new());
        all.insert_all(&keys, &mut wave);
        shared.insert_all_shared(&keys, &mut together);
        shared.book(together.len());
        assert_eq!((&wave, &together), (&new, &new));
    }
    assert_eq!((all.len(), shared.len()), (one.len(), one.len()));
}

/// By much and by little, with keys that lie behind the last line, and recoded: whatever
/// the number of threads, each key is found where it belongs and none twice.
#[test]
fn several_threads_make_a_table_grow_as_one_does() {
    let most = |small: bool| if small { 2 << 20 } else { 4 << 20 };
    let ways = [(1, false), (2, false), (3, false), (3, true)];
    for ((mix, small), (threads, limit)) in
        KINDS.into_iter().flat_map(|kind| ways.map(|way| (kind, way)))
    {
        let mut account = Free { held: 0, held_max: if limit { most(small) } else { u64::MAX } };
        let mut table = empty(small, threads, &mut account);
        let mut known = HashMap::new();
        for number in 0..300_000u64 {
            let key = if number % 3000 == 0 { late(mix, number) } else { mix.key_of(number) };
            table.make_room(1, &mut account).unwrap();
            assert_eq!(table.insert(key), Lookup::New);
            let open = number % 5 > 0;
            if !open {
                table.close(key);
            }
            known.insert(key, open);
        }
        same_keys(&table, &known);
        assert_eq!(table.bytes(), account.held);
        let most = if small { 8 } else { 15 };
        assert!(table.bytes() < most * table.len() as u64, "{}", table.bytes());
        let change = |old: u64| Mix::Wide.key_of(mix.number_of(old) ^ 0x5555);
        account.held_max = u64::MAX;
        recode(&mut table, change, &mut account);
        same_keys(&table, &known.iter().map(|(key, open)| (change(*key), *open)).collect());
    }
}

#[test]
fn near_the_limit_the_table_grows_in_small_steps() {
    const LIMIT: u64 = 13 << 20;
    let mut account = Free { held: 0, held_max: LIMIT };
    let mut table = Table::new(1);
    let mut keys = 0;
    while table.make_room(1, &mut account).is_ok() {
        table.insert(Mix::Wide.key_of(keys));
        keys += 1;
    }
    // Whole large pages: the thirteenth megabyte would be half of one.
    assert_eq!((table.bytes(), account.held), (LIMIT - (1 << 20), LIMIT - (1 << 20)));
    assert!(keys > LIMIT * 11 / 13 / 8 * 84 / 100);
}

/// Two lines.
#[derive(Clone)]
struct Shuttled(shuttle::sync::Arc<Vec<shuttle::sync::atomic::AtomicU64>>);

impl Lines for Shuttled {
    type Slots = Wide;

    fn line(&self, number: usize) -> Option<Line> {
        let slots = self.0.get(number * LINE..)?.first_chunk::<LINE>()?;
        Some(std::array::from_fn(|at| slots[at].load(Ordering::Relaxed)))
    }

    fn fetch(&self, _: usize) {}

    fn add(&mut self, key: u64, home: usize, distance: usize) -> Option<bool> {
        add_shared(self, key, home, distance)
    }
}

impl Fill for Shuttled {
    fn fill(&self, number: usize, at: usize, slot: u64) -> bool {
        let free = &self.0[number * LINE + at];
        free.compare_exchange(0, slot, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// Three threads bring the same keys in different orders to two lines, in waves, under
/// random schedules: each key is new to exactly one of them.
#[test]
fn a_key_is_new_to_one_thread_only() {
    shuttle::check_random(three_threads, 3000);
}

fn three_threads() {
    let slots = (0..2 * LINE).map(|_| shuttle::sync::atomic::AtomicU64::new(0));
    let lines = Shuttled(shuttle::sync::Arc::new(slots.collect()));
    let bring = |thread: u64| {
        let lines = lines.clone();
        shuttle::thread::spawn(move || {
            let keys = (0..10).map(|turn| Mix::Wide.key_of((turn * 3 + thread * 7) % 10));
            let keys: Vec<u64> = keys.collect();
            let waves = keys.chunks(2).map(|keys| Wave { keys, homes: 1 });
            let new = |wave: Wave<'_>| wave.both(lines.clone(), &mut [0; 2], |_| unreachable!());
            waves.map(new).sum::<usize>()
        })
    };
    let threads: Vec<_> = (0..3).map(bring).collect();
    let new: usize = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    assert_eq!(new, 10);
    assert_eq!(lines.0.iter().filter(|slot| slot.load(Ordering::Relaxed) != 0).count(), 10);
}
