//! Measured points as a picture: lines, points or bars over linear axes, logarithmic
//! ones or words. A standalone SVG in the look of all our pictures.
//!
//! Every series has a colour and a second sign, its mark, so that a print without
//! colours still tells them apart.

mod axis;

pub use axis::{Axis, Scale};

use crate::style::{cut, width, wrap};
use crate::theme::{Anchor, Colors, MONO, SANS, Shapes, Theme, document, escape, px, style_sheet};
use axis::{Range, is_drawn};
use std::fmt::Write;

/// What is to be drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// What is shown.
    pub title: String,
    /// On what it was measured, and what to look at.
    pub subtitle: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What was measured.
    pub series: Vec<Series>,
    /// Lines to compare with.
    pub rules: Vec<Rule>,
}

/// Points that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// For the legend.
    pub name: String,
    /// How they are drawn.
    pub form: Form,
    /// Where they are.
    pub points: Vec<(f64, f64)>,
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Joined by a line.
    Line,
    /// Each on its own.
    Points,
    /// As bars from the axis, beside those of other series.
    Bars,
}

/// A line to compare with: what a paper says, a bound.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// What it says.
    pub label: String,
    /// Whether it stands upright at a place of the x axis, or lies at one of the y axis.
    pub upright: bool,
    /// Where.
    pub at: f64,
}

impl Rule {
    fn has_label_above(&self) -> bool {
        self.upright && !self.label.is_empty()
    }
}

impl Plot {
    /// A plot with an axis to the right and one upwards, and nothing to compare with.
    pub fn new(
        title: &str,
        subtitle: impl Into<String>,
        [x, y]: [Axis; 2],
        series: Vec<Series>,
    ) -> Self {
        let (title, subtitle) = (title.to_owned(), subtitle.into());
        Self { title, subtitle, x, y, series, rules: Vec::new() }
    }
}

impl Series {
    /// Points joined by a line.
    pub fn line(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), form: Form::Line, points }
    }

    /// Points each on its own.
    pub fn points(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), form: Form::Points, points }
    }

    /// Bars.
    pub fn bars(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), form: Form::Bars, points }
    }
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 40.0;
const FOOT: f64 = 58.0;
/// Height of a line of the legend.
const LEGEND_ROW: f64 = 20.0;
/// Height of a line of labels of rules.
const RULE_ROW: f64 = 14.0;
/// Columns per pixel of the type of legend and subtitle.
const CHAR: f64 = 6.6;
/// As many series have a look of their own.
const LOOKS: usize = 6;

/// The plot as an SVG document.
pub fn plot(plot: &Plot, theme: Theme) -> String {
    let frame = Frame::new(plot);
    let mut shapes = Shapes::default();
    shapes.rect("bgd", (0.0, 0.0), (WIDTH, HEIGHT), 0.0);
    frame.heads(&mut shapes);
    frame.grid(&mut shapes);
    frame.bars(&mut shapes);
    frame.rules(&mut shapes);
    for (number, series) in plot.series.iter().enumerate() {
        frame.series(&mut shapes, number, series);
    }
    frame.legend(&mut shapes);
    let style = style_sheet(theme, &shape_rules(), color_rules);
    document((WIDTH, HEIGHT), &plot.title, &plot.subtitle, &style, &shapes.finish())
}

/// Where everything stands.
struct Frame<'a> {
    plot: &'a Plot,
    x: Range,
    y: Range,
    /// Upper edge of the drawing.
    top: f64,
    subtitle: Vec<String>,
    /// Where the signs of the legend stand.
    legend: Vec<(f64, f64)>,
}

impl<'a> Frame<'a> {
    fn new(plot: &'a Plot) -> Self {
        let bars = plot.series.iter().any(|series| series.form == Form::Bars);
        let of = |upright: bool, pick: fn(&(f64, f64)) -> f64| -> Vec<f64> {
            let points = plot.series.iter().flat_map(|series| &series.points).map(pick);
            let rules = plot.rules.iter().filter(|rule| rule.upright == upright);
            points.chain(rules.map(|rule| rule.at)).collect()
        };
        let x = Range::new(&plot.x.scale, &of(true, |point| point.0), false);
        let y = Range::new(&plot.y.scale, &of(false, |point| point.1), bars);
        let subtitle = wrap(&plot.subtitle, ((WIDTH - 28.0) / 6.2) as usize);
        let under = 46.0 + 16.0 * subtitle.len() as f64;
        let legend = legend_places(plot, under);
        // Labels of upright rules stand above the drawing: nothing can be in their way there.
        let labels = plot.rules.iter().filter(|rule| rule.has_label_above()).count();
        let top = legend.last().map_or(under, |(_, y)| y + 18.0) + RULE_ROW * labels as f64;
        Self { plot, x, y, top, subtitle, legend }
    }

    fn x_of(&self, value: f64) -> f64 {
        LEFT + self.x.place(value) * (WIDTH - LEFT - RIGHT)
    }

    fn y_of(&self, value: f64) -> f64 {
        self.bottom() - self.y.place(value) * (self.bottom() - self.top)
    }

    fn bottom(&self) -> f64 {
        HEIGHT - FOOT
    }

    fn heads(&self, shapes: &mut Shapes) {
        let title = cut(&self.plot.title, 74, '…');
        shapes.cut_text("ttl", (14.0, 26.0), Anchor::Start, &title, &self.plot.title);
        for (number, line) in self.subtitle.iter().enumerate() {
            let y = 45.0 + 16.0 * number as f64;
            shapes.text("sub", (14.0, y), Anchor::Start, line);
        }
    }

    fn grid(&self, shapes: &mut Shapes) {
        let (right, bottom) = (WIDTH - RIGHT, self.bottom());
        for tick in &self.y.ticks {
            let y = self.y_of(tick.at);
            shapes.path("grid", &format!("M{} {}H{}", px(LEFT), px(y), px(right)));
            shapes.text("no", (LEFT - 8.0, y + 4.0), Anchor::End, &tick.text);
        }
        let named = matches!(self.plot.x.scale, Scale::Names(_));
        for tick in &self.x.ticks {
            let x = self.x_of(tick.at);
            if !named {
                shapes.path("grid", &format!("M{} {}V{}", px(x), px(self.top), px(bottom)));
            }
            shapes.text("no", (x, bottom + 18.0), Anchor::Middle, &tick.text);
        }
        shapes
            .path("axis", &format!("M{} {}V{}H{}", px(LEFT), px(self.top), px(bottom), px(right)));
        let middle = LEFT.midpoint(right);
        shapes.text("lab", (middle, HEIGHT - 16.0), Anchor::Middle, &self.plot.x.label);
        let half = self.top.midpoint(bottom);
        shapes.raw(&format!(
            r#"<text class="lab" transform="translate(18 {}) rotate(-90)" text-anchor="middle">{}</text>"#,
            px(half),
            escape(&self.plot.y.label)
        ));
    }

    /// Bars of one place stand side by side.
    fn bars(&self, shapes: &mut Shapes) {
        let all = self.plot.series.iter().enumerate();
        let barred: Vec<_> = all.filter(|(_, series)| series.form == Form::Bars).collect();
        let Some(gap) = self.bar_gap(&barred) else { return };
        let wide = (gap * 0.8 / barred.len() as f64).clamp(1.0, 60.0);
        for (place, (number, series)) in barred.iter().enumerate() {
            let aside = (place as f64 - barred.len() as f64 / 2.0) * wide;
            for (x, y) in self.drawn(series) {
                let (left, top) = (self.x_of(x) + aside, self.y_of(y));
                let class = format!("f{} bar", number % LOOKS);
                shapes.rect(&class, (left, top), (wide - 1.0, self.bottom() - top), 0.0);
            }
        }
    }

    /// The room between two places with bars, in pixels.
    fn bar_gap(&self, barred: &[(usize, &Series)]) -> Option<f64> {
        let points = barred.iter().flat_map(|(_, series)| self.drawn(series));
        let mut places: Vec<f64> = points.map(|(x, _)| self.x_of(x)).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        let gaps = places.windows(2).map(|pair| pair[1] - pair[0]);
        (!places.is_empty()).then(|| gaps.fold(80.0, f64::min))
    }

    /// The points that have a place.
    fn drawn<'s>(&'s self, series: &'s Series) -> impl Iterator<Item = (f64, f64)> + 's {
        let (x, y) = (&self.plot.x.scale, &self.plot.y.scale);
        let points = series.points.iter().copied();
        points.filter(move |point| is_drawn(x, point.0) && is_drawn(y, point.1))
    }

    fn rules(&self, shapes: &mut Shapes) {
        let mut up = 0.0;
        for rule in &self.plot.rules {
            if rule.upright {
                let labelled = rule.has_label_above();
                up += if labelled { RULE_ROW } else { 0.0 };
                let top = if labelled { self.top - up } else { self.top };
                let x = self.x_of(rule.at);
                shapes.path("rule", &format!("M{} {}V{}", px(x), px(top), px(self.bottom())));
                let right = x > WIDTH * 0.62;
                let (x, anchor) =
                    if right { (x - 6.0, Anchor::End) } else { (x + 6.0, Anchor::Start) };
                if labelled {
                    shapes.text("say", (x, top + 9.0), anchor, &rule.label);
                }
            } else {
                let y = self.y_of(rule.at);
                shapes.path("rule", &format!("M{} {}H{}", px(LEFT), px(y), px(WIDTH - RIGHT)));
                shapes.text("say", (WIDTH - RIGHT - 4.0, y - 5.0), Anchor::End, &rule.label);
            }
        }
    }

    fn series(&self, shapes: &mut Shapes, number: usize, series: &Series) {
        let look = number % LOOKS;
        let places: Vec<(f64, f64)> =
            self.drawn(series).map(|(x, y)| (self.x_of(x), self.y_of(y))).collect();
        if series.form == Form::Line && places.len() > 1 {
            let mut d = String::new();
            for (place, (x, y)) in places.iter().enumerate() {
                let _ = write!(d, "{}{} {}", if place == 0 { 'M' } else { 'L' }, px(*x), px(*y));
            }
            shapes.path(&format!("s{look} ln"), &d);
        }
        if series.form != Form::Bars {
            // Many marks would hide the line.
            let sparse = places.len() <= 60 || series.form == Form::Points;
            places.iter().filter(|_| sparse).for_each(|place| mark(shapes, look, *place));
        }
    }

    fn legend(&self, shapes: &mut Shapes) {
        for ((x, y), (number, series)) in self.legend.iter().zip(named(self.plot)) {
            let look = number % LOOKS;
            match series.form {
                Form::Bars => {
                    let class = format!("f{look} bar");
                    shapes.rect(&class, (*x, y - 9.0), (14.0, 10.0), 0.0);
                }
                Form::Line => {
                    let line = format!("M{} {}h22", px(x - 4.0), px(y - 4.0));
                    shapes.path(&format!("s{look} ln"), &line);
                    mark(shapes, look, (x + 7.0, y - 4.0));
                }
                Form::Points => mark(shapes, look, (x + 7.0, y - 4.0)),
            }
            shapes.text("leg", (x + 24.0, *y), Anchor::Start, &series.name);
        }
    }
}

/// The series that stand in the legend, with their numbers: one alone needs no name, and one
/// without a point in the picture is not looked for there.
fn named(plot: &Plot) -> impl Iterator<Item = (usize, &Series)> {
    let (x, y) = (&plot.x.scale, &plot.y.scale);
    let is_seen = move |series: &Series| {
        series.points.iter().any(|point| is_drawn(x, point.0) && is_drawn(y, point.1))
    };
    let all = plot.series.iter().enumerate();
    all.filter(move |(_, series)| !series.name.is_empty() && is_seen(series))
}

/// Left to right, line by line.
fn legend_places(plot: &Plot, top: f64) -> Vec<(f64, f64)> {
    let mut places = Vec::new();
    let (mut x, mut y) = (LEFT, top + 8.0);
    for (_, series) in named(plot) {
        let wide = 24.0 + width(&series.name) as f64 * CHAR + 18.0;
        if x > LEFT && x + wide > WIDTH - RIGHT {
            (x, y) = (LEFT, y + LEGEND_ROW);
        }
        places.push((x, y));
        x += wide;
    }
    places
}

/// The second sign of a series.
fn mark(shapes: &mut Shapes, look: usize, (x, y): (f64, f64)) {
    let class = format!("f{look}");
    match look {
        0 => shapes.circle(&class, x, y, 3.6),
        1 => shapes.rect(&class, (x - 3.3, y - 3.3), (6.6, 6.6), 0.0),
        2 => {
            shapes.path(&class, &format!("M{} {}l4.6 4.6l-4.6 4.6l-4.6 -4.6z", px(x), px(y - 4.6)))
        }
        3 => shapes.path(&class, &format!("M{} {}l4.4 7.6h-8.8z", px(x), px(y - 4.6))),
        4 => shapes.circle("o4", x, y, 3.4),
        _ => shapes.path("s5 ln", &format!("M{} {}l6 6m0 -6l-6 6", px(x - 3.0), px(y - 3.0))),
    }
}

fn shape_rules() -> String {
    format!(
        ".grid{{stroke-width:1;opacity:.55}}.axis{{stroke-width:1.2;fill:none}}\
         .ln{{stroke-width:2;fill:none;stroke-linejoin:round}}.o4{{stroke-width:1.8}}\
         .s1.ln{{stroke-dasharray:7 3}}.s3.ln{{stroke-dasharray:2 3}}.bar{{opacity:.85}}\
         .rule{{stroke-width:1.3;stroke-dasharray:5 4;fill:none}}\
         .say{{font:11px {SANS};paint-order:stroke;stroke-width:4px;stroke-linejoin:round}}\
         .ttl{{font:600 15px {SANS}}}.sub,.leg,.lab{{font:12px {SANS}}}.no{{font:11px {MONO}}}"
    )
}

fn color_rules(c: &Colors) -> String {
    let Colors { background, ink, mute, line, message, bad, time, good, care, .. } = c;
    let mut rules = format!(
        ".bgd{{fill:{background}}}.grid{{stroke:{line}}}.axis,.rule{{stroke:{mute}}}\
         .ttl,.leg{{fill:{ink}}}.sub,.lab,.no,.say{{fill:{mute}}}.say{{stroke:{background}}}\
         .o4{{fill:{background};stroke:{care}}}"
    );
    for (look, color) in [message, bad, good, time, care, mute].into_iter().enumerate() {
        let _ = write!(rules, ".s{look}{{stroke:{color}}}.f{look}{{fill:{color}}}");
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes() -> [Axis; 2] {
        [Axis::log("states"), Axis::log("seconds")]
    }

    #[test]
    fn a_series_without_a_point_has_no_legend() {
        let nothing = Series::line("nothing", vec![(1.0, 0.0)]);
        let series = vec![nothing, Series::line("something", vec![(1.0, 2.0), (2.0, 3.0)])];
        let svg = plot(&Plot::new("title", "", axes(), series), Theme::Auto);
        assert!(svg.contains(">something<") && !svg.contains(">nothing<"), "{svg}");
    }

    #[test]
    fn labels_of_upright_rules_stand_above_the_drawing() {
        let points = vec![Series::line("", vec![(1.0, 1.0), (100.0, 10.0)])];
        let bare = Plot::new("title", "", axes(), points);
        let rule = |label: &str| Rule { label: label.to_owned(), upright: true, at: 10.0 };
        let ruled = Plot { rules: vec![rule("one"), rule(""), rule("two")], ..bare.clone() };
        assert!((Frame::new(&ruled).top - Frame::new(&bare).top - 2.0 * RULE_ROW).abs() < 1e-9);
    }
}
