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
    /// Where it is written.
    pub written: Written,
    /// What it is for.
    pub purpose: Purpose,
    /// What it says.
    pub holds: P,
}

impl<P> StatePredicate<P> {
    /// The whole text of it.
    pub fn span(&self) -> Span {
        self.written.span
    }
}

/// Where a predicate and its parts are written: a tree like that of what it says, as far as it goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The whole text.
    pub span: Span,
    /// The operands, in order.
    pub operands: Vec<Self>,
}

impl Written {
    /// Without anything said of its operands.
    pub fn whole(span: Span) -> Self {
        Self { span, operands: Vec::new() }
    }

    /// An operand; all of it where nothing is said of that.
    #[must_use]
    pub fn operand(&self, at: usize) -> &Self {
        self.operands.get(at).unwrap_or(self)
    }

    /// As `f -> g` is lowered: `!f || g`.
    #[must_use]
    pub fn implication(span: Span, [f, g]: [Self; 2]) -> Self {
        Self { span, operands: vec![f.denied(), g] }
    }

    /// As `f <-> g` is lowered: `!f == !g`.
    #[must_use]
    pub fn equivalence(span: Span, operands: [Self; 2]) -> Self {
        Self { span, operands: operands.map(Self::denied).into() }
    }

    fn denied(self) -> Self {
        Self { span: self.span, operands: vec![self] }
    }
}
