//! A saved run of a program, executed again.

use super::assemble::ended;
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

/// Takes the choices of a saved run, without a claim or with the one it names.
pub(crate) fn replay_saved(
    program: &Program,
    saved: &SavedTrace,
    index: usize,
    loaded: &Loaded,
) -> Result<ReplayedTrace, Unreplayable> {
    let error = saved.errors.get(index);
    let claim = error.and_then(|error| error.claim.as_deref());
    let claim = claim.and_then(|name| automaton(program, name));
    let choices = error.map_or(&saved.choices, |error| &error.choices);
    let rules = Rules { claim, ..saved.options.program_rules() };
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
        message: ended(loaded, &run),
        blocked: waits.is_some(),
        waits,
        channels: view::channels(program, &rules, &run.names, &run.last),
        length: String::new(),
        scenario: run.scenario,
    })
}
