//! Guards as closures.

use super::value::{Value, value};
use crate::{Bail, BinaryOp, Expr, Field, Op, Scratch};
use system::Word;

type Check = Box<dyn Fn(&[Word], &mut Scratch) -> Result<bool, Bail> + Send + Sync>;

/// Whether an edge can move.
pub(super) enum Test {
    /// Always.
    Holds,
    /// These bits of a word are so: a call less for the commonest of guards.
    Bits { word: usize, mask: Word, bits: Word },
    /// One condition.
    Check(Check),
    /// Several, in order.
    All(Box<[Test]>),
}

impl Test {
    pub(super) fn new(ops: &[Op]) -> Self {
        let mut tests = Vec::new();
        ops.iter().for_each(|op| operation(op, &mut tests));
        Self::all(tests)
    }

    fn all(tests: Vec<Test>) -> Self {
        let mut joined: Vec<Test> = Vec::new();
        for test in tests {
            match joined.last_mut().map(|last| last.join(&test)) {
                Some(true) => {}
                _ => joined.push(test),
            }
        }
        match joined.len() {
            0 => Test::Holds,
            1 => joined.remove(0),
            _ => Test::All(joined.into()),
        }
    }

    /// Takes a condition on other bits of the same word in.
    fn join(&mut self, other: &Test) -> bool {
        match (self, other) {
            (Test::Bits { word, mask, bits }, Test::Bits { word: at, mask: more, bits: so })
                if word == at && *mask & more == 0 =>
            {
                *mask |= more;
                *bits |= so;
                true
            }
            _ => false,
        }
    }

    #[inline]
    pub(super) fn holds(&self, words: &[Word], scratch: &mut Scratch) -> Result<bool, Bail> {
        match self {
            Test::Holds => Ok(true),
            Test::Bits { word, mask, bits } => Ok(words[*word] & mask == *bits),
            Test::Check(check) => check(words, scratch),
            Test::All(tests) => Self::all_hold(tests, words, scratch),
        }
    }

    fn all_hold(tests: &[Test], words: &[Word], scratch: &mut Scratch) -> Result<bool, Bail> {
        for test in tests {
            if !test.holds(words, scratch)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn check<F>(check: F) -> Self
    where
        F: Fn(&[Word], &mut Scratch) -> Result<bool, Bail> + Send + Sync + 'static,
    {
        Test::Check(Box::new(check))
    }

    fn bits(field: Field, number: i32) -> Self {
        let (word, mask) = (field.word as usize, field.mask());
        match field.fits(number) {
            true => Test::Bits { word, mask, bits: field.bits_of(number) },
            false => Test::check(|_, _| Ok(false)),
        }
    }
}

/// One operation that leaves the state alone: whether the edge can move still.
fn operation(op: &Op, tests: &mut Vec<Test>) {
    match op {
        Op::Require(condition) => require(condition, tests),
        Op::Check(condition) => {
            let condition = value(condition);
            tests.push(Test::check(move |words, scratch| match condition(words, scratch)? {
                0 => Err(Bail),
                _ => Ok(true),
            }));
        }
        Op::Let(temp, number) => {
            let (temp, number) = (*temp as usize, value(number));
            tests.push(Test::check(move |words, scratch| {
                scratch.temps[temp] = number(words, scratch)?;
                Ok(true)
            }));
        }
        Op::Offer(position, number) => {
            let (position, number) = (*position as usize, value(number));
            tests.push(Test::check(move |words, scratch| {
                scratch.offer[position] = number(words, scratch)?;
                Ok(true)
            }));
        }
        Op::Switch(number, cases, otherwise) => tests.push(switch(number, cases, otherwise)),
        Op::Bail => tests.push(Test::check(|_, _| Err(Bail))),
        changes => unreachable!("a guard changes nothing: {changes:?}"),
    }
}

fn require(condition: &Expr, tests: &mut Vec<Test>) {
    match condition {
        Expr::Const(0) => tests.push(Test::check(|_, _| Ok(false))),
        Expr::Const(_) => {}
        Expr::Binary(BinaryOp::And, left, right) => {
            require(left, tests);
            require(right, tests);
        }
        Expr::Binary(BinaryOp::Equal, left, right) => tests.push(equal(left, right)),
        Expr::Binary(BinaryOp::NotEqual, left, right) => tests.push(negated(equal(left, right))),
        condition => {
            let condition = value(condition);
            tests.push(Test::check(move |words, scratch| Ok(condition(words, scratch)? != 0)));
        }
    }
}

fn equal(left: &Expr, right: &Expr) -> Test {
    match (left, right) {
        (Expr::Field(field), Expr::Const(number)) | (Expr::Const(number), Expr::Field(field)) => {
            Test::bits(*field, *number)
        }
        (left, right) => {
            let equal = Expr::Binary(BinaryOp::Equal, left.clone().into(), right.clone().into());
            let equal: Value = value(&equal);
            Test::check(move |words, scratch| Ok(equal(words, scratch)? != 0))
        }
    }
}

fn negated(test: Test) -> Test {
    match test {
        Test::Bits { word, mask, bits } => {
            Test::check(move |words, _| Ok(words[word] & mask != bits))
        }
        test => Test::check(move |words, scratch| Ok(!test.holds(words, scratch)?)),
    }
}

fn switch(number: &Expr, cases: &[(i32, Vec<Op>)], otherwise: &[Op]) -> Test {
    let number = value(number);
    let cases: Vec<(i32, Test)> = cases.iter().map(|(at, ops)| (*at, Test::new(ops))).collect();
    let otherwise = Test::new(otherwise);
    Test::check(move |words, scratch| {
        let number = number(words, scratch)?;
        let case = cases.iter().find(|(at, _)| *at == number);
        case.map_or(&otherwise, |(_, test)| test).holds(words, scratch)
    })
}
