//! Machines that can be exchanged, as bits of a state: which fields are theirs, and which values of other fields
//! stand for one of them.

use crate::Layout;
use crate::layout::{ChannelField, Field};
use automata::symmetry::{self, Class};
use automata::{MachineId, Network};
use base::Id;
use model::{ChannelId, MessageId};
use packed::{Cell, Guard, Member, Naming, Orbits};
use std::collections::BTreeMap;
use system::{Symmetry, Word};

/// The symmetry of a network, and the representatives of its states.
#[derive(Clone, Debug, Default)]
pub struct Exchange {
    /// Who can be exchanged, and who cannot.
    pub found: symmetry::Symmetry,
    /// None if a state has not the room of one in the place of each other.
    orbits: Option<Orbits>,
}

impl Symmetry for Exchange {
    fn way_words(&self) -> usize {
        self.orbits.as_ref().map_or(0, Orbits::way_words)
    }

    fn put_in_order(&self, state: &mut [Word], way: &mut [Word]) -> u64 {
        self.orbits.as_ref().map_or(1, |orbits| orbits.put_in_order(state, way, 0))
    }

    fn put_back(&self, representative: &mut [Word], way: &[Word]) {
        self.orbits.iter().for_each(|orbits| orbits.put_back(representative, way));
    }
}

impl Exchange {
    pub(crate) fn new(network: &Network, layout: &Layout) -> Self {
        let found = symmetry::interchangeable(network);
        let orbits = match found.classes.is_empty() {
            true => None,
            false => Fields { network, layout, found: &found, families: Vec::new() }.orbits(),
        };
        Self { found, orbits }
    }

    /// Whether anybody can be exchanged.
    pub fn is_there(&self) -> bool {
        self.orbits.is_some()
    }
}

/// The fields of a state in families.
struct Fields<'a> {
    network: &'a Network,
    layout: &'a Layout,
    found: &'a symmetry::Symmetry,
    families: Vec<(Vec<Cell>, Option<Naming>)>,
}

impl Fields<'_> {
    /// `None` if some field has no place.
    fn orbits(mut self) -> Option<Orbits> {
        let (mut classes, mut first) = (Vec::new(), 0);
        let found = self.found;
        for class in &found.classes {
            let members = first..first + class.machines.len();
            first = members.end;
            self.add_class(class, members.start)?;
            classes.push(members.collect());
        }
        self.add_others()?;
        Orbits::new(classes, self.families)
    }

    /// Fields of which each member has one, in the order of the members.
    fn add_row(&mut self, first: Member, fields: impl IntoIterator<Item = packed::Field>) {
        let cells = fields.into_iter().enumerate();
        let cell = |(at, field)| Cell { members: vec![first + at], field, guard: None };
        self.families.push((cells.map(cell).collect(), None));
    }

    fn add_class(&mut self, class: &Class, first: Member) -> Option<()> {
        let layout = self.layout;
        let of_row = |fields: Vec<Field>| -> Option<Vec<packed::Field>> {
            fields.into_iter().map(|field| field.packed(false)).collect()
        };
        let at = class.machines.iter().map(|machine| layout.locations[*machine]);
        self.add_row(first, of_row(at.collect())?);
        for row in &class.variables {
            let variables = row.iter().map(|id| layout.variables[*id]);
            self.add_row(first, of_row(variables.collect())?);
        }
        for row in &class.channels {
            let channels: Vec<&ChannelField> = row.iter().map(|id| &layout.channels[*id]).collect();
            let slots = channels[0].slots.len();
            let alike = |at: usize| {
                channels[at].slots.len() == slots && self.same_codes((class, first), row, at)
            };
            if !(1..row.len()).all(alike) {
                return None;
            }
            let lengths = channels.iter().map(|channel| channel.length);
            self.add_row(first, of_row(lengths.collect())?);
            for slot in 0..slots {
                let contents = channels.iter().map(|channel| channel.slots[slot]);
                self.add_row(first, of_row(contents.collect())?);
            }
        }
        Some(())
    }

    /// Whether a channel of a row has the code of a message for what is its own message instead.
    fn same_codes(&self, (class, _): (&Class, Member), row: &[ChannelId], at: usize) -> bool {
        let [own, other] = [row[0], row[at]].map(|id| self.layout.channels[id].symbols());
        let becomes = |message: MessageId| {
            let of = class.messages.iter().find(|row| row[0] == message || row[at] == message);
            of.map_or(message, |row| if row[0] == message { row[at] } else { row[0] })
        };
        // Messages of other classes, or of other members, would have to be renamed on the way.
        let stays = |message: MessageId| {
            let mut moved = self.found.classes.iter().flat_map(|it| it.messages.iter().flatten());
            !moved.any(|it| *it == message) || class.messages.iter().any(|row| row[0] == message)
        };
        own.len() == other.len()
            && own.iter().all(|(message, _)| stays(*message))
            && own.iter().zip(other).all(|(one, other)| (becomes(one.0), one.1) == *other)
    }

    /// What no member has, but tells them apart by its values.
    fn add_others(&mut self) -> Option<()> {
        let mut states: BTreeMap<MachineId, Vec<(Member, i32)>> = BTreeMap::new();
        let mut messages: Vec<(Member, MessageId)> = Vec::new();
        let mut first = 0;
        for class in &self.found.classes {
            for (machine, rows) in &class.states {
                let named = rows.iter().flat_map(|row| row.iter().enumerate());
                let named = named.map(|(at, state)| (first + at, state.index() as i32));
                states.entry(*machine).or_default().extend(named);
            }
            let named = class.messages.iter().flat_map(|row| row.iter().enumerate());
            messages.extend(named.map(|(at, message)| (first + at, *message)));
            first += class.machines.len();
        }
        for (machine, named) in states {
            let field = self.layout.locations[machine].packed(false)?;
            let cell = Cell { members: Vec::new(), field, guard: None };
            self.families.push((vec![cell], Some(Naming::new(named))));
        }
        let owned = |id: &ChannelId| {
            let mut rows = self.found.classes.iter().flat_map(|class| class.channels.iter());
            rows.any(|row| row.contains(id))
        };
        for id in self.network.channels.ids().filter(|id| !owned(id)).collect::<Vec<_>>() {
            self.add_messages(id, &messages)?;
        }
        Some(())
    }

    /// A channel of nobody in which there may be messages of members.
    fn add_messages(&mut self, id: ChannelId, messages: &[(Member, MessageId)]) -> Option<()> {
        let channel = &self.layout.channels[id];
        let mut named = Vec::new();
        for has_value in [false, true] {
            let codes = messages.iter().map(|(member, message)| {
                (*member, channel.symbol(*message, has_value).map(|code| code as i32))
            });
            let codes: Vec<(Member, Option<i32>)> = codes.collect();
            if codes.iter().all(|(_, code)| code.is_none()) {
                continue;
            }
            // A message of one that may be in a channel, and that of another that may not.
            let whole = self.whole_rows(&codes, messages);
            let known = codes.into_iter().filter_map(|(member, code)| Some((member, code?)));
            named.extend(known);
            whole.then_some(())?;
        }
        if named.is_empty() {
            return Some(());
        }
        let length = channel.length.packed(false)?;
        for slot in 0..channel.row.length {
            let field = packed::Field { bits: channel.symbol_bits, ..channel.row.element(slot) };
            let holds = (0..1usize << length.bits).map(|length| length > slot as usize);
            let guard = Some(Guard { field: length, holds: holds.collect() });
            let cell = Cell { members: Vec::new(), field, guard };
            self.families.push((vec![cell], Some(Naming::new(named.iter().copied()))));
        }
        Some(())
    }

    /// Whether of each row of messages all have a code, or none.
    fn whole_rows(
        &self,
        codes: &[(Member, Option<i32>)],
        messages: &[(Member, MessageId)],
    ) -> bool {
        let code = |message: &MessageId| {
            let mut known = messages.iter().zip(codes);
            known.find(|((_, it), _)| it == message).is_some_and(|(_, (_, code))| code.is_some())
        };
        let mut rows = self.found.classes.iter().flat_map(|class| &class.messages);
        rows.all(|row| row.iter().all(code) || !row.iter().any(code))
    }
}
