//! A verification as SPIN's verifier makes it: one search for errors, with one claim or none,
//! depth first in its order, counted as it counts without its reductions; and the searches for
//! infinite runs, those that do not reach far before it.

use super::SpinModel;
use super::infinite::{Aim, Cycles, Look};
use super::made::Made;
use crate::cycles::Reach;
use crate::decide::{Found, Searched, search};
use crate::host::Timed;
use crate::subject::{Pass, Promela, Subject, Unsearchable};
use crate::workflow::Workflow;
use crate::{Host, Options, Search, Usage};
use program::Program;
use program::reference::{self, Failure, Rules};
use report::spin::{failure_text, failure_words, is_fatal};
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
    /// Which cycles are looked for.
    pub cycles: Cycles,
    /// `-f`: only weakly fair runs count.
    pub fair: bool,
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
    /// The claim in use, if there are several.
    pub claim: Option<String>,
    /// What the verifier prints for each error.
    pub errors: Vec<SpinError>,
    /// Everything behind the errors.
    pub summary: String,
    /// What was not decided, though it was asked for, in words.
    pub open: Vec<String>,
    /// What else is to be known of the answer.
    pub notes: Vec<String>,
    /// Every state was seen.
    pub complete: bool,
    /// Our own fault, if there is one.
    pub internal_error: Option<String>,
}

/// An error and the way to it.
#[derive(Clone, Debug, Default)]
pub struct SpinError {
    /// `assertion violated (x==1) (at depth 3)`
    pub message: String,
    /// The depth in it.
    pub depth: u64,
    /// The way to it, if SPIN's numbers for the statements are known.
    pub trail: Option<Trail>,
    /// It is an infinite run that a claim accepts, and the trail has no moves of the claim.
    pub is_without_claim: bool,
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
    let aim = Aim::new(model, asked)?;
    let start = host.seconds();
    let pass = pass(model, (asked, aim), host);
    let mut watch = Timed::new(host, pass.options.time);
    let mut look = aim.infinite.map(|infinite| Look::new(model, infinite, &pass.options, asked));
    for reach in [Reach::Near, Reach::Deep] {
        look.as_mut().map_or(Ok(()), |look| look.at(reach, &mut watch))?;
    }
    let stops = asked.errors == Errors::First;
    let mut made = Made { model, asked, aim, look, safety: None, errors: Vec::new(), fault: None };
    if !(stops && made.is_violated()) {
        let Some((searched, counted)) = searched(model, pass, (asked, aim), &mut watch)? else {
            return Ok(initial_failure(&model.promela.program));
        };
        for counted in &counted {
            made.add(spin_error(model, counted).map(Some));
        }
        made.searched(searched);
    }
    if !stops || made.errors.is_empty() {
        made.look.as_mut().map_or(Ok(()), |look| look.at(Reach::All, &mut watch))?;
        made.add_cycle();
    }
    let time = (host.seconds() - start, host.peak_rss_bytes());
    Ok(made.verified(time))
}

/// An error and the rules it was found under.
struct Counted {
    found: Found,
    rules: Rules,
}

/// The search that is asked for.
fn pass(model: SpinModel<'_>, (asked, aim): (&Verification, Aim), host: &dyn Host) -> Pass {
    let Meaning { lossy_sends, inner_unless_first, queues_empty } = asked.meaning;
    let options = Options {
        // An error that does not count must not end the search.
        all_errors: asked.errors == Errors::All
            || asked.ignore_assertions
            || asked.ignore_end_states
            || aim.drops_ends(model),
        plain: true,
        lossy: lossy_sends,
        inner_unless: inner_unless_first,
        queues_empty,
        memory: asked.options.memory.or(host.memory_bytes_max()),
        ..asked.options.clone()
    };
    Pass { spin_counts: true, ..Promela::pass(aim.claim, &options) }
}

/// The search and the errors that count; none if the initial values of the model fail.
fn searched<'a>(
    model: SpinModel<'a>,
    pass: Pass,
    (asked, aim): (&Verification, Aim),
    watch: &mut Timed<'_>,
) -> Result<Option<(Searched<'a>, Vec<Counted>)>, Usage> {
    let ordinary = Pass { spin_counts: false, ..pass.clone() };
    let Some((searched, found)) = one(model.promela, pass, watch)? else { return Ok(None) };
    let known: Vec<Requirement> = found.iter().map(|found| found.requirement).collect();
    let rules = rules(model, &searched);
    let mut all: Vec<Counted> = found.into_iter().map(|found| Counted { found, rules }).collect();
    if searched.uncounted {
        // SPIN's way of counting leaves these errors out; no verdict may rest on it.
        let again = one(model.promela, ordinary, watch)?;
        let Some((again, mut more)) = again else { return Ok(None) };
        let rules = self::rules(model, &again);
        more.retain(|found| !known.contains(&found.requirement));
        all.extend(more.into_iter().map(|found| Counted { found, rules }));
        if !is_breadth_first(&asked.options) {
            all.sort_by_cached_key(|counted| order(&counted.found));
        }
    }
    let ends_count = !asked.ignore_end_states && !aim.drops_ends(model);
    all.retain(|counted| match counted.found.requirement.kind {
        Kind::Assertion => !asked.ignore_assertions,
        Kind::Deadlock => ends_count,
        _ => true,
    });
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
        claim: None,
        errors: vec![SpinError { message, ends: true, ..SpinError::default() }],
        summary: String::new(),
        open: Vec::new(),
        notes: Vec::new(),
        complete: false,
        internal_error: None,
    }
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
        is_without_claim: false,
        ends: failed(&run).is_some_and(|failure| is_fatal(&failure.problem)),
    })
}

fn failed(run: &EdgeRun) -> Option<&Failure> {
    run.steps.last().and_then(|step| step.made.failures.last())
}

/// The order of the verifier that these options ask for.
pub(super) fn is_breadth_first(options: &Options) -> bool {
    options.search == Search::Bfs
}
