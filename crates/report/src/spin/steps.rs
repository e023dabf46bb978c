//! A run in the form of SPIN's simulator: a line per statement, what it assigned,
//! the messages, what the model prints, and the state at the end.

use super::columns::Columns;
use super::{Form, Listed};
use base::{Id, IdVec, Span};
use program::reference::{Channel, Declared, Mover, Problem, State, Traffic, Values};
use program::{
    Action, EdgeId, Expr, LocationId, ProctypeId, Program, Scalar, Variable, VariableId,
    VariableRef,
};
use promela::Statement;
use std::collections::BTreeSet;
use std::fmt::Write;
use trace::spin::{EdgeRun, Executed, Wrong};

/// Where a run came from, which decides how SPIN ends its report on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// A trail was followed to its end.
    Trail,
    /// A random run cannot go on.
    Stuck,
    /// A random run took all the steps it may.
    Cut,
}

/// A run as text.
pub fn edge_run(model: Listed<'_>, run: &EdgeRun, form: &Form, ended: Ended) -> String {
    let channels = run.initial.channels.len();
    let mut printer = Printer {
        program: model.program,
        model,
        run,
        form,
        ended,
        text: String::new(),
        known: vec![ended != Ended::Trail; channels],
        assigned: (0, BTreeSet::new()),
        globals: run.initial.globals.clone(),
        claim_line: 0,
        born: run.initial.processes.len(),
        columns: Columns::default(),
    };
    printer.begin();
    let mut before = &run.initial;
    for (index, step) in run.steps.iter().enumerate() {
        if form.steps_max.is_some_and(|max| step.depth > max) {
            break;
        }
        if run.cycle == Some(index) {
            printer.text.push_str(CYCLE);
        }
        if !step.hidden {
            printer.step(before, step);
        }
        before = &step.made.state;
    }
    if run.cycle == Some(run.steps.len()) && form.steps_max.is_none_or(|max| run.depth() <= max) {
        printer.text.push_str(CYCLE);
    }
    printer.end(before);
    printer.text
}

/// From here on everything repeats.
const CYCLE: &str = "  <<<<<START OF CYCLE>>>>>\n";

/// A statement that is shown, and who executed it.
#[derive(Clone, Copy)]
struct Line {
    depth: u64,
    pid: usize,
    proctype: ProctypeId,
    edge: EdgeId,
    /// SPIN's number, if it is not that of the statement.
    state: Option<u32>,
}

struct Printer<'a> {
    program: &'a Program,
    model: Listed<'a>,
    run: &'a EdgeRun,
    form: &'a Form,
    ended: Ended,
    text: String,
    /// The channels SPIN has made so far: it makes them when they are first used.
    known: Vec<bool>,
    /// What was assigned at this depth: by whom, if it is a local, and which variable.
    assigned: (u64, BTreeSet<(Option<usize>, usize)>),
    /// The globals before the statement.
    globals: IdVec<VariableId, Values>,
    /// The line of the claim that was shown last.
    claim_line: u32,
    /// How many processes were created.
    born: usize,
    columns: Columns,
}

impl Printer<'_> {
    fn begin(&mut self) {
        for (pid, process) in self.run.initial.processes.iter().enumerate() {
            let name = self.name(process.proctype);
            if self.form.columns {
                let _ = writeln!(self.text, "proc {pid} = {name}");
            } else if self.form.statements && self.ended != Ended::Trail {
                let creates = format!("proc  - (:root:) creates proc {pid:2} ({name})");
                let _ = writeln!(self.text, "  0:\t{creates}");
            }
        }
        if let Some(claim) = self.run.rules.claim {
            let number = self.model.listing.number(claim).unwrap_or(0);
            let _ = writeln!(self.text, "starting claim {number}");
        }
    }

    /// SPIN's name for a proctype.
    fn name(&self, proctype: ProctypeId) -> String {
        match self.program.proctypes[proctype].name.as_str() {
            "init" => ":init:".to_owned(),
            name => name.to_owned(),
        }
    }

    fn step(&mut self, before: &State, step: &Executed) {
        let (depth, made) = (step.depth, &step.made);
        if self.assigned.0 != depth {
            self.assigned = (depth, BTreeSet::new());
        }
        let Mover::Process(pid) = step.mover else { return self.claim_step(step) };
        let line = Line { depth, pid, proctype: step.proctype, edge: made.edge, state: None };
        if !made.inside.is_empty() {
            return self.inside(line, step);
        }
        // The sender of a rendezvous has moved before the receiver takes anything.
        let after = if made.peer.is_some() { before } else { &made.state };
        self.statement(line, &made.printed, made.traffic.first(), made.peer.is_some(), after);
        if let Some((pid, edge)) = made.peer {
            let Some(process) = before.processes.get(pid) else { return };
            self.assigned = (depth + 1, BTreeSet::new());
            let depth = depth + 1;
            let half = Line { depth, pid, proctype: process.proctype, edge, state: None };
            let taken = made.traffic.first().map(|sent| Traffic { sent: false, ..sent.clone() });
            self.statement(half, "", taken.as_ref(), true, &made.state);
        }
    }

    /// The statements of a `d_step`; the first has the number of the whole.
    fn inside(&mut self, line: Line, step: &Executed) {
        let mut traffic = step.made.traffic.iter();
        let mut printed = 0;
        let number = self.listed(line).map(|statement| statement.state);
        for (index, inside) in step.made.inside.iter().enumerate() {
            let state = number.filter(|_| index == 0);
            let action = &self.program.proctypes[line.proctype].edges[inside.edge].action;
            let carries =
                matches!(action, Action::Send { .. } | Action::Receive { keep: false, .. });
            let carried = if carries { traffic.next() } else { None };
            let text = step.made.printed.get(printed..inside.printed).unwrap_or_default();
            printed = inside.printed;
            let part = Line { edge: inside.edge, state, ..line };
            self.statement(part, text, carried, false, &inside.state);
        }
    }

    /// SPIN says only when the claim comes to another line.
    fn claim_step(&mut self, step: &Executed) {
        let (depth, proctype, edge) = (step.depth, step.proctype, step.made.edge);
        let line = Line { depth, pid: 0, proctype, edge, state: None };
        let (_, place) = self.place(self.edge_span(line));
        if place != self.claim_line {
            self.claim_line = place;
            let text = self.listed(line).map_or("", |statement| &statement.text).to_owned();
            let _ = writeln!(self.text, "Never claim moves to line {place}\t[{text}]");
        }
    }

    fn statement(
        &mut self,
        line: Line,
        printed: &str,
        carried: Option<&Traffic>,
        rendezvous: bool,
        after: &State,
    ) {
        let action = &self.program.proctypes[line.proctype].edges[line.edge].action;
        self.learn(action, after, carried);
        self.note_assigned(line.pid, action, after);
        let shown = line.depth > self.form.skip;
        if shown && !self.form.silent && !printed.is_empty() {
            let shift = if self.run.rules.claim.is_some() { 2 } else { 1 };
            let indent = if self.form.flush_left { 0 } else { 2 + 4 * (line.pid + shift) };
            let _ = write!(self.text, "{:indent$}{printed}", "");
        }
        self.failed(line);
        let is_end = matches!(action, Action::Die);
        self.newborn(line, after);
        if !shown {
            return;
        }
        if let Some(traffic) = carried {
            self.message(line, traffic, rendezvous, after);
        }
        if self.form.statements {
            if is_end { self.terminates(line) } else { self.statement_line(line) }
        }
        if !is_end && self.form.statements {
            self.values(line.pid, after);
        }
    }

    fn statement_line(&mut self, line: Line) {
        let Some(statement) = self.listed(line).cloned() else { return };
        let kind = &self.program.proctypes[line.proctype];
        let from = kind.edges[line.edge].from;
        let end = if kind.is_end(from) { " <valid end state>" } else { "" };
        let state = line.state.unwrap_or(statement.state);
        let head = self.head(line);
        let _ = writeln!(self.text, "{head} (state {state}){end}\t[{}]", statement.text);
    }

    fn terminates(&mut self, line: Line) {
        let Line { depth, pid, .. } = line;
        if self.ended == Ended::Trail {
            let _ = writeln!(self.text, "{depth:3}: proc {pid} terminates");
        } else {
            let name = self.name(line.proctype);
            let _ = writeln!(self.text, "{depth:3}:\tproc {pid:2} ({name}:1) terminates");
        }
    }

    /// Depth, tab, `proc  0 (A:1) m.pml:7`.
    fn head(&self, line: Line) -> String {
        let Line { depth, pid, proctype, .. } = line;
        let name = self.name(proctype);
        let (file, number) = self.place(self.edge_span(line));
        format!("{depth:3}:\tproc {pid:2} ({name}:{}) {file}:{number}", self.priority(pid))
    }

    fn priority(&self, pid: usize) -> i32 {
        let process = self.run.initial.processes.get(pid);
        process.or(self.run.state().processes.get(pid)).map_or(1, |process| process.priority)
    }

    fn listed(&self, line: Line) -> Option<&Statement> {
        self.model.listing.statement(line.proctype, line.edge)
    }

    fn edge_span(&self, line: Line) -> Span {
        self.program.proctypes[line.proctype].edges[line.edge].span
    }

    fn place(&self, span: Span) -> (String, u32) {
        let span = self.model.sources.statement(span);
        let place = self.model.sources.place(span);
        (place.file, place.line + lines_of_labels(self.model.sources.text(span)))
    }

    /// What SPIN says of an assertion that fails, before it shows the statement.
    fn failed(&mut self, line: Line) {
        let step = self.run.steps.iter().find(|step| step.depth == line.depth);
        let failures = step.map_or(&[][..], |step| step.made.failures.as_slice());
        let of_edge = |edge: Option<(ProctypeId, EdgeId)>| {
            edge.is_none_or(|edge| edge == (line.proctype, line.edge))
        };
        let asserts = failures.iter().any(|f| f.problem == Problem::Assertion && of_edge(f.edge));
        let is_assert = matches!(
            self.program.proctypes[line.proctype].edges[line.edge].action,
            Action::Assert(_)
        );
        if asserts && is_assert {
            let (file, number) = self.place(self.edge_span(line));
            let text = self.listed(line).map_or("", |statement| &statement.text).to_owned();
            let _ = writeln!(self.text, "spin: {file}:{number}, Error: assertion violated");
            let _ = writeln!(self.text, "spin: text of failed assertion: {text}");
        }
    }

    /// A process that a statement created.
    fn newborn(&mut self, line: Line, after: &State) {
        let action = &self.program.proctypes[line.proctype].edges[line.edge].action;
        if !action.mentions(&|expr| matches!(expr, Expr::Run { .. })) {
            return;
        }
        let Some(process) = after.processes.last() else { return };
        let (pid, name) = (after.processes.len() - 1, self.name(process.proctype));
        self.born += 1;
        self.columns.has_head = false;
        if self.form.columns {
            let _ = writeln!(self.text, "proc {pid} = {name}");
        }
        if self.form.statements && line.depth > self.form.skip {
            let number = self.run.pid(Mover::Process(pid));
            let _ = writeln!(self.text, "Starting {name} with pid {number}");
            if self.ended != Ended::Trail {
                let own = format!("{}:{}", self.name(line.proctype), self.priority(line.pid));
                let (depth, by) = (line.depth, line.pid);
                let creates = format!("proc {by:2} ({own}) creates proc {pid:2} ({name})");
                let _ = writeln!(self.text, "{depth:3}:\t{creates}");
            }
        }
    }

    fn message(&mut self, line: Line, traffic: &Traffic, rendezvous: bool, after: &State) {
        let number = traffic.channel + 1;
        if self.form.hidden_queues.contains(&number) {
            return;
        }
        let fields =
            after.channels.get(traffic.channel).map(|c| c.kind(self.program).fields.clone());
        let text = self.message_text(&fields.unwrap_or_default(), &traffic.message);
        let name = self.queue_name(line, traffic.channel, after);
        if self.form.columns {
            let alive = after.processes.len();
            let sign = if traffic.sent { '!' } else { '?' };
            let message = format!("{name}{sign}{text}");
            self.text.push_str(&self.columns.row(alive, number, line.pid, &message));
        }
        let wanted = if traffic.sent { self.form.sends } else { self.form.receives };
        if wanted {
            let (word, arrow) = match (traffic.sent, rendezvous) {
                (true, false) => ("Send", "->"),
                (true, true) => ("Sent", "->"),
                (false, _) => ("Recv", "<-"),
            };
            let head = self.head(line);
            let _ = writeln!(self.text, "{head} {word} {text}\t{arrow} queue {number} ({name})");
        }
    }

    /// The channel as the statement names it, an index as its value.
    fn queue_name(&self, line: Line, index: usize, state: &State) -> String {
        let text = self.listed(line).map_or("", |statement| &statement.text);
        let name = text.split(['!', '?']).next().unwrap_or_default();
        let (Some((array, _)), Some(channel)) = (name.split_once('['), state.channels.get(index))
        else {
            return name.to_owned();
        };
        let same =
            |other: &&Channel| (other.declared, other.owner) == (channel.declared, channel.owner);
        format!("{array}[{}]", state.channels[..index].iter().filter(same).count())
    }

    fn message_text(&self, fields: &[Scalar], message: &[i32]) -> String {
        let values = message.iter().enumerate();
        let texts = values.map(|(index, value)| self.value(fields.get(index).copied(), *value));
        texts.collect::<Vec<_>>().join(",")
    }

    /// A value; a symbolic constant by its name.
    fn value(&self, scalar: Option<Scalar>, value: i32) -> String {
        let symbol = scalar.and_then(|scalar| self.program.symbol(scalar, value));
        symbol.map_or_else(|| value.to_string(), ToString::to_string)
    }

    /// Notes the channels a statement uses.
    fn learn(&mut self, action: &Action, after: &State, carried: Option<&Traffic>) {
        self.known.resize(self.known.len().max(after.channels.len()), true);
        if let Some(known) = carried.and_then(|traffic| self.known.get_mut(traffic.channel)) {
            *known = true;
        }
        for (id, _) in self.program.globals.iter_ids().filter(|(_, v)| v.channel.is_some()) {
            let used = |expr: &Expr| matches!(expr, Expr::Load(place) if place.variable == VariableRef::Global(id));
            if action.mentions(&used) {
                for number in &*after.globals[id] {
                    let index = usize::try_from(*number - 1).ok();
                    if let Some(known) = index.and_then(|index| self.known.get_mut(index)) {
                        *known = true;
                    }
                }
            }
        }
    }

    /// Globals only if they have another value now, as SPIN does.
    fn note_assigned(&mut self, pid: usize, action: &Action, after: &State) {
        let old = std::mem::replace(&mut self.globals, after.globals.clone());
        for place in action.targets() {
            let key = match place.variable {
                VariableRef::Global(id) if old[id] == after.globals[id] => continue,
                VariableRef::Global(id) => (None, id.index()),
                VariableRef::Local(id) => (Some(pid), id.index()),
            };
            self.assigned.1.insert(key);
        }
    }

    /// What was assigned at this depth, as `-g` and `-l` show it. Fields of
    /// structures are not shown by SPIN either.
    fn values(&mut self, pid: usize, after: &State) {
        if self.form.globals {
            for (id, variable) in self.program.globals.iter_ids() {
                let changed = self.assigned.1.contains(&(None, id.index()));
                if variable.channel.is_some() {
                    self.queues(Declared::Global(id), after, false);
                } else if changed && !variable.name.contains('.') {
                    self.assigned_values("", variable, &after.globals[id]);
                }
            }
        }
        let Some(process) = after.processes.get(pid).filter(|_| self.form.locals) else { return };
        let kind = &self.program.proctypes[process.proctype];
        let owner = format!("{}({pid}):", self.name(process.proctype));
        let variables: Vec<_> = kind.variables.iter_ids().collect();
        for (id, variable) in variables.into_iter().rev() {
            if self.assigned.1.contains(&(Some(pid), id.index())) && !variable.name.contains('.') {
                self.assigned_values(&owner, variable, &process.locals[id]);
            }
        }
    }

    fn assigned_values(&mut self, owner: &str, variable: &Variable, values: &[i32]) {
        for (index, value) in values.iter().enumerate() {
            let element = if variable.is_array { format!("[{index}]") } else { String::new() };
            let value = self.value(Some(variable.scalar), *value);
            let _ = writeln!(self.text, "\t\t{owner}{}{element} = {value}", variable.name);
        }
    }

    /// The contents of the channels a variable was declared with.
    fn queues(&mut self, declared: Declared, state: &State, all: bool) {
        let of = |(_, channel): &(usize, &Channel)| channel.declared == declared;
        let found: Vec<(usize, &Channel)> = state.channels.iter().enumerate().filter(of).collect();
        for (element, (index, channel)) in found.iter().enumerate() {
            let known = self.known.get(*index).copied().unwrap_or(true);
            if channel.is_rendezvous(self.program) || !(known || all) {
                continue;
            }
            let Variable { name, is_array, .. } = declared.variable(self.program);
            let name = if *is_array { format!("{name}[{element}]") } else { name.to_string() };
            let kind = channel.kind(self.program);
            let messages = channel
                .messages
                .iter()
                .map(|m| format!("[{}]", self.message_text(&kind.fields, m)));
            let messages: String = messages.collect();
            let _ = writeln!(self.text, "\t\tqueue {} ({name}): {messages}", index + 1);
        }
    }

    fn end(&mut self, state: &State) {
        let cut = self.form.steps_max.filter(|max| self.run.depth() > *max);
        let depth = cut.unwrap_or_else(|| self.run.depth());
        match (self.ended, cut) {
            (Ended::Trail, None) => {
                let _ = writeln!(self.text, "spin: trail ends after {depth} steps");
            }
            (Ended::Cut, _) | (_, Some(_)) => {
                let _ = writeln!(self.text, "-------------\ndepth-limit (-u{depth} steps) reached");
            }
            (Ended::Stuck, None) => {
                if self.run.problem(self.program) == Some(Wrong::InvalidEnd) {
                    self.text.push_str("      timeout\n");
                }
            }
        }
        if self.form.columns {
            self.text.push_str("-------------\nfinal state:\n-------------\n");
        }
        if self.form.no_final_state {
            return;
        }
        if !state.processes.is_empty() {
            self.final_state(state, depth);
        }
        // SPIN counts the claim when it chooses the word, and not in the number.
        let alone = self.born == 1 && self.run.rules.claim.is_none();
        let created = if alone { "process" } else { "processes" };
        let _ = writeln!(self.text, "{} {created} created", self.born);
    }

    fn final_state(&mut self, state: &State, depth: u64) {
        let _ = writeln!(self.text, "#processes: {}", state.processes.len());
        for (id, variable) in self.program.globals.iter_ids() {
            if variable.channel.is_some() {
                self.queues(Declared::Global(id), state, true);
            } else {
                self.assigned_values("", variable, &state.globals[id]);
            }
        }
        for (pid, process) in state.processes.iter().enumerate().rev() {
            let number = format!("{pid:2}");
            let priority = process.priority;
            self.stands(depth, &number, process.proctype, process.location, priority);
            if self.form.locals {
                let kind = &self.program.proctypes[process.proctype];
                let owner = format!("{}({pid}):", self.name(process.proctype));
                let variables: Vec<_> = kind.variables.iter_ids().collect();
                for (id, variable) in variables.into_iter().rev() {
                    if variable.channel.is_none() {
                        self.assigned_values(&owner, variable, &process.locals[id]);
                    }
                }
            }
        }
        if let Some(claim) = &state.claim {
            self.stands(depth, " -", claim.proctype, claim.location, 1);
        }
    }

    fn stands(
        &mut self,
        depth: u64,
        pid: &str,
        proctype: ProctypeId,
        at: LocationId,
        priority: i32,
    ) {
        let kind = &self.program.proctypes[proctype];
        let first = kind.edges_from(at).next().map(|(_, edge)| edge.span);
        let span = kind.locations[at].span.or(first).unwrap_or(kind.span);
        let (file, line) = self.place(span);
        let state = kind.locations[at].number;
        let end = if kind.is_end(at) { " <valid end state>" } else { "" };
        let name = self.name(proctype);
        let head = format!("{depth:3}:\tproc {pid} ({name}:{priority}) {file}:{line}");
        let _ = writeln!(self.text, "{head} (state {state}){end}");
    }
}

/// How many lines the labels in front of a statement take: SPIN shows the line of
/// the statement itself.
fn lines_of_labels(statement: &str) -> u32 {
    let mut rest = statement;
    let mut lines = 0;
    loop {
        let name = rest.trim_start_matches(|c: char| c == '_' || c.is_ascii_alphanumeric());
        let behind = name.trim_start().strip_prefix(':').filter(|_| name.len() < rest.len());
        let Some(behind) = behind.filter(|behind| !behind.starts_with(':')) else { return lines };
        let next = behind.trim_start();
        let gap = &behind[..behind.len() - next.len()];
        lines += gap.matches('\n').count() as u32;
        rest = next;
    }
}
