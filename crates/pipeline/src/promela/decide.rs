//! The searches of a program.

use crate::host::{Host, Timed};
use crate::{Engine, Options, Store};
use engine::program::{Breach, Executor, Followed};
use program::reference::{Failure, Rules};
use program::{ClaimKind, ProctypeId, Program};
use search::{
    Candidate, Finding, FindingKind, Outcome, Plan, Progress, Refusal, Request, Shortest, Stop,
    Watch,
};
use system::{Landing, Rest, Step};

/// What a finding says fails.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Requirement {
    /// Something a process does.
    Breach(Breach),
    /// Nobody can move and somebody is not at an end.
    Deadlock,
    /// Messages are left where that is forbidden.
    MessagesLeft,
    /// A never claim, by its index.
    Claim(usize),
}

/// One error, not yet replayed.
pub(crate) struct Found {
    pub(crate) requirement: Requirement,
    pub(crate) trail: Vec<Step>,
    pub(crate) shortest: bool,
    /// Index of the run that found it.
    pub(crate) run: usize,
}

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
}

/// All searches of a check.
pub(crate) struct Decided {
    pub(crate) runs: Vec<Run>,
    pub(crate) found: Vec<Found>,
    /// The initial values of the program fail: nothing could be searched.
    pub(crate) stillborn: Option<Failure>,
}

/// Why a program cannot be searched as asked.
#[derive(Debug)]
pub(crate) enum Refused {
    Plan(Refusal),
    Labelled,
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
    let deadline = options.time.map(|time| host.seconds() + time);
    let mut watch = Timed { host, deadline };
    let mut decided = Decided { runs: Vec::new(), found: Vec::new(), stillborn: None };
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
    if decided.runs.last().is_some_and(|run| run.uncounted) && decided.found.is_empty() {
        decided.show_uncounted(program, options, &mut watch)?;
    }
    Ok(decided)
}

/// Out of time or patience: a further search would only end likewise.
fn ended_early(outcome: &Outcome) -> bool {
    outcome.why_incomplete.iter().any(|why| {
        matches!(why, search::Why::Time | search::Why::Interrupted | search::Why::Memory)
    })
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
    /// ordinary search finds the first of them.
    fn show_uncounted(
        &mut self,
        program: &Program,
        options: &Options,
        watch: &mut Timed<'_>,
    ) -> Result<(), Refused> {
        let plain = Options { spin_counts: false, all_errors: false, ..options.clone() };
        if let Ok((run, found)) = search(program, plain.program_rules(), &plain, watch)? {
            self.absorb(run, found);
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
            right && run.outcome.complete() && !run.cut()
        })
    }
}

impl Run {
    fn cut(&self) -> bool {
        let ends =
            |finding: &Finding| matches!(finding.kind, FindingKind::Landing(Landing::Violation(_)));
        self.outcome.findings.iter().any(ends)
    }
}

type Searched = Result<(Run, Vec<Found>), Failure>;

/// Searches, again with wider states or longer numbers when the program turns
/// out to need them.
fn search(
    program: &Program,
    mut rules: Rules,
    options: &Options,
    watch: &mut Timed<'_>,
) -> Result<Searched, Refusal> {
    let mut width = 0;
    loop {
        let tried = match execute(program, rules, width, options, watch)? {
            Ok(tried) => tried,
            Err(failure) => return Ok(Err(failure)),
        };
        match tried {
            Tried::Again { wide, wider } => {
                rules.wide |= wide;
                width = wider;
            }
            Tried::Done(run, found) => return Ok(Ok((*run, found))),
        }
    }
}

/// What came of a search.
enum Tried {
    /// It has to be repeated, with longer numbers or wider states.
    Again {
        wide: bool,
        wider: usize,
    },
    Done(Box<Run>, Vec<Found>),
}

/// One search by the closures, or by the interpreter where the user asks for it or
/// the program holds something the closures do not do.
fn execute(
    program: &Program,
    rules: Rules,
    width: usize,
    options: &Options,
    watch: &mut Timed<'_>,
) -> Result<Result<Tried, Failure>, Refusal> {
    if options.engine == Engine::Closures {
        match engine::program::compile(program, rules, width) {
            Ok(system) => return search_on(&system, rules, width, options, watch).map(Ok),
            Err(engine::program::Refused::Failure(failure)) => return Ok(Err(failure)),
            Err(engine::program::Refused::Unsupported(_)) => {}
        }
    }
    match Followed::new(program, rules, width) {
        Ok(system) => search_on(&system, rules, width, options, watch).map(Ok),
        Err(failure) => Ok(Err(failure)),
    }
}

fn search_on<S: Executor>(
    system: &S,
    rules: Rules,
    width: usize,
    options: &Options,
    watch: &mut Timed<'_>,
) -> Result<Tried, Refusal> {
    let request = options.request();
    let mut room = Room { system, watch };
    let outcome = search::run(system, &Plan::new(&request)?, &mut room);
    if system.needs_long_numbers() && !rules.wide {
        return Ok(Tried::Again { wide: true, wider: width });
    }
    if system.is_too_narrow() {
        return Ok(Tried::Again { wide: false, wider: system.width() * 2 });
    }
    let found = shortened(system, &request, options, &outcome, watch);
    let (executed, uncounted) = (system.executed(), system.met_uncounted_error());
    Ok(Tried::Done(Box::new(Run { claim: None, rules, outcome, executed, uncounted }), found))
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
}

/// The findings, with shortest trails where a budgeted search gives them.
fn shortened<S: Executor>(
    system: &S,
    request: &Request,
    options: &Options,
    outcome: &Outcome,
    watch: &mut Timed<'_>,
) -> Vec<Found> {
    let shortest = request.order == search::Order::BreadthFirst;
    let found: Vec<Found> = outcome.findings.iter().map(|f| found(f, shortest)).collect();
    let [first] = found.as_slice() else { return found };
    if !options.shortens() || options.all_errors {
        return found;
    }
    let wanted = first.requirement;
    let is_error = |kind: FindingKind| kind != FindingKind::Rest(Rest::Residual);
    let mut accept = |candidate: &Candidate<'_>| {
        is_error(candidate.kind) && requirement(candidate.kind) == wanted
    };
    let budget = Request { states_max: Some(options.shorten_budget), ..*request };
    match search::shortest(system, &budget, &mut accept, watch) {
        Shortest::Found(finding) => vec![self::found(&finding, true)],
        Shortest::NotWithinBudget | Shortest::Nowhere => found,
    }
}

fn found(finding: &Finding, shortest: bool) -> Found {
    let requirement = requirement(finding.kind);
    Found { requirement, trail: finding.trail.clone(), shortest, run: 0 }
}

fn requirement(kind: FindingKind) -> Requirement {
    let breach =
        |number: u32| Requirement::Breach(Breach::from_number(number).unwrap_or(Breach::Reference));
    match kind {
        FindingKind::Landing(Landing::Violation(number) | Landing::Noted(number))
        | FindingKind::Rest(Rest::Violation(number)) => breach(number),
        FindingKind::Landing(Landing::Fault | Landing::State) => {
            Requirement::Breach(Breach::DivisionByZero)
        }
        FindingKind::Rest(Rest::UnspecifiedReception) => Requirement::MessagesLeft,
        FindingKind::Rest(_) => Requirement::Deadlock,
    }
}
