//! What statements ask of the types of values.

use super::node::{NodeId, Nodes};
use super::{Dimension, Reason, VariableKey};
use crate::{
    Action, BinaryOp, Edge, Expr, Initial, Pattern, Place, ProctypeId, Program, Queue, Scalar,
    VariableId, VariableRef,
};
use base::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The type of the value of an expression.
enum Typed {
    /// A number in the text.
    Literal(i32),
    /// The values of this type.
    Of(NodeId),
    /// The result of a calculation or of a test.
    Computed,
}

/// How a statement asks for the number of processes.
#[derive(Clone, Debug)]
pub(super) struct Count {
    /// Who asks.
    pub(super) proctype: Option<ProctypeId>,
    /// It waits until there are only so many; else it may do anything with the number.
    pub(super) waits_for: Option<i32>,
    pub(super) reason: Reason,
}

/// The types of everything in a program, as far as its statements tell.
pub(super) struct Walk<'a> {
    pub(super) program: &'a Program,
    pub(super) nodes: Nodes,
    pub(super) pid: NodeId,
    elements: BTreeMap<VariableKey, NodeId>,
    pub(super) dimensions: BTreeMap<VariableKey, Vec<Dimension<NodeId>>>,
    /// What statements that count read or write.
    pub(super) used: BTreeSet<VariableKey>,
    pub(super) counts: Vec<Count>,
    /// Why no processes of this program can be exchanged at all.
    pub(super) fatal: Option<Reason>,
    /// The parameters that hold one value in each process: what they are given is known.
    pub(super) constant: &'a dyn Fn(ProctypeId, VariableId) -> bool,
    proctype: Option<ProctypeId>,
    span: Span,
    /// A place in the text where there is no better one.
    pub(super) anywhere: Span,
    /// Whether the statement at hand may be executed in a state that is put in order.
    counts_here: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        program: &'a Program,
        constant: &'a dyn Fn(ProctypeId, VariableId) -> bool,
        anywhere: Span,
    ) -> Self {
        let mut nodes = Nodes::default();
        let pid = nodes.fresh();
        Self {
            program,
            nodes,
            pid,
            elements: BTreeMap::new(),
            dimensions: BTreeMap::new(),
            used: BTreeSet::new(),
            counts: Vec::new(),
            fatal: None,
            constant,
            proctype: None,
            span: anywhere,
            anywhere,
            counts_here: false,
        }
    }

    /// All declarations and statements; those that `counts` holds of, and all conditions of
    /// `provided`, are to mean the same with processes exchanged.
    pub(super) fn program(&mut self, counts: &dyn Fn(ProctypeId, &Edge) -> bool) {
        let program = self.program;
        for (id, variable) in program.globals.iter_ids() {
            self.declared((None, id), &variable.initial);
        }
        for (kind, proctype) in
            program.proctypes.iter_ids().filter(|(id, _)| program.is_process(*id))
        {
            self.proctype = Some(kind);
            self.counts_here = false;
            for (id, variable) in proctype.variables.iter_ids() {
                self.span = variable.span;
                self.declared((Some(kind), id), &variable.initial);
            }
            for edge in &proctype.edges {
                (self.counts_here, self.span) = (counts(kind, edge), edge.span);
                let alone = proctype.locations[edge.from].groups.len() == 1
                    && !proctype.edges_from(edge.from).any(|(_, it)| it.action == Action::Else);
                self.action(&edge.action, alone);
            }
            if let Some(condition) = &proctype.provided {
                self.counts_here = true;
                self.span = proctype.provided_span.unwrap_or(proctype.span);
                self.number(condition, "taken as a truth value");
            }
        }
    }

    fn declared(&mut self, key: VariableKey, initial: &Initial) {
        let element = self.element(key);
        match initial {
            Initial::Channel(kind) => {
                for at in 0..kind.fields.len() {
                    self.nodes.field(element, at);
                }
            }
            Initial::Value(expr) => self.flow(element, expr),
            Initial::Zero | Initial::List(_) | Initial::Argument(_) => {}
        }
    }

    pub(super) fn element(&mut self, key: VariableKey) -> NodeId {
        let nodes = &mut self.nodes;
        *self.elements.entry(key).or_insert_with(|| nodes.fresh())
    }

    /// The type of the elements of a variable, if anything was seen of it.
    pub(super) fn known_element(&self, key: VariableKey) -> Option<NodeId> {
        self.elements.get(&key).copied()
    }

    /// All variables that were seen.
    pub(super) fn variables(&self) -> impl Iterator<Item = (VariableKey, NodeId)> {
        self.elements.iter().map(|(key, node)| (*key, *node))
    }

    fn reason(&self, words: impl Into<String>) -> Reason {
        Reason { words: words.into(), span: self.span }
    }

    fn action(&mut self, action: &Action, alone: bool) {
        match action {
            Action::Skip | Action::Else | Action::Deterministic { .. } | Action::Die => {}
            // What is printed, nothing in the model sees.
            Action::Print(_) => {}
            Action::Condition(expr) => self.condition(expr, alone),
            Action::Assert(expr) => self.number(expr, "taken as a truth value"),
            Action::Assign(place, expr) => {
                let element = self.place(place);
                self.flow(element, expr);
            }
            Action::Send { queue, arguments, sorted } => {
                let channels = self.queue(queue);
                for (at, argument) in arguments.iter().enumerate() {
                    let field = self.nodes.field(channels, at);
                    self.flow(field, argument);
                    if *sorted {
                        self.treat_as_number(field, "in messages that are sorted by size");
                    }
                }
            }
            Action::Receive { queue, patterns, .. } => self.patterns(queue, patterns),
            Action::SetPriority(..) => self.never("processes have priorities"),
        }
    }

    fn condition(&mut self, expr: &Expr, alone: bool) {
        match expr {
            Expr::Binary(BinaryOp::And, a, b) => {
                self.condition(a, alone);
                self.condition(b, alone);
            }
            Expr::Binary(BinaryOp::Equal, a, b) if alone => match (&**a, &**b) {
                (Expr::ProcessCount, Expr::Const(count))
                | (Expr::Const(count), Expr::ProcessCount) => self.count(Some(*count)),
                _ => self.number(expr, "taken as a truth value"),
            },
            _ => self.number(expr, "taken as a truth value"),
        }
    }

    fn count(&mut self, waits_for: Option<i32>) {
        if self.counts_here {
            let reason = self.reason("_nr_pr is read while they may end one after the other");
            self.counts.push(Count { proctype: self.proctype, waits_for, reason });
        }
    }

    /// The program as a whole tells processes apart.
    fn never(&mut self, words: &str) {
        if self.counts_here && self.fatal.is_none() {
            self.fatal = Some(self.reason(words));
        }
    }

    fn patterns(&mut self, queue: &Queue, patterns: &[Pattern]) {
        let channels = self.queue(queue);
        for (at, pattern) in patterns.iter().enumerate() {
            let field = self.nodes.field(channels, at);
            match pattern {
                Pattern::Store(place) => {
                    let element = self.place(place);
                    self.nodes.join(element, field);
                }
                Pattern::Match(expr) => self.flow(field, expr),
                Pattern::Any => {}
            }
        }
    }

    /// The type of the channels that an expression may name.
    fn queue(&mut self, queue: &Queue) -> NodeId {
        match self.value(&queue.number) {
            Typed::Of(node) => node,
            Typed::Literal(_) | Typed::Computed => {
                self.fatal.get_or_insert(self.reason("the number of a channel is calculated"));
                self.nodes.fresh()
            }
        }
    }

    /// A value comes to those of a type, or is compared with them.
    fn flow(&mut self, into: NodeId, expr: &Expr) {
        match self.value(expr) {
            Typed::Of(node) => self.nodes.join(into, node),
            Typed::Literal(value) => {
                self.literal(into, value, "compared with, or set to, a number in the text");
                if value != 0 {
                    self.compute(into);
                }
            }
            Typed::Computed => {
                self.compute(into);
                self.treat_as_number(into, "set to, or compared with, a number that is calculated");
            }
        }
    }

    fn compute(&mut self, node: NodeId) {
        let reason = self.reason("the number of a channel is calculated");
        self.nodes.node_mut(node).computed.get_or_insert(reason);
    }

    fn literal(&mut self, node: NodeId, value: i32, words: &str) {
        if self.counts_here {
            let reason = self.reason(words);
            self.nodes.node_mut(node).literals.push((value, reason));
        }
    }

    fn treat_as_number(&mut self, node: NodeId, words: &str) {
        if self.counts_here {
            let reason = self.reason(words);
            self.nodes.node_mut(node).number.get_or_insert(reason);
        }
    }

    /// An expression whose value is treated as a number, unlike the name of a process.
    fn number(&mut self, expr: &Expr, words: &str) {
        if let Typed::Of(node) = self.value(expr) {
            self.treat_as_number(node, words);
        }
    }

    fn value(&mut self, expr: &Expr) -> Typed {
        match expr {
            Expr::Const(value) => return Typed::Literal(*value),
            Expr::Load(place) => return Typed::Of(self.place(place)),
            Expr::Pid => return Typed::Of(self.pid),
            Expr::Run { proctype, arguments, .. } => {
                self.run(*proctype, arguments);
                return Typed::Of(self.pid);
            }
            Expr::Choose(condition, a, b) => {
                self.number(condition, "taken as a truth value");
                let node = self.nodes.fresh();
                self.flow(node, a);
                self.flow(node, b);
                return Typed::Of(node);
            }
            Expr::Unary(_, a) => self.number(a, "calculated with"),
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
            Expr::Probe(_, queue) => {
                self.queue(queue);
            }
            Expr::Poll { queue, patterns, .. } | Expr::Messages { queue, patterns, .. } => {
                self.patterns(queue, patterns);
            }
            Expr::Timeout => {}
            Expr::ProcessCount => self.count(None),
            Expr::Last => self.never("_last is read"),
            Expr::Enabled(_) => self.never("`enabled` asks for one process"),
            Expr::PcValue(_) => self.never("`pc_value` asks for one process"),
            Expr::Priority(_) => self.never("processes have priorities"),
            Expr::RemoteLabel(_) | Expr::RemoteVariable(_) => {
                self.never("a remote reference looks into one process");
            }
            Expr::NonProgress | Expr::Accepting => {}
        }
        Typed::Computed
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) {
        let words = match op {
            BinaryOp::Equal | BinaryOp::NotEqual => return self.equal(a, b),
            BinaryOp::And | BinaryOp::Or => "taken as a truth value",
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                "compared by size"
            }
            _ => "calculated with",
        };
        self.number(a, words);
        self.number(b, words);
    }

    fn equal(&mut self, a: &Expr, b: &Expr) {
        match self.value(a) {
            Typed::Of(node) => self.flow(node, b),
            Typed::Literal(value) => {
                if let Typed::Of(node) = self.value(b) {
                    self.literal(node, value, "compared with, or set to, a number in the text");
                }
            }
            Typed::Computed => self.number(b, "compared with a number that is calculated"),
        }
    }

    /// What a parameter holds is known of each process if nothing assigns it; which channels a
    /// process may name follows from the arguments all the same.
    fn run(&mut self, kind: ProctypeId, arguments: &[Expr]) {
        for (id, variable) in self.program.proctypes[kind].variables.iter_ids() {
            let Initial::Argument(index) = variable.initial else { continue };
            let Some(argument) = arguments.get(index) else { continue };
            if variable.scalar == Scalar::Chan || !(self.constant)(kind, id) {
                let element = self.element((Some(kind), id));
                self.flow(element, argument);
            } else {
                self.value(argument);
            }
        }
    }

    /// The type of what is at a place.
    fn place(&mut self, place: &Place) -> NodeId {
        let key = match place.variable {
            VariableRef::Global(id) => (None, id),
            VariableRef::Local(id) => (self.proctype, id),
        };
        if self.counts_here {
            self.used.insert(key);
            self.subscripts(key, place);
        }
        self.element(key)
    }

    fn subscripts(&mut self, key: VariableKey, place: &Place) {
        for (at, subscript) in place.subscripts.iter().enumerate() {
            let index = match self.dimensions.get(&key).and_then(|known| known.get(at)) {
                Some(known) => known.index,
                None => {
                    let (bound, stride) = (subscript.bound, subscript.stride);
                    let index = self.nodes.fresh();
                    let known = self.dimensions.entry(key).or_default();
                    known.push(Dimension { bound, stride, index });
                    index
                }
            };
            match self.value(&subscript.index) {
                Typed::Of(node) => self.nodes.join(index, node),
                Typed::Literal(value) => {
                    self.literal(index, value, "used beside an index that is a number in the text")
                }
                Typed::Computed => {
                    self.treat_as_number(index, "used beside an index that is calculated");
                }
            }
        }
    }
}
