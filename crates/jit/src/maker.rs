//! One function in the making: places, groups, edges.

use crate::Constants;
use crate::assembly::Functions;
use crate::host::{Context, Helper};
use crate::state::View;
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

/// What memory this code touches: it is there, and aligned.
pub(crate) const SURE: MemFlagsData = MemFlagsData::trusted();

/// The same for what nobody writes while the function runs.
pub(crate) const FIXED: MemFlagsData = MemFlagsData::trusted().with_can_move().with_readonly();

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
    offering: Option<Value>,
    /// Returns null.
    pub(crate) bail: Block,
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
        let (out, moves) = (b.declare_var(I64), b.declare_var(I64));
        b.def_var(out, parameters[2]);
        b.def_var(moves, parameters[3]);
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
            offering: parameters.get(4).copied(),
            bail,
            temps: HashMap::new(),
            view: View::Parent,
        }
    }

    /// Ends the function; the block at hand is left already.
    pub(crate) fn finish(mut self) {
        self.b.switch_to_block(self.bail);
        let null = self.b.ins().iconst(I64, 0);
        self.b.ins().return_(&[null]);
        self.b.seal_all_blocks();
        let config = self.module.target_config();
        self.b.finalize(config);
    }

    /// The moves of an agent at each of its places.
    pub(crate) fn agent(&mut self, at: Field, places: &[Groups<'_>]) {
        let blocks: Vec<Block> = places.iter().map(|_| self.b.create_block()).collect();
        let done = self.b.create_block();
        let at = self.field(at);
        let calls: Vec<_> = blocks.iter().map(|block| self.target(*block)).collect();
        let otherwise = self.target(self.bail);
        let table = self.b.create_jump_table(JumpTableData::new(otherwise, &calls));
        self.b.ins().br_table(at, table);
        for (place, block) in places.iter().zip(blocks) {
            self.b.switch_to_block(block);
            self.place(place, done);
        }
        self.b.switch_to_block(done);
        let end = self.b.use_var(self.moves);
        self.b.ins().return_(&[end]);
    }

    fn target(&mut self, block: Block) -> cranelift_codegen::ir::BlockCall {
        self.b.func.dfg.block_call(block, &[] as &[BlockArg])
    }

    fn place(&mut self, place: &Groups<'_>, done: Block) {
        let before = self.b.use_var(self.moves);
        let mut number = place.first;
        for (i, group) in place.groups.iter().enumerate() {
            if i > 0 {
                // Some edge of the group before has moved: this one does not count.
                self.unless_moved(before, done);
            }
            for (j, edge) in group.iter().enumerate() {
                let next = self.b.create_block();
                if edge.is_else && j > 0 {
                    self.unless_moved(before, next);
                }
                self.edge(edge, number, next);
                self.b.ins().jump(next, &[]);
                self.b.switch_to_block(next);
                number += 1;
            }
        }
        self.b.ins().jump(done, &[]);
    }

    /// Goes to `away` if there are more moves than `before`.
    fn unless_moved(&mut self, before: Value, away: Block) {
        let now = self.b.use_var(self.moves);
        let same = self.b.ins().icmp(IntCC::Equal, now, before);
        self.or_else(same, away);
    }

    /// Goes on here if `condition` is not zero, else at `away`.
    pub(crate) fn or_else(&mut self, condition: Value, away: Block) {
        let here = self.b.create_block();
        self.b.ins().brif(condition, here, &[], away, &[]);
        self.b.switch_to_block(here);
    }

    /// Goes to `fail` if the edge does not move.
    fn edge(&mut self, edge: &Edge, number: u32, fail: Block) {
        self.temps.clear();
        self.view = View::Parent;
        self.ops(&edge.guard, fail);
        match &edge.then {
            Then::Offered(takers) => self.offer(edge, number, takers, fail),
            Then::Visible | Then::GoesOn => {
                let out = self.b.use_var(self.out);
                self.change(edge, out, fail);
                self.accept(number);
            }
        }
    }

    /// Makes a changed copy of the state at `target`.
    fn change(&mut self, edge: &Edge, target: Value, fail: Block) {
        self.copy(target);
        self.view = View::copy(target, self.width);
        self.ops(&edge.body, fail);
    }

    /// Says that the next state is there.
    fn accept(&mut self, number: u32) {
        let (moves, out) = (self.b.use_var(self.moves), self.b.use_var(self.out));
        let by = match self.offering {
            Some(offering) => {
                let taker = self.word(u64::from(number) << 32);
                self.b.ins().bor(offering, taker)
            }
            None => self.word(u64::from(Move::ALONE) << 32 | u64::from(number)),
        };
        self.b.ins().store(SURE, by, moves, 0);
        let moves = self.b.ins().iadd_imm_s(moves, 8);
        let out = self.b.ins().iadd_imm_s(out, 8 * self.width as i64);
        self.b.def_var(self.moves, moves);
        self.b.def_var(self.out, out);
    }

    fn offer(&mut self, edge: &Edge, number: u32, takers: &[usize], fail: Block) {
        let offered = self.of_context(offset_of!(Context, offered));
        self.change(edge, offered, fail);
        let number = self.word(u64::from(number));
        for taker in takers {
            if let Some(taker) = self.functions.takers[*taker] {
                self.ask(taker, offered, Some(number));
            }
        }
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
