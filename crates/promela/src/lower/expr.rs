//! Expressions.

use super::Lowerer;
use crate::tree::{self, ExprKind, Reference, Word};
use crate::wording;
use base::{Diagnostic, Span};
use program::{Expr, ProctypeId};

impl Lowerer {
    /// An expression; what is wrong in it was reported and counts as 0.
    pub(super) fn expr(&mut self, expr: &tree::Expr) -> Expr {
        match &expr.kind {
            ExprKind::Number(value) => Expr::Const(*value),
            ExprKind::Variable(reference) => self.load(reference),
            ExprKind::Unary(op, operand) => Expr::Unary(*op, Box::new(self.expr(operand))),
            ExprKind::Binary(op, left, right) => {
                let left = self.expr(left);
                Expr::Binary(*op, Box::new(left), Box::new(self.expr(right)))
            }
            ExprKind::Choose(parts) => {
                let [condition, yes, no] = &**parts;
                let (condition, yes) = (self.expr(condition), self.expr(yes));
                Expr::Choose(Box::new(condition), Box::new(yes), Box::new(self.expr(no)))
            }
            ExprKind::Probe(probe, queue) => {
                self.queue(queue).map_or(Expr::Const(0), |queue| Expr::Probe(*probe, queue))
            }
            ExprKind::Poll { queue, patterns, random } => self.poll(queue, patterns, *random),
            ExprKind::Messages { queue, patterns, head } => {
                self.count_messages(queue, patterns, *head)
            }
            ExprKind::Line { proctype, pid, line, place } => {
                self.line(proctype, pid.as_deref(), (*line, *place))
            }
            ExprKind::Run { proctype, arguments, priority } => {
                self.run(expr.span, proctype, arguments, priority.as_deref())
            }
            ExprKind::Timeout => {
                if let Some(id) = self.scope.proctype {
                    self.drafts[id].names_timeout = true;
                }
                Expr::Timeout
            }
            ExprKind::NonProgress => Expr::NonProgress,
            ExprKind::Enabled(process) => Expr::Enabled(Box::new(self.value(process))),
            ExprKind::PcValue(process) => Expr::PcValue(Box::new(self.value(process))),
            ExprKind::GetPriority(process) => {
                self.uses.priorities = true;
                Expr::Priority(Box::new(self.value(process)))
            }
            ExprKind::RemoteLabel { proctype, pid, label } => {
                self.remote_label(proctype, pid.as_deref(), label)
            }
            ExprKind::RemoteVariable { proctype, pid, variable } => {
                self.remote_variable(proctype, pid.as_deref(), variable)
            }
            ExprKind::Temporal(..) => {
                self.misplaced_formula(expr.span);
                Expr::Const(0)
            }
            ExprKind::Broken => Expr::Const(0),
        }
    }

    /// An expression in which nothing may be created: an index, a message field.
    pub(super) fn value(&mut self, expr: &tree::Expr) -> Expr {
        let may_run = std::mem::replace(&mut self.scope.may_run, false);
        let value = self.expr(expr);
        self.scope.may_run = may_run;
        value
    }

    fn load(&mut self, reference: &Reference) -> Expr {
        if let [part] = reference.parts.as_slice()
            && part.index.is_none()
            && self.find(&part.name.name).is_none()
            && let Some(known) = self.built_in(&part.name)
        {
            return known;
        }
        self.scalar(reference).map_or(Expr::Const(0), |(place, _)| Expr::Load(place))
    }

    /// Symbolic constants and the variables every model has.
    pub(super) fn built_in(&mut self, name: &Word) -> Option<Expr> {
        if let Some((value, _)) = self.constants.get(&name.name) {
            return Some(Expr::Const(*value));
        }
        match name.name.as_str() {
            "_pid" => Some(Expr::Pid),
            "_nr_pr" => Some(Expr::ProcessCount),
            "_last" => {
                self.uses.last = true;
                Some(Expr::Last)
            }
            "_priority" => {
                self.uses.priorities = true;
                Some(Expr::Priority(Box::new(Expr::Pid)))
            }
            "_" => {
                let found = Diagnostic::error("M0017", name.span, "`_` has no value")
                    .label("it can only be written")
                    .help("use a variable of your own");
                self.report(found);
                Some(Expr::Const(0))
            }
            _ => None,
        }
    }

    fn run(
        &mut self,
        span: Span,
        name: &Word,
        arguments: &[tree::Expr],
        priority: Option<&tree::Expr>,
    ) -> Expr {
        self.may_run(span);
        let arguments = self.arguments(arguments);
        let priority = priority.and_then(|priority| {
            self.uses.priorities = true;
            self.constant(priority, "a priority", 1..=255)
        });
        let Some(proctype) = self.proctype(name) else { return Expr::Const(0) };
        let wanted = self.drafts[proctype].parameters;
        if wanted != arguments.len() {
            let given = arguments.len();
            let wanted = wording::arguments(wanted);
            let message = format!("`{}` takes {wanted}, not {given}", name.name);
            let found = Diagnostic::error("M0011", name.span, message)
                .label(format!("{given} given"))
                .other(self.drafts[proctype].span, "declared here")
                .help("give one argument per parameter");
            self.report(found);
        }
        Expr::Run { proctype, arguments, priority }
    }

    /// `run` at most once per expression, in processes only, not in `d_step`.
    fn may_run(&mut self, span: Span) {
        let why = if self.scope.step.is_some() {
            "not inside `d_step`"
        } else if self.scope.watches {
            "claims and formulas only look"
        } else if !self.scope.may_run {
            "only once in an expression that stands alone or is assigned"
        } else {
            self.scope.may_run = false;
            return;
        };
        let found = Diagnostic::error("M0014", span, "`run` is not possible here").label(why).help(
            if self.scope.watches {
                "start processes in `init` or in other processes"
            } else {
                "write it as a statement of its own: `p = run P();`"
            },
        );
        self.report(found);
    }

    pub(super) fn proctype(&mut self, name: &Word) -> Option<ProctypeId> {
        let known = self.proctypes.get(&name.name).copied();
        if known.is_none() {
            let help = self.suggestion(
                &name.name,
                self.proctypes.keys(),
                "declare it: proctype NAME(parameters) { statements }",
            );
            let message = format!("there is no proctype `{}`", name.name);
            let found = Diagnostic::error("M0027", name.span, message).label("unknown").help(help);
            self.report_unknown(found);
        }
        known
    }

    fn misplaced_formula(&mut self, span: Span) {
        let found = Diagnostic::error("M0031", span, "a temporal operator inside an expression")
            .label("it speaks of whole runs, not of one state")
            .help("keep temporal operators outside of arithmetic and comparisons");
        self.report(found);
    }
}
