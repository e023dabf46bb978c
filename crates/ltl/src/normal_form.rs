//! Negation normal form: literals, conjunction, disjunction, `X`, `U` and `V`, each distinct
//! formula once.
//!
//! A formula is a number; its operands have smaller ones. `a W b` becomes `b V (a || b)`, which
//! has `a` once: `[]a || (a U b)` doubles it at each level of nesting.

use crate::Formula;
use std::collections::HashMap;

/// The number of a formula in its pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Id(u32);

impl Id {
    pub(crate) const FALSE: Id = Id(0);
    pub(crate) const TRUE: Id = Id(1);
}

/// A formula in negation normal form. Operands of conjunctions and disjunctions are at least two,
/// in ascending order, and none is of the same kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    False,
    True,
    Literal { atom: u32, positive: bool },
    And(Vec<Id>),
    Or(Vec<Id>),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

/// What the shape of a formula says (Etessami and Holzmann 2000).
#[derive(Clone, Copy)]
struct Facts {
    /// Purely eventual: it holds wherever it holds later.
    eventual: bool,
    /// Purely universal: where it holds, it holds for ever.
    universal: bool,
}

/// The formulas of one translation.
pub(crate) struct Pool {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    ids: HashMap<Node, Id>,
    negations: HashMap<Id, Id>,
    pub(crate) implications: HashMap<(Id, Id), bool>,
    /// How many more rewrite steps are allowed; without them formulas stay as they are.
    pub(crate) steps: u32,
}

impl Pool {
    /// A pool with `false` and `true` in it.
    pub(crate) fn new(steps: u32) -> Self {
        let mut pool = Self {
            nodes: vec![],
            facts: vec![],
            ids: HashMap::new(),
            negations: HashMap::from([(Id::FALSE, Id::TRUE), (Id::TRUE, Id::FALSE)]),
            implications: HashMap::new(),
            steps,
        };
        pool.intern(Node::False);
        pool.intern(Node::True);
        pool
    }

    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn is_eventual(&self, id: Id) -> bool {
        self.facts[id.0 as usize].eventual
    }

    pub(crate) fn is_universal(&self, id: Id) -> bool {
        self.facts[id.0 as usize].universal
    }

    /// Whether the formula holds everywhere in a word or nowhere, as `[]<>p` and `<>[]p`: it can
    /// be suspended and resumed at any later position (Babiak et al. 2013).
    pub(crate) fn is_suspendable(&self, id: Id) -> bool {
        self.is_eventual(id) && self.is_universal(id)
    }

    /// The operands of a conjunction, or the formula itself.
    pub(crate) fn conjuncts(&self, id: Id) -> Vec<Id> {
        match self.node(id) {
            Node::True => vec![],
            Node::And(operands) => operands.clone(),
            _ => vec![id],
        }
    }

    /// The operands of a node.
    pub(crate) fn operands(&self, id: Id) -> Vec<Id> {
        match self.node(id) {
            Node::False | Node::True | Node::Literal { .. } => vec![],
            Node::And(operands) | Node::Or(operands) => operands.clone(),
            Node::Next(a) => vec![*a],
            Node::Until(a, b) | Node::Release(a, b) => vec![*a, *b],
        }
    }

    /// The number of a formula, which is not rewritten.
    pub(crate) fn intern(&mut self, node: Node) -> Id {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let id = Id(self.nodes.len() as u32);
        self.facts.push(self.facts(&node));
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    fn facts(&self, node: &Node) -> Facts {
        let fact = |id: &Id| self.facts[id.0 as usize];
        match node {
            Node::False | Node::True => Facts { eventual: true, universal: true },
            Node::Literal { .. } => Facts { eventual: false, universal: false },
            Node::And(operands) | Node::Or(operands) => Facts {
                eventual: operands.iter().all(|it| fact(it).eventual),
                universal: operands.iter().all(|it| fact(it).universal),
            },
            Node::Next(a) => fact(a),
            Node::Until(a, b) => {
                let eventual = *a == Id::TRUE || fact(b).eventual;
                Facts { eventual, universal: fact(b).universal }
            }
            Node::Release(a, b) => {
                let universal = *a == Id::FALSE || fact(b).universal;
                Facts { eventual: fact(b).eventual, universal }
            }
        }
    }

    /// The negation, by duality: the dual of a rewritten formula needs no rewriting. Recursion is
    /// as deep as the formula.
    pub(crate) fn negate(&mut self, id: Id) -> Id {
        if let Some(negation) = self.negations.get(&id) {
            return *negation;
        }
        let dual = match self.node(id).clone() {
            Node::False => Node::True,
            Node::True => Node::False,
            Node::Literal { atom, positive } => Node::Literal { atom, positive: !positive },
            Node::And(operands) => Node::Or(self.negate_all(&operands)),
            Node::Or(operands) => Node::And(self.negate_all(&operands)),
            Node::Next(a) => Node::Next(self.negate(a)),
            Node::Until(a, b) => Node::Release(self.negate(a), self.negate(b)),
            Node::Release(a, b) => Node::Until(self.negate(a), self.negate(b)),
        };
        let negation = self.intern(dual);
        self.negations.insert(id, negation);
        self.negations.insert(negation, id);
        negation
    }

    fn negate_all(&mut self, operands: &[Id]) -> Vec<Id> {
        let mut duals: Vec<Id> = operands.iter().map(|it| self.negate(*it)).collect();
        duals.sort_unstable();
        duals
    }

    /// The normal form of a formula, rewritten bottom up.
    pub(crate) fn normalise(&mut self, formula: &Formula) -> Id {
        use Formula::*;
        formula.fold(|formula, operands: &[Id]| match (formula, operands) {
            (Atom(atom), _) => self.intern(Node::Literal { atom: *atom, positive: true }),
            (Not(_), [a]) => self.negate(*a),
            (Next(_), [a]) => self.next(*a),
            (Eventually(_), [a]) => self.until(Id::TRUE, *a),
            (Always(_), [a]) => self.release(Id::FALSE, *a),
            (And(..), [a, b]) => self.and(vec![*a, *b]),
            (Or(..), [a, b]) => self.or(vec![*a, *b]),
            (Implies(..), [a, b]) => {
                let not_a = self.negate(*a);
                self.or(vec![not_a, *b])
            }
            (Equivalent(..), [a, b]) => self.equivalent(*a, *b),
            (Until(..), [a, b]) => self.until(*a, *b),
            (WeakUntil(..), [a, b]) => {
                let either = self.or(vec![*a, *b]);
                self.release(*b, either)
            }
            (Release(..), [a, b]) => self.release(*a, *b),
            (False, _) => Id::FALSE,
            _ => Id::TRUE,
        })
    }

    fn equivalent(&mut self, a: Id, b: Id) -> Id {
        let (not_a, not_b) = (self.negate(a), self.negate(b));
        let both = self.and(vec![a, b]);
        let neither = self.and(vec![not_a, not_b]);
        self.or(vec![both, neither])
    }
}
