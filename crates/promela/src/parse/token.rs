//! Tokens as the parser wants them.

use base::{Diagnostic, Span};
use preprocess::{Token, TokenKind};
use std::ops::Deref;

/// A token, with the place it takes in the text being read.
#[derive(Clone, Debug)]
pub(super) struct Lexeme {
    /// Its span is where it is spelled: for an argument of an `inline`, at the call.
    pub(super) token: Token,
    /// Where it stands: for an argument of an `inline`, where the parameter does.
    pub(super) place: Span,
}

impl Deref for Lexeme {
    type Target = Token;

    fn deref(&self) -> &Token {
        &self.token
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
    known.map(|token| Lexeme { place: token.span, token }).collect()
}

fn stray_character(token: &Token) -> Diagnostic {
    Diagnostic::error("M0001", token.span, token.stray())
        .label("no token of the language begins with this")
        .help("remove it; outside comments and strings a model is plain ASCII")
}
