//! The program as text, for people who look at what the front end made: one line
//! per variable, location and edge. It is not read back.
//!
//! ```text
//! chan q = [2] of {byte, byte}
//! proctype P(byte n) starts at l0, ends at l2
//!   bit b[2]
//!   l0 loop:
//!     e0 -> l1: q!n,1 (atomic)
//!     e1 -> l2: else
//! ```
//!
//! A reduced program also shows what is `unread`, `(merged)` and `(resets x)`.
//! Edges of groups of lower priority stand behind a line `unless none of these`.

mod expression;

use crate::{
    Action, ChannelType, Edge, EdgeId, Initial, Location, LocationId, MtypeId, Pattern, PrintPart,
    Proctype, ProctypeId, Program, Scalar, Variable, VariableId,
};
use expression::Words;
use std::fmt::{self, Display, Formatter};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for set in &self.mtypes {
            let constants = set.constants.iter().map(|(name, value)| format!("{name}={value}"));
            let name = set.name.as_ref().map_or(String::new(), |name| format!(":{name}"));
            writeln!(f, "mtype{name} {{{}}}", constants.collect::<Vec<_>>().join(", "))?;
        }
        let words = Words { program: self, proctype: None };
        for variable in &self.globals {
            writeln!(f, "{}", words.declaration(variable))?;
        }
        for (id, proctype) in self.proctypes.iter_ids() {
            write!(f, "{}", ProctypeText { program: self, id, proctype })?;
        }
        let start = self.start.iter().map(|id| self.proctypes[*id].name.to_string());
        writeln!(f, "start {}", start.collect::<Vec<_>>().join(", "))
    }
}

/// What `action` does, in PROMELA, as process of the given proctype would say it.
pub fn action_text(program: &Program, proctype: ProctypeId, action: &Action) -> String {
    Words { program, proctype: Some(proctype) }.action(action)
}

impl Program {
    /// An expression over the globals and other processes, in PROMELA.
    pub fn expression_text(&self, expr: &crate::Expr) -> String {
        Words { program: self, proctype: None }.expr(expr)
    }
}

struct ProctypeText<'a> {
    program: &'a Program,
    id: ProctypeId,
    proctype: &'a Proctype,
}

impl Display for ProctypeText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kind = self.proctype;
        let words = Words { program: self.program, proctype: Some(self.id) };
        let (parameters, locals) = kind.variables.as_slice().split_at(kind.parameters);
        let parameters: Vec<String> = parameters.iter().map(|v| words.declaration(v)).collect();
        let word = if kind.deterministic { "D_proctype" } else { "proctype" };
        write!(f, "{word} {}({})", kind.name, parameters.join("; "))?;
        if kind.priority != 1 {
            write!(f, " priority {}", kind.priority)?;
        }
        if let Some(condition) = &kind.provided {
            write!(f, " provided {}", words.expr(condition))?;
        }
        writeln!(f, " starts at {}, ends at {}", kind.start, kind.end)?;
        for variable in locals {
            writeln!(f, "  {}", words.declaration(variable))?;
        }
        for (id, location) in kind.locations.iter_ids() {
            writeln!(f, "  {}", location_text(id, location))?;
            write_edges(f, &words, kind, location)?;
        }
        Ok(())
    }
}

fn location_text(id: LocationId, location: &Location) -> String {
    let marks = location.marks;
    let marks = [(marks.end, "end"), (marks.accept, "accept"), (marks.progress, "progress")];
    let marks = marks.iter().filter(|(set, _)| *set).map(|(_, word)| format!(" [{word}]"));
    let labels = location.labels.iter().map(|label| format!(" {label}"));
    format!("{id}{}{}:", labels.collect::<String>(), marks.collect::<String>())
}

fn write_edges(
    f: &mut Formatter<'_>,
    words: &Words<'_>,
    kind: &Proctype,
    location: &Location,
) -> fmt::Result {
    for (i, group) in location.groups.iter().enumerate() {
        if i > 0 {
            writeln!(f, "    unless none of these:")?;
        }
        for id in group {
            writeln!(f, "    {}", edge_text(words, *id, &kind.edges[*id]))?;
        }
    }
    Ok(())
}

fn edge_text(words: &Words<'_>, id: EdgeId, edge: &Edge) -> String {
    let marks = [(edge.atomic, " (atomic)"), (edge.merged, " (merged)")];
    let marks: String = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
    let resets = match words.names(&edge.resets).as_str() {
        "" => String::new(),
        names => format!(" (resets {names})"),
    };
    format!("{id} -> {}: {}{marks}{resets}", edge.to, words.action(&edge.action))
}

impl Words<'_> {
    fn names(&self, locals: &[VariableId]) -> String {
        let kind = self.proctype.map(|id| &self.program.proctypes[id]);
        let name = |id: &VariableId| Some(kind?.variables.get(*id)?.name.to_string());
        locals.iter().filter_map(name).collect::<Vec<_>>().join(", ")
    }

    fn declaration(&self, variable: &Variable) -> String {
        let hidden = match (variable.hidden, variable.unread) {
            (true, true) => "hidden unread ",
            (true, false) => "hidden ",
            (false, true) => "unread ",
            (false, false) => "",
        };
        let size = match variable.is_array {
            true => format!("[{}]", variable.length),
            false => String::new(),
        };
        let initial = match &variable.initial {
            Initial::Zero | Initial::Argument(_) => String::new(),
            Initial::Value(expr) => format!(" = {}", self.expr(expr)),
            Initial::List(values) => {
                let values: Vec<String> = values.iter().map(i32::to_string).collect();
                format!(" = {{{}}}", values.join(", "))
            }
            Initial::Channel(kind) => format!(" = {}", self.channel_type(kind)),
        };
        format!("{hidden}{} {}{size}{initial}", self.scalar(variable.scalar), variable.name)
    }

    fn channel_type(&self, kind: &ChannelType) -> String {
        let fields: Vec<String> = kind.fields.iter().map(|field| self.scalar(*field)).collect();
        format!("[{}] of {{{}}}", kind.capacity, fields.join(", "))
    }

    fn scalar(&self, scalar: Scalar) -> String {
        match scalar {
            Scalar::Bit => "bit".to_owned(),
            Scalar::Bool => "bool".to_owned(),
            Scalar::Byte => "byte".to_owned(),
            Scalar::Pid => "pid".to_owned(),
            Scalar::Mtype(set) => self.mtype(set),
            Scalar::Chan => "chan".to_owned(),
            Scalar::Short => "short".to_owned(),
            Scalar::Int => "int".to_owned(),
            Scalar::Unsigned(bits) => format!("unsigned:{bits}"),
        }
    }

    fn mtype(&self, set: MtypeId) -> String {
        let name = self.program.mtypes.get(set).and_then(|set| set.name.as_ref());
        name.map_or_else(|| "mtype".to_owned(), |name| format!("mtype:{name}"))
    }

    fn action(&self, action: &Action) -> String {
        match action {
            Action::Skip => "skip".to_owned(),
            Action::Condition(expr) => self.expr(expr),
            Action::Else => "else".to_owned(),
            Action::Assign(place, expr) => format!("{} = {}", self.place(place), self.expr(expr)),
            Action::Assert(expr) => format!("assert({})", self.expr(expr)),
            Action::Print(parts) => self.print(parts),
            Action::Send { queue, arguments, sorted } => {
                let sign = if *sorted { "!!" } else { "!" };
                format!("{}{sign}{}", queue.name, self.exprs(arguments))
            }
            Action::Receive { queue, patterns, random, keep } => {
                let sign = if *random { "??" } else { "?" };
                let fields = self.patterns(patterns);
                match keep {
                    true => format!("{}{sign}<{fields}>", queue.name),
                    false => format!("{}{sign}{fields}", queue.name),
                }
            }
            Action::SetPriority(pid, priority) => {
                format!("set_priority({}, {})", self.expr(pid), self.expr(priority))
            }
            Action::Deterministic { start, end } => format!("d_step {start} to {end}"),
            Action::Die => "-end-".to_owned(),
        }
    }

    fn print(&self, parts: &[PrintPart]) -> String {
        let (mut format, mut values) = (String::new(), String::new());
        for part in parts {
            let (sign, expr) = match part {
                PrintPart::Text(text) => {
                    format.push_str(&text.escape_debug().to_string());
                    continue;
                }
                PrintPart::Decimal(e) => ("%d", e),
                PrintPart::Unsigned(e) => ("%u", e),
                PrintPart::Hexadecimal(e) => ("%x", e),
                PrintPart::Octal(e) => ("%o", e),
                PrintPart::Character(e) => ("%c", e),
                PrintPart::Symbol(e) => ("%e", e),
            };
            format.push_str(sign);
            values.push_str(&format!(", {}", self.expr(expr)));
        }
        format!("printf(\"{format}\"{values})")
    }

    fn patterns(&self, patterns: &[Pattern]) -> String {
        let words = patterns.iter().map(|pattern| match pattern {
            Pattern::Store(place) => self.place(place),
            Pattern::Match(expr) => match expr {
                crate::Expr::Const(value) => value.to_string(),
                _ => format!("eval({})", self.expr(expr)),
            },
            Pattern::Any => "_".to_owned(),
        });
        words.collect::<Vec<_>>().join(",")
    }
}
