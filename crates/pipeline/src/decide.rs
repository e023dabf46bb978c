//! The searches of one check, and which requirement each of them decides.
//!
//! One search decides everything if nothing fails or if the first error ends it.
//! With `--all-errors` a branch still ends where an assertion fails, so what
//! lies behind it was not seen: the search is repeated without the assertions
//! that failed, until no new one fails. No requirement is called decided by a
//! search that did not look.

use crate::host::{Host, Timed};
use crate::workflow::{self, Driven, Passed, Workflow};
use crate::{Engine, Networks, Options, shown};
use automata::{EdgeId, MachineId, Network, ObserverId};
use base::Id;
use engine::{Compiled, Interpreted};
use packed::{Backend, Driver, Packed};
use search::{Candidate, Finding, FindingKind, Outcome, Plan, Refusal, Request, Shortest};
use std::sync::Arc;
use system::{Blocked, StepOutcome, System};
use trace::Trail;

/// What a finding says fails.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Requirement {
    Assertion(ObserverId),
    Deadlock,
    UnspecifiedReception,
    BlockedSend,
    DivisionByZero,
}

/// One error, not yet replayed.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) requirement: Requirement,
    pub(crate) trail: Trail,
    pub(crate) length: Length,
    /// Index of the run that found it.
    pub(crate) run: usize,
}

/// What is known of the length of a trail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Length {
    Shortest,
    FirstFound,
    /// A breadth-first search was tried and ran out of its budget.
    OverBudget,
}

/// One search and what it was about.
pub(crate) struct Run {
    pub(crate) networks: Networks,
    /// The observers that watched, by their number in the whole network.
    pub(crate) watching: Vec<ObserverId>,
    pub(crate) outcome: Outcome,
    /// What kind of search it was.
    pub(crate) name: String,
    /// The searches that left it open.
    pub(crate) before: Vec<Passed>,
}

/// All searches of a check.
#[derive(Default)]
pub(crate) struct Decided {
    pub(crate) runs: Vec<Run>,
    pub(crate) found: Vec<Found>,
    /// How many of them are replayed and shown.
    pub(crate) shown: usize,
    /// Seconds spent on making the network executable.
    pub(crate) compiling: f64,
    /// When the first error was found.
    pub(crate) first_error: Option<f64>,
}

/// Runs the searches.
pub(crate) fn decide(
    networks: &Networks,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Decided, Refusal> {
    let mut watch = Timed::new(host, options.time);
    let mut watching = networks.observers();
    let mut decided = Decided::default();
    loop {
        let some = networks.keeping(&watching);
        let (Driven { outcome, stage, before }, found) =
            search(&some.searched, options, &mut watch)?;
        let failed: Vec<ObserverId> = decided.absorb(&watching, found);
        let complete = outcome.complete();
        let (name, watched) = (stage.name, watching.clone());
        decided.runs.push(Run { networks: some, watching: watched, outcome, name, before });
        if !complete || !options.all_errors || failed.is_empty() {
            (decided.compiling, decided.first_error) = (watch.compiling, watch.first_error);
            decided.shown = shown::put_in_front(&mut decided.found, |found| {
                (found.requirement, found.trail.len())
            });
            return Ok(decided);
        }
        watching.retain(|id| !failed.contains(id));
    }
}

impl Decided {
    /// Takes in the errors of requirements that no earlier run decided; returns
    /// the assertions that failed.
    fn absorb(&mut self, watching: &[ObserverId], found: Vec<Found>) -> Vec<ObserverId> {
        let known: Vec<Requirement> = self.found.iter().map(|found| found.requirement).collect();
        let run = self.runs.len();
        let mut failed = Vec::new();
        for mut found in found {
            if let Requirement::Assertion(local) = found.requirement {
                let id = watching[local.index()];
                found.requirement = Requirement::Assertion(id);
                failed.push(id);
            }
            if !known.contains(&found.requirement) {
                self.found.push(Found { run, ..found });
            }
        }
        failed
    }

    /// Whether some search looked everywhere for a failure of `requirement`.
    pub(crate) fn decided(&self, requirement: Requirement) -> bool {
        let last = self.runs.last().expect("there is at least one search");
        let watched = match requirement {
            Requirement::Assertion(id) => last.watching.contains(&id),
            _ => true,
        };
        watched && last.outcome.complete() && !last.cut()
    }
}

impl Run {
    /// Whether branches end at the violation of an assertion.
    fn cut(&self) -> bool {
        self.outcome
            .findings
            .iter()
            .any(|finding| matches!(finding.kind, FindingKind::Step(StepOutcome::Violation(_))))
    }
}

/// One search: by machine code or closures over the packed form; by closures over the
/// network where something has no packed form, by the interpreter where the user asks
/// for it.
fn search(
    network: &Network,
    options: &Options,
    watch: &mut Timed<'_>,
) -> Result<(Driven, Vec<Found>), Refusal> {
    let size = network.machines.iter().map(|machine| machine.states.len() as u64).sum();
    let workflow = Workflow::new(options, size);
    let asked = Asked { options, workflow: &workflow };
    let order = options.order();
    if options.asks_of_steps() {
        let system = Compiled::new(network, order).depending(options.relation());
        return search_on(&mut [system], asked, watch);
    }
    if options.engine == Engine::Reference {
        let systems = &mut [Interpreted::new(network, order)];
        return search_on(systems, asked, watch);
    }
    let Some(packed) = watch.compile(|| engine::lowered(network, order)) else {
        let systems = (0..workflow::systems(options)).map(|_| Compiled::new(network, order));
        let systems = &mut systems.collect::<Vec<_>>();
        return search_on(systems, asked, watch);
    };
    let packed = Arc::new(packed);
    if options.engine == Engine::Jit {
        let lazy = watch.compile(|| jit::Lazy::new(&packed));
        let searched = search_packed(&packed, &lazy, network, asked, watch);
        watch.compiled(lazy.compile_time());
        return searched;
    }
    let closures = watch.compile(|| packed::closures(&packed));
    search_packed(&packed, &closures, network, asked, watch)
}

/// What is asked, and the searches that are to answer it.
#[derive(Clone, Copy)]
struct Asked<'a> {
    options: &'a Options,
    workflow: &'a Workflow,
}

/// One system per thread, by the same back end.
fn search_packed<B: Backend + Clone + Send>(
    packed: &Arc<Packed>,
    backend: &B,
    network: &Network,
    asked: Asked<'_>,
    watch: &mut Timed<'_>,
) -> Result<(Driven, Vec<Found>), Refusal> {
    let system = || {
        let slow = Compiled::new(network, asked.options.order());
        Driver::new(Arc::clone(packed), backend.clone(), slow).without_choices()
    };
    let mut systems: Vec<_> = (0..workflow::systems(asked.options)).map(|_| system()).collect();
    search_on(&mut systems, asked, watch)
}

/// Searches with a thread for each of the systems, which are all the same.
fn search_on<S: System + Send>(
    systems: &mut [S],
    Asked { options, workflow }: Asked<'_>,
    watch: &mut Timed<'_>,
) -> Result<(Driven, Vec<Found>), Refusal> {
    let (system, others) = systems.split_first_mut().expect("there is a system");
    let system = &*system;
    let driven = workflow::drive((system, others), workflow, watch)?;
    let Driven { outcome, stage, .. } = &driven;
    if !outcome.findings.is_empty() {
        watch.found();
    }
    let is_shortest = stage.finds_shortest() && outcome.canonical;
    let length = if is_shortest { Length::Shortest } else { Length::FirstFound };
    let found: Vec<Found> = outcome.findings.iter().map(|f| found(f, length)).collect();
    // All errors of a part are not all errors: a shorter run may lead to others.
    let others = options.all_errors && !stage.is_whole();
    if is_shortest || others || !options.shortens() || found.is_empty() {
        return Ok((driven, found));
    }
    let budget = stage.budget(options);
    let shorter = if options.all_errors {
        shorten_all(system, &budget, found.len(), watch)?
    } else {
        shorten_first(system, &budget, &found[0], watch)
    };
    let over_budget = |found: Found| Found { length: Length::OverBudget, ..found };
    let found = shorter.unwrap_or_else(|| found.into_iter().map(over_budget).collect());
    Ok((driven, found))
}

fn found(finding: &Finding, length: Length) -> Found {
    let (requirement, trail) = (requirement(finding.kind), trail(finding));
    Found { requirement, trail, length, run: 0 }
}

/// The steps of a finding in the ids of the network.
pub(crate) fn trail(finding: &Finding) -> Trail {
    let steps = finding.trail.iter();
    steps
        .map(|step| (MachineId::new(step.agent as usize), EdgeId::new(step.edge as usize)))
        .collect()
}

fn requirement(kind: FindingKind) -> Requirement {
    let assertion = |number: u32| Requirement::Assertion(ObserverId::new(number as usize));
    match kind {
        FindingKind::Step(StepOutcome::Violation(number))
        | FindingKind::Blocked(Blocked::Violation(number)) => assertion(number),
        FindingKind::Step(_) => Requirement::DivisionByZero,
        FindingKind::Blocked(Blocked::BlockedSend) => Requirement::BlockedSend,
        FindingKind::Blocked(Blocked::UnspecifiedReception) => Requirement::UnspecifiedReception,
        FindingKind::Blocked(
            Blocked::Deadlock | Blocked::ProperEnd | Blocked::Residual | Blocked::MessagesLeft,
        ) => Requirement::Deadlock,
    }
}

/// The shortest way to a failure of the same requirement.
fn shorten_first<S: System>(
    system: &S,
    budget: &Request,
    first: &Found,
    watch: &mut Timed<'_>,
) -> Option<Vec<Found>> {
    let mut accept = |candidate: &Candidate<'_>| {
        candidate.kind != FindingKind::Blocked(Blocked::Residual)
            && requirement(candidate.kind) == first.requirement
    };
    match search::shortest(system, budget, &mut accept, watch) {
        Shortest::Found(finding) => Some(vec![found(&finding, Length::Shortest)]),
        Shortest::NotWithinBudget | Shortest::Nowhere => None,
    }
}

/// One breadth-first search gives the shortest way to every error at once.
fn shorten_all<S: System>(
    system: &S,
    budget: &Request,
    expected: usize,
    watch: &mut Timed<'_>,
) -> Result<Option<Vec<Found>>, Refusal> {
    let request = Request {
        order: search::Order::BreadthFirst,
        store: search::StoreKind::Compact,
        reduce: search::Reduce::Nothing,
        cache: None,
        ..*budget
    };
    let outcome = search::run(system, &mut [], &Plan::new(&request)?, watch)?;
    let findings = outcome.findings;
    let all = findings.len() >= expected;
    Ok(all.then(|| findings.iter().map(|f| found(f, Length::Shortest)).collect()))
}
