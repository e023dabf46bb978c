//! A step, its outcome, and the verdict on a state without one.

/// What a step does, as far as a search may care (priorities, statistics).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StepKind {
    /// Touches nothing outside its process but shared variables.
    Internal,
    /// Takes a message.
    Receive,
    /// Puts a message.
    Send,
    /// Fires a timeout.
    Timeout,
}

/// What the last statement of a step is, in the order in which states behind it are worth
/// keeping in a cache: where jumps lead, paths meet (Godefroid, Holzmann and Pirottin 1995,
/// section 5).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LastStatement {
    /// A jump, or a `skip`.
    Jump = 1,
    /// A receive.
    Receive,
    /// A send.
    Send,
    /// An assignment.
    Assign,
    /// Anything else.
    Other,
}

/// One executable step: which process, which edge of its machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// The process that moves.
    pub agent: u32,
    /// The edge it takes, numbered within its machine.
    pub edge: u32,
    /// Which one of the steps of a state that begin with this edge: an atomic
    /// sequence can be left in many ways.
    pub choice: u32,
    /// How many edges are executed in it: more than one for a sequence that is
    /// visible only at its end.
    pub weight: u16,
    /// How many of these edges take what another one offers: the second halves of rendezvous.
    pub takers: u8,
    /// What it does.
    pub kind: StepKind,
}

impl LastStatement {
    /// That of a step of which nothing but its kind is known.
    pub(crate) fn of(kind: StepKind) -> Self {
        match kind {
            StepKind::Receive => Self::Receive,
            StepKind::Send => Self::Send,
            StepKind::Internal | StepKind::Timeout => Self::Other,
        }
    }
}

impl Step {
    /// A step of a single edge.
    pub fn new(agent: u32, edge: u32, kind: StepKind) -> Self {
        Self { agent, edge, choice: 0, weight: 1, takers: 0, kind }
    }

    /// How many statements of a run it is; a rendezvous is one.
    pub fn statements(&self) -> u64 {
        u64::from(self.weight).saturating_sub(u64::from(self.takers))
    }
}

/// A search that has found all other marks it looks for does not go on for this one.
pub const MARK_OF_NOTE: u32 = 1 << 31;

/// The outcome of a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StepOutcome {
    /// To a state to go on from.
    State,
    /// Into a violation of the property with this number; the branch ends here.
    Violation(u32),
    /// Into a run-time fault, a division by zero; the branch ends here.
    Fault,
    /// To a state to go on from, by a violation of the property with this number
    /// that is reported and does not end the branch.
    Noted(u32),
    /// To a state to go on from that has the marks in this set of bits, which a search may look
    /// for ([`MARK_OF_NOTE`] without an end). Never none.
    Marked(u32),
}

impl StepOutcome {
    /// Whether the step leads to a state.
    pub fn enters(self) -> bool {
        !matches!(self, StepOutcome::Violation(_) | StepOutcome::Fault)
    }
}

/// The verdict on a state without a step, in words that all languages share: each uses those
/// it needs. One verdict per state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Blocked {
    /// Every process is at a proper end and every channel is empty.
    ProperEnd,
    /// Every process is at a proper end but messages are left: a warning.
    Residual,
    /// Every process is at a proper end but messages are left, where the rules forbid it.
    MessagesLeft,
    /// The property with this number is not satisfied by ending here.
    Violation(u32),
    /// Who is not at a proper end waits only to send to full channels.
    BlockedSend,
    /// A message is left that nobody takes.
    UnspecifiedReception,
    /// Some process is not at a proper end, and no other verdict says more.
    Deadlock,
}
