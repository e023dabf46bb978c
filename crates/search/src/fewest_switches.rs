//! Among the runs to an error with the fewest statements, one with the fewest context switches:
//! steps of another process than the step before. A step is a move of the process that begins it.
//!
//! Every state of such a run is reached by as few statements as it can be, for otherwise there
//! were a shorter run. So only *tight* steps matter: those whose target needs as many statements
//! as their source and the step together. They have no cycle. Forwards, in the order of the
//! statements (Dijkstra 1959), all tight steps are noted; backwards from the errors, the fewest
//! switches to an error are computed for each state and each process that moves there first.
//! Of all best runs the one is taken whose steps come first in the order of the system, so the
//! answer depends on nothing but the system.

use crate::goal::{Candidate, Errors};
use crate::ledger::Ledger;
use crate::plan::{Request, limits};
use crate::store::States;
use crate::{FindingKind, Watch, Why};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use system::{Blocked, Step, Successors, System, Word};

/// A run to an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FewestSwitches {
    /// Its steps.
    pub trail: Vec<Step>,
    /// How often another process moves than before.
    pub switches: u64,
}

/// Searches within the limits of `budget` (states, memory) for a run of so many `statements` to an
/// error that `accept` takes; it is asked as by [`crate::shortest`]. There must be no run of
/// fewer. None if there is no such run or the budget does not suffice.
pub fn fewest_switches(
    system: &dyn System,
    statements: u64,
    budget: &Request,
    accept: &mut dyn FnMut(&Candidate) -> bool,
    watch: &mut dyn Watch,
) -> Option<FewestSwitches> {
    let (width, mut goal) = (system.width(), Errors::All);
    // Words beside the identity would make the steps of a state depend on the way to it.
    if system.identity_words() != width {
        return None;
    }
    let ledger = Ledger::new(width, limits(budget), &mut goal, watch);
    let (nodes, steps) = (Vec::new(), Vec::new());
    let (waiting, ends, best) = (BinaryHeap::new(), HashSet::new(), HashMap::new());
    let (states, batch) = (States::new(width, width), Successors::new(width));
    let tight = Tight {
        system,
        limit: statements,
        states,
        nodes,
        steps,
        waiting,
        ends,
        best,
        ledger,
        batch,
    };
    tight.search(accept).ok().flatten()
}

/// No step of a list.
const NONE: usize = usize::MAX;

/// What is known of a state: the fewest statements to it, and the first of the tight steps into it.
#[derive(Clone, Copy)]
struct Node {
    statements: u64,
    into: usize,
}

/// A tight step, and the next one into the same state.
#[derive(Clone, Copy)]
struct Into {
    from: u64,
    step: Step,
    next: usize,
}

/// The fewest switches from a state to an error, by who moves there; none if the state is the error.
type Onward = Vec<(Option<u32>, u64)>;

struct Tight<'a> {
    system: &'a dyn System,
    /// The statements of the run.
    limit: u64,
    states: States,
    /// By the numbers of states.
    nodes: Vec<Node>,
    steps: Vec<Into>,
    /// States by their statements; one to which a better way was found is there twice.
    waiting: BinaryHeap<Reverse<(u64, u64)>>,
    /// Errors at the limit: the state, and the step if it is the step that fails.
    ends: HashSet<(u64, Option<Step>)>,
    /// Of the states from which a tight run leads to one of them.
    best: HashMap<u64, Onward>,
    ledger: Ledger<'a>,
    batch: Successors,
}

/// What a step costs behind one of another process.
fn switch(last: Option<u32>, next: Option<u32>) -> u64 {
    u64::from(last.zip(next).is_some_and(|(last, next)| last != next))
}

fn least(onward: &Onward, last: Option<u32>) -> u64 {
    let costs = onward.iter().map(|(agent, cost)| cost + switch(last, *agent));
    costs.min().unwrap_or(u64::MAX)
}

impl Tight<'_> {
    fn search(
        mut self,
        accept: &mut dyn FnMut(&Candidate) -> bool,
    ) -> Result<Option<FewestSwitches>, Why> {
        let mut state = vec![0; self.system.width()];
        self.system.initial(&mut state);
        self.reach(&state, 0, None)?;
        while let Some(Reverse((statements, number))) = self.waiting.pop() {
            if self.nodes[number as usize].statements < statements {
                continue;
            }
            self.expand(number)?;
            let batch = std::mem::replace(&mut self.batch, Successors::new(0));
            let followed = self.follow(number, &batch, accept);
            self.batch = batch;
            followed?;
        }
        self.go_back()?;
        self.run()
    }

    /// Fetches the steps of a state.
    fn expand(&mut self, state: u64) -> Result<(), Why> {
        self.batch.clear();
        let (words, batch) = (self.states.get(state), &mut self.batch);
        self.ledger.successors(self.system, (words, batch), self.waiting.len())?;
        self.ledger.fire(self.batch.len(), self.waiting.len())
    }

    /// Notes the steps of a state within the limit, and the errors at the limit.
    fn follow(
        &mut self,
        from: u64,
        batch: &Successors,
        accept: &mut dyn FnMut(&Candidate) -> bool,
    ) -> Result<(), Why> {
        let statements = self.nodes[from as usize].statements;
        if batch.is_empty() && statements == self.limit {
            let words = self.states.get(from);
            let kind = FindingKind::Blocked(self.system.blocked(words));
            let is_proper = kind == FindingKind::Blocked(Blocked::ProperEnd);
            if !is_proper && accept(&Candidate { kind, state: words, step: None }) {
                self.ends.insert((from, None));
            }
        }
        for (step, outcome, words) in batch.iter() {
            let behind = statements + step.statements();
            let (kind, state) = (FindingKind::Step(outcome), self.states.get(from));
            let is_error = outcome != system::StepOutcome::State && behind == self.limit;
            if is_error && accept(&Candidate { kind, state, step: Some(step) }) {
                self.ends.insert((from, Some(step)));
            }
            if outcome.enters() && behind <= self.limit {
                self.reach(words, behind, Some((from, step)))?;
            }
        }
        Ok(())
    }

    /// A state can be reached so.
    fn reach(
        &mut self,
        state: &[Word],
        statements: u64,
        by: Option<(u64, Step)>,
    ) -> Result<(), Why> {
        self.states.make_room(1, &mut self.ledger.memory)?;
        self.ledger.memory.grow(&mut self.nodes, 1)?;
        self.ledger.memory.grow(&mut self.steps, 1)?;
        let (number, is_new) = self.states.add(state);
        if is_new {
            self.ledger.create(0)?;
            self.nodes.push(Node { statements: u64::MAX, into: NONE });
        }
        let node = &mut self.nodes[number as usize];
        if statements < node.statements {
            *node = Node { statements, into: NONE };
            self.waiting.push(Reverse((statements, number)));
        }
        if let Some((from, step)) = by.filter(|_| statements == node.statements) {
            self.steps.push(Into { from, step, next: node.into });
            node.into = self.steps.len() - 1;
        }
        Ok(())
    }

    /// Computes the fewest switches, from the errors back: a state after all states behind it.
    fn go_back(&mut self) -> Result<(), Why> {
        let mut waiting: BinaryHeap<(u64, u64)> = BinaryHeap::new();
        for (state, step) in self.ends.clone() {
            self.improve(state, step.map(|step| step.agent), 0, &mut waiting)?;
        }
        while let Some((_, state)) = waiting.pop() {
            let onward = self.best[&state].clone();
            let mut at = self.nodes[state as usize].into;
            while let Some(Into { from, step, next }) = self.steps.get(at).copied() {
                let agent = Some(step.agent);
                self.improve(from, agent, least(&onward, agent), &mut waiting)?;
                at = next;
            }
        }
        Ok(())
    }

    fn improve(
        &mut self,
        state: u64,
        agent: Option<u32>,
        cost: u64,
        waiting: &mut BinaryHeap<(u64, u64)>,
    ) -> Result<(), Why> {
        let onward = self.best.entry(state).or_insert_with(|| {
            waiting.push((self.nodes[state as usize].statements, state));
            Vec::new()
        });
        match onward.iter_mut().find(|(other, _)| *other == agent) {
            Some((_, known)) => *known = cost.min(*known),
            None => onward.push((agent, cost)),
        }
        self.ledger.fire(1, waiting.len())
    }

    /// The first of the best runs.
    fn run(&mut self) -> Result<Option<FewestSwitches>, Why> {
        let (mut state, mut last, mut trail) = (0, None, Vec::new());
        let Some(switches) = self.best.get(&state).map(|onward| least(onward, None)) else {
            return Ok(None);
        };
        let mut left = switches;
        while !(left == 0 && self.ends.contains(&(state, None))) {
            self.expand(state)?;
            let next = self.batch.iter().find_map(|(step, outcome, words)| {
                let left = left.checked_sub(switch(last, Some(step.agent)))?;
                if left == 0 && self.ends.contains(&(state, Some(step))) {
                    return Some((step, None));
                }
                let target = outcome.enters().then(|| self.states.find(words)).flatten()?;
                let behind = self.nodes[state as usize].statements + step.statements();
                let is_tight = self.nodes[target as usize].statements == behind;
                let onward = self.best.get(&target).filter(|_| is_tight)?;
                (least(onward, Some(step.agent)) == left).then_some((step, Some((target, left))))
            });
            let Some((step, onward)) = next else { return Ok(None) };
            trail.push(step);
            let Some(onward) = onward else { break };
            (state, left) = onward;
            last = Some(step.agent);
        }
        Ok(Some(FewestSwitches { trail, switches }))
    }
}
