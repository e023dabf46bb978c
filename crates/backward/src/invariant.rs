//! What never changes: sums over where machines are and how many messages of each
//! kind the channels hold that every step keeps. A state with another sum is
//! unreachable, and no search has to show it. Found as the solutions `y` of
//! `y * C = 0`, with `C` the effect of each edge on each count (the place invariants
//! of Petri nets); a pair of control states that exclude each other is a sum of two.

use crate::belief::{Belief, Place, Queue};
use crate::net::{Action, Edge, Motion};
use crate::order::{Order, orders};
use crate::reverse::Reverse;
use automata::{MachineId, StateId};
use base::IdVec;
use model::{ChannelId, MessageId};
use std::collections::HashMap;

/// Larger networks are not analysed: elimination is cubic.
const COUNTS_MAX: usize = 2000;

/// One thing that is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Count {
    At(MachineId, StateId),
    Held(ChannelId, MessageId),
}

/// A weighted sum of counts that is the same in every reachable state.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Invariant {
    at: IdVec<MachineId, IdVec<StateId, i64>>,
    held: IdVec<ChannelId, HashMap<MessageId, i64>>,
    sum: i64,
}

/// All independent invariants, and what the order of messages says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Invariants {
    list: Vec<Invariant>,
    orders: Vec<Order>,
}

impl Invariants {
    /// Works them out.
    pub(crate) fn new(reverse: &Reverse<'_>) -> Self {
        let counts = counts(reverse);
        let orders = orders(reverse);
        if counts.len() > COUNTS_MAX {
            return Self { list: Vec::new(), orders };
        }
        let number: HashMap<Count, usize> =
            counts.iter().enumerate().map(|(index, count)| (*count, index)).collect();
        let effects = effects(reverse, &number);
        let kept = kernel(&effects, counts.len());
        let list = kept.iter().map(|weights| invariant(reverse, &counts, weights));
        Self { list: list.collect(), orders }
    }

    /// Whether some state of those claimed has every sum right, one at a time.
    pub(crate) fn allow(&self, belief: &Belief) -> bool {
        self.list.iter().all(|invariant| invariant.allows(belief))
            && self.orders.iter().all(|order| order.allows(belief))
    }
}

fn counts(reverse: &Reverse<'_>) -> Vec<Count> {
    let machines = reverse.net.machines.iter_ids();
    let at = machines.flat_map(|(id, machine)| {
        let reached = machine.states.ids().filter(move |state| reverse.flow.reached(id, *state));
        reached.map(move |state| Count::At(id, state))
    });
    let sorts = reverse.flow.sorts.iter_ids();
    let held = sorts.flat_map(|(id, sort)| sort.iter().map(move |m| Count::Held(id, *m)));
    at.chain(held).collect()
}

/// What each step does to the counts; a default receive does one of several things.
fn effects(reverse: &Reverse<'_>, number: &HashMap<Count, usize>) -> Vec<Vec<i64>> {
    let mut all = Vec::new();
    for motion in &reverse.motions {
        for traffic in traffic(reverse, *motion) {
            let mut effect = vec![0; number.len()];
            for (id, body) in reverse.net.edges(*motion) {
                effect[number[&Count::At(id, body.from)]] -= 1;
                effect[number[&Count::At(id, body.to)]] += 1;
            }
            if let Some((channel, message, change)) = traffic {
                effect[number[&Count::Held(channel, message)]] += change;
            }
            all.push(effect);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

type Traffic = Option<(ChannelId, MessageId, i64)>;

fn traffic(reverse: &Reverse<'_>, motion: Motion) -> Vec<Traffic> {
    let Edge { action, .. } = &reverse.net.machines[motion.machine].edges[motion.edge];
    match action {
        Action::Send(channel, message, _) if motion.peer.is_none() => {
            vec![Some((*channel, *message, 1))]
        }
        Action::Receive(receive) => {
            let taken = receive.names(&reverse.flow.sorts[receive.channel]).into_iter();
            taken.map(|message| Some((receive.channel, message, -1))).collect()
        }
        _ => vec![None],
    }
}

/// A basis of the weights under which every effect sums to zero. Whole numbers all
/// the way; a row whose numbers grow too large is dropped, which only loses it.
fn kernel(effects: &[Vec<i64>], counts: usize) -> Vec<Vec<i64>> {
    let row = |count: usize| {
        let mut row: Vec<i64> = effects.iter().map(|effect| effect[count]).collect();
        row.extend((0..counts).map(|other| i64::from(other == count)));
        row
    };
    let mut rows: Vec<Vec<i64>> = (0..counts).map(row).collect();
    for column in 0..effects.len() {
        let with = rows.iter().enumerate().filter(|(_, row)| row[column] != 0);
        // The shortest row keeps numbers small.
        let short = with.min_by_key(|(_, row)| row.iter().filter(|x| **x != 0).count());
        let Some(pivot) = short.map(|(index, _)| index) else { continue };
        let pivot = rows.swap_remove(pivot);
        rows = rows.into_iter().filter_map(|row| eliminated(row, &pivot, column)).collect();
    }
    rows.into_iter().map(|row| row[effects.len()..].to_vec()).collect()
}

fn eliminated(row: Vec<i64>, pivot: &[i64], column: usize) -> Option<Vec<i64>> {
    if row[column] == 0 {
        return Some(row);
    }
    let common = gcd(row[column], pivot[column]);
    let (mine, theirs) = (pivot[column] / common, row[column] / common);
    let pairs = row.iter().zip(pivot);
    let combined: Option<Vec<i64>> =
        pairs.map(|(x, y)| x.checked_mul(mine)?.checked_sub(y.checked_mul(theirs)?)).collect();
    let mut combined = combined?;
    let divisor = combined.iter().fold(0, |divisor, x| gcd(divisor, *x)).max(1);
    combined.iter_mut().for_each(|x| *x /= divisor);
    combined.iter().all(|x| x.unsigned_abs() < 1 << 40).then_some(combined)
}

fn gcd(x: i64, y: i64) -> i64 {
    let (mut x, mut y) = (x.abs(), y.abs());
    while y != 0 {
        (x, y) = (y, x % y);
    }
    x
}

fn invariant(reverse: &Reverse<'_>, counts: &[Count], weights: &[i64]) -> Invariant {
    let net = reverse.net;
    let mut result = Invariant {
        at: net.machines.iter().map(|m| m.states.ids().map(|_| 0).collect()).collect(),
        held: net.channels.iter().map(|_| HashMap::new()).collect(),
        sum: 0,
    };
    for (count, weight) in counts.iter().zip(weights) {
        match count {
            Count::At(machine, state) => result.at[*machine][*state] = *weight,
            Count::Held(channel, message) => {
                result.held[*channel].insert(*message, *weight);
            }
        }
    }
    let at = net.machines.iter_ids().map(|(id, machine)| result.at[id][machine.start]);
    let held = net.channels.iter_ids().flat_map(|(id, channel)| {
        let weight = |name| result.held[id].get(&name).copied().unwrap_or(0);
        channel.initial.iter().map(|message| weight(message.name)).collect::<Vec<_>>()
    });
    result.sum = at.chain(held).sum();
    result
}

impl Invariant {
    fn allows(&self, belief: &Belief) -> bool {
        let places = belief.at.iter_ids().map(|(id, place)| self.place(id, place));
        let queues = belief.queues.iter_ids().map(|(id, queue)| self.queue(id, queue));
        let (low, high) = places.chain(queues).fold((0, 0), |sum, x| (sum.0 + x.0, sum.1 + x.1));
        (low..=high).contains(&self.sum)
    }

    fn place(&self, id: MachineId, place: &Place) -> (i64, i64) {
        range(place.states().iter().map(|state| self.at[id][*state]))
    }

    fn queue(&self, id: ChannelId, queue: &Queue) -> (i64, i64) {
        let weight = |name: &MessageId| self.held[id].get(name).copied().unwrap_or(0);
        let claims = queue.claims.iter().map(|claim| range(claim.names.iter().map(weight)));
        let (low, high) = claims.fold((0, 0), |sum, x| (sum.0 + x.0, sum.1 + x.1));
        if queue.more == 0 {
            return (low, high);
        }
        let (least, most) = range(self.held[id].values().copied());
        let more = i64::from(queue.more);
        (low + more * least.min(0), high + more * most.max(0))
    }
}

fn range(weights: impl Iterator<Item = i64> + Clone) -> (i64, i64) {
    (weights.clone().min().unwrap_or(0), weights.max().unwrap_or(0))
}
