//! Statements: each becomes an action, a jump or a structure of others.

use super::Lowerer;
use super::place::text;
use crate::flow::{Code, Kind, Stmt};
use crate::tree::{self, Declaration, Reference, Sequence, Step, StmtKind};
use crate::wording;
use base::{Diagnostic, Name, Span};
use program::{Action, BinaryOp, Expr, Initial, Place, PrintPart, Subscript, Wording};
use std::collections::HashMap;

impl Lowerer {
    /// The steps of a sequence, its names in the block that is open.
    pub(super) fn sequence_open(&mut self, sequence: &Sequence) -> Code {
        let mut code = Code::new();
        for (place, step) in sequence.steps.iter().enumerate() {
            match step {
                Step::Declaration(declaration) => self.declaration(declaration, &mut code),
                Step::Exclusive(queues) => {
                    for queue in queues {
                        self.queue(queue);
                    }
                }
                Step::Statement(statement) => {
                    let lowered = self.statement(statement, &mut code);
                    code.push(lowered);
                }
            }
            if place == 0 {
                self.scope.may_else = false;
            }
        }
        code
    }

    /// The steps of a sequence in braces: a block of names.
    pub(super) fn block(&mut self, sequence: &Sequence) -> Code {
        self.scope.blocks.push(HashMap::new());
        let code = self.sequence_open(sequence);
        self.scope.blocks.pop();
        code
    }

    /// A declaration before the first statement only says how the process
    /// begins; later it is a step that assigns.
    fn declaration(&mut self, declaration: &Declaration, code: &mut Code) {
        for declarator in &declaration.variables {
            let late = self.scope.started;
            // The value is read before the name exists: `byte x = x` means an outer one.
            let value = match &declarator.initial {
                Some(tree::Initial::Value(value)) => Some(self.value(value)),
                _ => None,
            };
            let Some(symbol) = self.enter(&declarator.name) else { continue };
            if matches!(declarator.initial, Some(tree::Initial::Channel { .. })) {
                if late {
                    self.late_channel(declarator.span);
                }
                continue;
            }
            if !Lowerer::is_plain(&symbol) {
                match value {
                    Some(_) if late => self.late_structure(declarator.span),
                    Some(_) => self.ignored_initial(declarator.span),
                    None => {}
                }
                if late {
                    let text = "(1)".to_owned();
                    code.push(unlabelled(Kind::Idle, declarator.span, text));
                }
                continue;
            }
            if !late {
                if let (Some(value), Some(variable)) = (value, self.local_mut(&symbol)) {
                    variable.initial = Initial::Value(value);
                }
                continue;
            }
            let value = match &declarator.initial {
                Some(tree::Initial::List(values)) => {
                    values.first().map_or(Expr::Const(0), |first| self.value(first))
                }
                _ => value.unwrap_or(Expr::Const(0)),
            };
            // As SPIN does: of an array only the first element is set again.
            let first = |bound| Subscript { index: Expr::Const(0), bound, stride: 1 };
            let subscripts = symbol.length.map(first).into_iter().collect();
            let place = Place { variable: symbol.leaf(0), subscripts };
            let action = Action::Assign(place, value);
            let text = declared(declarator);
            let mut step = unlabelled(Kind::Basic(action), declarator.span, text.clone());
            if declarator.initial.is_none() {
                // The name alone, as it is written, does not look like a statement.
                step.wording = Wording::Made(Name::new(&text));
            }
            code.push(step);
        }
    }

    fn late_structure(&mut self, span: Span) {
        let found = Diagnostic::error("M0016", span, "a structure has no single initial value")
            .label("which field is meant?")
            .help("give the fields their values in the typedef, or assign them");
        self.report(found);
    }

    fn late_channel(&mut self, span: Span) {
        let found = Diagnostic::error("M0033", span, "a channel created in the middle of a body")
            .label("channels are created with their process")
            .help("move the declaration before the first statement");
        self.report(found);
    }

    /// A statement. What a `for` or `select` does before its loop goes to
    /// `before`, in front of whatever the statement is part of, as in SPIN.
    pub(super) fn statement(&mut self, statement: &tree::Stmt, before: &mut Code) -> Stmt {
        self.scope.started = true;
        let labels = statement.labels.iter().filter_map(|label| self.label_here(label)).collect();
        self.scope.may_run = true;
        let kind = self.kind(statement, before).unwrap_or(Kind::Idle);
        let (text, wording) = (self.words(statement), Wording::Written);
        Stmt { labels, span: statement.span, kind, text, wording }
    }

    /// A statement in SPIN's words, structures in messages field by field.
    fn words(&self, statement: &tree::Stmt) -> String {
        wording::statement(statement, &|reference| {
            if !self.is_structure(reference) {
                return vec![wording::reference(reference)];
            }
            self.paths(reference)
        })
    }

    /// `None` if it was wrong, and reported.
    fn kind(&mut self, statement: &tree::Stmt, before: &mut Code) -> Option<Kind> {
        let span = statement.span;
        let may_else = self.scope.may_else;
        if !matches!(
            statement.kind,
            StmtKind::Else
                | StmtKind::Block(_)
                | StmtKind::Inlined(_)
                | StmtKind::Atomic(_)
                | StmtKind::Deterministic(_)
                | StmtKind::Unless(..)
        ) {
            self.scope.may_else = false;
        }
        let action = match &statement.kind {
            StmtKind::If(options) => return Some(self.choice(false, options)),
            StmtKind::Do(options) => return Some(self.choice(true, options)),
            StmtKind::Break => return self.leave_loop(span),
            StmtKind::Goto(label) => return self.jump(label).map(Kind::Goto),
            StmtKind::For(variable, range, body) => {
                return self.for_loop(variable, range, body, span, before);
            }
            StmtKind::Select(variable, range) => {
                return self.select(variable, range, span, before);
            }
            StmtKind::Block(sequence) => return Some(Kind::Block(self.block(sequence))),
            StmtKind::Inlined(sequence) => return Some(self.inlined(sequence)),
            StmtKind::Atomic(sequence) => {
                let code = self.block(sequence);
                return Some(if self.scope.step.is_some() {
                    Kind::Block(code)
                } else {
                    Kind::Atomic(code)
                });
            }
            StmtKind::Deterministic(sequence) => return Some(self.deterministic(sequence)),
            StmtKind::Unless(main, escape) => return Some(self.unless(main, escape, before)),
            StmtKind::Assign(target, value) => return self.assign(target, value, span),
            StmtKind::Count(target, op) => self.count(target, *op)?,
            StmtKind::Send { queue, arguments, sorted } => self.send(queue, arguments, *sorted)?,
            StmtKind::Receive { queue, patterns, random, keep } => {
                self.receive(queue, patterns, *random, *keep)?
            }
            StmtKind::Assert(condition) => Action::Assert(self.value(condition)),
            StmtKind::Printf(format, at, values) => Action::Print(self.printf(format, *at, values)),
            StmtKind::Printm(value) => Action::Print(vec![PrintPart::Symbol(self.value(value))]),
            StmtKind::SetPriority(process, priority) => {
                self.uses.priorities = true;
                let process = self.value(process);
                Action::SetPriority(process, self.value(priority))
            }
            StmtKind::Else => {
                if !may_else {
                    self.lonely_else(span);
                }
                Action::Else
            }
            StmtKind::Condition(condition) => match self.expr(condition) {
                Expr::Const(1) => Action::Skip,
                other => Action::Condition(other),
            },
            StmtKind::Broken => return None,
        };
        Some(Kind::Basic(action))
    }

    /// Nothing else can be executed where it stands, so it always can.
    fn lonely_else(&mut self, span: Span) {
        let found = Diagnostic::warning("N0016", span, "`else` where it has no alternative")
            .label("always executable, as `skip` is")
            .help("`else` stands first in an option of `if` or `do`");
        self.report(found);
    }

    fn choice(&mut self, looping: bool, options: &[Sequence]) -> Kind {
        self.scope.loops += usize::from(looping);
        let mut codes: Vec<Code> = Vec::new();
        let mut otherwise: Option<(usize, Span)> = None;
        for option in options {
            self.scope.may_else = true;
            let code = self.sequence_open(option);
            self.scope.may_else = false;
            let first = code.first().map(|first| (&first.kind, first.span));
            match (first, otherwise) {
                (Some((Kind::Basic(Action::Else), span)), Some((_, first))) => {
                    self.second_else(span, first);
                }
                (Some((Kind::Basic(Action::Else), span)), None) => {
                    otherwise = Some((codes.len(), span));
                    codes.push(code);
                }
                _ => codes.push(code),
            }
        }
        self.scope.loops -= usize::from(looping);
        // `else` is the last choice wherever it is written.
        let last = otherwise.map(|(place, _)| place);
        Kind::Choice { looping, options: codes, last, written: true }
    }

    fn second_else(&mut self, span: Span, first: Span) {
        let found = Diagnostic::error("M0020", span, "a second `else` in one choice")
            .label("which one?")
            .other(first, "first one")
            .help("join the two options, or give one of them a condition");
        self.report(found);
    }

    fn leave_loop(&mut self, span: Span) -> Option<Kind> {
        if self.scope.loops > 0 {
            return Some(Kind::Break);
        }
        if self.scope.step.is_some() {
            self.crosses_step(span, None);
            return None;
        }
        let found = Diagnostic::error("M0012", span, "`break` outside of `do`")
            .label("there is no loop to leave")
            .help("use `goto`, or put the statements into do ... od");
        self.report(found);
        None
    }

    /// The labels inside belong to this call only.
    fn inlined(&mut self, sequence: &Sequence) -> Kind {
        self.scope.instances_met += 1;
        self.scope.instances.push(self.scope.instances_met);
        let code = self.block(sequence);
        self.scope.instances.pop();
        Kind::Block(code)
    }

    fn deterministic(&mut self, sequence: &Sequence) -> Kind {
        self.scope.steps_met += 1;
        let inner = self.scope.step.is_some();
        let step = self.scope.step.get_or_insert(self.scope.steps_met);
        let step = *step;
        let loops = if inner { self.scope.loops } else { std::mem::take(&mut self.scope.loops) };
        let code = self.block(sequence);
        if inner {
            return Kind::Block(code);
        }
        debug_assert_eq!(self.scope.step, Some(step), "d_steps nest");
        self.scope.step = None;
        self.scope.loops = loops;
        Kind::Deterministic(code)
    }

    fn unless(&mut self, main: &tree::Stmt, escape: &tree::Stmt, before: &mut Code) -> Kind {
        let main = self.statement(main, before);
        self.scope.may_else = false;
        let escape = self.statement(escape, before);
        if self.scope.step.is_some() {
            // Nothing interrupts a `d_step`: only the main part is left.
            return Kind::Block(vec![main]);
        }
        Kind::Unless(Box::new(main), Box::new(escape))
    }

    fn assign(&mut self, target: &Reference, value: &tree::Expr, span: Span) -> Option<Kind> {
        if let Some(kind) = self.assign_structure(target, value, span) {
            return kind;
        }
        let value = self.expr(value);
        if let [part] = target.parts.as_slice()
            && self.find(&part.name.name).is_none()
        {
            match part.name.name.as_str() {
                "_priority" => {
                    self.uses.priorities = true;
                    return Some(Kind::Basic(Action::SetPriority(Expr::Pid, value)));
                }
                // Written and forgotten; the value is still computed.
                "_" => return Some(Kind::Basic(Action::Skip)),
                _ => {}
            }
            if self.built_in(&part.name).is_some() {
                self.fixed(target);
                return None;
            }
        }
        let (place, _) = self.scalar(target)?;
        Some(Kind::Basic(Action::Assign(place, value)))
    }

    fn fixed(&mut self, target: &Reference) {
        let message = format!("`{}` cannot be assigned to", text(target));
        let found = Diagnostic::error("M0017", target.span, message)
            .label("not a variable")
            .help("assign to a variable of your own");
        self.report(found);
    }

    /// `a = b` for two structures of one type: all fields in one step.
    fn assign_structure(
        &mut self,
        target: &Reference,
        value: &tree::Expr,
        span: Span,
    ) -> Option<Option<Kind>> {
        let tree::ExprKind::Variable(source) = &value.kind else { return None };
        if !self.is_structure(target) || !self.is_structure(source) {
            return None;
        }
        let (Some(to), Some(from)) = (self.resolve(target), self.resolve(source)) else {
            return Some(None);
        };
        if to.of != from.of {
            let found = Diagnostic::error("M0016", span, "the two structures differ in type")
                .label("their fields do not match")
                .help("assign field by field");
            self.report(found);
            return Some(None);
        }
        let message = "SPIN refuses to assign a whole structure";
        let found = Diagnostic::remark("N0008", span, message).help("assign field by field");
        self.report(found);
        let (to, from) = (self.spread(&to), self.spread(&from));
        let assign = |((to, _), (from, _))| {
            unlabelled(Kind::Basic(Action::Assign(to, Expr::Load(from))), span, String::new())
        };
        let code: Code = to.into_iter().zip(from).map(assign).collect();
        let inside = self.scope.step.is_some();
        Some(Some(if inside { Kind::Block(code) } else { Kind::Deterministic(code) }))
    }

    fn count(&mut self, target: &Reference, op: BinaryOp) -> Option<Action> {
        if let [part] = target.parts.as_slice()
            && self.find(&part.name.name).is_none()
            && self.built_in(&part.name).is_some()
        {
            self.fixed(target);
            return None;
        }
        let (place, _) = self.scalar(target)?;
        let value = Box::new(Expr::Load(place.clone()));
        Some(Action::Assign(place, Expr::Binary(op, value, Box::new(Expr::Const(1)))))
    }
}

pub(super) fn unlabelled(kind: Kind, span: Span, text: String) -> Stmt {
    Stmt { labels: Vec::new(), span, kind, text, wording: Wording::Written }
}

/// A declaration in the middle of a body, in the words for its step.
fn declared(declarator: &tree::Declarator) -> String {
    let value = match &declarator.initial {
        Some(tree::Initial::Value(value)) => wording::expression(value),
        Some(tree::Initial::List(values)) => {
            values.first().map_or("0".to_owned(), wording::expression)
        }
        _ => "0".to_owned(),
    };
    let element = if declarator.length.is_some() { "[0]" } else { "" };
    format!("{}{element} = {value}", declarator.name.name)
}
