//! SPIN's trails: read, followed edge by edge by the reference interpreter, and written.

mod claimed;
mod guide;
mod meaning;
mod merge;
mod trail;

pub use claimed::with_claim;
pub use guide::{
    EdgeRun, Executed, Follower, Lost, Until, Watched, Wrong, follow, retrace, retrace_cycle,
    watched,
};
pub use meaning::Meaning;
pub use trail::{Trail, TrailLine};
