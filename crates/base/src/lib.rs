//! What every stage shares: where text stands ([`Span`], [`SourceMap`]), what
//! things are called ([`Name`]), dense typed ids ([`IdVec`]) and what is wrong
//! with a text ([`Diagnostic`]), as data that no stage prints itself.

mod diagnostic;
mod explanation;
mod id;
mod name;
mod reach;
mod source;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use explanation::sections;
pub use id::{Id, IdVec};
pub use name::{Name, nearest};
pub use reach::reach;
pub use source::{
    FileId, LineMarker, Origin, OriginId, OriginKind, Place, SourceFile, SourceMap, Span, Word,
};

/// Declares a function from one enum to another whose variants have the same names:
/// `same_names!(/// ... packed: plain::Op => Op { Add Subtract });`.
#[macro_export]
macro_rules! same_names {
    ($(#[$doc:meta])* $name:ident: $from:ty => $to:ty { $($variant:ident)* }) => {
        $(#[$doc])*
        pub(super) fn $name(op: $from) -> $to {
            match op { $(<$from>::$variant => <$to>::$variant,)* }
        }
    };
}
