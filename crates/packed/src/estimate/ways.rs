//! How many edges away something is, for each place of each agent.
//!
//! The places of all agents are the nodes of one graph: an edge leads to where it takes its
//! agent, and to where an agent stands that it creates.

use super::read_by;
use crate::bit_sets::BitSets;
use crate::read_set::targets;
use crate::visit::visit_ops;
use crate::{Agent, Array, Edge, Expr, Field, Op, Packed, Place};
use base::BinaryOp;
use std::collections::{HashMap, VecDeque};
use system::{FAR, Word};

/// The places of all agents.
pub(super) struct Graph {
    /// Where each agent stands, and its first place.
    agents: Vec<(Field, usize)>,
    /// From which places each one is reached by one edge.
    before: Vec<Vec<u32>>,
}

/// For each place the number of edges; [`FAR`] if no way is known.
pub(super) struct Ways(Box<[u16]>);

impl Ways {
    /// From where the agents stand.
    pub(super) fn least(&self, places: &[usize]) -> u32 {
        let each = places.iter().filter_map(|place| self.0.get(*place));
        each.min().map_or(FAR, |edges| u32::from(*edges))
    }
}

/// What has to change: a comparison that does not hold.
pub(super) struct Change<'e> {
    pub(super) op: BinaryOp,
    pub(super) sides: [&'e Expr; 2],
    /// The only field it reads, if there is one.
    pub(super) field: Option<Field>,
    /// The bits it reads.
    pub(super) bits: BitSets,
}

/// What an edge does to a comparison.
#[derive(Clone, Copy, Default)]
struct Effect {
    /// It may make it true by a larger value on the left.
    up: bool,
    /// By a smaller one.
    down: bool,
    /// It counts.
    counts: bool,
}

impl Effect {
    fn any(helps: bool) -> Self {
        Self { up: helps, down: helps, counts: false }
    }

    fn with(self, other: Self) -> Self {
        Self {
            up: self.up || other.up,
            down: self.down || other.down,
            counts: self.counts || other.counts,
        }
    }
}

impl Graph {
    pub(super) fn new(packed: &Packed) -> Self {
        let mut nodes = 0;
        let first = |agent: &Agent| {
            nodes += agent.places.len();
            (agent.at, nodes - agent.places.len())
        };
        let agents: Vec<(Field, usize)> = packed.agents.iter().map(first).collect();
        let standing: HashMap<Field, usize> = agents.iter().copied().collect();
        let mut before = vec![Vec::new(); nodes];
        for (agent, (_, first)) in packed.agents.iter().zip(&agents) {
            for (at, place) in agent.places.iter().enumerate() {
                for edge in edges(place) {
                    let own = targets(agent, at, edge).into_iter().map(|to| first + to);
                    own.chain(born(edge, agent, &standing)).for_each(|to| {
                        before.get_mut(to).into_iter().for_each(|list: &mut Vec<u32>| {
                            list.push((first + at) as u32);
                        });
                    });
                }
            }
        }
        Self { agents, before }
    }

    /// How many places there are.
    pub(super) fn len(&self) -> usize {
        self.before.len()
    }

    /// Where the agents stand in a state.
    pub(super) fn places(&self, state: &[Word]) -> Vec<usize> {
        self.agents.iter().map(|(at, first)| first + at.get(state) as u32 as usize).collect()
    }

    /// The ways of an agent to those of its places that fit.
    pub(super) fn to_places(&self, agent: usize, fits: impl Fn(usize) -> bool) -> Ways {
        let first = self.agents[agent].1;
        let end = self.agents.get(agent + 1).map_or(self.len(), |(_, first)| *first);
        let places = (first..end).filter(|place| fits(place - first)).map(|place| place as u32);
        self.ways(places.collect(), 0)
    }

    /// The ways to the edges that may make a comparison true by a larger value on the left, or by
    /// a smaller one; and whether some edge counts.
    pub(super) fn to_changes(&self, packed: &Packed, change: &Change<'_>) -> (Ways, Ways, bool) {
        let (mut up, mut down, mut counts, mut node) = (Vec::new(), Vec::new(), false, 0);
        for agent in &packed.agents {
            for place in &agent.places {
                let all = edges(place).map(|edge| change.effect(agent, edge));
                let effect = all.fold(Effect::default(), Effect::with);
                up.extend(effect.up.then_some(node));
                down.extend(effect.down.then_some(node));
                counts |= effect.counts;
                node += 1;
            }
        }
        (self.ways(up, 1), self.ways(down, 1), counts)
    }

    /// The ways to these places, which are themselves so many edges away: breadth first, back.
    fn ways(&self, from: Vec<u32>, edges: u16) -> Ways {
        let mut ways = vec![FAR as u16; self.len()].into_boxed_slice();
        from.iter().for_each(|place| ways[*place as usize] = edges);
        let mut waiting = VecDeque::from(from);
        while let Some(place) = waiting.pop_front() {
            let further = ways[place as usize].saturating_add(1);
            for before in &self.before[place as usize] {
                let known = &mut ways[*before as usize];
                if *known > further {
                    *known = further;
                    waiting.push_back(*before);
                }
            }
        }
        Ways(ways)
    }
}

/// All edges of a place.
fn edges(place: &Place) -> impl Iterator<Item = &Edge> {
    place.groups.iter().chain(&place.takes).flatten()
}

/// Where the agents stand that an edge of another creates.
fn born(edge: &Edge, agent: &Agent, standing: &HashMap<Field, usize>) -> Vec<usize> {
    let mut places = Vec::new();
    visit_ops(&edge.body, &mut |op, _| {
        if let Some(Op::Set(field, Expr::Const(at))) = op
            && *field != agent.at
            && let Some(first) = standing.get(field)
        {
            places.push(first + *at as u32 as usize);
        }
    });
    places
}

impl Change<'_> {
    fn effect(&self, agent: &Agent, edge: &Edge) -> Effect {
        let Some(field) = self.field else {
            return Effect::any(BitSets::of(edge).changes(&self.bits, agent.at));
        };
        let mut effect = Effect::default();
        visit_ops(&edge.body, &mut |op, _| {
            effect = effect.with(op.map_or(Effect::default(), |op| self.effect_of(field, op)));
        });
        effect
    }

    fn effect_of(&self, field: Field, op: &Op) -> Effect {
        let touches = |array: &Array| !array.is_apart(field);
        match op {
            Op::Set(other, value) if overlap(*other, field) => self.written(field, *other, value),
            Op::SetElement(array, _, value) if touches(array) => {
                self.written(field, array.first, value)
            }
            Op::Clear(array) if touches(array) => Effect::any(self.holds_with(0)),
            Op::Take(array, _) | Op::Insert(array, ..) => Effect::any(touches(array)),
            Op::Map { word, .. } => Effect::any(*word == field.word),
            _ => Effect::default(),
        }
    }

    /// What it does to put a value there, into a field like `other`.
    fn written(&self, field: Field, other: Field, value: &Expr) -> Effect {
        let alike = (other.bits, other.signed) == (field.bits, field.signed);
        match value {
            Expr::Const(0) => Effect::any(self.holds_with(0)),
            Expr::Const(number) if alike => Effect::any(self.holds_with(field.cut(*number))),
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), a, b) => match (&**a, &**b) {
                (Expr::Field(own), Expr::Const(by))
                    if *own == field && read_by(self.sides[0]) == Some(field) =>
                {
                    let up = (*by > 0) == (*op == BinaryOp::Add);
                    Effect { up, down: !up, counts: true }
                }
                _ => Effect::any(true),
            },
            _ => Effect::any(true),
        }
    }

    /// Whether the comparison holds where the field has this value; true if that is not known.
    fn holds_with(&self, number: i32) -> bool {
        let [a, b] = self.sides.map(|side| with(side, number));
        a.zip(b).and_then(|(a, b)| self.op.apply(a, b)) != Some(0)
    }
}

/// The value of an expression where all that it reads has this value, if it is a simple one.
fn with(expr: &Expr, number: i32) -> Option<i32> {
    match expr {
        Expr::Const(value) => Some(*value),
        Expr::Unary(op, a) => Some(op.apply(with(a, number)?)),
        Expr::Binary(op, a, b) => op.apply(with(a, number)?, with(b, number)?),
        other => read_by(other).map(|_| number),
    }
}

fn overlap(one: Field, other: Field) -> bool {
    one.word == other.word && one.mask() & other.mask() != 0
}
