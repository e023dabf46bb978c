//! Which processes could help one that waits, and who waits for whom in a circle.
//!
//! A process could help if a statement that it may still come to, by its control flow alone, sends
//! to a channel that the other one receives from, takes a message from one that it looks at or sends to, or
//! writes a variable of its condition. Values are not looked at: where nobody is listed nobody can help; who is
//! listed might not.

use super::wait::Standstill;
use base::reach;
use program::{Action, Edge, Expr, LocationId, Queue, VariableRef};
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};

/// What would have to happen before a statement can be executed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// A message is sent to this channel.
    Message(usize),
    /// A message is taken out of it.
    Taken(usize),
    /// This variable gets another value.
    Written(VariableRef),
}

impl Standstill<'_> {
    /// The processes that could help `pid`, by number.
    pub(super) fn helpers(&self, pid: usize) -> Vec<usize> {
        let needs = self.needs(pid);
        let others = (0..self.state.processes.len()).filter(|other| *other != pid);
        others.filter(|other| !needs.is_disjoint(&self.offers(*other))).collect()
    }

    /// The first of the shortest circles in which each process needs the next one.
    pub(super) fn circle(&self, stuck: &[usize]) -> Option<Vec<usize>> {
        let circles = stuck.iter().filter_map(|start| self.circle_of(*start, stuck));
        circles.min_by_key(Vec::len)
    }

    /// The shortest circle through one process.
    fn circle_of(&self, start: usize, stuck: &[usize]) -> Option<Vec<usize>> {
        let mut waiting = VecDeque::from([vec![start]]);
        let mut seen = BTreeSet::new();
        while let Some(way) = waiting.pop_front() {
            let last = *way.last()?;
            for next in self.helpers(last) {
                if next == start {
                    return Some(way);
                }
                if stuck.contains(&next) && seen.insert(next) {
                    waiting.push_back([&way[..], &[next]].concat());
                }
            }
        }
        None
    }

    /// What the statements of a process wait for where it stands.
    fn needs(&self, pid: usize) -> BTreeSet<Need> {
        let process = &self.state.processes[pid];
        let kind = &self.program.proctypes[process.proctype];
        let needs = RefCell::new(BTreeSet::new());
        let mut waiting: Vec<&Edge> =
            kind.edges_from(process.location).map(|(_, edge)| edge).collect();
        while let Some(edge) = waiting.pop() {
            match &edge.action {
                Action::Deterministic { start, .. } => {
                    waiting.extend(kind.edges_from(*start).map(|(_, edge)| edge));
                }
                Action::Receive { queue, .. } => self.asks_for(pid, queue, &needs),
                Action::Send { queue, .. } => {
                    let channel = self.channel(pid, queue).map(|(index, _)| index);
                    needs.borrow_mut().extend(channel.map(Need::Taken));
                }
                Action::Condition(condition) => {
                    condition.mentions(&|expr| {
                        self.read_by(pid, expr, &needs);
                        false
                    });
                }
                _ => {}
            }
        }
        needs.into_inner()
    }

    /// What lies in a channel is asked: an empty one needs a message, another one may have to lose
    /// its head first.
    fn asks_for(&self, pid: usize, queue: &Queue, needs: &RefCell<BTreeSet<Need>>) {
        if let Some((index, channel)) = self.channel(pid, queue) {
            let is_empty = channel.messages.is_empty();
            let taken = (!is_empty).then_some(Need::Taken(index));
            needs.borrow_mut().extend([Need::Message(index)].into_iter().chain(taken));
        }
    }

    fn read_by(&self, pid: usize, expr: &Expr, needs: &RefCell<BTreeSet<Need>>) {
        match expr {
            Expr::Load(place) if matches!(place.variable, VariableRef::Global(_)) => {
                needs.borrow_mut().insert(Need::Written(place.variable));
            }
            Expr::Probe(_, queue) | Expr::Poll { queue, .. } => {
                let channel = self.channel(pid, queue).map(|(index, _)| index);
                let both = channel.map(|it| [Need::Message(it), Need::Taken(it)]);
                needs.borrow_mut().extend(both.into_iter().flatten());
            }
            _ => {}
        }
    }

    /// What a process may still do that others wait for.
    fn offers(&self, pid: usize) -> BTreeSet<Need> {
        let process = &self.state.processes[pid];
        let kind = &self.program.proctypes[process.proctype];
        let locations = reach([process.location], |at: LocationId| {
            let edges = kind.edges_from(at).map(|(_, edge)| edge);
            edges.flat_map(|edge| match edge.action {
                Action::Deterministic { start, .. } => vec![edge.to, start],
                _ => vec![edge.to],
            })
        });
        let edges = locations.iter().flat_map(|at| kind.edges_from(*at).map(|(_, edge)| edge));
        edges.flat_map(|edge| self.offered(pid, &edge.action)).collect()
    }

    fn offered(&self, pid: usize, action: &Action) -> Vec<Need> {
        let channel = |queue| self.channel(pid, queue).map(|(index, _)| index);
        let own = match action {
            Action::Send { queue, .. } => channel(queue).map(Need::Message),
            Action::Receive { queue, keep: false, .. } => channel(queue).map(Need::Taken),
            _ => None,
        };
        let written = action.targets().into_iter().map(|place| place.variable);
        let global = written.filter(|variable| matches!(variable, VariableRef::Global(_)));
        own.into_iter().chain(global.map(Need::Written)).collect()
    }
}
