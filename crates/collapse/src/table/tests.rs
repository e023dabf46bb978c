use super::*;
use crate::collapse::tests::{Free, Random};
use crate::mix::{key_of, number_of, unmix};
use std::collections::HashMap;

#[test]
fn a_table_is_a_set_with_flags() {
    for dense in [true, false] {
        let (mut table, mut account) = (Table::default(), Free::default());
        let mut random = Random(5);
        let mut known = HashMap::new();
        for round in 0..40_000u64 {
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
        assert!(table.bytes() < 17 * table.len() as u64, "{}", table.bytes());
        let change = |old: u64| key_of(number_of(old) ^ 0x5555);
        table.recode(change);
        same_keys(&table, &known.iter().map(|(key, open)| (change(*key), *open)).collect());
    }
}

fn same_keys(table: &Table, known: &HashMap<u64, bool>) {
    assert_eq!(table.len(), known.len());
    assert_eq!(table.keys().count(), known.len());
    for (key, open) in known {
        let met = table.insert_shared(*key);
        assert_eq!(met, if *open { Met::Open } else { Met::Done });
    }
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

impl Cell for shuttle::sync::atomic::AtomicU64 {
    fn read(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }

    fn fill(&self, slot: u64) -> Result<(), u64> {
        self.compare_exchange(0, slot, Ordering::Relaxed, Ordering::Relaxed).map(drop)
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
    let cells: Vec<_> = (0..2 * LINE).map(|_| shuttle::sync::atomic::AtomicU64::new(0)).collect();
    let cells = Arc::new(cells);
    let bring = |thread: u64| {
        let cells = Arc::clone(&cells);
        shuttle::thread::spawn(move || {
            let keys = (0..10).map(|turn| (turn * 3 + thread * 7) % 10);
            keys.filter(|key| {
                let slot = key_of(*key) | OPEN;
                matches!(claim_shared(&cells, home(slot, 1), slot), Claim::New)
            })
            .count()
        })
    };
    let threads: Vec<_> = (0..3).map(bring).collect();
    let new: usize = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    assert_eq!(new, 10);
    assert_eq!(cells.iter().filter(|cell| cell.read() != 0).count(), 10);
}
