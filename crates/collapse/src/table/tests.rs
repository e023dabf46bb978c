use super::*;
use crate::collapse::tests::{Free, Random};
use crate::line::Line;
use crate::mix::{key_of, number_of, unmix};
use crate::wave::{Fill, Lines, add_shared};
use std::collections::HashMap;

#[test]
fn a_table_is_a_set_with_flags() {
    for dense in [true, false] {
        let (mut table, mut account) = (Table::default(), Free::default());
        let mut random = Random(5);
        let mut known = HashMap::new();
        for round in 0..300_000u64 {
            let key = key_of(if dense { round / 2 } else { random.below(1 << 62) });
            table.make_room(1, &mut account).unwrap();
            let expected = match known.get(&key) {
                None => Met::New,
                Some(true) => Met::Open,
                Some(false) => Met::Done,
            };
            assert_eq!(table.insert(key), expected);
            known.entry(key).or_insert(true);
            match random.below(3) {
                0 => table.close(key),
                1 => table.reopen(key),
                _ => continue,
            }
            known.insert(key, table.insert(key) == Met::Open);
        }
        same_keys(&table, &known);
        assert_eq!(table.bytes(), account.held);
        let change = |old: u64| key_of(number_of(old) ^ 0x5555);
        table.recode(change);
        same_keys(&table, &known.iter().map(|(key, open)| (change(*key), *open)).collect());
    }
}

fn same_keys(table: &Table, known: &HashMap<u64, bool>) {
    assert_eq!(table.len(), known.len());
    assert_eq!(table.keys().count(), known.len());
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
    let (mut table, mut account) = (Table::default(), Free::default());
    table.make_room(100, &mut account).unwrap();
    let late = |number: u64| key_of(unmix((u64::MAX >> 1) - number) - 1);
    for number in 0..200 {
        assert_eq!(table.insert(late(number)), Met::New);
    }
    for number in 0..200 {
        assert_eq!(table.insert(late(number)), Met::Open);
        table.close(late(number));
    }
    table.make_room(5000, &mut account).unwrap();
    for number in 0..200 {
        assert_eq!(table.insert(late(number)), Met::Done);
    }
    assert_eq!(table.keys().count(), 200);
}

/// Known ones, new ones, twins, and those behind the last line: for one owner, for many
/// threads, and one by one.
#[test]
fn a_wave_of_keys_is_as_one_key_after_the_other() {
    let (mut one, mut all, mut shared) = (Table::default(), Table::default(), Table::default());
    let late = |number: u64| key_of(unmix((u64::MAX >> 1) - number) - 1);
    for round in 0..400u64 {
        let keys: Vec<u64> = (0..40)
            .map(|at| match at % 4 {
                0 => late(round * at % 300),
                _ => key_of(round * 25 + at * at % 31),
            })
            .collect();
        for table in [&mut one, &mut all, &mut shared] {
            table.make_room(40, &mut Free::default()).unwrap();
        }
        let new: Vec<u32> =
            (0..40).filter(|at| one.insert(keys[*at as usize]) == Met::New).collect();
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
    let late = |number: u64| key_of(unmix((u64::MAX >> 1) - number) - 1);
    for (threads, held_max) in [(1, u64::MAX), (2, u64::MAX), (3, u64::MAX), (3, 3_500_000)] {
        let mut account = Free { held: 0, held_max };
        let mut table = Table::new(threads);
        let mut known = HashMap::new();
        for number in 0..300_000u64 {
            let key = if number % 3000 == 0 { late(number) } else { key_of(number) };
            table.make_room(1, &mut account).unwrap();
            assert_eq!(table.insert(key), Met::New);
            let open = number % 5 > 0;
            if !open {
                table.close(key);
            }
            known.insert(key, open);
        }
        same_keys(&table, &known);
        assert_eq!(table.bytes(), account.held);
        assert!(table.bytes() < 15 * table.len() as u64, "{}", table.bytes());
        let change = |old: u64| key_of(number_of(old) ^ 0x5555);
        table.recode(change);
        same_keys(&table, &known.iter().map(|(key, open)| (change(*key), *open)).collect());
    }
}

#[test]
fn near_the_limit_the_table_grows_in_small_steps() {
    let mut account = Free { held: 0, held_max: 3_000_000 };
    let mut table = Table::default();
    let mut keys = 0;
    while table.make_room(1, &mut account).is_ok() {
        table.insert(key_of(keys));
        keys += 1;
    }
    assert!(table.bytes() > 2_850_000 && table.bytes() <= 3_000_000);
    assert!(keys > 2_850_000 / 8 * 84 / 100);
}

/// Two lines.
struct Shuttled(Vec<shuttle::sync::atomic::AtomicU64>);

impl Lines for Shuttled {
    fn line(&self, number: usize) -> Option<Line> {
        let slots = self.0.get(number * LINE..)?.first_chunk::<LINE>()?;
        Some(std::array::from_fn(|at| slots[at].load(Ordering::Relaxed)))
    }

    fn fetch(&self, _: usize) {}

    fn add(&mut self, key: u64, first: usize) -> Option<bool> {
        add_shared(self, key, first)
    }
}

impl Fill for Shuttled {
    fn fill(&self, number: usize, at: usize, slot: u64) -> bool {
        let free = &self.0[number * LINE + at];
        free.compare_exchange(0, slot, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// Three threads bring the same keys in different orders to two lines, under
/// random schedules: each key is new to exactly one of them.
#[test]
fn a_key_is_new_to_one_thread_only() {
    shuttle::check_random(three_threads, 3000);
}

fn three_threads() {
    use shuttle::sync::Arc;
    let slots = (0..2 * LINE).map(|_| shuttle::sync::atomic::AtomicU64::new(0));
    let lines = Arc::new(Shuttled(slots.collect()));
    let bring = |thread: u64| {
        let lines = Arc::clone(&lines);
        shuttle::thread::spawn(move || {
            let keys = (0..10).map(|turn| key_of((turn * 3 + thread * 7) % 10));
            keys.filter(|key| add_shared(&*lines, *key, home(*key, 1)) == Some(true)).count()
        })
    };
    let threads: Vec<_> = (0..3).map(bring).collect();
    let new: usize = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    assert_eq!(new, 10);
    assert_eq!(lines.0.iter().filter(|slot| slot.load(Ordering::Relaxed) != 0).count(), 10);
}
