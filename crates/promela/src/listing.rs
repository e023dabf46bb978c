//! SPIN's numbers and words for the statements of a model. Its trails name a
//! statement by the place of its element among all elements of the text, counted
//! from 0, and its lists of steps by the place in its proctype, from 1.

use crate::flow::{Draft, Listed, Words};
use base::IdVec;
use program::{EdgeId, ProctypeId};

/// How SPIN numbers and words a program, by proctype.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    statements: IdVec<ProctypeId, IdVec<EdgeId, Statement>>,
    /// In order of the text.
    order: Vec<ProctypeId>,
    /// How many numbers each body takes.
    counts: IdVec<ProctypeId, u32>,
    /// A remote reference to a `goto` shifts SPIN's numbers in trails from there on.
    displaced: bool,
}

/// How SPIN lists the statement of an edge. Copies of an edge are one statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// Its number in trails, unique in the model.
    pub id: u32,
    /// Its number in lists of steps, unique in its proctype.
    pub state: u32,
    /// Its words.
    pub text: String,
}

impl Listing {
    /// Whether the numbers in trails are SPIN's.
    pub fn is_exact(&self) -> bool {
        !self.displaced
    }

    /// SPIN's number for a proctype or claim.
    pub fn number(&self, proctype: ProctypeId) -> Option<u32> {
        self.order.iter().position(|id| *id == proctype).map(|place| place as u32)
    }

    /// The proctype or claim with this number.
    pub fn numbered(&self, number: u32) -> Option<ProctypeId> {
        self.order.get(number as usize).copied()
    }

    /// The proctypes and claims in order of the text.
    pub fn in_order(&self) -> &[ProctypeId] {
        &self.order
    }

    /// How many numbers SPIN gives away for a proctype.
    pub fn count(&self, proctype: ProctypeId) -> u32 {
        self.counts.get(proctype).copied().unwrap_or(0)
    }

    /// The statement of an edge.
    pub fn statement(&self, proctype: ProctypeId, edge: EdgeId) -> Option<&Statement> {
        self.statements.get(proctype)?.get(edge)
    }

    /// The proctype that a statement of a trail belongs to.
    pub fn proctype_of(&self, id: u32) -> Option<ProctypeId> {
        let known = |list: &IdVec<EdgeId, Statement>| list.iter().any(|known| known.id == id);
        self.statements.iter_ids().find(|(_, list)| known(list)).map(|(proctype, _)| proctype)
    }
}

/// Numbers all statements through; `order` is that of the text.
pub(crate) fn numbered(drafts: &IdVec<ProctypeId, Draft>, order: &[ProctypeId]) -> Listing {
    let mut first: IdVec<ProctypeId, (u32, usize)> = drafts.iter().map(|_| (0, 0)).collect();
    let mut next = (0, 0);
    for id in order {
        first[*id] = next;
        next = (next.0 + drafts[*id].counts.0, next.1 + drafts[*id].counts.1);
    }
    let displaced = drafts.iter().any(|draft| draft.displaced);
    let counts = drafts.iter().map(|draft| draft.counts.0).collect();
    let order_of_text = order.to_vec();
    let mut listing = Listing { displaced, order: order_of_text, counts, ..Listing::default() };
    for (draft, (elements, loops)) in drafts.iter().zip(first.iter()) {
        let statement = |listed: &Listed| Statement {
            id: elements + listed.number - 1,
            state: listed.number,
            text: match &listed.words {
                Words::Text(text) => text.clone(),
                Words::Leave(number) => format!("goto :b{}", loops + number),
            },
        };
        listing.statements.push(draft.statements.iter().map(statement).collect());
    }
    listing
}
