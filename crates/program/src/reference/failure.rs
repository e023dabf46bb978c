//! What can go wrong while a program runs.

use super::Rules;
use crate::{EdgeId, ProctypeId};
use base::{Name, Span};

/// An error of the model, found while it ran.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What is wrong.
    pub problem: Problem,
    /// Whose fault it is; none for the claim and for initial values.
    pub pid: Option<usize>,
    /// The edge that failed; none for initial values and `provided`.
    pub edge: Option<(ProctypeId, EdgeId)>,
    /// Where to look.
    pub span: Option<Span>,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// `assert` of zero.
    Assertion,
    /// An index outside its array.
    Index {
        /// The array.
        variable: Name,
        /// The index.
        index: i32,
        /// How many elements there are.
        bound: u32,
    },
    /// `/ 0` or `% 0`.
    DivisionByZero,
    /// A channel variable that holds no channel.
    UninitialisedChannel(Name),
    /// A channel that went when its process died, or never was one.
    DeadChannel(Name),
    /// A send with too few or too many values.
    SendArity {
        /// How many it has.
        given: usize,
        /// How many the channel carries.
        fields: usize,
    },
    /// A receive with too few or too many fields.
    ReceiveArity {
        /// How many it has.
        given: usize,
        /// How many the channel carries.
        fields: usize,
    },
    /// A rendezvous channel has no contents to ask about or to copy.
    PollOfRendezvous(Name),
    /// An atomic sequence that can go on for ever.
    EndlessAtomic,
    /// A `d_step` that goes on for ever.
    EndlessDeterministic,
    /// A `d_step` that cannot go on.
    BlockedDeterministic,
    /// A rendezvous send inside a `d_step`.
    RendezvousInDeterministic,
    /// Two executable edges in a `D_proctype`.
    Nondeterminism,
    /// The event trace does not know this event.
    NoMatchingEvent,
    /// Two edges of the event trace know this event.
    AmbiguousEvent,
    /// A `notrace` was followed to its end.
    AllEventsMatched,
    /// The never claim reached its end.
    ClaimEnd,
    /// More processes than pids.
    TooManyProcesses,
    /// More channels than channel numbers.
    TooManyChannels,
    /// `enabled` of the process that asks.
    EnabledOfSelf,
    /// A priority that is not in 1..=255.
    PriorityRange(i32),
    /// `P[i]:x` where process `i` is not a `P`.
    RemoteReference(Name),
}

impl Problem {
    /// More processes or channels than there are numbers for.
    pub fn is_overflow(&self) -> bool {
        matches!(self, Problem::TooManyProcesses | Problem::TooManyChannels)
    }
}

impl Failure {
    /// Whether SPIN's verifier, told not to stop, goes on behind it as if nothing
    /// had happened.
    pub(super) fn is_passed(&self, rules: &Rules) -> bool {
        use Problem::{
            AllEventsMatched, Assertion, ClaimEnd, Index, NoMatchingEvent, Nondeterminism,
            PollOfRendezvous, ReceiveArity, RemoteReference, SendArity,
        };
        let passed = match self.problem {
            // What is not there is 0 where messages have one field, and the end where they have more.
            ReceiveArity { given, fields } => given < fields || fields == 1,
            Assertion
            | Index { .. }
            | SendArity { .. }
            | PollOfRendezvous(_)
            | Nondeterminism
            | NoMatchingEvent
            | AllEventsMatched
            | ClaimEnd
            | RemoteReference(_) => true,
            _ => false,
        };
        rules.spin_counts && passed
    }

    /// Whether SPIN's verifier reports it and then does not execute the statement.
    pub(super) fn stalls(&self, rules: &Rules) -> bool {
        rules.spin_counts && matches!(self.problem, Problem::UninitialisedChannel(_))
    }
}
