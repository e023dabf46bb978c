//! States with their keys, and the keys met: a [`Tree`] and a [`Table`].

use crate::bits::Bits;
use crate::index::Missing;
use crate::mix::Mix;
use crate::pairing;
use crate::slots::{OPEN, SMALL_BITS};
use crate::table::FEW;
use crate::tree::{Cursor, KEY_BITS_MAX, Layout, Name, Need, Tree};
use crate::{Account, Full, Lookup, Patience, Table};

/// A new layout is made while there are at most so many keys, and four times as many as
/// for the one before. Later a field that is too narrow borrows bits of others: with few
/// keys every field is narrow, and one that has borrowed often is dear to read.
const LAID_OUT_MAX: usize = FEW;
/// Fields that need so many bits by then will mostly do with [small keys](crate::slots) for
/// good: of thirteen models five had fewer, and one of those had too many later.
const BITS_TO_SHRINK: u32 = 34;
/// With so many keys pairs that were chosen with a handful are chosen again.
const KEYS_TO_PAIR_AGAIN: usize = 1 << 8;
/// So many keys that are held are changed whether or not there is time.
const HELD_IN_ANY_CASE: usize = 1 << 15;
/// Whoever holds keys, or numbers of keys: calls its argument with each of them, to change it.
/// Called more than once, each time with the same ones in the same order.
pub type Held<'a> = dyn FnMut(&mut dyn FnMut(&mut u64, Form)) + 'a;

/// Which slots the table has from now on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NextSlots {
    Same,
    Small,
    Wide,
}

/// In which form somebody holds a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// By its key.
    Key,
    /// By the [number](Collapse::number_of) of its key.
    Number,
}

/// Which states are known. Exact.
#[derive(Debug)]
pub struct Collapse {
    tree: Tree,
    table: Table,
    /// Wide keys have at most so many bits.
    key_bits: u32,
    /// With more keys it is looked whether other pairs, or small keys, would do better.
    decides_at: usize,
    /// How many keys there were when all fields were laid out, and how often they were.
    laid_out: usize,
    layouts: u32,
}

impl Collapse {
    /// For states of so many words; so many threads make it grow.
    pub fn new(words: usize, threads: usize) -> Self {
        Self::with_key_bits(words, KEY_BITS_MAX, threads)
    }

    /// The same with shorter keys: the layout changes sooner.
    pub fn with_key_bits(words: usize, bits_max: u32, threads: usize) -> Self {
        let key_bits = bits_max.min(KEY_BITS_MAX);
        let (tree, table) = (Tree::new(words, key_bits), Table::new(threads));
        Self { tree, table, key_bits, decides_at: KEYS_TO_PAIR_AGAIN, laid_out: 0, layouts: 0 }
    }

    #[inline(always)]
    fn mix(&self) -> Mix {
        if self.table.is_small() { Mix::Small } else { Mix::Wide }
    }

    /// The key of a number.
    #[inline(always)]
    pub fn key_of(&self, number: u64) -> u64 {
        self.mix().key_of(number)
    }

    /// The number of a key: its fields.
    #[inline(always)]
    pub fn number_of(&self, key: u64) -> u64 {
        self.mix().number_of(key)
    }

    /// The table of the keys.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The table of the keys, to change.
    #[inline(always)]
    pub fn table_mut(&mut self) -> &mut Table {
        &mut self.table
    }

    /// No key is added any more, so it will not be decided whether small ones would do.
    pub fn finish(&mut self) {
        self.decides_at = usize::MAX;
    }

    /// The bytes held, by the index tables and by the table of the keys.
    pub fn bytes(&self) -> u64 {
        self.tree.bytes() + self.table.bytes()
    }

    /// The bits of the [number](Collapse::number_of) of a key that say what this word of the
    /// state is, and perhaps others with it. Valid until [`Collapse::adapt`].
    pub fn field(&self, word: usize) -> &Bits {
        self.tree.field(word)
    }

    /// How often all keys changed. While they do not, a field only gains or gives up bits that
    /// are zero in the numbers of all keys so far.
    pub fn layouts(&self) -> u32 {
        self.layouts
    }

    /// Points the cursor to the state of `key` and writes its words.
    #[inline]
    pub fn load(&self, cursor: &mut Cursor, key: u64, words: &mut [u64]) {
        self.tree.load(cursor, self.number_of(key), words);
    }

    /// The key of `state`, which mostly equals `parent`, the words of the cursor's
    /// state. If it has none yet, [`Collapse::adapt`], load again and try again.
    #[inline]
    pub fn intern(&self, cursor: &mut Cursor, parent: &[u64], state: &[u64]) -> Result<u64, Need> {
        self.decided()?;
        self.tree.intern(cursor, parent, state).map(|number| self.key_of(number))
    }

    /// The same for all of `states`, one behind the other: `take` gets the numbers of the
    /// [keys](Collapse::key_of).
    #[inline]
    pub fn intern_all(
        &self,
        cursor: &mut Cursor,
        family: (&[u64], &[u64]),
        take: impl FnMut(u64),
    ) -> Result<(), Need> {
        self.decided()?;
        self.tree.intern_all(cursor, family, take)
    }

    /// Makes keys of numbers and starts to fetch the lines where they lie or will lie.
    #[inline]
    pub fn ask_for(&self, numbers: &mut [u64]) {
        for number in numbers {
            *number = self.key_of(*number);
            self.table.prefetch(*number);
        }
    }

    /// The key of any state. The cursor points nowhere afterwards.
    pub fn start(&self, cursor: &mut Cursor, state: &[u64]) -> Result<u64, Need> {
        self.tree.start(cursor, state).map(|number| self.key_of(number))
    }

    /// Looks a key up and adds it, open, if it is new.
    #[inline(always)]
    pub fn insert(&mut self, key: u64) -> Lookup {
        self.table.insert(key)
    }

    /// Whether what was missing is there by now.
    pub fn provides(&self, need: Need) -> bool {
        match need.missing {
            Missing::Decision => !self.is_due(),
            Missing::Room => self.tree.has_room(need.node),
            Missing::Width => self.tree.has_width(need.node),
        }
    }

    /// Provides what was missing: a larger index table, a wider field, or a decision. If no
    /// other field has a bit to lend, or keys become small, all keys change, those in the table
    /// and those `held`. On failure none has.
    #[cold]
    pub fn adapt(
        &mut self,
        need: Need,
        account: &mut dyn Account,
        held: &mut Held,
    ) -> Result<(), Full> {
        if self.table.is_abandoned() {
            return Err(Full);
        }
        self.table.ask(account);
        match need.missing {
            Missing::Decision => self.decide(account, held),
            Missing::Room => self.tree.make_room(need.node, account),
            Missing::Width if self.lends(need.node) => Ok(()),
            Missing::Width => self.lay_out(need.node, account, held),
        }
    }

    /// Whether it is time for a decision.
    #[inline(always)]
    fn is_due(&self) -> bool {
        self.table.len() > self.decides_at
    }

    #[inline(always)]
    fn decided(&self) -> Result<(), Need> {
        let need = Need { node: 0, missing: Missing::Decision };
        if self.is_due() { Err(need) } else { Ok(()) }
    }

    /// Other pairs, if there are any. Later, from then on keys are small if that will do and there
    /// is memory to change them all.
    #[cold]
    fn decide(&mut self, account: &mut dyn Account, held: &mut Held) -> Result<(), Full> {
        if self.decides_at < FEW {
            self.decides_at = FEW;
            let again = self.tree.has_pairs() && self.are_pairs_chosen_again();
            return if again { self.pair_again(None, account, held).map(drop) } else { Ok(()) };
        }
        self.decides_at = usize::MAX;
        self.tree.pair_constant(account);
        let needs = self.tree.needs(None);
        let fits = needs.iter().sum::<u32>() <= BITS_TO_SHRINK.min(self.key_bits);
        if fits && self.table.make_room_to_shrink(account).is_ok() {
            let old = self.tree.layout();
            self.tree.bits_max = SMALL_BITS.min(self.key_bits);
            return self.recode(&old, &needs, (NextSlots::Small, account.patience()), held);
        }
        Ok(())
    }

    /// Whether the node is wider now and no key changed.
    fn lends(&mut self, node: Name) -> bool {
        let keys = self.table.len();
        let again = keys <= LAID_OUT_MAX && keys >= 4 * self.laid_out;
        !again && self.tree.lend(node)
    }

    fn lay_out(
        &mut self,
        node: Name,
        account: &mut dyn Account,
        held: &mut Held,
    ) -> Result<(), Full> {
        let has_news = self.laid_out < self.table.len();
        let again = self.tree.has_pairs() && has_news && self.are_pairs_chosen_again();
        if again && self.pair_again(Some(node), account, held)? {
            return Ok(());
        }
        self.tree.order(Some(node));
        let (old, nodes) = (self.tree.layout(), self.tree.nodes());
        let mut firsts = Vec::new();
        let mut needs = self.tree.needs(Some(node));
        let slots = if self.table.is_small() { NextSlots::Wide } else { NextSlots::Same };
        if slots == NextSlots::Wide {
            self.table.make_room_to_widen(account)?;
            self.tree.bits_max = self.key_bits;
        }
        if !self.tree.fits(&needs) {
            firsts = self.neighbours(&old, &needs);
            self.tree.pair(&firsts);
            let numbered = self.number_pairs(&old, account, held);
            numbered.inspect_err(|_| self.take_back(nodes, &old))?;
            needs = self.tree.needs(Some(node));
        }
        if !self.tree.fits(&needs) {
            // The sample had promised more. Without the growing one the fields fit,
            // for a pair never needs more bits than its two fields; the next call
            // pairs again, until one field is left.
            if firsts.is_empty() {
                self.take_back(nodes, &old);
                return Err(Full);
            }
            needs = self.tree.needs(None);
        }
        self.recode(&old, &needs, (slots, account.patience()), held)
    }

    /// Lays all fields out and changes all keys, and the slots if need be.
    fn recode(
        &mut self,
        old: &Layout,
        needs: &[u32],
        (slots, patience): (NextSlots, Patience),
        held: &mut Held,
    ) -> Result<(), Full> {
        self.tree.lay_out(needs);
        (self.laid_out, self.layouts) = (self.table.len(), self.layouts + 1);
        let (tree, recoding, before) = (&self.tree, self.tree.recoding(old), self.mix());
        let after = match slots {
            NextSlots::Same => before,
            NextSlots::Small => Mix::Small,
            NextSlots::Wide => Mix::Wide,
        };
        let number = |number: u64| tree.recode(&recoding, number);
        Change { number, before, after }.all((&mut self.table, slots), patience, held)
    }

    /// The layout stays as it was, with so many nodes.
    fn take_back(&mut self, nodes: usize, old: &Layout) {
        self.tree.unpair(nodes, old);
        if self.table.is_small() {
            self.tree.bits_max = self.key_bits.min(SMALL_BITS);
        }
    }

    fn number_pairs(
        &mut self,
        old: &Layout,
        account: &mut dyn Account,
        held: &mut Held,
    ) -> Result<(), Full> {
        let (recoding, mix) = (self.tree.recoding(old), self.mix());
        let (tree, patience) = (&mut self.tree, account.patience());
        tree.add_all_pairs(&recoding, (&self.table, mix), account)?;
        let (mut numbered, mut seen) = (Ok(()), 0);
        held(&mut |held, form| {
            seen += 1;
            if !patience.lasts_at(seen) {
                numbered = Err(Full);
            }
            let number = if form == Form::Key { mix.number_of(*held) } else { *held };
            if numbered.is_ok() {
                numbered = tree.add_pairs(&recoding, number, account);
            }
        });
        numbered
    }

    /// Some numbers of keys, if so many fields vary.
    fn sample(&self, varying: usize) -> Vec<u64> {
        let keys = self.table.sample(pairing::sample_of(varying)).into_iter();
        keys.map(|key| self.number_of(key)).collect()
    }

    /// Which fields to pair with their next one. Those that vary come first.
    fn neighbours(&self, old: &Layout, needs: &[u32]) -> Vec<usize> {
        let varying = needs.iter().take_while(|need| **need > 0).count();
        let sample = self.sample(varying);
        pairing::neighbours(&needs[..varying], |at| {
            let pairs = sample.iter().map(|number| old.neighbours(at, *number));
            pairing::gain(needs[at] + needs[at + 1], pairs)
        })
    }

    fn are_pairs_chosen_again(&self) -> bool {
        pairing::are_chosen_again(self.table.len(), self.tree.words())
    }

    /// Chooses all pairs again and changes all keys, for a node to grow; `false` if there is no
    /// room, or what the sample showed does not hold: then nothing has changed.
    fn pair_again(
        &mut self,
        growing: Option<Name>,
        account: &mut dyn Account,
        held: &mut Held,
    ) -> Result<bool, Full> {
        let (mix, sample) = (self.mix(), self.sample(self.tree.words()));
        let mut tree = self.tree.paired_again(&sample, growing);
        let (old, mut numbered) = (&self.tree, Ok(()));
        let mut number = |number: u64| {
            if numbered.is_ok() {
                numbered = tree.add_pairs_of(&old.leaves_of(number), account);
            }
        };
        let _: Result<(), ()> = self.table.visit(|key| {
            number(mix.number_of(key & !OPEN));
            Ok(())
        });
        held(&mut |held, form| {
            number(if form == Form::Key { mix.number_of(*held) } else { *held });
        });
        let mut needs = tree.needs_for(growing);
        if !tree.fits(&needs) {
            needs = tree.needs(None);
        }
        if numbered.is_err() || !tree.fits(&needs) {
            account.give(tree.pair_bytes());
            self.tree.exchange_leaves(&mut tree);
            return Ok(false);
        }
        account.give(self.tree.pair_bytes());
        tree.lay_out(&needs);
        let old = std::mem::replace(&mut self.tree, tree);
        let tree = &self.tree;
        let number = |number: u64| tree.number_of(&old.leaves_of(number));
        (self.laid_out, self.layouts) = (self.table.len(), self.layouts + 1);
        let change = Change { number, before: mix, after: mix };
        change.all((&mut self.table, NextSlots::Same), account.patience(), held).map(|()| true)
    }
}

/// How keys change.
struct Change<N> {
    /// The new number of an old one.
    number: N,
    before: Mix,
    after: Mix,
}

impl<N: Fn(u64) -> u64 + Sync> Change<N> {
    fn key(&self, key: u64) -> u64 {
        self.after.key_of((self.number)(self.before.number_of(key)))
    }

    /// Changes all keys, and the slots if need be. If there is no time for it the table is
    /// abandoned. The first keys that are held are changed nevertheless: what a search came upon
    /// last is among them, and will be reported.
    fn all(
        &self,
        (table, slots): (&mut Table, NextSlots),
        patience: Patience,
        held: &mut Held,
    ) -> Result<(), Full> {
        match slots {
            NextSlots::Same => table.recode(|key| self.key(key)),
            NextSlots::Small => table.shrink(|key| self.key(key)),
            NextSlots::Wide => table.widen(|key| self.key(key)),
        }
        let (mut seen, mut lasts) = (0, true);
        held(&mut |held, form| {
            seen += 1;
            lasts = lasts && (seen <= HELD_IN_ANY_CASE || patience.lasts_at(seen));
            if lasts {
                *held = if form == Form::Key { self.key(*held) } else { (self.number)(*held) };
            }
        });
        if lasts && !table.is_abandoned() { Ok(()) } else { Err(Full) }
    }
}
