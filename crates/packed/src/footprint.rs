//! What an edge looks at and what it changes.

use crate::visit::{Seen, visit_ops};
use crate::{Array, Edge, Expr, Field, Op};
use system::Word;

/// The bits of a state, word by word, that an edge looks at and that it changes.
#[derive(Clone, Debug)]
pub(crate) struct Footprint {
    pub(crate) looks: Vec<Word>,
    pub(crate) changes: Vec<Word>,
}

impl Footprint {
    pub(crate) fn new(width: usize) -> Self {
        Self { looks: vec![0; width], changes: vec![0; width] }
    }

    pub(crate) fn leaves_alone(&self, other: &Footprint) -> bool {
        let needed = other.looks.iter().zip(&other.changes).map(|(looks, changes)| looks | changes);
        self.changes.iter().zip(needed).all(|(changes, needed)| changes & needed == 0)
    }

    pub(crate) fn join(&mut self, other: &Footprint) {
        let join = |into: &mut Vec<Word>, from: &[Word]| {
            into.iter_mut().zip(from).for_each(|(into, from)| *into |= from);
        };
        join(&mut self.looks, &other.looks);
        join(&mut self.changes, &other.changes);
    }

    pub(crate) fn of(edge: &Edge, width: usize) -> Self {
        let mut print = Self::new(width);
        let see: &mut Seen<'_> = &mut |op, expr| {
            op.into_iter().for_each(|op| print.see_op(op));
            expr.into_iter().for_each(|expr| print.see_expr(expr));
        };
        visit_ops(&edge.guard, see);
        visit_ops(&edge.body, see);
        print
    }

    pub(crate) fn look(&mut self, field: Field) {
        mark(&mut self.looks, field);
    }

    fn see_op(&mut self, op: &Op) {
        match op {
            Op::Set(field, _) => mark(&mut self.changes, *field),
            Op::SetElement(array, ..) | Op::Clear(array) => mark_all(&mut self.changes, *array),
            Op::Take(array, _) | Op::Insert(array, ..) => {
                mark_all(&mut self.looks, *array);
                mark_all(&mut self.changes, *array);
            }
            Op::Map { word, .. } => {
                self.looks[*word as usize] = Word::MAX;
                self.changes[*word as usize] = Word::MAX;
            }
            Op::Let(..) | Op::Offer(..) | Op::Require(_) | Op::Check(_) => {}
            Op::Switch(..) | Op::Walk(_) | Op::Bail => {}
        }
    }

    fn see_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Field(field) => mark(&mut self.looks, *field),
            Expr::Element(array, _) => mark_all(&mut self.looks, *array),
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
