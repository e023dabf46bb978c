//! The resolved protocol, free of any language's syntax: every name is an id,
//! every call holds a copy of its procedure, every macro is gone. Comes out of a
//! language's `lower`, goes into `automata::build`.
//!
//! What always holds (a `lower` guarantees it, `automata` relies on it): ids are
//! in range; a `Break` stands inside a `Do`; a `Goto` names a label that some
//! statement of the same body carries; a `Return` stands inside a `Call`; `If` and
//! `Do` have at least one option, and no option and no call is empty; an assertion's body has no condition, assignment,
//! timeout or default receive and its sends carry no value.

mod expr;
mod predicate;
mod text;

pub use base::{BinaryOp, UnaryOp};
pub use expr::{DivisionByZero, Expr, cut};
pub use predicate::{Look, Predicate, Property};
pub use text::{ExprText, Vocabulary};

use base::{IdVec, Name, Span, StatePredicate, define_id};

define_id!(
    /// A channel of the protocol.
    ChannelId, "c";
    /// A message name; shared by all channels.
    MessageId, "m";
    /// A variable, local or shared.
    VariableId, "v";
    /// A process.
    ProcessId, "p";
    /// An assertion.
    AssertionId, "a";
    /// A label within one body.
    LabelId, "l"
);

/// A whole protocol.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Model {
    /// Channels in declaration order, which is the order of report columns.
    pub channels: IdVec<ChannelId, Channel>,
    /// Message names in order of first use.
    pub messages: IdVec<MessageId, Name>,
    /// All variables, shared and local.
    pub variables: IdVec<VariableId, Variable>,
    /// Processes in declaration order.
    pub processes: IdVec<ProcessId, Process>,
    /// Assertions in declaration order.
    pub assertions: IdVec<AssertionId, Assertion>,
    /// Temporal formulas in declaration order.
    pub properties: Vec<Property>,
    /// Predicates of states that were given beside the text.
    pub predicates: Vec<StatePredicate<Predicate>>,
}

impl Model {
    /// The labels of its processes, with those of inlined procedures, that begin so; each once.
    pub fn labels_with(&self, prefix: &str) -> Vec<(ProcessId, Name)> {
        let mut found = Vec::new();
        for (id, process) in self.processes.iter_ids() {
            for label in process.body.labels.iter().filter(|it| it.name.starts_with(prefix)) {
                let place = (id, label.name.clone());
                if !found.contains(&place) {
                    found.push(place);
                }
            }
        }
        found
    }

    /// Whether some option begins with a call: then it matters when a call is executable.
    pub fn has_guarding_call(&self) -> bool {
        let mut found = false;
        for body in self.processes.iter().map(|it| &it.body) {
            body.statements.iter().for_each(|statement| {
                statement.walk(&mut |inner| found |= inner.begins_an_option_with_a_call());
            });
        }
        found
    }
}

impl Stmt {
    /// Calls `visit` with this statement and all inside it.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        visit(self);
        match &self.kind {
            StmtKind::If(options) | StmtKind::Do(options) => {
                options.iter().flatten().for_each(|inner| inner.walk(visit));
            }
            StmtKind::Call(body) => body.iter().for_each(|inner| inner.walk(visit)),
            _ => {}
        }
    }

    fn begins_an_option_with_a_call(&self) -> bool {
        let (StmtKind::If(options) | StmtKind::Do(options)) = &self.kind else { return false };
        options.iter().any(|it| matches!(it.as_slice(), [Stmt { kind: StmtKind::Call(_), .. }, ..]))
    }
}

/// A channel: a bounded first-in first-out queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Its name.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// Slots; `None` in the 1984 form without a size (`--capacity-default`).
    pub capacity: Option<u32>,
    /// What it holds at the start, oldest first.
    pub initial: Vec<Message>,
}

/// A message in a channel: a name and perhaps a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Message {
    /// Its name.
    pub name: MessageId,
    /// The value attached, if any.
    pub value: Option<i16>,
}

/// A variable of 16 bits with sign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// The process it is local to; `None` when shared.
    pub owner: Option<ProcessId>,
    /// Its value at the start.
    pub initial: i16,
}

/// A process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    /// Its name.
    pub name: Name,
    /// The name in its declaration.
    pub span: Span,
    /// What it does.
    pub body: Body,
}

/// An assertion: a restricted process that watches sends and receives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// `assert 1`, `assert 2`, ... in order of appearance.
    pub name: Name,
    /// The `assert` word.
    pub span: Span,
    /// The body as the user wrote it, blanks folded, for reports.
    pub text: String,
    /// What it allows.
    pub body: Body,
}

/// The statements of a process or assertion.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Body {
    /// In order; an empty list is a body that ends at once.
    pub statements: Vec<Stmt>,
    /// The labels of this body. Inlined procedures bring copies of theirs.
    pub labels: IdVec<LabelId, Label>,
    /// The closing brace, or the last statement: where the end state stands.
    pub end: Option<Span>,
}

/// A label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Its name; one beginning with `end` marks a proper resting place, with `accept` and
    /// `progress` what is looked for in cycles.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
    /// Whether some `goto` jumps to it.
    pub is_target: bool,
}

/// One statement, with the labels in front of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stmt {
    /// The text of the statement; for `if`/`do` the opening word.
    pub span: Span,
    /// The labels that stand before it.
    pub labels: Vec<LabelId>,
    /// What it does.
    pub kind: StmtKind,
}

/// What a statement does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StmtKind {
    /// Nothing.
    Skip,
    /// Waits until the expression is not zero.
    Condition(Expr),
    /// Sets a variable, cut to 16 bits.
    Assign(VariableId, Expr),
    /// `c!m` or `c!m(e)`.
    Send(ChannelId, MessageId, Option<Expr>),
    /// `c?m` or `c?m(v)`.
    Receive(ChannelId, MessageId, Option<VariableId>),
    /// `c?default`: takes any message at the head of the channel.
    ReceiveAny(ChannelId),
    /// `c?timeout`.
    Timeout(ChannelId),
    /// One of several options.
    If(Vec<Vec<Stmt>>),
    /// One of several options, again and again.
    Do(Vec<Vec<Stmt>>),
    /// Leaves the innermost `Do`.
    Break,
    /// The statements of a procedure, in the place of a call.
    Call(Vec<Stmt>),
    /// Leaves the innermost `Call`.
    Return,
    /// Jumps.
    Goto(LabelId),
}
