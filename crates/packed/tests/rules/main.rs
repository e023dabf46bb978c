//! Each rule of the packed form on the smallest model that shows it.

mod arrays;
mod claims;
mod moves;
mod sequences;
mod verified;

use packed::{
    Agent, BinaryOp, Driver, Edge, Expr, Fallback, Field, Op, Packed, Place, Then, closures,
};
use std::cell::Cell;
use std::sync::Arc;
use system::{Blocked, Budget, Step, StepKind, StepOutcome, Successors, System, Unlimited, Word};

/// Knows one answer and counts how often it is asked.
#[derive(Default)]
struct Told {
    asked: Cell<usize>,
}

impl Fallback for Told {
    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        self.asked.set(self.asked.get() + 1);
        out.push(Step::new(77, 77, StepKind::Timeout), state);
        out.set_outcome(StepOutcome::Violation(7));
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::Deadlock
    }
}

type Model = Driver<Arc<packed::Closures>, Told>;

fn driver(packed: Packed) -> Model {
    let packed = Arc::new(packed);
    Driver::new(packed.clone(), closures(&packed), Told::default())
}

/// Agent, edge, choice, weight and words of each successor.
type Seen = Vec<((u32, u32, u32, u16), Vec<Word>)>;

fn seen(model: &Model, state: &[Word]) -> Seen {
    let mut out = Successors::new(model.width());
    model.successors(state, &mut out, &mut Unlimited);
    let told = out.iter().map(|(step, landing, words)| {
        assert_eq!(landing, StepOutcome::State);
        ((step.agent, step.edge, step.choice, step.weight), words.to_vec())
    });
    told.collect()
}

/// The numbers of the edges that begin the steps.
fn edges(model: &Model, state: &[Word]) -> Vec<u32> {
    seen(model, state).iter().map(|(step, _)| step.1).collect()
}

/// Eight bits of word 0.
fn byte(index: u32) -> Field {
    Field { word: 0, shift: 8 * index, bits: 8, signed: false }
}

fn number(number: i32) -> Expr {
    Expr::Const(number)
}

fn get(field: Field) -> Expr {
    Expr::Field(field)
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right))
}

fn is(field: Field, value: i32) -> Op {
    Op::Require(binary(BinaryOp::Equal, get(field), number(value)))
}

fn put(field: Field, value: i32) -> Op {
    Op::Set(field, number(value))
}

fn edge(number: u32, guard: Vec<Op>, body: Vec<Op>) -> Edge {
    let kind = StepKind::Internal;
    Edge { number, mark: number, kind, is_else: false, guard, body, then: Then::Visible }
}

fn otherwise(number: u32, body: Vec<Op>) -> Edge {
    Edge { is_else: true, ..edge(number, Vec::new(), body) }
}

fn on(edge: Edge) -> Edge {
    Edge { then: Then::GoesOn, ..edge }
}

fn place(groups: Vec<Vec<Edge>>) -> Place {
    Place { groups, takes: Vec::new() }
}

/// An agent whose place is the byte of its number.
fn agent(number: u32, places: Vec<Place>) -> Agent {
    Agent { number, at: byte(number), places }
}

/// A model of `width` words in which all agents stand at their first place.
fn model(width: usize, agents: Vec<Agent>) -> Packed {
    Packed {
        width,
        telling: width,
        initial: vec![0; width],
        agents,
        claim: None,
        asks_timeout: false,
        marks: 10,
    }
}

/// A model of one agent with one edge.
fn single(width: usize, guard: Vec<Op>, body: Vec<Op>) -> Model {
    driver(model(width, vec![agent(0, vec![place(vec![vec![edge(1, guard, body)]])])]))
}
