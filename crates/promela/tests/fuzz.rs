//! No input makes the front end panic or run on: seeded mutations of good models
//! and random bytes. What comes out as a program keeps its promises.

use preprocess::{Files, Input, Options};
use program::{Action, Program};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

struct Nothing;

impl Files for Nothing {
    fn read(&self, _: &str) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// Runs everything, and looks at every place and every explanation.
fn front_end(bytes: &[u8]) {
    let input = Input { name: "fuzz.pml", bytes };
    let lowered = promela::read(input, &Options::default(), &Nothing);
    for found in &lowered.diagnostics {
        assert!(promela::explain(found.id).is_some());
        lowered.sources.place(found.span);
        lowered.sources.place(lowered.sources.outermost(found.span));
        lowered.sources.text(found.span);
        for other in &found.others {
            lowered.sources.place(other.span);
        }
    }
    let failed = lowered.diagnostics.iter().any(|found| found.severity == base::Severity::Error);
    assert_eq!(failed, lowered.program.is_none());
    if let Some(program) = &lowered.program {
        verify(program);
    }
}

/// What a `Program` promises to the stages behind.
fn verify(program: &Program) {
    for proctype in &program.proctypes {
        assert!(proctype.parameters <= proctype.variables.len());
        for (id, location) in proctype.locations.iter_ids() {
            for edge in location.groups.iter().flatten() {
                assert_eq!(proctype.edges[*edge].from, id);
            }
            assert!(location.groups.iter().all(|group| !group.is_empty()));
        }
        for edge in &proctype.edges {
            assert!(proctype.locations.get(edge.to).is_some());
            if let Action::Deterministic { start, end } = edge.action {
                assert!(proctype.locations.get(start).is_some());
                assert!(proctype.locations[end].groups.is_empty());
            }
        }
        let die: Vec<_> = proctype.edges_from(proctype.end).collect();
        assert!(matches!(die[..], [(_, edge)] if edge.action == Action::Die));
    }
}

/// Xorshift: small, seeded, good enough to pick places.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// Words and signs, each with the blanks behind it.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut last = ' ';
    for letter in text.chars() {
        let word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let goes_on = letter.is_whitespace() || (word(letter) && word(last));
        match pieces.last_mut() {
            Some(piece) if goes_on => piece.push(letter),
            _ => pieces.push(letter.to_string()),
        }
        last = letter;
    }
    pieces
}

fn mutate(random: &mut Random, text: &str) -> Vec<u8> {
    let mut pieces = pieces(text);
    for _ in 0..=random.below(4) {
        let (place, other) = (random.below(pieces.len()), random.below(pieces.len()));
        match random.below(5) {
            0 if pieces.len() > 1 => drop(pieces.remove(place)),
            1 => pieces.insert(other, pieces[place].clone()),
            2 => pieces.swap(place, other),
            3 if random.below(4) == 0 => pieces.truncate(place + 1),
            _ => pieces[place] = pieces[other].clone(),
        }
    }
    let mut bytes = pieces.concat().into_bytes();
    if random.below(3) == 0 {
        let place = random.below(bytes.len());
        bytes[place] = random.next() as u8;
    }
    bytes
}

/// Runs `front_end`, and says which input took too long.
fn timed(bytes: &[u8]) {
    let start = Instant::now();
    front_end(bytes);
    let limit = Duration::from_secs(20);
    assert!(start.elapsed() < limit, "slow input: {:?}", String::from_utf8_lossy(bytes));
}

fn models() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut models = Vec::new();
    for folder in ["tests/data", "../../corpus/promela/mini", "../../corpus/bad-promela"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("part of the repository");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
        paths.sort();
        let models_here = paths.iter().filter_map(|path| std::fs::read_to_string(path).ok());
        models.extend(models_here.filter(|text| text.len() < 6000));
    }
    models
}

#[test]
fn mutated_models() {
    let models = models();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..4000 {
        timed(&mutate(&mut random, &models[round % models.len()]));
    }
}

#[test]
fn random_bytes() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for round in 0..2000 {
        let length = random.below(300);
        let printable = round % 2 == 0;
        let byte = |_| match random.next() as u8 {
            byte if printable => b' ' + byte % 95,
            byte => byte,
        };
        timed(&(0..length).map(byte).collect::<Vec<u8>>());
    }
}
