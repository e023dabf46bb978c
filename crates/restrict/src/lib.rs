//! Searches that look at less than everything, as systems: each takes a system and is
//! one, so every loop and every store serves them, and none knows of them.
//!
//! - [`Filtered`] drops steps: local transitions first, scatter searching, one step per process
//!   or per state, timeouts last, few messages; or puts them in another order.
//! - [`Folded`] identifies states that differ in a part only.
//! - [`Walks`] follows one random step after the other.
//!
//! After Holzmann, *Tracing Protocols* (1985), sections II and III, and *Protocol Tracing*
//! (1986), sections 2 and 3; local transitions first and foldings after *Automated Protocol
//! Validation in Argos* (1987), section 5. We differ in two points. A step that ends in an error is
//! never dropped: it is known already. And fewer slots per channel are no other model
//! here but steps left out: sends are dropped that would put more messages into a
//! channel, as long as anything else can move. So nothing in this crate can invent an
//! error: every step shown is a step of the system inside, and a state without a step
//! is one there as well.

mod choose;
mod filtered;
mod folded;
mod random;
mod symmetric;
mod walks;

pub use choose::Keep;
pub use filtered::{Filtered, Filters, Reorder};
pub use folded::Folded;
pub use symmetric::Symmetric;
pub use walks::Walks;
