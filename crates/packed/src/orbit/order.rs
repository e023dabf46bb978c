//! Which permutation of a state is its representative.
//!
//! Members are sorted by colours. The colour of a member is a hash of its fields, from which every
//! member is left out that a value stands for; then colours are refined by those of the members
//! it refers to, and that refer to it (as for the isomorphism of graphs; Weisfeiler and Leman 1968). Neither
//! depends on how members are numbered, so states that are permutations of each other have the same colours,
//! permuted. Members of one colour to whom nothing refers, and who refer to nobody, are exchanged
//! without a difference. Others of one colour are tried one after the other as the first of them, with colours
//! refined again behind each (individualisation; McKay 1981), and of the states that this makes the least one wins. So a ring
//! of n members takes n tries, not n!. After [`TRIES`] of them the least so far has to do.
//!
//! Two colours that are equal by chance cost merging and not soundness.

use super::{Family, Member, Orbits};
use system::Word;

/// So many states are compared for one representative.
const TRIES: usize = 120;

/// What is computed for one state.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    colours: Vec<u64>,
    refined: Vec<u64>,
    /// For counting colours.
    counted: Vec<u64>,
    /// Who refers to somebody, or is referred to.
    involved: Vec<bool>,
    /// Members in the order of their colours, and their places.
    sorted: Vec<Member>,
    places: Vec<Member>,
    /// Where each member goes.
    pub(super) way: Vec<u8>,
    pub(super) from: Vec<Word>,
    tried: Vec<Word>,
}

#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd1b5_4a32_d192_ed03);
    (product as u64) ^ (product >> 64) as u64 ^ a.rotate_left(23)
}

impl Orbits {
    /// Replaces a state by a permutation of it; where each member went is in `work`. How many
    /// permutations of the state there are, or more.
    pub(super) fn order(&self, state: &mut [Word], work: &mut Work) -> u64 {
        let refers = self.colour(state, work);
        if refers {
            self.refine(state, work);
        }
        let (permutations, tie) = self.sort(state, work);
        let moves = work.way.iter().enumerate().any(|(member, to)| member != usize::from(*to));
        if moves || tie {
            work.from.clear();
            work.from.extend_from_slice(state);
        }
        if tie {
            let mut search = Search { orbits: self, best: None, tries: 0 };
            search.split(work);
            let (best, way) = search.best.expect("one was tried");
            state.copy_from_slice(&best);
            work.way = way;
        } else if moves {
            self.permute(&work.from, state, &work.way);
        }
        permutations
    }

    /// The colour of each member by its own fields; whether some value stands for a member, or
    /// some field belongs to two.
    fn colour(&self, state: &[Word], work: &mut Work) -> bool {
        let mut refers = !self.pairs.is_empty();
        let Work { colours, involved, .. } = work;
        colours.clear();
        colours.resize(self.members(), 0);
        involved.clear();
        involved.resize(self.members(), refers);
        for (number, class) in self.classes.iter().enumerate() {
            class.iter().for_each(|member| colours[*member] = number as u64);
        }
        for Family { cells, naming, .. } in &self.single {
            let Some(naming) = naming else {
                for cell in cells {
                    let colour = &mut colours[cell.members[0]];
                    *colour = mix(*colour, u64::from(cell.field.get(state) as u32));
                }
                continue;
            };
            for cell in cells {
                let member = cell.members[0];
                let seen = match cell.named(state, Some(naming)) {
                    None => u64::from(cell.field.get(state) as u32),
                    Some((other, which)) if other == member => 1 << 32 | which as u64,
                    Some((other, which)) => {
                        refers = true;
                        (involved[member], involved[other]) = (true, true);
                        2 << 32 | which as u64
                    }
                };
                colours[member] = mix(colours[member], seen);
            }
        }
        for (number, Family { cells, naming, .. }) in self.alone.iter().enumerate() {
            for cell in cells {
                if let Some((member, which)) = cell.named(state, naming.as_ref()) {
                    let seen = mix(3 << 32 | number as u64, which as u64);
                    colours[member] = mix(colours[member], seen);
                    // Which of several cells it is that names a member, its colour does not say.
                    involved[member] |= cells.len() > 1;
                }
            }
        }
        refers
    }

    /// Refines colours as long as that tells more members apart.
    fn refine(&self, state: &[Word], work: &mut Work) {
        let mut before = distinct(&work.colours, &mut work.counted);
        while before < work.colours.len() {
            let Work { colours, refined, .. } = work;
            refined.clear();
            refined.resize(colours.len(), 0);
            self.look_around(state, colours, refined);
            colours.iter_mut().zip(refined.iter()).for_each(|(old, new)| *old = mix(*old, *new));
            let now = distinct(colours, &mut work.counted);
            if now == before {
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
                let other = cell.named(state, naming.as_ref()).filter(|it| it.0 != member);
                if let Some((other, which)) = other {
                    add(member, family, mix(which as u64, colours[other]));
                    add(other, family + 1, mix(which as u64, colours[member]));
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
                    Some((named, which)) if named == one => 1 << 32 | which as u64,
                    Some((named, which)) if named == other => 2 << 32 | which as u64,
                    Some((named, which)) => mix(3 << 32 | which as u64, colours[named]),
                };
                if one == other {
                    add(one, family + 2, seen);
                    continue;
                }
                add(one, family + 3, mix(seen, colours[other]));
                add(other, family + 4, mix(seen, colours[one]));
                if let Some((named, _)) = named {
                    add(named, family + 5, mix(colours[one], colours[other]));
                }
            }
        }
    }

    /// Sends members where their colours put them. How many permutations make a difference,
    /// at most; whether it matters how those of one colour are sorted.
    fn sort(&self, state: &[Word], work: &mut Work) -> (u64, bool) {
        let Work { colours, involved, sorted, places, way, .. } = work;
        way.clear();
        way.extend((0..colours.len()).map(|member| member as u8));
        let (mut permutations, mut tie) = (1u64, false);
        for class in &self.classes {
            places.clear();
            places.extend(class.iter().copied().filter(|member| self.is_there(*member, state)));
            sorted.clear();
            sorted.extend_from_slice(places);
            sorted.sort_by_key(|member| colours[*member]);
            let mut alike = 0;
            for (at, (member, place)) in sorted.iter().zip(places.iter()).enumerate() {
                way[*member] = *place as u8;
                let is_like = at > 0 && colours[sorted[at - 1]] == colours[*member];
                alike = if is_like { alike + 1 } else { 1 };
                tie |= is_like && involved[*member];
                permutations = permutations.saturating_mul(at as u64 + 1) / alike;
            }
        }
        (permutations, tie)
    }

    /// The first members of one colour of whom it matters who comes first.
    fn tied(&self, work: &mut Work) -> Option<Vec<Member>> {
        for class in &self.classes {
            let there = class.iter().copied().filter(|it| self.is_there(*it, &work.from));
            let mut sorted: Vec<Member> = there.collect();
            sorted.sort_by_key(|member| work.colours[*member]);
            let mut rest = sorted.as_slice();
            while let [first, others @ ..] = rest {
                let is_like = |other: &&Member| work.colours[**other] == work.colours[*first];
                let (alike, behind) = rest.split_at(1 + others.iter().take_while(is_like).count());
                let involved = alike.len() > 1 && alike.iter().any(|it| work.involved[*it]);
                if involved && !self.is_free(alike, work) {
                    return Some(alike.to_vec());
                }
                rest = behind;
            }
        }
        None
    }

    /// Whether members of one colour can be exchanged without any difference.
    fn is_free(&self, alike: &[Member], work: &mut Work) -> bool {
        let Work { from, tried, way, .. } = work;
        alike.windows(2).all(|pair| {
            way.iter_mut().enumerate().for_each(|(member, to)| *to = member as u8);
            way.swap(pair[0], pair[1]);
            tried.clear();
            tried.extend_from_slice(from);
            self.permute(from, tried, way);
            tried == from
        })
    }
}

/// The least of the states that ties lead to, and where members go for it.
struct Search<'o> {
    orbits: &'o Orbits,
    best: Option<(Vec<Word>, Vec<u8>)>,
    tries: usize,
}

impl Search<'_> {
    /// Each member of a tie comes first once. As deep as there are members, at most.
    fn split(&mut self, work: &mut Work) {
        let Some(alike) = self.orbits.tied(work) else { return self.compare(work) };
        let colours = work.colours.clone();
        for first in alike {
            if self.tries >= TRIES {
                return;
            }
            work.colours.copy_from_slice(&colours);
            work.colours[first] = mix(colours[first], 1);
            let from = std::mem::take(&mut work.from);
            self.orbits.refine(&from, work);
            work.from = from;
            self.split(work);
        }
    }

    fn compare(&mut self, work: &mut Work) {
        self.tries += 1;
        let from = std::mem::take(&mut work.from);
        self.orbits.sort(&from, work);
        let Work { tried, way, .. } = work;
        tried.clear();
        tried.extend_from_slice(&from);
        self.orbits.permute(&from, tried, way);
        if self.best.as_ref().is_none_or(|(best, _)| *tried < *best) {
            self.best = Some((tried.clone(), way.clone()));
        }
        work.from = from;
    }
}

fn distinct(colours: &[u64], counted: &mut Vec<u64>) -> usize {
    counted.clear();
    counted.extend_from_slice(colours);
    counted.sort_unstable();
    counted.dedup();
    counted.len()
}
