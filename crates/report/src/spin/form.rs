//! What of a run is printed: SPIN's flags for simulations and replays.

use std::collections::BTreeSet;

/// What of a run is printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Form {
    /// `-p`: each statement.
    pub statements: bool,
    /// `-g`: global variables as they are assigned.
    pub globals: bool,
    /// `-l`: local variables as they are assigned.
    pub locals: bool,
    /// `-s`: sends.
    pub sends: bool,
    /// `-r`: receives.
    pub receives: bool,
    /// `-c`: messages in a column per process.
    pub columns: bool,
    /// `-T`: what is printed is not indented.
    pub flush_left: bool,
    /// `-b`: nothing a model prints is shown.
    pub silent: bool,
    /// `-B`: the final state is not shown.
    pub no_final_state: bool,
    /// `-jN`: nothing is shown of the first steps.
    pub skip: u64,
    /// `-uN`: the run ends after so many steps.
    pub steps_max: Option<u64>,
    /// `-qN`: messages of these channels are not shown.
    pub hidden_queues: BTreeSet<usize>,
}
