//! What a complete search of a network never saw: messages that are never sent or never received,
//! assertions that see none of the events they name.
//!
//! Edges are all there is to look at: a send, a receive and what an assertion sees of them are
//! edges with a fixed message, and every search of everything keeps which edges are executed. A default
//! receive takes any message, so where one was executed no message of its channel is said to be
//! never received.

use automata::{Action, Direction, Edge, Network, Sighting};
use base::{SourceMap, Span};
use report::{Unused, UnusedKind};
use std::collections::{BTreeMap, BTreeSet};
use trace::location;

/// What was executed of a network.
struct Seen {
    events: BTreeSet<Sighting>,
    /// Channels of which a default receive took a message.
    defaults: BTreeSet<model::ChannelId>,
}

/// Lists it; `executed` has for each machine which of its edges were executed.
pub(super) fn unused(
    network: &Network,
    executed: &[Vec<bool>],
    sources: &SourceMap,
) -> Vec<Unused> {
    let seen = Seen::new(network, executed);
    let assertions = network.observers.iter().filter(|it| !seen.any_of(it.scope())).map(|it| {
        let machine = it.machine();
        let names = it.scope().iter().map(|sighting| event(network, *sighting));
        let names = names.collect::<Vec<_>>().join(", ");
        let text = format!("{}: none of its events ever occurs: {names}", machine.name);
        entry(UnusedKind::Assertion, &machine.name, text, machine.span, sources)
    });
    let messages = written(network).into_iter().filter_map(|(sent, span)| {
        let name = event(network, Sighting { direction: Direction::Send, ..sent });
        let received = Sighting { direction: Direction::Receive, ..sent };
        if !seen.events.contains(&sent) {
            let text = format!("{name} is never executed: the message is never sent");
            return Some(entry(UnusedKind::Send, &name, text, span, sources));
        }
        (!seen.has(&received)).then(|| {
            let text = format!("{name} is executed, but the message is never received");
            entry(UnusedKind::Receive, &name, text, span, sources)
        })
    });
    assertions.chain(messages).collect()
}

impl Seen {
    fn new(network: &Network, executed: &[Vec<bool>]) -> Self {
        let (mut events, mut defaults) = (BTreeSet::new(), BTreeSet::new());
        for (machine, executed) in network.machines.iter().zip(executed) {
            let edges = machine.edges.iter().zip(executed).filter(|(_, executed)| **executed);
            for (Edge { action, .. }, _) in edges {
                events.extend(action.sighting());
                if let Action::ReceiveAny(channel) = action {
                    defaults.insert(*channel);
                }
            }
        }
        Self { events, defaults }
    }

    fn has(&self, event: &Sighting) -> bool {
        let by_default =
            event.direction == Direction::Receive && self.defaults.contains(&event.channel);
        by_default || self.events.contains(event)
    }

    fn any_of(&self, events: &BTreeSet<Sighting>) -> bool {
        events.iter().any(|event| self.has(event))
    }
}

/// Every send that is written, each message of a channel once, and where.
fn written(network: &Network) -> BTreeMap<Sighting, Span> {
    let mut written = BTreeMap::new();
    for edge in network.machines.iter().flat_map(|machine| &machine.edges) {
        let sighting = edge.action.sighting();
        let sent = sighting.filter(|sighting| sighting.direction == Direction::Send);
        if let Some(sent) = sent {
            written.entry(sent).or_insert(edge.span);
        }
    }
    written
}

fn event(network: &Network, Sighting { direction, channel, message }: Sighting) -> String {
    let sign = if direction == Direction::Send { '!' } else { '?' };
    format!("{}{sign}{}", network.channels[channel].name, network.messages[message])
}

fn entry(kind: UnusedKind, name: &str, text: String, span: Span, sources: &SourceMap) -> Unused {
    let place = location(sources, Some(span));
    Unused { kind, name: name.to_owned(), text, location: Some(place) }
}
