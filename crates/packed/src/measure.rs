//! How large a form is: its edges, temporaries, offers, and the most moves there can be.

use crate::visit::visit_ops;
use crate::{Edge, Expr, Op, Packed, Then};

impl Packed {
    /// All edges with the index of their agent, in the order that numbers them: agent by
    /// agent, place by place, what an agent does by itself before what it takes.
    pub fn edges(&self) -> impl Iterator<Item = (usize, &Edge)> {
        self.agents.iter().enumerate().flat_map(|(i, agent)| {
            let places = agent.places.iter();
            let groups = places.flat_map(|place| place.groups.iter().chain(&place.takes));
            groups.flatten().map(move |edge| (i, edge))
        })
    }

    /// How many agents move by themselves: all but a claim, which is the last.
    pub fn movers(&self) -> usize {
        self.agents.len() - usize::from(self.claim.is_some())
    }

    /// The most moves `agent` (an index) can have in one state.
    pub fn most(&self, agent: usize) -> usize {
        let places = self.agents[agent].places.iter();
        places.map(|place| self.most_of(&place.groups)).max().unwrap_or(0)
    }

    fn most_of(&self, groups: &[Vec<Edge>]) -> usize {
        let ways = |edge: &Edge| match &edge.then {
            Then::Offered(takers) => takers.iter().map(|taker| self.most_takes(*taker)).sum(),
            Then::Visible | Then::GoesOn => 1,
        };
        groups.iter().map(|group| group.iter().map(ways).sum()).max().unwrap_or(0)
    }

    fn most_takes(&self, taker: usize) -> usize {
        let takes = self.agents[taker].places.iter().flat_map(|place| &place.takes);
        takes.map(Vec::len).max().unwrap_or(0)
    }

    /// How many temporaries an edge has at most.
    pub fn temps(&self) -> usize {
        let mut count = 0;
        let mut see = |temp: u32| count = count.max(temp as usize + 1);
        self.visit(&mut |op, expr| match (op, expr) {
            (Some(Op::Let(temp, _)), _) => see(*temp),
            (_, Some(Expr::Temp(temp) | Expr::Find { index: temp, .. })) => see(*temp),
            _ => {}
        });
        count
    }

    /// How many values an offer has at most.
    pub fn offer(&self) -> usize {
        let mut count = 0;
        let mut see = |value: u32| count = count.max(value as usize + 1);
        self.visit(&mut |op, expr| match (op, expr) {
            (Some(Op::Offer(value, _)), _) | (_, Some(Expr::Offered(value))) => see(*value),
            _ => {}
        });
        count
    }
}

impl Edge {
    /// How many operations and expressions it has.
    pub fn size(&self) -> usize {
        let mut size = 0;
        [&self.guard, &self.body].into_iter().for_each(|ops| visit_ops(ops, &mut |_, _| size += 1));
        size
    }
}
