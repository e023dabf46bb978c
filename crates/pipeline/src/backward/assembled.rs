//! Decisions to a report: every run is executed again, every candidate is named.

use super::{BackwardAsked, Hunted};
use crate::Loaded;
use crate::assemble::{self, Facts};
use crate::decide::Found;
use crate::shorten::Length;
use crate::subject::MachineForm;
use ::backward::{Decision, Net, Ruled, Suspect, Verdict};
use automata::{MachineId, StateId};
use base::SourceMap;
use indexmap::IndexMap;
use report::{
    Backward, Candidate, Channel, ErrorEntry, Forward, Kind, Property, PropertyVerdict, Reached,
    Report, SearchEntry, Stats,
};
use search::{FindingKind, Why};
use system::{Blocked, Step};
use trace::{Mismatch, Scenario};

/// The report on a text with errors.
pub(super) fn refused(report: Report) -> Backward {
    let forward = Forward {
        states: 0,
        transitions: 0,
        complete: false,
        found: false,
        errors: IndexMap::new(),
        seconds: 0.0,
    };
    Backward { report, candidates: Vec::new(), forward }
}

/// The report, and our own fault if there is one.
pub(super) fn report(
    facts: &Facts<'_>,
    loaded: &Loaded,
    asked: &BackwardAsked,
    hunted: &Hunted<'_>,
) -> (Backward, Option<String>) {
    let subject = hunted.model.subject();
    let mut report = assemble::blank(facts, loaded);
    let executed = hunted.forward.executed.as_deref();
    report.machines = subject.machines(MachineForm::Written(executed), &loaded.sources);
    report.channels = channels(hunted, loaded);
    let (runs, fault) = replayed(facts, loaded, hunted);
    report.errors = runs.iter().filter_map(|run| run.error.clone()).collect();
    report.warnings.extend(assemble::unspecified(&report.errors, loaded));
    let outcome = &hunted.forward.outcome;
    let searched = std::iter::once((&*hunted.form, outcome));
    report.warnings.extend(assemble::residual(subject, searched, loaded, &|| true));
    let kinds = report.errors.iter().map(|error| error.kind);
    report.stats.errors = assemble::error_counts(kinds, outcome.statistics.residuals);
    let candidates = candidates(facts, loaded, hunted, runs);
    judge(&mut report, asked, hunted);
    let mut backward = Backward { report, candidates, forward: forward(hunted) };
    figures(&mut backward);
    report::phrase_backward(&mut backward, &subject.setting(facts.options));
    (backward, fault)
}

/// The channels as they are where the net begins.
fn channels(hunted: &Hunted<'_>, loaded: &Loaded) -> Vec<Channel> {
    let run = hunted.form.run(&loaded.sources);
    run.map_or_else(
        |_| Vec::new(),
        |mut run| match run.follow(&hunted.model.opening()) {
            Ok(()) => run.channels(),
            Err(_) => Vec::new(),
        },
    )
}

/// The run to a candidate, executed again.
#[derive(Default)]
struct Replayed {
    /// What fails there, if it is no target.
    error: Option<ErrorEntry>,
    scenario: Option<Scenario>,
}

/// The runs to the candidates, and our own fault if one does not lead where it was to.
fn replayed(
    facts: &Facts<'_>,
    loaded: &Loaded,
    hunted: &Hunted<'_>,
) -> (Vec<Replayed>, Option<String>) {
    let mut fault = None;
    let mut replay = |decision: &Decision| {
        if decision.verdict != Verdict::Reachable {
            return Replayed::default();
        }
        let found = hunted.model.trail(decision, hunted.target.as_ref());
        let Some((trail, true)) = found else {
            let words = format!("{:?} is not where its run leads", decision.suspect);
            fault.get_or_insert(words);
            return Replayed::default();
        };
        match replay(facts, loaded, hunted, decision, trail) {
            Ok(replayed) => replayed,
            Err(mismatch) => {
                fault.get_or_insert(mismatch.to_string());
                Replayed::default()
            }
        }
    };
    let runs = hunted.decisions.iter().map(&mut replay).collect();
    (runs, fault)
}

fn replay(
    facts: &Facts<'_>,
    loaded: &Loaded,
    hunted: &Hunted<'_>,
    decision: &Decision,
    trail: Vec<Step>,
) -> Result<Replayed, Mismatch> {
    let sources = &loaded.sources;
    let Some(requirement) = hunted.model.requirement(decision) else {
        let run = hunted.form.run(sources);
        let mut run = run.map_err(|failure| Mismatch::new(0, &failure.message))?;
        run.follow(&trail)?;
        return Ok(Replayed { error: None, scenario: Some(run.scenario()) });
    };
    let found = Found::new(requirement, trail, Length::Shortest);
    let forms = [(&*hunted.form, &hunted.pass)];
    let entries = assemble::error_entries(&[found], &forms, (facts.options, sources), &|| true);
    let mut replayed = Replayed::default();
    for entry in entries {
        let (error, _) = entry?;
        replayed = Replayed { scenario: Some(error.scenario.clone()), error: Some(error) };
    }
    Ok(replayed)
}

fn candidates(
    facts: &Facts<'_>,
    loaded: &Loaded,
    hunted: &Hunted<'_>,
    runs: Vec<Replayed>,
) -> Vec<Candidate> {
    let name = |decision: &Decision| match (&decision.suspect, &facts.options.target) {
        (Suspect::Target, Some(text)) => text.trim().to_owned(),
        (suspect, _) => place(hunted.model.net(), suspect, &loaded.sources),
    };
    let entry = |(index, (decision, run)): (usize, (&Decision, Replayed))| Candidate {
        kind: kind(&decision.suspect),
        place: name(decision),
        verdict: reached(decision.verdict),
        states: decision.states,
        transitions: decision.transitions,
        ruled_out: decision.ruled.map(ruled),
        states_1984: hunted.compared.as_ref().map(|list| list[index]),
        initial: run.scenario.as_ref().map(|run| run.initial.clone()),
        trace: run.scenario.map(|run| run.trace),
    };
    hunted.decisions.iter().zip(runs).enumerate().map(entry).collect()
}

fn reached(verdict: Verdict) -> Reached {
    match verdict {
        Verdict::Reachable => Reached::Reachable,
        Verdict::Unreachable => Reached::Unreachable,
        Verdict::Bound => Reached::Bound,
    }
}

fn ruled(ruled: Ruled) -> String {
    let word = match ruled {
        Ruled::Place => "place",
        Ruled::Values => "values",
        Ruled::Invariant => "invariant",
        Ruled::Shared => "shared",
    };
    word.to_owned()
}

fn kind(suspect: &Suspect) -> String {
    let kind = match suspect {
        Suspect::Deadlock(_) => Kind::Deadlock,
        Suspect::Reception(..) | Suspect::Unread(..) => Kind::UnspecifiedReception,
        Suspect::BlockedSend(..) => Kind::BlockedSend,
        Suspect::Target => return "target".to_owned(),
    };
    assemble::kind_word(kind)
}

/// Where everybody would have to be, in the user's names.
fn place(net: &Net, suspect: &Suspect, sources: &SourceMap) -> String {
    let at = |id: MachineId, state: StateId| standing(net, id, state, sources);
    match suspect {
        Suspect::Deadlock(states) => {
            let places = net.machines.ids().zip(states).map(|(id, state)| at(id, *state));
            places.collect::<Vec<_>>().join(", ")
        }
        Suspect::Reception(id, state, channel, message) => {
            let (channel, message) = (&net.channels[*channel].name, &net.messages[*message].name);
            format!("{message} in {channel}, {}", at(*id, *state))
        }
        Suspect::Unread(channel, message) => {
            let (channel, message) = (&net.channels[*channel].name, &net.messages[*message].name);
            format!("{message} in {channel}, nobody reads it")
        }
        Suspect::BlockedSend(id, state) => at(*id, *state),
        Suspect::Target => String::new(),
    }
}

/// `sender line 12`, `sender at wait`, `sender at its end`.
fn standing(net: &Net, id: MachineId, state: StateId, sources: &SourceMap) -> String {
    let machine = &net.machines[id];
    let body = &machine.states[state];
    match (body.labels.first(), body.span) {
        _ if state == machine.end => format!("{} at its end", machine.name),
        (Some(label), _) => format!("{} at {label}", machine.name),
        (None, Some(span)) => {
            let place = sources.place(sources.statement(span));
            format!("{} line {}", machine.name, place.line)
        }
        (None, None) => format!("{} at {}", machine.name, body.node),
    }
}

fn forward(hunted: &Hunted<'_>) -> Forward {
    let outcome = &hunted.forward.outcome;
    let mut errors: IndexMap<String, u64> = IndexMap::new();
    for finding in &outcome.findings {
        let kind = match finding.kind {
            FindingKind::Blocked(Blocked::Deadlock) => Kind::Deadlock,
            FindingKind::Blocked(Blocked::UnspecifiedReception) => Kind::UnspecifiedReception,
            FindingKind::Blocked(Blocked::BlockedSend) => Kind::BlockedSend,
            FindingKind::Step(system::StepOutcome::Fault) => Kind::DivisionByZero,
            _ => continue,
        };
        *errors.entry(assemble::kind_word(kind)).or_default() += 1;
    }
    Forward {
        states: outcome.statistics.states,
        transitions: outcome.statistics.transitions,
        complete: outcome.complete(),
        found: !outcome.findings.is_empty(),
        errors,
        seconds: hunted.forward.seconds,
    }
}

/// Verdict, completeness and requirements by what was decided backwards alone.
fn judge(report: &mut Report, asked: &BackwardAsked, hunted: &Hunted<'_>) {
    let verdicts = || hunted.decisions.iter().map(|decision| decision.verdict);
    let undecided = hunted.too_many || verdicts().any(|verdict| verdict == Verdict::Bound);
    report.complete = !undecided;
    report.why_incomplete = whys(hunted);
    report.verdict = match verdicts().any(|verdict| verdict == Verdict::Reachable) {
        true => report::Verdict::Violated,
        false if undecided => report::Verdict::Incomplete,
        false => report::Verdict::Holds,
    };
    let required = [
        (asked.scope.deadlocks, "no deadlock", Kind::Deadlock),
        (asked.scope.receptions, "no unspecified reception", Kind::UnspecifiedReception),
        (asked.scope.sends, "no blocked send", Kind::BlockedSend),
    ];
    let required = required.into_iter().filter(|(asked, ..)| *asked && hunted.target.is_none());
    report.properties =
        required.map(|(_, name, kind)| requirement(name, kind, &report.errors, hunted)).collect();
}

/// A requirement with its verdict; the error that breaks it is known by its kind.
fn requirement(name: &str, kind: Kind, errors: &[ErrorEntry], hunted: &Hunted<'_>) -> Property {
    let word = assemble::kind_word(kind);
    let same = hunted.decisions.iter().filter(|d| self::kind(&d.suspect) == word);
    let verdicts: Vec<Verdict> = same.map(|decision| decision.verdict).collect();
    let verdict = if verdicts.contains(&Verdict::Reachable) {
        PropertyVerdict::Violated
    } else if hunted.too_many || verdicts.contains(&Verdict::Bound) {
        PropertyVerdict::Unknown
    } else {
        PropertyVerdict::Holds
    };
    let error = errors.iter().position(|error| error.kind == kind);
    let (line, text, note) = (None, None, None);
    let witness = None;
    Property { name: name.to_owned(), kind, verdict, line, text, note, error, witness }
}

/// Why candidates are undecided, in the words of the contract.
fn whys(hunted: &Hunted<'_>) -> Vec<String> {
    let word = |why: &Why| match why {
        Why::Depth => "depth",
        Why::States => "states",
        Why::Memory => "memory",
        Why::Time => "time",
        Why::Interrupted => "interrupted",
        Why::FirstError | Why::Errors | Why::Lossy | Why::Cache | Why::Partial | Why::Folded => {
            "partial"
        }
    };
    let bound = hunted.decisions.iter().filter(|decision| decision.verdict == Verdict::Bound);
    let words = bound.flat_map(|decision| match decision.why.as_slice() {
        [] => vec!["values"],
        whys => whys.iter().map(word).collect(),
    });
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    words.extend(hunted.too_many.then(|| "candidates".to_owned()));
    words.sort_unstable();
    words.dedup();
    words
}

fn figures(backward: &mut Backward) {
    let states = backward.states();
    let transitions: u64 = backward.candidates.iter().map(|c| c.transitions).sum();
    let report = &mut backward.report;
    let seconds = report.stats.seconds.search.max(1e-9);
    report.stats = Stats {
        states,
        transitions,
        matched: transitions.saturating_sub(states),
        states_per_second: (states as f64 / seconds) as u64,
        seconds: report.stats.seconds.clone(),
        peak_rss_bytes: report.stats.peak_rss_bytes,
        threads: 1,
        errors: std::mem::take(&mut report.stats.errors),
        ..Stats::default()
    };
    let forward = &backward.forward;
    let run = |name: &str, states, transitions, complete| SearchEntry {
        name: name.to_owned(),
        states,
        transitions,
        complete,
        reductions: Vec::new(),
    };
    report.runs = vec![
        run("backward", states, transitions, report.complete),
        run("forward", forward.states, forward.transitions, forward.complete),
    ];
}
