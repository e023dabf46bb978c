//! What a complete search shows to be without effect: formulas that hold because a premise never
//! occurs, assertions that see none of their events, messages that are never sent or never received.

use crate::Loaded;
use crate::cycles::Vacuity;
use crate::decide::{Decided, Searched};
use crate::gates::Known;
use crate::subject::Subject;
use base::SourceMap;
use report::{Property, PropertyVerdict, Unused, UnusedKind};

/// The id of the warning about what has no effect.
const WITHOUT_EFFECT: &str = "W0015";

/// Lists it, and says which of it is known.
pub(super) fn unused(
    subject: &dyn Subject,
    decided: &Decided<'_>,
    (executed, properties): (&[Vec<bool>], &[Property]),
    loaded: &Loaded,
) -> (Vec<Unused>, Known) {
    let sources = &loaded.sources;
    let covers = |search: &&Searched<'_>| search.pass.covers_edges();
    let mut covering = decided.searches.iter().filter(covers);
    let statements = covering.clone().any(|search| search.outcome.complete());
    let messages = covering.any(Searched::saw_all);
    let mut list = vacuous(subject, decided, properties, sources);
    if messages {
        // An assertion that fails has seen what it needs.
        let holds = |name: &str| {
            let mut named = properties.iter().filter(|property| property.name == name);
            named.all(|property| property.verdict == PropertyVerdict::Holds)
        };
        let found = subject.unused(executed, sources).into_iter();
        list.extend(found.filter(|it| it.kind != UnusedKind::Assertion || holds(&it.name)));
    }
    let open = |(_, known, _): &(_, Vacuity, usize)| *known == Vacuity::Unknown;
    let premises = !decided.vacuity.iter().any(open);
    if loaded.allows(WITHOUT_EFFECT) {
        list.clear();
    }
    (list, Known { statements, messages, premises })
}

/// Formulas that hold whatever the conclusion of some implication says.
fn vacuous(
    subject: &dyn Subject,
    decided: &Decided<'_>,
    properties: &[Property],
    sources: &SourceMap,
) -> Vec<Unused> {
    let required = subject.formulas();
    let found = decided.vacuity.iter().filter_map(|(requirement, known, search)| {
        let Vacuity::Vacuous(premise) = known else { return None };
        let name = format!("ltl {}", required.get(requirement.number?)?);
        let property = properties.iter().find(|property| property.name == name)?;
        let atoms = decided.cycle_searches.get(*search)?.form.atoms(sources);
        let atom = |atom: u32| atoms.get(atom as usize).cloned().unwrap_or_default();
        let text = format!(
            "{name} holds only because its premise never occurs: {}; even {} holds",
            premise.premise.display(&atom),
            premise.without.display(&atom)
        );
        let main = sources.files.iter().next().map(|file| file.name.clone());
        let place = property.line.map(|line| report::Location {
            file: main.unwrap_or_default(),
            line,
            column: 1,
        });
        Some(Unused { kind: UnusedKind::Ltl, name, text, location: place })
    });
    found.collect()
}
