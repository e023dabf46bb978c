//! Which words of a state decide what an agent can do, given where it stands.
//!
//! Those its edges there look at and change; where an unseen sequence leads, those of the
//! edges there as well, and of an offer whatever who takes it looks at.

use crate::footprint::Footprint;
use crate::visit::{Seen, visit_ops};
use crate::{Agent, Edge, Expr, Op, Packed, Place, Then};
use system::Word;

/// Of forms with more words of footprints than this, two states for each edge, nothing is
/// worked out: it would take longer than it saves.
const WORDS_MAX: usize = 1 << 20;

/// The words each agent looks at, by the place where it stands; a bit for each word.
pub(crate) struct Views {
    agents: Vec<Vec<Box<[Word]>>>,
}

impl Views {
    /// None of a form that is too large.
    pub(crate) fn new(packed: &Packed) -> Option<Self> {
        if 2 * packed.edges().count() * packed.width > WORDS_MAX {
            return None;
        }
        let taken: Vec<Seeing> = packed.agents.iter().map(|agent| taken(packed, agent)).collect();
        let views = |agent| views(packed, agent, &taken);
        Some(Self { agents: packed.agents.iter().map(views).collect() })
    }

    /// Calls `look` with the words that an agent at this place looks at, if there is one.
    pub(crate) fn of(&self, agent: usize, place: usize, look: &mut dyn FnMut(usize)) -> bool {
        let view = self.agents[agent].get(place);
        for (at, bits) in view.into_iter().flatten().enumerate() {
            let mut bits = *bits;
            while bits != 0 {
                look(at * Word::BITS as usize + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
        view.is_some()
    }
}

/// What some edges look at and change, and who may take their offers.
struct Seeing {
    print: Footprint,
    takers: Vec<usize>,
}

impl Seeing {
    fn new(packed: &Packed, agent: &Agent) -> Self {
        let mut print = Footprint::new(packed.width);
        print.look(agent.at);
        Self { print, takers: Vec::new() }
    }

    fn see(&mut self, packed: &Packed, edge: &Edge) {
        self.print.join(&Footprint::of(edge, packed.width));
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

fn views(packed: &Packed, agent: &Agent, taken: &[Seeing]) -> Vec<Box<[Word]>> {
    let places = agent.places.iter();
    let mut views: Vec<_> = places.map(|place| here(packed, agent, place, taken)).collect();
    let leads: Vec<_> = (0..agent.places.len()).map(|place| leads(agent, place)).collect();
    // Until nothing is added: sequences go round in circles as they like.
    let mut grows = true;
    while grows {
        grows = false;
        for (from, leads) in leads.iter().enumerate() {
            for to in leads {
                let to = views[*to].clone();
                grows |= join(&mut views[from], &to);
            }
        }
    }
    views
}

/// What the edges of a place look at and change, with those who take their offers.
fn here(packed: &Packed, agent: &Agent, place: &Place, taken: &[Seeing]) -> Box<[Word]> {
    let mut seeing = Seeing::new(packed, agent);
    own(place).for_each(|edge| seeing.see(packed, edge));
    let mut next = 0;
    while let Some(taker) = seeing.takers.get(next) {
        let taker = &taken[*taker];
        seeing.print.join(&taker.print);
        seeing.meet(&taker.takers);
        next += 1;
    }
    let mut view = vec![0; packed.width.div_ceil(Word::BITS as usize)];
    let words = seeing.print.looks.iter().zip(&seeing.print.changes).enumerate();
    for (word, _) in words.filter(|(_, (looks, changes))| **looks | **changes != 0) {
        view[word / Word::BITS as usize] |= 1 << (word % Word::BITS as usize);
    }
    view.into()
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

/// Where an edge of `place` may lead: every place, unless its body says which.
fn targets(agent: &Agent, place: usize, edge: &Edge) -> Vec<usize> {
    // It stays where it is if the body takes a way that says nothing.
    let (mut targets, mut known) = (vec![place], true);
    let overlaps = |word: u32, mask: Word| word == agent.at.word && mask & agent.at.mask() != 0;
    let see: &mut Seen<'_> = &mut |op, _| match op {
        Some(Op::Set(field, Expr::Const(to))) if *field == agent.at => {
            targets.push(field.cut(*to) as usize);
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
