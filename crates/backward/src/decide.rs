//! One search for each candidate, and what it decides.

use crate::belief::Belief;
use crate::beliefs::{Beliefs, Tricks};
use crate::candidate::{Candidate, Lister, Ruled, Suspect, safe_waits};
use crate::invariant::Invariants;
use crate::net::{Motion, Net};
use crate::reverse::Reverse;
use crate::solve::TooMany;
use crate::target::Target;
use automata::{MachineId, StateId};
use model::ChannelId;
use search::{Finding, Order, Outcome, Plan, Progress, Request, Stop, Watch, Why};
use std::cell::RefCell;

/// How far a search for one candidate may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Steps back.
    pub depth: Option<u64>,
    /// Claims looked at.
    pub states: Option<u64>,
    /// Bytes.
    pub memory: Option<u64>,
}

/// What became of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The initial state leads there.
    Reachable,
    /// It does not.
    Unreachable,
    /// A limit ended the search.
    Bound,
}

/// A candidate that was decided, or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// What it would be.
    pub suspect: Suspect,
    /// Whether it can be.
    pub verdict: Verdict,
    /// Why no search was needed.
    pub ruled: Option<Ruled>,
    /// Claims looked at: none if no search was needed.
    pub states: u64,
    /// Steps back that were looked at.
    pub transitions: u64,
    /// For a reachable one: the steps forward from the initial state.
    pub trail: Vec<Motion>,
    /// Why a limit ended the search; empty otherwise, and when values had too many
    /// cases.
    pub why: Vec<Why>,
}

/// All candidates of a net.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Decided {
    /// In order: deadlocks, then receptions, then sends.
    pub decisions: Vec<Decision>,
    /// Wait states where every message that can be in the channel is taken: no
    /// candidates.
    pub safe: Vec<(MachineId, StateId, ChannelId)>,
    /// There are more potential errors than can be listed; not all were looked at.
    pub too_many: bool,
}

/// Which errors are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// Deadlocks.
    pub deadlocks: bool,
    /// Unspecified receptions, and messages nobody reads.
    pub receptions: bool,
    /// Blocked sends.
    pub sends: bool,
}

impl Scope {
    /// All of them.
    pub const ALL: Self = Self { deadlocks: true, receptions: true, sends: true };

    fn has(self, suspect: &Suspect) -> bool {
        match suspect {
            Suspect::Deadlock(_) => self.deadlocks,
            Suspect::Reception(..) | Suspect::Unread(..) => self.receptions,
            Suspect::BlockedSend(..) => self.sends,
            Suspect::Target => true,
        }
    }
}

/// Decides every potential error of a net. Assertions play no part.
pub fn decide(
    net: &Net,
    scope: Scope,
    tricks: Tricks,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Decided {
    let reverse = Reverse::new(net);
    let invariants = tricks.invariants.then(|| Invariants::new(&reverse));
    let none = Ok(Vec::new());
    let (deadlocks, others) = {
        let (reverse, watch) = (&reverse, RefCell::new(&mut *watch));
        let lister = Lister { reverse, invariants: invariants.as_ref(), watch };
        let deadlocks = if scope.deadlocks { lister.deadlocks() } else { none.clone() };
        let others = if scope.receptions || scope.sends { lister.others() } else { none };
        (deadlocks, others)
    };
    let too_many = deadlocks.is_err() || others.is_err();
    let all = deadlocks.into_iter().chain(others).flatten();
    let all = all.filter(|candidate| scope.has(&candidate.suspect));
    let mut beliefs = Beliefs::new(&reverse, invariants.as_ref(), tricks);
    let decisions = all.map(|candidate| decision(&mut beliefs, candidate, limits, watch)).collect();
    Decided { decisions, safe: safe_waits(&reverse), too_many }
}

/// Decides whether a state that somebody asked for can be reached.
pub fn decide_target(
    net: &Net,
    target: &Target,
    tricks: Tricks,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Decision {
    let reverse = Reverse::new(net);
    let invariants = tricks.invariants.then(|| Invariants::new(&reverse));
    let mut beliefs = Beliefs::new(&reverse, invariants.as_ref(), tricks);
    match target.seeds(&reverse) {
        Ok(seeds) => {
            let ruled = seeds.is_empty().then_some(Ruled::Values);
            let candidate = Candidate { ruled, ..Candidate::new(Suspect::Target, seeds) };
            decision(&mut beliefs, candidate, limits, watch)
        }
        Err(TooMany) => Decision { verdict: Verdict::Bound, ..blank(Suspect::Target) },
    }
}

fn blank(suspect: Suspect) -> Decision {
    Decision {
        suspect,
        verdict: Verdict::Unreachable,
        ruled: None,
        states: 0,
        transitions: 0,
        trail: Vec::new(),
        why: Vec::new(),
    }
}

fn decision(
    beliefs: &mut Beliefs<'_, '_>,
    candidate: Candidate,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Decision {
    let Candidate { suspect, seeds, ruled, open } = candidate;
    if ruled.is_some() {
        return Decision { ruled, ..blank(suspect) };
    }
    if open {
        return Decision { verdict: Verdict::Bound, ..blank(suspect) };
    }
    if let Some(stop) = watch.tick(&Progress::default()) {
        // A search asks only now and then, and there may be thousands of candidates.
        let why = vec![if stop == Stop::Time { Why::Time } else { Why::Interrupted }];
        return Decision { verdict: Verdict::Bound, why, ..blank(suspect) };
    }
    let outcome = searched(beliefs, seeds, limits, watch);
    let verdict = match (outcome.findings.first(), outcome.complete() && !beliefs.gave_up()) {
        (Some(_), _) => Verdict::Reachable,
        (None, true) => Verdict::Unreachable,
        (None, false) => Verdict::Bound,
    };
    if verdict == Verdict::Unreachable {
        beliefs.mark_unreachable();
    }
    // The root is no claim; the claim that holds the initial state is one, though no
    // search goes on from it.
    let found = u64::from(verdict == Verdict::Reachable);
    let states = outcome.statistics.states - 1 + found;
    // Claims of candidates have passed the invariants already, those of a target not.
    let why = if suspect == Suspect::Target { Ruled::Invariant } else { Ruled::Shared };
    let ruled = (states == 0).then_some(why);
    Decision {
        verdict,
        ruled,
        states,
        transitions: outcome.statistics.transitions - 1,
        trail: outcome
            .findings
            .first()
            .map(|finding| forwards(beliefs.reverse, finding))
            .unwrap_or_default(),
        why: if verdict == Verdict::Bound { outcome.why_incomplete } else { Vec::new() },
        ..blank(suspect)
    }
}

fn searched(
    beliefs: &mut Beliefs<'_, '_>,
    seeds: Vec<Belief>,
    limits: Limits,
    watch: &mut dyn Watch,
) -> Outcome {
    beliefs.start_from(seeds);
    let request = Request {
        order: Order::BreadthFirst,
        // The root and the step to the first claim are none of the model's.
        depth: limits.depth.map(|depth| depth.saturating_add(1)),
        states_max: limits.states.map(|states| states.saturating_add(1)),
        memory_bytes_max: limits.memory,
        ..Request::default()
    };
    let plan = Plan::new(&request).expect("breadth first with all states is sound");
    search::run(beliefs, &mut [], &plan, watch).expect("breadth first needs no capability")
}

/// The steps in the order they are executed.
fn forwards(reverse: &Reverse<'_>, finding: &Finding) -> Vec<Motion> {
    let steps = finding.trail.iter().skip(1).rev();
    steps.map(|step| reverse.motions[step.edge as usize]).collect()
}
