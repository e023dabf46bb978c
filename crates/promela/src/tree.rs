//! The text as a tree: what the parser saw, names not looked up yet, `inline`
//! calls already expanded. Broken pieces were reported.

pub(crate) use base::Word;
use base::{Name, Purpose, Span, TemporalOp};
use program::{BinaryOp, Probe, UnaryOp};

/// A parsed model.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// Declarations in order of the text.
    pub(crate) items: Vec<Item>,
    /// Some of the text could not be read, so unknown names prove nothing.
    pub(crate) broken: bool,
    /// The end of the text.
    pub(crate) end: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Item {
    Declaration(Declaration),
    Constants(Constants),
    Typedef(Typedef),
    Proctype(Box<Proctype>),
    /// `never`, with its name if it has one.
    Never(Option<Word>, Body),
    Trace {
        forbidden: bool,
        body: Body,
    },
    Ltl {
        name: Option<Word>,
        formula: Expr,
        span: Span,
    },
    /// A predicate of states, given beside the text.
    Predicate {
        purpose: Purpose,
        name: Word,
        formula: Expr,
    },
}

/// `mtype:set = { a, b }`
#[derive(Clone, Debug)]
pub(crate) struct Constants {
    pub(crate) set: Option<Word>,
    pub(crate) names: Vec<Word>,
}

#[derive(Clone, Debug)]
pub(crate) struct Typedef {
    pub(crate) name: Word,
    pub(crate) fields: Vec<Declaration>,
}

#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) hidden: bool,
    pub(crate) of: TypeName,
    pub(crate) variables: Vec<Declarator>,
}

#[derive(Clone, Debug)]
pub(crate) enum TypeName {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned,
    Mtype(Option<Word>),
    Chan,
    User(Word),
}

#[derive(Clone, Debug)]
pub(crate) struct Declarator {
    pub(crate) name: Word,
    /// The bits of an `unsigned`.
    pub(crate) width: Option<Expr>,
    /// The length of an array.
    pub(crate) length: Option<Expr>,
    pub(crate) initial: Option<Initial>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Initial {
    Value(Expr),
    List(Vec<Expr>),
    Channel { capacity: Expr, fields: Vec<TypeName> },
}

#[derive(Clone, Debug)]
pub(crate) struct Proctype {
    pub(crate) name: Word,
    /// `active`, with the number in brackets if there is one.
    pub(crate) active: Option<Option<Expr>>,
    pub(crate) deterministic: bool,
    pub(crate) parameters: Vec<Declaration>,
    pub(crate) priority: Option<Expr>,
    pub(crate) provided: Option<Expr>,
    pub(crate) body: Body,
}

/// The body of a proctype or claim.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// The word it begins with.
    pub(crate) span: Span,
    pub(crate) steps: Sequence,
}

#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    pub(crate) steps: Vec<Step>,
    /// What closes it.
    pub(crate) end: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Declaration(Declaration),
    Statement(Box<Stmt>),
    /// `xr q`, `xs q`: only said to a reduction we do not use.
    Exclusive(Vec<Reference>),
}

#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) labels: Vec<Word>,
    pub(crate) span: Span,
    pub(crate) kind: StmtKind,
}

#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    If(Vec<Sequence>),
    Do(Vec<Sequence>),
    Break,
    Goto(Word),
    For(Word, Range, Sequence),
    Select(Word, Range),
    Atomic(Sequence),
    Deterministic(Sequence),
    Block(Sequence),
    /// The body of an `inline`, expanded; its labels are its own.
    Inlined(Sequence),
    Unless(Box<Stmt>, Box<Stmt>),
    Assign(Reference, Expr),
    /// `v++`, `v--`
    Count(Reference, BinaryOp),
    Send {
        queue: Reference,
        arguments: Vec<Expr>,
        sorted: bool,
    },
    Receive {
        queue: Reference,
        patterns: Vec<Pattern>,
        random: bool,
        keep: bool,
    },
    Assert(Expr),
    Printf(Name, Span, Vec<Expr>),
    Printm(Expr),
    SetPriority(Expr, Expr),
    Else,
    Condition(Expr),
    Broken,
}

/// What a `for` or `select` runs over.
#[derive(Clone, Debug)]
pub(crate) enum Range {
    Between(Box<[Expr; 2]>),
    /// `in`: the elements of an array, or the messages of a channel.
    In(Reference),
}

/// `a[i].b`
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) parts: Vec<Part>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) name: Word,
    pub(crate) index: Option<Box<Expr>>,
}

#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    Variable(Reference),
    Value(Expr),
    Any,
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
    Variable(Reference),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Choose(Box<[Expr; 3]>),
    Probe(Probe, Reference),
    Poll {
        queue: Reference,
        patterns: Vec<Pattern>,
        random: bool,
    },
    Run {
        proctype: Word,
        arguments: Vec<Expr>,
        priority: Option<Box<Expr>>,
    },
    Timeout,
    NonProgress,
    Enabled(Box<Expr>),
    PcValue(Box<Expr>),
    GetPriority(Box<Expr>),
    RemoteLabel {
        proctype: Word,
        pid: Option<Box<Expr>>,
        label: Word,
    },
    RemoteVariable {
        proctype: Word,
        pid: Option<Box<Expr>>,
        variable: Reference,
    },
    /// Only in formulas: how many messages of a channel begin with these fields; of its oldest
    /// one only, if `head`.
    Messages {
        queue: Reference,
        patterns: Vec<Pattern>,
        head: bool,
    },
    /// Only in formulas: `P:12`.
    Line {
        proctype: Word,
        pid: Option<Box<Expr>>,
        line: u32,
        place: Span,
    },
    /// Only in formulas: `!f` stays [`ExprKind::Unary`], `f && g` [`ExprKind::Binary`].
    Temporal(TemporalOp, Vec<Expr>),
    Broken,
}
