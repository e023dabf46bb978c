//! What is required of the infinite runs of an Argos model.

use crate::cycles::Bad;
use crate::subject::atoms::{
    self, Atoms, Gathered, Literal, Marks, Split, TooMany, Wanted as _, Wording, always, and,
    by_formula, eventually, gather as grouped, moves, required_formula,
};
use crate::subject::{DecidedBy, Required};
use crate::{Check, Options};
use base::SourceMap;
use ltl::Formula;
use model::{BinaryOp, Look, Model, Predicate, Property, UnaryOp};
use trace::{Kind, Requirement};

impl atoms::Predicate for Predicate {
    fn split(&self) -> Split<Self> {
        match self {
            Predicate::Const(value) => Split::Constant(*value != 0),
            Predicate::Unary(UnaryOp::Not, inner) => Split::Denies((**inner).clone()),
            Predicate::Binary(BinaryOp::NotEqual, x, y) => {
                Split::Denies(Predicate::Binary(BinaryOp::Equal, x.clone(), y.clone()))
            }
            _ => Split::Atom,
        }
    }
}

/// Something that is required.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    Formula(usize, &'a Property),
    Labels(&'a Model, Marks),
    NoLivelock(&'a Model),
}

/// Everything that is required of infinite runs.
fn wanted<'a>(model: &'a Model, options: &Options) -> impl Iterator<Item = Wanted<'a>> {
    let formulas = model.properties.iter().enumerate();
    let formulas = formulas.map(|(index, property)| Wanted::Formula(index, property));
    let labels =
        Marks::ALL.into_iter().filter(|marks| !model.labels_with(prefix(*marks)).is_empty());
    let livelock = options.checks.contains(&Check::Livelock).then_some(Wanted::NoLivelock(model));
    formulas.chain(labels.map(|marks| Wanted::Labels(model, marks))).chain(livelock)
}

/// The same as properties.
pub(super) fn gather(model: &Model, options: &Options) -> Vec<Gathered<Predicate>> {
    grouped(wanted(model, options).filter(|wanted| options.wants(&wanted.name())))
}

/// The same by name.
pub(super) fn names(model: &Model, options: &Options) -> Vec<String> {
    wanted(model, options).map(Wanted::name).collect()
}

/// The same as a list for reports.
pub(super) fn requirements<'a>(
    model: &'a Model,
    options: &'a Options,
    sources: &'a SourceMap,
) -> impl Iterator<Item = Required> + 'a {
    wanted(model, options).map(|wanted| wanted.required(sources))
}

/// The runs that violate the formula of this number, with its propositions.
pub(super) fn violating(
    model: &Model,
    index: usize,
    sources: &SourceMap,
) -> Result<(Bad, Vec<String>), String> {
    let wanted = Wanted::Formula(index, &model.properties[index]);
    let mut gathered = wanted.alone().ok_or("it says nothing")?;
    let bad = gathered.properties.remove(0).bad?;
    Ok((bad, texts(&gathered.atoms, model, sources)))
}

/// The propositions as they are written.
pub(super) fn texts(atoms: &Atoms<Predicate>, model: &Model, sources: &SourceMap) -> Vec<String> {
    atoms.texts(|predicate| model.predicate_text(predicate), sources)
}

/// How the labels begin.
fn prefix(marks: Marks) -> &'static str {
    match marks {
        Marks::Acceptance => "accept",
        Marks::Progress => "progress",
    }
}

/// Whether some process is at such a label.
fn marked(model: &Model, marks: Marks, atoms: &mut Atoms<Predicate>) -> Result<Literal, TooMany> {
    let labels = model.labels_with(prefix(marks)).into_iter();
    let places = labels.map(|(process, label)| Predicate::Var(Look::At(process, label)));
    let any = places.reduce(|one, other| Predicate::joined(BinaryOp::Or, one, other));
    let words = match marks {
        Marks::Acceptance => "a process is at an acceptance label",
        Marks::Progress => "a process is at a progress label",
    };
    atoms.literal(&any.unwrap_or(Predicate::Const(0)), Wording::Words(words))
}

/// The runs that go on for ever with neither a message nor progress. Every send and every receive
/// changes the number of messages in all channels together by one, so none happens any more iff
/// that number stays odd or stays even.
fn livelock(model: &Model, atoms: &mut Atoms<Predicate>) -> Result<Formula, TooMany> {
    let lengths = model.channels.ids().map(|id| Predicate::Var(Look::Length(id)));
    let all = lengths.reduce(|one, other| Predicate::joined(BinaryOp::Add, one, other));
    let all = all.unwrap_or(Predicate::Const(0));
    let odd = Predicate::joined(BinaryOp::Remainder, all, Predicate::Const(2));
    let odd = if model.channels.is_empty() { Predicate::Const(0) } else { odd };
    let words = Wording::Words("the number of messages in all channels is odd");
    let odd = atoms.literal(&odd, words)?;
    let still = marked(model, Marks::Progress, atoms)?.negated().formula();
    let stays =
        |parity: Literal| eventually(always(and(parity.formula(), and(still.clone(), moves()))));
    Ok(Formula::Or(stays(odd).into(), stays(odd.negated()).into()))
}

impl Wanted<'_> {
    /// As in a report.
    fn name(self) -> String {
        match self {
            Wanted::Formula(_, property) => format!("ltl {}", property.name),
            Wanted::Labels(_, marks) => marks.name().to_owned(),
            Wanted::NoLivelock(_) => "no livelock".to_owned(),
        }
    }

    fn required(self, sources: &SourceMap) -> Required {
        let (name, requirement) = (self.name(), self.requirement());
        match self {
            Wanted::Formula(_, property) => {
                required_formula(&name, requirement, property.span, sources)
            }
            Wanted::Labels(_, marks) => marks.required(),
            Wanted::NoLivelock(_) => {
                Required { by: DecidedBy::Propositions, ..Required::new(&name, requirement) }
            }
        }
    }
}

impl atoms::Wanted for Wanted<'_> {
    type Predicate = Predicate;

    fn requirement(&self) -> Requirement {
        match self {
            Wanted::Formula(index, _) => Requirement { kind: Kind::Ltl, number: Some(*index) },
            Wanted::Labels(_, marks) => marks.kind().into(),
            Wanted::NoLivelock(_) => Kind::Livelock.into(),
        }
    }

    fn violation(&self) -> &'static str {
        match self {
            Wanted::Formula(..) => "",
            Wanted::Labels(_, marks) => marks.violation(),
            Wanted::NoLivelock(_) => "; no message is sent or received there",
        }
    }

    fn bad(&self, atoms: &mut Atoms<Predicate>) -> Result<Option<Result<Bad, String>>, TooMany> {
        Ok(Some(match self {
            Wanted::Formula(_, property) => by_formula(atoms.formula(&property.formula)?.negated()),
            Wanted::Labels(model, marks) => marks.bad(marked(model, *marks, atoms)?),
            Wanted::NoLivelock(model) => by_formula(livelock(model, atoms)?),
        }))
    }
}
