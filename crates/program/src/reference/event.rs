//! The event trace: an automaton that watches sends and receives.

use super::act::Execution;
use super::{Actor, Failure, Problem};
use crate::{Action, EventTrace, Expr, LocationId, Pattern, VariableId};

impl Execution<'_> {
    /// Shows the trace a send into the channel at `index`.
    pub(super) fn sent(&mut self, index: usize, message: &[i32]) -> Result<(), Failure> {
        match &self.scene.program.trace {
            Some(trace) if self.is_watched(&trace.sends, index) => {
                self.follow(trace, |run, action| run.is_this_send(action, index, message))
            }
            _ => Ok(()),
        }
    }

    /// Shows the trace a receive from the channel at `index`.
    pub(super) fn received(&mut self, index: usize, message: &[i32]) -> Result<(), Failure> {
        match &self.scene.program.trace {
            Some(trace) if self.is_watched(&trace.receives, index) => {
                self.follow(trace, |run, action| run.is_this_receive(action, index, message))
            }
            _ => Ok(()),
        }
    }

    fn is_watched(&self, variables: &[VariableId], index: usize) -> bool {
        let number = index as i32 + 1;
        variables.iter().any(|id| self.state.globals[*id].contains(&number))
    }

    /// Moves the trace along the one edge that `fits`. A `trace` must have one; a
    /// `notrace` without one is out of the game for good, which is its end.
    fn follow(
        &mut self,
        trace: &EventTrace,
        fits: impl Fn(&mut Self, &Action) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        let automaton = &self.scene.program.proctypes[trace.automaton];
        let Some(at) = self.state.trace else { return Ok(()) };
        let mut targets: Vec<LocationId> = Vec::new();
        for (_, edge) in automaton.edges_from(at) {
            // As the trace sees it: without anybody's locals.
            let mut outsider = Self { actor: Actor::Nobody, ..self.clone() };
            if fits(&mut outsider, &edge.action)? {
                targets.push(edge.to);
            }
        }
        let problem = match (targets.as_slice(), trace.forbidden) {
            ([], true) => {
                self.state.to_mut().trace = Some(automaton.end);
                return Ok(());
            }
            ([], false) => Problem::NoMatchingEvent,
            ([to], forbidden) => {
                self.state.to_mut().trace = Some(*to);
                if !forbidden || *to != automaton.end {
                    return Ok(());
                }
                Problem::AllEventsMatched
            }
            _ => Problem::AmbiguousEvent,
        };
        self.report(problem)
    }

    /// Constants must agree; `_` and variables stand for anything.
    fn is_this_send(
        &mut self,
        action: &Action,
        index: usize,
        message: &[i32],
    ) -> Result<bool, Failure> {
        let Action::Send { queue, arguments, .. } = action else { return Ok(false) };
        let agrees = |(argument, value): (&Expr, &i32)| match argument {
            Expr::Const(constant) => constant == value,
            _ => true,
        };
        Ok(self.channel(queue)? == index && arguments.iter().zip(message).all(agrees))
    }

    fn is_this_receive(
        &mut self,
        action: &Action,
        index: usize,
        message: &[i32],
    ) -> Result<bool, Failure> {
        let Action::Receive { queue, patterns, .. } = action else { return Ok(false) };
        if self.channel(queue)? != index {
            return Ok(false);
        }
        for (pattern, value) in patterns.iter().zip(message) {
            if let Pattern::Match(expr) = pattern
                && self.value(expr)? != *value
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
