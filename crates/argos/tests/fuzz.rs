//! No input makes the front end panic or run on. [`front_end`] is pure, so a
//! fuzzer can call it as it is; here seeded mutations of good models and random
//! bytes are run.

use model::{Body, Stmt, StmtKind};
use preprocess::{Files, Input, Options};
use std::io;
use std::time::{Duration, Instant};

/// Includes find one file, which includes the model again.
struct Shelf<'a>(&'a [u8]);

impl Files for Shelf<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match path {
            "back.h" => Ok(b"#include \"fuzz.argos\"\n".to_vec()),
            "fuzz.argos" => Ok(self.0.to_vec()),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// Runs everything, and looks at every place and every explanation.
fn front_end(bytes: &[u8]) {
    let input = Input { name: "fuzz.argos", bytes };
    let lowered = argos::read(input, &Options::default(), &Shelf(bytes));
    for found in &lowered.diagnostics {
        assert!(argos::explain(found.id).is_some());
        lowered.sources.place(found.span);
        lowered.sources.place(lowered.sources.outermost(found.span));
        lowered.sources.text(found.span);
        for other in &found.others {
            lowered.sources.place(other.span);
        }
    }
    let failed = lowered.diagnostics.iter().any(|found| found.severity == base::Severity::Error);
    assert_eq!(failed, lowered.model.is_none());
    if let Some(model) = &lowered.model {
        model.processes.iter().for_each(|it| verify(&it.body, &it.body.statements, false, false));
        model.assertions.iter().for_each(|it| verify(&it.body, &it.body.statements, false, true));
    }
}

/// What a `Model` promises to the stages behind.
fn verify(body: &Body, statements: &[Stmt], inside_do: bool, watches: bool) {
    for statement in statements {
        match &statement.kind {
            StmtKind::Break => assert!(inside_do),
            StmtKind::Goto(label) => assert!(body.labels[*label].is_target),
            StmtKind::If(options) | StmtKind::Do(options) => {
                assert!(!options.is_empty());
                let inside_do = inside_do || matches!(statement.kind, StmtKind::Do(_));
                for option in options {
                    assert!(!option.is_empty());
                    verify(body, option, inside_do, watches);
                }
            }
            StmtKind::Condition(_)
            | StmtKind::Assign(..)
            | StmtKind::ReceiveAny(_)
            | StmtKind::Timeout(_)
            | StmtKind::Send(_, _, Some(_))
            | StmtKind::Receive(_, _, Some(_)) => assert!(!watches),
            StmtKind::Skip | StmtKind::Send(..) | StmtKind::Receive(..) => {}
        }
    }
}

const MODELS: [&str; 4] = [
    "channel link[1], back[2] = { ack(1), ack };
proc sender { var n = -3; do :: link!msg(n) -> n++ :: back?ack(n); n +% 2 :: (n >= 3) -> break od }
proc receiver { end: do :: link?msg -> back!ack :: link?timeout -> skip :: link?default od }
assert { do :: link!msg; back!ack od }",
    "#define N 128
#define SEND(c, m) c!m(N)
#include \"back.h\"
#if defined(N) && N > 2
queue A = { }; queue B = { };
#else
queue A[1]; queue B[1];
#endif
procedure twice { SEND(A, m); if :: SEND(B, n) :: skip fi }
process p { twice(); L: twice(); goto L }
process q { A?m; B?n }
assert A!m; B!n",
    "proc a { queue A[1]; C!a; A?c }
proc b { queue B[1]; C!b; B?c }
proc c
{   queue C[1];
    if
    :: C?a -> A!c; C?b -> B!c
    :: C?b -> A!c; C?a -> B!c
    fi
}
assert { A!c; B!c }",
    "#define cat(a, b) a ## b
#define str(a) #a
variable M = 0; /* argos: allow W0009 */
proc p { var cat(x, y); cat(x, y) = (1 + 2) * 3 % 4 - -M;
start: if :: (!M && xy ≠ 2) → goto start :: M-- fi }
# 12 \"other\"
proc q M = M / 2",
];

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
            3 => pieces.truncate(place + 1),
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

#[test]
fn mutated_models() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..2000 {
        timed(&mutate(&mut random, MODELS[round % MODELS.len()]));
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

#[test]
fn the_models_themselves_are_good() {
    for (place, model) in MODELS.iter().enumerate().filter(|(place, _)| *place != 1) {
        let input = Input { name: "good.argos", bytes: model.as_bytes() };
        let lowered = argos::read(input, &Options::default(), &Shelf(b""));
        assert!(lowered.model.is_some(), "{place}: {:?}", lowered.diagnostics);
    }
}
