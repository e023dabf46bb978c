//! What is visible where: blocks inside blocks, then the globals.

use super::Lowerer;
use super::types::Type;
use base::{Name, Span};
use program::{ProctypeId, VariableId, VariableRef};
use std::collections::HashMap;

/// A declared variable.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) span: Span,
    /// The first of its leaves.
    pub(super) first: VariableId,
    pub(super) of: Type,
    pub(super) length: Option<u32>,
    pub(super) local: bool,
}

impl Symbol {
    /// The `offset`-th leaf.
    pub(super) fn leaf(&self, offset: usize) -> VariableRef {
        use base::Id;
        let id = VariableId::new(self.first.index() + offset);
        if self.local { VariableRef::Local(id) } else { VariableRef::Global(id) }
    }
}

/// What a name would be, by its use.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Expected {
    #[default]
    Value,
    Channel,
    /// A field of a message, by itself.
    Message,
}

/// Where we are while a body is read.
#[derive(Default)]
pub(super) struct Scope {
    /// The proctype whose body it is.
    pub(super) proctype: Option<ProctypeId>,
    /// A claim or trace: it watches, and creates nothing.
    pub(super) watches: bool,
    /// Declarations of each open block, outermost first.
    pub(super) blocks: Vec<HashMap<Name, Symbol>>,
    /// Declarations met so far, in order: their symbols are made beforehand.
    pub(super) declared: usize,
    /// The first statement was met: what is declared from now on is a step.
    pub(super) started: bool,
    /// The `inline` calls around this place, innermost last; by number.
    pub(super) instances: Vec<usize>,
    /// `inline` calls met so far.
    pub(super) instances_met: usize,
    /// `d_step`s met so far, and the outermost one around this place.
    pub(super) steps_met: usize,
    pub(super) step: Option<usize>,
    /// How many `do` loops can be left from here.
    pub(super) loops: usize,
    /// `run` is allowed here, and was not used yet.
    pub(super) may_run: bool,
    /// `else` is allowed here: the first statement of an option.
    pub(super) may_else: bool,
    /// What a name that is read now would be, if it were declared.
    pub(super) expected: Expected,
    /// Only shapes are read; initial values come when the body is.
    pub(super) surveying: bool,
}

impl Lowerer {
    /// Reads where an unknown name would be this.
    pub(super) fn expecting<T>(
        &mut self,
        expected: Expected,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = std::mem::replace(&mut self.scope.expected, expected);
        let found = read(self);
        self.scope.expected = before;
        found
    }

    pub(super) fn find(&self, name: &Name) -> Option<&Symbol> {
        let local = self.scope.blocks.iter().rev().find_map(|block| block.get(name));
        local.or_else(|| self.symbols.get(name))
    }

    /// All names visible here, for "did you mean".
    pub(super) fn visible(&self) -> Vec<Name> {
        let blocks = self.scope.blocks.iter().flat_map(|block| block.keys());
        let mut names: Vec<Name> =
            blocks.chain(self.symbols.keys()).chain(self.constants.keys()).cloned().collect();
        names.sort();
        // Words of the language that are easily misspelt into a name.
        names.extend(["break", "skip", "timeout", "true", "false", "else"].map(Name::new));
        names
    }
}
