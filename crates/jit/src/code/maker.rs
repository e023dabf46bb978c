//! One function in the making: places, groups, edges.

use super::Constants;
use super::assembly::Functions;
use super::host::{Context, Helper};
use super::state::View;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{
    Block, BlockArg, FuncRef, InstBuilder, JumpTableData, MemFlagsData, Value,
};
use cranelift_frontend::{FunctionBuilder, Variable};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module};
use packed::{Edge, Field, Move, Then};
use std::collections::HashMap;
use std::mem::offset_of;
use system::Word;

/// What memory this code touches: it is there, and aligned.
pub(crate) const SURE: MemFlagsData = MemFlagsData::trusted();

/// The same for what nobody writes while the function runs.
pub(crate) const FIXED: MemFlagsData = MemFlagsData::trusted().with_can_move().with_readonly();

/// What a follower says if it bails: no move was followed so far.
pub(crate) const BAILED: i64 = -1;

/// The groups of a place, and the number of their first edge.
pub(crate) struct Groups<'p> {
    pub(crate) groups: &'p [Vec<Edge>],
    pub(crate) first: u32,
}

/// A function. Its parameters are the context, the state, where states and moves go, and
/// for one that takes the number of the edge that offers.
pub(crate) struct Maker<'a> {
    pub(crate) b: FunctionBuilder<'a>,
    module: &'a mut JITModule,
    functions: &'a Functions,
    called: HashMap<FuncId, FuncRef>,
    pub(crate) constants: &'a mut Constants,
    pub(crate) width: usize,
    context: Value,
    pub(crate) state: Value,
    /// Where the next state and the next move go.
    out: Variable,
    moves: Variable,
    /// Whether some edge of the place at hand has moved.
    moved: Variable,
    /// Follows moves of this agent that go on.
    follower: Option<FuncId>,
    offering: Option<Value>,
    /// Returns what says that it bails: null, or what a follower says.
    pub(crate) bail: Block,
    pub(crate) bailed: i64,
    /// Of the edge at hand: its temporaries, and what it sees of the state.
    pub(crate) temps: HashMap<u32, Variable>,
    pub(crate) view: View,
}

impl<'a> Maker<'a> {
    pub(crate) fn new(
        mut b: FunctionBuilder<'a>,
        module: &'a mut JITModule,
        functions: &'a Functions,
        constants: &'a mut Constants,
        width: usize,
    ) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let parameters = b.block_params(entry).to_vec();
        let (out, moves, moved) = (b.declare_var(I64), b.declare_var(I64), b.declare_var(I64));
        for (variable, parameter) in [out, moves].into_iter().zip(&parameters[2..]) {
            b.def_var(variable, *parameter);
        }
        let bail = b.create_block();
        b.set_cold_block(bail);
        Self {
            b,
            module,
            functions,
            called: HashMap::new(),
            constants,
            width,
            context: parameters[0],
            state: parameters[1],
            out,
            moves,
            moved,
            follower: None,
            offering: parameters.get(4).copied(),
            bail,
            bailed: 0,
            temps: HashMap::new(),
            view: View::Parent,
        }
    }

    /// Ends the function; the block at hand is left already.
    pub(crate) fn finish(mut self) {
        self.b.switch_to_block(self.bail);
        let bailed = self.b.ins().iconst(I64, self.bailed);
        self.b.ins().return_(&[bailed]);
        self.b.seal_all_blocks();
        let config = self.module.target_config();
        self.b.finalize(config);
    }

    /// The moves of an agent, by its index and where it stands, at each of its places.
    pub(crate) fn agent(&mut self, (index, at): (usize, Field), places: &[Groups<'_>]) {
        self.follower = self.functions.followers[index];
        let blocks: Vec<Block> = places.iter().map(|_| self.b.create_block()).collect();
        let done = self.b.create_block();
        self.go_to(at, &blocks);
        for (place, block) in places.iter().zip(blocks) {
            self.b.switch_to_block(block);
            self.place(place, done);
        }
        self.b.switch_to_block(done);
        let end = self.b.use_var(self.moves);
        self.b.ins().return_(&[end]);
    }

    /// Goes to the block of the number in a field, or bails.
    pub(crate) fn go_to(&mut self, at: Field, blocks: &[Block]) {
        let at = self.field(at);
        let calls: Vec<_> = blocks.iter().map(|block| self.target(*block)).collect();
        let otherwise = self.target(self.bail);
        let table = self.b.create_jump_table(JumpTableData::new(otherwise, &calls));
        self.b.ins().br_table(at, table);
    }

    fn target(&mut self, block: Block) -> cranelift_codegen::ir::BlockCall {
        self.b.func.dfg.block_call(block, &[] as &[BlockArg])
    }

    fn place(&mut self, place: &Groups<'_>, done: Block) {
        self.set_moved(false);
        let mut number = place.first;
        for (i, group) in place.groups.iter().enumerate() {
            if i > 0 {
                // Some edge of the group before has moved: this one does not count.
                self.unless_moved(done);
            }
            for (j, edge) in group.iter().enumerate() {
                let next = self.b.create_block();
                if edge.is_else && j > 0 {
                    self.unless_moved(next);
                }
                self.edge(edge, number, next);
                self.b.ins().jump(next, &[]);
                self.b.switch_to_block(next);
                number += 1;
            }
        }
        self.b.ins().jump(done, &[]);
    }

    fn set_moved(&mut self, moved: bool) {
        let moved = self.word(u64::from(moved));
        self.b.def_var(self.moved, moved);
    }

    /// Goes to `away` if something has moved.
    fn unless_moved(&mut self, away: Block) {
        let moved = self.b.use_var(self.moved);
        let none = self.b.ins().icmp_imm_u(IntCC::Equal, moved, 0);
        self.or_else(none, away);
    }

    /// Goes on here if `condition` is not zero, else at `away`.
    pub(crate) fn or_else(&mut self, condition: Value, away: Block) {
        let here = self.b.create_block();
        self.b.ins().brif(condition, here, &[], away, &[]);
        self.b.switch_to_block(here);
    }

    /// Goes to `fail` if the edge does not move, or is left out.
    fn edge(&mut self, edge: &Edge, number: u32, fail: Block) {
        self.temps.clear();
        self.view = View::Parent;
        self.ops(&edge.guard, fail);
        if let Then::Offered(takers) = &edge.then {
            return self.offer(edge, number, takers, fail);
        }
        let goes_on = edge.then == Then::GoesOn;
        let early = edge.is_sure() && !goes_on;
        if early {
            self.leave_out(number, None, fail);
        }
        let out = self.b.use_var(self.out);
        self.change(edge, out, fail);
        self.note(number);
        let by = self.by(number);
        if !goes_on {
            if !early {
                self.leave_out(number, None, fail);
            }
            return self.accept(by);
        }
        let followed = self.follow(out);
        self.leave_out(number, Some(followed), fail);
        let by = self.b.ins().bor(by, followed);
        self.accept(by);
    }

    /// Makes a changed copy of the state at `target`.
    fn change(&mut self, edge: &Edge, target: Value, fail: Block) {
        self.copy(target);
        self.view = View::copy(target, self.width);
        self.ops(&edge.body, fail);
    }

    /// Who moves, as a [`Move`].
    fn by(&mut self, number: u32) -> Value {
        match self.offering {
            Some(offering) => {
                let taker = self.word(u64::from(number) << Move::TAKER_SHIFT);
                self.b.ins().bor(offering, taker)
            }
            None => self.word(u64::from(Move::ALONE) << Move::TAKER_SHIFT | u64::from(number)),
        }
    }

    /// Counts the move and goes to `away` if it is to be left out: not one that was
    /// `followed` and goes on. Offers never are.
    fn leave_out(&mut self, number: u32, followed: Option<Value>, away: Block) {
        if self.offering.is_some() {
            return;
        }
        let bits = self.of_context(offset_of!(Context, left_out));
        let word = self.b.ins().load(I64, FIXED, bits, 8 * (number / Word::BITS) as i32);
        let bit = self.b.ins().band_imm_s(word, 1_i64 << (number % Word::BITS));
        let (left_out, here) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(bit, left_out, &[], here, &[]);
        self.b.switch_to_block(left_out);
        if let Some(followed) = followed {
            let ends = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, followed, 0);
            self.or_else(ends, here);
        }
        let at = offset_of!(Context, spared) as i32;
        let spared = self.b.ins().load(I64, SURE, self.context, at);
        let spared = self.b.ins().iadd_imm_s(spared, 1);
        self.b.ins().store(SURE, spared, self.context, at);
        self.set_moved(true);
        self.b.ins().jump(away, &[]);
        self.b.switch_to_block(here);
    }

    /// Notes that an edge moved, and the one that offered.
    pub(crate) fn note(&mut self, number: u32) {
        let (executed, yes) = (self.of_context(offset_of!(Context, executed)), self.number(1));
        self.b.ins().istore8(SURE, yes, executed, number as i32);
        if let Some(offering) = self.offering {
            let offering = self.b.ins().iadd(executed, offering);
            self.b.ins().istore8(SURE, yes, offering, 0);
        }
    }

    /// Follows the sequence the state at `out` is in; what it adds to the move.
    fn follow(&mut self, out: Value) -> Value {
        let Some(follower) = self.follower else {
            return self.word(Move::GOES_ON);
        };
        let follower = self.function(follower);
        let call = self.b.ins().call(follower, &[self.context, out]);
        let followed = self.b.inst_results(call)[0];
        let lasts = self.b.ins().icmp_imm_s(IntCC::NotEqual, followed, BAILED);
        self.or_else(lasts, self.bail);
        followed
    }

    /// Says that the next state is there.
    fn accept(&mut self, by: Value) {
        let (moves, out) = (self.b.use_var(self.moves), self.b.use_var(self.out));
        self.b.ins().store(SURE, by, moves, 0);
        let moves = self.b.ins().iadd_imm_s(moves, 8);
        let out = self.b.ins().iadd_imm_s(out, 8 * self.width as i64);
        self.b.def_var(self.moves, moves);
        self.b.def_var(self.out, out);
        self.set_moved(true);
    }

    fn offer(&mut self, edge: &Edge, number: u32, takers: &[usize], fail: Block) {
        let offered = self.of_context(offset_of!(Context, offered));
        self.change(edge, offered, fail);
        let (number, before) = (self.word(u64::from(number)), self.b.use_var(self.moves));
        for taker in takers {
            if let Some(taker) = self.functions.takers[*taker] {
                self.ask(taker, offered, Some(number));
            }
        }
        let (now, moved) = (self.b.use_var(self.moves), self.b.use_var(self.moved));
        let more = self.b.ins().isub(now, before);
        let moved = self.b.ins().bor(moved, more);
        self.b.def_var(self.moved, moved);
    }

    /// Asks every agent in turn.
    pub(crate) fn everybody(&mut self, agents: &[FuncId]) {
        for agent in agents {
            self.ask(*agent, self.state, None);
        }
        let end = self.b.use_var(self.moves);
        self.b.ins().return_(&[end]);
    }

    /// Calls a function that appends moves in `state`.
    fn ask(&mut self, function: FuncId, state: Value, offering: Option<Value>) {
        let function = self.function(function);
        let (moves, out) = (self.b.use_var(self.moves), self.b.use_var(self.out));
        let arguments = [Some(self.context), Some(state), Some(out), Some(moves), offering];
        let arguments: Vec<Value> = arguments.into_iter().flatten().collect();
        let call = self.b.ins().call(function, &arguments);
        let end = self.b.inst_results(call)[0];
        self.or_else(end, self.bail);
        // A move takes one word, a state `width`.
        let written = self.b.ins().isub(end, moves);
        let written = self.b.ins().imul_imm_s(written, self.width as i64);
        let out = self.b.ins().iadd(out, written);
        self.b.def_var(self.moves, end);
        self.b.def_var(self.out, out);
    }

    fn function(&mut self, id: FuncId) -> FuncRef {
        let (module, func) = (&mut *self.module, &mut *self.b.func);
        *self.called.entry(id).or_insert_with(|| module.declare_func_in_func(id, func))
    }

    pub(crate) fn help(&mut self, helper: Helper, arguments: &[Value]) {
        let function = self.function(self.functions.helper(helper));
        self.b.ins().call(function, arguments);
    }

    /// A pointer of the context.
    fn of_context(&mut self, offset: usize) -> Value {
        self.b.ins().load(I64, FIXED, self.context, offset as i32)
    }

    pub(crate) fn timeout(&mut self) -> Value {
        let offset = offset_of!(Context, timeout) as i32;
        self.b.ins().load(I32, FIXED, self.context, offset)
    }

    /// Where the values of the offer are.
    pub(crate) fn offered(&mut self) -> Value {
        self.of_context(offset_of!(Context, offer))
    }

    pub(crate) fn word(&mut self, word: u64) -> Value {
        self.b.ins().iconst(I64, word as i64)
    }

    pub(crate) fn number(&mut self, number: i32) -> Value {
        self.b.ins().iconst(I32, i64::from(number as u32))
    }

    /// The variable of a temporary of the edge at hand.
    pub(crate) fn temp(&mut self, temp: u32) -> Variable {
        let b = &mut self.b;
        *self.temps.entry(temp).or_insert_with(|| b.declare_var(I32))
    }
}
