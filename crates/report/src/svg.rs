//! A run as a picture of its own: a standalone SVG without scripts, fonts or
//! references, light or dark as the reader prefers. One step is one row, so
//! labels never collide and a cut picture still reads.

mod rows;
mod wires;

use crate::chart::{Chart, Ending};
use crate::style::{cut, width, wrap};
use crate::theme::{Anchor, Colors, MONO, SANS, Shapes, Theme, document, px, style_sheet};
use crate::words;
use trace::EventKind;
use wires::Wires;

/// How a chart is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SvgOptions {
    /// Its colours.
    pub theme: Theme,
    /// Leave out internal steps.
    pub hide_internal: bool,
    /// Only these steps, first and last, counted from 1.
    pub rows: Option<(usize, usize)>,
}

const ROW: f64 = 22.0;
const HEAD: f64 = 92.0;
const FOOT: f64 = 46.0;
const RIGHT: f64 = 52.0;
/// Narrower than this and title and legend would not fit.
const WIDTH_MIN: f64 = 480.0;
/// Columns per pixel of the title's type, with room to spare.
const TITLE_CHAR: f64 = 9.4;

/// The run as an SVG document.
pub fn svg(chart: &Chart, options: &SvgOptions) -> String {
    let wires = Wires::new(chart, options.hide_internal);
    let frame = Frame::new(chart, &wires, options.rows);
    let mut shapes = Shapes::default();
    shapes.rect("bgd", (0.0, 0.0), (frame.width, frame.height), 0.0);
    frame.title(&mut shapes);
    frame.ending_row(&mut shapes);
    let clip = format!(
        r#"<clipPath id="c"><rect x="0" y="{}" width="{}" height="{}"/></clipPath><g clip-path="url(#c)">"#,
        px(HEAD - 8.0),
        px(frame.width),
        px(frame.height - HEAD - FOOT + 8.0),
    );
    shapes.raw(&clip);
    rows::draw(&frame, &mut shapes);
    shapes.raw("</g>");
    frame.numbers(&mut shapes);
    frame.lane_heads(&mut shapes);
    frame.legend(&mut shapes);
    frame.document(options.theme, &shapes.finish())
}

/// Where everything stands.
struct Frame<'a> {
    chart: &'a Chart<'a>,
    wires: &'a Wires,
    /// First row shown and the one after the last.
    first: usize,
    end: usize,
    lane: f64,
    /// Room behind the last lane, for statements that fit on neither side of theirs.
    extra: f64,
    left: f64,
    width: f64,
    height: f64,
    /// What to call a row after the last step: the state is wrong, no step was.
    tail: Option<&'static str>,
}

impl<'a> Frame<'a> {
    fn new(chart: &'a Chart<'a>, wires: &'a Wires, cut: Option<(usize, usize)>) -> Self {
        let (first, end) = match cut {
            None => (0, wires.steps.len()),
            Some((from, to)) => {
                let first = wires.steps.partition_point(|step| step + 1 < from);
                let end = wires.steps.partition_point(|step| *step < to);
                (first, end.max(first))
            }
        };
        let lanes = chart.lanes.len().max(1) as f64;
        let left = if chart.cycle_start.is_some() { 84.0 } else { 58.0 };
        let usual = match chart.lanes.len() {
            0..=5 => 150.0,
            6..=8 => 120.0,
            _ => 104.0,
        };
        let lane = f64::max(usual, ((WIDTH_MIN - left - RIGHT) / lanes).floor());
        let shown = wires.steps[first..end].iter().map(|step| &chart.scenario.trace[*step]);
        let extra = shown.map(|event| rows::overhang(chart, event, lane)).fold(0.0, f64::max);
        let width = left + lane * lanes + extra + RIGHT;
        let tail = match chart.ending {
            _ if end < wires.steps.len() => None,
            Ending::Blocked => Some("blocked"),
            Ending::Stops(_) => Some("end"),
            _ => None,
        };
        let repeats = chart.ending == Ending::Repeats && end == wires.steps.len();
        let rows = (end - first + usize::from(tail.is_some() || repeats)) as f64;
        let height = HEAD + rows * ROW + FOOT;
        Self { chart, wires, first, end, lane, extra, left, width, height, tail }
    }

    /// Middle of a lane.
    fn x(&self, lane: usize) -> f64 {
        self.left + self.lane * (lane as f64 + 0.5)
    }

    /// Middle of a row, also of one that is not shown.
    fn y(&self, row: usize) -> f64 {
        HEAD + (row as f64 - self.first as f64) * ROW + ROW / 2.0
    }

    fn title(&self, shapes: &mut Shapes) {
        let columns = ((self.width - 24.0) / TITLE_CHAR) as usize;
        let mut lines = wrap(&self.chart.title, columns);
        if lines.len() > 2 {
            let rest = lines.split_off(1).join(" ");
            lines.push(cut(&rest, columns, '…'));
        }
        let (top, under) = if lines.len() > 1 { (18.0, 51.0) } else { (24.0, 43.0) };
        for (number, line) in lines.iter().enumerate() {
            let at = (14.0, top + 17.0 * number as f64);
            shapes.cut_text("ttl", at, Anchor::Start, line, line);
        }
        let columns = ((self.width - 24.0) / 6.4) as usize;
        shapes.text("sub", (14.0, under), Anchor::Start, &cut(&self.subtitle(), columns, '…'));
    }

    fn subtitle(&self) -> String {
        let length = words::length(self.chart.scenario.trace.len(), self.chart.events());
        let mut text = format!("{}, {length}", self.chart.model);
        let shown = self.wires.steps.get(self.first..self.end).unwrap_or_default();
        if shown.len() < self.wires.steps.len()
            && let (Some(first), Some(last)) = (shown.first(), shown.last())
        {
            text += &format!(", steps {} to {}", first + 1, last + 1);
        }
        if !self.chart.length.is_empty() {
            text += &format!("; {}", self.chart.length);
        }
        text
    }

    /// The row to look at: the violating step, or the state nothing leads out of.
    fn ending_row(&self, shapes: &mut Shapes) {
        let row = if self.tail.is_some() { Some(self.end) } else { self.wires.failing };
        let shown = self.first..self.end + usize::from(self.tail.is_some());
        let Some(row) = row.filter(|row| shown.contains(row)) else { return };
        let top = self.y(row) - ROW / 2.0;
        shapes.rect("er", (0.0, top), (self.width, ROW), 0.0);
        if let Some(word) = self.tail {
            shapes.text("no bad", (6.0, self.y(row) + 4.0), Anchor::Start, word);
        }
    }

    fn numbers(&self, shapes: &mut Shapes) {
        for row in self.first..self.end {
            let step = self.wires.steps[row];
            let event = &self.chart.scenario.trace[step];
            let y = self.y(row) + 4.0;
            shapes.text("no", (38.0, y), Anchor::End, &(step + 1).to_string());
            let place = match &event.file {
                Some(file) => format!("{}:{}", cut(file, 8, '…'), event.line),
                None => format!(":{}", event.line),
            };
            shapes.text("no", (self.width - 10.0, y), Anchor::End, &place);
        }
    }

    fn lane_heads(&self, shapes: &mut Shapes) {
        for (lane, name) in self.chart.lanes.iter().enumerate() {
            let room = ((self.lane - 28.0) / 7.3) as usize;
            let shown = cut(name, room, '…');
            let wide = (width(&shown) as f64 * 7.3 + 18.0).clamp(56.0, self.lane - 8.0);
            let x = self.x(lane);
            shapes.rect("hd", (x - wide / 2.0, 58.0), (wide, 24.0), 4.0);
            shapes.cut_text("nm", (x, 74.0), Anchor::Middle, &shown, name);
        }
    }

    /// Only the signs that occur.
    fn legend(&self, shapes: &mut Shapes) {
        let steps = &self.wires.steps[self.first..self.end];
        let has = |kind: EventKind| {
            steps.iter().any(|step| self.chart.scenario.trace[*step].kind == kind)
        };
        let mut parts = Vec::new();
        if self.wires.list.iter().any(|wire| wire.unread) {
            parts.push("[m] sent, not received");
        }
        if has(EventKind::Tau) {
            parts.push("τ timeout");
        }
        if has(EventKind::Internal) {
            parts.push("□ internal step");
        }
        if self.wires.failing.is_some() {
            parts.push("✗ error");
        }
        parts.push("left: step, right: source line");
        shapes.text("sub", (14.0, self.height - 14.0), Anchor::Start, &parts.join(" · "));
    }

    fn document(&self, theme: Theme, body: &str) -> String {
        let title = format!("{}: {}", self.chart.model, self.chart.title);
        let steps = words::count(self.chart.scenario.trace.len() as u64, "step");
        let about = format!(
            "Message sequence chart, {steps}. Time runs down. Left: step number; right: source line."
        );
        let style = style_sheet(theme, &shape_rules(), color_rules);
        document((self.width, self.height), &title, &about, &style, body)
    }
}

fn shape_rules() -> String {
    format!(
        ".life{{stroke-width:1.5}}.wire{{stroke-width:1.4;fill:none}}.sync{{stroke-width:2.4}}\
         .lost{{stroke-dasharray:4 3}}.brk,.cross{{stroke-width:2;fill:none}}.halt{{stroke-width:2}}\
         .int{{stroke-width:1.3}}.tau{{stroke-width:1.8}}.loop{{stroke-width:2;fill:none}}\
         .msg,.say,.loopt{{font:11px {MONO};paint-order:stroke;stroke-width:3px;stroke-linejoin:round}}\
         .bad{{font-weight:700}}.ttl{{font:600 15px {SANS}}}.sub{{font:12px {SANS}}}\
         .nm{{font:600 12px {MONO}}}.no{{font:11px {MONO}}}"
    )
}

fn color_rules(c: &Colors) -> String {
    let Colors { background, ink, mute, line, message, bad, time, head, bad_background, .. } = c;
    format!(
        ".bgd{{fill:{background}}}.life{{stroke:{line}}}.wire{{stroke:{message}}}\
         .lost,.brk,.cross{{stroke:{bad}}}.halt{{stroke:{mute}}}.tip,.dot{{fill:{message}}}\
         .stub{{fill:{background};stroke:{message}}}.int{{fill:{background};stroke:{mute}}}\
         .tau{{fill:{background};stroke:{time}}}.loop{{stroke:{time}}}.looptip,.loopt,.taut{{fill:{time}}}\
         .msg,.say,.loopt{{stroke:{background}}}.msg{{fill:{ink}}}.say,.no,.sub{{fill:{mute}}}\
         .msg.bad,.no.bad{{fill:{bad}}}.msg.taut{{fill:{time}}}.msg.hot{{stroke:{bad_background}}}.hd{{fill:{head};stroke:{line}}}\
         .ttl,.nm{{fill:{ink}}}.er{{fill:{bad_background}}}"
    )
}
