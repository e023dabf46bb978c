//! Where everything of a state is: a slot per pid with its location and its locals,
//! those of different incarnations in the same bits, and with the channels that only it
//! reads; the other channels and the globals apart; what SPIN does not look at last.
//!
//! INVARIANT: what is not there is zero. A slot without a process, a channel without
//! its process and the messages behind the last one leave no other bits.
//!
//! A channel has room for as many messages as [`Knowledge`] says, which may be fewer than it is
//! declared to hold: then a send of one more is given up.

use super::facts::{Constants, Facts};
use super::knowledge::{Incarnation, Knowledge};
use super::pack::{Packer, Shape, bits_for};
use super::range::Ranges;
use ::packed::{Array, Field};
use base::IdVec;
use program::reference::{Declared, Rules};
use program::{
    Action, ChannelType, EventTrace, Initial, LocationId, ProctypeId, Program, Variable, VariableId,
};

/// Where everything of a state is.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) width: usize,
    /// How many words tell states apart.
    pub(super) telling: usize,
    pub(super) globals: IdVec<VariableId, Home>,
    /// The channels of the program, by number from 1 on.
    pub(super) channels: Vec<Channel>,
    /// By pid.
    pub(super) slots: Vec<Slot>,
    /// The never claim, if there is one: where it stands is 0 once it is gone.
    pub(super) claim: Option<Slot>,
    /// Who moved last, if the program looks at it.
    pub(super) last: Option<Field>,
    /// The location of the event trace.
    pub(super) trace: Option<Field>,
    /// Whether the system stands still beside a claim, as SPIN keeps it.
    pub(super) stutters: Option<Field>,
}

/// Where a variable is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Home {
    /// Nowhere: these are its values.
    Constant(Vec<i32>),
    /// A single value.
    Scalar(Field),
    /// Several.
    Array(Array),
    /// Nowhere, for nothing reads its so many values: what is stored there is dropped.
    Unread(u32),
}

/// The place of the process with one pid.
#[derive(Debug)]
pub(super) struct Slot {
    /// Who stands where: 0 if nobody is there.
    pub(super) at: Field,
    pub(super) rooms: Vec<Room>,
}

/// An incarnation in its slot.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) proctype: ProctypeId,
    /// How many channels there are before its own.
    pub(super) base: usize,
    /// The value of `at` for each location that a process can be seen at.
    pub(super) codes: IdVec<LocationId, Option<i32>>,
    /// The lowest and the highest of them.
    pub(super) span: (i32, i32),
    pub(super) constants: IdVec<VariableId, Option<Vec<i32>>>,
    pub(super) locals: IdVec<VariableId, Home>,
    /// Its channels, by number from `base + 1` on.
    pub(super) channels: Vec<Channel>,
}

/// Where a channel is.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) declared: Declared,
    pub(super) kind: ChannelType,
    /// How many messages there are; none of a rendezvous.
    pub(super) length: Option<Field>,
    /// The messages, field by field.
    pub(super) fields: Vec<Array>,
}

impl Channel {
    pub(super) fn is_rendezvous(&self) -> bool {
        self.kind.capacity == 0
    }

    /// For how many messages there is room.
    pub(super) fn room(&self) -> u32 {
        self.fields.first().map_or(self.kind.capacity, |array| array.length)
    }
}

/// What a layout is made from.
#[derive(Clone, Copy)]
pub(super) struct Plan<'a> {
    pub(super) program: &'a Program,
    pub(super) rules: &'a Rules,
    pub(super) facts: &'a Facts,
    pub(super) ranges: &'a Ranges,
    pub(super) knowledge: &'a Knowledge,
    /// The never claim.
    pub(super) claim: Option<&'a Incarnation>,
}

/// Channels have words of their own as long as a state has at most so many. Then words have
/// few values, and a step that looks at a channel looks at little else; but more words than
/// these do not fit a key side by side, and a process is best paired with what it reads.
const WORDS_APART_MAX: usize = 16;

/// Lays a program out.
pub(super) fn lay_out(plan: Plan<'_>) -> Layout {
    let apart = lay_out_as(plan, true);
    if apart.width <= WORDS_APART_MAX { apart } else { lay_out_as(plan, false) }
}

/// Lays a program out, with channels that one process reads `apart` from it or not.
fn lay_out_as(plan: Plan<'_>, apart: bool) -> Layout {
    let program = plan.program;
    let mut channels: Vec<Option<Channel>> = Vec::new();
    let declared = program.globals.iter_ids().flat_map(|(id, variable)| {
        channel_types(variable).map(move |kind| (Declared::Global(id), kind))
    });
    let declared: Vec<(Declared, &ChannelType)> = declared.collect();
    channels.resize_with(declared.len(), || None);
    let readers = if apart { vec![None; declared.len()] } else { readers(plan, declared.len()) };
    let (mut word, mut slots) = (0, Vec::new());
    for (pid, incarnations) in plan.knowledge.slots().iter().enumerate() {
        let own: Vec<usize> = (0..declared.len()).filter(|i| readers[*i] == Some(pid)).collect();
        let own: Vec<(usize, (Declared, &ChannelType))> =
            own.into_iter().map(|i| (i, declared[i])).collect();
        let (slot, end) = slot(plan, word, incarnations, &own, &mut channels);
        word = end;
        slots.push(slot);
    }
    let claim = plan.claim.map(|claim| slot(plan, word, std::slice::from_ref(claim), &[], &mut []));
    word = claim.as_ref().map_or(word, |(_, end)| *end);
    for (i, (declared, kind)) in declared.iter().enumerate() {
        if channels[i].is_none() {
            let mut packer = Packer::new(word, plan.channel_bits(*declared, kind));
            channels[i] = Some(plan.channel(&mut packer, *declared, kind));
            word = packer.end();
        }
    }
    let channels = channels.into_iter().flatten().collect();
    let claim = claim.map(|(slot, _)| slot);
    let Globals { homes: globals, last, trace, stutters, telling, width } =
        self::globals(plan, word, slots.len());
    Layout { width, telling, globals, channels, slots, claim, last, trace, stutters }
}

/// The types of the channels a variable is declared with.
fn channel_types(variable: &Variable) -> impl Iterator<Item = &ChannelType> {
    let kind = match &variable.initial {
        Initial::Channel(kind) => Some(kind),
        _ => None,
    };
    kind.into_iter().flat_map(|kind| (0..variable.length).map(move |_| kind))
}

/// Which slot alone reads each channel of the program, as far as constants tell.
fn readers(plan: Plan<'_>, count: usize) -> Vec<Option<usize>> {
    let mut readers = vec![Vec::new(); count];
    for (pid, incarnations) in plan.knowledge.slots().iter().enumerate() {
        for incarnation in incarnations {
            let constants = Constants { facts: plan.facts, pid, locals: &incarnation.constants };
            for edge in &plan.program.proctypes[incarnation.proctype].edges {
                let Action::Receive { queue, .. } = &edge.action else { continue };
                let number = constants.fold(&queue.number).and_then(|n| usize::try_from(n).ok());
                if let Some(readers) = number.and_then(|n| readers.get_mut(n.wrapping_sub(1))) {
                    readers.push(pid);
                }
            }
        }
    }
    let only = |mut pids: Vec<usize>| {
        pids.dedup();
        if let [pid] = pids.as_slice() { Some(*pid) } else { None }
    };
    readers.into_iter().map(only).collect()
}

/// A slot in words from `word` on, with the channels that only it reads; and the first
/// word behind it.
fn slot(
    plan: Plan<'_>,
    word: u32,
    incarnations: &[Incarnation],
    own: &[(usize, (Declared, &ChannelType))],
    channels: &mut [Option<Channel>],
) -> (Slot, u32) {
    let stands =
        |i: &Incarnation| plan.program.proctypes[i.proctype].stands().into_iter().collect();
    let stands: Vec<Vec<LocationId>> = incarnations.iter().map(stands).collect();
    let codes: usize = stands.iter().map(Vec::len).sum();
    let shape = Shape { bits: bits_for(codes), signed: false };
    let shared: u32 = own.iter().map(|(_, (declared, k))| plan.channel_bits(*declared, k)).sum();
    let most = incarnations.iter().map(|i| plan.incarnation_bits(i)).max().unwrap_or(0);
    let mut packer = Packer::new(word, shape.bits + shared + most);
    let at = packer.field(shape);
    for (index, (declared, kind)) in own {
        channels[*index] = Some(plan.channel(&mut packer, *declared, kind));
    }
    let (mut rooms, mut end, mut code) = (Vec::new(), packer.end(), 1);
    for (incarnation, stands) in incarnations.iter().zip(&stands) {
        let mut words = packer.clone();
        rooms.push(room(plan, &mut words, incarnation, (stands, code)));
        code += stands.len() as i32;
        end = end.max(words.end());
    }
    (Slot { at, rooms }, end)
}

fn room(
    plan: Plan<'_>,
    packer: &mut Packer,
    incarnation: &Incarnation,
    (stands, first): (&[LocationId], i32),
) -> Room {
    let proctype = incarnation.proctype;
    let kind = &plan.program.proctypes[proctype];
    let mut codes: IdVec<LocationId, Option<i32>> = kind.locations.iter().map(|_| None).collect();
    for (code, location) in (first..).zip(stands) {
        codes[*location] = Some(code);
    }
    let mut locals = Vec::new();
    for (id, variable) in kind.variables.iter_ids() {
        locals.push(match &incarnation.constants[id] {
            Some(values) => Home::Constant(values.clone()),
            None => home(packer, variable, plan.ranges.local(proctype, id)),
        });
    }
    let declared = kind.variables.iter_ids().flat_map(|(id, variable)| {
        channel_types(variable).map(move |kind| (Declared::Local(proctype, id), kind))
    });
    Room {
        proctype,
        base: incarnation.base,
        codes,
        span: (first, first + stands.len() as i32 - 1),
        constants: incarnation.constants.clone(),
        locals: locals.into(),
        channels: declared.map(|(id, kind)| plan.channel(packer, id, kind)).collect(),
    }
}

fn home(packer: &mut Packer, variable: &Variable, shape: Shape) -> Home {
    match variable.is_array || variable.length > 1 {
        true => Home::Array(packer.array(variable.length, shape)),
        false => Home::Scalar(packer.field(shape)),
    }
}

impl Plan<'_> {
    fn channel(&self, packer: &mut Packer, declared: Declared, kind: &ChannelType) -> Channel {
        let capacity = kind.capacity;
        let shape = Shape { bits: bits_for(capacity as usize), signed: false };
        let length = (capacity > 0).then(|| packer.field(shape));
        let shapes = self.ranges.fields(declared).into_iter().filter(|_| capacity > 0);
        let room = self.knowledge.room(declared, capacity);
        let fields = shapes.map(|shape| packer.array(room, shape)).collect();
        Channel { declared, kind: kind.clone(), length, fields }
    }

    fn channel_bits(&self, declared: Declared, kind: &ChannelType) -> u32 {
        if kind.capacity == 0 {
            return 0;
        }
        let message: u32 = self.ranges.fields(declared).iter().map(|shape| shape.bits).sum();
        let room = self.knowledge.room(declared, kind.capacity);
        bits_for(kind.capacity as usize).saturating_add(message.saturating_mul(room))
    }

    fn incarnation_bits(&self, incarnation: &Incarnation) -> u32 {
        let proctype = incarnation.proctype;
        let variables = self.program.proctypes[proctype].variables.iter_ids();
        let bits = |(id, variable): (VariableId, &Variable)| {
            let changes = incarnation.constants[id].is_none();
            let own = if changes { self.ranges.local(proctype, id).bits } else { 0 };
            let channels = channel_types(variable)
                .map(|kind| self.channel_bits(Declared::Local(proctype, id), kind));
            own.saturating_mul(variable.length).saturating_add(channels.sum())
        };
        variables.map(bits).sum()
    }
}

/// What is no process's and no channel's.
struct Globals {
    homes: IdVec<VariableId, Home>,
    last: Option<Field>,
    trace: Option<Field>,
    stutters: Option<Field>,
    telling: usize,
    width: usize,
}

/// The globals from `word` on, first those that tell states apart.
fn globals(plan: Plan<'_>, word: u32, slots: usize) -> Globals {
    let Plan { program, rules, facts, ranges, .. } = plan;
    let is_hidden = |variable: &Variable| rules.spin_counts && variable.hidden;
    let bits = |hidden: bool| -> u32 {
        let those = program
            .globals
            .iter_ids()
            .filter(|(id, variable)| facts.global(*id).is_none() && !variable.unread)
            .filter(|(_, variable)| is_hidden(variable) == hidden);
        those.map(|(id, variable)| ranges.global(id).bits.saturating_mul(variable.length)).sum()
    };
    let number = |max: usize| Shape { bits: bits_for(max), signed: false };
    let last = program.uses.last.then(|| number(slots));
    let locations = |trace: &EventTrace| program.proctypes[trace.automaton].locations.len();
    let trace = program.trace.as_ref().map(|trace| number(locations(trace)));
    let own: u32 = last.iter().chain(&trace).map(|shape| shape.bits).sum();
    let mut seen = Packer::new(word, bits(false) + own);
    let mut homes: IdVec<VariableId, Home> =
        program.globals.iter().map(|_| Home::Constant(Vec::new())).collect();
    let mut place = |packer: &mut Packer, hidden: bool| {
        for (id, variable) in program.globals.iter_ids() {
            if variable.unread {
                homes[id] = Home::Unread(variable.length);
            } else if let Some(values) = facts.global(id) {
                homes[id] = Home::Constant(values.to_vec());
            } else if is_hidden(variable) == hidden {
                homes[id] = home(packer, variable, ranges.global(id));
            }
        }
    };
    place(&mut seen, false);
    let last = last.map(|shape| seen.field(shape));
    let trace = trace.map(|shape| seen.field(shape));
    // A system without any words would have no state to tell from others.
    let telling = seen.end().max(1);
    let stutters = rules.spin_counts && plan.claim.is_some();
    let mut along = Packer::new(telling, bits(true) + u32::from(stutters));
    place(&mut along, true);
    let stutters = stutters.then(|| along.field(number(1)));
    let (telling, width) = (telling as usize, along.end() as usize);
    Globals { homes, last, trace, stutters, telling, width }
}
