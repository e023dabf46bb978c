//! What a model means where SPIN lets its user choose.

use program::reference::Rules;

/// SPIN's switches for the meaning of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Meaning {
    /// `-m`: a send to a full channel executes, and the message is lost.
    pub lossy_sends: bool,
    /// `-J`: of nested `unless` the innermost escape is tried first.
    pub inner_unless_first: bool,
    /// `-q`: channels must be empty where the system rests.
    pub queues_empty: bool,
}

impl Meaning {
    /// As rules of execution.
    pub fn rules(self) -> Rules {
        Rules {
            lossy_sends: self.lossy_sends,
            inner_unless_first: self.inner_unless_first,
            queues_empty_at_end: self.queues_empty,
            ..Rules::default()
        }
    }
}
