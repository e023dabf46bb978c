//! `argos check`: every requirement of a model, in one go.

use crate::assemble::{self, Facts};
use crate::decide::{self, Decided};
use crate::{Host, Loaded, Networks, Options, Source, front};
use base::{Diagnostic, SourceMap};
use report::{Report, Seconds, Verdict};
use std::fmt;

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
        match (&self.internal_error, self.report.verdict) {
            (Some(_), _) => 5,
            (None, Verdict::Holds) => 0,
            (None, Verdict::Violated) => 1,
            (None, Verdict::Error) => 3,
            (None, Verdict::Incomplete) => 4,
        }
    }
}

/// A combination of options that cannot be served; exit code 2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Checks a model. `command` is what the user typed, for the report.
pub fn check(
    source: Source<'_>,
    options: &Options,
    command: &str,
    host: &mut dyn Host,
) -> Result<Checked, Usage> {
    let start = host.seconds();
    let loaded = front::load(source, options, host);
    let parsed = host.seconds();
    let networks = loaded.model.as_ref().map(|model| Networks::new(model, options));
    let compiled = host.seconds();
    let decided = match &networks {
        Some(networks) => Some(search(networks, options, host)?),
        None => None,
    };
    let seconds = Seconds {
        parse: parsed - start,
        compile: compiled - parsed,
        search: host.seconds() - compiled,
        total: host.seconds() - start,
    };
    let facts = Facts { source, options, command, seconds, peak_rss: host.peak_rss_bytes() };
    let (report, internal_error) = match (&networks, &decided) {
        (Some(networks), Some(decided)) => assemble::searched(&facts, &loaded, networks, decided),
        _ => (assemble::refused(&facts, &loaded), None),
    };
    let Loaded { sources, diagnostics, .. } = loaded;
    Ok(Checked { report, diagnostics, sources, internal_error })
}

fn search(networks: &Networks, options: &Options, host: &mut dyn Host) -> Result<Decided, Usage> {
    let memory = options.memory.or(host.memory_bytes_max());
    let limited = Options { memory, ..options.clone() };
    decide::decide(networks, &limited, host).map_err(|refusal| Usage(refusal.to_string()))
}
