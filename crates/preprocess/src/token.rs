//! Tokens as the languages see them.

use base::{Diagnostic, Name, Span, Word};
use std::collections::HashSet;

/// What a token looks like.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// Letters, digits and `_`, not beginning with a digit.
    Word,
    /// A digit and the letters and digits that follow it.
    Number,
    /// `"..."`, quotes included.
    String,
    /// `'x'`, quotes included.
    Char,
    /// One of `:: -> ++ -- == != <= >= && || << >> .. ##`, or a single ASCII
    /// punctuation character. ≡ ≠ ≤ ≥ → and dashes come out as their ASCII spellings.
    Punct,
    /// A character that fits nowhere.
    Other,
}

/// One token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it looks like.
    pub kind: TokenKind,
    /// Its spelling.
    pub text: Name,
    /// Where it is spelled, and which expansions it came through.
    pub span: Span,
    /// Whether it is the first on its line.
    pub line_start: bool,
    /// Whether a blank, a comment or a new line stands before it.
    pub spaced: bool,
    /// A macro's own name met during its expansion: it stays a plain word ever after.
    pub(crate) frozen: bool,
}

impl Token {
    /// Whether this is the punctuation `text`.
    pub fn is_punct(&self, text: &str) -> bool {
        self.kind == TokenKind::Punct && self.text.as_str() == text
    }

    /// Whether this is the word `text`.
    pub fn is_word(&self, text: &str) -> bool {
        self.kind == TokenKind::Word && self.text.as_str() == text
    }

    /// As a name in the text.
    pub fn word(&self) -> Word {
        Word { name: self.text.clone(), span: self.span }
    }

    /// What to say of it if it fits nowhere.
    pub fn stray(&self) -> String {
        match self.text.chars().next() {
            Some(char::REPLACEMENT_CHARACTER) => "stray bytes that are not UTF-8".to_owned(),
            Some(letter) if letter.is_control() || letter.is_whitespace() => {
                format!("stray character U+{:04X}", u32::from(letter))
            }
            _ => format!("stray character `{}`", self.text),
        }
    }
}

/// "`x` where `wanted` is expected", at `next` or else behind `last`.
pub fn unexpected(id: &'static str, next: Option<&Token>, last: Span, wanted: &str) -> Diagnostic {
    let (found, span, label) = match next {
        Some(token) => (format!("`{}`", token.text), token.span, format!("expected {wanted}")),
        None => ("the end of the text".to_owned(), last.after(), format!("expected {wanted} here")),
    };
    let message = format!("{found} where {wanted} is expected");
    Diagnostic::error(id, span, message).label(label)
}

/// What to write where the name of a `kind` is expected and `next` stands.
pub fn help_with_name(next: Option<&Token>, kind: &str) -> String {
    match next {
        Some(token) if token.kind == TokenKind::Word => {
            format!("`{}` is a word of the language; choose another name", token.text)
        }
        _ => format!("write the name of the {kind}: letters, digits and `_`"),
    }
}

/// Shares one allocation between all tokens of one spelling.
#[derive(Default)]
pub(crate) struct Spellings {
    known: HashSet<SharedName>,
}

/// Lets the set be asked with a `&str`.
#[derive(PartialEq, Eq, Hash)]
struct SharedName(Name);

impl std::borrow::Borrow<str> for SharedName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Spellings {
    /// The name spelled `text`.
    pub(crate) fn name(&mut self, text: &str) -> Name {
        if let Some(known) = self.known.get(text) {
            return known.0.clone();
        }
        let name = Name::new(text);
        self.known.insert(SharedName(name.clone()));
        name
    }
}
