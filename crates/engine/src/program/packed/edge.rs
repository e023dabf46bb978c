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
pub(super) struct Way {
    pub(super) guard: Vec<Op>,
    pub(super) body: Vec<Op>,
    /// It moves only with somebody who takes its offer on one of these channels.
    pub(super) offers: Option<Vec<i32>>,
}

impl<'a> Scope<'a> {
    pub(super) fn kind(&self) -> &'a Proctype {
        &self.lowering.program.proctypes[self.room.proctype]
    }

    /// The ways to execute an action.
    pub(super) fn ways(&self, action: &Action) -> Vec<Way> {
        if let Some(way) = self.run(action) {
            return vec![way];
        }
        let guarded = |guard: Vec<Op>| Way { guard, ..Way::default() };
        let doing = |op: Op| Way { body: vec![op], ..Way::default() };
        vec![match action {
            Action::Skip | Action::Else => Way::default(),
            Action::Print(parts) => self.print(parts),
            Action::Condition(e) => guarded(require(self.value(e)).into_iter().collect()),
            Action::Assign(place, e) => doing(self.store(place, self.value(e))),
            Action::Assert(e) => match self.value(e) {
                Expr::Const(value) if value != 0 => Way::default(),
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
    fn print(&self, parts: &[PrintPart]) -> Way {
        let values = parts.iter().filter_map(PrintPart::value).map(|expr| self.value(expr));
        let computed = |value: Expr| {
            Op::Check(Expr::Binary(BinaryOp::Or, Box::new(value), Box::new(constant(1))))
        };
        Way { body: values.filter(can_bail).map(computed).collect(), ..Way::default() }
    }

    /// The way to execute an action by taking an offer.
    fn taking(&self, action: &Action) -> Option<Way> {
        match action {
            Action::Receive { queue, patterns, .. } => self.accept(queue, patterns),
            Action::Deterministic { start, end } => {
                let first: Vec<Choice> = self
                    .kind()
                    .edges_from(*start)
                    .filter_map(|(_, edge)| Some((self.taking(&edge.action)?, edge.to)))
                    .map(|(way, to)| Choice { guard: way.guard, body: way.body, next: to.index() })
                    .collect();
                if first.is_empty() {
                    return None;
                }
                let body = vec![Op::Walk(self.walk(*start, *end, first))];
                Some(Way { body, ..Way::default() })
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
        let choice = |way: Way| match way.offers {
            // It cannot wait for anybody.
            Some(_) => Choice { guard: way.guard, body: vec![Op::Bail], next },
            None => Choice { guard: way.guard, body: way.body, next },
        };
        self.ways(action).into_iter().map(choice).collect()
    }

    /// The edge with everything around its way: the clause of its process before, the
    /// next location behind.
    pub(super) fn edge(&self, id: EdgeId, way: Way, mark: u32) -> Edge {
        let kind = self.kind();
        let edge = &kind.edges[id];
        let provided = kind.provided.as_ref().map(|condition| self.value(condition));
        let mut guard: Vec<Op> = provided.and_then(require).into_iter().collect();
        guard.extend(way.guard);
        let mut body = way.body;
        if edge.action != Action::Die {
            let code = self.room.codes[edge.to].unwrap_or(0);
            body.push(Op::Set(self.at, constant(code)));
            body.extend(edge.resets.iter().filter_map(|local| self.room.locals[*local].cleared()));
        }
        if let Some((last, pid)) = self.lowering.layout.last.zip(self.pid) {
            body.push(Op::Set(last, constant(pid as i32)));
        }
        let then = match way.offers {
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

    /// Who can stand where in a slot, in the order of the codes, which begin with 1.
    pub(super) fn stands(slot: &'a Slot) -> Vec<(&'a Room, LocationId)> {
        let mut all = Vec::new();
        for room in &slot.rooms {
            let codes = room.codes.iter_ids().filter_map(|(at, code)| Some(((*code)?, at)));
            let mut codes: Vec<(i32, LocationId)> = codes.collect();
            codes.sort_unstable();
            all.extend(codes.into_iter().map(|(_, at)| (room, at)));
        }
        all
    }

    fn place(&self, pid: usize, room: &'a Room, at: LocationId) -> Place {
        let first = self.first_mark(room.proctype.index());
        let edge = |(id, way): (EdgeId, Way)| {
            Scope::new(*self, pid, room).edge(id, way, first + id.index() as u32)
        };
        let edges = |group: Vec<(EdgeId, Way)>| group.into_iter().map(edge).collect();
        let groups = |taking| self.ways(pid, room, at, taking).into_iter().map(edges).collect();
        Place { groups: groups(false), takes: groups(true) }
    }

    /// The ways of all edges of a place, in the order that numbers them, and whether they
    /// take an offer.
    pub(super) fn ways_at(
        &self,
        pid: usize,
        room: &'a Room,
        at: LocationId,
    ) -> impl Iterator<Item = (EdgeId, Way, bool)> {
        [false, true].into_iter().flat_map(move |taking| {
            let groups = self.ways(pid, room, at, taking).into_iter().flatten();
            groups.map(move |(id, way)| (id, way, taking))
        })
    }

    /// What a process can do at a place, in groups of falling priority: by itself, or by
    /// taking an offer.
    fn ways(
        &self,
        pid: usize,
        room: &'a Room,
        at: LocationId,
        taking: bool,
    ) -> Vec<Vec<(EdgeId, Way)>> {
        let kind = &self.program.proctypes[room.proctype];
        let ways = |id: EdgeId| {
            let (scope, action) = (Scope::new(*self, pid, room), &kind.edges[id].action);
            let ways = match taking {
                true => scope.taking(action).into_iter().collect(),
                false => scope.ways(action),
            };
            ways.into_iter().map(move |way| (id, way))
        };
        let groups = self.groups(kind, at).into_iter();
        let groups = groups.map(|ids| ids.iter().flat_map(|id| ways(*id)).collect());
        groups.filter(|group: &Vec<_>| !group.is_empty()).collect()
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
    let nobody = std::iter::once(Place::default());
    let places = Lowering::stands(slot).into_iter().map(|(room, at)| place(room, at));
    Agent { number: number as u32, at: slot.at, places: nobody.chain(places).collect() }
}
