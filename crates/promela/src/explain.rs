//! What `argos help M0012` says. The texts are in `explanations.md`, one section
//! per id; a test runs their examples.

/// A few plain sentences about `id`, with a wrong and a right example.
pub fn explain(id: &str) -> Option<&'static str> {
    sections().find(|(known, _)| *known == id).map(|(_, text)| text)
}

/// All ids that [`explain()`] knows, those of the preprocessor first.
pub fn explained() -> impl Iterator<Item = &'static str> {
    sections().map(|(id, _)| id)
}

fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = base::sections(include_str!("explanations.md"));
    base::sections(preprocess::explanations()).chain(own)
}
