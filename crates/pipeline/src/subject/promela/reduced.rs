//! A program as a search of it sees it: reduced, under the rules of a pass.

use super::executor::{self, Learned};
use super::expand::expand;
use super::reductions::{self, Decides};
use super::temporal;
use super::witness::{failing, witness};
use crate::Options;
use crate::cycles::{FailingAtom, Witness};
use crate::subject::atoms::Atoms;
use crate::subject::{
    Boxed, Form, Interchangeable, Look, Pass, Shortening, Systems, Unsearchable, Whole,
};
use crate::workflow::Workflow;
use base::SourceMap;
use engine::program::{Knowledge, Refused};
use program::reference::{Breach, Rules};
use program::{Expr, Proctype, ProctypeId, Program, Reductions};
use search::Outcome;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::sync::Mutex;
use system::Step;
use trace::{Explanation, Glances, Lasts, Looker, Mismatch, ProgramRun, Run};

/// A program, what is searched of it, and what earlier searches found out.
pub(super) struct Reduced<'a> {
    text: Text<'a>,
    reduced: Cow<'a, Program>,
    chosen: Reductions,
    /// With longer numbers as soon as they are needed.
    rules: Cell<Rules>,
    ordinary: bool,
    /// The assertions of the model were taken out.
    silent: bool,
    learned: RefCell<Learned>,
    /// The propositions whose letters its states have.
    atoms: Atoms<Expr>,
}

/// A program, where it stands, and which processes searches of it have met.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) program: &'a Program,
    pub(super) sources: &'a SourceMap,
    pub(super) known: &'a Mutex<Knowledge>,
}

impl Text<'_> {
    fn learned(self) -> RefCell<Learned> {
        let knowledge = self.known.lock().map(|known| known.clone()).unwrap_or_default();
        RefCell::new(Learned { knowledge, ..Learned::default() })
    }
}

impl<'a> Reduced<'a> {
    pub(super) fn new(text: Text<'a>, rules: Rules, pass: &Pass) -> Self {
        let (decides, seen) = match rules.claim {
            Some(_) => (Decides::Steps, Cow::Borrowed(text.program)),
            None => (Decides::Failures, Cow::Owned(text.program.without_onlookers())),
        };
        Self::with(text, &seen, rules, pass, reductions::chosen(&pass.options, decides))
    }

    /// The same for a search for cycles, which looks at propositions.
    pub(super) fn with_atoms(
        text: Text<'a>,
        rules: Rules,
        pass: &Pass,
        (atoms, decides): (Atoms<Expr>, Decides),
    ) -> Self {
        let chosen = reductions::chosen(&pass.options, decides);
        Self { atoms, ..Self::with(text, text.program, rules, pass, chosen) }
    }

    /// Searches a program that is `seen` in some way.
    fn with(text: Text<'a>, seen: &Program, rules: Rules, pass: &Pass, chosen: Reductions) -> Self {
        Self {
            text,
            reduced: Cow::Owned(program::reduce(seen, chosen)),
            chosen,
            rules: Cell::new(rules),
            ordinary: pass.ordinary,
            silent: pass.is_silent(),
            learned: text.learned(),
            atoms: Atoms::default(),
        }
    }

    /// With every statement a step.
    fn stepwise(&self) -> Program {
        program::reduce(self.text.program, Reductions { merge: false, ..self.chosen })
    }

    /// Why no processes can be exchanged.
    fn asymmetry(&self, exchanged: Option<Interchangeable>) -> String {
        let none = "--reduce symmetry needs the packed form of a model, and this one has none";
        exchanged.map_or_else(|| none.to_owned(), |exchanged| exchanged.why_not(self.text.sources))
    }

    fn widen(&self) {
        self.rules.set(Rules { wide: true, ..self.rules.get() });
    }
}

impl Look for Looker<'_> {
    fn look(&self, state: &Whole, glances: &mut [Glances]) -> bool {
        let Whole::Program(state) = state else { return true };
        Looker::look(self, state, &mut |number, parts| glances[number].note(parts))
    }
}

impl Form for Reduced<'_> {
    /// As far as the text tells how many machines there are: one for each process alive at
    /// the start and one for each `run`.
    fn size(&self) -> u64 {
        let program = self.text.program;
        let locations = |id: ProctypeId| program.proctypes[id].locations.len() as u64;
        let created = Cell::new(0);
        for kind in &program.proctypes {
            kind.mentions(&|expr| {
                if let Expr::Run { proctype, .. } = expr {
                    created.set(created.get() + locations(*proctype));
                }
                false
            });
        }
        program.start.iter().map(|id| locations(*id)).sum::<u64>() + created.get()
    }

    fn systems(&self, workflow: &Workflow, options: &Options) -> Result<Systems<'_>, Unsearchable> {
        loop {
            let (rules, learned) = (self.rules.get(), &mut self.learned.borrow_mut());
            match executor::systems(
                &self.reduced,
                rules,
                learned,
                workflow,
                options,
                &self.atoms.predicates,
            ) {
                Ok(systems) => {
                    let first = &systems.systems[0];
                    let asked = options.wants_symmetry() && workflow.asks_for_symmetry();
                    return match asked && first.symmetry().is_none() {
                        true => Err(Unsearchable::Refused(self.asymmetry(first.interchangeable()))),
                        false => Ok(systems),
                    };
                }
                Err(Refused::Failure(failure)) if failure.problem.is_overflow() && !rules.wide => {
                    self.widen();
                }
                Err(Refused::Failure(_)) => return Err(Unsearchable::InitialFailure),
                Err(Refused::Unsupported(what)) => {
                    let words = format!("--reduce does not keep {what}");
                    return Err(Unsearchable::Refused(words));
                }
            }
        }
    }

    fn learn(&self, searched: &[Boxed<'_>]) -> bool {
        let narrow = searched.iter().position(|system| system.is_too_narrow());
        let knowledge = searched[narrow.unwrap_or(0)].knowledge();
        let learned = &mut *self.learned.borrow_mut();
        learned.knowledge = knowledge.unwrap_or_default();
        learned.restarts += u32::from(narrow.is_some());
        let long = searched.iter().any(|system| system.needs_long_numbers());
        if long && !self.rules.get().wide {
            self.widen();
            return true;
        }
        // Merged statements leave states out, and so they may leave processes out.
        if narrow.is_none() && matches!(self.reduced, Cow::Owned(_)) {
            let known = learned.knowledge.settled();
            self.text.known.lock().into_iter().for_each(|mut shared| *shared = known.clone());
        }
        narrow.is_some()
    }

    /// Of processes that can be exchanged all are of one proctype.
    fn executed(
        &self,
        _outcome: &Outcome,
        searched: &[Boxed<'_>],
        _symmetry: bool,
    ) -> Vec<Vec<bool>> {
        let mut all = searched[0].executed_edges();
        for system in &searched[1..] {
            let edges = all.iter_mut().flatten();
            let some = system.executed_edges();
            edges.zip(some.into_iter().flatten()).for_each(|(all, some)| *all |= some);
        }
        all
    }

    fn reductions(&self) -> Vec<String> {
        reductions::names(&self.reduced)
    }

    fn unmerged(&self) -> Option<Box<dyn Form + '_>> {
        self.reduced.reductions().merge.then(|| {
            Box::new(Reduced {
                text: self.text,
                reduced: Cow::Borrowed(self.text.program),
                chosen: Reductions::NONE,
                rules: self.rules.clone(),
                ordinary: self.ordinary,
                silent: self.silent,
                learned: self.text.learned(),
                atoms: self.atoms.clone(),
            }) as Box<dyn Form + '_>
        })
    }

    fn shows_all(&self) -> bool {
        !self.text.program.proctypes.iter().any(Proctype::has_joins_in_sequences)
    }

    fn shortening(&self) -> Shortening {
        match self.reduced.reductions().merge {
            true => Shortening::Nothing,
            false => Shortening::First,
        }
    }

    fn looker<'b>(
        &'b self,
        numbers: &'b [Vec<Option<usize>>],
        sources: &'b SourceMap,
    ) -> Option<Box<dyn Look + 'b>> {
        Some(Box::new(Looker::new(self.text.program, self.rules.get(), sources, numbers)))
    }

    fn expand(&self, trail: Vec<Step>, lasts: Lasts<'_>) -> Result<Vec<Step>, Mismatch> {
        expand((self.text.program, &self.reduced), &self.rules.get(), &trail, lasts)
    }

    fn witness(&self, trail: &[Step], start: usize) -> Result<Witness, Mismatch> {
        witness(&self.stepwise(), &self.rules.get(), &self.atoms.predicates, trail, start)
    }

    fn atoms(&self, sources: &SourceMap) -> Vec<String> {
        temporal::texts(&self.atoms, self.text.program, sources)
    }

    fn failing_atom(&self, trail: &[Step]) -> Option<FailingAtom> {
        let program = self.stepwise();
        let (number, failure) =
            failing(&program, &self.rules.get(), &self.atoms.predicates, trail)?;
        let written = self.text.program.expression_text(&self.atoms.predicates[number]);
        Some(FailingAtom {
            requirement: trace::kind(Breach::of(&failure)).into(),
            problem: trace::problem_words(&failure.problem, &written),
            number,
            span: self.atoms.span(number),
        })
    }

    fn run<'a>(&'a self, sources: &'a SourceMap) -> Result<Box<dyn Run + 'a>, Explanation> {
        let run = ProgramRun::new(self.text.program, sources, self.rules.get(), self.ordinary)?;
        Ok(Box::new(run.without_assertions(self.silent)))
    }
}
