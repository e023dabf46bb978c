//! Processes that can be exchanged, as bits of a state: which fields move with a process, and
//! which values of fields stand for one.

use super::Form;
use super::layout::{Channel, Home, Room, Slot};
use ::packed::{Array, Cell, Field, Guard, Member, Naming, Orbits};
use base::{IdVec, Name};
use program::reference::Declared;
use program::symmetry::{self, Class, Dimension, Instance, Known, Reason, Renaming, VariableKey};
use program::{LocationId, ProctypeId, VariableId, live_locals};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use system::{Symmetry, Word};

/// Processes that can be exchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exchanged {
    /// Their proctype.
    pub proctype: Name,
    /// How many there are.
    pub count: usize,
}

/// The symmetry of a program, and the representatives of its states.
#[derive(Clone, Debug, Default)]
pub struct Exchange {
    /// Who can be exchanged once nobody can create processes any more.
    pub classes: Vec<Exchanged>,
    /// Who cannot be exchanged, and why.
    pub refused: Vec<(Name, Reason)>,
    settled: Orbits,
    /// While processes may still be created: of those that are there.
    unsettled: Option<Orbits>,
    /// By pid: where a process stands, and from which of these values on a `run` can be reached.
    creates: Vec<(Field, Vec<bool>)>,
}

/// The mark of a way that is one of `unsettled`.
const IS_UNSETTLED: u8 = 1;

impl Exchange {
    fn orbits(&self, mark: u8) -> Option<&Orbits> {
        if mark == IS_UNSETTLED { self.unsettled.as_ref() } else { Some(&self.settled) }
    }
}

impl Symmetry for Exchange {
    fn way_words(&self) -> usize {
        let unsettled = self.unsettled.as_ref().map_or(0, Orbits::way_words);
        self.settled.way_words().max(unsettled)
    }

    fn put_in_order(&self, state: &mut [Word], way: &mut [Word]) -> u64 {
        let mut creates = self.creates.iter();
        let is_unsettled = creates.any(|(at, creates)| creates[at.get(state) as usize]);
        let mark = if is_unsettled { IS_UNSETTLED } else { 0 };
        match self.orbits(mark) {
            Some(orbits) => orbits.put_in_order(state, way, mark),
            None => {
                way.fill(0);
                way[0] = Word::from(mark);
                1
            }
        }
    }

    fn put_back(&self, representative: &mut [Word], way: &[Word]) {
        if let Some(orbits) = self.orbits(Orbits::mark(way)) {
            orbits.put_back(representative, way);
        }
    }
}

impl Exchange {
    /// The fields of a state are as small as the values that a program was seen to need.
    fn refuse(&mut self, form: &Form<'_>, classes: &[Class]) {
        self.classes.clear();
        self.refused.extend(classes.iter().map(|class| {
            let kind = &form.program.proctypes[class.proctype];
            let words = "a state has no room for the numbers of all of them in every place";
            (kind.name.clone(), Reason { words: words.to_owned(), span: kind.span })
        }));
    }
}

impl Form<'_> {
    /// Who can be exchanged. Nobody beside a claim, which may tell processes apart, nor where
    /// words travel along that do not tell states apart.
    pub fn exchange(&self) -> Exchange {
        let (layout, facts) = (&self.layout, &self.facts);
        if self.rules.claim.is_some() || layout.telling != layout.width {
            return Exchange::default();
        }
        let rooms = |slot: &Slot| slot.rooms.iter().map(instance).collect();
        let instances: Vec<Vec<Instance>> = layout.slots.iter().map(rooms).collect();
        let creates = |kind, edge: &program::Edge| facts.creates(kind, edge.from);
        let known = Known { instances: &instances, globals: facts.globals(), creates: &creates };
        let found = symmetry::interchangeable(self.program, known, false);
        let everywhere = symmetry::interchangeable(self.program, known, true);
        let mut exchange = Exchange {
            classes: found.classes.iter().map(|class| self.exchanged(class)).collect(),
            refused: found.refused.clone(),
            creates: layout.slots.iter().map(|slot| (slot.at, self.creating(slot))).collect(),
            ..Exchange::default()
        };
        match Fields::of(self, &found).orbits() {
            Some(orbits) => exchange.settled = orbits,
            None => exchange.refuse(self, &found.classes),
        }
        if !everywhere.classes.is_empty() && !exchange.classes.is_empty() {
            let fields = Fields::of(self, &everywhere);
            let at = |pid: &usize| layout.slots[*pid].at;
            let presence: Vec<Field> = fields.pids.iter().map(at).collect();
            exchange.unsettled = fields.orbits().map(|orbits| orbits.with_presence(presence));
        }
        exchange
    }

    fn exchanged(&self, class: &Class) -> Exchanged {
        let proctype = self.program.proctypes[class.proctype].name.clone();
        Exchanged { proctype, count: class.pids.len() }
    }

    /// For each value of where a process stands whether it may still create others.
    fn creating(&self, slot: &Slot) -> Vec<bool> {
        let mut creates = vec![false; 1 << slot.at.bits];
        for room in &slot.rooms {
            for (location, code) in room.codes.iter_ids() {
                let code = code.and_then(|code| usize::try_from(code).ok());
                if let Some(creates) = code.and_then(|code| creates.get_mut(code)) {
                    *creates = self.facts.creates(room.proctype, location);
                }
            }
        }
        creates
    }
}

fn instance(room: &Room) -> Instance {
    Instance { proctype: room.proctype, constants: room.constants.clone() }
}

/// What a family is of: its fields are alike but for the members they belong to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    /// Where processes stand.
    Location(ProctypeId),
    /// A variable, of members or of this process, with what is left of the index.
    Variable(VariableKey, Option<usize>, usize),
    /// The number of messages of a channel of a variable, of members or of this process, with
    /// what is left of its place there.
    Length(VariableKey, Option<usize>, usize),
    /// The same: the field of a message, by their numbers.
    Message(VariableKey, Option<usize>, usize, usize, usize),
}

/// The fields of a state in families.
struct Fields<'f> {
    form: &'f Form<'f>,
    symmetry: &'f symmetry::Symmetry,
    /// Of each member.
    pids: Vec<usize>,
    families: BTreeMap<Kind, (Vec<Cell>, Renaming)>,
    /// Some field has no place.
    failed: bool,
}

impl<'f> Fields<'f> {
    fn of(form: &'f Form<'f>, symmetry: &'f symmetry::Symmetry) -> Self {
        let pids = symmetry.classes.iter().flat_map(|class| class.pids.clone()).collect();
        let mut fields = Self { form, symmetry, pids, families: BTreeMap::new(), failed: false };
        for (pid, slot) in form.layout.slots.iter().enumerate() {
            fields.add_slot(pid, slot);
        }
        for (id, home) in form.layout.globals.iter_ids() {
            fields.add_home(((None, id), None), home, None);
        }
        fields.add_channels(&form.layout.channels, None);
        fields
    }

    fn member(&self, pid: usize) -> Option<Member> {
        self.pids.iter().position(|it| *it == pid)
    }

    /// The member that a value stands for.
    fn named(&self, renaming: &Renaming, value: i32) -> Option<Member> {
        let pid = renaming.iter().find(|(_, own)| **own == value).map(|(pid, _)| *pid);
        pid.and_then(|pid| self.member(pid))
    }

    fn add(&mut self, kind: Kind, cell: Cell, renaming: &Renaming) {
        let family = self.families.entry(kind).or_default();
        family.0.push(cell);
        family.1.clone_from(renaming);
    }

    fn add_slot(&mut self, pid: usize, slot: &Slot) {
        let member = self.member(pid);
        if let (Some(member), [room]) = (member, slot.rooms.as_slice()) {
            let cell = Cell { members: vec![member], field: slot.at, guard: None };
            self.add(Kind::Location(room.proctype), cell, &Renaming::new());
        }
        for room in &slot.rooms {
            let live = live_locals(self.form.program, room.proctype);
            for (id, home) in room.locals.iter_ids() {
                let guard = guard(slot.at, room, &live, id);
                let shares = slot.rooms.len() > 1;
                let key = (Some(room.proctype), id);
                if shares && self.is_indexed(key) && !matches!(home, Home::Constant(_)) {
                    self.failed = true;
                }
                self.add_home((key, Some(pid)), home, Some(guard));
            }
            self.add_channels(&room.channels, Some(pid));
        }
    }

    /// Whether members index an array.
    fn is_indexed(&self, key: VariableKey) -> bool {
        self.dimensions(key).iter().any(|dimension| !dimension.index.is_empty())
    }

    fn dimensions(&self, key: VariableKey) -> &'f [Dimension<Renaming>] {
        self.symmetry.dimensions.get(&key).map_or(&[], Vec::as_slice)
    }

    /// A variable of the program or of the process with this pid.
    fn add_home(
        &mut self,
        (key, pid): (VariableKey, Option<usize>),
        home: &Home,
        guard: Option<Guard>,
    ) {
        let array = match home {
            Home::Constant(_) | Home::Unread(_) => return,
            Home::Scalar(field) => Array { first: *field, length: 1, per_word: 1 },
            Home::Array(array) => *array,
        };
        let renaming = self.symmetry.elements.get(&key).cloned().unwrap_or_default();
        for at in 0..array.length {
            let own = pid.and_then(|pid| self.member(pid));
            let mut members: Vec<Member> = own.into_iter().collect();
            let (mut left, mut pattern) = (at as usize, 0);
            for (number, dimension) in self.dimensions(key).iter().enumerate() {
                let index = at / dimension.stride % dimension.bound;
                if let Some(member) = self.named(&dimension.index, index as i32) {
                    members.push(member);
                    left -= (index * dimension.stride) as usize;
                    pattern |= 1 << (32 + number);
                }
            }
            // Elements that no member indexes are apart from those that one does.
            let other = pid.filter(|_| own.is_none());
            let kind = Kind::Variable(key, other, left | pattern);
            let cell = Cell { members, field: array.element(at), guard: guard.clone() };
            self.add(kind, cell, &renaming);
        }
    }

    /// The channels of the program, or of the process with this pid.
    fn add_channels(&mut self, channels: &[Channel], pid: Option<usize>) {
        let mut numbers: BTreeMap<VariableKey, usize> = BTreeMap::new();
        for (at, channel) in channels.iter().enumerate() {
            let key = match channel.declared {
                Declared::Global(id) => (None, id),
                Declared::Local(kind, id) => (Some(kind), id),
            };
            let number = numbers.entry(key).or_default();
            let element = std::mem::replace(number, *number + 1);
            let named = self.symmetry.elements.get(&key).filter(|_| pid.is_none());
            let named = named.and_then(|renaming| self.named(renaming, at as i32 + 1));
            let own = pid.and_then(|pid| self.member(pid));
            let member = own.or(named);
            let left = if named.is_some() { usize::MAX } else { element };
            self.add_channel((key, pid.filter(|_| own.is_none()), left), channel, member);
        }
    }

    fn add_channel(
        &mut self,
        (key, pid, left): (VariableKey, Option<usize>, usize),
        channel: &Channel,
        member: Option<Member>,
    ) {
        let Some(length) = channel.length else { return };
        let members: Vec<Member> = member.into_iter().collect();
        let cell = Cell { members: members.clone(), field: length, guard: None };
        self.add(Kind::Length(key, pid, left), cell, &Renaming::new());
        let renamings = self.symmetry.fields.get(&key).cloned().unwrap_or_default();
        for (number, array) in channel.fields.iter().enumerate() {
            let renaming = renamings.get(number).cloned().unwrap_or_default();
            for at in 0..array.length {
                let holds = (0..1usize << length.bits).map(|length| length > at as usize);
                let guard = Guard { field: length, holds: holds.collect() };
                let field = array.element(at);
                let cell = Cell { members: members.clone(), field, guard: Some(guard) };
                self.add(Kind::Message(key, pid, left, number, at as usize), cell, &renaming);
            }
        }
    }

    /// What exchanging members does; `None` if there is nobody, or some field has no place.
    fn orbits(self) -> Option<Orbits> {
        if self.failed || self.pids.is_empty() {
            return None;
        }
        let mut first = 0;
        let classes = self.symmetry.classes.iter().map(|class| {
            let members = first..first + class.pids.len();
            first = members.end;
            members.collect()
        });
        let classes = classes.collect();
        let member = |pid: usize| self.pids.iter().position(|it| *it == pid);
        let families = self.families.into_values().map(|(cells, renaming)| {
            let named = renaming.iter().filter_map(|(pid, value)| Some((member(*pid)?, *value)));
            let naming = (!renaming.is_empty()).then(|| Naming::new(named));
            (cells, naming)
        });
        let moves = |(cells, naming): &(Vec<Cell>, Option<Naming>)| {
            naming.is_some() || cells.iter().any(|cell| !cell.members.is_empty())
        };
        Orbits::new(classes, families.filter(moves).collect::<Vec<_>>())
    }
}

/// When a local of a process holds a value that somebody may still read.
fn guard(
    at: Field,
    room: &Room,
    live: &IdVec<LocationId, BTreeSet<VariableId>>,
    id: VariableId,
) -> Guard {
    let mut holds = vec![false; 1 << at.bits];
    for (location, code) in room.codes.iter_ids() {
        let code = code.and_then(|code| usize::try_from(code).ok());
        if let Some(holds) = code.and_then(|code| holds.get_mut(code)) {
            *holds = live[location].contains(&id);
        }
    }
    Guard { field: at, holds: Arc::from(holds) }
}
