//! What is required of a program.

use super::temporal::{claim_name, claim_requirement, is_labelled};
use crate::Options;
use crate::subject::atoms::{Marks, required_formula};
use crate::subject::predicates;
use crate::subject::{DecidedBy, Required};
use base::SourceMap;
use program::{ClaimKind, Program};
use trace::{Kind, Requirement};

/// What is required of every program, then its claims; what can only fail where a construct
/// is used is listed when it does fail.
pub(super) fn requirements(
    program: &Program,
    options: &Options,
    sources: &SourceMap,
    failed: &dyn Fn(Requirement) -> bool,
) -> Vec<Required> {
    let mut list = vec![
        ("no assertion fails", Kind::Assertion),
        ("no deadlock", Kind::Deadlock),
        ("no bad index", Kind::Index),
        ("no division by zero", Kind::DivisionByZero),
        ("no bad channel", Kind::Channel),
    ];
    if program.trace.is_some() {
        list.push(("event trace", Kind::TraceAssertion));
    }
    if program.proctypes.iter().any(|proctype| proctype.deterministic) {
        list.push(("D_proctypes are deterministic", Kind::Nondeterminism));
    }
    if options.queues_empty {
        list.push(("no message left", Kind::Residual));
    }
    let rare = [
        ("fields of messages fit", Kind::Arity),
        ("atomic sequences end", Kind::EndlessAtomic),
        ("no bad reference", Kind::Reference),
    ];
    list.extend(rare.into_iter().filter(|(_, kind)| failed((*kind).into())));
    let general = list.into_iter().map(|(name, kind)| Required::new(name, kind));
    let claims = (0..program.claims.len()).filter(|_| !options.no_claims);
    let claims = claims.map(|index| claim(program, index, sources));
    let of_states = predicates::requirements(&program.predicates, sources);
    general.chain(claims).chain(labelled(program)).chain(of_states).collect()
}

fn claim(program: &Program, index: usize, sources: &SourceMap) -> Required {
    let claim = &program.claims[index];
    let by = match &claim.kind {
        ClaimKind::Never(automaton) => {
            let mut locations = program.proctypes[*automaton].locations.iter();
            let accepts = locations.any(|location| location.marks.accept);
            if accepts { DecidedBy::Both } else { DecidedBy::Errors }
        }
        ClaimKind::Ltl(_) => DecidedBy::Propositions,
    };
    let (name, requirement) = (claim_name(claim), claim_requirement(index, claim));
    Required { by, ..required_formula(&name, requirement, claim.span, sources) }
}

/// What is required of labels, if there are any.
fn labelled(program: &Program) -> impl Iterator<Item = Required> {
    Marks::ALL.into_iter().filter(|marks| is_labelled(program, *marks)).map(Marks::required)
}
