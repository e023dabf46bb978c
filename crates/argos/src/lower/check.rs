//! Everything about a body that can be judged where it stands, each fault once.
//! The variables of a procedure depend on who calls it: [`super::inline`].

use super::scope::Scope;
use crate::tree::{Body, Definition, Expr, ExprKind, Item, Stmt, StmtKind, Tree, Word};
use base::{Diagnostic, Name, Span};
use model::{Model, VariableId};
use std::collections::HashMap;

/// Whose body it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Process(usize),
    Procedure,
    Assertion,
}

/// Reports all faults of all bodies.
pub(crate) fn check(
    tree: &Tree,
    scope: &Scope<'_>,
    model: &Model,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut processes = 0;
    for item in &tree.items {
        let (owner, body) = match item {
            Item::Declaration(_) | Item::Ltl(_) | Item::Predicate(..) => continue,
            Item::Process(Definition { body, .. }) => {
                processes += 1;
                (Owner::Process(processes - 1), body)
            }
            Item::Procedure(Definition { body, .. }) => (Owner::Procedure, body),
            Item::Assertion(assertion) => (Owner::Assertion, &assertion.body),
        };
        let mut checker = Checker { scope, model, owner, labels: HashMap::new(), diagnostics };
        checker.body(body);
    }
    if let (0, Some(end), true) = (processes, tree.end, tree.complete) {
        let found = Diagnostic::error("A0018", end, "the model has no process")
            .label("expected a process before the end of the text")
            .help("write `proc NAME { ... }`");
        diagnostics.push(found);
    }
}

struct Checker<'a, 'd> {
    scope: &'a Scope<'a>,
    model: &'a Model,
    owner: Owner,
    labels: HashMap<Name, Span>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Checker<'_, '_> {
    fn body(&mut self, body: &Body) {
        if !matches!(self.owner, Owner::Process(_)) {
            body.declarations.iter().for_each(|(span, _)| self.declaration(*span));
        }
        let mut words: Vec<&Word> = Vec::new();
        body.walk(&mut |statement| words.extend(&statement.labels));
        words.into_iter().for_each(|label| self.label(label));
        self.statements(&body.statements, false);
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn declaration(&mut self, span: Span) {
        self.report(match self.owner {
            Owner::Assertion => internal(span, "a declaration"),
            _ => Diagnostic::error("A0026", span, "a declaration inside a procedure")
                .label("procedures declare nothing")
                .help(
                    "declare it in the process that calls the procedure, or outside all processes",
                ),
        });
    }

    fn label(&mut self, label: &Word) {
        let Some(first) = self.labels.get(&label.name).copied() else {
            self.labels.insert(label.name.clone(), label.span);
            return;
        };
        let message = format!("label `{}` stands twice in one body", label.name);
        let found = Diagnostic::error("A0010", label.span, message)
            .label("again here")
            .other(first, "first here")
            .help("give one of them another name");
        self.report(found);
    }

    fn statements(&mut self, statements: &[Stmt], inside_do: bool) {
        for statement in statements {
            self.statement(statement, inside_do);
        }
    }

    fn statement(&mut self, statement: &Stmt, inside_do: bool) {
        if self.owner == Owner::Assertion {
            self.watching(statement);
        }
        match &statement.kind {
            StmtKind::Skip | StmtKind::Broken => {}
            StmtKind::Return => self.returns(statement.span),
            StmtKind::Condition(expr) => self.expr(expr),
            StmtKind::Assign(variable, expr) => {
                self.variable(&variable.name, variable.span);
                self.expr(expr);
            }
            StmtKind::Cycle(variable, _) => self.variable(&variable.name, variable.span),
            StmtKind::Send(channel, _, value) => {
                self.channel(channel);
                value.iter().for_each(|value| self.expr(value));
            }
            StmtKind::Receive(channel, _, variable) => {
                self.channel(channel);
                variable.iter().for_each(|variable| self.variable(&variable.name, variable.span));
            }
            StmtKind::ReceiveAny(channel) | StmtKind::Timeout(channel) => self.channel(channel),
            StmtKind::Call(name) => self.call(name),
            StmtKind::If(options) => options.iter().for_each(|it| self.statements(it, inside_do)),
            StmtKind::Do(options) => options.iter().for_each(|it| self.statements(it, true)),
            StmtKind::Break if !inside_do => self.stray_break(statement.span),
            StmtKind::Break => {}
            StmtKind::Goto(label) => self.jump(label),
        }
    }

    /// An assertion holds sends, receives and control flow only.
    fn watching(&mut self, statement: &Stmt) {
        let Some(what) = not_watching(&statement.kind) else { return };
        let (channel, sign, message) = match &statement.kind {
            StmtKind::Send(channel, message, _) => (channel, "!", message),
            StmtKind::Receive(channel, message, _) => (channel, "?", message),
            _ => return self.report(internal(statement.span, what)),
        };
        let help = format!("write `{}{sign}{}`", channel.name, message.name);
        let found = Diagnostic::error("A0027", statement.span, "a value inside an assertion")
            .label("assertions look at names of messages, never at values")
            .help(help);
        self.report(found);
    }

    fn stray_break(&mut self, span: Span) {
        let found = Diagnostic::error("A0012", span, "`break` outside `do`")
            .label("there is no do ... od around this statement")
            .help("write `skip`, or put the options inside do ... od");
        self.report(found);
    }

    fn returns(&mut self, span: Span) {
        let (what, help) = match self.owner {
            Owner::Procedure => return,
            Owner::Process(_) => ("a process", "`goto` a label behind its last statement"),
            Owner::Assertion => ("an assertion", "`goto` a label behind its last statement"),
        };
        let found = Diagnostic::error("A0042", span, "`return` outside a procedure")
            .label(format!("this is the body of {what}, which nobody calls"))
            .help(format!("to end {what}, {help}"));
        self.report(found);
    }

    fn jump(&mut self, label: &Word) {
        if self.labels.contains_key(&label.name) {
            return;
        }
        let name = &label.name;
        let found = Diagnostic::error("A0009", label.span, format!("unknown label `{name}`"))
            .label("no statement of this body has this label");
        let near = self.scope.near(name, || self.sorted_labels());
        self.diagnostics.push(match near {
            Some(near) => {
                meant(found, near, self.labels[near], "a label of nearly this name stands here")
            }
            None => found.help(format!(
                "write `{name}:` before the statement to jump to; a jump stays inside its body"
            )),
        });
    }

    /// In order of the text: hints must not depend on the order of a hash table.
    fn sorted_labels(&self) -> Vec<&Name> {
        let mut labels: Vec<(&Name, &Span)> = self.labels.iter().collect();
        labels.sort_by_key(|(_, span)| **span);
        labels.into_iter().map(|(name, _)| name).collect()
    }

    fn call(&mut self, word: &Word) {
        let name = &word.name;
        if self.scope.doubtful || self.scope.procedure_names.contains_key(name) {
            return;
        }
        let found = Diagnostic::error("A0008", word.span, format!("unknown procedure `{name}`"))
            .label("not declared");
        let procedures = || self.scope.procedures.iter().map(|it| &it.name.name);
        let near = self.scope.near(name, procedures);
        let found = if self.scope.process_names.contains_key(name) {
            found
                .note(format!("`{name}` is a process; processes run by themselves"))
                .help("call a procedure")
        } else if let Some(near) = near {
            let declared = self.scope.procedures[self.scope.procedure_names[near]].name.span;
            meant(found, near, declared, "a procedure of nearly this name is declared here")
        } else if name.as_str() == "return" {
            found.help("write `return` without parentheses")
        } else {
            found.help(format!("declare it: `procedure {name} {{ ... }}`"))
        };
        self.report(found);
    }

    fn channel(&mut self, word: &Word) {
        let name = &word.name;
        if self.scope.doubtful || self.scope.channels.contains_key(name) {
            return;
        }
        let found = unknown_channel(self.scope, self.model, self.seen(name), word);
        self.report(found);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Temporal(..) | ExprKind::Look(_) | ExprKind::Broken => {
            }
            ExprKind::Variable(name) => self.variable(name, expr.span),
            ExprKind::Unary(_, x) => self.expr(x),
            ExprKind::Binary(_, x, y) => {
                self.expr(x);
                self.expr(y);
            }
        }
    }

    /// A variable as this body sees it.
    fn seen(&self, name: &Name) -> Option<VariableId> {
        let owner = if let Owner::Process(owner) = self.owner { Some(owner) } else { None };
        self.scope.variable(owner, name)
    }

    /// A procedure sees what its callers see, and an assertion may not look.
    fn variable(&mut self, name: &Name, span: Span) {
        let Owner::Process(owner) = self.owner else { return };
        if !self.scope.doubtful && self.seen(name).is_none() {
            let found = unknown_variable(self.scope, self.model, owner, name, span);
            self.report(found);
        }
    }
}

/// Points to what was probably meant.
pub(crate) fn meant(found: Diagnostic, near: &Name, declared: Span, text: &str) -> Diagnostic {
    found.other(declared, text).help(format!("did you mean `{near}`?"))
}

/// No channel has this name; a variable may.
pub(crate) fn unknown_channel(
    scope: &Scope<'_>,
    model: &Model,
    variable: Option<VariableId>,
    word: &Word,
) -> Diagnostic {
    let name = &word.name;
    let found = Diagnostic::error("A0007", word.span, format!("unknown channel `{name}`"))
        .label("not declared");
    let channels = || model.channels.iter().map(|channel| &channel.name);
    let near = scope.near(name, channels);
    if let Some(variable) = variable {
        found
            .other(model.variables[variable].span, "this is a variable")
            .help(format!("declare a channel: `channel {name}[1];`"))
    } else if let Some(near) = near {
        let declared = model.channels[scope.channels[near]].span;
        meant(found, near, declared, "a channel of nearly this name is declared here")
    } else {
        found.help(format!("declare it: `channel {name}[1];`"))
    }
}

/// What `kind` is called when it may not stand in an assertion.
pub(crate) fn not_watching(kind: &StmtKind) -> Option<&'static str> {
    match kind {
        StmtKind::Condition(_) => Some("a condition"),
        StmtKind::Assign(..) | StmtKind::Cycle(..) => Some("an assignment"),
        StmtKind::ReceiveAny(_) => Some("`default`"),
        StmtKind::Timeout(_) => Some("`timeout`"),
        StmtKind::Send(_, _, Some(_)) | StmtKind::Receive(_, _, Some(_)) => Some("a value"),
        _ => None,
    }
}

/// `what` may not stand in an assertion.
pub(crate) fn internal(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error("A0014", span, format!("{what} inside an assertion"))
        .label("an assertion watches; it acts and tests nothing itself")
        .help("keep sends (`c!m`), receives (`c?m`), if, do, skip, break and goto only")
}

/// Process `owner` knows no variable `name`.
pub(crate) fn unknown_variable(
    scope: &Scope<'_>,
    model: &Model,
    owner: usize,
    name: &Name,
    span: Span,
) -> Diagnostic {
    let found = Diagnostic::error("A0006", span, format!("unknown variable `{name}`"))
        .label("not declared");
    let visible =
        |variable: &&model::Variable| scope.variable(Some(owner), &variable.name).is_some();
    let candidates = || model.variables.iter().filter(visible).map(|variable| &variable.name);
    if let Some(channel) = scope.channels.get(name) {
        return found
            .other(model.channels[*channel].span, "this is a channel")
            .help(format!("write `{name}!m` or `{name}?m`, or declare a variable: `var {name};`"));
    }
    if let Some(near) = scope.near(name, candidates) {
        let id = scope.variable(Some(owner), near).expect("only visible ones are candidates");
        let declared = model.variables[id].span;
        return meant(found, near, declared, "a variable of nearly this name is declared here");
    }
    match model.variables.iter().find(|variable| variable.name == *name) {
        Some(foreign) => found
            .other(foreign.span, "this one is local to another process")
            .help(format!("declare `var {name};` outside all processes to share it")),
        None => found.help(format!("declare it first in the body: `var {name};`")),
    }
}
