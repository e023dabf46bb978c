//! The read set of an agent: the words of a state that decide what it can do at its control
//! location.
//!
//! Those its edges there read and write; where an unseen sequence leads, those of the
//! edges there as well, and of an offer whatever its takers read.

use crate::bit_sets::BitSets;
use crate::visit::{Seen, visit_ops};
use crate::{Agent, Edge, Expr, Op, Packed, Place, Then};
use system::Word;

/// Of forms with more words of bit sets than this, two states for each edge, nothing is
/// worked out: it would take longer than it saves.
const WORDS_MAX: usize = 1 << 20;

/// The words each agent reads, by its control location; a bit for each word.
pub(crate) struct ReadSets {
    agents: Vec<Vec<Box<[Word]>>>,
}

impl ReadSets {
    /// None of a form that is too large.
    pub(crate) fn new(packed: &Packed) -> Option<Self> {
        if 2 * packed.edges().count() * packed.width > WORDS_MAX {
            return None;
        }
        let taken: Vec<Seeing> = packed.agents.iter().map(|agent| taken(packed, agent)).collect();
        let sets = |agent| read_sets(packed, agent, &taken);
        Some(Self { agents: packed.agents.iter().map(sets).collect() })
    }

    /// Calls `read` with the words that an agent at this place reads, if there is one.
    pub(crate) fn of(&self, agent: usize, place: usize, read: &mut dyn FnMut(usize)) -> bool {
        let set = self.agents[agent].get(place);
        for (at, bits) in set.into_iter().flatten().enumerate() {
            let mut bits = *bits;
            while bits != 0 {
                read(at * Word::BITS as usize + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
        set.is_some()
    }
}

/// What some edges look at and change, and who may take their offers.
struct Seeing {
    bits: BitSets,
    takers: Vec<usize>,
}

impl Seeing {
    fn new(packed: &Packed, agent: &Agent) -> Self {
        let mut bits = BitSets::new(packed.width);
        bits.read(agent.at);
        Self { bits, takers: Vec::new() }
    }

    fn see(&mut self, packed: &Packed, edge: &Edge) {
        self.bits.join(&BitSets::of(edge, packed.width));
        if let Then::Offered(takers) = &edge.then {
            self.meet(takers);
        }
    }

    fn meet(&mut self, takers: &[usize]) {
        for taker in takers {
            if !self.takers.contains(taker) {
                self.takers.push(*taker);
            }
        }
    }
}

fn read_sets(packed: &Packed, agent: &Agent, taken: &[Seeing]) -> Vec<Box<[Word]>> {
    let places = agent.places.iter();
    let mut sets: Vec<_> = places.map(|place| here(packed, agent, place, taken)).collect();
    let leads: Vec<_> = (0..agent.places.len()).map(|place| leads(agent, place)).collect();
    // Until nothing is added: sequences go round in circles as they like.
    let mut grows = true;
    while grows {
        grows = false;
        for (from, leads) in leads.iter().enumerate() {
            for to in leads {
                let to = sets[*to].clone();
                grows |= join(&mut sets[from], &to);
            }
        }
    }
    sets
}

/// What the edges of a place look at and change, with those who take their offers.
fn here(packed: &Packed, agent: &Agent, place: &Place, taken: &[Seeing]) -> Box<[Word]> {
    let mut seeing = Seeing::new(packed, agent);
    own(place).for_each(|edge| seeing.see(packed, edge));
    let mut next = 0;
    while let Some(taker) = seeing.takers.get(next) {
        let taker = &taken[*taker];
        seeing.bits.join(&taker.bits);
        seeing.meet(&taker.takers);
        next += 1;
    }
    let mut set = vec![0; packed.width.div_ceil(Word::BITS as usize)];
    let words = seeing.bits.reads.iter().zip(&seeing.bits.writes).enumerate();
    for (word, _) in words.filter(|(_, (reads, writes))| **reads | **writes != 0) {
        set[word / Word::BITS as usize] |= 1 << (word % Word::BITS as usize);
    }
    set.into()
}

/// What an agent that takes an offer looks at and changes, wherever it stands. It may go on,
/// and make offers of its own.
fn taken(packed: &Packed, agent: &Agent) -> Seeing {
    let mut seeing = Seeing::new(packed, agent);
    let takes = || agent.places.iter().flat_map(|place| place.takes.iter().flatten());
    takes().for_each(|edge| seeing.see(packed, edge));
    if takes().any(|edge| edge.then == Then::GoesOn) {
        agent.places.iter().flat_map(own).for_each(|edge| seeing.see(packed, edge));
    }
    seeing
}

/// What the agent can do at a place by itself.
fn own(place: &Place) -> impl Iterator<Item = &Edge> {
    place.groups.iter().flatten()
}

/// The places where the agent may go on, unseen, after an edge of this one.
fn leads(agent: &Agent, place: usize) -> Vec<usize> {
    let mut leads: Vec<usize> = own(&agent.places[place])
        .filter(|edge| edge.then == Then::GoesOn)
        .flat_map(|edge| targets(agent, place, edge))
        .collect();
    leads.sort_unstable();
    leads.dedup();
    leads
}

/// Where an edge, of an agent at `place`, may lead this agent: every place, unless its body
/// says which.
pub(crate) fn targets(agent: &Agent, place: usize, edge: &Edge) -> Vec<usize> {
    // It stays where it is if the body takes a way that says nothing.
    let always = |op: &Op| matches!(op, Op::Set(field, _) if field.covers(agent.at));
    let (mut targets, mut known) = (vec![place], true);
    targets.retain(|_| !edge.body.iter().any(always));
    let overlaps = |word: u32, mask: Word| word == agent.at.word && mask & agent.at.mask() != 0;
    let see: &mut Seen<'_> = &mut |op, _| match op {
        Some(Op::Set(field, Expr::Const(to))) if field.covers(agent.at) => {
            targets.push(((field.bits_of(*to) & agent.at.mask()) >> agent.at.shift) as usize);
        }
        Some(Op::Set(field, _)) => known &= !overlaps(field.word, field.mask()),
        Some(Op::SetElement(array, ..) | Op::Clear(array)) => known &= array.is_apart(agent.at),
        Some(Op::Take(array, _) | Op::Insert(array, ..)) => known &= array.is_apart(agent.at),
        Some(Op::Map { word, .. }) => known &= *word != agent.at.word,
        _ => {}
    };
    visit_ops(&edge.body, see);
    let places = agent.places.len();
    match known {
        true => targets.into_iter().filter(|to| *to < places).collect(),
        false => (0..places).collect(),
    }
}

fn join(into: &mut [Word], from: &[Word]) -> bool {
    let mut grows = false;
    for (into, from) in into.iter_mut().zip(from) {
        grows |= *from & !*into != 0;
        *into |= from;
    }
    grows
}
