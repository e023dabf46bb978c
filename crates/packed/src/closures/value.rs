//! Expressions as closures.

use crate::{Bail, BinaryOp, Expr, Field, Scratch, UnaryOp};
use system::Word;

pub(crate) type Value = Box<dyn Fn(&[Word], &mut Scratch) -> Result<i32, Bail> + Send + Sync>;

/// Compiles an expression.
pub(crate) fn value(expr: &Expr) -> Value {
    match expr {
        Expr::Const(number) => {
            let number = *number;
            Box::new(move |_, _| Ok(number))
        }
        Expr::Field(field) => read(*field),
        Expr::Element(array, index) => element(*array, index),
        Expr::Temp(temp) => {
            let temp = *temp as usize;
            Box::new(move |_, scratch| Ok(scratch.temps[temp]))
        }
        Expr::Offered(position) => {
            let position = *position as usize;
            Box::new(move |_, scratch| Ok(scratch.offer[position]))
        }
        Expr::Timeout => Box::new(|_, scratch| Ok(i32::from(scratch.timeout))),
        Expr::Unary(op, operand) => unary(*op, value(operand)),
        Expr::Binary(op, left, right) => binary(*op, left, right),
        Expr::Choose(condition, yes, no) => {
            let (condition, yes, no) = (value(condition), value(yes), value(no));
            Box::new(move |words, scratch| match condition(words, scratch)? {
                0 => no(words, scratch),
                _ => yes(words, scratch),
            })
        }
        Expr::Within(operand, bound) => {
            let (operand, bound) = (value(operand), *bound);
            Box::new(move |words, scratch| {
                let number = operand(words, scratch)?;
                if (number as u32) < bound { Ok(number) } else { Err(Bail) }
            })
        }
        Expr::Find { index, count, condition } => find(*index as usize, count, condition),
        Expr::Bail => Box::new(|_, _| Err(Bail)),
    }
}

fn read(field: Field) -> Value {
    let word = field.word as usize;
    if field.signed {
        return Box::new(move |words, _| Ok(field.get(words)));
    }
    let (shift, mask) = (field.shift, field.mask() >> field.shift);
    Box::new(move |words, _| Ok((words[word] >> shift & mask) as i32))
}

fn element(array: crate::Array, index: &Expr) -> Value {
    match index {
        Expr::Const(index) => match array.get(*index) {
            Some(field) => read(field),
            None => Box::new(|_, _| Err(Bail)),
        },
        Expr::Field(index) => {
            let index = *index;
            Box::new(move |words, _| Ok(array.get(index.get(words)).ok_or(Bail)?.get(words)))
        }
        index => {
            let index = value(index);
            Box::new(move |words, scratch| {
                Ok(array.get(index(words, scratch)?).ok_or(Bail)?.get(words))
            })
        }
    }
}

fn find(index: usize, count: &Expr, condition: &Expr) -> Value {
    let (count, condition) = (value(count), value(condition));
    Box::new(move |words, scratch| {
        for i in 0..count(words, scratch)? {
            scratch.temps[index] = i;
            if condition(words, scratch)? != 0 {
                return Ok(i);
            }
        }
        Ok(-1)
    })
}

fn unary(op: UnaryOp, operand: Value) -> Value {
    match op {
        UnaryOp::Negate => {
            Box::new(move |words, scratch| Ok(operand(words, scratch)?.wrapping_neg()))
        }
        UnaryOp::Not => {
            Box::new(move |words, scratch| Ok(i32::from(operand(words, scratch)? == 0)))
        }
        UnaryOp::Complement => Box::new(move |words, scratch| Ok(!operand(words, scratch)?)),
    }
}

fn binary(op: BinaryOp, left: &Expr, right: &Expr) -> Value {
    use BinaryOp as B;
    match op {
        B::Or | B::And => lazy(op == B::Or, value(left), value(right)),
        B::BitOr => strict(left, right, |a, b| a | b),
        B::BitXor => strict(left, right, |a, b| a ^ b),
        B::BitAnd => strict(left, right, |a, b| a & b),
        B::Equal => strict(left, right, |a, b| i32::from(a == b)),
        B::NotEqual => strict(left, right, |a, b| i32::from(a != b)),
        B::Less => strict(left, right, |a, b| i32::from(a < b)),
        B::LessEqual => strict(left, right, |a, b| i32::from(a <= b)),
        B::Greater => strict(left, right, |a, b| i32::from(a > b)),
        B::GreaterEqual => strict(left, right, |a, b| i32::from(a >= b)),
        B::ShiftLeft => strict(left, right, |a, b| a.wrapping_shl(b as u32)),
        B::ShiftRight => strict(left, right, |a, b| a.wrapping_shr(b as u32)),
        B::Add => strict(left, right, i32::wrapping_add),
        B::Subtract => strict(left, right, i32::wrapping_sub),
        B::Multiply => strict(left, right, i32::wrapping_mul),
        B::Divide => divided(value(left), value(right), i32::wrapping_div),
        B::Remainder => divided(value(left), value(right), i32::wrapping_rem),
    }
}

/// `Or` or `And`: the first operand may decide.
fn lazy(is_or: bool, left: Value, right: Value) -> Value {
    Box::new(move |words, scratch| match (left(words, scratch)? != 0) == is_or {
        true => Ok(i32::from(is_or)),
        false => Ok(i32::from(right(words, scratch)? != 0)),
    })
}

/// Both operands are evaluated; those that need no closure of their own have none.
fn strict<F>(left: &Expr, right: &Expr, apply: F) -> Value
where
    F: Fn(i32, i32) -> i32 + Copy + Send + Sync + 'static,
{
    match (left, right) {
        (Expr::Field(left), Expr::Const(right)) => {
            let (left, right) = (*left, *right);
            Box::new(move |words, _| Ok(apply(left.get(words), right)))
        }
        (Expr::Field(left), Expr::Field(right)) => {
            let (left, right) = (*left, *right);
            Box::new(move |words, _| Ok(apply(left.get(words), right.get(words))))
        }
        (left, Expr::Const(right)) => {
            let (left, right) = (value(left), *right);
            Box::new(move |words, scratch| Ok(apply(left(words, scratch)?, right)))
        }
        (left, right) => {
            let (left, right) = (value(left), value(right));
            Box::new(move |words, scratch| Ok(apply(left(words, scratch)?, right(words, scratch)?)))
        }
    }
}

fn divided(left: Value, right: Value, apply: fn(i32, i32) -> i32) -> Value {
    Box::new(move |words, scratch| {
        let left = left(words, scratch)?;
        match right(words, scratch)? {
            0 => Err(Bail),
            right => Ok(apply(left, right)),
        }
    })
}
