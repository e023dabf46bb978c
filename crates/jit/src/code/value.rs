//! Expressions.

use super::maker::{Maker, SURE};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use packed::{BinaryOp, Expr, Field, UnaryOp};

impl Maker<'_> {
    /// The value of an expression, 32 bits.
    pub(crate) fn value(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Const(number) => self.number(*number),
            Expr::Field(field) => self.field(*field),
            Expr::Element(array, index) => match **index {
                Expr::Const(index) if array.get(index).is_some() => {
                    self.field(array.element(index as u32))
                }
                _ => {
                    let index = self.index(*array, index);
                    self.element(*array, index)
                }
            },
            Expr::Temp(temp) => {
                let temp = self.temp(*temp);
                self.b.use_var(temp)
            }
            Expr::Offered(position) => {
                let offer = self.offered();
                self.b.ins().load(I32, SURE, offer, 4 * *position as i32)
            }
            Expr::Timeout => self.timeout(),
            Expr::Unary(op, operand) => self.unary(*op, operand),
            Expr::Binary(op, left, right) => self.binary(*op, left, right, expr),
            Expr::Choose(condition, yes, no) => self.choose(condition, yes, no),
            Expr::Within(operand, bound) => {
                let value = self.value(operand);
                self.within(value, *bound);
                value
            }
            Expr::Find { index, count, condition } => self.find(*index, count, condition),
            Expr::Bail => {
                self.give_up();
                self.number(0)
            }
        }
    }

    /// Bails; what follows is never reached.
    pub(crate) fn give_up(&mut self) {
        self.b.ins().jump(self.bail, &[]);
        let unreached = self.b.create_block();
        self.b.switch_to_block(unreached);
    }

    /// Bails unless the value is at least 0 and below the bound.
    pub(crate) fn within(&mut self, value: Value, bound: u32) {
        let bound = self.number(bound as i32);
        let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, value, bound);
        self.or_else(inside, self.bail);
    }

    /// Goes on here if the condition is not zero, else at `no`.
    pub(crate) fn require(&mut self, condition: &Expr, no: Block) {
        let yes = self.b.create_block();
        self.branch(condition, yes, no);
        self.b.switch_to_block(yes);
    }

    fn branch(&mut self, condition: &Expr, yes: Block, no: Block) {
        match condition {
            Expr::Binary(BinaryOp::And, left, right) => {
                self.require(left, no);
                self.branch(right, yes, no);
            }
            Expr::Binary(BinaryOp::Or, left, right) => {
                let second = self.b.create_block();
                self.branch(left, yes, second);
                self.b.switch_to_block(second);
                self.branch(right, yes, no);
            }
            Expr::Unary(UnaryOp::Not, operand) => self.branch(operand, no, yes),
            condition => {
                let condition = self.condition(condition);
                self.b.ins().brif(condition, yes, &[], no, &[]);
            }
        }
    }

    /// Something that is zero iff the expression is.
    fn condition(&mut self, expr: &Expr) -> Value {
        let Expr::Binary(op, left, right) = expr else { return self.value(expr) };
        let Some(compare) = comparison(*op) else { return self.value(expr) };
        if let (IntCC::Equal | IntCC::NotEqual, Expr::Field(field), Expr::Const(number)) =
            (compare, &**left, &**right)
        {
            return self.compare_bits(compare, *field, *number);
        }
        let (left, right) = (self.value(left), self.value(right));
        self.b.ins().icmp(compare, left, right)
    }

    /// Compares the bits where they are: nothing needs to be shifted.
    fn compare_bits(&mut self, compare: IntCC, field: Field, number: i32) -> Value {
        if !field.fits(number) {
            return self.number(i32::from(compare == IntCC::NotEqual));
        }
        let word = self.load(field.word);
        let bits = self.b.ins().band_imm_s(word, field.mask() as i64);
        self.b.ins().icmp_imm_s(compare, bits, field.bits_of(number) as i64)
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Value {
        match op {
            UnaryOp::Negate => {
                let value = self.value(operand);
                self.b.ins().ineg(value)
            }
            UnaryOp::Complement => {
                let value = self.value(operand);
                self.b.ins().bnot(value)
            }
            UnaryOp::Not => {
                let value = self.condition(operand);
                let zero = self.b.ins().icmp_imm_s(IntCC::Equal, value, 0);
                self.b.ins().uextend(I32, zero)
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, whole: &Expr) -> Value {
        if comparison(op).is_some() {
            let truth = self.condition(whole);
            return match self.b.func.dfg.value_type(truth) {
                I32 => truth,
                _ => self.b.ins().uextend(I32, truth),
            };
        }
        if let BinaryOp::And | BinaryOp::Or = op {
            return self.truth(whole);
        }
        let (left, right) = (self.value(left), self.value(right));
        match op {
            BinaryOp::BitOr => self.b.ins().bor(left, right),
            BinaryOp::BitXor => self.b.ins().bxor(left, right),
            BinaryOp::BitAnd => self.b.ins().band(left, right),
            BinaryOp::ShiftLeft => self.b.ins().ishl(left, right),
            BinaryOp::ShiftRight => self.b.ins().sshr(left, right),
            BinaryOp::Add => self.b.ins().iadd(left, right),
            BinaryOp::Subtract => self.b.ins().isub(left, right),
            BinaryOp::Multiply => self.b.ins().imul(left, right),
            _ => self.divided(op == BinaryOp::Divide, left, right),
        }
    }

    /// In 64 bits, where `i32::MIN / -1` is a number.
    fn divided(&mut self, divide: bool, left: Value, right: Value) -> Value {
        self.or_else(right, self.bail);
        let (left, right) = (self.b.ins().sextend(I64, left), self.b.ins().sextend(I64, right));
        let result = match divide {
            true => self.b.ins().sdiv(left, right),
            false => self.b.ins().srem(left, right),
        };
        self.b.ins().ireduce(I32, result)
    }

    /// 0 or 1, by branches.
    fn truth(&mut self, condition: &Expr) -> Value {
        self.choose(condition, &Expr::Const(1), &Expr::Const(0))
    }

    fn choose(&mut self, condition: &Expr, yes: &Expr, no: &Expr) -> Value {
        let (first, second, end) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(end, I32);
        self.branch(condition, first, second);
        for (block, value) in [(first, yes), (second, no)] {
            self.b.switch_to_block(block);
            let value = self.value(value);
            self.b.ins().jump(end, &[value.into()]);
        }
        self.b.switch_to_block(end);
        result
    }

    fn find(&mut self, index: u32, count: &Expr, condition: &Expr) -> Value {
        let count = self.value(count);
        let (head, body, end) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let found = self.b.append_block_param(end, I32);
        let temp = self.temp(index);
        let (zero, none) = (self.number(0), self.number(-1));
        self.b.def_var(temp, zero);
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(head);
        let at = self.b.use_var(temp);
        let more = self.b.ins().icmp(IntCC::SignedLessThan, at, count);
        self.b.ins().brif(more, body, &[], end, &[none.into()]);
        self.b.switch_to_block(body);
        let condition = self.value(condition);
        let next = self.b.create_block();
        self.b.ins().brif(condition, end, &[at.into()], next, &[]);
        self.b.switch_to_block(next);
        let following = self.b.ins().iadd_imm_s(at, 1);
        self.b.def_var(temp, following);
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(end);
        found
    }
}

fn comparison(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::Equal => IntCC::Equal,
        BinaryOp::NotEqual => IntCC::NotEqual,
        BinaryOp::Less => IntCC::SignedLessThan,
        BinaryOp::LessEqual => IntCC::SignedLessThanOrEqual,
        BinaryOp::Greater => IntCC::SignedGreaterThan,
        BinaryOp::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
        _ => return None,
    })
}
