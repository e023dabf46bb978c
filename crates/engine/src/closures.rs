//! Expressions and actions as closures over packed states. The few shapes that
//! models are full of (a variable against a constant) get closures of their own;
//! the rest is a tree of boxes.

use crate::layout::{ChannelField, Field, Layout};
use automata::{Action, Direction, Network, Observer, ObserverId, Sighting, StateId};
use base::Id;
use model::{BinaryOp, ChannelId, Expr, MessageId, VariableId, cut};
use std::collections::BTreeSet;
use system::{StepOutcome, Word};

/// An expression; `None` is a division by zero.
pub(crate) type Value = Box<dyn Fn(&[Word]) -> Option<i32> + Send + Sync>;
/// Whether an edge can execute (a division by zero "executes" into its error).
pub(crate) type Guard = Box<dyn Fn(&[Word]) -> bool + Send + Sync>;
/// What an edge does to a copy of the state, its location aside.
pub(crate) type Effect = Box<dyn Fn(&mut [Word]) -> StepOutcome + Send + Sync>;

fn variable(field: Field) -> impl Fn(&[Word]) -> i32 + Copy {
    move |words| i32::from(field.get(words) as u16 as i16)
}

/// Compiles an expression.
pub(crate) fn value(layout: &Layout, expr: &Expr) -> Value {
    match expr {
        Expr::Const(value) => {
            let value = *value;
            Box::new(move |_| Some(value))
        }
        Expr::Var(v) => {
            let read = variable(layout.variables[*v]);
            Box::new(move |words| Some(read(words)))
        }
        Expr::Unary(op, x) => {
            let (op, x) = (*op, value(layout, x));
            Box::new(move |words| x(words).map(|x| op.apply(x)))
        }
        Expr::Binary(BinaryOp::Or, x, y) => {
            let (x, y) = (value(layout, x), value(layout, y));
            Box::new(move |words| match x(words)? {
                0 => y(words).map(|y| i32::from(y != 0)),
                _ => Some(1),
            })
        }
        Expr::Binary(BinaryOp::And, x, y) => {
            let (x, y) = (value(layout, x), value(layout, y));
            Box::new(move |words| match x(words)? {
                0 => Some(0),
                _ => y(words).map(|y| i32::from(y != 0)),
            })
        }
        Expr::Binary(op, x, y) => binary(layout, *op, x, y),
    }
}

fn binary(layout: &Layout, op: BinaryOp, x: &Expr, y: &Expr) -> Value {
    if let (Expr::Var(v), Expr::Const(c)) = (x, y) {
        let (read, c) = (variable(layout.variables[*v]), *c);
        return Box::new(move |words| op.apply(read(words), c).ok());
    }
    let (x, y) = (value(layout, x), value(layout, y));
    Box::new(move |words| op.apply(x(words)?, y(words)?).ok())
}

/// Compiles the condition under which `action` can execute; the rules about
/// timeouts and default receives are the caller's.
pub(crate) fn guard(layout: &Layout, network: &Network, action: &Action) -> Guard {
    match action {
        Action::Skip | Action::Assign(..) | Action::Timeout(_) => Box::new(|_| true),
        Action::Condition(e) => {
            let value = value(layout, e);
            Box::new(move |words| value(words) != Some(0))
        }
        Action::Send(c, ..) => {
            let length = layout.channels[*c].length;
            let capacity = Word::from(network.channels[*c].capacity);
            Box::new(move |words| length.get(words) < capacity)
        }
        Action::Receive(c, m, _) => named(&layout.channels[*c], *m),
        Action::ReceiveAny(c) => nonempty(layout.channels[*c].length),
    }
}

/// The head is message `name`, with or without a value.
fn named(channel: &ChannelField, name: MessageId) -> Guard {
    let (length, head) = (channel.length, channel.slots[0]);
    let bare = channel.symbol(name, false).unwrap_or(Word::MAX);
    let valued = channel.symbol(name, true).unwrap_or(Word::MAX);
    let channel = channel.clone();
    Box::new(move |words| {
        let symbol = channel.symbol_in(head.get(words));
        (symbol == bare || symbol == valued) && length.get(words) > 0
    })
}

pub(crate) fn nonempty(length: Field) -> Guard {
    Box::new(move |words| length.get(words) > 0)
}

pub(crate) fn empty(length: Field) -> Guard {
    Box::new(move |words| length.get(words) == 0)
}

/// Some message is at the head that none of `names` is.
pub(crate) fn unnamed(channel: &ChannelField, names: &[MessageId]) -> Guard {
    let (length, head) = (channel.length, channel.slots[0]);
    let taken: Vec<bool> = channel.symbols().iter().map(|(m, _)| names.contains(m)).collect();
    let channel = channel.clone();
    Box::new(move |words| {
        length.get(words) > 0 && !taken[channel.symbol_in(head.get(words)) as usize]
    })
}

/// Compiles what `action` does, observers included.
pub(crate) fn effect(layout: &Layout, network: &Network, action: &Action) -> Effect {
    let watch = |direction, channel, message| {
        watchers(layout, network, Sighting { direction, channel, message })
    };
    match action {
        Action::Skip | Action::Timeout(_) => Box::new(|_| StepOutcome::State),
        Action::Condition(e) => {
            let value = value(layout, e);
            Box::new(move |words| value(words).map_or(StepOutcome::Fault, |_| StepOutcome::State))
        }
        Action::Assign(v, e) => assign(layout.variables[*v], value(layout, e)),
        Action::Send(c, m, e) => {
            let value = e.as_ref().map(|e| value(layout, e));
            send(&layout.channels[*c], *m, value, watch(Direction::Send, *c, *m))
        }
        Action::Receive(c, m, v) => receive(layout, *c, *v, watch(Direction::Receive, *c, *m)),
        Action::ReceiveAny(c) => {
            let symbols = layout.channels[*c].symbols().iter();
            let by_symbol = symbols.map(|(m, _)| watch(Direction::Receive, *c, *m)).collect();
            receive_any(&layout.channels[*c], by_symbol)
        }
    }
}

fn assign(field: Field, value: Value) -> Effect {
    Box::new(move |words| match value(words) {
        None => StepOutcome::Fault,
        Some(value) => {
            field.set(words, Word::from(cut(value) as u16));
            StepOutcome::State
        }
    })
}

fn send(
    channel: &ChannelField,
    name: MessageId,
    value: Option<Value>,
    watchers: Vec<Watcher>,
) -> Effect {
    let symbol = channel.symbol(name, value.is_some()).expect("every send is in the sort");
    let channel = channel.clone();
    Box::new(move |words| {
        let carried = match &value {
            None => 0,
            Some(value) => match value(words) {
                None => return StepOutcome::Fault,
                Some(value) => cut(value),
            },
        };
        let length = channel.length.get(words);
        channel.slots[length as usize].set(words, channel.pack(symbol, carried));
        channel.length.set(words, length + 1);
        observe(&watchers, words)
    })
}

fn receive(
    layout: &Layout,
    channel: ChannelId,
    into: Option<VariableId>,
    watchers: Vec<Watcher>,
) -> Effect {
    let into = into.map(|variable| layout.variables[variable]);
    let channel = layout.channels[channel].clone();
    Box::new(move |words| {
        let slot = take(&channel, words);
        let (_, has_value) = channel.symbols()[channel.symbol_in(slot) as usize];
        if let (Some(into), true) = (into, has_value) {
            into.set(words, Word::from(channel.value_in(slot) as u16));
        }
        observe(&watchers, words)
    })
}

fn receive_any(channel: &ChannelField, by_symbol: Vec<Vec<Watcher>>) -> Effect {
    let channel = channel.clone();
    Box::new(move |words| {
        let slot = take(&channel, words);
        observe(&by_symbol[channel.symbol_in(slot) as usize], words)
    })
}

/// Takes the head out and moves the others up; the freed slot becomes zero.
fn take(channel: &ChannelField, words: &mut [Word]) -> Word {
    let head = channel.slots[0].get(words);
    let length = channel.length.get(words) as usize;
    for pair in channel.slots[..length].windows(2) {
        let next = pair[1].get(words);
        pair[0].set(words, next);
    }
    channel.slots[length - 1].set(words, 0);
    channel.length.set(words, length as Word - 1);
    head
}

/// What one sighting does to the set of one observer.
pub(crate) struct Watcher {
    number: u32,
    set: Vec<Field>,
    /// For each observer state, in its bit's place: the states it leads to.
    leads_to: Vec<Vec<Word>>,
}

fn watchers(layout: &Layout, network: &Network, seen: Sighting) -> Vec<Watcher> {
    let in_scope = network.observers.iter_ids().filter(|(_, o)| o.scope().contains(&seen));
    in_scope.map(|(id, observer)| watcher(layout, id, observer, seen)).collect()
}

fn watcher(layout: &Layout, id: ObserverId, observer: &Observer, seen: Sighting) -> Watcher {
    let set = layout.sets[id].clone();
    let after = |state: StateId| observer.after(&BTreeSet::from([state]), seen);
    let bits = |states: BTreeSet<StateId>| {
        let mut bits = vec![0; set.len()];
        for state in states {
            bits[state.index() / 64] |= 1 << (state.index() % 64);
        }
        bits
    };
    let leads_to = observer.machine().states.ids().map(|state| bits(after(state))).collect();
    Watcher { number: id.index() as u32, set, leads_to }
}

/// Moves every watching set; the first one that becomes empty is the violation.
fn observe(watchers: &[Watcher], words: &mut [Word]) -> StepOutcome {
    let mut landing = StepOutcome::State;
    for watcher in watchers {
        if !watcher.advance(words) && landing == StepOutcome::State {
            landing = StepOutcome::Violation(watcher.number);
        }
    }
    landing
}

impl Watcher {
    /// Moves the set; says whether anything is left in it.
    fn advance(&self, words: &mut [Word]) -> bool {
        let mut next = vec![0; self.set.len()];
        for (place, field) in self.set.iter().enumerate() {
            let mut bits = field.get(words);
            while bits != 0 {
                let state = place * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                for (sum, reached) in next.iter_mut().zip(&self.leads_to[state]) {
                    *sum |= reached;
                }
            }
        }
        for (field, bits) in self.set.iter().zip(&next) {
            field.set(words, *bits);
        }
        next.iter().any(|bits| *bits != 0)
    }
}
