//! What samples say of the point of no return, of parts without effect and of gates.

use report::{GateResult, GateVerdict, Guard, Instead, Line, Location, Unused, UnusedKind};
use trace::{GuardPart, GuardValues};

/// A line of a screen.
pub(super) fn line(head: &str, text: &str) -> Line {
    Line { head: head.into(), text: text.into() }
}

pub(super) fn instead() -> Instead {
    Instead {
        process: "sender".into(),
        action: "link!msg0".into(),
        file: None,
        line: 9,
        column: 4,
        then: "endless".into(),
    }
}

pub(super) fn unused() -> Vec<Unused> {
    let unused = |kind, name: &str, text: &str| Unused {
        kind,
        name: name.into(),
        text: text.into(),
        location: Some(Location { file: "m.argos".into(), line: 8, column: 1 }),
    };
    vec![
        unused(UnusedKind::Assertion, "assert 2", "assert 2: none of its events ever occurs: a!b"),
        unused(UnusedKind::Send, "link!ack0", "link!ack0 is never executed"),
    ]
}

pub(super) fn gates() -> Vec<GateResult> {
    vec![GateResult {
        gate: "vacuous".into(),
        verdict: GateVerdict::Failed,
        what: "requirements and messages without effect".into(),
        reasons: vec!["line 8: link!ack0 is never executed".into()],
    }]
}

/// Why a statement was never executed.
pub(super) fn guard() -> Guard {
    let seen = |what: &str, value: &str| GuardValues {
        what: what.to_owned(),
        values: vec![value.to_owned()],
        count: 1,
    };
    let seen = vec![seen("sender", "empty"), seen("the head of sender", "ack1")];
    let part = GuardPart { condition: None, held: false, seen };
    let text = "never executable: sender was empty, the head of sender was ack1".to_owned();
    Guard { text, parts: vec![part], states: 24, complete: true }
}
