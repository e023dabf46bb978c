//! The executable form of PROMELA: proctypes as automata over typed variables,
//! created and ended while they run. Comes out of the `promela` front end; here
//! is what it means (the reference interpreter) and what must hold of it (the
//! verifier).
//!
//! Deliberately apart from `automata`: an Argos network has a fixed set of
//! machines and moves one edge at a time; a PROMELA program creates processes,
//! passes channels, and one visible step may be a whole atomic sequence or both
//! halves of a rendezvous. Both end in the same seam, `system::System`.

mod action;
mod anonymous;
mod expr;
mod flow;
mod mention;
mod reduce;
pub mod reference;
pub mod symmetry;
mod text;
mod types;
mod verify;

pub use action::{Action, Pattern, PrintPart};
pub use base::{BinaryOp, UnaryOp};
pub use expr::{Expr, Place, Probe, Queue, RemoteLabel, RemoteVariable, Subscript, VariableRef};
pub use flow::{Edge, EdgeId, Location, LocationId, LocationMarks, Proctype, ProctypeId, Wording};
pub use reduce::{Kept, Reductions, live_locals, local_locations, reduce};
pub use text::action_text;
pub use types::{ChannelType, Initial, MtypeId, MtypeSet, Scalar, Variable, VariableId};
pub use verify::verify;

use base::{IdVec, Name, Span, StatePredicate};

/// A whole PROMELA model, ready to run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program {
    /// Sets of symbolic constants: the anonymous one first, then named ones.
    pub mtypes: IdVec<MtypeId, MtypeSet>,
    /// Global variables, structures flattened into their scalar leaves.
    pub globals: IdVec<VariableId, Variable>,
    /// Every proctype, `init`, never claims and trace automata included.
    pub proctypes: IdVec<ProctypeId, Proctype>,
    /// The processes alive at the start in order of pid: `active` ones and `init`.
    pub start: Vec<ProctypeId>,
    /// Claims in source order.
    pub claims: Vec<Claim>,
    /// Predicates of states that were given beside the text.
    pub predicates: Vec<StatePredicate<Expr>>,
    /// The `trace` or `notrace` automaton.
    pub trace: Option<EventTrace>,
    /// What of the built-in state the model looks at; only that is kept.
    pub uses: Uses,
}

/// A never claim, or an `ltl` property not yet translated into one.
#[derive(Clone, PartialEq, Debug)]
pub struct Claim {
    /// Its name; `never_0`, `ltl_0` if it has none.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: ClaimKind,
}

/// What a claim is.
#[derive(Clone, PartialEq, Debug)]
pub enum ClaimKind {
    /// An automaton written by hand.
    Never(ProctypeId),
    /// A formula, parsed and resolved.
    Ltl(Formula),
}

/// A formula of linear temporal logic over state predicates.
pub type Formula = base::Formula<Expr>;

impl Program {
    /// The same program whose assertions never fail: they are decided by themselves, and what
    /// is required of infinite runs is required of those behind a failed one, too.
    #[must_use]
    pub fn without_assertions(&self) -> Program {
        let mut program = self.clone();
        let is_claim = |id| self.claims.iter().any(|claim| claim.kind == ClaimKind::Never(id));
        for id in self.proctypes.ids().filter(|id| !is_claim(*id)) {
            let edges = program.proctypes[id].edges.iter_mut();
            let asserts = edges.filter(|edge| matches!(edge.action, Action::Assert(_)));
            asserts.for_each(|edge| edge.action = Action::Skip);
        }
        program
    }
}

impl Program {
    /// The same program without what only looks on: formulas, predicates, and what claims say. A
    /// search without a claim, for failures and blocked states, asks for none of it, so it may
    /// leave more out. Proctypes and edges keep their ids.
    #[must_use]
    pub fn without_onlookers(&self) -> Program {
        let mut program = self.clone();
        program.predicates.clear();
        program.claims.retain(|claim| matches!(claim.kind, ClaimKind::Never(_)));
        for id in self.proctypes.ids().filter(|id| self.is_claim(*id)) {
            let edges = program.proctypes[id].edges.iter_mut();
            edges.for_each(|edge| edge.action = Action::Skip);
        }
        program
    }
}

/// A `trace` or `notrace` automaton: its edges are sends and receives that watch.
#[derive(Clone, PartialEq, Debug)]
pub struct EventTrace {
    /// The automaton.
    pub automaton: ProctypeId,
    /// `notrace`: it must not be followed to its end.
    pub forbidden: bool,
    /// The global channels whose sends it watches, by the variable that names them.
    pub sends: Vec<VariableId>,
    /// The global channels whose receives it watches.
    pub receives: Vec<VariableId>,
}

/// Built-in state that is part of the state vector only if the model reads it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uses {
    /// `_last`
    pub last: bool,
    /// `priority`, `set_priority`, `_priority` or `get_priority`.
    pub priorities: bool,
}

impl Program {
    /// Whether a proctype is a never claim.
    pub fn is_claim(&self, id: ProctypeId) -> bool {
        self.claims.iter().any(|claim| claim.kind == ClaimKind::Never(id))
    }

    /// Whether a proctype is one whose processes run, and not one that watches.
    pub fn is_process(&self, id: ProctypeId) -> bool {
        !self.is_claim(id) && self.trace.as_ref().is_none_or(|trace| trace.automaton != id)
    }

    /// The name of a number, if it is a symbolic constant of its type.
    pub fn symbol(&self, scalar: Scalar, number: i32) -> Option<&Name> {
        let Scalar::Mtype(set) = scalar else { return None };
        let mut constants = self.mtypes[set].constants.iter();
        constants.find(|(_, other)| *other == number).map(|(name, _)| name)
    }

    /// The variable as statements of `proctype` see it, or statements of none.
    pub fn variable(
        &self,
        proctype: Option<ProctypeId>,
        variable: VariableRef,
    ) -> Option<&Variable> {
        match variable {
            VariableRef::Global(id) => self.globals.get(id),
            VariableRef::Local(id) => self.proctypes.get(proctype?)?.variables.get(id),
        }
    }
}
