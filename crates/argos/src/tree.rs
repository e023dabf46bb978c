//! The text as a tree: what the parser saw, names not looked up yet. Broken
//! pieces are [`StmtKind::Broken`] or [`ExprKind::Broken`]; they were reported.

pub(crate) use base::Word;
use base::{Name, Purpose, Span, TemporalOp};
use model::{BinaryOp, UnaryOp};

/// A parsed model.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Declarations in order of the text.
    pub(crate) items: Vec<Item>,
    /// Some declaration could not be read, so unknown names prove nothing.
    pub(crate) broken_declarations: bool,
    /// Nothing was wrong so far, here or in the preprocessor.
    pub(crate) complete: bool,
    /// The end of the text.
    pub(crate) end: Option<Span>,
}

#[derive(Clone, Debug)]
pub(crate) enum Item {
    Declaration(Declaration),
    Process(Definition),
    Procedure(Definition),
    Assertion(Assertion),
    Ltl(Property),
    Predicate(Purpose, Property),
}

/// `ltl NAME { formula }`
#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub(crate) name: Word,
    pub(crate) formula: Expr,
    pub(crate) span: Span,
}

/// `channel ...;` or `var ...;`
#[derive(Clone, Debug)]
pub(crate) enum Declaration {
    Channels(Vec<Channel>),
    Variables(Vec<Variable>),
}

#[derive(Clone, Debug)]
pub(crate) struct Channel {
    pub(crate) name: Word,
    /// `None` in the form of 1984.
    pub(crate) capacity: Option<u32>,
    pub(crate) initial: Vec<Initial>,
}

/// A message that is in a channel from the start.
#[derive(Clone, Debug)]
pub(crate) struct Initial {
    pub(crate) message: Word,
    pub(crate) value: Option<i16>,
}

#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: Word,
    pub(crate) initial: i16,
}

/// A process or a procedure.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) name: Word,
    pub(crate) body: Body,
}

#[derive(Clone, Debug)]
pub(crate) struct Assertion {
    /// The word `assert`.
    pub(crate) span: Span,
    /// The body as written, blanks folded.
    pub(crate) text: String,
    pub(crate) body: Body,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    /// Each with the word it begins with.
    pub(crate) declarations: Vec<(Span, Declaration)>,
    pub(crate) statements: Vec<Stmt>,
    /// The closing brace, or the last statement.
    pub(crate) end: Option<Span>,
}

#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) labels: Vec<Word>,
    /// The whole text; for `if` and `do` the opening word.
    pub(crate) span: Span,
    pub(crate) kind: StmtKind,
}

#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    Skip,
    Condition(Expr),
    Assign(Word, Expr),
    /// `v +% k`
    Cycle(Word, i32),
    Send(Word, Word, Option<Expr>),
    Receive(Word, Word, Option<Word>),
    ReceiveAny(Word),
    Timeout(Word),
    Call(Word),
    If(Vec<Vec<Stmt>>),
    Do(Vec<Vec<Stmt>>),
    Break,
    Return,
    Goto(Word),
    Broken,
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) span: Span,
    pub(crate) kind: ExprKind,
    /// The longest way down to a leaf; kept low, for every stage recurses.
    pub(crate) height: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Number(i32),
    Variable(Name),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// In formulas only.
    Temporal(TemporalOp, Vec<Expr>),
    /// In formulas only.
    Look(Look),
    Broken,
}

/// Messages of one name: all, or those with one value.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub(crate) name: Word,
    pub(crate) value: Option<i16>,
}

/// What only formulas look at.
#[derive(Clone, Debug)]
pub(crate) enum Look {
    /// `p.x`, `p:x`
    Member(Word, Word),
    /// `p:12`
    Line(Word, Span, u32),
    /// `p@label`
    At(Word, Word),
    /// `len(q)`
    Length(Word),
    /// `empty(q)`
    Empty(Word),
    /// `nempty(q)`
    NotEmpty(Word),
    /// `full(q)`
    Full(Word),
    /// `nfull(q)`
    NotFull(Word),
    /// `head(q) == m`, `head(q) == m(3)`
    Head(Word, Kind),
    /// `count(q, m)`, `count(q, m(3))`
    Count(Word, Kind),
}

impl Stmt {
    /// Calls `visit` with this statement and all inside it.
    pub(crate) fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        visit(self);
        if let StmtKind::If(options) | StmtKind::Do(options) = &self.kind {
            options.iter().flatten().for_each(|inner| inner.walk(visit));
        }
    }
}

impl Body {
    /// Calls `visit` with every statement, in order of the text.
    pub(crate) fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        self.statements.iter().for_each(|statement| statement.walk(visit));
    }
}
