//! Runs of networks: the un-minimised machines of an Argos model, executed by
//! `automata::reference`.

mod channels;
mod explain;
mod glance;
mod onward;
mod recorder;
mod run;
mod statement;
mod wait;

pub use channels::channels;
pub use glance::glance;
pub use run::{Ending, NetworkRun};
pub use statement::statement;
