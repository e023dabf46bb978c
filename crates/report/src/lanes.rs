//! A run as a text chart: a lane per process, a row per step. A receive that
//! follows its send at once shares the row; a later one has its own. An arrow
//! is never wrapped: lanes shrink, then the least used ones fold into one.

use crate::canvas::Canvas;
use crate::chart::{Chart, Ending, Listing, deed, is_read};
use crate::look::Look;
use crate::style::{Role, Row, Screen, Signs, cut, cut_front, width, wrap};
use trace::{Event, EventKind};

/// Lanes are wider only where the label of an arrow needs it.
const LANE_MAX: usize = 17;
const LANE_WIDEST: usize = 30;
const LANE_MIN: usize = 9;
/// Cells of an arrow beside its label.
const ARROW: usize = 4;
/// Cells before the first lane.
const MARGIN: usize = 3;
/// Longer places (`file:line`) lose their beginning.
const PLACE_MAX: usize = 16;

/// The run as a lane chart.
pub fn lanes(chart: &Chart, look: &Look) -> String {
    screen(chart, look).render(&look.palette)
}

pub(crate) fn screen(chart: &Chart, look: &Look) -> Screen {
    let steps = chart.steps(look.to_end);
    let drawing = Drawing::new(chart, steps, look);
    let rows: Vec<usize> = (0..steps.len()).filter(|index| !shares_row(steps, *index)).collect();
    let (first, last) = (drawing.loop_row(&rows), rows.last().copied());
    let mut out = Screen::new();
    out.row(drawing.header());
    let row = |index| vec![drawing.step(index, first, last)];
    Listing::new(rows, look.whole).show(&mut out, row, |count| drawing.gap(count));
    drawing.foot().into_iter().for_each(|row| out.row(row));
    out
}

/// Whether a step is a receive that follows its send at once.
fn shares_row(steps: &[Event], index: usize) -> bool {
    let event = &steps[index];
    let follows = event.matched.is_some_and(|send| send + 1 == index);
    event.kind == EventKind::Receive && follows && !event.violates
}

/// Cells of the longest label of a message.
fn longest_label(chart: &Chart, steps: &[Event]) -> usize {
    let sends = steps.iter().filter(|event| event.is_event() && event.kind != EventKind::Tau);
    let is_read = |event: &Event| is_read(event, steps.len());
    sends.map(|event| width(&chart.label(event, is_read(event)))).max().unwrap_or(0)
}

/// Which column each lane has.
struct Columns {
    of_lane: Vec<usize>,
    names: Vec<String>,
    folded: bool,
}

impl Columns {
    fn new(chart: &Chart, columns_max: usize, gap: &str) -> Self {
        let names = |lanes: &[usize]| lanes.iter().map(|l| chart.lanes[*l].to_owned()).collect();
        let all: Vec<usize> = (0..chart.lanes.len()).collect();
        if all.len() <= columns_max {
            return Self { names: names(&all), of_lane: all, folded: false };
        }
        let use_count = uses(chart);
        let mut kept = all;
        kept.sort_by_key(|lane| std::cmp::Reverse(use_count[*lane]));
        kept.truncate(columns_max.saturating_sub(1).max(1));
        kept.sort_unstable();
        let of_lane = (0..chart.lanes.len())
            .map(|lane| kept.iter().position(|k| *k == lane).unwrap_or(kept.len()))
            .collect();
        let mut names: Vec<String> = names(&kept);
        names.push(gap.to_owned());
        Self { of_lane, names, folded: true }
    }
}

fn uses(chart: &Chart) -> Vec<usize> {
    let mut uses = vec![0; chart.lanes.len()];
    for event in &chart.scenario.trace {
        let ends = [chart.lane(&event.process), chart.target(event)];
        ends.into_iter().flatten().for_each(|lane| uses[lane] += 1);
    }
    uses
}

struct Drawing<'a> {
    chart: &'a Chart<'a>,
    steps: &'a [Event],
    signs: &'static Signs,
    columns: Columns,
    lane: usize,
    digits: usize,
    room: usize,
    /// Cells of a row from the first lane on.
    wide: usize,
}

impl<'a> Drawing<'a> {
    fn new(chart: &'a Chart<'a>, steps: &'a [Event], look: &Look) -> Self {
        let signs = look.palette.signs();
        let digits = steps.len().to_string().len().max(4);
        let places = steps.iter().map(|event| width(&place(event, signs))).max().unwrap_or(0);
        let bracket = if chart.cycle_start.is_some() { 4 } else { 0 };
        let taken = bracket + digits + 1 + MARGIN + 1 + places;
        let room = look.palette.room().saturating_sub(taken);
        let columns = Columns::new(chart, (room / LANE_MIN).max(2), signs.gap);
        let lanes_max = LANE_MAX.max(longest_label(chart, steps) + ARROW).min(LANE_WIDEST);
        let lane = (room / columns.names.len().max(1)).clamp(LANE_MIN, lanes_max);
        let lanes = MARGIN + lane * columns.names.len();
        let whole = look.palette.room();
        let drawing = Self { chart, steps, signs, columns, lane, digits, room: whole, wide: lanes };
        let texts = steps.iter().filter_map(|event| drawing.end_of_text(event)).max();
        Self { wide: texts.unwrap_or(0).min(MARGIN + room).max(lanes), ..drawing }
    }

    /// The cell behind the text of a step that has no arrow, if it stands on the right.
    fn end_of_text(&self, event: &Event) -> Option<usize> {
        let column = self.columns.of_lane[self.chart.lane(&event.process)?];
        let text = self.beside(event, column)?;
        Some(self.x(column) + 2 + width(&text))
    }

    /// What stands beside the sign of a step; nothing where it is an arrow.
    fn beside(&self, event: &Event, column: usize) -> Option<String> {
        let text = match event.kind {
            EventKind::Receive => self.chart.receive_label(event),
            EventKind::Tau => "timeout".to_owned(),
            EventKind::Internal => deed(event),
            EventKind::Send | EventKind::Rendezvous => {
                let target = self.chart.target(event).map(|lane| self.columns.of_lane[lane]);
                if target.is_some_and(|target| target != column) {
                    return None;
                }
                // To itself, to nobody known, or within the fold: words instead of an arrow.
                let message = event.message_text();
                let label = if self.is_read(event) { message } else { format!("[{message}]") };
                format!("{}!{label}", event.channel.as_deref().unwrap_or(""))
            }
        };
        let Columns { folded, names, .. } = &self.columns;
        Some(match *folded && column + 1 == names.len() {
            true => format!("{} {text}", event.process),
            false => text,
        })
    }

    fn is_read(&self, event: &Event) -> bool {
        event.kind == EventKind::Rendezvous || is_read(event, self.steps.len())
    }

    /// Cell of the lifeline of a column.
    fn x(&self, column: usize) -> usize {
        MARGIN + self.lane / 2 + column * self.lane
    }

    fn canvas(&self) -> Canvas {
        Canvas::new(self.wide)
    }

    fn indent(&self) -> usize {
        self.digits + 1 + if self.chart.cycle_start.is_some() { 4 } else { 0 }
    }

    fn header(&self) -> Row {
        let mut canvas = self.canvas();
        for (column, name) in self.columns.names.iter().enumerate() {
            let name = cut(name, self.lane - 1, self.signs.cut);
            canvas.put(&name, self.x(column) - width(&name) / 2, Role::Name);
        }
        Row::new().to(self.indent(), 0).join(canvas.row())
    }

    fn gap(&self, left_out: usize) -> Row {
        let text = format!("{0} {left_out} steps {0}", self.signs.gap);
        Row::new().to(self.indent() + MARGIN, 0).put(Role::Faint, &text)
    }

    /// First drawn row of the part that repeats.
    fn loop_row(&self, rows: &[usize]) -> Option<usize> {
        let start = self.chart.cycle_start?;
        rows.iter().copied().find(|index| *index >= start)
    }

    fn step(&self, index: usize, first: Option<usize>, last: Option<usize>) -> Row {
        let event = &self.steps[index];
        let mut row = Row::new();
        if self.chart.cycle_start.is_some() {
            let sign = match first {
                Some(first) if index == first => self.signs.loop_top,
                Some(first) if index > first && Some(index) == last => self.signs.loop_end,
                Some(first) if index > first => self.signs.loop_side,
                _ => "   ",
            };
            row = row.put(Role::Time, sign).plain(" ");
        }
        let number = format!("{:>1$}", index + 1, self.digits);
        row = row.put(Role::Faint, &number).plain(" ");
        row = row.join(self.draw(index, event).row()).plain(" ");
        row.put(Role::Faint, &place(event, self.signs))
    }

    fn draw(&self, index: usize, event: &Event) -> Canvas {
        let mut canvas = self.canvas();
        for column in 0..self.columns.names.len() {
            canvas.set(self.x(column), self.signs.life, Role::Faint);
        }
        let Some(lane) = self.chart.lane(&event.process) else { return canvas };
        let column = self.columns.of_lane[lane];
        let Some(text) = self.beside(event, column) else {
            self.send(&mut canvas, column, index, event);
            return canvas;
        };
        let (sign, role) = match event.kind {
            EventKind::Receive => (self.signs.receive, Role::Message),
            EventKind::Tau => (self.signs.tau, Role::Time),
            EventKind::Internal if event.violates => (self.signs.internal, Role::Bad),
            EventKind::Internal => (self.signs.internal, Role::Faint),
            _ if self.is_read(event) => (self.signs.dot, Role::Message),
            _ => (self.signs.dot, Role::Bad),
        };
        self.mark(&mut canvas, column, (sign, role), &text);
        canvas
    }

    /// A sign on a lane and text beside it, on the side where there is room.
    fn mark(&self, canvas: &mut Canvas, column: usize, (sign, role): (char, Role), text: &str) {
        let x = self.x(column);
        canvas.set(x, sign, role);
        let right = canvas.width().saturating_sub(x + 2);
        let left = x.saturating_sub(2);
        if width(text) > right && left > right {
            let text = cut(text, left, self.signs.cut);
            canvas.put(&text, x - 1 - width(&text), role);
        } else {
            canvas.put(&cut(text, right, self.signs.cut), x + 2, role);
        }
    }

    fn send(&self, canvas: &mut Canvas, column: usize, index: usize, event: &Event) {
        let Some(target) = self.chart.target(event).map(|lane| self.columns.of_lane[lane]) else {
            return;
        };
        let read = self.is_read(event);
        let role = if read { Role::Message } else { Role::Bad };
        let label = self.chart.label(event, read);
        let rightwards = target > column;
        let now = event.kind == EventKind::Rendezvous || event.matched == Some(index + 1);
        let head = match (read, now, rightwards) {
            (true, true, true) => self.signs.right,
            (true, true, false) => self.signs.left,
            (true, false, true) => self.signs.late_right,
            (true, false, false) => self.signs.late_left,
            (false, _, true) => ']',
            (false, _, false) => '[',
        };
        self.arrow(canvas, (self.x(column), self.x(target)), (head, read, role), &label);
    }

    fn arrow(
        &self,
        canvas: &mut Canvas,
        (from, to): (usize, usize),
        (head, solid, role): (char, bool, Role),
        label: &str,
    ) {
        let (low, high) = (from.min(to), from.max(to));
        for at in low + 1..high {
            let sign = if solid || at.abs_diff(from) % 2 == 1 { self.signs.line } else { ' ' };
            canvas.set(at, sign, role);
        }
        canvas.set(from, self.signs.dot, role);
        canvas.set(if to > from { to - 1 } else { to + 1 }, head, role);
        let label = cut(label, high - low - ARROW, self.signs.cut);
        let text = format!(" {label} ");
        let text_role = if solid { Role::Plain } else { role };
        // Centred, but never over the point of the arrow or the dot.
        let first = if to > from { low + 1 } else { low + 2 };
        let last = first + (high - low - 2).saturating_sub(width(&text));
        let at = ((low + high) / 2).saturating_sub(width(&label) / 2 + 1).clamp(first, last);
        canvas.put(&text, at, text_role);
    }

    fn foot(&self) -> Vec<Row> {
        let (bad, text) = match &self.chart.ending {
            Ending::Fails(what) | Ending::Stops(what) => (true, what.clone()),
            Ending::Blocked => (true, "nothing can move".to_owned()),
            Ending::Repeats => (false, self.chart.repeating().unwrap_or_default()),
            Ending::Open => return Vec::new(),
        };
        let mut row = Row::new().to(self.indent() + 6, 0);
        if bad {
            row = row.put(Role::Bad, self.signs.bad).plain(" ");
        }
        let start = row.width();
        let parts = wrap(&text, self.room.saturating_sub(start).max(20));
        parts.iter().map(|part| std::mem::take(&mut row).to(start, 0).plain(part)).collect()
    }
}

fn place(event: &Event, signs: &Signs) -> String {
    match &event.file {
        Some(file) => cut_front(&format!("{file}:{}", event.line), PLACE_MAX, signs.cut),
        None => format!(":{}", event.line),
    }
}
