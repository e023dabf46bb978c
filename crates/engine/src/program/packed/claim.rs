//! The never claim: one more agent, which the product moves with every step
//! ([`packed::Claim`](::packed::Claim)). Where it says that the system is wrong, the state is
//! given up, as it is for an atomic sequence of the claim, which is one move or none.

use super::layout::{Room, Slot};
use super::scope::{Lowering, Scope};
use ::packed::{Claim, Edge, Op, Place, Then};
use program::{Action, ClaimKind, EdgeId, Expr, Initial, LocationId, Proctype, Variable};
use system::StepKind;

/// What of a claim has no packed form, if there is anything.
pub(super) fn unsupported(claim: &Proctype) -> Option<&'static str> {
    let acts = |action: &Action| matches!(action, Action::Send { .. } | Action::Receive { .. });
    let has_channels = |variable: &Variable| matches!(variable.initial, Initial::Channel(_));
    if claim.variables.iter().any(has_channels) {
        Some("a never claim with channels of its own")
    } else if claim.mentions(&|expr| matches!(expr, Expr::Run { .. }))
        || claim.edges.iter().any(|edge| acts(&edge.action))
    {
        Some("a never claim that sends, receives or runs")
    } else {
        None
    }
}

impl<'a> Lowering<'a> {
    /// What the product is to know about the claim, if there is one.
    pub(super) fn claim(&self) -> Option<Claim> {
        self.layout.claim.as_ref()?;
        let asks = |claim: &program::Claim| match claim.kind {
            ClaimKind::Never(id) => self.program.proctypes[id].asks_timeout(),
            ClaimKind::Ltl(_) => false,
        };
        let asks_timeout = self.program.claims.iter().any(asks);
        Some(Claim { stutters: self.layout.stutters, asks_timeout })
    }

    /// What the claim can do at a location.
    pub(super) fn claim_place(&self, slot: &'a Slot, room: &'a Room, at: LocationId) -> Place {
        let kind = &self.program.proctypes[room.proctype];
        let mark = self.first_mark(self.program.proctypes.len());
        // At its end the claim says that the system is wrong. SPIN goes on behind an error.
        if kind.is_end(at) && !self.rules.spin_counts {
            return Place { groups: vec![vec![given_up(mark)]], takes: Vec::new() };
        }
        let edges = |ids: &[EdgeId]| -> Vec<Edge> {
            let edges = ids.iter().flat_map(|id| {
                let scope = Scope::of_claim(*self, slot.at, room);
                let ways = scope.ways(&kind.edges[*id].action).into_iter();
                ways.map(move |way| claim_edge(kind, *id, scope.edge(*id, way, mark)))
            });
            edges.collect()
        };
        let groups = self.groups(kind, at).into_iter().map(edges);
        let groups = groups.filter(|group| !group.is_empty()).collect();
        Place { groups, takes: Vec::new() }
    }
}

/// An edge of the claim: it gives the state up where there is more to say than that it moves.
fn claim_edge(kind: &Proctype, id: EdgeId, edge: Edge) -> Edge {
    let plain = &kind.edges[id];
    let mut body = edge.body;
    if plain.goes_on() || plain.action == Action::Die || kind.is_end(plain.to) {
        body.push(Op::Bail);
    }
    Edge { kind: StepKind::Internal, body, then: Then::Visible, ..edge }
}

/// An edge that gives the state up.
fn given_up(mark: u32) -> Edge {
    Edge {
        number: 0,
        mark,
        kind: StepKind::Internal,
        is_else: false,
        guard: vec![Op::Bail],
        body: Vec::new(),
        then: Then::Visible,
    }
}
