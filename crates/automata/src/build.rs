//! From statements to states (Holzmann 1987, section 4): one state per statement, guards belong to
//! their `if` or `do`, a nested `if` in guard position merges into the state
//! around it. The result still has its transit states; [`transit`](crate::transit)
//! removes them.
//!
//! A sequence is built backwards: what comes after it is known before it is.

use crate::transit::{self, Draft, Node, NodeEdge, NodeId};
use crate::{Action, Channel, Machine, Network, Observer, Rules};
use base::{IdVec, Name, Span};
use model::{Body, LabelId, Model, Stmt, StmtKind};

/// What the user decides about the network before it is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildOptions {
    /// How it moves.
    pub rules: Rules,
    /// `--capacity`: for every channel, but never below its initial contents.
    pub capacity: Option<u32>,
    /// `--capacity-default`: for channels declared without a size (docs/argos.md, section 4).
    pub capacity_default: u32,
    /// `--calls`: when a call can execute that is the guard of an option.
    pub calls: CallRule,
    /// A statement with a label is a state of its own in any case, so that whoever asks where a
    /// process is sees it there.
    pub keeps_labels: bool,
}

/// When a call can execute (docs/argos.md, section 11).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CallRule {
    /// When the first statement of the procedure can.
    #[default]
    Inline,
    /// Always: it is a step like a jump (Holzmann 1987, section 3).
    Step,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            capacity: None,
            capacity_default: 2,
            calls: CallRule::default(),
            keeps_labels: false,
        }
    }
}

/// Builds the un-minimised network of a model.
pub fn build(model: &Model, options: &BuildOptions) -> Network {
    let machine = |name: &Name, span, body| machine(name, span, body, options);
    Network {
        channels: model.channels.iter().map(|channel| decide_capacity(channel, options)).collect(),
        messages: model.messages.clone(),
        variables: model.variables.clone(),
        machines: model.processes.iter().map(|p| machine(&p.name, p.span, &p.body)).collect(),
        observers: model
            .assertions
            .iter()
            .map(|a| Observer::new(machine(&a.name, a.span, &a.body), &a.text))
            .collect(),
        rules: options.rules,
    }
}

fn decide_capacity(channel: &model::Channel, options: &BuildOptions) -> Channel {
    let declared = channel.capacity.unwrap_or(options.capacity_default);
    let wanted = options.capacity.unwrap_or(declared);
    let needed = u32::try_from(channel.initial.len()).expect("the parser bounds initial contents");
    Channel {
        name: channel.name.clone(),
        span: channel.span,
        capacity: wanted.max(needed).max(1),
        initial: channel.initial.clone(),
    }
}

fn machine(name: &Name, span: Span, body: &Body, options: &BuildOptions) -> Machine {
    let mut builder = Builder {
        body,
        calls: options.calls,
        nodes: IdVec::new(),
        labels: body.labels.iter().map(|_| None).collect(),
        pending: Vec::new(),
        exits: Vec::new(),
        returns: Vec::new(),
    };
    let end = builder.nodes.push(Node { span: body.end, ..Node::default() });
    let start = builder.sequence(&body.statements, end);
    builder.resolve_jumps();
    let (name, nodes) = (name.clone(), builder.nodes);
    let keeps_labels = options.keeps_labels;
    transit::suppress(Draft { name, span, nodes, start, end, keeps_labels })
}

struct Builder<'a> {
    body: &'a Body,
    calls: CallRule,
    nodes: IdVec<NodeId, Node>,
    labels: IdVec<LabelId, Option<NodeId>>,
    /// Nodes that stand for "wherever this label will be".
    pending: Vec<(NodeId, LabelId)>,
    /// Where `break` leads, innermost last.
    exits: Vec<NodeId>,
    /// Where `return` leads, innermost last.
    returns: Vec<NodeId>,
}

impl Builder<'_> {
    /// The node where `statements`, followed by `next`, begins.
    fn sequence(&mut self, statements: &[Stmt], next: NodeId) -> NodeId {
        let Some((first, rest)) = statements.split_first() else { return next };
        let after = self.sequence_iteratively(rest, next);
        if let (StmtKind::Call(body), CallRule::Inline) = (&first.kind, self.calls) {
            let node = self.called(after, |it| it.sequence_iteratively(body, after));
            self.stand_before(node, first);
            return node;
        }
        let node = self.node_of(first);
        let edges = self.guards(first, after, Some(node));
        self.nodes[node].edges = edges;
        node
    }

    /// As [`Self::sequence`], without a stack frame per statement: sequences may
    /// be as long as the file, nesting is bounded by the parser.
    fn sequence_iteratively(&mut self, statements: &[Stmt], next: NodeId) -> NodeId {
        statements
            .iter()
            .rev()
            .fold(next, |after, statement| self.sequence(std::slice::from_ref(statement), after))
    }

    fn node_of(&mut self, statement: &Stmt) -> NodeId {
        let id = self.nodes.push(Node { span: Some(statement.span), ..Node::default() });
        self.stand_before(id, statement);
        id
    }

    /// The labels of a statement stand at a node, before those that stand there already.
    fn stand_before(&mut self, id: NodeId, statement: &Stmt) {
        let body = self.body;
        let labels = statement.labels.iter().map(|label| &body.labels[*label]);
        let node = &mut self.nodes[id];
        node.labelled |= labels.clone().any(|label| label.is_target);
        node.resting |= labels.clone().any(|label| label.name.starts_with("end"));
        node.labels.splice(0..0, labels.map(|label| label.name.clone()));
        for label in &statement.labels {
            self.labels[*label] = Some(id);
        }
    }

    /// What `build` makes of the body of a procedure, which `return` leaves for `next`.
    fn called<T>(&mut self, next: NodeId, build: impl FnOnce(&mut Self) -> T) -> T {
        self.returns.push(next);
        let built = build(self);
        self.returns.pop();
        built
    }

    /// The edges with which `statement` begins. `here` is the node they will
    /// leave, if they are all the edges that node has: only then may a loop make
    /// that node its head (docs/argos.md, section 16).
    fn guards(&mut self, statement: &Stmt, next: NodeId, here: Option<NodeId>) -> Vec<NodeEdge> {
        let span = statement.span;
        let edge = |action, to| vec![NodeEdge { action, to, span }];
        match &statement.kind {
            StmtKind::Skip => edge(Action::Skip, next),
            StmtKind::Condition(e) => edge(Action::Condition(e.clone()), next),
            StmtKind::Assign(v, e) => edge(Action::Assign(*v, e.clone()), next),
            StmtKind::Send(c, m, e) => edge(Action::Send(*c, *m, e.clone()), next),
            StmtKind::Receive(c, m, v) => edge(Action::Receive(*c, *m, *v), next),
            StmtKind::ReceiveAny(c) => edge(Action::ReceiveAny(*c), next),
            StmtKind::Timeout(c) => edge(Action::Timeout(*c), next),
            StmtKind::Break => {
                let exit = *self.exits.last().expect("lowering rejects a break outside do");
                edge(Action::Skip, exit)
            }
            StmtKind::Goto(label) => edge(Action::Skip, self.jump_target(*label)),
            StmtKind::Return => {
                let back = *self.returns.last().expect("lowering rejects a return elsewhere");
                edge(Action::Skip, back)
            }
            StmtKind::Call(body) => match self.calls {
                CallRule::Inline => self.called(next, |it| it.option(body, next, here)),
                CallRule::Step => {
                    let first = self.called(next, |it| it.sequence_iteratively(body, next));
                    edge(Action::Skip, first)
                }
            },
            StmtKind::If(options) => self.options(options, next, here),
            StmtKind::Do(options) => self.repetition(statement, options, next, here),
        }
    }

    fn options(
        &mut self,
        options: &[Vec<Stmt>],
        next: NodeId,
        here: Option<NodeId>,
    ) -> Vec<NodeEdge> {
        let sole = here.filter(|_| options.len() == 1);
        options.iter().flat_map(|option| self.option(option, next, sole)).collect()
    }

    fn option(&mut self, option: &[Stmt], next: NodeId, here: Option<NodeId>) -> Vec<NodeEdge> {
        let (first, rest) = option.split_first().expect("lowering rejects an empty option");
        let after = self.sequence_iteratively(rest, next);
        if first.labels.is_empty() {
            return self.guards(first, after, here);
        }
        // A label in guard position comes only out of an inlined procedure: the
        // jump needs a state of its own, the guards are copied.
        let own = self.sequence(std::slice::from_ref(first), after);
        self.nodes[own].edges.clone()
    }

    fn repetition(
        &mut self,
        statement: &Stmt,
        options: &[Vec<Stmt>],
        next: NodeId,
        here: Option<NodeId>,
    ) -> Vec<NodeEdge> {
        let head = here.unwrap_or_else(|| {
            self.nodes.push(Node { span: Some(statement.span), ..Node::default() })
        });
        self.nodes[head].labelled = true;
        self.exits.push(next);
        let edges = self.options(options, head, Some(head));
        self.exits.pop();
        if here.is_none() {
            self.nodes[head].edges = edges.clone();
        }
        edges
    }

    fn jump_target(&mut self, label: LabelId) -> NodeId {
        if let Some(node) = self.labels[label] {
            return node;
        }
        let stand_in = self.nodes.push(Node::default());
        self.pending.push((stand_in, label));
        stand_in
    }

    /// A stand-in becomes a transit state that leads to its label.
    fn resolve_jumps(&mut self) {
        for (stand_in, label) in std::mem::take(&mut self.pending) {
            let to = self.labels[label].expect("lowering rejects a jump to an unknown label");
            let span = self.body.labels[label].span;
            self.nodes[stand_in].edges = vec![NodeEdge { action: Action::Skip, to, span }];
        }
    }
}
