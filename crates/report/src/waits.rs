//! The wait-for table: who stands where, waits for what, and why it does not
//! come. A cross marks the processes on the waiting cycle or in front of the
//! message nobody takes.

use crate::look::Look;
use crate::style::{Role, Row, Screen, cut, width, wrap};
use trace::Wait;

const HEADS: [&str; 4] = ["process", "at", "waits for", "cannot go on because"];
const GAP: usize = 2;
/// Names and places longer than this are cut.
const SHORT_MAX: usize = 22;
/// With less than this for each of the two sentences a list reads better.
const LONG_MIN: usize = 22;

/// The wait-for table as text.
pub fn waits(list: &[Wait], look: &Look) -> String {
    screen(list, look).render(&look.palette)
}

pub(crate) fn screen(list: &[Wait], look: &Look) -> Screen {
    let signs = look.palette.signs();
    let cells: Vec<[String; 4]> = list.iter().map(|wait| cells(wait, signs.cut)).collect();
    if list.is_empty() {
        return Screen::new();
    }
    match widths(&cells, look.palette.room() - 2) {
        Some(widths) => table(list, &cells, &widths, look),
        None => stacked(list, &cells, look),
    }
}

/// `✗` for a culprit, else a blank.
fn margin(wait: &Wait, look: &Look) -> Row {
    match wait.culprit {
        true => Row::new().put(Role::Bad, look.palette.signs().bad).plain(" "),
        false => Row::new().plain("  "),
    }
}

fn table(list: &[Wait], cells: &[[String; 4]], widths: &[usize; 4], look: &Look) -> Screen {
    let mut out = Screen::new();
    out.row(line(Row::new().plain("  "), Role::Faint, &HEADS.map(str::to_owned), widths));
    for (wait, cells) in list.iter().zip(cells) {
        for (number, part) in split(cells, widths).into_iter().enumerate() {
            let start = if number == 0 { margin(wait, look) } else { Row::new().plain("  ") };
            out.row(line(start, Role::Plain, &part, widths));
        }
    }
    out
}

/// The same below each other, where side by side there is no room.
fn stacked(list: &[Wait], cells: &[[String; 4]], look: &Look) -> Screen {
    let signs = look.palette.signs();
    let mut out = Screen::new();
    for (wait, [process, at, waits, because]) in list.iter().zip(cells) {
        let room = look.palette.room().saturating_sub(4 + width(at));
        let row = margin(wait, look).put(Role::Name, &cut(process, room, signs.cut));
        out.row(row.plain("  ").plain(at));
        for (head, text) in [("waits for", waits), ("because", because)] {
            let mut row = Row::new().plain("    ").put(Role::Faint, head);
            for part in wrap(text, look.palette.room().saturating_sub(15)) {
                out.row(std::mem::take(&mut row).to(15, 0).plain(&part));
            }
        }
    }
    out
}

fn cells(wait: &Wait, mark: char) -> [String; 4] {
    let at = match &wait.at {
        Some(label) => format!("{} line {}", cut(label, SHORT_MAX - 10, mark), wait.line),
        None if wait.line == 0 => "-".to_owned(),
        None => format!("line {}", wait.line),
    };
    let needs = match wait.needs.as_slice() {
        [] => String::new(),
        needs => format!("; needs {}", needs.join(" or ")),
    };
    let process = cut(&wait.process, SHORT_MAX, mark);
    [process, at, wait.waits.clone(), format!("{}{needs}", wait.because)]
}

/// The short columns get what they need, the two sentences share the rest;
/// nothing if that is too little.
fn widths(cells: &[[String; 4]], room: usize) -> Option<[usize; 4]> {
    let need = |column: usize| {
        let texts = cells.iter().map(|row| width(&row[column]));
        texts.chain([width(HEADS[column])]).max().unwrap_or(0)
    };
    let (process, at) = (need(0), need(1));
    let rest = room.saturating_sub(process + at + 3 * GAP);
    let (waits, because) = (need(2), need(3));
    if waits + because <= rest {
        return Some([process, at, waits, because]);
    }
    if rest < 2 * LONG_MIN {
        return None;
    }
    let half = rest / 2;
    let waits = if because < half { rest - because } else { waits.min(half) };
    Some([process, at, waits, rest - waits])
}

/// A table row as lines of the screen.
fn split(cells: &[String; 4], widths: &[usize; 4]) -> Vec<[String; 4]> {
    let columns: Vec<Vec<String>> =
        cells.iter().zip(widths).map(|(cell, wide)| wrap(cell, *wide)).collect();
    let lines = columns.iter().map(Vec::len).max().unwrap_or(0);
    let part = |line: usize| {
        [0, 1, 2, 3].map(|column| columns[column].get(line).cloned().unwrap_or_default())
    };
    (0..lines).map(part).collect()
}

fn line(start: Row, role: Role, cells: &[String; 4], widths: &[usize; 4]) -> Row {
    let mut row = start;
    let mut at = row.width();
    for (cell, wide) in cells.iter().zip(widths) {
        row = row.to(at, 0).put(role, cell);
        at += wide + GAP;
    }
    row
}
