//! The bits of a state that an edge reads and writes.

use crate::visit::{Seen, visit_ops};
use crate::{Array, Edge, Expr, Field, Op};
use system::Word;

/// The bits of a state, word by word, that an edge reads and that it writes.
#[derive(Clone, Debug)]
pub(crate) struct BitSets {
    pub(crate) reads: Vec<Word>,
    pub(crate) writes: Vec<Word>,
}

impl BitSets {
    pub(crate) fn new(width: usize) -> Self {
        Self { reads: vec![0; width], writes: vec![0; width] }
    }

    pub(crate) fn is_independent_of(&self, other: &BitSets) -> bool {
        let needed = other.reads.iter().zip(&other.writes).map(|(reads, writes)| reads | writes);
        self.writes.iter().zip(needed).all(|(writes, needed)| writes & needed == 0)
    }

    pub(crate) fn join(&mut self, other: &BitSets) {
        let join = |into: &mut Vec<Word>, from: &[Word]| {
            into.iter_mut().zip(from).for_each(|(into, from)| *into |= from);
        };
        join(&mut self.reads, &other.reads);
        join(&mut self.writes, &other.writes);
    }

    pub(crate) fn of(edge: &Edge, width: usize) -> Self {
        let mut sets = Self::new(width);
        let see: &mut Seen<'_> = &mut |op, expr| {
            op.into_iter().for_each(|op| sets.see_op(op));
            expr.into_iter().for_each(|expr| sets.see_expr(expr));
        };
        visit_ops(&edge.guard, see);
        visit_ops(&edge.body, see);
        sets
    }

    pub(crate) fn read(&mut self, field: Field) {
        mark(&mut self.reads, field);
    }

    fn see_op(&mut self, op: &Op) {
        match op {
            Op::Set(field, _) => mark(&mut self.writes, *field),
            Op::SetElement(array, ..) | Op::Clear(array) => mark_all(&mut self.writes, *array),
            Op::Take(array, _) | Op::Insert(array, ..) => {
                mark_all(&mut self.reads, *array);
                mark_all(&mut self.writes, *array);
            }
            Op::Map { word, .. } => {
                self.reads[*word as usize] = Word::MAX;
                self.writes[*word as usize] = Word::MAX;
            }
            Op::Let(..) | Op::Offer(..) | Op::Require(_) | Op::Check(_) => {}
            Op::Switch(..) | Op::Walk(_) | Op::Bail => {}
        }
    }

    pub(crate) fn see_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Field(field) => mark(&mut self.reads, *field),
            Expr::Element(array, _) => mark_all(&mut self.reads, *array),
            // A step with a tag is one of a state in which something else can move.
            Expr::Timeout => {}
            Expr::Const(_) | Expr::Temp(_) | Expr::Offered(_) | Expr::Bail => {}
            Expr::Unary(..) | Expr::Binary(..) | Expr::Choose(..) => {}
            Expr::Within(..) | Expr::Find { .. } => {}
        }
    }
}

fn mark(words: &mut [Word], field: Field) {
    words[field.word as usize] |= field.mask();
}

fn mark_all(words: &mut [Word], array: Array) {
    for word in 0..array.words() {
        words[(array.first.word + word) as usize] |= array.mask(word);
    }
}
