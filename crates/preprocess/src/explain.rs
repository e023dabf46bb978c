//! The explanations of this crate's ids, for `argos help P0001`.

/// A text with one section `## P0001` per id: a few sentences, and for most a
/// wrong and a right example.
pub fn explanations() -> &'static str {
    include_str!("explanations.md")
}
