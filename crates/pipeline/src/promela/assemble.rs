//! Facts to report, for a program.

use super::decide::{Decided, Run};
use super::ending::{claim_of, problem};
use super::found::{Found, Requirement};
use super::replay::{Replayed, Replayer};
use super::wait::Standstill;
use super::{left, unreached, view};
use crate::assemble::{Facts, blank, figures, location, why_incomplete};
use crate::{Loaded, Options, shown};
use engine::program::Breach;
use indexmap::IndexMap;
use program::reference::{Failure, Rest};
use program::{ClaimKind, Program};
use report::{ErrorEntry, Kind, Line, Property, PropertyVerdict, Report, RunRules, Verdict};
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
    let unpacked = decided.runs.iter().find_map(|run| run.unpacked);
    report.remarks.extend(unpacked.map(|what| Line {
        head: "note".to_owned(),
        text: format!("run by the reference interpreter, which is slower: {what}"),
    }));
    report.warnings.extend(left::unspecified(&report.errors, loaded));
    report.warnings.extend(left::residual(program, decided, loaded));
    report.remarks.extend(shown::note(decided.found.len() - decided.shown));
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
    let last = (run.stage.name.as_str(), &run.outcome);
    crate::assemble::stages(&run.before, last, &beside, None)
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
    let rules = &decided.runs[found.run].rules;
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
    let claim = claim_of(program, rules);
    let message = run.ending(claim).told(loaded).unwrap_or_default();
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
        rules: run_rules(program, decided, found),
    };
    Ok((entry, channels))
}

/// What to say of the rules of a run, so that it can be executed again.
fn run_rules(program: &Program, decided: &Decided, found: &Found) -> RunRules {
    let run = &decided.runs[found.run];
    let counted = decided.runs.first().is_some_and(|first| first.rules.spin_counts);
    RunRules {
        claim: run.claim.map(|index| program.claims[index].name.to_string()),
        wide: run.rules.wide,
        ordinary: counted && !run.rules.spin_counts,
    }
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
        rules: RunRules::default(),
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
