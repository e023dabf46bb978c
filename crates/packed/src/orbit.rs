//! A representative for the states that are permutations of each other.
//!
//! What a permutation of members does to a state is said by *families* of fields: the fields of a
//! family are alike, and have a place for no, one or two members (a global; the locations of
//! all members; a matrix, or an array that each member has, with an element for each). A permutation moves the field
//! of a member to that of another, and if the values of a family stand for members it renames them.
//!
//! Members are sorted by colours. The colour of a member is a hash of its fields, from which every
//! member is left out that a value stands for; then colours are refined by those of the members
//! it refers to, and that refer to it (as for the isomorphism of graphs; Weisfeiler and Leman 1968). Neither
//! depends on how members are numbered, so states that are permutations of each other have the same colours,
//! permuted. Where members of one colour are left that cannot be exchanged without a difference, their
//! orders are tried, as many as [`TRIES`], and the least state wins; beyond that they stay in the order they have.
//!
//! Whatever the order is, what comes out is a permutation of what went in: a bad one, or two colours
//! that are equal by chance, costs merging and not soundness.

use crate::Field;
use std::cell::RefCell;
use std::sync::Arc;
use system::Word;

/// So many orders of members of one colour are tried.
const TRIES: usize = 120;

/// A member by its number, from 0 on.
pub type Member = usize;

/// Values that stand for members.
#[derive(Clone, Debug, Default)]
pub struct Naming {
    /// By member.
    values: Vec<Option<i32>>,
    /// Sorted.
    members: Vec<(i32, Member)>,
}

impl Naming {
    /// Each member with its value.
    pub fn new(named: impl IntoIterator<Item = (Member, i32)>) -> Self {
        let mut naming = Self::default();
        for (member, value) in named {
            if naming.values.len() <= member {
                naming.values.resize(member + 1, None);
            }
            naming.values[member] = Some(value);
            naming.members.push((value, member));
        }
        naming.members.sort_unstable();
        naming
    }

    /// All values.
    pub fn values(&self) -> impl Iterator<Item = i32> {
        self.members.iter().map(|(value, _)| *value)
    }

    #[inline]
    fn member(&self, value: i32) -> Option<Member> {
        let found = self.members.binary_search_by_key(&value, |(value, _)| *value);
        found.ok().map(|at| self.members[at].1)
    }

    #[inline]
    fn value(&self, member: Member) -> Option<i32> {
        self.values.get(member).copied().flatten()
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
    fn named(&self, state: &[Word], naming: Option<&Naming>) -> Option<Member> {
        let holds = |guard: &Guard| {
            let at = guard.field.get(state) as usize;
            guard.holds.get(at).copied().unwrap_or(false)
        };
        match self.guard.as_ref().is_none_or(holds) {
            true => naming?.member(self.field.get(state)),
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
    fn target(&self, cell: &Cell, to: &[Member]) -> Field {
        let place = self.places[cell.place(to.len(), |member| to[member])];
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

/// What is computed for one state.
#[derive(Clone, Debug, Default)]
struct Work {
    colours: Vec<u64>,
    refined: Vec<u64>,
    /// Where each member goes.
    to: Vec<Member>,
    from: Vec<Word>,
    best: Vec<Word>,
}

fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd1b5_4a32_d192_ed03);
    (product as u64) ^ (product >> 64) as u64 ^ a.rotate_left(23)
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

    fn members(&self) -> usize {
        self.classes.iter().map(Vec::len).sum()
    }

    /// Replaces a state by a permutation of it.
    pub fn put_in_order(&self, state: &mut [Word]) {
        let work = &mut *self.work.borrow_mut();
        work.colours.clear();
        work.colours.resize(self.members(), 0);
        for (number, class) in self.classes.iter().enumerate() {
            class.iter().for_each(|member| work.colours[*member] = mix(7, number as u64));
        }
        let refers = self.colour(state, &mut work.colours);
        if refers {
            self.refine(state, work);
        }
        work.to.clear();
        work.to.extend(0..self.members());
        let (to, colours) = (&mut work.to, &work.colours);
        let mut ties = false;
        for class in &self.classes {
            let places = class.iter().copied().filter(|member| self.is_there(*member, state));
            let mut sorted: Vec<Member> = places.clone().collect();
            sorted.sort_by_key(|member| colours[*member]);
            ties |= sorted.windows(2).any(|pair| colours[pair[0]] == colours[pair[1]]);
            sorted.iter().zip(places).for_each(|(member, place)| to[*member] = place);
        }
        if work.to.iter().enumerate().any(|(member, to)| member != *to) {
            work.from.clear();
            work.from.extend_from_slice(state);
            self.permute(&work.from, state, &work.to);
        }
        if ties && refers {
            self.break_ties(state, work);
        }
    }

    /// The colour of each member by its own fields; whether some value stands for a member, or
    /// some field belongs to two.
    fn colour(&self, state: &[Word], colours: &mut [u64]) -> bool {
        let mut refers = !self.pairs.is_empty();
        for Family { cells, naming, .. } in &self.single {
            for cell in cells {
                let member = cell.members[0];
                let seen = match cell.named(state, naming.as_ref()) {
                    None => u64::from(cell.field.get(state) as u32),
                    Some(other) if other == member => 1 << 32,
                    Some(_) => {
                        refers = true;
                        2 << 32
                    }
                };
                colours[member] = mix(colours[member], seen);
            }
        }
        for (number, Family { cells, naming, .. }) in self.alone.iter().enumerate() {
            for cell in cells {
                if let Some(member) = cell.named(state, naming.as_ref()) {
                    colours[member] = mix(colours[member], 3 << 32 | number as u64);
                }
            }
        }
        refers
    }

    /// Refines colours as long as that tells more members apart.
    fn refine(&self, state: &[Word], Work { colours, refined, .. }: &mut Work) {
        let mut before = distinct(colours);
        loop {
            refined.clear();
            refined.resize(colours.len(), 0);
            self.look_around(state, colours, refined);
            colours.iter_mut().zip(refined.iter()).for_each(|(old, new)| *old = mix(*old, *new));
            let now = distinct(colours);
            if now == before || now == colours.len() {
                return;
            }
            before = now;
        }
    }

    /// For each member a sum over all that refers to it, and to which it refers.
    fn look_around(&self, state: &[Word], colours: &[u64], sums: &mut [u64]) {
        let mut add = |member: Member, what: u64, by: u64| {
            sums[member] = sums[member].wrapping_add(mix(what, by));
        };
        let mut family = 0;
        for Family { cells, naming, .. } in &self.single {
            family += 8;
            if naming.is_none() {
                continue;
            }
            for cell in cells {
                let member = cell.members[0];
                let other = cell.named(state, naming.as_ref()).filter(|it| *it != member);
                if let Some(other) = other {
                    add(member, family, colours[other]);
                    add(other, family + 1, colours[member]);
                }
            }
        }
        for Family { cells, naming, .. } in &self.pairs {
            family += 8;
            for cell in cells {
                let (one, other) = (cell.members[0], cell.members[1]);
                let named = cell.named(state, naming.as_ref());
                let seen = match named {
                    None => u64::from(cell.field.get(state) as u32),
                    Some(named) if named == one => 1 << 32,
                    Some(named) if named == other => 2 << 32,
                    Some(named) => mix(3 << 32, colours[named]),
                };
                if one == other {
                    add(one, family + 2, seen);
                    continue;
                }
                add(one, family + 3, mix(seen, colours[other]));
                add(other, family + 4, mix(seen, colours[one]));
                if let Some(named) = named {
                    add(named, family + 5, mix(colours[one], colours[other]));
                }
            }
        }
    }

    /// Of the orders of members of one colour, if there are not too many, the one that makes
    /// the least state.
    fn break_ties(&self, state: &mut [Word], work: &mut Work) {
        let Work { colours, to, from, best, .. } = work;
        // Where members went, their colours went.
        let mut placed = vec![0; colours.len()];
        to.iter().zip(colours.iter()).for_each(|(place, colour)| placed[*place] = *colour);
        let mut groups: Vec<Vec<Member>> = Vec::new();
        for class in &self.classes {
            let there = class.iter().copied().filter(|member| self.is_there(*member, state));
            let there: Vec<Member> = there.collect();
            let alike = there.chunk_by(|a, b| placed[*a] == placed[*b]);
            groups.extend(alike.filter(|group| group.len() > 1).map(<[Member]>::to_vec));
        }
        from.clear();
        from.extend_from_slice(state);
        best.clear();
        best.extend_from_slice(state);
        groups.retain(|group| !self.is_free(from, group, (to, state)));
        let orders = groups.iter().map(|group| factorial(group.len()));
        if orders.fold(1, usize::saturating_mul) > TRIES {
            state.copy_from_slice(best);
            return;
        }
        let mut orders: Vec<Vec<Vec<Member>>> = groups.iter().map(|it| permutations(it)).collect();
        orders.retain(|orders| !orders.is_empty());
        let total: usize = orders.iter().map(Vec::len).product();
        for number in 1..total {
            to.iter_mut().enumerate().for_each(|(member, to)| *to = member);
            let mut rest = number;
            for (group, orders) in groups.iter().zip(&orders) {
                let order = &orders[rest % orders.len()];
                rest /= orders.len();
                group.iter().zip(order).for_each(|(member, place)| to[*member] = *place);
            }
            state.copy_from_slice(from);
            self.permute(from, state, to);
            if *state < **best {
                best.copy_from_slice(state);
            }
        }
        state.copy_from_slice(best);
    }

    /// Whether members of one colour can be exchanged without any difference.
    fn is_free(
        &self,
        from: &[Word],
        group: &[Member],
        (to, state): (&mut [Member], &mut [Word]),
    ) -> bool {
        group.windows(2).all(|pair| {
            to.iter_mut().enumerate().for_each(|(member, to)| *to = member);
            to.swap(pair[0], pair[1]);
            state.copy_from_slice(from);
            self.permute(from, state, to);
            state == from
        })
    }

    /// Writes `from` with members permuted.
    fn permute(&self, from: &[Word], state: &mut [Word], to: &[Member]) {
        for family in self.alone.iter().chain(&self.single).chain(&self.pairs) {
            let naming = family.naming.as_ref();
            for cell in &family.cells {
                let named = cell.named(from, naming).map(|member| to[member]);
                let renamed = named.and_then(|member| naming?.value(member));
                let value = renamed.unwrap_or_else(|| cell.field.get(from));
                family.target(cell, to).set(state, value);
            }
        }
    }
}

fn distinct(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

fn factorial(n: usize) -> usize {
    (1..=n).fold(1, usize::saturating_mul)
}

/// All orders of a few members.
fn permutations(members: &[Member]) -> Vec<Vec<Member>> {
    let Some((first, rest)) = members.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for order in permutations(rest) {
        for at in 0..=order.len() {
            let mut order = order.clone();
            order.insert(at, *first);
            all.push(order);
        }
    }
    all
}
