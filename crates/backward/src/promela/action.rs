//! Statements of a process as edges of its machine.

use super::expression::{Eye, Spot};
use super::scope::{Scope, range};
use super::{Alphabet, Unfit};
use crate::expr::{Expr, Leaf, Subscript};
use crate::net::{Action, Pattern, Receive, Taken, Timeout};
use automata::MachineId;
use base::Id;
use model::{ChannelId, VariableId};
use program::{BinaryOp, Edge, PrintPart, Queue, Scalar};

/// More elements than this are too many to assign to one of them by a computed index.
const ELEMENTS_MAX: usize = 64;

/// The edges that one edge of a program becomes: one, but for an assignment to an element
/// that is computed.
pub(super) fn actions(
    scope: &Scope<'_>,
    alphabet: &Alphabet,
    machine: MachineId,
    edge: &Edge,
) -> Result<Vec<Action>, Unfit> {
    use program::Action as A;
    let eye = Eye { scope, machine, span: edge.span, asked: None };
    Ok(match &edge.action {
        A::Skip => vec![Action::Skip],
        A::Condition(program::Expr::Timeout) => vec![Action::Timeout(Timeout::Last)],
        A::Condition(e) => vec![Action::Test(eye.expr(e)?)],
        A::Else => vec![Action::Else],
        A::Assert(e) => vec![Action::Assert(eye.expr(e)?)],
        A::Print(parts) => vec![printed(eye, parts)?],
        A::Assign(place, value) => assigned(eye, place, value)?,
        A::Send { queue, arguments, sorted } => {
            if *sorted {
                return eye.unfit("a sorted send (`!!`)");
            }
            vec![sent(eye, alphabet, queue, arguments)?]
        }
        A::Receive { queue, patterns, random, keep } => {
            if *random {
                return eye.unfit("a receive from anywhere in a channel (`??`)");
            }
            if *keep {
                return eye.unfit("a receive that leaves the message where it is (`?<...>`)");
            }
            vec![received(eye, alphabet, queue, patterns)?]
        }
        A::SetPriority(..) => return eye.unfit("a priority"),
        A::Deterministic { .. } => return eye.unfit("a `d_step`"),
        A::Die => Vec::new(),
    })
}

/// What is printed must have a value; nothing else comes of it.
fn printed(eye: Eye<'_, '_>, parts: &[PrintPart]) -> Result<Action, Unfit> {
    let mut failing = Vec::new();
    for part in parts {
        if let Some(value) = part.value() {
            failing.push(eye.expr(value)?);
        }
    }
    failing.retain(Expr::can_fail);
    let defined = |e: Expr| Expr::binary(BinaryOp::Or, e, Expr::Const(1));
    let all = failing.into_iter().map(defined);
    let all = all.reduce(|x, y| Expr::binary(BinaryOp::And, x, y));
    Ok(all.map_or(Action::Skip, Action::Assert))
}

fn assigned(
    eye: Eye<'_, '_>,
    place: &program::Place,
    value: &program::Expr,
) -> Result<Vec<Action>, Unfit> {
    let declared = eye.scope.declaration(eye.machine, place.variable);
    if declared.scalar == Scalar::Chan {
        return eye.unfit("an assignment to a channel variable");
    }
    let value = eye.cut(range(declared.scalar, declared.is_array), eye.expr(value)?);
    Ok(match eye.spot(place)? {
        Spot::One(variable) => vec![Action::Assign(variable, value, None)],
        Spot::Nowhere => vec![Action::Assert(Expr::Const(0))],
        Spot::Computed(elements, _) if elements.len() > ELEMENTS_MAX => {
            return eye.unfit(format!("a computed index of the large array `{}`", declared.name));
        }
        Spot::Computed(elements, subscripts) => {
            let at = |(variable, when): (VariableId, Expr)| {
                Action::Assign(variable, value.clone(), Some(when))
            };
            chosen(&elements, &subscripts).into_iter().map(at).collect()
        }
    })
}

/// Each element with the test of the subscripts that it is the one.
fn chosen(elements: &[VariableId], subscripts: &[Subscript]) -> Vec<(VariableId, Expr)> {
    let mut list = vec![(0, Expr::Const(1))];
    for Subscript { index, bound, stride } in subscripts {
        let longer = |(element, when): (usize, Expr)| {
            let at = move |place: u32| {
                let here = Expr::binary(BinaryOp::Equal, index.clone(), Expr::Const(place as i32));
                let when = match &when {
                    Expr::Const(_) => here,
                    when => Expr::binary(BinaryOp::And, when.clone(), here),
                };
                (element + place as usize * *stride as usize, when)
            };
            (0..*bound).map(at).collect::<Vec<_>>()
        };
        list = list.into_iter().flat_map(longer).collect();
    }
    list.into_iter().map(|(element, when)| (elements[element], when)).collect()
}

/// The types of the fields of a channel.
pub(super) fn fields<'a>(eye: Eye<'_, 'a>, channel: ChannelId) -> &'a [Scalar] {
    &eye.scope.state.channels[channel.index()].kind(eye.scope.program).fields
}

/// The fields that are sent, cut.
fn arguments(
    eye: Eye<'_, '_>,
    channel: ChannelId,
    arguments: &[program::Expr],
) -> Result<Vec<Expr>, Unfit> {
    let fields = fields(eye, channel);
    if fields.len() != arguments.len() {
        return eye.unfit("a send with another number of fields than the channel has");
    }
    let pairs = fields.iter().zip(arguments);
    pairs.map(|(field, e)| Ok(eye.cut(range(*field, false), eye.expr(e)?))).collect()
}

fn sent(
    eye: Eye<'_, '_>,
    alphabet: &Alphabet,
    queue: &Queue,
    given: &[program::Expr],
) -> Result<Action, Unfit> {
    let channel = eye.channel(queue)?;
    let mut values = arguments(eye, channel, given)?;
    let number = match values.first() {
        Some(Expr::Const(number)) => *number,
        _ => 0,
    };
    if alphabet.named[channel.index()] {
        values.remove(0);
    }
    match alphabet.name(channel, number) {
        Some(name) => Ok(Action::Send(channel, name, values)),
        None => eye.unfit("a message without a name"),
    }
}

pub(super) fn received(
    eye: Eye<'_, '_>,
    alphabet: &Alphabet,
    queue: &Queue,
    patterns: &[program::Pattern],
) -> Result<Action, Unfit> {
    let channel = eye.channel(queue)?;
    if fields(eye, channel).len() != patterns.len() {
        return eye.unfit("a receive with another number of fields than the channel has");
    }
    let patterns: Result<Vec<Pattern>, Unfit> =
        patterns.iter().map(|pattern| lowered(eye, pattern)).collect();
    let mut fields = patterns?;
    let (mut taken, mut head) = (Taken::AllBut(Vec::new()), Pattern::Any);
    if alphabet.named[channel.index()] {
        head = fields.remove(0);
        if let Pattern::Match(Expr::Const(number)) = head {
            match alphabet.name(channel, number) {
                Some(name) => (taken, head) = (Taken::Only(name), Pattern::Any),
                // Nobody sends that.
                None => taken = Taken::AllBut(alphabet.kinds.ids().collect()),
            }
        }
    }
    Ok(Action::Receive(Receive { channel, taken, head, fields }))
}

fn lowered(eye: Eye<'_, '_>, pattern: &program::Pattern) -> Result<Pattern, Unfit> {
    Ok(match pattern {
        program::Pattern::Any => Pattern::Any,
        program::Pattern::Store(place) => {
            let declared = eye.scope.declaration(eye.machine, place.variable);
            if declared.scalar == Scalar::Chan {
                return eye.unfit("a receive into a channel variable");
            }
            match eye.spot(place)? {
                Spot::One(variable) => Pattern::Store(variable),
                _ => return eye.unfit("a receive into an element with a computed index"),
            }
        }
        program::Pattern::Match(e) => {
            let wanted = eye.expr(e)?;
            let looks = |leaf: &Leaf| matches!(leaf, Leaf::Length(_));
            if wanted.leaves().iter().any(looks) {
                return eye.unfit("a receive that compares with the length of a channel");
            }
            Pattern::Match(wanted)
        }
    })
}

/// The first field of every send, if it is a number.
pub(super) fn heads(scope: &Scope<'_>) -> Result<Vec<(ChannelId, Option<i32>)>, Unfit> {
    let mut heads = Vec::new();
    for (machine, edge) in scope.edges() {
        let program::Action::Send { queue, arguments: given, .. } = &edge.action else { continue };
        let eye = Eye { scope, machine, span: edge.span, asked: None };
        let channel = eye.channel(queue)?;
        let head = match arguments(eye, channel, given)?.first() {
            Some(Expr::Const(number)) => Some(*number),
            _ => None,
        };
        heads.push((channel, head));
    }
    Ok(heads)
}
