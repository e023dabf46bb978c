//! Tokens as the parser wants them.

use base::{Diagnostic, Name, Span};
use preprocess::{Token, TokenKind};

/// A token, with the place it takes in the text being read.
#[derive(Clone, Debug)]
pub(super) struct Lexeme {
    pub(super) kind: TokenKind,
    pub(super) text: Name,
    /// Where it is spelled: for an argument of an `inline`, at the call.
    pub(super) span: Span,
    /// Where it stands: for an argument of an `inline`, where the parameter does.
    pub(super) place: Span,
    pub(super) line_start: bool,
    pub(super) spaced: bool,
}

impl Lexeme {
    pub(super) fn is_punct(&self, text: &str) -> bool {
        self.kind == TokenKind::Punct && self.text.as_str() == text
    }

    pub(super) fn is_word(&self, text: &str) -> bool {
        self.kind == TokenKind::Word && self.text.as_str() == text
    }
}

/// Stray characters reported one by one; a file of garbage need not fill a screen.
const STRAYS_MAX: usize = 20;

/// Takes out characters that belong to no token, one message per stretch.
pub(super) fn lexemes(tokens: Vec<Token>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Lexeme> {
    let mut inside = false;
    let mut reported = 0;
    for token in &tokens {
        let stray = token.kind == TokenKind::Other;
        if stray && !inside {
            reported += 1;
            if reported <= STRAYS_MAX {
                diagnostics.push(stray_character(token));
            }
        }
        inside = stray;
    }
    let known = tokens.into_iter().filter(|token| token.kind != TokenKind::Other);
    known.map(lexeme).collect()
}

fn lexeme(token: Token) -> Lexeme {
    Lexeme {
        kind: token.kind,
        text: token.text,
        span: token.span,
        place: token.span,
        line_start: token.line_start,
        spaced: token.spaced,
    }
}

fn stray_character(token: &Token) -> Diagnostic {
    let message = match token.text.chars().next() {
        Some(char::REPLACEMENT_CHARACTER) => "stray bytes that are not UTF-8".to_owned(),
        Some(letter) if letter.is_control() || letter.is_whitespace() => {
            format!("stray character U+{:04X}", u32::from(letter))
        }
        _ => format!("stray character `{}`", token.text),
    };
    Diagnostic::error("M0001", token.span, message)
        .label("no token of the language begins with this")
        .help("remove it; outside comments and strings a model is plain ASCII")
}
