//! What is required of the infinite runs of a program, as automata over propositions.

use super::requirements::CYCLES;
use crate::Options;
use crate::cycles::{Bad, Temporal};
use base::{Id, SourceMap, Span};
use ltl::{Automaton, Cube, Edge, Formula, State, translate};
use program::{Action, BinaryOp, Claim, ClaimKind, Expr, Proctype, Program, UnaryOp};
use trace::{Kind, Requirement};

/// A graph tells so many propositions apart; one more says that the system stands still.
const ATOMS_MAX: usize = 63;
/// That proposition.
const HALTED: u32 = 63;

/// Propositions by number.
#[derive(Clone, Default, Debug)]
pub(super) struct Atoms {
    pub(super) exprs: Vec<Expr>,
    spans: Vec<Option<Span>>,
}

/// There are too many propositions for one graph.
struct TooMany;

/// A proposition or its negation.
#[derive(Clone, Copy)]
enum Literal {
    Constant(bool),
    Atom { number: u32, holds: bool },
}

impl Literal {
    fn negated(self) -> Self {
        match self {
            Literal::Constant(value) => Literal::Constant(!value),
            Literal::Atom { number, holds } => Literal::Atom { number, holds: !holds },
        }
    }

    fn formula(self) -> Formula {
        match self {
            Literal::Constant(true) => Formula::True,
            Literal::Constant(false) => Formula::False,
            Literal::Atom { number, holds: true } => Formula::Atom(number),
            Literal::Atom { number, holds: false } => Formula::Atom(number).negated(),
        }
    }

    /// The letters in which it is true. The cube of none asks for both of one proposition.
    fn cube(self) -> Cube {
        match self {
            Literal::Constant(true) => Cube::TRUE,
            Literal::Constant(false) => Cube { positive: 1, negative: 1 },
            Literal::Atom { number, holds: true } => Cube { positive: 1 << number, negative: 0 },
            Literal::Atom { number, holds: false } => Cube { positive: 0, negative: 1 << number },
        }
    }
}

impl Atoms {
    /// The propositions as they are written.
    pub(super) fn texts(&self, program: &Program, sources: &SourceMap) -> Vec<String> {
        let text = |(expr, span): (&Expr, &Option<Span>)| match span {
            Some(span) => {
                let written = sources.text(sources.statement(*span));
                let written = written.split_whitespace().collect::<Vec<_>>().join(" ");
                unwrapped(&written).to_owned()
            }
            None => program.expression_text(expr),
        };
        self.exprs.iter().zip(&self.spans).map(text).collect()
    }

    /// Where a proposition is written.
    pub(super) fn span(&self, number: usize) -> Option<Span> {
        self.spans.get(number).copied().flatten()
    }

    fn number(&mut self, expr: &Expr, span: Option<Span>) -> Result<u32, TooMany> {
        if let Some(known) = self.exprs.iter().position(|known| known == expr) {
            return Ok(known as u32);
        }
        if self.exprs.len() == ATOMS_MAX {
            return Err(TooMany);
        }
        self.exprs.push(expr.clone());
        self.spans.push(span);
        Ok(self.exprs.len() as u32 - 1)
    }

    /// An expression as a literal; one that denies another is its negation.
    fn literal(&mut self, expr: &Expr, span: Option<Span>) -> Result<Literal, TooMany> {
        Ok(match expr {
            Expr::Const(value) => Literal::Constant(*value != 0),
            Expr::Unary(UnaryOp::Not, inner) => self.literal(inner, None)?.negated(),
            Expr::Binary(BinaryOp::NotEqual, a, b) => {
                let equal = Expr::Binary(BinaryOp::Equal, a.clone(), b.clone());
                self.literal(&equal, None)?.negated()
            }
            _ => Literal::Atom { number: self.number(expr, span)?, holds: true },
        })
    }

    fn formula(&mut self, formula: &program::Formula) -> Result<Formula, TooMany> {
        use program::Formula as Plain;
        let mut of = |inner: &Plain| Ok(Box::new(self.formula(inner)?));
        Ok(match formula {
            Plain::Holds(expr, span) => return Ok(self.literal(expr, Some(*span))?.formula()),
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

impl super::Promela {
    /// The runs that violate a claim, with the propositions as they are written.
    pub(crate) fn violating(
        &self,
        index: usize,
        sources: &SourceMap,
    ) -> Result<(Bad, Vec<String>), String> {
        let wanted = Wanted::Claim(index, &self.program.claims[index]);
        let mut atoms = Atoms::default();
        let property = wanted.property(&self.program, &mut atoms);
        let property = property.unwrap_or_else(|_| Some(wanted.crowded()));
        let bad = property.map_or(Err("it says nothing about cycles".to_owned()), |it| it.bad)?;
        Ok((bad, atoms.texts(&self.program, sources)))
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

/// Properties with the propositions they are about.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) atoms: Atoms,
    pub(super) properties: Vec<Temporal>,
}

/// Everything that is required of infinite runs, in as few groups as propositions allow.
pub(super) fn gather(program: &Program, options: &Options) -> Vec<Gathered> {
    let claims = program.claims.iter().enumerate().filter(|_| !options.no_claims);
    let claims = claims.map(|(index, claim)| Wanted::Claim(index, claim));
    let labels = [Wanted::Acceptance, Wanted::Progress].into_iter();
    let labels = labels.filter(|wanted| wanted.is_labelled(program));
    let wanted = claims.chain(labels).filter(|wanted| options.wants(&wanted.name()));
    let mut groups = vec![Gathered::default()];
    for wanted in wanted {
        let last = groups.last_mut().expect("there is one from the start");
        let before = last.atoms.clone();
        match wanted.property(program, &mut last.atoms) {
            Ok(property) => last.properties.extend(property),
            Err(TooMany) => {
                last.atoms = before;
                let mut next = Gathered::default();
                let property = wanted.property(program, &mut next.atoms);
                let property = property.unwrap_or_else(|_| Some(wanted.crowded()));
                next.properties.extend(property);
                groups.push(next);
            }
        }
    }
    groups.retain(|group| !group.properties.is_empty());
    groups
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
pub(super) fn single(program: &Program, infinite: Infinite) -> Option<Gathered> {
    let wanted = match infinite {
        Infinite::Claim(index) => Wanted::Claim(index, &program.claims[index]),
        Infinite::Acceptance => Wanted::Acceptance,
        Infinite::Progress => Wanted::Progress,
    };
    if infinite == Infinite::Acceptance && !wanted.is_labelled(program) {
        return None;
    }
    let mut atoms = Atoms::default();
    let property = match wanted.property(program, &mut atoms) {
        Ok(property) => property?,
        Err(TooMany) => wanted.crowded(),
    };
    Some(Gathered { atoms, properties: vec![property] })
}

/// Something that is required.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    Claim(usize, &'a Claim),
    Acceptance,
    Progress,
}

impl Wanted<'_> {
    /// Whether some process has the labels it is about.
    fn is_labelled(self, program: &Program) -> bool {
        match self {
            Wanted::Claim(..) => true,
            Wanted::Acceptance => super::view::has_labels(program, |marks| marks.accept),
            Wanted::Progress => super::view::has_labels(program, |marks| marks.progress),
        }
    }

    /// As in a report.
    fn name(self) -> String {
        match self {
            Wanted::Claim(_, claim) => claim_name(claim),
            Wanted::Acceptance => CYCLES[0].to_owned(),
            Wanted::Progress => CYCLES[1].to_owned(),
        }
    }

    fn requirement(self) -> Requirement {
        match self {
            Wanted::Claim(index, claim) => claim_requirement(index, claim),
            Wanted::Acceptance => Kind::AcceptanceCycle.into(),
            Wanted::Progress => Kind::ProgressCycle.into(),
        }
    }

    fn violation(self) -> &'static str {
        match self {
            Wanted::Claim(_, Claim { kind: ClaimKind::Ltl(_), .. }) => "",
            Wanted::Claim(..) => "; the claim accepts that",
            Wanted::Acceptance => "; in each round some process is at an acceptance label",
            Wanted::Progress => "; no process is at a progress label there",
        }
    }

    /// One that has too many propositions.
    fn crowded(self) -> Temporal {
        let why = format!("it has more than {ATOMS_MAX} different propositions");
        self.with(Err(why))
    }

    fn with(self, bad: Result<Bad, String>) -> Temporal {
        Temporal { requirement: self.requirement(), violation: self.violation(), bad }
    }

    /// The property; `None` if a never claim says nothing about cycles.
    fn property(self, program: &Program, atoms: &mut Atoms) -> Result<Option<Temporal>, TooMany> {
        let bad = match self {
            Wanted::Claim(_, Claim { kind: ClaimKind::Ltl(formula), .. }) => {
                by_formula(atoms.formula(formula)?.negated())
            }
            Wanted::Claim(_, Claim { kind: ClaimKind::Never(id), .. }) => {
                let claim = &program.proctypes[*id];
                if !claim.locations.iter().any(|location| location.marks.accept) {
                    return Ok(None);
                }
                claim_automaton(claim, atoms)?
                    .map(|automaton| Bad { automaton, formula: None })
                    .map_err(str::to_owned)
            }
            Wanted::Acceptance => {
                let accepting = atoms.literal(&Expr::Accepting, None)?.formula();
                by_formula(always(eventually(accepting)))
            }
            Wanted::Progress => {
                let still = atoms.literal(&Expr::NonProgress, None)?.formula();
                let moves = Formula::Atom(HALTED).negated();
                by_formula(eventually(always(Formula::And(still.into(), moves.into()))))
            }
        };
        Ok(Some(self.with(bad)))
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

fn always(formula: Formula) -> Formula {
    Formula::Always(Box::new(formula))
}

fn eventually(formula: Formula) -> Formula {
    Formula::Eventually(Box::new(formula))
}

fn by_formula(formula: Formula) -> Result<Bad, String> {
    match translate(&formula) {
        Ok(automaton) => Ok(Bad { automaton, formula: Some(formula) }),
        Err(too_large) => Err(format!("no automaton of it was made: {too_large}")),
    }
}

/// A never claim as an automaton: a state for each location, acceptance on the edges that leave
/// an accepting one. Why not, if it does more than to look.
fn claim_automaton(
    claim: &Proctype,
    atoms: &mut Atoms,
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
                    let literal = atoms.literal(expr, Some(edge.span))?;
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
