//! Counterexamples: a way into an accepting component and a tour through it, both short.

use crate::Fairness;
use crate::bits::Nodes;
use crate::product::{Node, Product, Taken};
use crate::reach::shortest;
use search::{Listed, Walker, Why};
use system::Processes;

/// For the shortest cycle so many edges that it may go through are tried.
const CYCLES_TRIED: usize = 64;

/// An edge of the state space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The state it leaves.
    pub from: u32,
    /// The state it leads to.
    pub to: u32,
    /// The processes that take part, if that matters.
    pub moved: Option<Processes>,
}

/// A run: the prefix, and the cycle that repeats for ever behind it. Without a cycle the prefix
/// is bad whatever follows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lasso {
    /// From the initial state on.
    pub prefix: Vec<Edge>,
    /// From where the prefix leads, back to there.
    pub cycle: Vec<Edge>,
}

/// A run into the component of these nodes and through it for ever.
pub(crate) fn lasso(
    product: &Product<'_>,
    walker: &mut Walker<'_>,
    fairness: Fairness,
    members: &[Node],
) -> Result<Lasso, Why> {
    let mut inside = Nodes::new(product)?;
    members.iter().for_each(|node| {
        inside.add(*node);
    });
    let mut prefix = Vec::new();
    if !inside.has(product.initial) {
        let enters = |step: &Taken| inside.has(step.to);
        let way = shortest(product, walker, product.initial, None, enters, |_| false)?;
        prefix = way.unwrap_or_default();
    }
    let entry = prefix.last().map_or(product.initial, |taken: &Taken| taken.to);
    let mut component = Component { product, walker, inside: &inside };
    let cycle = if fairness == Fairness::None && product.full.count_ones() <= 1 {
        let (way, cycle) = component.cycle(entry)?;
        prefix.extend(way);
        cycle
    } else {
        component.tour(entry, fairness, members)?
    };
    Ok(Lasso { prefix: edges(product, walker, &prefix), cycle: edges(product, walker, &cycle) })
}

pub(crate) fn edges(product: &Product<'_>, walker: &Walker<'_>, way: &[Taken]) -> Vec<Edge> {
    let edge = |taken: &Taken| Edge {
        from: walker.original(product.state(taken.from)),
        to: walker.original(product.state(taken.to)),
        moved: walker.knows_participants().then_some(taken.moved),
    };
    way.iter().map(edge).collect()
}

struct Component<'p, 'w, 'a> {
    product: &'p Product<'p>,
    walker: &'w mut Walker<'a>,
    inside: &'p Nodes,
}

impl Component<'_, '_, '_> {
    fn way(
        &mut self,
        from: Node,
        wanted: impl Fn(&Taken) -> bool,
        stops: impl Fn(Processes) -> bool,
    ) -> Result<Vec<Taken>, Why> {
        // Every node of a component leads to every other.
        let way = shortest(self.product, self.walker, from, Some(self.inside), wanted, stops)?;
        Ok(way.unwrap_or_default())
    }

    /// A short cycle with an edge of the only acceptance set, and the way to it. The accepting
    /// edges nearest to the entry are tried in turn.
    fn cycle(&mut self, entry: Node) -> Result<(Vec<Taken>, Vec<Taken>), Why> {
        let mut best: Option<(Vec<Taken>, Vec<Taken>)> = None;
        for (tried, (way, accepting)) in self.accepting_edges(entry)?.into_iter().enumerate() {
            let length = best.as_ref().map_or(usize::MAX, |(way, cycle)| way.len() + cycle.len());
            if tried > 0 && way.len() + 1 >= length {
                break;
            }
            let mut cycle = vec![accepting];
            if accepting.to != accepting.from {
                cycle.extend(self.way(
                    accepting.to,
                    |step| step.to == accepting.from,
                    |_| false,
                )?);
            }
            if way.len() + cycle.len() < length {
                best = Some((way, cycle));
            }
        }
        Ok(best.unwrap_or_default())
    }

    /// The accepting edges nearest to a node, each with a way to it.
    fn accepting_edges(&mut self, entry: Node) -> Result<Vec<(Vec<Taken>, Taken)>, Why> {
        let mut found: Vec<(Vec<Taken>, Taken)> = Vec::new();
        let full = self.product.full;
        while found.len() < CYCLES_TRIED {
            let known = |step: &Taken| {
                found.iter().any(|(_, taken)| taken.from == step.from && taken.to == step.to)
            };
            let mut way = self.way(entry, |step| step.marks == full && !known(step), |_| false)?;
            let Some(last) = way.pop() else { break };
            found.push((way, last));
        }
        Ok(found)
    }

    /// A tour that meets every acceptance set and is fair: always to the nearest edge or state
    /// that helps, at last back home.
    fn tour(
        &mut self,
        entry: Node,
        fairness: Fairness,
        members: &[Node],
    ) -> Result<Vec<Taken>, Why> {
        let mut owed = Owed { marks: self.product.full, starved: 0, fairness };
        if fairness != Fairness::None {
            for node in members {
                owed.starved |= self.enabled(*node)?;
            }
        }
        owed.visit(self.enabled(entry)?);
        let (mut tour, mut at) = (Vec::new(), entry);
        while owed.marks != 0 || owed.starved != 0 {
            let way =
                self.way(at, |step| owed.is_helped_by(step), |enabled| owed.is_helped_in(enabled))?;
            let Some(last) = way.last() else { break };
            at = last.to;
            for taken in &way {
                owed.take(taken);
                owed.visit(self.enabled(taken.to)?);
            }
            tour.extend(way);
        }
        if at != entry || tour.is_empty() {
            tour.extend(self.way(at, |step| step.to == entry, |_| false)?);
        }
        Ok(tour)
    }

    fn enabled(&mut self, node: Node) -> Result<Processes, Why> {
        let state = self.product.state(node);
        Ok(self.walker.expand(state, &mut Listed::default())?.enabled)
    }
}

/// What a tour has not met yet.
struct Owed {
    marks: u64,
    /// Processes that have not moved, and, for weak fairness, were never seen disabled.
    starved: Processes,
    fairness: Fairness,
}

impl Owed {
    fn is_helped_by(&self, step: &Taken) -> bool {
        self.marks & step.marks != 0 || self.starved & step.moved != 0
    }

    fn is_helped_in(&self, enabled: Processes) -> bool {
        self.fairness == Fairness::Weak && self.starved & !enabled != 0
    }

    fn take(&mut self, step: &Taken) {
        self.marks &= !step.marks;
        self.starved &= !step.moved;
    }

    fn visit(&mut self, enabled: Processes) {
        if self.fairness == Fairness::Weak {
            self.starved &= enabled;
        }
    }
}
