//! What occurs inside expressions and actions.

use crate::{Action, Expr, Initial, Pattern, Place, PrintPart, Proctype, Program, Queue, Variable};

impl Expr {
    /// Whether `wanted` holds of this expression or of one inside it.
    pub fn mentions(&self, wanted: &dyn Fn(&Expr) -> bool) -> bool {
        let inside = |expr: &Expr| expr.mentions(wanted);
        let pid_inside = |pid: &Option<Box<Expr>>| pid.as_deref().is_some_and(inside);
        wanted(self)
            || match self {
                Expr::Load(place) => in_place(place, wanted),
                Expr::Unary(_, a) | Expr::Enabled(a) | Expr::PcValue(a) | Expr::Priority(a) => {
                    inside(a)
                }
                Expr::Binary(_, a, b) => inside(a) || inside(b),
                Expr::Choose(a, b, c) => inside(a) || inside(b) || inside(c),
                Expr::Probe(_, queue) => in_queue(queue, wanted),
                Expr::Poll { queue, patterns, .. } => {
                    in_queue(queue, wanted) || in_patterns(patterns, wanted)
                }
                Expr::Run { arguments, .. } => arguments.iter().any(inside),
                Expr::RemoteLabel(label) => pid_inside(&label.pid),
                Expr::RemoteVariable(variable) => {
                    pid_inside(&variable.pid) || in_place(&variable.place, wanted)
                }
                Expr::Const(_)
                | Expr::Timeout
                | Expr::Pid
                | Expr::ProcessCount
                | Expr::Last
                | Expr::NonProgress
                | Expr::Accepting => false,
            }
    }
}

impl Action {
    /// Whether `wanted` holds of an expression inside.
    pub fn mentions(&self, wanted: &dyn Fn(&Expr) -> bool) -> bool {
        let inside = |expr: &Expr| expr.mentions(wanted);
        match self {
            Action::Skip | Action::Else | Action::Deterministic { .. } | Action::Die => false,
            Action::Condition(e) | Action::Assert(e) => inside(e),
            Action::Assign(place, e) => in_place(place, wanted) || inside(e),
            Action::Print(parts) => parts.iter().filter_map(PrintPart::value).any(inside),
            Action::Send { queue, arguments, .. } => {
                in_queue(queue, wanted) || arguments.iter().any(inside)
            }
            Action::Receive { queue, patterns, .. } => {
                in_queue(queue, wanted) || in_patterns(patterns, wanted)
            }
            Action::SetPriority(a, b) => inside(a) || inside(b),
        }
    }
}

impl Proctype {
    /// Whether `wanted` holds of an expression in its statements or `provided`.
    pub fn mentions(&self, wanted: &dyn Fn(&Expr) -> bool) -> bool {
        self.edges.iter().any(|edge| edge.action.mentions(wanted))
            || self.provided.as_ref().is_some_and(|condition| condition.mentions(wanted))
    }

    /// Whether it asks for `timeout`.
    pub fn asks_timeout(&self) -> bool {
        self.names_timeout || self.mentions(&|expr| *expr == Expr::Timeout)
    }
}

impl Program {
    /// Whether some channel that is declared is a rendezvous.
    pub fn has_rendezvous(&self) -> bool {
        let locals = self.proctypes.iter().flat_map(|kind| &kind.variables);
        let rendezvous = |variable: &Variable| match &variable.initial {
            Initial::Channel(kind) => kind.capacity == 0,
            _ => false,
        };
        self.globals.iter().chain(locals).any(rendezvous)
    }
}

fn in_place(place: &Place, wanted: &dyn Fn(&Expr) -> bool) -> bool {
    place.subscripts.iter().any(|subscript| subscript.index.mentions(wanted))
}

fn in_queue(queue: &Queue, wanted: &dyn Fn(&Expr) -> bool) -> bool {
    queue.number.mentions(wanted)
}

fn in_patterns(patterns: &[Pattern], wanted: &dyn Fn(&Expr) -> bool) -> bool {
    patterns.iter().any(|pattern| match pattern {
        Pattern::Store(place) => in_place(place, wanted),
        Pattern::Match(expr) => expr.mentions(wanted),
        Pattern::Any => false,
    })
}
