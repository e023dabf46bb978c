//! SPIN's forms for PROMELA: its trails, its lists of steps, the summary of its
//! verifier. Values in, text out; files are the caller's business.

mod columns;
mod form;
mod guide;
mod meaning;
mod merge;
mod random;
mod steps;
mod summary;
mod trail;
mod verifier;
mod words;

pub use form::Form;
pub use guide::{Lost, Run, follow};
pub use meaning::Meaning;
pub use random::random;
pub use steps::{Ended, replayed};
pub use trail::{Trail, TrailLine};
pub use verifier::{Errors, SpinError, Verification, Verified, verify};
