//! Lifelines, wires and signs. Lines are drawn first, text last, so that text
//! stays readable where it crosses a line.

use super::wires::Wire;
use super::{Frame, ROW};
use crate::chart::{Chart, Ending, deed};
use crate::style::{cut, width};
use crate::theme::{Anchor, Shapes, px};
use trace::{Event, EventKind};

/// Width of a character of the chart's type.
const CHAR: f64 = 6.7;
/// Longer statements are cut.
const OVERHANG_MAX: f64 = 360.0;

pub(super) fn draw(frame: &Frame, out: &mut Shapes) {
    let mut top = Shapes::default();
    lifelines(frame, out);
    let visible = |wire: &&Wire| {
        let start = wire.send.or(wire.receive).unwrap_or(0);
        let end = wire.receive.unwrap_or(start);
        start < frame.end && end >= frame.first
    };
    for wire in frame.wires.list.iter().filter(visible) {
        draw_wire(frame, wire, out, &mut top);
    }
    for row in frame.first..frame.end {
        let event = &frame.chart.scenario.trace[frame.wires.steps[row]];
        draw_sign(frame, row, event, out, &mut top);
    }
    if frame.tail.is_some() {
        halted(frame, out, &mut top);
    }
    repeats(frame, out);
    out.raw(&top.finish());
}

fn lifelines(frame: &Frame, out: &mut Shapes) {
    let top = frame.y(frame.first) - ROW / 2.0;
    let bottom = frame.y(frame.end) - ROW / 2.0;
    for lane in 0..frame.chart.lanes.len() {
        let d = format!("M{} {}V{}", px(frame.x(lane)), px(top), px(bottom));
        out.path("life", &d);
    }
}

/// The point of an arrow at `x`, coming from the left if `way` is 1.
fn tip(out: &mut Shapes, class: &str, x: f64, y: f64, way: f64) {
    out.path(class, &format!("M{} {}l{} -4v8z", px(x), px(y), px(-7.0 * way)));
}

fn label(out: &mut Shapes, class: &str, at: (f64, f64), anchor: Anchor, text: &str, room: f64) {
    let columns = ((room / CHAR) as usize).max(3);
    out.cut_text(class, at, anchor, &cut(text, columns, '…'), text);
}

fn draw_wire(frame: &Frame, wire: &Wire, out: &mut Shapes, top: &mut Shapes) {
    match (wire.send, wire.receive) {
        (None, Some(row)) => from_outside(frame, wire, row, out),
        (Some(row), None) => unfinished(frame, wire, row, out, top),
        (Some(send), Some(receive)) => whole(frame, wire, (send, receive), out, top),
        (None, None) => {}
    }
}

/// A receive whose send is not in the picture.
fn from_outside(frame: &Frame, wire: &Wire, row: usize, out: &mut Shapes) {
    let Some(lane) = wire.to else { return };
    let (x, y) = (frame.x(lane), frame.y(row));
    out.path("wire", &format!("M{} {}H{}", px(x - 26.0), px(y), px(x - 7.0)));
    out.circle("stub", x - 28.0, y, 2.5);
    tip(out, "tip", x, y, 1.0);
}

/// A send whose receive never comes, or is not in the picture.
fn unfinished(frame: &Frame, wire: &Wire, row: usize, out: &mut Shapes, top: &mut Shapes) {
    let Some(from) = wire.from else { return };
    let (x, y) = (frame.x(from), frame.y(row));
    let way = if wire.to.is_some_and(|to| to < from) { -1.0 } else { 1.0 };
    let far = match wire.to {
        Some(to) if to != from => frame.x(to) - 12.0 * way,
        _ => x + way * f64::min(frame.lane * 0.42, 64.0),
    };
    let class = if wire.unread { "wire lost" } else { "wire" };
    out.path(class, &format!("M{} {}H{}", px(x), px(y), px(far - way)));
    if wire.unread {
        let (edge, back) = (px(far - 5.0 * way), px(5.0 * way));
        let d = format!("M{edge} {}h{back}v10h{}", px(y - 5.0), px(-5.0 * way));
        out.path("brk", &d);
    } else {
        out.circle("stub", far, y, 2.5);
    }
    let class = if wire.unread { "msg bad" } else { "msg" };
    let room = f64::max((far - x).abs(), 92.0);
    label(top, class, ((x + far) / 2.0, y - 5.0), Anchor::Middle, &wire.text, room);
}

/// Across at the send, down while it waits, in at the receive; round corners.
fn whole(
    frame: &Frame,
    wire: &Wire,
    (send, receive): (usize, usize),
    out: &mut Shapes,
    top: &mut Shapes,
) {
    let (Some(from), Some(to)) = (wire.from, wire.to) else { return };
    let (xf, xt) = (frame.x(from), frame.x(to));
    let (ys, yr) = (frame.y(send), frame.y(receive));
    let itself = from == to;
    let slot = 5.0 * wire.slot as f64;
    // A message to itself loops round on the right of its lane.
    let (out_way, in_way, x) = match (itself, from < to) {
        (true, _) => (1.0, -1.0, xt + 16.0 + slot),
        (false, true) => (1.0, 1.0, xt - 10.0 - slot),
        (false, false) => (-1.0, -1.0, xt + 10.0 + slot),
    };
    let round = 4.0;
    let (turn, back) = (px(round * out_way), px(round * in_way));
    let (near, low, end) = (px(x - round * out_way), px(yr - round), px(xt - 6.0 * in_way));
    let d = format!(
        "M{} {}H{near}q{turn} 0 {turn} {round}V{low}q0 {round} {back} {round}H{end}",
        px(xf),
        px(ys)
    );
    out.path("wire", &d);
    tip(out, "tip", xt, yr, in_way);
    if itself {
        label(top, "msg", (x + 4.0, ys - 5.0), Anchor::Start, &wire.text, frame.lane * 0.6);
    } else {
        let room = f64::max((x - xf).abs() - 6.0, 92.0);
        label(top, "msg", ((xf + x) / 2.0, ys - 5.0), Anchor::Middle, &wire.text, room);
    }
}

fn draw_sign(frame: &Frame, row: usize, event: &Event, out: &mut Shapes, top: &mut Shapes) {
    let Some(lane) = frame.chart.lane(&event.process) else { return };
    let (x, y) = (frame.x(lane), frame.y(row));
    match event.kind {
        EventKind::Send => top.circle("dot", x, y, 3.2),
        EventKind::Rendezvous => rendezvous(frame, (x, y), event, out, top),
        EventKind::Receive => receive(frame, lane, row, event, top),
        EventKind::Tau => {
            top.path("tau", &format!("M{} {}l7 7l-7 7l-7 -7z", px(x), px(y - 7.0)));
            beside(frame, lane, row, "msg taut", "τ timeout", 11.0, top);
        }
        EventKind::Internal => {
            top.rect("int", (x - 3.0, y - 3.0), (6.0, 6.0), 0.0);
            beside(frame, lane, row, "say", &deed(event), 8.0, top);
        }
    }
    if frame.wires.failing == Some(row) {
        top.path("cross", &format!("M{} {}l10 10m0 -10l-10 10", px(x - 5.0), px(y - 5.0)));
    }
}

/// The name of a message at its receive, on the side away from its arrow; with its channel, which
/// stands at the arrow as well, if there is room.
fn receive(frame: &Frame, lane: usize, row: usize, event: &Event, top: &mut Shapes) {
    let wire = frame.wires.into[row].map(|number| &frame.wires.list[number]);
    // A message to itself comes in from the right.
    let from_right = wire.is_some_and(|wire| wire.from >= wire.to);
    let (way, anchor) = if from_right { (-1.0, Anchor::End) } else { (1.0, Anchor::Start) };
    let at = (frame.x(lane) + 7.0 * way, frame.y(row) + 4.0);
    // Left of the first lane are the numbers of the steps.
    let room = frame.lane / 2.0 + if from_right && lane == 0 { 8.0 } else { 20.0 };
    let whole = frame.chart.receive_label(event);
    let fits = width(&whole) as f64 * CHAR <= room;
    let text = if fits { whole } else { format!("?{}", event.message_text()) };
    label(top, "say", at, anchor, &text, room);
}

fn rendezvous(
    frame: &Frame,
    (x, y): (f64, f64),
    event: &Event,
    out: &mut Shapes,
    top: &mut Shapes,
) {
    top.circle("dot", x, y, 3.2);
    let Some(peer) = frame.chart.target(event).map(|lane| frame.x(lane)) else { return };
    if peer == x {
        return;
    }
    let way = if peer > x { 1.0 } else { -1.0 };
    out.path("wire sync", &format!("M{} {}H{}", px(x), px(y), px(peer - 6.0 * way)));
    tip(out, "tip", peer, y, way);
    let room = (peer - x).abs() - 10.0;
    let text = frame.chart.label(event, true);
    label(top, "msg", ((x + peer) / 2.0, y - 5.0), Anchor::Middle, &text, room);
}

/// How far the statement of a step reaches beyond the lanes, if it fits on neither side.
pub(super) fn overhang(chart: &Chart, event: &Event, lane_width: f64) -> f64 {
    let Some(lane) = chart.lane(&event.process).filter(|_| event.kind == EventKind::Internal)
    else {
        return 0.0;
    };
    let need = width(&deed(event)) as f64 * CHAR + 26.0;
    let right = (chart.lanes.len() as f64 - lane as f64 - 0.5) * lane_width;
    let left = (lane as f64 + 0.5) * lane_width;
    if need <= left { 0.0 } else { (need - right).clamp(0.0, OVERHANG_MAX) }
}

/// Text beside a sign, on the side where there is room.
fn beside(
    frame: &Frame,
    lane: usize,
    row: usize,
    class: &str,
    text: &str,
    gap: f64,
    top: &mut Shapes,
) {
    let lanes = frame.chart.lanes.len() as f64;
    let need = width(text) as f64 * CHAR + 12.0;
    let right = (lanes - lane as f64 - 0.5) * frame.lane + frame.extra - 10.0;
    let left = (lane as f64 + 0.5) * frame.lane - 12.0;
    let at_left = need > right && left > right;
    let room = f64::max(20.0, if at_left { left } else { right } - 4.0);
    let (way, anchor) = if at_left { (-1.0, Anchor::End) } else { (1.0, Anchor::Start) };
    let at = (frame.x(lane) + gap * way, frame.y(row) + 4.0);
    label(top, class, at, anchor, text, room);
}

/// The row "nothing can move": a bar under every lane that waits.
fn halted(frame: &Frame, out: &mut Shapes, top: &mut Shapes) {
    let y = frame.y(frame.end);
    for wait in frame.chart.waits {
        let Some(lane) = frame.chart.lane(&wait.process) else { continue };
        let x = frame.x(lane);
        out.path("life", &format!("M{} {}V{}", px(x), px(y - ROW / 2.0), px(y)));
        let class = if wait.culprit { "cross" } else { "halt" };
        top.path(class, &format!("M{} {}h18", px(x - 9.0), px(y)));
        if wait.culprit {
            label(top, "msg bad hot", (x + 12.0, y + 4.0), Anchor::Start, "stuck", frame.lane);
        }
    }
}

/// The bracket round the part that repeats.
fn repeats(frame: &Frame, out: &mut Shapes) {
    let (Ending::Repeats, Some(start)) = (&frame.chart.ending, frame.chart.cycle_start) else {
        return;
    };
    let first = frame.wires.steps.partition_point(|step| *step < start);
    let rows = frame.wires.steps.len();
    if first >= rows || first >= frame.end {
        return;
    }
    let (x, bottom) = (56.0, frame.y(rows - 1) + ROW / 2.0 - 3.0);
    let top = frame.y(first) - ROW / 2.0 + 3.0;
    let d = format!("M{} {}H{}V{}H{}", px(x + 8.0), px(bottom), px(x), px(top), px(x + 8.0));
    out.path("loop", &d);
    tip(out, "looptip", x + 11.0, top, 1.0);
    if frame.end == rows {
        let text = frame.chart.repeating().unwrap_or_default();
        out.text("loopt", (x, frame.y(rows) + 4.0), Anchor::Start, &text);
        return;
    }
    // In a cut picture the words stand in the middle of what is seen.
    let seen_top = f64::max(top, frame.y(frame.first) - ROW / 2.0);
    let seen_bottom = f64::min(bottom, frame.y(frame.end) - ROW / 2.0);
    let text = if seen_bottom - seen_top < 110.0 { "loop" } else { "repeats for ever" };
    out.raw(&format!(
        r#"<text class="loopt" transform="translate({} {}) rotate(-90)" text-anchor="middle">{text}</text>"#,
        px(x - 4.0),
        px((seen_top + seen_bottom) / 2.0),
    ));
}
