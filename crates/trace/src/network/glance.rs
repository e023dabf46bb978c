//! What the machines of a network find, state by state, at statements they wait for in vain.

use super::recorder::message_text;
use crate::{Fact, Glance};
use automata::reference::{self, Move, World};
use automata::{Action, EdgeId, MachineId, Network, TimeoutRule};
use base::{BinaryOp, UnaryOp};
use model::{Expr, ExprText};

/// The guard of an edge that the machine stands before, part by part.
pub fn glance(network: &Network, world: &World, machine: MachineId, edge: EdgeId) -> Vec<Glance> {
    let action = &network.machines[machine].edges[edge].action;
    let Action::Condition(condition) = action else {
        let wanted = Move { machine, edge };
        let holds = reference::moves(network, world).contains(&wanted);
        return vec![Glance { condition: None, holds, facts: facts(network, world, action) }];
    };
    let mut conditions = Vec::new();
    conjuncts(condition, true, &mut conditions);
    let value = |variable: &_| i32::from(world.values[*variable]);
    let part = |expr: &Expr| {
        let mut read = Vec::new();
        expr.variables(&mut |variable| {
            let fact = Fact::is(&*network.variables[*variable].name, value(variable).to_string());
            if !read.contains(&fact) {
                read.push(fact);
            }
        });
        Glance {
            condition: Some(ExprText { expr, names: network }.to_string()),
            holds: expr.eval(&value).is_ok_and(|value| value != 0),
            facts: read,
        }
    };
    conditions.iter().map(part).collect()
}

/// What a statement that is no condition depends on.
fn facts(network: &Network, world: &World, action: &Action) -> Vec<Fact> {
    let name = |channel| network.channels[channel].name.to_string();
    let head = |channel| match world.queues[channel].first() {
        None => Fact::is(name(channel), "empty"),
        Some(head) => {
            Fact::is(format!("the head of {}", name(channel)), message_text(network, head))
        }
    };
    match action {
        Action::Receive(channel, ..) | Action::ReceiveAny(channel) => vec![head(*channel)],
        Action::Send(channel, ..) => vec![Fact::is(name(*channel), "full")],
        Action::Timeout(channel) => match network.rules.timeout {
            TimeoutRule::Off => vec![Fact::is("timeout", "switched off")],
            TimeoutRule::Last => vec![Fact::is("something else", "executable")],
            TimeoutRule::Empty | TimeoutRule::Any => vec![head(*channel)],
        },
        Action::Skip | Action::Condition(_) | Action::Assign(..) => Vec::new(),
    }
}

/// The operands of `&&`, also of a negated `||`; `truth` says whether `expr` is to hold.
fn conjuncts(expr: &Expr, truth: bool, all: &mut Vec<Expr>) {
    match (expr, truth) {
        (Expr::Binary(BinaryOp::And, a, b), true) | (Expr::Binary(BinaryOp::Or, a, b), false) => {
            conjuncts(a, truth, all);
            conjuncts(b, truth, all);
        }
        (Expr::Unary(UnaryOp::Not, a), _) => conjuncts(a, !truth, all),
        (_, true) => all.push(expr.clone()),
        (_, false) => all.push(Expr::Unary(UnaryOp::Not, Box::new(expr.clone()))),
    }
}
