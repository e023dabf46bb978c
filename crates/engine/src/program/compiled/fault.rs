//! What can go wrong while closures run: the problems of the reference, without
//! the names and places that only a report needs (it asks the reference again).

use crate::program::Breach;
use program::reference::Rules;

/// What went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    Assertion,
    Index,
    DivisionByZero,
    UninitialisedChannel,
    DeadChannel,
    PollOfRendezvous,
    SendArity,
    /// A receive of fewer fields than there are.
    ShortReceive,
    /// A receive of more fields than there are.
    LongReceive,
    EndlessAtomic,
    /// A `d_step` that blocks, goes on for ever or offers a rendezvous.
    Deterministic,
    Nondeterminism,
    /// The event trace knows no such event, or all of a forbidden one.
    Event,
    AmbiguousEvent,
    ClaimEnd,
    TooManyProcesses,
    TooManyChannels,
    EnabledOfSelf,
    PriorityRange,
    RemoteReference,
}

impl Fault {
    /// The requirement it violates.
    pub(super) fn breach(self) -> Breach {
        match self {
            Fault::Assertion => Breach::Assertion,
            Fault::Index => Breach::Index,
            Fault::DivisionByZero => Breach::DivisionByZero,
            Fault::UninitialisedChannel
            | Fault::DeadChannel
            | Fault::PollOfRendezvous
            | Fault::TooManyChannels => Breach::Channel,
            Fault::SendArity | Fault::ShortReceive | Fault::LongReceive => Breach::Arity,
            Fault::EndlessAtomic | Fault::Deterministic => Breach::EndlessAtomic,
            Fault::Nondeterminism => Breach::Nondeterminism,
            Fault::Event | Fault::AmbiguousEvent => Breach::TraceAssertion,
            Fault::ClaimEnd => Breach::Claim,
            Fault::TooManyProcesses
            | Fault::EnabledOfSelf
            | Fault::PriorityRange
            | Fault::RemoteReference => Breach::Reference,
        }
    }

    /// Whether execution goes on behind it.
    pub(super) fn is_passed(self, rules: &Rules) -> bool {
        rules.spin_counts
            && matches!(
                self,
                Fault::Assertion
                    | Fault::Index
                    | Fault::SendArity
                    | Fault::ShortReceive
                    | Fault::PollOfRendezvous
                    | Fault::Nondeterminism
                    | Fault::Event
                    | Fault::ClaimEnd
                    | Fault::RemoteReference
            )
    }

    /// Whether SPIN reports it and then does not execute the statement.
    pub(super) fn stalls(self, rules: &Rules) -> bool {
        rules.spin_counts && self == Fault::UninitialisedChannel
    }

    /// More processes or channels than there are numbers for.
    pub(super) fn is_overflow(self) -> bool {
        matches!(self, Fault::TooManyProcesses | Fault::TooManyChannels)
    }
}
