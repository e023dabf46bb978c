//! A run as a Mermaid sequence diagram. Mermaid has no queues: an arrow stands
//! at its send, a receive that comes later than the next step gets a note.
//! Participants have ids of their own, so any name is safe.

use crate::chart::{Chart, Ending, deed, is_read};
use crate::style::safe;
use trace::{Event, EventKind};

/// The run as Mermaid text.
pub fn mermaid(chart: &Chart) -> String {
    let mut out = vec!["sequenceDiagram".to_owned()];
    if !chart.command.is_empty() {
        out.push(format!("  %% {}", comment(chart.command)));
    }
    for (lane, name) in chart.lanes.iter().enumerate() {
        out.push(format!("  participant P{lane} as {}", escape(name)));
    }
    let steps = &chart.scenario.trace;
    let mut indent = "  ";
    for (index, event) in steps.iter().enumerate() {
        if chart.cycle_start == Some(index) {
            out.push("  loop repeats for ever".to_owned());
            indent = "    ";
        }
        if let Some(line) = step(chart, index, event) {
            out.push(format!("{indent}{line}"));
        }
    }
    if chart.cycle_start.is_some_and(|start| start < steps.len()) {
        out.push("  end".to_owned());
    }
    out.extend(close(chart));
    out.join("\n") + "\n"
}

fn step(chart: &Chart, index: usize, event: &Event) -> Option<String> {
    let lane = chart.lane(&event.process)?;
    let number = index + 1;
    let message = event.message_text();
    Some(match event.kind {
        EventKind::Send => {
            let read = is_read(event, chart.scenario.trace.len());
            let to = chart.target(event).unwrap_or(lane);
            let arrow = if read { "-)" } else { "-x" };
            format!("P{lane}{arrow}P{to}: {number} {}", escape(&chart.label(event, read)))
        }
        EventKind::Rendezvous => {
            let to = chart.target(event).unwrap_or(lane);
            format!("P{lane}->>P{to}: {number} {}", escape(&chart.label(event, true)))
        }
        EventKind::Receive => match event.matched {
            Some(send) if send + 1 == index => return None,
            Some(send) => {
                let sent = send + 1;
                note(lane, number, &format!("receives {message} (sent at {sent})"))
            }
            None => note(lane, number, &format!("receives {message}")),
        },
        EventKind::Tau => note(lane, number, "timeout"),
        EventKind::Internal => note(lane, number, &deed(event)),
    })
}

fn note(lane: usize, number: usize, text: &str) -> String {
    format!("Note over P{lane}: {number} {}", escape(text))
}

fn close(chart: &Chart) -> Option<String> {
    let last = chart.lanes.len().checked_sub(1)?;
    let over = if last == 0 { "P0".to_owned() } else { format!("P0,P{last}") };
    (chart.ending != Ending::Open && chart.ending != Ending::Repeats)
        .then(|| format!("  Note over {over}: {}", escape(&chart.title)))
}

/// Characters with a meaning in Mermaid or HTML become numbered entities.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in safe(text).chars() {
        match c {
            ';' | '#' | '<' | '>' | '&' | '"' | '%' | '{' | '}' => {
                out.push_str(&format!("#{};", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    // An empty text would end the line at the colon, which Mermaid rejects.
    if out.trim().is_empty() { "#32;".to_owned() } else { out }
}

/// A `%%{` at the start of a comment would be read as a directive, and `<` by a page around it.
fn comment(text: &str) -> String {
    safe(text).replace(['{', '}', '<', '>'], "_")
}
