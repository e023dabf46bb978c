//! A network in packed form, on the words of its [`Layout`]. Whatever goes wrong (a division
//! by zero, an assertion with nothing left to see) is a bail there, and the reference
//! interpreter answers for it.

use crate::accesses::accesses;
use crate::layout::{ChannelField, Layout};
use crate::reference::{Reference, ReferenceNetwork};
use crate::{Order, Readable, Rooms, agent, step_kind};
use automata::reference;
use automata::{
    Action, DefaultRule, Direction, Edge, EdgeId, Machine, MachineId, Network, ObserverId,
    Sighting, StateId, TimeoutRule,
};
use base::{Id, Name};
use model::{ChannelId, Look, MessageId, Predicate, VariableId};
use packed::{
    AccessTable, Agent, Backend, BinaryOp, Driver, Estimates, Expr, Op, Packed, Place, Predicates,
    Then, UnaryOp,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use system::Word;

/// A network in packed form, with all that is needed to answer for states that are given up.
#[derive(Clone)]
pub struct Form<'a> {
    network: &'a Network,
    order: Order,
    layout: Arc<Layout>,
    packed: Arc<Packed>,
    /// The propositions whose letters its states have.
    atoms: Option<Vec<Predicate>>,
}

/// A network run in packed form.
pub type PackedNetwork<'a, B> = Driver<B, Reference<'a, Arc<Layout>>>;

/// The packed form of `network`; none if it holds something the form has no room for, such
/// as an assertion of more than 64 states.
pub fn pack(network: &Network, order: Order) -> Option<Form<'_>> {
    pack_within(network, order, &Rooms::declared(network))
}

/// The same for states in which each channel holds no more than there is room for. One that
/// holds more is left out, and the system says so ([`Reference::is_too_narrow`]).
pub fn pack_within<'a>(network: &'a Network, order: Order, rooms: &Rooms) -> Option<Form<'a>> {
    let layout = Arc::new(Layout::within(network, rooms));
    let lowering = Lowering { network, layout: Arc::clone(&layout) };
    let mut initial = vec![0; layout.width()];
    layout.encode(&reference::initial(network), &mut initial);
    let agents: Option<Vec<Agent>> =
        order.machines(network).into_iter().map(|id| lowering.agent(id)).collect();
    let waits = |edge: &Edge| matches!(edge.action, Action::Timeout(_));
    let has_timeouts = network.machines.iter().any(|machine| machine.edges.iter().any(waits));
    let packed = Arc::new(Packed {
        width: layout.width(),
        telling: layout.width(),
        initial,
        agents: agents?,
        claim: None,
        asks_timeout: has_timeouts && network.rules.timeout == TimeoutRule::Last,
        marks: network.machines.iter().map(|machine| machine.edges.len()).sum(),
    });
    Some(Form { network, order, layout, packed, atoms: None })
}

impl<'a> Form<'a> {
    /// The packed form, to make a back end of.
    pub fn packed(&self) -> &Arc<Packed> {
        &self.packed
    }

    /// How states are packed.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What its edges access.
    pub fn accesses(&self) -> AccessTable {
        accesses(self.network, self.order)
    }

    /// With atomic propositions.
    #[must_use]
    pub fn with_atoms(self, atoms: Option<&[Predicate]>) -> Self {
        Self { atoms: atoms.map(<[Predicate]>::to_vec), ..self }
    }

    /// Whether it has any.
    pub fn has_atoms(&self) -> bool {
        self.atoms.is_some()
    }

    /// The propositions in packed form.
    pub fn propositions(&self) -> Vec<Expr> {
        let lowering = Lowering { network: self.network, layout: Arc::clone(&self.layout) };
        self.atoms.iter().flatten().map(|atom| lowering.predicate(atom)).collect()
    }

    /// The system, with a back end made of [`Form::packed`].
    pub fn on<B: Backend>(&self, backend: B) -> PackedNetwork<'a, B> {
        let layout = Arc::clone(&self.layout);
        let fallback = Reference::with(self.network, self.order, layout);
        let fallback = match &self.atoms {
            Some(atoms) => {
                let propositions = self.propositions();
                let predicates = Predicates::new(&self.packed, &propositions);
                let estimates = Estimates::new(&self.packed, propositions);
                fallback.with_atoms(Some(atoms)).with_predicates(predicates, estimates)
            }
            None => fallback,
        };
        Driver::new(Arc::clone(&self.packed), backend, fallback).without_choices()
    }

    /// The system, with closures as the back end.
    pub fn on_closures(&self) -> PackedNetwork<'a, Arc<packed::Closures>> {
        self.on(packed::closures(&self.packed))
    }
}

/// A network as a system: in packed form, on closures, if it has one.
pub fn system(network: &Network, order: Order) -> Box<dyn Readable + '_> {
    match pack(network, order) {
        Some(form) => Box::new(form.on_closures()),
        None => Box::new(ReferenceNetwork::new(network, order)),
    }
}

/// Whether an action executes in some state, under the rules of the network.
pub(crate) fn is_executable(network: &Network, action: &Action) -> bool {
    !matches!(action, Action::Timeout(_)) || network.rules.timeout != TimeoutRule::Off
}

struct Lowering<'a> {
    network: &'a Network,
    layout: Arc<Layout>,
}

/// The messages of a channel with room for more are counted by the reference interpreter.
const COUNTED_MAX: usize = 32;

/// The temporary that holds the message being taken.
const HEAD: u32 = 0;

impl Lowering<'_> {
    fn agent(&self, id: MachineId) -> Option<Agent> {
        let machine = &self.network.machines[id];
        let places: Option<Vec<Place>> =
            machine.states.ids().map(|at| self.place(id, machine, at)).collect();
        let at = self.layout.locations[id].packed(false)?;
        Some(Agent { number: agent(id), at, places: places? })
    }

    fn place(&self, id: MachineId, machine: &Machine, at: StateId) -> Option<Place> {
        let mut edges = Vec::new();
        for (number, edge) in machine.edges_from(at) {
            let Some(guard) = self.guard(machine, at, &edge.action) else { continue };
            edges.push(packed::Edge {
                number: number.index() as u32,
                mark: self.mark(id, number),
                kind: step_kind(&edge.action),
                is_else: false,
                guard,
                body: self.body(id, edge)?,
                then: Then::Visible,
            });
        }
        Some(Place { groups: vec![edges], takes: Vec::new() })
    }

    /// Edges of all machines in a row.
    fn mark(&self, id: MachineId, edge: EdgeId) -> u32 {
        let before = self.network.machines.iter().take(id.index());
        (before.map(|machine| machine.edges.len()).sum::<usize>() + edge.index()) as u32
    }

    /// The condition under which an action executes; none if it never does.
    fn guard(&self, machine: &Machine, at: StateId, action: &Action) -> Option<Vec<Op>> {
        let all_taken = |taken: &Expr| vec![Op::Require(not(taken.clone()))];
        Some(match action {
            Action::Skip | Action::Assign(..) => Vec::new(),
            Action::Condition(condition) => vec![Op::Require(self.expr(condition))],
            Action::Send(channel, ..) => {
                let capacity = self.network.channels[*channel].capacity as i32;
                let length = self.length(*channel);
                vec![Op::Require(binary(BinaryOp::Less, length, Expr::Const(capacity)))]
            }
            Action::Receive(channel, name, _) => {
                let holds = self.length(*channel);
                vec![Op::Require(and(holds, self.is_head(*channel, *name)))]
            }
            Action::ReceiveAny(channel) => {
                let mut guard = vec![Op::Require(self.length(*channel))];
                if self.network.rules.default_receive == DefaultRule::Else {
                    let named = self.named(machine, at, *channel);
                    guard.extend(named.iter().flat_map(all_taken));
                }
                guard
            }
            Action::Timeout(channel) => match self.network.rules.timeout {
                TimeoutRule::Off => return None,
                TimeoutRule::Any => Vec::new(),
                TimeoutRule::Last => vec![Op::Require(Expr::Timeout)],
                TimeoutRule::Empty => vec![Op::Require(not(self.length(*channel)))],
            },
        })
    }

    /// For each receive by name of the state, whether it would take the head.
    fn named(&self, machine: &Machine, at: StateId, channel: ChannelId) -> Vec<Expr> {
        let edges = machine.edges_from(at);
        let names = edges.filter_map(|(_, edge)| match edge.action {
            Action::Receive(from, name, _) if from == channel => Some(name),
            _ => None,
        });
        names.map(|name| self.is_head(channel, name)).collect()
    }

    /// Whether the oldest message is `name`, with or without a value; an empty channel is
    /// the caller's to rule out.
    fn is_head(&self, channel: ChannelId, name: MessageId) -> Expr {
        self.is_message(channel, 0, (name, None))
    }

    /// Whether the message at a place is `name`, with this value if one is asked for; that there is
    /// one is the caller's to say.
    fn is_message(
        &self,
        channel: ChannelId,
        at: usize,
        (name, value): (MessageId, Option<i16>),
    ) -> Expr {
        let field = &self.layout.channels[channel];
        let slot = || Expr::Element(field.row, Box::new(Expr::Const(at as i32)));
        let equal = |x: Expr, y: i32| binary(BinaryOp::Equal, x, Expr::Const(y));
        let kinds = if value.is_some() { &[true][..] } else { &[false, true] };
        let codes = kinds.iter().filter_map(|valued| field.symbol(name, *valued));
        let same = codes.map(|code| equal(symbol(field, slot()), code as i32));
        let same = same.reduce(|one, other| binary(BinaryOp::Or, one, other));
        match (same, value) {
            (None, _) => Expr::Const(0),
            (Some(same), None) => same,
            (Some(same), Some(value)) => {
                let shift = Expr::Const(field.symbol_bits as i32);
                let rest = binary(BinaryOp::ShiftRight, slot(), shift);
                let rest = binary(BinaryOp::BitAnd, rest, Expr::Const(0xffff));
                and(same, equal(rest, i32::from(value as u16)))
            }
        }
    }

    /// How many messages of a channel are such ones.
    fn count(&self, channel: ChannelId, kind: (MessageId, Option<i16>)) -> Expr {
        let room = self.layout.channels[channel].slots.len();
        if room > COUNTED_MAX {
            return Expr::Bail;
        }
        let each = (0..room).map(|at| {
            let there = binary(BinaryOp::Greater, self.length(channel), Expr::Const(at as i32));
            let is_it = and(there, self.is_message(channel, at, kind));
            Expr::Choose(Box::new(is_it), Box::new(Expr::Const(1)), Box::new(Expr::Const(0)))
        });
        each.reduce(|x, y| binary(BinaryOp::Add, x, y)).unwrap_or(Expr::Const(0))
    }

    /// What an edge does, the place of its machine and the observers included.
    fn body(&self, id: MachineId, edge: &Edge) -> Option<Vec<Op>> {
        let at = self.layout.locations[id].packed(false)?;
        let mut body = vec![Op::Set(at, Expr::Const(edge.to.index() as i32))];
        match &edge.action {
            Action::Skip | Action::Condition(_) | Action::Timeout(_) => {}
            Action::Assign(variable, value) => {
                body.push(Op::Set(self.variable(*variable)?, self.expr(value)));
            }
            Action::Send(channel, name, value) => {
                self.send(*channel, *name, value.as_ref(), &mut body)?;
                body.extend(self.observers(Direction::Send, *channel, *name)?);
            }
            Action::Receive(channel, name, variable) => {
                self.take(*channel, &mut body)?;
                if let Some(variable) = variable {
                    body.extend(self.keep_value(*channel, *name, *variable)?);
                }
                body.extend(self.observers(Direction::Receive, *channel, *name)?);
            }
            Action::ReceiveAny(channel) => {
                self.take(*channel, &mut body)?;
                body.push(self.observe_any(*channel)?);
            }
        }
        Some(body)
    }

    fn send(
        &self,
        channel: ChannelId,
        name: MessageId,
        value: Option<&model::Expr>,
        body: &mut Vec<Op>,
    ) -> Option<()> {
        let field = &self.layout.channels[channel];
        let code = Expr::Const(field.symbol(name, value.is_some())? as i32);
        let message = match value {
            None => code,
            Some(value) => {
                let cut = binary(BinaryOp::BitAnd, self.expr(value), Expr::Const(0xffff));
                let shift = Expr::Const(field.symbol_bits as i32);
                binary(BinaryOp::BitOr, code, binary(BinaryOp::ShiftLeft, cut, shift))
            }
        };
        let length = self.length(channel);
        body.push(Op::SetElement(field.row, length.clone(), message));
        body.push(Op::Set(
            field.length.packed(false)?,
            binary(BinaryOp::Add, length, Expr::Const(1)),
        ));
        Some(())
    }

    /// Takes the oldest message out, into the temporary.
    fn take(&self, channel: ChannelId, body: &mut Vec<Op>) -> Option<()> {
        let field = &self.layout.channels[channel];
        let less = binary(BinaryOp::Subtract, self.length(channel), Expr::Const(1));
        body.push(Op::Let(HEAD, Expr::Element(field.row, Box::new(Expr::Const(0)))));
        body.push(Op::Take(field.row, Expr::Const(0)));
        body.push(Op::Set(field.length.packed(false)?, less));
        Some(())
    }

    /// Keeps the value of the message taken in a variable, if it has one.
    fn keep_value(
        &self,
        channel: ChannelId,
        name: MessageId,
        variable: VariableId,
    ) -> Option<Option<Op>> {
        let field = &self.layout.channels[channel];
        let Some(valued) = field.symbol(name, true) else { return Some(None) };
        let variable = self.variable(variable)?;
        let shift = Expr::Const(field.symbol_bits as i32);
        let value = binary(BinaryOp::ShiftRight, Expr::Temp(HEAD), shift);
        let value = match field.symbol(name, false) {
            None => value,
            Some(_) => {
                let code = Expr::Const(valued as i32);
                let has = binary(BinaryOp::Equal, symbol(field, Expr::Temp(HEAD)), code);
                Expr::Choose(Box::new(has), Box::new(value), Box::new(Expr::Field(variable)))
            }
        };
        Some(Some(Op::Set(variable, value)))
    }

    /// What the observers do when any message is taken.
    fn observe_any(&self, channel: ChannelId) -> Option<Op> {
        let field = &self.layout.channels[channel];
        let codes = field.symbols().iter().enumerate();
        let cases: Option<Vec<(i32, Vec<Op>)>> = codes
            .map(|(code, (name, _))| {
                let seen = self.observers(Direction::Receive, channel, *name)?;
                Some((code as i32, seen))
            })
            .collect();
        Some(Op::Switch(symbol(field, Expr::Temp(HEAD)), cases?, Vec::new()))
    }

    /// What a sighting does to the sets of the observers in whose scope it is.
    fn observers(
        &self,
        direction: Direction,
        channel: ChannelId,
        message: MessageId,
    ) -> Option<Vec<Op>> {
        let seen = Sighting { direction, channel, message };
        let observers = self.network.observers.iter_ids();
        let watching = observers.filter(|(_, observer)| observer.scope().contains(&seen));
        watching.map(|(id, _)| self.observe(id, seen)).collect()
    }

    fn observe(&self, id: ObserverId, seen: Sighting) -> Option<Op> {
        let [set] = self.layout.sets[id].as_slice() else { return None };
        let (word, shift) = set.place();
        let observer = &self.network.observers[id];
        let after = |state: StateId| observer.after(&BTreeSet::from([state]), seen);
        let bits = |states: BTreeSet<StateId>| {
            states.iter().fold(0, |bits: Word, state| bits | 1 << state.index())
        };
        let table = observer.machine().states.ids().map(|state| bits(after(state))).collect();
        Some(Op::Map { word, shift, table })
    }

    fn length(&self, channel: ChannelId) -> Expr {
        // A capacity of 2^32 - 1 would need 32 bits: no layout has the words for its slots.
        let length = self.layout.channels[channel].length.packed(false);
        length.map_or(Expr::Bail, Expr::Field)
    }

    fn variable(&self, variable: VariableId) -> Option<packed::Field> {
        self.layout.variables[variable].packed(true)
    }

    fn value(&self, variable: VariableId) -> Expr {
        self.variable(variable).map_or(Expr::Bail, Expr::Field)
    }

    fn expr(&self, expr: &model::Expr) -> Expr {
        lowered(expr, &|variable| self.value(*variable))
    }

    fn predicate(&self, predicate: &Predicate) -> Expr {
        lowered(predicate, &|look| self.look(look))
    }

    fn look(&self, look: &Look) -> Expr {
        match look {
            Look::Variable(variable) => self.value(*variable),
            Look::Length(channel) => self.length(*channel),
            Look::Full(channel) => {
                let capacity = Expr::Const(self.network.channels[*channel].capacity as i32);
                binary(BinaryOp::Equal, self.length(*channel), capacity)
            }
            Look::Head(channel, name, None) => {
                and(self.length(*channel), self.is_head(*channel, *name))
            }
            Look::Head(channel, name, Some(value)) => {
                and(self.length(*channel), self.is_message(*channel, 0, (*name, Some(*value))))
            }
            Look::Count(channel, name, value) => self.count(*channel, (*name, *value)),
            Look::At(process, label) => self.at(MachineId::new(process.index()), label),
            Look::AtEnd(number) => self.at_end(ObserverId::new(*number)),
        }
    }

    /// The bit that the end of an assertion has in its set.
    fn at_end(&self, id: ObserverId) -> Expr {
        let end = self.network.observers[id].machine().end.index();
        let (word, shift) = self.layout.sets[id][end / 64].place();
        let shift = shift + (end % 64) as u32;
        Expr::Field(packed::Field { word, shift, bits: 1, signed: false })
    }

    /// Whether a machine is in one of the states with this label.
    fn at(&self, id: MachineId, label: &Name) -> Expr {
        let Some(field) = self.layout.locations[id].packed(false) else { return Expr::Bail };
        let states = self.network.machines[id].states.iter_ids();
        let labelled = states.filter(|(_, state)| state.labels.contains(label));
        let same = labelled.map(|(state, _)| {
            binary(BinaryOp::Equal, Expr::Field(field), Expr::Const(state.index() as i32))
        });
        same.reduce(|one, other| binary(BinaryOp::Or, one, other)).unwrap_or(Expr::Const(0))
    }
}

/// An expression whose variables are lowered by `leaf`.
fn lowered<V>(expr: &model::Expr<V>, leaf: &dyn Fn(&V) -> Expr) -> Expr {
    match expr {
        model::Expr::Const(value) => Expr::Const(*value),
        model::Expr::Var(variable) => leaf(variable),
        model::Expr::Unary(op, x) => Expr::Unary(*op, Box::new(lowered(x, leaf))),
        model::Expr::Binary(op, x, y) => binary(*op, lowered(x, leaf), lowered(y, leaf)),
    }
}

/// The part of a slot that says which message it is.
fn symbol(field: &ChannelField, slot: Expr) -> Expr {
    binary(BinaryOp::BitAnd, slot, Expr::Const((1 << field.symbol_bits) - 1))
}

fn not(x: Expr) -> Expr {
    Expr::Unary(UnaryOp::Not, Box::new(x))
}

fn and(x: Expr, y: Expr) -> Expr {
    binary(BinaryOp::And, x, y)
}

fn binary(op: BinaryOp, x: Expr, y: Expr) -> Expr {
    Expr::Binary(op, Box::new(x), Box::new(y))
}
