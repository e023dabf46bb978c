//! A machine as a picture: states in layers below the start, edges as curves
//! with their statements. Large machines get a table instead, because pictures
//! of whole large graphs are not read. The drawing is data ([`Drawing`]): an SVG
//! document here, and in an HTML report a picture that shows where a process is.

use crate::layout::{Layout, Plan, Spot};
use crate::style::{cut, width};
use crate::theme::{Anchor, Colors, MONO, SANS, Shapes, Theme, document, points, px, style_sheet};
use crate::{Graph, GraphNode, Machine, words};
use indexmap::IndexMap;
use serde::Serialize;
use trace::EventKind;

/// More states than this and a picture does not help.
const STATES_MAX: usize = 60;
const NODE_HEIGHT: f64 = 34.0;
const STEP: f64 = 52.0;
/// Where nothing stands at the edges.
const STEP_UNLABELLED: f64 = 34.0;
const CHAR: f64 = 6.6;
const LABEL_MAX: usize = 26;
const LABELS_STACKED: usize = 4;
const LINE: f64 = 13.0;
const MARGIN: f64 = 24.0;
const TOP: f64 = 92.0;
const FOOT: f64 = 44.0;
/// Room for the arrow into the start, above its box.
const START: f64 = 28.0;
const WIDTH_MIN: f64 = 520.0;

/// The machine as an SVG document, or a sentence that says why not.
pub fn machine_svg(machine: &Machine, theme: Theme) -> Result<String, String> {
    Ok(picture(machine)?.document(theme))
}

fn picture(machine: &Machine) -> Result<Picture<'_>, String> {
    let nodes = machine.graph.nodes.len();
    if nodes > STATES_MAX {
        return Err(format!(
            "{}: {} are too many for a picture (at most {STATES_MAX}); its table shows them all",
            machine.name,
            words::count(nodes as u64, "state"),
        ));
    }
    Ok(Picture::new(machine))
}

/// A machine as shapes with their places.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Drawing {
    /// Where its shapes begin.
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) nodes: Vec<DrawnNode>,
    pub(crate) edges: Vec<DrawnEdge>,
}

/// The box of a state; `x` and `y` are its middle.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct DrawnNode {
    pub(crate) id: String,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) title: String,
    pub(crate) under: String,
    pub(crate) start: bool,
    pub(crate) end: bool,
    /// No path of the machine leads here.
    pub(crate) gone: bool,
}

/// All edges between the same two states.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct DrawnEdge {
    pub(crate) from: String,
    pub(crate) to: String,
    /// `send`, `time`, `ink`, `quiet`, or `never` for one that was never executed.
    pub(crate) class: &'static str,
    pub(crate) path: String,
    pub(crate) tip: String,
    pub(crate) labels: Vec<DrawnLabel>,
}

/// One line of text at an edge; `full` is what it was before it was cut.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct DrawnLabel {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) anchor: Anchor,
    pub(crate) text: String,
    pub(crate) full: String,
}

/// The shapes of a machine without a frame around them, or a sentence that says why there are
/// none.
pub(crate) fn drawing(machine: &Machine) -> Result<Drawing, String> {
    Ok(picture(machine)?.drawing())
}

/// The shapes of any graph, however large; an edge whose statement is empty has no label.
pub fn graph_drawing(graph: Graph) -> Drawing {
    let machine = Machine {
        name: String::new(),
        states_raw: graph.nodes.len(),
        states: graph.nodes.len(),
        assertion: false,
        line: 0,
        graph,
    };
    Picture::new(&machine).drawing()
}

/// Parallel edges as one.
struct Bundle {
    from: usize,
    to: usize,
    labels: Vec<String>,
    full: String,
    class: &'static str,
}

struct Picture<'a> {
    machine: &'a Machine,
    boxes: Vec<NodeBox>,
    bundles: Vec<Bundle>,
    loops: Vec<Bundle>,
    layout: Layout,
    start: usize,
}

struct NodeBox {
    width: f64,
    title: String,
    under: String,
}

impl<'a> Picture<'a> {
    fn new(machine: &'a Machine) -> Self {
        let boxes: Vec<NodeBox> = machine.graph.nodes.iter().map(node_box).collect();
        let (loops, bundles): (Vec<Bundle>, Vec<Bundle>) =
            bundles(machine).into_iter().partition(|bundle| bundle.from == bundle.to);
        let start = machine.graph.nodes.iter().position(|node| node.start).unwrap_or(0);
        let reach = |(index, node): (usize, &NodeBox)| {
            let own = loops.iter().find(|bundle| bundle.from == index);
            let right = own.map_or(0.0, |bundle| 26.0 + label_width(bundle));
            (node.width / 2.0, node.width / 2.0 + right)
        };
        let plan = Plan {
            nodes: boxes.iter().enumerate().map(reach).collect(),
            edges: bundles.iter().map(|b| (b.from, b.to, label_width(b))).collect(),
            start,
            step: match bundles.iter().any(|bundle| !bundle.labels.is_empty()) {
                true => STEP + tallest(&bundles) + 0.6 * bundles.len().min(50) as f64,
                false => STEP_UNLABELLED,
            },
        };
        let layout = plan.layout();
        Self { machine, boxes, bundles, loops, layout, start }
    }

    fn width(&self) -> f64 {
        f64::max(self.layout.width + 2.0 * MARGIN, WIDTH_MIN)
    }

    fn height(&self) -> f64 {
        self.layout.height + TOP + NODE_HEIGHT + FOOT
    }

    /// A layout position in the picture: the drawing stands in its middle.
    fn at(&self, spot: Spot) -> (f64, f64) {
        (spot.x + (self.width() - self.layout.width) / 2.0, spot.y + TOP)
    }

    fn drawing(&self) -> Drawing {
        let ports = self.ports();
        let bundles = self.bundles.iter().enumerate();
        let edges = bundles.map(|(number, bundle)| self.edge(number, bundle, ports[number]));
        let loops = self.loops.iter().map(|bundle| self.self_loop(bundle));
        Drawing {
            left: (self.width() - self.layout.width) / 2.0 - MARGIN,
            top: TOP - NODE_HEIGHT / 2.0 - START,
            width: self.layout.width + 2.0 * MARGIN,
            height: self.layout.height + NODE_HEIGHT + START + MARGIN,
            nodes: (0..self.machine.graph.nodes.len()).map(|index| self.node(index)).collect(),
            edges: edges.chain(loops).collect(),
        }
    }

    fn document(&self, theme: Theme) -> String {
        let mut lines = Shapes::default();
        let mut texts = Shapes::default();
        lines.rect("bgd", (0.0, 0.0), (self.width(), self.height()), 0.0);
        self.title(&mut lines);
        self.legend(&mut lines);
        let ports = self.ports();
        for (number, bundle) in self.bundles.iter().enumerate() {
            self.edge(number, bundle, ports[number]).draw(&mut lines, &mut texts);
        }
        for bundle in &self.loops {
            self.self_loop(bundle).draw(&mut lines, &mut texts);
        }
        for index in 0..self.machine.graph.nodes.len() {
            self.node(index).draw(&mut lines);
        }
        lines.raw(&texts.finish());
        let title = format!("machine {}", self.machine.name);
        let style = style_sheet(theme, &shape_rules(), color_rules);
        document((self.width(), self.height()), &title, "", &style, &lines.finish())
    }

    fn title(&self, out: &mut Shapes) {
        let columns = ((self.width() - 28.0) / 8.4) as usize;
        let name = cut(&self.machine.name, columns, '…');
        out.cut_text("ttl", (14.0, 24.0), Anchor::Start, &name, &self.machine.name);
        let states = words::count(self.machine.graph.nodes.len() as u64, "state");
        let edges = words::count(self.machine.graph.edges.len() as u64, "edge");
        out.text("sub", (14.0, 43.0), Anchor::Start, &format!("{states}, {edges}"));
    }

    /// Only the signs that occur.
    fn legend(&self, out: &mut Shapes) {
        let nodes = &self.machine.graph.nodes;
        let mut parts = Vec::new();
        if nodes.iter().any(|node| node.end) {
            parts.push("double frame: proper end");
        }
        if nodes.iter().any(|node| node.unreachable) {
            parts.push("dashed frame: never reached");
        }
        if self.bundles.iter().chain(&self.loops).any(|bundle| bundle.class == "never") {
            parts.push("dotted: never executed");
        }
        let at = (14.0, self.height() - 14.0);
        out.text("sub", at, Anchor::Start, &parts.join(" · "));
    }

    fn node(&self, index: usize) -> DrawnNode {
        let (shape, node) = (&self.boxes[index], &self.machine.graph.nodes[index]);
        let (x, y) = self.at(self.layout.nodes[index]);
        DrawnNode {
            id: node.id.clone(),
            x,
            y,
            width: shape.width,
            height: NODE_HEIGHT,
            title: shape.title.clone(),
            under: shape.under.clone(),
            start: index == self.start || node.start,
            end: node.end,
            gone: node.unreachable,
        }
    }

    /// Where each edge leaves and enters: spread over the side of the box in the
    /// order of the next bend, so that edges do not cross at the border.
    fn ports(&self) -> Vec<(f64, f64)> {
        let mut ports = vec![(0.0, 0.0); self.bundles.len()];
        for node in 0..self.boxes.len() {
            let here = self.layout.nodes[node];
            for below in [false, true] {
                let mut ends: Vec<(f64, usize, bool)> = Vec::new();
                for (number, bundle) in self.bundles.iter().enumerate() {
                    let bends = &self.layout.bends[number];
                    let (first, last) = (bends[0], bends[bends.len() - 1]);
                    if bundle.from == node && (first.y > here.y) == below {
                        ends.push((first.x, number, true));
                    }
                    if bundle.to == node && (last.y > here.y) == below {
                        ends.push((last.x, number, false));
                    }
                }
                ends.sort_by(|a, b| a.0.total_cmp(&b.0));
                let room = self.boxes[node].width - 20.0;
                let gap = f64::min(14.0, room / f64::max(ends.len() as f64, 1.0));
                for (place, (_, number, leaves)) in ends.iter().enumerate() {
                    let x = (place as f64 - (ends.len() as f64 - 1.0) / 2.0) * gap;
                    let port = &mut ports[*number];
                    *(if *leaves { &mut port.0 } else { &mut port.1 }) = x;
                }
            }
        }
        ports
    }

    fn edge(&self, number: usize, bundle: &Bundle, (leave, enter): (f64, f64)) -> DrawnEdge {
        let bends: Vec<(f64, f64)> =
            self.layout.bends[number].iter().map(|spot| self.at(*spot)).collect();
        let (fx, fy) = self.at(self.layout.nodes[bundle.from]);
        let (tx, ty) = self.at(self.layout.nodes[bundle.to]);
        let (first, last) = (bends[0], bends[bends.len() - 1]);
        let side = |y: f64, next: f64| (next - y).signum() * NODE_HEIGHT / 2.0;
        let start = (fx + leave, fy + side(fy, first.1));
        let end = (tx + enter, ty + side(ty, last.1));
        // Down and up again: the edge hangs between two states of one layer.
        let hangs = fy == ty;
        let into = (last.1 - ty).signum();
        let stop = (end.0, end.1 + 6.0 * into);
        let path = if hangs { hanging(start, first, stop) } else { curve(start, &bends, stop) };
        let tip = format!("M{} {}l-4 {}h8z", px(end.0), px(end.1), px(7.0 * into));
        let middle = bends[self.layout.labels[number]];
        self.drawn(bundle, path, tip, stack(bundle, middle, Anchor::Middle))
    }

    fn self_loop(&self, bundle: &Bundle) -> DrawnEdge {
        let (x, y) = self.at(self.layout.nodes[bundle.from]);
        let x = x + self.boxes[bundle.from].width / 2.0;
        let path = format!("M{} {}c22 -10 22 26 {} 16", px(x), px(y - 8.0), px(5.0),);
        let tip = format!("M{} {}l7 -4v8z", px(x), px(y + 8.0));
        self.drawn(bundle, path, tip, stack(bundle, (x + 22.0, y), Anchor::Start))
    }

    fn drawn(
        &self,
        bundle: &Bundle,
        path: String,
        tip: String,
        labels: Vec<DrawnLabel>,
    ) -> DrawnEdge {
        let id = |index: usize| self.machine.graph.nodes[index].id.clone();
        let (from, to) = (id(bundle.from), id(bundle.to));
        DrawnEdge { from, to, class: bundle.class, path, tip, labels }
    }
}

impl DrawnNode {
    fn draw(&self, out: &mut Shapes) {
        let Self { x, y, width, height, .. } = *self;
        let (left, top) = (x - width / 2.0, y - height / 2.0);
        let class = if self.gone { "node gone" } else { "node" };
        if self.start {
            out.path("wire ink", &format!("M{} {}V{}", px(x), px(top - 18.0), px(top - 6.0)));
            out.path("tip ink", &format!("M{} {}l-4 -7h8z", px(x), px(top)));
            out.circle("tip ink", x, top - 20.0, 4.0);
        }
        out.rect(class, (left, top), (width, height), 8.0);
        if self.end {
            out.rect(class, (left + 3.0, top + 3.0), (width - 6.0, height - 6.0), 5.0);
        }
        let two = !self.under.is_empty();
        let first = if two { y - 1.0 } else { y + 4.0 };
        out.text("nm", (x, first), Anchor::Middle, &self.title);
        if two {
            out.text("no", (x, y + 11.0), Anchor::Middle, &self.under);
        }
    }
}

impl DrawnEdge {
    fn draw(&self, lines: &mut Shapes, texts: &mut Shapes) {
        lines.path(&format!("wire {}", self.class), &self.path);
        lines.path(&format!("tip {}", self.class), &self.tip);
        let class = format!("lb {}", self.class);
        for label in &self.labels {
            texts.cut_text(&class, (label.x, label.y), label.anchor, &label.text, &label.full);
        }
    }
}

fn node_box(node: &GraphNode) -> NodeBox {
    let title = match &node.label {
        Some(label) => format!("{} {}", node.id, cut(label, 18, '…')),
        None => node.id.clone(),
    };
    let title = cut(&title, 26, '…');
    let under = if node.line > 0 { format!("line {}", node.line) } else { String::new() };
    let columns = f64::max(width(&title) as f64 * 7.3, width(&under) as f64 * CHAR);
    NodeBox { width: f64::max(columns + 20.0, 64.0), title, under }
}

/// Edges with the same ends become one with several labels.
fn bundles(machine: &Machine) -> Vec<Bundle> {
    let index = |id: &str| machine.graph.nodes.iter().position(|node| node.id == id);
    let mut map: IndexMap<(usize, usize), Vec<&crate::GraphEdge>> = IndexMap::new();
    for edge in &machine.graph.edges {
        if let (Some(from), Some(to)) = (index(&edge.from), index(&edge.to)) {
            map.entry((from, to)).or_default().push(edge);
        }
    }
    map.into_iter()
        .map(|((from, to), edges)| {
            let actions: Vec<&str> = edges.iter().map(|edge| edge.action.as_str()).collect();
            let said = actions.iter().filter(|action| !action.is_empty());
            let mut labels: Vec<String> = said.map(|action| cut(action, LABEL_MAX, '…')).collect();
            if labels.len() > LABELS_STACKED {
                let more = labels.len() - LABELS_STACKED + 1;
                labels.truncate(LABELS_STACKED - 1);
                labels.push(format!("… {more} more"));
            }
            Bundle { from, to, labels, full: actions.join(", "), class: class(&edges) }
        })
        .collect()
}

/// Colour by kind where all agree; the statement itself says it too.
fn class(edges: &[&crate::GraphEdge]) -> &'static str {
    if edges.iter().all(|edge| edge.executed == Some(false)) {
        return "never";
    }
    let kind = edges[0].kind;
    if edges.iter().any(|edge| edge.kind != kind) {
        return "ink";
    }
    match kind {
        EventKind::Send | EventKind::Rendezvous => "send",
        EventKind::Tau => "time",
        EventKind::Receive => "ink",
        EventKind::Internal => "quiet",
    }
}

fn label_width(bundle: &Bundle) -> f64 {
    let columns = bundle.labels.iter().map(|label| width(label)).max().unwrap_or(0);
    columns as f64 * CHAR + 8.0
}

/// Room that stacked labels need beyond one line.
fn tallest(bundles: &[Bundle]) -> f64 {
    let lines = bundles.iter().map(|bundle| bundle.labels.len()).max().unwrap_or(1);
    (lines.saturating_sub(1)) as f64 * LINE * 0.7
}

fn stack(bundle: &Bundle, (x, y): (f64, f64), anchor: Anchor) -> Vec<DrawnLabel> {
    let top = y + 4.0 - (bundle.labels.len() as f64 - 1.0) * LINE / 2.0;
    let label = |(number, label): (usize, &String)| {
        let whole = bundle.full.split(", ").nth(number).unwrap_or(label);
        let full = if label.starts_with("… ") { &bundle.full } else { whole };
        let cut_short = label.contains('…');
        let full = if cut_short { full } else { label };
        let y = top + number as f64 * LINE;
        DrawnLabel { x, y, anchor, text: label.clone(), full: full.to_owned() }
    };
    bundle.labels.iter().enumerate().map(label).collect()
}

/// Through all bends: upright at both ends, elsewhere in the direction of the
/// points around (Catmull and Rom), so that a long edge runs in one sweep.
fn curve(start: (f64, f64), bends: &[(f64, f64)], end: (f64, f64)) -> String {
    let all: Vec<(f64, f64)> =
        std::iter::once(start).chain(bends.iter().copied()).chain([end]).collect();
    let last = all.len() - 1;
    let direction = |i: usize| match i {
        0 => (0.0, all[1].1 - all[0].1),
        i if i == last => (0.0, all[i].1 - all[i - 1].1),
        i => ((all[i + 1].0 - all[i - 1].0) / 2.0, (all[i + 1].1 - all[i - 1].1) / 2.0),
    };
    let mut d = format!("M{}", points([start]));
    for i in 0..last {
        let ((x, y), (u, v)) = (all[i], all[i + 1]);
        let (from, into) = (direction(i), direction(i + 1));
        let leaves = (x + from.0 / 3.0, y + from.1 / 3.0);
        let enters = (u - into.0 / 3.0, v - into.1 / 3.0);
        d += &format!("C{}", points([leaves, enters, (u, v)]));
    }
    d
}

/// Down to the label and up again, level at the label.
fn hanging(start: (f64, f64), low: (f64, f64), end: (f64, f64)) -> String {
    let reach = (end.0 - start.0) / 4.0;
    let down = [(start.0, low.1), (low.0 - reach, low.1), low];
    let up = [(low.0 + reach, low.1), (end.0, low.1), end];
    format!("M{}C{}C{}", points([start]), points(down), points(up))
}

fn shape_rules() -> String {
    format!(
        ".wire{{stroke-width:1.4;fill:none}}.wire.time{{stroke-dasharray:6 3}}\
         .wire.never{{stroke-dasharray:2 3}}.node{{stroke-width:1.4}}.gone{{stroke-dasharray:4 3}}\
         .lb{{font:11px {MONO};paint-order:stroke;stroke-width:4px;stroke-linejoin:round}}\
         .ttl{{font:600 15px {SANS}}}.sub{{font:12px {SANS}}}.nm{{font:600 12px {MONO}}}\
         .no{{font:10px {MONO}}}"
    )
}

fn color_rules(c: &Colors) -> String {
    let Colors { background, ink, mute, line, message, time, head, .. } = c;
    format!(
        ".bgd{{fill:{background}}}.node{{fill:{head};stroke:{mute}}}.ttl,.nm{{fill:{ink}}}\
         .sub,.no{{fill:{mute}}}.lb{{stroke:{background};fill:{ink}}}\
         .wire{{stroke:{mute}}}.tip{{fill:{mute}}}.wire.send{{stroke:{message}}}.tip.send{{fill:{message}}}\
         .wire.time{{stroke:{time}}}.tip.time,.lb.time{{fill:{time}}}.wire.quiet{{stroke:{line}}}\
         .lb.send{{fill:{message}}}.lb.quiet,.lb.never{{fill:{mute}}}"
    )
}
