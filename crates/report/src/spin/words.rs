//! What goes wrong, in the words of SPIN's verifier.

use super::Listed;
use program::reference::{Failure, Problem};
use program::{Action, Expr, Probe, Program};

/// A failure in words; of an assertion with what it asks.
pub fn failure_text(model: Listed<'_>, failure: &Failure) -> String {
    let Listed { program, listing, .. } = model;
    let condition = failure.edge.and_then(|(proctype, edge)| {
        let is_assertion =
            matches!(program.proctypes[proctype].edges[edge].action, Action::Assert(_));
        let listed = listing.statement(proctype, edge).filter(|_| is_assertion)?;
        listed.text.strip_prefix("assert(").and_then(|text| text.strip_suffix(')'))
    });
    match (&failure.problem, condition) {
        (Problem::Assertion, Some(condition)) => format!("assertion violated {condition}"),
        _ => failure_words(program, failure),
    }
}

/// A failure in words.
pub fn failure_words(program: &Program, failure: &Failure) -> String {
    let fixed = match &failure.problem {
        Problem::UninitialisedChannel(_) => {
            return format!("ref to uninitialized chan name ({})", asked(program, failure));
        }
        Problem::DeadChannel(name) => return format!("channel of a dead process: {name}"),
        Problem::RemoteReference(name) => return format!("invalid remote reference {name}"),
        Problem::SendArity { given, fields } if given < fields => {
            "too few parameters in send stmnt"
        }
        Problem::SendArity { .. } => "too many parameters in send stmnt",
        Problem::ReceiveArity { given, fields } if given < fields => "missing pars in receive",
        Problem::ReceiveArity { .. } => "too many fields in recv",
        Problem::Assertion => "assertion violated",
        Problem::Index { .. } => "assertion violated - invalid array index",
        Problem::DivisionByZero => "division by zero",
        Problem::PollOfRendezvous(_) => "error to poll rendezvous channel",
        Problem::TooManyChannels => "too many queues",
        Problem::EndlessAtomic => "endless atomic sequence",
        Problem::EndlessDeterministic => "endless d_step",
        Problem::BlockedDeterministic => "block in d_step seq",
        Problem::RendezvousInDeterministic => "rv-attempt in d_step",
        Problem::Nondeterminism => "non-determinism in D_proctype",
        Problem::NoMatchingEvent => "event_trace error (no matching event)",
        Problem::AmbiguousEvent => "non-determinism in event-trace",
        Problem::AllEventsMatched => "event_trace error (all events matched)",
        Problem::ClaimEnd => "end state in claim reached",
        Problem::TooManyProcesses => "too many processes",
        Problem::EnabledOfSelf => "used: enabled(pid=thisproc)",
        Problem::PriorityRange(_) => "priority is out of range",
    };
    fixed.to_owned()
}

/// The first thing the verifier asks of a channel that is none.
fn asked(program: &Program, failure: &Failure) -> &'static str {
    let edge = failure.edge.map(|(kind, edge)| &program.proctypes[kind].edges[edge].action);
    let full = |expr: &Expr| matches!(expr, Expr::Probe(Probe::Full | Probe::NotFull, _));
    match edge {
        Some(Action::Send { .. }) => "qfull",
        Some(Action::Receive { .. }) if program.has_rendezvous() => "q_zero",
        Some(action) if action.mentions(&full) => "qfull",
        _ => "len",
    }
}

/// Whether the verifier gives up behind it, however many errors it was told to find.
pub fn is_fatal(problem: &Problem) -> bool {
    match problem {
        Problem::BlockedDeterministic | Problem::RendezvousInDeterministic => true,
        Problem::ReceiveArity { given, fields } => given > fields,
        _ => false,
    }
}
