//! A representative for the states that are permutations of each other.
//!
//! What a permutation of members does to a state is said by *families* of fields: the fields of a
//! family are alike, and have a place for no, one or two members (a global; the locations of
//! all members; a matrix, or an array that each member has, with an element for each). A permutation moves the field
//! of a member to that of another, and if the values of a family stand for members it renames them.
//!
//! Which permutation makes the representative is decided in `order`. Whatever it is, what comes out
//! is a permutation of what went in: a bad one costs merging and not soundness. It is said beside the representative,
//! a byte for each member, so the state itself need not be kept: it is what the inverse makes of the
//! representative ([`Orbits::put_back`]).

mod order;

use crate::Field;
use order::Work;
use std::cell::RefCell;
use std::sync::Arc;
use system::Word;

/// A member by its number, from 0 on.
pub type Member = usize;

/// Values that stand for members: one of each, or several, each of which says something else of it.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    /// By member, each in the order in which its values were said.
    values: Vec<Vec<i32>>,
    /// Sorted by value: whose it is, and which of his.
    members: Vec<(i32, Member, usize)>,
}

impl Naming {
    /// Each member with its values, which say the same of each in the order in which they come.
    pub fn new(named: impl IntoIterator<Item = (Member, i32)>) -> Self {
        let mut naming = Self::default();
        for (member, value) in named {
            if naming.values.len() <= member {
                naming.values.resize(member + 1, Vec::new());
            }
            naming.members.push((value, member, naming.values[member].len()));
            naming.values[member].push(value);
        }
        naming.members.sort_unstable();
        naming
    }

    /// All values.
    pub fn values(&self) -> impl Iterator<Item = i32> {
        self.members.iter().map(|(value, ..)| *value)
    }

    #[inline]
    fn member(&self, value: i32) -> Option<(Member, usize)> {
        let found = self.members.binary_search_by_key(&value, |(value, ..)| *value);
        found.ok().map(|at| (self.members[at].1, self.members[at].2))
    }

    #[inline]
    fn value(&self, (member, which): (Member, usize)) -> Option<i32> {
        self.values.get(member)?.get(which).copied()
    }
}

/// When the value of a field stands for a member.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The field that decides.
    pub field: Field,
    /// By its value, from 0 on.
    pub holds: Arc<[bool]>,
}

/// A field and the members it belongs to: none, one or two.
#[derive(Clone, Debug)]
pub struct Cell {
    /// In an order that is that of the whole family.
    pub members: Vec<Member>,
    /// The field.
    pub field: Field,
    /// When its value stands for a member, if not always: a message that is not there is zero, and
    /// zero may be the number of somebody.
    pub guard: Option<Guard>,
}

/// Fields that are alike.
#[derive(Clone, Debug, Default)]
struct Family {
    /// Each has as many members as the others.
    cells: Vec<Cell>,
    /// What their values stand for, if for members.
    naming: Option<Naming>,
    /// By the numbers of the members of a cell which cell it is.
    places: Vec<u32>,
}

/// What permutations do to states.
#[derive(Clone, Debug, Default)]
pub struct Orbits {
    /// Members that can be exchanged, by number, in order.
    classes: Vec<Vec<Member>>,
    /// Fields of no member whose values stand for members.
    alone: Vec<Family>,
    /// Fields of one member each.
    single: Vec<Family>,
    /// Fields of two members each.
    pairs: Vec<Family>,
    /// A field of each member without which it is not there, and stays in its place; none if who is not
    /// there never comes back and may change places like the others.
    presence: Vec<Field>,
    work: RefCell<Work>,
}

impl Cell {
    #[inline]
    fn named(&self, state: &[Word], naming: Option<&Naming>) -> Option<(Member, usize)> {
        let naming = naming?;
        let holds = |guard: &Guard| {
            let at = guard.field.get(state) as usize;
            guard.holds.get(at).copied().unwrap_or(false)
        };
        match self.guard.as_ref().is_none_or(holds) {
            true => naming.member(self.field.get(state)),
            false => None,
        }
    }

    fn place(&self, members: usize, to: impl Fn(Member) -> Member) -> usize {
        self.members.iter().fold(0, |place, member| place * members + to(*member))
    }
}

impl Family {
    fn new(cells: Vec<Cell>, naming: Option<Naming>, members: usize) -> Self {
        let arity = cells.first().map_or(0, |cell| cell.members.len());
        let mut places = vec![u32::MAX; members.pow(arity as u32)];
        for (at, cell) in cells.iter().enumerate() {
            places[cell.place(members, |member| member)] = at as u32;
        }
        Self { cells, naming, places }
    }

    /// The field that is the cell's with members permuted.
    #[inline]
    fn target(&self, cell: &Cell, way: &[u8]) -> Field {
        let place = self.places[cell.place(way.len(), |member| usize::from(way[member]))];
        self.cells.get(place as usize).map_or(cell.field, |target| target.field)
    }

    fn has_room_for_names(&self) -> bool {
        let mut names = self.naming.iter().flat_map(Naming::values);
        names.all(|name| self.cells.iter().all(|cell| cell.field.fits(name)))
    }

    /// Whether with every cell those are there that it can be moved to.
    fn is_whole(&self, classes: &[Vec<Member>]) -> bool {
        let class_of = |member: Member| classes.iter().position(|class| class.contains(&member));
        let total: usize = classes.iter().map(Vec::len).sum();
        self.cells.iter().all(|cell| {
            (0..cell.members.len()).all(|at| {
                let class = class_of(cell.members[at]).map_or(&[][..], |class| &classes[class]);
                class.iter().all(|other| {
                    let mut members = cell.members.clone();
                    let own = members[at];
                    let swap = |it: &mut Member| match *it {
                        member if member == own => *it = *other,
                        member if member == *other => *it = own,
                        _ => {}
                    };
                    members.iter_mut().for_each(swap);
                    let moved = Cell { members, ..cell.clone() };
                    let place = self.places[moved.place(total, |member| member)];
                    self.cells
                        .get(place as usize)
                        .is_some_and(|it| it.field.bits == cell.field.bits)
                })
            })
        })
    }
}

impl Orbits {
    /// Members of these classes, and the fields of a state that are theirs or name them, in
    /// families. `None` if a field has more than two members, would have nowhere to go, or has no
    /// room for a name.
    pub fn new(
        classes: Vec<Vec<Member>>,
        families: impl IntoIterator<Item = (Vec<Cell>, Option<Naming>)>,
    ) -> Option<Self> {
        let members = classes.iter().map(Vec::len).sum();
        if members > usize::from(u8::MAX) {
            return None;
        }
        let mut orbits = Self { classes, ..Self::default() };
        for (cells, naming) in families {
            let arity = cells.first().map_or(0, |cell| cell.members.len());
            let list = match arity {
                0 => &mut orbits.alone,
                1 => &mut orbits.single,
                2 => &mut orbits.pairs,
                _ => return None,
            };
            // Where no name has room, no value is one.
            let holds =
                |it: &Naming| it.values().any(|name| cells.iter().any(|c| c.field.fits(name)));
            let naming = naming.filter(holds);
            let family = Family::new(cells, naming, members);
            if !family.has_room_for_names() || !family.is_whole(&orbits.classes) {
                return None;
            }
            list.push(family);
        }
        Some(orbits)
    }

    /// The same where a member whose field here is zero does not exist yet: its place is for it.
    #[must_use]
    pub fn with_presence(self, presence: Vec<Field>) -> Self {
        Self { presence, ..self }
    }

    fn is_there(&self, member: Member, state: &[Word]) -> bool {
        self.presence.get(member).is_none_or(|field| field.get(state) != 0)
    }

    /// How many members there are.
    pub fn members(&self) -> usize {
        self.classes.iter().map(Vec::len).sum()
    }

    /// Writes `from` with members permuted over `state`, which is the same before: `way` says for each
    /// member where it goes.
    fn permute(&self, from: &[Word], state: &mut [Word], way: &[u8]) {
        for family in self.alone.iter().chain(&self.single).chain(&self.pairs) {
            let Some(naming) = &family.naming else {
                family.move_cells(from, state, way);
                continue;
            };
            for cell in &family.cells {
                let named = cell.named(from, Some(naming));
                let named = named.map(|(member, which)| (usize::from(way[member]), which));
                let renamed = named.and_then(|named| naming.value(named));
                let value = renamed.unwrap_or_else(|| cell.field.get(from));
                family.target(cell, way).set(state, value);
            }
        }
    }

    /// How many words a way takes: a byte for each member, behind one for the caller.
    pub fn way_words(&self) -> usize {
        (1 + self.members()).div_ceil(size_of::<Word>())
    }

    /// The caller's byte of a way.
    pub fn mark(way: &[Word]) -> u8 {
        way[0] as u8
    }

    /// Replaces a state by its representative. Writes in which way, and the caller's mark. How many states
    /// the representative stands for, or more.
    pub fn put_in_order(&self, state: &mut [Word], way: &mut [Word], mark: u8) -> u64 {
        let work = &mut *self.work.borrow_mut();
        let permutations = self.order(state, work);
        way.fill(0);
        way[0] = Word::from(mark);
        for (at, to) in work.way.iter().enumerate() {
            let byte = at + 1;
            way[byte / size_of::<Word>()] |= Word::from(*to) << (8 * (byte % size_of::<Word>()));
        }
        permutations
    }

    /// The state that a representative was made of, in this way.
    pub fn put_back(&self, representative: &mut [Word], way: &[Word]) {
        let Work { way: inverse, from, .. } = &mut *self.work.borrow_mut();
        inverse.clear();
        inverse.resize(self.members(), 0);
        let mut moves = false;
        for member in 0..self.members() {
            let byte = member + 1;
            let word = way[byte / size_of::<Word>()];
            let to = usize::from((word >> (8 * (byte % size_of::<Word>()))) as u8);
            inverse[to] = member as u8;
            moves |= to != member;
        }
        if moves {
            from.clear();
            from.extend_from_slice(representative);
            self.permute(from, representative, inverse);
        }
    }
}

impl Family {
    /// Where values stand for nobody, only those of who goes somewhere have to be written.
    #[inline]
    fn move_cells(&self, from: &[Word], state: &mut [Word], way: &[u8]) {
        for cell in &self.cells {
            if cell.members.iter().any(|member| usize::from(way[*member]) != *member) {
                self.target(cell, way).set(state, cell.field.get(from));
            }
        }
    }
}
