//! The parts of packed states of a program.

use super::layout::{Channel, Home, Room};
use super::{Form, PackedProgram};
use crate::program::anatomy::Pieces;
use ::packed::{Backend, Field};
use base::Id;
use program::VariableId;
use system::{Blank, Part, Parts, Word};

/// For each slot and each value of its `at` whether a process is alone with itself.
pub(super) fn local(form: &Form<'_>) -> Vec<Vec<bool>> {
    let places = crate::program::local(form.program, &form.rules);
    let slot = |rooms: &[Room]| {
        let mut local = vec![false];
        for room in rooms {
            local.resize(local.len().max(room.span.1 as usize + 1), false);
            for (location, code) in room.codes.iter_ids() {
                if let Some(code) = code {
                    local[*code as usize] = places[room.proctype][location];
                }
            }
        }
        local
    };
    form.layout.slots.iter().map(|s| slot(&s.rooms)).collect()
}

/// Bits to clear, for a slot only while it stands at one of some places.
struct Cleared {
    when: Option<(Field, (i32, i32))>,
    mask: Vec<Word>,
}

impl Cleared {
    fn apply(&self, words: &mut [Word]) {
        let applies = |(at, span): (Field, (i32, i32))| (span.0..=span.1).contains(&at.get(words));
        if self.when.is_none_or(applies) {
            words.iter_mut().zip(&self.mask).for_each(|(word, mask)| *word &= mask);
        }
    }
}

impl Home {
    fn clear(&self, words: &mut [Word]) {
        match self {
            Home::Scalar(field) => field.set(words, 0),
            Home::Array(array) => array.clear(words),
            Home::Constant(_) | Home::Unread(_) => {}
        }
    }
}

impl Channel {
    fn clear(&self, words: &mut [Word]) {
        self.length.iter().for_each(|length| length.set(words, 0));
        self.fields.iter().for_each(|array| array.clear(words));
    }
}

/// What is cleared of a room. Bits of several rooms overlap, so each is cleared only while
/// its own process is there.
fn of_room(pieces: &Pieces, at: Field, room: &Room, width: usize) -> Cleared {
    let mut mask = vec![Word::MAX; width];
    let whole = pieces.processes.contains(&room.proctype);
    for (index, home) in room.locals.iter().enumerate() {
        let id = VariableId::new(index);
        if whole || pieces.locals.contains(&(room.proctype, id)) {
            home.clear(&mut mask);
        }
    }
    let folded = room.channels.iter().filter(|c| pieces.channels.contains(&c.declared));
    folded.for_each(|channel| channel.clear(&mut mask));
    if whole {
        at.set(&mut mask, 0);
    }
    Cleared { when: Some((at, room.span)), mask }
}

fn everywhere(form: &Form<'_>, pieces: &Pieces) -> Cleared {
    let mut mask = vec![Word::MAX; form.layout.width];
    pieces.globals.iter().for_each(|id| form.layout.globals[*id].clear(&mut mask));
    let channels = form.layout.channels.iter();
    let folded = channels.filter(|channel| pieces.channels.contains(&channel.declared));
    folded.for_each(|channel| channel.clear(&mut mask));
    Cleared { when: None, mask }
}

impl<B: Backend> Parts for PackedProgram<'_, B> {
    fn is_local(&self, state: &[Word], agent: u32) -> bool {
        let slots = &self.driver.fallback().form().layout.slots;
        let (Some(slot), Some(local)) = (slots.get(agent as usize), self.local.get(agent as usize))
        else {
            return false;
        };
        local.get(slot.at.get(state) as usize).copied().unwrap_or(false)
    }

    fn is_crowded(&self, state: &[Word], most: usize) -> bool {
        let channels = &self.driver.fallback().form().layout.channels;
        let lengths = channels.iter().filter_map(|channel| channel.length);
        lengths.into_iter().any(|length| length.get(state) as usize > most)
    }

    fn blank(&self, part: &Part) -> Option<Blank<'_>> {
        let form = self.driver.fallback().form();
        let pieces = Pieces::new(form.program, part)?;
        let mut cleared = vec![everywhere(form, &pieces)];
        for slot in &form.layout.slots {
            let rooms = slot.rooms.iter();
            cleared.extend(rooms.map(|room| of_room(&pieces, slot.at, room, form.layout.width)));
        }
        let idle = |cleared: &Cleared| cleared.mask.iter().all(|mask| *mask == Word::MAX);
        cleared.retain(|cleared| !idle(cleared));
        Some(Box::new(move |words| cleared.iter().for_each(|cleared| cleared.apply(words))))
    }
}
