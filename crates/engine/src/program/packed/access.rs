//! What the edges of a program access, for sleep sets and ample sets (`packed::access`).
//!
//! The objects are the elements of the global variables, the channels by their numbers, which
//! processes there are, and the control location of the event trace. A process's own
//! variables and control location are nobody else's, unless a remote reference reads them,
//! which accesses everything.

use super::assured::assured;
use super::build::{all, and, binary, constant, equal};
use super::edge::Way;
use super::layout::{Home, Room};
use super::pack::bits_for;
use super::range::shape;
use super::scope::{Lowering, Scope, Target};
use crate::program::last_statement;
use ::packed::{AccessExpr, AccessTable, BinaryOp, EdgeAccesses, Expr, UnaryOp};
use base::{Id, IdVec};
use program::{
    Action, EdgeId, Initial, LocationId, Pattern, Place, Probe, ProctypeId, Program, Queue,
    VariableId, VariableRef,
};
use system::{Access, LastStatement, Object};

/// Several accesses.
type List = Vec<AccessExpr>;

/// The control location of the event trace.
const TRACE: Object = Object::Variable(u32::MAX);

impl<'a> Lowering<'a> {
    /// The accesses of all edges of the form.
    pub(super) fn accesses(&self) -> AccessTable {
        let entangled = is_entangled(self.program);
        let anonymous = self.program.is_anonymous();
        let assured: IdVec<ProctypeId, _> = self.program.proctypes.iter().map(assured).collect();
        let mut table = AccessTable { edges: Vec::new(), exits: Vec::new() };
        for pid in (0..self.layout.slots.len()).rev() {
            // A slot without a process.
            let mut exits = vec![None];
            for (room, at) in Self::stands(&self.layout.slots[pid]) {
                let scope = Scope::new(*self, pid, room);
                for (id, way, taking) in self.ways_at(pid, room, at) {
                    let mut accesses = scope.edge_accesses((id, &way, taking), entangled);
                    if assured[room.proctype][id] && !entangled {
                        accesses.refused.clear();
                    }
                    table.edges.push(accesses);
                }
                exits.push(scope.exits_unseen(at).filter(|_| anonymous));
            }
            table.exits.push(exits);
        }
        self.add_claim(&mut table);
        table
    }

    /// The edges of a claim, which moves with every step: reductions are not for it.
    fn add_claim(&self, table: &mut AccessTable) {
        if let Some(slot) = &self.layout.claim {
            let stands = Self::stands(slot);
            table.exits.push(vec![None; stands.len() + 1]);
            for (room, at) in stands {
                let place = self.claim_place(slot, room, at);
                let edges = place.groups.iter().chain(&place.takes).flatten();
                table.edges.extend(edges.map(|_| EdgeAccesses::everything(LastStatement::Other)));
            }
        }
    }
}

/// Whether every step depends on every other: on who moved last, on who has priority, on what
/// a `provided` clause says, on whether a second edge is executable, on variables that an
/// event trace reads.
fn is_entangled(program: &Program) -> bool {
    program.uses.last
        || program.uses.priorities
        || program.proctypes.iter().any(|kind| kind.provided.is_some() || kind.deterministic)
        || !is_trace_steady(program)
}

/// Whether nothing that the event trace reads is ever set: only its own moves change it.
fn is_trace_steady(program: &Program) -> bool {
    let Some(trace) = &program.trace else { return true };
    let edges = || program.proctypes.iter().flat_map(|kind| &kind.edges);
    let is_set = |variable: VariableRef| match variable {
        VariableRef::Global(_) => {
            let mut places = edges().flat_map(|edge| edge.action.targets());
            places.any(|place| place.variable == variable)
        }
        VariableRef::Local(_) => true,
    };
    let reads =
        |e: &program::Expr| matches!(e, program::Expr::Load(place) if is_set(place.variable));
    let mut channels = trace.sends.iter().chain(&trace.receives);
    !channels.any(|id| is_set(VariableRef::Global(*id)))
        && !program.proctypes[trace.automaton].mentions(&reads)
}

impl<'a> Scope<'a> {
    fn edge_accesses(
        &self,
        (id, way, taking): (EdgeId, &Way, bool),
        entangled: bool,
    ) -> EdgeAccesses {
        let action = &self.kind().edges[id].action;
        let statement = last_statement(action);
        if entangled {
            return EdgeAccesses::everything(statement);
        }
        let refused = match way.offers {
            // Who takes it depends on where everybody stands.
            Some(_) => vec![AccessExpr::Everything],
            None if taking => Vec::new(),
            None => self.refused(action),
        };
        let executed = match action {
            // Nobody looks at what a search prints, but to compute it may fail.
            Action::Print(_) if way.body.is_empty() => Vec::new(),
            action => self.executed(action),
        };
        EdgeAccesses { executed, refused, statement }
    }

    /// What an action accesses that executes.
    fn executed(&self, action: &Action) -> List {
        match action {
            Action::Skip | Action::Else => Vec::new(),
            Action::Print(parts) => self.all_reads(parts.iter().filter_map(|part| part.value())),
            Action::Condition(e) => self.truth(e, Some(true)),
            Action::Assert(e) => self.truth(e, None),
            Action::Assign(place, e) => {
                [self.reads(e), self.place(place, self.set(place, e))].concat()
            }
            Action::Send { queue, arguments, sorted } => {
                let jumps = *sorted || self.lowering.rules.lossy_sends;
                let access = if jumps { Access::INSERT } else { Access::SEND };
                let sent = |target: &Target<'_>| self.event(target, access, true);
                [self.all_reads(arguments), self.by_target(queue, sent)].concat()
            }
            Action::Receive { queue, patterns, keep, .. } => {
                let access = if *keep { Access::PEEK_RECEIVES } else { Access::RECEIVE };
                let received = |target: &Target<'_>| self.event(target, access, false);
                [self.patterns(patterns), self.by_target(queue, received)].concat()
            }
            Action::SetPriority(..) => vec![AccessExpr::Everything],
            Action::Deterministic { start, end } => self.inside(*start, *end),
            Action::Die => self.exit(),
        }
    }

    /// What an action accesses that is tried and does not execute.
    fn refused(&self, action: &Action) -> List {
        match action {
            Action::Condition(e) => self.truth(e, None),
            Action::Send { queue, .. } => self.by_target(queue, |target| {
                vec![AccessExpr::Object(target.object(), Access::PEEK_RECEIVES)]
            }),
            Action::Receive { queue, patterns, random, .. } => {
                self.by_target(queue, |target| self.missed(target, patterns, *random))
            }
            Action::Deterministic { start, .. } => {
                let edges = self.kind().edges_from(*start);
                edges.flat_map(|(_, edge)| self.refused(&edge.action)).collect()
            }
            Action::Die => vec![AccessExpr::Object(Object::Exits, Access::PEEK)],
            _ => Vec::new(),
        }
    }

    /// A receive that finds nothing: a send may help, or, where only the oldest message
    /// counts and there is one, a receive.
    fn missed(&self, target: &Target<'_>, patterns: &[Pattern], random: bool) -> List {
        let peek = |access| vec![AccessExpr::Object(target.object(), access)];
        let Some(length) = target.channel.length else { return peek(Access::PEEK_SENDS) };
        let other = if random { Access::PEEK_SENDS } else { Access::PEEK_RECEIVES };
        let none = equal(Expr::Field(length), constant(0));
        let some = [self.all_reads(wanted(patterns)), peek(other)].concat();
        either(none, peek(Access::PEEK_SENDS), some)
    }

    /// An access of a channel, with the move of the event trace that it causes.
    fn event(&self, target: &Target<'_>, access: Access, sends: bool) -> List {
        let mut list = vec![AccessExpr::Object(target.object(), access)];
        let watched = self.lowering.program.trace.as_ref().is_some_and(|trace| {
            let ids = if sends { &trace.sends } else { &trace.receives };
            let holds = |id: &VariableId| {
                let values = self.lowering.facts.global(*id);
                values.is_none_or(|values| values.contains(&target.number))
            };
            ids.iter().any(holds)
        });
        if watched {
            list.push(AccessExpr::Object(TRACE, Access::WRITE));
        }
        list
    }

    /// What the fields of a receive read and where they are stored.
    fn patterns(&self, patterns: &[Pattern]) -> List {
        let field = |pattern: &Pattern| match pattern {
            Pattern::Match(e) => self.reads(e),
            Pattern::Store(place) => self.place(place, Access::WRITE),
            Pattern::Any => Vec::new(),
        };
        patterns.iter().flat_map(field).collect()
    }

    /// All that a `d_step` may access: its statements see what those before them did.
    fn inside(&self, start: LocationId, end: LocationId) -> List {
        let (mut known, mut next) = (vec![start], 0);
        let mut list = Vec::new();
        while let Some(at) = known.get(next).copied() {
            next += 1;
            for (_, edge) in self.kind().edges_from(at) {
                let both = [self.executed(&edge.action), self.refused(&edge.action)];
                both.into_iter().flatten().for_each(|access| flatten(access, &mut list));
                if edge.to != end && !known.contains(&edge.to) {
                    known.push(edge.to);
                }
            }
        }
        list
    }

    fn exit(&self) -> List {
        let first = self.room.base as u32;
        let own = first..first + self.room.channels.len() as u32;
        let gone = own.map(|number| AccessExpr::Object(Object::Channel(number), Access::WRITE));
        let exits = [
            AccessExpr::Object(Object::Processes, Access::READ),
            AccessExpr::Object(Object::Exits, Access::EXIT),
        ];
        exits.into_iter().chain(gone).collect()
    }

    /// Where all a process can do is exit: that no message goes with it, which would be missed
    /// in a blocked state.
    fn exits_unseen(&self, at: LocationId) -> Option<Expr> {
        let mut edges = self.kind().edges_from(at);
        let lengths = self.room.channels.iter().filter_map(|channel| channel.length);
        let empty = lengths.map(|length| equal(Expr::Field(length), constant(0)));
        edges.all(|(_, edge)| edge.action == Action::Die).then(|| all(empty))
    }

    /// What expressions access that are all evaluated.
    fn all_reads<'e>(&self, exprs: impl IntoIterator<Item = &'e program::Expr>) -> List {
        exprs.into_iter().flat_map(|expr| self.reads(expr)).collect()
    }

    /// What a condition accesses; `answer` if that is known: of one that holds all parts do, and
    /// that a channel is not empty is not changed by a send.
    fn truth(&self, condition: &program::Expr, answer: Option<bool>) -> List {
        use program::Expr as Plain;
        if self.constants().fold(condition).is_some() {
            return Vec::new();
        }
        if let Some((queue, op, bound)) = length_test(condition) {
            return self.by_target(queue, |target| lengths(target, op, bound, answer));
        }
        match condition {
            Plain::Unary(UnaryOp::Not, a) => self.truth(a, answer.map(|answer| !answer)),
            Plain::Binary(BinaryOp::And, a, b) if answer == Some(true) => {
                [self.truth(a, answer), self.truth(b, answer)].concat()
            }
            Plain::Binary(BinaryOp::Or, a, b) if answer == Some(false) => {
                [self.truth(a, answer), self.truth(b, answer)].concat()
            }
            Plain::Binary(BinaryOp::And, a, b) => {
                [self.truth(a, None), either(self.value(a), self.truth(b, None), Vec::new())]
                    .concat()
            }
            Plain::Binary(BinaryOp::Or, a, b) => {
                [self.truth(a, None), either(self.value(a), Vec::new(), self.truth(b, None))]
                    .concat()
            }
            Plain::Binary(op, a, b) if op.is_comparison() => {
                let answer = answer.map_or_else(|| self.value(condition), truth);
                self.comparison((*op, a, b), answer)
            }
            Plain::Load(place) => {
                let answer = answer.map_or_else(|| self.value(condition), truth);
                self.test(place, (BinaryOp::NotEqual, &Plain::Const(0), false), answer)
            }
            _ => self.reads(condition),
        }
    }

    /// What a comparison accesses. Where both sides are global variables, which of them is
    /// looked at by value is a matter of taste: one of several, for it is others who write it.
    fn comparison(
        &self,
        (op, a, b): (BinaryOp, &program::Expr, &program::Expr),
        answer: Expr,
    ) -> List {
        use program::Expr as Plain;
        let global = |expr: &Plain| match expr {
            Plain::Load(place) if matches!(place.variable, VariableRef::Global(_)) => {
                Some((place.clone(), matches!(self.element_of(place), Expr::Const(_))))
            }
            _ => None,
        };
        match (global(a), global(b)) {
            (Some((place, false)), _) | (Some((place, _)), None) => {
                self.test(&place, (op, b, false), answer)
            }
            (_, Some((place, _))) => self.test(&place, (op, a, true), answer),
            (None, None) => [self.reads(a), self.reads(b)].concat(),
        }
    }

    /// What the comparison of a variable with a bound accesses.
    fn test(
        &self,
        place: &Place,
        (op, bound, mirrored): (BinaryOp, &program::Expr, bool),
        answer: Expr,
    ) -> List {
        let indices = place.subscripts.iter().map(|subscript| &subscript.index);
        let mut list = [self.all_reads(indices), self.reads(bound)].concat();
        if let Some((first, count, index)) = self.global(place) {
            let bound = self.value(bound);
            list.push(AccessExpr::Test { first, count, index, op, bound, mirrored, answer });
        }
        list
    }

    /// How an assignment accesses its place: a constant that its type can hold is known.
    fn set(&self, place: &Place, value: &program::Expr) -> Access {
        let VariableRef::Global(id) = place.variable else { return Access::WRITE };
        let Expr::Const(value) = self.value(value) else { return Access::WRITE };
        let variable = &self.lowering.program.globals[id];
        let shape = shape(self.lowering.rules, variable.scalar, variable.length > 1);
        let fits = value >= 0 && bits_for(value as usize) + u32::from(shape.signed) <= shape.bits;
        if fits { Access::set(value) } else { Access::WRITE }
    }

    /// What an expression accesses.
    fn reads(&self, expr: &program::Expr) -> List {
        use program::Expr as Plain;
        if self.constants().fold(expr).is_some() {
            return Vec::new();
        }
        if let Some((queue, op, bound)) = length_test(expr) {
            return self.by_target(queue, |target| lengths(target, op, bound, None));
        }
        match expr {
            Plain::Const(_) | Plain::Pid => Vec::new(),
            Plain::Load(place) => self.place(place, Access::READ),
            Plain::Unary(UnaryOp::Not, _) | Plain::Binary(BinaryOp::And | BinaryOp::Or, ..) => {
                self.truth(expr, None)
            }
            Plain::Unary(_, a) => self.reads(a),
            Plain::Binary(op, a, b) if op.is_comparison() => {
                self.comparison((*op, a, b), self.value(expr))
            }
            Plain::Binary(_, a, b) => [self.reads(a), self.reads(b)].concat(),
            Plain::Choose(c, a, b) => {
                [self.truth(c, None), either(self.value(c), self.reads(a), self.reads(b))].concat()
            }
            Plain::Probe(_, queue) => self
                .by_target(queue, |target| vec![AccessExpr::Object(target.object(), Access::PEEK)]),
            Plain::Poll { queue, patterns, random } => self.by_target(queue, |target| {
                let found = vec![AccessExpr::Object(target.object(), Access::PEEK_RECEIVES)];
                let found = [self.all_reads(wanted(patterns)), found].concat();
                either(self.value(expr), found, self.missed(target, patterns, *random))
            }),
            // Nothing is executed by what only formulas look at.
            Plain::Messages { .. } => Vec::new(),
            Plain::Run { proctype, arguments, .. } => {
                [self.all_reads(arguments), self.creation(*proctype)].concat()
            }
            Plain::Timeout => vec![AccessExpr::Timeout],
            Plain::ProcessCount => vec![
                AccessExpr::Object(Object::Processes, Access::READ),
                AccessExpr::Object(Object::Exits, Access::PEEK),
            ],
            Plain::Last
            | Plain::NonProgress
            | Plain::Accepting
            | Plain::Enabled(_)
            | Plain::PcValue(_)
            | Plain::Priority(_)
            | Plain::RemoteLabel(_)
            | Plain::RemoteVariable(_) => vec![AccessExpr::Everything],
        }
    }

    /// A place of a variable, with what its subscripts read.
    fn place(&self, place: &Place, access: Access) -> List {
        let indices = place.subscripts.iter().map(|subscript| &subscript.index);
        let mut list = self.all_reads(indices);
        list.extend(self.global(place).map(|(first, count, index)| match index {
            Expr::Const(at) => AccessExpr::Object(Object::Variable(first + at as u32), access),
            index => AccessExpr::Element { first, count, index, access },
        }));
        list
    }

    /// Which global variable a place is: the number of the first one it may be, how many there
    /// are, and which of them it is; none if it has no place in a state.
    fn global(&self, place: &Place) -> Option<(u32, u32, Expr)> {
        let VariableRef::Global(id) = place.variable else { return None };
        let is_stored = !matches!(self.home(place.variable), Home::Constant(_) | Home::Unread(_));
        let (first, count) = (self.lowering.object(id), self.lowering.program.globals[id].length);
        is_stored.then(|| (first, count, self.element_of(place)))
    }

    /// What is accessed of whichever channel `queue` means. Where it means none the statement
    /// fails, which depends on nothing but that number.
    fn by_target(&self, queue: &Queue, about: impl Fn(&Target<'a>) -> List) -> List {
        let (number, targets) = self.targets(queue);
        let chosen = targets.iter().rev().fold(Vec::new(), |otherwise, target| {
            let is_it = and(equal(number.clone(), constant(target.number)), self.is_there(target));
            either(is_it, about(target), otherwise)
        });
        [self.reads(&queue.number), chosen].concat()
    }

    /// The creation of a process in whichever slot is the first free one. Where there is none
    /// it fails, or the search begins again with more of them.
    fn creation(&self, proctype: ProctypeId) -> List {
        let slots = self.slots();
        let created = (self.pid.map_or(0, |pid| pid + 1)..slots.len()).rev().fold(
            Vec::new(),
            |otherwise, pid| {
                let free = equal(Expr::Field(slots[pid].at), constant(0));
                either(free, self.creation_in(proctype, pid), otherwise)
            },
        );
        let processes = AccessExpr::Object(Object::Processes, Access::WRITE);
        std::iter::once(processes).chain(created).collect()
    }

    /// The same in slot `pid`: its channels follow those of the process before.
    fn creation_in(&self, proctype: ProctypeId, pid: usize) -> List {
        let before = self.slots()[pid - 1].rooms.iter();
        before.fold(Vec::new(), |otherwise, before| {
            let rooms = self.slots()[pid].rooms.iter();
            let mut rooms =
                rooms.filter(|room| room.proctype == proctype && room.base == before.end());
            let created = rooms.next().map_or(Vec::new(), |room| self.begun(pid, room));
            either(self.is_in(pid - 1, before), created, otherwise)
        })
    }

    /// What a new process accesses: its channels, and what its variables begin with.
    fn begun(&self, pid: usize, room: &'a Room) -> List {
        let newborn = self.of(pid, room);
        let kind = newborn.kind();
        let values = kind.variables.iter().filter_map(|variable| match &variable.initial {
            Initial::Value(expr) => Some(expr),
            _ => None,
        });
        let channels = room.base as u32..room.end() as u32;
        let made =
            channels.map(|number| AccessExpr::Object(Object::Channel(number), Access::WRITE));
        made.chain(newborn.all_reads(values)).collect()
    }
}

impl Target<'_> {
    fn object(&self) -> Object {
        Object::Channel(self.number as u32 - 1)
    }
}

impl Lowering<'_> {
    /// The number of the first element of a global variable.
    fn object(&self, id: VariableId) -> u32 {
        self.program.globals.iter().take(id.index()).map(|variable| variable.length).sum()
    }
}

/// The values that fields of a receive or poll must have.
fn wanted(patterns: &[Pattern]) -> impl Iterator<Item = &program::Expr> {
    patterns.iter().filter_map(|pattern| match pattern {
        Pattern::Match(expr) => Some(expr),
        Pattern::Store(_) | Pattern::Any => None,
    })
}

fn truth(answer: bool) -> Expr {
    constant(i32::from(answer))
}

/// One list or the other, as a condition says.
fn either(condition: Expr, yes: List, no: List) -> List {
    match condition {
        Expr::Const(0) => no,
        Expr::Const(_) => yes,
        _ if yes == no => yes,
        condition => vec![AccessExpr::If(condition, yes, no)],
    }
}

/// Adds whatever an access may be in some state.
fn flatten(access: AccessExpr, list: &mut List) {
    match access {
        // What a statement sees depends on those before it.
        AccessExpr::Test { first, count, .. } => {
            let each = (first..first + count).map(Object::Variable);
            list.extend(each.map(|object| AccessExpr::Object(object, Access::READ)));
        }
        AccessExpr::Element { first, count, access, .. } => {
            let each = (first..first + count).map(Object::Variable);
            list.extend(each.map(|object| AccessExpr::Object(object, access)));
        }
        AccessExpr::If(_, yes, no) => {
            yes.into_iter().chain(no).for_each(|access| flatten(access, list));
        }
        plain => list.push(plain),
    }
}

/// A test of the length of a channel: the length compared with a number, or with the capacity
/// where there is none.
fn length_test(expr: &program::Expr) -> Option<(&Queue, BinaryOp, Option<i32>)> {
    use program::Expr as Plain;
    match expr {
        Plain::Probe(Probe::Empty, queue) => Some((queue, BinaryOp::Equal, Some(0))),
        Plain::Probe(Probe::NotEmpty, queue) => Some((queue, BinaryOp::NotEqual, Some(0))),
        Plain::Probe(Probe::Full, queue) => Some((queue, BinaryOp::Equal, None)),
        Plain::Probe(Probe::NotFull, queue) => Some((queue, BinaryOp::NotEqual, None)),
        Plain::Binary(op, a, b) => match (a.as_ref(), b.as_ref()) {
            (Plain::Probe(Probe::Len, queue), Plain::Const(bound)) => {
                op.is_comparison().then_some((queue, *op, Some(*bound)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// A comparison of the length of a channel with a bound: it peeks at what can change its
/// answer, which is a send if another answer lies above the length, and a receive if one lies
/// below. `answer` if it is known already.
fn lengths(target: &Target<'_>, op: BinaryOp, bound: Option<i32>, answer: Option<bool>) -> List {
    let capacity = target.channel.kind.capacity as i32;
    let bound = bound.unwrap_or(capacity);
    let Some(length) = target.channel.length.map(Expr::Field) else {
        return vec![AccessExpr::Object(target.object(), Access::PEEK_SENDS)];
    };
    // All lengths below the bound have one answer, and all above it; a length of each class.
    let classes = [
        (bound > 0).then_some(0),
        (0..=capacity).contains(&bound).then_some(bound),
        (bound < capacity).then_some((bound + 1).max(0)),
    ];
    let answers = classes.map(|length| Some(op.apply(length?, bound)? != 0));
    let peeks = |class: usize| -> List {
        let wanted = answers[class].filter(|here| answer.is_none_or(|answer| *here == answer));
        let Some(here) = wanted else { return Vec::new() };
        let differs = |others: &[Option<bool>]| others.iter().flatten().any(|other| *other != here);
        let each = [
            (differs(&answers[class + 1..]), Access::PEEK_SENDS),
            (differs(&answers[..class]), Access::PEEK_RECEIVES),
        ];
        let each = each.into_iter().filter(|(peeks, _)| *peeks);
        each.map(|(_, access)| AccessExpr::Object(target.object(), access)).collect()
    };
    if answer.is_some() {
        return [peeks(0), peeks(1), peeks(2)].concat();
    }
    let less = binary(BinaryOp::Less, length.clone(), constant(bound));
    either(less, peeks(0), either(equal(length, constant(bound)), peeks(1), peeks(2)))
}
