//! Model to machines.

use crate::Options;
use automata::{BuildOptions, Network};
use base::{Id, IdVec, Purpose};
use model::Model;

/// The two forms of a network: the one traces are re-executed on, and the one
/// that is searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Networks {
    /// After transit suppression, before equivalence.
    pub raw: Network,
    /// Minimised, unless asked otherwise.
    pub searched: Network,
}

/// The network in which every label is a state, without assertions.
pub(super) fn labelled(model: &Model, options: &Options) -> Network {
    let options = BuildOptions { keeps_labels: true, ..options.build() };
    let network = Network { observers: IdVec::new(), ..automata::build(model, &options) };
    debug_assert_eq!(automata::verify(&network), Vec::<String>::new());
    network
}

impl Networks {
    /// Builds both.
    pub fn new(model: &Model, options: &Options) -> Self {
        // What waits for a label, or begins there, must not pass over it.
        let mut purposes = model.predicates.iter().map(|it| it.purpose);
        let asks = purposes.any(|it| it.is_simulated() || it == Purpose::Target);
        let keeps_labels = options.keeps_labels || asks;
        let raw = automata::build(model, &BuildOptions { keeps_labels, ..options.build() });
        let searched = if options.no_minimise { raw.clone() } else { automata::minimise(&raw) };
        debug_assert_eq!(automata::verify(&raw), Vec::<String>::new());
        debug_assert_eq!(automata::verify(&searched), Vec::<String>::new());
        Self { raw, searched }
    }

    /// The same with only these observers, in order.
    pub(super) fn keeping(&self, kept: &[usize]) -> Self {
        let keep = |network: &Network| {
            let mut network = network.clone();
            let all = std::mem::take(&mut network.observers);
            let wanted = all.iter_ids().filter(|(id, _)| kept.contains(&id.index()));
            network.observers = wanted.map(|(_, observer)| observer.clone()).collect();
            network
        };
        Self { raw: keep(&self.raw), searched: keep(&self.searched) }
    }
}
