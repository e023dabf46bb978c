//! What bounds a translation: automata can be doubly exponential in the formula.

use crate::Formula;
use std::error::Error;
use std::fmt::{self, Display};

/// A bound of the translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Operators above an atom.
    Depth,
    /// Atoms: those of a letter are the bits of a word.
    Atoms,
    /// Untils after rewriting: the marks of an edge are the bits of a word.
    AcceptanceSets,
    /// Ways to satisfy the obligations of one state.
    Terms,
    /// Comparisons of such ways, and of the formulas they leave for the rest of the word, in all.
    Comparisons,
    /// States of the tableau.
    States,
    /// Edges of the tableau.
    Edges,
    /// Steps of rewriting; the formula stays as it is after these.
    RewriteSteps,
}

impl Limit {
    /// The greatest number that is allowed.
    pub fn value(self) -> u64 {
        match self {
            Limit::Depth => 400,
            Limit::Atoms | Limit::AcceptanceSets => 64,
            Limit::Terms => 5_000,
            Limit::Comparisons => 100_000_000,
            Limit::States => 5_000,
            Limit::Edges => 50_000,
            Limit::RewriteSteps => 1_000_000,
        }
    }

    pub(crate) fn exceeded(self) -> TooLarge {
        TooLarge { limit: self }
    }

    pub(crate) fn check(self, number: u64) -> Result<(), TooLarge> {
        if number <= self.value() { Ok(()) } else { Err(self.exceeded()) }
    }
}

/// The formula needs more than a limit allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// What was exceeded.
    pub limit: Limit,
}

impl Display for TooLarge {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let what = match self.limit {
            Limit::Depth => "levels of operators",
            Limit::Atoms => "atoms",
            Limit::AcceptanceSets => "acceptance sets",
            Limit::Terms => "edges of one state",
            Limit::Comparisons => "comparisons of edges",
            Limit::States => "states of the automaton",
            Limit::Edges => "edges of the automaton",
            Limit::RewriteSteps => "rewrite steps",
        };
        write!(out, "the formula needs more than {} {what}", self.limit.value())
    }
}

impl Error for TooLarge {}

/// Whether the formula has no more levels and atoms than are allowed.
pub(crate) fn check(formula: &Formula) -> Result<(), TooLarge> {
    Limit::Depth.check(formula.depth() as u64)?;
    let atoms = formula.fold(|formula, operands: &[u64]| match formula {
        Formula::Atom(atom) => u64::from(*atom) + 1,
        _ => operands.iter().copied().max().unwrap_or(0),
    });
    Limit::Atoms.check(atoms)
}
