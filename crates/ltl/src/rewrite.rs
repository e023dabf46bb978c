//! Rewriting while formulas are built (Etessami and Holzmann 2000; Somenzi and Bloem 2000;
//! Babiak et al. 2013 for suspendable formulas).
//!
//! Each rule is written for conjunction and `U`; disjunction and `V` follow by duality.

use crate::normal_form::{Id, Node, Pool};

impl Pool {
    /// Takes one rewrite step; there may be none left.
    fn step(&mut self) -> bool {
        let left = self.steps > 0;
        self.steps = self.steps.saturating_sub(1);
        left
    }

    /// The disjunction.
    pub(crate) fn or(&mut self, operands: Vec<Id>) -> Id {
        let duals = operands.into_iter().map(|it| self.negate(it)).collect();
        let dual = self.and(duals);
        self.negate(dual)
    }

    /// `a V b`.
    pub(crate) fn release(&mut self, a: Id, b: Id) -> Id {
        let (not_a, not_b) = (self.negate(a), self.negate(b));
        let dual = self.until(not_a, not_b);
        self.negate(dual)
    }

    /// The conjunction.
    pub(crate) fn and(&mut self, operands: Vec<Id>) -> Id {
        let mut operands: Vec<Id> = operands.iter().flat_map(|it| self.conjuncts(*it)).collect();
        operands.sort_unstable();
        operands.dedup();
        if operands.contains(&Id::FALSE) {
            return Id::FALSE;
        }
        if self.step() {
            if self.contradictory(&operands) {
                return Id::FALSE;
            }
            self.drop_implied(&mut operands);
            if let Some(changed) = self.propagate(&operands).or_else(|| self.factor(&operands)) {
                return self.and(changed);
            }
        }
        match operands[..] {
            [] => Id::TRUE,
            [only] => only,
            _ => self.intern(Node::And(operands)),
        }
    }

    /// Whether two members exclude each other.
    pub(crate) fn contradictory(&mut self, members: &[Id]) -> bool {
        let pairs = (1..members.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        pairs.into_iter().any(|(i, j)| self.excludes(members[i], members[j]))
    }

    /// Drops members that another implies.
    fn drop_implied(&mut self, members: &mut Vec<Id>) {
        let mut index = 0;
        while let Some(&member) = members.get(index) {
            let others: Vec<Id> = members.iter().copied().filter(|it| *it != member).collect();
            if others.iter().any(|it| self.implies(*it, member)) {
                members.remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// `a && (b || c)` is `a && c` if `a` excludes `b`.
    fn propagate(&mut self, operands: &[Id]) -> Option<Vec<Id>> {
        for (i, &clause) in operands.iter().enumerate() {
            let Node::Or(choices) = self.node(clause).clone() else { continue };
            let others = || operands.iter().copied().filter(move |it| *it != clause);
            let excluded = |pool: &mut Pool, choice| others().any(|it| pool.excludes(it, choice));
            let kept: Vec<Id> =
                choices.iter().copied().filter(|choice| !excluded(self, *choice)).collect();
            if kept.len() < choices.len() {
                let mut changed = operands.to_vec();
                changed[i] = self.or(kept);
                return Some(changed);
            }
        }
        None
    }

    /// `(a U c) && (b U c)` is `(a && b) U c`, `(a V b) && (a V c)` is `a V (b && c)`,
    /// `X a && X b` is `X (a && b)`.
    fn factor(&mut self, operands: &[Id]) -> Option<Vec<Id>> {
        for j in 1..operands.len() {
            for i in 0..j {
                let pair = (self.node(operands[i]).clone(), self.node(operands[j]).clone());
                let joined = match pair {
                    (Node::Until(a, c), Node::Until(b, d)) if c == d => {
                        let both = self.and(vec![a, b]);
                        self.until(both, c)
                    }
                    (Node::Release(a, b), Node::Release(d, c)) if a == d => {
                        let both = self.and(vec![b, c]);
                        self.release(a, both)
                    }
                    (Node::Next(a), Node::Next(b)) => {
                        let both = self.and(vec![a, b]);
                        self.next(both)
                    }
                    _ => continue,
                };
                let mut changed = operands.to_vec();
                changed.remove(j);
                changed[i] = joined;
                return Some(changed);
            }
        }
        None
    }

    /// `X a`.
    pub(crate) fn next(&mut self, a: Id) -> Id {
        if self.is_suspendable(a) { a } else { self.intern(Node::Next(a)) }
    }

    /// `a U b`.
    pub(crate) fn until(&mut self, a: Id, b: Id) -> Id {
        if self.is_eventual(b) || a == Id::FALSE {
            return b;
        }
        if !self.step() {
            return self.intern(Node::Until(a, b));
        }
        if self.implies(a, b) {
            return b;
        }
        let not_a = self.negate(a);
        if a != Id::TRUE && self.implies(not_a, b) {
            return self.until(Id::TRUE, b);
        }
        let rewritten = self.until_of(a, b).or_else(|| self.suspended(a, b));
        let rewritten = rewritten.or_else(|| self.eventually_universal(a, b));
        rewritten.unwrap_or_else(|| self.intern(Node::Until(a, b)))
    }

    /// Rules for an operand that is `U` or `X` itself.
    fn until_of(&mut self, a: Id, b: Id) -> Option<Id> {
        match (self.node(a).clone(), self.node(b).clone()) {
            (_, Node::Until(c, _)) if self.implies(a, c) => Some(b),
            (_, Node::Until(c, d)) if self.implies(c, a) => Some(self.until(a, d)),
            (Node::Until(_, d), _) if d == b => Some(a),
            (Node::Next(c), Node::Next(d)) => {
                let until = self.until(c, d);
                Some(self.next(until))
            }
            (Node::True, Node::Next(d)) => {
                let until = self.until(a, d);
                Some(self.next(until))
            }
            _ => None,
        }
    }

    /// A suspendable operand of `b` leaves the until: `a U (b && s)` is `(a U b) && s`,
    /// `a U (b || s)` is `(a U b) || s`.
    fn suspended(&mut self, a: Id, b: Id) -> Option<Id> {
        let operands = match self.node(b) {
            Node::And(operands) | Node::Or(operands) => operands.clone(),
            _ => return None,
        };
        let (mut out, stay): (Vec<Id>, Vec<Id>) =
            operands.iter().partition(|it| self.is_suspendable(**it));
        if out.is_empty() {
            return None;
        }
        let conjunction = matches!(self.node(b), Node::And(_));
        let stay = if conjunction { self.and(stay) } else { self.or(stay) };
        out.push(self.until(a, stay));
        Some(if conjunction { self.and(out) } else { self.or(out) })
    }

    /// `<>[](a || u)` is `<>[]a || <>u` if `u` is purely universal; its dual is
    /// `[]<>(a && e)`, which is `[]<>a && []e`. Also `<>(a || <>b)` is `<>(a || b)`.
    fn eventually_universal(&mut self, a: Id, b: Id) -> Option<Id> {
        if a != Id::TRUE {
            return None;
        }
        match self.node(b).clone() {
            Node::Release(Id::FALSE, c) => {
                let Node::Or(choices) = self.node(c).clone() else { return None };
                let (universal, rest): (Vec<Id>, Vec<Id>) =
                    choices.iter().partition(|it| self.is_universal(**it));
                if universal.is_empty() {
                    return None;
                }
                let rest = self.or(rest);
                let always = self.release(Id::FALSE, rest);
                let universal = self.or(universal);
                let parts = vec![self.until(a, always), self.until(a, universal)];
                Some(self.or(parts))
            }
            Node::Or(choices) => {
                let inner = |pool: &Pool, it: &Id| match pool.node(*it) {
                    Node::Until(Id::TRUE, d) => *d,
                    _ => *it,
                };
                let bare: Vec<Id> = choices.iter().map(|it| inner(self, it)).collect();
                (bare != choices).then(|| {
                    let any = self.or(bare);
                    self.until(a, any)
                })
            }
            _ => None,
        }
    }
}
