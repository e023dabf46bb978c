//! Of the shortest runs to an error the one with the fewest context switches, for the first run
//! to each requirement that fails: as many steps, and fewer leaps between processes to follow.
//! [`search::fewest_switches`] has the proof. Of all best runs it takes the first one in the order
//! of the model, whoever found the error and in whatever order.

use crate::decide::{Decided, Found};
use crate::host::Timed;
use crate::shorten::Length;
use crate::subject::Subject;
use crate::{Options, whole};
use search::{Candidate, FindingKind, Watch};
use system::Blocked;

/// Puts it in the place of the run that was found, where the budget suffices.
pub(crate) fn find(
    subject: &dyn Subject,
    options: &Options,
    decided: &mut Decided<'_>,
    watch: &mut Timed<'_>,
) {
    if !options.shortens() {
        return;
    }
    for at in decided.first_runs() {
        let Found { requirement, search, length, ref trail, .. } = decided.found[at];
        let pass = &decided.searches[search].pass;
        let Some(trail) = trail.as_ref().ok().filter(|_| length == Length::Shortest) else {
            continue;
        };
        let statements = trail.iter().map(system::Step::statements).sum();
        let form = &*decided.searches[search].form;
        let plain = form.unmerged();
        let mut accept = |candidate: &Candidate<'_>| {
            candidate.kind != FindingKind::Blocked(Blocked::Residual)
                && pass.global(subject.requirement(candidate.kind)) == requirement
        };
        watch.stage("looking for fewer context switches");
        let best = whole::ask(
            plain.as_deref().unwrap_or(form),
            options,
            watch,
            &mut |system, budget, watch| {
                search::fewest_switches(&**system, statements, budget, &mut accept, watch)
            },
        );
        if let Ok(Some(Some(best))) = best {
            let found = &mut decided.found[at];
            (found.trail, found.switches) = (Ok(best.trail), Some(best.switches));
        }
    }
}
