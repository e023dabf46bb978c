//! Packed forms as machine code: the back end that searches use where the host has one.
//!
//! One function per agent, and one per agent that others make offers to. A function reads
//! the words of the state it is asked about, and writes each state that a move leads to
//! straight to where the search will read it. It allocates nothing and calls back only to
//! copy wide states and to move elements of arrays of several words.
//!
//! INVARIANT: code is made only of forms that [`packed::Packed::verify`] passes, so every word it
//! touches is within the state; and it is called only with room for all moves there can
//! be, so it checks no capacity.
//!
//! Without the feature `jit` there is no machine code for any host, no compiler is linked, and
//! [`Lazy`] stays with closures: slower, and nothing else is lost.

#[cfg(not(feature = "jit"))]
mod absent;
#[cfg(feature = "jit")]
mod code;
mod lazy;

#[cfg(not(feature = "jit"))]
pub use absent::{Jit, compile_within};
#[cfg(feature = "jit")]
pub use code::{Jit, compile_within};
pub use lazy::{Lasts, Lazy};

use packed::Packed;
use std::sync::Arc;

/// Compiles a form; none if there is no machine code for this host, or if the form is too
/// large to pay for it.
pub fn compile(packed: &Packed) -> Option<Arc<Jit>> {
    compile_within(packed, &|| true)
}
