//! What looks unintended in a model without errors. One diagnostic per id:
//! the first place is its span, the further ones are its `others`.

mod reach;
mod wording;

use crate::tree::{Definition, Item, StmtKind as Written, Tree, Word};
use base::{Diagnostic, Id, Name, SourceMap, Span};
use model::{
    Assertion, Body, ChannelId, Look, MessageId, Model, Predicate, ProcessId, Stmt, StmtKind,
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The procedures, and which of them are called.
#[derive(Clone, Copy)]
pub(crate) struct Called<'a> {
    pub(crate) procedures: &'a [&'a Definition],
    pub(crate) called: &'a [bool],
}

/// All warnings about `model`, which `tree` became.
pub(crate) fn warnings(
    tree: &Tree,
    model: &Model,
    sources: &SourceMap,
    calls: Called<'_>,
) -> Vec<Diagnostic> {
    let mut finder = Finder { model, uses: Uses::of(model), found: BTreeMap::new() };
    finder.channels();
    finder.messages();
    finder.assertions();
    model.processes.iter().for_each(|process| finder.unreachable(&process.body));
    model.assertions.iter().for_each(|assertion| finder.unreachable(&assertion.body));
    finder.labels(tree);
    finder.variables();
    finder.procedures(calls);
    let found = std::mem::take(&mut finder.found);
    found.into_iter().map(|(id, places)| wording::grouped(id, places, sources)).collect()
}

/// Labels that begin so mean something by themselves.
const MARKS: [&str; 3] = ["end", "accept", "progress"];

type Action = (ChannelId, MessageId);

/// Who does what with which channel.
#[derive(Default)]
struct Uses {
    /// By processes, or from the start.
    sent: BTreeMap<Action, Vec<Span>>,
    received: BTreeMap<Action, Vec<Span>>,
    /// Channels with a `c?default`.
    any: BTreeMap<ChannelId, Vec<Span>>,
    /// Who reads a channel, and where first.
    readers: BTreeMap<ChannelId, Vec<(ProcessId, Span)>>,
    /// Channels mentioned anywhere, timeouts and assertions included.
    mentioned: BTreeSet<ChannelId>,
    variables: HashSet<model::VariableId>,
}

impl Uses {
    fn of(model: &Model) -> Self {
        let mut uses = Self::default();
        for (id, channel) in model.channels.iter_ids() {
            for message in &channel.initial {
                uses.sent.entry((id, message.name)).or_default();
            }
        }
        for (id, process) in model.processes.iter_ids() {
            walk(&process.body.statements, &mut |statement| uses.note(id, statement));
        }
        for assertion in &model.assertions {
            walk(&assertion.body.statements, &mut |statement| {
                uses.mentioned.extend(channel_of(&statement.kind));
            });
        }
        uses
    }

    fn note(&mut self, process: ProcessId, statement: &Stmt) {
        let span = statement.span;
        self.mentioned.extend(channel_of(&statement.kind));
        match &statement.kind {
            StmtKind::Send(channel, message, value) => {
                self.sent.entry((*channel, *message)).or_default().push(span);
                value.iter().for_each(|value| value.variables(&mut |it| self.note_variable(*it)));
            }
            StmtKind::Receive(channel, message, variable) => {
                self.received.entry((*channel, *message)).or_default().push(span);
                self.note_reader(*channel, process, span);
                self.variables.extend(variable);
            }
            StmtKind::ReceiveAny(channel) => {
                self.any.entry(*channel).or_default().push(span);
                self.note_reader(*channel, process, span);
            }
            StmtKind::Condition(expr) => expr.variables(&mut |it| self.note_variable(*it)),
            StmtKind::Assign(variable, expr) => {
                self.variables.insert(*variable);
                expr.variables(&mut |it| self.note_variable(*it));
            }
            _ => {}
        }
    }

    fn note_variable(&mut self, variable: model::VariableId) {
        self.variables.insert(variable);
    }

    fn note_reader(&mut self, channel: ChannelId, process: ProcessId, span: Span) {
        let readers = self.readers.entry(channel).or_default();
        if !readers.iter().any(|(reader, _)| *reader == process) {
            readers.push((process, span));
        }
    }

    fn is_written(&self, channel: ChannelId) -> bool {
        let first = (channel, MessageId::new(0));
        self.sent.range(first..).next().is_some_and(|((written, _), _)| *written == channel)
    }
}

fn channel_of(kind: &StmtKind) -> Option<ChannelId> {
    match kind {
        StmtKind::Send(channel, ..)
        | StmtKind::Receive(channel, ..)
        | StmtKind::ReceiveAny(channel)
        | StmtKind::Timeout(channel) => Some(*channel),
        _ => None,
    }
}

/// Calls `visit` with every statement.
fn walk(statements: &[Stmt], visit: &mut dyn FnMut(&Stmt)) {
    statements.iter().for_each(|statement| statement.walk(visit));
}

/// The labels that formulas look at.
fn labels_in_formulas(model: &Model) -> HashSet<Name> {
    let mut labels = HashSet::new();
    let mut note = |predicate: &Predicate| {
        predicate.variables(&mut |look| {
            if let Look::At(_, label) = look {
                labels.insert(label.clone());
            }
        });
    };
    model.properties.iter().for_each(|property| property.formula.each_predicate(&mut note));
    model.predicates.iter().for_each(|predicate| note(&predicate.holds));
    labels
}

/// A place and what to say there.
struct Place {
    span: Span,
    text: String,
}

struct Finder<'a> {
    model: &'a Model,
    uses: Uses,
    found: BTreeMap<&'static str, Vec<Place>>,
}

impl Finder<'_> {
    fn add(&mut self, id: &'static str, span: Span, text: impl Into<String>) {
        self.found.entry(id).or_default().push(Place { span, text: text.into() });
    }

    fn channels(&mut self) {
        for (id, channel) in self.model.channels.iter_ids() {
            let (name, span) = (&channel.name, channel.span);
            let read = self.uses.readers.contains_key(&id);
            let written = self.uses.is_written(id);
            match (read, written) {
                (true, true) => {}
                (false, true) => self.add("W0002", span, format!("nobody receives from `{name}`")),
                (true, false) => self.add("W0004", span, format!("nobody sends to `{name}`")),
                (false, false) => self.add("W0011", span, format!("`{name}` is not used")),
            }
            let readers = self.uses.readers.get(&id).cloned().unwrap_or_default();
            for (second, at) in readers.iter().skip(1) {
                let (first, second) =
                    (&self.model.processes[readers[0].0], &self.model.processes[*second]);
                let text = format!("`{}` reads `{name}`, as `{}` does", second.name, first.name);
                self.add("W0006", *at, text);
            }
        }
    }

    /// Messages of a channel that is read and written, but not these.
    fn messages(&mut self) {
        let (sent, received) = (self.uses.sent.clone(), self.uses.received.clone());
        for (action @ (channel, message), places) in &sent {
            let taken = received.contains_key(action) || self.uses.any.contains_key(channel);
            if taken || !self.uses.readers.contains_key(channel) {
                continue;
            }
            let text = self.action(*channel, "!", *message);
            if places.is_empty() {
                self.add(
                    "W0001",
                    self.model.channels[*channel].span,
                    format!("{text} from the start"),
                );
            }
            places.iter().for_each(|span| self.add("W0001", *span, text.clone()));
        }
        for (action @ (channel, message), places) in &received {
            if sent.contains_key(action) || !self.uses.is_written(*channel) {
                continue;
            }
            let text = self.action(*channel, "?", *message);
            places.iter().for_each(|span| self.add("W0003", *span, text.clone()));
        }
    }

    fn action(&self, channel: ChannelId, sign: &str, message: MessageId) -> String {
        format!("{}{sign}{}", self.model.channels[channel].name, self.model.messages[message])
    }

    /// Actions that an assertion watches and nobody performs.
    fn assertions(&mut self) {
        let model = self.model;
        let mut idle: Vec<(Span, String)> = Vec::new();
        for Assertion { body, .. } in &model.assertions {
            walk(&body.statements, &mut |statement| {
                let (text, performed) = match &statement.kind {
                    StmtKind::Send(channel, message, _) => {
                        let sends = self.uses.sent.get(&(*channel, *message));
                        (
                            self.action(*channel, "!", *message),
                            sends.is_some_and(|it| !it.is_empty()),
                        )
                    }
                    StmtKind::Receive(channel, message, _) => {
                        let action = (*channel, *message);
                        let any = self.uses.any.contains_key(channel)
                            && self.uses.sent.contains_key(&action);
                        (
                            self.action(*channel, "?", *message),
                            any || self.uses.received.contains_key(&action),
                        )
                    }
                    _ => return,
                };
                if !performed {
                    idle.push((statement.span, text));
                }
            });
        }
        idle.into_iter().for_each(|(span, text)| self.add("W0012", span, text));
    }

    fn unreachable(&mut self, body: &Body) {
        for span in reach::dead(body) {
            self.add("W0005", span, "never reached");
        }
    }

    fn labels(&mut self, tree: &Tree) {
        let looked_at = labels_in_formulas(self.model);
        for item in &tree.items {
            let body = match item {
                Item::Declaration(_) | Item::Ltl(_) | Item::Predicate(..) => continue,
                Item::Process(Definition { body, .. })
                | Item::Procedure(Definition { body, .. }) => body,
                Item::Assertion(assertion) => &assertion.body,
            };
            let (mut labels, mut targets): (Vec<&Word>, HashSet<&Name>) = Default::default();
            body.walk(&mut |statement| {
                labels.extend(&statement.labels);
                if let Written::Goto(label) = &statement.kind {
                    targets.insert(&label.name);
                }
            });
            let marks = |name: &Name| MARKS.iter().any(|mark| name.starts_with(mark));
            let unused = |it: &&Word| {
                !targets.contains(&it.name) && !marks(&it.name) && !looked_at.contains(&it.name)
            };
            for label in labels.into_iter().filter(unused) {
                self.add("W0008", label.span, format!("nothing jumps to `{}`", label.name));
            }
        }
    }

    fn variables(&mut self) {
        for (id, variable) in self.model.variables.iter_ids() {
            if !self.uses.variables.contains(&id) {
                self.add("W0009", variable.span, format!("`{}` is not used", variable.name));
            }
        }
    }

    fn procedures(&mut self, calls: Called<'_>) {
        for (procedure, called) in calls.procedures.iter().zip(calls.called) {
            if !called {
                let name = &procedure.name;
                self.add("W0010", name.span, format!("nobody calls `{}`", name.name));
            }
        }
    }
}
