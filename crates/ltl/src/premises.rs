//! What a formula requires only if something else holds: the premises of its implications.
//!
//! A formula can hold because a premise never occurs (*antecedent failure*: Beer, Ben-David, Eisner
//! and Rodeh, *Efficient Detection of Vacuity in ACTL Formulas*, 1997). Kupferman and Vardi
//! (*Vacuity Detection in Temporal Model Checking*, 1999) decide that for a subformula of which
//! truth makes the whole no less true: false in its place gives a stronger formula, and if that holds,
//! too, the subformula does not matter. Here the subformulas are the conclusions of implications:
//! `[](p -> q)` with `false` for `q` is `[]!p`.
//!
//! Each occurrence is taken by itself. Conclusions under `<->` are left out: truth there may make the
//! whole true or false.

use crate::Formula;

/// An implication of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Premise {
    /// What has to hold for the formula to require anything there.
    pub premise: Formula,
    /// The formula with a conclusion that is false: it implies the formula.
    pub without: Formula,
}

impl Formula {
    /// The premises of its implications, `p -> q` or `!p || q`, from left to right.
    pub fn premises(&self) -> Vec<Premise> {
        let mut premises = Vec::new();
        // Formulas to look at, the way to each, and whether its truth makes the whole true.
        let mut waiting = vec![(self, Vec::new(), true)];
        while let Some((formula, way, is_positive)) = waiting.pop() {
            if is_positive {
                let found = of_implication(formula).into_iter().flatten();
                premises.extend(found.map(|premise| {
                    let without = self.with(&way, premise.clone().negated());
                    Premise { premise, without }
                }));
            }
            if matches!(formula, Formula::Equivalent(..)) {
                continue;
            }
            for (at, operand) in formula.operands().into_iter().enumerate().rev() {
                let flips =
                    matches!((formula, at), (Formula::Not(_), _) | (Formula::Implies(..), 0));
                let way = way.iter().copied().chain([at]).collect();
                waiting.extend(operand.map(|operand| (operand, way, is_positive != flips)));
            }
        }
        premises
    }

    /// The same with another formula at the end of a way down from the whole: which operand to
    /// go to, level by level.
    fn with(&self, way: &[usize], other: Formula) -> Formula {
        let mut whole = self.clone();
        let mut place = &mut whole;
        for at in way {
            place = place.operand_mut(*at).expect("the way is one of this formula");
        }
        *place = other;
        whole
    }

    fn operand_mut(&mut self, at: usize) -> Option<&mut Formula> {
        use Formula::*;
        match (self, at) {
            (Not(a) | Next(a) | Eventually(a) | Always(a), 0) => Some(a),
            (And(a, b) | Or(a, b) | Implies(a, b) | Equivalent(a, b), at)
            | (Until(a, b) | WeakUntil(a, b) | Release(a, b), at) => match at {
                0 => Some(a),
                1 => Some(b),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The premises of a formula that is an implication: in `!p || !q` each side is one of the other.
fn of_implication(formula: &Formula) -> [Option<Formula>; 2] {
    let denied = |formula: &Formula| match formula {
        Formula::Not(premise) => Some((**premise).clone()),
        _ => None,
    };
    match formula {
        Formula::Implies(premise, _) => [Some((**premise).clone()), None],
        Formula::Or(a, b) => [denied(a), denied(b)],
        _ => [None, None],
    }
}
