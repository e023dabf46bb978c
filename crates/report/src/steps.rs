//! A run as a line per step: who did what at which line, and only what it
//! changed, old and new.

use crate::chart::{Chart, Listing};
use crate::look::Look;
use crate::style::{Role, Row, Screen, cut, width, wrap};
use trace::{Event, EventKind, Snapshot};

/// Longer names and statements are cut: the list is for skimming.
const NAME_MAX: usize = 20;
const ACTION_MAX: usize = 36;
/// With less room than this beside a step its changes stand under it.
const CHANGES_MIN: usize = 28;
const UNDER: usize = 8;

/// The run as a list of steps.
pub fn steps(chart: &Chart, look: &Look) -> String {
    screen(chart, look).render(&look.palette)
}

pub(crate) fn screen(chart: &Chart, look: &Look) -> Screen {
    let steps = chart.steps(look.to_end);
    let layout = Layout::new(steps, look);
    let mut state = chart.scenario.initial.clone();
    let mut rows = Vec::with_capacity(steps.len());
    for (index, event) in steps.iter().enumerate() {
        rows.push(layout.step(index + 1, event, &state));
        state.apply(&event.changes);
    }
    let mut out = Screen::new();
    let sign = look.palette.signs().gap;
    let gap = |count| Row::new().put(Role::Faint, &format!("  {sign} {count} steps {sign}"));
    Listing::new(rows, look.whole).show(&mut out, |rows| rows, gap);
    out
}

struct Layout<'a> {
    process: usize,
    action: usize,
    line: usize,
    look: &'a Look,
}

impl<'a> Layout<'a> {
    fn new(steps: &[Event], look: &'a Look) -> Self {
        let room = look.palette.room();
        let widest = |text: fn(&Event) -> usize| steps.iter().map(text).max().unwrap_or(0);
        Self {
            process: widest(|event| width(&event.process)).min(NAME_MAX).min(room / 5),
            action: widest(|event| width(&event.action)).min(ACTION_MAX).min(room / 3),
            line: widest(|event| width(&place(event))),
            look,
        }
    }

    fn step(&self, number: usize, event: &Event, before: &Snapshot) -> Vec<Row> {
        let signs = self.look.palette.signs();
        let role = match event.kind {
            _ if event.violates => Role::Bad,
            EventKind::Tau => Role::Time,
            EventKind::Internal => Role::Plain,
            _ => Role::Message,
        };
        let sign = if event.violates { signs.bad } else { " " };
        let mut row = Row::new().put(Role::Faint, &format!("{number:>4}"));
        row = row.put(Role::Bad, sign).plain(" ");
        row = row.put(Role::Name, &cut(&event.process, self.process, signs.cut));
        row = row.to(6 + self.process, 0).plain("  ");
        row = row.put(role, &cut(&event.action, self.action, signs.cut));
        row = row.to(8 + self.process + self.action, 0).plain("  ");
        row = row.put(Role::Faint, &place(event));
        let changes = changes(event, before, signs.becomes).join("   ");
        let beside = 12 + self.process + self.action + self.line;
        let room = self.look.palette.room() - 2;
        if room < beside + CHANGES_MIN {
            let lines = wrap(&changes, room - UNDER).into_iter().filter(|line| !line.is_empty());
            let below = lines.map(|line| Row::new().to(UNDER, 0).plain(&line));
            return std::iter::once(row).chain(below).collect();
        }
        let lines = wrap(&changes, room - beside);
        lines.iter().map(|line| std::mem::take(&mut row).to(beside, 0).plain(line)).collect()
    }
}

fn place(event: &Event) -> String {
    match &event.file {
        Some(file) => format!("{}:{}", cut(file, 16, '~'), event.line),
        None => format!(":{}", event.line),
    }
}

/// Who took part, what changed, as `link empty → msg1` or `n 0 → 1`, and what was printed.
fn changes(event: &Event, before: &Snapshot, becomes: &str) -> Vec<String> {
    let changes = &event.changes;
    let others = changes.at.keys().filter(|process| **process != event.process);
    let mut out: Vec<String> = others
        .map(|process| match before.at.contains_key(process) {
            true => format!("with {process}"),
            false => format!("creates {process}"),
        })
        .collect();
    for (channel, queue) in &changes.queues {
        let old = before.queues.get(channel).map_or_else(|| "?".to_owned(), |q| contents(q));
        out.push(format!("{channel} {old} {becomes} {}", contents(queue)));
    }
    for name in changes.vars.keys() {
        let value = changes.value(name).unwrap_or_default();
        out.push(match before.value(name) {
            Some(old) => format!("{name} {old} {becomes} {value}"),
            None => format!("{name} = {value}"),
        });
    }
    if !event.printed.is_empty() {
        out.push(format!("prints \"{}\"", event.printed.escape_debug()));
    }
    out
}

pub(crate) fn contents(queue: &[String]) -> String {
    if queue.is_empty() { "empty".to_owned() } else { queue.join(" ") }
}
