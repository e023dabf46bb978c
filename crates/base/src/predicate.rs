//! Predicates of single states that are given beside a model, and what they are for.

use crate::{Name, Span};

/// What a predicate is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Purpose {
    /// It has to hold in every state.
    Invariant,
    /// Some state in which it holds is asked for.
    Cover,
    /// A run backwards begins where it holds.
    Target,
    /// A simulated run ends where it holds.
    Until,
    /// A simulated run waits where it holds.
    Break,
}

impl Purpose {
    /// The option that gives it.
    pub fn option(self) -> &'static str {
        match self {
            Purpose::Invariant => "--invariant",
            Purpose::Cover => "--cover",
            Purpose::Target => "--target",
            Purpose::Until => "--until",
            Purpose::Break => "--break",
        }
    }

    /// Its word, as before the name of a requirement.
    pub fn word(self) -> &'static str {
        self.option().trim_start_matches('-')
    }

    /// Whether a simulation asks about it.
    pub fn is_simulated(self) -> bool {
        matches!(self, Purpose::Until | Purpose::Break)
    }

    /// Whether a check decides it.
    pub fn is_decided(self) -> bool {
        matches!(self, Purpose::Invariant | Purpose::Cover)
    }
}

/// A predicate of states `P`, as it was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatePredicate<P> {
    /// Its name; a number if it has none.
    pub name: Name,
    /// The whole text of it.
    pub span: Span,
    /// What it is for.
    pub purpose: Purpose,
    /// What it says.
    pub holds: P,
}
