//! From a network to a system that can be searched. [`Compiled`] packs a state
//! into words ([`Layout`]) and turns every edge into closures; [`Interpreted`]
//! asks the reference interpreter and is the judge of the first. Both list the
//! same successors in the same order.

mod anatomy;
mod closures;
mod compiled;
mod footprints;
mod interpreted;
mod layout;
mod lowered;
pub mod program;

pub use anatomy::has_part;
pub use compiled::Compiled;
pub use interpreted::Interpreted;
pub use layout::Layout;
pub use lowered::lowered;

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
