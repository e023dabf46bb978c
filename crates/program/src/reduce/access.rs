//! What expressions and actions read and write.

use crate::{
    Action, BinaryOp, Expr, Initial, Place, PrintPart, ProctypeId, Program, Subscript, VariableId,
    VariableRef,
};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Variables of a process and of the program.
pub(super) type Variables = BTreeSet<VariableRef>;

/// What an expression reads of the process and the program.
pub(super) fn reads(expr: &Expr) -> Variables {
    let found = RefCell::new(Variables::new());
    expr.mentions(&|expr| note(expr, &found));
    found.into_inner()
}

/// What an action reads before or while it executes, the inside of a `d_step`
/// apart. What `printf` prints matters only to a replay, which runs the
/// plain program; unless to compute it may fail.
pub(super) fn action_reads(action: &Action) -> Variables {
    if let Action::Print(parts) = action {
        let values = parts.iter().filter_map(PrintPart::value);
        return values.filter(|value| !cannot_fail(value)).flat_map(reads).collect();
    }
    let found = RefCell::new(Variables::new());
    action.mentions(&|expr| note(expr, &found));
    found.into_inner()
}

/// What the subscripts of a place read.
pub(super) fn place_reads(place: &Place) -> Variables {
    place.subscripts.iter().flat_map(|subscript| reads(&subscript.index)).collect()
}

fn note(expr: &Expr, found: &RefCell<Variables>) -> bool {
    let variable = match expr {
        Expr::Load(place) => Some(place.variable),
        // A local of another process is not among those of this one.
        Expr::RemoteVariable(remote) => remote.place.variable.global().map(VariableRef::Global),
        _ => None,
    };
    found.borrow_mut().extend(variable);
    false
}

/// Whether the expression yields a value whatever the variables hold, creates
/// nothing, and asks for nothing but variables.
pub(super) fn cannot_fail(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Pid => true,
        Expr::Load(place) => stays_inside(place),
        Expr::Unary(_, a) => cannot_fail(a),
        Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, a, b) => {
            cannot_fail(a) && matches!(**b, Expr::Const(divisor) if divisor != 0)
        }
        Expr::Binary(_, a, b) => cannot_fail(a) && cannot_fail(b),
        Expr::Choose(a, b, c) => cannot_fail(a) && cannot_fail(b) && cannot_fail(c),
        _ => false,
    }
}

/// Whether all indices are constants within their bounds.
pub(super) fn stays_inside(place: &Place) -> bool {
    let inside = |subscript: &Subscript| match subscript.index {
        Expr::Const(index) => u32::try_from(index).is_ok_and(|index| index < subscript.bound),
        _ => false,
    };
    place.subscripts.iter().all(inside)
}

/// Every expression that no edge of a proctype holds: initial values, `provided`,
/// formulas.
pub(super) fn outside_edges(program: &Program) -> Vec<&Expr> {
    let locals = program.proctypes.iter().flat_map(|kind| &kind.variables);
    let initials = program.globals.iter().chain(locals).filter_map(|v| match &v.initial {
        Initial::Value(expr) => Some(expr),
        _ => None,
    });
    let provided = program.proctypes.iter().filter_map(|kind| kind.provided.as_ref());
    initials.chain(provided).chain(program.looks()).collect()
}

/// Whether `wanted` holds of some expression of the program, claims included.
pub(super) fn somewhere(program: &Program, wanted: &dyn Fn(&Expr) -> bool) -> bool {
    program.proctypes.iter().any(|kind| kind.mentions(wanted))
        || outside_edges(program).iter().any(|expr| expr.mentions(wanted))
}

/// The locals that another process reads, as `P[i]:x`.
pub(super) fn watched_locals(program: &Program) -> BTreeSet<(ProctypeId, VariableId)> {
    let found = RefCell::new(BTreeSet::new());
    somewhere(program, &|expr| {
        if let Expr::RemoteVariable(remote) = expr
            && let Some(id) = remote.place.variable.local()
        {
            found.borrow_mut().insert((remote.proctype, id));
        }
        false
    });
    found.into_inner()
}
