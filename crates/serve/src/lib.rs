//! `argos serve`: a model explored in the browser.
//!
//! ```text
//! browser --HTTP--> Server: gate, bounds ----> a process of its own: answer(operation, body) --> JSON
//!                     |                             |
//!                     +-- files of the page         +-- pipeline: load, simulate, check, graph
//! ```
//!
//! The server keeps nothing of what is explored. A request carries the text of the model and the
//! path of the run, and whatever answers it executes that path once more by the reference
//! interpreter ([`answer`]): so there is no session to lose, to confuse or to fill the memory, and
//! what the page shows is what `argos sim` says.
//!
//! Each request is answered by a process that lives as long as it takes ([`Worker`]). Parsers,
//! reductions and atomic sequences with very many ways through them do not ask the clock, and nothing
//! stops a thread; a process can be ended whatever it is doing, gives all of its memory back, and
//! takes nobody with it. To start one takes some milliseconds.
//!
//! Who may ask is decided before anything is read (`gate`): the address has a secret, and a page of
//! another origin can neither learn it nor use it.

mod answer;
mod files;
mod gate;
mod graph;
mod http;
mod server;
mod wire;
mod worker;

pub use answer::{Model, answer};
pub use server::{Log, Opened, Server};
pub use wire::Operation;
pub use worker::{Limits, Worker};

/// A text longer than this is no model to be explored by hand, and a request carries all of it.
pub const TEXT_BYTES_MAX: usize = http::BODY_MAX / 2;
