//! "Can this ever happen?": a state described in words of the model, as
//! `sender@wait && len(link) == 2 && sender.bit != 1`.
//!
//! ```text
//! or      = and { "||" and }
//! and     = not { "&&" not }
//! not     = "!" not | "(" or ")" | atom
//! atom    = process "@" place | "len(" channel ")" op number
//!         | "empty(" channel ")" | "full(" channel ")" | value op value
//! place   = a label | "s1", "s2", ... as argos show prints them | "end"
//! value   = number | variable | process "." variable
//! op      = "==" | "!=" | "<" | "<=" | ">" | ">="
//! ```

use crate::belief::{Belief, Place};
use crate::expr::{Expr, Leaf};
use crate::net::World;
use crate::reverse::Reverse;
use crate::solve::{Cases, Wanted};
use automata::{MachineId, StateId};
use model::ChannelId;
use program::BinaryOp;
use std::fmt;

mod parse;

pub use parse::parse_target;

/// A set of states, described.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    formula: Formula,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Formula {
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Not(Box<Formula>),
    /// A machine is at one of these states.
    At(MachineId, Vec<StateId>),
    /// The number of messages in a channel compares like this.
    Length(ChannelId, BinaryOp, i32),
    /// An expression over variables is not zero.
    Test(Expr),
}

/// What is wrong with a description.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetError {
    /// What, in a sentence.
    pub message: String,
    /// Where: the number of the character, from 0.
    pub at: usize,
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at character {})", self.message, self.at + 1)
    }
}

impl std::error::Error for TargetError {}

impl Target {
    /// Whether a world is described.
    pub fn holds(&self, world: &World) -> bool {
        self.formula.holds(world)
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

impl Formula {
    fn holds(&self, world: &World) -> bool {
        match self {
            Formula::And(parts) => parts.iter().all(|part| part.holds(world)),
            Formula::Or(parts) => parts.iter().any(|part| part.holds(world)),
            Formula::Not(part) => !part.holds(world),
            Formula::At(machine, states) => states.contains(&world.at[*machine]),
            Formula::Length(channel, op, number) => {
                compares(world.queues[*channel].len(), *op, *number)
            }
            Formula::Test(expr) => {
                let look = |leaf| match leaf {
                    Leaf::Variable(variable) => world.values[variable],
                    Leaf::Length(channel) => world.queues[channel].len() as i32,
                };
                expr.value(&look).is_some_and(|value| value != 0)
            }
        }
    }

    /// The cases of a belief in which this holds, or does not.
    fn cases(&self, reverse: &Reverse<'_>, belief: Belief, holds: bool) -> Cases {
        match (self, holds) {
            (Formula::Not(part), _) => part.cases(reverse, belief, !holds),
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                let mut cases = vec![belief];
                for part in parts {
                    let parts: Result<Vec<_>, _> =
                        cases.into_iter().map(|case| part.cases(reverse, case, holds)).collect();
                    cases = parts?.concat();
                }
                Ok(cases)
            }
            (Formula::Or(parts), true) | (Formula::And(parts), false) => {
                let cases: Result<Vec<_>, _> =
                    parts.iter().map(|part| part.cases(reverse, belief.clone(), holds)).collect();
                Ok(cases?.concat())
            }
            (Formula::At(machine, states), _) => {
                Ok(placed(reverse, belief, *machine, |at| states.contains(&at) == holds))
            }
            (Formula::Length(channel, op, number), _) => {
                let capacity = reverse.net.channels[*channel].capacity;
                let counts =
                    (0..=capacity).filter(|count| compares(*count as usize, *op, *number) == holds);
                let cases =
                    counts.filter_map(|count| reverse.holding(belief.clone(), *channel, count));
                Ok(cases.collect())
            }
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

fn compares(length: usize, op: BinaryOp, number: i32) -> bool {
    let length = i32::try_from(length).unwrap_or(i32::MAX);
    op.apply(length, number).is_some_and(|holds| holds != 0)
}
