//! Builds the bodies: each call of a procedure holds a copy of its
//! statements, with labels of its own and spans that remember the call.
//!
//! Names of variables in a procedure are looked up in the process that calls
//! it. Limits: `NESTING_MAX` levels of calls, `if` and `do` together, and
//! [`STATEMENTS_MAX`] statements; procedures that call procedures twice double
//! at every level.

use super::check::{internal, not_watching, unknown_variable};
use super::scope::Scope;
use crate::NESTING_MAX;
use crate::tree::{self, Declaration, Expr, ExprKind, Item, StmtKind, Tree, Word};
use base::{Diagnostic, IdVec, Name, Origin, OriginId, OriginKind, SourceMap, Span};
use model::{
    Assertion, BinaryOp, Body, ChannelId, Label, LabelId, Message, MessageId, Model, Process, Stmt,
    VariableId,
};
use std::collections::{HashMap, HashSet};

/// Statements of all bodies after inlining.
const STATEMENTS_MAX: usize = 1_000_000;

/// What [`build`] makes.
pub(crate) struct Built {
    pub(crate) model: Model,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Which procedures were called.
    pub(crate) called: Vec<bool>,
    /// Some statement was left out, because something was wrong with it.
    pub(crate) dropped: bool,
}

/// Fills `model` with processes, assertions and the contents of channels. When
/// procedures are `recursive`, calls are left out.
pub(crate) fn build(
    tree: &Tree,
    scope: &Scope<'_>,
    model: Model,
    sources: &mut SourceMap,
    recursive: bool,
) -> Built {
    let called = vec![false; scope.procedures.len()];
    let built = Built { model, diagnostics: Vec::new(), called, dropped: false };
    let mut builder = Builder {
        scope,
        sources,
        built,
        messages: HashMap::new(),
        labels: IdVec::new(),
        reported: HashSet::new(),
        spent: 0,
        inlines: !recursive,
    };
    tree.items.iter().for_each(|item| builder.item(item));
    builder.built
}

struct Builder<'a> {
    scope: &'a Scope<'a>,
    sources: &'a mut SourceMap,
    built: Built,
    messages: HashMap<Name, MessageId>,
    /// The labels of the body being built.
    labels: IdVec<LabelId, Label>,
    /// Variables of procedures already reported: process, procedure, variable.
    reported: HashSet<(usize, Name, Name)>,
    spent: usize,
    inlines: bool,
}

/// One body being built: a process's own, or a procedure's copy in it.
#[derive(Default)]
struct Frame<'a> {
    /// The process; `None` in an assertion.
    owner: Option<usize>,
    /// The procedure whose copy this is, and where the whole chain of calls began.
    copy: Option<Copy<'a>>,
    labels: HashMap<Name, LabelId>,
    /// Macro expansions of the procedure's text, as seen from this call.
    moved: HashMap<OriginId, OriginId>,
    /// Calls, `if` and `do` around this place, through all callers.
    depth: usize,
    /// The `do` around this place, in this body alone.
    loops: usize,
}

#[derive(Clone)]
struct Copy<'a> {
    name: &'a Name,
    origin: OriginId,
    /// The outermost call, in the body of the process or assertion itself.
    called_at: Span,
}

impl<'a> Builder<'a> {
    fn item(&mut self, item: &'a Item) {
        match item {
            Item::Declaration(declaration) => self.contents(declaration),
            Item::Procedure(_) | Item::Ltl(_) | Item::Predicate(..) => {}
            Item::Process(definition) => {
                definition.body.declarations.iter().for_each(|(_, it)| self.contents(it));
                let owner = self.built.model.processes.len();
                let body = self.body(&definition.body, Some(owner));
                let (name, span) = (definition.name.name.clone(), definition.name.span);
                self.built.model.processes.push(Process { name, span, body });
            }
            Item::Assertion(assertion) => {
                let body = self.body(&assertion.body, None);
                let name = Name::new(&format!("assert {}", self.built.model.assertions.len() + 1));
                let (span, text) = (assertion.span, assertion.text.clone());
                self.built.model.assertions.push(Assertion { name, span, text, body });
            }
        }
    }

    /// Puts the first messages into declared channels.
    fn contents(&mut self, declaration: &Declaration) {
        let Declaration::Channels(channels) = declaration else { return };
        for channel in channels {
            let mut initial = Vec::new();
            for message in &channel.initial {
                initial
                    .push(Message { name: self.message(&message.message), value: message.value });
            }
            let id = self.scope.channels[&channel.name.name];
            if self.built.model.channels[id].span == channel.name.span {
                self.built.model.channels[id].initial = initial;
            }
        }
    }

    fn message(&mut self, word: &Word) -> MessageId {
        if let Some(id) = self.messages.get(&word.name) {
            return *id;
        }
        let id = self.built.model.messages.push(word.name.clone());
        self.messages.insert(word.name.clone(), id);
        id
    }

    fn body(&mut self, body: &'a tree::Body, owner: Option<usize>) -> Body {
        let mut frame = Frame { owner, ..Frame::default() };
        self.add_labels(body, &mut frame);
        let statements = self.statements(&body.statements, &mut frame);
        Body { statements, labels: std::mem::take(&mut self.labels), end: body.end }
    }

    fn add_labels(&mut self, body: &'a tree::Body, frame: &mut Frame<'a>) {
        let mut words: Vec<&Word> = Vec::new();
        body.walk(&mut |statement| words.extend(&statement.labels));
        for word in words {
            let span = self.place(word.span, frame);
            let label = || Label { name: word.name.clone(), span, is_target: false };
            frame.labels.entry(word.name.clone()).or_insert_with(|| self.labels.push(label()));
        }
    }

    fn statements(&mut self, list: &'a [tree::Stmt], frame: &mut Frame<'a>) -> Vec<Stmt> {
        let mut out = Vec::new();
        for statement in list {
            let span = self.place(statement.span, frame);
            let kind = self.kind(statement, span, frame);
            self.built.dropped |= kind.is_none();
            self.spend(span);
            let own = statement.labels.iter().filter_map(|label| frame.labels.get(&label.name));
            let labels = own.copied().collect();
            out.push(Stmt { span, labels, kind: kind.unwrap_or(model::StmtKind::Skip) });
        }
        out
    }

    /// `None` for what cannot be resolved or may not stand here; it is reported.
    fn kind(
        &mut self,
        statement: &'a tree::Stmt,
        span: Span,
        frame: &mut Frame<'a>,
    ) -> Option<model::StmtKind> {
        use model::StmtKind as Out;
        if frame.owner.is_none() && !self.may_watch(statement, frame) {
            return None;
        }
        Some(match &statement.kind {
            StmtKind::Skip | StmtKind::Broken => Out::Skip,
            StmtKind::Call(name) => Out::Call(self.call(name, span, frame)?),
            StmtKind::Return if frame.copy.is_none() => return None,
            StmtKind::Return => Out::Return,
            StmtKind::Condition(expr) => Out::Condition(self.expr(expr, frame)?),
            StmtKind::Assign(word, expr) => {
                let variable = self.variable(&word.name, word.span, frame);
                let expr = self.expr(expr, frame);
                Out::Assign(variable?, expr?)
            }
            StmtKind::Cycle(word, modulus) => {
                let variable = self.variable(&word.name, word.span, frame)?;
                Out::Assign(variable, cycled(variable, *modulus))
            }
            StmtKind::Send(..)
            | StmtKind::Receive(..)
            | StmtKind::ReceiveAny(_)
            | StmtKind::Timeout(_) => self.external(&statement.kind, frame)?,
            StmtKind::If(options) => Out::If(self.options(options, frame)?),
            StmtKind::Do(options) => {
                frame.loops += 1;
                let options = self.options(options, frame);
                frame.loops -= 1;
                Out::Do(options?)
            }
            StmtKind::Break if frame.loops == 0 => return None,
            StmtKind::Break => Out::Break,
            StmtKind::Goto(word) => {
                let label = *frame.labels.get(&word.name)?;
                self.labels[label].is_target = true;
                Out::Goto(label)
            }
        })
    }

    /// What touches a channel.
    fn external(&mut self, kind: &'a StmtKind, frame: &mut Frame<'a>) -> Option<model::StmtKind> {
        use model::StmtKind as Out;
        match kind {
            StmtKind::Send(word, message, value) => {
                let message = self.message(message);
                let value = value.as_ref().map(|value| self.expr(value, frame));
                let channel = self.channel(word)?;
                Some(Out::Send(channel, message, all_or_none(value)?))
            }
            StmtKind::Receive(word, message, variable) => {
                let message = self.message(message);
                let variable = variable.as_ref().map(|it| self.variable(&it.name, it.span, frame));
                let channel = self.channel(word)?;
                Some(Out::Receive(channel, message, all_or_none(variable)?))
            }
            StmtKind::ReceiveAny(word) => self.channel(word).map(Out::ReceiveAny),
            StmtKind::Timeout(word) => self.channel(word).map(Out::Timeout),
            _ => None,
        }
    }

    fn channel(&self, word: &Word) -> Option<ChannelId> {
        self.scope.channels.get(&word.name).copied()
    }

    /// Whether `statement` may stand in an assertion. In the assertion's own text
    /// `check` has said so; in a procedure it is wrong only because of this call.
    fn may_watch(&mut self, statement: &tree::Stmt, frame: &Frame<'a>) -> bool {
        let Some(what) = not_watching(&statement.kind) else { return true };
        if let Some(copy) = &frame.copy {
            let key = (usize::MAX, copy.name.clone(), Name::new(what));
            if self.reported.insert(key) {
                let found = internal(copy.called_at, what).other(
                    statement.span,
                    format!("in procedure `{}`, which is called", copy.name),
                );
                self.built.diagnostics.push(found);
            }
        }
        false
    }

    /// `None` when there is no option, or the limit is reached.
    fn options(
        &mut self,
        options: &'a [Vec<tree::Stmt>],
        frame: &mut Frame<'a>,
    ) -> Option<Vec<Vec<Stmt>>> {
        let at = options.first()?.first()?.span;
        if !self.descend(frame, at) {
            return None;
        }
        let mut out = Vec::new();
        for option in options.iter().filter(|option| !option.is_empty()) {
            let statements = self.statements(option, frame);
            self.check_guard(&option[0], &statements[0]);
            out.push(statements);
        }
        frame.depth -= 1;
        Some(out)
    }

    /// A procedure that begins with a label cannot be called first in an option:
    /// its first statement shares the state of the `if` or `do`.
    fn check_guard(&mut self, written: &tree::Stmt, guard: &Stmt) {
        let StmtKind::Call(name) = &written.kind else { return };
        let mut first = guard;
        while let (model::StmtKind::Call(body), true) = (&first.kind, first.labels.is_empty()) {
            first = &body[0];
        }
        let Some(label) = first.labels.first().filter(|_| written.labels.is_empty()) else {
            return;
        };
        let found =
            Diagnostic::error("A0015", written.span, "a label at the beginning of an option")
                .label(format!("procedure `{}` begins with a label", name.name))
                .other(self.labels[*label].span, "this label")
                .help("begin the option with `skip;`, or the procedure with another statement");
        self.built.diagnostics.push(found);
    }

    /// The statements of a procedure, at least one.
    fn call(&mut self, name: &'a Word, span: Span, frame: &mut Frame<'a>) -> Option<Vec<Stmt>> {
        let callee = self.scope.procedure_names.get(&name.name).copied();
        let callee = callee.filter(|_| self.inlines && self.descend(frame, name.span))?;
        self.built.called[callee] = true;
        let procedure = self.scope.procedures[callee];
        let name = &procedure.name.name;
        let kind = OriginKind::Procedure;
        let origin = self.sources.origins.push(Origin { kind, name: name.clone(), call: span });
        let called_at = frame.copy.as_ref().map_or(span, |copy| copy.called_at);
        let copy = Some(Copy { name, origin, called_at });
        let (owner, depth) = (frame.owner, frame.depth);
        let mut inner = Frame { owner, copy, depth, ..Frame::default() };
        self.add_labels(&procedure.body, &mut inner);
        let mut statements = self.statements(&procedure.body.statements, &mut inner);
        frame.depth -= 1;
        if statements.is_empty() {
            statements.push(Stmt { span, labels: Vec::new(), kind: model::StmtKind::Skip });
        }
        Some(statements)
    }

    /// One level deeper, through a call, an `if` or a `do`.
    fn descend(&mut self, frame: &mut Frame<'_>, at: Span) -> bool {
        if frame.depth < NESTING_MAX {
            frame.depth += 1;
            return true;
        }
        let message = format!("calls, if and do nested more than {NESTING_MAX} deep");
        let at = frame.copy.as_ref().map_or(at, |copy| copy.called_at);
        let found = Diagnostic::error("A0029", at, message)
            .label("too deep")
            .help("call fewer procedures inside procedures");
        self.stop(found);
        false
    }

    /// Books one statement.
    fn spend(&mut self, at: Span) {
        self.spent += 1;
        if self.spent == STATEMENTS_MAX {
            let at = self.sources.outermost(at);
            let message = format!("the model grows beyond {STATEMENTS_MAX} statements");
            let found = Diagnostic::error("A0030", at, message)
                .label("the limit is reached in this call")
                .note("each call is a copy; two calls in each of twenty procedures make a million")
                .help("call procedures in a loop instead of one after the other");
            self.stop(found);
        }
    }

    /// Reports a limit, and inlines no more: one message is enough.
    fn stop(&mut self, found: Diagnostic) {
        if self.inlines {
            self.built.diagnostics.push(found);
        }
        self.inlines = false;
    }

    fn expr(&mut self, expr: &Expr, frame: &Frame<'a>) -> Option<model::Expr> {
        Some(match &expr.kind {
            ExprKind::Number(value) => model::Expr::Const(*value),
            ExprKind::Variable(name) => model::Expr::Var(self.variable(name, expr.span, frame)?),
            ExprKind::Unary(op, x) => model::Expr::Unary(*op, Box::new(self.expr(x, frame)?)),
            ExprKind::Binary(op, x, y) => {
                let (x, y) = (self.expr(x, frame), self.expr(y, frame));
                model::Expr::Binary(*op, Box::new(x?), Box::new(y?))
            }
            ExprKind::Temporal(..) | ExprKind::Look(_) | ExprKind::Broken => return None,
        })
    }

    /// A variable of the process; a procedure's that the process lacks is
    /// reported here, for only the call makes it wrong.
    fn variable(&mut self, name: &Name, span: Span, frame: &Frame<'a>) -> Option<VariableId> {
        let owner = frame.owner?;
        let found = self.scope.variable(Some(owner), name);
        if let (None, Some(copy), false) = (found, &frame.copy, self.scope.doubtful) {
            let key = (owner, copy.name.clone(), name.clone());
            if self.reported.insert(key) {
                let unknown = unknown_variable(self.scope, &self.built.model, owner, name, span)
                    .other(copy.called_at, format!("procedure `{}` is called here", copy.name))
                    .note("a procedure sees the variables of the process that calls it");
                self.built.diagnostics.push(unknown);
            }
        }
        found
    }

    /// `span` as seen from this copy: its chain of macros ends in the call.
    fn place(&mut self, span: Span, frame: &mut Frame<'_>) -> Span {
        let Some(copy) = &frame.copy else { return span };
        let mut chain = Vec::new();
        let mut at = span.origin;
        while let Some(id) = at.filter(|id| !frame.moved.contains_key(id)) {
            chain.push(id);
            at = self.sources.origins[id].call.origin;
        }
        let mut under = at.map_or(copy.origin, |id| frame.moved[&id]);
        for id in chain.into_iter().rev() {
            let mut origin = self.sources.origins[id].clone();
            origin.call.origin = Some(under);
            under = self.sources.origins.push(origin);
            frame.moved.insert(id, under);
        }
        Span { origin: Some(under), ..span }
    }
}

/// Nothing if there is something that could not be resolved.
fn all_or_none<T>(found: Option<Option<T>>) -> Option<Option<T>> {
    found.map_or(Some(None), |it| it.map(Some))
}

/// `(variable + 1) % modulus`
fn cycled(variable: VariableId, modulus: i32) -> model::Expr {
    use model::Expr::{Binary, Const, Var};
    let next = Binary(BinaryOp::Add, Box::new(Var(variable)), Box::new(Const(1)));
    Binary(BinaryOp::Remainder, Box::new(next), Box::new(Const(modulus)))
}
