//! `cargo xtask bench --live`: formulas, decided by `argos check` and by `pan -a` in turns.

mod document;
mod figures;
mod measure;
mod models;
#[cfg(test)]
mod tests;

pub(super) use document::{MARKS, generated};
pub(super) use measure::LiveBench;
pub(super) use models::{MANY, PETERSON, Recipe, SET};
