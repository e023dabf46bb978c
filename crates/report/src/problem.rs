//! What is wrong with a text that is no model, as a file of settings: the line, a caret, the
//! reason, what to write instead.

use crate::look::Look;
use crate::style::{safe, safe_char};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::ops::Range;

/// The problem as text, ending with a line break. `bytes` is where in `text` it is.
pub fn problem(
    file: &str,
    text: &str,
    bytes: Range<usize>,
    (message, help): (&str, &str),
    look: &Look,
) -> String {
    let (file, message) = (safe(file), safe(message));
    let text: String = text.chars().map(harmless).collect();
    let start = floor(&text, bytes.start);
    let end = floor(&text, bytes.end.max(bytes.start + 1)).max(start);
    let mark = AnnotationKind::Primary.span(start..end);
    let snippet = Snippet::source(text.as_str()).path(file.as_str()).annotation(mark);
    let mut group = Level::ERROR.primary_title(message.as_str()).element(snippet);
    let help = safe(help);
    if !help.is_empty() {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if look.palette.color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(look.palette.room());
    format!("{}\n", renderer.render(&[group]).trim_end_matches('\n'))
}

/// The last boundary of characters at or before this byte.
fn floor(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// As many bytes that neither move the caret nor anything else on the screen.
fn harmless(c: char) -> String {
    match c {
        '\n' => c.to_string(),
        '\t' => " ".to_owned(),
        c if safe_char(c) == c => c.to_string(),
        c => "?".repeat(c.len_utf8()),
    }
}
