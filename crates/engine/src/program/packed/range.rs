//! How many bits each variable and each field of a channel needs.

use super::pack::Shape;
use base::IdVec;
use program::reference::{Declared, Rules};
use program::{Initial, ProctypeId, Program, Scalar, Variable, VariableId};

/// How many bits each variable and each field of a channel needs.
#[derive(Debug)]
pub(super) struct Ranges {
    globals: IdVec<VariableId, Shape>,
    locals: IdVec<ProctypeId, IdVec<VariableId, Shape>>,
    global_channels: IdVec<VariableId, Vec<Shape>>,
    local_channels: IdVec<ProctypeId, IdVec<VariableId, Vec<Shape>>>,
}

impl Ranges {
    pub(super) fn new(program: &Program, rules: &Rules) -> Self {
        let own = |variable: &Variable| shape(rules, variable.scalar, variable.is_array);
        let fields = |variable: &Variable| match &variable.initial {
            Initial::Channel(kind) => kind.fields.iter().map(|f| shape(rules, *f, false)).collect(),
            _ => Vec::new(),
        };
        let kinds = &program.proctypes;
        Self {
            globals: program.globals.iter().map(own).collect(),
            locals: kinds.iter().map(|kind| kind.variables.iter().map(own).collect()).collect(),
            global_channels: program.globals.iter().map(fields).collect(),
            local_channels: kinds
                .iter()
                .map(|kind| kind.variables.iter().map(fields).collect())
                .collect(),
        }
    }

    pub(super) fn global(&self, id: VariableId) -> Shape {
        self.globals[id]
    }

    pub(super) fn local(&self, proctype: ProctypeId, id: VariableId) -> Shape {
        self.locals[proctype][id]
    }

    /// Of the messages of the channels that a declaration makes.
    pub(super) fn fields(&self, declared: Declared) -> &[Shape] {
        match declared {
            Declared::Global(id) => &self.global_channels[id],
            Declared::Local(proctype, id) => &self.local_channels[proctype][id],
        }
    }
}

/// What a type needs.
pub(super) fn shape(rules: &Rules, scalar: Scalar, in_array: bool) -> Shape {
    let (bits, signed) = match scalar {
        Scalar::Bit if !in_array => (1, false),
        Scalar::Bit | Scalar::Byte | Scalar::Mtype(_) => (8, false),
        Scalar::Pid | Scalar::Chan => (if rules.wide { 16 } else { 8 }, false),
        Scalar::Short => (16, true),
        Scalar::Int => (32, true),
        Scalar::Unsigned(bits) => (u32::from(bits), false),
    };
    Shape { bits, signed }
}
