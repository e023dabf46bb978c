//! Which transitions of a packed form are independent: the capability that sleep sets and
//! ample sets ask for.

use crate::access::AccessTable;
use crate::observed::Observed;
use crate::persistent::Persistent;
use crate::record::Recorder;
use crate::transition::UNKNOWN;
use crate::{Agent, Expr, Packed};
use std::sync::Arc;
use system::{Candidates, Dependency, LastStatement, Processes, Successors, Transition, Word};

/// What is known of the transitions of a form.
pub(crate) struct Independent {
    packed: Arc<Packed>,
    recorder: Recorder,
    persistent: Persistent,
}

impl Independent {
    pub(crate) fn new(packed: &Arc<Packed>, table: &AccessTable, dependency: Dependency) -> Self {
        debug_assert_eq!(table.edges.len(), packed.edges().count(), "accesses for every edge");
        Self {
            packed: Arc::clone(packed),
            recorder: Recorder::new(packed, table, dependency),
            persistent: Persistent::new(packed, table),
        }
    }

    /// These propositions are evaluated in the states: an ample set changes none of them.
    pub(crate) fn observe(&mut self, propositions: &[Expr]) {
        self.recorder.observed = Some(Observed::new(&self.packed, propositions));
        self.persistent.observe();
    }

    /// Says which transitions the steps of `state` are; `timeout` if they are possible only
    /// because nothing else is.
    pub(crate) fn name(&mut self, state: &[Word], timeout: bool, out: &mut Successors) {
        let mut named: Vec<(Transition, LastStatement)> = Vec::with_capacity(out.len());
        let steps: Vec<u32> = out.steps().map(|step| step.agent).collect();
        for group in steps.chunk_by(|one, other| one == other) {
            let is_it = |agent: &Agent| agent.number == group[0];
            let agent = self.packed.agents.iter().position(is_it);
            let recorded =
                agent.and_then(|agent| self.recorder.steps_of(agent, state, timeout).ok());
            match recorded.filter(|recorded| recorded.transitions.len() == group.len()) {
                Some(recorded) => {
                    let first = named.len();
                    let steps = (first..).zip(&recorded.transitions);
                    named.extend(steps.map(|(at, step)| self.named(*step, at, out)));
                }
                None => named.extend(group.iter().map(|_| (UNKNOWN, LastStatement::Other))),
            }
        }
        out.set_transitions(named);
    }

    /// The step at a place of `out`. What the reference interpreter makes of an edge that
    /// bails is known only if it is an error that ends there. With a claim, which moves along,
    /// only the last statement is known.
    fn named(
        &self,
        (id, failed): (Transition, bool),
        at: usize,
        out: &Successors,
    ) -> (Transition, LastStatement) {
        let transitions = &self.recorder.transitions;
        let (step, outcome) = out.step(at);
        let ends = !outcome.enters() && step.weight == transitions.weight(id);
        match failed && !ends {
            true => (UNKNOWN, LastStatement::Other),
            false if self.packed.claim.is_some() => (UNKNOWN, transitions.statement(id)),
            false => (id, transitions.statement(id)),
        }
    }

    /// Whether the steps of a state are possible only because nothing else is.
    pub(crate) fn is_timeout(&mut self, state: &[Word]) -> bool {
        let moves = |agent| {
            let recorded = self.recorder.steps_of(agent, state, false);
            recorded.is_ok_and(|recorded| !recorded.transitions.is_empty())
        };
        self.packed.asks_timeout && !(0..self.packed.agents.len()).any(moves)
    }

    /// Says that nothing is known of the steps.
    pub(crate) fn name_unknown(out: &mut Successors) {
        out.set_transitions(vec![(UNKNOWN, LastStatement::Other); out.len()]);
    }

    pub(crate) fn dependent(&mut self, one: Transition, other: Transition) -> bool {
        self.recorder.transitions.dependent(one, other)
    }

    pub(crate) fn participants(&self, transition: Transition) -> Option<Processes> {
        processes(self.recorder.transitions.agents(transition)?)
    }

    pub(crate) fn movers(&self, transition: Transition) -> Option<Processes> {
        processes(self.recorder.transitions.movers(transition)?)
    }

    pub(crate) fn weight(&self, transition: Transition) -> u16 {
        self.recorder.transitions.weight(transition)
    }

    pub(crate) fn ample(&mut self, state: &[Word], batch: &Successors, found: &mut Candidates) {
        self.persistent.find(&mut self.recorder, state, batch, found);
    }
}

impl Independent {
    pub(crate) fn present(&mut self, agent: usize, state: &[Word]) -> u16 {
        self.persistent.present(&mut self.recorder, agent, state)
    }

    pub(crate) fn presents(&self) -> u16 {
        self.persistent.presents()
    }

    pub(crate) fn future(&mut self, agent: usize, state: &[Word], row: &mut Vec<Word>) -> usize {
        self.persistent.row(&self.recorder, (agent, state), row)
    }
}

/// A set of agents by their numbers, unless one is too large.
fn processes(agents: &[u32]) -> Option<Processes> {
    agents.iter().try_fold(0, |set, agent| Some(set | Processes::checked_shl(1, *agent)?))
}
