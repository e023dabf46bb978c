//! Random protocols: a small tree that shrinks, printed as Argos by
//! [`print`](crate::print). Names are numbers, taken modulo what is declared, so
//! that every tree is a legal protocol and stays one while it shrinks.
//!
//! Sizes are chosen for state spaces a naive search can enumerate: variables and
//! values stay between -2 and 2, channels have one or two slots.

use pipeline::{Calls, Default_, End, Engine, Options, Search, Timeout};
use proptest::collection::vec;
use proptest::prelude::*;
use std::fmt;

/// A protocol and how it is to be analysed.
#[derive(Clone)]
pub(crate) struct Sample {
    pub(crate) protocol: Protocol,
    pub(crate) options: Options,
}

/// A failing sample is reported as what a user would type.
impl fmt::Debug for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}", self.options)?;
        f.write_str(&crate::print::source(&self.protocol))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Protocol {
    pub(crate) channels: Vec<Channel>,
    /// How many variables all processes share.
    pub(crate) shared: u8,
    /// How many variables each process has for itself.
    pub(crate) locals: u8,
    pub(crate) processes: Vec<Vec<Stmt>>,
    /// A procedure calls only later ones.
    pub(crate) procedures: Vec<Vec<Stmt>>,
    pub(crate) assertions: Vec<Vec<Stmt>>,
    /// Chooses between spellings; 0 is the plainest.
    pub(crate) dialect: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Channel {
    /// `None` is the 1984 form.
    pub(crate) capacity: Option<u8>,
    /// Message and value; no more than fit.
    pub(crate) initial: Vec<(u8, Option<i8>)>,
    /// The 1985 form: declared inside this process.
    pub(crate) inside: Option<u8>,
}

#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) label: Option<Label>,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Label {
    Plain,
    /// Marks a proper resting place.
    End,
}

/// Fields are channel, message, variable, as far as there are any.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Skip,
    Break,
    /// In a procedure.
    Return,
    Goto(u8),
    Send(u8, u8, Option<Expr>),
    Receive(u8, u8, Option<u8>),
    Default(u8),
    Timeout(u8),
    Assign(u8, Expr),
    /// `v++` or `v--`, cut back at once.
    Count(u8, bool),
    /// `v +% k`
    Cycle(u8, u8),
    Condition(Expr),
    Call(u8),
    If(Vec<Vec<Stmt>>),
    Do(Vec<Vec<Stmt>>),
}

#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Number(i8),
    Variable(u8),
    Unary(bool, Box<Expr>),
    /// The operator's place in the printer's list.
    Binary(u8, Box<Expr>, Box<Expr>),
}

/// Samples of all kinds.
pub(crate) fn samples() -> impl Strategy<Value = Sample> {
    (protocols(), options()).prop_map(|(protocol, options)| Sample { protocol, options })
}

fn protocols() -> impl Strategy<Value = Protocol> {
    let processes = vec(bodies(acts()), 2..=3);
    let procedures = vec(sequences(acts()), 0..=2);
    let assertions = prop_oneof![
        2 => Just(Vec::new()),
        2 => vec(bodies(sightings()), 1),
        1 => vec(bodies(sightings()), 2),
    ];
    let names = (vec(channels(), 1..=3), 0..=1_u8, 0..=1_u8, any::<u32>());
    (names, processes, procedures, assertions).prop_map(
        |((channels, shared, locals, dialect), processes, procedures, assertions)| Protocol {
            channels,
            shared,
            locals,
            processes,
            procedures,
            assertions,
            dialect,
        },
    )
}

fn channels() -> impl Strategy<Value = Channel> {
    let value = prop::option::weighted(0.3, -2..=2_i8);
    let initial = vec((any::<u8>(), value), 0..=2);
    let capacity = prop::option::weighted(0.8, 1..=2_u8);
    let inside = prop::option::weighted(0.3, any::<u8>());
    (capacity, initial, any::<bool>(), inside).prop_map(
        |(capacity, mut initial, filled, inside)| {
            initial.truncate(if filled { capacity.unwrap_or(1).into() } else { 0 });
            Channel { capacity, initial, inside }
        },
    )
}

/// A loop, a loop with its first round written out, or a sequence. The second
/// has a start that is equivalent to another state, which the home rule must
/// keep apart.
fn bodies(act: BoxedStrategy<Kind>) -> BoxedStrategy<Vec<Stmt>> {
    // Half of the loops are proper resting places: else hardly a sample is right.
    let label = prop_oneof![Just(None), Just(Some(Label::End))];
    let options = vec(sequences(act.clone()), 1..=3);
    let endless =
        (label, options).prop_map(|(label, options)| vec![Stmt { label, kind: Kind::Do(options) }]);
    let unrolled = vec(statements(act.clone()), 1..=2).prop_map(|round| {
        let again = Stmt { label: None, kind: Kind::Do(vec![round.clone()]) };
        round.into_iter().chain([again]).collect()
    });
    prop_oneof![4 => endless, 2 => unrolled, 5 => sequences(act)].boxed()
}

fn sequences(act: BoxedStrategy<Kind>) -> BoxedStrategy<Vec<Stmt>> {
    vec(statements(act), 1..=4).boxed()
}

fn statements(act: BoxedStrategy<Kind>) -> impl Strategy<Value = Stmt> {
    let label = prop_oneof![
        8 => Just(None),
        2 => Just(Some(Label::Plain)),
        1 => Just(Some(Label::End)),
    ];
    let label = label.boxed();
    let leaf = (label.clone(), act).prop_map(|(label, kind)| Stmt { label, kind });
    leaf.prop_recursive(2, 12, 3, move |inner| {
        let options = vec(vec(inner, 1..=3), 1..=3);
        let kind = (any::<bool>(), options).prop_map(|(repeats, options)| {
            if repeats { Kind::Do(options) } else { Kind::If(options) }
        });
        (label.clone(), kind).prop_map(|(label, kind)| Stmt { label, kind })
    })
}

/// What a process does.
fn acts() -> BoxedStrategy<Kind> {
    let any = any::<u8>;
    let value = prop::option::weighted(0.3, expressions());
    let into = prop::option::weighted(0.5, any());
    prop_oneof![
        1 => Just(Kind::Skip),
        2 => Just(Kind::Break),
        1 => any().prop_map(Kind::Goto),
        7 => (any(), any(), value).prop_map(|(c, m, e)| Kind::Send(c, m, e)),
        8 => (any(), any(), into).prop_map(|(c, m, v)| Kind::Receive(c, m, v)),
        1 => any().prop_map(Kind::Default),
        1 => any().prop_map(Kind::Timeout),
        1 => (any(), expressions()).prop_map(|(v, e)| Kind::Assign(v, e)),
        1 => (any(), prop::bool::ANY).prop_map(|(v, up)| Kind::Count(v, up)),
        1 => (any(), 1..=3_u8).prop_map(|(v, k)| Kind::Cycle(v, k)),
        2 => expressions().prop_map(Kind::Condition),
        2 => any().prop_map(Kind::Call),
        1 => Just(Kind::Return),
    ]
    .boxed()
}

/// What an assertion may name.
fn sightings() -> BoxedStrategy<Kind> {
    let any = any::<u8>;
    prop_oneof![
        1 => Just(Kind::Skip),
        1 => Just(Kind::Break),
        1 => any().prop_map(Kind::Goto),
        4 => (any(), any()).prop_map(|(c, m)| Kind::Send(c, m, None)),
        4 => (any(), any()).prop_map(|(c, m)| Kind::Receive(c, m, None)),
    ]
    .boxed()
}

fn expressions() -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        1 => (-2..=3_i8).prop_map(Expr::Number),
        2 => any::<u8>().prop_map(Expr::Variable),
    ];
    leaf.prop_recursive(2, 5, 2, |inner| {
        let unary = (any::<bool>(), inner.clone());
        prop_oneof![
            1 => unary.prop_map(|(not, x)| Expr::Unary(not, Box::new(x))),
            4 => (any::<u8>(), inner.clone(), inner)
                .prop_map(|(op, x, y)| Expr::Binary(op, Box::new(x), Box::new(y))),
        ]
    })
    .boxed()
}

/// Every rule the papers leave open, and every way to search that is exact.
fn options() -> impl Strategy<Value = Options> {
    let rules = (
        prop::sample::select(Timeout::ALL),
        prop::sample::select(Default_::ALL),
        prop::sample::select(End::ALL),
        prop::sample::select(Calls::ALL),
        prop::option::weighted(0.2, 1..=2_u32),
        1..=2_u32,
    );
    let search = (
        prop::sample::select(Search::ALL),
        prop::sample::select(Engine::ALL),
        any::<bool>(),
        any::<bool>(),
    );
    (rules, search).prop_map(
        |(
            (timeout, default, end, calls, capacity, capacity_default),
            (search, engine, raw, all),
        )| {
            Options {
                timeout,
                default,
                end,
                calls,
                capacity,
                capacity_default,
                search,
                engine,
                no_minimise: raw,
                all_errors: all,
                ..Options::default()
            }
        },
    )
}
