//! Texts about diagnostics: a Markdown file with one `## ID` section each, so
//! that they can be read as a document and asked for one by one.

/// The sections of such a file: id and text.
pub fn sections(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let sections = file.split("\n## ").skip(1);
    sections.filter_map(|section| section.split_once('\n')).map(|(id, text)| (id, text.trim_end()))
}
