//! What temporal formulas look at: predicates of a single state of a protocol.

use crate::{ChannelId, Expr, MessageId, ProcessId, VariableId};
use base::{Formula, Name, Span};

/// Something in a state that has a value.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Look {
    /// A variable, of whichever process.
    Variable(VariableId),
    /// How many messages a channel holds.
    Length(ChannelId),
    /// Whether a channel holds as many messages as it can: its capacity may be an option.
    Full(ChannelId),
    /// Whether the oldest message of a channel has this name, and this value if one is given.
    Head(ChannelId, MessageId, Option<i16>),
    /// How many messages of this name a channel holds, with this value if one is given.
    Count(ChannelId, MessageId, Option<i16>),
    /// Whether a process is at a statement with this label, in whichever copy of a procedure.
    At(ProcessId, Name),
    /// Whether the assertion watching under this number may be at its end. Asked by searches; no
    /// formula can write it.
    AtEnd(usize),
}

/// A predicate: it holds if its value is not 0.
pub type Predicate = Expr<Look>;

/// A temporal formula that every run must satisfy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name.
    pub name: Name,
    /// The whole text of it.
    pub span: Span,
    /// What it says.
    pub formula: Formula<Predicate>,
}
