//! A requirement in words: what it is about, then its result.

use super::figures::count;
use crate::{Kind, Property, PropertyVerdict};

/// What a requirement with this name is about: `deadlock`, `assertions`, `ltl p0`.
pub fn subject(name: &str) -> &str {
    match name {
        "no assertion fails" => "assertions",
        "no message left" => "messages left",
        "fields of messages fit" => "wrong number of fields",
        "atomic sequences end" => "endless atomic sequence",
        "D_proctypes are deterministic" => "nondeterminism in a D_proctype",
        _ => name.strip_prefix("no ").unwrap_or(name),
    }
}

/// Its result: `none` or `FOUND` where something must not occur, else `holds` or `FAILS`.
pub(crate) fn result(property: &Property) -> &'static str {
    let subject = subject(&property.name);
    let is_plural = subject == "assertions";
    let is_absence = subject != property.name && !is_plural;
    match (property.verdict, is_absence, is_plural) {
        (PropertyVerdict::Reached, ..) if property.kind == Kind::Service => "can be performed",
        (PropertyVerdict::Unreached, ..) if property.kind == Kind::Service => "NEVER PERFORMED",
        (PropertyVerdict::Reached, ..) => "reached",
        (PropertyVerdict::Unreached, ..) => "NEVER REACHED",
        (PropertyVerdict::Unknown, ..) if property.kind.is_asked_for() => {
            match (&property.note, property.kind) {
                (Some(_), _) => "not decided",
                (None, Kind::Service) => "not performed in the part searched",
                (None, _) => "not reached in the part searched",
            }
        }
        (PropertyVerdict::Holds, true, _) => "none",
        (PropertyVerdict::Violated, true, _) => "FOUND",
        (PropertyVerdict::Holds, false, true) => "hold",
        (PropertyVerdict::Violated, false, true) => "FAIL",
        (PropertyVerdict::Holds, false, false) => "holds",
        (PropertyVerdict::Violated, false, false) => "FAILS",
        // A formula that no search here can decide says why itself.
        (PropertyVerdict::Unknown, ..)
            if property.kind.looks_at_propositions() && property.note.is_some() =>
        {
            "not decided"
        }
        (PropertyVerdict::Unknown, true, _) => "none in the part searched",
        (PropertyVerdict::Unknown, false, _) => "no violation in the part searched",
    }
}

/// `assert 1 (line 44)`.
pub(crate) fn named(property: &Property) -> String {
    let subject = subject(&property.name);
    match property.line {
        Some(line) => format!("{subject} (line {line})"),
        None => subject.to_owned(),
    }
}

/// The option that decides this requirement alone.
pub(super) fn only(property: &Property) -> String {
    let subject = subject(&property.name);
    match subject.contains(' ') {
        true => format!("--only '{subject}'"),
        false => format!("--only {subject}"),
    }
}

/// How long a run is: steps, one for each statement executed, and how many of them the papers
/// count.
pub(crate) fn length(steps: usize, events: usize) -> String {
    let all = steps;
    let steps = count(all as u64, "step");
    match events {
        0 => steps,
        _ if events == all => steps,
        1 => format!("{steps}, 1 of them a message or timeout"),
        _ => format!("{steps}, {events} of them messages or timeouts"),
    }
}
