//! "Can this ever happen?": a predicate of states (docs/predicates.md) as what backward
//! execution begins with. It takes what is known of a part of a state at a time: where
//! processes are, what variables and the numbers of messages compare to, what the oldest
//! message of a channel is; and those joined by `&&`, `||` and `!`.

use crate::belief::{Belief, Place};
use crate::expr::{Expr, Leaf};
use crate::net::{Net, Pattern, Receive, Taken, World};
use crate::reverse::{Reverse, each};
use crate::solve::{Cases, Wanted};
use automata::{MachineId, StateId};
use base::{Id, Span, Written};
use model::{ChannelId, Look, MessageId, Predicate};
use program::{BinaryOp, UnaryOp};

/// A set of states, described.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    pub(crate) formula: Formula,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Formula {
    Both(Box<Formula>, Box<Formula>),
    Either(Box<Formula>, Box<Formula>),
    Not(Box<Formula>),
    /// A machine is at one of these states.
    At(MachineId, Vec<StateId>),
    /// The oldest message of a channel is one that would be received.
    Head(Receive),
    /// An expression over variables and lengths of channels is not zero.
    Test(Expr),
}

/// What backward execution cannot begin with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoTarget {
    /// Where it stands.
    pub span: Span,
    /// What it is, as `` `count` ``.
    pub what: &'static str,
}

impl Target {
    /// The states of a network that have a predicate, which is written there.
    ///
    /// # Errors
    /// A part of it that nothing can begin with.
    pub fn of_network(
        net: &Net,
        predicate: &Predicate,
        written: &Written,
    ) -> Result<Self, NoTarget> {
        Ok(Self { formula: formula(net, predicate, written)? })
    }

    /// Whether a world is described.
    pub fn holds(&self, net: &Net, world: &World) -> bool {
        self.formula.holds(net, world)
    }

    /// The beliefs that together are all states described.
    pub(crate) fn seeds(&self, reverse: &Reverse<'_>) -> Cases {
        let mut seeds: Vec<Belief> = Vec::new();
        for seed in self.formula.cases(reverse, reverse.anything(), true)? {
            seeds.extend(seed.settled().filter(|seed| !seeds.contains(seed)));
        }
        Ok(seeds)
    }
}

fn formula(net: &Net, predicate: &Predicate, written: &Written) -> Result<Formula, NoTarget> {
    let inside =
        |at: usize, part: &Predicate| formula(net, part, written.operand(at)).map(Box::new);
    Ok(match predicate {
        Predicate::Binary(BinaryOp::And, x, y) => Formula::Both(inside(0, x)?, inside(1, y)?),
        Predicate::Binary(BinaryOp::Or, x, y) => Formula::Either(inside(0, x)?, inside(1, y)?),
        Predicate::Unary(UnaryOp::Not, x) => Formula::Not(inside(0, x)?),
        Predicate::Var(Look::At(process, name)) => {
            let machine = MachineId::new(process.index());
            Formula::At(machine, net.labelled(machine, name))
        }
        Predicate::Var(Look::Head(channel, name, value)) => {
            let value = value.map(|value| Pattern::Match(Expr::Const(value.into())));
            Formula::Head(asked(*channel, *name, value.into_iter().collect()))
        }
        other => Formula::Test(expr(net, other, written)?),
    })
}

fn asked(channel: ChannelId, name: MessageId, fields: Vec<Pattern>) -> Receive {
    Receive { channel, taken: Taken::Only(name), head: Pattern::Any, fields }
}

fn expr(net: &Net, predicate: &Predicate, written: &Written) -> Result<Expr, NoTarget> {
    let inside = |at: usize, part: &Predicate| expr(net, part, written.operand(at));
    let no_target = |what| Err(NoTarget { span: written.span, what });
    let length = |channel: ChannelId| Expr::Read(Leaf::Length(channel));
    Ok(match predicate {
        Predicate::Const(value) => Expr::Const(*value),
        Predicate::Unary(op, x) => Expr::Unary(*op, Box::new(inside(0, x)?)),
        Predicate::Binary(op, x, y) => Expr::binary(*op, inside(0, x)?, inside(1, y)?),
        Predicate::Var(look) => match look {
            Look::Variable(variable) => Expr::variable(*variable),
            Look::Length(channel) => length(*channel),
            Look::Full(channel) => {
                let capacity = Expr::Const(net.channels[*channel].capacity as i32);
                Expr::binary(BinaryOp::Equal, length(*channel), capacity)
            }
            Look::Count(..) => return no_target("`count`"),
            Look::Head(..) => return no_target("`head` as a number"),
            Look::At(..) => return no_target("`@` or a line as a number"),
            Look::AtEnd(..) => return no_target("the end of an assertion"),
        },
    })
}

impl Formula {
    fn holds(&self, net: &Net, world: &World) -> bool {
        match self {
            Formula::Both(x, y) => x.holds(net, world) && y.holds(net, world),
            Formula::Either(x, y) => x.holds(net, world) || y.holds(net, world),
            Formula::Not(part) => !part.holds(net, world),
            Formula::At(machine, states) => states.contains(&world.at[*machine]),
            Formula::Head(receive) => receive.takes_oldest(net, world),
            Formula::Test(expr) => expr.value(&|leaf| world.value(leaf)).is_some_and(|v| v != 0),
        }
    }

    /// The cases of a belief in which this holds, or does not.
    fn cases(&self, reverse: &Reverse<'_>, belief: Belief, holds: bool) -> Cases {
        match (self, holds) {
            (Formula::Not(part), _) => part.cases(reverse, belief, !holds),
            (Formula::Both(x, y), true) | (Formula::Either(x, y), false) => {
                each(x.cases(reverse, belief, holds)?, |case| y.cases(reverse, case, holds))
            }
            (Formula::Either(x, y), true) | (Formula::Both(x, y), false) => {
                let mut cases = x.cases(reverse, belief.clone(), holds)?;
                cases.extend(y.cases(reverse, belief, holds)?);
                Ok(cases)
            }
            (Formula::At(machine, states), _) => {
                Ok(placed(reverse, belief, *machine, |at| states.contains(&at) == holds))
            }
            (Formula::Head(receive), _) => reverse.headed(belief, receive, holds),
            (Formula::Test(expr), _) => {
                reverse.require(belief, expr, if holds { Wanted::Truth } else { Wanted::Zero })
            }
        }
    }
}

fn placed(
    reverse: &Reverse<'_>,
    mut belief: Belief,
    machine: MachineId,
    wanted: impl Fn(StateId) -> bool,
) -> Vec<Belief> {
    let states = belief.at[machine].states().iter().copied();
    let states: Vec<StateId> = states.filter(|state| wanted(*state)).collect();
    match Place::among(states) {
        Some(Place::At(state)) => reverse.placed(belief, machine, state).into_iter().collect(),
        Some(place) => {
            belief.at[machine] = place;
            vec![belief]
        }
        None => Vec::new(),
    }
}
