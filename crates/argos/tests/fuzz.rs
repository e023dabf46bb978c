//! No input makes the front end panic or run on. [`front_end`] is pure, so a
//! fuzzer can call it as it is; here seeded mutations of good models and random
//! bytes are run.

use model::{Body, Stmt, StmtKind};
use preprocess::{Files, Input, Options};
use std::io;
use std::time::{Duration, Instant};
use testkit::for_seeds;
use testkit::text::{bytes, mutated};

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
        model
            .processes
            .iter()
            .for_each(|it| verify(&it.body, &it.body.statements, (false, false), false));
        model
            .assertions
            .iter()
            .for_each(|it| verify(&it.body, &it.body.statements, (false, false), true));
    }
}

/// What a `Model` promises to the stages behind.
fn verify(body: &Body, statements: &[Stmt], (inside_do, inside_call): (bool, bool), watches: bool) {
    for statement in statements {
        match &statement.kind {
            StmtKind::Break => assert!(inside_do),
            StmtKind::Return => assert!(inside_call),
            StmtKind::Call(inner) => {
                assert!(!inner.is_empty());
                verify(body, inner, (false, true), watches);
            }
            StmtKind::Goto(label) => assert!(body.labels[*label].is_target),
            StmtKind::If(options) | StmtKind::Do(options) => {
                assert!(!options.is_empty());
                let inside_do = inside_do || matches!(statement.kind, StmtKind::Do(_));
                for option in options {
                    assert!(!option.is_empty());
                    verify(body, option, (inside_do, inside_call), watches);
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

const MODELS: [&str; 5] = [
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
    "#define EMPTY(c) (len(c) == 0)
channel link[2]; var x;
proc p { var n; do :: link!msg; accept_p: n = 1 - n :: link?msg; progress: x++ od }
ltl alive { [] (p@accept_p -> <> (EMPTY(link) || head(link) != msg)) && <>[] (x < 3 U p.n) }
ltl order { (!full(link) W x == 1) <-> (X empty(link) V always (x -> next x)) }",
];

/// Runs `front_end`, and says which input took too long.
fn timed(bytes: &[u8]) {
    let start = Instant::now();
    front_end(bytes);
    let limit = Duration::from_secs(20);
    assert!(start.elapsed() < limit, "slow input: {:?}", String::from_utf8_lossy(bytes));
}

#[test]
fn mutated_models() {
    for_seeds(0..2000, |seed, random| {
        timed(&mutated(random, MODELS[seed as usize % MODELS.len()]));
    });
}

#[test]
fn random_bytes() {
    for_seeds(0..2000, |seed, random| timed(&bytes(random, 300, seed % 2 == 0)));
}

#[test]
fn the_models_themselves_are_good() {
    for (place, model) in MODELS.iter().enumerate().filter(|(place, _)| *place != 1) {
        let input = Input { name: "good.argos", bytes: model.as_bytes() };
        let lowered = argos::read(input, &Options::default(), &Shelf(b""));
        assert!(lowered.model.is_some(), "{place}: {:?}", lowered.diagnostics);
    }
}
