//! Expressions and assignments.

use super::build::{all, and, any, binary, choose, constant, equal, unary};
use super::layout::{Home, Room};
use super::scope::{Scope, Target};
use ::packed::{Array, BinaryOp, Expr, Op, UnaryOp};
use program::{
    LocationId, LocationMarks, Pattern, Place, Probe, Queue, RemoteLabel, RemoteVariable,
    VariableRef,
};

/// The messages of a channel with room for more are counted by the reference interpreter.
const COUNTED_MAX: u32 = 32;

impl<'a> Scope<'a> {
    /// The value of an expression to this process.
    pub(super) fn value(&self, expr: &program::Expr) -> Expr {
        use program::Expr as Plain;
        if let Some(value) = self.constants().fold(expr) {
            return constant(value);
        }
        match expr {
            Plain::Const(value) => constant(*value),
            Plain::Load(place) => self.load(place),
            Plain::Unary(op, a) => unary(*op, self.value(a)),
            Plain::Binary(op, a, b) => binary(*op, self.value(a), self.value(b)),
            Plain::Choose(c, a, b) => choose(self.value(c), self.value(a), self.value(b)),
            Plain::Probe(probe, queue) => self.by_channel(queue, |target| probed(*probe, target)),
            Plain::Poll { queue, patterns, random } => {
                self.by_channel(queue, |target| self.poll(target, patterns, *random))
            }
            Plain::Run { .. } => self.born.map_or(Expr::Bail, |pid| constant(pid as i32)),
            Plain::Timeout => Expr::Timeout,
            Plain::Pid => constant(self.pid.unwrap_or(0) as i32),
            Plain::ProcessCount => self.count(),
            Plain::Last => self.lowering.layout.last.map_or(constant(0), Expr::Field),
            Plain::RemoteLabel(label) => self.remote_label(label),
            Plain::RemoteVariable(variable) => self.remote_variable(variable),
            Plain::NonProgress => unary(UnaryOp::Not, self.is_marked(|marks| marks.progress)),
            Plain::Accepting => self.is_marked(|marks| marks.accept),
            Plain::PcValue(pid) => self.pc_value(pid),
            Plain::Messages { queue, patterns, head } => {
                self.by_channel(queue, |target| self.messages(target, patterns, *head))
            }
            Plain::Enabled(_) | Plain::Priority(_) => Expr::Bail,
        }
    }

    fn load(&self, place: &Place) -> Expr {
        self.load_from(self.home(place.variable), place)
    }

    /// What stands at `place` of a variable that is at `home`; subscripts are those of
    /// this process.
    fn load_from(&self, home: &Home, place: &Place) -> Expr {
        let element = self.element(place, home.length());
        match (home, element) {
            (_, Expr::Bail) | (Home::Unread(_), _) => Expr::Bail,
            (Home::Constant(values), Expr::Const(i)) => constant(values[i as usize]),
            (Home::Constant(values), element) => table(values, element),
            (Home::Scalar(field), _) => Expr::Field(*field),
            (Home::Array(array), Expr::Const(i)) => Expr::Field(array.element(i as u32)),
            (Home::Array(array), element) => Expr::Element(*array, Box::new(element)),
        }
    }

    /// Puts `value` at `place`.
    pub(super) fn store(&self, place: &Place, value: Expr) -> Op {
        let home = self.home(place.variable);
        match (home, self.element(place, home.length())) {
            (_, Expr::Bail) | (Home::Constant(_), _) => Op::Bail,
            (Home::Scalar(field), _) => Op::Set(*field, value),
            (Home::Array(array), Expr::Const(i)) => Op::Set(array.element(i as u32), value),
            (Home::Array(array), element) => Op::SetElement(*array, element, value),
            // Both may fail all the same.
            (Home::Unread(length), element) => {
                let inside = Expr::Within(Box::new(element), *length);
                Op::Let(self.temp(), binary(BinaryOp::Add, inside, value))
            }
        }
    }

    /// Which element of its variable a place is, as far as [`Scope::element`] says.
    pub(super) fn element_of(&self, place: &Place) -> Expr {
        self.element(place, self.home(place.variable).length())
    }

    /// Which element of a variable with `length` of them a place is. It is in range if
    /// it is constant; else whoever uses it looks whether it is below `length`.
    fn element(&self, place: &Place, length: usize) -> Expr {
        let mut sum = constant(0);
        let whole = matches!(place.subscripts.as_slice(),
            [only] if only.stride == 1 && only.bound as usize == length);
        for subscript in &place.subscripts {
            let index = match self.value(&subscript.index) {
                Expr::Const(i) if (0..i64::from(subscript.bound)).contains(&i64::from(i)) => {
                    constant(i)
                }
                Expr::Const(_) => return Expr::Bail,
                index if whole => index,
                index => Expr::Within(Box::new(index), subscript.bound),
            };
            let part = binary(BinaryOp::Multiply, index, constant(subscript.stride as i32));
            sum = binary(BinaryOp::Add, sum, part);
        }
        sum
    }

    /// What an expression about a channel is, by the channel.
    fn by_channel(&self, queue: &Queue, about: impl Fn(&Target<'a>) -> Expr) -> Expr {
        let (number, targets) = self.targets(queue);
        targets.iter().rev().fold(Expr::Bail, |otherwise, target| {
            let is_it = and(equal(number.clone(), constant(target.number)), self.is_there(target));
            choose(is_it, about(target), otherwise)
        })
    }

    /// The number of a channel, and the channels it can mean.
    pub(super) fn targets(&self, queue: &Queue) -> (Expr, Vec<Target<'a>>) {
        let number = self.value(&queue.number);
        let mut targets = self.channels();
        match (&number, queue.number.as_ref()) {
            (Expr::Const(number), _) => targets.retain(|target| target.number == *number),
            (_, program::Expr::Load(place)) => {
                if let Some(values) = self.constants().values(place.variable) {
                    targets.retain(|target| values.contains(&target.number));
                }
            }
            _ => {}
        }
        (number, targets)
    }

    /// Whether a receive from a channel could execute.
    fn poll(&self, target: &Target<'_>, patterns: &[Pattern], random: bool) -> Expr {
        let Some(length) = target.channel.length else { return Expr::Bail };
        if random && patterns.iter().any(|pattern| matches!(pattern, Pattern::Match(_))) {
            let found = self.find(target, patterns);
            return binary(BinaryOp::GreaterEqual, found, constant(0));
        }
        let some = binary(BinaryOp::Greater, Expr::Field(length), constant(0));
        and(some, self.matches(patterns, |i| head(&target.channel.fields, i)))
    }

    /// How many messages of a channel begin with these fields, or whether the oldest one does.
    fn messages(&self, target: &Target<'_>, patterns: &[Pattern], head: bool) -> Expr {
        let Some(length) = target.channel.length else { return constant(0) };
        let room = if head { 1 } else { target.channel.room() };
        if room > COUNTED_MAX {
            return Expr::Bail;
        }
        let is_there = |at: u32| {
            let field =
                |i: usize| target.channel.fields.get(i).map(|array| Expr::Field(array.element(at)));
            let some = binary(BinaryOp::Greater, Expr::Field(length), constant(at as i32));
            and(some, self.matches(patterns, field))
        };
        let sum = |a: Expr, b: Expr| binary(BinaryOp::Add, a, b);
        let each = (0..room).map(|at| choose(is_there(at), constant(1), constant(0)));
        each.reduce(sum).unwrap_or(constant(0))
    }

    /// Which message of a channel a receive would take; -1 for none.
    pub(super) fn find(&self, target: &Target<'_>, patterns: &[Pattern]) -> Expr {
        let index = self.temp();
        let field = |i: usize| {
            let array = target.channel.fields.get(i);
            array.map(|array| Expr::Element(*array, Box::new(Expr::Temp(index))))
        };
        let condition = Box::new(self.matches(patterns, field));
        let count = Box::new(target.channel.length.map_or(constant(0), Expr::Field));
        Expr::Find { index, count, condition }
    }

    /// Whether a message with these fields is what patterns ask for.
    pub(super) fn matches(
        &self,
        patterns: &[Pattern],
        field: impl Fn(usize) -> Option<Expr>,
    ) -> Expr {
        all(patterns.iter().enumerate().filter_map(|(i, pattern)| match pattern {
            Pattern::Match(wanted) => {
                Some(equal(field(i).unwrap_or(constant(0)), self.value(wanted)))
            }
            Pattern::Store(_) | Pattern::Any => None,
        }))
    }

    /// Something about the process a remote reference means; 0 if there is none.
    fn by_process(
        &self,
        pid: Option<&program::Expr>,
        proctype: program::ProctypeId,
        about: impl Fn(usize) -> Expr,
    ) -> Expr {
        let slots = 0..self.slots().len();
        let wanted = pid.map(|pid| self.value(pid));
        slots.rev().fold(constant(0), |otherwise, slot| {
            let is_it = match &wanted {
                Some(pid) => and(equal(pid.clone(), constant(slot as i32)), self.is_alive(slot)),
                None => self.is_of(slot, proctype),
            };
            match is_it {
                Expr::Const(0) => otherwise,
                is_it => choose(is_it, about(slot), otherwise),
            }
        })
    }

    /// `np_`: nobody is at a progress label.
    /// Whether some process is at a location with such a mark.
    fn is_marked(&self, mark: impl Fn(&LocationMarks) -> bool + Copy) -> Expr {
        let slots = 0..self.slots().len();
        any(slots.flat_map(|slot| {
            self.slots()[slot].rooms.iter().flat_map(move |room| {
                let locations = &self.lowering.program.proctypes[room.proctype].locations;
                let marked = locations.iter_ids().filter(move |(_, at)| mark(&at.marks));
                marked.map(move |(at, _)| self.stands_at(slot, room.proctype, at))
            })
        }))
    }

    /// `pc_value`: the number of the location where a process stands.
    fn pc_value(&self, pid: &program::Expr) -> Expr {
        let wanted = self.value(pid);
        let slots = self.slots().iter().enumerate().rev();
        slots.fold(constant(0), |otherwise, (pid, slot)| {
            let here = slot.rooms.iter().rev().fold(Expr::Bail, |otherwise, room| {
                let code = binary(BinaryOp::Subtract, Expr::Field(slot.at), constant(room.span.0));
                let value = table(&self.numbers(room), code);
                choose(self.is_in(pid, room), value, otherwise)
            });
            let is_it = and(equal(wanted.clone(), constant(pid as i32)), self.is_alive(pid));
            choose(is_it, here, otherwise)
        })
    }

    /// SPIN's number of the location of each value of `at`, from the lowest on.
    fn numbers(&self, room: &Room) -> Vec<i32> {
        let locations = &self.lowering.program.proctypes[room.proctype].locations;
        let coded = room.codes.iter_ids().filter_map(|(at, code)| Some(((*code)?, at)));
        let mut coded: Vec<(i32, LocationId)> = coded.collect();
        coded.sort_unstable();
        coded.into_iter().map(|(_, at)| locations[at].number as i32).collect()
    }

    fn remote_label(&self, label: &RemoteLabel) -> Expr {
        let (kind, at) = (label.proctype, label.location);
        self.by_process(label.pid.as_deref(), kind, |slot| self.stands_at(slot, kind, at))
    }

    fn remote_variable(&self, variable: &RemoteVariable) -> Expr {
        let kind = variable.proctype;
        self.by_process(variable.pid.as_deref(), kind, |slot| {
            let VariableRef::Local(id) = variable.place.variable else {
                return self.load(&variable.place);
            };
            let rooms = self.slots()[slot].rooms.iter().filter(|room| room.proctype == kind);
            rooms.rev().fold(Expr::Bail, |otherwise, room| {
                let value = self.load_from(&room.locals[id], &variable.place);
                choose(self.is_in(slot, room), value, otherwise)
            })
        })
    }
}

impl Home {
    fn length(&self) -> usize {
        match self {
            Home::Constant(values) => values.len(),
            Home::Scalar(_) => 1,
            Home::Array(array) => array.length as usize,
            Home::Unread(length) => *length as usize,
        }
    }

    /// Sets it to zero, if it is anywhere.
    pub(super) fn cleared(&self) -> Option<Op> {
        match self {
            Home::Constant(_) | Home::Unread(_) => None,
            Home::Scalar(field) => Some(Op::Set(*field, constant(0))),
            Home::Array(array) => Some(Op::Clear(*array)),
        }
    }
}

/// The oldest message's field.
pub(super) fn head(fields: &[Array], i: usize) -> Option<Expr> {
    fields.get(i).map(|array| Expr::Field(array.element(0)))
}

fn probed(probe: Probe, target: &Target<'_>) -> Expr {
    let (length, capacity) = (target.channel.length, target.channel.kind.capacity as i32);
    let length = length.map_or(constant(0), Expr::Field);
    match (probe, target.channel.is_rendezvous()) {
        (Probe::Len, _) => length,
        (Probe::Empty, _) => equal(length, constant(0)),
        (Probe::NotEmpty, _) => binary(BinaryOp::Greater, length, constant(0)),
        (Probe::Full, true) => constant(0),
        (Probe::NotFull, true) => constant(1),
        (Probe::Full, false) => equal(length, constant(capacity)),
        (Probe::NotFull, false) => binary(BinaryOp::Less, length, constant(capacity)),
    }
}

/// The element of a constant array at an index that may be out of range: mostly they
/// are equal, or grow evenly like the numbers of channels.
fn table(values: &[i32], index: Expr) -> Expr {
    let index = Expr::Within(Box::new(index), values.len() as u32);
    let first = values.first().copied().unwrap_or(0);
    let step = values.get(1).map_or(0, |second| second.wrapping_sub(first));
    let even =
        |(i, value): (usize, &i32)| first.wrapping_add(step.wrapping_mul(i as i32)) == *value;
    if values.iter().enumerate().all(even) {
        let rise = binary(BinaryOp::Multiply, index, constant(step));
        return binary(BinaryOp::Add, rise, constant(first));
    }
    let mut distinct: Vec<i32> = values.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let places = |value: i32| {
        let those = values.iter().enumerate().filter(move |(_, other)| **other == value);
        any(those.map(|(i, _)| equal(index.clone(), constant(i as i32))))
    };
    distinct
        .into_iter()
        .fold(Expr::Bail, |otherwise, value| choose(places(value), constant(value), otherwise))
}
