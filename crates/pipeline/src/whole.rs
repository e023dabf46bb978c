//! Questions about all steps of a model, behind the searches that decided: reductions keep the
//! answers of those, and not of these. Each has a budget in states.

use crate::Options;
use crate::decide::SLOWER;
use crate::host::Timed;
use crate::stage::Stage;
use crate::subject::{Boxed, Form};
use crate::workflow::Workflow;
use search::{Request, Why};

/// So many states may be looked at for one answer.
pub(crate) const STATES_MAX: u64 = 100_000;

/// Asks a system that leaves out no step, with the limits of the search that answers; again if a
/// state did not fit. Nothing if the form cannot be searched.
///
/// # Errors
/// The time is over.
pub(crate) fn ask<T>(
    form: &dyn Form,
    options: &Options,
    watch: &mut Timed<'_>,
    question: &mut dyn FnMut(&Boxed<'_>, &Request, &mut Timed<'_>) -> T,
) -> Result<Option<T>, Why> {
    let alone = Options { threads: None, ..options.clone() };
    let workflow = Workflow::only(Stage::whole(&alone));
    loop {
        if let Some(why) = watch.ended() {
            return Err(why);
        }
        let Ok(systems) = form.systems(&workflow, &alone) else { return Ok(None) };
        let slower = if systems.fallback.is_some() { SLOWER } else { 1 };
        let states_max = Some(STATES_MAX.div_ceil(slower));
        let budget = Request { states_max, memory_bytes_max: options.memory, ..Request::default() };
        let answer = question(&systems.systems[0], &budget, watch);
        if !form.learn(&systems.systems) {
            return Ok(Some(answer));
        }
    }
}
