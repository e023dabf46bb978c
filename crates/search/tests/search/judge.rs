//! The judges: searches too simple to be wrong. [`Naive`] is a breadth-first
//! search over a map; [`Recursive`] is the papers' `analyze` as printed, with its
//! recursion and one rule per variant.

use crate::{ErrorId, initial, successors};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use system::{Blocked, Step, StepOutcome, Successors, System, Word};
use testkit::naive;

/// All states with their distances; all errors with theirs.
#[derive(Default)]
pub(crate) struct Naive {
    pub(crate) distance: HashMap<Vec<Word>, u64>,
    pub(crate) errors: BTreeMap<ErrorId, u64>,
    pub(crate) residuals: BTreeMap<ErrorId, u64>,
    /// Per edge: the distance of the state it leaves.
    pub(crate) edges: Vec<(Step, u64)>,
    /// Per state with successors: its distance.
    pub(crate) alive: Vec<u64>,
}

impl Naive {
    pub(crate) fn new(system: &impl System) -> Self {
        let mut naive = Naive::default();
        let mut batch = Successors::new(system.width());
        let distances = naive::search(initial(system), usize::MAX, |state, at| {
            successors(system, state, &mut batch);
            naive.note(system, state, &batch, at as u64)
        });
        let distances = distances.into_iter().flatten();
        naive.distance = distances.map(|(state, at)| (state, at as u64)).collect();
        naive
    }

    /// Writes down what happens in a state; the states behind it.
    fn note(
        &mut self,
        system: &impl System,
        state: &[Word],
        batch: &Successors,
        at: u64,
    ) -> Vec<Vec<Word>> {
        match system.blocked(state) {
            _ if !batch.is_empty() => self.alive.push(at),
            Blocked::ProperEnd => {}
            Blocked::Residual => drop(self.residuals.insert((state.to_vec(), None), at)),
            _ => drop(self.errors.insert((state.to_vec(), None), at)),
        }
        let mut behind = Vec::new();
        for (step, landing, next) in batch.iter() {
            self.edges.push((step, at));
            if landing == StepOutcome::State {
                behind.push(next.to_vec());
            } else {
                self.errors.insert((state.to_vec(), Some(step)), at + 1);
            }
        }
        behind
    }

    /// The errors at this distance or nearer.
    pub(crate) fn errors_within(&self, bound: u64) -> BTreeSet<ErrorId> {
        within(&self.errors, bound)
    }

    pub(crate) fn residuals_within(&self, bound: u64) -> BTreeSet<ErrorId> {
        within(&self.residuals, bound)
    }

    pub(crate) fn states_within(&self, bound: u64) -> u64 {
        self.distance.values().filter(|at| **at <= bound).count() as u64
    }

    /// The edges out of states nearer than this.
    pub(crate) fn edges_within(&self, bound: u64) -> impl Iterator<Item = Step> {
        self.edges.iter().filter(move |(_, at)| *at < bound).map(|(step, _)| *step)
    }

    pub(crate) fn executed_within(&self, bound: u64) -> BTreeSet<(u32, u32)> {
        self.edges_within(bound).map(|step| (step.agent, step.edge)).collect()
    }

    pub(crate) fn truncated_at(&self, bound: u64) -> u64 {
        self.alive.iter().filter(|at| **at == bound).count() as u64
    }
}

fn within(errors: &BTreeMap<ErrorId, u64>, bound: u64) -> BTreeSet<ErrorId> {
    errors.iter().filter(|(_, at)| **at <= bound).map(|(id, _)| id.clone()).collect()
}

/// Which states `analyze` keeps, and when one met again ends the branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    All,
    Bounded,
    Labelled,
    Path,
}

/// The papers' `analyze`.
pub(crate) struct Recursive<'s, S> {
    system: &'s S,
    rule: Rule,
    depth_max: u64,
    path: Vec<Vec<Word>>,
    seen: HashMap<Vec<Word>, u64>,
    trail: Vec<Step>,
    pub(crate) states: u64,
    pub(crate) matched: u64,
    pub(crate) loops: u64,
    pub(crate) depth: u64,
    /// Branches cut by the depth bound.
    pub(crate) cut: u64,
    /// The errors in the order they are first met, with the trail of that time.
    pub(crate) errors: Vec<(ErrorId, Vec<Step>)>,
}

impl<'s, S: System> Recursive<'s, S> {
    pub(crate) fn new(system: &'s S, rule: Rule, depth_max: Option<u64>) -> Self {
        let depth_max = depth_max.unwrap_or(u64::MAX);
        let (path, seen, trail, errors) = (vec![], HashMap::new(), vec![], vec![]);
        let (states, matched, loops, depth, cut) = (0, 0, 0, 0, 0);
        let mut recursive = Self {
            system,
            rule,
            depth_max,
            path,
            seen,
            trail,
            states,
            matched,
            loops,
            depth,
            cut,
            errors,
        };
        recursive.meet(&initial(system));
        recursive
    }

    fn meet(&mut self, state: &[Word]) {
        let depth = self.trail.len() as u64;
        let on_path = self.path.iter().any(|known| known == state);
        let seen = self.seen.get(state).copied();
        let ends = match self.rule {
            Rule::All => seen.is_some(),
            Rule::Bounded => on_path || seen.is_some_and(|seen| seen <= depth),
            Rule::Labelled | Rule::Path => on_path,
        };
        let forgets = matches!(self.rule, Rule::Labelled | Rule::Path);
        let matched = if forgets { on_path } else { seen.is_some() };
        self.states += u64::from(!matched);
        self.matched += u64::from(matched);
        self.loops += u64::from(on_path);
        if !ends {
            self.seen.insert(state.to_vec(), depth);
            self.depth = self.depth.max(depth);
            self.analyze(state);
        }
    }

    fn analyze(&mut self, state: &[Word]) {
        let mut batch = Successors::new(self.system.width());
        successors(self.system, state, &mut batch);
        if batch.is_empty() {
            return match self.system.blocked(state) {
                Blocked::ProperEnd | Blocked::Residual => {}
                _ => self.error((state.to_vec(), None)),
            };
        }
        if self.trail.len() as u64 >= self.depth_max {
            self.cut += 1;
            return;
        }
        let kept = self.rule != Rule::Labelled
            || self.system.loop_heads().is_some_and(|heads| heads.is_loop_head(state));
        if kept {
            self.path.push(state.to_vec());
        }
        for (step, outcome, next) in batch.iter() {
            self.trail.push(step);
            if outcome == StepOutcome::State {
                self.meet(next);
            } else {
                self.matched += 1;
                self.error((state.to_vec(), Some(step)));
            }
            self.trail.pop();
        }
        if kept {
            self.path.pop();
        }
    }

    fn error(&mut self, id: ErrorId) {
        if !self.errors.iter().any(|(known, _)| *known == id) {
            self.errors.push((id, self.trail.clone()));
        }
    }
}
