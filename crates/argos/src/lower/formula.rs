//! Formulas: what is temporal becomes structure, what is not a predicate. Built last, when
//! processes have their labels and all messages are known.

use super::check::{meant, unknown_channel};
use super::scope::Scope;
use crate::tree::{Expr, ExprKind, Item, Look, Property, Tree, Word};
use base::{Diagnostic, Formula, Id, Name, Purpose, Span, StatePredicate, TemporalOp, Written};
use model::{BinaryOp, ChannelId, MessageId, Model, Predicate, ProcessId, UnaryOp, VariableId};

pub(crate) struct Lowering<'a, 'd> {
    scope: &'a Scope<'a>,
    model: &'a Model,
    partial: bool,
    /// A run backwards begins there: `end` may be the end of a process.
    begins: bool,
    diagnostics: &'d mut Vec<Diagnostic>,
}

/// Where a process has ended, if it has no such label.
const END: &str = "end";

/// Whether a name is one that `argos show` gives to a state: `s3`.
fn is_numbered(name: &Name) -> bool {
    name.strip_prefix('s').is_some_and(|number| number.parse::<u32>().is_ok())
}

type Temporal = Formula<Predicate>;

impl<'a, 'd> Lowering<'a, 'd> {
    /// With `partial`, labels and messages may be missing in the model because something else is
    /// wrong.
    pub(crate) fn new(
        scope: &'a Scope<'a>,
        model: &'a Model,
        partial: bool,
        diagnostics: &'d mut Vec<Diagnostic>,
    ) -> Self {
        Self { scope, model, partial: partial || scope.doubtful, begins: false, diagnostics }
    }

    /// The formulas of a model, without those in which something is wrong.
    pub(crate) fn properties(&mut self, tree: &Tree) -> Vec<model::Property> {
        let properties = tree.items.iter().filter_map(|item| match item {
            Item::Ltl(property) => Some(property),
            _ => None,
        });
        properties.filter_map(|property| self.property(property)).collect()
    }

    /// The predicates of states given beside it, likewise.
    pub(crate) fn predicates(&mut self, tree: &Tree) -> Vec<StatePredicate<Predicate>> {
        let predicates = tree.items.iter().filter_map(|item| match item {
            Item::Predicate(purpose, property) => Some((*purpose, property)),
            _ => None,
        });
        let lowered = |(purpose, Property { name, formula, .. }): (Purpose, &Property)| {
            self.begins = purpose == Purpose::Target;
            let (name, holds) = (name.name.clone(), self.of_state(formula)?);
            Some(StatePredicate { name, written: written(formula), purpose, holds })
        };
        predicates.filter_map(lowered).collect()
    }

    /// A formula that must be about one state.
    fn of_state(&mut self, expr: &Expr) -> Option<Predicate> {
        let formula = self.formula(expr)?;
        let predicate = joined(&formula);
        if predicate.is_none() {
            let span = temporal(expr).map_or(expr.span, |part| part.span);
            let found = Diagnostic::error("A0044", span, "a temporal operator in a predicate")
                .label("this is about a run; a predicate is about one state")
                .help("give a formula by --ltl");
            self.diagnostics.push(found);
        }
        predicate
    }

    fn property(&mut self, property: &Property) -> Option<model::Property> {
        let formula = self.formula(&property.formula)?;
        Some(model::Property { name: property.name.name.clone(), span: property.span, formula })
    }

    fn formula(&mut self, expr: &Expr) -> Option<Temporal> {
        if !is_temporal(expr) {
            return Some(Formula::Holds(self.predicate(expr)?, expr.span));
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, x) => Some(Formula::Not(self.formula(x)?.into())),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), x, y) => {
                let (x, y) = (self.formula(x), self.formula(y));
                let (x, y) = (x?.into(), y?.into());
                Some(if *op == BinaryOp::And { Formula::And(x, y) } else { Formula::Or(x, y) })
            }
            ExprKind::Temporal(op, operands) => {
                let operands: Vec<_> = operands.iter().map(|it| self.formula(it)).collect();
                Formula::of(*op, operands.into_iter().collect::<Option<_>>()?)
            }
            _ => {
                self.arithmetic(expr.span);
                None
            }
        }
    }

    fn arithmetic(&mut self, span: Span) {
        let found = Diagnostic::error("A0041", span, "arithmetic over a temporal operator")
            .label("a formula is true or false, and no number")
            .help("join formulas by `&&`, `||`, `!`, `->` and `<->` only");
        self.diagnostics.push(found);
    }

    fn predicate(&mut self, expr: &Expr) -> Option<Predicate> {
        Some(match &expr.kind {
            ExprKind::Number(value) => Predicate::Const(*value),
            ExprKind::Variable(name) => {
                Predicate::Var(model::Look::Variable(self.shared(name, expr.span)?))
            }
            ExprKind::Unary(op, x) => Predicate::Unary(*op, Box::new(self.predicate(x)?)),
            ExprKind::Binary(op, x, y) => {
                let (x, y) = (self.predicate(x), self.predicate(y));
                Predicate::joined(*op, x?, y?)
            }
            ExprKind::Look(look) => self.look(look)?,
            ExprKind::Temporal(..) | ExprKind::Broken => return None,
        })
    }

    fn look(&mut self, look: &Look) -> Option<Predicate> {
        use model::Look as Out;
        Some(Predicate::Var(match look {
            Look::Member(process, name) => Out::Variable(self.member(process, name)?),
            Look::At(process, label) => self.at(process, label)?,
            Look::Line(process, _, line) => {
                Out::At(self.process(process)?, Name::new(&format!(":{line}")))
            }
            Look::Length(channel) => Out::Length(self.channel(channel)?),
            Look::Full(channel) => Out::Full(self.channel(channel)?),
            Look::NotFull(channel) => {
                let full = Predicate::Var(Out::Full(self.channel(channel)?));
                return Some(Predicate::Unary(UnaryOp::Not, Box::new(full)));
            }
            Look::Empty(channel) | Look::NotEmpty(channel) => {
                let is_empty = matches!(look, Look::Empty(_));
                let op = if is_empty { BinaryOp::Equal } else { BinaryOp::NotEqual };
                let length = Predicate::Var(Out::Length(self.channel(channel)?));
                return Some(Predicate::joined(op, length, Predicate::Const(0)));
            }
            Look::Head(channel, kind) => {
                let (channel, message) = (self.channel(channel), self.message(&kind.name));
                Out::Head(channel?, message?, kind.value)
            }
            Look::Count(channel, kind) => {
                let (channel, message) = (self.channel(channel), self.message(&kind.name));
                Out::Count(channel?, message?, kind.value)
            }
        }))
    }

    /// A variable that all processes share: a formula belongs to no process.
    fn shared(&mut self, name: &Name, span: Span) -> Option<VariableId> {
        let known = self.scope.shared.get(name).copied();
        if known.is_some() || self.scope.doubtful {
            return known;
        }
        let found = Diagnostic::error("A0006", span, format!("unknown variable `{name}`"))
            .label("not declared outside the processes");
        let variables = self.model.variables.iter();
        let shared = || variables.clone().filter(|it| it.owner.is_none()).map(|it| &it.name);
        let local = self.model.variables.iter().find(|variable| variable.name == *name);
        let owner = local.and_then(|local| Some((local, local.owner?)));
        self.diagnostics.push(if let Some((local, owner)) = owner {
            let owner = &self.model.processes[owner].name;
            let help = format!("write `{owner}.{name}` for the variable of that process");
            found.other(local.span, format!("this one is local to `{owner}`")).help(help)
        } else if let Some(near) = self.scope.near(name, shared) {
            let declared = self.model.variables[self.scope.shared[near]].span;
            meant(found, near, declared, "a variable of nearly this name is declared here")
        } else {
            found.help(format!("declare it outside the processes: `var {name};`"))
        });
        None
    }

    fn member(&mut self, process: &Word, name: &Word) -> Option<VariableId> {
        let owner = self.process(process)?;
        let known = self.scope.locals[owner.index()].get(&name.name).copied();
        if known.is_some() || self.scope.doubtful {
            return known;
        }
        let message = format!("`{}` has no variable `{}`", process.name, name.name);
        let found =
            Diagnostic::error("A0006", name.span, message).label("not declared in this process");
        let help = match self.scope.shared.contains_key(&name.name) {
            true => format!("it is shared: write `{}` alone", name.name),
            false => format!("declare it first in the body: `var {};`", name.name),
        };
        self.diagnostics.push(found.help(help));
        None
    }

    fn at(&mut self, process: &Word, label: &Word) -> Option<model::Look> {
        let id = self.process(process)?;
        let labels = &self.model.processes[id].body.labels;
        let is_end = self.begins && *label.name == *END;
        if is_end || labels.iter().any(|it| it.name == label.name) {
            return Some(model::Look::At(id, label.name.clone()));
        }
        if !self.partial {
            let message = format!("unknown label `{}`", label.name);
            let found = Diagnostic::error("A0009", label.span, message)
                .label(format!("no statement of `{}` has this label", process.name));
            let near = self.scope.near(&label.name, || labels.iter().map(|it| &it.name));
            self.diagnostics.push(match near {
                Some(near) => found.help(format!("did you mean `{near}`?")),
                None if is_numbered(&label.name) => found.help(format!(
                    "write `{}:12` for the statements of line 12; the numbers of states are no names",
                    process.name
                )),
                None => found.help(format!("write `{}:` before a statement there", label.name)),
            });
        }
        None
    }

    fn process(&mut self, word: &Word) -> Option<ProcessId> {
        let processes = self.model.processes.iter_ids();
        let known = processes.filter(|(_, it)| it.name == word.name).map(|(id, _)| id).next();
        if known.is_none() && !self.scope.doubtful {
            let message = format!("unknown process `{}`", word.name);
            let found = Diagnostic::error("A0040", word.span, message).label("not declared");
            let names = || self.model.processes.iter().map(|process| &process.name);
            self.diagnostics.push(match self.scope.near(&word.name, names) {
                Some(near) => found.help(format!("did you mean `{near}`?")),
                None => found.help("p.x is variable x of process p, p@L is p at its label L"),
            });
        }
        known
    }

    fn channel(&mut self, word: &Word) -> Option<ChannelId> {
        let known = self.scope.channels.get(&word.name).copied();
        if known.is_none() && !self.scope.doubtful {
            let variable = self.scope.variable(None, &word.name);
            self.diagnostics.push(unknown_channel(self.scope, self.model, variable, word));
        }
        known
    }

    fn message(&mut self, word: &Word) -> Option<MessageId> {
        let messages = self.model.messages.iter_ids();
        let known = messages.filter(|(_, name)| **name == word.name).map(|(id, _)| id).next();
        if known.is_none() && !self.partial {
            let message = format!("unknown message `{}`", word.name);
            let found = Diagnostic::error("A0039", word.span, message)
                .label("no process sends or receives it");
            self.diagnostics.push(match self.scope.near(&word.name, || &self.model.messages) {
                Some(near) => found.help(format!("did you mean `{near}`?")),
                None => found.help("write the name of a message as it stands behind `!`"),
            });
        }
        known
    }
}

/// A formula as a predicate, if nothing in it is about more than one state.
fn joined(formula: &Temporal) -> Option<Predicate> {
    let both = |op, f: &Temporal, g: &Temporal| Some(Predicate::joined(op, joined(f)?, joined(g)?));
    let not = |f: Predicate| Predicate::Unary(UnaryOp::Not, Box::new(f));
    match formula {
        Formula::Holds(predicate, _) => Some(predicate.clone()),
        Formula::Not(f) => joined(f).map(not),
        Formula::And(f, g) => both(BinaryOp::And, f, g),
        Formula::Or(f, g) => both(BinaryOp::Or, f, g),
        Formula::Implies(f, g) => {
            Some(Predicate::joined(BinaryOp::Or, not(joined(f)?), joined(g)?))
        }
        Formula::Equivalent(f, g) => {
            Some(Predicate::joined(BinaryOp::Equal, not(joined(f)?), not(joined(g)?)))
        }
        _ => None,
    }
}

/// Where the parts of a predicate are written.
fn written(expr: &Expr) -> Written {
    let span = expr.span;
    match &expr.kind {
        ExprKind::Unary(_, x) => Written { span, operands: vec![written(x)] },
        ExprKind::Binary(_, x, y) => Written { span, operands: vec![written(x), written(y)] },
        ExprKind::Temporal(op, operands) => match (op, operands.as_slice()) {
            (TemporalOp::Implies, [f, g]) => Written::implication(span, [f, g].map(written)),
            (TemporalOp::Equivalent, [f, g]) => Written::equivalence(span, [f, g].map(written)),
            _ => Written::whole(span),
        },
        _ => Written::whole(span),
    }
}

/// The first part of a formula that is about more than one state.
fn temporal(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Temporal(TemporalOp::Implies | TemporalOp::Equivalent, operands) => {
            operands.iter().find_map(temporal)
        }
        ExprKind::Temporal(..) => Some(expr),
        ExprKind::Unary(_, x) => temporal(x),
        ExprKind::Binary(_, x, y) => temporal(x).or_else(|| temporal(y)),
        _ => None,
    }
}

fn is_temporal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Temporal(..) => true,
        ExprKind::Unary(_, x) => is_temporal(x),
        ExprKind::Binary(_, x, y) => is_temporal(x) || is_temporal(y),
        _ => false,
    }
}
