//! Observers: assertions as machines that watch (Holzmann 1987, section 5). An observer does
//! not choose; it is in the *set* of all states its assertion could be in. A
//! sighting in its scope moves the set; an empty set is a violation.

use crate::{Action, Direction, Machine, Sighting, StateId};
use base::{define_id, reach};
use std::collections::BTreeSet;

define_id!(
    /// An observer: one per assertion, in declaration order.
    ObserverId, "a"
);

/// An assertion ready to watch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observer {
    machine: Machine,
    text: String,
    scope: BTreeSet<Sighting>,
    ends: bool,
}

impl Observer {
    /// The observer that runs `machine`; `text` is its body as the user wrote it.
    pub fn new(machine: Machine, text: &str) -> Self {
        let scope = machine.edges.iter().filter_map(|edge| edge.action.sighting()).collect();
        let ends = machine.reachable()[base::Id::index(machine.end)];
        Self { machine, text: text.to_owned(), scope, ends }
    }

    /// The same observer on an equivalent machine.
    pub(crate) fn with_machine(&self, machine: Machine) -> Self {
        Self::new(machine, &self.text)
    }

    /// Its machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Its body as the user wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Every sighting its body names. All others it ignores.
    pub fn scope(&self) -> &BTreeSet<Sighting> {
        &self.scope
    }

    /// Whether its end can be reached at all. If not (an endless `do`), stopping
    /// early cannot be held against a run.
    pub fn ends(&self) -> bool {
        self.ends
    }

    /// The set before anything was seen.
    pub fn initial(&self) -> BTreeSet<StateId> {
        self.closure(BTreeSet::from([self.machine.start]))
    }

    /// The set after one sighting in scope.
    pub fn after(&self, set: &BTreeSet<StateId>, seen: Sighting) -> BTreeSet<StateId> {
        let edges = set.iter().flat_map(|state| self.machine.edges_from(*state));
        let next = edges.filter(|(_, edge)| edge.action.sighting() == Some(seen));
        self.closure(next.map(|(_, edge)| edge.to).collect())
    }

    /// Adds what `skip` edges reach: the assertion makes those moves unseen.
    fn closure(&self, set: BTreeSet<StateId>) -> BTreeSet<StateId> {
        reach(set, |state| {
            let edges = self.machine.edges_from(state).map(|(_, edge)| edge);
            edges.filter(|edge| edge.action == Action::Skip).map(|edge| edge.to)
        })
    }
}

impl Action {
    /// What an observer sees of it by its text alone. A default receive is seen
    /// as the receive of what it takes, which only the run knows.
    pub fn sighting(&self) -> Option<Sighting> {
        match *self {
            Action::Send(channel, message, _) => {
                Some(Sighting { direction: Direction::Send, channel, message })
            }
            Action::Receive(channel, message, _) => {
                Some(Sighting { direction: Direction::Receive, channel, message })
            }
            _ => None,
        }
    }
}
