//! Communicating state machines. A [`model::Model`] comes in, a [`Network`] goes
//! out: one machine per process, one observer per assertion, minimised or not.
//! The reference interpreter of that network lives here too, because it is what
//! the network *means*; everything faster is judged against it.
//!
//! After Holzmann, "Automated protocol validation in Argos" (1987), section 4.

mod build;
mod minimise;
mod network;
mod observe;
pub mod reference;
pub mod symmetry;
mod text;
mod transit;
mod verify;

pub use build::{BuildOptions, CallRule, build};
pub use minimise::minimise;
pub use network::{
    Action, ActionText, Channel, DefaultRule, Direction, Edge, EdgeId, EndRule, Machine, MachineId,
    Network, Rules, Sighting, State, StateId, TimeoutRule,
};
pub use observe::{Observer, ObserverId};
pub use text::{ReadError, read};
pub use verify::verify;
