//! What is special about a PROMELA program that is executed backwards: it becomes a net,
//! its runs are those of the reference interpreter, and the forward search is that of
//! `check` without reductions.

use crate::assemble::Facts;
use crate::host::Timed;
use crate::promela::{Decided, Found, Requirement, SearchRun};
use crate::stage::Stage;
use crate::{Loaded, Options, promela};
use ::backward::{
    Decision, Lowered, Standing, Suspect, Target, Unfit, Verdict, of_program, suspects,
};
use base::Diagnostic;
use engine::program::{Executor, Followed, Knowledge, named, pack};
use indexmap::IndexSet;
use program::Program;
use program::reference::{self, Rest, Rules, at_rest};
use report::Report;
use search::{Outcome, Plan};
use std::cell::RefCell;
use system::{Landing, Step, StepKind, Successors, System, Word};
use trace::Scenario;

/// A program and its net.
pub(super) struct Described {
    program: Program,
    pub(super) lowered: Lowered,
}

impl Described {
    /// Makes a net of a program.
    pub(super) fn new(program: &Program) -> Result<Self, Unfit> {
        Ok(Self { program: program.clone(), lowered: of_program(program)? })
    }

    /// The run to a reachable candidate as the search of a program would name it.
    fn trail(&self, decision: &Decision) -> Option<(Vec<Step>, Standing)> {
        let to_rest = decision.suspect != Suspect::Target;
        let (steps, at) = self.lowered.executed(&self.program, &decision.trail, to_rest)?;
        Some((steps.iter().map(|(choice, step)| named(step, *choice)).collect(), at))
    }

    /// Whether a run found backwards leads, forwards, into what it was found for.
    pub(super) fn confirmed(&self, decision: &Decision, target: Option<&Target>) -> bool {
        let rules = Rules::default();
        self.trail(decision).is_some_and(|(_, at)| match target {
            Some(target) => target.holds(&at.world),
            None => {
                reference::steps(&self.program, &rules, &at.state).is_empty()
                    && matches!(at_rest(&self.program, &rules, &at.state), Rest::InvalidEnd(_))
                    && suspects(&self.lowered.net, &at.world).contains(&decision.suspect)
            }
        })
    }

    /// The run to a reachable candidate, told.
    pub(super) fn scenario(&self, decision: &Decision, loaded: &Loaded) -> Option<Scenario> {
        let (trail, _) = self.trail(decision)?;
        promela::scenario(&self.program, &Rules::default(), &trail, &loaded.sources).ok()
    }

    /// The errors as the report of a program knows them: whatever it waits for, a process
    /// that waits for ever is at an invalid end.
    pub(super) fn decided(
        &self,
        decisions: &[Decision],
        forward: &Outcome,
        options: &Options,
    ) -> Decided {
        let reachable = decisions
            .iter()
            .filter(|d| d.verdict == Verdict::Reachable && d.suspect != Suspect::Target);
        let found: Vec<Found> = reachable
            .filter_map(|decision| {
                let (trail, _) = self.trail(decision)?;
                let requirement = Requirement::Deadlock;
                Some(Found { requirement, trail: Ok(trail), hidden: false, shortest: true, run: 0 })
            })
            .collect();
        let everything = |kind: &program::Proctype| vec![true; kind.edges.len()];
        let run = SearchRun {
            claim: None,
            rules: Rules::default(),
            outcome: forward.clone(),
            executed: self.program.proctypes.iter().map(everything).collect(),
            uncounted: false,
            reductions: Vec::new(),
            state_bytes: 0,
            unpacked: None,
            stage: Stage::whole(options),
            before: Vec::new(),
        };
        Decided { runs: vec![run], shown: found.len(), found, ..Decided::default() }
    }

    /// The report of a check that found this, and our own fault if there is one.
    pub(super) fn reported(
        &self,
        facts: &Facts<'_>,
        loaded: &Loaded,
        decided: &Decided,
    ) -> (Report, Option<String>) {
        let (mut report, fault) = promela::searched(facts, loaded, &self.program, decided);
        if let Some((_, at)) = self.lowered.opening(&self.program) {
            report.channels = promela::channels_of(&self.program, &at.state);
        }
        (report, fault)
    }

    /// The forward search of the same question.
    pub(super) fn search(
        &self,
        target: Option<&Target>,
        plan: &Plan,
        watch: &mut Timed<'_>,
    ) -> Outcome {
        match (target, self.lowered.opening(&self.program)) {
            (Some(target), Some((_, start))) => {
                let known = RefCell::new(IndexSet::from([start]));
                search::run(&Aimed { described: self, target, known }, plan, watch)
            }
            _ => self.search_all(plan, watch),
        }
    }

    fn search_all(&self, plan: &Plan, watch: &mut Timed<'_>) -> Outcome {
        let (rules, mut knowledge, mut width) = (Rules::default(), Knowledge::default(), 0);
        while let Ok(form) = pack(&self.program, rules, knowledge) {
            let system = form.on_closures();
            let outcome = search::run(&system, plan, watch);
            if !system.is_too_narrow() {
                return outcome;
            }
            knowledge = system.knowledge();
        }
        loop {
            let system = Followed::new(&self.program, rules, width);
            let system = system.expect("the net begins behind the initial state");
            let outcome = search::run(&system, plan, watch);
            if !system.is_too_narrow() {
                return outcome;
            }
            width = system.width() * 2;
        }
    }
}

/// What to say of a construct that has no form as a net.
pub(super) fn refusal(unfit: &Unfit) -> Diagnostic {
    let message = format!("{} cannot be executed backwards", unfit.what);
    Diagnostic::error("B0001", unfit.span, message)
        .help("search forwards for the same errors: argos check")
}

/// The program as the reference interpreter executes it, in which a state of the target
/// has one step, which ends there.
struct Aimed<'a> {
    described: &'a Described,
    target: &'a Target,
    /// A state is its number here.
    known: RefCell<IndexSet<Standing>>,
}

impl System for Aimed<'_> {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, words: &mut [Word]) {
        words[0] = 0;
    }

    fn successors(&self, state: &[Word], out: &mut Successors) {
        let at = self.known.borrow()[state[0] as usize].clone();
        if self.target.holds(&at.world) {
            out.push(Step::new(0, 0, StepKind::Internal), state);
            out.land(Landing::Violation(0));
            return;
        }
        let Described { program, lowered } = self.described;
        let steps = reference::steps(program, &Rules::default(), &at.state);
        for (choice, step) in steps.iter().enumerate().filter(|(_, step)| !step.ends) {
            let next = self.known.borrow_mut().insert_full(lowered.after(&at, step)).0;
            out.push(named(step, choice), state)[0] = next as Word;
        }
    }

    fn rest(&self, _: &[Word]) -> system::Rest {
        system::Rest::Proper
    }

    fn labelled(&self, _: &[Word]) -> bool {
        true
    }
}
