//! The searches of a check, and which requirement each of them decides.
//!
//! Which searches there are is for the language to say, pass by pass: an assertion that
//! fails ends its branch, so with `--all-errors` a model is searched again without those that
//! failed; a PROMELA program is searched without any claim and then with each.
//! No requirement is called decided by a search that did not look.

use crate::cycles::{self, Cycle, Reach, SearchedCycles, Vacuity};
use crate::host::Timed;
use crate::shorten::{Length, findings, shortened, unmerged};
use crate::stage::Stage;
use crate::subject::{DecidedBy, Form, Pass, Required, Subject, Systems, Unsearchable};
use crate::workflow::{self, Decisive, Passed, Workflow};
use crate::{Options, Search, Usage, ahead, no_return, shown, states, switches};
use report::Unreached;
use search::{Finding, FindingKind, NoReturn, Outcome, Why};
use system::{Step, StepOutcome};
use trace::{Mismatch, Requirement};

/// The reference interpreter takes so many times as long for a state of a large model, or more.
pub(crate) const SLOWER: u64 = 1 << 10;

/// One error, not yet executed again.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) requirement: Requirement,
    /// Its steps on the model as it is written; why not, if it does not run there; none if it
    /// is one of too many to be shown.
    pub(crate) trail: Result<Vec<Step>, Mismatch>,
    pub(crate) hidden: bool,
    pub(crate) length: Length,
    /// Index of the search that found it.
    pub(crate) search: usize,
    /// Of an infinite run, the part that repeats.
    pub(crate) cycle: Option<Cycle>,
    /// Where it became unavoidable, if that was looked for.
    pub(crate) no_return: Option<NoReturn>,
    /// No run of as few steps has fewer context switches, if that is known.
    pub(crate) switches: Option<u64>,
}

impl Found {
    /// What a search found, by a trail of its own form.
    pub(crate) fn new(requirement: Requirement, trail: Vec<Step>, length: Length) -> Self {
        Self {
            requirement,
            trail: Ok(trail),
            hidden: false,
            length,
            search: 0,
            cycle: None,
            no_return: None,
            switches: None,
        }
    }

    /// What it is about, and how many steps would be replayed for it.
    fn about(&self) -> (Requirement, usize) {
        let steps = self.trail.as_ref().map_or(0, Vec::len);
        (self.requirement, if self.hidden { usize::MAX } else { steps })
    }

    /// How many steps lead there; of the reduced model, if there was no time to expand them.
    pub(crate) fn steps(&self) -> usize {
        match &self.trail {
            Ok(trail) => trail.len(),
            Err(mismatch) => mismatch.step,
        }
    }
}

/// Puts the errors that are replayed and shown in front; says how many that are. The
/// others lose their trails, which may be most of the memory.
pub(crate) fn put_in_front(found: &mut Vec<Found>) -> usize {
    let shown = shown::put_in_front(found, Found::about);
    for found in &mut found[shown..] {
        (found.trail, found.hidden) = (Ok(Vec::new()), true);
    }
    shown
}

/// One search and what it was about.
pub(crate) struct Searched<'a> {
    pub(crate) pass: Pass,
    pub(crate) form: Box<dyn Form + 'a>,
    pub(crate) outcome: Outcome,
    /// Which edges of each machine were executed.
    pub(crate) executed: Vec<Vec<bool>>,
    /// Errors were met that SPIN's verifier does not count.
    pub(crate) uncounted: bool,
    /// The reductions that made a difference, by name.
    pub(crate) reductions: Vec<String>,
    /// How many bytes a state takes.
    pub(crate) state_bytes: usize,
    /// Why the reference interpreter executed it though nobody asked for it.
    pub(crate) fallback: Option<&'static str>,
    /// What kind of search it was.
    pub(crate) stage: Stage,
    /// The searches that left it open.
    pub(crate) before: Vec<Passed>,
    /// It was not meant to look at everything.
    pub(crate) is_part: bool,
}

impl Searched<'_> {
    /// Whether it looked everywhere: branches that end at a violation hide what is behind.
    pub(crate) fn saw_all(&self) -> bool {
        let cuts = |finding: &Finding| {
            matches!(finding.kind, FindingKind::Step(StepOutcome::Violation(_)))
        };
        self.outcome.complete() && !self.uncounted && !self.outcome.findings.iter().any(cuts)
    }

    /// Out of time or patience: a further search would only end likewise.
    pub(crate) fn ended_early(&self) -> bool {
        let ends = |why: &Why| matches!(why, Why::Time | Why::Interrupted | Why::Memory);
        self.outcome.why_incomplete.iter().any(ends)
    }
}

/// All searches of a check.
#[derive(Default)]
pub(crate) struct Decided<'a> {
    pub(crate) searches: Vec<Searched<'a>>,
    pub(crate) found: Vec<Found>,
    /// The states that were asked for, and reached.
    pub(crate) reached: Vec<Found>,
    /// The searches for cycles.
    pub(crate) cycle_searches: Vec<Searched<'a>>,
    /// What is required of infinite runs and holds.
    pub(crate) held: Vec<Requirement>,
    /// Why other such requirements are not decided.
    pub(crate) open: Vec<(Requirement, String)>,
    /// Whether the premises of formulas occur, by searches for cycles.
    pub(crate) vacuity: Vec<(Requirement, Vacuity, usize)>,
    /// The requirements asked for; all if there is no list.
    wanted: Option<Vec<Requirement>>,
    /// How many of them are replayed and shown: all but where a model has thousands.
    pub(crate) shown: usize,
    /// The statements never executed, if a search looked everywhere.
    pub(crate) unreached: Vec<Unreached>,
    /// The initial values of the model fail: nothing could be searched.
    pub(crate) initial_failure: bool,
    /// Seconds spent on making the model executable.
    pub(crate) compiling: f64,
    /// When the first error was found.
    pub(crate) first_error: Option<f64>,
}

/// Makes the searches of a check, which begin behind a run if one is given.
///
/// # Errors
/// Options that cannot be served.
pub(crate) fn decide<'a>(
    subject: &'a dyn Subject,
    options: &Options,
    wanted: Option<Vec<Requirement>>,
    behind: Option<&[Step]>,
    watch: &mut Timed<'_>,
) -> Result<Decided<'a>, Usage> {
    if let Some(why) = subject.refused(options).or_else(|| aimless(subject, options)) {
        return Err(Usage(why));
    }
    let for_errors = &of_errors(subject, options);
    let mut decided = Decided { wanted, ..Decided::default() };
    let infinite: &[Reach] = if behind.is_none() { &[Reach::Near, Reach::Deep] } else { &[] };
    for reach in infinite {
        cycles::decide(subject, options, *reach, &mut decided, watch)?;
    }
    while let Some(pass) = subject.next_pass(&decided, for_errors) {
        let pass = Pass { is_restricted: pass.is_restricted || behind.is_some(), ..pass };
        let form = ahead::begun(watch.compile(|| subject.form(&pass)), behind);
        let states_max = decided.states_left(options).map(|left| left.div_ceil(decided.slower()));
        let workflow = match pass.rest.is_some() && !options.all_errors {
            true => Workflow::of_each_kind(&pass.options, form.size()),
            false => Workflow::new(&pass.options, form.size()),
        };
        let workflow = workflow.within(states_max).timed(watch);
        match search(subject, form, pass, &workflow, watch) {
            Ok((mut searched, found)) => {
                let mut found = unmerged(subject, &mut searched, found, watch)?;
                ahead::whole(&mut found, &mut searched.outcome, behind);
                if options.all_errors {
                    decided.forget_fewer(&searched.pass, &found);
                }
                decided.absorb(searched, found);
                watch.tell(&decided.found);
            }
            Err(Unsearchable::Refused(why)) => return Err(Usage(why)),
            Err(Unsearchable::InitialFailure) => {
                decided.initial_failure = true;
                break;
            }
        }
    }
    states::decide(subject, options, behind, &mut decided, watch)?;
    if behind.is_none() {
        cycles::decide(subject, options, Reach::All, &mut decided, watch)?;
        cycles::explain_fairness(subject, options, &mut decided, watch)?;
    }
    decided.number_cycles();
    watch.tell(&decided.found);
    decided.shown = put_in_front(&mut decided.found);
    if behind.is_none() {
        switches::find(subject, options, &mut decided, watch);
        no_return::find(subject, options, &mut decided, watch);
        cycles::find_turning(subject, options, &mut decided, watch);
    }
    (decided.compiling, decided.first_error) = (watch.compiling, watch.first_error);
    Ok(decided)
}

/// Why a best-first search has nothing to look for, if it has not.
fn aimless(subject: &dyn Subject, options: &Options) -> Option<String> {
    let has_aim = || subject.asserts() || !subject.sought(options).is_empty();
    let words = "--search directed looks first where an assertion is nearest to being violated, or \
                 what --invariant and --cover look for is nearest, and here is none of these; \
                 choose another search";
    (options.search == Search::Directed && !has_aim()).then(|| words.to_owned())
}

/// The options of searches for errors: without an assertion none of them can be aimed at, and
/// any order will do.
fn of_errors(subject: &dyn Subject, options: &Options) -> Options {
    let search = match options.search {
        Search::Directed if !subject.asserts() => Search::Exhaustive,
        search => search,
    };
    Options { search, ..options.clone() }
}

/// Makes the searches of one pass, again with other systems where the form turns out to
/// need them. What is found is told by trails of the form.
///
/// # Errors
/// See [`Unsearchable`].
pub(crate) fn search<'a>(
    subject: &dyn Subject,
    form: Box<dyn Form + 'a>,
    pass: Pass,
    workflow: &Workflow,
    watch: &mut Timed<'_>,
) -> Result<(Searched<'a>, Vec<Found>), Unsearchable> {
    let options = &pass.options;
    loop {
        let Systems { mut systems, fallback, compile_time } =
            watch.compile(|| form.systems(workflow, options))?;
        let mut decisive = workflow::drive(&mut systems, workflow, watch)?;
        watch.compiled(compile_time());
        drop(compile_time);
        if form.learn(&systems) {
            let Some(why) = watch.ended() else { continue };
            // What was searched is all there will be.
            decisive.outcome.why_incomplete.retain(|other| *other != Why::Interrupted);
            decisive.outcome.why_incomplete.push(why);
        }
        if !decisive.outcome.findings.is_empty() {
            watch.found();
        }
        let found = findings(subject, &systems[0], &mut decisive);
        let asked = (&decisive.stage, workflow, options);
        let found = shortened(subject, (&*form, &systems[0]), found, asked, watch)?;
        let uncounted = systems.iter().any(|system| system.met_uncounted_error());
        let state_bytes = systems[0].width() * size_of::<system::Word>();
        let symmetry = decisive.stage.symmetry;
        let executed = form.executed(&decisive.outcome, &systems, symmetry);
        let mut reductions = form.reductions();
        reductions.extend(decisive.stage.state_reduction(&decisive.outcome));
        let exchanged = symmetry.then(|| systems[0].interchangeable()).flatten();
        reductions.extend(exchanged.map(|exchanged| exchanged.name()));
        drop(systems);
        let Decisive { outcome, stage, before } = decisive;
        return Ok((
            Searched {
                pass,
                form,
                outcome,
                executed,
                uncounted,
                reductions,
                state_bytes,
                fallback,
                stage,
                before,
                is_part: false,
            },
            found,
        ));
    }
}

/// How often each requirement occurs. Errors may be thousands; the requirements are few.
fn tally(all: impl Iterator<Item = Requirement>) -> Vec<(Requirement, usize)> {
    let mut counts: Vec<(Requirement, usize)> = Vec::new();
    for requirement in all {
        match counts.iter_mut().find(|(known, _)| *known == requirement) {
            Some((_, count)) => *count += 1,
            None => counts.push((requirement, 1)),
        }
    }
    counts
}

impl<'a> Decided<'a> {
    /// Takes in a search and those of its errors that no earlier one found.
    fn absorb(&mut self, searched: Searched<'a>, found: Vec<Found>) {
        let search = self.searches.len();
        let known = tally(self.found.iter().map(|found| found.requirement));
        for found in found {
            let requirement = searched.pass.global(found.requirement);
            let is_wanted = self.wanted.as_ref().is_none_or(|list| list.contains(&requirement));
            if is_wanted && !known.iter().any(|(known, _)| *known == requirement) {
                self.found.push(Found { requirement, search, ..found });
            }
        }
        self.searches.push(searched);
    }

    /// Forgets the errors of each requirement of which a later search found more: it looked
    /// behind assertions that fail as well.
    fn forget_fewer(&mut self, pass: &Pass, later: &[Found]) {
        let known = tally(self.found.iter().map(|found| found.requirement));
        let more = tally(later.iter().map(|found| pass.global(found.requirement)));
        let count = |list: &[(Requirement, usize)], one| {
            list.iter().find(|(it, _)| *it == one).map_or(0, |(_, count)| *count)
        };
        self.found.retain(|found| {
            let requirement = found.requirement;
            count(&more, requirement) <= count(&known, requirement)
        });
    }

    /// Takes in a search for cycles.
    pub(crate) fn absorb_cycles(&mut self, cycles: SearchedCycles<'a>) {
        let SearchedCycles { searched, found, failed, held, open, vacuity } = cycles;
        let search = self.cycle_searches.len();
        let failed = failed.filter(|found| {
            let asked = self.wanted.as_ref().is_none_or(|list| list.contains(&found.requirement));
            asked && !self.failed(found.requirement)
        });
        let found = found.into_iter().chain(failed).map(|found| Found { search, ..found });
        let is_reached = |found: &Found| found.requirement.kind.is_asked_for();
        let (reached, found): (Vec<Found>, Vec<Found>) = found.partition(is_reached);
        self.found.extend(found);
        self.reached.extend(reached);
        self.cycle_searches.push(searched);
        self.held.extend(held);
        self.open.extend(open);
        self.vacuity.extend(vacuity.into_iter().map(|(it, known)| (it, known, search)));
    }

    /// Adds what is known of the fairness of runs that violate a requirement.
    pub(crate) fn note_fairness(&mut self, requirement: Requirement, text: String) {
        let mut found = self.found.iter_mut().filter(|found| found.requirement == requirement);
        let cycle = found.find_map(|found| found.cycle.as_mut());
        cycle.into_iter().for_each(|cycle| cycle.why.push(("fairness", text.clone())));
    }

    /// Gives the searches for cycles the numbers behind all others.
    fn number_cycles(&mut self) {
        let first = self.searches.len();
        let cyclic = self.found.iter_mut().filter(|found| found.cycle.is_some());
        let cyclic = cyclic.chain(&mut self.reached);
        cyclic.for_each(|found| found.search += first);
        // An error comes before an infinite run, wherever it was found.
        self.found.sort_by_key(|found| found.cycle.is_some());
    }

    /// All searches, those for cycles last.
    pub(crate) fn all_searches(&self) -> impl Iterator<Item = &Searched<'a>> {
        self.searches.iter().chain(&self.cycle_searches)
    }

    /// How many states a further search may store, now that something is found.
    pub(crate) fn states_left(&self, options: &Options) -> Option<u64> {
        let stored: u64 = self.all_searches().map(|s| s.outcome.statistics.states).sum();
        let is_limited = !self.found.is_empty() && !options.all_errors;
        is_limited.then(|| options.after_error.saturating_sub(stored))
    }

    /// How many times slower than others the searches so far were: who executes a model does
    /// so in all of them.
    fn slower(&self) -> u64 {
        let is_slow = self.all_searches().any(|search| search.fallback.is_some());
        if is_slow { SLOWER } else { 1 }
    }

    /// Whether no further search is to be made.
    pub(crate) fn is_over(&self, options: &Options) -> bool {
        self.states_left(options) == Some(0)
            || self.initial_failure
            || self.all_searches().any(Searched::ended_early)
    }

    /// Whether something was found to fail.
    pub(crate) fn failed(&self, requirement: Requirement) -> bool {
        self.found.iter().any(|found| found.requirement == requirement)
    }

    /// Whether some search looked everywhere for a failure of what is required.
    pub(crate) fn is_decided(&self, subject: &dyn Subject, required: &Required) -> bool {
        let requirement = required.requirement;
        let mut searches = self.searches.iter();
        let mut safe = || searches.any(|s| subject.decides(&s.pass, requirement) && s.saw_all());
        let held = || self.held.contains(&requirement);
        match required.by {
            DecidedBy::Errors => safe(),
            DecidedBy::Both => safe() && held(),
            DecidedBy::Propositions => held(),
        }
    }

    /// Whether a requirement of infinite runs is decided, or cannot be.
    pub(crate) fn has_decided(&self, requirement: Requirement) -> bool {
        let open = self.open.iter().any(|(open, _)| *open == requirement);
        open || self.held.contains(&requirement) || self.failed(requirement)
    }

    /// The errors that are shown of which a run is explained: the first of each requirement, unless
    /// a claim stops runs, or SPIN's way of counting goes on behind errors.
    pub(crate) fn first_runs(&self) -> Vec<usize> {
        let mut known: Vec<Requirement> = Vec::new();
        let is_explained = |at: &usize| {
            let found = &self.found[*at];
            let Some(searched) = self.searches.get(found.search) else { return false };
            if known.contains(&found.requirement) {
                return false;
            }
            known.push(found.requirement);
            let has_run = found.trail.as_ref().is_ok_and(|trail| !trail.is_empty());
            has_run && !searched.pass.is_restricted && !searched.pass.spin_counts
        };
        (0..self.shown).filter(is_explained).collect()
    }

    /// For each machine and each edge whether some search executed it.
    pub(crate) fn executed(&self) -> Vec<Vec<bool>> {
        let mut whole = self.searches.iter().filter(|search| search.pass.covers_edges());
        let mut all = whole.next().map_or_else(Vec::new, |first| first.executed.clone());
        for search in whole {
            let edges = all.iter_mut().flatten();
            edges.zip(search.executed.iter().flatten()).for_each(|(all, some)| *all |= some);
        }
        all
    }

    /// The bytes that the trails found so far take.
    pub(crate) fn trail_bytes(&self) -> u64 {
        let steps = self.found.iter().map(|found| found.trail.as_ref().map_or(0, Vec::len));
        (steps.sum::<usize>() * size_of::<Step>()) as u64
    }
}
