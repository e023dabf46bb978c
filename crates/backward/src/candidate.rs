//! Potential error states (Holzmann 1984, section 2): what they are called, and where a backward
//! search for each begins.

use crate::belief::{Belief, Queue};
use crate::invariant::Invariants;
use crate::net::{Action, Machine, Net, World};
use crate::reverse::Reverse;
use crate::solve::TooMany;
use automata::{MachineId, StateId};
use indexmap::IndexSet;
use model::{ChannelId, MessageId};
use search::{Progress, Watch};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// More beginnings than this are too many.
const SEEDS_MAX: usize = 200_000;
/// More deadlock candidates than this are too many.
const DEADLOCKS_MAX: usize = 200_000;

/// After so many contents of channels a belief is taken for possible.
const NAMED_MAX: usize = 500;

/// A kind of error state. A state may be of several kinds.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Suspect {
    /// No machine can move, the channels are empty, and this is where the machines are.
    Deadlock(Vec<StateId>),
    /// Nothing can move, and a machine waits while a message is at the head of a channel
    /// it reads that it does not take there.
    Reception(MachineId, StateId, ChannelId, MessageId),
    /// Nothing can move, and a message is at the head of a channel that nobody reads now.
    Unread(ChannelId, MessageId),
    /// Nothing can move, and every machine that is not at a proper end waits only to send;
    /// this machine is one of them.
    BlockedSend(MachineId, StateId),
    /// A state that somebody asked for.
    Target,
}

/// Why no search was needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ruled {
    /// A machine never comes to the place it would have to be at.
    Place,
    /// No values of the variables let everybody wait there.
    Values,
    /// A sum that never changes would have changed.
    Invariant,
    /// Every state to begin with was shown unreachable for another candidate.
    Shared,
}

/// A potential error and the claims to begin with.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) suspect: Suspect,
    pub(crate) seeds: Vec<Belief>,
    pub(crate) ruled: Option<Ruled>,
    /// There are more claims to begin with than can be told apart.
    pub(crate) open: bool,
}

impl Candidate {
    pub(crate) fn new(suspect: Suspect, seeds: Vec<Belief>) -> Self {
        Self { suspect, seeds, ruled: None, open: false }
    }
}

/// Lists the candidates of a net.
pub(crate) struct Lister<'r, 'a> {
    pub(crate) reverse: &'r Reverse<'a>,
    pub(crate) invariants: Option<&'r Invariants>,
    /// Who may say that it takes too long.
    pub(crate) watch: RefCell<&'r mut dyn Watch>,
}

impl Lister<'_, '_> {
    /// Whether there is time to go on.
    fn lasts(&self) -> Result<(), TooMany> {
        let stop = self.watch.borrow_mut().tick(&Progress::default());
        stop.map_or(Ok(()), |_| Err(TooMany))
    }

    fn net(&self) -> &Net {
        self.reverse.net
    }

    fn allowed(&self, belief: &Belief) -> bool {
        self.invariants.is_none_or(|invariants| invariants.allow(belief))
    }

    /// The product of the places where each machine can wait for ever beside empty
    /// channels, but for the combinations that are proper ends.
    pub(crate) fn deadlocks(&self) -> Result<Vec<Candidate>, TooMany> {
        let waits: Vec<Vec<StateId>> = self.net().machines.ids().map(|id| self.waits(id)).collect();
        let product = waits.iter().try_fold(1_usize, |all, list| all.checked_mul(list.len()));
        if product.is_none_or(|product| product > DEADLOCKS_MAX) {
            return Err(TooMany);
        }
        let mut vectors = vec![Vec::new()];
        for list in &waits {
            let longer = |at: &Vec<StateId>| -> Vec<Vec<StateId>> {
                list.iter().map(|state| [at.as_slice(), &[*state]].concat()).collect()
            };
            vectors = vectors.iter().flat_map(longer).collect();
        }
        vectors.retain(|at| !proper(self.net(), at, true));
        vectors.into_iter().map(|at| self.deadlock(at)).collect()
    }

    /// Where a machine can wait for ever while all channels are empty.
    fn waits(&self, id: MachineId) -> Vec<StateId> {
        let waits = |state: &StateId| {
            let placed = self.reverse.placed(self.silent(), id, *state);
            placed.is_some_and(|belief| {
                // Too many values to tell is no reason to leave a state out.
                self.reverse.stuck(&belief, id, true).map_or(true, |cases| !cases.is_empty())
            })
        };
        self.net().machines[id].states.ids().filter(waits).collect()
    }

    /// All channels are empty.
    fn silent(&self) -> Belief {
        let mut belief = self.reverse.anything();
        belief.queues.iter_mut().for_each(|queue| *queue = Queue::default());
        belief
    }

    fn deadlock(&self, at: Vec<StateId>) -> Result<Candidate, TooMany> {
        self.lasts()?;
        let suspect = Suspect::Deadlock(at.clone());
        let ruled =
            |ruled| Candidate { ruled: Some(ruled), ..Candidate::new(suspect.clone(), Vec::new()) };
        let places: Vec<(MachineId, &StateId)> = self.net().machines.ids().zip(&at).collect();
        if !places.iter().all(|(id, state)| self.reverse.flow.reached(*id, **state)) {
            return Ok(ruled(Ruled::Place));
        }
        let placed = places
            .into_iter()
            .try_fold(self.silent(), |belief, (id, state)| self.reverse.placed(belief, id, *state));
        let Some(placed) = placed else { return Ok(ruled(Ruled::Values)) };
        let Ok(mut seeds) = self.reverse.blocked(placed, true) else {
            return Ok(Candidate { open: true, ..Candidate::new(suspect, Vec::new()) });
        };
        if seeds.is_empty() {
            return Ok(ruled(Ruled::Values));
        }
        seeds.retain(|seed| self.allowed(seed));
        if seeds.is_empty() {
            return Ok(ruled(Ruled::Invariant));
        }
        Ok(Candidate::new(suspect, seeds))
    }

    /// Everything that can be blocked while some channel is not empty.
    pub(crate) fn others(&self) -> Result<Vec<Candidate>, TooMany> {
        let mut seeds: BTreeMap<Suspect, IndexSet<Belief>> = BTreeMap::new();
        for belief in self.blocked()? {
            self.lasts()?;
            for (suspect, seed) in self.suspected(&belief) {
                if self.possible(&seed) {
                    seeds.entry(suspect).or_default().insert(seed);
                }
            }
        }
        let candidate = |(suspect, seeds): (Suspect, IndexSet<Belief>)| {
            Candidate::new(suspect, seeds.into_iter().collect())
        };
        Ok(seeds.into_iter().map(candidate).collect())
    }

    /// Whether some contents of the channels agree with the invariants, which say nothing
    /// about messages that are not named. The search goes on from the belief as it is:
    /// from all contents one by one it was longer on most protocols.
    fn possible(&self, seed: &Belief) -> bool {
        if self.invariants.is_none() {
            return true;
        }
        let (mut open, mut looked) = (vec![seed.clone()], 0);
        while let Some(belief) = open.pop() {
            looked += 1;
            if !self.allowed(&belief) {
                continue;
            }
            match self.reverse.named(&belief) {
                Some(cases) if looked < NAMED_MAX => open.extend(cases),
                _ => return true,
            }
        }
        false
    }

    /// Every way in which nothing can move, machine by machine.
    fn blocked(&self) -> Result<Vec<Belief>, TooMany> {
        let mut cases = vec![self.reverse.anything()];
        for machine in self.net().machines.ids() {
            let mut stuck = Vec::new();
            for case in &cases {
                self.lasts()?;
                stuck.extend(self.reverse.stuck(case, machine, true)?);
                if stuck.len() > SEEDS_MAX {
                    return Err(TooMany);
                }
            }
            stuck.retain(|case| self.allowed(case));
            cases = stuck;
        }
        Ok(cases)
    }

    /// What a blocked belief can be an error of while a channel is not empty.
    fn suspected(&self, belief: &Belief) -> Vec<(Suspect, Belief)> {
        let net = self.net();
        let at: Vec<StateId> = belief.at.iter().map(|place| place.states()[0]).collect();
        let stuck = stuck(net, &at);
        if stuck.is_empty() || belief.queues.iter().all(Queue::is_empty) {
            return Vec::new();
        }
        if stuck.iter().all(|(id, state)| only_sends(net, *id, *state)) {
            let suspects = stuck.iter().map(|(id, state)| Suspect::BlockedSend(*id, *state));
            return suspects.map(|suspect| (suspect, belief.clone())).collect();
        }
        let mut list = Vec::new();
        for channel in net.channels.ids() {
            if belief.queues[channel].claims.is_empty() {
                continue;
            }
            for (machine, state) in readers(net, &at, channel) {
                let seeds = headed(belief, channel).into_iter();
                list.extend(seeds.map(|(message, seed)| {
                    (Suspect::Reception(machine, state, channel, message), seed)
                }));
            }
        }
        if !list.is_empty() {
            return list;
        }
        let filled = net
            .channels
            .ids()
            .filter_map(|channel| Some((channel, self.reverse.filled(belief.clone(), channel)?)));
        let unread = filled.flat_map(|(channel, belief)| {
            let seeds = headed(&belief, channel).into_iter();
            seeds.map(move |(message, seed)| (Suspect::Unread(channel, message), seed))
        });
        unread.collect()
    }
}

/// The belief once for each message that can be the oldest of a channel.
fn headed(belief: &Belief, channel: ChannelId) -> Vec<(MessageId, Belief)> {
    let Some(oldest) = belief.queues[channel].claims.first() else { return Vec::new() };
    let case = |message: &MessageId| {
        let mut case = belief.clone();
        case.queues[channel].claims[0].names = vec![*message];
        (*message, case)
    };
    oldest.names.iter().map(case).collect()
}

/// The machines that are not at a proper end while some channel is not empty.
fn stuck(net: &Net, at: &[StateId]) -> Vec<(MachineId, StateId)> {
    let places = net.machines.iter_ids().zip(at);
    let proper =
        |machine: &Machine, state: StateId| state == machine.end || machine.states[state].resting;
    let stuck = places.filter(|((_, machine), state)| !proper(machine, **state));
    stuck.map(|((id, _), state)| (id, *state)).collect()
}

fn only_sends(net: &Net, id: MachineId, state: StateId) -> bool {
    let mut edges = net.machines[id].edges_from(state).peekable();
    let buffered = |action: &Action| match action {
        Action::Send(channel, ..) => !net.is_rendezvous(*channel),
        _ => false,
    };
    edges.peek().is_some() && edges.all(|(_, edge)| buffered(&edge.action))
}

/// The machines that receive from `channel` where they are.
fn readers(net: &Net, at: &[StateId], channel: ChannelId) -> Vec<(MachineId, StateId)> {
    let places = net.machines.ids().zip(at.iter().copied());
    let reads = |(id, state): &(MachineId, StateId)| {
        let mut edges = net.machines[*id].edges_from(*state);
        edges.any(|(_, edge)| edge.action.receives(channel).is_some())
    };
    places.filter(reads).collect()
}

/// Every kind of error that a world is in which nothing can move; none for a proper end.
pub fn suspects(net: &Net, world: &World) -> Vec<Suspect> {
    let at: Vec<StateId> = world.at.iter().copied().collect();
    let stuck = stuck(net, &at);
    let silent = world.queues.iter().all(Vec::is_empty);
    if proper(net, &at, silent) {
        Vec::new()
    } else if silent {
        vec![Suspect::Deadlock(at)]
    } else if stuck.iter().all(|(id, state)| only_sends(net, *id, *state)) {
        stuck.into_iter().map(|(id, state)| Suspect::BlockedSend(id, state)).collect()
    } else {
        receptions(net, world, &at)
    }
}

/// Whether everybody is at a proper end.
fn proper(net: &Net, at: &[StateId], silent: bool) -> bool {
    net.machines.iter().zip(at).all(|(machine, state)| {
        *state == machine.end
            || machine.states[*state].resting
            || (net.home && silent && *state == machine.start)
    })
}

fn receptions(net: &Net, world: &World, at: &[StateId]) -> Vec<Suspect> {
    let held = world.queues.iter_ids().filter_map(|(id, queue)| Some((id, queue.first()?.name)));
    let held: Vec<(ChannelId, MessageId)> = held.collect();
    let read = held.iter().flat_map(|(channel, message)| {
        let readers = readers(net, at, *channel).into_iter();
        readers.map(|(id, state)| Suspect::Reception(id, state, *channel, *message))
    });
    let read: Vec<Suspect> = read.collect();
    if !read.is_empty() {
        return read;
    }
    held.into_iter().map(|(channel, message)| Suspect::Unread(channel, message)).collect()
}

/// The wait states whose every possible message is taken there: no unspecified
/// reception is possible, by who sends what.
pub(crate) fn safe_waits(reverse: &Reverse<'_>) -> Vec<(MachineId, StateId, ChannelId)> {
    let mut safe = Vec::new();
    for (id, machine) in reverse.net.machines.iter_ids() {
        for state in machine.states.ids() {
            for (channel, sort) in reverse.flow.sorts.iter_ids() {
                let edges = machine.edges_from(state);
                let receives = edges.filter_map(|(_, edge)| edge.action.receives(channel));
                let receives: Vec<_> = receives.collect();
                let certain = receives.iter().filter(|receive| !receive.compares());
                let taken: Vec<MessageId> = certain.flat_map(|r| r.names(sort)).collect();
                if !receives.is_empty() && sort.iter().all(|message| taken.contains(message)) {
                    safe.push((id, state, channel));
                }
            }
        }
    }
    safe
}
