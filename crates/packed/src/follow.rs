//! Unseen sequences without a choice are followed in place, by whoever makes the first move:
//! most have none, and a state on the way need not be copied or handed around.
//!
//! At a place that [is followed](Place::is_followed), if exactly one edge can move, its body
//! changes the state where it is, and so on, until an edge is visible, nothing can move, more
//! than one edge can, or the agent stands at another place. In the last two cases the move
//! [goes on](crate::Move::goes_on): the driver asks the agent for what it does next.

use crate::visit::{Seen, visit_ops};
use crate::{BinaryOp, Edge, Expr, Op, Place, Then};

/// Edges that are followed after one another. A sequence that never ends is given up.
pub const FOLLOWED_MAX: u64 = 1 << 14;

impl Place {
    /// Whether what can move here can be told before anything is changed, and does not
    /// depend on more than the state: one group, no offers, no bodies that fail, and nobody
    /// asks for a timeout.
    pub fn is_followed(&self) -> bool {
        let plain = |edge: &Edge| {
            !matches!(edge.then, Then::Offered(_)) && !edge.asks_timeout() && !edge.can_fail()
        };
        self.groups.len() <= 1 && self.groups.iter().flatten().all(plain)
    }
}

impl Edge {
    fn asks_timeout(&self) -> bool {
        self.mentions(&|_, expr| matches!(expr, Some(Expr::Timeout)))
    }

    /// Whether its body may find that it does not move.
    fn can_fail(&self) -> bool {
        any(&self.body, &|op, _| matches!(op, Some(Op::Require(_) | Op::Walk(_))))
    }

    /// Whether its body neither fails nor bails, whatever the state.
    pub fn is_sure(&self) -> bool {
        !any(&self.body, &|op, expr| op.is_some_and(may_stop) || expr.is_some_and(may_bail))
    }

    fn mentions(&self, wanted: &dyn Fn(Option<&Op>, Option<&Expr>) -> bool) -> bool {
        any(&self.guard, wanted) || any(&self.body, wanted)
    }
}

fn any(ops: &[Op], wanted: &dyn Fn(Option<&Op>, Option<&Expr>) -> bool) -> bool {
    let mut found = false;
    let see: &mut Seen<'_> = &mut |op, expr| found |= wanted(op, expr);
    visit_ops(ops, see);
    found
}

fn may_stop(op: &Op) -> bool {
    match op {
        Op::Let(..) | Op::Set(..) | Op::Clear(_) | Op::Switch(..) => false,
        Op::Take(array, Expr::Const(index)) => *index < 0 || *index as u32 >= array.length,
        _ => true,
    }
}

fn may_bail(expr: &Expr) -> bool {
    match expr {
        Expr::Element(..) | Expr::Within(..) | Expr::Find { .. } | Expr::Bail => true,
        Expr::Binary(op, ..) => matches!(op, BinaryOp::Divide | BinaryOp::Remainder),
        _ => false,
    }
}
