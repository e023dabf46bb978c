//! What edges access, as expressions over the state in which they are tried: the ground of
//! sleep sets and ample sets on the packed form.
//!
//! Fields say too little. That a send and a receive on one channel commute, or that a test
//! for a message survives a send, follows from what a channel is, not from its bits. So
//! whoever lowers a model says beside each edge which shared objects it accesses and how;
//! which element of an array, or which channel, may depend on the state.

use crate::{BinaryOp, Expr};
use system::{Access, Accesses, LastStatement, Object};

/// An access of an edge.
#[derive(Clone, PartialEq, Debug)]
pub enum AccessExpr<E = Expr> {
    /// Of one object.
    Object(Object, Access),
    /// Of one of `count` variables, numbered from `first` on: the one at `index`.
    Element {
        /// The number of the variable at index 0.
        first: u32,
        /// How many there are.
        count: u32,
        /// Which one it is.
        index: E,
        /// How it is accessed.
        access: Access,
    },
    /// Of one of `count` variables, as in [`Self::Element`], whose value is compared with that of
    /// another expression: a write matters if it may change the answer.
    Test {
        /// The number of the variable at index 0.
        first: u32,
        /// How many there are.
        count: u32,
        /// Which one it is.
        index: E,
        /// How it is compared.
        op: BinaryOp,
        /// With what.
        bound: E,
        /// The bound stands in front.
        mirrored: bool,
        /// The answer.
        answer: E,
    },
    /// Those of the first list if the expression is not zero, else those of the second.
    If(E, Vec<Self>, Vec<Self>),
    /// It asks whether nothing else can move.
    Timeout,
    /// It accesses more than can be said.
    Everything,
}

/// What an edge accesses.
#[derive(Clone, Debug)]
pub struct EdgeAccesses<E = Expr> {
    /// When it executes.
    pub executed: Vec<AccessExpr<E>>,
    /// When it is tried and does not execute.
    pub refused: Vec<AccessExpr<E>>,
    /// What kind of statement it is.
    pub statement: LastStatement,
}

impl EdgeAccesses {
    /// Of an edge that depends on all others.
    pub fn everything(statement: LastStatement) -> Self {
        let all = vec![AccessExpr::Everything];
        Self { executed: all.clone(), refused: all, statement }
    }
}

/// What the edges of a form access.
#[derive(Clone, Debug)]
pub struct AccessTable {
    /// In the order of [`Packed::edges`](crate::Packed::edges).
    pub edges: Vec<EdgeAccesses>,
    /// For each agent and each of its places, where all the process can do is exit and no
    /// other process can tell: the condition under which that is so.
    pub exits: Vec<Vec<Option<Expr>>>,
}

impl<E> AccessExpr<E> {
    /// The same with other expressions.
    pub(crate) fn map<F>(&self, to: &mut dyn FnMut(&E) -> F) -> AccessExpr<F> {
        match self {
            Self::Object(object, access) => AccessExpr::Object(*object, *access),
            Self::Element { first, count, index, access } => AccessExpr::Element {
                first: *first,
                count: *count,
                index: to(index),
                access: *access,
            },
            Self::Test { first, count, index, op, bound, mirrored, answer } => AccessExpr::Test {
                first: *first,
                count: *count,
                index: to(index),
                op: *op,
                bound: to(bound),
                mirrored: *mirrored,
                answer: to(answer),
            },
            Self::If(condition, yes, no) => {
                AccessExpr::If(to(condition), map(yes, to), map(no, to))
            }
            Self::Timeout => AccessExpr::Timeout,
            Self::Everything => AccessExpr::Everything,
        }
    }

    /// Adds the access as it is where expressions have these values; none is known of one
    /// that fails.
    fn add(&self, value: &mut dyn FnMut(&E) -> Option<i32>, to: &mut Accesses) {
        match self {
            Self::Object(object, access) => to.add(*object, *access),
            Self::Element { first, count, index, access } => match value(index) {
                Some(index) if (index as u32) < *count => {
                    to.add(Object::Variable(first + index as u32), *access);
                }
                _ => to.add_everything(),
            },
            Self::Test { first, count, index, op, bound, mirrored, answer } => {
                match (value(index), value(bound), value(answer)) {
                    (Some(index), Some(bound), Some(answer)) if (index as u32) < *count => {
                        let test = test((*op, bound, *mirrored), answer);
                        to.add(Object::Variable(first + index as u32), test);
                    }
                    _ => to.add_everything(),
                }
            }
            Self::If(condition, yes, no) => match value(condition) {
                Some(0) => add(no, value, to),
                Some(_) => add(yes, value, to),
                None => to.add_everything(),
            },
            Self::Timeout => to.ask_timeout(),
            Self::Everything => to.add_everything(),
        }
    }
}

impl AccessExpr {
    /// Adds whatever the access may be in some state.
    fn add_any(&self, to: &mut Accesses) {
        match self {
            Self::Object(object, access) => to.add(*object, *access),
            Self::Element { first, count, access, .. } => {
                (*first..first + count).for_each(|at| to.add(Object::Variable(at), *access));
            }
            Self::Test { first, count, index, op, bound, mirrored, answer } => {
                let access = match (bound, answer) {
                    (Expr::Const(bound), Expr::Const(answer)) => {
                        test((*op, *bound, *mirrored), *answer)
                    }
                    _ => Access::READ,
                };
                let elements = match index {
                    Expr::Const(at) => first + *at as u32..first + *at as u32 + 1,
                    _ => *first..first + count,
                };
                elements.for_each(|at| to.add(Object::Variable(at), access));
            }
            Self::If(_, yes, no) => yes.iter().chain(no).for_each(|access| access.add_any(to)),
            Self::Timeout => to.ask_timeout(),
            Self::Everything => to.add_everything(),
        }
    }
}

/// A test of a variable, which has this answer.
fn test((op, bound, mirrored): (BinaryOp, i32, bool), answer: i32) -> Access {
    Access::test(|value| {
        let (left, right) = if mirrored { (bound, value) } else { (value, bound) };
        (op.apply(left, right) != Some(0)) != (answer != 0)
    })
}

/// All of them with other expressions.
pub(crate) fn map<E, F>(all: &[AccessExpr<E>], to: &mut dyn FnMut(&E) -> F) -> Vec<AccessExpr<F>> {
    all.iter().map(|access| access.map(to)).collect()
}

/// Adds all of them, given the values of expressions.
pub(crate) fn add<E>(
    all: &[AccessExpr<E>],
    value: &mut dyn FnMut(&E) -> Option<i32>,
    to: &mut Accesses,
) {
    all.iter().for_each(|access| access.add(value, to));
}

/// Adds whatever they may be in some state.
pub(crate) fn add_any(all: &[AccessExpr], to: &mut Accesses) {
    all.iter().for_each(|access| access.add_any(to));
}
