//! What it takes to choose the pairs of a tree again: a tree of the same leaves, and states as the
//! numbers of their words.

use super::{CONSTANT_MAX, KEY, Name, Tree, VARYING_MAX};
use crate::{Account, Full};

impl Tree {
    /// A tree of the same words without pairs, which takes the leaves.
    pub(crate) fn leaves_only(&mut self) -> Self {
        let mut tree = Self::new(self.words, self.bits_max);
        tree.exchange_leaves(self);
        tree.version = self.version + 1;
        tree
    }

    /// The values of words and their numbers, not where those go.
    pub(crate) fn exchange_leaves(&mut self, other: &mut Self) {
        for (own, other) in self.nodes.iter_mut().zip(&mut other.nodes).take(self.words) {
            std::mem::swap(&mut own.index, &mut other.index);
        }
    }

    /// The bytes of the pairs.
    pub(crate) fn pair_bytes(&self) -> u64 {
        self.nodes[self.words..].iter().map(|node| node.index.bytes()).sum()
    }

    /// The numbers of the words that this number of a key stands for.
    pub(crate) fn leaves_of(&self, number: u64) -> Vec<u64> {
        let (leaves, pairs) = self.nodes.split_at(self.words);
        let mut values = vec![0; pairs.len() + 1];
        values[KEY] = number;
        for (at, pair) in pairs.iter().enumerate().rev() {
            values[at + 1] = pair.index.value(pair.bits.take(values[pair.place]));
        }
        leaves.iter().map(|leaf| leaf.bits.take(values[leaf.place]) as u64).collect()
    }

    /// The number of the key of the words with these numbers. All pairs are numbered.
    pub(crate) fn number_of(&self, leaves: &[u64]) -> u64 {
        let mut values = vec![0; self.nodes.len() - self.words + 1];
        for (name, node) in self.nodes.iter().enumerate() {
            let number = match leaves.get(name) {
                Some(leaf) => *leaf,
                None => {
                    let number = node.index.find(values[name - self.words + 1]);
                    debug_assert!(number.is_some(), "the pairs of every key were numbered");
                    u64::from(number.unwrap_or(0))
                }
            };
            values[node.place] = node.bits.put(values[node.place], number);
        }
        values[KEY]
    }

    /// Numbers all pairs of the words with these numbers. Where pairs go into the key need not
    /// be known yet.
    pub(crate) fn add_pairs_of(
        &mut self,
        leaves: &[u64],
        account: &mut dyn Account,
    ) -> Result<(), Full> {
        let mut values = vec![0; self.nodes.len() - self.words + 1];
        for (name, node) in self.nodes.iter_mut().enumerate() {
            let number = match leaves.get(name) {
                Some(leaf) => *leaf,
                None => node.index.add_growing(values[name - self.words + 1], account)?.into(),
            };
            if node.place != KEY {
                values[node.place] = node.bits.put(values[node.place], number);
            }
        }
        Ok(())
    }

    /// Pairs fields that have had one value so far with each other, until there are few fields. If
    /// they vary later, as where a buffer fills, each would want bits of its own, and all keys
    /// would change again and again. None changes now: each of these fields says 0 in all of them.
    /// Without memory for it they stay as they are.
    pub(crate) fn pair_constant(&mut self, account: &mut dyn Account) {
        if self.fields.len() <= VARYING_MAX {
            return;
        }
        self.order(None);
        let (nodes, old) = (self.nodes.len(), self.layout());
        let varies = |name: &&Name| self.nodes[**name].index.bits() > 0;
        let varying = self.fields.iter().filter(varies).count();
        while self.fields.len() > VARYING_MAX.max(varying + CONSTANT_MAX) {
            let firsts: Vec<usize> = (varying..self.fields.len() - 1).step_by(2).collect();
            let first = self.nodes.len();
            self.pair(&firsts);
            let mut pairs = self.nodes[first..].iter_mut();
            if pairs.any(|pair| pair.index.add_growing(0, account).is_err()) {
                account.give(self.nodes[nodes..].iter().map(|node| node.index.bytes()).sum());
                self.unpair(nodes, &old);
                break;
            }
        }
        let has_bits = |name: &Name| self.nodes[*name].bits.width() > 0;
        self.wide = self.fields.iter().copied().filter(has_bits).collect();
    }
}
