//! What atomic propositions observe: which edges may change the truth of one (condition C2 of
//! ample sets; Clarke, Grumberg and Peled 1999, section 10.3).
//!
//! An edge is visible if it may ever change a bit that some proposition reads. That is said of
//! the edge and not of a step in a state, because the proofs move a step of an ample set past
//! the steps of other processes: it must be invisible in all the states on the way. A step
//! that happens to change nothing here may change something there, such as the head of a channel
//! that others empty meanwhile.
//!
//! Where a process stands is one field that every edge changes. Propositions only compare it
//! with numbers, so its places fall into classes that no proposition tells apart, and an edge
//! within a class is invisible as far as that field is concerned.

use crate::bit_sets::BitSets;
use crate::read_set::targets;
use crate::visit::visit_expr;
use crate::{Agent, Edge, Expr, Field, Packed};
use base::BinaryOp;
use std::collections::HashMap;
use system::Word;

/// Which edges are visible, by their numbers.
pub(crate) struct Observed {
    visible: Vec<bool>,
}

impl Observed {
    /// By these propositions. One that bails, or asks for `timeout`, may read anything.
    pub(crate) fn new(packed: &Packed, exprs: &[Expr]) -> Self {
        let mut bits = BitSets::new(packed.width);
        let mut reads_all = false;
        for expr in exprs {
            visit_expr(expr, &mut |_, expr| {
                expr.into_iter().for_each(|expr| bits.see_expr(expr));
                reads_all |= matches!(expr, Some(Expr::Bail | Expr::Timeout | Expr::Offered(_)));
            });
        }
        if reads_all {
            bits.reads.fill(Word::MAX);
        }
        let visible = packed.agents.iter().flat_map(|agent| {
            let is_place_read = bits.reads[agent.at.word as usize] & agent.at.mask() != 0;
            let classes = if is_place_read { classes(agent, exprs) } else { Vec::new() };
            visible(packed, agent, &classes, &bits.reads)
        });
        Self { visible: visible.collect() }
    }

    pub(crate) fn sees(&self, edge: u32) -> bool {
        self.visible.get(edge as usize) != Some(&false)
    }
}

/// Which edges of an agent are visible, in the order that numbers them.
fn visible(packed: &Packed, agent: &Agent, classes: &[usize], reads: &[Word]) -> Vec<bool> {
    let mut visible = Vec::new();
    for (at, place) in agent.places.iter().enumerate() {
        for edge in place.groups.iter().chain(&place.takes).flatten() {
            let changes_class = || {
                let to = targets(agent, at, edge);
                to.iter().any(|to| classes.get(*to) != classes.get(at))
            };
            visible.push(changes(packed, agent, edge, reads) || changes_class());
        }
    }
    visible
}

/// Whether an edge may change a bit that is read, its agent's place aside.
fn changes(packed: &Packed, agent: &Agent, edge: &Edge, reads: &[Word]) -> bool {
    let mut writes = BitSets::of(edge, packed.width).writes;
    writes[agent.at.word as usize] &= !agent.at.mask();
    writes.iter().zip(reads).any(|(writes, reads)| writes & reads != 0)
}

/// The class of each place of an agent: places are alike if the same comparisons hold of them.
/// Where some proposition reads the place in another way, no two are.
fn classes(agent: &Agent, exprs: &[Expr]) -> Vec<usize> {
    let (mut tests, mut reads) = (Vec::new(), 0_usize);
    for expr in exprs {
        visit_expr(expr, &mut |_, expr| match expr {
            Some(Expr::Binary(op, a, b)) => tests.extend(test(*op, a, b, agent.at)),
            Some(Expr::Field(field)) if overlap(*field, agent.at) => {
                reads = reads.saturating_add(1);
            }
            Some(Expr::Element(array, _)) if !array.is_apart(agent.at) => reads = usize::MAX,
            _ => {}
        });
    }
    let places = 0..agent.places.len();
    if tests.len() != reads {
        return places.collect();
    }
    let mut known = HashMap::new();
    let mut class = |at: usize| {
        let answers: Vec<bool> = tests.iter().map(|test| test(at as i32)).collect();
        let next = known.len();
        *known.entry(answers).or_insert(next)
    };
    places.map(&mut class).collect()
}

fn overlap(one: Field, other: Field) -> bool {
    one.word == other.word && one.mask() & other.mask() != 0
}

/// The comparison of a place with a number, if this is one.
fn test(op: BinaryOp, a: &Expr, b: &Expr, at: Field) -> Option<Box<dyn Fn(i32) -> bool>> {
    match (a, b) {
        _ if !op.is_comparison() => None,
        (Expr::Field(field), Expr::Const(number)) if *field == at => {
            let number = *number;
            Some(Box::new(move |place| op.apply(place, number) != Some(0)))
        }
        (Expr::Const(number), Expr::Field(field)) if *field == at => {
            let number = *number;
            Some(Box::new(move |place| op.apply(number, place) != Some(0)))
        }
        _ => None,
    }
}
