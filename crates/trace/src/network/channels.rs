//! The channels of a network, for charts and tables.

use crate::Channel;
use automata::{MachineId, Network};
use model::ChannelId;

/// All channels with their sorts.
pub fn channels(network: &Network) -> Vec<Channel> {
    let names = |ids: Vec<MachineId>| {
        ids.into_iter().map(|id| network.machines[id].name.to_string()).collect()
    };
    network
        .channels
        .iter_ids()
        .map(|(id, channel)| Channel {
            name: channel.name.to_string(),
            capacity: channel.capacity,
            sort: network.sort(id).iter().map(|m| network.messages[*m].to_string()).collect(),
            readers: names(network.readers(id)),
            writers: names(network.writers(id)),
            contents_max: contents_max(network, id),
        })
        .collect()
}

/// The sum of |S|^i for i up to the capacity, as far as 128 bits go.
fn contents_max(network: &Network, channel: ChannelId) -> String {
    let size = network.sort(channel).len() as u128;
    let mut sum: u128 = 1;
    let mut power: u128 = 1;
    for _ in 0..network.channels[channel].capacity {
        let next = power.checked_mul(size).and_then(|next| Some((next, sum.checked_add(next)?)));
        match next {
            Some((next, total)) => (power, sum) = (next, total),
            None => return "more than 10^38".to_owned(),
        }
    }
    sum.to_string()
}
