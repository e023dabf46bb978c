//! A run in the Informal Trace Format (Apalache, ADR 015), for viewers and for tests that are
//! driven by runs. Processes and their variables come and go, and every state of the format has
//! the same variables: so these are three maps, `at`, `channels` and `variables`, and a fourth
//! one, `step`, says what led to the state.

use serde_json::{Map, Value, json};
use trace::{Scenario, Snapshot};

/// The run as one JSON object. `about` says what it shows; `cycle` is the first step, from 0, of
/// the part that repeats.
pub fn itf(scenario: &Scenario, model: &str, about: &str, cycle: Option<usize>) -> String {
    let mut state = scenario.initial.clone();
    let mut states = vec![object(0, &state, "")];
    for (number, event) in scenario.trace.iter().enumerate() {
        state.apply(&event.changes);
        states.push(object(number + 1, &state, &format!("{}: {}", event.process, event.action)));
    }
    let mut out = Map::new();
    let meta = json!({
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": model,
        "description": about,
    });
    out.insert("#meta".to_owned(), meta);
    out.insert("vars".to_owned(), json!(["step", "at", "channels", "variables"]));
    if let Some(cycle) = cycle {
        out.insert("loop".to_owned(), json!(cycle));
    }
    out.insert("states".to_owned(), Value::Array(states));
    crate::json_of(&out)
}

fn object(index: usize, state: &Snapshot, step: &str) -> Value {
    json!({
        "#meta": { "index": index },
        "step": step,
        "at": map(state.at.iter().map(|(name, node)| json!([name, node]))),
        "channels": map(state.queues.iter().map(|(name, queue)| json!([name, queue]))),
        "variables": map(state.vars.iter().map(|(name, value)| json!([name, value]))),
    })
}

fn map(pairs: impl Iterator<Item = Value>) -> Value {
    json!({ "#map": pairs.collect::<Vec<_>>() })
}
