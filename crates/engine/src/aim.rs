//! How far a state of a network is from violating an assertion.
//!
//! An assertion is violated by a message that it does not allow where it stands. The estimate is
//! the number of edges that some machine has to take until it sends or receives a message
//! that its observer sees, and, while the observer allows that one, the number of further
//! messages it has to see before there is one that it does not allow. Guards, the contents
//! of channels and what other machines have to do meanwhile are not looked at.

use automata::reference::World;
use automata::{Action, Direction, Machine, MachineId, Network, Observer, Sighting, StateId};
use base::{Id, IdVec};
use std::collections::{BTreeSet, HashMap};
use system::FAR;

/// Of an observer's sets so many are looked at; of others nothing is known.
const SETS_MAX: usize = 4096;

/// What the assertions of a network do not allow, and how far that is.
pub(crate) struct Aim {
    observers: Vec<Watcher>,
}

/// One observer.
struct Watcher {
    /// For each message it sees: for each machine and state how many edges are taken until it
    /// is seen, that edge included.
    seen: Vec<IdVec<MachineId, Vec<u32>>>,
    /// The sets it can be in, numbered, and for each of them how many messages have to be seen
    /// further on if this one is seen now; none if it is not allowed.
    sets: HashMap<BTreeSet<StateId>, usize>,
    further: Vec<Vec<u32>>,
}

impl Aim {
    pub(crate) fn new(network: &Network) -> Self {
        Self { observers: network.observers.iter().map(|o| Watcher::new(network, o)).collect() }
    }

    /// The distance of a world from the nearest violation.
    pub(crate) fn distance(&self, world: &World) -> u32 {
        let each = self.observers.iter().zip(&world.seen).map(|(o, set)| o.distance(world, set));
        if self.observers.is_empty() { 0 } else { each.min().unwrap_or(FAR) }
    }
}

impl Watcher {
    fn new(network: &Network, observer: &Observer) -> Self {
        let scope: Vec<Sighting> = observer.scope().iter().copied().collect();
        let all = |seen: &Sighting| network.machines.iter().map(|m| until(m, *seen)).collect();
        let seen = scope.iter().map(all).collect();
        let (sets, next) = subsets(observer, &scope);
        let further = further(&next);
        Self { seen, sets, further }
    }

    fn distance(&self, world: &World, set: &BTreeSet<StateId>) -> u32 {
        let known = self.sets.get(set).map(|number| &self.further[*number]);
        let by = |(at, machines): (usize, &IdVec<MachineId, Vec<u32>>)| {
            let edges = machines.iter_ids().map(|(id, edges)| edges[world.at[id].index()]).min();
            let further = known.map_or(0, |further| further[at]);
            edges.unwrap_or(FAR).saturating_add(further).min(FAR)
        };
        self.seen.iter().enumerate().map(by).min().unwrap_or(FAR)
    }
}

/// For each state of a machine how many edges it takes until it does what is `seen`.
fn until(machine: &Machine, seen: Sighting) -> Vec<u32> {
    let does = |action: &Action| match action {
        Action::ReceiveAny(channel) => {
            seen.direction == Direction::Receive && seen.channel == *channel
        }
        action => action.sighting() == Some(seen),
    };
    let mut edges = vec![FAR; machine.states.len()];
    loop {
        let before = edges.clone();
        for state in machine.states.ids() {
            let behind = machine.edges_from(state).map(|(_, edge)| match does(&edge.action) {
                true => 1,
                false => before[edge.to.index()].saturating_add(1).min(FAR),
            });
            let nearest = behind.min().unwrap_or(FAR);
            edges[state.index()] = nearest.min(before[state.index()]);
        }
        if edges == before {
            return edges;
        }
    }
}

/// The sets an observer can be in, numbered, and for each the number of the one behind each
/// message; `None` if the message is not allowed.
type Subsets = (HashMap<BTreeSet<StateId>, usize>, Vec<Vec<Option<usize>>>);

fn subsets(observer: &Observer, scope: &[Sighting]) -> Subsets {
    let mut list = vec![observer.initial()];
    let mut numbers = HashMap::from([(observer.initial(), 0)]);
    let mut next: Vec<Vec<Option<usize>>> = Vec::new();
    while let Some(set) = list.get(next.len()).cloned().filter(|_| list.len() <= SETS_MAX) {
        let behind = scope.iter().map(|seen| {
            let after = observer.after(&set, *seen);
            (!after.is_empty()).then(|| {
                *numbers.entry(after.clone()).or_insert_with(|| {
                    list.push(after);
                    list.len() - 1
                })
            })
        });
        next.push(behind.collect());
    }
    numbers.retain(|_, number| *number < next.len());
    (numbers, next)
}

/// For each set and message how many messages have to be seen behind it until one is not
/// allowed; 0 if this one is not. A set beyond the limit counts as near.
fn further(next: &[Vec<Option<usize>>]) -> Vec<Vec<u32>> {
    let mut nearest = vec![FAR; next.len()];
    let behind = |nearest: &[u32], set: Option<usize>| match set {
        None => 0,
        Some(set) => nearest.get(set).copied().unwrap_or(1),
    };
    loop {
        let before = nearest.clone();
        for (set, messages) in next.iter().enumerate() {
            let all = messages.iter().map(|set| behind(&before, *set).saturating_add(1).min(FAR));
            nearest[set] = all.min().unwrap_or(FAR).min(before[set]);
        }
        if nearest == before {
            break;
        }
    }
    next.iter().map(|all| all.iter().map(|set| behind(&nearest, *set)).collect()).collect()
}
