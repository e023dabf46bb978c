//! The reference interpreter of networks as a system. [`ReferenceNetwork`] packs nothing, every
//! word is one thing: slow, and the judge of everything else (`--engine reference`). On the
//! words of a [`Layout`] it answers for the states that the packed form gives up.

use crate::aim::Aim;
use crate::anatomy::{Insides, Piece};
use crate::layout::Layout;
use crate::{Exchange, Order, Readable, Rooms, agent, step_kind};
use automata::reference::{self, Move, Outcome, Rest, World};
use automata::{MachineId, Network, StateId};
use base::{Id, IdVec};
use model::{ChannelId, Message, MessageId, Predicate};
use packed::{Estimates, Predicates};
use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;
use system::{
    Blank, Blocked, Budget, Distances, Letter, Letters, LoopHeads, Part, Participants, Parts,
    Processes, Step, StepOutcome, Successors, Symmetry, System, Transition, Word,
};

/// How worlds are written into words.
pub trait Codec {
    /// Words of a world.
    fn width(&self) -> usize;

    /// Writes a world into words that come in as zeros; whether there is room for it.
    fn encode(&self, world: &World, words: &mut [Word]) -> bool;

    /// For how many messages there is room in a channel.
    fn room(&self, channel: ChannelId) -> usize;

    /// The world that words stand for.
    fn decode(&self, words: &[Word]) -> World;

    /// Where a machine stands.
    fn location(&self, machine: MachineId, words: &[Word]) -> StateId;

    /// How many messages are in a channel.
    fn length(&self, channel: ChannelId, words: &[Word]) -> Word;

    /// Sets a piece to zero.
    fn clear(&self, piece: Piece, words: &mut [Word]);

    /// Who can be exchanged, where that is said of the words.
    fn exchange(&self, _network: &Network) -> Option<Exchange> {
        None
    }
}

/// A network run by the reference interpreter.
pub struct Reference<'a, C> {
    network: &'a Network,
    order: Vec<MachineId>,
    codec: C,
    initial: Vec<Word>,
    insides: Insides,
    /// Some world had no room; what there should be room for.
    too_narrow: Cell<bool>,
    rooms: RefCell<Rooms>,
    /// The propositions whose letters its states have.
    atoms: Option<Vec<Predicate>>,
    /// The same on the words that `codec` writes, where that is known.
    predicates: Option<Predicates>,
    /// How far a state is from one where they hold, likewise.
    estimates: Option<Estimates>,
    /// Made when a search first asks for distances.
    aim: OnceCell<Aim>,
    /// Likewise for representatives.
    exchange: OnceCell<Option<Exchange>>,
}

/// The same with every word one thing.
pub type ReferenceNetwork<'a> = Reference<'a, Plain>;

impl<'a> ReferenceNetwork<'a> {
    /// The system of `network`.
    pub fn new(network: &'a Network, order: Order) -> Self {
        let rooms = Rooms::declared(network);
        Self::within(network, order, &rooms)
    }

    /// The same for worlds in which each channel holds no more than there is room for.
    pub fn within(network: &'a Network, order: Order, rooms: &Rooms) -> Self {
        Self::with(network, order, Plain::new(network, rooms))
    }
}

impl<'a, C: Codec> Reference<'a, C> {
    /// The system of `network`, its states written by `codec`.
    pub(crate) fn with(network: &'a Network, order: Order, codec: C) -> Self {
        let (order, insides) = (order.machines(network), Insides::new(network));
        let mut initial = vec![0; codec.width()];
        let fits = codec.encode(&reference::initial(network), &mut initial);
        debug_assert!(fits, "there is room for what channels hold at first");
        let mut rooms = Rooms::at_first(network);
        rooms.widen(network, network.channels.ids().map(|id| codec.room(id)));
        Self {
            network,
            order,
            codec,
            initial,
            insides,
            too_narrow: Cell::new(false),
            rooms: RefCell::new(rooms),
            atoms: None,
            predicates: None,
            estimates: None,
            aim: OnceCell::new(),
            exchange: OnceCell::new(),
        }
    }

    /// What it runs.
    pub fn network(&self) -> &'a Network {
        self.network
    }

    /// Who can be exchanged, where that is said of the words.
    pub fn exchange(&self) -> Option<&Exchange> {
        self.exchange.get_or_init(|| self.codec.exchange(self.network)).as_ref()
    }

    /// Whether some world had no room: it was left out, and the search saw less than there is.
    pub fn is_too_narrow(&self) -> bool {
        self.too_narrow.get()
    }

    /// With room for the worlds that had none.
    pub fn rooms(&self) -> Rooms {
        self.rooms.borrow().clone()
    }

    /// With atomic propositions.
    #[must_use]
    pub fn with_atoms(self, atoms: Option<&[Predicate]>) -> Self {
        Self { atoms: atoms.map(<[Predicate]>::to_vec), ..self }
    }

    /// With these for its propositions, in order.
    pub(crate) fn with_predicates(self, predicates: Predicates, estimates: Estimates) -> Self {
        Self { predicates: Some(predicates), estimates: Some(estimates), ..self }
    }

    /// Its moves in a world, in the order of its steps.
    fn moves(&self, world: &World) -> Vec<Move> {
        let moves = reference::moves(self.network, world);
        let of = |machine: &MachineId| {
            let machine = *machine;
            moves.iter().filter(move |candidate| candidate.machine == machine).copied()
        };
        self.order.iter().flat_map(of).collect()
    }

    /// What a step is called.
    fn step(&self, m: Move) -> Step {
        let action = &self.network.machines[m.machine].edges[m.edge].action;
        Step::new(agent(m.machine), m.edge.index() as u32, step_kind(action))
    }

    /// Makes a move; `None` if there is no room for where it leads.
    fn execute(&self, world: &World, m: Move, next: &mut [Word]) -> Option<StepOutcome> {
        let (outcome, after) = match reference::apply(self.network, world, m) {
            Outcome::World(after) => (StepOutcome::State, after),
            Outcome::Violation(observer, after) => {
                (StepOutcome::Violation(observer.index() as u32), after)
            }
            Outcome::DivisionByZero => return Some(StepOutcome::Fault),
        };
        next.fill(0);
        if self.codec.encode(&after, next) {
            return Some(outcome);
        }
        self.too_narrow.set(true);
        self.rooms.borrow_mut().widen(self.network, after.queues.iter().map(Vec::len));
        None
    }
}

impl<C: Codec> System for Reference<'_, C> {
    fn width(&self) -> usize {
        self.initial.len()
    }

    fn initial(&self, words: &mut [Word]) {
        words.copy_from_slice(&self.initial);
    }

    fn successors(&self, state: &[Word], out: &mut Successors, _: &mut dyn Budget) -> bool {
        let world = self.codec.decode(state);
        for m in self.moves(&world) {
            let outcome = self.execute(&world, m, out.push(self.step(m), state));
            let Some(outcome) = outcome else {
                out.take_back();
                continue;
            };
            out.set_outcome(outcome);
            // Nothing is known of its accesses.
            out.set_transition(Transition(0));
        }
        true
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        match reference::rest(self.network, &self.codec.decode(state)) {
            Rest::Proper => Blocked::ProperEnd,
            Rest::Residual => Blocked::Residual,
            Rest::Violation(observer) => Blocked::Violation(observer.index() as u32),
            Rest::BlockedSend => Blocked::BlockedSend,
            Rest::UnspecifiedReception => Blocked::UnspecifiedReception,
            Rest::Deadlock => Blocked::Deadlock,
        }
    }

    fn parts(&self) -> Option<&dyn Parts> {
        Some(self)
    }

    fn letters(&self) -> Option<&dyn Letters> {
        self.atoms.as_ref().map(|_| self as &dyn Letters)
    }

    fn participants(&self) -> Option<&dyn Participants> {
        Some(self)
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        Some(self)
    }
}

impl<C: Codec> Letters for Reference<'_, C> {
    fn read_set(&self) -> Option<&[usize]> {
        self.predicates.as_ref()?.read_set()
    }

    fn distance(&self, state: &[Word], number: usize, truth: bool) -> Option<u32> {
        self.estimates.as_ref()?.distance(state, number, truth)
    }

    /// What bails is evaluated by the reference interpreter.
    fn letter(&self, state: &[Word]) -> Option<Letter> {
        let quick = self.predicates.as_ref().and_then(|predicates| {
            let mut holds = predicates.evaluate(state).enumerate();
            holds.try_fold(0, |letter, (at, holds)| Some(letter | Letter::from(holds.ok()?) << at))
        });
        quick.or_else(|| {
            let world = self.codec.decode(state);
            self.atoms.as_ref()?.iter().enumerate().try_fold(0, |letter, (at, atom)| {
                let holds = reference::holds(self.network, &world, atom).ok()?;
                Some(letter | Letter::from(holds) << at)
            })
        })
    }
}

/// The machine that moves takes part, and nobody else: a message waits in its channel.
impl<C: Codec> Participants for Reference<'_, C> {
    fn move_alone(&self) -> bool {
        true
    }

    fn of_transition(&self, _: Transition) -> Option<Processes> {
        None
    }

    fn of_steps(&self, state: &[Word]) -> Option<Vec<Processes>> {
        let moves = self.moves(&self.codec.decode(state)).into_iter();
        moves.map(|m| Processes::checked_shl(1, agent(m.machine))).collect()
    }
}

impl<C: Codec> packed::Fallback for Reference<'_, C> {
    fn successors(&self, state: &[Word], out: &mut Successors, budget: &mut dyn Budget) -> bool {
        System::successors(self, state, out, budget)
    }

    fn blocked(&self, state: &[Word]) -> Blocked {
        System::blocked(self, state)
    }

    fn loop_heads(&self) -> Option<&dyn LoopHeads> {
        Some(self)
    }

    fn distances(&self) -> Option<&dyn Distances> {
        Some(self)
    }

    fn parts(&self) -> Option<&dyn Parts> {
        Some(self)
    }

    fn letters(&self) -> Option<&dyn Letters> {
        System::letters(self)
    }

    fn participants(&self) -> Option<&dyn Participants> {
        Some(self)
    }

    fn symmetry(&self) -> Option<&dyn Symmetry> {
        let exchange = self.exchange().filter(|exchange| exchange.is_there());
        exchange.map(|exchange| exchange as &dyn Symmetry)
    }
}

impl<C: Codec> Distances for Reference<'_, C> {
    fn distance(&self, state: &[Word]) -> u32 {
        let aim = self.aim.get_or_init(|| Aim::new(self.network));
        aim.distance(&self.codec.decode(state))
    }
}

impl<C: Codec> Readable for Reference<'_, C> {
    fn world(&self, words: &[Word]) -> World {
        self.codec.decode(words)
    }
}

impl<B: packed::Backend, C: Codec> Readable for packed::Driver<B, Reference<'_, C>> {
    fn world(&self, words: &[Word]) -> World {
        self.fallback().world(words)
    }
}

impl<C: Codec> LoopHeads for Reference<'_, C> {
    fn is_loop_head(&self, state: &[Word]) -> bool {
        let mut machines = self.network.machines.iter_ids();
        machines.any(|(id, machine)| machine.states[self.codec.location(id, state)].labelled)
    }
}

impl<C: Codec> Parts for Reference<'_, C> {
    fn is_local(&self, state: &[Word], agent: u32) -> bool {
        let machine = MachineId::new(agent as usize);
        self.insides.is_local(machine, self.codec.location(machine, state))
    }

    fn is_crowded(&self, state: &[Word], most: usize) -> bool {
        let lengths = self.network.channels.ids().map(|id| self.codec.length(id, state));
        self.insides.is_crowded(lengths, most)
    }

    fn blank(&self, part: &Part) -> Option<Blank<'_>> {
        let pieces = self.insides.pieces(part)?;
        let mut mask = vec![Word::MAX; self.width()];
        pieces.iter().for_each(|piece| self.codec.clear(*piece, &mut mask));
        Some(Box::new(move |words| words.iter_mut().zip(&mask).for_each(|(word, m)| *word &= m)))
    }
}

impl Codec for Arc<Layout> {
    fn width(&self) -> usize {
        Layout::width(self)
    }

    fn encode(&self, world: &World, words: &mut [Word]) -> bool {
        Layout::encode(self, world, words)
    }

    fn room(&self, channel: ChannelId) -> usize {
        self.channels[channel].slots.len()
    }

    fn exchange(&self, network: &Network) -> Option<Exchange> {
        Some(Exchange::new(network, self))
    }

    fn decode(&self, words: &[Word]) -> World {
        Layout::decode(self, words)
    }

    fn location(&self, machine: MachineId, words: &[Word]) -> StateId {
        StateId::new(self.locations[machine].get(words) as usize)
    }

    fn length(&self, channel: ChannelId, words: &[Word]) -> Word {
        self.channels[channel].length.get(words)
    }

    fn clear(&self, piece: Piece, words: &mut [Word]) {
        Layout::clear(self, piece, words);
    }
}

/// Every word is one thing.
pub struct Plain {
    machines: usize,
    variables: usize,
    /// The words of each channel: its length, then a word for each slot.
    channels: IdVec<ChannelId, std::ops::Range<usize>>,
    /// The first word of the states of each observer.
    observers: Vec<std::ops::Range<usize>>,
    width: usize,
}

impl Plain {
    fn new(network: &Network, rooms: &Rooms) -> Self {
        let (machines, variables) = (network.machines.len(), network.variables.len());
        let mut width = machines + variables;
        let mut take = |count: usize| {
            width += count;
            width - count..width
        };
        let channels = network.channels.ids().map(|id| take(1 + rooms.of(id) as usize)).collect();
        let observers = network.observers.iter().map(|o| take(o.machine().states.len()));
        let observers = observers.collect();
        Self { machines, variables, channels, observers, width }
    }
}

impl Codec for Plain {
    fn width(&self) -> usize {
        self.width
    }

    fn encode(&self, world: &World, words: &mut [Word]) -> bool {
        let mut queues = self.channels.iter().zip(&world.queues);
        if queues.any(|(place, queue)| queue.len() >= place.len()) {
            return false;
        }
        for (word, state) in words.iter_mut().zip(&world.at) {
            *word = state.index() as Word;
        }
        for (word, value) in words[self.machines..].iter_mut().zip(&world.values) {
            *word = Word::from(*value as u16);
        }
        for (place, queue) in self.channels.iter().zip(&world.queues) {
            words[place.start] = queue.len() as Word;
            for (word, message) in words[place.start + 1..].iter_mut().zip(queue) {
                *word = pack(message);
            }
        }
        for (place, set) in self.observers.iter().zip(&world.seen) {
            set.iter().for_each(|state| words[place.start + state.index()] = 1);
        }
        true
    }

    fn room(&self, channel: ChannelId) -> usize {
        self.channels[channel].len() - 1
    }

    fn decode(&self, words: &[Word]) -> World {
        let (at, rest) = words.split_at(self.machines);
        let queue = |place: &std::ops::Range<usize>| -> Vec<Message> {
            let length = words[place.start] as usize;
            words[place.start + 1..][..length].iter().map(unpack).collect()
        };
        let set = |place: &std::ops::Range<usize>| {
            let states = words[place.clone()].iter().enumerate();
            states.filter(|(_, word)| **word == 1).map(|(state, _)| StateId::new(state)).collect()
        };
        World {
            at: at.iter().map(|word| StateId::new(*word as usize)).collect(),
            values: rest[..self.variables].iter().map(|word| *word as u16 as i16).collect(),
            queues: self.channels.iter().map(queue).collect(),
            seen: self.observers.iter().map(set).collect(),
        }
    }

    fn location(&self, machine: MachineId, words: &[Word]) -> StateId {
        StateId::new(words[machine.index()] as usize)
    }

    fn length(&self, channel: ChannelId, words: &[Word]) -> Word {
        words[self.channels[channel].start]
    }

    fn clear(&self, piece: Piece, words: &mut [Word]) {
        match piece {
            Piece::Location(machine) => words[machine.index()] = 0,
            Piece::Variable(variable) => words[self.machines + variable.index()] = 0,
            Piece::Channel(channel) => words[self.channels[channel].clone()].fill(0),
        }
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
