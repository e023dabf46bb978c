//! Sets of obligations: members that another covers are dropped, suspendable members wait.

use crate::TooLarge;
use crate::normal_form::{Id, Node, Pool};
use crate::tableau::{Tableau, Term};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// How many obligations are compared with each other.
const COMPARED_MAX: usize = 128;

/// Which obligation covers which: a direct simulation on single obligations.
///
/// That one member implies another is not enough to drop the other. `p V X <>q` implies `<>q`,
/// which it leaves for the next position again and again; without `<>q` beside it nothing
/// promises `<>q`, and a run that never reads `q` would be accepted. A member covers another if
/// each way to satisfy it satisfies the other with no more promises, and leaves members that
/// cover what the other leaves.
#[derive(Default)]
pub(crate) struct Cover(HashSet<(Id, Id)>);

impl Cover {
    /// Compares the obligations that can arise from the given ones.
    pub(crate) fn new(tableau: &mut Tableau, from: &[Id]) -> Result<Self, TooLarge> {
        let mut all: Vec<Id> = from.to_vec();
        let mut expansions = HashMap::new();
        let mut done = 0;
        while let Some(&member) = all.get(done) {
            if all.len() > COMPARED_MAX {
                return Ok(Self::default());
            }
            let terms = tableau.expand(member)?;
            for next in terms.iter().flat_map(|term| &term.next) {
                if !all.contains(next) {
                    all.push(*next);
                }
            }
            expansions.insert(member, terms);
            done += 1;
        }
        let mut cover = Self::default();
        let pairs = all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b)));
        cover.0 = pairs.filter(|(a, b)| a != b && tableau.pool.implies(*a, *b)).collect();
        while cover.refine(&expansions) {}
        Ok(cover)
    }

    fn refine(&mut self, expansions: &HashMap<Id, Rc<[Term]>>) -> bool {
        let wrong = |(a, b): &&(Id, Id)| {
            let matched = |term: &Term| expansions[b].iter().any(|it| self.matches(term, it));
            !expansions[a].iter().all(matched)
        };
        let wrong: Vec<(Id, Id)> = self.0.iter().filter(wrong).copied().collect();
        wrong.iter().for_each(|pair| _ = self.0.remove(pair));
        !wrong.is_empty()
    }

    fn matches(&self, strong: &Term, weak: &Term) -> bool {
        weak.letter.contains(strong.letter)
            && weak.promises & !strong.promises == 0
            && weak.next.iter().all(|goal| {
                strong.next.iter().any(|it| it == goal || self.0.contains(&(*it, *goal)))
            })
    }

    /// Drops members that another covers.
    pub(crate) fn reduce(&self, members: &mut Vec<Id>) {
        let mut index = 0;
        while let Some(&member) = members.get(index) {
            if members.iter().any(|it| self.0.contains(&(*it, member))) {
                members.remove(index);
            } else {
                index += 1;
            }
        }
    }
}

/// Splits off the suspendable members that need not be expanded now (after Babiak et al. 2013).
///
/// They wait while a member is an until that no other member contains. Such an until is promised
/// as long as it is there, and once gone it does not come back; so members wait for ever in
/// rejected runs only. Nothing is lost: a suspendable formula holds later if it holds now.
pub(crate) fn suspend(pool: &Pool, members: &[Id]) -> (Vec<Id>, Vec<Id>) {
    let outermost = |member: &Id| {
        matches!(pool.node(*member), Node::Until(..))
            && !members.iter().any(|it| it != member && contains(pool, *it, *member))
    };
    let waits = |member: &Id| {
        pool.is_suspendable(*member) && !matches!(pool.node(*member), Node::Until(..))
    };
    let wait = members.iter().any(outermost);
    members.iter().partition(|member| wait && waits(member))
}

/// Whether the second formula occurs in the first.
fn contains(pool: &Pool, formula: Id, part: Id) -> bool {
    let mut seen = HashSet::new();
    let mut waiting = vec![formula];
    while let Some(id) = waiting.pop() {
        if id == part {
            return true;
        }
        // Operands have smaller numbers than what they are operands of.
        if id > part && seen.insert(id) {
            waiting.extend_from_slice(pool.operands(id).as_slice());
        }
    }
    false
}
