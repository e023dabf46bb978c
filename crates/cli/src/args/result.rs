//! What `check` prints and writes, and what decides its exit code.

use super::ProgressForm;
use crate::about::words;
use clap::{Args, ValueEnum};
use pipeline::Gate;

/// Where results go.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ResultArguments {
    /// Continue a violating run until it stops
    #[arg(long)]
    pub(crate) to_end: bool,
    /// List the warnings
    #[arg(long)]
    pub(crate) warnings: bool,
    /// List every search, also those of parts before the complete one
    #[arg(long)]
    pub(crate) explain_search: bool,
    /// List what another tool would reject
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) lint: Option<Lint>,
    /// Print the verdict line only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Print one JSON object per model and nothing else
    #[arg(long)]
    pub(crate) json: bool,
    /// Save the run of the first error, for `argos replay` and `argos sim --follow`
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<String>,
    /// Write everything to one HTML file that needs nothing else: verdict, runs to step through,
    /// states, sources
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<String>,
    /// Show progress on standard error
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) progress: ProgressForm,
    /// Exit with 6 if a complete search finds this (comma-separated)
    #[arg(long, value_parser = words(Gate::ALL, Gate::word), value_delimiter = ',', value_name = "WHAT")]
    pub(crate) fail_on: Vec<Gate>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lint {
    /// PROMELA that SPIN 6.5.2 does not accept
    SpinPortable,
}
