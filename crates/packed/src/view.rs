//! Which words of a state decide what an agent can do, given where it stands.
//!
//! Those its edges there look at and change; where an unseen sequence leads, those of the
//! edges there as well, and of an offer whatever who takes it looks at.

use crate::footprint::Footprint;
use crate::visit::{Seen, visit_ops};
use crate::{Agent, Edge, Expr, Op, Packed, Place, Then};
use system::Word;

/// The words each agent looks at, by the place where it stands; a bit for each word.
pub(crate) struct Views {
    agents: Vec<Vec<Box<[Word]>>>,
}

impl Views {
    pub(crate) fn new(packed: &Packed) -> Self {
        let agents = packed.agents.iter().map(|agent| views(packed, agent)).collect();
        Self { agents }
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

fn views(packed: &Packed, agent: &Agent) -> Vec<Box<[Word]>> {
    let mut views: Vec<_> = agent.places.iter().map(|place| here(packed, agent, place)).collect();
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
fn here(packed: &Packed, agent: &Agent, place: &Place) -> Box<[Word]> {
    let mut print = Footprint::new(packed.width);
    print.look(agent.at);
    let mut takers = Vec::new();
    own(place).for_each(|edge| see(packed, edge, &mut print, &mut takers));
    // Who takes may go on, and make offers of its own.
    let mut next = 0;
    while let Some(taker) = takers.get(next).map(|taker: &usize| &packed.agents[*taker]) {
        next += 1;
        print.look(taker.at);
        let takes = || taker.places.iter().flat_map(|place| place.takes.iter().flatten());
        takes().for_each(|edge| see(packed, edge, &mut print, &mut takers));
        if takes().any(|edge| edge.then == Then::GoesOn) {
            let edges = taker.places.iter().flat_map(own);
            edges.for_each(|edge| see(packed, edge, &mut print, &mut takers));
        }
    }
    let mut view = vec![0; packed.width.div_ceil(Word::BITS as usize)];
    let words = print.looks.iter().zip(&print.changes).enumerate();
    for (word, _) in words.filter(|(_, (looks, changes))| **looks | **changes != 0) {
        view[word / Word::BITS as usize] |= 1 << (word % Word::BITS as usize);
    }
    view.into()
}

/// Adds what an edge looks at and changes, and who may take its offer.
fn see(packed: &Packed, edge: &Edge, print: &mut Footprint, takers: &mut Vec<usize>) {
    print.join(&Footprint::of(edge, packed.width));
    if let Then::Offered(asked) = &edge.then {
        let new: Vec<usize> = asked.iter().copied().filter(|who| !takers.contains(who)).collect();
        takers.extend(new);
    }
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
