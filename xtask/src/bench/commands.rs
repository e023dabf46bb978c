//! `cargo xtask bench --commands`: one command against the other, as people run them:
//! `argos check MODEL` beside `spin -run MODEL`.

mod document;
mod figures;
mod measure;
#[cfg(test)]
mod tests;

pub(super) use document::{MARKS, generated};
pub(super) use measure::CommandBench;
