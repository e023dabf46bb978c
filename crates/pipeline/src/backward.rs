//! `argos backward`: from potential errors back to the initial state, and the forward
//! search of the same question beside it.

use crate::assemble::{self, Facts};
use crate::decide::search;
use crate::host::{Timed, why};
use crate::stage::Stage;
use crate::subject::{Form, Pass, Reversible, Unreversible, Unsearchable};
use crate::workflow::Workflow;
use crate::{Host, Loaded, Options, Source, Usage, load};
use ::backward::{
    Decision, Limits, Scope, Suspect, Target, Tricks, Verdict, decide, decide_target,
};
use base::{Diagnostic, SourceMap};
use report::{Backward, Seconds};
use search::{Order, Outcome, Plan, Request, Stop};

mod assembled;

/// What is asked of a backward execution, beside the options of every command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BackwardAsked {
    /// Which errors are looked for.
    pub scope: Scope,
    /// What is done beyond the method of 1984.
    pub tricks: Tricks,
    /// Claims looked at for one candidate, at most.
    pub states: Option<u64>,
    /// Also count what the method of 1984 looks at.
    pub compare: bool,
    /// States of the forward search beside it, at most.
    pub forward_states: u64,
}

/// The comparison with 1984 ends for a candidate after so many claims.
const COMPARED_STATES_MAX: u64 = 20_000;

/// The result.
#[derive(Clone, Debug)]
pub struct Backwarded {
    /// Everything that was found out.
    pub backward: Backward,
    /// Errors and warnings of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// What those point into.
    pub sources: SourceMap,
    /// A run that could not be executed again: our fault.
    pub internal_error: Option<String>,
}

impl Backwarded {
    /// The exit code of the contract.
    pub fn exit_code(&self) -> u8 {
        match (&self.internal_error, self.backward.report.verdict) {
            (Some(_), _) => 5,
            (
                None,
                report::Verdict::Holds | report::Verdict::Possible | report::Verdict::Impossible,
            ) => 0,
            (None, report::Verdict::Violated) => 1,
            (None, report::Verdict::Error) => 3,
            (None, report::Verdict::Incomplete) => 4,
        }
    }
}

/// What is known of a backward execution whose result nobody can wait for any longer: nothing,
/// except that it began so many seconds ago.
pub fn unfinished_backward(
    source: Source<'_>,
    options: &Options,
    command: &str,
    (ended, seconds): (Stop, f64),
) -> Backwarded {
    let seconds = Seconds { total: seconds, ..Seconds::default() };
    let facts = Facts { source, options, command, seconds, peak_rss: 0, ahead: None };
    Backwarded {
        backward: assembled::refused(assemble::unfinished(&facts, why(ended), &[])),
        diagnostics: Vec::new(),
        sources: SourceMap::default(),
        internal_error: None,
    }
}

/// All that was decided about a model, and the forward search of the same question.
struct Hunted<'a> {
    model: &'a dyn Reversible,
    /// What is searched forwards and executes runs again.
    form: Box<dyn Form + 'a>,
    pass: Pass,
    target: Option<Target>,
    decisions: Vec<Decision>,
    too_many: bool,
    /// Claims by the method of 1984, if asked for; nothing where there were too many.
    compared: Option<Vec<Option<u64>>>,
    forward: Forward,
}

/// The forward search.
struct Forward {
    outcome: Outcome,
    /// Which edges of each machine it executed.
    executed: Option<Vec<Vec<bool>>>,
    seconds: f64,
}

/// Executes a model backwards. `command` is what the user typed, for the report.
///
/// # Errors
/// A model or a target that cannot be served.
pub fn backward(
    source: Source<'_>,
    options: &Options,
    asked: &BackwardAsked,
    command: &str,
    host: &mut dyn Host,
) -> Result<Backwarded, Usage> {
    if let Some(option) = options.misplaced(source.language) {
        return Err(Usage::foreign(option, source.language));
    }
    // Places of a target are those of the text: machines stay as they are written.
    let raw = Options { no_minimise: true, ..options.clone() };
    let options = if options.target.is_some() { &raw } else { options };
    let start = host.seconds();
    let mut loaded = load(source, options, host);
    let parsed = host.seconds();
    let model = match loaded.subject.as_ref().map(|subject| subject.reversible(options)) {
        Some(Ok(model)) => Some(model),
        Some(Err(Unreversible::Usage(usage))) => return Err(usage),
        Some(Err(Unreversible::Construct(refusal))) => {
            loaded.diagnostics.push(refusal);
            None
        }
        None => None,
    };
    let model = model.and_then(|model| match model.target().transpose() {
        Ok(target) => Some((model, target)),
        Err(refusal) => {
            loaded.diagnostics.push(refusal);
            None
        }
    });
    let hunted = model.as_ref().map(|(model, target)| {
        let target = target.clone();
        hunt(&**model, target, options, asked, (start, host))
    });
    let hunted = hunted.transpose()?;
    let now = host.seconds();
    let seconds = Seconds {
        parse: parsed - start,
        search: now - parsed,
        total: now - start,
        ..Seconds::default()
    };
    let facts =
        Facts { source, options, command, seconds, peak_rss: host.peak_rss_bytes(), ahead: None };
    let (backward, internal_error) = match &hunted {
        Some(hunted) => assembled::report(&facts, &loaded, asked, hunted),
        None => (assembled::refused(assemble::refused(&facts, &loaded)), None),
    };
    drop(hunted);
    let Loaded { sources, diagnostics, .. } = loaded;
    Ok(Backwarded { backward, diagnostics, sources, internal_error })
}

fn hunt<'a>(
    model: &'a dyn Reversible,
    target: Option<Target>,
    options: &Options,
    asked: &BackwardAsked,
    (start, host): (f64, &mut dyn Host),
) -> Result<Hunted<'a>, Usage> {
    let net = model.net();
    let memory = options.memory.or(host.memory_bytes_max());
    let limits = Limits { depth: options.depth, states: asked.states, memory };
    let mut watch = Timed::since(start, host, options.time);
    let mut decided = |tricks, limits| match &target {
        None => {
            let decided = decide(net, asked.scope, tricks, limits, &mut watch);
            (decided.decisions, decided.too_many)
        }
        Some(target) => (vec![decide_target(net, target, tricks, limits, &mut watch)], false),
    };
    let (decisions, too_many) = decided(asked.tricks, limits);
    let compared = asked.compare.then(|| {
        let limits = Limits { states: Some(COMPARED_STATES_MAX), ..limits };
        compared(&decisions, &decided(Tricks::NONE, limits).0)
    });
    let pass = Pass::unwatched(&Options { plain: true, memory, ..options.clone() });
    let forward = forward(model, &pass, target.as_ref(), asked.forward_states, &mut watch)?;
    let form = model.subject().form(&pass);
    Ok(Hunted { model, form, pass, target, decisions, too_many, compared, forward })
}

/// Searches forwards, breadth first, for all errors, or for the way to the target.
fn forward(
    model: &dyn Reversible,
    pass: &Pass,
    target: Option<&Target>,
    states: u64,
    watch: &mut Timed<'_>,
) -> Result<Forward, Usage> {
    let start = watch.host.seconds();
    let request = Request {
        order: Order::BreadthFirst,
        all_errors: target.is_none(),
        states_max: Some(states),
        memory_bytes_max: pass.options.memory,
        ..Request::default()
    };
    let plan = Plan::new(&request).expect("breadth first with all states is sound");
    let sought = target.and_then(|target| model.seek(target, &plan, watch));
    let (outcome, executed) = match sought {
        Some(outcome) => (outcome, None),
        None => {
            let (subject, pass) = (model.subject(), pass.clone());
            let workflow = Workflow::only(Stage { request, ..Stage::whole(&pass.options) });
            let searched = search(subject, subject.form(&pass), pass, &workflow, watch);
            let (searched, _) = searched.map_err(|unsearchable| match unsearchable {
                Unsearchable::Refused(why) => Usage(why),
                Unsearchable::InitialFailure => Usage("the initial values fail".to_owned()),
            })?;
            (searched.outcome, Some(searched.executed))
        }
    };
    Ok(Forward { outcome, executed, seconds: watch.host.seconds() - start })
}

/// What the method of 1984 looks at for each candidate; it knows more candidates,
/// those that an invariant rules out beforehand.
fn compared(decisions: &[Decision], old: &[Decision]) -> Vec<Option<u64>> {
    let find = |suspect: &Suspect| old.iter().find(|decision| decision.suspect == *suspect);
    let known = |decision: &&Decision| decision.verdict != Verdict::Bound;
    decisions
        .iter()
        .map(|decision| find(&decision.suspect).filter(known).map(|decision| decision.states))
        .collect()
}
