//! Formulas of linear temporal logic as people write them: the operators, and trees of them over
//! predicates of a single state.

use crate::Span;

/// Operators of formulas beside those of expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemporalOp {
    /// `X`
    Next,
    /// `[]`
    Always,
    /// `<>`
    Eventually,
    /// `U`
    Until,
    /// `W`
    WeakUntil,
    /// `V`
    Release,
    /// `->`
    Implies,
    /// `<->`
    Equivalent,
}

/// Words that join two formulas.
const INFIX: [(&str, TemporalOp); 9] = [
    ("implies", TemporalOp::Implies),
    ("equivalent", TemporalOp::Equivalent),
    ("U", TemporalOp::Until),
    ("until", TemporalOp::Until),
    ("stronguntil", TemporalOp::Until),
    ("W", TemporalOp::WeakUntil),
    ("weakuntil", TemporalOp::WeakUntil),
    ("V", TemporalOp::Release),
    ("release", TemporalOp::Release),
];

/// Words before a formula.
const PREFIX: [(&str, TemporalOp); 4] = [
    ("always", TemporalOp::Always),
    ("eventually", TemporalOp::Eventually),
    ("X", TemporalOp::Next),
    ("next", TemporalOp::Next),
];

/// Words of other tools for operators between formulas, and what they are here.
const FOREIGN_INFIX: [(&str, &str); 3] = [("and", "&&"), ("or", "||"), ("R", "V")];

/// The same for operators before a formula.
const FOREIGN_PREFIX: [(&str, &str); 3] = [("not", "!"), ("G", "[]"), ("F", "<>")];

fn among<T: Copy>(list: &[(&str, T)], word: &str) -> Option<T> {
    list.iter().find(|(text, _)| *text == word).map(|(_, meaning)| *meaning)
}

impl TemporalOp {
    /// Operators of expressions that bind at least so tightly are within one state.
    pub const OF_STATES: u8 = 4;

    /// The operator between two formulas that a word stands for.
    pub fn infix_word(word: &str) -> Option<Self> {
        among(&INFIX, word)
    }

    /// The operator before a formula that a word stands for.
    pub fn prefix_word(word: &str) -> Option<Self> {
        among(&PREFIX, word)
    }

    /// What is written for a word of other tools: one between two formulas, or one before.
    pub fn foreign(between: &str, before: Option<&str>) -> Option<(&'static str, &'static str)> {
        let infix = FOREIGN_INFIX.iter().find(|(word, _)| *word == between);
        let prefix = FOREIGN_PREFIX.iter().find(|(word, _)| before == Some(*word));
        infix.or(prefix).copied()
    }

    /// How tightly it binds what it joins, on the scale of
    /// [`BinaryOp::strength`](crate::BinaryOp::strength).
    pub fn strength(self) -> u8 {
        match self {
            TemporalOp::Implies | TemporalOp::Equivalent => 0,
            _ => 3,
        }
    }

    /// As written.
    pub fn symbol(self) -> &'static str {
        match self {
            TemporalOp::Next => "X",
            TemporalOp::Always => "[]",
            TemporalOp::Eventually => "<>",
            TemporalOp::Until => "U",
            TemporalOp::WeakUntil => "W",
            TemporalOp::Release => "V",
            TemporalOp::Implies => "->",
            TemporalOp::Equivalent => "<->",
        }
    }
}

/// A formula of linear temporal logic over state predicates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Formula<P> {
    /// A predicate of a single state, and where it is written.
    Holds(P, Span),
    /// `! f`
    Not(Box<Self>),
    /// `f && g`
    And(Box<Self>, Box<Self>),
    /// `f || g`
    Or(Box<Self>, Box<Self>),
    /// `f -> g`
    Implies(Box<Self>, Box<Self>),
    /// `f <-> g`
    Equivalent(Box<Self>, Box<Self>),
    /// `X f`
    Next(Box<Self>),
    /// `[] f`
    Always(Box<Self>),
    /// `<> f`
    Eventually(Box<Self>),
    /// `f U g`
    Until(Box<Self>, Box<Self>),
    /// `f W g`
    WeakUntil(Box<Self>, Box<Self>),
    /// `f V g`
    Release(Box<Self>, Box<Self>),
}

impl<P> Formula<P> {
    /// An operator applied to one formula, or to two; `None` if it takes another number.
    pub fn of(op: TemporalOp, operands: Vec<Self>) -> Option<Self> {
        let mut operands = operands.into_iter().map(Box::new);
        let (left, right) = (operands.next()?, operands.next());
        Some(match (op, right) {
            (TemporalOp::Next, None) => Formula::Next(left),
            (TemporalOp::Always, None) => Formula::Always(left),
            (TemporalOp::Eventually, None) => Formula::Eventually(left),
            (TemporalOp::Until, Some(right)) => Formula::Until(left, right),
            (TemporalOp::WeakUntil, Some(right)) => Formula::WeakUntil(left, right),
            (TemporalOp::Release, Some(right)) => Formula::Release(left, right),
            (TemporalOp::Implies, Some(right)) => Formula::Implies(left, right),
            (TemporalOp::Equivalent, Some(right)) => Formula::Equivalent(left, right),
            _ => return None,
        })
    }
}

/// Declares a walk over the predicates of a formula, shared or mutable.
macro_rules! each_predicate {
    ($name:ident $(, $mutable:tt)?) => {
        impl<P> Formula<P> {
            /// Calls `visit` with each predicate of a single state.
            pub fn $name<'a>(
                &'a $($mutable)? self,
                visit: &mut dyn FnMut(&'a $($mutable)? P),
            ) {
                match self {
                    Formula::Holds(predicate, _) => visit(predicate),
                    Formula::Not(f)
                    | Formula::Next(f)
                    | Formula::Always(f)
                    | Formula::Eventually(f) => f.$name(visit),
                    Formula::And(f, g)
                    | Formula::Or(f, g)
                    | Formula::Implies(f, g)
                    | Formula::Equivalent(f, g)
                    | Formula::Until(f, g)
                    | Formula::WeakUntil(f, g)
                    | Formula::Release(f, g) => {
                        f.$name(visit);
                        g.$name(visit);
                    }
                }
            }
        }
    };
}

each_predicate!(each_predicate);
each_predicate!(each_predicate_mut, mut);
