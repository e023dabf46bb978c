//! Models of the whole language as SPIN reads it, as a tree of lines that can be cut.

mod expressions;
mod messages;
mod model;
mod statements;
mod text;
mod world;

pub use model::model;
pub use text::{Piece, print};
