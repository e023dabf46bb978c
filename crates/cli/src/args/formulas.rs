//! What is required beside what the model says.

use crate::about::words;
use clap::Args;
use pipeline::{Check, Options};

#[derive(Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct FormulaArguments {
    /// Check this formula too, as '[] (x < 4)' or 'NAME: [] (x < 4)'; repeatable
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    ltl: Vec<String>,
    /// Check the formulas in this file too, one per line or as ltl NAME { FORMULA }
    #[arg(long = "ltl-file", value_name = "FILE")]
    ltl_files: Vec<String>,
    /// Check that this holds in every reachable state, as 'x < 4 && len(q) <= 1' or
    /// 'NAME: x < 4'; repeatable
    #[arg(long = "invariant", value_name = "EXPR", allow_hyphen_values = true)]
    invariants: Vec<String>,
    /// Look for a reachable state in which this holds, and show a run to it; repeatable. That none
    /// is reachable is no violation: see --fail-on cover
    #[arg(long = "cover", value_name = "EXPR", allow_hyphen_values = true)]
    covers: Vec<String>,
    /// Argos: follow only runs that this assertion allows, such as "assert 1" or 1, and show one that
    /// comes to its end: can the protocol perform this service? Nothing else is decided
    #[arg(long, value_name = "NAME")]
    within: Option<String>,
    /// Argos: look for this, too (may be repeated). livelock: a cycle in which no message is sent
    /// or received and no process is at a label that begins with progress
    #[arg(long = "check", value_name = "WHAT", value_parser = words(Check::ALL, Check::word))]
    checks: Vec<Check>,
}

impl FormulaArguments {
    pub(super) fn on(&self, options: Options) -> Options {
        let (ltl, ltl_files) = (self.ltl.clone(), self.ltl_files.clone());
        let (invariants, covers) = (self.invariants.clone(), self.covers.clone());
        let (checks, within) = (self.checks.clone(), self.within.clone());
        Options { ltl, ltl_files, invariants, covers, checks, within, ..options }
    }
}
