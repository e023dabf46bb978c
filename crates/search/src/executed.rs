//! Which edges of which machines a search fired: what was never executed is
//! dead in the model, if the search was complete.

use system::Step;

/// A set of (agent, edge) pairs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Executed {
    /// Per agent, a flag per edge; as long as the highest edge marked asks for.
    agents: Vec<Vec<bool>>,
}

impl Executed {
    /// Whether this edge of this agent was fired.
    pub fn contains(&self, agent: u32, edge: u32) -> bool {
        let edges = self.agents.get(agent as usize);
        edges.and_then(|edges| edges.get(edge as usize)).copied().unwrap_or(false)
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether no edge was fired.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The pairs, by agent, then by edge.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        (0u32..).zip(&self.agents).flat_map(|(agent, edges)| {
            (0u32..).zip(edges).filter(|(_, fired)| **fired).map(move |(edge, _)| (agent, edge))
        })
    }

    pub(crate) fn absorb(&mut self, other: &Executed) {
        for (agent, edge) in other.iter() {
            self.mark_edge(agent, edge);
        }
    }

    #[inline]
    pub(crate) fn mark(&mut self, step: Step) {
        self.mark_edge(step.agent, step.edge);
    }

    #[inline]
    pub(crate) fn mark_edge(&mut self, agent: u32, edge: u32) {
        let (agent, edge) = (agent as usize, edge as usize);
        match self.agents.get_mut(agent).and_then(|edges| edges.get_mut(edge)) {
            Some(fired) => *fired = true,
            None => self.widen(agent, edge),
        }
    }

    #[cold]
    fn widen(&mut self, agent: usize, edge: usize) {
        if self.agents.len() <= agent {
            self.agents.resize(agent + 1, Vec::new());
        }
        if self.agents[agent].len() <= edge {
            self.agents[agent].resize(edge + 1, false);
        }
        self.agents[agent][edge] = true;
    }
}
