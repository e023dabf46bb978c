//! What is required of a program.

use crate::Options;
use crate::subject::Required;
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
    general.chain(claims.map(|index| claim(program, index, sources))).collect()
}

fn claim(program: &Program, index: usize, sources: &SourceMap) -> Required {
    let claim = &program.claims[index];
    let required = match &claim.kind {
        ClaimKind::Never(automaton) => {
            let locations = &program.proctypes[*automaton].locations;
            let accepts = locations.iter().any(|location| location.marks.accept);
            let requirement = Requirement { kind: Kind::Claim, number: Some(index) };
            Required {
                open: accepts.then_some("its acceptance cycles are not looked for yet"),
                ..Required::new(&format!("never {}", claim.name), requirement)
            }
        }
        ClaimKind::Ltl(_) => Required {
            note: Some("ltl formulas are not checked yet".to_owned()),
            ..Required::new(&format!("ltl {}", claim.name), Kind::Ltl)
        },
    };
    Required { line: Some(sources.line(claim.span)), ..required }
}
