//! What is wrong at the end of a run: which requirement fails, in one sentence and a few
//! lines, made once so that every output says the same.

use base::{SourceMap, Span};
use serde::{Deserialize, Serialize};

/// What kind of requirement or error: the closed list of the contract.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An Argos assertion or a PROMELA assert.
    Assertion,
    /// Nobody can move, channels empty.
    Deadlock,
    /// A message nobody takes when nothing can move.
    UnspecifiedReception,
    /// All wait to send to full channels.
    BlockedSend,
    /// Messages left at a proper end: a warning.
    Residual,
    /// A division by zero.
    DivisionByZero,
    /// An index outside its array.
    Index,
    /// A channel that is none.
    Channel,
    /// A message with too few or too many fields.
    Arity,
    /// A never claim that reaches its end.
    Claim,
    /// An event trace that is not followed, or must not be.
    TraceAssertion,
    /// Two executable statements in a `D_proctype`.
    Nondeterminism,
    /// An atomic sequence or `d_step` that does not come to its end.
    EndlessAtomic,
    /// A process or priority that does not exist.
    Reference,
    /// A formula of linear temporal logic.
    Ltl,
    /// A run that is at an acceptance label again and again.
    AcceptanceCycle,
    /// A run that is at a progress label finitely often.
    ProgressCycle,
    /// A run that goes on for ever with neither a message nor progress.
    Livelock,
    /// A predicate that every state satisfies.
    Invariant,
    /// A predicate that some state is asked to satisfy: no error.
    Cover,
    /// What an assertion allows and a protocol is asked to do to its end: no error.
    Service,
}

impl Kind {
    /// Whether it is about infinite runs.
    pub fn is_infinite(self) -> bool {
        use Kind::{AcceptanceCycle, Claim, Livelock, Ltl, ProgressCycle};
        matches!(self, Ltl | Claim | AcceptanceCycle | ProgressCycle | Livelock)
    }

    /// Whether it is decided by searches that look at propositions.
    pub fn looks_at_propositions(self) -> bool {
        self.is_infinite() || self.is_asked_for() || self == Kind::Invariant
    }

    /// Whether it asks for a run and requires nothing.
    pub fn is_asked_for(self) -> bool {
        matches!(self, Kind::Cover | Kind::Service)
    }

    /// Whether it is about who waits for what when nothing can move.
    pub fn is_blocked(self) -> bool {
        matches!(self, Kind::Deadlock | Kind::UnspecifiedReception | Kind::BlockedSend)
    }
}

/// One requirement of a model: its kind, and which one where a model has several of the
/// kind, as assertions of Argos and never claims, which are numbered in the order of the
/// text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Requirement {
    /// What kind.
    pub kind: Kind,
    /// Which one.
    pub number: Option<usize>,
}

impl From<Kind> for Requirement {
    fn from(kind: Kind) -> Self {
        Self { kind, number: None }
    }
}

/// What is to be said about an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// What fails.
    pub requirement: Requirement,
    /// One sentence.
    pub message: String,
    /// The type for grouping errors that look alike (Holzmann 1987).
    pub group: String,
    /// The process to blame, if one.
    pub process: Option<String>,
    /// Where.
    pub span: Option<Span>,
    /// Label and text of further lines.
    pub why: Vec<(&'static str, String)>,
}

/// What to do where waiting is meant, said of every deadlock.
pub(crate) const END_LABEL: (&str, &str) = (
    "hint",
    "if waiting here is intended, put a label that begins with `end` before the statement",
);

/// A place in a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Location {
    /// File name.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// Where the statement at `span` begins; no span is line 0.
pub fn location(sources: &SourceMap, span: Option<Span>) -> Location {
    match span {
        Some(span) => {
            let place = sources.place(sources.statement(span));
            Location { file: place.file, line: place.line, column: place.column }
        }
        None => Location { file: String::new(), line: 0, column: 0 },
    }
}

/// A message at the head of a channel that a process waiting for that channel is
/// not ready for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reception {
    /// Who waits.
    pub process: String,
    /// For which channel.
    pub channel: String,
    /// What is there, as `open(0,red)`.
    pub message: String,
    /// The receives it could execute instead.
    pub ready: Vec<String>,
    /// Where it waits.
    pub location: Location,
}
