//! A check that begins at a state some run has come to: what can go wrong ahead of it?
//!
//! The run is executed once more by each system that is searched, step by step, and that system
//! begins where it ends ([`Begun`]). Everything a search uses of a system besides is said of a
//! state, whatever led there: read sets, independence, persistent sets, propositions. So every
//! search, store and reduction serves such a system as it is. What is found is told from the
//! initial state, the run in front, and executed again as a whole by the reference interpreter.
//!
//! Two things are different. Reductions of a model merge its statements and forget its variables,
//! so a run may stand where the reduced model has no state: here the model is searched as it is
//! written. And what is required of infinite runs, or of whole runs by a claim, is not decided: a
//! formula says something of a run from its start, and the part behind a state is another run.
//!
//! Such a check never says that a requirement holds: only what lies ahead was searched.

use crate::cycles::{FailingAtom, Witness};
use crate::decide::Found;
use crate::shorten::Length;
use crate::simulate::{Taken, retake, simulate};
use crate::subject::{
    Boxed, Form, Interchangeable, Searchable, Shortening, Subject, Systems, Unsearchable, Whole,
};
use crate::workflow::Workflow;
use crate::{Loaded, Options, Reduce, Search, Usage};
use base::SourceMap;
use engine::Rooms;
use engine::program::Knowledge;
use report::{Kind, Line, Property, PropertyVerdict, Report, RunRules, Verdict};
use search::Outcome;
use system::{
    Agents, Blocked, Budget, Distances, EdgeCoverage, Independence, Letters, LoopHeads,
    Participants, Parts, PersistentSets, Scope, Step, Successors, System, Unlimited, Word,
};
use trace::{Explanation, Lasts, Mismatch, Run};

/// The code of an incomplete result that only what lies ahead was searched.
pub(crate) const AHEAD: &str = "ahead";

/// A run, and by which rules it was executed.
#[derive(Clone, Copy, Debug)]
pub struct Behind<'a> {
    /// Its steps.
    pub path: &'a [Taken],
    /// The rules.
    pub rules: &'a RunRules,
    /// Nothing is asked but whether the states of `--cover` can be reached from here.
    pub only_covers: bool,
}

/// The options of a check that begins behind a run.
pub(crate) fn options(options: &Options) -> Options {
    // In the order of the reference interpreter no step is ever left out before the search begins.
    let search = if options.search == Search::Dfs { Search::Auto } else { options.search };
    let asks = matches!(options.reduce, Reduce::Symmetry | Reduce::AmpleSymmetry);
    let reduce = if asks { Reduce::Auto } else { options.reduce };
    Options {
        search,
        reduce,
        keeps_labels: true,
        plain: true,
        no_minimise: true,
        no_claims: true,
        spin_counts: false,
        to_end: false,
        checks: Vec::new(),
        within: None,
        ..options.clone()
    }
}

/// The same for the states of `--cover` alone.
pub(crate) fn only_covers(loaded: &Loaded, subject: &dyn Subject, options: &Options) -> Options {
    let required = subject.requirements(options, &loaded.sources, &|_| false).into_iter();
    let covers = required.filter(|required| required.requirement.kind == Kind::Cover);
    Options { only: covers.map(|required| required.name).collect(), ..options.clone() }
}

/// The steps of a run, as searches name them.
///
/// # Errors
/// Why no search can begin behind it.
pub(crate) fn trail(
    loaded: &Loaded,
    options: &Options,
    behind: Behind<'_>,
    lasts: Lasts<'_>,
) -> Result<Vec<Step>, Usage> {
    let refuse = |text: &str| Err(Usage(text.to_owned()));
    if let Some(claim) = &behind.rules.claim {
        return Err(Usage(format!(
            "this run is one beside the claim {claim}, and claims are about whole runs: check the \
             model from its start"
        )));
    }
    let mut run = match simulate(loaded, options, None) {
        Some(Ok(run)) => run,
        Some(Err(problem)) => return Err(Usage(problem)),
        None => return Ok(Vec::new()),
    };
    if let Err(mismatch) = retake(&mut *run, behind.path, lasts) {
        if behind.rules.without_assertions {
            return refuse(
                "this run goes on behind an assertion that fails, and there a search ends",
            );
        }
        let Mismatch { step, reason, .. } = mismatch;
        return Err(Usage(format!("step {step}, {reason}, cannot be taken here")));
    }
    if run.problem().is_some() && run.choices().is_empty() {
        return refuse("the run ends here in an error: nothing lies ahead");
    }
    Ok(run.trail())
}

/// Leaves what is required of whole runs out, and takes back what only a search of everything says;
/// a remark names what was left out.
pub(crate) fn narrow(properties: &mut Vec<Property>, formulas: &[String]) -> Option<Line> {
    properties.retain(|property| !property.kind.is_infinite());
    for property in properties {
        if matches!(property.verdict, PropertyVerdict::Holds | PropertyVerdict::Unreached) {
            property.verdict = PropertyVerdict::Unknown;
        }
    }
    let text = "what is required of whole runs was not looked at";
    let text = match formulas {
        [] => return None,
        names => format!("{text}: {}", names.join(", ")),
    };
    Some(Line { head: "note".to_owned(), text })
}

/// Where nothing is asked but whether some states can be reached from here: the answer, if it is known.
pub(crate) fn answer(report: &Report) -> Option<Verdict> {
    let properties = &report.properties;
    let asks = !properties.is_empty() && properties.iter().all(|it| it.kind.is_asked_for());
    let reached = properties.iter().all(|it| it.verdict == PropertyVerdict::Reached);
    let is_whole = report.why_incomplete == [AHEAD];
    match (asks, reached) {
        (true, true) => Some(Verdict::Possible),
        (true, false) if is_whole => Some(Verdict::Impossible),
        _ => None,
    }
}

/// A form that begins behind a run, where one is given.
pub(crate) fn begun<'a>(form: Box<dyn Form + 'a>, trail: Option<&[Step]>) -> Box<dyn Form + 'a> {
    match trail {
        None => form,
        Some(trail) => Box::new(BegunForm { inside: form, trail: trail.to_vec() }),
    }
}

/// Puts the run in front of what was found behind it.
pub(crate) fn whole(found: &mut [Found], outcome: &mut Outcome, trail: Option<&[Step]>) {
    let Some(trail) = trail else { return };
    let in_front = |steps: &mut Vec<Step>| {
        steps.splice(0..0, trail.iter().copied());
    };
    for found in found {
        found.length = found.length.ahead();
        if let (Ok(steps), false) = (&mut found.trail, found.hidden) {
            in_front(steps);
        }
    }
    outcome.residuals.iter_mut().for_each(|residual| in_front(&mut residual.trail));
}

/// A form whose searches begin behind a run.
struct BegunForm<'a> {
    inside: Box<dyn Form + 'a>,
    trail: Vec<Step>,
}

impl Form for BegunForm<'_> {
    fn size(&self) -> u64 {
        self.inside.size()
    }

    /// A system without room for some state of the run is made again, as behind a search.
    fn systems(&self, workflow: &Workflow, options: &Options) -> Result<Systems<'_>, Unsearchable> {
        loop {
            let Systems { systems, fallback, compile_time } =
                self.inside.systems(workflow, options)?;
            let begun = systems.into_iter().map(|inside| Begun::new(inside, &self.trail));
            let begun: Vec<Begun<'_>> = begun.collect();
            let lacks_room = begun.iter().any(|system| {
                system.initial.is_none() && (system.is_too_narrow() || system.needs_long_numbers())
            });
            let starts = begun.iter().all(|system| system.initial.is_some());
            let systems: Vec<Boxed<'_>> =
                begun.into_iter().map(|system| Box::new(system) as Boxed<'_>).collect();
            if lacks_room && self.inside.learn(&systems) {
                continue;
            }
            if !starts {
                let words =
                    "the search cannot begin at this state: the run goes on behind an error";
                return Err(Unsearchable::Refused(words.to_owned()));
            }
            return Ok(Systems { systems, fallback, compile_time });
        }
    }

    fn learn(&self, searched: &[Boxed<'_>]) -> bool {
        self.inside.learn(searched)
    }

    fn executed(
        &self,
        outcome: &Outcome,
        searched: &[Boxed<'_>],
        symmetry: bool,
    ) -> Vec<Vec<bool>> {
        self.inside.executed(outcome, searched, symmetry)
    }

    fn reductions(&self) -> Vec<String> {
        self.inside.reductions()
    }

    fn shows_all(&self) -> bool {
        self.inside.shows_all()
    }

    fn shortening(&self) -> Shortening {
        self.inside.shortening()
    }

    fn expand(&self, trail: Vec<Step>, lasts: Lasts<'_>) -> Result<Vec<Step>, Mismatch> {
        self.inside.expand([&self.trail[..], &trail].concat(), lasts)
    }

    fn witness(&self, trail: &[Step], start: usize) -> Result<Witness, Mismatch> {
        self.inside.witness(trail, start)
    }

    fn atoms(&self, sources: &SourceMap) -> Vec<String> {
        self.inside.atoms(sources)
    }

    fn failing_atom(&self, trail: &[Step]) -> Option<FailingAtom> {
        self.inside.failing_atom(trail)
    }

    fn behind(&self) -> &[Step] {
        &self.trail
    }

    fn run<'b>(&'b self, sources: &'b SourceMap) -> Result<Box<dyn Run + 'b>, Explanation> {
        self.inside.run(sources)
    }
}

/// A system whose initial state is the one that a run leads to.
struct Begun<'a> {
    inside: Boxed<'a>,
    /// None if the run cannot be executed.
    initial: Option<Vec<Word>>,
}

impl<'a> Begun<'a> {
    fn new(inside: Boxed<'a>, trail: &[Step]) -> Self {
        let initial = reached(&*inside, trail);
        Self { inside, initial }
    }
}

/// The state that a run leads to; none if some step of it is not there or does not lead to a state.
fn reached(system: &dyn Searchable, trail: &[Step]) -> Option<Vec<Word>> {
    let mut state = vec![0; system.width()];
    system.initial(&mut state);
    let mut steps = Successors::new(system.width());
    for wanted in trail {
        steps.clear();
        system.successors(&state, &mut steps, &mut Unlimited);
        let name = |step: &Step| (step.agent, step.edge, step.choice);
        let at = steps.steps().position(|step| name(&step) == name(wanted))?;
        if !steps.outcome(at).enters() {
            return None;
        }
        state.copy_from_slice(steps.state(at));
    }
    Some(state)
}

impl System for Begun<'_> {
    fn width(&self) -> usize {
        self.inside.width()
    }

    fn identity_words(&self) -> usize {
        self.inside.identity_words()
    }

    fn scope(&self) -> Scope {
        self.inside.scope()
    }

    fn initial(&self, words: &mut [Word]) {
        match &self.initial {
            Some(state) => words.copy_from_slice(state),
            None => self.inside.initial(words),
        }
    }

    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        self.inside.successors(state, out, budget)
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.inside.blocked(state)
    }

    fn edge_coverage(&self) -> Option<&dyn EdgeCoverage> {
        self.inside.edge_coverage()
    }

    fn has_first_step_sleep(&self) -> bool {
        self.inside.has_first_step_sleep()
    }

    fn agents(&self) -> Option<&dyn Agents> {
        self.inside.agents()
    }

    fn has_sequences(&self) -> bool {
        self.inside.has_sequences()
    }

    fn independence(&self) -> Option<&dyn Independence> {
        self.inside.independence()
    }

    fn persistent_sets(&self) -> Option<&dyn PersistentSets> {
        self.inside.persistent_sets()
    }

    fn parts(&self) -> Option<&dyn Parts> {
        self.inside.parts()
    }

    fn letters(&self) -> Option<&dyn Letters> {
        self.inside.letters()
    }

    fn participants(&self) -> Option<&dyn Participants> {
        self.inside.participants()
    }

    fn distances(&self) -> Option<&dyn Distances> {
        self.inside.distances()
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        self.inside.loop_heads()
    }
}

impl Searchable for Begun<'_> {
    fn is_too_narrow(&self) -> bool {
        self.inside.is_too_narrow()
    }

    fn needs_long_numbers(&self) -> bool {
        self.inside.needs_long_numbers()
    }

    fn met_uncounted_error(&self) -> bool {
        self.inside.met_uncounted_error()
    }

    fn executed_edges(&self) -> Vec<Vec<bool>> {
        self.inside.executed_edges()
    }

    fn knowledge(&self) -> Option<Knowledge> {
        self.inside.knowledge()
    }

    fn whole(&self, words: &[Word]) -> Whole {
        self.inside.whole(words)
    }

    fn interchangeable(&self) -> Option<Interchangeable> {
        self.inside.interchangeable()
    }

    fn rooms(&self) -> Option<Rooms> {
        self.inside.rooms()
    }
}

impl Length {
    /// The same of a run whose beginning was given.
    pub(crate) fn ahead(self) -> Self {
        match self {
            Length::Shortest => Length::ShortestAhead,
            Length::FewestEdges | Length::FewestSteps | Length::Cycle => Length::FirstFound,
            other => other,
        }
    }
}
