//! What occurs inside expressions, actions and formulas.

use crate::{Action, Expr, Initial, Pattern, Place, PrintPart, Proctype, Program};
use crate::{ClaimKind, Variable};

/// The walks over what is directly inside, once to look and once to change.
macro_rules! walks {
    ($each_part:ident, $value:ident $(, $mutable:tt)?) => {
        impl Expr {
            /// Calls `visit` with each expression directly inside.
            pub fn $each_part<'a>(
                &'a $($mutable)? self,
                visit: &mut dyn FnMut(&'a $($mutable)? Expr),
            ) {
                match self {
                    Expr::Load(place) => place.$each_part(visit),
                    Expr::Unary(_, a) | Expr::Enabled(a) | Expr::PcValue(a) | Expr::Priority(a) => {
                        visit(a);
                    }
                    Expr::Binary(_, a, b) => {
                        visit(a);
                        visit(b);
                    }
                    Expr::Choose(a, b, c) => {
                        visit(a);
                        visit(b);
                        visit(c);
                    }
                    Expr::Probe(_, queue) => visit(& $($mutable)? queue.number),
                    Expr::Poll { queue, patterns, .. }
                    | Expr::Messages { queue, patterns, .. } => {
                        visit(& $($mutable)? queue.number);
                        patterns.into_iter().for_each(|pattern| pattern.$each_part(visit));
                    }
                    Expr::Run { arguments, .. } => arguments.into_iter().for_each(visit),
                    Expr::RemoteLabel(label) => {
                        (& $($mutable)? label.pid).into_iter().for_each(|pid| visit(pid));
                    }
                    Expr::RemoteVariable(variable) => {
                        (& $($mutable)? variable.pid).into_iter().for_each(|pid| visit(pid));
                        variable.place.$each_part(visit);
                    }
                    Expr::Const(_)
                    | Expr::Timeout
                    | Expr::Pid
                    | Expr::ProcessCount
                    | Expr::Last
                    | Expr::NonProgress
                    | Expr::Accepting => {}
                }
            }
        }

        impl Action {
            /// Calls `visit` with each expression directly inside.
            pub fn $each_part<'a>(
                &'a $($mutable)? self,
                visit: &mut dyn FnMut(&'a $($mutable)? Expr),
            ) {
                match self {
                    Action::Skip | Action::Else | Action::Deterministic { .. } | Action::Die => {}
                    Action::Condition(expr) | Action::Assert(expr) => visit(expr),
                    Action::Assign(place, expr) => {
                        place.$each_part(visit);
                        visit(expr);
                    }
                    Action::Print(parts) => {
                        parts.into_iter().filter_map(PrintPart::$value).for_each(visit);
                    }
                    Action::Send { queue, arguments, .. } => {
                        visit(& $($mutable)? queue.number);
                        arguments.into_iter().for_each(visit);
                    }
                    Action::Receive { queue, patterns, .. } => {
                        visit(& $($mutable)? queue.number);
                        patterns.into_iter().for_each(|pattern| pattern.$each_part(visit));
                    }
                    Action::SetPriority(a, b) => {
                        visit(a);
                        visit(b);
                    }
                }
            }
        }

        impl PrintPart {
            /// What is computed to be printed.
            pub fn $value(& $($mutable)? self) -> Option<& $($mutable)? Expr> {
                use PrintPart::{Character, Decimal, Hexadecimal, Octal, Symbol, Text, Unsigned};
                match self {
                    Text(_) => None,
                    Decimal(e) | Unsigned(e) | Hexadecimal(e) | Octal(e) | Character(e)
                    | Symbol(e) => Some(e),
                }
            }
        }

        impl Place {
            fn $each_part<'a>(
                &'a $($mutable)? self,
                visit: &mut dyn FnMut(&'a $($mutable)? Expr),
            ) {
                for subscript in & $($mutable)? self.subscripts {
                    visit(& $($mutable)? subscript.index);
                }
            }
        }

        impl Pattern {
            fn $each_part<'a>(
                &'a $($mutable)? self,
                visit: &mut dyn FnMut(&'a $($mutable)? Expr),
            ) {
                match self {
                    Pattern::Store(place) => place.$each_part(visit),
                    Pattern::Match(expr) => visit(expr),
                    Pattern::Any => {}
                }
            }
        }
    };
}

walks!(each_part, value);
walks!(each_part_mut, value_mut, mut);

impl Expr {
    /// Whether `wanted` holds of this expression or of one inside it.
    pub fn mentions(&self, wanted: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = wanted(self);
        self.each_part(&mut |part| found = found || part.mentions(wanted));
        found
    }
}

impl Action {
    /// Whether `wanted` holds of an expression inside.
    pub fn mentions(&self, wanted: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        self.each_part(&mut |part| found = found || part.mentions(wanted));
        found
    }

    /// Where it stores something, the inside of a `d_step` apart.
    pub fn targets(&self) -> Vec<&Place> {
        match self {
            Action::Assign(place, _) => vec![place],
            Action::Receive { patterns, .. } => {
                patterns.iter().filter_map(Pattern::target).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Pattern {
    /// Where it stores what comes in.
    pub fn target(&self) -> Option<&Place> {
        match self {
            Pattern::Store(place) => Some(place),
            Pattern::Match(_) | Pattern::Any => None,
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

    /// Every predicate of states: those of all formulas too.
    pub(crate) fn looks(&self) -> Vec<&Expr> {
        let mut found = Vec::new();
        found.extend(self.predicates.iter().map(|predicate| &predicate.holds));
        for claim in &self.claims {
            if let ClaimKind::Ltl(formula) = &claim.kind {
                formula.each_predicate(&mut |expr| found.push(expr));
            }
        }
        found
    }
}
