//! The function that follows an unseen sequence of one agent in place, as long as there is
//! no choice. It is given the context and the state, and returns what belongs into the move.

use super::maker::{BAILED, Groups, Maker};
use super::state::View;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder};
use cranelift_frontend::{Switch, Variable};
use packed::{Agent, Edge, FOLLOWED_MAX, Move, Then};
use std::collections::HashMap;

/// Where the ways through the function meet.
#[derive(Clone, Copy)]
struct Ways {
    /// The agent stands somewhere else now.
    head: Block,
    /// The state is visible; or the sequence goes on, but not here.
    ends: Block,
    goes_on: Block,
    /// How many edges were followed.
    more: Variable,
}

impl Maker<'_> {
    /// `own` is what the agent does by itself at its places.
    pub(crate) fn follower(&mut self, agent: &Agent, own: &[Groups<'_>]) {
        self.bailed = BAILED;
        let [head, ends, goes_on] = [0; 3].map(|_| self.b.create_block());
        let more = self.b.declare_var(I64);
        let zero = self.word(0);
        self.b.def_var(more, zero);
        self.b.ins().jump(head, &[]);
        let ways = Ways { head, ends, goes_on, more };
        self.b.switch_to_block(head);
        self.forget_all();
        let count = self.b.use_var(more);
        let short = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, count, FOLLOWED_MAX as i64);
        self.or_else(short, self.bail);
        let places = agent.places.iter().zip(own);
        let blocks = places.clone().map(|(place, _)| match place.is_followed() {
            true => self.b.create_block(),
            false => goes_on,
        });
        let blocks: Vec<Block> = blocks.collect();
        self.go_to(agent.at, &blocks);
        for ((place, own), block) in places.zip(&blocks) {
            if place.is_followed() {
                self.b.switch_to_block(*block);
                self.followed(own, ways);
            }
        }
        for (block, flag) in [(ends, 0), (goes_on, Move::GOES_ON)] {
            self.b.switch_to_block(block);
            let more = self.b.use_var(more);
            let more = self.b.ins().ishl_imm_u(more, i64::from(Move::MORE_SHIFT));
            let flag = self.word(flag);
            let followed = self.b.ins().bor(more, flag);
            self.b.ins().return_(&[followed]);
        }
    }

    /// Every word is read from where the edges before wrote it.
    fn forget_all(&mut self) {
        self.view = View::copy(self.state, self.width);
        self.view.forget();
    }

    /// A place where at most one group of edges without offers leaves.
    fn followed(&mut self, own: &Groups<'_>, ways: Ways) {
        let edges: Vec<&Edge> = own.groups.iter().flatten().collect();
        let only = self.b.declare_var(I64);
        let none = self.word(0);
        self.b.def_var(only, none);
        let mut temps = Vec::new();
        for (i, edge) in edges.iter().enumerate() {
            let next = self.b.create_block();
            let before = self.b.use_var(only);
            let first = self.b.ins().icmp_imm_u(IntCC::Equal, before, 0);
            if edge.is_else && i > 0 {
                self.or_else(first, next);
            }
            self.temps = HashMap::new();
            self.ops(&edge.guard, next);
            self.or_else(first, ways.goes_on);
            let this = self.word(i as u64 + 1);
            self.b.def_var(only, this);
            temps.push(std::mem::take(&mut self.temps));
            self.b.ins().jump(next, &[]);
            self.b.switch_to_block(next);
        }
        let bodies: Vec<Block> = edges.iter().map(|_| self.b.create_block()).collect();
        let mut switch = Switch::new();
        for (i, body) in bodies.iter().enumerate() {
            switch.set_entry(i as u128 + 1, *body);
        }
        let only = self.b.use_var(only);
        switch.emit(&mut self.b, only, ways.ends);
        for (i, ((edge, body), temps)) in edges.into_iter().zip(bodies).zip(temps).enumerate() {
            self.b.switch_to_block(body);
            self.forget_all();
            self.temps = temps;
            self.ops(&edge.body, self.bail);
            self.note(own.first + i as u32);
            let more = self.b.use_var(ways.more);
            let more = self.b.ins().iadd_imm_s(more, 1);
            self.b.def_var(ways.more, more);
            let on = if edge.then == Then::GoesOn { ways.head } else { ways.ends };
            self.b.ins().jump(on, &[]);
        }
    }
}
