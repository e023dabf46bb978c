//! Random state graphs: edges with outcomes, states at rest of every class,
//! labels that meet the cycle condition.

use system::{Blocked, Budget, LoopHeads, Step, StepKind, StepOutcome, Successors, System, Word};
use testkit::Random;

#[derive(Clone, Debug)]
pub(crate) struct Graph {
    edges: Vec<Vec<(Step, StepOutcome, usize)>>,
    rests: Vec<Blocked>,
    labelled: Vec<bool>,
}

impl Graph {
    /// Up to `nodes_max` nodes of up to `edges_max` edges each.
    pub(crate) fn random(seed: u64, nodes_max: u64, edges_max: u64) -> Self {
        let mut random = Random::new(seed);
        let nodes = 1 + random.below(nodes_max);
        let trouble = random.below(3);
        let edges = (0..nodes).map(|node| {
            let count = if random.below(4) == 0 { 0 } else { random.below(edges_max + 1) };
            (0..count).map(|i| random_edge(&mut random, node, i, nodes, trouble)).collect()
        });
        let edges: Vec<Vec<_>> = edges.collect();
        let rests = (0..nodes).map(|_| random_rest(&mut random, trouble)).collect();
        let mut labelled = vec![false; nodes as usize];
        label_loops(&edges, 0, &mut vec![0; nodes as usize], &mut labelled);
        labelled.iter_mut().for_each(|label| *label |= random.below(4) == 0);
        Self { edges, rests, labelled }
    }

    /// The same with steps of several statements.
    pub(crate) fn with_sequences(mut self, seed: u64) -> Self {
        let mut random = Random::new(seed);
        for (step, ..) in self.edges.iter_mut().flatten() {
            step.weight = 1 + random.below(9) as u16;
            step.takers = random.below(u64::from(step.weight)) as u8;
        }
        self
    }

    /// The same with steps of other agents.
    pub(crate) fn with_agents(mut self, seed: u64) -> Self {
        let mut random = Random::new(seed);
        self.edges.iter_mut().flatten().for_each(|(step, ..)| step.agent = random.below(3) as u32);
        self
    }

    /// The node a state stands for.
    fn node(&self, state: &[Word]) -> usize {
        assert_eq!(state[1], !state[0]);
        (state[0] / 3) as usize
    }
}

fn random_edge(
    random: &mut Random,
    node: u64,
    i: u64,
    nodes: u64,
    trouble: u64,
) -> (Step, StepOutcome, usize) {
    let kinds = [StepKind::Internal, StepKind::Receive, StepKind::Send, StepKind::Timeout];
    let kind = kinds[random.below(4) as usize];
    let step = Step::new((node % 3) as u32, (node / 3 * 8 + i) as u32, kind);
    let outcome = match random.below(12) {
        0 if trouble > 0 => StepOutcome::Violation(random.below(3) as u32),
        1 if trouble > 1 => StepOutcome::Fault,
        _ => StepOutcome::State,
    };
    (step, outcome, random.below(nodes) as usize)
}

fn random_rest(random: &mut Random, trouble: u64) -> Blocked {
    match random.below(if trouble == 0 { 2 } else { 6 }) {
        0 => Blocked::ProperEnd,
        1 => Blocked::Residual,
        2 => Blocked::Violation(random.below(2) as u32),
        3 => Blocked::BlockedSend,
        4 => Blocked::UnspecifiedReception,
        _ => Blocked::Deadlock,
    }
}

/// Labels the targets of the edges that close a loop in a depth-first walk: then
/// every cycle has a label. Colours: 0 not met, 1 on the path, 2 done.
fn label_loops(
    edges: &[Vec<(Step, StepOutcome, usize)>],
    node: usize,
    colour: &mut Vec<u8>,
    labelled: &mut Vec<bool>,
) {
    colour[node] = 1;
    for &(_, outcome, target) in &edges[node] {
        match colour[target] {
            _ if outcome != StepOutcome::State => {}
            0 => label_loops(edges, target, colour, labelled),
            1 => labelled[target] = true,
            _ => {}
        }
    }
    colour[node] = 2;
}

fn write(node: usize, state: &mut [Word]) {
    state[0] = node as Word * 3;
    state[1] = !state[0];
}

impl System for Graph {
    fn width(&self) -> usize {
        2
    }

    fn initial(&self, words: &mut [Word]) {
        write(0, words);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        for &(step, outcome, target) in &self.edges[self.node(state)] {
            let words = out.push(step, state);
            if outcome == StepOutcome::State {
                write(target, words);
            }
            out.set_outcome(outcome);
        }
        true
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        self.rests[self.node(state)]
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        Some(self)
    }
}

impl LoopHeads for Graph {
    fn is_loop_head(&self, state: &[Word]) -> bool {
        self.labelled[self.node(state)]
    }
}
