//! Prints a generated tree as Argos, in all the spellings the papers use.

use crate::generator::{Channel, Expr, Kind, Label, Protocol, Stmt};

/// `do` is a message name too: after `!` and `?` any word is.
const MESSAGES: [&str; 3] = ["req", "ack", "do"];
const OPERATORS: [&[&str]; 13] = [
    &["==", "≡"],
    &["!=", "≠"],
    &["<"],
    &["<=", "≤"],
    &[">"],
    &[">=", "≥"],
    &["+"],
    &["-"],
    &["*"],
    &["/"],
    &["%"],
    &["&&"],
    &["||"],
];

/// Whose body is printed: it decides what may stand there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Process,
    /// The number of the procedure.
    Procedure(usize),
    Assertion,
}

/// The protocol as text.
pub(crate) fn source(protocol: &Protocol) -> String {
    let mut printer = Printer { protocol, dialect: protocol.dialect, out: String::new() };
    for (id, channel) in protocol.channels.iter().enumerate() {
        if channel.inside.is_none() {
            printer.channel(id, channel);
        }
    }
    for id in 0..protocol.shared {
        printer.variable("g", id);
    }
    for (id, body) in protocol.processes.iter().enumerate() {
        printer.process(id, body);
    }
    for (id, body) in protocol.procedures.iter().enumerate() {
        printer.line(&format!("procedure f{id} {{"));
        printer.body(Owner::Procedure(id), body);
        printer.line("}");
    }
    for body in &protocol.assertions {
        let bare = begins_with_a_name(body) && printer.choose(&["{", ""]).is_empty();
        printer.line(if bare { "assert" } else { "assert {" });
        printer.body(Owner::Assertion, body);
        printer.line(if bare { "" } else { "}" });
    }
    printer.out
}

struct Printer<'a> {
    protocol: &'a Protocol,
    dialect: u32,
    out: String,
}

/// The labels of one body: names are given in order, jumps wrap around.
#[derive(Clone, Copy)]
struct Labels {
    made: usize,
    all: usize,
}

#[derive(Clone, Copy)]
struct Place {
    owner: Owner,
    inside_do: bool,
    /// The first statement of an option or procedure may have no label.
    guard: bool,
}

impl Printer<'_> {
    /// Dialect 0 always takes the first word, so that failures shrink to it.
    fn choose<'w>(&mut self, words: &[&'w str]) -> &'w str {
        self.dialect ^= self.dialect << 13;
        self.dialect ^= self.dialect >> 17;
        self.dialect ^= self.dialect << 5;
        words[self.dialect as usize % words.len()]
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn channel(&mut self, id: usize, channel: &Channel) {
        let word = self.choose(&["channel", "queue"]);
        let size = channel.capacity.map_or(String::new(), |slots| format!("[{slots}]"));
        let initial = channel.initial.iter().map(|(message, value)| {
            let value = value.map_or(String::new(), |value| format!("({value})"));
            format!("{}{value}", message_name(*message))
        });
        let initial: Vec<String> = initial.collect();
        let contents = match self.choose(&["", "= { }"]) {
            "" if initial.is_empty() => String::new(),
            _ => format!(" = {{ {} }}", initial.join(", ")),
        };
        self.line(&format!("{word} c{id}{size}{contents};"));
    }

    fn variable(&mut self, prefix: &str, id: u8) {
        let word = self.choose(&["var", "pvar", "variable"]);
        let initial = self.choose(&["", " = 0", " = -1"]);
        self.line(&format!("{word} {prefix}{id}{initial};"));
    }

    fn process(&mut self, id: usize, body: &[Stmt]) {
        let word = self.choose(&["proc", "process"]);
        let inside = |channel: &Channel| {
            channel.inside.is_some_and(|p| p as usize % self.protocol.processes.len() == id)
        };
        let channels = self.protocol.channels.iter().enumerate();
        let own: Vec<_> = channels.filter(|(_, channel)| inside(channel)).collect();
        let bare = own.is_empty() && self.protocol.locals == 0 && is_one_statement(body);
        self.line(&format!("{word} p{id}{}", if bare { "" } else { " {" }));
        for (id, channel) in own {
            self.channel(id, channel);
        }
        for id in 0..self.protocol.locals {
            self.variable("x", id);
        }
        self.body(Owner::Process, body);
        self.line(if bare { "" } else { "}" });
    }

    fn body(&mut self, owner: Owner, body: &[Stmt]) {
        let place = Place { owner, inside_do: false, guard: matches!(owner, Owner::Procedure(_)) };
        // Jumps need to know how many labels there are: print once to count.
        let kept = (self.out.len(), self.dialect);
        let mut labels = Labels { made: 0, all: 0 };
        self.sequence(body, place, &mut labels);
        self.out.truncate(kept.0);
        self.dialect = kept.1;
        let mut labels = Labels { made: 0, all: labels.made };
        self.sequence(body, place, &mut labels);
    }

    fn sequence(&mut self, body: &[Stmt], mut place: Place, labels: &mut Labels) {
        for (index, statement) in body.iter().enumerate() {
            if index > 0 {
                let separator = self.choose(&[";", "->", "→", ";;"]);
                self.line(separator);
            }
            self.statement(statement, place, labels);
            place.guard = false;
        }
        self.line("");
    }

    fn statement(&mut self, statement: &Stmt, place: Place, labels: &mut Labels) {
        if let Some(label) = statement.label.filter(|_| !place.guard) {
            let name = label_name(labels.made);
            let prefix = if label == Label::End { "end" } else { "" };
            self.out.push_str(&format!("{prefix}{name}: "));
            // A jump wants plain names; an end label gets a plain one beside it.
            if label == Label::End {
                self.out.push_str(&format!("{name}: "));
            }
            labels.made += 1;
        }
        match &statement.kind {
            Kind::If(options) => self.options(["if", "fi"], options, place, labels),
            Kind::Do(options) => {
                self.options(["do", "od"], options, Place { inside_do: true, ..place }, labels);
            }
            simple => {
                let text = self.simple(simple, place, *labels);
                self.out.push_str(&text);
            }
        }
    }

    fn options(
        &mut self,
        [open, close]: [&str; 2],
        options: &[Vec<Stmt>],
        place: Place,
        labels: &mut Labels,
    ) {
        self.line(open);
        for option in options {
            self.out.push_str(":: ");
            self.sequence(option, Place { guard: true, ..place }, labels);
        }
        self.out.push_str(close);
    }

    fn simple(&mut self, kind: &Kind, place: Place, labels: Labels) -> String {
        let watches = place.owner == Owner::Assertion;
        match kind {
            Kind::Send(c, m, e) => {
                let value = e.as_ref().map_or(String::new(), |e| format!("({})", self.bounded(e)));
                format!("{}!{}{value}", self.channel_name(*c), message_name(*m))
            }
            Kind::Receive(c, m, v) => {
                let variable = v.and_then(|v| self.variable_name(v));
                let variable = variable.map_or(String::new(), |v| format!("({v})"));
                format!("{}?{}{variable}", self.channel_name(*c), message_name(*m))
            }
            Kind::Break if place.inside_do => "break".to_owned(),
            Kind::Return if matches!(place.owner, Owner::Procedure(_)) => "return".to_owned(),
            Kind::Goto(label) if labels.all > 0 => {
                format!("goto {}", label_name(*label as usize % labels.all))
            }
            Kind::Default(c) if !watches => format!("{}?default", self.channel_name(*c)),
            Kind::Timeout(c) if !watches => format!("{}?timeout", self.channel_name(*c)),
            Kind::Condition(e) if !watches => format!("({})", self.expression(e)),
            Kind::Call(f) if !watches => self.call(*f as usize, place.owner),
            Kind::Assign(v, _) | Kind::Count(v, _) | Kind::Cycle(v, _) if !watches => {
                self.assignment(kind, *v)
            }
            _ => "skip".to_owned(),
        }
    }

    fn assignment(&mut self, kind: &Kind, variable: u8) -> String {
        let Some(v) = self.variable_name(variable) else { return "skip".to_owned() };
        match kind {
            Kind::Assign(_, e) => format!("{v} = {}", self.bounded(e)),
            Kind::Count(_, true) => format!("{v}++; {v} = {v} % 3"),
            Kind::Count(_, false) => format!("{v}--; {v} = {v} % 3"),
            Kind::Cycle(_, k) => format!("{v} +% {k}"),
            _ => "skip".to_owned(),
        }
    }

    fn call(&self, wanted: usize, owner: Owner) -> String {
        let first = if let Owner::Procedure(id) = owner { id + 1 } else { 0 };
        match self.protocol.procedures.len() - first.min(self.protocol.procedures.len()) {
            0 => "skip".to_owned(),
            callable => format!("f{}()", first + wanted % callable),
        }
    }

    fn channel_name(&self, id: u8) -> String {
        format!("c{}", id as usize % self.protocol.channels.len())
    }

    fn variable_name(&self, id: u8) -> Option<String> {
        let Protocol { shared, locals, .. } = *self.protocol;
        let id = id.checked_rem(shared + locals)?;
        Some(if id < shared { format!("g{id}") } else { format!("x{}", id - shared) })
    }

    /// Between -2 and 2, unless it divides by zero.
    fn bounded(&mut self, expr: &Expr) -> String {
        format!("({}) % 3", self.expression(expr))
    }

    fn expression(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Number(value) => value.to_string(),
            Expr::Variable(v) => self.variable_name(*v).unwrap_or_else(|| v.to_string()),
            Expr::Unary(not, x) => {
                format!("{}({})", if *not { "!" } else { "-" }, self.expression(x))
            }
            Expr::Binary(op, x, y) => {
                let x = self.expression(x);
                let op = self.choose(OPERATORS[*op as usize % OPERATORS.len()]);
                format!("({x}) {op} ({})", self.expression(y))
            }
        }
    }
}

fn message_name(id: u8) -> &'static str {
    MESSAGES[id as usize % MESSAGES.len()]
}

fn label_name(id: usize) -> String {
    format!("L{id}")
}

/// Such a body needs no braces; counting prints two statements.
fn is_one_statement(body: &[Stmt]) -> bool {
    matches!(body, [only] if !matches!(only.kind, Kind::Count(..)))
}

/// Without braces `assert` is a keyword only before a name.
fn begins_with_a_name(body: &[Stmt]) -> bool {
    matches!(body[0].kind, Kind::Send(..) | Kind::Receive(..))
}
