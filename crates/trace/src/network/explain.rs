//! What went wrong in a run of a network.

use super::recorder::message_text;
use super::run::Ending;
use super::wait::{and, culprits, unread};
use crate::explanation::END_LABEL;
use crate::{Explanation, Kind, Requirement};
use automata::reference::{self, Move, Rest, World};
use automata::{ActionText, Direction, MachineId, Network, Observer, ObserverId, Sighting, State};
use base::{Id, SourceMap};
use std::collections::BTreeSet;

/// The moves of a run, and the world before the last one and after it.
struct Moved<'a> {
    moves: &'a [Move],
    last: [&'a World; 2],
}

/// Explains how a run of these moves ends, the last of them from one world to the other;
/// `None` if it ends well.
pub(super) fn explain(
    network: &Network,
    moves: &[Move],
    last: [&World; 2],
    ending: Ending,
    sources: &SourceMap,
) -> Option<Explanation> {
    let run = &Moved { moves, last };
    let [_, world] = last;
    match ending {
        Ending::Running | Ending::Blocked(Rest::Proper) => None,
        Ending::Violation(id) => Some(violation(network, run, id, sources)),
        Ending::DivisionByZero => division(network, run, sources),
        Ending::Blocked(Rest::Residual) => Some(residual(network, world)),
        Ending::Blocked(Rest::Violation(id)) => Some(unfinished(network, run, id, sources)),
        Ending::Blocked(rest) => Some(blocked(network, world, rest, sources)),
    }
}

/// The assertion that an observer watches.
fn assertion(id: ObserverId) -> Requirement {
    Requirement { kind: Kind::Assertion, number: Some(id.index()) }
}

fn sighting_text(network: &Network, seen: Sighting) -> String {
    let mark = if seen.direction == Direction::Send { '!' } else { '?' };
    format!("{}{mark}{}", network.channels[seen.channel].name, network.messages[seen.message])
}

fn title(network: &Network, id: ObserverId, sources: &SourceMap) -> String {
    let machine = network.observers[id].machine();
    format!("{} (line {})", machine.name, sources.line(machine.span))
}

fn violation(
    network: &Network,
    run: &Moved<'_>,
    id: ObserverId,
    sources: &SourceMap,
) -> Explanation {
    let [before, _] = run.last;
    let observer = &network.observers[id];
    let last = *run.moves.last().expect("a violation has a violating step");
    let seen = reference::sighting(network, before, last).expect("only sightings violate");
    let text = sighting_text(network, seen);
    let expected = expected(network, observer, before, id);
    let done = before.seen[id].contains(&observer.machine().end);
    let (verb, noun) = match seen.direction {
        Direction::Send => ("is sent", "send"),
        Direction::Receive => ("is received", "receive"),
    };
    let what = match (expected.as_slice(), done) {
        ([], _) => format!("{text} {verb} once more than it allows"),
        (_, true) => format!("{text} {verb} where it allows only {} or the end", or(&expected)),
        (_, false) => format!("{text} {verb} where it allows only {}", or(&expected)),
    };
    let machine = &network.machines[last.machine];
    Explanation {
        requirement: assertion(id),
        message: format!("{}: {what}", title(network, id, sources)),
        group: format!("{}: {noun} {text} by {}", observer.machine().name, machine.name),
        process: Some(machine.name.to_string()),
        span: Some(machine.edges[last.edge].span),
        why: history(network, run, id),
    }
}

/// What the assertion would allow next.
fn expected(network: &Network, observer: &Observer, world: &World, id: ObserverId) -> Vec<String> {
    let states = world.seen[id].iter();
    let edges = states.flat_map(|state| observer.machine().edges_from(*state));
    let sightings: BTreeSet<Sighting> =
        edges.filter_map(|(_, edge)| edge.action.sighting()).collect();
    sightings.into_iter().map(|seen| sighting_text(network, seen)).collect()
}

fn or(names: &[String]) -> String {
    and(names).replace(" and ", " or ")
}

/// What the assertion allows and what it saw, with step numbers.
fn history(network: &Network, run: &Moved<'_>, id: ObserverId) -> Vec<(&'static str, String)> {
    let observer = &network.observers[id];
    let mut world = reference::initial(network);
    let mut saw = Vec::new();
    for (index, step) in run.moves.iter().enumerate() {
        if let Some(seen) = reference::sighting(network, &world, *step)
            && observer.scope().contains(&seen)
        {
            saw.push(format!("{} (step {})", sighting_text(network, seen), index + 1));
        }
        if let reference::Outcome::World(next) = reference::apply(network, &world, *step) {
            world = next;
        }
    }
    let mut why = vec![("allows", observer.text().to_owned())];
    if !saw.is_empty() {
        why.push(("saw", saw.join(", ")));
    }
    why
}

fn unfinished(
    network: &Network,
    run: &Moved<'_>,
    id: ObserverId,
    sources: &SourceMap,
) -> Explanation {
    let [_, world] = run.last;
    let observer = &network.observers[id];
    let missing = expected(network, observer, world, id);
    let machine = observer.machine();
    Explanation {
        requirement: assertion(id),
        message: format!("{}: the run ends before {}", title(network, id, sources), or(&missing)),
        group: format!("{}: ends before {}", machine.name, or(&missing)),
        process: None,
        span: Some(machine.span),
        why: history(network, run, id),
    }
}

fn division(network: &Network, run: &Moved<'_>, sources: &SourceMap) -> Option<Explanation> {
    let last = run.moves.last()?;
    let machine = &network.machines[last.machine];
    let edge = &machine.edges[last.edge];
    let action = ActionText { action: &edge.action, names: network };
    Some(Explanation {
        requirement: Kind::DivisionByZero.into(),
        message: format!(
            "division by zero in {} (line {}): {action}",
            machine.name,
            sources.line(edge.span)
        ),
        group: format!(
            "division by zero in {} at {}: {action}",
            machine.name,
            machine.node(edge.from)
        ),
        process: Some(machine.name.to_string()),
        span: Some(edge.span),
        why: Vec::new(),
    })
}

fn residual(network: &Network, world: &World) -> Explanation {
    let full: Vec<_> = network.channels.ids().filter(|c| !world.queues[*c].is_empty()).collect();
    let left: Vec<String> = full
        .iter()
        .map(|c| {
            let texts: Vec<String> =
                world.queues[*c].iter().map(|message| message_text(network, message)).collect();
            format!("{} in {}", texts.join(", "), network.channels[*c].name)
        })
        .collect();
    Explanation {
        requirement: Kind::Residual.into(),
        message: format!("residual messages at a proper end: {}", and(&left)),
        group: format!("residual: {}", and(&left)),
        process: None,
        span: full.first().map(|channel| network.channels[*channel].span),
        why: Vec::new(),
    }
}

fn blocked(network: &Network, world: &World, rest: Rest, sources: &SourceMap) -> Explanation {
    let culprits = culprits(network, world, rest);
    let first = culprits.first().copied();
    let names: Vec<String> =
        culprits.iter().map(|id| network.machines[*id].name.to_string()).collect();
    let seen = |id: &MachineId| place(network, world, *id, sources);
    let states = culprits.iter().map(|id| exact_place(network, world, *id, sources));
    let states: Vec<String> = states.collect();
    let message = match rest {
        Rest::UnspecifiedReception => {
            unspecified(network, world, first, |id| place(network, world, id, sources))
        }
        Rest::BlockedSend => {
            format!("blocked send: {} can only send to full channels", and(&names))
        }
        _ if names.len() > 1 => format!("deadlock: {} wait for each other", and(&names)),
        _ => {
            let places: Vec<String> = culprits.iter().map(seen).collect();
            format!("deadlock: {} waits and nobody can help", and(&places))
        }
    };
    let class = match rest {
        Rest::UnspecifiedReception => {
            unspecified(network, world, first, |id| exact_place(network, world, id, sources))
        }
        Rest::BlockedSend => format!("blocked send: {}", states.join(", ")),
        _ => format!("deadlock: {}", states.join(", ")),
    };
    let span = first.and_then(|id| network.machines[id].states[world.at[id]].span);
    let (head, hint) = END_LABEL;
    let why = if rest == Rest::Deadlock { vec![(head, hint.to_owned())] } else { Vec::new() };
    let requirement = match rest {
        Rest::UnspecifiedReception => Kind::UnspecifiedReception,
        Rest::BlockedSend => Kind::BlockedSend,
        _ => Kind::Deadlock,
    }
    .into();
    Explanation { requirement, message, group: class, process: names.first().cloned(), span, why }
}

fn unspecified(
    network: &Network,
    world: &World,
    first: Option<MachineId>,
    place: impl Fn(MachineId) -> String,
) -> String {
    let held = first.and_then(|id| unread(network, world, id).map(|channel| (id, channel)));
    match held {
        Some((id, channel)) => {
            let head = message_text(network, &world.queues[channel][0]);
            format!("unspecified reception: {head} in {}", place(id))
        }
        None => {
            let left = network.channels.ids().find(|c| !world.queues[*c].is_empty());
            let left = left.map_or(String::new(), |c| {
                let head = message_text(network, &world.queues[c][0]);
                format!("{head} in {}, which nobody reads", network.channels[c].name)
            });
            format!("unspecified reception: {left}")
        }
    }
}

/// `B at closed`, or without a label `B at line 12`: people know no state numbers.
fn place(network: &Network, world: &World, id: MachineId, sources: &SourceMap) -> String {
    let machine = &network.machines[id];
    let at = world.at[id];
    let state = &machine.states[at];
    match (state.label(), state.span) {
        (Some(label), _) => format!("{} at {label}", machine.name),
        (None, Some(span)) => format!("{} at line {}", machine.name, sources.line(span)),
        (None, None) => format!("{} at {}", machine.name, machine.node(at)),
    }
}

/// The same for the type of an error: control locations of one line are told apart.
fn exact_place(network: &Network, world: &World, id: MachineId, sources: &SourceMap) -> String {
    let machine = &network.machines[id];
    let of = |state: &State| state.span.map(|span| sources.line(span));
    let state = &machine.states[world.at[id]];
    let alike = machine.states.iter().filter(|other| of(other) == of(state)).count();
    let place = place(network, world, id, sources);
    match (state.label(), state.span) {
        (None, Some(_)) if alike > 1 => format!("{place} ({})", machine.node(world.at[id])),
        _ => place,
    }
}
