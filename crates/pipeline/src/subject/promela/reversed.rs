//! A PROMELA program executed backwards: it becomes a net, and its runs are those of the
//! reference interpreter.

use super::Promela;
use crate::subject::{Reversible, Subject, Unreversible, no_target};
use crate::{Options, Usage};
use ::backward::{Decision, Lowered, Net, Position, Suspect, Target, Unfit, of_program, suspects};
use base::{Diagnostic, Purpose};
use engine::program::named;
use indexmap::IndexSet;
use program::reference::{self, Rest, Rules, at_rest};
use search::{Outcome, Plan, Watch};
use std::cell::RefCell;
use system::{Blocked, Budget, Step, StepKind, StepOutcome, Successors, System, Word};
use trace::{Kind, Requirement};

/// A program and its net.
pub(super) struct Reversed {
    promela: Promela,
    lowered: Lowered,
}

impl Reversed {
    /// Makes a net of a program.
    pub(super) fn new(promela: &Promela, options: &Options) -> Result<Self, Unreversible> {
        if options.program_rules() != Rules::default() {
            let words = "--spin-counts, --lossy, --queues-empty and --inner-unless change what a \
                         program does, and have no reversed form here; use argos check";
            return Err(Unreversible::Usage(Usage(words.to_owned())));
        }
        let lowered = of_program(&promela.program).map_err(|unfit| refusal(&unfit))?;
        Ok(Self { promela: promela.clone(), lowered })
    }
}

/// What to say of a construct that has no form as a net.
fn refusal(unfit: &Unfit) -> Unreversible {
    let message = format!("{} cannot be executed backwards", unfit.what);
    let refusal = Diagnostic::error("B0001", unfit.span, message);
    Unreversible::Construct(refusal.help("search forwards for the same errors: argos check"))
}

impl Reversible for Reversed {
    fn subject(&self) -> &dyn Subject {
        &self.promela
    }

    fn net(&self) -> &Net {
        &self.lowered.net
    }

    fn target(&self) -> Option<Result<Target, Diagnostic>> {
        let program = &self.promela.program;
        let mut predicates = program.predicates.iter();
        let asked = predicates.find(|predicate| predicate.purpose == Purpose::Target)?;
        let target = self.lowered.target(program, &asked.holds, &asked.written);
        Some(target.map_err(|Unfit { what, span }| no_target(&what, span)))
    }

    fn trail(&self, decision: &Decision, target: Option<&Target>) -> Option<(Vec<Step>, bool)> {
        let (program, rules) = (&self.promela.program, Rules::default());
        let to_rest = decision.suspect != Suspect::Target;
        let (steps, at) = self.lowered.executed(program, &decision.trail, to_rest)?;
        let leads = match target {
            Some(target) => target.holds(&self.lowered.net, &at.world),
            None => {
                reference::steps(program, &rules, &at.state).is_empty()
                    && matches!(at_rest(program, &rules, &at.state), Rest::InvalidEnd(_))
                    && suspects(&self.lowered.net, &at.world).contains(&decision.suspect)
            }
        };
        Some((steps.iter().map(|(choice, step)| named(step, *choice)).collect(), leads))
    }

    /// Whatever it waits for, a process that waits for ever is at an invalid end.
    fn requirement(&self, decision: &Decision) -> Option<Requirement> {
        (decision.suspect != Suspect::Target).then(|| Kind::Deadlock.into())
    }

    fn seek(&self, target: &Target, plan: &Plan, watch: &mut dyn Watch) -> Option<Outcome> {
        let (_, start) = self.lowered.opening(&self.promela.program)?;
        let known = RefCell::new(IndexSet::from([start]));
        let system = Targeted { reversed: self, target, known };
        search::run(&system, &mut [], plan, watch).ok()
    }

    fn opening(&self) -> Vec<Step> {
        let opening = self.lowered.opening(&self.promela.program);
        let steps = opening.map_or_else(Vec::new, |(steps, _)| steps);
        steps.iter().map(|(choice, step)| named(step, *choice)).collect()
    }
}

/// The program as the reference interpreter executes it, in which a state of the target
/// has one step, which ends there.
struct Targeted<'a> {
    reversed: &'a Reversed,
    target: &'a Target,
    /// A state is its number here.
    known: RefCell<IndexSet<Position>>,
}

impl System for Targeted<'_> {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, words: &mut [Word]) {
        words[0] = 0;
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        let at = self.known.borrow()[state[0] as usize].clone();
        if self.target.holds(&self.reversed.lowered.net, &at.world) {
            out.push(Step::new(0, 0, StepKind::Internal), state);
            out.set_outcome(StepOutcome::Violation(0));
            return true;
        }
        let Reversed { promela: Promela { program, .. }, lowered } = self.reversed;
        let steps = reference::steps(program, &Rules::default(), &at.state);
        for (choice, step) in steps.iter().enumerate().filter(|(_, step)| !step.ends) {
            let next = self.known.borrow_mut().insert_full(lowered.after(&at, step)).0;
            out.push(named(step, choice), state)[0] = next as Word;
        }
        true
    }

    fn blocked(&self, _: &[Word]) -> Blocked {
        Blocked::ProperEnd
    }
}
