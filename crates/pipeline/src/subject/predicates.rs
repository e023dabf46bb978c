//! Predicates of states that are given beside a model: what the languages share.

use super::atoms::{
    Atoms, Gathered, Literal, Predicate, TooMany, Wanted, Wording, always, by_formula, eventually,
};
use super::{DecidedBy, Required};
use crate::Options;
use crate::cycles::Bad;
use crate::states::MARKS_MAX;
use base::{Purpose, SourceMap, StatePredicate};
use ltl::Cube;
use trace::{Kind, Requirement};

/// One of them that a check decides, with its number among all.
struct OfState<'a, P> {
    number: usize,
    predicate: &'a StatePredicate<P>,
}

impl<P: Predicate> OfState<'_, P> {
    fn name(&self) -> String {
        format!("{} {}", self.predicate.purpose.word(), self.predicate.name)
    }

    fn literal(&self, atoms: &mut Atoms<P>) -> Result<Literal, TooMany> {
        atoms.literal(&self.predicate.holds, Wording::Written(self.predicate.span()))
    }

    /// The letters of the states that are looked for.
    fn mark(&self, atoms: &mut Atoms<P>) -> Result<Cube, TooMany> {
        let literal = self.literal(atoms)?;
        Ok(match self.predicate.purpose {
            Purpose::Invariant => literal.negated().cube(),
            _ => literal.cube(),
        })
    }
}

impl<P: Predicate> Wanted for OfState<'_, P> {
    type Predicate = P;

    fn requirement(&self) -> Requirement {
        let kind = match self.predicate.purpose {
            Purpose::Invariant => Kind::Invariant,
            _ => Kind::Cover,
        };
        Requirement { kind, number: Some(self.number) }
    }

    fn violation(&self) -> &'static str {
        ""
    }

    /// For a cover, the runs that reach it.
    fn bad(&self, atoms: &mut Atoms<P>) -> Result<Option<Result<Bad, String>>, TooMany> {
        let formula = self.literal(atoms)?.formula();
        Ok(Some(by_formula(match self.predicate.purpose {
            Purpose::Invariant => always(formula).negated(),
            _ => eventually(formula),
        })))
    }
}

fn decided<P>(all: &[StatePredicate<P>]) -> impl Iterator<Item = OfState<'_, P>> {
    let all = all.iter().enumerate().filter(|(_, predicate)| predicate.purpose.is_decided());
    all.map(|(number, predicate)| OfState { number, predicate })
}

/// Those that are to be decided, in as few groups as marks allow, with the marks of each.
pub(super) fn gather<P: Predicate>(
    all: &[StatePredicate<P>],
    options: &Options,
) -> Vec<(Gathered<P>, Vec<Cube>)> {
    let wanted: Vec<OfState<'_, P>> =
        decided(all).filter(|wanted| options.wants(&wanted.name())).collect();
    wanted.chunks(MARKS_MAX).filter_map(|group| gathered(group).ok()).collect()
}

/// A group needs a proposition for each, so there are never too many.
fn gathered<P: Predicate>(group: &[OfState<'_, P>]) -> Result<(Gathered<P>, Vec<Cube>), TooMany> {
    let (mut atoms, mut properties, mut marks) = (Atoms::default(), Vec::new(), Vec::new());
    for wanted in group {
        properties.extend(wanted.property(&mut atoms)?);
        marks.push(wanted.mark(&mut atoms)?);
    }
    Ok((Gathered { atoms, properties }, marks))
}

/// The names of those that a check decides.
pub(super) fn names<P: Predicate>(all: &[StatePredicate<P>]) -> Vec<String> {
    decided(all).map(|wanted| wanted.name()).collect()
}

/// They as a list for reports.
pub(super) fn requirements<P: Predicate>(
    all: &[StatePredicate<P>],
    sources: &SourceMap,
) -> Vec<Required> {
    let required = |wanted: OfState<'_, P>| {
        let words = sources.text(wanted.predicate.span()).split_whitespace();
        let text = words.collect::<Vec<_>>().join(" ");
        Required {
            by: DecidedBy::Propositions,
            text: Some(text),
            ..Required::new(&wanted.name(), wanted.requirement())
        }
    };
    decided(all).map(required).collect()
}
