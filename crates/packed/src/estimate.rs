//! How far a state is from one in which an expression is true: the estimate of a best-first
//! search. It decides in which order states are looked at, and nothing else may depend on it.
//!
//! The expression is taken apart, as by the formula-based heuristic of Edelkamp, Leue and Lluch
//! Lafuente (2004, section 4): the parts of a conjunction count together, of a disjunction the
//! nearest one counts, and where an agent is to stand is the number of edges from where it
//! stands, or from where another creates it. A comparison that does not hold is as far as the
//! nearest edge of any agent that may make it true (in that paper all such states are alike), and, if
//! some edge counts the variable up or down, by so many rounds more as are to be counted. That
//! first of all fewer parts are open, or that the farthest part alone counts, is better for some
//! predicates and worse for others: `commit.argos` of the corpus with
//! `chief:yes == 3 && len(a) == 2 && head(d) == undo` takes 174 states by the sum, and
//! 1,483 and 176 so.
//!
//! Guards are not looked at, nor that one part may undo another.

mod ways;

use crate::bit_sets::BitSets;
use crate::closures::{Value, value};
use crate::visit::visit_expr;
use crate::{Expr, Field, Packed, Scratch, UnaryOp};
use base::BinaryOp;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;
use system::{FAR, Word};
use ways::{Change, Graph, Ways};

/// Of more comparisons nothing is known.
const PARTS_MAX: usize = 1 << 12;
/// So many numbers are kept, over all comparisons.
const NUMBERS_MAX: usize = 1 << 24;

/// To count by one more is a round of about so many edges. With one edge instead,
/// `corpus/deep/archive.argos` takes 11,311 states to `server.used == 100` instead of 3,589.
const ROUND: u64 = 10;

/// Estimates for some expressions, made when they are first asked for.
pub struct Estimates {
    packed: Arc<Packed>,
    exprs: Vec<Expr>,
    graph: OnceCell<Graph>,
    made: RefCell<HashMap<(usize, bool), Option<Goal>>>,
    scratch: RefCell<Scratch>,
}

impl Estimates {
    /// For states of `packed`.
    pub fn new(packed: &Arc<Packed>, exprs: Vec<Expr>) -> Self {
        let mut scratch = Scratch::new(packed);
        let temps = exprs.iter().map(crate::predicates::temps).max().unwrap_or(0);
        scratch.temps.resize(scratch.temps.len().max(temps), 0);
        Self {
            packed: Arc::clone(packed),
            exprs,
            graph: OnceCell::new(),
            made: RefCell::default(),
            scratch: RefCell::new(scratch),
        }
    }

    /// How far a state is from one in which an expression is true, or false if it is not to be
    /// `true`; nothing if nothing in it can be aimed at.
    pub fn distance(&self, state: &[Word], expr: usize, truth: bool) -> Option<u32> {
        let graph = self.graph.get_or_init(|| Graph::new(&self.packed));
        let mut made = self.made.borrow_mut();
        let goal = made.entry((expr, truth)).or_insert_with(|| {
            let limits = (PARTS_MAX, NUMBERS_MAX / graph.len().max(1));
            let mut maker = Maker { packed: &self.packed, graph, left: limits.0.min(limits.1) };
            maker.goal(self.exprs.get(expr)?, truth)
        });
        let scratch = &mut *self.scratch.borrow_mut();
        Some(goal.as_ref()?.distance(state, &graph.places(state), scratch))
    }
}

/// What is to become true.
enum Goal {
    All(Vec<Goal>),
    Any(Vec<Goal>),
    Constant(bool),
    /// Some agent is to stand at certain places.
    Stands(Ways),
    Compares(Box<Comparison>),
}

/// A comparison, with the ways to what may make it true: by a larger value on the left, or by a
/// smaller one.
struct Comparison {
    op: BinaryOp,
    sides: [Value; 2],
    up: Ways,
    down: Ways,
    /// Some edge counts the variable up or down.
    counts: bool,
}

impl Goal {
    fn distance(&self, state: &[Word], places: &[usize], scratch: &mut Scratch) -> u32 {
        let of = |goal: &Goal| goal.distance(state, places, scratch);
        match self {
            Goal::All(parts) => parts.iter().map(of).fold(0, |all, one| (all + one).min(FAR)),
            Goal::Any(parts) => parts.iter().map(of).min().unwrap_or(FAR),
            Goal::Constant(true) => 0,
            Goal::Constant(false) => FAR,
            Goal::Stands(ways) => ways.least(places),
            Goal::Compares(comparison) => comparison.distance(state, places, scratch),
        }
    }
}

impl Comparison {
    fn distance(&self, state: &[Word], places: &[usize], scratch: &mut Scratch) -> u32 {
        let nearest = |ways: &[&Ways]| ways.iter().map(|ways| ways.least(places)).min();
        let [Ok(a), Ok(b)] = [0, 1].map(|side: usize| self.sides[side](state, scratch)) else {
            return nearest(&[&self.up, &self.down]).unwrap_or(FAR);
        };
        if self.op.apply(a, b) != Some(0) {
            return 0;
        }
        let strict = matches!(self.op, BinaryOp::Less | BinaryOp::Greater);
        let missing = (i64::from(a) - i64::from(b)).unsigned_abs() + u64::from(strict);
        let ways: &[&Ways] = match self.op {
            BinaryOp::NotEqual => &[&self.up, &self.down],
            _ if a > b || self.op == BinaryOp::Less => &[&self.down],
            _ => &[&self.up],
        };
        let further = if self.counts { missing.saturating_sub(1) * ROUND } else { 0 };
        let further = u32::try_from(further).unwrap_or(FAR).min(FAR);
        match nearest(ways).unwrap_or(FAR) {
            FAR => FAR,
            way => (way + further).min(FAR - 1),
        }
    }
}

/// Takes expressions apart.
struct Maker<'a> {
    packed: &'a Packed,
    graph: &'a Graph,
    /// So many more comparisons.
    left: usize,
}

impl Maker<'_> {
    /// Nothing where an expression is left to the reference interpreter.
    fn goal(&mut self, expr: &Expr, truth: bool) -> Option<Goal> {
        match expr {
            Expr::Const(value) => Some(Goal::Constant((*value != 0) == truth)),
            Expr::Unary(UnaryOp::Not, inner) => self.goal(inner, !truth),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let parts = [self.goal(a, truth), self.goal(b, truth)].into_iter().flatten();
                joined((*op == BinaryOp::And) == truth, parts.collect())
            }
            Expr::Choose(condition, a, b) => {
                self.either(condition, |maker| maker.goal(a, truth), |maker| maker.goal(b, truth))
            }
            Expr::Binary(op, a, b) if op.is_comparison() => {
                self.comparison(if truth { *op } else { denied(*op) }, a, b)
            }
            other => {
                let op = if truth { BinaryOp::NotEqual } else { BinaryOp::Equal };
                self.comparison(op, other, &Expr::Const(0))
            }
        }
    }

    /// A case distinction: one of two goals, each with what it asks for.
    fn either(
        &mut self,
        condition: &Expr,
        yes: impl FnOnce(&mut Self) -> Option<Goal>,
        no: impl FnOnce(&mut Self) -> Option<Goal>,
    ) -> Option<Goal> {
        let cases = [(yes(self), true), (no(self), false)];
        let cases = cases.into_iter().filter_map(|(goal, truth)| {
            let goal = goal?;
            joined(true, self.goal(condition, truth).into_iter().chain([goal]).collect())
        });
        joined(false, cases.collect())
    }

    fn comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Goal> {
        match (a, b) {
            (Expr::Choose(condition, yes, no), _) => self.either(
                condition,
                |maker| maker.comparison(op, yes, b),
                |maker| maker.comparison(op, no, b),
            ),
            (_, Expr::Choose(condition, yes, no)) => self.either(
                condition,
                |maker| maker.comparison(op, a, yes),
                |maker| maker.comparison(op, a, no),
            ),
            (Expr::Const(a), Expr::Const(b)) => Some(Goal::Constant(op.apply(*a, *b) != Some(0))),
            (Expr::Const(_), _) => self.comparison(mirrored(op), b, a),
            _ => self.part(op, a, b),
        }
    }

    /// A comparison that is not taken apart any further.
    fn part(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Goal> {
        let (mut bits, mut field, mut fields, mut is_known) = (BitSets::default(), None, 0, true);
        for side in [a, b] {
            visit_expr(side, &mut |_, expr| {
                let Some(expr) = expr else { return };
                bits.see_expr(expr);
                let read = read_by(expr);
                fields += usize::from(read.is_some() && read != field);
                fields += if matches!(expr, Expr::Element(..)) && read.is_none() { 2 } else { 0 };
                field = read.or(field);
                is_known &= !matches!(expr, Expr::Bail | Expr::Timeout | Expr::Offered(_));
            });
        }
        self.left = self.left.checked_sub(1).filter(|_| is_known)?;
        let field = field.filter(|_| fields == 1);
        if let (Expr::Field(at), Expr::Const(place)) = (a, b)
            && let Some(agent) = self.packed.agents.iter().position(|agent| agent.at == *at)
        {
            let fits = |other: usize| op.apply(other as i32, *place) != Some(0);
            return Some(Goal::Stands(self.graph.to_places(agent, fits)));
        }
        let change = Change { op, sides: [a, b], field, bits };
        let (up, down, counts) = self.graph.to_changes(self.packed, &change);
        let sides = [value(a), value(b)];
        Some(Goal::Compares(Box::new(Comparison { op, sides, up, down, counts })))
    }
}

/// The field that an expression reads by itself.
fn read_by(expr: &Expr) -> Option<Field> {
    match expr {
        Expr::Field(field) => Some(*field),
        Expr::Element(array, index) => match **index {
            Expr::Const(index) => array.get(index),
            _ => None,
        },
        _ => None,
    }
}

/// All of them, or any; nothing if there is none.
fn joined(all: bool, parts: Vec<Goal>) -> Option<Goal> {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Goal::All(parts) if all => flat.extend(parts),
            Goal::Any(parts) if !all => flat.extend(parts),
            part => flat.push(part),
        }
    }
    match flat.len() {
        0 | 1 => flat.pop(),
        _ if all => Some(Goal::All(flat)),
        _ => Some(Goal::Any(flat)),
    }
}

/// The comparison that holds where this one does not.
fn denied(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        other => other,
    }
}

/// The same comparison with its sides exchanged.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        other => other,
    }
}
