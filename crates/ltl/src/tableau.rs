//! The tableau (Couvreur 1999): a state of the automaton is a set of obligations, formulas that
//! the rest of the word must satisfy together. Expanded, they say what the present letter must be,
//! what remains to be satisfied next, and which untils are promised, that is postponed. Each
//! until has an acceptance set: the edges that do not promise it.

use crate::automaton::{Automaton, Edge, State, low_bits};
use crate::cube::Cube;
use crate::normal_form::{Id, Node, Pool};
use crate::obligations::{Cover, suspend};
use crate::{Limit, TooLarge};
use std::collections::HashMap;
use std::rc::Rc;

/// One way to satisfy obligations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    /// What the present letter must be.
    pub(crate) letter: Cube,
    /// What the rest of the word must satisfy, in ascending order.
    pub(crate) next: Vec<Id>,
    /// The untils that are postponed, as bits.
    pub(crate) promises: u64,
}

impl Term {
    const NOTHING: Term = Term { letter: Cube::TRUE, next: Vec::new(), promises: 0 };

    fn and(&self, other: &Term) -> Option<Term> {
        let letter = self.letter.and(other.letter)?;
        let mut next = [&self.next[..], &other.next].concat();
        next.sort_unstable();
        next.dedup();
        Some(Term { letter, next, promises: self.promises | other.promises })
    }
}

/// The construction of one automaton.
pub(crate) struct Tableau {
    pub(crate) pool: Pool,
    expansions: HashMap<Id, Rc<[Term]>>,
    /// The bit of each until.
    promises: HashMap<Id, u32>,
    /// How many terms, and formulas in them, have been compared.
    comparisons: u64,
}

impl Tableau {
    pub(crate) fn new(pool: Pool) -> Self {
        Self { pool, expansions: HashMap::new(), promises: HashMap::new(), comparisons: 0 }
    }

    /// The automaton of the words that satisfy the formula.
    pub(crate) fn build(mut self, root: Id) -> Result<Automaton, TooLarge> {
        let mut initial = self.pool.conjuncts(root);
        let cover = Cover::new(&mut self, &initial)?;
        cover.reduce(&mut initial);
        let mut obligations = vec![initial];
        let mut numbers = HashMap::from([(obligations[0].clone(), 0)]);
        let mut states: Vec<State> = Vec::new();
        let mut edge_count = 0;
        while let Some(members) = obligations.get(states.len()).cloned() {
            let mut edges = Vec::new();
            for term in self.successors(&members, &cover)? {
                let known = obligations.len() as u32;
                let target = *numbers.entry(term.next).or_insert_with_key(|next| {
                    obligations.push(next.clone());
                    known
                });
                edges.push(Edge { label: term.letter, target, marks: !term.promises });
            }
            edge_count += edges.len() as u64;
            Limit::States.check(obligations.len() as u64)?;
            Limit::Edges.check(edge_count)?;
            states.push(State { edges });
        }
        let sets = self.promises.len() as u32;
        for edge in states.iter_mut().flat_map(|state| &mut state.edges) {
            edge.marks &= low_bits(sets);
        }
        Ok(Automaton { states, initial: 0, sets })
    }

    /// The ways to satisfy the obligations of a state.
    fn successors(&mut self, members: &[Id], cover: &Cover) -> Result<Vec<Term>, TooLarge> {
        let (waiting, rest) = suspend(&self.pool, members);
        let mut terms = Vec::new();
        for mut term in self.conjunction(&rest)? {
            term.next.extend_from_slice(&waiting);
            term.next.sort_unstable();
            term.next.dedup();
            cover.reduce(&mut term.next);
            if !self.pool.contradictory(&term.next) {
                self.insert(&mut terms, term)?;
            }
        }
        Ok(terms)
    }

    /// The ways to satisfy all members.
    fn conjunction(&mut self, members: &[Id]) -> Result<Vec<Term>, TooLarge> {
        let mut terms = vec![Term::NOTHING];
        for member in members {
            let expansion = self.expand(*member)?;
            terms = self.product(&terms, &expansion)?;
        }
        Ok(terms)
    }

    /// The ways to satisfy one formula. Recursion is as deep as the formula.
    pub(crate) fn expand(&mut self, id: Id) -> Result<Rc<[Term]>, TooLarge> {
        if let Some(known) = self.expansions.get(&id) {
            return Ok(Rc::clone(known));
        }
        let terms = match self.pool.node(id).clone() {
            Node::False => vec![],
            Node::True => vec![Term::NOTHING],
            Node::Literal { atom, positive: true } => {
                vec![Term { letter: Cube { positive: 1 << atom, negative: 0 }, ..Term::NOTHING }]
            }
            Node::Literal { atom, positive: false } => {
                vec![Term { letter: Cube { positive: 0, negative: 1 << atom }, ..Term::NOTHING }]
            }
            Node::And(operands) => self.conjunction(&operands)?,
            Node::Or(operands) => self.disjunction(&operands)?,
            Node::Next(a) => vec![Term { next: self.pool.conjuncts(a), ..Term::NOTHING }],
            Node::Until(a, b) => {
                let promises = 1 << self.promise(id)?;
                let postponed = Term { next: vec![id], promises, ..Term::NOTHING };
                let (now, later) = (self.expand(b)?, self.expand(a)?);
                let later = self.product(&later, &[postponed])?;
                self.union(now.to_vec(), &later)?
            }
            Node::Release(a, b) => {
                let kept = Term { next: vec![id], ..Term::NOTHING };
                let released = self.expand(a)?;
                let either = self.union(released.to_vec(), &[kept])?;
                let now = self.expand(b)?;
                self.product(&now, &either)?
            }
        };
        let terms: Rc<[Term]> = terms.into();
        self.expansions.insert(id, Rc::clone(&terms));
        Ok(terms)
    }

    fn disjunction(&mut self, operands: &[Id]) -> Result<Vec<Term>, TooLarge> {
        let mut terms = Vec::new();
        for operand in operands {
            let expansion = self.expand(*operand)?;
            terms = self.union(terms, &expansion)?;
        }
        Ok(terms)
    }

    /// The bit of an until.
    fn promise(&mut self, until: Id) -> Result<u32, TooLarge> {
        let count = self.promises.len() as u32;
        let bit = *self.promises.entry(until).or_insert(count);
        Limit::AcceptanceSets.check(u64::from(bit) + 1)?;
        Ok(bit)
    }

    fn product(&mut self, left: &[Term], right: &[Term]) -> Result<Vec<Term>, TooLarge> {
        let mut terms = Vec::new();
        for a in left {
            for term in right.iter().filter_map(|b| a.and(b)) {
                self.insert(&mut terms, term)?;
            }
        }
        Ok(terms)
    }

    fn union(&mut self, mut terms: Vec<Term>, more: &[Term]) -> Result<Vec<Term>, TooLarge> {
        for term in more {
            self.insert(&mut terms, term.clone())?;
        }
        Ok(terms)
    }

    /// Adds a term unless another dominates it, and drops those it dominates.
    ///
    /// Dropping a dominated term loses no word. On a word that satisfies the obligations, take
    /// at each position the terms that postpone no until that is fulfilled now; a term that
    /// dominates one of these can be taken as well, promises no more, and what it leaves for
    /// the rest of the word is implied, so holds.
    fn insert(&mut self, terms: &mut Vec<Term>, term: Term) -> Result<(), TooLarge> {
        if terms.iter().any(|other| self.dominates(other, &term)) {
            return Ok(());
        }
        terms.retain(|other| !self.dominates(&term, other));
        terms.push(term);
        Limit::Comparisons.check(self.comparisons)?;
        Limit::Terms.check(terms.len() as u64)
    }

    /// Whether the first term is possible whenever the second is, and asks for no more.
    fn dominates(&mut self, a: &Term, b: &Term) -> bool {
        self.comparisons += 1;
        a.letter.contains(b.letter)
            && a.promises & !b.promises == 0
            && a.next.iter().all(|goal| self.implied(*goal, &b.next))
    }

    /// Whether one of the formulas implies the goal.
    fn implied(&mut self, goal: Id, formulas: &[Id]) -> bool {
        if formulas.binary_search(&goal).is_ok() {
            return true;
        }
        // An implication takes a few times as long as a comparison of terms.
        self.comparisons += 8 * formulas.len() as u64;
        formulas.iter().any(|formula| self.pool.implies(*formula, goal))
    }
}
