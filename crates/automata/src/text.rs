//! The network as text (`.net`): one line per thing, ids as they are, names in
//! quotes, spans and merged originals included, so that a printed network reads
//! back equal. For people who look at a pass, for tests that compare passes.
//!
//! ```text
//! rules last any strict
//! message "msg1"
//! channel "link" 1 @0:10-14 [m0 m1(5)]
//! variable "n" 0 p1 @0:20-21
//! machine "sender" s0 s4 @0:30-36
//!   state labelled resting "wait" @0:40-42 [s0 s3]
//!   edge s0 s1 send c0 m0 (+ v0 1) @0:50-60 [e0 e4]
//! observer "assert 1" s0 s2 @0:70-76 "link!msg1"
//! ```

mod read;

pub use read::{ReadError, read};

use crate::{Action, DefaultRule, Edge, EndRule, Machine, Network, State, TimeoutRule};
use base::{Id, Span};
use model::{Expr, Message};
use std::fmt::{self, Display, Formatter};

/// A span as `@file:start-end` or `@file:start-end^origin`.
struct SpanText(Span);

impl Display for SpanText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Span { file, start, end, origin } = self.0;
        write!(f, "@{}:{start}-{end}", file.index())?;
        origin.map_or(Ok(()), |origin| write!(f, "^{}", origin.index()))
    }
}

/// Things in square brackets, blanks between.
struct ListText<'a, T>(&'a [T]);

impl<T: Display> Display for ListText<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if i == 0 { "" } else { " " })?;
        }
        f.write_str("]")
    }
}

struct MessageText(Message);

impl Display for MessageText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.value {
            None => write!(f, "{}", self.0.name),
            Some(value) => write!(f, "{}({value})", self.0.name),
        }
    }
}

/// An expression in prefix form: `(+ v0 1)`.
struct PrefixText<'a>(&'a Expr);

impl Display for PrefixText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Expr::Const(value) => write!(f, "{value}"),
            Expr::Var(variable) => write!(f, "{variable}"),
            Expr::Unary(op, x) => write!(f, "({} {})", op.symbol(), PrefixText(x)),
            Expr::Binary(op, x, y) => {
                write!(f, "({} {} {})", op.symbol(), PrefixText(x), PrefixText(y))
            }
        }
    }
}

struct ActionCode<'a>(&'a Action);

impl Display for ActionCode<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Action::Skip => f.write_str("skip"),
            Action::Condition(e) => write!(f, "if {}", PrefixText(e)),
            Action::Assign(v, e) => write!(f, "set {v} {}", PrefixText(e)),
            Action::Send(c, m, None) => write!(f, "send {c} {m}"),
            Action::Send(c, m, Some(e)) => write!(f, "send {c} {m} {}", PrefixText(e)),
            Action::Receive(c, m, None) => write!(f, "receive {c} {m}"),
            Action::Receive(c, m, Some(v)) => write!(f, "receive {c} {m} {v}"),
            Action::ReceiveAny(c) => write!(f, "default {c}"),
            Action::Timeout(c) => write!(f, "timeout {c}"),
        }
    }
}

impl Display for Network {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let rules = &self.rules;
        let (timeout, default) = (rules.timeout.word(), rules.default_receive.word());
        writeln!(f, "rules {timeout} {default} {}", rules.end.word())?;
        for message in &self.messages {
            writeln!(f, "message {message:?}")?;
        }
        for channel in &self.channels {
            let initial: Vec<_> = channel.initial.iter().copied().map(MessageText).collect();
            let (name, span) = (&channel.name, SpanText(channel.span));
            writeln!(f, "channel {name:?} {} {span} {}", channel.capacity, ListText(&initial))?;
        }
        for variable in &self.variables {
            let owner = variable.owner.map_or("shared".to_owned(), |owner| owner.to_string());
            let (name, span) = (&variable.name, SpanText(variable.span));
            writeln!(f, "variable {name:?} {} {owner} {span}", variable.initial)?;
        }
        for machine in &self.machines {
            writeln!(f, "machine {}", Head(machine))?;
            body(f, machine)?;
        }
        for observer in &self.observers {
            writeln!(f, "observer {} {:?}", Head(observer.machine()), observer.text())?;
            body(f, observer.machine())?;
        }
        Ok(())
    }
}

struct Head<'a>(&'a Machine);

impl Display for Head<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Machine { name, start, end, span, .. } = self.0;
        write!(f, "{name:?} {start} {end} {}", SpanText(*span))
    }
}

fn body(f: &mut Formatter<'_>, machine: &Machine) -> fmt::Result {
    for (id, state) in machine.states.iter_ids() {
        state_line(f, state)?;
        for (_, edge) in machine.edges_from(id) {
            edge_line(f, edge)?;
        }
    }
    Ok(())
}

fn state_line(f: &mut Formatter<'_>, state: &State) -> fmt::Result {
    f.write_str("  state")?;
    if state.labelled {
        f.write_str(" labelled")?;
    }
    if state.resting {
        f.write_str(" resting")?;
    }
    for label in &state.labels {
        write!(f, " {label:?}")?;
    }
    if let Some(span) = state.span {
        write!(f, " {}", SpanText(span))?;
    }
    writeln!(f, " {}", ListText(&state.members))
}

fn edge_line(f: &mut Formatter<'_>, edge: &Edge) -> fmt::Result {
    let Edge { from, to, action, span, originals } = edge;
    let (action, span) = (ActionCode(action), SpanText(*span));
    writeln!(f, "  edge {from} {to} {action} {span} {}", ListText(originals))
}

impl TimeoutRule {
    /// Every rule.
    pub const ALL: [Self; 4] = [Self::Last, Self::Empty, Self::Any, Self::Off];

    /// As written on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Last => "last",
            Self::Empty => "empty",
            Self::Any => "any",
            Self::Off => "off",
        }
    }
}

impl DefaultRule {
    /// Every rule.
    pub const ALL: [Self; 2] = [Self::Any, Self::Else];

    /// As written on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Else => "else",
        }
    }
}

impl EndRule {
    /// Every rule.
    pub const ALL: [Self; 2] = [Self::Strict, Self::Home];

    /// As written on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Home => "home",
        }
    }
}
