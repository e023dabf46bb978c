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

use crate::cycles::Turning;
use crate::decide::{Decided, Found};
use crate::host::Timed;
use crate::subject::{Form, Pass, Subject};
use crate::{Fair, Options, whole};
use report::{Avoidable, Instead, Line};
use search::{Escape, FindingKind, NoReturn, Why};
use system::{Blocked, Step};
use trace::{Mismatch, Requirement, Run};

/// Looks for the points of no return of the errors that are shown, the first of each requirement.
pub(crate) fn find(
    subject: &dyn Subject,
    options: &Options,
    decided: &mut Decided<'_>,
    watch: &mut Timed<'_>,
) {
    for at in decided.first_runs() {
        let found = &decided.found[at];
        let (requirement, searched) = (found.requirement, &decided.searches[found.search]);
        let Ok(trail) = &found.trail else { continue };
        let fails = |kind| fails(subject, &searched.pass, requirement, kind);
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
    let answer = whole::ask(
        plain.as_deref().unwrap_or(form),
        options,
        watch,
        &mut |system, budget, watch| search::no_return(&**system, trail, fails, budget, watch),
    );
    answer.map_or_else(|why| Some(NoReturn::Undecided(why)), Option::flatten)
}

/// What a report says of it.
pub(crate) struct Told {
    pub(crate) avoidable: Option<Avoidable>,
    /// The event of the run.
    pub(crate) step: Option<usize>,
    pub(crate) instead: Option<Instead>,
    pub(crate) line: Option<Line>,
}

impl Told {
    fn nothing() -> Self {
        Self { avoidable: None, step: None, instead: None, line: None }
    }
}

/// Puts it into words. The run is at its end, and is so again.
///
/// # Errors
/// The reference interpreter cannot take the step that avoids the error: a fault of ours.
pub(crate) fn told(found: &Found, run: &mut dyn Run) -> Result<Told, Mismatch> {
    Ok(match (found.no_return, &found.trail) {
        (Some(NoReturn::Step { at, instead, escape }), Ok(trail)) => {
            let (step, instead) = alternative(run, trail, at, (instead, word(escape)))?;
            until(step, instead, "", behind(escape))
        }
        (Some(NoReturn::Start), _) => {
            said(Avoidable::Never, "impossible: every run of the model ends like this".to_owned())
        }
        (Some(NoReturn::Undecided(why)), _) => said(Avoidable::Unknown, unknown(Some(why))),
        _ => Told::nothing(),
    })
}

/// The same of a run that violates a formula, and repeats itself from `start` on if it is infinite.
///
/// # Errors
/// As for [`told`].
pub(crate) fn told_of_cycle(
    (turning, fair): (Option<&Turning>, Fair),
    run: &mut dyn Run,
    (trail, start): (&[Step], Option<usize>),
) -> Result<Told, Mismatch> {
    let fair = match fair {
        Fair::None => String::new(),
        fair => format!("{}ly fair ", fair.word()),
    };
    Ok(match turning {
        Some(Turning::Step { at, instead }) => {
            let cycle = trail.len() - start.unwrap_or(trail.len());
            let rounds = at.saturating_sub(start.unwrap_or(0)).checked_div(cycle).unwrap_or(0);
            let at_first = at - rounds * cycle;
            let (step, instead) = alternative(run, trail, at_first, (*instead, "satisfies"))?;
            let round = match rounds {
                0 => String::new(),
                rounds => format!(" in round {}", rounds + 1),
            };
            until(step, instead, &round, &format!("behind that a {fair}run can satisfy it"))
        }
        Some(Turning::Start) => {
            said(Avoidable::Never, format!("impossible: no {fair}run of the model satisfies it"))
        }
        Some(Turning::Never) => said(
            Avoidable::Always,
            format!("possible for ever: from each state of this run some {fair}run satisfies it"),
        ),
        Some(Turning::Undecided(why)) => said(Avoidable::Unknown, unknown(*why)),
        None => Told::nothing(),
    })
}

fn said(avoidable: Avoidable, text: String) -> Told {
    let line = Some(Line { head: "avoid".to_owned(), text });
    Told { avoidable: Some(avoidable), step: None, instead: None, line }
}

fn until(step: usize, instead: Instead, round: &str, behind: &str) -> Told {
    let Instead { process, action, line, .. } = &instead;
    let text = format!(
        "possible up to step {}{round}, the point of no return: instead of it {process}: {action} \
         (line {line}); {behind}",
        step + 1,
    );
    let told = said(Avoidable::Until, text);
    Told { step: Some(step), instead: Some(instead), ..told }
}

fn unknown(why: Option<Why>) -> String {
    format!("how long it could be avoided is not decided{}", why.map_or(String::new(), undecided))
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
        Why::States => format!(" within {} states", report::thousands(whole::STATES_MAX)),
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
    (instead, then): (Step, &str),
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
        then: then.to_owned(),
    };
    Ok((step, instead))
}
