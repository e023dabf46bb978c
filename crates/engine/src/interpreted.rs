//! The reference interpreter as a system: every word is one thing, nothing is
//! packed. Slow; the judge of everything else (`--engine reference`).

use crate::anatomy::{Insides, Piece};
use crate::{Order, Readable, agent, step_kind};
use automata::reference::{self, Move, Outcome, Rest, World};
use automata::{MachineId, Network, StateId};
use base::{Id, IdVec};
use model::{Message, MessageId};
use system::{Blank, Budget, LoopHeads, Part, Parts, Step, StepOutcome, Successors, System, Word};

/// A network run by the reference interpreter.
pub struct Interpreted<'a> {
    network: &'a Network,
    order: Vec<MachineId>,
    initial: Vec<Word>,
    insides: Insides,
}

impl<'a> Interpreted<'a> {
    /// The system of `network`.
    pub fn new(network: &'a Network, order: Order) -> Self {
        let (order, insides) = (order.machines(network), Insides::new(network));
        let mut made = Self { network, order, initial: Vec::new(), insides };
        made.initial = made.encode(&reference::initial(network));
        made
    }

    fn encode(&self, world: &World) -> Vec<Word> {
        let mut words: Vec<Word> = world.at.iter().map(|state| state.index() as Word).collect();
        words.extend(world.values.iter().map(|value| Word::from(*value as u16)));
        for (id, queue) in world.queues.iter_ids() {
            let capacity = self.network.channels[id].capacity as usize;
            words.push(queue.len() as Word);
            words.extend(queue.iter().map(pack));
            words.extend(std::iter::repeat_n(0, capacity - queue.len()));
        }
        for (id, set) in world.seen.iter_ids() {
            let states = self.network.observers[id].machine().states.ids();
            words.extend(states.map(|state| Word::from(set.contains(&state))));
        }
        words
    }

    fn decode(&self, mut words: &[Word]) -> World {
        let mut take = |count: usize| {
            let (taken, rest) = words.split_at(count);
            words = rest;
            taken
        };
        let at = take(self.network.machines.len());
        let values = take(self.network.variables.len());
        let queues: IdVec<_, _> = self
            .network
            .channels
            .iter()
            .map(|channel| {
                let length = take(1)[0] as usize;
                take(channel.capacity as usize)[..length].iter().map(unpack).collect()
            })
            .collect();
        let seen = self.network.observers.iter().map(|observer| {
            let bits = take(observer.machine().states.len()).iter().enumerate();
            bits.filter(|(_, bit)| **bit == 1).map(|(index, _)| StateId::new(index)).collect()
        });
        World {
            at: at.iter().map(|word| StateId::new(*word as usize)).collect(),
            values: values.iter().map(|word| *word as u16 as i16).collect(),
            queues,
            seen: seen.collect(),
        }
    }

    /// The words of a piece.
    fn words(&self, piece: Piece) -> std::ops::Range<usize> {
        let (machines, variables) = (self.network.machines.len(), self.network.variables.len());
        let slots = |channel: &automata::Channel| 1 + channel.capacity as usize;
        match piece {
            Piece::Location(id) => id.index()..id.index() + 1,
            Piece::Variable(id) => machines + id.index()..machines + id.index() + 1,
            Piece::Channel(id) => {
                let before = self.network.channels.iter().take(id.index());
                let first = machines + variables + before.map(slots).sum::<usize>();
                first..first + slots(&self.network.channels[id])
            }
        }
    }

    fn step(&self, m: Move) -> Step {
        let action = &self.network.machines[m.machine].edges[m.edge].action;
        Step::new(agent(m.machine), m.edge.index() as u32, step_kind(action))
    }
}

fn pack(message: &Message) -> Word {
    let value = message.value.map_or(0, |value| 1 << 16 | Word::from(value as u16));
    (message.name.index() as Word) << 17 | value
}

fn unpack(word: &Word) -> Message {
    let value = (word >> 16 & 1 == 1).then_some(*word as u16 as i16);
    Message { name: MessageId::new((word >> 17) as usize), value }
}

impl System for Interpreted<'_> {
    fn width(&self) -> usize {
        self.initial.len()
    }

    fn initial(&self, words: &mut [Word]) {
        words.copy_from_slice(&self.initial);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        let world = self.decode(state);
        let moves = reference::moves(self.network, &world);
        let ordered = self.order.iter().flat_map(|machine| {
            moves.iter().filter(move |candidate| candidate.machine == *machine)
        });
        for m in ordered {
            let next = out.push(self.step(*m), state);
            let outcome = match reference::apply(self.network, &world, *m) {
                Outcome::World(after) => {
                    next.copy_from_slice(&self.encode(&after));
                    StepOutcome::State
                }
                Outcome::Violation(observer, after) => {
                    next.copy_from_slice(&self.encode(&after));
                    StepOutcome::Violation(observer.index() as u32)
                }
                Outcome::DivisionByZero => StepOutcome::Fault,
            };
            out.set_outcome(outcome);
        }
        true
    }

    fn blocked(&self, state: &[Word]) -> system::Blocked {
        match reference::rest(self.network, &self.decode(state)) {
            Rest::Proper => system::Blocked::ProperEnd,
            Rest::Residual => system::Blocked::Residual,
            Rest::Violation(observer) => system::Blocked::Violation(observer.index() as u32),
            Rest::BlockedSend => system::Blocked::BlockedSend,
            Rest::UnspecifiedReception => system::Blocked::UnspecifiedReception,
            Rest::Deadlock => system::Blocked::Deadlock,
        }
    }

    fn parts(&self) -> Option<&dyn Parts> {
        Some(self)
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        Some(self)
    }
}

impl LoopHeads for Interpreted<'_> {
    fn is_loop_head(&self, state: &[Word]) -> bool {
        let machines = self.network.machines.iter().zip(state);
        machines
            .map(|(machine, word)| &machine.states[StateId::new(*word as usize)])
            .any(|state| state.labelled)
    }
}

impl Readable for Interpreted<'_> {
    fn world(&self, words: &[Word]) -> World {
        self.decode(words)
    }
}

impl Parts for Interpreted<'_> {
    fn is_local(&self, state: &[Word], agent: u32) -> bool {
        let at = StateId::new(state[agent as usize] as usize);
        self.insides.is_inward(MachineId::new(agent as usize), at)
    }

    fn is_crowded(&self, state: &[Word], most: usize) -> bool {
        let ids = self.network.channels.ids();
        let lengths = ids.map(|id| state[self.words(Piece::Channel(id)).start]);
        self.insides.is_crowded(lengths, most)
    }

    fn blank(&self, part: &Part) -> Option<Blank<'_>> {
        let pieces = self.insides.pieces(part)?;
        let words: Vec<usize> = pieces.iter().flat_map(|piece| self.words(*piece)).collect();
        Some(Box::new(move |state| words.iter().for_each(|word| state[*word] = 0)))
    }
}
