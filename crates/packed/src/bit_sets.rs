//! The bits of a state that an edge reads and writes.

use crate::visit::{Seen, visit_ops};
use crate::{Array, Edge, Expr, Field, Op};
use system::Word;

/// The bits of a state that an edge reads and that it writes: those of the words that it reads
/// or writes anything of, in order. A state may have hundreds of words, and an edge sees few.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitSets {
    words: Vec<Bits>,
}

/// Of one word.
#[derive(Clone, Copy, Debug)]
struct Bits {
    word: usize,
    reads: Word,
    writes: Word,
}

impl BitSets {
    pub(crate) fn is_independent_of(&self, other: &BitSets) -> bool {
        self.words.iter().filter(|bits| bits.writes != 0).all(|bits| {
            let place = other.words.binary_search_by_key(&bits.word, |other| other.word);
            let needed = place.map_or(0, |at| other.words[at].reads | other.words[at].writes);
            bits.writes & needed == 0
        })
    }

    /// The words that it has bits of, in order.
    pub(crate) fn words(&self) -> impl Iterator<Item = usize> {
        self.words.iter().map(|bits| bits.word)
    }

    /// Those that are read.
    pub(crate) fn words_read(&self) -> impl Iterator<Item = usize> {
        self.words.iter().filter(|bits| bits.reads != 0).map(|bits| bits.word)
    }

    pub(crate) fn join(&mut self, other: &BitSets) {
        other.words.iter().for_each(|bits| self.add(*bits));
    }

    /// The same bits read, those of another one written.
    pub(crate) fn writing_as(&self, other: &BitSets) -> Self {
        let mut sets = Self::default();
        self.words.iter().for_each(|bits| sets.add(Bits { writes: 0, ..*bits }));
        other.words.iter().for_each(|bits| sets.add(Bits { reads: 0, ..*bits }));
        sets
    }

    /// Whether any bit of a field is read.
    pub(crate) fn reads_any_of(&self, field: Field) -> bool {
        let here = |bits: &&Bits| bits.word == field.word as usize;
        self.words.iter().find(here).is_some_and(|bits| bits.reads & field.mask() != 0)
    }

    /// Whether any bit that is written, but for those of a field, is read by another one.
    pub(crate) fn changes(&self, other: &BitSets, but: Field) -> bool {
        self.words.iter().any(|bits| {
            let but = if bits.word == but.word as usize { but.mask() } else { 0 };
            let place = other.words.binary_search_by_key(&bits.word, |other| other.word);
            place.is_ok_and(|at| bits.writes & !but & other.words[at].reads != 0)
        })
    }

    fn add(&mut self, bits: Bits) {
        match self.words.binary_search_by_key(&bits.word, |other| other.word) {
            Ok(at) => {
                self.words[at].reads |= bits.reads;
                self.words[at].writes |= bits.writes;
            }
            Err(at) => self.words.insert(at, bits),
        }
    }

    pub(crate) fn of(edge: &Edge) -> Self {
        let mut sets = Self::default();
        let see: &mut Seen<'_> = &mut |op, expr| {
            op.into_iter().for_each(|op| sets.see_op(op));
            expr.into_iter().for_each(|expr| sets.see_expr(expr));
        };
        visit_ops(&edge.guard, see);
        visit_ops(&edge.body, see);
        sets
    }

    pub(crate) fn read(&mut self, field: Field) {
        self.add(Bits { word: field.word as usize, reads: field.mask(), writes: 0 });
    }

    fn write(&mut self, field: Field) {
        self.add(Bits { word: field.word as usize, reads: 0, writes: field.mask() });
    }

    /// All elements, `(reads, writes)` or not.
    fn see_all(&mut self, array: Array, (reads, writes): (bool, bool)) {
        for at in 0..array.words() {
            let (word, mask) = ((array.first.word + at) as usize, array.mask(at));
            let [reads, writes] = [reads, writes].map(|is| if is { mask } else { 0 });
            self.add(Bits { word, reads, writes });
        }
    }

    fn see_op(&mut self, op: &Op) {
        match op {
            Op::Set(field, _) => self.write(*field),
            Op::SetElement(array, ..) | Op::Clear(array) => self.see_all(*array, (false, true)),
            Op::Take(array, _) | Op::Insert(array, ..) => {
                self.see_all(*array, (true, true));
            }
            Op::Map { word, .. } => {
                self.add(Bits { word: *word as usize, reads: Word::MAX, writes: Word::MAX });
            }
            Op::Let(..) | Op::Offer(..) | Op::Require(_) | Op::Check(_) => {}
            Op::Switch(..) | Op::Walk(_) | Op::Bail => {}
        }
    }

    pub(crate) fn see_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Field(field) => self.read(*field),
            Expr::Element(array, _) => self.see_all(*array, (true, false)),
            // A step with a tag is one of a state in which something else can move.
            Expr::Timeout => {}
            Expr::Const(_) | Expr::Temp(_) | Expr::Offered(_) | Expr::Bail => {}
            Expr::Unary(..) | Expr::Binary(..) | Expr::Choose(..) => {}
            Expr::Within(..) | Expr::Find { .. } => {}
        }
    }
}
