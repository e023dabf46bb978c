//! The figures as a picture: ratios by model, and growth.

use super::document::{nanoseconds, times};
use super::figures::{Best, Results, Row};
use super::modes::ONE_THREAD;

const WIDTH: f64 = 880.0;
const LEFT: f64 = 130.0;
const RIGHT: f64 = 830.0;
const TOP: f64 = 84.0;
const ROW: f64 = 30.0;
const BAR: f64 = 10.0;
const GROWTH_HEIGHT: f64 = 190.0;

const INK: &str = "#222222";
const GRID: &str = "#dddddd";
const OURS: &str = "#1b6ca8";
const WHOLE: &str = "#94c1e3";
const THEIRS: &str = "#c0651a";

pub(super) fn svg(results: &Results) -> String {
    let rows: Vec<&Row> =
        results.set.iter().filter(|row| row.search_ratio(ONE_THREAD).is_some()).collect();
    let bars = ratios(&rows);
    let top = TOP + ROW * rows.len() as f64 + 110.0;
    let left = Frame { left: 70.0, right: 420.0, top, bottom: top + GROWTH_HEIGHT };
    let right = Frame { left: 500.0, right: 850.0, ..left };
    let time =
        growth(&results.growth, &left, "search time per state, ns", |b| Some(nanoseconds(b)));
    let bytes = growth(&results.growth, &right, "bytes per visited state", Best::bytes_per_state);
    let height = left.bottom + 60.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"{INK}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{bars}{time}{bytes}</svg>\n"
    )
}

/// Where values fall on a stretch of the picture.
struct Axis {
    from: f64,
    to: f64,
    low: f64,
    high: f64,
    logarithmic: bool,
}

impl Axis {
    fn at(&self, value: f64) -> f64 {
        let place = |value: f64| if self.logarithmic { value.ln() } else { value };
        let share = (place(value) - place(self.from)) / (place(self.to) - place(self.from));
        self.low + share.clamp(0.0, 1.0) * (self.high - self.low)
    }

    /// A logarithmic axis over whole powers of ten that hold all `values`.
    fn decades(values: &[f64], low: f64, high: f64) -> Self {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (from, to) = (least.log10().floor(), most.log10().ceil());
        let to = if to > from { to } else { from + 1.0 };
        Self { from: 10f64.powf(from), to: 10f64.powf(to), low, high, logarithmic: true }
    }

    /// A linear axis from 0 to a round value above all `values`.
    fn linear(values: &[f64], low: f64, high: f64) -> Self {
        let most = values.iter().copied().fold(1.0, f64::max);
        let unit = 10f64.powf(most.log10().floor());
        let round = [1.0, 2.0, 4.0, 10.0].into_iter().find(|times| times * unit >= most);
        Self { from: 0.0, to: round.unwrap_or(10.0) * unit, low, high, logarithmic: false }
    }

    fn ticks(&self) -> Vec<f64> {
        if !self.logarithmic {
            return (0..=4).map(|quarter| self.to * f64::from(quarter) / 4.0).collect();
        }
        let (first, last) = (self.from.log10().round() as i32, self.to.log10().round() as i32);
        (first..=last).map(|power| 10f64.powi(power)).collect()
    }
}

fn text(x: f64, y: f64, anchor: &str, words: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>\n")
}

fn title(x: f64, y: f64, words: &str) -> String {
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"14\" font-weight=\"bold\">{words}</text>\n"
    )
}

fn line(from: (f64, f64), to: (f64, f64), look: &str) -> String {
    format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" {look}/>\n",
        from.0, from.1, to.0, to.1
    )
}

fn key(x: f64, y: f64, colour: &str, words: &str) -> String {
    let square = format!(
        "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\n",
        y - 9.0
    );
    square + &text(x + 15.0, y, "start", words)
}

/// Bars from 1x: to the right argos is faster, to the left pan is.
fn ratios(rows: &[&Row]) -> String {
    let both = |row: &&Row| [row.search_ratio(ONE_THREAD), row.total_ratio(ONE_THREAD)];
    let mut values: Vec<f64> = rows.iter().flat_map(both).flatten().collect();
    values.extend([1.0, WANTED]);
    let axis = Axis::decades(&values, LEFT, RIGHT);
    let bottom = TOP + ROW * rows.len() as f64;
    let mut picture = title(20.0, 24.0, "How many times faster than SPIN, one thread");
    picture += &key(20.0, 46.0, OURS, "search: pan / argos");
    picture += &key(180.0, 46.0, WHOLE, "whole command: (spin + gcc + pan) / argos");
    for tick in axis.ticks() {
        let x = axis.at(tick);
        picture += &line((x, TOP), (x, bottom), &format!("stroke=\"{GRID}\""));
        picture += &text(x, bottom + 18.0, "middle", &format!("{tick}x"));
    }
    picture += &text((LEFT + RIGHT) / 2.0, bottom + 38.0, "middle", "processor time, logarithmic");
    let (one, wanted) = (axis.at(1.0), axis.at(WANTED));
    picture += &line((one, TOP), (one, bottom), &format!("stroke=\"{INK}\""));
    let dashed = format!("stroke=\"{INK}\" stroke-dasharray=\"4 3\"");
    picture += &line((wanted, TOP), (wanted, bottom), &dashed);
    picture += &text(wanted, TOP - 8.0, "middle", "wanted: search 8x in the mean");
    for (row, number) in rows.iter().zip(0u32..) {
        let y = TOP + ROW * f64::from(number) + 4.0;
        picture += &text(LEFT - 10.0, y + 15.0, "end", &row.model);
        picture += &bar(&axis, y, OURS, row.search_ratio(ONE_THREAD));
        picture += &bar(&axis, y + BAR + 1.0, WHOLE, row.total_ratio(ONE_THREAD));
    }
    picture
}

/// The mean the search is to reach.
const WANTED: f64 = 8.0;

fn bar(axis: &Axis, y: f64, colour: &str, value: Option<f64>) -> String {
    let Some(value) = value else { return String::new() };
    let (one, end) = (axis.at(1.0), axis.at(value));
    let (start, width) = (one.min(end), (one - end).abs());
    let rect = format!(
        "<rect x=\"{start:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{BAR}\" fill=\"{colour}\"/>\n"
    );
    let (x, anchor) = if end >= one { (end + 4.0, "start") } else { (end - 4.0, "end") };
    // A white rim keeps the figure legible on a line.
    let look =
        "<text font-size=\"10\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\"";
    rect + &text(x, y + BAR - 1.0, anchor, &times(value)).replacen("<text", look, 1)
}

#[derive(Clone, Copy)]
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// One figure of both programs over the number of states.
fn growth(
    rows: &[Row],
    frame: &Frame,
    name: &str,
    figure: impl Fn(&Best) -> Option<f64>,
) -> String {
    let points = |best: &dyn Fn(&Row) -> Option<Best>| -> Vec<(f64, f64)> {
        let point = |best: Best| Some((best.counts[0] as f64, figure(&best)?));
        rows.iter().filter_map(best).filter_map(point).collect()
    };
    let pan = points(&|row| row.pan().cloned());
    let argos = points(&|row| row.mode(ONE_THREAD).cloned());
    let (states, values): (Vec<f64>, Vec<f64>) = pan.iter().chain(&argos).copied().unzip();
    let mut picture = title(frame.left - 50.0, frame.top - 40.0, &format!("Growth: {name}"));
    picture += &key(frame.left - 50.0, frame.top - 18.0, OURS, "argos");
    picture += &key(frame.left + 30.0, frame.top - 18.0, THEIRS, "pan");
    if states.is_empty() {
        return picture + &text(frame.left, frame.top + 20.0, "start", "not measured");
    }
    let x = Axis::decades(&states, frame.left, frame.right);
    let y = Axis::linear(&values, frame.bottom, frame.top);
    picture += &axes(&x, &y, frame);
    picture += &curve(&x, &y, &pan, THEIRS);
    picture + &curve(&x, &y, &argos, OURS)
}

fn axes(x: &Axis, y: &Axis, frame: &Frame) -> String {
    let grid = format!("stroke=\"{GRID}\"");
    let mut picture = String::new();
    for tick in y.ticks() {
        let at = y.at(tick);
        picture += &line((frame.left, at), (frame.right, at), &grid);
        picture += &text(frame.left - 8.0, at + 4.0, "end", &format!("{tick}"));
    }
    for tick in x.ticks() {
        let at = x.at(tick);
        picture += &line((at, frame.top), (at, frame.bottom), &grid);
        let power = format!("10<tspan dy=\"-5\" font-size=\"9\">{}</tspan>", tick.log10().round());
        picture += &text(at, frame.bottom + 18.0, "middle", &power);
    }
    let middle = (frame.left + frame.right) / 2.0;
    picture + &text(middle, frame.bottom + 38.0, "middle", "states, logarithmic")
}

fn curve(x: &Axis, y: &Axis, points: &[(f64, f64)], colour: &str) -> String {
    let places: Vec<(f64, f64)> = points.iter().map(|(s, v)| (x.at(*s), y.at(*v))).collect();
    let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let dot = |(x, y): &(f64, f64)| {
        format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>\n")
    };
    let dots: String = places.iter().map(dot).collect();
    format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n{dots}",
        path.join(" ")
    )
}
