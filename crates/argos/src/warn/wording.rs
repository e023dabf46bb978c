//! How warnings are worded, and how all places of one id become one diagnostic.

use super::Place;
use base::{Diagnostic, SourceMap};

/// How an id is worded: for one place, for several, why, and what to do.
fn worded(id: &str) -> [&'static str; 4] {
    let mut wordings = base::sections(include_str!("wordings.md"));
    let (_, text) = wordings.find(|(known, _)| *known == id).expect("every warning is worded");
    let lines: Vec<&str> = text.lines().collect();
    lines.try_into().expect("a wording has four lines")
}

/// One diagnostic for all places of one id, in order of the text.
pub(super) fn grouped(id: &'static str, mut places: Vec<Place>, sources: &SourceMap) -> Diagnostic {
    let written = |place: &Place| {
        let span = sources.statement(place.span);
        (span.file, span.start, span.end)
    };
    places.sort_by_key(written);
    // Copies of a procedure repeat its statements.
    places.dedup_by(|later, first| later.text == first.text && written(later) == written(first));
    let [one, several, note, help] = worded(id);
    let message = match places.len() {
        1 => one.to_owned(),
        count => format!("{several} ({count} places)"),
    };
    let mut places = places.into_iter();
    let first = places.next().expect("a group has a place");
    let mut found = Diagnostic::warning(id, first.span, message)
        .label(first.text)
        .note(note)
        .help(help)
        .help(format!("silence with /* argos: allow {id} */"));
    for place in places {
        found = found.other(place.span, place.text);
    }
    found
}
