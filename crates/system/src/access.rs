//! What a transition accesses, and the dependence relation that is read off it.
//!
//! The relation is for transitions that are both enabled in one state, which is what sleep
//! sets ask about; there a send and a receive on one channel commute. It is NOT for
//! persistent or ample sets, where one of the two may be disabled: whoever uses it there
//! adds what a disabled transition peeks at.

use std::ops::BitOr;

/// Which transitions depend on each other, beside those of one process, those that access
/// everything, and those that share a variable that one of them writes: three grades.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Dependency {
    /// On one channel: two sends, two receives, and a peek with either. The relation
    /// that gives the numbers of Godefroid, Holzmann and Pirottin (1995).
    #[default]
    Paper,
    /// The same, but a peek depends only on what can change the answer it got: that a
    /// channel is not empty stays true after a send.
    Fine,
    /// Any two that access one channel.
    Syntactic,
}

/// A shared object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    /// A channel.
    Channel(u32),
    /// A variable, an element of an array, the states of an assertion.
    Variable(u32),
    /// The set of processes: creation writes it.
    Processes,
    /// That processes exit. Two exits are never enabled at once.
    Exits,
}

/// How an object is accessed: a set of kinds, and of values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Access {
    kinds: u8,
    /// The values that matter to what is read: if one of them is written, it may be another.
    read: Values,
    /// The values that may be written.
    written: Values,
}

/// A set of values of a variable: a bit for each value from 0 to 62, and one for all others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct Values(u64);

impl Values {
    const NONE: Self = Self(0);
    const ALL: Self = Self(u64::MAX);
    const OTHERS: Self = Self(1 << 63);

    fn of(value: i32) -> Self {
        if (0..63).contains(&value) { Self(1 << value) } else { Self::OTHERS }
    }

    fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether it is one value and no other.
    fn is_one(self) -> bool {
        self.0.is_power_of_two() && self != Self::OTHERS
    }
}

impl Access {
    /// The value is read.
    pub const READ: Self = Self { read: Values::ALL, ..Self::of(1) };
    /// The value is set.
    pub const WRITE: Self = Self { written: Values::ALL, ..Self::of(2) };
    /// A message is put at the end.
    pub const SEND: Self = Self::of(4);
    /// A message is put somewhere, or dropped if there is no room: a receive beside it
    /// does not commute.
    pub const INSERT: Self = Self::of(8 | 4);
    /// A message is received.
    pub const RECEIVE: Self = Self::of(16);
    /// A test whose answer a send may change, and a receive cannot: that a channel is empty.
    pub const PEEK_SENDS: Self = Self::of(32);
    /// A test whose answer a receive may change, and a send at the end cannot: that a channel
    /// is full, or what its head is.
    pub const PEEK_RECEIVES: Self = Self::of(64);
    /// A test whose answer either may change.
    pub const PEEK: Self = Self::of(32 | 64);
    /// The answer of a peek changes, and two of this kind are never enabled at once.
    pub const EXIT: Self = Self::of(128);

    const fn of(kinds: u8) -> Self {
        Self { kinds, read: Values::NONE, written: Values::NONE }
    }

    /// The value is tested, and the answer is another one for these values.
    pub fn test(changes: impl Fn(i32) -> bool) -> Self {
        let changing = (0..63).filter(|value| changes(*value));
        let read = changing.fold(Values::OTHERS, |all, value| Values(all.0 | 1 << value));
        Self { read, ..Self::READ }
    }

    /// The value is set to this one.
    pub fn set(value: i32) -> Self {
        Self { written: Values::of(value), ..Self::WRITE }
    }

    /// Whether both have something in common.
    pub fn meets(self, other: Self) -> bool {
        self.kinds & other.kinds != 0
    }

    /// Whether it has all that `other` has.
    fn has(self, other: Self) -> bool {
        self.kinds & other.kinds == other.kinds
    }

    /// Whether what this one writes matters to the other one. Only the fine relation looks
    /// at values: a test keeps its answer, and what is written twice is the same.
    fn overwrites(self, other: Self, dependency: Dependency) -> bool {
        let same = self.written == other.written && self.written.is_one();
        let matters = self.written.meets(other.read)
            || other.meets(Self::WRITE) && !same
            || other.meets(Self::of(!(1 | 2)));
        self.meets(Self::WRITE) && (dependency != Dependency::Fine || matters)
    }

    fn conflicts(self, other: Self, dependency: Dependency) -> bool {
        let pair = |one: Self, two: Self| self.meets(one) && other.meets(two);
        let writes = other.kinds != 0 && self.overwrites(other, dependency);
        let channel = match dependency {
            Dependency::Syntactic => !(self | other).meets(Self::of(1 | 2 | 128)),
            Dependency::Paper => pair(Self::PEEK, Self::SEND | Self::RECEIVE),
            Dependency::Fine => {
                pair(Self::PEEK_SENDS, Self::SEND) || pair(Self::PEEK_RECEIVES, Self::RECEIVE)
            }
        };
        let same = pair(Self::SEND, Self::SEND) || pair(Self::RECEIVE, Self::RECEIVE);
        let jumps = self.has(Self::INSERT) && other.meets(Self::RECEIVE | Self::PEEK);
        let exits = pair(Self::EXIT, Self::PEEK);
        writes || channel || same || jumps || exits
    }
}

impl BitOr for Access {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            kinds: self.kinds | other.kinds,
            read: Values(self.read.0 | other.read.0),
            written: Values(self.written.0 | other.written.0),
        }
    }
}

/// What a transition accesses.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Accesses {
    /// The processes that move, in order.
    agents: Vec<u32>,
    /// In order of the objects, each once.
    objects: Vec<(Object, Access)>,
    everything: bool,
    /// It asked whether nothing else can move: whatever moves depends on the answer.
    asks_timeout: bool,
}

impl Accesses {
    /// One more process moves.
    pub fn moves(&mut self, agent: u32) {
        if let Err(place) = self.agents.binary_search(&agent) {
            self.agents.insert(place, agent);
        }
    }

    /// The processes that move, in order.
    pub fn agents(&self) -> &[u32] {
        &self.agents
    }

    /// One more object is accessed, or in one more way.
    pub fn add(&mut self, object: Object, access: Access) {
        match self.objects.binary_search_by_key(&object, |(object, _)| *object) {
            Ok(place) => self.objects[place].1 = self.objects[place].1 | access,
            Err(place) => self.objects.insert(place, (object, access)),
        }
    }

    /// Takes back that an object is accessed.
    pub fn forget(&mut self, object: Object) {
        self.objects.retain(|(other, _)| *other != object);
    }

    /// It accesses more than can be said.
    pub fn add_everything(&mut self) {
        self.everything = true;
    }

    /// It asks whether nothing else can move.
    pub fn ask_timeout(&mut self) {
        self.asks_timeout = true;
    }

    /// The same, but for that question: while somebody can move the answer stays no.
    pub fn while_others_move(mut self) -> Self {
        self.asks_timeout = false;
        self
    }

    /// Whether it accesses a channel.
    pub fn has_channels(&self) -> bool {
        self.objects.iter().any(|(object, _)| matches!(object, Object::Channel(_)))
    }

    /// Whether it accesses more than can be said.
    pub fn has_everything(&self) -> bool {
        self.everything
    }

    /// Adds what another one accesses.
    pub fn join(&mut self, other: &Self) {
        other.agents.iter().for_each(|agent| self.moves(*agent));
        other.objects.iter().for_each(|(object, access)| self.add(*object, *access));
        self.everything |= other.everything;
        self.asks_timeout |= other.asks_timeout;
    }

    /// Whether the two depend on each other.
    pub fn depends_on(&self, other: &Self, dependency: Dependency) -> bool {
        (self.everything || self.asks_timeout)
            || (other.everything || other.asks_timeout)
            || shared(&self.agents, &other.agents, |agent| *agent).next().is_some()
            || shared(&self.objects, &other.objects, |(object, _)| *object).any(|(one, two)| {
                one.1.conflicts(two.1, dependency) || two.1.conflicts(one.1, dependency)
            })
    }
}

/// The pairs of two ordered lists that agree in `key`.
fn shared<'a, T, K: Ord>(
    one: &'a [T],
    other: &'a [T],
    key: impl Fn(&T) -> K + 'a,
) -> impl Iterator<Item = (&'a T, &'a T)> {
    let (mut i, mut j) = (0, 0);
    std::iter::from_fn(move || {
        while i < one.len() && j < other.len() {
            match key(&one[i]).cmp(&key(&other[j])) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    (i, j) = (i + 1, j + 1);
                    return Some((&one[i - 1], &other[j - 1]));
                }
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(agent: u32, objects: &[(Object, Access)]) -> Accesses {
        let mut accesses = Accesses::default();
        accesses.moves(agent);
        objects.iter().for_each(|(object, access)| accesses.add(*object, *access));
        accesses
    }

    /// One row per pair of accesses to one channel: paper, fine, syntactic.
    #[test]
    fn the_three_relations_on_one_channel() {
        let rows = [
            (Access::SEND, Access::SEND, [true, true, true]),
            (Access::RECEIVE, Access::RECEIVE, [true, true, true]),
            (Access::SEND, Access::RECEIVE, [false, false, true]),
            (Access::INSERT, Access::RECEIVE, [true, true, true]),
            (Access::INSERT, Access::PEEK_RECEIVES, [true, true, true]),
            (Access::SEND, Access::PEEK, [true, true, true]),
            (Access::SEND, Access::PEEK_RECEIVES, [true, false, true]),
            (Access::SEND, Access::PEEK_SENDS, [true, true, true]),
            (Access::RECEIVE, Access::PEEK_RECEIVES, [true, true, true]),
            (Access::RECEIVE, Access::PEEK_SENDS, [true, false, true]),
            (Access::PEEK, Access::PEEK, [false, false, true]),
            (Access::EXIT, Access::EXIT, [false, false, false]),
            (Access::EXIT, Access::PEEK, [true, true, true]),
            (Access::READ, Access::READ, [false, false, false]),
            (Access::READ, Access::WRITE, [true, true, true]),
            (Access::WRITE, Access::WRITE, [true, true, true]),
        ];
        for (one, other, expected) in rows {
            let object = Object::Channel(3);
            let (one, other) = (of(0, &[(object, one)]), of(1, &[(object, other)]));
            let relations = [Dependency::Paper, Dependency::Fine, Dependency::Syntactic];
            assert_eq!(relations.map(|relation| one.depends_on(&other, relation)), expected);
            assert_eq!(relations.map(|relation| other.depends_on(&one, relation)), expected);
        }
    }

    /// Tests and writes of one variable, by their values.
    #[test]
    fn a_write_matters_to_a_test_if_it_may_change_the_answer() {
        let is_two = Access::test(|value| value != 2);
        let rows = [
            (Access::set(2), is_two, false),
            (Access::set(1), is_two, true),
            (Access::set(100), is_two, true),
            (Access::set(-1), Access::test(|_| false), true),
            (Access::WRITE, is_two, true),
            (Access::set(2), Access::READ, true),
            (Access::set(2), Access::set(2), false),
            (Access::set(2), Access::set(1), true),
            (Access::set(70), Access::set(71), true),
            (Access::set(2), Access::set(2) | is_two, false),
            (Access::set(2), Access::set(2) | Access::READ, true),
            (Access::set(2), Access::set(2) | Access::SEND, true),
            (Access::set(1) | Access::set(2), Access::set(1) | Access::set(2), true),
            (is_two, Access::READ, false),
        ];
        for (one, other, expected) in rows {
            let object = Object::Variable(3);
            let (one, other) = (of(0, &[(object, one)]), of(1, &[(object, other)]));
            assert_eq!(one.depends_on(&other, Dependency::Fine), expected, "{one:?} {other:?}");
            assert_eq!(other.depends_on(&one, Dependency::Fine), expected, "{one:?} {other:?}");
        }
        let (one, other) = (
            of(0, &[(Object::Variable(3), Access::set(2))]),
            of(1, &[(Object::Variable(3), is_two)]),
        );
        assert!(
            one.depends_on(&other, Dependency::Paper)
                && one.depends_on(&other, Dependency::Syntactic)
        );
    }

    #[test]
    fn processes_objects_and_everything() {
        let write = |object| (object, Access::WRITE);
        let one = of(0, &[write(Object::Variable(1)), write(Object::Channel(1))]);
        let far = of(1, &[write(Object::Variable(2)), write(Object::Processes)]);
        assert!(!one.depends_on(&far, Dependency::Syntactic));
        assert!(one.depends_on(&of(0, &[]), Dependency::Paper));
        let mut all = of(2, &[]);
        assert!(!one.depends_on(&all, Dependency::Paper));
        all.add_everything();
        assert!(one.depends_on(&all, Dependency::Paper) && all.depends_on(&one, Dependency::Fine));
        let mut both = of(3, &[]);
        both.join(&one);
        assert!(both.depends_on(&of(0, &[]), Dependency::Paper));
        assert!(both.depends_on(&of(4, &[write(Object::Channel(1))]), Dependency::Fine));
    }
}
