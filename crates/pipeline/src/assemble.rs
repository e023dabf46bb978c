//! Facts to report: every trail is replayed, every requirement gets its verdict,
//! and nothing is said that no search established.

use crate::decide::{Decided, Found, Length, Requirement, Run};
use crate::workflow::Passed;
use crate::{Loaded, Networks, Options, Source, onward, shown, view};
use automata::reference::Rest;
use automata::{Network, ObserverId};
use base::{Diagnostic, Id, Severity, Span};
use indexmap::IndexMap;
use model::{BinaryOp, Expr};
use report::{
    ErrorEntry, Kind, Line, Location, Machine, Property, PropertyVerdict, Report, Stats, Verdict,
};
use search::{CacheFigures, Coverage, Outcome, Why};
use trace::{Ending, Mismatch, Recorder, Replayed};

mod settings;
mod unreached;

pub(crate) use settings::bare as bare_setting;
pub(crate) use settings::setting as full_setting;

/// What the caller knows.
pub(crate) struct Facts<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) options: &'a Options,
    pub(crate) command: &'a str,
    pub(crate) seconds: report::Seconds,
    pub(crate) peak_rss: u64,
}

/// The report on a text with errors.
pub(crate) fn refused(facts: &Facts<'_>, loaded: &Loaded) -> Report {
    let mut report = blank(facts, loaded);
    report.verdict = Verdict::Error;
    report.diagnostics = report::findings(&loaded.errors(), &loaded.sources);
    report::phrase(&mut report, &settings::bare(facts.options));
    report
}

/// The report on a model that was searched, and our own fault if there is one.
pub(crate) fn searched(
    facts: &Facts<'_>,
    loaded: &Loaded,
    networks: &Networks,
    decided: &Decided,
) -> (Report, Option<String>) {
    let mut report = blank(facts, loaded);
    report.machines = machines(networks, decided, loaded);
    report.channels = view::channels(&networks.raw);
    let mut fault = None;
    for found in &decided.found[..decided.shown] {
        match error_entry(facts, loaded, decided, found) {
            Ok(entry) => report.errors.push(entry),
            Err(mismatch) => fault = fault.or(Some(mismatch.to_string())),
        }
    }
    conclude(&mut report, networks, decided, facts.options);
    report.properties = properties(networks, decided, loaded, &report.errors);
    report.unreached = unreached::unreached(networks, decided, loaded);
    let residual = unreached::residual(decided, loaded);
    report.warnings.extend(residual);
    report.remarks.extend(shown::note(decided.found.len() - decided.shown));
    report::phrase(&mut report, &settings::setting(facts.options, loaded, networks));
    (report, fault)
}

/// A report with the facts of the run and nothing found.
pub(crate) fn blank(facts: &Facts<'_>, loaded: &Loaded) -> Report {
    let file = |file: &base::SourceFile| report::Source {
        file: file.name.clone(),
        text: file.text.to_string(),
    };
    Report {
        schema: 1,
        tool: "argos".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        model: facts.source.name.to_owned(),
        model_sha256: loaded.sha256(),
        language: loaded.language,
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
        warnings: report::findings(&noteworthy(facts, loaded), &loaded.sources),
        diagnostics: Vec::new(),
        runs: Vec::new(),
        unreached: Vec::new(),
        stats: Stats {
            seconds: facts.seconds.clone(),
            peak_rss_bytes: facts.peak_rss,
            threads: 1,
            ..Stats::default()
        },
        sources: loaded.sources.files.iter().map(file).collect(),
    }
}

/// The warnings; remarks are for who asked for them.
fn noteworthy(facts: &Facts<'_>, loaded: &Loaded) -> Vec<Diagnostic> {
    let mut list = loaded.warnings();
    list.retain(|d| d.severity == Severity::Warning || facts.options.lint_spin_portable);
    list
}

fn machines(networks: &Networks, decided: &Decided, loaded: &Loaded) -> Vec<Machine> {
    let raw = &networks.raw;
    let executed = unreached::executed(networks, decided);
    let entry = |machine: &automata::Machine, states: usize, assertion: bool, graph| Machine {
        name: machine.name.to_string(),
        states_raw: machine.states.len(),
        states,
        assertion,
        line: loaded.sources.line(machine.span),
        graph,
    };
    let processes = raw.machines.iter_ids().map(|(id, machine)| {
        let fired = |edge: usize| executed[id.index()][edge];
        let graph = view::graph(raw, machine, machine, &loaded.sources, Some(&fired));
        entry(machine, networks.searched.machines[id].states.len(), false, graph)
    });
    let observers = raw.observers.iter_ids().map(|(id, observer)| {
        let machine = observer.machine();
        let graph = view::graph(raw, machine, machine, &loaded.sources, None);
        entry(machine, networks.searched.observers[id].machine().states.len(), true, graph)
    });
    processes.chain(observers).collect()
}

/// Verdict, completeness and figures.
fn conclude(report: &mut Report, networks: &Networks, decided: &Decided, options: &Options) {
    let first = &decided.runs[0];
    let last_complete = decided.runs.iter().all(|run| run.outcome.complete());
    report.complete = last_complete;
    report.why_incomplete = why_incomplete(decided.runs.iter().map(|run| &run.outcome));
    report.verdict = match (decided.found.is_empty(), last_complete) {
        (false, _) => Verdict::Violated,
        (true, true) => Verdict::Holds,
        (true, false) => Verdict::Incomplete,
    };
    report.runs = runs(networks, decided, options);
    figures(report, &first.outcome, error_counts(first, decided));
}

/// The figures of a search (S24), beside what the report knows already.
pub(crate) fn figures(report: &mut Report, outcome: &Outcome, errors: IndexMap<String, u64>) {
    let statistics = &outcome.statistics;
    let seconds = report.stats.seconds.search.max(1e-9);
    let cache = outcome.cache.unwrap_or_default();
    report.stats = Stats {
        states: statistics.states,
        matched: statistics.matched,
        transitions: statistics.transitions,
        depth: statistics.depth,
        truncated: statistics.truncated,
        errors,
        evictions: cache.evictions,
        recreated: cache.recreated,
        cache: outcome.cache.map(|cache| cache_figures(&cache)),
        states_per_second: (statistics.states as f64 / seconds) as u64,
        store_bytes: statistics.store_bytes,
        omitted_expected: match outcome.coverage {
            Coverage::Exact => None,
            Coverage::Hashed { omitted } => Some(omitted),
        },
        bytes_per_state: statistics.store_bytes as f64 / statistics.states.max(1) as f64,
        threads: 1 + statistics.helpers,
        ..report.stats.clone()
    };
}

/// What became of a cache.
fn cache_figures(cache: &CacheFigures) -> report::CacheStats {
    let reached = cache.revisits.unwrap_or_default().reached;
    let again = reached.windows(2).take_while(|pair| pair[0] > 0);
    report::CacheStats {
        states_max: cache.slots,
        recreated_exact: cache.exact,
        explodes: cache.explodes,
        revisits: again.map(|pair| pair[1] as f64 / pair[0] as f64).collect(),
    }
}

/// Why the searches knew less than everything, in the words of the contract.
pub(crate) fn why_incomplete<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Vec<String> {
    let (mut why, mut canonical) = (Vec::new(), true);
    for outcome in outcomes {
        why.extend_from_slice(&outcome.why_incomplete);
        canonical &= outcome.canonical;
    }
    why.sort_unstable();
    why.dedup();
    let word = |why: &Why| match why {
        Why::FirstError => "first-error",
        Why::Errors => "errors",
        Why::Depth => "depth",
        Why::States => "states",
        Why::Memory => "memory",
        Why::Time => "time",
        Why::Interrupted => "interrupted",
        Why::Cache => "cache",
        Why::Lossy => "lossy-store",
        Why::Partial => "partial",
        Why::Folded => "fold",
    };
    let uncanonical = (!canonical).then_some("not-canonical");
    why.iter().map(word).chain(uncanonical).map(str::to_owned).collect()
}

fn runs(networks: &Networks, decided: &Decided, options: &Options) -> Vec<report::Run> {
    let beside = |run: &Run| {
        let all = networks.observers();
        let left_out = all.iter().filter(|id| !run.watching.contains(id));
        let left_out: Vec<&str> =
            left_out.map(|id| networks.raw.observers[*id].machine().name.as_str()).collect();
        match left_out.as_slice() {
            [] => String::new(),
            names => format!(", without {}", names.join(", ")),
        }
    };
    let runs = decided.runs.iter();
    runs.flat_map(|run| {
        let reductions = options.state_reduction(&run.outcome);
        stages(&run.before, (&run.name, &run.outcome), &beside(run), reductions)
    })
    .collect()
}

/// The searches of a run, the one that decided last; `beside` says what it was about.
pub(crate) fn stages(
    before: &[Passed],
    (name, outcome): (&str, &Outcome),
    beside: &str,
    reductions: impl IntoIterator<Item = String>,
) -> Vec<report::Run> {
    let run = |name: &str, states: u64, transitions: u64, complete: bool| report::Run {
        name: format!("{name}{beside}"),
        states,
        transitions,
        complete,
        reductions: Vec::new(),
    };
    let passed = before.iter().map(|p| run(&p.name, p.states, p.transitions, false));
    let statistics = &outcome.statistics;
    let last = run(name, statistics.states, statistics.transitions, outcome.complete());
    let last = report::Run { reductions: reductions.into_iter().collect(), ..last };
    passed.chain([last]).collect()
}

fn error_counts(first: &Run, decided: &Decided) -> IndexMap<String, u64> {
    let mut counts: IndexMap<String, u64> = IndexMap::new();
    for found in &decided.found {
        *counts.entry(kind_word(kind(found.requirement))).or_default() += 1;
    }
    let residuals = first.outcome.statistics.residuals;
    if residuals > 0 {
        counts.insert(kind_word(Kind::Residual), residuals);
    }
    counts
}

/// A kind in the words of the contract.
pub(crate) fn kind_word(kind: Kind) -> String {
    match serde_json::to_value(kind) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

fn kind(requirement: Requirement) -> Kind {
    match requirement {
        Requirement::Assertion(_) => Kind::Assertion,
        Requirement::Deadlock => Kind::Deadlock,
        Requirement::UnspecifiedReception => Kind::UnspecifiedReception,
        Requirement::BlockedSend => Kind::BlockedSend,
        Requirement::DivisionByZero => Kind::DivisionByZero,
    }
}

fn error_entry(
    facts: &Facts<'_>,
    loaded: &Loaded,
    decided: &Decided,
    found: &Found,
) -> Result<ErrorEntry, Mismatch> {
    let run = &decided.runs[found.run];
    let raw = &run.networks.raw;
    let mut replayed = trace::replay(raw, &run.networks.searched, &found.trail, &loaded.sources)?;
    confirm(run, found, &replayed)?;
    let explanation = trace::explain(raw, &replayed, &loaded.sources)
        .ok_or_else(|| mismatch(&replayed, "the run ends well"))?;
    let waits = match replayed.ending {
        Ending::Blocked(
            rest @ (Rest::BlockedSend | Rest::UnspecifiedReception | Rest::Deadlock),
        ) => Some(trace::waits(raw, &replayed.last[1], rest, &loaded.sources)),
        _ => None,
    };
    if facts.options.to_end && matches!(replayed.ending, Ending::Violation(_)) {
        follow_to_end(raw, loaded, &mut replayed);
    }
    let steps = found.trail.len();
    let scenario = replayed.scenario;
    Ok(ErrorEntry {
        kind: kind(found.requirement),
        group: explanation.group,
        message: explanation.message,
        process: explanation.process,
        location: location(loaded, explanation.span),
        steps,
        events: scenario.trace[..steps].iter().filter(|event| event.is_event()).count(),
        length: length_word(found.length).to_owned(),
        replayed: true,
        why: explanation
            .why
            .into_iter()
            .map(|(head, text)| Line { head: head.to_owned(), text })
            .collect(),
        waits,
        unspecified: Vec::new(),
        scenario,
        cycle_start: None,
        choices: Vec::new(),
        rules: report::RunRules::default(),
    })
}

/// The replayed run must end as the search said, or the finding is our fault.
fn confirm(run: &Run, found: &Found, replayed: &Replayed) -> Result<(), Mismatch> {
    let whole = |local: ObserverId| Requirement::Assertion(run.watching[local.index()]);
    let ended = match replayed.ending {
        Ending::Violation(id) | Ending::Blocked(Rest::Violation(id)) => Some(whole(id)),
        Ending::DivisionByZero => Some(Requirement::DivisionByZero),
        Ending::Blocked(Rest::BlockedSend) => Some(Requirement::BlockedSend),
        Ending::Blocked(Rest::UnspecifiedReception) => Some(Requirement::UnspecifiedReception),
        Ending::Blocked(Rest::Deadlock) => Some(Requirement::Deadlock),
        Ending::Blocked(Rest::Proper | Rest::Residual) | Ending::Running => None,
    };
    if ended == Some(found.requirement) {
        Ok(())
    } else {
        Err(mismatch(replayed, "the reference interpreter ends elsewhere"))
    }
}

fn mismatch(replayed: &Replayed, reason: &str) -> Mismatch {
    Mismatch { step: replayed.moves.len(), reason: reason.to_owned() }
}

/// Extends the run to where it rests, the violating step still marked (R4).
fn follow_to_end(raw: &Network, loaded: &Loaded, replayed: &mut Replayed) {
    let mut alone = raw.clone();
    alone.observers = base::IdVec::new();
    let strip = |world: &automata::reference::World| automata::reference::World {
        seen: base::IdVec::new(),
        ..world.clone()
    };
    let onward = onward::to_rest(&alone, &strip(&replayed.last[1]));
    let violating = replayed.moves.len();
    replayed.moves.extend(onward);
    let mut recorder = Recorder::new(&alone, &loaded.sources);
    let mut world = automata::reference::initial(&alone);
    for (index, step) in replayed.moves.iter().enumerate() {
        if let automata::reference::Outcome::World(next) =
            automata::reference::apply(&alone, &world, *step)
        {
            recorder.record(*step, &world, &next, index + 1 == violating);
            world = next;
        }
    }
    replayed.scenario = recorder.finish();
}

/// A place for the report; none is line 0.
pub(crate) fn location(loaded: &Loaded, span: Option<Span>) -> Location {
    match span {
        Some(span) => {
            let place = loaded.sources.place(loaded.sources.statement(span));
            Location { file: place.file, line: place.line, column: place.column }
        }
        None => Location { file: String::new(), line: 0, column: 0 },
    }
}

fn length_word(length: Length) -> &'static str {
    match length {
        Length::Shortest => "shortest",
        Length::FirstFound => "first found",
        Length::OverBudget => "first found; whether there is a shorter one was too much to search",
    }
}

/// Every requirement with its verdict: violated if an error shows it, holds only
/// if a search looked everywhere, else unknown.
fn properties(
    networks: &Networks,
    decided: &Decided,
    loaded: &Loaded,
    errors: &[ErrorEntry],
) -> Vec<Property> {
    let verdict = |requirement: Requirement| {
        let error = decided.found.iter().position(|found| found.requirement == requirement);
        match error {
            Some(_) => (PropertyVerdict::Violated, error.filter(|index| *index < errors.len())),
            None if decided.decided(requirement) => (PropertyVerdict::Holds, None),
            None => (PropertyVerdict::Unknown, None),
        }
    };
    let assertions = networks.raw.observers.iter_ids().map(|(id, observer)| {
        let (verdict, error) = verdict(Requirement::Assertion(id));
        let endless = "its end cannot be reached, so a run that stops early is not held against it";
        Property {
            name: observer.machine().name.to_string(),
            kind: Kind::Assertion,
            verdict,
            line: Some(loaded.sources.line(observer.machine().span)),
            text: Some(observer.text().to_owned()),
            note: (!observer.ends()).then(|| endless.to_owned()),
            error,
        }
    });
    let mut general = vec![
        ("no deadlock", Requirement::Deadlock),
        ("no unspecified reception", Requirement::UnspecifiedReception),
        ("no blocked send", Requirement::BlockedSend),
    ];
    if can_divide(&networks.raw) {
        general.push(("no division by zero", Requirement::DivisionByZero));
    }
    let general = general.into_iter().map(|(name, requirement)| {
        let (verdict, error) = verdict(requirement);
        Property {
            name: name.to_owned(),
            kind: kind(requirement),
            verdict,
            line: None,
            text: None,
            note: None,
            error,
        }
    });
    assertions.chain(general).collect()
}

/// Whether some expression divides by what may be zero.
fn can_divide(network: &Network) -> bool {
    fn divides(expr: &Expr) -> bool {
        match expr {
            Expr::Const(_) | Expr::Var(_) => false,
            Expr::Unary(_, x) => divides(x),
            Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, x, y) => {
                divides(x) || divides(y) || !matches!(**y, Expr::Const(c) if c != 0)
            }
            Expr::Binary(_, x, y) => divides(x) || divides(y),
        }
    }
    let edges = network.machines.iter().flat_map(|machine| &machine.edges);
    edges
        .filter_map(|edge| match &edge.action {
            automata::Action::Condition(e)
            | automata::Action::Assign(_, e)
            | automata::Action::Send(_, _, Some(e)) => Some(e),
            _ => None,
        })
        .any(divides)
}
