//! A run as text, in the form asked for or the one that shows it.

use crate::chart::Chart;
use crate::look::{Look, TraceForm};
use crate::style::{Role, Row, Screen, width, wrap};
use crate::{columns, lanes, steps};
use trace::Snapshot;

/// A run as text.
pub fn run(chart: &Chart, look: &Look) -> String {
    screen(chart, look).render(&look.palette)
}

pub(crate) fn screen(chart: &Chart, look: &Look) -> Screen {
    let mut out = match form(chart, look) {
        TraceForm::Chart => lanes::screen(chart, look),
        TraceForm::Columns => columns::screen(chart, look),
        TraceForm::Steps => steps::screen(chart, look),
    };
    if look.state {
        out.gap();
        out.extend(last_state(chart, look));
    }
    out
}

/// Columns list messages and timeouts: a run without any would be empty.
pub(crate) fn form(chart: &Chart, look: &Look) -> TraceForm {
    let is_silent = || !chart.steps(look.to_end).iter().any(trace::Event::is_event);
    match look.form {
        TraceForm::Columns if is_silent() => TraceForm::Chart,
        form => form,
    }
}

/// What is otherwise behind the last step than at the start.
fn last_state(chart: &Chart, look: &Look) -> Screen {
    let initial = &chart.scenario.initial;
    let mut last = initial.clone();
    chart.steps(look.to_end).iter().for_each(|event| last.apply(&event.changes));
    let lines = differences(initial, &last, look.palette.signs().becomes);
    let names = lines.iter().map(|(name, _)| width(name)).max().unwrap_or(0).min(30);
    let mut out = Screen::new();
    let head = if lines.is_empty() { "last state: as at the start" } else { "last state" };
    out.row(Row::new().put(Role::Faint, head));
    for (name, text) in lines {
        let mut row = Row::new().plain("  ").put(Role::Name, &name);
        for part in wrap(&text, look.palette.room().saturating_sub(names + 4).max(20)) {
            out.row(std::mem::take(&mut row).to(names + 4, 2).plain(&part));
        }
    }
    out
}

/// Name, and what it was and is, of every variable and channel that is otherwise.
fn differences(initial: &Snapshot, last: &Snapshot, becomes: &str) -> Vec<(String, String)> {
    let changed = initial.changes_to(last);
    let vars = changed.vars.keys().map(|name| {
        let now = last.value(name).unwrap_or_default();
        (name, initial.value(name), now)
    });
    let queues = changed.queues.iter().map(|(name, queue)| {
        (name, initial.queues.get(name).map(|queue| steps::contents(queue)), steps::contents(queue))
    });
    let line = |(name, old, new): (&String, Option<String>, String)| {
        let text = old.map_or_else(|| new.clone(), |old| format!("{old} {becomes} {new}"));
        (name.clone(), text)
    };
    vars.chain(queues).map(line).collect()
}
