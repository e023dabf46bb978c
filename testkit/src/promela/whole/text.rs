//! The text of a model as a tree of lines: what the generator writes and the
//! shrinker cuts.

/// A line, or lines between an opening and a closing one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A statement, a declaration, a label or `} unless {`.
    Line(String),
    /// A proctype, a compound statement or an option of one.
    Block {
        /// What stands before the body.
        open: String,
        /// The pieces inside.
        body: Vec<Piece>,
        /// What stands behind the body; nothing for an option.
        close: &'static str,
    },
}

impl Piece {
    pub(super) fn line(text: impl Into<String>) -> Self {
        Self::Line(text.into())
    }

    pub(super) fn braces(open: impl Into<String>, body: Vec<Self>) -> Self {
        Self::Block { open: open.into(), body, close: "}" }
    }

    pub(super) fn option(body: Vec<Self>) -> Self {
        Self::Block { open: "::".to_owned(), body, close: "" }
    }

    /// An `if` or a `do`.
    pub(super) fn choice(open: &str, close: &'static str, options: Vec<Self>) -> Self {
        Self::Block { open: open.to_owned(), body: options, close }
    }

    pub(crate) fn body(&self) -> &[Self] {
        match self {
            Self::Line(_) => &[],
            Self::Block { body, .. } => body,
        }
    }

    /// The first words.
    pub(crate) fn head(&self) -> &str {
        match self {
            Self::Line(text) => text,
            Self::Block { open, .. } => open,
        }
    }
}

/// The text of a model.
pub fn print(pieces: &[Piece]) -> String {
    let mut text = String::new();
    write(pieces, 0, &mut text);
    text
}

fn write(pieces: &[Piece], depth: usize, text: &mut String) {
    for piece in pieces {
        match piece {
            Piece::Line(line) => put(line, depth, text),
            Piece::Block { open, body, close } => {
                put(open, depth, text);
                write(body, depth + 1, text);
                put(close, depth, text);
            }
        }
    }
}

/// One line, with a separator where one belongs.
fn put(line: &str, depth: usize, text: &mut String) {
    if line.is_empty() {
        return;
    }
    text.push_str(&"    ".repeat(depth));
    text.push_str(line);
    let opens = line.ends_with(['{', ':']) || matches!(line, "if" | "do");
    let outermost = depth == 0 && line == "}";
    text.push_str(if opens || outermost { "\n" } else { ";\n" });
}
