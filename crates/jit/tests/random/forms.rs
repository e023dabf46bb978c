//! Random forms that [`Packed::verify`] passes, and random states of them.

use packed::{
    Agent, Array, BinaryOp, Choice, Edge, Expr, Field, Op, Packed, Place, Then, UnaryOp, Walk,
};
use system::{StepKind, Word};
use testkit::Random;

const OPERATORS: [BinaryOp; 18] = [
    BinaryOp::Or,
    BinaryOp::And,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::BitAnd,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Remainder,
];

/// Values an offer has.
const OFFER: u32 = 2;

pub(crate) struct Forms<'d> {
    random: &'d mut Random,
    width: u32,
    agents: u32,
    /// Temporaries that are set; the next one.
    temps: Vec<u32>,
    next_temp: u32,
    /// Nobody asks for timeouts or what was offered, no body fails, and few edges make offers:
    /// sequences are followed.
    plain: bool,
}

/// A form: places stand in word 0, everything else anywhere, even one over the other.
pub(crate) fn form(random: &mut Random) -> Packed {
    let plain = random.one_in(2);
    form_that(random, plain)
}

/// A form whose sequences are followed.
pub(crate) fn plain_form(random: &mut Random) -> Packed {
    form_that(random, true)
}

/// A form whose agents read no offer but one that was made to them.
pub(crate) fn fresh_form(random: &mut Random) -> Packed {
    let mut packed = form_that(random, false);
    let places = packed.agents.iter_mut().flat_map(|agent| &mut agent.places);
    for edge in places.flat_map(|place| place.groups.iter_mut().flatten()) {
        let offers = (0..OFFER).map(|value| Op::Offer(value, Expr::Const(0)));
        edge.guard.splice(..0, offers);
    }
    packed
}

fn form_that(random: &mut Random, plain: bool) -> Packed {
    let width = 1 + if random.one_in(8) { random.below(24) } else { random.below(6) };
    let agents = 1 + random.below(3);
    let mut forms = Forms { random, width, agents, temps: Vec::new(), next_temp: 0, plain };
    let mut packed = Packed {
        width: width as usize,
        telling: width as usize,
        initial: vec![0; width as usize],
        agents: (0..agents).map(|number| forms.agent(number)).collect(),
        claim: None,
        asks_timeout: random.one_in(2),
        marks: 0,
    };
    let edges = packed.agents.iter_mut().flat_map(|agent| &mut agent.places);
    let edges = edges.flat_map(|place| place.groups.iter_mut().chain(&mut place.takes)).flatten();
    for edge in edges {
        edge.mark = packed.marks as u32;
        packed.marks += 1;
    }
    packed
}

/// A state; most agents are at places there are.
pub(crate) fn state(random: &mut Random, packed: &Packed) -> Vec<Word> {
    let mut words: Vec<Word> = (0..packed.width).map(|_| random.bits() & random.bits()).collect();
    for agent in &packed.agents {
        if !random.one_in(16) {
            agent.at.set(&mut words, random.below(agent.places.len() as u32) as i32);
        }
    }
    words
}

impl Forms<'_> {
    fn agent(&mut self, number: u32) -> Agent {
        let at = Field { word: 0, shift: 2 * number, bits: 2, signed: false };
        let count = if self.random.one_in(4) { 2 + self.random.below(2) } else { 4 };
        let places = (0..count).map(|place| self.place(at, place)).collect();
        Agent { number: 10 + number, at, places }
    }

    /// Most edges lead forward, so that not all sequences are endless.
    fn place(&mut self, at: Field, place: u32) -> Place {
        let count = self.random.below(3);
        let mut groups: Vec<_> = (0..count).map(|_| self.group(false)).collect();
        let count = self.random.below(2);
        let mut takes: Vec<_> = (0..count).map(|_| self.group(true)).collect();
        for edge in groups.iter_mut().chain(&mut takes).flatten() {
            if self.plain || !self.random.one_in(8) {
                let next = Expr::Const(place as i32 + 1 + self.random.below(2));
                edge.body.push(Op::Set(at, next));
            }
        }
        Place { groups, takes }
    }

    fn group(&mut self, takes: bool) -> Vec<Edge> {
        (0..1 + self.random.below(3)).map(|number| self.edge(number, takes)).collect()
    }

    fn edge(&mut self, number: u32, takes: bool) -> Edge {
        self.temps.clear();
        self.next_temp = 0;
        let agents: Vec<usize> = (0..self.agents as usize).collect();
        let then = match self.random.below(8) {
            0 | 1 if !takes && (!self.plain || self.random.one_in(4)) => {
                let count = self.random.below(4);
                Then::Offered((0..count).map(|_| self.random.one_of(&agents)).collect())
            }
            2 | 3 => Then::GoesOn,
            4 | 5 if self.plain => Then::GoesOn,
            _ => Then::Visible,
        };
        let is_else = self.random.one_in(5);
        let guard = self.ops(2, true, 2);
        let body = self.ops(4, false, 2);
        Edge { number, mark: 0, kind: StepKind::Internal, is_else, guard, body, then }
    }

    fn ops(&mut self, at_most: u32, guard: bool, depth: u32) -> Vec<Op> {
        (0..self.random.below(at_most + 1)).map(|_| self.op(guard, depth)).collect()
    }

    fn op(&mut self, guard: bool, depth: u32) -> Op {
        match self.random.below(if guard { 10 } else { 26 }) {
            0 | 1 => {
                let value = self.expr(2);
                self.next_temp += 1;
                self.temps.push(self.next_temp - 1);
                Op::Let(self.next_temp - 1, value)
            }
            2 => Op::Offer(self.random.below(OFFER), self.expr(2)),
            3 if self.random.one_in(4) => Op::Check(self.expr(2)),
            4 if depth > 0 => self.switch(guard, depth - 1),
            5 if self.random.one_in(20) => Op::Bail,
            6 if !guard && !self.plain && self.random.one_in(3) => Op::Require(self.expr(2)),
            0..10 if guard => Op::Require(self.expr(3)),
            7 => self.array_op(Op::Take),
            8 | 9 => {
                let value = self.expr(2);
                self.array_op(|array, index| Op::SetElement(array, index, value))
            }
            10 | 11 => {
                let value = self.expr(2);
                self.array_op(|array, index| Op::Insert(array, index, value))
            }
            12 => Op::Clear(self.array()),
            13 | 14 => self.map(),
            15 | 16 if depth > 0 && !self.plain => Op::Walk(self.walk(depth - 1)),
            _ => Op::Set(self.field(), self.expr(3)),
        }
    }

    fn array_op(&mut self, make: impl FnOnce(Array, Expr) -> Op) -> Op {
        let array = self.array();
        let index = self.index(array, 1);
        make(array, index)
    }

    fn map(&mut self) -> Op {
        let members =
            1 + if self.random.one_in(4) { self.random.below(64) } else { self.random.below(6) };
        let shift = self.random.below(65 - members);
        let table = (0..members).map(|_| self.random.bits()).collect();
        Op::Map { word: self.random.below(self.width), shift, table }
    }

    /// What is set within is not set behind.
    fn apart<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let temps = self.temps.clone();
        let made = make(self);
        self.temps = temps;
        made
    }

    fn switch(&mut self, guard: bool, depth: u32) -> Op {
        let value = self.expr(1);
        let case = |forms: &mut Self| forms.apart(|forms| forms.ops(2, guard, depth));
        let cases = (0..self.random.below(4)).map(|_| (self.number(), case(self))).collect();
        Op::Switch(value, cases, case(self))
    }

    /// Mostly forward: only a counter keeps it from being endless.
    fn walk(&mut self, depth: u32) -> Walk {
        let count = 1 + self.random.below(3) as usize;
        let counter = Field { bits: 3, signed: false, ..self.field() };
        let counter = Field { shift: counter.shift.min(61), ..counter };
        let places = (0..count).map(|place| {
            let choices = (0..1 + self.random.below(2))
                .map(|_| self.apart(|forms| forms.choice(place, count, counter, depth)));
            choices.collect()
        });
        Walk { start: 0, end: count, places: places.collect() }
    }

    fn choice(&mut self, place: usize, count: usize, counter: Field, depth: u32) -> Choice {
        let binary =
            |op, number| Expr::Binary(op, Expr::Field(counter).into(), Expr::Const(number).into());
        if self.random.one_in(3) {
            let guard = vec![Op::Require(binary(BinaryOp::Less, 7))];
            let body = vec![Op::Set(counter, binary(BinaryOp::Add, 1))];
            return Choice { guard, body, next: self.random.below(place as u32 + 1) as usize };
        }
        let next = place + 1 + self.random.below((count - place) as u32) as usize;
        Choice { guard: self.ops(1, true, depth), body: self.ops(2, false, depth), next }
    }

    fn field(&mut self) -> Field {
        let bits = 1 + if self.random.one_in(4) {
            self.random.one_of(&[7, 15, 31])
        } else {
            self.random.below(32)
        };
        // Word 0 holds the places: it is changed less.
        let word = if self.random.one_in(3) { 0 } else { self.random.below(self.width) };
        Field { word, shift: self.random.below(65 - bits), bits, signed: self.random.one_in(2) }
    }

    fn array(&mut self) -> Array {
        let field = self.field();
        if self.width == 1 || self.random.one_in(2) {
            let most = (64 - field.shift) / field.bits;
            let length = 1 + self.random.below(most);
            return Array { first: field, length, per_word: most };
        }
        let word = self.random.below(self.width);
        let per_word = 1 + self.random.below(64 / field.bits);
        let length = 1 + self.random.below(per_word * (self.width - word));
        Array { first: Field { word, shift: 0, ..field }, length, per_word }
    }

    /// An index that is in range more often than not.
    fn index(&mut self, array: Array, depth: u32) -> Expr {
        if self.random.one_in(2) {
            let beyond = u32::from(self.random.one_in(9));
            return Expr::Const(self.random.below(array.length + beyond) as i32);
        }
        let mask = (array.length + 1).next_power_of_two() / 2 - 1;
        let index = self.expr(depth);
        Expr::Binary(BinaryOp::BitAnd, index.into(), Expr::Const(mask as i32).into())
    }

    fn number(&mut self) -> i32 {
        match self.random.below(8) {
            0 => self.random.one_of(&[i32::MIN, i32::MAX, -1, 255, 256, 65535, 1 << 31]),
            1 => self.random.bits() as i32,
            _ => self.random.below(5) - 1,
        }
    }

    fn leaf(&mut self) -> Expr {
        match self.random.below(10) {
            0..3 => Expr::Const(self.number()),
            3 if !self.temps.is_empty() => Expr::Temp(self.random.one_of(&self.temps.clone())),
            4 if !self.plain => Expr::Offered(self.random.below(OFFER)),
            5 if !self.plain => Expr::Timeout,
            6 if self.random.one_in(30) => Expr::Bail,
            _ => Expr::Field(self.field()),
        }
    }

    fn expr(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        let depth = depth - 1;
        match self.random.below(14) {
            0..3 => self.leaf(),
            3 => {
                let array = self.array();
                Expr::Element(array, self.index(array, depth).into())
            }
            4 => {
                let op = self.random.one_of(&[UnaryOp::Not, UnaryOp::Negate, UnaryOp::Complement]);
                Expr::Unary(op, self.expr(depth).into())
            }
            5 => {
                let [condition, yes, no] = [0; 3].map(|_| self.expr(depth).into());
                Expr::Choose(condition, yes, no)
            }
            6 if self.random.one_in(4) => {
                Expr::Within(self.expr(depth).into(), self.random.below(300))
            }
            7 => self.find(depth),
            _ => {
                let op = self.random.one_of(&OPERATORS);
                Expr::Binary(op, self.expr(depth).into(), self.expr(depth).into())
            }
        }
    }

    fn find(&mut self, depth: u32) -> Expr {
        let count = Expr::Const(self.random.below(9) - 1).into();
        let index = self.next_temp;
        self.next_temp += 1;
        let condition = self.apart(|forms| {
            forms.temps.push(index);
            forms.expr(depth).into()
        });
        Expr::Find { index, count, condition }
    }
}
