//! A second meaning of a model: its statements executed as they stand, with a
//! stack of what is left to do. No state machine is built, nothing is suppressed
//! or merged, so what `automata::build` makes of a model is judged too.
//!
//! Jumps and breaks, and calls unless they are inlined, take a step of their own here.
//! That cannot be seen in channels and variables, so those are what is compared.

use automata::reference::{World, initial};
use automata::{CallRule, DefaultRule, Direction, Network, Sighting, TimeoutRule};
use base::IdVec;
use model::{ChannelId, DivisionByZero, Expr, LabelId, Message, Model, Stmt, StmtKind};
use model::{VariableId, cut};
use std::collections::HashSet;

/// What a world shows: channels and variables.
pub(crate) type Face = (IdVec<ChannelId, Vec<Message>>, IdVec<VariableId, i16>);

/// The faces of a state space.
#[derive(Default, PartialEq, Eq, Debug)]
pub(crate) struct Faces {
    /// Of every world.
    pub(crate) all: HashSet<Face>,
    /// Of worlds where nothing can move.
    pub(crate) blocked: HashSet<Face>,
    /// Of worlds where some step divides by zero.
    pub(crate) faults: HashSet<Face>,
    /// Of worlds where some step violates an assertion.
    pub(crate) violations: HashSet<Face>,
}

pub(crate) fn face(world: &World) -> Face {
    (world.queues.clone(), world.values.clone())
}

/// What is left of one sequence. Below the body of a `do` waits the sequence
/// that begins with that `do`, so a body that is done begins again.
#[derive(Clone, Copy)]
struct Frame<'m> {
    left: &'m [Stmt],
    of: Of,
}

/// What a sequence is the body of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Do,
    Call,
    Other,
}

/// What a process has left to do, innermost sequence last.
type Stack<'m> = Vec<Frame<'m>>;

/// A statement that can be next, and what is left after it.
type Guard<'m> = (&'m Stmt, Stack<'m>);

/// All processes and their world, of which `at` is not used.
#[derive(Clone)]
struct Moment<'m> {
    stacks: Vec<Stack<'m>>,
    world: World,
}

enum Effect {
    Fine,
    Fault,
    Violation,
}

/// Executes all runs of `model`; nothing if there are more moments than `most`.
/// Capacities, rules and observers are the network's.
pub(crate) fn faces(
    model: &Model,
    network: &Network,
    calls: CallRule,
    most: usize,
) -> Option<Faces> {
    let bodies: Vec<&[Stmt]> = model.processes.iter().map(|it| &*it.body.statements).collect();
    let stacks = bodies.iter().map(|left| vec![Frame { left, of: Of::Other }]).collect();
    let first = Moment { stacks, world: initial(network) };
    let mut faces = Faces::default();
    let mut known = HashSet::from([first.key()]);
    let mut waiting = vec![first];
    while let Some(moment) = waiting.pop() {
        let before = face(&moment.world);
        let steps = steps(&bodies, network, calls, &moment);
        if steps.is_empty() {
            faces.blocked.insert(before.clone());
        }
        faces.all.insert(before.clone());
        for (process, (statement, left)) in steps {
            let mut next = moment.clone();
            next.stacks[process] = left;
            match execute(network, &mut next.world, statement) {
                Effect::Fine if known.insert(next.key()) => waiting.push(next),
                Effect::Fine => {}
                Effect::Fault => drop(faces.faults.insert(before.clone())),
                Effect::Violation => drop(faces.violations.insert(before.clone())),
            }
        }
        if known.len() > most {
            return None;
        }
    }
    Some(faces)
}

impl Moment<'_> {
    /// Statements are told apart by where they are.
    fn key(&self) -> (Vec<Vec<(*const Stmt, usize)>>, World) {
        let place = |frame: &Frame<'_>| (frame.left.as_ptr(), frame.left.len());
        let stack = |stack: &Stack<'_>| stack.iter().map(place).collect();
        (self.stacks.iter().map(stack).collect(), self.world.clone())
    }
}

fn steps<'m>(
    bodies: &[&'m [Stmt]],
    network: &Network,
    calls: CallRule,
    moment: &Moment<'m>,
) -> Vec<(usize, Guard<'m>)> {
    let mut urgent = Vec::new();
    let mut late = Vec::new();
    for (process, stack) in moment.stacks.iter().enumerate() {
        let mut guards = Vec::new();
        collect(bodies[process], calls, stack.clone(), &mut guards);
        let open = |it: &&Guard<'m>| executable(network, &moment.world, it.0, &guards);
        for guard in guards.iter().filter(open) {
            let is_timeout = matches!(guard.0.kind, StmtKind::Timeout(_));
            let list = if is_timeout { &mut late } else { &mut urgent };
            list.push((process, guard.clone()));
        }
    }
    match network.rules.timeout {
        TimeoutRule::Off => late.clear(),
        TimeoutRule::Last if !urgent.is_empty() => late.clear(),
        TimeoutRule::Last | TimeoutRule::Any | TimeoutRule::Empty => {}
    }
    urgent.extend(late);
    urgent
}

/// Every statement that can be next: guards of `if` and `do`, however deep.
fn collect<'m>(
    body: &'m [Stmt],
    calls: CallRule,
    mut stack: Stack<'m>,
    guards: &mut Vec<Guard<'m>>,
) {
    while stack.last().is_some_and(|frame| frame.left.is_empty()) {
        stack.pop();
    }
    let Some(Frame { left: [statement, after @ ..], of }) = stack.last().copied() else {
        return;
    };
    let next = Frame { left: after, of };
    match &statement.kind {
        StmtKind::Do(options) => {
            for left in options {
                let inside = stack.iter().copied().chain([Frame { left, of: Of::Do }]);
                collect(body, calls, inside.collect(), guards);
            }
        }
        StmtKind::If(options) => {
            stack.pop();
            for left in options {
                let inside = stack.iter().copied().chain([next, Frame { left, of: Of::Other }]);
                collect(body, calls, inside.collect(), guards);
            }
        }
        StmtKind::Call(left) => {
            stack.pop();
            stack.extend([next, Frame { left, of: Of::Call }]);
            match calls {
                CallRule::Inline => collect(body, calls, stack, guards),
                CallRule::Step => guards.push((statement, stack)),
            }
        }
        StmtKind::Return => {
            while stack.pop().is_some_and(|frame| frame.of != Of::Call) {}
            guards.push((statement, stack));
        }
        StmtKind::Break => guards.push((statement, behind_do(stack))),
        StmtKind::Goto(label) => {
            guards
                .push((statement, at_label(body, *label, Of::Other).expect("the label is there")));
        }
        _ => {
            stack.pop();
            stack.push(next);
            guards.push((statement, stack));
        }
    }
}

fn behind_do(mut stack: Stack<'_>) -> Stack<'_> {
    while stack.pop().is_some_and(|frame| frame.of != Of::Do) {}
    let around = stack.last_mut().expect("a do stands in a sequence");
    around.left = &around.left[1..];
    stack
}

fn at_label(sequence: &[Stmt], label: LabelId, of: Of) -> Option<Stack<'_>> {
    sequence.iter().enumerate().find_map(|(index, statement)| {
        let here = Frame { left: &sequence[index..], of };
        if statement.labels.contains(&label) {
            return Some(vec![here]);
        }
        let next = Frame { left: &sequence[index + 1..], of };
        let (around, inside) = match &statement.kind {
            StmtKind::If(options) => (next, within(options, label, Of::Other)?),
            StmtKind::Do(options) => (here, within(options, label, Of::Do)?),
            StmtKind::Call(inner) => (next, at_label(inner, label, Of::Call)?),
            _ => return None,
        };
        Some([vec![around], inside].concat())
    })
}

fn within(options: &[Vec<Stmt>], label: LabelId, of: Of) -> Option<Stack<'_>> {
    options.iter().find_map(|option| at_label(option, label, of))
}

fn eval(world: &World, expr: &Expr) -> Result<i32, DivisionByZero> {
    expr.eval(&|variable| i32::from(world.values[*variable]))
}

/// The `last` rule of timeouts is the caller's.
fn executable(network: &Network, world: &World, it: &Stmt, guards: &[Guard<'_>]) -> bool {
    let head = |c: ChannelId| world.queues[c].first().copied();
    match &it.kind {
        StmtKind::Condition(e) => eval(world, e) != Ok(0),
        StmtKind::Send(c, ..) => world.queues[*c].len() < network.channels[*c].capacity as usize,
        StmtKind::Receive(c, m, _) => head(*c).is_some_and(|message| message.name == *m),
        StmtKind::ReceiveAny(c) => head(*c).is_some_and(|message| {
            let names = |it: &Guard<'_>| {
                matches!(it.0.kind, StmtKind::Receive(from, m, _) if from == *c && m == message.name)
            };
            network.rules.default_receive == DefaultRule::Any || !guards.iter().any(names)
        }),
        StmtKind::Timeout(c) => {
            network.rules.timeout != TimeoutRule::Empty || world.queues[*c].is_empty()
        }
        _ => true,
    }
}

fn execute(network: &Network, world: &mut World, statement: &Stmt) -> Effect {
    match perform(world, statement) {
        Err(DivisionByZero) => Effect::Fault,
        Ok(None) => Effect::Fine,
        Ok(Some(seen)) => observe(network, world, seen),
    }
}

/// Does it; returns what can be seen of it.
fn perform(world: &mut World, it: &Stmt) -> Result<Option<Sighting>, DivisionByZero> {
    let seen = |direction, channel, message| Some(Sighting { direction, channel, message });
    match &it.kind {
        StmtKind::Condition(e) => eval(world, e).map(|_| None),
        StmtKind::Assign(v, e) => {
            world.values[*v] = cut(eval(world, e)?);
            Ok(None)
        }
        StmtKind::Send(c, name, e) => {
            let value = e.as_ref().map(|e| eval(world, e)).transpose()?.map(cut);
            world.queues[*c].push(Message { name: *name, value });
            Ok(seen(Direction::Send, *c, *name))
        }
        StmtKind::Receive(c, ..) | StmtKind::ReceiveAny(c) => {
            let message = world.queues[*c].remove(0);
            if let (StmtKind::Receive(_, _, Some(v)), Some(value)) = (&it.kind, message.value) {
                world.values[*v] = value;
            }
            Ok(seen(Direction::Receive, *c, message.name))
        }
        _ => Ok(None),
    }
}

fn observe(network: &Network, world: &mut World, seen: Sighting) -> Effect {
    let mut effect = Effect::Fine;
    for (id, observer) in network.observers.iter_ids() {
        if observer.scope().contains(&seen) {
            world.seen[id] = observer.after(&world.seen[id], seen);
            if world.seen[id].is_empty() {
                effect = Effect::Violation;
            }
        }
    }
    effect
}
