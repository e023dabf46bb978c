//! A saved run of a program, executed again.

use super::ending::claim_of;
use super::replay::Replayer;
use super::view;
use super::wait::Standstill;
use crate::{Loaded, ReplayedTrace, SavedTrace, Unreplayable};
use program::reference::{Rest, Rules};
use program::{ClaimKind, ProctypeId, Program};

/// The automaton of a never claim.
fn automaton(program: &Program, name: &str) -> Option<ProctypeId> {
    let claim = program.claims.iter().find(|claim| *claim.name == *name)?;
    match claim.kind {
        ClaimKind::Never(id) => Some(id),
        ClaimKind::Ltl(_) => None,
    }
}

/// The rules of a saved run: of the error with this index, or the one without.
pub(super) fn rules(program: &Program, saved: &SavedTrace, index: usize) -> Rules {
    let own = saved.errors.get(index).map_or(&saved.rules, |error| &error.rules);
    let rules = saved.options.program_rules();
    Rules {
        claim: own.claim.as_deref().and_then(|name| automaton(program, name)),
        wide: own.wide,
        spin_counts: rules.spin_counts && !own.ordinary,
        ..rules
    }
}

/// Takes the choices of a saved run.
pub(crate) fn replay_saved(
    program: &Program,
    saved: &SavedTrace,
    index: usize,
    loaded: &Loaded,
) -> Result<ReplayedTrace, Unreplayable> {
    let error = saved.errors.get(index);
    let choices = error.map_or(&saved.choices, |error| &error.choices);
    let rules = rules(program, saved, index);
    let run = Replayer::new(program, &rules, &loaded.sources)
        .and_then(|mut replayer| replayer.replay_choices(choices))
        .map_err(|mismatch| Unreplayable::Step(mismatch.step, mismatch.reason))?;
    let stuck = match &run.rest {
        Some(Rest::InvalidEnd(stuck)) => Some(stuck.clone()),
        _ => None,
    };
    let standstill = Standstill {
        program,
        rules: &rules,
        names: &run.names,
        state: &run.last,
        sources: &loaded.sources,
    };
    let waits = stuck.map(|stuck| standstill.waits(&stuck));
    Ok(ReplayedTrace {
        message: run.ending(claim_of(program, &rules)).told(loaded),
        blocked: waits.is_some(),
        waits,
        channels: view::channels(program, &rules, &run.names, &run.last),
        length: String::new(),
        scenario: run.scenario,
    })
}
