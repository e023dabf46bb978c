//! How warnings are worded, and how all places of one id become one diagnostic.

use super::Place;
use base::{Diagnostic, SourceMap};

/// How an id is worded: for one place, for several, why, and what to do.
struct Wording {
    id: &'static str,
    one: &'static str,
    several: &'static str,
    note: &'static str,
    help: &'static str,
}

const WORDINGS: [Wording; 11] = [
    Wording {
        id: "W0001",
        one: "a message is sent but never received",
        several: "messages sent but never received",
        note: "no process receives these from that channel, so they block all that come after",
        help: "receive the message, or take any with `c?default`",
    },
    Wording {
        id: "W0002",
        one: "a channel is never read",
        several: "channels never read",
        note: "what is sent there stays, until the channel is full",
        help: "write the process that receives from it",
    },
    Wording {
        id: "W0003",
        one: "a message is received but never sent",
        several: "messages received but never sent",
        note: "no process sends these, so these options can never be taken",
        help: "an open end is fine while designing",
    },
    Wording {
        id: "W0004",
        one: "a channel is never written",
        several: "channels never written",
        note: "nothing can ever be received from it",
        help: "write the process that sends to it",
    },
    Wording {
        id: "W0005",
        one: "a statement can never be reached",
        several: "statements that can never be reached",
        note: "every way to it ends in a jump, a `break` or an endless `do`",
        help: "remove it, or jump to it by a label",
    },
    Wording {
        id: "W0006",
        one: "a channel is read by a second process",
        several: "channels read by a second process",
        note: "whoever comes first takes the message from the others",
        help: "give each process a channel of its own, unless the race is meant",
    },
    Wording {
        id: "W0008",
        one: "a label is not used",
        several: "labels not used",
        note: "no `goto` names it, and it does not begin with `end`",
        help: "remove it",
    },
    Wording {
        id: "W0009",
        one: "a variable is not used",
        several: "variables not used",
        note: "no statement reads or sets it",
        help: "remove it",
    },
    Wording {
        id: "W0010",
        one: "a procedure is not called",
        several: "procedures not called",
        note: "its variables were not checked, for they are those of its callers",
        help: "call it, or remove it",
    },
    Wording {
        id: "W0011",
        one: "a channel is not used",
        several: "channels not used",
        note: "no process sends to it or receives from it",
        help: "remove it",
    },
    Wording {
        id: "W0012",
        one: "an assertion watches an action that no process performs",
        several: "assertions watch actions that no process performs",
        note: "an assertion speaks of the very channel and message names of the processes",
        help: "check the spelling of channel and message",
    },
];

/// One diagnostic for all places of one id, in order of the text.
pub(super) fn grouped(id: &'static str, mut places: Vec<Place>, sources: &SourceMap) -> Diagnostic {
    let written = |place: &Place| {
        let span = sources.statement(place.span);
        (span.file, span.start, span.end)
    };
    places.sort_by_key(written);
    // Copies of a procedure repeat its statements.
    places.dedup_by(|later, first| later.text == first.text && written(later) == written(first));
    let wording = WORDINGS.iter().find(|it| it.id == id).expect("every warning has its wording");
    let message = match places.len() {
        1 => wording.one.to_owned(),
        count => format!("{} ({count} places)", wording.several),
    };
    let mut places = places.into_iter();
    let first = places.next().expect("a group has a place");
    let mut found = Diagnostic::warning(id, first.span, message)
        .label(first.text)
        .note(wording.note)
        .help(wording.help)
        .help(format!("silence with /* argos: allow {id} */"));
    for place in places {
        found = found.other(place.span, place.text);
    }
    found
}
