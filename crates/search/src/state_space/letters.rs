//! The letters of all states, each evaluated once, in the order of the store.

use crate::Why;
use crate::memory::Memory;
use collapse::{Collapse, Cursor, Ranks};
use std::collections::HashMap;
use std::ops::Range;
use system::{HALTED, Letter, Letters, System};

/// A system of each thread reads so many lines of the store at least.
const LINES_MIN: usize = 1 << 10;
/// Instead of the letter of a state in which a proposition cannot be evaluated.
const UNREADABLE: u16 = u16::MAX;

/// There are so many of them, to the power of two, found by multiplication.
const RECENT_BITS: u32 = 12;
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// For each state the place of its letter.
#[derive(Debug)]
pub(super) enum Places {
    /// All states have one letter.
    One,
    /// There are few letters; the last place is of those that have none.
    Few(Vec<u8>),
    Many(Vec<u16>),
}

impl Places {
    #[inline]
    pub(super) fn get(&self, state: u32) -> Option<usize> {
        match self {
            Places::One => Some(0),
            Places::Few(list) => {
                let place = list[state as usize];
                (place != u8::MAX).then_some(usize::from(place))
            }
            Places::Many(list) => {
                let place = list[state as usize];
                (place != UNREADABLE).then_some(usize::from(place))
            }
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        match self {
            Places::One => 0,
            Places::Few(list) => list.len() as u64,
            Places::Many(list) => 2 * list.len() as u64,
        }
    }
}

/// What was read.
pub(super) struct Read {
    pub(super) places: Places,
    /// Each letter twice: see [`StateSpace::alphabet`](super::StateSpace::alphabet).
    pub(super) alphabet: Vec<Letter>,
    pub(super) is_unreadable: bool,
}

/// The letters of some lines of the store.
#[derive(Default)]
struct Part {
    places: Vec<u16>,
    letters: Vec<Letter>,
    overflows: bool,
}

/// Reads the letters of all states, with one thread for each system.
pub(super) fn read(
    (system, copies): (&dyn System, &mut [&mut (dyn System + Send)]),
    (states, ranks): (&Collapse, &Ranks),
    memory: &mut Memory,
) -> Result<Read, Why> {
    memory.allow(3 * ranks.len() as u64)?;
    let threads = (copies.len() + 1).min(ranks.lines() / LINES_MIN).max(1);
    let lines = |part: usize| {
        let line = |part: usize| ranks.lines() * part / threads;
        line(part)..line(part + 1)
    };
    let parts: Vec<Part> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .zip(copies.iter_mut())
            .map(|(part, copy)| {
                let lines = lines(part);
                scope.spawn(move || read_lines(&**copy, (states, ranks), &lines))
            })
            .collect();
        let first = read_lines(system, (states, ranks), &lines(0));
        let others = others.into_iter().map(|it| it.join().expect("reading letters fails nowhere"));
        std::iter::once(first).chain(others).collect()
    });
    joined(parts, memory)
}

fn read_lines(
    system: &dyn System,
    (states, ranks): (&Collapse, &Ranks),
    lines: &Range<usize>,
) -> Part {
    let Some(letters) = system.letters() else { return Part::default() };
    let (mut part, mut places, mut cursor) = (Part::default(), HashMap::new(), Cursor::default());
    part.places.reserve_exact(ranks.numbers(lines).len());
    let (mut words, mut recent) = (vec![0; system.width()], Recent::new(letters, states));
    states.table().visit_lines(ranks, lines, &mut |key| {
        let number = states.number_of(key);
        let place = recent.get(number).unwrap_or_else(|| {
            states.load(&mut cursor, key, &mut words);
            let place = part.place_of(letters.letter(&words), &mut places);
            recent.put(number, place);
            place
        });
        part.places.push(place);
    });
    part
}

/// The letters of states met lately, by the bits of their numbers that decide them, as in a
/// [transition cache](crate::transition_cache).
struct Recent {
    bits: u64,
    entries: Vec<(u64, u16)>,
}

impl Recent {
    /// One that never has any if it is not known which bits those are.
    fn new(letters: &dyn Letters, states: &Collapse) -> Self {
        let Some(words) = letters.read_set() else { return Self { bits: 0, entries: Vec::new() } };
        let bits = words.iter().fold(0, |bits, word| bits | states.field(*word).all());
        Self { bits, entries: vec![(u64::MAX, 0); 1 << RECENT_BITS] }
    }

    fn at(&self, number: u64) -> usize {
        ((number & self.bits).wrapping_mul(MIX) >> (u64::BITS - RECENT_BITS)) as usize
    }

    #[inline]
    fn get(&self, number: u64) -> Option<u16> {
        let (known, place) = self.entries.get(self.at(number))?;
        (*known == number & self.bits).then_some(*place)
    }

    fn put(&mut self, number: u64, place: u16) {
        let (at, known) = (self.at(number), number & self.bits);
        self.entries.get_mut(at).into_iter().for_each(|entry| *entry = (known, place));
    }
}

impl Part {
    fn place_of(&mut self, letter: Option<Letter>, places: &mut HashMap<Letter, u16>) -> u16 {
        let Some(letter) = letter else { return UNREADABLE };
        let next = self.letters.len();
        *places.entry(letter).or_insert_with(|| {
            self.overflows |= next >= usize::from(UNREADABLE);
            self.letters.push(letter);
            next as u16
        })
    }
}

/// One list of the letters of all parts.
fn joined(parts: Vec<Part>, memory: &mut Memory) -> Result<Read, Why> {
    let (mut alphabet, mut places) = (Vec::new(), HashMap::new());
    let mut maps: Vec<Vec<u16>> = Vec::new();
    for part in &parts {
        let map = part.letters.iter().map(|letter| {
            *places.entry(*letter).or_insert_with(|| {
                alphabet.extend([*letter, *letter | HALTED]);
                (alphabet.len() / 2 - 1) as u16
            })
        });
        maps.push(map.collect());
    }
    let letters = alphabet.len() / 2;
    if letters >= usize::from(UNREADABLE) || parts.iter().any(|part| part.overflows) {
        return Err(Why::Memory);
    }
    let is_unreadable = parts.iter().any(|part| part.places.contains(&UNREADABLE));
    let of = |(part, map): (Part, Vec<u16>)| {
        let renamed = move |place: u16| map.get(usize::from(place)).copied().unwrap_or(UNREADABLE);
        part.places.into_iter().map(renamed)
    };
    let all = parts.into_iter().zip(maps).flat_map(of);
    let places = if letters <= 1 && !is_unreadable {
        Places::One
    } else if letters < usize::from(u8::MAX) {
        Places::Few(all.map(|place| u8::try_from(place).unwrap_or(u8::MAX)).collect())
    } else {
        Places::Many(all.collect())
    };
    memory.charge(places.bytes())?;
    Ok(Read { places, alphabet, is_unreadable })
}
