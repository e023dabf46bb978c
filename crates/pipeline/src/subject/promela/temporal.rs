//! What is required of the infinite runs of a program.

use crate::Options;
use crate::cycles::Bad;
use crate::subject::atoms::{
    Atoms, Gathered, Literal, Marks, Predicate, Split, TooMany, Wanted as _, Wording, by_formula,
    gather as grouped,
};
use crate::subject::{atoms, promela::view};
use base::{Id, SourceMap};
use ltl::{Automaton, Cube, Edge, State};
use program::{Action, BinaryOp, Claim, ClaimKind, Expr, Proctype, Program, UnaryOp};
use trace::{Kind, Requirement};

impl Predicate for Expr {
    fn split(&self) -> Split<Self> {
        match self {
            Expr::Const(value) => Split::Constant(*value != 0),
            Expr::Unary(UnaryOp::Not, inner) => Split::Denies((**inner).clone()),
            Expr::Binary(BinaryOp::NotEqual, a, b) => {
                Split::Denies(Expr::Binary(BinaryOp::Equal, a.clone(), b.clone()))
            }
            _ => Split::Atom,
        }
    }
}

impl super::Promela {
    /// The runs that violate a claim, with the propositions as they are written.
    pub(crate) fn violating_claim(
        &self,
        index: usize,
        sources: &SourceMap,
    ) -> Result<(Bad, Vec<String>), String> {
        let wanted = Wanted::Claim(&self.program, index, &self.program.claims[index]);
        let mut gathered = wanted.alone().ok_or("it says nothing about cycles")?;
        let bad = gathered.properties.remove(0).bad?;
        Ok((bad, texts(&gathered.atoms, &self.program, sources)))
    }
}

/// The propositions as they are written.
pub(super) fn texts(atoms: &Atoms<Expr>, program: &Program, sources: &SourceMap) -> Vec<String> {
    atoms.texts(|expr| program.expression_text(expr), sources)
}

/// Everything that is required of infinite runs.
pub(super) fn gather(program: &Program, options: &Options) -> Vec<Gathered<Expr>> {
    let claims = program.claims.iter().enumerate().filter(|_| !options.no_claims);
    let claims = claims.map(|(index, claim)| Wanted::Claim(program, index, claim));
    let labels = Marks::ALL.into_iter().filter(|marks| is_labelled(program, *marks));
    let wanted = claims.chain(labels.map(Wanted::Labels));
    grouped(wanted.filter(|wanted| options.wants(&wanted.name())))
}

/// One thing that SPIN can be asked to look for in infinite runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Infinite {
    /// A violation of the claim with this index.
    Claim(usize),
    /// A cycle through acceptance labels of processes.
    Acceptance,
    /// A cycle without progress labels, whether there are such labels or not.
    Progress,
}

/// One requirement of infinite runs; none if the program says nothing about it.
pub(super) fn single(program: &Program, infinite: Infinite) -> Option<Gathered<Expr>> {
    let wanted = match infinite {
        Infinite::Claim(index) => Wanted::Claim(program, index, &program.claims[index]),
        Infinite::Acceptance if !is_labelled(program, Marks::Acceptance) => return None,
        Infinite::Acceptance => Wanted::Labels(Marks::Acceptance),
        Infinite::Progress => Wanted::Labels(Marks::Progress),
    };
    wanted.alone()
}

/// Whether some process has such labels.
pub(super) fn is_labelled(program: &Program, marks: Marks) -> bool {
    match marks {
        Marks::Acceptance => view::has_labels(program, |marks| marks.accept),
        Marks::Progress => view::has_labels(program, |marks| marks.progress),
    }
}

/// Something that is required.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    Claim(&'a Program, usize, &'a Claim),
    Labels(Marks),
}

impl Wanted<'_> {
    /// As in a report.
    fn name(self) -> String {
        match self {
            Wanted::Claim(_, _, claim) => claim_name(claim),
            Wanted::Labels(marks) => marks.name().to_owned(),
        }
    }
}

impl atoms::Wanted for Wanted<'_> {
    type Predicate = Expr;

    fn requirement(&self) -> Requirement {
        match self {
            Wanted::Claim(_, index, claim) => claim_requirement(*index, claim),
            Wanted::Labels(marks) => marks.kind().into(),
        }
    }

    fn violation(&self) -> &'static str {
        match self {
            Wanted::Claim(_, _, Claim { kind: ClaimKind::Ltl(_), .. }) => "",
            Wanted::Claim(..) => "; the claim accepts that",
            Wanted::Labels(marks) => marks.violation(),
        }
    }

    /// A never claim may say nothing about cycles.
    fn bad(&self, atoms: &mut Atoms<Expr>) -> Result<Option<Result<Bad, String>>, TooMany> {
        Ok(Some(match self {
            Wanted::Claim(_, _, Claim { kind: ClaimKind::Ltl(formula), .. }) => {
                by_formula(atoms.formula(formula)?.negated())
            }
            Wanted::Claim(program, _, Claim { kind: ClaimKind::Never(id), .. }) => {
                let claim = &program.proctypes[*id];
                if !claim.locations.iter().any(|location| location.marks.accept) {
                    return Ok(None);
                }
                claim_automaton(claim, atoms)?
                    .map(|automaton| Bad { automaton, formula: None })
                    .map_err(str::to_owned)
            }
            Wanted::Labels(Marks::Acceptance) => {
                Marks::Acceptance.bad(atoms.literal(&Expr::Accepting, Wording::Own)?)
            }
            Wanted::Labels(Marks::Progress) => {
                let still = atoms.literal(&Expr::NonProgress, Wording::Own)?;
                Marks::Progress.bad(still.negated())
            }
        }))
    }
}

/// The name of the requirement that a claim is.
pub(super) fn claim_name(claim: &Claim) -> String {
    match claim.kind {
        ClaimKind::Ltl(_) => format!("ltl {}", claim.name),
        ClaimKind::Never(_) => format!("never {}", claim.name),
    }
}

/// The requirement of a claim.
pub(super) fn claim_requirement(index: usize, claim: &Claim) -> Requirement {
    let kind = match claim.kind {
        ClaimKind::Ltl(_) => Kind::Ltl,
        ClaimKind::Never(_) => Kind::Claim,
    };
    Requirement { kind, number: Some(index) }
}

/// A never claim as an automaton: a state for each location, acceptance on the edges that leave
/// an accepting one. Why not, if it does more than to look.
fn claim_automaton(
    claim: &Proctype,
    atoms: &mut Atoms<Expr>,
) -> Result<Result<Automaton, &'static str>, TooMany> {
    let mut states = Vec::new();
    for (at, location) in claim.locations.iter_ids() {
        if location.groups.len() > 1 {
            return Ok(Err("cycles of a claim with `unless` are not looked for"));
        }
        // Within a claim nothing but its end is behind these.
        let plain = claim.edges_from(at).filter(|(_, edge)| edge.action != Action::Die);
        let (mut edges, mut otherwise) = (Vec::new(), Cube::TRUE);
        for (_, edge) in plain {
            if edge.goes_on() {
                return Ok(Err("cycles of a claim with atomic sequences are not looked for"));
            }
            let label = match &edge.action {
                Action::Skip | Action::Print(_) | Action::Assert(_) => {
                    otherwise = Literal::Constant(false).cube();
                    Cube::TRUE
                }
                Action::Else => otherwise,
                Action::Condition(expr) => {
                    let literal = atoms.literal(expr, Wording::Written(edge.span))?;
                    let denied = literal.negated().cube();
                    otherwise.positive |= denied.positive;
                    otherwise.negative |= denied.negative;
                    literal.cube()
                }
                _ => return Ok(Err("cycles of a claim that acts are not looked for")),
            };
            let (target, marks) = (edge.to.index() as u32, u64::from(location.marks.accept));
            edges.push(Edge { label, target, marks });
        }
        states.push(State { edges });
    }
    Ok(Ok(Automaton { states, initial: claim.start.index() as u32, sets: 1 }))
}
