//! How a world is packed into words: fields of a few bits, none across a word
//! border; a process stands together with its variables and the channels it
//! reads, because those change together.

use crate::Rooms;
use crate::anatomy::Piece;
use automata::reference::World;
use automata::{MachineId, Network, ObserverId, StateId};
use base::{Id, IdVec};
use model::{ChannelId, Message, MessageId, VariableId};
use system::Word;

/// A few bits of one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    word: u32,
    shift: u32,
    mask: Word,
}

impl Field {
    pub(crate) fn get(self, words: &[Word]) -> Word {
        (words[self.word as usize] >> self.shift) & self.mask
    }

    /// The same bits as the packed form knows them; `None` if it has no such field.
    pub(crate) fn packed(self, signed: bool) -> Option<packed::Field> {
        let bits = self.mask.count_ones();
        let Field { word, shift, .. } = self;
        (1..=32).contains(&bits).then_some(packed::Field { word, shift, bits, signed })
    }

    /// Where a set of more than 32 members stands: word and lowest bit.
    pub(crate) fn place(self) -> (u32, u32) {
        (self.word, self.shift)
    }

    pub(crate) fn set(self, words: &mut [Word], value: Word) {
        debug_assert!(value <= self.mask, "a value fits its field");
        let word = &mut words[self.word as usize];
        *word = (*word & !(self.mask << self.shift)) | (value << self.shift);
    }
}

/// A channel: how many messages, and the messages, oldest first. Slots beyond
/// the length are zero, so that equal contents are equal words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ChannelField {
    pub(crate) length: Field,
    pub(crate) slots: Vec<Field>,
    /// The slots as an array.
    pub(crate) row: packed::Array,
    /// What a slot's low bits stand for: a message name, with or without a value.
    symbols: Vec<(MessageId, bool)>,
    pub(crate) symbol_bits: u32,
}

impl ChannelField {
    /// The code of a message name; the value goes above it.
    pub(crate) fn symbol(&self, name: MessageId, has_value: bool) -> Option<Word> {
        self.symbols.iter().position(|symbol| *symbol == (name, has_value)).map(|i| i as Word)
    }

    /// The contents of a slot that holds this message.
    pub(crate) fn pack(&self, symbol: Word, value: i16) -> Word {
        symbol | (Word::from(value as u16) << self.symbol_bits)
    }

    pub(crate) fn symbols(&self) -> &[(MessageId, bool)] {
        &self.symbols
    }
}

/// Where everything is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    width: usize,
    bits: u64,
    pub(crate) locations: IdVec<MachineId, Field>,
    pub(crate) channels: IdVec<ChannelId, ChannelField>,
    pub(crate) variables: IdVec<VariableId, Field>,
    /// A set of observer states, one bit each, 64 to a field.
    pub(crate) sets: IdVec<ObserverId, Vec<Field>>,
}

impl Layout {
    /// Packs the states of `network`, all there can be.
    pub fn new(network: &Network) -> Self {
        Self::within(network, &Rooms::declared(network))
    }

    /// Packs those in which each channel holds no more than there is room for.
    pub fn within(network: &Network, rooms: &Rooms) -> Self {
        let mut packer = Packer::default();
        let mut locations = IdVec::new();
        let mut channels: IdVec<ChannelId, Option<ChannelField>> =
            network.channels.iter().map(|_| None).collect();
        let mut variables: IdVec<VariableId, Option<Field>> =
            network.variables.iter().map(|_| None).collect();
        for (id, machine) in network.machines.iter_ids() {
            packer.next_word();
            locations.push(packer.field(bits_for(machine.states.len()).max(1)));
            for (variable, declared) in network.variables.iter_ids() {
                if declared.owner.is_some_and(|owner| owner.index() == id.index()) {
                    variables[variable] = Some(packer.field(16));
                }
            }
            for channel in network.channels.ids() {
                if channels[channel].is_none() && network.readers(channel).contains(&id) {
                    channels[channel] = Some(channel_field(network, channel, rooms, &mut packer));
                }
            }
        }
        packer.next_word();
        let variables = variables.iter().map(|f| f.unwrap_or_else(|| packer.field(16))).collect();
        let channels = channels
            .iter()
            .zip(network.channels.ids())
            .map(|(field, id)| match field {
                Some(field) => field.clone(),
                None => channel_field(network, id, rooms, &mut packer),
            })
            .collect();
        let sizes = network.observers.iter().map(|observer| observer.machine().states.len());
        let sets = sizes.map(|size| set_fields(size, &mut packer)).collect();
        Self { width: packer.words, bits: packer.bits, locations, channels, variables, sets }
    }

    /// Words of a state.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Bits in use.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// Writes `world` into `words`, which come in as zeros; whether there is room for it.
    pub fn encode(&self, world: &World, words: &mut [Word]) -> bool {
        let mut queues = self.channels.iter().zip(&world.queues);
        if queues.any(|(channel, queue)| queue.len() > channel.slots.len()) {
            return false;
        }
        for (id, state) in world.at.iter_ids() {
            self.locations[id].set(words, state.index() as Word);
        }
        for (id, value) in world.values.iter_ids() {
            self.variables[id].set(words, Word::from(*value as u16));
        }
        for (id, queue) in world.queues.iter_ids() {
            let channel = &self.channels[id];
            channel.length.set(words, queue.len() as Word);
            for (slot, message) in channel.slots.iter().zip(queue) {
                let symbol = channel
                    .symbol(message.name, message.value.is_some())
                    .expect("a channel holds only messages of its sort");
                slot.set(words, channel.pack(symbol, message.value.unwrap_or(0)));
            }
        }
        for (id, set) in world.seen.iter_ids() {
            for state in set {
                let field = self.sets[id][state.index() / 64];
                field.set(words, field.get(words) | 1 << (state.index() % 64));
            }
        }
        true
    }

    /// Clears the bits of a piece.
    pub(crate) fn clear(&self, piece: Piece, words: &mut [Word]) {
        match piece {
            Piece::Location(machine) => self.locations[machine].set(words, 0),
            Piece::Variable(variable) => self.variables[variable].set(words, 0),
            Piece::Channel(channel) => {
                let ChannelField { length, slots, .. } = &self.channels[channel];
                length.set(words, 0);
                slots.iter().for_each(|slot| slot.set(words, 0));
            }
        }
    }

    /// Reads the world out of `words`.
    pub fn decode(&self, words: &[Word]) -> World {
        let at = self.locations.iter().map(|f| StateId::new(f.get(words) as usize));
        let values = self.variables.iter().map(|f| f.get(words) as u16 as i16);
        let sets = self.sets.iter().map(|fields| {
            let bits = fields.iter().enumerate().flat_map(|(word, field)| {
                let bits = field.get(words);
                (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * 64 + bit)
            });
            bits.map(StateId::new).collect()
        });
        World {
            at: at.collect(),
            queues: self.channels.iter().map(|channel| contents(channel, words)).collect(),
            values: values.collect(),
            seen: sets.collect(),
        }
    }
}

fn contents(channel: &ChannelField, words: &[Word]) -> Vec<Message> {
    let length = channel.length.get(words) as usize;
    let slots = channel.slots[..length].iter().map(|slot| slot.get(words));
    let message = |slot: Word| {
        let symbol = slot & ((1 << channel.symbol_bits) - 1);
        let (name, has_value) = channel.symbols[symbol as usize];
        let value = has_value.then_some((slot >> channel.symbol_bits) as u16 as i16);
        Message { name, value }
    };
    slots.map(message).collect()
}

fn channel_field(
    network: &Network,
    id: ChannelId,
    rooms: &Rooms,
    packer: &mut Packer,
) -> ChannelField {
    let (channel, room) = (&network.channels[id], rooms.of(id));
    let initial = channel.initial.iter().map(|message| (message.name, message.value.is_some()));
    let edges = network.machines.iter().flat_map(|machine| &machine.edges);
    let sent = edges.filter_map(|edge| match &edge.action {
        automata::Action::Send(to, name, value) if *to == id => Some((*name, value.is_some())),
        _ => None,
    });
    let mut symbols: Vec<_> = initial.chain(sent).collect();
    symbols.sort_unstable();
    symbols.dedup();
    let value_bits = if symbols.iter().any(|(_, has_value)| *has_value) { 16 } else { 0 };
    let symbol_bits = bits_for(symbols.len()).max(1);
    let bits = symbol_bits + value_bits;
    let (length_bits, slot_bits) =
        (bits_for(channel.capacity as usize + 1), room.saturating_mul(bits));
    packer.keep_together(length_bits.saturating_add(slot_bits));
    let length = packer.field(length_bits);
    let row = packer.row(room, bits);
    let slots = (0..room).map(|index| Field::from(row.element(index))).collect();
    ChannelField { length, slots, row, symbols, symbol_bits }
}

impl From<packed::Field> for Field {
    fn from(field: packed::Field) -> Self {
        let packed::Field { word, shift, .. } = field;
        Self { word, shift, mask: field.mask() >> shift }
    }
}

fn set_fields(states: usize, packer: &mut Packer) -> Vec<Field> {
    let full = (0..states / 64).map(|_| 64);
    let rest = Some((states % 64) as u32).filter(|bits| *bits > 0);
    full.chain(rest).collect::<Vec<_>>().into_iter().map(|bits| packer.field(bits)).collect()
}

/// Bits that tell `count` things apart.
fn bits_for(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// Hands out bits, front to back.
#[derive(Default)]
struct Packer {
    words: usize,
    used: u32,
    bits: u64,
}

impl Packer {
    fn field(&mut self, bits: u32) -> Field {
        if self.words == 0 || self.used + bits > Word::BITS {
            self.words += 1;
            self.used = 0;
        }
        let mask = if bits == Word::BITS { Word::MAX } else { (1 << bits) - 1 };
        let shift = self.used;
        self.used += bits;
        self.bits += u64::from(bits);
        Field { word: self.words as u32 - 1, shift, mask }
    }

    /// Starts a new word if so many bits fit into one, but not into this one.
    fn keep_together(&mut self, bits: u32) {
        if bits <= Word::BITS && self.used.saturating_add(bits) > Word::BITS {
            self.next_word();
        }
    }

    /// Fields of `bits` bits at regular distances: in this word if they all fit, else from
    /// the start of a word on.
    fn row(&mut self, length: u32, bits: u32) -> packed::Array {
        let whole = length.saturating_mul(bits);
        if self.words == 0 || self.used.saturating_add(whole) > Word::BITS {
            self.words += 1;
            self.used = 0;
        }
        let (word, shift) = (self.words as u32 - 1, self.used);
        let per_word = (Word::BITS / bits).min(length);
        let more = length.div_ceil(per_word) - 1;
        self.words += more as usize;
        self.used += (length - more * per_word) * bits;
        self.bits += u64::from(length) * u64::from(bits);
        packed::Array {
            first: packed::Field { word, shift, bits, signed: false },
            length,
            per_word,
        }
    }

    /// Starts a new word, so that what changes together stands together.
    fn next_word(&mut self) {
        if self.used > 0 {
            self.used = Word::BITS;
        }
    }
}
