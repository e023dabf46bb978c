//! Expressions and actions: does everything they name exist?

use crate::{
    Action, Expr, Pattern, Place, PrintPart, ProctypeId, Program, Queue, Subscript, Variable,
    VariableRef,
};

/// Where an expression stands.
pub(super) struct Scope<'a> {
    pub(super) program: &'a Program,
    /// The proctype whose locals it may use.
    pub(super) proctype: Option<ProctypeId>,
}

impl Scope<'_> {
    /// Whether everything `action` names exists.
    pub(super) fn is_action_sound(&self, action: &Action) -> bool {
        match action {
            Action::Skip | Action::Else | Action::Die | Action::Deterministic { .. } => true,
            Action::Condition(e) | Action::Assert(e) => self.is_sound(e),
            Action::Assign(place, e) => self.is_place(place) && self.is_sound(e),
            Action::Print(parts) => parts.iter().all(|part| self.is_part(part)),
            Action::Send { queue, arguments, .. } => {
                self.is_queue(queue) && self.are_sound(arguments)
            }
            Action::Receive { queue, patterns, .. } => {
                self.is_queue(queue) && self.are_patterns(patterns)
            }
            Action::SetPriority(a, b) => self.is_sound(a) && self.is_sound(b),
        }
    }

    /// Whether everything `expr` names exists.
    pub(super) fn is_sound(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(_)
            | Expr::Timeout
            | Expr::Pid
            | Expr::ProcessCount
            | Expr::Last
            | Expr::NonProgress
            | Expr::Accepting => true,
            Expr::Load(place) => self.is_place(place),
            Expr::Unary(_, a) | Expr::Enabled(a) | Expr::PcValue(a) | Expr::Priority(a) => {
                self.is_sound(a)
            }
            Expr::Binary(_, a, b) => self.is_sound(a) && self.is_sound(b),
            Expr::Choose(a, b, c) => self.is_sound(a) && self.is_sound(b) && self.is_sound(c),
            Expr::Probe(_, queue) => self.is_queue(queue),
            Expr::Poll { queue, patterns, .. } => {
                self.is_queue(queue) && self.are_patterns(patterns)
            }
            Expr::Run { proctype, arguments, .. } => {
                let kind = self.program.proctypes.get(*proctype);
                kind.is_some_and(|kind| kind.parameters == arguments.len())
                    && self.are_sound(arguments)
            }
            Expr::RemoteLabel(label) => {
                let kind = self.program.proctypes.get(label.proctype);
                kind.is_some_and(|kind| kind.locations.get(label.location).is_some())
                    && label.pid.iter().all(|pid| self.is_sound(pid))
            }
            Expr::RemoteVariable(remote) => {
                let there = Scope { program: self.program, proctype: Some(remote.proctype) };
                there.fits(&remote.place)
                    && remote.place.subscripts.iter().all(|s| self.is_sound(&s.index))
                    && remote.pid.iter().all(|pid| self.is_sound(pid))
            }
        }
    }

    fn are_sound(&self, exprs: &[Expr]) -> bool {
        exprs.iter().all(|expr| self.is_sound(expr))
    }

    fn is_queue(&self, queue: &Queue) -> bool {
        self.is_sound(&queue.number)
    }

    fn are_patterns(&self, patterns: &[Pattern]) -> bool {
        patterns.iter().all(|pattern| match pattern {
            Pattern::Store(place) => self.is_place(place),
            Pattern::Match(expr) => self.is_sound(expr),
            Pattern::Any => true,
        })
    }

    fn is_part(&self, part: &PrintPart) -> bool {
        match part {
            PrintPart::Text(_) => true,
            PrintPart::Decimal(e)
            | PrintPart::Unsigned(e)
            | PrintPart::Hexadecimal(e)
            | PrintPart::Octal(e)
            | PrintPart::Character(e)
            | PrintPart::Symbol(e) => self.is_sound(e),
        }
    }

    fn is_place(&self, place: &Place) -> bool {
        self.fits(place) && place.subscripts.iter().all(|s| self.is_sound(&s.index))
    }

    /// Whether the variable exists and no index within its bounds leaves it.
    fn fits(&self, place: &Place) -> bool {
        let reach = |s: &Subscript| u64::from(s.bound).saturating_sub(1) * u64::from(s.stride);
        let furthest = place.subscripts.iter().map(reach).fold(0, u64::saturating_add);
        self.variable(place.variable).is_some_and(|v| furthest < u64::from(v.length))
    }

    fn variable(&self, variable: VariableRef) -> Option<&Variable> {
        match variable {
            VariableRef::Global(id) => self.program.globals.get(id),
            VariableRef::Local(id) => {
                let kind = self.program.proctypes.get(self.proctype?)?;
                kind.variables.get(id)
            }
        }
    }
}
