//! Infinite runs of Argos models by the reference interpreter: all states, then the definition.

use crate::spots::{self, ACCEPTING, HALTED, Numbering, PROGRESS, Spot, translated};
use automata::reference::{self, Move, Outcome, World};
use automata::{Action, BuildOptions, Network};
use base::Id;
use ltl::{Automaton, translate};
use model::{Model, Predicate};
use testkit::cycles::{Edge, Fair, Node, has_fair_cycle};

/// Everything a model can do.
pub(crate) struct NetworkOracle {
    spots: Vec<Spot>,
    /// Of each edge of each state whether a message is sent or received by it.
    speaks: Vec<Vec<bool>>,
    /// Some step ends in an error, or a proposition cannot be evaluated in some state.
    pub(crate) is_open: bool,
    /// What is required, and the runs that violate it.
    pub(crate) properties: Vec<(String, Automaton)>,
}

impl NetworkOracle {
    /// Everything, if there are no more than so many states.
    pub(crate) fn of(model: &Model, options: &BuildOptions, most: usize) -> Option<Self> {
        let options = BuildOptions { keeps_labels: true, ..*options };
        let network = automata::build(model, &options);
        let mut atoms = Vec::new();
        let formulas = model.properties.iter().map(|property| {
            let bad = translated(&property.formula, &mut atoms).negated();
            (format!("ltl {}", property.name), bad)
        });
        let formulas: Vec<_> = formulas.collect();
        let has = |prefix: &str| !model.labels_with(prefix).is_empty();
        let labels = spots::labels(has("accept"), has("progress"));
        let automaton = |(name, bad)| (name, translate(&bad).expect("a small formula"));
        let properties = formulas.into_iter().chain(labels).map(automaton).collect();
        let (spots, speaks) = (Vec::new(), Vec::new());
        let mut oracle = Self { spots, speaks, is_open: false, properties };
        oracle.explore(&network, &atoms, most).then_some(oracle)
    }

    fn explore(&mut self, network: &Network, atoms: &[Predicate], most: usize) -> bool {
        let mut numbering = Numbering::new(reference::initial(network));
        while let Some(world) = numbering.states.get(self.spots.len()).cloned() {
            let moves = reference::moves(network, &world);
            let enabled = moves.iter().fold(0, |all, m| all | 1 << m.machine.index());
            let letter = self.letter(network, atoms, &world, moves.is_empty());
            let (mut edges, mut speaks, mut fails) = (Vec::new(), Vec::new(), false);
            if moves.is_empty() {
                edges.push((self.spots.len(), 0));
                speaks.push(false);
            }
            for m in moves {
                match reference::apply(network, &world, m) {
                    Outcome::World(next) | Outcome::Violation(_, next) => {
                        edges.push((numbering.number(next), 1 << m.machine.index()));
                        speaks.push(is_message(network, m));
                    }
                    Outcome::DivisionByZero => fails = true,
                }
            }
            self.is_open |= fails;
            self.spots.push(Spot { letter, enabled, fails, edges });
            self.speaks.push(speaks);
            if numbering.states.len() > most {
                return false;
            }
        }
        true
    }

    fn letter(
        &mut self,
        network: &Network,
        atoms: &[Predicate],
        world: &World,
        halted: bool,
    ) -> u64 {
        let mut letter = 0;
        for (at, atom) in atoms.iter().enumerate() {
            match reference::holds(network, world, atom) {
                Ok(holds) => letter |= u64::from(holds) << at,
                Err(_) => self.is_open = true,
            }
        }
        let somebody = |prefix: &str| {
            network.machines.iter_ids().any(|(id, machine)| {
                let labels = &machine.states[world.at[id]].labels;
                labels.iter().any(|label| label.starts_with(prefix))
            })
        };
        letter
            | u64::from(somebody("accept")) << ACCEPTING
            | u64::from(somebody("progress")) << PROGRESS
            | u64::from(halted) << HALTED
    }

    /// Whether some run violates a property; with `stops`, a run may stop before an error.
    pub(crate) fn is_violated(&self, bad: &Automaton, fair: Fair, stops: bool) -> bool {
        spots::is_violated(&self.spots, bad, fair, stops)
    }

    /// Whether some run goes on for ever with neither messages nor progress: behind the states of
    /// the model stand the same once more, without edges that speak and without progress.
    pub(crate) fn has_livelock(&self, fair: Fair) -> bool {
        let count = self.spots.len();
        let quiet = |at: usize| self.spots[at].letter >> PROGRESS & 1 == 0;
        let mut nodes: Vec<Node> = Vec::new();
        for (spot, speaks) in self.spots.iter().zip(&self.speaks) {
            let edges = spot.edges.iter().zip(speaks).flat_map(|((to, moved), _)| {
                let ahead = Edge { to: *to, marks: 0, moved: *moved };
                [Some(ahead), quiet(*to).then_some(Edge { to: to + count, ..ahead })]
            });
            nodes.push(Node { enabled: spot.enabled, edges: edges.flatten().collect() });
        }
        for (spot, speaks) in self.spots.iter().zip(&self.speaks) {
            let silent = spot.edges.iter().zip(speaks).filter(|((to, _), speaks)| {
                !**speaks && quiet(*to) && spot.letter >> HALTED & 1 == 0
            });
            let silent =
                silent.map(|((to, moved), _)| Edge { to: to + count, marks: 1, moved: *moved });
            nodes.push(Node { enabled: spot.enabled, edges: silent.collect() });
        }
        // It may begin at once.
        let first = quiet(0).then_some(Edge { to: count, marks: 0, moved: 0 });
        nodes[0].edges.extend(first);
        has_fair_cycle(&nodes, 1, fair)
    }
}

fn is_message(network: &Network, m: Move) -> bool {
    matches!(
        network.machines[m.machine].edges[m.edge].action,
        Action::Send(..) | Action::Receive(..) | Action::ReceiveAny(_)
    )
}
