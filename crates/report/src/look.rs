//! How a screen is to look: what the user chose, apart from what is true.

use crate::style::Palette;

/// How a run is written down.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TraceForm {
    /// The papers' columns: one per channel, a line per send or timeout.
    #[default]
    Columns,
    /// A lane per process, an arrow per message.
    Chart,
    /// A line per step with what it changed.
    Steps,
}

/// How a screen is to look.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Look {
    /// What the terminal can do.
    pub palette: Palette,
    /// How the run is written down.
    pub form: TraceForm,
    /// Columns of the channels in the assertions first.
    pub columns_first: bool,
    /// Show a run to its end, not only to the violation (Holzmann 1985, appendix).
    pub to_end: bool,
    /// Only the verdict line.
    pub quiet: bool,
    /// List the warnings.
    pub warnings: bool,
    /// Never leave out the middle of a long run.
    pub whole: bool,
    /// List every search, those of parts too.
    pub explain_search: bool,
    /// Behind a run, what its last state has otherwise than its first.
    pub state: bool,
}
