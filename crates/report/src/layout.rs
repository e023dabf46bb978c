//! Where the states of a machine stand in a picture: layers by distance from
//! the start, six barycentre sweeps against crossings. The label of an edge is
//! laid out like a node, half a layer between its ends, so that labels meet
//! neither states nor each other.

/// Where a box stands: its middle, and how far it reaches.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct Spot {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// What to lay out.
pub(crate) struct Plan {
    /// How far each node reaches to the left and to the right of its middle.
    pub(crate) nodes: Vec<(f64, f64)>,
    /// Edges between different nodes: ends and the width of the label.
    pub(crate) edges: Vec<(usize, usize, f64)>,
    /// Node the layers are counted from.
    pub(crate) start: usize,
    /// Height of half a layer.
    pub(crate) step: f64,
}

/// What came out.
pub(crate) struct Layout {
    pub(crate) nodes: Vec<Spot>,
    /// Points of each edge between its ends, from its source to its target.
    pub(crate) bends: Vec<Vec<Spot>>,
    /// Which of the points of an edge carries its label.
    pub(crate) labels: Vec<usize>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

const SWEEPS: usize = 6;
const SETTLING: usize = 40;
const GAP: f64 = 18.0;

impl Plan {
    pub(crate) fn layout(&self) -> Layout {
        let mut grid = Grid::new(self);
        for sweep in 0..SWEEPS {
            grid.sweep(sweep % 2 == 0);
        }
        grid.place();
        grid.finish(self)
    }

    /// Distance of every node from the start; what is not reached stands below
    /// everything else.
    fn distances(&self) -> Vec<usize> {
        let mut distance = vec![usize::MAX; self.nodes.len()];
        let mut next = 0;
        for root in std::iter::once(self.start).chain(0..self.nodes.len()) {
            if distance.get(root) != Some(&usize::MAX) {
                continue;
            }
            let deepest = self.spread(root, next, &mut distance);
            next = next.max(deepest + 1);
        }
        distance
    }

    fn spread(&self, root: usize, depth: usize, distance: &mut [usize]) -> usize {
        distance[root] = depth;
        let mut queue = std::collections::VecDeque::from([root]);
        let mut deepest = depth;
        while let Some(node) = queue.pop_front() {
            for (_, to, _) in self.edges.iter().filter(|(from, ..)| *from == node) {
                if distance[*to] == usize::MAX {
                    distance[*to] = distance[node] + 1;
                    deepest = deepest.max(distance[*to]);
                    queue.push_back(*to);
                }
            }
        }
        deepest
    }
}

/// A node, a label or a bend: everything that takes room in a rank.
struct Cell {
    rank: usize,
    left: f64,
    right: f64,
    x: f64,
    neighbours: Vec<usize>,
}

struct Grid {
    cells: Vec<Cell>,
    /// Cells of each rank from left to right.
    ranks: Vec<Vec<usize>>,
    /// Cells of each edge between its ends, from source to target.
    chains: Vec<Vec<usize>>,
    labels: Vec<usize>,
}

impl Grid {
    fn new(plan: &Plan) -> Self {
        let distances = plan.distances();
        let cells = plan.nodes.iter().zip(&distances).map(|((left, right), distance)| Cell {
            rank: 2 * distance,
            left: *left,
            right: *right,
            x: 0.0,
            neighbours: Vec::new(),
        });
        let mut grid = Self {
            cells: cells.collect(),
            ranks: Vec::new(),
            chains: Vec::new(),
            labels: Vec::new(),
        };
        for (from, to, label) in &plan.edges {
            grid.chain(*from, *to, *label);
        }
        let ranks = grid.cells.iter().map(|cell| cell.rank + 1).max().unwrap_or(0);
        grid.ranks = vec![Vec::new(); ranks];
        for (index, cell) in grid.cells.iter().enumerate() {
            grid.ranks[cell.rank].push(index);
        }
        grid
    }

    /// The cells an edge passes: one per rank between its ends, the middle one
    /// as wide as the label.
    fn chain(&mut self, from: usize, to: usize, label: f64) {
        let (a, b) = (self.cells[from].rank, self.cells[to].rank);
        let mut ranks: Vec<usize> = match a.cmp(&b) {
            // Between two states of one layer the edge hangs below them.
            std::cmp::Ordering::Equal => vec![a + 1],
            std::cmp::Ordering::Less => (a + 1..b).collect(),
            std::cmp::Ordering::Greater => (b + 1..a).rev().collect(),
        };
        // Layers are two ranks apart, so there is always one between.
        if ranks.is_empty() {
            ranks.push(a + 1);
        }
        let middle = ranks.len() / 2;
        let mut last = from;
        let mut chain = Vec::with_capacity(ranks.len());
        for (place, rank) in ranks.into_iter().enumerate() {
            let half = if place == middle { label / 2.0 } else { 3.0 };
            let index = self.cells.len();
            self.cells.push(Cell { rank, left: half, right: half, x: 0.0, neighbours: Vec::new() });
            self.connect(last, index);
            chain.push(index);
            last = index;
        }
        self.connect(last, to);
        self.chains.push(chain);
        self.labels.push(middle);
    }

    fn connect(&mut self, a: usize, b: usize) {
        self.cells[a].neighbours.push(b);
        self.cells[b].neighbours.push(a);
    }

    /// Orders each rank by the mean position of the neighbours in the rank
    /// before it, seen downwards or upwards.
    fn sweep(&mut self, down: bool) {
        let mut place = vec![0.0; self.cells.len()];
        for rank in &self.ranks {
            for (position, cell) in rank.iter().enumerate() {
                // The middle of a rank is its origin: short ranks stay central.
                place[*cell] = position as f64 - (rank.len() as f64 - 1.0) / 2.0;
            }
        }
        let count = self.ranks.len();
        for turn in 0..count {
            let rank = if down { turn } else { count - 1 - turn };
            let mut order = std::mem::take(&mut self.ranks[rank]);
            let before = |n: &Cell| if down { n.rank < rank } else { n.rank > rank };
            let wish = |cell: &usize| self.mean(*cell, before, &place);
            let mut wishes: Vec<(f64, usize)> =
                order.iter().map(|cell| (wish(cell).unwrap_or(place[*cell]), *cell)).collect();
            wishes.sort_by(|a, b| a.0.total_cmp(&b.0));
            order.clear();
            let length = wishes.len() as f64;
            for (position, (_, cell)) in wishes.into_iter().enumerate() {
                place[cell] = position as f64 - (length - 1.0) / 2.0;
                order.push(cell);
            }
            self.ranks[rank] = order;
        }
    }

    fn mean(&self, cell: usize, wanted: impl Fn(&Cell) -> bool, place: &[f64]) -> Option<f64> {
        let near = self.cells[cell].neighbours.iter().filter(|n| wanted(&self.cells[**n]));
        let (sum, count) = near.fold((0.0, 0), |(sum, count), n| (sum + place[*n], count + 1));
        (count > 0).then(|| sum / f64::from(count))
    }

    /// Moves every cell towards the mean of its neighbours as far as its own
    /// neighbours in the rank let it.
    fn place(&mut self) {
        for rank in 0..self.ranks.len() {
            let wishes = vec![0.0; self.ranks[rank].len()];
            self.settle(rank, &wishes);
        }
        for turn in 0..SETTLING {
            let count = self.ranks.len();
            for step in 0..count {
                let rank = if turn % 2 == 0 { step } else { count - 1 - step };
                let places: Vec<f64> = self.cells.iter().map(|cell| cell.x).collect();
                let cells = &self.ranks[rank];
                // What no edge holds stands below the middle of the rest.
                let middle = places.iter().sum::<f64>() / f64::max(places.len() as f64, 1.0);
                let wish = |cell: &usize| self.mean(*cell, |_| true, &places);
                let wishes: Vec<f64> =
                    cells.iter().map(|cell| wish(cell).unwrap_or(middle)).collect();
                self.settle(rank, &wishes);
            }
        }
    }

    /// Positions near the wishes that keep the gaps: the mean of packing from
    /// the left and from the right, which keeps them because both do.
    fn settle(&mut self, rank: usize, wishes: &[f64]) {
        let cells = &self.ranks[rank];
        let gap = |a: usize, b: usize| self.cells[a].right + GAP + self.cells[b].left;
        let mut from_left = wishes.to_vec();
        for i in 1..cells.len() {
            from_left[i] = from_left[i].max(from_left[i - 1] + gap(cells[i - 1], cells[i]));
        }
        let mut from_right = wishes.to_vec();
        for i in (1..cells.len()).rev() {
            from_right[i - 1] = from_right[i - 1].min(from_right[i] - gap(cells[i - 1], cells[i]));
        }
        let means: Vec<(usize, f64)> = cells
            .iter()
            .zip(from_left.iter().zip(&from_right))
            .map(|(cell, (left, right))| (*cell, (left + right) / 2.0))
            .collect();
        for (cell, x) in means {
            self.cells[cell].x = x;
        }
    }

    fn finish(mut self, plan: &Plan) -> Layout {
        let left = self.cells.iter().map(|cell| cell.x - cell.left).fold(f64::MAX, f64::min);
        let left = if self.cells.is_empty() { 0.0 } else { left };
        self.cells.iter_mut().for_each(|cell| cell.x -= left);
        let spot = |cell: &Cell| Spot { x: cell.x, y: cell.rank as f64 * plan.step };
        let bends = self
            .chains
            .iter()
            .map(|chain| chain.iter().map(|cell| spot(&self.cells[*cell])).collect::<Vec<_>>());
        Layout {
            nodes: self.cells[..plan.nodes.len()].iter().map(spot).collect(),
            bends: bends.collect(),
            labels: self.labels.clone(),
            width: self.cells.iter().map(|cell| cell.x + cell.right).fold(0.0, f64::max),
            height: self.ranks.len().saturating_sub(1) as f64 * plan.step,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(nodes: usize, edges: &[(usize, usize)]) -> Plan {
        Plan {
            nodes: vec![(30.0, 30.0); nodes],
            edges: edges.iter().map(|(a, b)| (*a, *b, 60.0)).collect(),
            start: 0,
            step: 40.0,
        }
    }

    #[test]
    fn layers_are_distances_and_labels_stand_between() {
        let layout = plan(3, &[(0, 1), (1, 2), (2, 0)]).layout();
        let heights: Vec<f64> = layout.nodes.iter().map(|spot| spot.y).collect();
        assert_eq!(heights, [0.0, 80.0, 160.0]);
        assert_eq!(layout.bends[0][0].y, 40.0);
        assert_eq!(layout.bends[2].len(), 3);
        assert!(layout.bends[2][0].y > layout.bends[2][2].y, "an edge runs from its source");
    }

    #[test]
    fn boxes_of_a_rank_keep_their_distance() {
        let edges: Vec<(usize, usize)> = (1..9).flat_map(|n| [(0, n), (n, (n * 5) % 9)]).collect();
        let edges: Vec<_> = edges.into_iter().filter(|(a, b)| a != b).collect();
        let layout = plan(9, &edges).layout();
        for (i, a) in layout.nodes.iter().enumerate() {
            for b in &layout.nodes[i + 1..] {
                assert!(a.y != b.y || (a.x - b.x).abs() >= 60.0, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn odd_graphs_are_laid_out_too() {
        assert_eq!(plan(0, &[]).layout().width, 0.0);
        assert_eq!(plan(1, &[]).layout().nodes.len(), 1);
        // Nothing leads to the last two.
        let layout = plan(4, &[(0, 1), (2, 3)]).layout();
        assert!(layout.nodes[2].y > layout.nodes[1].y);
    }
}
