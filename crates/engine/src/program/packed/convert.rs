//! From the states of the reference interpreter to words, and back.

use super::layout::{Channel, Home, Layout, Room, Slot};
use ::packed::Field;
use base::{Id, IdVec};
use program::reference::{self, Process, State, Values};
use program::{LocationId, Program, Variable, VariableId};
use std::sync::Arc;
use system::Word;

/// Fills zeroed words with a state; none if there is no room for it.
pub(super) fn encode(layout: &Layout, state: &State, words: &mut [Word]) -> Option<()> {
    for (home, values) in layout.globals.iter().zip(&state.globals) {
        put_values(home, values, words)?;
    }
    let (global, mut rest) = state.channels.split_at_checked(layout.channels.len())?;
    put_channels(&layout.channels, global, words)?;
    let mut base = global.len();
    for (pid, process) in state.processes.iter().enumerate() {
        let room = put_process(layout.slots.get(pid)?, process, base, words)?;
        let (own, others) = rest.split_at_checked(room.channels.len())?;
        put_channels(&room.channels, own, words)?;
        (base, rest) = (base + own.len(), others);
    }
    if let Some((slot, claim)) = layout.claim.as_ref().zip(state.claim.as_ref()) {
        put_process(slot, claim, 0, words)?;
    }
    let trace = state.trace.map_or(0, LocationId::index);
    let numbers = [(layout.last, state.last), (layout.trace, trace)];
    let stutters = (layout.stutters, usize::from(state.stutters));
    let mut numbers = numbers.into_iter().chain([stutters]);
    numbers.try_for_each(|(field, number)| {
        field.map_or(Some(()), |field| put(field, number as i32, words))
    })
}

/// Puts a process with so many channels before its own; the room it is in.
fn put_process<'l>(
    slot: &'l Slot,
    process: &Process,
    base: usize,
    words: &mut [Word],
) -> Option<&'l Room> {
    let room = slot.rooms.iter().find(|room| room.is_for(process, base))?;
    put(slot.at, room.codes[process.location]?, words)?;
    for (home, values) in room.locals.iter().zip(&process.locals) {
        put_values(home, values, words)?;
    }
    Some(room)
}

impl Room {
    fn is_for(&self, process: &Process, base: usize) -> bool {
        let agrees = |(home, values): (&Home, &Values)| match home {
            Home::Constant(constants) => *constants == **values,
            Home::Scalar(_) | Home::Array(_) | Home::Unread(_) => true,
        };
        (self.proctype, self.base) == (process.proctype, base)
            && self.locals.iter().zip(&process.locals).all(agrees)
    }
}

fn put(field: Field, value: i32, words: &mut [Word]) -> Option<()> {
    field.set(words, value);
    (field.get(words) == value).then_some(())
}

fn put_values(home: &Home, values: &[i32], words: &mut [Word]) -> Option<()> {
    match home {
        Home::Constant(constants) => (constants == values).then_some(()),
        Home::Scalar(field) => put(*field, *values.first()?, words),
        Home::Array(array) => {
            let mut elements = (0..).zip(values);
            elements.try_for_each(|(i, value)| put(array.element(i), *value, words))
        }
        Home::Unread(_) => Some(()),
    }
}

fn put_channels(
    channels: &[Channel],
    states: &[reference::Channel],
    words: &mut [Word],
) -> Option<()> {
    for (channel, state) in channels.iter().zip(states) {
        if channel.declared != state.declared {
            return None;
        }
        let Some(length) = channel.length else { continue };
        if state.messages.len() > channel.room() as usize {
            return None;
        }
        put(length, state.messages.len() as i32, words)?;
        for (slot, message) in (0..).zip(&*state.messages) {
            for (array, value) in channel.fields.iter().zip(message) {
                put(array.element(slot), *value, words)?;
            }
        }
    }
    Some(())
}

/// The state that words stand for.
pub(super) fn decode(program: &Program, layout: &Layout, words: &[Word]) -> State {
    let mut channels = Vec::new();
    get_channels(&layout.channels, None, words, &mut channels);
    let mut processes = Vec::new();
    for (pid, slot) in layout.slots.iter().enumerate() {
        let Some((room, process)) = slot.process(program, words) else { break };
        processes.push(Arc::new(process));
        get_channels(&room.channels, Some(pid), words, &mut channels);
    }
    let number = |field: Option<Field>| field.map(|field| field.get(words) as usize);
    let claim = layout.claim.as_ref().and_then(|slot| slot.process(program, words));
    State {
        globals: get_all(&layout.globals, &program.globals, words),
        processes,
        channels,
        last: number(layout.last).unwrap_or(0),
        claim: claim.map(|(_, claim)| claim),
        trace: number(layout.trace).map(LocationId::new),
        stutters: number(layout.stutters) == Some(1),
    }
}

impl Slot {
    /// Who stands here.
    fn process(&self, program: &Program, words: &[Word]) -> Option<(&Room, Process)> {
        let at = self.at.get(words);
        let room = self.rooms.iter().find(|room| (room.span.0..=room.span.1).contains(&at))?;
        let location = room.codes.iter().position(|code| *code == Some(at))?;
        let variables = &program.proctypes[room.proctype].variables;
        let process = Process {
            proctype: room.proctype,
            location: LocationId::new(location),
            locals: get_all(&room.locals, variables, words),
            priority: 1,
        };
        Some((room, process))
    }
}

fn get_all(
    homes: &IdVec<VariableId, Home>,
    variables: &IdVec<VariableId, Variable>,
    words: &[Word],
) -> IdVec<VariableId, Values> {
    let get = |(home, variable): (&Home, &Variable)| match home {
        Home::Constant(values) => values.clone(),
        Home::Scalar(field) => vec![field.get(words)],
        Home::Array(array) => (0..variable.length).map(|i| array.element(i).get(words)).collect(),
        Home::Unread(length) => vec![0; *length as usize],
    };
    homes.iter().zip(variables).map(get).map(Arc::new).collect()
}

fn get_channels(
    channels: &[Channel],
    owner: Option<usize>,
    words: &[Word],
    out: &mut Vec<reference::Channel>,
) {
    for channel in channels {
        let length = channel.length.map_or(0, |field| field.get(words) as u32);
        let message = |slot| channel.fields.iter().map(|a| a.element(slot).get(words)).collect();
        let messages = Arc::new((0..length).map(message).collect());
        out.push(reference::Channel { declared: channel.declared, owner, messages });
    }
}
