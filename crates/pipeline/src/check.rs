//! `argos check`: every requirement of a model, in one go.

use crate::assemble::{self, Facts};
use crate::decide::decide;
use crate::host::{Timed, why};
use crate::subject::Subject;
use crate::{Behind, Host, Loaded, Options, Source, Store, ahead, load, stage, unreached};
use base::{Diagnostic, SourceMap};
use report::{GateVerdict, Kind, Language, Report, Seconds, Verdict};
use search::Stop;
use std::fmt;
use system::Part;
use trace::Requirement;

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Everything that was found out.
    pub report: Report,
    /// Errors and warnings of the text, to be shown with their lines.
    pub diagnostics: Vec<Diagnostic>,
    /// What those point into.
    pub sources: SourceMap,
    /// A trace that the reference interpreter could not re-execute: our fault,
    /// and no verdict may rest on it.
    pub internal_error: Option<String>,
}

impl Checked {
    /// The exit code of the contract.
    pub fn exit_code(&self) -> u8 {
        let is = |verdict| self.report.gates.iter().any(|gate| gate.verdict == verdict);
        match (&self.internal_error, self.report.verdict) {
            (Some(_), _) => 5,
            (None, Verdict::Violated) => 1,
            (None, Verdict::Error) => 3,
            (None, _) if is(GateVerdict::Failed) => 6,
            (None, Verdict::Incomplete) => 4,
            // Nobody passes a gate that nobody looked at.
            (None, _) if is(GateVerdict::Unknown) => 4,
            (None, Verdict::Holds | Verdict::Possible | Verdict::Impossible) => 0,
        }
    }
}

/// A combination of options that cannot be served; exit code 2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Usage(pub String);

impl Usage {
    /// An option that is for the other language.
    pub fn foreign(option: &str, language: Language) -> Self {
        let other = match language {
            Language::Argos => "PROMELA",
            Language::Promela => "Argos",
        };
        Self(format!("{option} is for {other} models and would do nothing here"))
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Checks a model. `command` is what the user typed, for the report.
///
/// # Errors
/// Options that cannot be served.
pub fn check(
    source: Source<'_>,
    options: &Options,
    command: &str,
    host: &mut dyn Host,
) -> Result<Checked, Usage> {
    checked(source, options, None, command, host)
}

/// Checks what lies ahead of the state that a run leads to. The verdict is never that something
/// holds.
///
/// # Errors
/// The run cannot be executed, or nothing can be decided behind it.
pub fn check_ahead(
    source: Source<'_>,
    options: &Options,
    behind: Behind<'_>,
    host: &mut dyn Host,
) -> Result<Checked, Usage> {
    checked(source, &ahead::options(options), Some(behind), "", host)
}

fn checked(
    source: Source<'_>,
    options: &Options,
    behind: Option<Behind<'_>>,
    command: &str,
    host: &mut dyn Host,
) -> Result<Checked, Usage> {
    if let (Some(option), None) = (options.misplaced(source.language), behind) {
        return Err(Usage::foreign(option, source.language));
    }
    if let Some(why) = stage::refused(options, source.language) {
        return Err(Usage(why));
    }
    let start = host.seconds();
    let loaded = load(source, options, host);
    let only_covers = behind.is_some_and(|behind| behind.only_covers);
    let covers = loaded.subject.as_deref().filter(|_| only_covers);
    let covers = covers.map(|subject| ahead::only_covers(&loaded, subject, options));
    let options = covers.as_ref().unwrap_or(options);
    // A text with errors may mean anything.
    let has_part = |part: &Part| loaded.subject.as_ref().is_none_or(|s| s.has_part(part));
    if let Some(why) = stage::unknown_fold(options, &has_part) {
        return Err(Usage(why));
    }
    if let Some(why) = loaded.subject.as_ref().and_then(|s| unknown_name(&**s, &loaded, options)) {
        return Err(Usage(why));
    }
    let parsed = host.seconds();
    let mut clock = Clock { start, parsed, compiled: parsed, first_error: None };
    let (mut report, internal_error) = match loaded.subject.as_deref() {
        None => (assemble::refused(&clock.facts(source, options, command, host), &loaded), None),
        Some(subject) => {
            let wanted = wanted(subject, &loaded, options);
            let limited = limited(options, host);
            let mut watch = Timed::since(start, host, options.time);
            let lasts = || watch.ended().is_none();
            let begin = |behind| ahead::trail(&loaded, options, behind, &lasts);
            let trail = behind.map(begin).transpose()?;
            let mut decided = decide(subject, &limited, wanted, trail.as_deref(), &mut watch)?;
            decided.unreached = unreached::unreached(subject, &decided, &loaded);
            if options.tells_guards {
                let missed = decided.executed();
                let missed = (&mut *decided.unreached, &*missed);
                unreached::explain(subject, &limited, missed, &loaded, &mut watch);
            }
            clock.decided(decided.compiling, decided.first_error);
            let ahead = behind.map(|behind| behind.path.len());
            let facts = Facts { ahead, ..clock.facts(source, options, command, watch.host) };
            assemble::searched(&facts, &loaded, subject, &decided, &watch)
        }
    };
    // Runs have been executed again meanwhile, and put into words.
    report.stats.seconds.total = host.seconds() - start;
    report.stats.peak_rss_bytes = host.peak_rss_bytes();
    let Loaded { sources, diagnostics, .. } = loaded;
    Ok(Checked { report, diagnostics, sources, internal_error })
}

/// What is known of a check whose result nobody can wait for any longer: it began so many seconds
/// ago, and has told its host of these errors ([`Host::found`]).
pub fn unfinished(
    source: Source<'_>,
    options: &Options,
    command: &str,
    (ended, seconds): (Stop, f64),
    errors: &[(Kind, usize)],
) -> Checked {
    let seconds = Seconds { total: seconds, ..Seconds::default() };
    let facts = Facts { source, options, command, seconds, peak_rss: 0, ahead: None };
    Checked {
        report: assemble::unfinished(&facts, why(ended), errors),
        diagnostics: Vec::new(),
        sources: SourceMap::default(),
        internal_error: None,
    }
}

/// The requirements asked for, if not all are.
fn wanted(subject: &dyn Subject, loaded: &Loaded, options: &Options) -> Option<Vec<Requirement>> {
    let required = subject.requirements(options, &loaded.sources, &|_| true).into_iter();
    let wanted = required.filter(|required| options.wants(&required.name));
    (!options.only.is_empty()).then(|| wanted.map(|required| required.requirement).collect())
}

/// A name that is asked for and that no requirement has.
fn unknown_name(subject: &dyn Subject, loaded: &Loaded, options: &Options) -> Option<String> {
    let required = subject.requirements(options, &loaded.sources, &|_| false);
    let named = |only: &&String| {
        let one = Options { only: vec![(*only).clone()], ..Options::default() };
        required.iter().any(|required| one.wants(&required.name))
    };
    let unknown = options.only.iter().find(|only| !named(only))?;
    let names: Vec<&str> =
        required.iter().map(|required| report::subject(&required.name)).collect();
    Some(format!("--only {unknown}: no such requirement; there are: {}", names.join(", ")))
}

/// A bit field has its size from the start, and every state touches three places of it: without
/// `--memory` it gets half of this, which is room for some hundred million states.
const BITSTATE_BYTES: u64 = 1 << 30;

/// The options with the host's memory limit where the user sets none. An error that nobody asked
/// for must not end a search.
fn limited(options: &Options, host: &dyn Host) -> Options {
    let most = host.memory_bytes_max();
    let most = match options.store {
        Store::Bitstate => Some(most.map_or(BITSTATE_BYTES, |most| most.min(BITSTATE_BYTES))),
        _ => most,
    };
    let memory = options.memory.or(most);
    let all_errors = options.all_errors || !options.only.is_empty();
    Options { memory, all_errors, ..options.clone() }
}

/// When the stages of a check ended; `compiled` as if no search had been made before
/// all was compiled.
struct Clock {
    start: f64,
    parsed: f64,
    compiled: f64,
    first_error: Option<f64>,
}

impl Clock {
    /// All searches are over: so much of their time was compiling, then came an error.
    fn decided(&mut self, compiling: f64, first_error: Option<f64>) {
        self.compiled += compiling;
        self.first_error = first_error;
    }

    fn facts<'a>(
        &self,
        source: Source<'a>,
        options: &'a Options,
        command: &'a str,
        host: &dyn Host,
    ) -> Facts<'a> {
        let now = host.seconds();
        let seconds = Seconds {
            parse: self.parsed - self.start,
            compile: self.compiled - self.parsed,
            search: now - self.compiled,
            total: now - self.start,
            first_error: self.first_error.map(|found| found - self.start),
        };
        let peak_rss = host.peak_rss_bytes();
        Facts { source, options, command, seconds, peak_rss, ahead: None }
    }
}
