//! Predicates of states: invariants, and states that are asked for.
//!
//! The searches are those for errors, with the same stores and restrictions, of a system that
//! says with each step which predicates its target has ([`marked`]). A state that is looked for
//! is no error, and no branch ends there. The state space on which formulas are decided
//! would do as well; but it is stored to its end whatever it holds, and only exactly.
//!
//! An assertion may constrain the runs that are followed (`--within`): then its end is looked for,
//! and the steps that it forbids are not there.
//!
//! No state may be left out because another stands for it, so of all reductions only those
//! remain that keep what propositions say: merging, hiding and dead variables of PROMELA.
//! Every run is executed again by the reference interpreter, and ends in the first state of it
//! of which that says the same.

mod marked;

use crate::cycles::{Cycle, SearchedCycles, Temporal};
use crate::decide::{Decided, Found, Searched};
use crate::host::Timed;
use crate::shorten::Length;
use crate::stage::Stage;
use crate::subject::{Form, Pass, Subject, Systems, Unsearchable};
use crate::workflow::{self, Decisive, Passed, Workflow};
use crate::{Options, Usage, ahead};
use ltl::Cube;
use marked::Errors;
use search::{Executed, FindingKind, Order, Outcome, Plan, Request, StoreKind, Why};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use system::{MARK_OF_NOTE, Step, StepOutcome};
use trace::Mismatch;

/// So many predicates can be looked for at once: a mark each, and one for what cannot be said.
pub(crate) const MARKS_MAX: usize = 31;

/// The reference interpreter takes so many times as long for a state, or more.
const SLOWER: u64 = 64;

/// Predicates that are looked for by one search; the form knows the propositions they are about.
pub(crate) struct Sought<'a> {
    /// An invariant is violated, and a state that is asked for reached, where its mark is.
    pub(crate) properties: Vec<Temporal>,
    /// The letters of the states that have each mark.
    pub(crate) marks: Vec<Cube>,
    pub(crate) pass: Pass,
    pub(crate) form: Box<dyn Form + 'a>,
}

/// A run of the model as it is written, or why it is none; and what is known of its length.
#[derive(Clone)]
struct Way {
    steps: Result<Vec<Step>, Mismatch>,
    length: Length,
}

/// What the searches have come to so far.
struct Progress {
    /// For each predicate a way to a state that has its mark.
    ways: Vec<Option<Way>>,
    /// One to a state in which some proposition cannot be evaluated.
    unreadable: Option<Way>,
    /// Where some step ends in one, what comes behind is unknown.
    errors: Errors,
    before: Vec<Passed>,
}

/// Decides the predicates of states, of those ahead of a run if one is given.
///
/// # Errors
/// Options that cannot be served.
pub(crate) fn decide<'a>(
    subject: &'a dyn Subject,
    options: &Options,
    behind: Option<&[Step]>,
    decided: &mut Decided<'a>,
    watch: &mut Timed<'_>,
) -> Result<(), Usage> {
    for sought in subject.sought(options) {
        let sought = Sought { form: ahead::begun(sought.form, behind), ..sought };
        if decided.is_over(options) {
            break;
        }
        match look(sought, decided.states_left(options), watch) {
            Ok(searched) => decided.absorb_cycles(searched),
            Err(Unsearchable::Refused(why)) => return Err(Usage(why)),
            Err(Unsearchable::InitialFailure) => break,
        }
    }
    Ok(())
}

/// The last of several searches.
struct Last {
    outcome: Outcome,
    stage: Stage,
    fallback: Option<&'static str>,
    state_bytes: usize,
}

/// Searches until each predicate is found, or everything was searched for the others, or nobody
/// waits any longer.
fn look<'a>(
    sought: Sought<'a>,
    states_max: Option<u64>,
    watch: &mut Timed<'_>,
) -> Result<SearchedCycles<'a>, Unsearchable> {
    let ways = sought.marks.iter().map(|_| None).collect();
    let violations_forbidden = !sought.pass.monitors.is_empty();
    let errors = Errors { violations_forbidden, met: Arc::default() };
    let mut progress = Progress { ways, unreadable: None, errors, before: Vec::new() };
    let mut last = sought.search(&mut progress, states_max, watch)?;
    while last.outcome.why_incomplete.contains(&Why::Errors) && !progress.is_done() {
        last = sought.search(&mut progress, states_max, watch)?;
    }
    sought.shorten(&last.stage, &mut progress, watch);
    Ok(sought.conclude(progress, last))
}

impl Progress {
    fn is_done(&self) -> bool {
        self.ways.iter().all(Option::is_some)
    }

    /// The marks to look for.
    fn open(&self) -> u32 {
        let ways = self.ways.iter().enumerate();
        let open = ways.fold(0, |all, (at, way)| all | u32::from(way.is_none()) << at);
        if self.unreadable.is_none() { open | MARK_OF_NOTE } else { open }
    }

    /// There is a better way for these.
    fn forget(&mut self, marks: u32) {
        let ways = self.ways.iter_mut().enumerate();
        ways.filter(|(at, _)| marks >> at & 1 == 1).for_each(|(_, way)| *way = None);
    }

    /// A state with these marks is found: a way for those that have none so far.
    fn note(&mut self, marks: u32, way: &Way) {
        for (at, known) in self.ways.iter_mut().enumerate() {
            if marks >> at & 1 == 1 && known.is_none() {
                *known = Some(way.clone());
            }
        }
        if marks & MARK_OF_NOTE != 0 && self.unreadable.is_none() {
            self.unreadable = Some(way.clone());
        }
    }
}

impl<'a> Sought<'a> {
    /// One search, again with other systems where the form turns out to need them.
    fn search(
        &self,
        progress: &mut Progress,
        states_max: Option<u64>,
        watch: &mut Timed<'_>,
    ) -> Result<Last, Unsearchable> {
        let options = &self.pass.options;
        loop {
            let workflow = Workflow::new(options, self.form.size());
            let Systems { systems, fallback, compile_time } =
                watch.compile(|| self.form.systems(&workflow, options))?;
            let way = Way { steps: Ok(self.form.behind().to_vec()), length: Length::Shortest };
            progress.note(marked::at_start(&systems[0], &self.marks), &way);
            let open = progress.open();
            let slower = if fallback.is_some() { SLOWER } else { 1 };
            let states_max = match open & !MARK_OF_NOTE {
                0 => Some(1),
                _ => states_max.map(|most| most.div_ceil(slower)),
            };
            let workflow = workflow.within(states_max).seeking(NonZeroU32::new(open));
            let mut systems = marked::all(systems, &self.marks, open, &progress.errors);
            let Decisive { outcome, stage, before } =
                workflow::drive(&mut systems, &workflow, watch)?;
            watch.compiled(compile_time());
            drop(compile_time);
            if self.form.learn(&systems) {
                continue;
            }
            let state_bytes = systems[0].width() * size_of::<system::Word>();
            self.note(progress, &outcome, &stage, (systems[0].has_sequences(), watch));
            progress.before.extend(before);
            return Ok(Last { outcome, stage, fallback, state_bytes });
        }
    }

    fn note(
        &self,
        progress: &mut Progress,
        outcome: &Outcome,
        stage: &Stage,
        (sequences, watch): (bool, &Timed<'_>),
    ) {
        let is_near = stage.finds_shortest() && outcome.canonical;
        let length = match (is_near, self.form.unmerged().is_some(), sequences) {
            (false, ..) | (_, true, _) => Length::FirstFound,
            (true, false, true) => Length::FewestSteps,
            (true, false, false) => Length::Shortest,
        };
        for finding in &outcome.findings {
            let steps = self.form.expand(finding.trail.clone(), &|| watch.lasts_to_close());
            if let FindingKind::Step(StepOutcome::Marked(marks)) = finding.kind {
                progress.note(marks, &Way { steps, length });
            }
        }
    }

    /// Looks for shorter ways, all by one breadth-first search with every statement a step.
    fn shorten(&self, stage: &Stage, progress: &mut Progress, watch: &mut Timed<'_>) {
        let is_long =
            |way: &Option<Way>| way.as_ref().is_some_and(|way| way.length == Length::FirstFound);
        let ways = progress.ways.iter().enumerate();
        let long = ways.fold(0, |all, (at, way)| all | u32::from(is_long(way)) << at);
        let options = &self.pass.options;
        let (Some(marks), true) = (NonZeroU32::new(long), options.shortens()) else { return };
        let plain = self.form.unmerged();
        let form = plain.as_deref().unwrap_or(&*self.form);
        let request = Request {
            order: Order::BreadthFirst,
            store: StoreKind::Compact,
            reduce: search::Reduce::Nothing,
            cache: None,
            marks: Some(marks),
            ..stage.budget(options)
        };
        let Ok(plan) = Plan::new(&request) else { return };
        let workflow = Workflow::only(Stage::whole(options));
        loop {
            let Ok(Systems { systems, .. }) = form.systems(&workflow, options) else { return };
            let systems = marked::all(systems, &self.marks, long, &progress.errors);
            let Ok(outcome) = search::run(&*systems[0], &mut [], &plan, watch) else { return };
            if form.learn(&systems) {
                continue;
            }
            let length = match systems[0].has_sequences() {
                true => Length::FewestSteps,
                false => Length::Shortest,
            };
            let mut left = long;
            for finding in outcome.findings {
                let FindingKind::Step(StepOutcome::Marked(marks)) = finding.kind else { continue };
                progress.forget(marks & left);
                left &= !marks;
                let steps = form.expand(finding.trail, &|| watch.lasts_to_close());
                progress.note(marks, &Way { steps, length });
            }
            return;
        }
    }

    /// What is known of each predicate.
    fn conclude(self, progress: Progress, last: Last) -> SearchedCycles<'a> {
        let is_done = progress.is_done();
        let Progress { ways, unreadable, errors, before } = progress;
        let Last { mut outcome, stage, fallback, state_bytes } = last;
        let is_whole = outcome.complete();
        let (mut found, mut held, mut open) = (Vec::new(), Vec::new(), Vec::new());
        let failed = unreadable.filter(|_| !is_done);
        let unread = match (&failed, errors.met.load(Ordering::Relaxed)) {
            (Some(_), _) => Some("in some state a proposition cannot be evaluated".to_owned()),
            (None, true) => Some(crate::cycles::BEHIND_ERRORS.to_owned()),
            (None, false) => None,
        };
        for (at, way) in ways.into_iter().enumerate() {
            let requirement = self.properties[at].requirement;
            match (way, &unread) {
                (Some(way), _) => found.push(self.confirmed(at, way)),
                (None, Some(why)) => open.push((requirement, why.clone())),
                (None, None) if is_whole => held.push(requirement),
                (None, None) => {}
            }
        }
        let failed = failed.and_then(|way| self.failing(way));
        if is_done {
            outcome.why_incomplete.clear();
        }
        outcome.executed = Executed::default();
        let Sought { pass, form, .. } = self;
        let stage = Stage { name: format!("predicates, {}", stage.name), ..stage };
        let searched = Searched {
            pass,
            executed: Vec::new(),
            uncounted: false,
            reductions: form.reductions(),
            form,
            outcome,
            state_bytes,
            fallback,
            stage,
            before,
            is_part: is_done && !is_whole,
        };
        SearchedCycles { searched, found, failed, held, open, vacuity: Vec::new() }
    }

    /// A way that the reference interpreter takes to the first state with a mark.
    fn confirmed(&self, at: usize, way: Way) -> Found {
        let Temporal { requirement, violation, bad } = &self.properties[at];
        let judged = way.steps.and_then(|mut steps| {
            let mut witness = self.form.witness(&steps, steps.len())?;
            let mut letters = witness.letters.iter().enumerate().skip(self.form.behind().len());
            let first = letters.find(|(_, letter)| marked::has(**letter, &self.marks[at]));
            let first = first.map(|(index, _)| index);
            let otherwise = "the reference interpreter says otherwise of its last state";
            let first = first.ok_or_else(|| Mismatch::new(steps.len(), otherwise))?;
            steps.truncate(first);
            witness.letters.truncate(first + 1);
            Ok((steps, witness.letters))
        });
        let (trail, letters) = match judged {
            Ok((steps, letters)) => (Ok(steps), letters),
            Err(mismatch) => (Err(mismatch), Vec::new()),
        };
        let formula = bad.as_ref().ok().and_then(|bad| bad.formula.clone());
        let cycle = Cycle::prefix(violation, letters, formula);
        let length = if self.form.behind().is_empty() { way.length } else { way.length.ahead() };
        Found { trail, cycle: Some(cycle), ..Found::new(*requirement, Vec::new(), length) }
    }

    /// The error that a proposition cannot be evaluated.
    fn failing(&self, way: Way) -> Option<Found> {
        let steps = way.steps.ok()?;
        let failing = self.form.failing_atom(&steps)?;
        let found = Found::new(failing.requirement, steps, way.length);
        Some(Found { cycle: Some(Cycle::failing(failing)), ..found })
    }
}
