//! From words to keys and back.
//!
//! The leaves number the values of the words. The key of a state is a field per
//! child of the root: a leaf's number, or the number of a pair. A pair numbers what
//! two nodes below it say, 32 bits each, so only the fields of the root can become
//! too narrow. What the words of a [`Cursor`]'s state say at each pair is kept with
//! the cursor: the next state is loaded as what differs from it, and a successor is
//! interned likewise. So a state of a thousand bytes of which a step changes two words
//! costs a few pairs on the way to the root.

mod pairs;

use crate::bits::{Bits, Moves};
use crate::differ::{COMPARED, differing};
use crate::index::{Index, Missing};
use crate::mix::Mix;
use crate::share_out::share_out;
use crate::table::Table;
use crate::{Account, Full};
use std::sync::Mutex;

/// A key has at most so many bits.
pub const KEY_BITS_MAX: u32 = 62;

/// Of more fields that vary neighbours are paired whatever that saves: with fewer than two or
/// three bits per field the layout would change all the time.
pub(crate) const VARYING_MAX: usize = 24;
/// Of fields that do not vary so many may remain.
const CONSTANT_MAX: usize = 4;

const HALF: u32 = 32;
const BITS: usize = u64::BITS as usize;

/// Why a state has no key yet. See [`Collapse::adapt`](crate::Collapse::adapt).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    pub(crate) node: Name,
    pub(crate) missing: Missing,
}

/// The name of a node: a leaf, or behind the leaves a pair.
pub(crate) type Name = usize;

/// Whose field a node's number goes into: the key's, or behind it a pair's value.
type Place = usize;
const KEY: Place = 0;

#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) index: Index,
    /// Where its number goes, and which bits of that.
    place: Place,
    bits: Bits,
}

impl Node {
    /// Bits that no number so far needs.
    fn unused(&self) -> u32 {
        self.bits.width().saturating_sub(self.index.bits())
    }
}

/// A state that successors are compared with.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    /// Its key, then the value of each of its pairs.
    values: Vec<u64>,
    /// Where there are pairs, its words, and the version of the layout that all this is of.
    words: Vec<u64>,
    version: u32,
    /// Pairs whose values have changed, with the new ones.
    stale: Vec<(Name, u64)>,
    /// The same for the successor being interned, where it is known to differ; and where
    /// that is, a bit each.
    changed: Vec<u64>,
    differs: Vec<u64>,
}

/// The numbering of values and the layout of keys.
#[derive(Debug)]
pub(crate) struct Tree {
    words: usize,
    /// A key has at most so many bits.
    pub(crate) bits_max: u32,
    /// The leaves, then the pairs; what a pair pairs stands before it.
    nodes: Vec<Node>,
    /// The children of the root from the lowest field up.
    fields: Vec<Name>,
    /// Those that have bits. A state may have hundreds of words of which few vary: the others
    /// are the same in all states, and cost none of them anything.
    wide: Vec<Name>,
    /// The children of each pair.
    children: Vec<[Name; 2]>,
    /// Changes with places and bits.
    version: u32,
}

impl Tree {
    pub(crate) fn new(words: usize, bits_max: u32) -> Self {
        let nodes = (0..words).map(|_| Node::default()).collect();
        let (fields, wide, children) = ((0..words).collect(), Vec::new(), Vec::new());
        let mut tree = Self { words, bits_max, nodes, fields, wide, children, version: 0 };
        tree.lay_out(&tree.needs(None));
        tree
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.nodes.iter().map(|node| node.index.bytes()).sum()
    }

    /// The field of the root that a word goes into, by itself or in a pair.
    pub(crate) fn field(&self, word: usize) -> &Bits {
        let mut node = &self.nodes[word];
        while node.place != KEY {
            node = &self.nodes[node.place - 1 + self.words];
        }
        &node.bits
    }

    /// Whether every word has a field of its own, and they are few.
    #[inline(always)]
    fn is_flat(&self) -> bool {
        self.nodes.len() == self.words && self.words <= COMPARED
    }

    /// Points the cursor to the state of `key` and writes its words.
    #[inline]
    pub(crate) fn load(&self, cursor: &mut Cursor, key: u64, words: &mut [u64]) {
        if self.is_flat() && !cursor.values.is_empty() {
            cursor.values[KEY] = key;
            for (leaf, word) in self.nodes.iter().zip(words) {
                *word = leaf.index.value(leaf.bits.take(key));
            }
            return;
        }
        let same = cursor.version == self.version && cursor.values.len() == self.children.len() + 1;
        if same {
            self.move_to(cursor, key)
        } else {
            self.point_to(cursor, key)
        }
        words.copy_from_slice(&cursor.words);
    }

    /// Points the cursor to a state, wherever it pointed before.
    #[cold]
    fn point_to(&self, cursor: &mut Cursor, key: u64) {
        let (leaves, pairs) = self.nodes.split_at(self.words);
        cursor.version = self.version;
        for list in [&mut cursor.values, &mut cursor.changed] {
            list.resize(pairs.len() + 1, 0);
        }
        cursor.differs.clear();
        cursor.differs.resize(pairs.len() / BITS + 1, 0);
        cursor.values[KEY] = key;
        for (at, pair) in pairs.iter().enumerate().rev() {
            cursor.values[at + 1] = pair.index.value(pair.bits.take(cursor.values[pair.place]));
        }
        let word = |leaf: &Node| leaf.index.value(leaf.bits.take(cursor.values[leaf.place]));
        cursor.words = leaves.iter().map(word).collect();
    }

    /// Moves the cursor from one state to another: a pair of the same number has the same words.
    fn move_to(&self, cursor: &mut Cursor, key: u64) {
        cursor.differs.fill(0);
        let before = std::mem::replace(&mut cursor.values[KEY], key);
        for name in &self.wide {
            self.renew(cursor, *name, (before, key));
        }
        while let Some((pair, value)) = cursor.stale.pop() {
            let at = pair - self.words;
            let before = std::mem::replace(&mut cursor.values[at + 1], value);
            for child in self.children[at] {
                self.renew(cursor, child, (before, value));
            }
        }
    }

    /// Notes what a node says if its number has changed in the value that it is a part of.
    #[inline(always)]
    fn renew(&self, cursor: &mut Cursor, name: Name, (before, value): (u64, u64)) {
        let node = &self.nodes[name];
        if (before ^ value) & node.bits.all() == 0 {
            return;
        }
        let value = node.index.value(node.bits.take(value));
        match cursor.words.get_mut(name) {
            Some(word) => *word = value,
            None => cursor.stale.push((name, value)),
        }
    }

    /// The key of `state`, a successor of the cursor's state with the words `parent`.
    #[inline]
    pub(crate) fn intern(
        &self,
        cursor: &mut Cursor,
        parent: &[u64],
        state: &[u64],
    ) -> Result<u64, Need> {
        if self.is_flat() {
            return self.differ(cursor.values[KEY], parent, state);
        }
        let mut key = cursor.values[KEY];
        for (at, (parent, state)) in parent.chunks(COMPARED).zip(state.chunks(COMPARED)).enumerate()
        {
            let mut differ = differing(parent, state);
            while differ != 0 {
                let word = differ.trailing_zeros() as usize;
                differ &= differ - 1;
                let number = self.number(COMPARED * at + word, state[word])?;
                let leaf = &self.nodes[COMPARED * at + word];
                if leaf.place == KEY {
                    key = leaf.bits.put(key, number);
                } else {
                    cursor.change(leaf, number);
                }
            }
        }
        self.climb(cursor, key)
    }

    /// The keys of all of `states`, successors of the cursor's state, one behind the
    /// other: `take` gets them in order.
    #[inline]
    pub(crate) fn intern_all(
        &self,
        cursor: &mut Cursor,
        (parent, states): (&[u64], &[u64]),
        mut take: impl FnMut(u64),
    ) -> Result<(), Need> {
        let width = parent.len().max(1);
        // Not `chunks_exact`, which begins with a division.
        let mut rest = states;
        while let Some((state, behind)) = rest.split_at_checked(width) {
            take(self.intern(cursor, parent, state)?);
            rest = behind;
        }
        Ok(())
    }

    /// The key of a state where every word has a field of its own.
    #[inline(always)]
    fn differ(&self, mut key: u64, parent: &[u64], state: &[u64]) -> Result<u64, Need> {
        let mut differ = differing(parent, state);
        while differ != 0 {
            let name = differ.trailing_zeros() as usize;
            differ &= differ - 1;
            let (leaf, new) = (&self.nodes[name], state[name]);
            let number = match leaf.index.find(new) {
                Some(number) => u64::from(number),
                None => self.new_number(name, new)?,
            };
            key = leaf.bits.put(key, number);
        }
        Ok(key)
    }

    /// Numbers the pairs that differ, from the leaves up: what a pair pairs stands before it.
    fn climb(&self, cursor: &mut Cursor, mut key: u64) -> Result<u64, Need> {
        for at in 0..cursor.differs.len() {
            while cursor.differs[at] != 0 {
                let place = BITS * at + cursor.differs[at].trailing_zeros() as usize;
                cursor.differs[at] &= cursor.differs[at] - 1;
                let name = place - 1 + self.words;
                let number = self.number(name, cursor.changed[place])?;
                let pair = &self.nodes[name];
                if pair.place == KEY {
                    key = pair.bits.put(key, number);
                } else {
                    cursor.change(pair, number);
                }
            }
        }
        Ok(key)
    }

    #[inline(always)]
    fn number(&self, name: Name, value: u64) -> Result<u64, Need> {
        let node = &self.nodes[name];
        match node.index.find(value) {
            Some(number) => Ok(u64::from(number)),
            None => self.new_number(name, value),
        }
    }

    #[cold]
    fn new_number(&self, name: Name, value: u64) -> Result<u64, Need> {
        let node = &self.nodes[name];
        let number = node.index.add(value, node.bits.most() + 1);
        number.map(u64::from).map_err(|missing| Need { node: name, missing })
    }

    /// Whether the bits of a node hold the number of one more value.
    pub(crate) fn has_width(&self, name: Name) -> bool {
        let node = &self.nodes[name];
        (node.index.len() as u64) <= node.bits.most()
    }

    /// Whether the table of a node has room for one more value.
    pub(crate) fn has_room(&self, name: Name) -> bool {
        self.nodes[name].index.has_room()
    }

    /// Makes room at a node. The first state has a value at every node: room for that one is made
    /// everywhere at once, or a state of many words would be tried as often as it has words.
    pub(crate) fn make_room(&mut self, name: Name, account: &mut dyn Account) -> Result<(), Full> {
        if self.nodes[name].index.len() > 0 {
            return self.nodes[name].index.grow(account);
        }
        let mut bare = self.nodes[name..].iter_mut().filter(|node| !node.index.has_room());
        bare.try_for_each(|node| node.index.grow(account))
    }

    /// The key of a state that is no successor of another.
    pub(crate) fn start(&self, cursor: &mut Cursor, state: &[u64]) -> Result<u64, Need> {
        let mut values = vec![0; self.nodes.len() - self.words + 1];
        for (name, node) in self.nodes.iter().enumerate() {
            let value = if name < self.words { state[name] } else { values[name - self.words + 1] };
            values[node.place] = node.bits.put(values[node.place], self.number(name, value)?);
        }
        cursor.values.clear();
        Ok(values[KEY])
    }

    pub(crate) fn field_at(&self, at: usize) -> Name {
        self.fields[at]
    }

    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// The bits each field needs if this word has one more value than numbers now.
    pub(crate) fn needs_for(&self, growing: Option<Name>) -> Vec<u32> {
        let more = |name: &Name| u32::from(Some(*name) == growing);
        self.fields.iter().map(|name| self.nodes[*name].index.bits() + more(name)).collect()
    }

    pub(crate) fn has_pairs(&self) -> bool {
        self.nodes.len() > self.words
    }

    /// The bits each field needs; `growing` needs one more than its numbers do.
    pub(crate) fn needs(&self, growing: Option<Name>) -> Vec<u32> {
        let need = |name: &Name| {
            let bits = self.nodes[*name].index.bits();
            if growing == Some(*name) { bits.max(self.width(*name)) + 1 } else { bits }
        };
        self.fields.iter().map(need).collect()
    }

    fn width(&self, name: Name) -> u32 {
        self.nodes[name].bits.width()
    }

    pub(crate) fn fits(&self, needs: &[u32]) -> bool {
        needs.iter().sum::<u32>() <= self.bits_max
    }

    /// Puts the fields that vary, and the one that is about to, before those that do not, both
    /// in the order of their words.
    pub(crate) fn order(&mut self, growing: Option<Name>) {
        let mut fields = std::mem::take(&mut self.fields);
        let varies = |name: Name| Some(name) == growing || self.nodes[name].index.bits() > 0;
        fields.sort_by_key(|name| (!varies(*name), self.first_word(*name)));
        self.fields = fields;
    }

    fn first_word(&self, mut name: Name) -> Name {
        while let Some([first, _]) = name.checked_sub(self.words).map(|at| self.children[at]) {
            name = first;
        }
        name
    }

    /// Gives each field the bits it needs and shares out the rest: to each as it has
    /// grown so far, for a field that has many values gets more, and one that has few
    /// often stays so. No field needs more than 32.
    pub(crate) fn lay_out(&mut self, needs: &[u32]) {
        // One more each than they need, so that a field without any gets its share, unless
        // there are too many.
        let many = needs.len() > VARYING_MAX;
        let weight = |need: u32| if many && need == 0 { 0 } else { need + 1 };
        let mut spare = self.bits_max - needs.iter().sum::<u32>().min(self.bits_max);
        let mut weights: u32 = needs.iter().map(|need| weight(*need)).sum();
        let mut shift = 0;
        self.version += 1;
        for (name, need) in self.fields.iter().zip(needs) {
            let share = spare * weight(*need) / weights.max(1);
            (weights, spare) = (weights - weight(*need), spare - share);
            let width = (need + share).min(HALF);
            let node = &mut self.nodes[*name];
            (node.place, node.bits) = (KEY, Bits::run(shift, width));
            shift += width;
        }
        self.wide = self.fields.iter().copied().filter(|name| self.width(*name) > 0).collect();
    }

    /// Gives a field one more bit, one that another has no use for yet: no key changes.
    pub(crate) fn lend(&mut self, name: Name) -> bool {
        let others = self.fields.iter().filter(|other| **other != name);
        let lender = others.max_by_key(|other| self.nodes[**other].unused()).copied();
        let lender = lender.filter(|other| self.nodes[*other].unused() > 0);
        let bit = lender.and_then(|lender| self.nodes[lender].bits.lend());
        self.version += 1;
        if let Some(bit) = bit {
            self.nodes[name].bits.borrow(bit);
            if !self.wide.contains(&name) {
                self.wide.push(name);
            }
        }
        bit.is_some()
    }

    /// The old layout, for [`Tree::recode`].
    pub(crate) fn layout(&self) -> Layout {
        let field = |name: &Name| (*name, self.nodes[*name].bits.clone());
        Layout { fields: self.fields.iter().map(field).collect() }
    }

    /// Puts each field `at` of these and the next one under a pair.
    pub(crate) fn pair(&mut self, firsts: &[usize]) {
        self.version += 1;
        for at in firsts.iter().rev() {
            let place = self.nodes.len() - self.words + 1;
            self.children.push([self.fields[*at], self.fields[at + 1]]);
            for (half, name) in [(0, self.fields[*at]), (HALF, self.fields[at + 1])] {
                let node = &mut self.nodes[name];
                (node.place, node.bits) = (place, Bits::run(half, HALF));
            }
            self.fields[*at] = self.nodes.len();
            self.fields.remove(at + 1);
            self.nodes.push(Node::default());
        }
    }

    /// Takes the last pairs back, down to so many nodes.
    pub(crate) fn unpair(&mut self, nodes: usize, old: &Layout) {
        self.version += 1;
        self.nodes.truncate(nodes);
        self.children.truncate(nodes - self.words);
        self.fields = old.fields.iter().map(|(name, _)| *name).collect();
        for (name, bits) in &old.fields {
            let node = &mut self.nodes[*name];
            (node.place, node.bits) = (KEY, bits.clone());
        }
    }

    pub(crate) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// How keys of the old layout read in the new one.
    pub(crate) fn recoding(&self, old: &Layout) -> Recoding {
        let below = |place: Place| {
            old.fields.iter().filter(move |(name, _)| self.nodes[*name].place == place)
        };
        let of = |place: Place| {
            Moves::new(below(place).map(|(name, bits)| (bits, &self.nodes[*name].bits)))
        };
        // A pair of fields without bits has a number, too.
        let pairs = (1..=self.nodes.len() - self.words).filter(|at| below(*at).next().is_some());
        let pairs = pairs.map(|at| (at - 1 + self.words, of(at))).collect();
        Recoding { fields: of(KEY), pairs }
    }

    /// Numbers the new pairs that the keys of a table have, pair by pair, with its threads.
    pub(crate) fn add_all_pairs(
        &mut self,
        recoding: &Recoding,
        (table, mix): (&Table, Mix),
        account: &mut dyn Account,
    ) -> Result<(), Full> {
        let patience = account.patience();
        let account = Mutex::new(account);
        let mut pairs: Vec<_> = recoding
            .pairs
            .iter()
            .map(|(name, moves)| (*name, moves, Index::default(), Ok(())))
            .collect();
        share_out(table.threads(), &mut pairs, |(_, moves, index, end)| {
            let mut seen = 0;
            *end = table.visit(|key| {
                seen += 1;
                if !patience.lasts_at(seen) {
                    return Err(Full);
                }
                index.add_growing(moves.of(mix.number_of(key)), &mut &account).map(drop)
            });
        });
        for (name, _, index, end) in pairs {
            self.nodes[name].index = index;
            end?;
        }
        Ok(())
    }

    /// Numbers the new pairs that a key of the old layout has.
    pub(crate) fn add_pairs(
        &mut self,
        recoding: &Recoding,
        key: u64,
        account: &mut dyn Account,
    ) -> Result<(), Full> {
        for (name, moves) in &recoding.pairs {
            self.nodes[*name].index.add_growing(moves.of(key), account)?;
        }
        Ok(())
    }

    /// A key of the old layout in the new one. Its pairs are numbered.
    pub(crate) fn recode(&self, recoding: &Recoding, key: u64) -> u64 {
        let mut recoded = recoding.fields.of(key);
        for (name, moves) in &recoding.pairs {
            let node = &self.nodes[*name];
            let number = node.index.find(moves.of(key));
            debug_assert!(number.is_some(), "the pairs of every key were numbered");
            recoded = node.bits.put(recoded, u64::from(number.unwrap_or(0)));
        }
        recoded
    }
}

/// How keys change with the layout: which bits of a key become which of the next one, and
/// which become which of the value of a new pair.
#[derive(Debug)]
pub(crate) struct Recoding {
    fields: Moves,
    pairs: Vec<(Name, Moves)>,
}

impl Cursor {
    #[inline]
    fn change(&mut self, node: &Node, number: u64) {
        let (at, bit) = (node.place, 1 << (node.place % BITS));
        let differs = &mut self.differs[at / BITS];
        let value = if *differs & bit != 0 { self.changed[at] } else { self.values[at] };
        self.changed[at] = node.bits.put(value, number);
        *differs |= bit;
    }
}

/// Where the fields of the root lay before the layout changed.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    fields: Vec<(Name, Bits)>,
}

impl Layout {
    /// The values of two neighbouring fields in a key.
    pub(crate) fn neighbours(&self, at: usize, key: u64) -> (u64, u64) {
        let field = |at: usize| self.fields[at].1.take(key) as u64;
        (field(at), field(at + 1))
    }
}
