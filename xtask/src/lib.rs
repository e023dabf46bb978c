//! Chores of the repository, and what its tests share with them: random PROMELA
//! models and their comparison with SPIN.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to its user")]

pub mod bench;
pub mod conformance;
mod limits;
pub mod needs;
mod ours;
pub mod random;
mod spin;

use std::path::Path;

/// The folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}
