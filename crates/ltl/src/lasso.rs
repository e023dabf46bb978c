//! Ultimately periodic words: a prefix, then a cycle for ever. Formulas are evaluated on them by
//! fixpoints, automata by a search for an accepting cycle; neither knows of the other.

use crate::Formula;
use crate::automaton::{Automaton, Edge, State};
use crate::cube::Cube;

/// The positions of a word `prefix . cycle^omega`.
struct Lasso<'a> {
    prefix: &'a [u64],
    cycle: &'a [u64],
}

impl<'a> Lasso<'a> {
    fn new(prefix: &'a [u64], cycle: &'a [u64]) -> Self {
        assert!(!cycle.is_empty(), "the cycle of an infinite word has a letter");
        Self { prefix, cycle }
    }

    fn len(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    fn letter(&self, position: usize) -> u64 {
        self.prefix.iter().chain(self.cycle).copied().nth(position).expect("a position")
    }

    fn next(&self, position: usize) -> usize {
        if position + 1 == self.len() { self.prefix.len() } else { position + 1 }
    }

    /// The solution of `value[i] = now[i] || (keep[i] && value[i + 1])`: the least one from
    /// `start` false, the greatest from true. Twice round the cycle is enough.
    fn fixpoint(&self, start: bool, now: &[bool], keep: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut value = vec![start; self.len()];
        for _ in 0..2 {
            for i in (0..self.len()).rev() {
                value[i] = now[i] || (keep(i) && value[self.next(i)]);
            }
        }
        value
    }

    fn evaluate(&self, formula: &Formula, operands: &[Vec<bool>]) -> Vec<bool> {
        use Formula::*;
        let all = 0..self.len();
        let unary = |f: &dyn Fn(bool) -> bool| operands[0].iter().map(|a| f(*a)).collect();
        let binary = |f: &dyn Fn(bool, bool) -> bool| {
            operands[0].iter().zip(&operands[1]).map(|(a, b)| f(*a, *b)).collect::<Vec<_>>()
        };
        match formula {
            True => vec![true; self.len()],
            False => vec![false; self.len()],
            Atom(atom) => all.map(|i| self.letter(i) >> atom & 1 == 1).collect(),
            Not(_) => unary(&|a| !a),
            And(..) => binary(&|a, b| a && b),
            Or(..) => binary(&|a, b| a || b),
            Implies(..) => binary(&|a, b| !a || b),
            Equivalent(..) => binary(&|a, b| a == b),
            Next(_) => all.map(|i| operands[0][self.next(i)]).collect(),
            Eventually(_) => self.fixpoint(false, &operands[0], |_| true),
            Always(_) => self.fixpoint(true, &vec![false; self.len()], |i| operands[0][i]),
            Until(..) => self.fixpoint(false, &operands[1], |i| operands[0][i]),
            WeakUntil(..) => self.fixpoint(true, &operands[1], |i| operands[0][i]),
            Release(..) => self.fixpoint(true, &binary(&|a, b| a && b), |i| operands[1][i]),
        }
    }

    /// The word as an automaton: one state for each position, one run.
    fn automaton(&self) -> Automaton {
        let state = |position| {
            let letter = self.letter(position);
            let label = Cube { positive: letter, negative: !letter };
            let target = self.next(position) as u32;
            State { edges: vec![Edge { label, target, marks: 0 }] }
        };
        Automaton { states: (0..self.len()).map(state).collect(), initial: 0, sets: 0 }
    }
}

impl Formula {
    /// Whether the formula holds, at each position of the infinite word `prefix . cycle^omega`:
    /// one value for each letter of the prefix and of the cycle. Letters are sets of atoms (bit
    /// i: atom i).
    ///
    /// # Panics
    /// If the cycle is empty.
    pub fn evaluate(&self, prefix: &[u64], cycle: &[u64]) -> Vec<bool> {
        let lasso = Lasso::new(prefix, cycle);
        self.fold(|formula, operands: &[Vec<bool>]| lasso.evaluate(formula, operands))
    }
}

impl Automaton {
    /// Whether the automaton accepts the infinite word `prefix . cycle^omega`.
    ///
    /// # Panics
    /// If the cycle is empty.
    pub fn accepts(&self, prefix: &[u64], cycle: &[u64]) -> bool {
        let word = Lasso::new(prefix, cycle).automaton();
        let product = self.product(&word).expect("the word adds no acceptance set");
        !product.is_empty_language()
    }
}
