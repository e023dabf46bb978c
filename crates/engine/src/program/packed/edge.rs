//! Edges: what an action asks for and does, and where it leads.

use super::build::{can_bail, constant, require};
use super::layout::{Room, Slot};
use super::scope::{Lowering, Scope};
use crate::program::{CLAIM, step_kind};
use ::packed::{Agent, BinaryOp, Choice, Edge, Expr, Op, Place, Then, Walk};
use base::Id;
use program::{Action, EdgeId, LocationId, PrintPart, Proctype};

/// One way to execute an action.
#[derive(Default)]
pub(super) struct Deed {
    pub(super) guard: Vec<Op>,
    pub(super) body: Vec<Op>,
    /// It moves only with somebody who takes its offer on one of these channels.
    pub(super) offers: Option<Vec<i32>>,
}

impl<'a> Scope<'a> {
    fn kind(&self) -> &'a Proctype {
        &self.lowering.program.proctypes[self.room.proctype]
    }

    /// The ways to execute an action.
    pub(super) fn deeds(&self, action: &Action) -> Vec<Deed> {
        if let Some(deed) = self.run(action) {
            return vec![deed];
        }
        let guarded = |guard: Vec<Op>| Deed { guard, ..Deed::default() };
        let doing = |op: Op| Deed { body: vec![op], ..Deed::default() };
        vec![match action {
            Action::Skip | Action::Else => Deed::default(),
            Action::Print(parts) => self.print(parts),
            Action::Condition(e) => guarded(require(self.value(e)).into_iter().collect()),
            Action::Assign(place, e) => doing(self.store(place, self.value(e))),
            Action::Assert(e) => match self.value(e) {
                Expr::Const(value) if value != 0 => Deed::default(),
                value => doing(Op::Check(value)),
            },
            Action::Send { queue, arguments, sorted } => {
                return self.send(queue, arguments, *sorted);
            }
            Action::Receive { queue, patterns, random, keep } => {
                self.receive(queue, patterns, (*random, *keep))
            }
            Action::SetPriority(..) => guarded(vec![Op::Bail]),
            Action::Deterministic { start, end } => {
                doing(Op::Walk(self.walk(*start, *end, Vec::new())))
            }
            Action::Die => self.die(),
        }]
    }

    /// Nobody looks at what a search prints, but to compute it may fail.
    fn print(&self, parts: &[PrintPart]) -> Deed {
        let values = parts.iter().filter_map(PrintPart::value).map(|expr| self.value(expr));
        let computed = |value: Expr| {
            Op::Check(Expr::Binary(BinaryOp::Or, Box::new(value), Box::new(constant(1))))
        };
        Deed { body: values.filter(can_bail).map(computed).collect(), ..Deed::default() }
    }

    /// The way to execute an action by taking an offer.
    fn taking(&self, action: &Action) -> Option<Deed> {
        match action {
            Action::Receive { queue, patterns, .. } => self.accept(queue, patterns),
            Action::Deterministic { start, end } => {
                let first: Vec<Choice> = self
                    .kind()
                    .edges_from(*start)
                    .filter_map(|(_, edge)| Some((self.taking(&edge.action)?, edge.to)))
                    .map(|(deed, to)| Choice {
                        guard: deed.guard,
                        body: deed.body,
                        next: to.index(),
                    })
                    .collect();
                if first.is_empty() {
                    return None;
                }
                let body = vec![Op::Walk(self.walk(*start, *end, first))];
                Some(Deed { body, ..Deed::default() })
            }
            _ => None,
        }
    }

    /// A `d_step`; begins with the choices `first` if there are any. While it is built
    /// its places are numbered like the locations.
    fn walk(&self, start: LocationId, end: LocationId, first: Vec<Choice>) -> Walk {
        let mut order = vec![start];
        let mut places: Vec<Vec<Choice>> = Vec::new();
        let mut next = 0;
        let reach = |order: &mut Vec<LocationId>, to: LocationId| {
            if to != end && !order.contains(&to) {
                order.push(to);
            }
        };
        for choice in &first {
            reach(&mut order, LocationId::new(choice.next));
        }
        while next < order.len() {
            let mut choices = Vec::new();
            for (_, edge) in self.kind().edges_from(order[next]) {
                reach(&mut order, edge.to);
                choices.extend(self.choices(&edge.action, edge.to));
            }
            places.push(choices);
            next += 1;
        }
        let mut start = 0;
        if !first.is_empty() {
            start = places.len();
            places.push(first);
        }
        let end_place = places.len();
        let number = |location: usize| {
            order.iter().position(|at| at.index() == location).unwrap_or(end_place)
        };
        for choice in places.iter_mut().flatten() {
            choice.next = number(choice.next);
        }
        Walk { start, end: end_place, places }
    }

    fn choices(&self, action: &Action, to: LocationId) -> Vec<Choice> {
        let next = to.index();
        if let Action::Deterministic { .. } = action {
            return vec![Choice { guard: vec![Op::Bail], body: Vec::new(), next }];
        }
        let choice = |deed: Deed| match deed.offers {
            // It cannot wait for anybody.
            Some(_) => Choice { guard: deed.guard, body: vec![Op::Bail], next },
            None => Choice { guard: deed.guard, body: deed.body, next },
        };
        self.deeds(action).into_iter().map(choice).collect()
    }

    /// The edge with everything around its deed: the clause of its process before, the
    /// next location behind.
    pub(super) fn edge(&self, id: EdgeId, deed: Deed, mark: u32) -> Edge {
        let kind = self.kind();
        let edge = &kind.edges[id];
        let provided = kind.provided.as_ref().map(|condition| self.value(condition));
        let mut guard: Vec<Op> = provided.and_then(require).into_iter().collect();
        guard.extend(deed.guard);
        let mut body = deed.body;
        if edge.action != Action::Die {
            let code = self.room.codes[edge.to].unwrap_or(0);
            body.push(Op::Set(self.at, constant(code)));
            body.extend(edge.resets.iter().filter_map(|local| self.room.locals[*local].cleared()));
        }
        if let Some((last, pid)) = self.lowering.layout.last.zip(self.pid) {
            body.push(Op::Set(last, constant(pid as i32)));
        }
        let then = match deed.offers {
            Some(channels) => Then::Offered(self.lowering.takers(self.pid, &channels)),
            None if edge.goes_on() => Then::GoesOn,
            None => Then::Visible,
        };
        Edge {
            number: id.index() as u32,
            mark,
            kind: step_kind(kind, &edge.action),
            is_else: edge.action == Action::Else,
            guard,
            body,
            then,
        }
    }
}

impl<'a> Lowering<'a> {
    /// Whether no `provided` clause can fail: of a process that has nothing to take an
    /// offer with it is not asked.
    pub(super) fn clauses_are_safe(&self) -> bool {
        self.layout.slots.iter().enumerate().all(|(pid, slot)| {
            slot.rooms.iter().all(|room| {
                let provided = &self.program.proctypes[room.proctype].provided;
                let scope = Scope::new(*self, pid, room);
                provided.as_ref().is_none_or(|clause| !can_bail(&scope.value(clause)))
            })
        })
    }

    /// Who moves, youngest first; the claim is the oldest of all.
    pub(super) fn agents(&self) -> Vec<Agent> {
        let processes = (0..self.layout.slots.len()).rev().map(|pid| {
            let slot = &self.layout.slots[pid];
            agent(pid, slot, |room, at| self.place(pid, room, at))
        });
        let claim = self.layout.claim.iter();
        let claim =
            claim.map(|slot| agent(CLAIM, slot, |room, at| self.claim_place(slot, room, at)));
        processes.chain(claim).collect()
    }

    fn place(&self, pid: usize, room: &'a Room, at: LocationId) -> Place {
        let kind = &self.program.proctypes[room.proctype];
        let first = self.first_mark(room.proctype.index());
        let ids = self.groups(kind, at);
        let edges = |ids: &[EdgeId], taking: bool| -> Vec<Edge> {
            let edges = ids.iter().flat_map(|id| {
                let scope = Scope::new(*self, pid, room);
                let action = &kind.edges[*id].action;
                let deeds = match taking {
                    true => scope.taking(action).into_iter().collect(),
                    false => scope.deeds(action),
                };
                let mark = first + id.index() as u32;
                deeds.into_iter().map(move |deed| scope.edge(*id, deed, mark))
            });
            edges.collect()
        };
        let some = |groups: Vec<Vec<Edge>>| -> Vec<Vec<Edge>> {
            groups.into_iter().filter(|group| !group.is_empty()).collect()
        };
        Place {
            groups: some(ids.iter().map(|ids| edges(ids, false)).collect()),
            takes: some(ids.iter().map(|ids| edges(ids, true)).collect()),
        }
    }

    /// The edges of a location in groups of falling priority.
    pub(super) fn groups(&self, kind: &'a Proctype, at: LocationId) -> Vec<&'a [EdgeId]> {
        let mut ids: Vec<&[EdgeId]> = kind.locations[at].groups.iter().map(Vec::as_slice).collect();
        let escapes = ids.len().saturating_sub(1);
        if self.rules.inner_unless_first {
            ids[..escapes].reverse();
        }
        ids
    }

    /// The mark of the first edge of a proctype; behind the last one, of all edges that are
    /// none of a process.
    pub(super) fn first_mark(&self, proctype: usize) -> u32 {
        let before = self.program.proctypes.iter().take(proctype);
        before.map(|kind| kind.edges.len() as u32).sum()
    }

    /// The agents that can take an offer of process `pid` on one of these channels, in
    /// the order in which they are asked.
    fn takers(&self, pid: Option<usize>, channels: &[i32]) -> Vec<usize> {
        let slots = self.layout.slots.len();
        let can = |other: &usize| {
            let rooms = &self.layout.slots[*other].rooms;
            pid != Some(*other) && rooms.iter().any(|room| self.can_take(*other, room, channels))
        };
        (0..slots).rev().filter(can).map(|other| slots - 1 - other).collect()
    }

    fn can_take(&self, pid: usize, room: &'a Room, channels: &[i32]) -> bool {
        let scope = Scope::new(*self, pid, room);
        scope.kind().edges.iter().any(|edge| match &edge.action {
            Action::Receive { queue, .. } => {
                scope.takes_from(queue).iter().any(|number| channels.contains(number))
            }
            _ => false,
        })
    }
}

/// Whoever stands in a slot, given what can be done at each place there.
fn agent<'a>(
    number: usize,
    slot: &'a Slot,
    place: impl Fn(&'a Room, LocationId) -> Place,
) -> Agent {
    let mut places = vec![Place::default()];
    for room in &slot.rooms {
        let mut stands: Vec<(i32, LocationId)> =
            room.codes.iter_ids().filter_map(|(at, code)| Some(((*code)?, at))).collect();
        stands.sort_unstable();
        places.extend(stands.into_iter().map(|(_, at)| place(room, at)));
    }
    Agent { number: number as u32, at: slot.at, places }
}
