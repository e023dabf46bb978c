//! Cheap implication between formulas in normal form: sound, not complete. Structural recursion
//! with a memo and a bound on its depth (after Somenzi and Bloem 2000).

use crate::normal_form::{Id, Node, Pool};

/// How deep the recursion goes; a pair below that is not known to be an implication.
const DEPTH_MAX: u32 = 24;

impl Pool {
    /// Whether the first formula is known to imply the second.
    pub(crate) fn implies(&mut self, a: Id, b: Id) -> bool {
        self.implies_within(a, b, DEPTH_MAX)
    }

    /// Whether the two are known to exclude each other.
    pub(crate) fn excludes(&mut self, a: Id, b: Id) -> bool {
        let not_b = self.negate(b);
        self.implies(a, not_b)
    }

    fn implies_within(&mut self, a: Id, b: Id, depth: u32) -> bool {
        if a == b || a == Id::FALSE || b == Id::TRUE {
            return true;
        }
        if depth == 0 || self.steps == 0 || a == Id::TRUE || b == Id::FALSE {
            return false;
        }
        if let Some(known) = self.implications.get(&(a, b)) {
            return *known;
        }
        self.steps -= 1;
        let result = self.by_operands(a, b, depth - 1) || self.by_fixpoints(a, b, depth - 1);
        self.implications.insert((a, b), result);
        result
    }

    /// What the outermost operator of one side says.
    fn by_operands(&mut self, a: Id, b: Id, depth: u32) -> bool {
        let left = self.node(a).clone();
        let right = self.node(b).clone();
        (match left {
            Node::Or(operands) => operands.iter().all(|it| self.implies_within(*it, b, depth)),
            Node::And(operands) => operands.iter().any(|it| self.implies_within(*it, b, depth)),
            Node::Until(x, y) => {
                self.implies_within(x, b, depth) && self.implies_within(y, b, depth)
            }
            Node::Release(_, y) => self.implies_within(y, b, depth),
            Node::Next(x) => self.is_eventual(b) && self.implies_within(x, b, depth),
            _ => false,
        }) || (match right {
            Node::And(operands) => operands.iter().all(|it| self.implies_within(a, *it, depth)),
            Node::Or(operands) => operands.iter().any(|it| self.implies_within(a, *it, depth)),
            Node::Release(z, w) => {
                self.implies_within(a, z, depth) && self.implies_within(a, w, depth)
            }
            Node::Until(_, w) => self.implies_within(a, w, depth),
            Node::Next(z) => self.is_universal(a) && self.implies_within(a, z, depth),
            _ => false,
        })
    }

    /// What both outermost operators say together, or one and the shape of the other side.
    fn by_fixpoints(&mut self, a: Id, b: Id, depth: u32) -> bool {
        match (self.node(a).clone(), self.node(b).clone()) {
            (Node::Next(x), Node::Next(z)) => self.implies_within(x, z, depth),
            (Node::Until(x, y), Node::Until(z, w)) => {
                self.implies_within(y, w, depth)
                    && (self.implies_within(x, z, depth) || self.implies_within(x, w, depth))
                    || self.is_eventual(b) && self.implies_within(y, b, depth)
            }
            (Node::Release(x, y), Node::Release(z, w)) => {
                self.implies_within(y, w, depth)
                    && (self.implies_within(x, z, depth) || self.implies_within(y, z, depth))
                    || self.is_universal(a) && self.implies_within(a, w, depth)
            }
            (Node::Until(_, y), _) => self.is_eventual(b) && self.implies_within(y, b, depth),
            (_, Node::Release(_, w)) => self.is_universal(a) && self.implies_within(a, w, depth),
            _ => false,
        }
    }
}
