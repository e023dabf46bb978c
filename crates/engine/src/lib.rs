//! From a model to a system that can be searched: networks here, PROMELA programs in
//! [`program`]. Each has a packed form ([`pack`]), executed by closures or machine code, and
//! the reference interpreter, which answers for the states that the packed form gives up and
//! is the judge of it. Both list the same successors in the same order.

mod accesses;
mod aim;
mod anatomy;
mod layout;
mod lowered;
pub mod program;
mod reference;
mod room;
mod symmetry;

pub use anatomy::has_part;
pub use layout::Layout;
pub use lowered::{Form, PackedNetwork, pack, pack_within, system};
pub use reference::{Reference, ReferenceNetwork};
pub use room::Rooms;
pub use symmetry::Exchange;

use automata::reference::World;
use automata::{Action, MachineId, Network};
use base::Id;
use system::{StepKind, System, Word};

/// In which order machines are asked for their steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// As declared.
    Declared,
    /// The last declared first, as SPIN's verifier does.
    YoungestFirst,
}

impl Order {
    fn machines(self, network: &Network) -> Vec<MachineId> {
        let mut machines: Vec<MachineId> = network.machines.ids().collect();
        if self == Order::YoungestFirst {
            machines.reverse();
        }
        machines
    }
}

/// A system whose states can be read as worlds of its network.
pub trait Readable: System {
    /// The world these words stand for.
    fn world(&self, words: &[Word]) -> World;
}

fn step_kind(action: &Action) -> StepKind {
    match action {
        Action::Skip | Action::Condition(_) | Action::Assign(..) => StepKind::Internal,
        Action::Receive(..) | Action::ReceiveAny(_) => StepKind::Receive,
        Action::Send(..) => StepKind::Send,
        Action::Timeout(_) => StepKind::Timeout,
    }
}

/// The number of a machine as searches know it.
fn agent(machine: MachineId) -> u32 {
    u32::try_from(machine.index()).expect("ids have 32 bits")
}
