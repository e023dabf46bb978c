//! Facts to report: every trail is replayed, every requirement gets its verdict,
//! and nothing is said that no search established.

mod entries;
mod figures;
mod unused;
mod warnings;

pub(crate) use entries::{error_entries, initial_failure, not_executed};
pub(crate) use figures::{error_counts, figures, kind_word, why_incomplete};
pub(crate) use warnings::{residual, unspecified};

use crate::decide::{Decided, Found, Searched};
use crate::host::Timed;
use crate::subject::{MachineForm, Required, Subject};
use crate::{Loaded, Options, Source, ahead, gates, shown};
use base::{Diagnostic, Severity};
use report::{
    Channel, ErrorEntry, Kind, Line, Property, PropertyVerdict, Report, SearchEntry, Setting,
    Stats, Verdict,
};
use search::Why;
use trace::{Lasts, location};

/// What the caller knows.
pub(crate) struct Facts<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) options: &'a Options,
    pub(crate) command: &'a str,
    pub(crate) seconds: report::Seconds,
    pub(crate) peak_rss: u64,
    /// The steps of the run behind which the check began, if it did.
    pub(crate) ahead: Option<usize>,
}

/// The report on a text with errors.
pub(crate) fn refused(facts: &Facts<'_>, loaded: &Loaded) -> Report {
    let mut report = blank(facts, loaded);
    report.verdict = Verdict::Error;
    report.diagnostics = report::findings(&loaded.errors(), &loaded.sources);
    report::phrase(&mut report, &facts.options.setting());
    report
}

/// The report of who could not wait for the one of [`searched`]: a stage before the searches or
/// behind them takes longer than there is time for. Errors that are known are not lost.
pub(crate) fn unfinished(facts: &Facts<'_>, ended: Why, errors: &[(Kind, usize)]) -> Report {
    let sources = vec![report::Source {
        file: facts.source.name.to_owned(),
        text: String::from_utf8_lossy(facts.source.bytes).into_owned(),
    }];
    let mut report = Report { sources, ..of_run(facts) };
    report.errors =
        errors.iter().map(|(kind, steps)| not_executed((*kind).into(), *steps)).collect();
    report.stats.errors = error_counts(errors.iter().map(|(kind, _)| *kind), 0);
    report.why_incomplete = vec![figures::code(ended).to_owned()];
    if !errors.is_empty() {
        report.verdict = Verdict::Violated;
    }
    report.gates = gates::judge(&facts.options.fail_on, &report, gates::Known::default());
    report::phrase(&mut report, &facts.options.setting());
    report
}

/// The report on a model that was searched, and our own fault if there is one.
pub(crate) fn searched(
    facts: &Facts<'_>,
    loaded: &Loaded,
    subject: &dyn Subject,
    decided: &Decided<'_>,
    watch: &Timed<'_>,
) -> (Report, Option<String>) {
    let (mut report, sources) = (blank(facts, loaded), &loaded.sources);
    let executed = decided.executed();
    report.machines = subject.machines(MachineForm::Written(Some(&executed)), sources);
    report.channels = subject.channels();
    let found = &decided.found[..decided.shown];
    let forms: Vec<_> = decided.all_searches().map(|s| (&*s.form, &s.pass)).collect();
    let (mut fault, lasts): (_, Lasts<'_>) = (None, &|| watch.lasts_to_close());
    let mut told = |found: &[Found], channels: &mut Vec<Channel>| {
        let mut entries = Vec::new();
        for entry in error_entries(found, &forms, (facts.options, sources), lasts) {
            match entry {
                Ok((entry, met)) => {
                    if channels.is_empty() {
                        *channels = met;
                    }
                    entries.push(entry);
                }
                Err(mismatch) => fault = fault.take().or(Some(mismatch.to_string())),
            }
        }
        entries
    };
    report.errors = told(found, &mut report.channels);
    report.witnesses = told(&decided.reached, &mut report.channels);
    put_in_place(&mut report.errors, facts.options, loaded, subject, decided);
    if decided.initial_failure {
        report.errors.extend(initial_failure(subject, facts.options, sources));
    }
    report.remarks.extend(subject.remarks());
    report.remarks.extend(decided.all_searches().next().and_then(fallback));
    report.warnings.extend(unspecified(&report.errors, loaded));
    let searches = decided.searches.iter().map(|search| (&*search.form, &search.outcome));
    report.warnings.extend(residual(subject, searches, loaded, lasts));
    report.remarks.extend(shown::note(decided.found.len() - decided.shown));
    report.unreached = decided.unreached.clone();
    let shown = (report.errors.len(), report.witnesses.len());
    report.properties = properties(facts.options, loaded, subject, decided, shown);
    if facts.ahead.is_some() {
        report.remarks.extend(ahead::narrow(&mut report.properties, &subject.formulas()));
    }
    if let Some(number) = facts.options.error_type {
        show_type(&mut report, number);
    }
    let known;
    (report.unused, known) =
        unused::unused(subject, decided, (&executed, &report.properties), loaded);
    conclude(&mut report, subject, decided, (facts, watch));
    report.gates = gates::judge(&facts.options.fail_on, &report, known);
    let setting = Setting { ahead: facts.ahead, ..subject.setting(facts.options) };
    report::phrase(&mut report, &setting);
    (report, fault)
}

/// Puts the first error of a type in front, where the error stands whose run is shown.
fn show_type(report: &mut Report, number: u32) {
    let types = report::error_types(&report.errors);
    let Some(members) = types.get(number as usize - 1) else {
        let text = match types.len() {
            0 => "--error-type: no error was found".to_owned(),
            1 => format!("--error-type {number}: there is one type of error"),
            count => format!("--error-type {number}: there are {count} types of errors"),
        };
        report.remarks.push(Line { head: "note".to_owned(), text });
        return;
    };
    let chosen = members[0];
    // Only the first run of a requirement may be the shortest for it.
    if !report.properties.iter().any(|property| property.error == Some(chosen)) {
        report.errors[chosen].length = String::new();
    }
    report.errors.swap(0, chosen);
    for error in report.properties.iter_mut().filter_map(|property| property.error.as_mut()) {
        *error = match *error {
            0 => chosen,
            index if index == chosen => 0,
            index => index,
        };
    }
}

/// A report with the facts of the run and nothing found.
pub(crate) fn blank(facts: &Facts<'_>, loaded: &Loaded) -> Report {
    Report {
        model_sha256: loaded.sha256(),
        warnings: report::findings(&noteworthy(facts, loaded), &loaded.sources),
        sources: loaded.texts(),
        ..of_run(facts)
    }
}

/// The same without anything about the text.
fn of_run(facts: &Facts<'_>) -> Report {
    Report {
        schema: 1,
        tool: "argos".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        model: facts.source.name.to_owned(),
        model_sha256: String::new(),
        language: facts.source.language,
        command: facts.command.to_owned(),
        verdict: Verdict::Incomplete,
        headline: String::new(),
        complete: false,
        why_incomplete: Vec::new(),
        options: serde_json::to_value(facts.options).unwrap_or_default(),
        established: Vec::new(),
        assumptions: Vec::new(),
        remarks: Vec::new(),
        machines: Vec::new(),
        channels: Vec::new(),
        properties: Vec::new(),
        errors: Vec::new(),
        witnesses: Vec::new(),
        warnings: Vec::new(),
        diagnostics: Vec::new(),
        runs: Vec::new(),
        unreached: Vec::new(),
        unused: Vec::new(),
        gates: Vec::new(),
        stats: Stats {
            seconds: facts.seconds.clone(),
            peak_rss_bytes: facts.peak_rss,
            threads: 1,
            ..Stats::default()
        },
        sources: Vec::new(),
    }
}

/// The warnings; remarks are for who asked for them.
fn noteworthy(facts: &Facts<'_>, loaded: &Loaded) -> Vec<Diagnostic> {
    let mut list = loaded.warnings();
    list.retain(|d| d.severity == Severity::Warning || facts.options.lint_spin_portable);
    list
}

/// Who executed the model, if it is not who was asked to.
fn fallback(searched: &Searched<'_>) -> Option<Line> {
    let reason = searched.fallback?;
    let text = format!("run by the reference interpreter: {reason}");
    Some(Line { head: "note".to_owned(), text })
}

/// What ends nowhere in particular, as an infinite run, stands where what it violates is written.
fn put_in_place(
    entries: &mut [ErrorEntry],
    options: &Options,
    loaded: &Loaded,
    subject: &dyn Subject,
    decided: &Decided<'_>,
) {
    let failed = |requirement| decided.failed(requirement);
    for required in subject.requirements(options, &loaded.sources, &failed) {
        let Some(span) = required.span else { continue };
        let of_it = decided.found.iter().zip(&mut *entries).filter(|(found, entry)| {
            found.requirement == required.requirement && entry.location.line == 0
        });
        of_it.for_each(|(_, entry)| entry.location = location(&loaded.sources, Some(span)));
    }
}

/// Every requirement with its verdict: violated if an error shows it, holds only
/// if a search looked everywhere, else unknown.
fn properties(
    options: &Options,
    loaded: &Loaded,
    subject: &dyn Subject,
    decided: &Decided<'_>,
    (errors, witnesses): (usize, usize),
) -> Vec<Property> {
    let failed = |requirement| decided.failed(requirement);
    let property = |required: Required| {
        let is_decided = decided.is_decided(subject, &required);
        let Required { requirement, name, line, text, note, .. } = required;
        let of = |found: &Found| found.requirement == requirement;
        let error = decided.found.iter().position(of);
        let witness = decided.reached.iter().position(of);
        let verdict = match (error, witness) {
            (Some(_), _) => PropertyVerdict::Violated,
            (None, Some(_)) => PropertyVerdict::Reached,
            (None, None) if !is_decided => PropertyVerdict::Unknown,
            (None, None) if requirement.kind.is_asked_for() => PropertyVerdict::Unreached,
            (None, None) => PropertyVerdict::Holds,
        };
        let mut open = decided.open.iter();
        let open = open.find(|(open, _)| *open == requirement && error.is_none());
        let note = open.map(|(_, why)| why.clone()).or(note);
        let (kind, error) = (requirement.kind, error.filter(|index| *index < errors));
        let witness = witness.filter(|index| *index < witnesses);
        Property { name, kind, verdict, line, text, note, error, witness }
    };
    let required = subject.requirements(options, &loaded.sources, &failed);
    let wanted = required.into_iter().filter(|required| options.wants(&required.name));
    wanted.map(property).collect()
}

/// Verdict, completeness and figures. A requirement nobody decided makes the
/// verdict incomplete, however complete the searches were.
fn conclude(
    report: &mut Report,
    subject: &dyn Subject,
    decided: &Decided<'_>,
    (facts, watch): (&Facts<'_>, &Timed<'_>),
) {
    let outcomes = || decided.all_searches().map(|search| &search.outcome);
    // Behind the first error a search went on for the rest.
    let went_on = decided.searches.iter().any(|search| search.pass.rest.is_some());
    let first = |code: &String| went_on && code == "first-error";
    report.why_incomplete = why_incomplete(outcomes());
    report.why_incomplete.retain(|code| !first(code));
    let executed = report.errors.iter().chain(&report.witnesses).all(|entry| entry.replayed);
    if let (Some(ended), false) = (watch.ended(), executed) {
        let code = figures::code(ended).to_owned();
        if !report.why_incomplete.contains(&code) {
            report.why_incomplete.push(code);
        }
    }
    if facts.ahead.is_some() {
        report.why_incomplete.push(ahead::AHEAD.to_owned());
    }
    if report.why_incomplete.is_empty() {
        report.why_incomplete.extend(undecided(&report.properties).map(str::to_owned));
    }
    report.complete = report.why_incomplete.is_empty();
    // Counted as found, not as shown: a run that does not replay is no proof of
    // the opposite.
    let clean = decided.found.is_empty() && !decided.initial_failure;
    let asked = report.properties.iter().find(|property| property.kind == Kind::Service);
    report.verdict = match (clean, report.complete) {
        (true, false) if facts.ahead.is_some() => {
            ahead::answer(report).unwrap_or(Verdict::Incomplete)
        }
        (true, true) if asked.is_some_and(|it| it.verdict == PropertyVerdict::Reached) => {
            Verdict::Possible
        }
        (true, true) if asked.is_some() => Verdict::Impossible,
        (false, _) => Verdict::Violated,
        (true, true) => Verdict::Holds,
        (true, false) => Verdict::Incomplete,
    };
    report.runs = decided.all_searches().flat_map(|search| stages(subject, search)).collect();
    // Of searches for cycles the last one has seen most.
    let first = decided.searches.first().or(decided.cycle_searches.last());
    let Some(first) = first else { return };
    let kinds = decided.found.iter().map(|found| found.requirement.kind);
    let residuals = outcomes().map(|outcome| outcome.statistics.residuals).max();
    figures(report, &first.outcome, error_counts(kinds, residuals.unwrap_or(0)));
    let helpers = outcomes().map(|outcome| outcome.statistics.helpers).max();
    report.stats.threads = 1 + helpers.unwrap_or(0);
}

/// Why complete searches left requirements open: formulas and acceptance need
/// cycles, and behind an error that ends its branch nobody looked.
fn undecided(properties: &[Property]) -> impl Iterator<Item = &'static str> {
    let open = |wanted: &dyn Fn(Kind) -> bool| {
        properties.iter().any(|p| p.verdict == PropertyVerdict::Unknown && wanted(p.kind))
    };
    let cycles = Kind::looks_at_propositions;
    let reasons = [(open(&cycles), "liveness"), (open(&|kind| !cycles(kind)), "cut")];
    reasons.into_iter().filter(|(is_so, _)| *is_so).map(|(_, code)| code)
}

/// The searches of a pass, the one that decided last.
fn stages(subject: &dyn Subject, search: &Searched<'_>) -> Vec<SearchEntry> {
    let text = subject.pass_text(&search.pass);
    let entry = |name: &str, states: u64, transitions: u64, complete: bool| SearchEntry {
        name: format!("{name}{text}"),
        states,
        transitions,
        complete,
        reductions: search.reductions.clone(),
    };
    let before = search.before.iter().map(|p| entry(&p.name, p.states, p.transitions, false));
    let (outcome, statistics) = (&search.outcome, &search.outcome.statistics);
    let (states, transitions) = (statistics.states, statistics.transitions);
    let complete = outcome.complete() && !search.is_part;
    before.chain([entry(&search.stage.name, states, transitions, complete)]).collect()
}
