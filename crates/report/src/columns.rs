//! The papers' form of a run (Holzmann 1987, appendix): a column per channel, a numbered line
//! per send or timeout. Receives are not events; a message nobody took stands
//! in brackets.

use crate::chart::{Chart, Listing, is_read};
use crate::look::Look;
use crate::style::{Role, Row, Screen, cut, width};
use trace::{Event, EventKind};

/// Columns before the first channel.
const LEFT: usize = 8;
/// A channel's column is at least this wide.
const COLUMN_MIN: usize = 11;
/// And shrinks to this before anything is left out.
const COLUMN_LEAST: usize = 6;

/// The run as the papers print it.
pub fn columns(chart: &Chart, look: &Look) -> String {
    screen(chart, look).render(&look.palette)
}

pub(crate) fn screen(chart: &Chart, look: &Look) -> Screen {
    let steps = chart.steps(look.to_end);
    let names = order(chart, look.columns_first);
    let layout = Layout::new(&names, steps, look);
    let mut out = Screen::new();
    out.row(layout.header());
    out.row(Row::new().put(Role::Faint, "event:"));
    let events: Vec<&Event> = steps.iter().filter(|event| event.is_event()).collect();
    let numbered = events.into_iter().enumerate().collect();
    let row = |(number, event)| vec![layout.event(number + 1, event, steps.len())];
    let sign = look.palette.signs().gap;
    let gap = |count| Row::new().put(Role::Faint, &format!("   {sign} {count} events {sign}"));
    Listing::new(numbered, look.whole).show(&mut out, row, gap);
    out
}

/// Channels in declaration order, or those of the assertions first.
fn order<'a>(chart: &Chart<'a>, watched_first: bool) -> Vec<&'a str> {
    let mut names: Vec<&str> = chart.channels.iter().map(|channel| channel.name.as_str()).collect();
    if watched_first {
        names.sort_by_key(|name| !chart.watched.contains(name));
    }
    names
}

/// Where each column stands.
struct Layout<'a> {
    names: &'a [&'a str],
    starts: Vec<usize>,
    room: usize,
    cut: char,
}

impl<'a> Layout<'a> {
    fn new(names: &'a [&'a str], steps: &[Event], look: &Look) -> Self {
        let room = look.palette.room() - 2;
        let mut wide: Vec<usize> = names.iter().map(|name| width(name) + 1).collect();
        for event in steps.iter().filter(|event| event.is_event()) {
            if let Some(column) = position(names, event) {
                wide[column] = wide[column].max(width(&mark(event, steps.len()).1) + 1);
            }
        }
        let Some(widths) = fit(&wide, room - LEFT) else {
            return Self { names: &[], starts: Vec::new(), room, cut: look.palette.signs().cut };
        };
        let starts = widths.iter().scan(LEFT, |at, wide| {
            let start = *at;
            *at += wide;
            Some(start)
        });
        Self { names, starts: starts.collect(), room, cut: look.palette.signs().cut }
    }

    /// Columns from the room that is left; the last one has all the rest.
    fn columns_of(&self, column: usize) -> usize {
        match self.starts.get(column + 1) {
            Some(next) => next - self.starts[column] - 1,
            None => self.room.saturating_sub(self.starts[column]),
        }
    }

    fn header(&self) -> Row {
        let mut row = Row::new().put(Role::Faint, "queue:");
        if self.names.is_empty() {
            row = row.to(LEFT, 0).put(Role::Faint, "named at each event");
        }
        for (column, name) in self.names.iter().enumerate() {
            let text = cut(name, self.columns_of(column), self.cut);
            row = row.to(self.starts[column], 0).put(Role::Name, &text);
        }
        row
    }

    fn event(&self, number: usize, event: &Event, shown: usize) -> Row {
        let row = Row::new().put(Role::Faint, &format!("{number:>4}"));
        let (role, text) = mark(event, shown);
        let Some(column) = position(self.names, event) else {
            let channel = event.channel.as_deref().unwrap_or("?");
            let row = row.to(LEFT, 1).plain(&cut(channel, self.room / 3, self.cut)).plain(": ");
            let rest = self.room.saturating_sub(row.width());
            return row.put(role, &cut(&text, rest, self.cut));
        };
        // The comma stays even when a long name is cut: it ends the event.
        let text = text.trim_end_matches(',');
        let text = cut(text, self.columns_of(column).saturating_sub(1), self.cut);
        row.to(self.starts[column], 1).put(role, &text).plain(",")
    }
}

fn position(names: &[&str], event: &Event) -> Option<usize> {
    names.iter().position(|name| Some(*name) == event.channel.as_deref())
}

/// `msg,`, `[msg],` or `tau,`.
fn mark(event: &Event, shown: usize) -> (Role, String) {
    match event.kind {
        EventKind::Tau => (Role::Time, "tau,".to_owned()),
        EventKind::Send if !is_read(event, shown) => {
            (Role::Bad, format!("[{}],", event.message_text()))
        }
        _ => (Role::Plain, format!("{},", event.message_text())),
    }
}

/// Column widths: the usual ones if they fit, else what the contents need, else
/// the same small share for all. With very many channels none: then each event
/// names its channel.
fn fit(wide: &[usize], room: usize) -> Option<Vec<usize>> {
    let usual: Vec<usize> = wide.iter().map(|wide| (*wide).max(COLUMN_MIN)).collect();
    if usual.iter().sum::<usize>() <= room {
        return Some(usual);
    }
    if wide.iter().sum::<usize>() <= room {
        return Some(wide.to_vec());
    }
    let share = room / wide.len().max(1);
    (share >= COLUMN_LEAST).then(|| wide.iter().map(|wide| (*wide).min(share)).collect())
}
