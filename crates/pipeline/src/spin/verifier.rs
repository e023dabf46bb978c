//! A verification as SPIN's verifier makes it: one search, with one claim or none,
//! depth first in its order, counted as it counts without its reductions.

use super::SpinModel;
use crate::decide::{Found, Searched, search};
use crate::host::Timed;
use crate::subject::{Pass, Promela, Subject, Unsearchable};
use crate::workflow::Workflow;
use crate::{Host, Options, Search, Usage};
use program::reference::{self, Failure, Rules};
use program::{ClaimKind, Program};
use report::spin::{Figures, Summary, failure_text, failure_words, is_fatal};
use search::Why;
use trace::spin::{EdgeRun, Meaning, Trail, Until, Wrong, retrace};
use trace::{Kind, Requirement};

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
    /// The verifier gives up behind it, whatever it was told.
    pub ends: bool,
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
///
/// # Errors
/// A claim that there is not, or options that cannot be served.
pub fn verify(
    model: SpinModel<'_>,
    asked: &Verification,
    host: &mut dyn Host,
) -> Result<Verified, Usage> {
    let program = &model.promela.program;
    let claim = chosen(program, asked)?;
    let start = host.seconds();
    let pass = pass(claim, asked, host);
    let Some((searched, counted)) = searched(model, pass, asked, host)? else {
        return Ok(initial_failure(program));
    };
    let mut internal_error = None;
    let mut errors = Vec::new();
    for counted in &counted {
        match spin_error(model, counted) {
            Ok(error) => errors.push(error),
            Err(fault) => internal_error = internal_error.or(Some(fault)),
        }
    }
    let outcome = &searched.outcome;
    if outcome.why_incomplete.contains(&Why::Depth) && asked.depth_is_error {
        let message = "max search depth too small".to_owned();
        errors.push(SpinError { message, depth: 0, trail: None, ends: false });
    }
    let (seconds, peak_bytes) = (host.seconds() - start, host.peak_rss_bytes());
    let figures = figures(&searched, &errors, seconds, peak_bytes);
    let summary = summary(model, asked, claim, &searched, &errors, figures);
    let (open, complete) = (open(program, asked, claim), outcome.complete());
    Ok(Verified { summary, errors, open, complete, internal_error })
}

/// An error and the rules it was found under.
struct Counted {
    found: Found,
    rules: Rules,
}

/// The search that is asked for.
fn pass(claim: Option<usize>, asked: &Verification, host: &dyn Host) -> Pass {
    let Meaning { lossy_sends, inner_unless_first, queues_empty } = asked.meaning;
    let options = Options {
        // An error that does not count must not end the search.
        all_errors: asked.errors == Errors::All
            || asked.ignore_assertions
            || asked.ignore_end_states,
        plain: true,
        lossy: lossy_sends,
        inner_unless: inner_unless_first,
        queues_empty,
        memory: asked.options.memory.or(host.memory_bytes_max()),
        ..asked.options.clone()
    };
    Pass { spin_counts: true, ..Promela::pass(claim, &options) }
}

/// The search and the errors that count; none if the initial values of the model fail.
fn searched<'a>(
    model: SpinModel<'a>,
    pass: Pass,
    asked: &Verification,
    host: &mut dyn Host,
) -> Result<Option<(Searched<'a>, Vec<Counted>)>, Usage> {
    let mut watch = Timed::new(host, pass.options.time);
    let ordinary = Pass { spin_counts: false, ..pass.clone() };
    let Some((searched, found)) = one(model.promela, pass, &mut watch)? else { return Ok(None) };
    let known: Vec<Requirement> = found.iter().map(|found| found.requirement).collect();
    let rules = rules(model, &searched);
    let mut all: Vec<Counted> = found.into_iter().map(|found| Counted { found, rules }).collect();
    if searched.uncounted {
        // SPIN's way of counting leaves these errors out; no verdict may rest on it.
        let again = one(model.promela, ordinary, &mut watch)?;
        let Some((again, mut more)) = again else { return Ok(None) };
        let rules = self::rules(model, &again);
        more.retain(|found| !known.contains(&found.requirement));
        all.extend(more.into_iter().map(|found| Counted { found, rules }));
        if !is_breadth_first(&asked.options) {
            all.sort_by_cached_key(|counted| order(&counted.found));
        }
    }
    all.retain(|counted| counts(&counted.found, asked));
    if asked.errors == Errors::First {
        all.truncate(1);
    }
    Ok(Some((searched, all)))
}

/// The rules of a search, with longer numbers where it turned out to need them.
fn rules(model: SpinModel<'_>, searched: &Searched<'_>) -> Rules {
    let run = searched.form.run(model.listed.sources);
    let wide = run.is_ok_and(|run| run.rules().wide);
    Rules { wide, ..model.promela.rules(&searched.pass) }
}

/// One search; none if the initial values of the model fail.
fn one<'a>(
    promela: &'a Promela,
    pass: Pass,
    watch: &mut Timed<'_>,
) -> Result<Option<(Searched<'a>, Vec<Found>)>, Usage> {
    let form = promela.form(&pass);
    let workflow = Workflow::new(&pass.options, form.size());
    match search(promela, form, pass, &workflow, watch) {
        Ok(searched) => Ok(Some(searched)),
        Err(Unsearchable::InitialFailure) => Ok(None),
        Err(Unsearchable::Refused(why)) => Err(Usage(why)),
    }
}

fn figures(searched: &Searched<'_>, errors: &[SpinError], seconds: f64, peak: u64) -> Figures {
    let statistics = &searched.outcome.statistics;
    Figures {
        states: statistics.states,
        matched: statistics.matched,
        transitions: statistics.transitions,
        // A step that fails is no step of the search, but one of the path.
        depth: errors.iter().map(|error| error.depth).fold(statistics.depth, u64::max),
        state_bytes: searched.state_bytes,
        store_bytes: statistics.store_bytes,
        peak_bytes: peak,
        seconds,
    }
}

fn summary(
    model: SpinModel<'_>,
    asked: &Verification,
    claim: Option<usize>,
    searched: &Searched<'_>,
    errors: &[SpinError],
    figures: Figures,
) -> String {
    let outcome = &searched.outcome;
    let stops = asked.errors == Errors::First && !errors.is_empty();
    let lists = outcome.complete() && errors.is_empty() && !asked.no_unreached;
    let limits = outcome.why_incomplete.iter().filter_map(|why| match why {
        Why::Depth => Some("error: max search depth too small"),
        Why::Memory => Some("pan: reached the memory limit"),
        Why::Time => Some("pan: reached the time limit"),
        Why::Interrupted => Some("Interrupted"),
        _ => None,
    });
    report::spin::summary(&Summary {
        model: model.listed,
        claim,
        product: claim.and_then(|index| model.promela.automaton(index)),
        breadth_first: is_breadth_first(&asked.options),
        stopped: stops || errors.iter().any(|error| error.ends) || !outcome.complete(),
        ignore_assertions: asked.ignore_assertions,
        ignore_end_states: asked.ignore_end_states,
        cycles: asked.cycles.is_some(),
        errors: errors.len(),
        figures,
        limits: limits.collect(),
        executed: lists.then_some(&searched.executed),
    })
}

/// By this a search that goes into the depth meets errors. A state is found to be stuck
/// when everything else was tried there.
fn order(found: &Found) -> Vec<u32> {
    let stuck = matches!(found.requirement.kind, Kind::Deadlock | Kind::Residual);
    let trail = found.trail.as_deref().unwrap_or_default();
    trail.iter().map(|step| step.choice).chain(stuck.then_some(u32::MAX)).collect()
}

/// Initial values that fail end everything before it begins.
fn initial_failure(program: &Program) -> Verified {
    let failure = reference::initial(program, &Rules::default()).err();
    let words = failure.map_or_else(String::new, |failure| failure_words(program, &failure));
    let message = format!("{words} (at depth 0)");
    Verified {
        errors: vec![SpinError { message, depth: 0, trail: None, ends: true }],
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

fn counts(found: &Found, asked: &Verification) -> bool {
    match found.requirement.kind {
        Kind::Assertion => !asked.ignore_assertions,
        Kind::Deadlock => !asked.ignore_end_states,
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
fn spin_error(model: SpinModel<'_>, counted: &Counted) -> Result<SpinError, String> {
    let (program, listing) = (&model.promela.program, &model.promela.listing);
    let Counted { found, rules } = counted;
    let trail = found.trail.as_ref().map_err(|mismatch| mismatch.to_string())?;
    let until = match found.requirement.kind {
        Kind::Claim => Until::ClaimEnd,
        Kind::Deadlock | Kind::Residual => Until::End,
        _ => Until::Failure,
    };
    let run = retrace(program, listing, *rules, trail, until).map_err(|m| m.to_string())?;
    let (text, before) = match found.requirement.kind {
        Kind::Deadlock => ("invalid end state".to_owned(), 1),
        Kind::Residual => ("queues not empty at valid end state".to_owned(), 1),
        Kind::Claim => ("end state in claim reached".to_owned(), 0),
        _ => match failed(&run) {
            Some(failure) => (failure_text(model.listed, failure), 1),
            None if run.problem(program) == Some(Wrong::TraceUnfinished) => {
                ("event_trace not completed".to_owned(), 1)
            }
            None => return Err("the run ends without an error".to_owned()),
        },
    };
    let depth = run.depth() as i64 - before;
    Ok(SpinError {
        message: format!("{text} (at depth {depth})"),
        depth: depth.max(0) as u64,
        trail: run.trail(listing),
        ends: failed(&run).is_some_and(|failure| is_fatal(&failure.problem)),
    })
}

fn failed(run: &EdgeRun) -> Option<&Failure> {
    run.steps.last().and_then(|step| step.made.failures.last())
}

/// The order of the verifier that these options ask for.
fn is_breadth_first(options: &Options) -> bool {
    options.search == Search::Bfs
}
