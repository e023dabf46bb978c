//! What the order of messages says about where two machines can be.
//!
//! A channel with one reader and nothing in it at the start is a promise: the reader has
//! received, in order, all that a writer has sent but for what the channel holds. With
//! several writers that is so for each one that sends messages of its own. Take the n-th send and the n-th receive as one step and leave everything else
//! free: the pairs of places that can be reached then are few, and the contents of the
//! channel are what the writer sends from the first place of such a pair on. Capacities,
//! values and other channels are left aside, so nothing reachable is excluded.

use crate::belief::{Belief, Claim};
use crate::net::{Action, Edge};
use crate::reverse::Reverse;
use automata::{MachineId, StateId};
use base::{Id, IdVec, reach};
use model::{ChannelId, MessageId};

/// A set of states of one machine.
type States = Vec<bool>;

/// A channel with one reader, and one writer whose messages nobody else sends there.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    channel: ChannelId,
    writer: MachineId,
    reader: MachineId,
    /// For each place of the reader: where the writer can be when all it sent was
    /// received.
    pairs: IdVec<StateId, States>,
    /// For each place of the writer: from where it comes there without sending here.
    silent: IdVec<StateId, States>,
    /// The same with sends.
    before: IdVec<StateId, States>,
    /// The messages of the writer.
    names: Vec<MessageId>,
    /// The sends of the writer to this channel.
    sends: Vec<Send>,
}

/// The orders of all channels that have one.
pub(crate) fn orders(reverse: &Reverse<'_>) -> Vec<Order> {
    let net = reverse.net;
    let buffers = net.channels.iter_ids().filter(|(_, channel)| channel.capacity > 0);
    let empty = buffers.filter(|(_, channel)| channel.initial.is_empty());
    let pairs = empty.flat_map(|(channel, _)| {
        let writers = net.writers(channel).into_iter();
        writers.map(move |writer| (channel, writer))
    });
    pairs.filter_map(|(channel, writer)| order(reverse, channel, writer)).collect()
}

type Send = (StateId, MessageId, StateId);

fn sends(reverse: &Reverse<'_>, channel: ChannelId, writer: MachineId) -> Vec<Send> {
    let sends = taken(reverse, writer).filter_map(|edge| match edge.action {
        Action::Send(c, message, _) if c == channel => Some((edge.from, message, edge.to)),
        _ => None,
    });
    sends.collect()
}

fn order(reverse: &Reverse<'_>, channel: ChannelId, writer: MachineId) -> Option<Order> {
    let net = reverse.net;
    let readers = net.readers(channel);
    let ([reader], writer) = (readers.as_slice(), &writer) else { return None };
    let sends = |writer| sends(reverse, channel, writer);
    let names: Vec<MessageId> = sends(*writer).iter().map(|send| send.1).collect();
    let mut others = net.writers(channel).into_iter().filter(|other| other != writer);
    let shared = |other| sends(other).iter().any(|send| names.contains(&send.1));
    if writer == reader || others.any(shared) {
        return None;
    }
    let here = |edge: &&Edge| matches!(edge.action, Action::Send(c, ..) if c == channel);
    let silent: Vec<(StateId, StateId)> = taken(reverse, *writer)
        .filter(|edge| !here(edge))
        .map(|edge| (edge.from, edge.to))
        .collect();
    let any: Vec<(StateId, StateId)> =
        taken(reverse, *writer).map(|edge| (edge.from, edge.to)).collect();
    let size = net.machines[*writer].states.len();
    let mut order = Order {
        channel,
        writer: *writer,
        reader: *reader,
        pairs: IdVec::new(),
        silent: reaching(size, &silent),
        before: reaching(size, &any),
        sends: sends(*writer),
        names,
    };
    order.pairs = pairs(reverse, &order, &silent);
    Some(order)
}

fn taken<'a>(reverse: &'a Reverse<'_>, id: MachineId) -> impl Iterator<Item = &'a Edge> {
    let edges = reverse.net.machines[id].edges.iter_ids();
    edges.filter(move |(edge, _)| reverse.flow.taken(id, *edge)).map(|(_, edge)| edge)
}

/// For each state the states that lead to it, itself included.
fn reaching(size: usize, edges: &[(StateId, StateId)]) -> IdVec<StateId, States> {
    let before = |state| {
        let leading = edges.iter().filter(move |(_, to)| *to == state);
        leading.map(|(from, _)| *from)
    };
    let one = |goal: StateId| {
        let set = reach([goal], before);
        (0..size).map(|state| set.contains(&StateId::new(state))).collect()
    };
    (0..size).map(StateId::new).map(one).collect()
}

/// What the reader does: silently, or with the messages it takes here.
fn received(reverse: &Reverse<'_>, order: &Order, edge: &Edge) -> Option<Vec<MessageId>> {
    let receive = edge.action.receives(order.channel)?;
    Some(receive.names(&reverse.flow.sorts[order.channel]))
}

/// The pairs of places at which all that was sent has been received.
fn pairs(
    reverse: &Reverse<'_>,
    order: &Order,
    silent: &[(StateId, StateId)],
) -> IdVec<StateId, States> {
    let net = reverse.net;
    let (writer, reader) = (&net.machines[order.writer], &net.machines[order.reader]);
    let mut pairs: IdVec<StateId, States> =
        reader.states.iter().map(|_| vec![false; writer.states.len()]).collect();
    let mut waiting = vec![(writer.start, reader.start)];
    pairs[reader.start][writer.start.index()] = true;
    while let Some((w, r)) = waiting.pop() {
        let mut next: Vec<(StateId, StateId)> = Vec::new();
        next.extend(silent.iter().filter(|(from, _)| *from == w).map(|(_, to)| (*to, r)));
        for edge in taken(reverse, order.reader).filter(|edge| edge.from == r) {
            match received(reverse, order, edge) {
                None => next.push((w, edge.to)),
                Some(names) => {
                    if names.iter().any(|name| !order.names.contains(name)) {
                        next.push((w, edge.to));
                    }
                    let sent = order
                        .sends
                        .iter()
                        .filter(|(from, message, _)| *from == w && names.contains(message));
                    next.extend(sent.map(|(_, _, to)| (*to, edge.to)));
                }
            }
        }
        for (w, r) in next {
            if !std::mem::replace(&mut pairs[r][w.index()], true) {
                waiting.push((w, r));
            }
        }
    }
    pairs
}

impl Order {
    /// Whether the writer can have sent what the channel holds, beginning when the
    /// reader had received all before it.
    pub(crate) fn allows(&self, belief: &Belief) -> bool {
        let queue = &belief.queues[self.channel];
        let back = if queue.more > 0 { &self.before } else { &self.silent };
        let mut places = union(back, belief.at[self.writer].states().iter().copied());
        for claim in queue.claims.iter().rev() {
            places = self.before_sending(claim, &places);
        }
        belief.at[self.reader].states().iter().any(|reader| {
            self.pairs[*reader].iter().zip(&places).any(|(pair, place)| *pair && *place)
        })
    }

    fn before_sending(&self, claim: &Claim, after: &States) -> States {
        let own = claim.names.iter().filter(|name| self.names.contains(name)).count();
        if own == 0 {
            return after.clone();
        }
        let sends = self
            .sends
            .iter()
            .filter(|(_, message, to)| after[to.index()] && claim.names.contains(message));
        let mut before = union(&self.silent, sends.map(|(from, _, _)| *from));
        // It may also be a message of somebody else.
        if own < claim.names.len() {
            before.iter_mut().zip(after).for_each(|(before, after)| *before |= after);
        }
        before
    }
}

fn union(sets: &IdVec<StateId, States>, states: impl Iterator<Item = StateId>) -> States {
    let mut all = vec![false; sets.len()];
    for state in states {
        all.iter_mut().zip(&sets[state]).for_each(|(all, one)| *all |= one);
    }
    all
}
