//! Tokens as the parser wants them.

use base::{Diagnostic, Name, Span};
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
    let mut known: Vec<Lexeme> = Vec::new();
    for token in tokens.into_iter().filter(|token| token.kind != TokenKind::Other) {
        let place = token.span;
        match known.last_mut() {
            Some(before) if is_long_arrow(&before.token, &token) => {
                before.token.span = before.span.to(place);
                before.token.text = Name::new("->");
                before.place = before.span;
                diagnostics.push(long_arrow(before.span));
            }
            _ => known.push(Lexeme { place, token }),
        }
    }
    known
}

/// `-->`, which SPIN reads as `->`.
fn is_long_arrow(dashes: &Token, head: &Token) -> bool {
    dashes.is_punct("--") && head.is_punct(">") && !head.spaced
}

fn long_arrow(span: Span) -> Diagnostic {
    Diagnostic::warning("N0020", span, "`-->` is read as `->`")
        .label("not `--` and `>`")
        .help("write `->`; to count down and compare, write two statements")
}

fn stray_character(token: &Token) -> Diagnostic {
    Diagnostic::error("M0001", token.span, token.stray())
        .label("no token of the language begins with this")
        .help("remove it; outside comments and strings a model is plain ASCII")
}
