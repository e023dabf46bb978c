//! SPIN's trails: read, followed edge by edge by the reference interpreter, and written.

mod guide;
mod meaning;
mod merge;
mod trail;

pub use guide::{EdgeRun, Executed, Follower, Lost, Until, Wrong, follow, retrace};
pub use meaning::Meaning;
pub use trail::{Trail, TrailLine};
