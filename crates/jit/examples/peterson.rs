//! Nanoseconds per successor of Peterson's algorithm for four processes, written by hand
//! in packed form as SPIN's `petersonN` is: by closures and by machine code.
//!
//! `cargo run --release -p jit --example peterson [closures|code] [rounds]`; one of them
//! alone under `perf stat` gives instructions.

use packed::{
    Agent, Array, Backend, BinaryOp, Driver, Edge, Expr, Fallback, Field, Op, Packed, Place, Then,
    closures,
};
use std::collections::HashSet;
use std::io::{Write, stdout};
use std::sync::Arc;
use std::time::Instant;
use system::{Blocked, Budget, StepKind, Successors, System, Unlimited, Word};

const PROCESSES: u32 = 4;

/// Word 4: whose turn it is in each round, and how far each process is.
const TURN: Array = array(0);
const FLAG: Array = array(32);
const CRITICAL: Field = Field { word: 0, shift: 32, bits: 8, signed: false };

const fn array(shift: u32) -> Array {
    Array { first: Field { word: 4, shift, bits: 8, signed: false }, length: 4, per_word: 4 }
}

/// A variable of a process: each has a word.
fn local(process: u32, shift: u32, bits: u32) -> Field {
    Field { word: process, shift, bits, signed: false }
}

fn number(number: u32) -> Expr {
    Expr::Const(number as i32)
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right))
}

fn add(field: Field, by: i32) -> Op {
    Op::Set(field, binary(BinaryOp::Add, Expr::Field(field), Expr::Const(by)))
}

fn process(me: u32) -> Agent {
    use BinaryOp::{Equal, GreaterEqual, Less, NotEqual, Or};
    let (at, j, k) = (local(me, 0, 4), local(me, 4, 8), local(me, 12, 8));
    let edge = |guard: Option<Expr>, body: Option<Op>, next: u32| Edge {
        number: 0,
        mark: 0,
        kind: StepKind::Internal,
        is_else: false,
        guard: guard.map(Op::Require).into_iter().collect(),
        body: body.into_iter().chain([Op::Set(at, number(next))]).collect(),
        then: Then::Visible,
    };
    let does = |body: Op, next: u32| vec![edge(None, Some(body), next)];
    let when = |op, left: Field, right: u32, next: u32| {
        edge(Some(binary(op, Expr::Field(left), number(right))), None, next)
    };
    let element = |array, index: Field| Expr::Element(array, Box::new(Expr::Field(index)));
    let passes = binary(
        Or,
        binary(Less, element(FLAG, j), Expr::Field(k)),
        binary(NotEqual, element(TURN, k), number(me)),
    );
    let check = binary(Equal, Expr::Field(CRITICAL), number(1));
    let groups = [
        does(Op::Set(k, number(0)), 1),
        vec![when(Less, k, PROCESSES - 1, 2), Edge { is_else: true, ..edge(None, None, 10) }],
        does(Op::SetElement(FLAG, number(me), Expr::Field(k)), 3),
        does(Op::SetElement(TURN, Expr::Field(k), number(me)), 4),
        does(Op::Set(j, number(0)), 5),
        vec![when(Equal, j, me, 6), when(NotEqual, j, me, 7)],
        does(add(j, 1), 5),
        vec![when(Less, j, PROCESSES, 8), when(GreaterEqual, j, PROCESSES, 9)],
        vec![edge(Some(passes), None, 14)],
        does(add(k, 1), 1),
        does(add(CRITICAL, 1), 11),
        does(Op::Check(check), 12),
        does(add(CRITICAL, -1), 13),
        does(Op::SetElement(FLAG, number(me), number(0)), 0),
        does(add(j, 1), 5),
    ];
    let places = groups.map(|group| Place { groups: vec![group], takes: Vec::new() });
    Agent { number: me, at, places: places.into() }
}

/// Is never asked: nothing goes wrong here.
struct Nobody;

impl Fallback for Nobody {
    fn successors(&self, state: &[Word], _: &mut Successors, _: &mut dyn Budget) -> bool {
        unreachable!("{state:x?} was given up");
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::Deadlock
    }
}

/// 4096 states of the first 300 000, in no order: as little to be predicted as in a search.
fn sample(system: &impl System) -> Vec<Vec<Word>> {
    let mut initial = vec![0; system.width()];
    system.initial(&mut initial);
    let (mut seen, mut queue) = (HashSet::from([initial.clone()]), vec![initial]);
    let mut out = Successors::new(system.width());
    let mut next = 0;
    while next < queue.len() && queue.len() < 300_000 {
        out.clear();
        system.successors(&queue[next], &mut out, &mut Unlimited);
        let fresh = out.iter().filter(|(_, _, words)| seen.insert(words.to_vec()));
        queue.extend(fresh.map(|(_, _, words)| words.to_vec()));
        next += 1;
    }
    let count = queue.len();
    (0..4096_usize).map(|i| queue[i.wrapping_mul(0x9e37_79b9) % count].clone()).collect()
}

/// The best of some rounds, in nanoseconds per successor, and the successors of a round.
fn measure(system: &impl System, states: &[Vec<Word>], rounds: usize) -> (f64, usize) {
    let mut out = Successors::new(system.width());
    let mut best = (f64::MAX, 0);
    for _ in 0..rounds {
        let start = Instant::now();
        let mut count = 0;
        for state in states {
            out.clear();
            system.successors(state, &mut out, &mut Unlimited);
            count += out.len();
        }
        let each = start.elapsed().as_secs_f64() * 1e9 / count as f64;
        best = (best.0.min(each), count);
    }
    best
}

fn report(name: &str, packed: &Arc<Packed>, backend: impl Backend, rounds: usize) {
    let system = Driver::new(packed.clone(), backend, Nobody);
    let states = sample(&system);
    let (best, count) = measure(&system, &states, rounds);
    let line = format!("{name}: {best:.1} ns per successor, {count} of {} states", states.len());
    writeln!(stdout(), "{line}").expect("a terminal");
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let wanted = arguments.next().unwrap_or_default();
    let rounds = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(300);
    let packed = Arc::new(Packed {
        width: 5,
        telling: 5,
        initial: vec![0; 5],
        agents: (0..PROCESSES).map(process).collect(),
        claim: None,
        asks_timeout: false,
        marks: 1,
    });
    if wanted != "code" {
        report("closures", &packed, closures(&packed), rounds);
    }
    if let Some(code) = jit::compile(&packed).filter(|_| wanted != "closures") {
        writeln!(stdout(), "compiled in {:?}", code.compile_time()).expect("a terminal");
        report("code", &packed, code, rounds);
    }
}
