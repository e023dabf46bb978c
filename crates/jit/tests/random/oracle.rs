//! The packed form, read word for word as it is documented: slow and obvious.

use packed::{
    Array, BinaryOp as B, Edge, Expr, FOLLOWED_MAX, Field, Move, Op, Packed, Then, UnaryOp, Walk,
};
use system::Word;

/// Who moves, and the state that leads to.
pub(crate) type Moved = (Move, Vec<Word>);

/// What stops an evaluation: the edge does not move, or the state is given up.
#[derive(PartialEq, Debug)]
pub(crate) enum Stop {
    Fails,
    Bails,
}

type Eval<T> = Result<T, Stop>;

pub(crate) struct Oracle<'a> {
    pub(crate) packed: &'a Packed,
    pub(crate) timeout: bool,
    pub(crate) temps: Vec<i32>,
    pub(crate) offer: Vec<i32>,
    /// Whether sequences without a choice are followed.
    pub(crate) follows: bool,
}

impl Oracle<'_> {
    /// All moves of an agent; none if it bails.
    pub(crate) fn ask(&mut self, agent: usize, state: &[Word]) -> Eval<Vec<Moved>> {
        self.moves(agent, state, None)
    }

    fn moves(&mut self, agent: usize, state: &[Word], offering: Option<u32>) -> Eval<Vec<Moved>> {
        let packed = self.packed;
        let at = get(packed.agents[agent].at, state) as usize;
        let place = packed.agents[agent].places.get(at).ok_or(Stop::Bails)?;
        let mut moved = Vec::new();
        for group in if offering.is_some() { &place.takes } else { &place.groups } {
            for edge in group {
                if edge.is_else && !moved.is_empty() {
                    continue;
                }
                match self.edge((agent, edge), state, offering) {
                    Ok(more) => moved.extend(more),
                    Err(Stop::Fails) => {}
                    Err(Stop::Bails) => return Err(Stop::Bails),
                }
            }
            if !moved.is_empty() {
                break;
            }
        }
        Ok(moved)
    }

    fn edge(
        &mut self,
        (agent, edge): (usize, &Edge),
        state: &[Word],
        offering: Option<u32>,
    ) -> Eval<Vec<Moved>> {
        let same = |(_, other): &(usize, &Edge)| std::ptr::eq(*other, edge);
        let number = self.packed.edges().position(|edge| same(&edge)).expect("an edge") as u32;
        let mut next = state.to_vec();
        self.ops(&edge.guard, &mut next)?;
        self.ops(&edge.body, &mut next)?;
        if let Then::Offered(takers) = &edge.then {
            let takers = takers.iter().map(|taker| self.moves(*taker, &next, Some(number)));
            return Ok(takers.collect::<Eval<Vec<_>>>()?.concat());
        }
        let by = match offering {
            Some(offering) => Move::both(offering, number),
            None => Move::alone(number),
        };
        let (more, goes_on) = match (&edge.then, self.follows) {
            (Then::GoesOn, true) => self.follow(agent, &mut next).map_err(|_| Stop::Bails)?,
            (then, _) => (0, *then == Then::GoesOn),
        };
        Ok(vec![(by.followed(more, goes_on), next)])
    }

    /// How many more edges move without a choice, and whether the agent goes on.
    fn follow(&mut self, agent: usize, state: &mut Vec<Word>) -> Eval<(u64, bool)> {
        let packed = self.packed;
        for more in 0..FOLLOWED_MAX {
            let at = get(packed.agents[agent].at, state) as usize;
            let place = packed.agents[agent].places.get(at).ok_or(Stop::Bails)?;
            if !place.is_followed() {
                return Ok((more, true));
            }
            let mut ways: Vec<(&Edge, Vec<Word>)> = Vec::new();
            for edge in place.groups.iter().flatten() {
                let mut next = state.clone();
                let passed = edge.is_else && !ways.is_empty();
                match if passed { Err(Stop::Fails) } else { self.ops(&edge.guard, &mut next) } {
                    Err(Stop::Bails) => return Err(Stop::Bails),
                    Err(Stop::Fails) => continue,
                    Ok(()) => ways.push((edge, next)),
                }
                if ways.len() > 1 {
                    return Ok((more, true));
                }
            }
            let Some((edge, _)) = ways.pop() else { return Ok((more, false)) };
            self.ops(&edge.guard, state)?;
            self.ops(&edge.body, state)?;
            if edge.then == Then::Visible {
                return Ok((more + 1, false));
            }
        }
        Err(Stop::Bails)
    }

    fn ops(&mut self, ops: &[Op], s: &mut Vec<Word>) -> Eval<()> {
        ops.iter().try_for_each(|op| self.op(op, s))
    }

    fn op(&mut self, op: &Op, s: &mut Vec<Word>) -> Eval<()> {
        match op {
            Op::Let(temp, e) => self.temps[*temp as usize] = self.eval(e, s)?,
            Op::Offer(position, e) => self.offer[*position as usize] = self.eval(e, s)?,
            Op::Require(e) => must(self.eval(e, s)? != 0, Stop::Fails)?,
            Op::Check(e) => must(self.eval(e, s)? != 0, Stop::Bails)?,
            Op::Set(field, e) => set(*field, self.eval(e, s)?, s),
            Op::SetElement(array, i, e) => {
                let i = self.index(*array, i, s)?;
                set(array.element(i), self.eval(e, s)?, s);
            }
            Op::Take(array, i) => {
                let i = self.index(*array, i, s)?;
                for j in i + 1..array.length {
                    set(array.element(j - 1), get(array.element(j), s), s);
                }
                set(array.element(array.length - 1), 0, s);
            }
            Op::Insert(array, i, e) => {
                let i = self.index(*array, i, s)?;
                let value = self.eval(e, s)?;
                for j in (i + 1..array.length).rev() {
                    set(array.element(j), get(array.element(j - 1), s), s);
                }
                set(array.element(i), value, s);
            }
            Op::Clear(array) => (0..array.length).for_each(|i| set(array.element(i), 0, s)),
            Op::Map { word, shift, table } => {
                let member = |i: usize| Field {
                    word: *word,
                    shift: shift + i as u32,
                    bits: 1,
                    signed: false,
                };
                let members = (0..table.len()).filter(|i| get(member(*i), s) == 1);
                let union = members.fold(0, |union, i| union | table[i]);
                (0..table.len()).for_each(|i| set(member(i), (union >> i & 1) as i32, s));
                must((0..table.len()).any(|i| union >> i & 1 == 1), Stop::Bails)?;
            }
            Op::Switch(e, cases, otherwise) => {
                let value = self.eval(e, s)?;
                let case = cases.iter().find(|(number, _)| *number == value);
                self.ops(case.map_or(otherwise, |(_, ops)| ops), s)?;
            }
            Op::Walk(walk) => self.walk(walk, s)?,
            Op::Bail => return Err(Stop::Bails),
        }
        Ok(())
    }

    fn walk(&mut self, walk: &Walk, s: &mut Vec<Word>) -> Eval<()> {
        let (mut at, mut length) = (walk.start, 0);
        'on: while at != walk.end {
            must(length < Walk::LENGTH_MAX, Stop::Bails)?;
            for choice in &walk.places[at] {
                match self.ops(&choice.guard, s) {
                    Err(Stop::Fails) => continue,
                    other => other?,
                }
                self.ops(&choice.body, s).map_err(|_| Stop::Bails)?;
                (at, length) = (choice.next, length + 1);
                continue 'on;
            }
            return Err(if length == 0 { Stop::Fails } else { Stop::Bails });
        }
        Ok(())
    }

    fn index(&mut self, array: Array, index: &Expr, s: &[Word]) -> Eval<u32> {
        let index = self.eval(index, s)?;
        must((0..array.length as i32).contains(&index), Stop::Bails)?;
        Ok(index as u32)
    }

    fn eval(&mut self, expr: &Expr, s: &[Word]) -> Eval<i32> {
        Ok(match expr {
            Expr::Const(number) => *number,
            Expr::Field(field) => get(*field, s),
            Expr::Element(array, i) => get(array.element(self.index(*array, i, s)?), s),
            Expr::Temp(temp) => self.temps[*temp as usize],
            Expr::Offered(position) => self.offer[*position as usize],
            Expr::Timeout => i32::from(self.timeout),
            Expr::Unary(UnaryOp::Negate, e) => self.eval(e, s)?.wrapping_neg(),
            Expr::Unary(UnaryOp::Not, e) => i32::from(self.eval(e, s)? == 0),
            Expr::Unary(UnaryOp::Complement, e) => !self.eval(e, s)?,
            Expr::Binary(B::Or, l, r) => i32::from(self.eval(l, s)? != 0 || self.eval(r, s)? != 0),
            Expr::Binary(B::And, l, r) => i32::from(self.eval(l, s)? != 0 && self.eval(r, s)? != 0),
            Expr::Binary(op, l, r) => apply(*op, self.eval(l, s)?, self.eval(r, s)?)?,
            Expr::Choose(e, yes, no) => match self.eval(e, s)? != 0 {
                true => self.eval(yes, s)?,
                false => self.eval(no, s)?,
            },
            Expr::Within(e, bound) => {
                let value = self.eval(e, s)?;
                must(value >= 0 && (value as u32) < *bound, Stop::Bails)?;
                value
            }
            Expr::Find { index, count, condition } => {
                for i in 0..self.eval(count, s)? {
                    self.temps[*index as usize] = i;
                    if self.eval(condition, s)? != 0 {
                        return Ok(i);
                    }
                }
                -1
            }
            Expr::Bail => return Err(Stop::Bails),
        })
    }
}

fn must(holds: bool, stop: Stop) -> Eval<()> {
    if holds { Ok(()) } else { Err(stop) }
}

fn apply(op: B, l: i32, r: i32) -> Eval<i32> {
    let (wide, by) = (i64::from(l), i64::from(r));
    must(r != 0 || !matches!(op, B::Divide | B::Remainder), Stop::Bails)?;
    Ok(match op {
        B::BitOr => l | r,
        B::BitXor => l ^ r,
        B::BitAnd => l & r,
        B::Equal => i32::from(l == r),
        B::NotEqual => i32::from(l != r),
        B::Less => i32::from(l < r),
        B::LessEqual => i32::from(l <= r),
        B::Greater => i32::from(l > r),
        B::GreaterEqual => i32::from(l >= r),
        B::ShiftLeft => (wide << (r & 31)) as i32,
        B::ShiftRight => (wide >> (r & 31)) as i32,
        B::Add => (wide + by) as i32,
        B::Subtract => (wide - by) as i32,
        B::Multiply => (wide * by) as i32,
        B::Divide => (wide / by) as i32,
        B::Remainder => (wide % by) as i32,
        B::Or | B::And => unreachable!("evaluated above"),
    })
}

/// Bit by bit.
fn get(field: Field, s: &[Word]) -> i32 {
    let bit = |i: u32| s[field.word as usize] >> (field.shift + i) & 1;
    let number: i64 = (0..field.bits).map(|i| (bit(i) << i) as i64).sum();
    let negative = field.signed && bit(field.bits - 1) == 1;
    (if negative { number - (1 << field.bits) } else { number }) as i32
}

fn set(field: Field, value: i32, s: &mut [Word]) {
    for i in 0..field.bits {
        let bit = 1 << (field.shift + i);
        s[field.word as usize] &= !bit;
        s[field.word as usize] |= if value >> i & 1 == 1 { bit } else { 0 };
    }
}
