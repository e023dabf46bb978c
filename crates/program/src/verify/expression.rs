//! Expressions and actions: does everything they name exist?

use crate::{Action, Expr, Pattern, Place, ProctypeId, Program, Subscript};

/// Where an expression stands.
pub(super) struct Scope<'a> {
    pub(super) program: &'a Program,
    /// The proctype whose locals it may use.
    pub(super) proctype: Option<ProctypeId>,
}

impl Scope<'_> {
    /// Whether everything `action` names exists.
    pub(super) fn is_action_sound(&self, action: &Action) -> bool {
        let mut sound = action.targets().iter().all(|place| self.fits(place));
        action.each_part(&mut |part| sound = sound && self.is_sound(part));
        sound
    }

    /// Whether everything `expr` names exists.
    pub(super) fn is_sound(&self, expr: &Expr) -> bool {
        let mut sound = self.is_known(expr);
        expr.each_part(&mut |part| sound = sound && self.is_sound(part));
        sound
    }

    /// Whether what `expr` itself names exists, the expressions inside apart.
    fn is_known(&self, expr: &Expr) -> bool {
        let kind = |id: ProctypeId| self.program.proctypes.get(id);
        match expr {
            Expr::Load(place) => self.fits(place),
            Expr::Poll { patterns, .. } | Expr::Messages { patterns, .. } => {
                patterns.iter().filter_map(Pattern::target).all(|place| self.fits(place))
            }
            Expr::Run { proctype, arguments, .. } => {
                kind(*proctype).is_some_and(|kind| kind.parameters == arguments.len())
            }
            Expr::RemoteLabel(label) => kind(label.proctype)
                .is_some_and(|kind| kind.locations.get(label.location).is_some()),
            Expr::RemoteVariable(remote) => {
                let there = Scope { program: self.program, proctype: Some(remote.proctype) };
                there.fits(&remote.place)
            }
            _ => true,
        }
    }

    /// Whether the variable exists and no index within its bounds leaves it.
    fn fits(&self, place: &Place) -> bool {
        let reach = |s: &Subscript| u64::from(s.bound).saturating_sub(1) * u64::from(s.stride);
        let furthest = place.subscripts.iter().map(reach).fold(0, u64::saturating_add);
        self.program
            .variable(self.proctype, place.variable)
            .is_some_and(|v| furthest < u64::from(v.length))
    }
}
