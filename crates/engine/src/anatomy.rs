//! The parts of the states of a network: for restrictions of a search.

use automata::{Action, Machine, MachineId, Network, StateId};
use base::{Id, IdVec};
use model::{BinaryOp, ChannelId, Expr, VariableId};
use system::{Part, Word};

/// The parts, by name.
pub(crate) struct Insides {
    /// For each state of each machine whether all its transitions are local and it is not a
    /// loop head (Holzmann 1987, section 6).
    local: IdVec<MachineId, Vec<bool>>,
    /// How many messages are in each channel at the start.
    initial: Vec<Word>,
    parts: Vec<(Named, Vec<Piece>)>,
}

/// A piece of a world.
#[derive(Clone, Copy)]
pub enum Piece {
    Location(MachineId),
    Channel(ChannelId),
    Variable(VariableId),
}

/// Something with a name.
enum Named {
    Process(String),
    Channel(String),
    Variable(Option<String>, String),
}

impl Named {
    fn is(&self, part: &Part) -> bool {
        match (self, part) {
            (Named::Process(own), Part::Process(name)) => own == name,
            (Named::Channel(own), Part::Channel(name)) => own == name,
            (Named::Variable(owner, own), Part::Variable { process, name }) => {
                own == name && (process.is_none() || owner == process)
            }
            _ => false,
        }
    }
}

/// Whether worlds of a network have a part.
pub fn has_part(network: &Network, part: &Part) -> bool {
    parts(network).iter().any(|(named, _)| named.is(part))
}

impl Insides {
    pub(crate) fn new(network: &Network) -> Self {
        Self {
            local: local(network),
            initial: network.channels.iter().map(|c| c.initial.len() as Word).collect(),
            parts: parts(network),
        }
    }

    pub(crate) fn is_local(&self, machine: MachineId, state: StateId) -> bool {
        self.local[machine][state.index()]
    }

    /// Whether one of the channels with these lengths holds too much.
    pub(crate) fn is_crowded(&self, lengths: impl Iterator<Item = Word>, most: usize) -> bool {
        lengths.zip(&self.initial).any(|(length, initial)| length > (*initial).max(most as Word))
    }

    /// The pieces of a part; `None` if there is no such part.
    pub(crate) fn pieces(&self, part: &Part) -> Option<Vec<Piece>> {
        let found = self.parts.iter().filter(|(named, _)| named.is(part));
        let known = found.clone().count() > 0;
        known.then(|| found.flat_map(|(_, pieces)| pieces).copied().collect())
    }
}

fn parts(network: &Network) -> Vec<(Named, Vec<Piece>)> {
    let owner = |id: VariableId| network.variables[id].owner.map(|o| MachineId::new(o.index()));
    let mut parts = Vec::new();
    for (id, machine) in network.machines.iter_ids() {
        let own = network.variables.ids().filter(|variable| owner(*variable) == Some(id));
        let pieces = std::iter::once(Piece::Location(id)).chain(own.map(Piece::Variable));
        parts.push((Named::Process(machine.name.to_string()), pieces.collect()));
    }
    for (id, channel) in network.channels.iter_ids() {
        parts.push((Named::Channel(channel.name.to_string()), vec![Piece::Channel(id)]));
    }
    for (id, variable) in network.variables.iter_ids() {
        let process = owner(id).map(|owner| network.machines[owner].name.to_string());
        let named = Named::Variable(process, variable.name.to_string());
        parts.push((named, vec![Piece::Variable(id)]));
    }
    parts
}

/// Where each machine has local transitions only. A cycle of such states would let its machine
/// go round for ever before anybody else moves: at loop heads others move too, and every cycle
/// has one (Holzmann 1985, section III).
fn local(network: &Network) -> IdVec<MachineId, Vec<bool>> {
    let machines = network.machines.iter_ids();
    let states = |id: MachineId, machine: &Machine| {
        let alone = |at: StateId| {
            !machine.states[at].labelled
                && machine.edges_from(at).next().is_some()
                && machine.edges_from(at).all(|(_, edge)| is_own(network, id, &edge.action))
        };
        machine.states.ids().map(alone).collect()
    };
    machines.map(|(id, machine)| states(id, machine)).collect()
}

/// Whether an action touches nothing but what belongs to its machine, and cannot fail.
fn is_own(network: &Network, machine: MachineId, action: &Action) -> bool {
    let owns = |variable: VariableId| {
        network.variables[variable].owner.is_some_and(|owner| owner.index() == machine.index())
    };
    match action {
        Action::Skip => true,
        Action::Condition(expr) => is_safe(expr, &owns),
        Action::Assign(variable, expr) => owns(*variable) && is_safe(expr, &owns),
        Action::Send(..) | Action::Receive(..) | Action::ReceiveAny(_) | Action::Timeout(_) => {
            false
        }
    }
}

/// Whether an expression reads only variables that are owned and never divides by zero.
fn is_safe(expr: &Expr, owns: &dyn Fn(VariableId) -> bool) -> bool {
    match expr {
        Expr::Const(_) => true,
        Expr::Var(variable) => owns(*variable),
        Expr::Unary(_, x) => is_safe(x, owns),
        Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, x, y) => {
            is_safe(x, owns) && matches!(**y, Expr::Const(divisor) if divisor != 0)
        }
        Expr::Binary(_, x, y) => is_safe(x, owns) && is_safe(y, owns),
    }
}
