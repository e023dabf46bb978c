//! The run to an error with the fewest statements. A step may be a sequence of several, so the
//! fewest steps are not it: states are expanded in the order of the statements on the way to
//! them (Dijkstra 1959), and a state is reached anew if a way with fewer is found later.

use crate::goal::{Candidate, Errors};
use crate::ledger::Ledger;
use crate::plan::{Request, limits};
use crate::store::States;
use crate::{Finding, FindingKind, Shortest, Watch, Why};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use system::{Blocked, Step, StepOutcome, Successors, System, Word};

/// Searches within the limits of `budget` (states, memory) for an error that `accept` takes; it
/// is asked as by [`crate::shortest`]. No accepted error can be reached by fewer statements than
/// the one found.
pub fn fewest_statements(
    system: &dyn System,
    budget: &Request,
    accept: &mut dyn FnMut(&Candidate) -> bool,
    watch: &mut dyn Watch,
) -> Shortest {
    let (width, mut goal) = (system.width(), Errors::All);
    let ledger = Ledger::new(width, limits(budget), &mut goal, watch);
    let states = States::new(width, system.identity_words());
    let ways = Ways { states, nodes: Vec::new(), waiting: BinaryHeap::new(), ledger, error: None };
    match ways.search(system, accept) {
        Ok(Some(finding)) => Shortest::Found(finding),
        Ok(None) => Shortest::Nowhere,
        Err(_) => Shortest::NotWithinBudget,
    }
}

/// How a state is reached: the statements up to it, the state before it, and the step from there.
#[derive(Clone, Copy)]
struct Node {
    statements: u64,
    before: u64,
    step: Option<Step>,
}

/// An error: the state it is in, or that the step leaves, and the statements up to its end.
struct Error {
    statements: u64,
    state: u64,
    step: Option<Step>,
    kind: FindingKind,
}

struct Ways<'a> {
    states: States,
    /// By the numbers of states.
    nodes: Vec<Node>,
    /// States by their statements, and then in the order of their discovery. One for which a
    /// better way was found is there twice.
    waiting: BinaryHeap<Reverse<(u64, u64)>>,
    ledger: Ledger<'a>,
    /// The best one so far.
    error: Option<Error>,
}

impl Ways<'_> {
    fn search(
        mut self,
        system: &dyn System,
        accept: &mut dyn FnMut(&Candidate) -> bool,
    ) -> Result<Option<Finding>, Why> {
        let (mut state, mut batch) = (vec![0; system.width()], Successors::new(system.width()));
        system.initial(&mut state);
        self.reach(&state, Node { statements: 0, before: 0, step: None })?;
        while let Some(Reverse((statements, number))) = self.waiting.pop() {
            if self.error.as_ref().is_some_and(|error| error.statements <= statements) {
                break;
            }
            if self.nodes[number as usize].statements < statements {
                continue;
            }
            state.copy_from_slice(self.states.get(number));
            batch.clear();
            self.ledger.successors(system, (&state, &mut batch), self.waiting.len())?;
            self.ledger.fire(batch.len(), self.waiting.len())?;
            if batch.is_empty() {
                let kind = FindingKind::Blocked(system.blocked(&state));
                self.meet((number, None), kind, &state, accept);
            }
            self.follow(number, &state, &batch, accept)?;
        }
        Ok(self.error.take().map(|error| self.finding(&error)))
    }

    fn follow(
        &mut self,
        number: u64,
        state: &[Word],
        batch: &Successors,
        accept: &mut dyn FnMut(&Candidate) -> bool,
    ) -> Result<(), Why> {
        let statements = self.nodes[number as usize].statements;
        for (step, outcome, words) in batch.iter() {
            if outcome != StepOutcome::State {
                self.meet((number, Some(step)), FindingKind::Step(outcome), state, accept);
            }
            if outcome.enters() {
                let statements = statements + step.statements();
                self.reach(words, Node { statements, before: number, step: Some(step) })?;
            }
        }
        Ok(())
    }

    /// A state can be reached so. It is expanded as the better way leaves it, `hidden` variables
    /// included: the trail would not lead on otherwise.
    fn reach(&mut self, state: &[Word], node: Node) -> Result<(), Why> {
        self.states.make_room(1, &mut self.ledger.memory)?;
        self.ledger.memory.grow(&mut self.nodes, 1)?;
        let (number, is_new) = self.states.add(state);
        if is_new {
            self.ledger.create(0)?;
            self.nodes.push(node);
        } else if self.nodes[number as usize].statements <= node.statements {
            return Ok(());
        } else {
            self.states.replace(number, state);
        }
        self.nodes[number as usize] = node;
        self.waiting.push(Reverse((node.statements, number)));
        Ok(())
    }

    /// Something is wrong with a state or with a step from there.
    fn meet(
        &mut self,
        (state, step): (u64, Option<Step>),
        kind: FindingKind,
        words: &[Word],
        accept: &mut dyn FnMut(&Candidate) -> bool,
    ) {
        let last = step.map_or(0, |step| step.statements());
        let statements = self.nodes[state as usize].statements + last;
        let is_better = self.error.as_ref().is_none_or(|error| statements < error.statements);
        let is_proper = kind == FindingKind::Blocked(Blocked::ProperEnd);
        if is_better && !is_proper && accept(&Candidate { kind, state: words, step }) {
            self.error = Some(Error { statements, state, step, kind });
        }
    }

    fn finding(&self, error: &Error) -> Finding {
        let mut trail: Vec<Step> = error.step.into_iter().collect();
        let mut node = self.nodes[error.state as usize];
        while let Some(step) = node.step {
            trail.push(step);
            node = self.nodes[node.before as usize];
        }
        trail.reverse();
        Finding { kind: error.kind, trail, state: self.states.get(error.state).to_vec() }
    }
}
