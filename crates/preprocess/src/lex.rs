//! Cuts the text of one file into tokens. Comments, blanks and joined lines go
//! here; what is wrong inside skipped groups must not matter, so a string
//! without an end is only marked ([`is_unclosed_string`]) and reported when it
//! comes out of the preprocessor.

use crate::token::{Spellings, Token, TokenKind};
use base::{Diagnostic, FileId, Span};

/// What one file gives.
pub(crate) struct Lexed {
    pub(crate) tokens: Vec<Token>,
    /// Ids in `argos: allow` comments.
    pub(crate) allowed: Vec<String>,
    /// A comment without an end.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Cuts `text`, which is file `file`, into tokens.
pub(crate) fn lex(file: FileId, text: &str, spellings: &mut Spellings) -> Lexed {
    let lexed = Lexed { tokens: Vec::new(), allowed: Vec::new(), diagnostics: Vec::new() };
    let mut lexer = Lexer { file, text, at: 0, line_start: true, spaced: true, spellings, lexed };
    while lexer.skip_blanks() {
        lexer.token();
    }
    lexer.lexed
}

/// Whether `token` begins with a quote that is never closed.
pub(crate) fn is_unclosed_string(token: &Token) -> bool {
    token.kind == TokenKind::Other && token.text.starts_with('"')
}

/// Two-character tokens. `!!`, `??`, `<>`, `[]` and `+%` are left apart: the
/// languages read them differently, and [`Token::spaced`] tells what touches.
const PAIRS: [&str; 14] =
    ["::", "->", "++", "--", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "..", "##"];

/// Typeset operators and their plain spellings, longer ones first. Print joins the two signs
/// of `--` to a long dash.
const TYPESET: [(&str, &str); 13] = [
    ("≡", "=="),
    ("≠", "!="),
    ("≥", ">="),
    ("≤", "<="),
    ("→", "->"),
    ("−>", "->"),
    ("–>", "->"),
    ("—>", "->"),
    ("−−", "--"),
    ("––", "--"),
    ("—", "--"),
    ("−", "-"),
    ("–", "-"),
];

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    line_start: bool,
    spaced: bool,
    spellings: &'a mut Spellings,
    lexed: Lexed,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Moves to the next token; false at the end of the file.
    fn skip_blanks(&mut self) -> bool {
        loop {
            let rest = self.rest().as_bytes();
            match rest {
                [] => return false,
                [b'\n', ..] => {
                    self.blank(1);
                    self.line_start = true;
                }
                [b' ' | b'\t' | b'\r' | 0x0b | 0x0c, ..] => self.blank(1),
                [b'\\', b'\n', ..] => self.blank(2),
                [b'\\', b'\r', b'\n', ..] => self.blank(3),
                [b'/', b'/', ..] => self.line_comment(),
                [b'/', b'*', ..] => self.block_comment(),
                _ => return true,
            }
        }
    }

    fn blank(&mut self, bytes: usize) {
        self.at += bytes;
        self.spaced = true;
    }

    /// The newline itself stays: it ends the line.
    fn line_comment(&mut self) {
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        self.comment(length);
    }

    fn block_comment(&mut self) {
        match self.rest()[2..].find("*/") {
            Some(length) => self.comment(length + 4),
            None => {
                let span = self.span(self.at, self.at + 2);
                self.lexed.diagnostics.push(
                    Diagnostic::error("P0001", span, "comment without an end")
                        .label("the comment begins here")
                        .help("close it with `*/`; comments do not nest"),
                );
                self.blank(self.rest().len());
            }
        }
    }

    fn comment(&mut self, length: usize) {
        let text = self.rest()[..length].trim_start_matches(['/', '*', ' ', '\t']);
        let ids =
            text.strip_prefix("argos:").and_then(|text| text.trim_start().strip_prefix("allow"));
        let ids = ids.unwrap_or("").split(|c: char| !c.is_ascii_alphanumeric());
        let ids: Vec<String> = ids.filter(|id| !id.is_empty()).map(str::to_owned).collect();
        self.lexed.allowed.extend(ids);
        self.blank(length);
    }

    /// Cuts the token that begins here; there is at least one character.
    fn token(&mut self) {
        let first = self.rest().chars().next().expect("blanks stop before the end of the text");
        match first {
            'A'..='Z' | 'a'..='z' | '_' => self.push(TokenKind::Word, self.word_length()),
            '0'..='9' => self.push(TokenKind::Number, self.word_length()),
            '"' => match string_length(self.rest()) {
                Ok(length) => self.push(TokenKind::String, length),
                Err(length) => self.push(TokenKind::Other, length),
            },
            '\'' => match char_length(self.rest()) {
                Some(length) => self.push(TokenKind::Char, length),
                None => self.push(TokenKind::Other, 1),
            },
            _ if first.is_ascii_punctuation() => self.push(TokenKind::Punct, self.punct_length()),
            _ => match TYPESET.iter().find(|(typeset, _)| self.rest().starts_with(typeset)) {
                Some((typeset, plain)) => self.push_as(TokenKind::Punct, typeset.len(), plain),
                None => self.push(TokenKind::Other, first.len_utf8()),
            },
        }
    }

    fn word_length(&self) -> usize {
        let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        self.rest().bytes().take_while(word).count()
    }

    fn punct_length(&self) -> usize {
        if PAIRS.iter().any(|pair| self.rest().starts_with(pair)) { 2 } else { 1 }
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let text = &self.text[self.at..self.at + length];
        self.push_as(kind, length, text);
    }

    fn push_as(&mut self, kind: TokenKind, length: usize, spelling: &str) {
        self.lexed.tokens.push(Token {
            kind,
            text: self.spellings.name(spelling),
            span: self.span(self.at, self.at + length),
            line_start: std::mem::take(&mut self.line_start),
            spaced: std::mem::take(&mut self.spaced),
            frozen: false,
        });
        self.at += length;
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32, origin: None }
    }
}

/// The length of the string that `text` begins with; `Err` with the rest of the
/// line when it does not end there.
fn string_length(text: &str) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') if bytes.get(at + 1).is_some() => at += 2,
            None | Some(b'\n') => return Err(at),
            Some(_) => at += 1,
        }
    }
}

/// The length of `'x'` or `'\n'` at the start of `text`. A lone apostrophe is
/// not a character: `don't` in an `#error` line is no mistake.
fn char_length(text: &str) -> Option<usize> {
    let mut chars = text.char_indices().skip(1);
    let (_, first) = chars.next()?;
    if first == '\\' {
        chars.next()?;
    }
    let (end, quote) = chars.next()?;
    (quote == '\'' && first != '\'' && first != '\n').then_some(end + 1)
}
