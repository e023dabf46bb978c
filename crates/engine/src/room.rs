//! For how many messages a state has room in a channel. Most of what models declare is never
//! used: a channel of 65,535 slots that holds two messages should cost what one of two costs.
//!
//! So a search begins with little room in large channels. A state that does not fit ends it, and
//! it begins again with twice as much: all rounds together take at most twice as long as the
//! last one if a round ends where a channel overflows for the first time. What a channel can
//! hold is its capacity, whatever the room; only where its messages lie depends on it.

use automata::Network;
use base::IdVec;
use model::ChannelId;

/// Channels of so many slots have room for as many messages: to begin again would cost more.
const SMALL_MAX: u32 = 16;
/// Larger ones at first have room for so many.
const AT_FIRST: u32 = 4;

/// The room of a channel at first.
pub(crate) fn room(capacity: u32) -> u32 {
    if capacity <= SMALL_MAX { capacity } else { AT_FIRST }
}

/// The room of each channel of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rooms(IdVec<ChannelId, u32>);

impl Rooms {
    /// As much as is declared: every state fits.
    pub fn declared(network: &Network) -> Self {
        Self(network.channels.iter().map(|channel| channel.capacity).collect())
    }

    /// What a search begins with.
    pub fn at_first(network: &Network) -> Self {
        let rooms = network.channels.iter().map(|channel| {
            widened(room(channel.capacity), channel.initial.len(), channel.capacity)
        });
        Self(rooms.collect())
    }

    /// The room of a channel.
    pub(crate) fn of(&self, channel: ChannelId) -> u32 {
        self.0[channel]
    }

    /// Makes room for channels of these lengths.
    pub(crate) fn widen(&mut self, network: &Network, lengths: impl Iterator<Item = usize>) {
        let rooms = self.0.iter_mut().zip(&network.channels);
        rooms.zip(lengths).for_each(|((room, channel), length)| {
            *room = widened(*room, length, channel.capacity);
        });
    }

    /// As much room for what one process has as for what each other has that can be exchanged with it.
    pub fn level(&mut self, network: &Network) {
        let classes = automata::symmetry::interchangeable(network).classes;
        for row in classes.iter().flat_map(|class| &class.channels) {
            let most = row.iter().map(|id| self.0[*id]).max().unwrap_or(0);
            row.iter().for_each(|id| self.0[*id] = most);
        }
    }

    /// Makes room for what there is room for elsewhere, too.
    pub fn absorb(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(room, other)| *room = (*room).max(*other));
    }
}

/// Twice the room, until so many messages fit.
pub(crate) fn widened(room: u32, length: usize, capacity: u32) -> u32 {
    let mut wider = room.max(1);
    while (wider as usize) < length {
        wider = wider.saturating_mul(2);
    }
    wider.min(capacity).max(room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_doubles_up_to_the_capacity() {
        assert_eq!((room(0), room(16), room(17), room(65_535)), (0, 16, 4, 4));
        assert_eq!((widened(4, 5, 100), widened(4, 9, 100), widened(64, 65, 100)), (8, 16, 100));
        assert_eq!(widened(0, 1, 1), 1);
    }
}
