//! `argos backward`: from potential errors back to the initial state, and the forward
//! search of the same question beside it.

use crate::assemble::{self, Facts};
use crate::front::Subject;
use crate::host::Timed;
use crate::{Host, Loaded, Options, Source, Usage, front};
use ::backward::{
    Decision, Limits, Net, Scope, Suspect, Target, Tricks, Unfit, Verdict, decide, decide_target,
};
use base::{Diagnostic, SourceMap};
use program::reference::Rules;
use report::{Backward, Language, Report, Seconds, Setting};
use search::Outcome;
use trace::Scenario;

mod argos;
mod assembled;
mod forward;
mod promela;

/// What is asked of a backward execution, beside the options of every command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BackwardAsked {
    /// Look for this instead of errors.
    pub target: Option<String>,
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
            (None, report::Verdict::Holds) => 0,
            (None, report::Verdict::Violated) => 1,
            (None, report::Verdict::Error) => 3,
            (None, report::Verdict::Incomplete) => 4,
        }
    }
}

/// What is executed backwards.
enum Ground {
    Argos(argos::Described),
    Promela(promela::Described),
}

/// All that was decided, with what it was decided on.
struct Hunted {
    ground: Ground,
    target: Option<Target>,
    decisions: Vec<Decision>,
    too_many: bool,
    /// Claims by the method of 1984, if asked for; nothing where there were too many.
    compared: Option<Vec<Option<u64>>>,
    forward: Outcome,
    forward_seconds: f64,
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
    if source.language == Language::Promela && options.program_rules() != Rules::default() {
        return Err(irreversible());
    }
    let start = host.seconds();
    let mut loaded = front::load(source, options, host);
    let parsed = host.seconds();
    // Places of a target are those of the text: machines stay as they are written.
    let raw = Options { no_minimise: true, ..options.clone() };
    let options = if asked.target.is_some() { &raw } else { options };
    let ground = loaded.subject.as_ref().map(|subject| Ground::new(subject, options));
    let hunted = match ground {
        Some(Ok(ground)) => Some(hunt(ground, options, asked, host)?),
        Some(Err(unfit)) => {
            loaded.diagnostics.push(promela::refusal(&unfit));
            None
        }
        None => None,
    };
    let now = host.seconds();
    let seconds = Seconds {
        parse: parsed - start,
        search: now - parsed,
        total: now - start,
        ..Seconds::default()
    };
    let facts = Facts { source, options, command, seconds, peak_rss: host.peak_rss_bytes() };
    let (backward, internal_error) = match &hunted {
        Some(hunted) => assembled::report(&facts, &loaded, asked, hunted),
        None => (assembled::refused(assemble::refused(&facts, &loaded)), None),
    };
    let Loaded { sources, diagnostics, .. } = loaded;
    Ok(Backwarded { backward, diagnostics, sources, internal_error })
}

fn irreversible() -> Usage {
    let words = "--spin-counts, --lossy, --queues-empty and --inner-unless change what a program \
                 does, and have no reversed form here; use argos check";
    Usage(words.to_owned())
}

fn hunt(
    ground: Ground,
    options: &Options,
    asked: &BackwardAsked,
    host: &mut dyn Host,
) -> Result<Hunted, Usage> {
    let net = ground.net();
    let target = asked.target.as_ref().map(|text| ::backward::parse_target(text, net));
    let target = target.transpose().map_err(|error| Usage(format!("--target: {error}")))?;
    let memory = options.memory.or(host.memory_bytes_max());
    let limits = Limits { depth: options.depth, states: asked.states, memory };
    let mut watch = Timed::new(host, options.time);
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
    let start = watch.host.seconds();
    // The comparison has as much time as what it is compared with.
    watch.deadline = options.time.map(|time| start + time);
    let plan = forward::plan(target.is_some(), asked.forward_states, memory);
    let forward = match &ground {
        Ground::Argos(argos) => argos.search(target.as_ref(), &plan, &mut watch),
        Ground::Promela(promela) => promela.search(target.as_ref(), &plan, &mut watch),
    };
    let forward_seconds = watch.host.seconds() - start;
    Ok(Hunted { ground, target, decisions, too_many, compared, forward, forward_seconds })
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

impl Ground {
    fn new(subject: &Subject, options: &Options) -> Result<Self, Unfit> {
        Ok(match subject {
            Subject::Model(model) => Self::Argos(argos::Described::new(model, options)),
            Subject::Program(program) => Self::Promela(promela::Described::new(program)?),
        })
    }

    fn net(&self) -> &Net {
        match self {
            Ground::Argos(argos) => &argos.net,
            Ground::Promela(promela) => &promela.lowered.net,
        }
    }
}

impl Hunted {
    /// Whether a run found backwards leads, forwards, into what it was found for.
    fn confirmed(&self, decision: &Decision) -> bool {
        let target = self.target.as_ref();
        match &self.ground {
            Ground::Argos(argos) => argos.confirmed(decision, target),
            Ground::Promela(promela) => promela.confirmed(decision, target),
        }
    }

    /// The run to a reachable candidate.
    fn scenario(&self, decision: &Decision, loaded: &Loaded) -> Option<Scenario> {
        if decision.verdict != Verdict::Reachable {
            return None;
        }
        match &self.ground {
            Ground::Argos(argos) => argos.scenario(decision, loaded),
            Ground::Promela(promela) => promela.scenario(decision, loaded),
        }
    }

    /// The report of a check that found what was found backwards, our own fault if there is
    /// one, and what is assumed.
    fn reported(&self, facts: &Facts<'_>, loaded: &Loaded) -> (Report, Option<String>, Setting) {
        match &self.ground {
            Ground::Argos(argos) => {
                let decided = argos.decided(&self.decisions, &self.forward);
                let (report, fault) = assemble::searched(facts, loaded, &argos.networks, &decided);
                let setting = assemble::full_setting(facts.options, loaded, &argos.networks);
                (report, fault, setting)
            }
            Ground::Promela(promela) => {
                let decided = promela.decided(&self.decisions, &self.forward, facts.options);
                let (report, fault) = promela.reported(facts, loaded, &decided);
                (report, fault, assemble::bare_setting(facts.options))
            }
        }
    }
}
