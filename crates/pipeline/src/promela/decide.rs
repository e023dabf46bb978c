//! The searches of a program.

use super::expand::expand;
use super::found::{Found, Requirement};
use super::reductions;
use crate::host::{Host, Timed};
use crate::stage::Stage;
use crate::workflow::{self, Driven, Passed, Workflow};
use crate::{Engine, Options, Store, shown};
use engine::program::{
    Breach, Executor, Followed, Form, Knowledge, Refused as Unfit, compile, compile_recording, pack,
};
use packed::Backend;
use program::reference::{Failure, Rules};
use program::{ClaimKind, ProctypeId, Program};
use search::{
    Candidate, Finding, FindingKind, Outcome, Progress, Refusal, Request, Shortest, Stop, Watch,
};
use system::{Blocked, Step, StepOutcome, System};

/// One search.
pub(crate) struct Run {
    /// The claim it was about, by its index.
    pub(crate) claim: Option<usize>,
    pub(crate) rules: Rules,
    pub(crate) outcome: Outcome,
    /// Which edges of each proctype were executed.
    pub(crate) executed: Vec<Vec<bool>>,
    /// Errors were met that SPIN's verifier does not count.
    pub(crate) uncounted: bool,
    /// The reductions that made a difference, by name.
    pub(crate) reductions: Vec<String>,
    /// How many bytes a state takes.
    pub(crate) state_bytes: usize,
    /// What kind of search it was.
    pub(crate) stage: Stage,
    /// The searches that left it open.
    pub(crate) before: Vec<Passed>,
}

/// All searches of a check.
#[derive(Default)]
pub(crate) struct Decided {
    pub(crate) runs: Vec<Run>,
    pub(crate) found: Vec<Found>,
    /// How many of them are replayed and shown: all but where a model has thousands.
    pub(crate) shown: usize,
    /// The initial values of the program fail: nothing could be searched.
    pub(crate) stillborn: Option<Failure>,
    /// Seconds spent on making the program executable.
    pub(crate) compiling: f64,
    /// When the first error was found.
    pub(crate) first_error: Option<f64>,
}

/// Why a program cannot be searched as asked.
#[derive(Debug)]
pub(crate) enum Refused {
    Plan(Refusal),
    Labelled,
    /// A reduction with something it does not keep.
    Reduced(&'static str),
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Refused::Plan(refusal)
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refused::Plan(refusal) => refusal.fmt(f),
            Refused::Reduced(what) => write!(f, "--reduce does not keep {what}"),
            Refused::Labelled => f.write_str(
                "--store labelled is for Argos models; use --store path or --store full",
            ),
        }
    }
}

/// Runs the searches of a program: without a claim first, then one per claim,
/// until one finds an error and the first is enough. `--spin-counts` is a single
/// search with the first claim, as SPIN's verifier makes it.
pub(crate) fn decide(
    program: &Program,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Decided, Refused> {
    if options.store == Store::Labelled {
        return Err(Refused::Labelled);
    }
    refuse_reduced(program, options)?;
    let mut watch = Timed::new(host, options.time);
    let mut decided = Decided::default();
    for claim in plan(program, options) {
        let rules = Rules {
            claim: claim.and_then(|index| automaton(program, index)),
            ..options.program_rules()
        };
        match search(program, rules, options, &mut watch)? {
            Ok((run, found)) => decided.absorb(Run { claim, ..run }, found),
            Err(failure) => decided.stillborn = Some(failure),
        }
        let stop = decided.stillborn.is_some()
            || (!options.all_errors && !decided.found.is_empty())
            || decided.runs.last().is_some_and(|run| ended_early(&run.outcome));
        if stop {
            break;
        }
    }
    if decided.runs.last().is_some_and(|run| run.uncounted) {
        decided.show_uncounted(program, options, &mut watch)?;
    }
    decided.shown = shown::put_in_front(&mut decided.found, Found::about);
    decided.found[decided.shown..].iter_mut().for_each(Found::hide);
    (decided.compiling, decided.first_error) = (watch.compiling, watch.first_error);
    Ok(decided)
}

/// Out of time or patience: a further search would only end likewise.
fn ended_early(outcome: &Outcome) -> bool {
    outcome.why_incomplete.iter().any(|why| {
        matches!(why, search::Why::Time | search::Why::Interrupted | search::Why::Memory)
    })
}

/// Refuses what no reduction is proven to keep.
fn refuse_reduced(program: &Program, options: &Options) -> Result<(), Refused> {
    if options.reduction() == search::Reduce::Nothing {
        return Ok(());
    }
    if options.spin_counts {
        return Err(Refused::Reduced("the numbers of SPIN's verifier; drop --spin-counts"));
    }
    let claims = plan(program, options).iter().any(Option::is_some);
    if claims {
        return Err(Refused::Reduced("never claims; add --no-claims, or drop --reduce"));
    }
    Ok(())
}

/// Which claims are searched with, in order; `None` is the search without.
fn plan(program: &Program, options: &Options) -> Vec<Option<usize>> {
    let claims = program.claims.iter().enumerate();
    let automata = claims.filter(|(_, claim)| matches!(claim.kind, ClaimKind::Never(_)));
    let claims: Vec<Option<usize>> =
        automata.map(|(index, _)| Some(index)).filter(|_| !options.no_claims).collect();
    match (options.spin_counts, claims.first()) {
        (true, Some(first)) => vec![*first],
        (true, None) => vec![None],
        (false, _) => std::iter::once(None).chain(claims).collect(),
    }
}

fn automaton(program: &Program, claim: usize) -> Option<ProctypeId> {
    match program.claims[claim].kind {
        ClaimKind::Never(proctype) => Some(proctype),
        ClaimKind::Ltl(_) => None,
    }
}

impl Decided {
    fn absorb(&mut self, searched: Run, found: Vec<Found>) {
        let run = self.runs.len();
        let claim = searched.claim;
        let known: Vec<Requirement> = self.found.iter().map(|found| found.requirement).collect();
        for mut found in found {
            if let (Requirement::Breach(Breach::Claim), Some(index)) = (found.requirement, claim) {
                found.requirement = Requirement::Claim(index);
            }
            if !known.contains(&found.requirement) {
                self.found.push(Found { run, ..found });
            }
        }
        self.runs.push(searched);
    }

    /// SPIN's way of counting left errors out. No verdict may rest on that: an
    /// ordinary search finds them.
    fn show_uncounted(
        &mut self,
        program: &Program,
        options: &Options,
        watch: &mut Timed<'_>,
    ) -> Result<(), Refused> {
        let steps = self.found.iter().map(|found| found.trail.as_ref().map_or(0, Vec::len));
        let held = (steps.sum::<usize>() * size_of::<Step>()) as u64;
        let plain = Options {
            spin_counts: false,
            all_errors: true,
            plain: true,
            memory: options.memory.map(|memory| memory.saturating_sub(held)),
            ..options.clone()
        };
        let claim = self.runs.last().and_then(|run| run.claim);
        let automaton = claim.and_then(|index| automaton(program, index));
        let rules = Rules { claim: automaton, ..plain.program_rules() };
        if let Ok((run, found)) = search(program, rules, &plain, watch)? {
            self.absorb(Run { claim, ..run }, found);
        }
        Ok(())
    }

    /// Whether some search looked everywhere for a failure of `requirement`. A
    /// breach ends its branch, so what else lies behind it was not seen.
    pub(crate) fn decided(&self, requirement: Requirement) -> bool {
        let claim = match requirement {
            Requirement::Claim(index) => Some(index),
            _ => None,
        };
        self.runs.iter().any(|run| {
            let right = run.claim == claim || (claim.is_none() && run.rules.spin_counts);
            right && run.outcome.complete() && !run.cut() && !run.uncounted
        })
    }
}

impl Run {
    fn cut(&self) -> bool {
        let ends = |finding: &Finding| {
            matches!(finding.kind, FindingKind::Step(StepOutcome::Violation(_)))
        };
        self.outcome.findings.iter().any(ends)
    }
}

pub(crate) type Searched = Result<(Run, Vec<Found>), Failure>;

/// Searches the reduced program; what it finds is told of the plain one.
pub(crate) fn search(
    program: &Program,
    rules: Rules,
    options: &Options,
    watch: &mut Timed<'_>,
) -> Result<Searched, Refused> {
    let reduced = program::reduce(program, reductions::chosen(options, rules.claim.is_some()));
    let workflow = Workflow::new(options, size(program));
    let (mut run, mut found) = match attempt(&reduced, rules, &workflow, options, watch)? {
        Ok(searched) => searched,
        Err(failure) => return Ok(Err(failure)),
    };
    run.reductions = reductions::names(&reduced);
    let expands = !run.reductions.is_empty();
    run.reductions.extend(options.state_reduction(&run.outcome));
    if reduced.reductions().merge && !found.is_empty() {
        found.iter_mut().for_each(|found| found.shortest = false);
        if let Some(shorter) = shortest_plain(program, &run, options, watch)? {
            return Ok(Ok((run, vec![shorter])));
        }
    }
    if expands {
        let shown = shown::put_in_front(&mut found, Found::about);
        found[shown..].iter_mut().for_each(Found::hide);
        for found in &mut found[..shown] {
            let trail = found.trail.as_ref().map_err(Clone::clone);
            found.trail = trail.and_then(|trail| expand(program, &reduced, &run.rules, trail));
        }
        // Of the messages left at proper ends the first run is shown.
        if let Some(first) = run.outcome.residuals.first_mut()
            && let Ok(trail) = expand(program, &reduced, &run.rules, &first.trail)
        {
            first.trail = trail;
        }
    }
    Ok(Ok((run, found)))
}

/// The sum of the sizes of all machines, as far as the text tells how many there are: one
/// for each process alive at the start and one for each `run`.
fn size(program: &Program) -> u64 {
    let locations = |id: ProctypeId| program.proctypes[id].locations.len() as u64;
    let created = std::cell::Cell::new(0);
    for kind in &program.proctypes {
        kind.mentions(&|expr| {
            if let program::Expr::Run { proctype, .. } = expr {
                created.set(created.get() + locations(*proctype));
            }
            false
        });
    }
    program.start.iter().map(|id| locations(*id)).sum::<u64>() + created.get()
}

/// The first error of the plain program breadth first, if one error is asked for, its
/// shortest run is, and the budget allows. A merged step is several statements, so
/// the fewest of them are not the shortest run.
fn shortest_plain(
    program: &Program,
    run: &Run,
    options: &Options,
    watch: &mut Timed<'_>,
) -> Result<Option<Found>, Refused> {
    if options.all_errors || !options.shortens() {
        return Ok(None);
    }
    let request = Request {
        order: search::Order::BreadthFirst,
        store: search::StoreKind::Full,
        reduce: search::Reduce::Nothing,
        cache: None,
        ..run.stage.budget(options)
    };
    let plain = Workflow::only(Stage { request, ..Stage::whole(options) });
    let Ok((plain, found)) = attempt(program, run.rules, &plain, options, watch)? else {
        return Ok(None);
    };
    let in_time = plain.outcome.why_incomplete == [search::Why::FirstError];
    Ok(found.into_iter().next().filter(|_| in_time))
}

/// Searches, again with wider states or longer numbers when the program turns
/// out to need them.
fn attempt(
    program: &Program,
    mut rules: Rules,
    workflow: &Workflow,
    options: &Options,
    watch: &mut Timed<'_>,
) -> Result<Searched, Refused> {
    // With merged steps few steps are no short run: that is for the plain program.
    let shortens = options.shortens() && !options.all_errors && !program.reductions().merge;
    let mut learned = Learned::default();
    loop {
        let asked = Asked { workflow, options, rules, shortens };
        let tried = match execute(program, asked, &mut learned, watch)? {
            Ok(tried) => tried,
            Err(failure) if failure.problem.is_overflow() && !rules.wide => {
                Tried::Again { wide: true }
            }
            Err(failure) => return Ok(Err(failure)),
        };
        match tried {
            Tried::Again { wide } => rules.wide |= wide,
            Tried::Done(run, found) => return Ok(Ok((*run, found))),
        }
    }
}

/// One attempt.
#[derive(Clone, Copy)]
struct Asked<'a> {
    workflow: &'a Workflow,
    options: &'a Options,
    rules: Rules,
    /// A second search may look for a shorter run.
    shortens: bool,
}

/// What earlier tries of a search found out about its states.
#[derive(Default)]
struct Learned {
    /// How many words they need as bytes.
    width: usize,
    /// Which processes are in them.
    knowledge: Knowledge,
}

/// What came of a search.
enum Tried {
    /// It has to be repeated, with longer numbers or more room.
    Again {
        wide: bool,
    },
    Done(Box<Run>, Vec<Found>),
}

/// One search in packed form; by closures on bytes where the program holds something
/// that has no packed form, by the interpreter where the user asks for it or the
/// closures do not do something either.
fn execute(
    program: &Program,
    asked: Asked<'_>,
    learned: &mut Learned,
    watch: &mut Timed<'_>,
) -> Result<Result<Tried, Failure>, Refused> {
    let rules = asked.rules;
    let request = asked.workflow.request();
    if request.reduce != search::Reduce::Nothing || request.cache.is_some() {
        return execute_reduced(program, asked, learned, watch);
    }
    if asked.options.engine != Engine::Reference {
        let knowledge = std::mem::take(&mut learned.knowledge);
        match watch.compile(|| pack(program, rules, knowledge)) {
            Ok(form) => return Ok(Ok(execute_packed(form, asked, learned, watch)?)),
            Err(Unfit::Failure(failure)) => return Ok(Err(failure)),
            Err(Unfit::Unsupported(_)) => {}
        }
        match watch.compile(|| compile(program, rules, learned.width)) {
            // Only the interpreter and packed forms know where things are.
            Ok(_) if asked.workflow.folds() => {}
            Ok(system) => {
                learned.width = system.width() * 2;
                return Ok(Ok(search_on(&mut [system], asked, watch)?));
            }
            Err(Unfit::Failure(failure)) => return Ok(Err(failure)),
            Err(Unfit::Unsupported(_)) => {}
        }
    }
    match Followed::new(program, rules, learned.width) {
        Ok(system) => {
            learned.width = system.width() * 2;
            Ok(Ok(search_on(&mut [system], asked, watch)?))
        }
        Err(failure) => Ok(Err(failure)),
    }
}

/// One search by the closures, which alone know what their steps touch, and what they
/// are.
fn execute_reduced(
    program: &Program,
    asked: Asked<'_>,
    learned: &mut Learned,
    watch: &mut Timed<'_>,
) -> Result<Result<Tried, Failure>, Refused> {
    let (rules, width, relation) = (asked.rules, learned.width, asked.options.relation());
    let compiled = watch.compile(|| match asked.workflow.request().reduce {
        search::Reduce::Nothing => compile(program, rules, width),
        _ => compile_recording(program, rules, width, relation),
    });
    match compiled {
        Ok(system) => {
            learned.width = system.width() * 2;
            Ok(Ok(search_on(&mut [system], asked, watch)?))
        }
        Err(Unfit::Failure(failure)) => Ok(Err(failure)),
        Err(Unfit::Unsupported(what)) => Err(Refused::Reduced(what)),
    }
}

fn execute_packed(
    form: Form<'_>,
    asked: Asked<'_>,
    learned: &mut Learned,
    watch: &mut Timed<'_>,
) -> Result<Tried, Refusal> {
    if asked.options.engine == Engine::Jit {
        let lazy = watch.compile(|| jit::Lazy::new(form.packed()));
        let executed = execute_on(&lazy, form, asked, learned, watch);
        watch.compiled(lazy.compile_time());
        return executed;
    }
    let closures = watch.compile(|| packed::closures(form.packed()));
    execute_on(&closures, form, asked, learned, watch)
}

/// One system per thread, by the same back end.
fn execute_on<B: Backend + Clone + Send>(
    backend: &B,
    form: Form<'_>,
    asked: Asked<'_>,
    learned: &mut Learned,
    watch: &mut Timed<'_>,
) -> Result<Tried, Refusal> {
    let copies: Vec<Form<'_>> =
        (1..workflow::systems(asked.options)).map(|_| form.copy()).collect();
    let forms = std::iter::once(form).chain(copies);
    let mut systems: Vec<_> = forms.map(|form| form.on(backend.clone())).collect();
    let tried = search_on(&mut systems, asked, watch)?;
    let narrow = systems.iter().position(|system| system.is_too_narrow());
    learned.knowledge = systems[narrow.unwrap_or(0)].knowledge();
    Ok(tried)
}

/// Searches with a thread for each of the systems, which are all the same.
fn search_on<S: Executor + Send>(
    systems: &mut [S],
    asked: Asked<'_>,
    watch: &mut Timed<'_>,
) -> Result<Tried, Refusal> {
    let Asked { workflow, rules, .. } = asked;
    let (first, others) = systems.split_first_mut().expect("there is a system");
    let mut room = Room { system: first, watch };
    let mut driven = workflow::drive((first, others), workflow, &mut room)?;
    let any = |holds: fn(&S) -> bool| systems.iter().any(holds);
    if any(S::needs_long_numbers) && !rules.wide {
        return Ok(Tried::Again { wide: true });
    }
    if any(S::is_too_narrow) {
        return Ok(Tried::Again { wide: false });
    }
    if !driven.outcome.findings.is_empty() {
        watch.found();
    }
    let found = shortened(&systems[0], asked, &mut driven, watch);
    let Driven { outcome, stage, before } = driven;
    let uncounted = any(S::met_uncounted_error);
    let state_bytes = systems[0].width() * size_of::<system::Word>();
    let (executed, reductions) = (executed(systems), Vec::new());
    let run = Run {
        claim: None,
        rules,
        outcome,
        executed,
        uncounted,
        reductions,
        state_bytes,
        stage,
        before,
    };
    Ok(Tried::Done(Box::new(run), found))
}

/// What any of the systems executed.
fn executed<S: Executor>(systems: &[S]) -> Vec<Vec<bool>> {
    let mut all = systems[0].executed();
    for system in &systems[1..] {
        let edges = all.iter_mut().flatten();
        edges.zip(system.executed().into_iter().flatten()).for_each(|(all, some)| *all |= some);
    }
    all
}

/// Ends a search early that has to be repeated anyway.
struct Room<'a, 'h, S> {
    system: &'a S,
    watch: &'a mut Timed<'h>,
}

impl<S: Executor> Watch for Room<'_, '_, S> {
    fn tick(&mut self, progress: &Progress) -> Option<Stop> {
        let again = self.system.is_too_narrow() || self.system.needs_long_numbers();
        self.watch.tick(progress).or(again.then_some(Stop::Interrupted))
    }

    fn resident_bytes(&self) -> u64 {
        self.watch.resident_bytes()
    }
}

/// The findings, with shortest trails where a budgeted search gives them.
fn shortened<S: Executor>(
    system: &S,
    asked: Asked<'_>,
    Driven { outcome, stage, .. }: &mut Driven,
    watch: &mut Timed<'_>,
) -> Vec<Found> {
    let shortest = stage.finds_shortest() && outcome.canonical;
    // Thousands of long trails may be most of the memory: they are not held twice.
    let moved = |finding: &mut Finding| {
        Found::new(finding.kind, std::mem::take(&mut finding.trail), shortest)
    };
    let found: Vec<Found> = outcome.findings.iter_mut().map(moved).collect();
    let [first] = found.as_slice() else { return found };
    if !asked.shortens || shortest {
        return found;
    }
    let wanted = first.requirement;
    let is_error = |kind: FindingKind| kind != FindingKind::Blocked(Blocked::Residual);
    let mut accept = |candidate: &Candidate<'_>| {
        is_error(candidate.kind) && Requirement::of(candidate.kind) == wanted
    };
    match search::shortest(system, &stage.budget(asked.options), &mut accept, watch) {
        Shortest::Found(finding) => vec![Found::new(finding.kind, finding.trail, true)],
        Shortest::NotWithinBudget | Shortest::Nowhere => found,
    }
}
