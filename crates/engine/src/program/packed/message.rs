//! Sending and receiving.

use super::build::{and, binary, changed, choose, constant, cut, either, equal, or, require};
use super::edge::Way;
use super::range::shape;
use super::scope::{Scope, Target};
use super::value::head;
use ::packed::{BinaryOp, Expr, Field, Op};
use program::{Pattern, Queue};

impl<'a> Scope<'a> {
    /// The operations for whichever channel `queue` means; gives up if it means none.
    fn on_channel(&self, queue: &Queue, mut on: impl FnMut(&Target<'a>) -> Vec<Op>) -> Vec<Op> {
        let (number, targets) = self.targets(queue);
        let mut cases: Vec<(i32, Vec<Op>)> = Vec::new();
        for target in targets.iter().rev() {
            let otherwise = match cases.last() {
                Some((last, _)) if *last == target.number => cases.pop(),
                _ => None,
            };
            let otherwise = otherwise.map_or(vec![Op::Bail], |(_, ops)| ops);
            cases.push((target.number, either(self.is_there(target), on(target), otherwise)));
        }
        match (number, cases.len()) {
            (Expr::Const(_), 1) => cases.pop().map_or(vec![Op::Bail], |(_, ops)| ops),
            (number, _) => {
                cases.reverse();
                vec![Op::Switch(number, cases, vec![Op::Bail])]
            }
        }
    }

    /// `q!a,b` or `q!!a,b`: into a buffer, or as an offer, which are different ways.
    pub(super) fn send(
        &self,
        queue: &Queue,
        arguments: &[program::Expr],
        sorted: bool,
    ) -> Vec<Way> {
        let (_, targets) = self.targets(queue);
        let (offers, puts): (Vec<Target<'_>>, Vec<Target<'_>>) =
            targets.into_iter().partition(|target| target.channel.is_rendezvous());
        let mut ways = Vec::new();
        if !puts.is_empty() || offers.is_empty() {
            ways.push(self.put(queue, arguments, sorted));
        }
        if !offers.is_empty() {
            let numbers = offers.iter().map(|target| target.number).collect();
            ways.push(Way { offers: Some(numbers), ..self.offer(queue, arguments) });
        }
        ways
    }

    /// A send into a buffer.
    fn put(&self, queue: &Queue, arguments: &[program::Expr], sorted: bool) -> Way {
        let lossy = self.lowering.rules.lossy_sends;
        let guard = self.on_channel(queue, |target| match target.channel.length {
            None => vec![Op::Require(constant(0))],
            Some(_) if lossy => Vec::new(),
            Some(length) => vec![Op::Require(has_room(target, length))],
        });
        let body = self.on_channel(queue, |target| {
            let Some(length) = target.channel.length else { return Vec::new() };
            if target.channel.fields.len() != arguments.len() {
                return either(has_room(target, length), vec![Op::Bail], Vec::new());
            }
            let mut ops = self.sent(target, arguments);
            ops.extend(match sorted {
                true => self.insert(target, length, arguments),
                false => self.append(target, length, arguments),
            });
            if lossy { either(has_room(target, length), ops, Vec::new()) } else { ops }
        });
        Way { guard, body, offers: None }
    }

    fn append(&self, target: &Target<'_>, length: Field, arguments: &[program::Expr]) -> Vec<Op> {
        let capacity = target.channel.kind.capacity;
        let put = |(array, argument): (&::packed::Array, &program::Expr)| match capacity {
            1 => Op::Set(array.first, self.value(argument)),
            _ => Op::SetElement(*array, Expr::Field(length), self.value(argument)),
        };
        let mut ops: Vec<Op> = target.channel.fields.iter().zip(arguments).map(put).collect();
        ops.push(changed(length, 1));
        ops
    }

    /// Puts a message before the first one that is greater. What is compared is not cut
    /// yet: SPIN sorts what was written, not what arrives.
    fn insert(&self, target: &Target<'_>, length: Field, arguments: &[program::Expr]) -> Vec<Op> {
        let values: Vec<u32> = arguments.iter().map(|_| self.temp()).collect();
        let (index, place) = (self.temp(), self.temp());
        let mut ops: Vec<Op> =
            values.iter().zip(arguments).map(|(t, e)| Op::Let(*t, self.value(e))).collect();
        if target.channel.room() < target.channel.kind.capacity {
            let room = constant(target.channel.room() as i32);
            ops.push(Op::Check(binary(BinaryOp::Less, Expr::Field(length), room)));
        }
        let there = |array: &::packed::Array| Expr::Element(*array, Box::new(Expr::Temp(index)));
        let fields = target.channel.fields.iter().zip(&values).rev();
        let greater = fields.fold(constant(0), |behind, (array, value)| {
            let greater = binary(BinaryOp::Greater, there(array), Expr::Temp(*value));
            let same = equal(there(array), Expr::Temp(*value));
            or(greater, and(same, behind))
        });
        let count = Box::new(Expr::Field(length));
        ops.push(Op::Let(place, Expr::Find { index, count, condition: Box::new(greater) }));
        let none = binary(BinaryOp::Less, Expr::Temp(place), constant(0));
        ops.push(Op::Let(place, choose(none, Expr::Field(length), Expr::Temp(place))));
        for (array, value) in target.channel.fields.iter().zip(&values) {
            ops.push(Op::Insert(*array, Expr::Temp(place), Expr::Temp(*value)));
        }
        ops.push(changed(length, 1));
        ops
    }

    /// A send that another process must take at once. Value 0 of an offer is the number
    /// of its channel, then come its fields.
    fn offer(&self, queue: &Queue, arguments: &[program::Expr]) -> Way {
        let guard = self.on_channel(queue, |target| {
            let fields = &target.channel.kind.fields;
            if !target.channel.is_rendezvous() {
                return vec![Op::Require(constant(0))];
            }
            if fields.len() != arguments.len() {
                return vec![Op::Bail];
            }
            let mut ops = vec![Op::Offer(0, constant(target.number))];
            for (i, (scalar, argument)) in (1..).zip(fields.iter().zip(arguments)) {
                let shape = shape(self.lowering.rules, *scalar, false);
                ops.push(Op::Offer(i, cut(self.value(argument), shape.bits, shape.signed)));
            }
            ops
        });
        let body = match self.lowering.layout.trace {
            Some(_) => self.on_channel(queue, |target| self.sent(target, arguments)),
            None => Vec::new(),
        };
        Way { guard, body, offers: None }
    }

    /// `q?a,b`, `q??a,b`, `q?<a,b>` and `q??<a,b>` from a buffer.
    pub(super) fn receive(
        &self,
        queue: &Queue,
        patterns: &[Pattern],
        (random, keep): (bool, bool),
    ) -> Way {
        let searches =
            random && patterns.iter().any(|pattern| matches!(pattern, Pattern::Match(_)));
        let slot = searches.then(|| self.temp());
        let guard = self.on_channel(queue, |target| self.wait(target, patterns, slot));
        let body = self.on_channel(queue, |target| {
            let Some(length) = target.channel.length else { return Vec::new() };
            let fields = &target.channel.fields;
            let field = |i: usize| match slot {
                Some(slot) => {
                    let array = fields.get(i);
                    array.map(|array| Expr::Element(*array, Box::new(Expr::Temp(slot))))
                }
                None => head(fields, i),
            };
            let mut ops = self.keep(patterns, fields.len(), field);
            if !keep {
                ops.extend(self.received(target, &field));
                let index = slot.map_or(constant(0), Expr::Temp);
                ops.extend(fields.iter().map(|array| removed(*array, index.clone())));
                ops.push(changed(length, -1));
            }
            ops
        });
        Way { guard, body, offers: None }
    }

    /// What a receive from a buffer waits for.
    fn wait(&self, target: &Target<'_>, patterns: &[Pattern], slot: Option<u32>) -> Vec<Op> {
        let Some(length) = target.channel.length else { return vec![Op::Require(constant(0))] };
        if let Some(slot) = slot {
            let found = binary(BinaryOp::GreaterEqual, Expr::Temp(slot), constant(0));
            return vec![Op::Let(slot, self.find(target, patterns)), Op::Require(found)];
        }
        let some = binary(BinaryOp::Greater, Expr::Field(length), constant(0));
        let wanted = self.matches(patterns, |i| head(&target.channel.fields, i));
        [require(some), require(wanted)].into_iter().flatten().collect()
    }

    /// `q?a,b` by taking an offer.
    pub(super) fn accept(&self, queue: &Queue, patterns: &[Pattern]) -> Option<Way> {
        let (_, targets) = self.targets(queue);
        if !targets.iter().any(|target| target.channel.is_rendezvous()) {
            return None;
        }
        let offered =
            |count: usize| move |i: usize| (i < count).then(|| Expr::Offered(i as u32 + 1));
        let guard = self.on_channel(queue, |target| {
            if !target.channel.is_rendezvous() {
                return vec![Op::Require(constant(0))];
            }
            let same = equal(Expr::Offered(0), constant(target.number));
            let wanted = self.matches(patterns, offered(target.channel.kind.fields.len()));
            [require(same), require(wanted)].into_iter().flatten().collect()
        });
        let body = self.on_channel(queue, |target| {
            let count = target.channel.kind.fields.len();
            let mut ops = self.keep(patterns, count, offered(count));
            ops.extend(self.received(target, &offered(count)));
            ops
        });
        Some(Way { guard, body, offers: None })
    }

    /// Stores the fields of a received message, left to right: an index further right
    /// sees what came in further left.
    fn keep(
        &self,
        patterns: &[Pattern],
        count: usize,
        field: impl Fn(usize) -> Option<Expr>,
    ) -> Vec<Op> {
        if patterns.len() != count {
            return vec![Op::Bail];
        }
        let stored = patterns.iter().enumerate().filter_map(|(i, pattern)| match pattern {
            Pattern::Store(place) => Some(self.store(place, field(i)?)),
            Pattern::Match(_) | Pattern::Any => None,
        });
        stored.collect()
    }

    /// The rendezvous channels that a receive can take offers of.
    pub(super) fn takes_from(&self, queue: &Queue) -> Vec<i32> {
        let (_, targets) = self.targets(queue);
        let those = targets.iter().filter(|target| target.channel.is_rendezvous());
        those.map(|target| target.number).collect()
    }
}

fn has_room(target: &Target<'_>, length: Field) -> Expr {
    binary(BinaryOp::Less, Expr::Field(length), constant(target.channel.kind.capacity as i32))
}

/// Takes a message out.
fn removed(array: ::packed::Array, index: Expr) -> Op {
    match array.length {
        1 => Op::Set(array.first, constant(0)),
        _ => Op::Take(array, index),
    }
}
