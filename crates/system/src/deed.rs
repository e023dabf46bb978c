//! What a step is and what it touches: the ground on which two steps are called
//! independent.
//!
//! A [`Step`](crate::Step) is named by its place in the list of one state. A [`Deed`] is
//! the same in every state: who moves, along which edges, on which channels. Beside
//! each deed stands its [`Footprint`], and whether two deeds depend on each other is
//! read off their footprints, by one of three relations.
//!
//! The relations are for deeds that can both be done in one state, which is what sleep
//! sets ask about; there a send and a receive on one channel commute. They are NOT for
//! persistent or ample sets, where one of the two may be disabled.

use crate::{Successors, System, Word};
use std::ops::{BitOr, Range};

/// A step as such, whatever the state: equal in two states iff the same processes go
/// along the same edges with the same footprint. Numbered by its system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Deed(pub u32);

/// A system that knows what its steps touch.
pub trait Deeds: System {
    /// Appends the deed of each step of `batch`, in order. `batch` is what the system
    /// listed last.
    fn deeds(&self, batch: &Successors, deeds: &mut Vec<Deed>);

    /// Whether two deeds that can both be done in some state may fail to commute there:
    /// one disables or changes the other, or the order matters. When in doubt, yes.
    fn dependent(&self, one: Deed, other: Deed) -> bool;

    /// Appends, for each process that can be moved alone, the places of its steps in
    /// `batch`, which is what the system listed last, for `state`: as long as it does not move, the
    /// others cannot change what it can do, and whatever they do commutes with it. All its
    /// steps lead to states. None if nothing is known, or if no other process can move.
    fn ample(&self, _state: &[Word], _batch: &Successors, _found: &mut Vec<Range<usize>>) {}
}

/// Which deeds depend on each other, beside those of one process, those that touch
/// everything, and those that share a variable that one of them writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Dependency {
    /// On one channel: two sends, two receives, and a look beside either. The relation
    /// that gives the numbers of Godefroid, Holzmann and Pirottin (1995).
    #[default]
    Paper,
    /// The same, but a look depends only on what can change the answer it got: that a
    /// channel is not empty stays true after a send.
    Fine,
    /// Any two that touch one channel.
    Syntactic,
}

/// Something processes share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    /// A channel.
    Channel(u32),
    /// A variable, an element of an array, the states of an assertion.
    Variable(u32),
    /// Which processes there are.
    Roster,
    /// That processes end. Two ends are never possible at once.
    Ends,
}

/// How an object is touched: a set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Manner(u8);

impl Manner {
    /// The value is read.
    pub const READ: Self = Self(1);
    /// The value is set.
    pub const WRITE: Self = Self(2);
    /// A message is put at the end.
    pub const SEND: Self = Self(4);
    /// A message is put somewhere, or dropped if there is no room: a receive beside it
    /// does not commute.
    pub const INSERT: Self = Self(8 | 4);
    /// A message is taken.
    pub const TAKE: Self = Self(16);
    /// Something was asked that a send may change, and a receive cannot.
    pub const LOOK_FOR_MORE: Self = Self(32);
    /// Something was asked that a receive may change, and a send at the end cannot.
    pub const LOOK_FOR_LESS: Self = Self(64);
    /// Something was asked that either may change.
    pub const LOOK: Self = Self(32 | 64);
    /// What a look sees changes, and two of this kind are never possible at once.
    pub const STIR: Self = Self(128);

    /// Whether both have something in common.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether it is to have all that `other` has.
    fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    fn disturbs(self, other: Self, dependency: Dependency) -> bool {
        let pair = |one: Self, two: Self| self.meets(one) && other.meets(two);
        let any = Self(u8::MAX);
        let writes = pair(Self::WRITE, any);
        let channel = match dependency {
            Dependency::Syntactic => !(self | other).meets(Self(1 | 2 | 128)),
            Dependency::Paper => pair(Self::LOOK, Self::SEND | Self::TAKE),
            Dependency::Fine => {
                pair(Self::LOOK_FOR_MORE, Self::SEND) || pair(Self::LOOK_FOR_LESS, Self::TAKE)
            }
        };
        let same = pair(Self::SEND, Self::SEND) || pair(Self::TAKE, Self::TAKE);
        let jumps = self.has(Self::INSERT) && other.meets(Self::TAKE | Self::LOOK);
        let stirs = pair(Self::STIR, Self::LOOK);
        writes || channel || same || jumps || stirs
    }
}

impl BitOr for Manner {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What a deed touches.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Footprint {
    /// The processes that move, in order.
    agents: Vec<u32>,
    /// In order of the objects, each once.
    touches: Vec<(Object, Manner)>,
    everything: bool,
    /// It asked whether nothing else can move: whatever moves depends on the answer.
    asks_timeout: bool,
}

impl Footprint {
    /// One more process moves.
    pub fn moves(&mut self, agent: u32) {
        if let Err(place) = self.agents.binary_search(&agent) {
            self.agents.insert(place, agent);
        }
    }

    /// One more object is touched, or in one more manner.
    pub fn touch(&mut self, object: Object, manner: Manner) {
        match self.touches.binary_search_by_key(&object, |(object, _)| *object) {
            Ok(place) => self.touches[place].1 = self.touches[place].1 | manner,
            Err(place) => self.touches.insert(place, (object, manner)),
        }
    }

    /// Takes back that an object is touched.
    pub fn forget(&mut self, object: Object) {
        self.touches.retain(|(other, _)| *other != object);
    }

    /// It touches more than can be told.
    pub fn touch_everything(&mut self) {
        self.everything = true;
    }

    /// It asks whether anything else can move.
    pub fn ask_timeout(&mut self) {
        self.asks_timeout = true;
    }

    /// The same, but for that question: while somebody can move the answer stays no.
    pub fn while_others_move(mut self) -> Self {
        self.asks_timeout = false;
        self
    }

    /// Whether it touches a channel.
    pub fn has_channels(&self) -> bool {
        self.touches.iter().any(|(object, _)| matches!(object, Object::Channel(_)))
    }

    /// Whether it touches more than can be told.
    pub fn has_everything(&self) -> bool {
        self.everything
    }

    /// Takes what another one touches along.
    pub fn join(&mut self, other: &Self) {
        other.agents.iter().for_each(|agent| self.moves(*agent));
        other.touches.iter().for_each(|(object, manner)| self.touch(*object, *manner));
        self.everything |= other.everything;
        self.asks_timeout |= other.asks_timeout;
    }

    /// Whether the two depend on each other.
    pub fn disturbs(&self, other: &Self, dependency: Dependency) -> bool {
        (self.everything || self.asks_timeout)
            || (other.everything || other.asks_timeout)
            || shared(&self.agents, &other.agents, |agent| *agent).next().is_some()
            || shared(&self.touches, &other.touches, |(object, _)| *object).any(|(one, two)| {
                one.1.disturbs(two.1, dependency) || two.1.disturbs(one.1, dependency)
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

    fn of(agent: u32, touches: &[(Object, Manner)]) -> Footprint {
        let mut footprint = Footprint::default();
        footprint.moves(agent);
        touches.iter().for_each(|(object, manner)| footprint.touch(*object, *manner));
        footprint
    }

    /// One row per pair of manners on one channel: paper, fine, syntactic.
    #[test]
    fn the_three_relations_on_one_channel() {
        let rows = [
            (Manner::SEND, Manner::SEND, [true, true, true]),
            (Manner::TAKE, Manner::TAKE, [true, true, true]),
            (Manner::SEND, Manner::TAKE, [false, false, true]),
            (Manner::INSERT, Manner::TAKE, [true, true, true]),
            (Manner::INSERT, Manner::LOOK_FOR_LESS, [true, true, true]),
            (Manner::SEND, Manner::LOOK, [true, true, true]),
            (Manner::SEND, Manner::LOOK_FOR_LESS, [true, false, true]),
            (Manner::SEND, Manner::LOOK_FOR_MORE, [true, true, true]),
            (Manner::TAKE, Manner::LOOK_FOR_LESS, [true, true, true]),
            (Manner::TAKE, Manner::LOOK_FOR_MORE, [true, false, true]),
            (Manner::LOOK, Manner::LOOK, [false, false, true]),
            (Manner::STIR, Manner::STIR, [false, false, false]),
            (Manner::STIR, Manner::LOOK, [true, true, true]),
            (Manner::READ, Manner::READ, [false, false, false]),
            (Manner::READ, Manner::WRITE, [true, true, true]),
            (Manner::WRITE, Manner::WRITE, [true, true, true]),
        ];
        for (one, other, expected) in rows {
            let object = Object::Channel(3);
            let (one, other) = (of(0, &[(object, one)]), of(1, &[(object, other)]));
            let relations = [Dependency::Paper, Dependency::Fine, Dependency::Syntactic];
            assert_eq!(relations.map(|relation| one.disturbs(&other, relation)), expected);
            assert_eq!(relations.map(|relation| other.disturbs(&one, relation)), expected);
        }
    }

    #[test]
    fn processes_objects_and_everything() {
        let write = |object| (object, Manner::WRITE);
        let one = of(0, &[write(Object::Variable(1)), write(Object::Channel(1))]);
        let far = of(1, &[write(Object::Variable(2)), write(Object::Roster)]);
        assert!(!one.disturbs(&far, Dependency::Syntactic));
        assert!(one.disturbs(&of(0, &[]), Dependency::Paper));
        let mut all = of(2, &[]);
        assert!(!one.disturbs(&all, Dependency::Paper));
        all.touch_everything();
        assert!(one.disturbs(&all, Dependency::Paper) && all.disturbs(&one, Dependency::Fine));
        let mut both = of(3, &[]);
        both.join(&one);
        assert!(both.disturbs(&of(0, &[]), Dependency::Paper));
        assert!(both.disturbs(&of(4, &[write(Object::Channel(1))]), Dependency::Fine));
    }
}
