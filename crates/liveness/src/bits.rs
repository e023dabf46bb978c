//! Sets of nodes, one bit each.

use crate::NoRoom;
use crate::product::{Node, Product};
use std::sync::atomic::{AtomicU64, Ordering};

/// A set of nodes.
#[derive(Debug, Default)]
pub(crate) struct Nodes(Vec<u64>);

impl Nodes {
    /// None of them.
    pub(crate) fn new(product: &Product<'_>) -> Result<Self, NoRoom> {
        zeros(product).map(Self)
    }

    pub(crate) fn has(&self, node: Node) -> bool {
        self.0[node.index() / 64] >> (node.0 % 64) & 1 != 0
    }

    /// Adds a node; whether it was not there.
    pub(crate) fn add(&mut self, node: Node) -> bool {
        let (word, bit) = (&mut self.0[node.index() / 64], 1 << (node.0 % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub(crate) fn remove(&mut self, node: Node) {
        self.0[node.index() / 64] &= !(1 << (node.0 % 64));
    }
}

/// A set of nodes to which several threads add.
#[derive(Debug)]
pub(crate) struct SharedNodes(Vec<AtomicU64>);

impl SharedNodes {
    /// A set to which nothing will be added.
    pub(crate) fn none() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn new(product: &Product<'_>) -> Result<Self, NoRoom> {
        Ok(Self(zeros(product)?.into_iter().map(AtomicU64::new).collect()))
    }

    pub(crate) fn has(&self, node: Node) -> bool {
        self.0[node.index() / 64].load(Ordering::Acquire) >> (node.0 % 64) & 1 != 0
    }

    /// Adds a node; whether it was not there.
    pub(crate) fn add(&self, node: Node) -> bool {
        let bit = 1 << (node.0 % 64);
        self.0[node.index() / 64].fetch_or(bit, Ordering::AcqRel) & bit == 0
    }
}

fn zeros(product: &Product<'_>) -> Result<Vec<u64>, NoRoom> {
    let words = product.nodes().div_ceil(64);
    let mut list = Vec::new();
    list.try_reserve_exact(words).map_err(|_| NoRoom)?;
    list.resize(words, 0);
    Ok(list)
}

/// The bytes of so many sets.
pub(crate) fn bytes_of_sets(product: &Product<'_>, sets: usize) -> u64 {
    (product.nodes().div_ceil(64) * 8 * sets) as u64
}
