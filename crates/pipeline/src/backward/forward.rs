//! The forward search of the same question.

use ::backward::{Target, of_world};
use engine::{Compiled, Readable};
use search::{Plan, Request};
use system::{Blocked, Budget, Step, StepKind, StepOutcome, Successors, System, Word};

/// All errors, or the way to the target.
pub(super) fn plan(target: bool, states: u64, memory: Option<u64>) -> Plan {
    let request = Request {
        order: search::Order::BreadthFirst,
        all_errors: !target,
        states_max: Some(states),
        memory_bytes_max: memory,
        ..Request::default()
    };
    Plan::new(&request).expect("breadth first with all states is sound")
}

/// A system in which a state of the target has one step, which ends there.
pub(super) struct Aimed<'a> {
    pub(super) system: Compiled,
    pub(super) target: &'a Target,
}

impl System for Aimed<'_> {
    fn width(&self) -> usize {
        self.system.width()
    }

    fn initial(&self, words: &mut [Word]) {
        self.system.initial(words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        if self.target.holds(&of_world(&self.system.world(state))) {
            out.push(Step::new(0, 0, StepKind::Internal), state);
            out.set_outcome(StepOutcome::Violation(0));
        } else {
            self.system.successors(state, out, budget);
        }
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::ProperEnd
    }
}
