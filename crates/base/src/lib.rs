//! What every stage shares: where text stands ([`Span`], [`SourceMap`]), what
//! things are called ([`Name`]), dense typed ids ([`IdVec`]) and what is wrong
//! with a text ([`Diagnostic`]), as data that no stage prints itself.

mod diagnostic;
mod explanation;
mod id;
mod name;
mod operator;
mod predicate;
mod reach;
mod source;
mod temporal;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use explanation::sections;
pub use id::{Id, IdVec};
pub use name::{Name, nearest};
pub use operator::{BinaryOp, UnaryOp};
pub use predicate::{Purpose, StatePredicate, Written};
pub use reach::reach;
pub use source::{
    FileId, LineMarker, Origin, OriginId, OriginKind, Place, SourceFile, SourceMap, Span, Word,
};
pub use temporal::{Formula, TemporalOp};
