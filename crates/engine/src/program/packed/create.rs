//! Processes that come to life and end.

use super::build::{binary, constant, cut, either, equal};
use super::edge::Way;
use super::layout::{Home, Room, Slot};
use super::range::shape;
use super::scope::Scope;
use ::packed::{Array, BinaryOp, Expr, Field, Op};
use program::{Action, Initial, ProctypeId, Variable, VariableId};
use std::collections::BTreeMap;
use system::Word;

/// A `run` within an action.
#[derive(Clone, Copy)]
struct Birth<'e> {
    proctype: ProctypeId,
    arguments: &'e [program::Expr],
}

impl<'a> Scope<'a> {
    /// An action with a `run` in it; none if it has no `run`.
    pub(super) fn run(&self, action: &Action) -> Option<Way> {
        use program::Expr as Plain;
        let is_run = |expr: &Plain| matches!(expr, Plain::Run { .. });
        if !action.mentions(&is_run) {
            return None;
        }
        let given_up = Way { guard: vec![Op::Bail], ..Way::default() };
        let (Action::Condition(expr) | Action::Assign(_, expr)) = action else {
            return Some(given_up);
        };
        let Some(birth) = certain_run(expr) else { return Some(given_up) };
        Some(match action {
            Action::Assign(place, expr) => Way {
                body: self.in_free_slot(|pid, slot| {
                    let mut ops = self.birth(birth, pid, slot);
                    let scope = self.with_born(pid);
                    ops.push(scope.store(place, scope.value(expr)));
                    ops
                }),
                ..Way::default()
            },
            _ => Way {
                guard: match expr {
                    // A pid that is not that of the first process.
                    Plain::Run { .. } => Vec::new(),
                    _ => self
                        .in_free_slot(|pid, _| vec![Op::Require(self.with_born(pid).value(expr))]),
                },
                body: self.in_free_slot(|pid, slot| self.birth(birth, pid, slot)),
                offers: None,
            },
        })
    }

    /// The operations for whichever slot is the first free one; gives up if none is.
    fn in_free_slot(&self, with: impl Fn(usize, &'a Slot) -> Vec<Op>) -> Vec<Op> {
        let slots = self.slots();
        (self.first_younger()..slots.len()).rev().fold(vec![Op::Bail], |otherwise, pid| {
            let ops = with(pid, &slots[pid]);
            vec![Op::Switch(Expr::Field(slots[pid].at), vec![(0, ops)], otherwise)]
        })
    }

    /// Creates a process in a free slot: its channels follow those of the one before.
    fn birth(&self, birth: Birth<'_>, pid: usize, slot: &'a Slot) -> Vec<Op> {
        if pid == self.first_younger() {
            return self.birth_after(birth, (pid, slot), self.room.end());
        }
        let mut before: BTreeMap<usize, Vec<&Room>> = BTreeMap::new();
        for room in &self.slots()[pid - 1].rooms {
            before.entry(room.end()).or_default().push(room);
        }
        let mut ways: Vec<(usize, Vec<&Room>)> = before.into_iter().collect();
        let last = ways
            .pop()
            .map_or(vec![Op::Bail], |(base, _)| self.birth_after(birth, (pid, slot), base));
        ways.into_iter().fold(last, |otherwise, (base, rooms)| {
            let is_it = rooms.iter().map(|room| self.is_in(pid - 1, room));
            let ops = self.birth_after(birth, (pid, slot), base);
            either(super::build::any(is_it), ops, otherwise)
        })
    }

    fn birth_after(
        &self,
        birth: Birth<'_>,
        (pid, slot): (usize, &'a Slot),
        base: usize,
    ) -> Vec<Op> {
        let is_it = |room: &&Room| room.proctype == birth.proctype && room.base == base;
        let Some(room) = slot.rooms.iter().find(is_it) else { return vec![Op::Bail] };
        let kind = &self.lowering.program.proctypes[birth.proctype];
        let Some(start) = room.codes[kind.start] else { return vec![Op::Bail] };
        let newborn = self.of(pid, room);
        let mut ops = Vec::new();
        let mut channels = base as i32 + 1;
        for (id, variable) in kind.variables.iter_ids() {
            let value = self.initial_value(&newborn, birth.arguments, variable);
            match (&variable.initial, value) {
                (Initial::List(values), _) => ops.extend(listed(&room.locals[id], values)),
                (Initial::Channel(_), _) => {
                    let numbers: Vec<i32> = (channels..).take(variable.length as usize).collect();
                    channels += variable.length as i32;
                    ops.extend(listed(&room.locals[id], &numbers));
                }
                (_, Some(value)) => ops.extend(newborn.begin(id, variable, value)),
                (_, None) => {}
            }
        }
        // Last, so that nothing above sees the process before it is whole.
        ops.push(Op::Set(slot.at, constant(start)));
        ops
    }

    /// What a variable of a newborn begins with, if it is one value that is not zero.
    fn initial_value(
        &self,
        newborn: &Scope<'_>,
        arguments: &[program::Expr],
        variable: &Variable,
    ) -> Option<Expr> {
        use program::Expr as Plain;
        match &variable.initial {
            Initial::Argument(index) => arguments.get(*index).map(|e| self.value(e)),
            // These would see the newborn itself.
            Initial::Value(expr)
                if expr.mentions(&|e| {
                    matches!(
                        e,
                        Plain::ProcessCount | Plain::RemoteLabel(_) | Plain::RemoteVariable(_)
                    )
                }) =>
            {
                Some(Expr::Bail)
            }
            Initial::Value(expr) => Some(newborn.value(expr)),
            Initial::Zero | Initial::List(_) | Initial::Channel(_) => None,
        }
    }

    /// Sets a variable of this newborn, or sees that it is the constant it should be.
    fn begin(&self, id: VariableId, variable: &Variable, value: Expr) -> Vec<Op> {
        match &self.room.locals[id] {
            Home::Constant(values) => {
                let shape = shape(self.lowering.rules, variable.scalar, variable.is_array);
                let first = values.first().copied().unwrap_or(0);
                let value = cut(value, shape.bits, shape.signed);
                match equal(value, constant(first)) {
                    Expr::Const(1) => Vec::new(),
                    same => vec![Op::Check(same)],
                }
            }
            Home::Scalar(field) => vec![Op::Set(*field, value)],
            Home::Array(array) => {
                let elements = (0..array.length).map(|i| array.element(i));
                elements.map(|field| Op::Set(field, value.clone())).collect()
            }
            Home::Unread(_) => Vec::new(),
        }
    }

    /// The end of the process, if it is the youngest.
    pub(super) fn die(&self) -> Way {
        let last = binary(BinaryOp::Equal, self.is_alive(self.first_younger()), constant(0));
        Way {
            guard: super::build::require(last).into_iter().collect(),
            body: self.room.erased(self.at),
            offers: None,
        }
    }
}

/// The `run` in an expression, if it happens whenever the expression is evaluated and
/// nothing else in it can see the new process.
fn certain_run(expr: &program::Expr) -> Option<Birth<'_>> {
    use program::Expr as Plain;
    let sees = |e: &Plain| {
        matches!(
            e,
            Plain::ProcessCount
                | Plain::RemoteLabel(_)
                | Plain::RemoteVariable(_)
                | Plain::Probe(..)
                | Plain::Poll { .. }
                | Plain::Messages { .. }
        )
    };
    let is_run = |e: &Plain| matches!(e, Plain::Run { .. });
    match expr {
        Plain::Run { arguments, .. } if arguments.iter().any(|e| e.mentions(&is_run)) => None,
        Plain::Run { proctype, arguments, .. } => Some(Birth { proctype: *proctype, arguments }),
        Plain::Unary(_, a) => certain_run(a),
        Plain::Binary(op, a, b) => {
            let both = !matches!(op, program::BinaryOp::And | program::BinaryOp::Or);
            match (a.mentions(&is_run), b.mentions(&is_run)) {
                (true, false) if !b.mentions(&sees) => certain_run(a),
                (false, true) if both && !a.mentions(&sees) => certain_run(b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Sets the elements of a variable to constants; a constant has them already.
fn listed(home: &Home, values: &[i32]) -> Vec<Op> {
    let set = |(field, value): (Field, &i32)| Op::Set(field, constant(*value));
    match home {
        Home::Constant(_) | Home::Unread(_) => Vec::new(),
        Home::Scalar(field) => {
            values.first().map(|value| set((*field, value))).into_iter().collect()
        }
        Home::Array(array) => {
            let elements = (0..array.length).map(|i| array.element(i));
            elements.zip(values).map(set).collect()
        }
    }
}

impl Room {
    /// How many channels there are up to its own.
    pub(super) fn end(&self) -> usize {
        self.base + self.channels.len()
    }

    /// Leaves nothing of the process.
    fn erased(&self, at: Field) -> Vec<Op> {
        let mut masks: BTreeMap<u32, Word> = BTreeMap::from([(at.word, at.mask())]);
        let mut add = |field: Field| *masks.entry(field.word).or_default() |= field.mask();
        let mut add_all = |array: &Array| (0..array.length).for_each(|i| add(array.element(i)));
        for array in self.channels.iter().flat_map(|channel| &channel.fields) {
            add_all(array);
        }
        for home in &self.locals {
            match home {
                Home::Constant(_) | Home::Unread(_) => {}
                Home::Scalar(field) => add_all(&one(*field)),
                Home::Array(array) => add_all(array),
            }
        }
        for length in self.channels.iter().filter_map(|channel| channel.length) {
            add_all(&one(length));
        }
        masks.into_iter().flat_map(|(word, mask)| zeroed(word, mask)).collect()
    }
}

fn one(field: Field) -> Array {
    Array { first: field, length: 1, per_word: 1 }
}

/// Sets all bits of `mask` to zero, as many at once as a field can have.
fn zeroed(word: u32, mut mask: Word) -> Vec<Op> {
    let mut ops = Vec::new();
    while mask != 0 {
        let shift = mask.trailing_zeros();
        let bits = (mask >> shift).trailing_ones().min(32);
        let field = Field { word, shift, bits, signed: false };
        mask &= !field.mask();
        ops.push(Op::Set(field, constant(0)));
    }
    ops
}
