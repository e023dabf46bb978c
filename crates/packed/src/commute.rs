//! First-step sleep sets: which steps need no lookup, because another order of the same steps
//! leads to where they lead.
//!
//! Every edge has a footprint: the bits of a state that decide whether it moves and where
//! to, and those it changes. Two edges commute if neither changes what the other needs or
//! changes. A state that was discovered by the edge `d` leaves out every edge `t` that is
//! before `d` in the order of all edges and commutes with it.
//!
//! Why all states are met nevertheless, in whatever order states are expanded. Let `x` be
//! discovered from `p` by `d` and leave out `t`. What `d` changes does not concern `t`, so
//! `t` could move in `p`, to `q`, and `d` moves from `q` to where `t` moves from `x`. That
//! `q` is met is the same claim for `p`, which was discovered before `x`, and the same `t`;
//! that the target of `d` from `q` is met, the same claim for `d`, which is behind `t` in
//! the order. So the claim rests on claims with a later edge, or the same edge and an
//! earlier state: both end. The other way is as long as the one left out, so first in,
//! first out still meets states at their distance; and what is left out was executed, in
//! an ancestor, with the same outcome.
//!
//! This is what remains of a sleep set if it is not inherited: a full one needs an
//! order of the search, or has to be stored with the states. That a step left
//! out can move is found out, and it is counted, so no figure depends on it.

use crate::backend::is_set;
use crate::bit_sets::BitSets;
use crate::{Agent, Edge, Packed, Place, Then};
use system::Word;

/// Beyond so many edges no table is made: it has one bit for each pair.
const EDGES_MAX: usize = 1 << 13;
/// Beyond so many words of footprints, all in all, neither.
const WORDS_MAX: usize = 1 << 20;

/// What commutes with what.
pub(crate) struct Commute {
    /// For each edge its footprint, if it has one.
    prints: Vec<Option<BitSets>>,
    /// What the steps that begin with an edge are called: its number and one, or 0 if it
    /// has no footprint.
    tags: Vec<u32>,
    /// For each edge, once somebody asked, one bit for each edge before it.
    rows: Vec<Option<Box<[Word]>>>,
}

impl Commute {
    pub(crate) fn new(packed: &Packed) -> Self {
        let count = packed.edges().count();
        // Words that tell no states apart are whatever the first way to a state left there.
        let exact = packed.telling == packed.width;
        let Some(prints) = all_prints(packed).filter(|_| exact && count <= EDGES_MAX) else {
            return Self { prints: Vec::new(), tags: Vec::new(), rows: Vec::new() };
        };
        debug_assert_eq!(prints.len(), count, "edges are numbered in the same order");
        let tag =
            |(edge, print): (usize, &Option<_>)| print.as_ref().map_or(0, |_| edge as u32 + 1);
        let tags = prints.iter().enumerate().map(tag).collect();
        Self { prints, tags, rows: vec![None; count] }
    }

    /// The orders for a state that was discovered by the step of this tag.
    #[inline]
    pub(crate) fn orders(&mut self, tag: u32) -> Orders<'_> {
        let edge = (tag as usize).wrapping_sub(1);
        if self.rows.get(edge).is_some_and(Option::is_none) {
            self.rows[edge] = Some(self.row(edge));
        }
        let left_out = self.rows.get(edge).and_then(Option::as_deref).unwrap_or(&[]);
        Orders { left_out, tags: &self.tags }
    }

    /// The tags of what a state leaves out, bit `t` for tag `t`.
    pub(crate) fn row_of_tags(&mut self, tag: u32, row: &mut Vec<Word>) {
        row.clear();
        row.resize((self.tags.len() + 1).div_ceil(Word::BITS as usize), 0);
        let orders = self.orders(tag);
        let tags = orders.tags.iter().enumerate();
        let left_out = tags.filter(|(edge, _)| orders.leave_out(*edge as u32));
        left_out.for_each(|(_, tag)| row[(tag / Word::BITS) as usize] |= 1 << (tag % Word::BITS));
    }

    #[cold]
    fn row(&self, edge: usize) -> Box<[Word]> {
        let mut row = vec![0; self.prints.len().div_ceil(Word::BITS as usize)];
        for other in (0..edge).filter(|other| self.commute(*other, edge)) {
            row[other / Word::BITS as usize] |= 1 << (other % Word::BITS as usize);
        }
        row.into()
    }

    fn commute(&self, one: usize, other: usize) -> bool {
        match (&self.prints[one], &self.prints[other]) {
            (Some(one), Some(other)) => {
                one.is_independent_of(other) && other.is_independent_of(one)
            }
            _ => false,
        }
    }
}

/// Which edges a state leaves out, and what its steps are called.
#[derive(Clone, Copy, Default)]
pub(crate) struct Orders<'a> {
    left_out: &'a [Word],
    tags: &'a [u32],
}

impl<'a> Orders<'a> {
    /// A bit for each edge, or nothing at all.
    #[inline]
    pub(crate) fn left_out(self) -> &'a [Word] {
        self.left_out
    }

    #[inline]
    pub(crate) fn leave_out(self, edge: u32) -> bool {
        is_set(self.left_out, edge)
    }

    /// The tag of a step that begins with this edge.
    #[inline]
    pub(crate) fn tag(self, edge: u32) -> u32 {
        self.tags.get(edge as usize).copied().unwrap_or(0)
    }
}

/// The footprints of all edges, unless they are too large.
fn all_prints(packed: &Packed) -> Option<Vec<Option<BitSets>>> {
    let (mut all, mut words) = (Vec::new(), 0);
    for agent in &packed.agents {
        let prints = prints(agent);
        words += prints.iter().flatten().map(|print| print.words().count()).sum::<usize>();
        all.extend(prints);
        if words > WORDS_MAX {
            return None;
        }
    }
    Some(all)
}

/// The footprints of the edges of an agent, in the order that numbers them.
fn prints(agent: &Agent) -> Vec<Option<BitSets>> {
    let offers = agent.places.iter().any(|place| own(place).any(is_offer));
    let mut anywhere = BitSets::default();
    let mut here: Vec<BitSets> = Vec::new();
    for place in &agent.places {
        let mut print = BitSets::default();
        print.read(agent.at);
        own(place).for_each(|edge| print.join(&BitSets::of(edge)));
        anywhere.join(&print);
        here.push(print);
    }
    let edges = agent.places.iter().zip(&here).flat_map(|(place, here)| {
        let takes = place.takes.iter().flatten().map(|_| None);
        own(place).map(move |edge| Some((place, here, edge))).chain(takes)
    });
    let print = |(place, here, edge): (&Place, &BitSets, &Edge)| match edge.then {
        Then::Offered(_) => None,
        // The steps that follow are those of the same agent, wherever it comes to stand.
        Then::GoesOn => (!offers).then(|| anywhere.clone()),
        Then::Visible => (!own(place).any(is_offer) || is_plain(place))
            .then(|| here.writing_as(&BitSets::of(edge))),
    };
    edges.map(|edge| edge.and_then(print)).collect()
}

/// What the agent can do at a place by itself.
fn own(place: &Place) -> impl Iterator<Item = &Edge> {
    place.groups.iter().flatten()
}

fn is_offer(edge: &Edge) -> bool {
    matches!(edge.then, Then::Offered(_))
}

/// Whether no edge of the place depends on whether another one moves.
fn is_plain(place: &Place) -> bool {
    place.groups.len() == 1 && !own(place).any(|edge| edge.is_else)
}
