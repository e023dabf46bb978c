//! What a body declares, found before it is read: variables in order, labels,
//! and which `inline` call and which `d_step` each label belongs to.

use super::Lowerer;
use crate::flow;
use crate::tree::{Declaration, Pattern, Sequence, Step, Stmt, StmtKind, Word};
use base::{Diagnostic, Name, Span};

/// Something visited on a walk through a body. The reading of bodies meets the same
/// things in the same order, so both can count.
pub(super) enum Visited<'a> {
    Declaration(&'a Declaration),
    Label(&'a Word),
    Receive(&'a [Pattern]),
    EnterInline,
    LeaveInline,
    EnterStep,
    LeaveStep,
}

pub(super) fn walk<'a>(sequence: &'a Sequence, visit: &mut dyn FnMut(Visited<'a>)) {
    for step in &sequence.steps {
        match step {
            Step::Declaration(declaration) => visit(Visited::Declaration(declaration)),
            Step::Statement(statement) => walk_statement(statement, visit),
            Step::Exclusive(_) => {}
        }
    }
}

fn walk_statement<'a>(statement: &'a Stmt, visit: &mut dyn FnMut(Visited<'a>)) {
    for label in &statement.labels {
        visit(Visited::Label(label));
    }
    match &statement.kind {
        StmtKind::If(options) | StmtKind::Do(options) => {
            options.iter().for_each(|option| walk(option, visit));
        }
        StmtKind::For(_, _, body) | StmtKind::Atomic(body) | StmtKind::Block(body) => {
            walk(body, visit);
        }
        StmtKind::Receive { patterns, .. } => visit(Visited::Receive(patterns)),
        StmtKind::Deterministic(body) => {
            visit(Visited::EnterStep);
            walk(body, visit);
            visit(Visited::LeaveStep);
        }
        StmtKind::Inlined(body) => {
            visit(Visited::EnterInline);
            walk(body, visit);
            visit(Visited::LeaveInline);
        }
        StmtKind::Unless(main, escape) => {
            walk_statement(main, visit);
            walk_statement(escape, visit);
        }
        _ => {}
    }
}

/// A label of a body.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub(super) name: Name,
    pub(super) span: Span,
    /// The `inline` call it stands in, 0 for none.
    pub(super) instance: usize,
    /// The outermost `d_step` it stands in.
    pub(super) step: Option<usize>,
    pub(super) remote: bool,
}

/// Collects labels on a walk.
#[derive(Default)]
pub(super) struct Collector {
    pub(super) labels: Vec<Label>,
    instances: Vec<usize>,
    instances_met: usize,
    steps: Vec<usize>,
    steps_met: usize,
    pub(super) twice: Vec<(Word, Span)>,
}

impl Collector {
    pub(super) fn meet(&mut self, visited: &Visited<'_>) {
        match visited {
            Visited::EnterInline => {
                self.instances_met += 1;
                self.instances.push(self.instances_met);
            }
            Visited::LeaveInline => drop(self.instances.pop()),
            Visited::EnterStep => {
                self.steps_met += 1;
                self.steps.push(self.steps_met);
            }
            Visited::LeaveStep => drop(self.steps.pop()),
            Visited::Label(word) => self.label(word),
            Visited::Declaration(_) | Visited::Receive(_) => {}
        }
    }

    fn label(&mut self, word: &Word) {
        let instance = self.instances.last().copied().unwrap_or(0);
        let same = |known: &&Label| known.instance == instance && known.name == word.name;
        if let Some(first) = self.labels.iter().find(same) {
            self.twice.push((word.clone(), first.span));
        }
        self.labels.push(Label {
            name: word.name.clone(),
            span: word.span,
            instance,
            step: self.steps.first().copied(),
            remote: false,
        });
    }
}

impl Lowerer {
    /// The labels of the body being read.
    fn labels(&self) -> &[Label] {
        self.scope.proctype.map_or(&[], |proctype| self.drafts[proctype].labels.as_slice())
    }

    /// The label a `goto` means: of its own `inline` call, of one around it, of
    /// the body, or the only one of that name.
    pub(super) fn jump(&mut self, word: &Word) -> Option<flow::LabelIndex> {
        let labels = self.labels();
        let named = |label: &Label| label.name == word.name;
        let around = self.scope.instances.iter().rev().copied().chain([0]);
        let near = around.flat_map(|instance| {
            labels.iter().position(|label| named(label) && label.instance == instance)
        });
        let found = near.into_iter().next().or_else(|| labels.iter().position(named));
        let Some(found) = found else {
            let names = labels.iter().map(|label| &label.name);
            let help =
                self.suggestion(&word.name, names, "put `NAME:` before the statement to go to");
            let message = format!("there is no label `{}`", word.name);
            self.report_unknown(
                Diagnostic::error("M0009", word.span, message).label("unknown").help(help),
            );
            return None;
        };
        if labels[found].step != self.scope.step {
            let target = labels[found].span;
            self.crosses_step(word.span, Some(target));
        }
        Some(found)
    }

    pub(super) fn crosses_step(&mut self, span: Span, target: Option<Span>) {
        let mut found = Diagnostic::error("M0013", span, "a jump into or out of a `d_step`")
            .label("a `d_step` is one indivisible step")
            .help("keep both ends of the jump inside, or use `atomic` instead");
        if let Some(target) = target {
            found = found.other(target, "it leads here");
        }
        self.report(found);
    }

    /// The label that stands at `word`, in the `inline` call being read.
    pub(super) fn label_here(&self, word: &Word) -> Option<flow::LabelIndex> {
        let instance = self.scope.instances.last().copied().unwrap_or(0);
        let here = |label: &Label| label.name == word.name && label.instance == instance;
        self.labels().iter().position(here)
    }
}
