//! Programs put together by hand, for what PROMELA text cannot say or says at
//! length. Locations are numbers; the last one is the end.
#![allow(dead_code, reason = "every test binary uses a part of it")]

use base::{FileId, Id, Name, Span};
use program::{
    Action, BinaryOp, ChannelType, Edge, EdgeId, Expr, Initial, Location, LocationId, Pattern,
    Place, Proctype, ProctypeId, Program, Queue, Scalar, Subscript, Variable, VariableId,
    VariableRef, Wording,
};

/// A span that points nowhere.
pub(crate) fn nowhere() -> Span {
    Span { file: FileId::new(0), start: 0, end: 0, origin: None }
}

/// A scalar variable that starts as zero.
pub(crate) fn variable(name: &str, scalar: Scalar) -> Variable {
    Variable {
        name: Name::new(name),
        span: nowhere(),
        scalar,
        length: 1,
        is_array: false,
        initial: Initial::Zero,
        hidden: false,
        unread: false,
        channel: None,
    }
}

/// Adds a global, says how to refer to it.
pub(crate) fn global(program: &mut Program, variable: Variable) -> Place {
    let id = program.globals.push(variable);
    Place { variable: VariableRef::Global(id), subscripts: Vec::new() }
}

/// Adds a byte.
pub(crate) fn byte(program: &mut Program, name: &str) -> Place {
    global(program, variable(name, Scalar::Byte))
}

/// A channel variable with a channel in it.
pub(crate) fn channel_variable(name: &str, capacity: u32, fields: &[Scalar]) -> Variable {
    let kind = ChannelType { capacity, fields: fields.to_vec() };
    Variable { initial: Initial::Channel(kind), ..variable(name, Scalar::Chan) }
}

/// Adds a channel.
pub(crate) fn channel(
    program: &mut Program,
    name: &str,
    capacity: u32,
    fields: &[Scalar],
) -> Queue {
    let place = global(program, channel_variable(name, capacity, fields));
    queue(name, place)
}

/// The channel in a variable.
pub(crate) fn queue(name: &str, place: Place) -> Queue {
    Queue { number: Box::new(Expr::Load(place)), name: Name::new(name) }
}

/// The local with this number.
pub(crate) fn local(index: usize) -> Place {
    Place { variable: VariableRef::Local(VariableId::new(index)), subscripts: Vec::new() }
}

/// One element of an array.
pub(crate) fn element(array: &Place, index: Expr, bound: u32) -> Place {
    Place { variable: array.variable, subscripts: vec![Subscript { index, bound, stride: 1 }] }
}

/// `place = value`
pub(crate) fn set(place: &Place, value: i32) -> Action {
    Action::Assign(place.clone(), Expr::Const(value))
}

/// `place == value`
pub(crate) fn is(place: &Place, value: i32) -> Expr {
    let load = Box::new(Expr::Load(place.clone()));
    Expr::Binary(BinaryOp::Equal, load, Box::new(Expr::Const(value)))
}

/// `place == value` as a statement.
pub(crate) fn when(place: &Place, value: i32) -> Action {
    Action::Condition(is(place, value))
}

/// `queue!values`
pub(crate) fn send(queue: &Queue, values: &[i32]) -> Action {
    let arguments = values.iter().map(|value| Expr::Const(*value)).collect();
    Action::Send { queue: queue.clone(), arguments, sorted: false }
}

/// `queue?patterns`
pub(crate) fn receive(queue: &Queue, patterns: &[Pattern]) -> Action {
    Action::Receive {
        queue: queue.clone(),
        patterns: patterns.to_vec(),
        random: false,
        keep: false,
    }
}

/// A proctype out of edges: from, to, what, and whether it is marked atomic.
pub(crate) fn proctype(name: &str, edges: Vec<(usize, usize, Action, bool)>) -> Proctype {
    let end = edges.iter().map(|(from, to, ..)| *from.max(to)).max().unwrap_or(0);
    let mut proctype = Proctype {
        name: Name::new(name),
        span: nowhere(),
        parameters: 0,
        variables: Vec::new().into(),
        start: LocationId::new(0),
        end: LocationId::new(end),
        locations: (0..=end).map(|_| Location::default()).collect(),
        edges: Vec::new().into(),
        provided: None,
        provided_span: None,
        priority: 1,
        deterministic: false,
        names_timeout: false,
    };
    for (from, to, action, atomic) in edges {
        add(&mut proctype, (from, to), action, atomic);
    }
    add(&mut proctype, (end, end), Action::Die, false);
    proctype
}

/// Adds one more edge to the last group of its location.
pub(crate) fn add(
    proctype: &mut Proctype,
    (from, to): (usize, usize),
    action: Action,
    atomic: bool,
) -> EdgeId {
    let (from, to) = (LocationId::new(from), LocationId::new(to));
    let id = proctype.edges.push(Edge {
        from,
        to,
        action,
        atomic,
        merged: false,
        resets: Vec::new(),
        span: nowhere(),
        wording: Wording::Written,
    });
    let groups = &mut proctype.locations[from].groups;
    match groups.last_mut() {
        Some(group) => group.push(id),
        None => groups.push(vec![id]),
    }
    id
}

/// A proctype that does one thing after the other.
pub(crate) fn sequence(name: &str, actions: Vec<Action>) -> Proctype {
    let edges = actions.into_iter().enumerate().map(|(i, action)| (i, i + 1, action, false));
    proctype(name, edges.collect())
}

/// The same, all but the last marked atomic.
pub(crate) fn atomic(name: &str, actions: Vec<Action>) -> Proctype {
    let last = actions.len() - 1;
    let edges = actions.into_iter().enumerate();
    proctype(name, edges.map(|(i, action)| (i, i + 1, action, i < last)).collect())
}

/// Adds a proctype with one process of it.
pub(crate) fn active(program: &mut Program, proctype: Proctype) -> ProctypeId {
    let id = program.proctypes.push(proctype);
    program.start.push(id);
    id
}
