//! Whether it matters which numbers processes and channels have.

use crate::{Action, Expr, Initial, Pattern, Place, PrintPart, Proctype, ProctypeId, Program};
use crate::{Queue, Scalar, Variable};

impl Program {
    /// Whether nothing the program does depends on the numbers of its processes and
    /// channels, nor on whether a process that is through has ended yet: it asks for none,
    /// computes with none, and hands channels on only to processes it creates. A channel of
    /// a process is then known to younger processes alone, so to nobody when it ends.
    pub fn is_anonymous(&self) -> bool {
        let program = Body { program: self, kind: None };
        let kind_tells = |(id, kind): (ProctypeId, &Proctype)| {
            let body = Body { kind: Some(id), ..program };
            kind.variables.iter().any(|variable| body.initial_tells(variable))
                || kind.edges.iter().any(|edge| body.action_tells(&edge.action))
                || kind.provided.iter().any(|condition| body.tells(condition))
        };
        !self.globals.iter().any(|variable| program.initial_tells(variable))
            && !self.proctypes.iter_ids().any(kind_tells)
    }
}

/// Statements of a proctype, or of none.
#[derive(Clone, Copy)]
struct Body<'a> {
    program: &'a Program,
    kind: Option<ProctypeId>,
}

/// Each asks whether a number may be told.
impl Body<'_> {
    fn initial_tells(self, variable: &Variable) -> bool {
        match &variable.initial {
            Initial::Value(expr) => self.copy_tells(expr, Some(variable)),
            Initial::List(_) => variable.scalar == Scalar::Chan,
            Initial::Zero | Initial::Channel(_) | Initial::Argument(_) => false,
        }
    }

    fn action_tells(self, action: &Action) -> bool {
        match action {
            Action::Skip | Action::Else | Action::Deterministic { .. } | Action::Die => false,
            Action::Condition(Expr::Run { proctype, arguments, .. }) => {
                let variables = &self.program.proctypes[*proctype].variables;
                arguments.iter().enumerate().any(|(number, argument)| {
                    let takes =
                        |variable: &&Variable| variable.initial == Initial::Argument(number);
                    self.copy_tells(argument, variables.iter().find(takes))
                })
            }
            Action::Condition(expr) | Action::Assert(expr) => self.tells(expr),
            Action::Assign(place, expr) => self.place_tells(place) || self.tells(expr),
            Action::Print(parts) => {
                let mut values = parts.iter().filter_map(PrintPart::value);
                values.any(|value| *value != Expr::Pid && self.tells(value))
            }
            Action::Send { queue, arguments, .. } => {
                self.queue_tells(queue) || arguments.iter().any(|argument| self.tells(argument))
            }
            Action::Receive { queue, patterns, .. } => {
                self.queue_tells(queue) || self.patterns_tell(patterns)
            }
            Action::SetPriority(..) => true,
        }
    }

    /// A value is copied into a variable that is set nowhere else.
    fn copy_tells(self, expr: &Expr, into: Option<&Variable>) -> bool {
        match (expr, into.map(|variable| variable.scalar)) {
            (Expr::Load(place), Some(Scalar::Chan)) => {
                !self.is_channel(place) || self.subscripts_tell(place)
            }
            (_, Some(Scalar::Chan)) => true,
            _ => self.tells(expr),
        }
    }

    fn tells(self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(_) | Expr::Timeout => false,
            Expr::Load(place) => self.place_tells(place),
            Expr::Unary(_, a) => self.tells(a),
            Expr::Binary(_, a, b) => self.tells(a) || self.tells(b),
            Expr::Choose(a, b, c) => self.tells(a) || self.tells(b) || self.tells(c),
            Expr::Probe(_, queue) => self.queue_tells(queue),
            Expr::Poll { queue, patterns, .. } | Expr::Messages { queue, patterns, .. } => {
                self.queue_tells(queue) || self.patterns_tell(patterns)
            }
            Expr::Run { .. }
            | Expr::Pid
            | Expr::ProcessCount
            | Expr::Last
            | Expr::NonProgress
            | Expr::Accepting
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::Priority(_)
            | Expr::RemoteLabel(_)
            | Expr::RemoteVariable(_) => true,
        }
    }

    fn patterns_tell(self, patterns: &[Pattern]) -> bool {
        patterns.iter().any(|pattern| match pattern {
            Pattern::Store(place) => self.place_tells(place),
            Pattern::Match(expr) => self.tells(expr),
            Pattern::Any => false,
        })
    }

    /// A place is read or set, other than to say which channel is meant.
    fn place_tells(self, place: &Place) -> bool {
        self.is_channel(place) || self.subscripts_tell(place)
    }

    fn queue_tells(self, queue: &Queue) -> bool {
        match queue.number.as_ref() {
            Expr::Load(place) => !self.is_channel(place) || self.subscripts_tell(place),
            _ => true,
        }
    }

    fn subscripts_tell(self, place: &Place) -> bool {
        place.subscripts.iter().any(|subscript| self.tells(&subscript.index))
    }

    fn is_channel(self, place: &Place) -> bool {
        let variable = self.program.variable(self.kind, place.variable);
        variable.is_some_and(|variable| variable.scalar == Scalar::Chan)
    }
}
