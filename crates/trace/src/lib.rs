//! From a trail (bare steps of a search) to a scenario: re-executed by the
//! reference interpreter on the un-minimised machines, with names, lines,
//! message matches and changes, so that every output shows the same run.

mod explain;
mod recorder;
mod replay;
mod scenario;
mod statement;
mod wait;

pub use explain::{Explanation, explain};
pub use recorder::{Recorder, snapshot};
pub use replay::{Ending, Mismatch, Replayed, Trail, ending, replay};
pub use scenario::{Changes, Event, EventKind, Scenario, Snapshot, Wait};
pub use statement::statement;
pub use wait::{blocked_because, waits};
