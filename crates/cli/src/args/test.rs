//! What can be typed behind `argos test`.

use super::outputs::ConfigArguments;
use super::{LookArguments, ProgressForm};
use crate::quantity::{bytes, place, seconds};
use clap::Args;

#[derive(Args)]
pub(crate) struct TestArguments {
    /// Models, or folders with models; the current folder if there is none
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Run only tests whose line in the table contains this
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,
    /// Number of models checked at the same time; as many as there are processors if not given
    #[arg(long, short, value_name = "N", value_parser = place)]
    pub(crate) jobs: Option<usize>,
    /// Time limit of each test without one of its own, such as 30s
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    pub(crate) time: Option<f64>,
    /// Memory limit of all tests together, such as 8G; three quarters of the free memory if not
    /// given
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub(crate) memory: Option<u64>,
    /// Show progress on standard error; json: one JSON object per line, for other programs
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) progress: ProgressForm,
    /// Write the results as JUnit test cases, one per test
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<String>,
    /// In a GitHub workflow: annotate expectations that are not met
    #[arg(long)]
    pub(crate) github: bool,
    /// Print the first line and tests that fail, not those that pass
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) config: ConfigArguments,
    #[command(flatten)]
    pub(crate) look: LookArguments,
}
