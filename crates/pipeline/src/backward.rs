//! `argos backward`: from potential errors back to the initial state, and the forward
//! search of the same question beside it.

use crate::assemble::{self, Facts};
use crate::decide::{Decided, Found, Length, Requirement, Run};
use crate::front::Subject;
use crate::host::Timed;
use crate::{Host, Loaded, Networks, Options, Source, Usage, front};
use ::backward::{
    Decision, Limits, Motion, Net, Scope, Suspect, Target, Tricks, Verdict, decide, decide_target,
    of_network, of_world,
};
use automata::Network;
use automata::reference::{self, Move, World};
use base::{Diagnostic, SourceMap};
use model::Model;
use report::{Backward, Language, Seconds};
use search::Outcome;

mod assembled;
mod forward;

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

/// All that was decided, with what it was decided on.
struct Hunted {
    networks: Networks,
    net: Net,
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
    if source.language == Language::Promela {
        return Err(promela());
    }
    if let Some(option) = options.misplaced(source.language) {
        return Err(Usage::foreign(option, source.language));
    }
    let start = host.seconds();
    let loaded = front::load(source, options, host);
    let parsed = host.seconds();
    // Places of a target are those of the text: machines stay as they are written.
    let raw = Options { no_minimise: true, ..options.clone() };
    let options = if asked.target.is_some() { &raw } else { options };
    let hunted = match &loaded.subject {
        Some(Subject::Model(model)) => Some(hunt(model, options, asked, host)?),
        _ => None,
    };
    let now = host.seconds();
    let seconds =
        Seconds { parse: parsed - start, compile: 0.0, search: now - parsed, total: now - start };
    let facts = Facts { source, options, command, seconds, peak_rss: host.peak_rss_bytes() };
    let (backward, internal_error) = match &hunted {
        Some(hunted) => assembled::report(&facts, &loaded, asked, hunted),
        None => (assembled::refused(assemble::refused(&facts, &loaded)), None),
    };
    let Loaded { sources, diagnostics, .. } = loaded;
    Ok(Backwarded { backward, diagnostics, sources, internal_error })
}

fn promela() -> Usage {
    Usage(
        "backward execution reads Argos models only. A PROMELA model may create processes, pass \
         channels and take atomic sequences as one step, and none of these has a reversed form \
         here; use argos check"
            .to_owned(),
    )
}

fn hunt(
    model: &Model,
    options: &Options,
    asked: &BackwardAsked,
    host: &mut dyn Host,
) -> Result<Hunted, Usage> {
    // Assertions play no part in this.
    let networks = Networks::new(model, options).keeping(&[]);
    let network = &networks.searched;
    let net = of_network(network);
    let target = asked.target.as_ref().map(|text| ::backward::parse_target(text, &net));
    let target = target.transpose().map_err(|error| Usage(format!("--target: {error}")))?;
    let memory = options.memory.or(host.memory_bytes_max());
    let limits = Limits { depth: options.depth, states: asked.states, memory };
    let mut watch = Timed::new(host, options.time);
    let mut decided = |tricks, limits| match &target {
        None => {
            let decided = decide(&net, asked.scope, tricks, limits, &mut watch);
            (decided.decisions, decided.too_many)
        }
        Some(target) => (vec![decide_target(&net, target, tricks, limits, &mut watch)], false),
    };
    let (decisions, too_many) = decided(asked.tricks, limits);
    let compared = asked.compare.then(|| {
        let limits = Limits { states: Some(COMPARED_STATES_MAX), ..limits };
        compared(&decisions, &decided(Tricks::NONE, limits).0)
    });
    let start = watch.host.seconds();
    // The comparison has as much time as what it is compared with.
    watch.deadline = options.time.map(|time| start + time);
    let forward =
        forward::search(network, target.as_ref(), asked.forward_states, memory, &mut watch);
    let forward_seconds = watch.host.seconds() - start;
    Ok(Hunted { networks, net, target, decisions, too_many, compared, forward, forward_seconds })
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

impl Hunted {
    /// The errors as the rest of the pipeline knows them.
    fn decided(&self) -> Decided {
        let reachable = self.decisions.iter().filter(|d| d.verdict == Verdict::Reachable);
        let found = reachable.filter_map(|decision| {
            let requirement = requirement(&decision.suspect)?;
            let trail = decision.trail.iter().map(|motion| (motion.machine, motion.edge)).collect();
            Some(Found { requirement, trail, length: Length::Shortest, run: 0 })
        });
        let found: Vec<Found> = found.collect();
        let run = Run {
            networks: self.networks.clone(),
            watching: Vec::new(),
            outcome: self.forward.clone(),
            name: "breadth first".to_owned(),
            before: Vec::new(),
        };
        Decided { runs: vec![run], shown: found.len(), found, compiling: 0.0 }
    }

    /// Whether a run found backwards leads, forwards, into what it was found for.
    fn confirmed(&self, decision: &Decision) -> bool {
        let network = &self.networks.searched;
        executed(network, &decision.trail).is_some_and(|world| match &self.target {
            Some(target) => target.holds(&of_world(&world)),
            None => {
                reference::moves(network, &world).is_empty()
                    && ::backward::suspects(&self.net, &of_world(&world))
                        .contains(&decision.suspect)
            }
        })
    }
}

fn executed(network: &Network, trail: &[Motion]) -> Option<World> {
    trail.iter().try_fold(reference::initial(network), |world, motion| {
        let step = Move { machine: motion.machine, edge: motion.edge };
        let possible = reference::moves(network, &world).contains(&step);
        match reference::apply(network, &world, step) {
            reference::Outcome::World(next) if possible => Some(next),
            _ => None,
        }
    })
}

/// What fails if a candidate is reachable; nothing for a target.
fn requirement(suspect: &Suspect) -> Option<Requirement> {
    match suspect {
        Suspect::Deadlock(_) => Some(Requirement::Deadlock),
        Suspect::Reception(..) | Suspect::Unread(..) => Some(Requirement::UnspecifiedReception),
        Suspect::BlockedSend(..) => Some(Requirement::BlockedSend),
        Suspect::Target => None,
    }
}
