//! Tokens as the languages see them.

use base::{Name, Span};
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
    /// punctuation character. ≡ ≠ ≤ ≥ → come out as their ASCII spellings.
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
