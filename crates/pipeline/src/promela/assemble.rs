//! Facts to report, for a program.

use super::decide::{Decided, Found, Requirement, Run};
use super::names::Names;
use super::replay::{Replayed, Replayer};
use super::wait::Standstill;
use super::{left, unreached, view};
use crate::assemble::{Facts, blank, figures, location, why_incomplete};
use crate::{Loaded, Options};
use engine::program::Breach;
use indexmap::IndexMap;
use program::reference::{Failure, Problem, Rest};
use program::{ClaimKind, Program};
use report::{ErrorEntry, Kind, Line, Property, PropertyVerdict, Report, Verdict};
use trace::Mismatch;

/// The report on a program that was searched, and our own fault if there is one.
pub(crate) fn searched(
    facts: &Facts<'_>,
    loaded: &Loaded,
    program: &Program,
    decided: &Decided,
) -> (Report, Option<String>) {
    let mut report = blank(facts, loaded);
    report.machines = view::machines(program, &loaded.sources);
    let mut fault = None;
    for entry in error_entries(loaded, program, decided) {
        match entry {
            Ok((entry, channels)) => {
                if report.errors.is_empty() {
                    report.channels = channels;
                }
                report.errors.push(entry);
            }
            Err(mismatch) => fault = fault.or(Some(mismatch.to_string())),
        }
    }
    report.errors.extend(decided.stillborn.iter().map(|f| stillborn(f, loaded)));
    report.remarks.extend(view::has_cycle_labels(program).then(|| Line {
        head: "note".to_owned(),
        text: "accept and progress labels are read; cycles are not looked for yet".to_owned(),
    }));
    report.warnings.extend(left::unspecified(&report.errors, loaded));
    report.warnings.extend(left::residual(program, decided, loaded));
    let hidden = decided.found.len() - decided.shown;
    report.remarks.extend((hidden > 0).then(|| Line {
        head: "note".to_owned(),
        text: format!("{hidden} more errors of these kinds are counted, and not shown"),
    }));
    report.unreached = unreached::unreached(program, decided, loaded);
    report.properties = properties(program, decided, facts.options, loaded);
    conclude(&mut report, program, decided);
    report::phrase(&mut report, &crate::assemble::bare_setting(facts.options));
    (report, fault)
}

/// Verdict, completeness and figures. A requirement nobody decided makes the
/// verdict incomplete, however complete the searches were.
fn conclude(report: &mut Report, program: &Program, decided: &Decided) {
    let complete = decided.runs.iter().all(|run| run.outcome.complete());
    report.why_incomplete = why_incomplete(decided.runs.iter().map(|run| &run.outcome));
    if complete {
        report.why_incomplete.extend(undecided(&report.properties).map(str::to_owned));
    }
    report.complete = report.why_incomplete.is_empty();
    // Counted as found, not as shown: a run that does not replay is no proof of
    // the opposite.
    let clean = decided.found.is_empty() && decided.stillborn.is_none();
    report.verdict = match (clean, report.complete) {
        (false, _) => Verdict::Violated,
        (true, true) => Verdict::Holds,
        (true, false) => Verdict::Incomplete,
    };
    report.runs = decided.runs.iter().flat_map(|run| summaries(run, program)).collect();
    let Some(first) = decided.runs.first() else { return };
    figures(report, &first.outcome, error_counts(decided));
}

/// Why complete searches left requirements open: formulas and acceptance need
/// cycles, and behind an error that ends its branch nobody looked.
fn undecided(properties: &[Property]) -> impl Iterator<Item = &'static str> {
    let open = |wanted: &dyn Fn(Kind) -> bool| {
        properties.iter().any(|p| p.verdict == PropertyVerdict::Unknown && wanted(p.kind))
    };
    let cycles = |kind| matches!(kind, Kind::Ltl | Kind::Claim);
    let reasons = [(open(&cycles), "liveness"), (open(&|kind| !cycles(kind)), "cut")];
    reasons.into_iter().filter(|(is_so, _)| *is_so).map(|(_, code)| code)
}

/// The searches of a run, the one that decided last.
fn summaries(run: &Run, program: &Program) -> Vec<report::Run> {
    let beside = match run.claim {
        None => String::new(),
        Some(claim) => format!(", with claim {}", program.claims[claim].name),
    };
    crate::assemble::stages(&run.before, (&run.stage.name, &run.outcome), &beside)
        .into_iter()
        .map(|stage| report::Run { reductions: run.reductions.clone(), ..stage })
        .collect()
}

fn error_counts(decided: &Decided) -> IndexMap<String, u64> {
    let mut counts: IndexMap<String, u64> = IndexMap::new();
    for found in &decided.found {
        *counts.entry(crate::assemble::kind_word(kind(found.requirement))).or_default() += 1;
    }
    let residuals = decided.runs.iter().map(|run| run.outcome.statistics.residuals).max();
    if let Some(residuals) = residuals.filter(|residuals| *residuals > 0) {
        counts.insert(crate::assemble::kind_word(Kind::Residual), residuals);
    }
    counts
}

fn kind(requirement: Requirement) -> Kind {
    match requirement {
        Requirement::Deadlock => Kind::Deadlock,
        Requirement::MessagesLeft => Kind::Residual,
        Requirement::Claim(_) => Kind::Claim,
        Requirement::Breach(breach) => match breach {
            Breach::Assertion => Kind::Assertion,
            Breach::Index => Kind::Index,
            Breach::DivisionByZero => Kind::DivisionByZero,
            Breach::Channel => Kind::Channel,
            Breach::Arity => Kind::Arity,
            Breach::EndlessAtomic => Kind::EndlessAtomic,
            Breach::Nondeterminism => Kind::Nondeterminism,
            Breach::TraceAssertion => Kind::TraceAssertion,
            Breach::Claim => Kind::Claim,
            Breach::Reference => Kind::Reference,
        },
    }
}

type Entry = Result<(ErrorEntry, Vec<report::Channel>), Mismatch>;

/// The findings to be shown, executed again. Neighbours in the order of their trails share
/// most of their steps, so they are executed in that order: the 81 deadlocks of
/// SPIN's `snoopy.pml`, up to 12,226 steps deep, take 2 s instead of 13 s.
fn error_entries(loaded: &Loaded, program: &Program, decided: &Decided) -> Vec<Entry> {
    let mut order: Vec<usize> = (0..decided.shown).collect();
    order.sort_by_cached_key(|index| {
        let found = &decided.found[*index];
        let trail = found.trail.as_deref().unwrap_or_default();
        (found.run, trail.iter().map(|step| step.choice).collect::<Vec<u32>>())
    });
    let mut entries: Vec<Option<Entry>> = order.iter().map(|_| None).collect();
    for of_run in order.chunk_by(|a, b| decided.found[*a].run == decided.found[*b].run) {
        let rules = &decided.runs[decided.found[of_run[0]].run].rules;
        let mut replayer = Replayer::new(program, rules, &loaded.sources);
        for index in of_run {
            let found = &decided.found[*index];
            let run = match (&mut replayer, &found.trail) {
                (Ok(replayer), Ok(trail)) => replayer.replay(trail),
                (Err(mismatch), _) => Err(mismatch.clone()),
                (_, Err(mismatch)) => Err(mismatch.clone()),
            };
            let entry = run.and_then(|run| error_entry(loaded, program, decided, found, run));
            entries[*index] = Some(entry);
        }
    }
    entries.into_iter().flatten().collect()
}

fn error_entry(
    loaded: &Loaded,
    program: &Program,
    decided: &Decided,
    found: &Found,
    run: Replayed,
) -> Entry {
    let Run { rules, claim, .. } = &decided.runs[found.run];
    let trail = found.trail.as_ref().map_err(Clone::clone)?;
    let run = aimed(found, run);
    confirm(found, &run)?;
    let (waits, unspecified) = match &run.rest {
        Some(Rest::InvalidEnd(stuck)) => {
            let standstill = Standstill {
                program,
                rules,
                names: &run.names,
                state: &run.last,
                sources: &loaded.sources,
            };
            (Some(standstill.waits(stuck)), standstill.unspecified(loaded))
        }
        _ => (None, Vec::new()),
    };
    let message = message(loaded, program, found, &run);
    let channels = view::channels(program, rules, &run.names, &run.last);
    let span = run.failure.as_ref().and_then(|failure| failure.span);
    let entry = ErrorEntry {
        kind: kind(found.requirement),
        group: message.clone(),
        message,
        process: run.failure.as_ref().and_then(|f| f.pid).map(|pid| run.names.process(pid)),
        location: location(loaded, span.or_else(|| blocked_at(program, &run))),
        steps: run.scenario.trace.len(),
        events: run.scenario.trace.iter().filter(|event| event.is_event()).count(),
        length: if found.shortest { "shortest" } else { "first found" }.to_owned(),
        replayed: true,
        why: why(program, &run),
        waits,
        unspecified,
        scenario: run.scenario,
        cycle_start: None,
        choices: trail.iter().map(|step| step.choice).collect(),
        claim: claim.map(|index| program.claims[index].name.to_string()),
    };
    Ok((entry, channels))
}

fn why(program: &Program, run: &Replayed) -> Vec<Line> {
    let hint =
        "if waiting here is intended, put a label that begins with `end` before the statement";
    match run.rest {
        Some(Rest::InvalidEnd(_)) => {
            vec![Line { head: "hint".to_owned(), text: hint.to_owned() }]
        }
        Some(Rest::MessagesLeft) => {
            vec![Line { head: "messages".to_owned(), text: left::leftovers(program, run) }]
        }
        _ => Vec::new(),
    }
}

/// Where the first stuck process stands.
fn blocked_at(program: &Program, run: &Replayed) -> Option<base::Span> {
    let Some(Rest::InvalidEnd(stuck)) = &run.rest else { return None };
    let process = run.last.processes.get(*stuck.first()?)?;
    let proctype = &program.proctypes[process.proctype];
    proctype.edges_from(process.location).next().map(|(_, edge)| edge.span)
}

/// A run may fail in its last step, be let pass, and then stand still: the finding
/// says which of the two it is about.
fn aimed(found: &Found, run: Replayed) -> Replayed {
    match found.requirement {
        Requirement::Deadlock | Requirement::MessagesLeft => Replayed { failure: None, ..run },
        _ if run.failure.is_some() => Replayed { rest: None, ..run },
        _ => run,
    }
}

/// The replayed run must end as the search said, or the finding is our fault.
fn confirm(found: &Found, run: &Replayed) -> Result<(), Mismatch> {
    let ended = match (&run.failure, &run.rest) {
        (Some(failure), _) => Some(Requirement::Breach(Breach::of(failure))),
        (None, Some(Rest::InvalidEnd(_))) => Some(Requirement::Deadlock),
        (None, Some(Rest::MessagesLeft)) => Some(Requirement::MessagesLeft),
        (None, Some(Rest::TraceUnfinished)) => Some(Requirement::Breach(Breach::TraceAssertion)),
        (None, Some(Rest::Proper | Rest::Residual) | None) => None,
    };
    let claimed = match found.requirement {
        Requirement::Claim(_) => Requirement::Breach(Breach::Claim),
        other => other,
    };
    if ended == Some(claimed) {
        return Ok(());
    }
    let reason = "the reference interpreter ends elsewhere".to_owned();
    Err(Mismatch { step: run.steps, reason })
}

fn message(loaded: &Loaded, program: &Program, found: &Found, run: &Replayed) -> String {
    if let Requirement::Claim(index) = found.requirement {
        let claim = &program.claims[index];
        let line = loaded.sources.line(claim.span);
        return format!("never claim matched: {} (line {line}) reaches its end", claim.name);
    }
    ended(loaded, run).unwrap_or_default()
}

/// What is wrong where no message may be left.
pub(super) const MESSAGES_LEFT: &str = "messages are left in channels";

/// What is wrong at the end of a run, if something is.
pub(super) fn ended(loaded: &Loaded, run: &Replayed) -> Option<String> {
    match (&run.failure, &run.rest) {
        (Some(failure), _) => Some(failed(loaded, &run.names, failure)),
        (None, Some(Rest::InvalidEnd(stuck))) => Some(deadlock_sentence(&run.names, stuck)),
        (None, Some(Rest::MessagesLeft)) => Some(MESSAGES_LEFT.to_owned()),
        (None, Some(Rest::TraceUnfinished)) => {
            Some("event trace: the run ends before the trace does".to_owned())
        }
        (None, Some(Rest::Proper | Rest::Residual) | None) => None,
    }
}

/// Who is stuck.
pub(super) fn deadlock_sentence(names: &Names, stuck: &[usize]) -> String {
    let names = names.list(&stuck.iter().copied().collect());
    match names.as_slice() {
        [one] => format!("deadlock: {one} waits and nobody can help"),
        [most @ .., last] => {
            format!("deadlock: {} and {last} wait and nobody can help", most.join(", "))
        }
        [] => "deadlock".to_owned(),
    }
}

/// What a process did wrong, where.
pub(super) fn failed(loaded: &Loaded, names: &Names, failure: &Failure) -> String {
    let place = match (failure.pid, failure.span) {
        (Some(pid), Some(span)) => {
            format!("in {} (line {})", names.process(pid), loaded.sources.line(span))
        }
        (None, Some(span)) => format!("at line {}", loaded.sources.line(span)),
        (Some(pid), None) => format!("in {}", names.process(pid)),
        (None, None) => "at the start".to_owned(),
    };
    format!("{} {place}", problem(loaded, failure))
}

fn problem(loaded: &Loaded, failure: &Failure) -> String {
    let written = failure.span.map(|span| loaded.sources.text(loaded.sources.statement(span)));
    let written = written.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    match &failure.problem {
        Problem::Assertion => format!("assertion fails: {written}"),
        Problem::Index { variable, index, bound } => {
            format!("bad index: {variable}[{index}], but there are {bound} elements,")
        }
        Problem::DivisionByZero => format!("division by zero: {written}"),
        Problem::UninitialisedChannel(name) => format!("bad channel: {name} holds no channel"),
        Problem::DeadChannel(name) => {
            format!("bad channel: the process that created {name} has ended")
        }
        Problem::PollOfRendezvous(name) => {
            format!("bad channel: {name} is a rendezvous and holds nothing to look at")
        }
        Problem::TooManyChannels => "bad channel: more channels than numbers for them".to_owned(),
        Problem::SendArity { given, fields } => {
            format!("wrong number of fields: {given} sent, the channel has {fields},")
        }
        Problem::ReceiveArity { given, fields } => {
            format!("wrong number of fields: {given} received, the channel has {fields},")
        }
        Problem::EndlessAtomic => "endless atomic sequence".to_owned(),
        Problem::EndlessDeterministic => "endless atomic sequence: a d_step".to_owned(),
        Problem::BlockedDeterministic => {
            format!("endless atomic sequence: a d_step cannot go on at `{written}`")
        }
        Problem::RendezvousInDeterministic => {
            "endless atomic sequence: a rendezvous inside a d_step".to_owned()
        }
        Problem::Nondeterminism => "nondeterminism in a D_proctype".to_owned(),
        Problem::NoMatchingEvent => format!("event trace: it does not know {written}"),
        Problem::AmbiguousEvent => format!("event trace: it knows {written} twice"),
        Problem::AllEventsMatched => "event trace: a notrace was followed to its end".to_owned(),
        Problem::ClaimEnd => "never claim matched".to_owned(),
        Problem::TooManyProcesses => "bad reference: more processes than pids".to_owned(),
        Problem::EnabledOfSelf => "bad reference: enabled() of the process itself".to_owned(),
        Problem::PriorityRange(value) => {
            format!("bad reference: priority {value} is not in 1..255")
        }
        Problem::RemoteReference(name) => format!("bad reference: {name} is not there"),
    }
}

/// A program whose initial values fail never gets anywhere.
fn stillborn(failure: &Failure, loaded: &Loaded) -> ErrorEntry {
    let line = failure.span.map_or(0, |span| loaded.sources.line(span));
    let message = format!("{} at the start (line {line})", problem(loaded, failure));
    ErrorEntry {
        kind: kind(Requirement::Breach(Breach::of(failure))),
        group: message.clone(),
        message,
        process: None,
        location: location(loaded, failure.span),
        steps: 0,
        events: 0,
        length: "shortest".to_owned(),
        replayed: true,
        why: Vec::new(),
        waits: None,
        unspecified: Vec::new(),
        scenario: trace::Scenario::default(),
        cycle_start: None,
        choices: Vec::new(),
        claim: None,
    }
}

/// Every requirement with its verdict.
fn properties(
    program: &Program,
    decided: &Decided,
    options: &Options,
    loaded: &Loaded,
) -> Vec<Property> {
    let mut list: Vec<Property> = general(program, decided)
        .into_iter()
        .map(|(name, requirement)| property(name, requirement, decided))
        .collect();
    for (index, claim) in program.claims.iter().enumerate().filter(|_| !options.no_claims) {
        let mut entry = match &claim.kind {
            ClaimKind::Never(automaton) => {
                let mut entry =
                    property(&format!("never {}", claim.name), Requirement::Claim(index), decided);
                let locations = &program.proctypes[*automaton].locations;
                let accepts = locations.iter().any(|location| location.marks.accept);
                if accepts && entry.verdict == PropertyVerdict::Holds {
                    entry.verdict = PropertyVerdict::Unknown;
                    entry.note = Some("its acceptance cycles are not looked for yet".to_owned());
                }
                entry
            }
            ClaimKind::Ltl(_) => Property {
                name: format!("ltl {}", claim.name),
                kind: Kind::Ltl,
                verdict: PropertyVerdict::Unknown,
                line: None,
                text: None,
                note: Some("ltl formulas are not checked yet".to_owned()),
                error: None,
            },
        };
        entry.line = Some(loaded.sources.line(claim.span));
        list.push(entry);
    }
    list
}

fn property(name: &str, requirement: Requirement, decided: &Decided) -> Property {
    let error = decided.found.iter().position(|found| found.requirement == requirement);
    let verdict = match error {
        Some(_) => PropertyVerdict::Violated,
        None if decided.decided(requirement) => PropertyVerdict::Holds,
        None => PropertyVerdict::Unknown,
    };
    Property {
        name: name.to_owned(),
        kind: kind(requirement),
        verdict,
        line: None,
        text: None,
        note: None,
        error,
    }
}

/// What is required of every program; what can only fail where a construct is
/// used is listed when it does fail.
fn general(program: &Program, decided: &Decided) -> Vec<(&'static str, Requirement)> {
    let breach = Requirement::Breach;
    let mut list = vec![
        ("no assertion fails", breach(Breach::Assertion)),
        ("no deadlock", Requirement::Deadlock),
        ("no bad index", breach(Breach::Index)),
        ("no division by zero", breach(Breach::DivisionByZero)),
        ("no bad channel", breach(Breach::Channel)),
    ];
    if program.trace.is_some() {
        list.push(("event trace", breach(Breach::TraceAssertion)));
    }
    if program.proctypes.iter().any(|proctype| proctype.deterministic) {
        list.push(("D_proctypes are deterministic", breach(Breach::Nondeterminism)));
    }
    if decided.runs.iter().any(|run| run.rules.queues_empty_at_end) {
        list.push(("no message left", Requirement::MessagesLeft));
    }
    let rare = [
        ("fields of messages fit", breach(Breach::Arity)),
        ("atomic sequences end", breach(Breach::EndlessAtomic)),
        ("no bad reference", breach(Breach::Reference)),
    ];
    let failed = |r: &Requirement| decided.found.iter().any(|found| found.requirement == *r);
    list.extend(rare.into_iter().filter(|(_, requirement)| failed(requirement)));
    list
}
