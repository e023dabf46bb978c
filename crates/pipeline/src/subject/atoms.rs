//! What is required of infinite runs, as automata over propositions: what the languages share.

use super::{DecidedBy, Required};
use crate::cycles::{Bad, Temporal};
use base::{Id, SourceMap, Span};
use ltl::{Cube, Formula, translate};
use trace::{Kind, Requirement};

/// A graph tells so many propositions apart; one more says that the system stands still.
const ATOMS_MAX: usize = 63;
/// That proposition.
pub(super) const HALTED: u32 = 63;

/// A predicate of a single state, of some language.
pub(super) trait Predicate: Clone + PartialEq {
    /// What it is made of, as far as formulas are concerned.
    fn split(&self) -> Split<Self>;
}

/// A predicate as formulas see it.
pub(super) enum Split<P> {
    /// The same in every state.
    Constant(bool),
    /// It denies another.
    Denies(P),
    /// Neither.
    Atom,
}

/// Propositions by number.
#[derive(Clone, Debug)]
pub(super) struct Atoms<P> {
    pub(super) predicates: Vec<P>,
    wordings: Vec<Wording>,
}

/// How a proposition is called.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wording {
    /// As it is written there.
    Written(Span),
    /// By these words.
    Words(&'static str),
    /// By the text of its predicate.
    Own,
}

impl<P> Default for Atoms<P> {
    fn default() -> Self {
        Self { predicates: Vec::new(), wordings: Vec::new() }
    }
}

/// There are too many propositions for one graph.
pub(super) struct TooMany;

/// A proposition or its negation.
#[derive(Clone, Copy)]
pub(super) enum Literal {
    Constant(bool),
    Atom { number: u32, holds: bool },
}

impl Literal {
    pub(super) fn negated(self) -> Self {
        match self {
            Literal::Constant(value) => Literal::Constant(!value),
            Literal::Atom { number, holds } => Literal::Atom { number, holds: !holds },
        }
    }

    pub(super) fn formula(self) -> Formula {
        match self {
            Literal::Constant(true) => Formula::True,
            Literal::Constant(false) => Formula::False,
            Literal::Atom { number, holds: true } => Formula::Atom(number),
            Literal::Atom { number, holds: false } => Formula::Atom(number).negated(),
        }
    }

    /// The letters in which it is true. The cube of none asks for both of one proposition.
    pub(super) fn cube(self) -> Cube {
        match self {
            Literal::Constant(true) => Cube::TRUE,
            Literal::Constant(false) => Cube { positive: 1, negative: 1 },
            Literal::Atom { number, holds: true } => Cube { positive: 1 << number, negative: 0 },
            Literal::Atom { number, holds: false } => Cube { positive: 0, negative: 1 << number },
        }
    }
}

impl<P: Predicate> Atoms<P> {
    /// The propositions as they are written; `text` is what is said of others.
    pub(super) fn texts(&self, text: impl Fn(&P) -> String, sources: &SourceMap) -> Vec<String> {
        let text = |(predicate, wording): (&P, &Wording)| match wording {
            Wording::Written(span) => {
                let written = sources.text(sources.statement(*span));
                let written = written.split_whitespace().collect::<Vec<_>>().join(" ");
                unwrapped(&written).to_owned()
            }
            Wording::Words(words) => (*words).to_owned(),
            Wording::Own => text(predicate),
        };
        self.predicates.iter().zip(&self.wordings).map(text).collect()
    }

    /// Where a proposition is written.
    pub(super) fn span(&self, number: usize) -> Option<Span> {
        match self.wordings.get(number)? {
            Wording::Written(span) => Some(*span),
            Wording::Words(_) | Wording::Own => None,
        }
    }

    fn number(&mut self, predicate: &P, wording: Wording) -> Result<u32, TooMany> {
        if let Some(known) = self.predicates.iter().position(|known| known == predicate) {
            return Ok(known as u32);
        }
        if self.predicates.len() == ATOMS_MAX {
            return Err(TooMany);
        }
        self.predicates.push(predicate.clone());
        self.wordings.push(wording);
        Ok(self.predicates.len() as u32 - 1)
    }

    /// A predicate as a literal; one that denies another is its negation.
    pub(super) fn literal(&mut self, predicate: &P, wording: Wording) -> Result<Literal, TooMany> {
        Ok(match predicate.split() {
            Split::Constant(value) => Literal::Constant(value),
            Split::Denies(other) => self.literal(&other, Wording::Own)?.negated(),
            Split::Atom => Literal::Atom { number: self.number(predicate, wording)?, holds: true },
        })
    }

    pub(super) fn formula(&mut self, formula: &base::Formula<P>) -> Result<Formula, TooMany> {
        use base::Formula as Plain;
        let mut of = |inner: &Plain<P>| Ok(Box::new(self.formula(inner)?));
        Ok(match formula {
            Plain::Holds(predicate, span) => {
                return Ok(self.literal(predicate, Wording::Written(*span))?.formula());
            }
            Plain::Not(f) => Formula::Not(of(f)?),
            Plain::Next(f) => Formula::Next(of(f)?),
            Plain::Always(f) => Formula::Always(of(f)?),
            Plain::Eventually(f) => Formula::Eventually(of(f)?),
            Plain::And(f, g) => Formula::And(of(f)?, of(g)?),
            Plain::Or(f, g) => Formula::Or(of(f)?, of(g)?),
            Plain::Implies(f, g) => Formula::Implies(of(f)?, of(g)?),
            Plain::Equivalent(f, g) => Formula::Equivalent(of(f)?, of(g)?),
            Plain::Until(f, g) => Formula::Until(of(f)?, of(g)?),
            Plain::WeakUntil(f, g) => Formula::WeakUntil(of(f)?, of(g)?),
            Plain::Release(f, g) => Formula::Release(of(f)?, of(g)?),
        })
    }
}

/// A text without the parentheses round all of it.
fn unwrapped(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0_i32;
    let closes = inner.chars().any(|sign| {
        depth += i32::from(sign == '(') - i32::from(sign == ')');
        depth < 0
    });
    if closes { text } else { unwrapped(inner.trim()) }
}

/// Something that a model requires of its infinite runs.
pub(super) trait Wanted {
    /// What it looks at.
    type Predicate: Predicate;

    /// What it is.
    fn requirement(&self) -> Requirement;

    /// What a run does that violates it beside going on for ever, in words.
    fn violation(&self) -> &'static str;

    /// The runs that violate it; `None` if it says nothing about infinite ones.
    fn bad(
        &self,
        atoms: &mut Atoms<Self::Predicate>,
    ) -> Result<Option<Result<Bad, String>>, TooMany>;

    /// The property.
    fn property(&self, atoms: &mut Atoms<Self::Predicate>) -> Result<Option<Temporal>, TooMany> {
        Ok(self.bad(atoms)?.map(|bad| self.with(bad)))
    }

    /// The property, if it were alone.
    fn alone(&self) -> Option<Gathered<Self::Predicate>> {
        let mut atoms = Atoms::default();
        let property = self.property(&mut atoms).unwrap_or_else(|TooMany| {
            let why = format!("it has more than {ATOMS_MAX} different propositions");
            Some(self.with(Err(why)))
        });
        property.map(|property| Gathered { atoms, properties: vec![property] })
    }

    fn with(&self, bad: Result<Bad, String>) -> Temporal {
        Temporal { requirement: self.requirement(), violation: self.violation(), bad }
    }
}

/// Properties with the propositions they are about.
pub(super) struct Gathered<P> {
    pub(super) atoms: Atoms<P>,
    pub(super) properties: Vec<Temporal>,
}

/// Everything that is wanted, in as few groups as propositions allow.
pub(super) fn gather<W: Wanted>(all: impl Iterator<Item = W>) -> Vec<Gathered<W::Predicate>> {
    let mut groups = vec![Gathered { atoms: Atoms::default(), properties: Vec::new() }];
    for wanted in all {
        let last = groups.last_mut().expect("there is one from the start");
        let before = last.atoms.clone();
        match wanted.property(&mut last.atoms) {
            Ok(property) => last.properties.extend(property),
            Err(TooMany) => {
                last.atoms = before;
                groups.extend(wanted.alone());
            }
        }
    }
    groups.retain(|group| !group.properties.is_empty());
    groups
}

/// What labels of processes require of infinite runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Marks {
    /// Labels that begin with `accept`.
    Acceptance,
    /// Labels that begin with `progress`.
    Progress,
}

impl Marks {
    pub(super) const ALL: [Self; 2] = [Self::Acceptance, Self::Progress];

    /// As in a report.
    pub(super) fn name(self) -> &'static str {
        match self {
            Marks::Acceptance => "no acceptance cycle",
            Marks::Progress => "no non-progress cycle",
        }
    }

    pub(super) fn kind(self) -> Kind {
        match self {
            Marks::Acceptance => Kind::AcceptanceCycle,
            Marks::Progress => Kind::ProgressCycle,
        }
    }

    pub(super) fn violation(self) -> &'static str {
        match self {
            Marks::Acceptance => "; in each round some process is at an acceptance label",
            Marks::Progress => "; no process is at a progress label there",
        }
    }

    pub(super) fn required(self) -> Required {
        Required { by: DecidedBy::Propositions, ..Required::new(self.name(), self.kind()) }
    }

    /// The runs that violate it, if `marked` says that some process is at such a label.
    pub(super) fn bad(self, marked: Literal) -> Result<Bad, String> {
        match self {
            Marks::Acceptance => by_formula(always(eventually(marked.formula()))),
            Marks::Progress => {
                let still = marked.negated().formula();
                by_formula(eventually(always(and(still, moves()))))
            }
        }
    }
}

/// Where the system does not stand still.
pub(super) fn moves() -> Formula {
    Formula::Atom(HALTED).negated()
}

pub(super) fn and(one: Formula, other: Formula) -> Formula {
    Formula::And(one.into(), other.into())
}

pub(super) fn always(formula: Formula) -> Formula {
    Formula::Always(Box::new(formula))
}

pub(super) fn eventually(formula: Formula) -> Formula {
    Formula::Eventually(Box::new(formula))
}

/// The runs of which a formula is true.
pub(super) fn by_formula(formula: Formula) -> Result<Bad, String> {
    match translate(&formula) {
        Ok(automaton) => Ok(Bad { automaton, formula: Some(formula) }),
        Err(too_large) => Err(format!("no automaton of it was made: {too_large}")),
    }
}

/// What a formula says of itself in a list of requirements. One that was given beside the model
/// has no line in it, and is shown.
pub(super) fn required_formula(
    name: &str,
    requirement: Requirement,
    span: Span,
    sources: &SourceMap,
) -> Required {
    let is_further = span.file.index() > 0 && sources.files[span.file].included_at.is_none();
    let words = || sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
    Required {
        by: DecidedBy::Propositions,
        line: (!is_further).then(|| sources.line(span)),
        span: (!is_further).then_some(span),
        text: is_further.then(words),
        ..Required::new(name, requirement)
    }
}

/// Whether all that is asked for is one of these.
pub(super) fn asks_only_for(options: &crate::Options, names: &[String]) -> bool {
    let is_one = |only: &String| {
        let one = crate::Options { only: vec![only.clone()], ..crate::Options::default() };
        names.iter().any(|name| one.wants(name))
    };
    !options.only.is_empty() && options.only.iter().all(is_one)
}
