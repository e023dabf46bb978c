//! Types of values, by unification: two values that one may be copied to, or compared with, have
//! one type.

use super::{Reason, Renaming};
use std::collections::BTreeMap;

/// A type, or one that has become part of another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct NodeId(usize);

/// What is known of the values of one type.
#[derive(Clone, Default, Debug)]
pub(super) struct Node {
    /// The type it has become part of.
    joined: Option<NodeId>,
    /// Of channels: the types of the fields of their messages.
    fields: Vec<NodeId>,
    /// They are treated as numbers.
    pub(super) number: Option<Reason>,
    /// Some are the results of calculations, wherever that is.
    pub(super) computed: Option<Reason>,
    /// Values that the text names.
    pub(super) literals: Vec<(i32, Reason)>,
    /// Instances that have values of their own.
    pub(super) own: Vec<Renaming>,
}

/// All types.
#[derive(Default, Debug)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
}

impl Nodes {
    pub(super) fn fresh(&mut self) -> NodeId {
        self.nodes.push(Node::default());
        NodeId(self.nodes.len() - 1)
    }

    /// The type that a type is part of.
    pub(super) fn root(&self, mut id: NodeId) -> NodeId {
        while let Some(joined) = self.nodes[id.0].joined {
            id = joined;
        }
        id
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[self.root(id).0]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        let root = self.root(id);
        &mut self.nodes[root.0]
    }

    /// Types that are part of no other.
    pub(super) fn roots(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        let all = self.nodes.iter().enumerate().map(|(at, node)| (NodeId(at), node));
        all.filter(|(_, node)| node.joined.is_none())
    }

    /// Makes one type of two.
    pub(super) fn join(&mut self, one: NodeId, other: NodeId) {
        let mut waiting = vec![(one, other)];
        while let Some((one, other)) = waiting.pop() {
            let (one, other) = (self.root(one), self.root(other));
            if one == other {
                continue;
            }
            let gone = Node { joined: Some(one), ..Node::default() };
            let other = std::mem::replace(&mut self.nodes[other.0], gone);
            let into = &mut self.nodes[one.0];
            into.number = into.number.take().or(other.number);
            into.computed = into.computed.take().or(other.computed);
            into.literals.extend(other.literals);
            into.own.extend(other.own);
            let common = into.fields.len().min(other.fields.len());
            waiting.extend(into.fields.iter().copied().zip(other.fields.iter().copied()));
            into.fields.extend(&other.fields[common..]);
        }
    }

    /// The type of a field of the messages of these channels.
    pub(super) fn field(&mut self, channels: NodeId, index: usize) -> NodeId {
        while self.node(channels).fields.len() <= index {
            let field = self.fresh();
            self.node_mut(channels).fields.push(field);
        }
        self.node(channels).fields[index]
    }

    /// How many fields of messages are known; none of what is no channel.
    pub(super) fn fields(&self, channels: NodeId) -> &[NodeId] {
        &self.node(channels).fields
    }

    /// The values that the instances of `moved` have in this type.
    ///
    /// # Errors
    /// Two instances that would have one value, or one that would have two.
    pub(super) fn renaming(
        &self,
        id: NodeId,
        moved: &dyn Fn(usize) -> bool,
    ) -> Result<Renaming, (usize, usize)> {
        let (mut values, mut instances) = (Renaming::new(), BTreeMap::new());
        let own = self.node(id).own.iter().flatten();
        for (instance, value) in own.filter(|(instance, _)| moved(**instance)) {
            let known = *values.entry(*instance).or_insert(*value);
            let holder = *instances.entry(*value).or_insert(*instance);
            if known != *value || holder != *instance {
                return Err((holder, *instance));
            }
        }
        Ok(values)
    }
}
