//! Whether a form keeps what it promises: back ends rely on it, machine code blindly.

use crate::visit::visit_ops;
use crate::{Array, Claim, Edge, Expr, Field, Move, Op, Packed, Then, Walk};
use system::Word;

impl Packed {
    /// Whether every field, array, set, agent, mark and place that is named exists, guards
    /// change nothing, and who takes makes no offer. Not whether temporaries are set
    /// before they are read.
    pub fn verify(&self) -> Result<(), String> {
        if self.initial.len() != self.width || self.telling > self.width {
            return Err(format!("{} words, not {}", self.initial.len(), self.width));
        }
        must(self.edges().count() < Move::ALONE as usize, "moves have room for all edges")?;
        for agent in &self.agents {
            self.field(agent.at)?;
        }
        for (agent, edge) in self.edges() {
            self.edge(edge).map_err(|wrong| format!("agent {agent}, {edge:?}: {wrong}"))?;
        }
        let places = self.agents.iter().flat_map(|agent| &agent.places);
        let mut takes = places.flat_map(|place| place.takes.iter().flatten());
        must(!takes.any(|edge| matches!(edge.then, Then::Offered(_))), "who takes offers nothing")?;
        self.claim.as_ref().map_or(Ok(()), |claim| self.claim(claim))
    }

    fn claim(&self, claim: &Claim) -> Result<(), String> {
        must(!self.agents.is_empty(), "the claim is an agent")?;
        let mut own = self.edges().filter(|(agent, _)| *agent == self.movers());
        must(own.all(|(_, edge)| edge.then == Then::Visible), "the claim makes single moves")?;
        let Some(stutters) = claim.stutters else { return Ok(()) };
        must(stutters.word as usize >= self.telling, "whose turn it is does not identify a state")?;
        self.field(stutters)
    }

    fn edge(&self, edge: &Edge) -> Result<(), String> {
        must((edge.mark as usize) < self.marks, "the mark exists")?;
        if let Then::Offered(takers) = &edge.then {
            must(takers.iter().all(|taker| *taker < self.agents.len()), "the takers exist")?;
        }
        must(leaves_alone(&edge.guard), "the guard changes nothing")?;
        let mut wrong = Ok(());
        for ops in [&edge.guard, &edge.body] {
            visit_ops(ops, &mut |op, expr| {
                let found = op.map_or(Ok(()), |op| self.op(op));
                let found = found.and_then(|()| expr.map_or(Ok(()), |expr| self.expr(expr)));
                if wrong.is_ok() {
                    wrong = found;
                }
            });
        }
        wrong
    }

    fn op(&self, op: &Op) -> Result<(), String> {
        match op {
            Op::Set(field, _) => self.field(*field),
            Op::SetElement(array, ..) | Op::Insert(array, ..) => self.array(*array),
            Op::Take(array, _) | Op::Clear(array) => self.array(*array),
            Op::Map { word, shift, table } => {
                must((*word as usize) < self.width, "the word of the set exists")?;
                let members = table.len() as u32;
                must((1..=Word::BITS).contains(&members), "the set has members")?;
                must(*shift <= Word::BITS - members, "the set is within its word")
            }
            Op::Walk(walk) => self.walk(walk),
            _ => Ok(()),
        }
    }

    fn walk(&self, walk: &Walk) -> Result<(), String> {
        let known = |place: usize| place == walk.end || place < walk.places.len();
        must(walk.end >= walk.places.len(), "the end is no place")?;
        must(known(walk.start), "it starts somewhere")?;
        let mut choices = walk.places.iter().flatten();
        let sound = choices.all(|choice| known(choice.next) && leaves_alone(&choice.guard));
        must(sound, "choices lead somewhere, their guards change nothing")
    }

    fn expr(&self, expr: &Expr) -> Result<(), String> {
        match expr {
            Expr::Field(field) => self.field(*field),
            Expr::Element(array, _) => self.array(*array),
            _ => Ok(()),
        }
    }

    fn field(&self, field: Field) -> Result<(), String> {
        must((field.word as usize) < self.width, "the word of the field exists")?;
        must((1..=32).contains(&field.bits), "a field has 1 to 32 bits")?;
        must(field.shift <= Word::BITS - field.bits, "the field is within its word")
    }

    fn array(&self, array: Array) -> Result<(), String> {
        self.field(array.first)?;
        must(array.length >= 1 && array.per_word >= 1, "the array has elements")?;
        must(array.words() == 1 || array.first.shift == 0, "a long array begins at bit 0")?;
        let used = u64::from(array.per_word.min(array.length)) * u64::from(array.first.bits);
        must(used + u64::from(array.first.shift) <= 64, "its elements are within their word")?;
        let end = array.first.word as usize + array.words() as usize;
        must(end <= self.width, "the words of the array exist")
    }
}

fn must(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("it does not hold that {what}")) }
}

fn leaves_alone(guard: &[Op]) -> bool {
    guard.iter().all(|op| match op {
        Op::Let(..) | Op::Offer(..) | Op::Require(_) | Op::Check(_) | Op::Bail => true,
        Op::Switch(_, cases, otherwise) => {
            cases.iter().all(|(_, ops)| leaves_alone(ops)) && leaves_alone(otherwise)
        }
        _ => false,
    })
}
