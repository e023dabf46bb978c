//! Temporal formulas as they are written.
//!
//! Whoever builds a formula bounds its depth (the PROMELA parser stops at 200 levels): the
//! functions here keep an explicit stack, but cloning, comparing and dropping recurse.

use std::collections::BTreeSet;

/// A temporal formula over atoms, which are numbers below 64.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// Always holds.
    True,
    /// Never holds.
    False,
    /// A predicate of the present letter.
    Atom(u32),
    /// The operand does not hold.
    Not(Box<Formula>),
    /// Both hold.
    And(Box<Formula>, Box<Formula>),
    /// At least one holds.
    Or(Box<Formula>, Box<Formula>),
    /// The second holds if the first does.
    Implies(Box<Formula>, Box<Formula>),
    /// Both hold or neither does.
    Equivalent(Box<Formula>, Box<Formula>),
    /// Holds at the next position (`X`).
    Next(Box<Formula>),
    /// Holds now or later (`<>`).
    Eventually(Box<Formula>),
    /// Holds now and for ever (`[]`).
    Always(Box<Formula>),
    /// The second holds now or later, the first at all positions before (`U`).
    Until(Box<Formula>, Box<Formula>),
    /// As until, but the second may never hold if the first always does (`W`).
    WeakUntil(Box<Formula>, Box<Formula>),
    /// The second holds up to and including the first position where the first holds (`V`).
    Release(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// Whether `X` occurs: a formula without it cannot tell a repeated letter from a single one.
    pub fn has_next(&self) -> bool {
        self.fold(|formula, operands: &[bool]| {
            matches!(formula, Formula::Next(_)) || operands.contains(&true)
        })
    }

    /// The negation.
    pub fn negated(self) -> Formula {
        Formula::Not(Box::new(self))
    }

    /// The operands, from left to right.
    pub fn operands(&self) -> [Option<&Formula>; 2] {
        use Formula::*;
        match self {
            True | False | Atom(_) => [None, None],
            Not(a) | Next(a) | Eventually(a) | Always(a) => [Some(a), None],
            And(a, b) | Or(a, b) | Implies(a, b) | Equivalent(a, b) => [Some(a), Some(b)],
            Until(a, b) | WeakUntil(a, b) | Release(a, b) => [Some(a), Some(b)],
        }
    }

    /// The numbers of its atoms, in order.
    pub fn atoms(&self) -> BTreeSet<u32> {
        let mut atoms = BTreeSet::new();
        self.fold(|formula, _: &[()]| {
            if let Formula::Atom(number) = formula {
                atoms.insert(*number);
            }
        });
        atoms
    }

    /// A value for the formula from the values of its operands, bottom up, without recursion.
    pub(crate) fn fold<T>(&self, mut combine: impl FnMut(&Formula, &[T]) -> T) -> T {
        let mut values: Vec<T> = Vec::new();
        let mut waiting = vec![(self, false)];
        while let Some((formula, ready)) = waiting.pop() {
            let operands = formula.operands();
            let operands = operands.iter().flatten();
            if ready {
                let first = values.len() - operands.count();
                let value = combine(formula, &values[first..]);
                values.truncate(first);
                values.push(value);
            } else {
                waiting.push((formula, true));
                waiting.extend(operands.rev().map(|operand| (*operand, false)));
            }
        }
        values.pop().expect("a formula has a value")
    }

    /// The greatest number of operators above an atom.
    pub(crate) fn depth(&self) -> usize {
        self.fold(|_, operands: &[usize]| operands.iter().max().map_or(0, |depth| depth + 1))
    }
}
