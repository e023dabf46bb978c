//! Expressions of a program as expressions of a net, seen from one process.

use super::scope::Scope;
use super::{Unfit, unfit};
use crate::expr::{Expr, Leaf, Range, Subscript};
use automata::MachineId;
use base::{Id, Span, Written};
use model::{ChannelId, VariableId};
use program::{BinaryOp, Place, Probe, Queue, Scalar, UnaryOp};

/// Who looks, and where that is written.
#[derive(Clone, Copy)]
pub(super) struct Eye<'s, 'a> {
    pub(super) scope: &'s Scope<'a>,
    pub(super) machine: MachineId,
    pub(super) span: Span,
    /// Nobody of the model looks, but a predicate, which is written there: it may look into
    /// processes.
    pub(super) asked: Option<&'s Written>,
}

/// A variable that is written to.
pub(super) enum Spot {
    /// This one.
    One(VariableId),
    /// An element of these.
    Computed(Vec<VariableId>, Vec<Subscript>),
    /// None: the index is wrong.
    Nowhere,
}

impl Eye<'_, '_> {
    pub(super) fn unfit<T>(self, what: impl Into<String>) -> Result<T, Unfit> {
        unfit(self.span, what)
    }

    /// Looking at an operand of what it looks at now.
    pub(super) fn operand(self, at: usize) -> Self {
        let asked = self.asked.map(|written| written.operand(at));
        Self { asked, span: asked.map_or(self.span, |written| written.span), ..self }
    }

    /// An expression; one without variables is a number.
    pub(super) fn expr(self, expr: &program::Expr) -> Result<Expr, Unfit> {
        let lowered = self.plain(expr)?;
        let value = lowered.value(&|_| 0).filter(|_| lowered.leaves().is_empty());
        Ok(value.map_or(lowered, Expr::Const))
    }

    fn plain(self, expr: &program::Expr) -> Result<Expr, Unfit> {
        use program::Expr as E;
        let boxed = |at: usize, expr: &E| self.operand(at).expr(expr).map(Box::new);
        Ok(match expr {
            E::Const(value) => Expr::Const(*value),
            E::Load(place) => self.load(place)?,
            E::Unary(op, x) => Expr::Unary(*op, boxed(0, x)?),
            E::Binary(op, x, y) => Expr::Binary(*op, boxed(0, x)?, boxed(1, y)?),
            E::Choose(x, y, z) => Expr::Choose(boxed(0, x)?, boxed(1, y)?, boxed(2, z)?),
            E::Probe(probe, queue) => self.probe(*probe, queue)?,
            E::Pid => Expr::Const(self.scope.machines[self.machine].pid as i32),
            E::Messages { .. } => return self.unfit("`count`, or `head` as a number,"),
            E::Poll { .. } => return self.unfit("a look into a channel (`q?[...]`)"),
            E::Run { .. } => return self.unfit("a `run`"),
            E::Timeout => return self.unfit("a `timeout` that is part of an expression"),
            E::ProcessCount => return self.unfit("`_nr_pr`"),
            E::Last => return self.unfit("`_last`"),
            E::NonProgress | E::Accepting => return self.unfit("`np_`"),
            E::Enabled(_) => return self.unfit("`enabled`"),
            E::PcValue(_) => return self.unfit("`pc_value`"),
            E::Priority(_) => return self.unfit("a priority"),
            E::RemoteVariable(variable) if self.asked.is_some() => self.remote(variable)?,
            E::RemoteLabel(_) if self.asked.is_some() => {
                return self.unfit("`@` or a line as a number");
            }
            E::RemoteLabel(_) | E::RemoteVariable(_) => {
                return self.unfit("a look into another process");
            }
        })
    }

    pub(super) fn load(self, place: &Place) -> Result<Expr, Unfit> {
        let declared = self.scope.declaration(self.machine, place.variable);
        if self.scope.variables(self.machine, place.variable).is_none() {
            let values = self.scope.values(self.machine, place.variable);
            let element = self.constant_index(&self.subscripts(place)?);
            return match element.and_then(|element| values.get(element)) {
                Some(value) => Ok(Expr::Const(*value)),
                None => self.unfit(format!("a computed index of `{}`", declared.name)),
            };
        }
        Ok(match self.spot(place)? {
            Spot::One(variable) => Expr::variable(variable),
            Spot::Computed(elements, subscripts) => Expr::Element(elements, subscripts),
            // No value at all.
            Spot::Nowhere => Expr::binary(BinaryOp::Divide, Expr::Const(1), Expr::Const(0)),
        })
    }

    fn subscripts(self, place: &Place) -> Result<Vec<Subscript>, Unfit> {
        let lowered = place.subscripts.iter().map(|subscript| {
            let index = self.expr(&subscript.index)?;
            Ok(Subscript { index, bound: subscript.bound, stride: subscript.stride })
        });
        lowered.collect()
    }

    fn constant_index(self, subscripts: &[Subscript]) -> Option<usize> {
        subscripts.iter().try_fold(0, |sum, Subscript { index, bound, stride }| {
            let Expr::Const(index) = index else { return None };
            let index = u32::try_from(*index).ok().filter(|index| index < bound)?;
            Some(sum + index as usize * *stride as usize)
        })
    }

    /// Where a value is stored.
    pub(super) fn spot(self, place: &Place) -> Result<Spot, Unfit> {
        let Some(variables) = self.scope.variables(self.machine, place.variable) else {
            return self.unfit("a channel variable that changes");
        };
        let subscripts = self.subscripts(place)?;
        if let Some(element) = self.constant_index(&subscripts) {
            return Ok(Spot::One(variables[element]));
        }
        let wrong = |subscript: &Subscript| match subscript.index {
            Expr::Const(index) => u32::try_from(index).map_or(true, |i| i >= subscript.bound),
            _ => false,
        };
        let nowhere = subscripts.iter().any(wrong);
        Ok(if nowhere { Spot::Nowhere } else { Spot::Computed(variables, subscripts) })
    }

    /// The channel an expression names: always the same one.
    pub(super) fn channel(self, queue: &Queue) -> Result<ChannelId, Unfit> {
        let number = match self.expr(&queue.number)? {
            Expr::Const(number) => usize::try_from(i64::from(number) - 1).ok(),
            _ => None,
        };
        let channels = &self.scope.state.channels;
        let Some(index) = number.filter(|index| *index < channels.len()) else {
            return self.unfit(format!("`{}`, which is not always the same channel,", queue.name));
        };
        if channels[index].kind(self.scope.program).fields.contains(&Scalar::Chan) {
            return self.unfit(format!("`{}`, a channel that carries channels,", queue.name));
        }
        Ok(ChannelId::new(index))
    }

    fn probe(self, probe: Probe, queue: &Queue) -> Result<Expr, Unfit> {
        let id = self.channel(queue)?;
        let channel = &self.scope.state.channels[id.index()];
        let capacity = channel.kind(self.scope.program).capacity as i32;
        let length = match capacity {
            0 => Expr::Const(0),
            _ => Expr::Read(Leaf::Length(id)),
        };
        let is = |count: i32| Expr::binary(BinaryOp::Equal, length.clone(), Expr::Const(count));
        let not = |expr: Expr| Expr::Unary(UnaryOp::Not, Box::new(expr));
        // A rendezvous is never full.
        let full = if capacity == 0 { Expr::Const(0) } else { is(capacity) };
        Ok(match probe {
            Probe::Len => length,
            Probe::Empty => is(0),
            Probe::NotEmpty => not(is(0)),
            Probe::Full => full,
            Probe::NotFull => not(full),
        })
    }

    /// An expression cut to a type, unless it is of that type.
    pub(super) fn cut(self, range: Range, expr: Expr) -> Expr {
        let fits = match &expr {
            Expr::Const(_) => false,
            Expr::Read(Leaf::Variable(id)) => self.scope.elements[id.index()].range.within(range),
            _ => range == (Range { low: i32::MIN, high: i32::MAX }),
        };
        match expr {
            Expr::Const(value) => Expr::Const(range.cut(value)),
            expr if fits => expr,
            expr => Expr::Cut(range, Box::new(expr)),
        }
    }
}
