//! Bodies as closures.

use super::test::Test;
use super::value::{Value, value};
use crate::{Array, Bail, Choice, Expr, Field, Op, Scratch, Walk};
use system::Word;

/// Says whether the edge still moves.
type Change = Box<dyn Fn(&mut [Word], &mut Scratch) -> Result<bool, Bail> + Send + Sync>;

/// What an edge changes: first the constants that stand first, then the rest.
pub(super) struct Body {
    constants: Box<[Constant]>,
    rest: Box<[Change]>,
}

/// New bits in a word.
#[derive(Clone, Copy)]
struct Constant {
    word: usize,
    keep: Word,
    bits: Word,
}

impl Constant {
    fn put(self, words: &mut [Word]) {
        words[self.word] = words[self.word] & self.keep | self.bits;
    }
}

impl Body {
    pub(super) fn new(ops: &[Op]) -> Self {
        let (first, mut ops) = constants(ops);
        let mut rest = Vec::new();
        while let Some((op, others)) = ops.split_first() {
            let (run, behind) = constants(ops);
            if run.is_empty() {
                rest.push(change(op));
                ops = others;
            } else {
                rest.push(put_all(run));
                ops = behind;
            }
        }
        Self { constants: first.into(), rest: rest.into() }
    }

    /// Says whether the edge moves.
    #[inline]
    pub(super) fn apply(&self, words: &mut [Word], scratch: &mut Scratch) -> Result<bool, Bail> {
        self.constants.iter().for_each(|constant| constant.put(words));
        for change in &self.rest {
            if !change(words, scratch)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The constants that stand first, joined by word, and what is behind them.
fn constants(ops: &[Op]) -> (Vec<Constant>, &[Op]) {
    let mut run: Vec<Constant> = Vec::new();
    let mut behind = ops;
    while let Some((Op::Set(field, Expr::Const(number)), others)) = behind.split_first() {
        let (word, mask) = (field.word as usize, field.mask());
        let bits = field.bits_of(*number);
        match run.iter_mut().find(|constant| constant.word == word) {
            Some(same) => {
                same.keep &= !mask;
                same.bits = same.bits & !mask | bits;
            }
            None => run.push(Constant { word, keep: !mask, bits }),
        }
        behind = others;
    }
    (run, behind)
}

fn put_all(constants: Vec<Constant>) -> Change {
    if let [only] = constants[..] {
        return plain(move |words| only.put(words));
    }
    plain(move |words| constants.iter().for_each(|constant| constant.put(words)))
}

/// A change that always succeeds and needs nothing but the state.
fn plain(change: impl Fn(&mut [Word]) + Send + Sync + 'static) -> Change {
    Box::new(move |words, _| {
        change(words);
        Ok(true)
    })
}

fn change(op: &Op) -> Change {
    match op {
        Op::Set(field, number) => set(*field, number),
        Op::SetElement(array, index, number) => {
            with(*array, index, value(number), |array, words, index, number| {
                array.element(index).set(words, number);
            })
        }
        Op::Take(array, index) => {
            with(*array, index, value(&Expr::Const(0)), |array, words, index, _| {
                array.take(words, index);
            })
        }
        Op::Insert(array, index, number) => with(*array, index, value(number), Array::insert),
        Op::Clear(array) => {
            let array = *array;
            plain(move |words| array.clear(words))
        }
        Op::Map { word, shift, table } => map(*word as usize, *shift, table.clone()),
        Op::Switch(number, cases, otherwise) => switch(number, cases, otherwise),
        Op::Walk(walk) => sequence(walk),
        Op::Let(..) | Op::Offer(..) | Op::Require(_) | Op::Check(_) | Op::Bail => {
            let test = Test::new(std::slice::from_ref(op));
            Box::new(move |words, scratch| test.holds(words, scratch))
        }
    }
}

fn set(field: Field, number: &Expr) -> Change {
    if let Expr::Field(from) = *number {
        return plain(move |words| field.set(words, from.get(words)));
    }
    let number = value(number);
    Box::new(move |words, scratch| {
        let number = number(words, scratch)?;
        field.set(words, number);
        Ok(true)
    })
}

/// A change at an index in range; index and number are evaluated first.
fn with<F>(array: Array, index: &Expr, number: Value, apply: F) -> Change
where
    F: Fn(Array, &mut [Word], u32, i32) + Send + Sync + 'static,
{
    let index = value(&Expr::Within(Box::new(index.clone()), array.length));
    Box::new(move |words, scratch| {
        let index = index(words, scratch)?;
        let number = number(words, scratch)?;
        apply(array, words, index as u32, number);
        Ok(true)
    })
}

fn map(word: usize, shift: u32, table: Vec<Word>) -> Change {
    let mask = Word::MAX.checked_shr(Word::BITS - table.len() as u32).unwrap_or(0);
    Box::new(move |words, _| {
        let mut set = words[word] >> shift & mask;
        let mut union = 0;
        while set != 0 {
            union |= table[set.trailing_zeros() as usize];
            set &= set - 1;
        }
        words[word] = words[word] & !(mask << shift) | (union & mask) << shift;
        if union & mask == 0 { Err(Bail) } else { Ok(true) }
    })
}

fn switch(number: &Expr, cases: &[(i32, Vec<Op>)], otherwise: &[Op]) -> Change {
    let number = value(number);
    let cases: Vec<(i32, Body)> = cases.iter().map(|(at, ops)| (*at, Body::new(ops))).collect();
    let otherwise = Body::new(otherwise);
    Box::new(move |words, scratch| {
        let number = number(words, scratch)?;
        let case = cases.iter().find(|(at, _)| *at == number);
        case.map_or(&otherwise, |(_, body)| body).apply(words, scratch)
    })
}

fn sequence(walk: &Walk) -> Change {
    let choice = |choice: &Choice| (Test::new(&choice.guard), Body::new(&choice.body), choice.next);
    let places = walk.places.iter().map(|place| place.iter().map(choice).collect());
    let places: Vec<Vec<(Test, Body, usize)>> = places.collect();
    let (start, end) = (walk.start, walk.end);
    Box::new(move |words, scratch| {
        let mut at = start;
        for length in 0..=Walk::LENGTH_MAX {
            if at == end {
                return Ok(true);
            }
            match advance(places.get(at).ok_or(Bail)?, words, scratch)? {
                Some(next) => at = next,
                None if length == 0 => return Ok(false),
                None => return Err(Bail),
            }
        }
        Err(Bail)
    })
}

/// Takes the first choice whose guard holds; where it leads.
fn advance(
    choices: &[(Test, Body, usize)],
    words: &mut [Word],
    scratch: &mut Scratch,
) -> Result<Option<usize>, Bail> {
    for (guard, body, next) in choices {
        if guard.holds(words, scratch)? {
            return if body.apply(words, scratch)? { Ok(Some(*next)) } else { Err(Bail) };
        }
    }
    Ok(None)
}
