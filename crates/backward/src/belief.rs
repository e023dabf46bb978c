//! What is claimed about a state of the system while it is executed backwards: a
//! set of states, written down by what is known of each part.
//!
//! The claims on a channel are its contents, oldest first, of which the newest may
//! be unknown in number and kind. A value is known, or a symbol: one value of a set,
//! the same wherever the symbol stands.

use crate::net::{Message, World};
use crate::values::Values;
use automata::{MachineId, StateId};
use base::IdVec;
use model::{ChannelId, MessageId, VariableId};

/// Claims about a state. INVARIANT of what [`Belief::settled`] gives: symbols are
/// numbered in the order they stand in, each stands somewhere, none has fewer than two
/// values. So equal claims are equal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Belief {
    pub(crate) at: IdVec<MachineId, Place>,
    pub(crate) queues: IdVec<ChannelId, Queue>,
    pub(crate) values: IdVec<VariableId, Cell>,
    pub(crate) symbols: Vec<Values>,
    /// The machine that came here by an atomic edge and continues: no other machine sees this.
    pub(crate) inside: Option<MachineId>,
    /// The fields of a message between a receive and what is claimed instead; empty in
    /// between.
    pub(crate) transit: Vec<Cell>,
}

/// Where a machine is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Place {
    /// Here.
    At(StateId),
    /// At one of these, in order; at least two.
    Among(Vec<StateId>),
}

/// What a channel holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Queue {
    /// The oldest messages, oldest first.
    pub(crate) claims: Vec<Claim>,
    /// Up to so many newer ones, of which nothing is known.
    pub(crate) more: u32,
}

/// A message.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Claim {
    /// What it may be called; in order.
    pub(crate) names: Vec<MessageId>,
    pub(crate) fields: Claimed,
}

/// The fields of a message.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Claimed {
    /// These.
    Values(Vec<Cell>),
    /// They do not matter.
    Whatever,
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Cell {
    Known(i32),
    /// The number of a symbol.
    Symbol(usize),
}

impl Place {
    /// One of these states; nothing if there is none.
    pub(crate) fn among(states: Vec<StateId>) -> Option<Self> {
        match states.as_slice() {
            [] => None,
            [state] => Some(Place::At(*state)),
            _ => Some(Place::Among(states)),
        }
    }

    pub(crate) fn states(&self) -> &[StateId] {
        match self {
            Place::At(state) => std::slice::from_ref(state),
            Place::Among(states) => states,
        }
    }

    fn covers(&self, other: &Place) -> bool {
        other.states().iter().all(|state| self.states().contains(state))
    }
}

impl Queue {
    /// Nothing is known but how many fit.
    pub(crate) fn unknown(capacity: u32) -> Self {
        Self { claims: Vec::new(), more: capacity }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.claims.is_empty() && self.more == 0
    }
}

impl Belief {
    /// A new symbol.
    pub(crate) fn symbol(&mut self, values: Values) -> Cell {
        self.symbols.push(values);
        Cell::Symbol(self.symbols.len() - 1)
    }

    /// Leaves a cell only these values.
    pub(crate) fn limit(&mut self, cell: Cell, values: &Values) -> Option<()> {
        match cell {
            Cell::Known(value) => values.contains(value).then_some(()),
            Cell::Symbol(symbol) => {
                self.symbols[symbol] = self.symbols[symbol].and(values);
                (!self.symbols[symbol].is_empty()).then_some(())
            }
        }
    }

    /// Makes two cells one.
    pub(crate) fn equate(&mut self, one: Cell, other: Cell) -> Option<()> {
        match (one, other) {
            (Cell::Known(x), Cell::Known(y)) => (x == y).then_some(()),
            (Cell::Known(value), symbol) | (symbol, Cell::Known(value)) => {
                self.limit(symbol, &Values::one(value))
            }
            (Cell::Symbol(x), Cell::Symbol(y)) if x == y => Some(()),
            (Cell::Symbol(x), Cell::Symbol(y)) => {
                let both = self.symbols[x].and(&self.symbols[y]);
                self.symbols[x] = both.clone();
                self.each_cell(|cell| {
                    if *cell == Cell::Symbol(y) {
                        *cell = Cell::Symbol(x);
                    }
                });
                (!both.is_empty()).then_some(())
            }
        }
    }

    /// In how many places a symbol stands.
    pub(crate) fn uses(&self, symbol: usize) -> usize {
        let claims = self.queues.iter().flat_map(|queue| &queue.claims);
        let carried = claims.flat_map(|claim| claim.fields.cells());
        let cells = self.values.iter().chain(carried).chain(&self.transit);
        cells.filter(|cell| **cell == Cell::Symbol(symbol)).count()
    }

    /// Every cell in a fixed order.
    fn each_cell(&mut self, mut change: impl FnMut(&mut Cell)) {
        self.values.iter_mut().for_each(&mut change);
        for claim in self.queues.iter_mut().flat_map(|queue| &mut queue.claims) {
            if let Claimed::Values(cells) = &mut claim.fields {
                cells.iter_mut().for_each(&mut change);
            }
        }
        self.transit.iter_mut().for_each(change);
    }

    /// The one way to write this down; nothing if a symbol has no value left.
    pub(crate) fn settled(mut self) -> Option<Self> {
        let old = std::mem::take(&mut self.symbols);
        let mut place: Vec<Option<usize>> = vec![None; old.len()];
        let (mut kept, mut possible) = (Vec::new(), true);
        self.each_cell(|cell| {
            let Cell::Symbol(symbol) = *cell else { return };
            possible &= !old[symbol].is_empty();
            *cell = match old[symbol].single() {
                Some(value) => Cell::Known(value),
                None => Cell::Symbol(*place[symbol].get_or_insert_with(|| {
                    kept.push(old[symbol].clone());
                    kept.len() - 1
                })),
            };
        });
        self.symbols = kept;
        possible.then_some(self)
    }

    /// Whether this says the same as `other`, or less.
    pub(crate) fn covers(&self, other: &Belief) -> bool {
        let places = self.inside == other.inside
            && self.at.iter().zip(&other.at).all(|(mine, other)| mine.covers(other));
        let queues = || self.queues.iter().zip(&other.queues).all(|(q, o)| q.covers(o));
        places && queues() && self.values_cover(other)
    }

    /// Each symbol must stand for one thing of the other belief, with values it has.
    fn values_cover(&self, other: &Belief) -> bool {
        let mut stands: Vec<Option<Cell>> = vec![None; self.symbols.len()];
        let mut covers = |mine: Cell, cell: Cell| match mine {
            Cell::Known(_) => mine == cell,
            Cell::Symbol(symbol) => {
                *stands[symbol].get_or_insert(cell) == cell
                    && match cell {
                        Cell::Known(value) => self.symbols[symbol].contains(value),
                        Cell::Symbol(theirs) => other.symbols[theirs].within(&self.symbols[symbol]),
                    }
            }
        };
        let mine = self.queues.iter().flat_map(|queue| &queue.claims);
        let claims = mine.zip(other.queues.iter().flat_map(|queue| &queue.claims));
        self.values.iter().zip(&other.values).all(|(mine, cell)| covers(*mine, *cell))
            && claims.into_iter().all(|(mine, claim)| match (&mine.fields, &claim.fields) {
                (Claimed::Whatever, _) => true,
                (Claimed::Values(mine), Claimed::Values(cells)) => {
                    mine.len() == cells.len()
                        && mine.iter().zip(cells).all(|(mine, cell)| covers(*mine, *cell))
                }
                (Claimed::Values(_), Claimed::Whatever) => false,
            })
    }

    /// Whether `world` is one of the states this speaks of.
    pub(crate) fn contains(&self, world: &World) -> bool {
        let places = self.inside.is_none()
            && self.at.iter().zip(&world.at).all(|(at, state)| at.states().contains(state));
        let queues = || self.queues.iter().zip(&world.queues).all(|(q, held)| q.fits(held));
        places && queues() && self.values_fit(world)
    }

    fn values_fit(&self, world: &World) -> bool {
        let mut chosen: Vec<Option<i32>> = vec![None; self.symbols.len()];
        let mut fits = |cell: Cell, value: i32| match cell {
            Cell::Known(known) => known == value,
            Cell::Symbol(symbol) => {
                *chosen[symbol].get_or_insert(value) == value
                    && self.symbols[symbol].contains(value)
            }
        };
        self.values.iter().zip(&world.values).all(|(cell, value)| fits(*cell, *value))
            && self.queues.iter().zip(&world.queues).all(|(queue, held)| {
                queue.claims.iter().zip(held).all(|(claim, message)| match &claim.fields {
                    Claimed::Whatever => true,
                    Claimed::Values(cells) => {
                        let mut pairs = cells.iter().zip(&message.fields);
                        cells.len() == message.fields.len()
                            && pairs.all(|(cell, value)| fits(*cell, *value))
                    }
                })
            })
    }
}

impl Claimed {
    /// There are no fields.
    pub(crate) const NOTHING: Self = Self::Values(Vec::new());

    fn cells(&self) -> &[Cell] {
        match self {
            Claimed::Values(cells) => cells,
            Claimed::Whatever => &[],
        }
    }
}

impl Queue {
    /// Names and numbers; values are compared all together.
    fn covers(&self, other: &Queue) -> bool {
        let names = |(mine, other): (&Claim, &Claim)| {
            other.names.iter().all(|name| mine.names.contains(name))
        };
        self.claims.len() == other.claims.len()
            && self.more >= other.more
            && self.claims.iter().zip(&other.claims).all(names)
    }

    fn fits(&self, held: &[Message]) -> bool {
        let known = self.claims.len();
        (known..=known + self.more as usize).contains(&held.len())
            && self.claims.iter().zip(held).all(|(claim, m)| claim.names.contains(&m.name))
    }
}

impl Belief {
    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        let claims: usize = self.queues.iter().map(|queue| queue.claims.len()).sum();
        let parts = self.at.len() + self.queues.len() + self.values.len();
        (size_of::<Self>() + 32 * parts + 64 * claims + 48 * self.symbols.len()) as u64
    }
}
