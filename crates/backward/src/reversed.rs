//! The reversed machines written out, as the table of Holzmann 1984, section 3, has them: every
//! edge the other way round, with what becomes of its action. A name with a prime is what is
//! claimed of a channel or variable: the paper's bar.

use crate::expr::{Expr, Leaf};
use crate::net::{Action, Edge, Net, Pattern, Receive, Taken};
use crate::reverse::{Reverse, step_of};
use automata::{MachineId, StateId};
use base::reach;
use model::{ChannelId, MessageId, VariableId};
use program::BinaryOp;
use std::collections::BTreeSet;

/// A machine as backward execution reads it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReversedMachine {
    /// Which one.
    pub machine: MachineId,
    /// The states that its control flow reaches forwards.
    pub states: Vec<StateId>,
    /// Of those the ones where an error can leave the machine.
    pub begins: Vec<StateId>,
    /// Its edges, by the state they leave.
    pub edges: Vec<ReversedEdge>,
}

/// An edge the other way round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReversedEdge {
    /// The state behind the action.
    pub from: StateId,
    /// The state before it.
    pub to: StateId,
    /// What is claimed or tested.
    pub text: String,
    /// What it does to claims on channels.
    pub claims: Claims,
}

/// What a reversed action does to the claims on a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claims {
    /// A receive claims a message.
    Made,
    /// A send redeems one.
    Redeemed,
    /// Neither.
    Untouched,
}

/// The reversed machines of a net.
pub fn reversed(net: &Net) -> Vec<ReversedMachine> {
    let reverse = Reverse::new(net);
    net.machines.ids().map(|id| machine(&reverse, id)).collect()
}

fn machine(reverse: &Reverse<'_>, id: MachineId) -> ReversedMachine {
    let machine = &reverse.net.machines[id];
    let next = |state| machine.edges_from(state).map(|(_, edge)| edge.to).collect::<Vec<_>>();
    let reached: BTreeSet<StateId> = reach([machine.start], next).into_iter().collect();
    let here = machine.edges.iter().filter(|edge| reached.contains(&edge.from));
    let mut edges: Vec<ReversedEdge> = here.map(|edge| turned(reverse.net, edge)).collect();
    edges.sort_by_key(|edge| edge.from);
    let states: Vec<StateId> = reached.into_iter().collect();
    let begins = states.iter().copied().filter(|state| can_be_stuck(reverse, id, *state));
    ReversedMachine { machine: id, begins: begins.collect(), states, edges }
}

/// Too many cases to tell are no reason to leave a state out.
fn can_be_stuck(reverse: &Reverse<'_>, id: MachineId, state: StateId) -> bool {
    let placed = reverse.placed(reverse.anything(), id, state);
    placed.is_some_and(|belief| {
        reverse.stuck(&belief, id, true).map_or(true, |cases| !cases.is_empty())
    })
}

fn turned(net: &Net, edge: &Edge) -> ReversedEdge {
    let claims = match &edge.action {
        Action::Send(..) => Claims::Redeemed,
        Action::Receive(_) => Claims::Made,
        _ => Claims::Untouched,
    };
    let text = Words { net }.action(&edge.action);
    ReversedEdge { from: edge.to, to: edge.from, text, claims }
}

struct Words<'a> {
    net: &'a Net,
}

impl Words<'_> {
    fn action(&self, action: &Action) -> String {
        match action {
            Action::Skip => "skip".to_owned(),
            Action::Else => "else".to_owned(),
            Action::Timeout(_) => "timeout".to_owned(),
            Action::Test(e) => self.test(e),
            Action::Assert(e) => format!("assert({})", self.expr(e, 0)),
            Action::Assign(variable, e, when) => {
                let condition = when.as_ref().map(|when| format!(" if ({})", self.expr(when, 0)));
                self.unassigned(*variable, e) + &condition.unwrap_or_default()
            }
            Action::Send(channel, message, fields) => {
                let fields = fields.iter().map(|field| self.expr(field, 0));
                let head = self.message(*message);
                format!("{}?{}", self.channel(*channel), with_fields(head, fields.collect()))
            }
            Action::Receive(receive) => self.unreceived(receive),
        }
    }

    /// A test that leaves one value becomes an assignment; the others stay tests.
    fn test(&self, e: &Expr) -> String {
        match e {
            Expr::Binary(BinaryOp::Equal, x, y) if is_variable(x) && is_simple(y) => {
                format!("{} = {}", self.expr(x, 0), self.expr(y, 0))
            }
            Expr::Binary(BinaryOp::Equal, x, y) if is_simple(x) && is_variable(y) => {
                format!("{} = {}", self.expr(y, 0), self.expr(x, 0))
            }
            _ => format!("({})", self.expr(e, 0)),
        }
    }

    /// A counter counts back; another assignment becomes a test of what it left.
    fn unassigned(&self, variable: VariableId, e: &Expr) -> String {
        let name = self.variable(variable);
        match step_of(e, variable, self.net.variables[variable].range) {
            Some(1) => return format!("{name}--"),
            Some(-1) => return format!("{name}++"),
            Some(step) => return format!("{name} = {name} - {step}"),
            None => {}
        }
        if let Some(modulus) = circle(e, variable) {
            return format!("{name} -% {modulus}");
        }
        let value = self.expr(e, BinaryOp::Equal.strength() + 1);
        match e.leaves().contains(&Leaf::Variable(variable)) {
            true => format!("undo {name} = {value}"),
            false => format!("({name} == {value})"),
        }
    }

    fn unreceived(&self, receive: &Receive) -> String {
        let head = match (&receive.taken, &receive.head) {
            (Taken::Only(message), _) => self.message(*message),
            (Taken::AllBut(_), Pattern::Any) => "default".to_owned(),
            (Taken::AllBut(_), pattern) => self.pattern(pattern),
        };
        let fields = receive.fields.iter().map(|pattern| self.pattern(pattern));
        format!("{}!{}", self.channel(receive.channel), with_fields(head, fields.collect()))
    }

    fn pattern(&self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Any => "_".to_owned(),
            Pattern::Store(variable) => self.variable(*variable),
            Pattern::Match(e) => self.expr(e, 0),
        }
    }

    fn message(&self, id: MessageId) -> String {
        self.net.messages[id].name.to_string()
    }

    fn channel(&self, id: ChannelId) -> String {
        format!("{}'", self.net.channels[id].name)
    }

    /// The prime of an element stands behind the name of its array.
    fn variable(&self, id: VariableId) -> String {
        let name = &self.net.variables[id].name;
        let (array, index) = name.split_at(name.find('[').unwrap_or(name.len()));
        format!("{array}'{index}")
    }

    /// With parentheses if it binds less than `outer`.
    fn expr(&self, e: &Expr, outer: u8) -> String {
        const UNARY: u8 = 12;
        match e {
            Expr::Const(value) => value.to_string(),
            Expr::Read(Leaf::Variable(id)) => self.variable(*id),
            Expr::Read(Leaf::Length(channel)) => format!("len({})", self.channel(*channel)),
            Expr::Element(elements, subscripts) => {
                let name = elements.first().map_or(String::new(), |id| self.variable(*id));
                let index = subscripts.iter().map(|it| format!("[{}]", self.expr(&it.index, 0)));
                let array = name.split('[').next().unwrap_or_default();
                format!("{array}{}", index.collect::<String>())
            }
            Expr::Unary(op, x) => format!("{}{}", op.symbol(), self.expr(x, UNARY)),
            Expr::Binary(op, x, y) => {
                let strength = op.strength();
                let (x, y) = (self.expr(x, strength), self.expr(y, strength + 1));
                let text = format!("{x} {} {y}", op.symbol());
                if strength < outer { format!("({text})") } else { text }
            }
            Expr::Choose(condition, x, y) => {
                let [condition, x, y] = [condition, x, y].map(|part| self.expr(part, 0));
                format!("({condition} -> {x} : {y})")
            }
            Expr::Cut(_, x) => self.expr(x, outer),
        }
    }
}

fn with_fields(head: String, fields: Vec<String>) -> String {
    if fields.is_empty() { head } else { format!("{head}({})", fields.join(", ")) }
}

fn is_variable(e: &Expr) -> bool {
    matches!(e, Expr::Read(Leaf::Variable(_)))
}

fn is_simple(e: &Expr) -> bool {
    is_variable(e) || matches!(e, Expr::Const(_))
}

/// The modulus of `v = (v + 1) % k`.
fn circle(e: &Expr, variable: VariableId) -> Option<i32> {
    let e = if let Expr::Cut(_, inner) = e { inner } else { e };
    let Expr::Binary(BinaryOp::Remainder, sum, modulus) = e else { return None };
    let next = Expr::binary(BinaryOp::Add, Expr::variable(variable), Expr::Const(1));
    match **modulus {
        Expr::Const(modulus) if **sum == next => Some(modulus),
        _ => None,
    }
}
