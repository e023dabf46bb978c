//! The settings a report's assumptions speak of: only those that could have
//! made a difference to this model.

use crate::{Loaded, Networks, Options};
use automata::Action;
use report::Setting;

/// What can be said without a network.
pub(crate) fn bare(options: &Options) -> Setting {
    Setting {
        timeout: None,
        default_receive: None,
        end: options.end.word().to_owned(),
        capacity_override: options.capacity,
        capacity_default: None,
        search: options.search.word().to_owned(),
        store: options.store.word().to_owned(),
        depth: options.depth,
        memory: options.memory,
        time: options.time,
        all_errors: options.all_errors,
        lossy: options.lossy,
        queues_empty: options.queues_empty,
        inner_unless: options.inner_unless,
    }
}

/// All that matters for this model.
pub(crate) fn setting(options: &Options, loaded: &Loaded, networks: &Networks) -> Setting {
    let actions = || networks.raw.machines.iter().flat_map(|m| &m.edges).map(|edge| &edge.action);
    let has_timeout = actions().any(|action| matches!(action, Action::Timeout(_)));
    let has_default = actions().any(|action| matches!(action, Action::ReceiveAny(_)));
    let unsized_channel = loaded
        .model()
        .is_some_and(|model| model.channels.iter().any(|channel| channel.capacity.is_none()));
    Setting {
        timeout: has_timeout.then(|| options.timeout.word().to_owned()),
        default_receive: has_default.then(|| options.default.word().to_owned()),
        capacity_default: unsized_channel.then_some(options.capacity_default),
        ..bare(options)
    }
}
