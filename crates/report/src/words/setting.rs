//! Under which assumptions a verdict stands.

use super::figures::count;
use crate::{Language, Report, Setting, Verdict};

/// The assumptions, one sentence each, none for what the model does not use.
pub(super) fn assumptions(report: &Report, setting: &Setting) -> Vec<String> {
    // Where nothing was checked nothing was assumed.
    if report.verdict == Verdict::Error {
        return Vec::new();
    }
    let parts = [
        setting.timeout.as_deref().map(timeout),
        setting.default_receive.as_deref().map(default_receive),
        setting.calls.as_deref().map(calls),
        end(&setting.end),
        capacity(report, setting),
        setting.capacity_default.map(capacity_default),
        setting.fair.as_deref().map(|fair| fairness(report, fair, setting.fairness_spin)),
    ];
    let parts = parts.into_iter().flatten();
    parts.chain(asked(setting).map(str::to_owned)).collect()
}

/// Which infinite runs count. A requirement of errors does not depend on it.
fn fairness(report: &Report, fair: &str, spin: bool) -> String {
    match report.properties.iter().any(|property| property.kind.is_infinite()) {
        true => {
            let (who, option) = match (report.language, spin) {
                (Language::Argos, _) => ("", ""),
                (_, true) => ("; only the sender of a rendezvous takes part", " --fairness-spin"),
                (_, false) => ("; both partners of a rendezvous take part", ""),
            };
            format!(
                "of infinite runs only those with {fair} fairness to every process count{who} \
                 (--fair {fair}{option})"
            )
        }
        false => format!("nothing is required of infinite runs: --fair {fair} has no effect"),
    }
}

fn timeout(rule: &str) -> String {
    let meaning = match rule {
        "last" => "timeouts fire only when nothing else can move",
        "empty" => "a timeout fires only when its channel is empty",
        "any" => "timeouts may fire at any moment",
        "off" => "timeouts never fire",
        other => return format!("timeouts: {other}"),
    };
    format!("{meaning} (--timeout {rule})")
}

fn default_receive(rule: &str) -> String {
    let meaning = match rule {
        "any" => "a default receive takes any message",
        "else" => "a default receive takes what no named receive beside it takes",
        other => return format!("default receives: {other}"),
    };
    format!("{meaning} (--default {rule})")
}

fn calls(rule: &str) -> String {
    let meaning = match rule {
        "inline" => "a call is executable when the first statement of its procedure is",
        "step" => "a call is a step of its own and always executable",
        other => return format!("calls: {other}"),
    };
    format!("{meaning} (--calls {rule})")
}

/// Rules of PROMELA that are not the usual ones.
fn asked(setting: &Setting) -> impl Iterator<Item = &'static str> {
    let rules = [
        (setting.lossy, "a send to a full channel loses its message (--lossy)"),
        (setting.queues_empty, "at the end of a run channels must be empty (--queues-empty)"),
        (setting.inner_unless, "of nested escapes the innermost is tried first (--inner-unless)"),
    ];
    rules.into_iter().filter(|(set, _)| *set).map(|(_, text)| text)
}

/// Strict ends are what everybody expects and need no words.
fn end(rule: &str) -> Option<String> {
    let text = "a process may rest at its start too, when all channels are empty (--end home)";
    (rule == "home").then(|| text.to_owned())
}

fn capacity_default(slots: u32) -> String {
    format!(
        "channels declared without a size hold {} (--capacity-default {slots})",
        count(u64::from(slots), "message")
    )
}

fn capacity(report: &Report, setting: &Setting) -> Option<String> {
    if let Some(slots) = setting.capacity_override {
        let holds = count(u64::from(slots), "message");
        let larger = report.channels.iter().any(|channel| channel.capacity > slots);
        let more = if larger { ", or its initial messages if those are more" } else { "" };
        return Some(format!("every channel holds {holds}{more} (--capacity {slots})"));
    }
    let first = report.channels.first()?.capacity;
    // With a default some sizes were not declared at all.
    let declared = if setting.capacity_default.is_none() { " as declared" } else { "" };
    if report.channels.len() == 1 {
        return Some(format!("channel capacity{declared}: {first}"));
    }
    if report.channels.iter().all(|channel| channel.capacity == first) {
        return Some(format!("channel capacities{declared}: {first} each"));
    }
    let each: Vec<String> = report
        .channels
        .iter()
        .map(|channel| format!("{} {}", channel.name, channel.capacity))
        .collect();
    Some(format!("channel capacities{declared}: {}", each.join(", ")))
}
