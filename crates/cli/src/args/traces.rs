//! What can be typed behind `argos traces`.

use super::{LookArguments, ModelArguments};
use crate::quantity::{bytes, place, positive, seconds, whole};
use clap::{Args, ValueEnum};
use pipeline::Options;

#[derive(Args)]
pub(crate) struct TracesArguments {
    /// The model; - reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// Instead of violations: runs to the first state in which this holds, drawn at random
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) until: Option<String>,
    /// With --until: how many distinct runs
    #[arg(long, value_name = "N", default_value = "10", value_parser = positive,
          requires = "until")]
    pub(crate) runs: u32,
    /// With --until: seed of the first run; the others count up from it
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole, requires = "until")]
    pub(crate) seed: u64,
    /// With --until: maximum number of steps of a run
    #[arg(long, value_name = "N", default_value = "1000", value_parser = place,
          requires = "until")]
    pub(crate) length: usize,
    /// Only violations of these kinds, as assertion or deadlock (may be repeated)
    #[arg(long, value_name = "KIND", conflicts_with = "until", value_parser = kind)]
    pub(crate) kind: Vec<report::Kind>,
    /// Depth bound of the search for violations, in steps
    #[arg(long, value_name = "N", value_parser = whole)]
    pub(crate) depth: Option<u64>,
    /// Memory limit, such as 500M or 8G
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub(crate) memory: Option<u64>,
    /// Time limit, such as 30s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(crate) time: Option<f64>,
    /// How each run is written
    #[arg(long, value_enum, default_value = "json", value_name = "FORMAT")]
    pub(crate) format: TraceFormat,
    /// Write numbered files into this folder instead of standard output
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<String>,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) look: LookArguments,
}

/// How a run is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraceFormat {
    /// As `argos check --trace` saves it, for `argos replay` and `argos sim --follow`
    Json,
    /// As on a screen
    Text,
    /// What its printf statements print, and nothing else
    Printf,
    /// The Informal Trace Format of Apalache and Quint
    Itf,
}

/// A kind of error, as the JSON of a report names it.
fn kind(text: &str) -> Result<report::Kind, String> {
    let kind = serde_json::from_value(serde_json::Value::from(text));
    kind.map_err(|_| "write a kind of errors in the JSON, as assertion or deadlock".to_owned())
}

impl TracesArguments {
    pub(crate) fn options(&self) -> Options {
        let until = self.until.iter().cloned().collect();
        let (depth, memory, time) = (self.depth, self.memory, self.time);
        let all_errors = self.until.is_none();
        Options { until, depth, memory, time, all_errors, ..self.model.options() }
    }
}
