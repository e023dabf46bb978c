//! Random state graphs: edges with landings, states at rest of every class,
//! labels that meet the cycle condition.

use system::{Landing, Rest, Step, StepKind, Successors, System, Word};
use testkit::Random;

#[derive(Clone, Debug)]
pub(crate) struct Graph {
    edges: Vec<Vec<(Step, Landing, usize)>>,
    rests: Vec<Rest>,
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
) -> (Step, Landing, usize) {
    let kinds = [StepKind::Internal, StepKind::Receive, StepKind::Send, StepKind::Timeout];
    let kind = kinds[random.below(4) as usize];
    let step = Step::new((node % 3) as u32, (node / 3 * 8 + i) as u32, kind);
    let landing = match random.below(12) {
        0 if trouble > 0 => Landing::Violation(random.below(3) as u32),
        1 if trouble > 1 => Landing::Fault,
        _ => Landing::State,
    };
    (step, landing, random.below(nodes) as usize)
}

fn random_rest(random: &mut Random, trouble: u64) -> Rest {
    match random.below(if trouble == 0 { 2 } else { 6 }) {
        0 => Rest::Proper,
        1 => Rest::Residual,
        2 => Rest::Violation(random.below(2) as u32),
        3 => Rest::BlockedSend,
        4 => Rest::UnspecifiedReception,
        _ => Rest::Deadlock,
    }
}

/// Labels the targets of the edges that close a loop in a depth-first walk: then
/// every cycle has a label. Colours: 0 not met, 1 on the path, 2 done.
fn label_loops(
    edges: &[Vec<(Step, Landing, usize)>],
    node: usize,
    colour: &mut Vec<u8>,
    labelled: &mut Vec<bool>,
) {
    colour[node] = 1;
    for &(_, landing, target) in &edges[node] {
        match colour[target] {
            _ if landing != Landing::State => {}
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

    fn successors(&self, state: &[Word], out: &mut Successors) {
        for &(step, landing, target) in &self.edges[self.node(state)] {
            let words = out.push(step, state);
            if landing == Landing::State {
                write(target, words);
            }
            out.land(landing);
        }
    }

    fn rest(&self, state: &[Word]) -> Rest {
        self.rests[self.node(state)]
    }

    fn labelled(&self, state: &[Word]) -> bool {
        self.labelled[self.node(state)]
    }
}
