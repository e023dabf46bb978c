//! Results for other programs, beside those for people.

use clap::Args;

#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// Write the results as JUnit test cases, one per requirement
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<String>,
    /// Write the findings as SARIF 2.1.0, with their runs as code flows
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<String>,
    /// In a GitHub workflow: annotate the source, and write the summary of the job
    #[arg(long)]
    pub(crate) github: bool,
    #[command(flatten)]
    pub(crate) config: ConfigArguments,
}

#[derive(Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ConfigArguments {
    /// Take defaults from this file, not from the argos.toml beside the model or in a folder
    /// above it, up to that of the repository
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<String>,
}
