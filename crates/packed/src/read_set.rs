//! The read set of an agent: the words of a state that decide what it can do at its control
//! location.
//!
//! Those its edges there read and write; where an unseen sequence leads, those of the
//! edges there as well, and of an offer whatever its takers read.

use crate::bit_sets::BitSets;
use crate::visit::{Seen, visit_ops};
use crate::{Agent, Edge, Expr, Op, Packed, Place, Then};
use std::collections::{BTreeSet, HashMap};
use system::Word;

/// Of forms whose read sets have more words than this, all in all, nothing is worked out: it
/// would take longer than it saves.
const WORDS_MAX: usize = 1 << 20;

/// The words each agent reads, by its control location, in order.
pub(crate) struct ReadSets {
    agents: Vec<Vec<Box<[usize]>>>,
}

impl ReadSets {
    /// None of a form that is too large.
    pub(crate) fn new(packed: &Packed) -> Option<Self> {
        let taken: Vec<Seeing> = packed.agents.iter().map(taken).collect();
        let (mut agents, mut words) = (Vec::new(), 0);
        for agent in &packed.agents {
            let sets = read_sets(agent, &taken);
            words += sets.iter().map(|set| set.len()).sum::<usize>();
            if words > WORDS_MAX {
                return None;
            }
            agents.push(sets);
        }
        Some(Self { agents })
    }

    /// Calls `read` with the words that an agent at this place reads, if there is one.
    pub(crate) fn of(&self, agent: usize, place: usize, read: &mut dyn FnMut(usize)) -> bool {
        let set = self.agents[agent].get(place);
        set.into_iter().flatten().for_each(|word| read(*word));
        set.is_some()
    }
}

/// What some edges look at and change, and who may take their offers.
struct Seeing {
    bits: BitSets,
    takers: Vec<usize>,
}

impl Seeing {
    fn new(agent: &Agent) -> Self {
        let mut bits = BitSets::default();
        bits.read(agent.at);
        Self { bits, takers: Vec::new() }
    }

    fn see(&mut self, edge: &Edge) {
        self.bits.join(&BitSets::of(edge));
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

fn read_sets(agent: &Agent, taken: &[Seeing]) -> Vec<Box<[usize]>> {
    let places = agent.places.iter();
    let mut sets: Vec<_> = places.map(|place| here(agent, place, taken)).collect();
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
    sets.into_iter().map(|set| set.into_iter().collect()).collect()
}

/// What the edges of a place look at and change, with those who take their offers.
fn here(agent: &Agent, place: &Place, taken: &[Seeing]) -> BTreeSet<usize> {
    let mut seeing = Seeing::new(agent);
    own(place).for_each(|edge| seeing.see(edge));
    let mut next = 0;
    while let Some(taker) = seeing.takers.get(next) {
        let taker = &taken[*taker];
        seeing.bits.join(&taker.bits);
        seeing.meet(&taker.takers);
        next += 1;
    }
    seeing.bits.words().collect()
}

/// What an agent that takes an offer looks at and changes, wherever it stands. It may go on,
/// and make offers of its own.
fn taken(agent: &Agent) -> Seeing {
    let mut seeing = Seeing::new(agent);
    let takes = || agent.places.iter().flat_map(|place| place.takes.iter().flatten());
    takes().for_each(|edge| seeing.see(edge));
    if takes().any(|edge| edge.then == Then::GoesOn) {
        agent.places.iter().flat_map(own).for_each(|edge| seeing.see(edge));
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

/// Where an edge may lead the agents of a form, each place with its agent. All of them at once: an
/// edge that creates a process is long, and so is the list of agents.
pub(crate) fn all_targets(agents: &[Agent], edge: &Edge) -> Vec<(usize, usize)> {
    let mut by_word: HashMap<u32, Vec<usize>> = HashMap::new();
    let each = agents.iter().enumerate();
    each.for_each(|(at, agent)| by_word.entry(agent.at.word).or_default().push(at));
    let in_word = |word: &u32| by_word.get(word).into_iter().flatten().copied();
    let (mut targets, mut unknown) = (Vec::new(), BTreeSet::new());
    visit_ops(&edge.body, &mut |op, _| match op {
        Some(Op::Set(field, value)) => {
            for at in in_word(&field.word) {
                let own = agents[at].at;
                match value {
                    Expr::Const(to) if field.covers(own) => {
                        let place = (field.bits_of(*to) & own.mask()) >> own.shift;
                        targets.push((at, place as usize));
                    }
                    _ if field.mask() & own.mask() != 0 => _ = unknown.insert(at),
                    _ => {}
                }
            }
        }
        Some(
            Op::SetElement(array, ..)
            | Op::Clear(array)
            | Op::Take(array, _)
            | Op::Insert(array, ..),
        ) => unknown.extend((0..agents.len()).filter(|at| !array.is_apart(agents[*at].at))),
        Some(Op::Map { word, .. }) => unknown.extend(in_word(word)),
        _ => {}
    });
    targets.retain(|(at, place)| !unknown.contains(at) && *place < agents[*at].places.len());
    targets.extend(
        unknown.into_iter().flat_map(|at| (0..agents[at].places.len()).map(move |to| (at, to))),
    );
    targets
}

fn join(into: &mut BTreeSet<usize>, from: &BTreeSet<usize>) -> bool {
    let count = into.len();
    into.extend(from);
    into.len() > count
}
