//! Formulas: what is temporal becomes structure, what is not a predicate.

use super::Lowerer;
use crate::tree::{Expr, ExprKind, Item, Tree};
use base::{Diagnostic, Purpose, StatePredicate, TemporalOp, Written};
use program::{BinaryOp, Expr as Lowered, Formula, UnaryOp};

impl Lowerer {
    pub(super) fn formula(&mut self, expr: &Expr) -> Formula {
        if !is_temporal(expr) {
            self.scope.watches = true;
            let holds = self.value(expr);
            self.scope.watches = false;
            return Formula::Holds(holds, expr.span);
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => Formula::Not(self.boxed(operand)),
            // `&` and `|` too: what is temporal is a truth value.
            ExprKind::Binary(BinaryOp::And | BinaryOp::BitAnd, left, right) => {
                Formula::And(self.boxed(left), self.boxed(right))
            }
            ExprKind::Binary(BinaryOp::Or | BinaryOp::BitOr, left, right) => {
                Formula::Or(self.boxed(left), self.boxed(right))
            }
            ExprKind::Temporal(op, operands) => {
                let operands = operands.iter().map(|operand| self.formula(operand)).collect();
                let nothing = Formula::Holds(program::Expr::Const(0), expr.span);
                Formula::of(*op, operands).unwrap_or(nothing)
            }
            // Arithmetic over a temporal operator: reported by `value`.
            _ => Formula::Holds(self.value(expr), expr.span),
        }
    }

    /// The predicates of states that were given beside the text.
    pub(super) fn predicates(&mut self, tree: &Tree) -> Vec<StatePredicate<Lowered>> {
        let mut predicates: Vec<StatePredicate<Lowered>> = Vec::new();
        for item in &tree.items {
            let Item::Predicate { purpose, name, formula } = item else { continue };
            let same =
                |it: &&StatePredicate<Lowered>| (it.purpose, &it.name) == (*purpose, &name.name);
            if let Some(first) = predicates.iter().find(same).map(StatePredicate::span) {
                self.redeclared(purpose.word(), name, first);
            }
            self.begins = *purpose == Purpose::Target;
            let holds = self.formula(formula);
            let holds = joined(&holds).unwrap_or_else(|| self.not_of_a_state(formula));
            let (name, written, purpose) = (name.name.clone(), written(formula), *purpose);
            predicates.push(StatePredicate { name, written, purpose, holds });
        }
        predicates
    }

    fn not_of_a_state(&mut self, formula: &Expr) -> Lowered {
        let span = temporal(formula).map_or(formula.span, |part| part.span);
        let found = Diagnostic::error("M0040", span, "a temporal operator in a predicate")
            .label("this is about a run; a predicate is about one state")
            .help("give a formula by --ltl");
        self.report(found);
        Lowered::Const(0)
    }

    fn boxed(&mut self, expr: &Expr) -> Box<Formula> {
        Box::new(self.formula(expr))
    }
}

/// A formula as a predicate, if nothing in it is about more than one state.
fn joined(formula: &Formula) -> Option<Lowered> {
    let both = |op, f: &Formula, g: &Formula| {
        Some(Lowered::Binary(op, Box::new(joined(f)?), Box::new(joined(g)?)))
    };
    let not = |f: &Formula| Some(Lowered::Unary(UnaryOp::Not, Box::new(joined(f)?)));
    match formula {
        Formula::Holds(predicate, _) => Some(predicate.clone()),
        Formula::Not(f) => not(f),
        Formula::And(f, g) => both(BinaryOp::And, f, g),
        Formula::Or(f, g) => both(BinaryOp::Or, f, g),
        Formula::Implies(f, g) => {
            Some(Lowered::Binary(BinaryOp::Or, Box::new(not(f)?), Box::new(joined(g)?)))
        }
        Formula::Equivalent(f, g) => {
            Some(Lowered::Binary(BinaryOp::Equal, Box::new(not(f)?), Box::new(not(g)?)))
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
        ExprKind::Choose(parts) => Written { span, operands: parts.iter().map(written).collect() },
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
        ExprKind::Unary(_, operand) => is_temporal(operand),
        ExprKind::Binary(_, left, right) => is_temporal(left) || is_temporal(right),
        _ => false,
    }
}
