//! The event trace: an automaton that watches sends and receives. Its location is a field; an
//! edge that sends to or receives from a watched channel moves it along the one edge of the
//! automaton that fits. Whatever else happens there is an error, and the state is given up.

use super::build::{all, any, constant, cut, either, equal};
use super::facts::{Constants, Facts};
use super::range::shape;
use super::scope::{Scope, Target};
use ::packed::{Expr, Op};
use base::{Id, IdVec};
use program::reference::State;
use program::{Action, EventTrace, LocationId, Pattern, Program, Queue, VariableId};

/// A message on its way, field by field.
pub(super) type Message<'m> = &'m dyn Fn(usize) -> Option<Expr>;

/// What of an event trace has no packed form: channels that are not the same for good.
pub(super) fn unsupported(program: &Program, facts: &Facts, start: &State) -> Option<&'static str> {
    let trace = program.trace.as_ref()?;
    let lasting = start.channels.iter().filter(|channel| channel.owner.is_none()).count() as i32;
    let constants = Constants { facts, pid: 0, locals: &IdVec::new() };
    let known = |queue: &Queue| {
        constants.fold(&queue.number).is_some_and(|number| (1..=lasting).contains(&number))
    };
    let edges = &program.proctypes[trace.automaton].edges;
    let all_known = edges.iter().all(|edge| match &edge.action {
        Action::Send { queue, .. } | Action::Receive { queue, .. } => known(queue),
        _ => true,
    });
    let mut watched = trace.sends.iter().chain(&trace.receives);
    let kept = watched.all(|id| facts.global(*id).is_some());
    (!all_known || !kept).then_some("an event trace of a channel variable that is assigned")
}

impl Scope<'_> {
    /// Shows the trace a send of these values to a channel.
    pub(super) fn sent(&self, target: &Target<'_>, arguments: &[program::Expr]) -> Vec<Op> {
        let fields = &target.channel.kind.fields;
        let message = |i: usize| {
            let shape = shape(self.lowering.rules, *fields.get(i)?, false);
            Some(cut(self.value(arguments.get(i)?), shape.bits, shape.signed))
        };
        self.watched(target, true, &message)
    }

    /// Shows the trace a receive from a channel.
    pub(super) fn received(&self, target: &Target<'_>, message: Message<'_>) -> Vec<Op> {
        self.watched(target, false, message)
    }

    fn watched(&self, target: &Target<'_>, sent: bool, message: Message<'_>) -> Vec<Op> {
        let program = self.lowering.program;
        let Some((trace, field)) = program.trace.as_ref().zip(self.lowering.layout.trace) else {
            return Vec::new();
        };
        let watched = if sent { &trace.sends } else { &trace.receives };
        let holds = |id: &VariableId| {
            self.lowering.facts.global(*id).is_some_and(|numbers| numbers.contains(&target.number))
        };
        if !watched.iter().any(holds) {
            return Vec::new();
        }
        let locations = program.proctypes[trace.automaton].locations.iter_ids();
        let follow = |at: LocationId| self.onlooker().follow(trace, at, (target, sent), message);
        let cases = locations.map(|(at, _)| (at.index() as i32, follow(at))).collect();
        vec![Op::Switch(Expr::Field(field), cases, vec![Op::Bail])]
    }

    /// Moves the trace from `at` along the one edge that fits. A `notrace` without one is out of
    /// the game for good, which is its end.
    fn follow(
        &self,
        trace: &EventTrace,
        at: LocationId,
        (target, sent): (&Target<'_>, bool),
        message: Message<'_>,
    ) -> Vec<Op> {
        let automaton = &self.lowering.program.proctypes[trace.automaton];
        let go = |to: LocationId| -> Vec<Op> {
            let set = |field| Op::Set(field, constant(to.index() as i32));
            self.lowering.layout.trace.map(set).into_iter().collect()
        };
        let edges = automaton.edges_from(at).map(|(_, edge)| edge);
        let fits = edges.map(|edge| (self.fits(&edge.action, (target, sent), message), edge.to));
        let fits: Vec<(Expr, LocationId)> = fits.collect();
        let none = if trace.forbidden { go(automaton.end) } else { vec![Op::Bail] };
        (0..fits.len()).rev().fold(none, |otherwise, i| {
            let (fit, to) = &fits[i];
            let ambiguous = any(fits[i + 1..].iter().map(|(fit, _)| fit.clone()));
            let matched = trace.forbidden && *to == automaton.end;
            let alone = if matched { vec![Op::Bail] } else { go(*to) };
            either(fit.clone(), either(ambiguous, vec![Op::Bail], alone), otherwise)
        })
    }

    /// Whether an edge of the trace describes an event. Of a send only constants must agree.
    fn fits(
        &self,
        action: &Action,
        (target, sent): (&Target<'_>, bool),
        message: Message<'_>,
    ) -> Expr {
        let is_it = |queue: &Queue| equal(self.value(&queue.number), constant(target.number));
        match action {
            Action::Send { queue, arguments, .. } if sent => {
                let wanted = arguments.iter().enumerate().filter_map(|(i, argument)| {
                    let wanted = matches!(argument, program::Expr::Const(_));
                    wanted.then(|| Some(equal(message(i)?, self.value(argument)))).flatten()
                });
                all([is_it(queue)].into_iter().chain(wanted))
            }
            Action::Receive { queue, patterns, .. } if !sent => {
                let wanted = patterns.iter().enumerate().filter_map(|(i, pattern)| match pattern {
                    Pattern::Match(wanted) => Some(equal(message(i)?, self.value(wanted))),
                    Pattern::Store(_) | Pattern::Any => None,
                });
                all([is_it(queue)].into_iter().chain(wanted))
            }
            _ => constant(0),
        }
    }
}
