//! Operations of guards and bodies.

use super::maker::{Maker, SURE};
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::{Switch, Variable};
use packed::{Choice, Expr, Op, Walk};
use std::collections::HashSet;
use system::Word;

impl Maker<'_> {
    /// Goes to `fail` if the edge does not move.
    pub(crate) fn ops(&mut self, ops: &[Op], fail: Block) {
        ops.iter().for_each(|op| self.op(op, fail));
    }

    fn op(&mut self, op: &Op, fail: Block) {
        match op {
            Op::Let(temp, expr) => {
                let value = self.value(expr);
                let temp = self.temp(*temp);
                self.b.def_var(temp, value);
            }
            Op::Offer(position, expr) => {
                let value = self.value(expr);
                let offer = self.offered();
                self.b.ins().store(SURE, value, offer, 4 * *position as i32);
            }
            Op::Require(condition) => self.require(condition, fail),
            Op::Check(condition) => self.require(condition, self.bail),
            Op::Set(field, Expr::Const(number)) => self.put_constant(*field, *number),
            Op::Set(field, expr) => {
                let value = self.value(expr);
                self.put(*field, value);
            }
            Op::SetElement(array, index, expr) => {
                let index = self.index(*array, index);
                let value = self.value(expr);
                self.set_element(*array, index, value);
            }
            Op::Take(array, index) => {
                let index = self.index(*array, index);
                self.take(*array, index);
            }
            Op::Insert(array, index, expr) => {
                let index = self.index(*array, index);
                let value = self.value(expr);
                self.insert(*array, index, value);
            }
            Op::Clear(array) => self.clear(*array),
            Op::Map { word, shift, table } => self.map(*word, *shift, table),
            Op::Switch(expr, cases, otherwise) => self.switch(expr, cases, otherwise, fail),
            Op::Walk(walk) => self.walk(walk, fail),
            Op::Bail => self.give_up(),
        }
    }

    fn switch(&mut self, expr: &Expr, cases: &[(i32, Vec<Op>)], otherwise: &[Op], fail: Block) {
        let value = self.value(expr);
        let (last, end) = (self.b.create_block(), self.b.create_block());
        let mut switch = Switch::new();
        let mut known = HashSet::new();
        let mut arms = vec![(last, otherwise)];
        for (number, ops) in cases {
            if known.insert(*number) {
                let block = self.b.create_block();
                switch.set_entry(u128::from(*number as u32), block);
                arms.push((block, ops));
            }
        }
        switch.emit(&mut self.b, value, last);
        let before = self.view.clone();
        let mut after = before.clone();
        for (block, ops) in arms {
            self.b.switch_to_block(block);
            self.view = before.clone();
            self.ops(ops, fail);
            self.b.ins().jump(end, &[]);
            after.meet(&self.view);
        }
        self.view = after;
        self.b.switch_to_block(end);
    }

    /// For each member what it turns into, joined; bails if that is nothing.
    fn map(&mut self, word: u32, shift: u32, table: &[Word]) {
        let mask = Word::MAX >> (Word::BITS - table.len() as u32);
        let table: Box<[Word]> = table.iter().map(|set| set & mask).collect();
        let address = table.as_ptr().expose_provenance() as u64;
        self.constants.tables.push(table);
        let old = self.load(word);
        let set = self.b.ins().ushr_imm_u(old, i64::from(shift));
        let set = self.b.ins().band_imm_s(set, mask as i64);
        let union = self.union(set, address);
        self.or_else(union, self.bail);
        let kept = self.b.ins().band_imm_s(old, !(mask << shift) as i64);
        let put = self.b.ins().ishl_imm_u(union, i64::from(shift));
        let new = self.b.ins().bor(kept, put);
        self.store(word, new);
    }

    /// The union of what a table at an address says for the members of a set.
    fn union(&mut self, set: Value, table: u64) -> Value {
        let (head, body, end) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let left = self.b.append_block_param(head, I64);
        let union = self.b.append_block_param(head, I64);
        let nothing = self.word(0);
        self.b.ins().jump(head, &[set.into(), nothing.into()]);
        self.b.switch_to_block(head);
        self.b.ins().brif(left, body, &[], end, &[]);
        self.b.switch_to_block(body);
        let member = self.b.ins().ctz(left);
        let bytes = self.b.ins().ishl_imm_u(member, 3);
        let table = self.word(table);
        let at = self.b.ins().iadd(table, bytes);
        let more = self.b.ins().load(I64, SURE, at, 0);
        let more = self.b.ins().bor(union, more);
        let less = self.b.ins().iadd_imm_s(left, -1);
        let rest = self.b.ins().band(left, less);
        self.b.ins().jump(head, &[rest.into(), more.into()]);
        self.b.switch_to_block(end);
        union
    }

    fn walk(&mut self, walk: &Walk, fail: Block) {
        let places: Vec<Block> = walk.places.iter().map(|_| self.b.create_block()).collect();
        let end = self.b.create_block();
        let block = |place: usize| places.get(place).copied().unwrap_or(end);
        let length = self.b.declare_var(I32);
        let zero = self.number(0);
        self.b.def_var(length, zero);
        // Loops come back with words written that are not written yet.
        self.view.forget();
        self.b.ins().jump(block(walk.start), &[]);
        for (place, choices) in walk.places.iter().enumerate() {
            self.b.switch_to_block(places[place]);
            self.choices(choices, length, &block);
            // None of them: at the very start the edge does not move.
            let (bail, taken) = (self.bail, self.b.use_var(length));
            let away = if place == walk.start { fail } else { bail };
            self.b.ins().brif(taken, bail, &[], away, &[]);
        }
        self.b.switch_to_block(end);
    }

    /// Leaves for where the first choice leads whose guard holds.
    fn choices(&mut self, choices: &[Choice], length: Variable, to: &dyn Fn(usize) -> Block) {
        let taken = self.b.use_var(length);
        self.within(taken, Walk::LENGTH_MAX);
        for choice in choices {
            let next = self.b.create_block();
            self.ops(&choice.guard, next);
            self.ops(&choice.body, self.bail);
            let more = self.b.ins().iadd_imm_s(taken, 1);
            self.b.def_var(length, more);
            self.b.ins().jump(to(choice.next), &[]);
            self.b.switch_to_block(next);
        }
    }
}
