//! How many bits each variable and each field of a channel needs: as many as its type,
//! or fewer if nothing ever puts more into it. Sees every assignment of the program in
//! any order, and no conditions: `turn = 1 - me` stays small, a counter does not.

use super::pack::{Shape, bits_for};
use program::reference::{Declared, Rules, State};
use program::{
    Action, BinaryOp, Expr, Initial, Pattern, Place, ProctypeId, Program, Queue, Scalar, UnaryOp,
    Variable, VariableId, VariableRef,
};
use std::collections::{BTreeMap, BTreeSet};

/// Values from the first to the second.
type Span = (i64, i64);

const TRUTH: Span = (0, 1);
const NUMBER: Span = (0, 0xffff);
const ANY: Span = (i32::MIN as i64, i32::MAX as i64);

/// Rounds after which what still grows is taken to be as large as its type allows.
const PATIENT_ROUNDS: usize = 4;

/// Something that holds values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Cell {
    Variable(Declared),
    /// A field of the messages of the channels that a declaration makes.
    Field(Declared, usize),
}

/// How many bits each variable and each field of a channel needs.
#[derive(Debug)]
pub(super) struct Ranges {
    spans: BTreeMap<Cell, Span>,
    types: BTreeMap<Cell, Shape>,
}

impl Ranges {
    /// The ranges of a program that begins in `initial`.
    pub(super) fn new(program: &Program, rules: &Rules, initial: &State) -> Self {
        let mut growth = Growth::new(program, rules);
        for (id, values) in initial.globals.iter_ids() {
            let cell = Cell::Variable(Declared::Global(id));
            values.iter().for_each(|value| growth.put(cell, point(*value)));
        }
        while std::mem::take(&mut growth.grown) {
            growth.round += 1;
            growth.pass();
        }
        growth.ranges
    }

    pub(super) fn variable(&self, declared: Declared) -> Shape {
        self.shape(Cell::Variable(declared))
    }

    pub(super) fn global(&self, id: VariableId) -> Shape {
        self.variable(Declared::Global(id))
    }

    pub(super) fn local(&self, proctype: ProctypeId, id: VariableId) -> Shape {
        self.variable(Declared::Local(proctype, id))
    }

    /// Of the messages of the channels that a declaration makes.
    pub(super) fn fields(&self, declared: Declared) -> Vec<Shape> {
        let cells = (0..).map(|i| Cell::Field(declared, i));
        cells.take_while(|cell| self.types.contains_key(cell)).map(|c| self.shape(c)).collect()
    }

    fn shape(&self, cell: Cell) -> Shape {
        let kind = self.types[&cell];
        let (low, high) = self.spans.get(&cell).copied().unwrap_or((0, 0));
        // What is negative needs as many bits as what it is the complement of, and a sign.
        let bits = |value: i64| bits_for(value.max(!value) as usize);
        let shape = match low < 0 {
            true => Shape { bits: bits(low).max(bits(high)) + 1, signed: true },
            false => Shape { bits: bits(high), signed: false },
        };
        if shape.bits < kind.bits { shape } else { kind }
    }
}

/// Ranges that grow.
struct Growth<'a> {
    program: &'a Program,
    ranges: Ranges,
    /// The variables that are declared with a channel.
    channels: Vec<Declared>,
    /// The variables that something assigns.
    assigned: BTreeSet<Declared>,
    round: usize,
    grown: bool,
}

impl<'a> Growth<'a> {
    fn new(program: &'a Program, rules: &Rules) -> Self {
        let (mut types, mut channels) = (BTreeMap::new(), Vec::new());
        for (declared, variable) in variables(program) {
            let own = shape(rules, variable.scalar, variable.is_array);
            types.insert(Cell::Variable(declared), own);
            if let Initial::Channel(kind) = &variable.initial {
                channels.push(declared);
                for (i, field) in kind.fields.iter().enumerate() {
                    types.insert(Cell::Field(declared, i), shape(rules, *field, false));
                }
            }
        }
        let assigned = program.proctypes.iter_ids().flat_map(|(id, kind)| {
            let places = kind.edges.iter().flat_map(|edge| edge.action.targets());
            places.map(move |place| declared(id, place.variable))
        });
        let ranges = Ranges { spans: BTreeMap::new(), types };
        Self { program, ranges, channels, assigned: assigned.collect(), round: 0, grown: true }
    }

    /// Looks at everything that puts a value somewhere, once.
    fn pass(&mut self) {
        let program = self.program;
        for (id, kind) in program.proctypes.iter_ids() {
            for (local, variable) in kind.variables.iter_ids() {
                self.begin(id, local, variable);
            }
            for edge in &kind.edges {
                self.act(id, &edge.action);
            }
        }
    }

    /// A local when its process begins. What it is given as a parameter `run` says.
    fn begin(&mut self, proctype: ProctypeId, id: VariableId, variable: &Variable) {
        let cell = Cell::Variable(Declared::Local(proctype, id));
        self.put(cell, (0, 0));
        match &variable.initial {
            Initial::Zero | Initial::Argument(_) => {}
            Initial::Value(expr) => self.put(cell, self.span(proctype, expr)),
            Initial::List(values) => values.iter().for_each(|v| self.put(cell, point(*v))),
            Initial::Channel(_) => self.put(cell, NUMBER),
        }
    }

    fn act(&mut self, of: ProctypeId, action: &Action) {
        match action {
            Action::Assign(place, expr) => {
                self.run(of, expr);
                self.put(Cell::Variable(declared(of, place.variable)), self.span(of, expr));
            }
            Action::Condition(expr) => self.run(of, expr),
            Action::Send { queue, arguments, .. } => {
                let spans: Vec<Span> = arguments.iter().map(|e| self.span(of, e)).collect();
                for channel in self.channels(of, queue) {
                    for i in 0..self.ranges.fields(channel).len() {
                        // A field that is missing is zero.
                        let span = spans.get(i).copied().unwrap_or((0, 0));
                        self.put(Cell::Field(channel, i), span);
                    }
                }
            }
            Action::Receive { queue, patterns, .. } => {
                for channel in self.channels(of, queue) {
                    self.receive(of, channel, patterns);
                }
            }
            _ => {}
        }
    }

    fn receive(&mut self, of: ProctypeId, channel: Declared, patterns: &[Pattern]) {
        for (i, pattern) in patterns.iter().enumerate() {
            if let (Pattern::Store(place), Some(span)) =
                (pattern, self.ranges.spans.get(&Cell::Field(channel, i)))
            {
                self.put(Cell::Variable(declared(of, place.variable)), *span);
            }
        }
    }

    /// Hands the arguments of a `run` in `expr` over.
    fn run(&mut self, of: ProctypeId, expr: &Expr) {
        match expr {
            Expr::Run { proctype, arguments, .. } => {
                let kind = &self.program.proctypes[*proctype];
                for (id, variable) in kind.variables.iter_ids() {
                    if let Initial::Argument(index) = variable.initial
                        && let Some(argument) = arguments.get(index)
                    {
                        let cell = Cell::Variable(Declared::Local(*proctype, id));
                        self.put(cell, self.span(of, argument));
                    }
                }
            }
            Expr::Unary(_, a) => self.run(of, a),
            Expr::Binary(_, a, b) => [a, b].into_iter().for_each(|e| self.run(of, e)),
            Expr::Choose(a, b, c) => [a, b, c].into_iter().for_each(|e| self.run(of, e)),
            _ => {}
        }
    }

    /// The declarations of the channels that `queue` can mean.
    fn channels(&self, of: ProctypeId, queue: &Queue) -> Vec<Declared> {
        let named = match queue.number.as_ref() {
            Expr::Load(place) => Some(declared(of, place.variable)),
            _ => None,
        };
        // A variable that is assigned may hold any channel.
        let own = |declared: &Declared| {
            self.channels.contains(declared) && !self.assigned.contains(declared)
        };
        named.filter(own).map_or_else(|| self.channels.clone(), |declared| vec![declared])
    }

    /// A cell may hold a value of this span, cut to its type.
    fn put(&mut self, cell: Cell, span: Span) {
        let kind = self.ranges.types[&cell];
        let whole = whole(kind);
        let fits = whole.0 <= span.0 && span.1 <= whole.1;
        let span = if fits { span } else { whole };
        let old = self.ranges.spans.get(&cell).copied();
        let new = old.map_or(span, |old| join(old, span));
        if old != Some(new) {
            let new = if self.round > PATIENT_ROUNDS { whole } else { new };
            self.ranges.spans.insert(cell, new);
            self.grown = true;
        }
    }

    fn load(&self, of: ProctypeId, place: &Place) -> Span {
        let cell = Cell::Variable(declared(of, place.variable));
        let span = self.ranges.spans.get(&cell).copied().unwrap_or((0, 0));
        // After a bad index that is passed over zero is read.
        if place.subscripts.is_empty() { span } else { join(span, (0, 0)) }
    }

    /// What an expression can be worth.
    fn span(&self, of: ProctypeId, expr: &Expr) -> Span {
        match expr {
            Expr::Const(value) => point(*value),
            Expr::Load(place) => self.load(of, place),
            Expr::Unary(UnaryOp::Not, _) => TRUTH,
            Expr::Binary(op, a, b) => arithmetic(*op, self.span(of, a), self.span(of, b)),
            Expr::Choose(_, a, b) => join(self.span(of, a), self.span(of, b)),
            Expr::Probe(program::Probe::Len, _) | Expr::Messages { .. } => NUMBER,
            Expr::Probe(..) | Expr::Poll { .. } | Expr::RemoteLabel(_) => TRUTH,
            Expr::Timeout | Expr::NonProgress | Expr::Accepting | Expr::Enabled(_) => TRUTH,
            Expr::Run { .. } | Expr::Pid | Expr::ProcessCount | Expr::Last => NUMBER,
            Expr::RemoteVariable(remote) => join(self.load(remote.proctype, &remote.place), (0, 0)),
            Expr::Unary(..) | Expr::PcValue(_) | Expr::Priority(_) => ANY,
        }
    }
}

fn variables(program: &Program) -> impl Iterator<Item = (Declared, &Variable)> {
    let globals = program.globals.iter_ids().map(|(id, v)| (Declared::Global(id), v));
    let locals = program.proctypes.iter_ids().flat_map(|(kind, proctype)| {
        proctype.variables.iter_ids().map(move |(id, v)| (Declared::Local(kind, id), v))
    });
    globals.chain(locals)
}

fn declared(of: ProctypeId, variable: VariableRef) -> Declared {
    match variable {
        VariableRef::Global(id) => Declared::Global(id),
        VariableRef::Local(id) => Declared::Local(of, id),
    }
}

fn point(value: i32) -> Span {
    (i64::from(value), i64::from(value))
}

fn join(a: Span, b: Span) -> Span {
    (a.0.min(b.0), a.1.max(b.1))
}

fn whole(shape: Shape) -> Span {
    match shape.signed {
        true => (-(1 << (shape.bits - 1)), (1 << (shape.bits - 1)) - 1),
        false => (0, (1 << shape.bits) - 1),
    }
}

fn arithmetic(op: BinaryOp, a: Span, b: Span) -> Span {
    let span = match op {
        BinaryOp::Add => (a.0 + b.0, a.1 + b.1),
        BinaryOp::Subtract => (a.0 - b.1, a.1 - b.0),
        BinaryOp::Multiply if a.0 >= 0 && b.0 >= 0 => (a.0 * b.0, a.1 * b.1),
        BinaryOp::Divide if a.0 >= 0 && b.0 > 0 => (0, a.1 / b.0),
        BinaryOp::Remainder if a.0 >= 0 && b.0 > 0 => (0, a.1.min(b.1 - 1)),
        BinaryOp::BitAnd if a.0 >= 0 && b.0 >= 0 => (0, a.1.min(b.1)),
        BinaryOp::Or
        | BinaryOp::And
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => TRUTH,
        _ => ANY,
    };
    // What leaves 32 bits wraps.
    if ANY.0 <= span.0 && span.1 <= ANY.1 { span } else { ANY }
}

/// What a type needs.
pub(super) fn shape(rules: &Rules, scalar: Scalar, in_array: bool) -> Shape {
    let (bits, signed) = match scalar {
        Scalar::Bit | Scalar::Bool if !in_array => (1, false),
        Scalar::Bit | Scalar::Bool | Scalar::Byte | Scalar::Mtype(_) => (8, false),
        Scalar::Pid | Scalar::Chan => (if rules.wide { 16 } else { 8 }, false),
        Scalar::Short => (16, true),
        Scalar::Int => (32, true),
        Scalar::Unsigned(bits) => (u32::from(bits), false),
    };
    Shape { bits, signed }
}
