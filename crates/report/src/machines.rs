//! Machines and channels as text (Holzmann 1987, section 4): states by actions, or a list of
//! edges where the table would be too wide; sizes before and after equivalence;
//! channels with what can be in them.

use crate::look::Look;
use crate::style::{Role, Row, Screen, cut, width, wrap};
use crate::{Channel, GraphEdge, GraphNode, Machine, words};
use indexmap::IndexMap;

/// Longer names are cut in tables.
const NAME_MAX: usize = 24;
/// A cell that lists more lines than fit is cut to this.
const LINES_MAX: usize = 28;

/// One machine: its size, then its graph as a table. Whether that graph is the
/// raw or the minimised one is the caller's choice.
pub fn machine(machine: &Machine, look: &Look) -> String {
    let mut out = Screen::new();
    out.row(heading(machine, look));
    out.extend(table(machine, look).unwrap_or_else(|| edge_list(machine, look)));
    if machine.graph.edges.iter().any(|edge| edge.executed == Some(false)) {
        out.row(Row::new().put(Role::Faint, "* never executed in the search"));
    }
    out.render(&look.palette)
}

/// One reversed machine, as a table.
pub fn reversed_machine(machine: &Machine, look: &Look) -> String {
    let mut out = Screen::new();
    let size = words::count(machine.states as u64, "state");
    out.row(name_of(machine, look).plain(&format!("   reversed, {size}")));
    out.extend(table(machine, look).unwrap_or_else(|| edge_list(machine, look)));
    out.render(&look.palette)
}

/// What the signs in the tables of reversed machines mean.
pub fn reversed_legend(look: &Look) -> String {
    let lines = [
        "begin      an error can leave the process here",
        "goal       the process starts here",
        "c'!m       claims that m was in c: it was received",
        "c'?m       redeems the newest claim on c: m was sent",
        "v' = 1     claims that v was 1: it was tested",
        "(v' == 1)  v must be 1: it was assigned; what it was before is unknown",
    ];
    let mut out = Screen::new();
    for line in lines {
        out.row(Row::new().put(Role::Faint, line));
    }
    out.render(&look.palette)
}

fn name_of(machine: &Machine, look: &Look) -> Row {
    let name = cut(&machine.name, look.palette.room() / 2, look.palette.signs().cut);
    Row::new().put(Role::Name, &name)
}

fn heading(machine: &Machine, look: &Look) -> Row {
    let raw = words::count(machine.states_raw as u64, "state");
    let size = match machine.states == machine.states_raw {
        true => format!("{raw}, no two equivalent"),
        false => format!("{raw}, {} after minimisation", machine.states),
    };
    let kind = if machine.assertion { "assertion, " } else { "" };
    name_of(machine, look).plain(&format!("   {kind}{size}"))
}

/// `s4 end`, `s2 idle`.
fn state_text(node: &GraphNode) -> String {
    let mut text = node.id.clone();
    if let Some(label) = &node.label {
        text += &format!(" {label}");
    } else if node.end && node.id != "end" {
        text += " end";
    }
    text
}

fn lines_text(node: &GraphNode) -> String {
    if node.unreachable {
        return "never reached".to_owned();
    }
    let lines = if node.lines.is_empty() { vec![node.line] } else { node.lines.clone() };
    let lines: Vec<u32> = lines.into_iter().filter(|line| *line > 0).collect();
    if lines.is_empty() {
        return String::new();
    }
    let text = words::line_ranges(lines);
    text.trim_start_matches("lines ").trim_start_matches("line ").to_owned()
}

/// A machine as columns of actions.
struct Table<'a> {
    nodes: &'a [GraphNode],
    /// Per action: per state the states it leads to.
    columns: IndexMap<&'a str, IndexMap<&'a str, String>>,
    widths: Vec<usize>,
    /// Width of the column of states.
    state: usize,
}

impl<'a> Table<'a> {
    fn new(machine: &'a Machine) -> Self {
        let graph = &machine.graph;
        let mut columns: IndexMap<&str, IndexMap<&str, String>> = IndexMap::new();
        // Sends, receives, timeouts, the rest: in columns a reader compares kinds.
        let mut edges: Vec<&GraphEdge> = graph.edges.iter().collect();
        edges.sort_by_key(|edge| edge.kind as u8);
        for edge in edges {
            let cell = columns.entry(&edge.action).or_default().entry(&edge.from).or_default();
            if !cell.is_empty() {
                cell.push(' ');
            }
            cell.push_str(&target(edge));
        }
        let widest = |(action, cells): (&&str, &IndexMap<&str, String>)| {
            cells.values().map(|cell| width(cell)).chain([width(action)]).max().unwrap_or(1)
        };
        let widths = columns.iter().map(widest).collect();
        Self { nodes: &graph.nodes, widths, state: state_width(machine), columns }
    }

    fn width(&self) -> usize {
        let lines = self.nodes.iter().map(|node| width(&lines_text(node))).max().unwrap_or(0);
        let columns: usize = self.widths.iter().map(|wide| wide + 2).sum();
        self.state + columns + 3 + lines.clamp(5, LINES_MAX)
    }

    fn header(&self) -> Row {
        let mut row = Row::new().put(Role::Faint, "state").to(self.state, 0);
        for (action, wide) in self.columns.keys().zip(&self.widths) {
            let end = row.width() + 2 + wide;
            row = row.to(end - width(action), 2).put(Role::Name, action);
        }
        row.plain("   ").put(Role::Faint, "lines")
    }

    fn row(&self, node: &GraphNode, mark: char) -> Row {
        let name = cut(&state_text(node), self.state, mark);
        let mut row = Row::new().plain(&name).to(self.state, 0);
        for (column, wide) in self.columns.values().zip(&self.widths) {
            let end = row.width() + 2 + wide;
            let (role, text) = match column.get(node.id.as_str()) {
                Some(text) => (Role::Plain, text.as_str()),
                None => (Role::Faint, "."),
            };
            row = row.to(end - width(text), 2).put(role, text);
        }
        row.plain("   ").put(Role::Faint, &cut(&lines_text(node), LINES_MAX, mark))
    }
}

fn state_width(machine: &Machine) -> usize {
    let states = machine.graph.nodes.iter().map(|node| width(&state_text(node)));
    states.max().unwrap_or(0).clamp(5, NAME_MAX)
}

/// States by actions; nothing if it would not fit.
fn table(machine: &Machine, look: &Look) -> Option<Screen> {
    let table = Table::new(machine);
    if table.width() > look.palette.room() {
        return None;
    }
    let mut out = Screen::new();
    out.row(table.header());
    for node in table.nodes {
        out.row(table.row(node, look.palette.signs().cut));
    }
    Some(out)
}

/// The state an edge leads to, starred if it was never executed.
fn target(edge: &GraphEdge) -> String {
    let star = if edge.executed == Some(false) { "*" } else { "" };
    format!("{}{star}", edge.to)
}

/// One line per edge, the state named once.
fn edge_list(machine: &Machine, look: &Look) -> Screen {
    let graph = &machine.graph;
    let signs = look.palette.signs();
    let state = state_width(machine);
    let actions = graph.edges.iter().map(|edge| width(&edge.action)).max().unwrap_or(0);
    let actions = actions.clamp(6, look.palette.room().saturating_sub(state + 24).max(12));
    let mut out = Screen::new();
    let head = Row::new().put(Role::Faint, "state").to(state + 2, 2).put(Role::Faint, "action");
    let head = head.to(state + actions + 4, 2).put(Role::Faint, "next");
    out.row(head.to(state + actions + 12, 2).put(Role::Faint, "line"));
    for node in &graph.nodes {
        let name = cut(&state_text(node), state, signs.cut);
        let mut row = Row::new().plain(&name);
        let edges = graph.edges.iter().filter(|edge| edge.from == node.id);
        let mut any = false;
        for edge in edges {
            any = true;
            row = row.to(state + 2, 0).plain(&cut(&edge.action, actions, signs.cut));
            row = row.to(state + actions + 4, 2).plain(&target(edge));
            row = row.to(state + actions + 12, 2).put(Role::Faint, &edge.line.to_string());
            out.row(std::mem::take(&mut row));
        }
        if !any {
            let text = if node.unreachable { "never reached" } else { "-" };
            out.row(row.to(state + 2, 2).put(Role::Faint, text));
        }
    }
    out
}

/// Sizes of all machines.
pub fn sizes(machines: &[Machine], look: &Look) -> String {
    let signs = look.palette.signs();
    let names = machines.iter().map(|machine| width(&machine.name));
    let wide = names.max().unwrap_or(0).clamp(7, NAME_MAX);
    let mut out = Screen::new();
    let head = format!("{:>8}{:>11}{:>7}", "states", "minimised", "edges");
    out.row(Row::new().put(Role::Faint, "machine").to(wide, 0).put(Role::Faint, &head));
    for machine in machines {
        let row = Row::new().plain(&cut(&machine.name, wide, signs.cut)).to(wide, 0);
        let edges = machine.graph.edges.len();
        let figures = format!("{:>8}{:>11}{edges:>7}", machine.states_raw, machine.states);
        let kind = if machine.assertion { "   assertion" } else { "" };
        out.row(row.plain(&figures).put(Role::Faint, kind));
    }
    out.render(&look.palette)
}

/// All channels: slots, who writes and reads, how many contents are possible,
/// and the messages that can be in it.
pub fn channels(channels: &[Channel], look: &Look) -> String {
    let signs = look.palette.signs();
    let widest = |text: fn(&Channel) -> usize, least: usize| {
        let most = NAME_MAX.min(look.palette.room() / 5);
        channels.iter().map(text).max().unwrap_or(0).min(most).max(least)
    };
    let name = widest(|channel| width(&channel.name), 7);
    let from = widest(|channel| width(&names(&channel.writers)), 10);
    let to = widest(|channel| width(&names(&channel.readers)), 7);
    let bound = widest(|channel| width(&grouped(&channel.contents_max)), 8);
    let starts = [name + 2, name + 7, name + 9 + bound, name + 11 + bound + from];
    let sort = starts[3] + to + 2;
    let mut out = Screen::new();
    let mut head = Row::new().put(Role::Faint, "channel");
    head = head.to(starts[0], 0).put(Role::Faint, "cap");
    head = head.to(starts[1] + bound - 8, 0).put(Role::Faint, "contents");
    head = head.to(starts[2], 0).put(Role::Faint, "written by");
    head = head.to(starts[3], 0).put(Role::Faint, "read by");
    out.row(head.to(sort, 0).put(Role::Faint, "sort"));
    for channel in channels {
        let count = cut(&grouped(&channel.contents_max), bound, signs.cut);
        let mut row = Row::new().plain(&cut(&channel.name, name, signs.cut));
        row = row.to(starts[0], 1).plain(&format!("{:>3}", channel.capacity));
        row = row.to(starts[1] + bound - width(&count), 1).plain(&count);
        row = row.to(starts[2], 1).plain(&cut(&names(&channel.writers), from, signs.cut));
        row = row.to(starts[3], 1).plain(&cut(&names(&channel.readers), to, signs.cut));
        let messages =
            wrap(&names(&channel.sort), look.palette.room().saturating_sub(sort).max(16));
        for part in messages {
            out.row(std::mem::take(&mut row).to(sort, 0).plain(&part));
        }
    }
    out.render(&look.palette)
}

fn names(list: &[String]) -> String {
    if list.is_empty() { "-".to_owned() } else { list.join(" ") }
}

/// A decimal text with its digits grouped, whatever its length.
fn grouped(digits: &str) -> String {
    digits.parse().map_or_else(|_| digits.to_owned(), words::thousands)
}
