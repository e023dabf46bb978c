//! Where on a run an error became unavoidable, and which step would have avoided it: for the first
//! run to each error of a kind, within a budget in states ([`search::no_return`] has the definition
//! and the proof).
//!
//! The failure that is avoided or not is the violation of one requirement. States in which nothing
//! can move are one failure, however a language divides them: a deadlock that becomes a blocked send
//! is not avoided. An error of another requirement ends a run, too, and is called one.
//!
//! The search is made on the form in which the run was found, or on the one with every statement a
//! step if statements were merged. The other reductions keep what can happen from a state,
//! and this search leaves out no step.

use crate::Options;
use crate::decide::{Decided, Found, SLOWER};
use crate::host::Timed;
use crate::stage::Stage;
use crate::subject::{Form, Pass, Subject};
use crate::workflow::Workflow;
use report::{Avoidable, Instead, Line};
use search::{Escape, FindingKind, NoReturn, Request, Why};
use system::{Blocked, Step};
use trace::{Mismatch, Requirement, Run};

/// So many states may be looked at for one run.
const STATES_MAX: u64 = 100_000;

/// Looks for the points of no return of the errors that are shown, the first of each requirement.
pub(crate) fn find(
    subject: &dyn Subject,
    options: &Options,
    decided: &mut Decided<'_>,
    watch: &mut Timed<'_>,
) {
    let mut known: Vec<Requirement> = Vec::new();
    for at in 0..decided.shown {
        let found = &decided.found[at];
        let (requirement, is_first) = (found.requirement, !known.contains(&found.requirement));
        let Some(searched) = decided.searches.get(found.search).filter(|_| is_first) else {
            continue;
        };
        known.push(requirement);
        let Ok(trail) = &found.trail else { continue };
        let pass = &searched.pass;
        // A claim stops runs, and SPIN counts some errors without ending there.
        if pass.is_restricted || pass.spin_counts || trail.is_empty() {
            continue;
        }
        let fails = |kind| fails(subject, pass, requirement, kind);
        let no_return = of_run(&*searched.form, options, trail, &fails, watch);
        decided.found[at].no_return = no_return;
    }
}

/// Whether this is a failure of a requirement.
fn fails(subject: &dyn Subject, pass: &Pass, requirement: Requirement, kind: FindingKind) -> bool {
    match kind {
        FindingKind::Blocked(Blocked::ProperEnd | Blocked::Residual) => false,
        FindingKind::Step(outcome) if outcome.enters() => false,
        _ => {
            let own = pass.global(subject.requirement(kind));
            own == requirement || own.kind.is_blocked() && requirement.kind.is_blocked()
        }
    }
}

fn of_run(
    form: &dyn Form,
    options: &Options,
    trail: &[Step],
    fails: &dyn Fn(FindingKind) -> bool,
    watch: &mut Timed<'_>,
) -> Option<NoReturn> {
    let plain = form.unmerged();
    let form = plain.as_deref().unwrap_or(form);
    let alone = Options { threads: None, ..options.clone() };
    let workflow = Workflow::only(Stage::whole(&alone));
    loop {
        if let Some(why) = watch.ended() {
            return Some(NoReturn::Undecided(why));
        }
        let systems = form.systems(&workflow, &alone).ok()?;
        let slower = if systems.fallback.is_some() { SLOWER } else { 1 };
        let states_max = Some(STATES_MAX.div_ceil(slower));
        let budget = Request { states_max, memory_bytes_max: options.memory, ..Request::default() };
        let found = search::no_return(&*systems.systems[0], trail, fails, &budget, watch);
        if !form.learn(&systems.systems) {
            return found;
        }
    }
}

/// What a report says of it.
pub(crate) struct Told {
    pub(crate) avoidable: Option<Avoidable>,
    /// The event of the run.
    pub(crate) step: Option<usize>,
    pub(crate) instead: Option<Instead>,
    pub(crate) line: Option<Line>,
}

/// Puts it into words. The run is at its end, and is so again.
///
/// # Errors
/// The reference interpreter cannot take the step that avoids the error: a fault of ours.
pub(crate) fn told(found: &Found, run: &mut dyn Run) -> Result<Told, Mismatch> {
    let said = |avoidable, text: String| Told {
        avoidable: Some(avoidable),
        step: None,
        instead: None,
        line: Some(Line { head: "avoid".to_owned(), text }),
    };
    Ok(match (found.no_return, &found.trail) {
        (Some(NoReturn::Step { at, instead, escape }), Ok(trail)) => {
            let (step, instead) = alternative(run, trail, at, (instead, escape))?;
            let Instead { process, action, line, .. } = &instead;
            let text = format!(
                "possible up to step {}, the point of no return: instead of it {process}: {action} \
                 (line {line}); {}",
                step + 1,
                behind(escape)
            );
            let line = Some(Line { head: "avoid".to_owned(), text });
            Told {
                avoidable: Some(Avoidable::Until),
                step: Some(step),
                instead: Some(instead),
                line,
            }
        }
        (Some(NoReturn::Start), _) => {
            said(Avoidable::Never, "impossible: every run of the model ends like this".to_owned())
        }
        (Some(NoReturn::Undecided(why)), _) => said(
            Avoidable::Unknown,
            format!("how long it could be avoided is not decided{}", undecided(why)),
        ),
        _ => Told { avoidable: None, step: None, instead: None, line: None },
    })
}

fn behind(escape: Escape) -> &'static str {
    match escape {
        Escape::Endless => "behind that a run can go on for ever",
        Escape::Rest => "behind that a run can come to a proper end",
        Escape::OtherError => "behind that a run can end in another error",
    }
}

fn word(escape: Escape) -> &'static str {
    match escape {
        Escape::Endless => "endless",
        Escape::Rest => "end",
        Escape::OtherError => "other-error",
    }
}

fn undecided(why: Why) -> String {
    match why {
        Why::States => format!(" within {} states", report::thousands(STATES_MAX)),
        Why::Time => " in the time given".to_owned(),
        Why::Memory => " in the memory given".to_owned(),
        _ => String::new(),
    }
}

/// The first event in which the run and the one that avoids the error differ, and that of the
/// latter: a step may be several events, and both may begin alike.
fn alternative(
    run: &mut dyn Run,
    trail: &[Step],
    at: usize,
    (instead, escape): (Step, Escape),
) -> Result<(usize, Instead), Mismatch> {
    let (of_run, events) = (run.scenario(), run.events_of_steps());
    let before: usize = events.iter().take(at).sum();
    run.follow(&[&trail[..at], &[instead]].concat())?;
    let other = run.scenario();
    run.follow(trail)?;
    // Processes may have other names there: what they are called depends on how many there are.
    let same = of_run.trace.iter().zip(&other.trace).skip(before);
    let same = same.take_while(|(one, other)| {
        (&one.from, &one.to, &one.action) == (&other.from, &other.to, &other.action)
            && one.line == other.line
            && one.message_text() == other.message_text()
    });
    let step = (before + same.count()).min(other.trace.len().saturating_sub(1));
    let event = other.trace.get(step);
    let event = event.ok_or_else(|| Mismatch::new(at + 1, "it is not shown"))?;
    let instead = Instead {
        process: event.process.clone(),
        action: event.action.clone(),
        file: event.file.clone(),
        line: event.line,
        column: event.column,
        then: word(escape).to_owned(),
    };
    Ok((step, instead))
}
