//! How a run of a program ends, in words.

use super::names::Names;
use crate::Loaded;
use program::reference::{Failure, Problem, Rest, Rules};
use program::{Claim, ClaimKind, Program};

/// How a run ends: what its last step did wrong, and how it rests if nothing can move.
pub(super) struct Ending<'a> {
    pub(super) names: &'a Names,
    pub(super) failure: Option<&'a Failure>,
    pub(super) rest: Option<&'a Rest>,
    /// The claim that ran beside the system.
    pub(super) claim: Option<&'a Claim>,
}

impl Ending<'_> {
    /// What is wrong, if something is.
    pub(super) fn told(&self, loaded: &Loaded) -> Option<String> {
        let failure = self.failure.map(|failure| match (&failure.problem, self.claim) {
            (Problem::ClaimEnd, Some(claim)) => matched(loaded, claim),
            _ => failed(loaded, self.names, failure),
        });
        let all: Vec<String> = failure.into_iter().chain(self.rests()).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    fn rests(&self) -> Option<String> {
        match self.rest? {
            Rest::InvalidEnd(stuck) => Some(deadlock_sentence(self.names, stuck)),
            Rest::MessagesLeft => Some("messages are left in channels".to_owned()),
            Rest::TraceUnfinished => {
                Some("event trace: the run ends before the trace does".to_owned())
            }
            Rest::Proper | Rest::Residual => None,
        }
    }
}

/// The claim of these rules.
pub(super) fn claim_of<'a>(program: &'a Program, rules: &Rules) -> Option<&'a Claim> {
    let wanted = ClaimKind::Never(rules.claim?);
    program.claims.iter().find(|claim| claim.kind == wanted)
}

fn matched(loaded: &Loaded, claim: &Claim) -> String {
    let line = loaded.sources.line(claim.span);
    format!("never claim matched: {} (line {line}) reaches its end", claim.name)
}

/// Who is stuck.
fn deadlock_sentence(names: &Names, stuck: &[usize]) -> String {
    let names = names.list(&stuck.iter().copied().collect());
    match names.as_slice() {
        [one] => format!("deadlock: {one} waits and nobody can help"),
        [most @ .., last] => {
            format!("deadlock: {} and {last} wait and nobody can help", most.join(", "))
        }
        [] => "deadlock".to_owned(),
    }
}

/// What a process did wrong, where.
pub(super) fn failed(loaded: &Loaded, names: &Names, failure: &Failure) -> String {
    let place = match (failure.pid, failure.span) {
        (Some(pid), Some(span)) => {
            format!("in {} (line {})", names.process(pid), loaded.sources.line(span))
        }
        (None, Some(span)) => format!("at line {}", loaded.sources.line(span)),
        (Some(pid), None) => format!("in {}", names.process(pid)),
        (None, None) => "at the start".to_owned(),
    };
    format!("{} {place}", problem(loaded, failure))
}

/// What went wrong.
pub(super) fn problem(loaded: &Loaded, failure: &Failure) -> String {
    let written = failure.span.map(|span| loaded.sources.text(loaded.sources.statement(span)));
    let written = written.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    match &failure.problem {
        Problem::Assertion => format!("assertion fails: {written}"),
        Problem::Index { variable, index, bound } => {
            format!("bad index: {variable}[{index}], but there are {bound} elements,")
        }
        Problem::DivisionByZero => format!("division by zero: {written}"),
        Problem::UninitialisedChannel(name) => format!("bad channel: {name} holds no channel"),
        Problem::DeadChannel(name) => {
            format!("bad channel: the process that created {name} has ended")
        }
        Problem::PollOfRendezvous(name) => {
            format!("bad channel: {name} is a rendezvous and holds nothing to look at")
        }
        Problem::TooManyChannels => "bad channel: more channels than numbers for them".to_owned(),
        Problem::SendArity { given, fields } => {
            format!("wrong number of fields: {given} sent, the channel has {fields},")
        }
        Problem::ReceiveArity { given, fields } => {
            format!("wrong number of fields: {given} received, the channel has {fields},")
        }
        Problem::EndlessAtomic => "endless atomic sequence".to_owned(),
        Problem::EndlessDeterministic => "endless atomic sequence: a d_step".to_owned(),
        Problem::BlockedDeterministic => {
            format!("endless atomic sequence: a d_step cannot go on at `{written}`")
        }
        Problem::RendezvousInDeterministic => {
            "endless atomic sequence: a rendezvous inside a d_step".to_owned()
        }
        Problem::Nondeterminism => "nondeterminism in a D_proctype".to_owned(),
        Problem::NoMatchingEvent => format!("event trace: it does not know {written}"),
        Problem::AmbiguousEvent => format!("event trace: it knows {written} twice"),
        Problem::AllEventsMatched => "event trace: a notrace was followed to its end".to_owned(),
        Problem::ClaimEnd => "never claim matched".to_owned(),
        Problem::TooManyProcesses => "bad reference: more processes than pids".to_owned(),
        Problem::EnabledOfSelf => "bad reference: enabled() of the process itself".to_owned(),
        Problem::PriorityRange(value) => {
            format!("bad reference: priority {value} is not in 1..255")
        }
        Problem::RemoteReference(name) => format!("bad reference: {name} is not there"),
    }
}
