//! Which requirement a failure violates.

use super::{Failure, Problem};

/// The requirement a failure of a program violates, by the number searches know.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u32)]
pub enum Breach {
    /// An `assert` of zero.
    Assertion,
    /// An index outside its array.
    Index,
    /// A division by zero.
    DivisionByZero,
    /// A channel that is none.
    Channel,
    /// Too few or too many fields.
    Arity,
    /// An atomic sequence or `d_step` that does not end, or a `d_step` that blocks.
    EndlessAtomic,
    /// Two executable edges in a `D_proctype`.
    Nondeterminism,
    /// The event trace is not followed, or must not be.
    TraceAssertion,
    /// The never claim reached its end.
    Claim,
    /// Something a process asked for does not exist: a pid, a priority.
    Reference,
}

impl Breach {
    /// Every breach, in order of its number.
    pub const ALL: [Self; 10] = [
        Self::Assertion,
        Self::Index,
        Self::DivisionByZero,
        Self::Channel,
        Self::Arity,
        Self::EndlessAtomic,
        Self::Nondeterminism,
        Self::TraceAssertion,
        Self::Claim,
        Self::Reference,
    ];

    /// What a failure breaches.
    pub fn of(failure: &Failure) -> Self {
        match failure.problem {
            Problem::Assertion => Self::Assertion,
            Problem::Index { .. } => Self::Index,
            Problem::DivisionByZero => Self::DivisionByZero,
            Problem::UninitialisedChannel(_)
            | Problem::DeadChannel(_)
            | Problem::PollOfRendezvous(_)
            | Problem::TooManyChannels => Self::Channel,
            Problem::SendArity { .. } | Problem::ReceiveArity { .. } => Self::Arity,
            Problem::EndlessAtomic
            | Problem::EndlessDeterministic
            | Problem::BlockedDeterministic
            | Problem::RendezvousInDeterministic => Self::EndlessAtomic,
            Problem::Nondeterminism => Self::Nondeterminism,
            Problem::NoMatchingEvent | Problem::AmbiguousEvent | Problem::AllEventsMatched => {
                Self::TraceAssertion
            }
            Problem::ClaimEnd => Self::Claim,
            Problem::TooManyProcesses
            | Problem::EnabledOfSelf
            | Problem::PriorityRange(_)
            | Problem::RemoteReference(_) => Self::Reference,
        }
    }

    /// The number searches know it by.
    pub fn number(self) -> u32 {
        self as u32
    }

    /// The breach with this number.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }
}
