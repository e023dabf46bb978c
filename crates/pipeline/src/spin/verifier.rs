//! A verification as SPIN's verifier makes it: one search, with one claim or none,
//! depth first in its order, counted as it counts without its reductions.

use super::guide::{self, Run, Until, Wrong};
use super::meaning::Meaning;
use super::summary;
use super::trail::Trail;
use crate::host::Timed;
use crate::promela::{self, Found, Requirement, SearchRun};
use crate::{Host, Loaded, Options, Search, Usage};
use engine::program::Breach;
use program::reference::{Problem, Rules};
use program::{Action, ClaimKind, ProctypeId, Program};
use search::Why;

/// What is asked of a verification.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Verification {
    /// Limits, depth and the like; `search` is depth first or breadth first.
    pub options: Options,
    /// Leave all claims out.
    pub no_claim: bool,
    /// The claim to use; else the first of the text.
    pub claim: Option<String>,
    /// `-E`: invalid end states are no errors.
    pub ignore_end_states: bool,
    /// `-A`: assertions are no errors.
    pub ignore_assertions: bool,
    /// What the model means.
    pub meaning: Meaning,
    /// How many errors end the search.
    pub errors: Errors,
    /// `-n`: statements never executed are not listed.
    pub no_unreached: bool,
    /// A search for cycles was asked for, by this flag.
    pub cycles: Option<String>,
    /// `-b`: a cut at the depth limit is an error.
    pub depth_is_error: bool,
}

/// How many errors end a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Errors {
    /// The first one.
    #[default]
    First,
    /// None.
    All,
}

/// What came of a verification.
#[derive(Clone, Debug)]
pub struct Verified {
    /// What the verifier prints for each error.
    pub errors: Vec<SpinError>,
    /// Everything behind the errors.
    pub summary: String,
    /// What was not decided, though it was asked for, in words.
    pub open: Vec<String>,
    /// Every state was seen.
    pub complete: bool,
    /// Our own fault, if there is one.
    pub internal_error: Option<String>,
}

/// An error and the way to it.
#[derive(Clone, Debug)]
pub struct SpinError {
    /// `assertion violated (x==1) (at depth 3)`
    pub message: String,
    /// The depth in it.
    pub depth: u64,
    /// The way to it, if SPIN's numbers for the statements are known.
    pub trail: Option<Trail>,
}

impl Verified {
    /// The exit code of the contract.
    pub fn exit_code(&self) -> u8 {
        match (&self.internal_error, self.errors.is_empty()) {
            (Some(_), _) => 5,
            (None, false) => 1,
            (None, true) if self.complete && self.open.is_empty() => 0,
            (None, true) => 4,
        }
    }
}

/// Runs a verification.
pub fn verify(
    program: &Program,
    loaded: &Loaded,
    asked: &Verification,
    host: &mut dyn Host,
) -> Result<Verified, Usage> {
    let claim = chosen(program, asked)?;
    let start = host.seconds();
    let Some((run, found)) = searched(program, asked, claim, host)? else {
        let rules = asked.meaning.rules();
        let failure = program::reference::initial(program, &rules).err();
        return Ok(stillborn(failure.as_ref().map(|failure| &failure.problem)));
    };
    let mut internal_error = None;
    let mut errors = Vec::new();
    for (rules, found) in &found {
        match told(program, loaded, *rules, found) {
            Ok(error) => errors.push(error),
            Err(fault) => internal_error = internal_error.or(Some(fault)),
        }
    }
    let cut = run.outcome.why_incomplete.contains(&Why::Depth);
    if cut && asked.depth_is_error {
        let message = "max search depth too small".to_owned();
        errors.push(SpinError { message, depth: 0, trail: None });
    }
    let facts = summary::Facts {
        program,
        loaded,
        asked,
        claim,
        run: &run,
        errors: &errors,
        seconds: host.seconds() - start,
        peak: host.peak_rss_bytes(),
    };
    let (summary, complete) = (summary::text(&facts), run.outcome.complete());
    let open = open(program, asked, claim);
    Ok(Verified { summary, errors, open, complete, internal_error })
}

/// An error and the rules it was found under.
type Counted = (Rules, Found);

/// The search and the errors that count, each with the rules it was found under;
/// none if the initial values of the model fail.
fn searched(
    program: &Program,
    asked: &Verification,
    claim: Option<usize>,
    host: &mut dyn Host,
) -> Result<Option<(SearchRun, Vec<Counted>)>, Usage> {
    let rules = Rules {
        spin_counts: true,
        claim: claim.and_then(|index| automaton(program, index)),
        ..asked.meaning.rules()
    };
    // An error that does not count must not end the search.
    let all = asked.errors == Errors::All || asked.ignore_assertions || asked.ignore_end_states;
    let options = Options {
        all_errors: all,
        plain: true,
        memory: asked.options.memory.or(host.memory_bytes_max()),
        ..asked.options.clone()
    };
    let mut watch = Timed::new(host, options.time);
    let refused = |refusal: search::Refusal| Usage(refusal.to_string());
    let searched = promela::search(program, rules, &options, &mut watch).map_err(refused)?;
    let Ok((run, mut found)) = searched else { return Ok(None) };
    if run.uncounted && found.is_empty() {
        // SPIN's way of counting leaves these errors out; no verdict may rest on it.
        let plain = asked.meaning.rules();
        let again = promela::search(program, plain, &options, &mut watch).map_err(refused)?;
        let (again, more) = match again {
            Ok(searched) => searched,
            Err(_) => return Ok(None),
        };
        let more = more.into_iter().map(|found| (again.rules, found)).collect();
        return Ok(Some((run, more)));
    }
    found.retain(|found| counts(found, asked));
    if asked.errors == Errors::First {
        found.truncate(1);
    }
    let rules = run.rules;
    Ok(Some((run, found.into_iter().map(|found| (rules, found)).collect())))
}

/// Initial values that fail end everything before it begins.
fn stillborn(problem: Option<&Problem>) -> Verified {
    let words = problem.map_or_else(|| "the initial values fail".to_owned(), words);
    let message = format!("{words} (at depth 0)");
    Verified {
        errors: vec![SpinError { message, depth: 0, trail: None }],
        summary: String::new(),
        open: Vec::new(),
        complete: false,
        internal_error: None,
    }
}

/// The claim to search with: the one asked for, else the first.
fn chosen(program: &Program, asked: &Verification) -> Result<Option<usize>, Usage> {
    match &asked.claim {
        _ if asked.no_claim => Ok(None),
        None => Ok((!program.claims.is_empty()).then_some(0)),
        Some(name) => {
            let found = program.claims.iter().position(|claim| *claim.name == **name);
            let names: Vec<&str> = program.claims.iter().map(|claim| claim.name.as_str()).collect();
            let unknown = || match names.as_slice() {
                [] => Usage(format!("there is no claim `{name}`: the model has none")),
                _ => Usage(format!("there is no claim `{name}`; there are {}", names.join(", "))),
            };
            found.map(Some).ok_or_else(unknown)
        }
    }
}

fn automaton(program: &Program, claim: usize) -> Option<ProctypeId> {
    match program.claims[claim].kind {
        ClaimKind::Never(id) => Some(id),
        ClaimKind::Ltl(_) => None,
    }
}

fn counts(found: &Found, asked: &Verification) -> bool {
    match found.requirement {
        Requirement::Breach(Breach::Assertion) => !asked.ignore_assertions,
        Requirement::Deadlock => !asked.ignore_end_states,
        _ => true,
    }
}

/// What was asked for and is not decided.
fn open(program: &Program, asked: &Verification, claim: Option<usize>) -> Vec<String> {
    let mut open = Vec::new();
    if let Some(index) = claim {
        let claim = &program.claims[index];
        let accepting = match claim.kind {
            ClaimKind::Ltl(_) => {
                open.push(format!(
                    "ltl {} is not decided: formulas are not checked yet; this run was made \
                     without it (-noclaim leaves it out on purpose)",
                    claim.name
                ));
                false
            }
            ClaimKind::Never(id) => {
                program.proctypes[id].locations.iter().any(|location| location.marks.accept)
            }
        };
        if accepting {
            open.push(format!(
                "never claim {} has accept labels: whether it reaches its end was decided, \
                 acceptance cycles are not looked for yet",
                claim.name
            ));
        }
    }
    if let Some(flag) = &asked.cycles {
        open.push(format!("{flag} asks for cycles, which are not looked for yet"));
    }
    open
}

/// An error as the verifier words it, with its trail, executed again.
fn told(
    program: &Program,
    loaded: &Loaded,
    rules: Rules,
    found: &Found,
) -> Result<SpinError, String> {
    let trail = found.trail.as_ref().map_err(|mismatch| mismatch.to_string())?;
    let steps = promela::executed(program, &rules, trail).map_err(|m| m.to_string())?;
    let until = match found.requirement {
        Requirement::Claim(_) | Requirement::Breach(Breach::Claim) => Until::ClaimEnd,
        Requirement::Breach(_) => Until::Failure,
        Requirement::Deadlock | Requirement::MessagesLeft => Until::End,
    };
    let run = guide::retrace(program, &loaded.listing, rules, &steps, until)
        .ok_or_else(|| "its single edges cannot be executed again".to_owned())?;
    let lines = run.depth();
    let (text, before) = match &found.requirement {
        Requirement::Deadlock => ("invalid end state".to_owned(), 1),
        Requirement::MessagesLeft => ("queues not empty at valid end state".to_owned(), 1),
        Requirement::Claim(_) | Requirement::Breach(Breach::Claim) => {
            ("end state in claim reached".to_owned(), 0)
        }
        Requirement::Breach(_) => match failed(&run) {
            Some(problem) => (self::problem(program, loaded, &run, problem), 1),
            None if run.problem(program) == Some(Wrong::TraceUnfinished) => {
                ("event_trace not completed".to_owned(), 1)
            }
            None => return Err("the run ends without an error".to_owned()),
        },
    };
    let depth = lines as i64 - before;
    let message = format!("{text} (at depth {depth})");
    Ok(SpinError { message, depth: depth.max(0) as u64, trail: run.trail(&loaded.listing) })
}

fn failed(run: &Run) -> Option<&Problem> {
    run.steps.last().and_then(|step| step.made.failures.last()).map(|failure| &failure.problem)
}

fn problem(program: &Program, loaded: &Loaded, run: &Run, problem: &Problem) -> String {
    let step = run.steps.last();
    let statement = step.and_then(|step| {
        let edge = &program.proctypes[step.proctype].edges[step.made.edge];
        let listed = loaded.listing.statement(step.proctype, step.made.edge)?;
        matches!(edge.action, Action::Assert(_)).then_some(listed)
    });
    let condition = statement.and_then(|statement| {
        statement.text.strip_prefix("assert(").and_then(|text| text.strip_suffix(')'))
    });
    match (problem, condition) {
        (Problem::Assertion, Some(condition)) => format!("assertion violated {condition}"),
        _ => words(problem),
    }
}

fn words(problem: &Problem) -> String {
    match problem {
        Problem::Assertion => "assertion violated".to_owned(),
        Problem::Index { .. } => "assertion violated - invalid array index".to_owned(),
        Problem::DivisionByZero => "division by zero".to_owned(),
        Problem::UninitialisedChannel(name) => format!("uninitialized chan {name}"),
        Problem::DeadChannel(name) => format!("channel of a dead process: {name}"),
        Problem::PollOfRendezvous(name) => format!("poll of rendezvous {name}"),
        Problem::TooManyChannels => "too many channels".to_owned(),
        Problem::SendArity { .. } => "too few or too many fields in send".to_owned(),
        Problem::ReceiveArity { .. } => "too few or too many fields in receive".to_owned(),
        Problem::EndlessAtomic => "endless atomic sequence".to_owned(),
        Problem::EndlessDeterministic => "endless d_step".to_owned(),
        Problem::BlockedDeterministic => "block in d_step seq".to_owned(),
        Problem::RendezvousInDeterministic => "rendezvous in d_step seq".to_owned(),
        Problem::Nondeterminism => "non-determinism in D_proctype".to_owned(),
        Problem::NoMatchingEvent => "event_trace error (no matching event)".to_owned(),
        Problem::AmbiguousEvent => "event_trace error (more than one match)".to_owned(),
        Problem::AllEventsMatched => "event_trace error (all events matched)".to_owned(),
        Problem::ClaimEnd => "end state in claim reached".to_owned(),
        Problem::TooManyProcesses => "too many processes".to_owned(),
        Problem::EnabledOfSelf => "enabled() of the process itself".to_owned(),
        Problem::PriorityRange(value) => format!("invalid priority {value}"),
        Problem::RemoteReference(name) => format!("invalid remote reference {name}"),
    }
}

/// The order of the verifier that these options ask for.
pub(super) fn is_breadth_first(options: &Options) -> bool {
    options.search == Search::Bfs
}

/// The search of a verification, for its summary.
pub(super) type Searched = SearchRun;
