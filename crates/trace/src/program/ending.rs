//! How a run of a program ends, in words.

use super::names::Names;
use super::one_line;
use super::wait::Standstill;
use crate::explanation::END_LABEL;
use crate::{Explanation, Kind, Requirement};
use base::SourceMap;
use program::reference::{Breach, Failure, Problem, Rest, Rules};
use program::{Claim, ClaimKind, Program};

/// A sentence names so many processes.
const NAMED: usize = 6;

/// How a run ends: what its last step did wrong, and how it rests if nothing can move.
pub(super) struct Ending<'a> {
    pub(super) standstill: &'a Standstill<'a>,
    pub(super) failure: Option<&'a Failure>,
    pub(super) rest: Option<&'a Rest>,
}

impl Ending<'_> {
    /// What is wrong.
    pub(super) fn explained(&self) -> Vec<Explanation> {
        let failed = self.failure.map(|failure| self.failed(failure));
        failed.into_iter().chain(self.rests()).collect()
    }

    fn failed(&self, failure: &Failure) -> Explanation {
        let Standstill { program, rules, names, sources, .. } = self.standstill;
        let message = match (&failure.problem, claim_of(program, rules)) {
            (Problem::ClaimEnd, Some(claim)) => matched(sources, claim),
            _ => failed(sources, names, failure),
        };
        let kind = kind(Breach::of(failure));
        // Failures that differ in values only are of one type.
        let group = message.clone();
        let message = match self.standstill.told(failure) {
            values if values.is_empty() => message,
            values => format!("{message}: {values}"),
        };
        Explanation {
            group,
            // Of claims there is one at most beside a run.
            requirement: Requirement { kind, number: (kind == Kind::Claim).then_some(0) },
            process: failure.pid.map(|pid| names.process(pid)),
            span: failure.span,
            ..bare(kind, message)
        }
    }

    fn rests(&self) -> Option<Explanation> {
        match self.rest? {
            Rest::InvalidEnd(stuck) => Some(Explanation {
                span: stuck.first().and_then(|pid| self.standstill.first_statement(*pid)),
                why: self.circle(stuck).into_iter().chain([END_LABEL].map(own)).collect(),
                group: format!("deadlock: {}", self.standstill.places(stuck)),
                ..bare(Kind::Deadlock, deadlock_sentence(self.standstill.names, stuck))
            }),
            Rest::MessagesLeft => Some(Explanation {
                why: vec![("messages", self.standstill.leftovers())],
                ..bare(Kind::Residual, "messages are left in channels".to_owned())
            }),
            Rest::TraceUnfinished => {
                let message = "event trace: the run ends before the trace does".to_owned();
                Some(bare(Kind::TraceAssertion, message))
            }
            Rest::Proper | Rest::Residual => None,
        }
    }

    /// Who waits for whom in a circle, if some do.
    fn circle(&self, stuck: &[usize]) -> Option<(&'static str, String)> {
        let circle = self.standstill.circle(stuck)?;
        let next = circle.iter().cycle().skip(1);
        let name = |pid: &usize| self.standstill.names.process(*pid);
        let pair = |(one, other)| format!("{} waits for {}", name(one), name(other));
        let pairs: Vec<String> = circle.iter().zip(next).map(pair).collect();
        Some(("circle", pairs.join(", ")))
    }
}

/// A line of an explanation with a text of its own.
fn own((head, text): (&'static str, &str)) -> (&'static str, String) {
    (head, text.to_owned())
}

/// Initial values that fail: the program never gets anywhere.
pub(super) fn initial_failure(sources: &SourceMap, failure: &Failure) -> Explanation {
    let line = failure.span.map_or(0, |span| sources.line(span));
    let message = format!("{} at the start (line {line})", problem(sources, failure));
    Explanation { span: failure.span, ..bare(kind(Breach::of(failure)), message) }
}

fn bare(kind: Kind, message: String) -> Explanation {
    let (group, requirement) = (message.clone(), kind.into());
    Explanation { requirement, message, group, process: None, span: None, why: Vec::new() }
}

/// A breach as a kind of error.
pub fn kind(breach: Breach) -> Kind {
    match breach {
        Breach::Assertion => Kind::Assertion,
        Breach::Index => Kind::Index,
        Breach::DivisionByZero => Kind::DivisionByZero,
        Breach::Channel => Kind::Channel,
        Breach::Arity => Kind::Arity,
        Breach::EndlessAtomic => Kind::EndlessAtomic,
        Breach::Nondeterminism => Kind::Nondeterminism,
        Breach::TraceAssertion => Kind::TraceAssertion,
        Breach::Claim => Kind::Claim,
        Breach::Reference => Kind::Reference,
    }
}

/// The claim of these rules.
pub(super) fn claim_of<'a>(program: &'a Program, rules: &Rules) -> Option<&'a Claim> {
    let wanted = ClaimKind::Never(rules.claim?);
    program.claims.iter().find(|claim| claim.kind == wanted)
}

fn matched(sources: &SourceMap, claim: &Claim) -> String {
    let line = sources.line(claim.span);
    format!("never claim matched: {} (line {line}) reaches its end", claim.name)
}

/// Who is stuck; of many, the first.
fn deadlock_sentence(names: &Names, stuck: &[usize]) -> String {
    let mut names = names.list(&stuck.iter().copied().collect());
    if names.len() > NAMED {
        let others = names.split_off(NAMED - 1).len();
        names.push(format!("{others} others"));
    }
    match names.as_slice() {
        [one] => format!("deadlock: {one} waits and nobody can help"),
        [most @ .., last] => {
            format!("deadlock: {} and {last} wait and nobody can help", most.join(", "))
        }
        [] => "deadlock".to_owned(),
    }
}

/// What a process did wrong, where.
fn failed(sources: &SourceMap, names: &Names, failure: &Failure) -> String {
    let place = match (failure.pid, failure.span) {
        (Some(pid), Some(span)) => {
            format!("in {} (line {})", names.process(pid), sources.line(span))
        }
        (None, Some(span)) => format!("at line {}", sources.line(span)),
        (Some(pid), None) => format!("in {}", names.process(pid)),
        (None, None) => "at the start".to_owned(),
    };
    format!("{} {place}", problem(sources, failure))
}

/// What went wrong.
fn problem(sources: &SourceMap, failure: &Failure) -> String {
    let written = failure.span.map(|span| sources.text(sources.statement(span)));
    problem_words(&failure.problem, &one_line(written.unwrap_or_default()))
}

/// What went wrong in what is written there; a place can follow.
pub fn problem_words(problem: &Problem, written: &str) -> String {
    match problem {
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
