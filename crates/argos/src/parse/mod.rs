//! Tokens in, a [`Tree`] out: recursive descent that goes on after an error.
//!
//! Recovery: after an error the parser skips to the next place a statement may
//! end or begin ([`Parser::recover`]), and never reports twice at one token, so
//! one mistake gives one message. Nesting is bounded by `NESTING_MAX`.

mod constant;
mod declaration;
mod expression;
mod formula;
mod item;
mod look;
mod statement;
mod text;

use crate::NESTING_MAX;
use crate::tree::Tree;
use base::{Diagnostic, Severity, SourceMap, Span, Word};
use look::Numbered;
use preprocess::{Token, TokenKind};

/// Reads the tokens of a model, and those of the formulas behind it.
pub fn parse(output: &preprocess::Output) -> (Tree, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut tokens = output.tokens.clone();
    report_strays(&mut tokens, &mut diagnostics);
    let mut further = output.further.clone();
    further.iter_mut().for_each(|rest| report_strays(&mut rest.tokens, &mut diagnostics));
    let mut parser = Parser {
        tokens: &tokens,
        sources: &output.sources,
        end: output.end,
        at: 0,
        reported_at: None,
        depth: 0,
        parentheses: 0,
        temporal: false,
        open: Vec::new(),
        incomplete: output.incomplete,
        tree: Tree {
            end: Some(output.end),
            broken_declarations: output.incomplete,
            ..Tree::default()
        },
        diagnostics,
    };
    parser.items();
    let (mut unnamed, mut numbered) = (0, Numbered::default());
    for rest in &further {
        (parser.tokens, parser.at, parser.end) = (&rest.tokens, 0, rest.end);
        (parser.reported_at, parser.incomplete) = (None, false);
        match rest.purpose {
            Some(purpose) => parser.predicates(purpose, &mut numbered),
            None => parser.formulas(&mut unnamed),
        }
    }
    let failed = |found: &Diagnostic| found.severity == Severity::Error;
    parser.tree.complete = parser.diagnostics.is_empty() && !output.diagnostics.iter().any(failed);
    (parser.tree, parser.diagnostics)
}

/// Stray characters reported one by one; a file of garbage need not fill a screen.
const STRAYS_MAX: usize = 20;

/// Takes out characters that belong to no token, one message per stretch.
fn report_strays(tokens: &mut Vec<Token>, diagnostics: &mut Vec<Diagnostic>) {
    let mut stretches: Vec<(Token, Span)> = Vec::new();
    let mut inside = false;
    for token in tokens.iter() {
        let stray = token.kind == TokenKind::Other;
        match stretches.last_mut() {
            Some((_, last)) if stray && inside => *last = last.to(token.span),
            _ if stray => stretches.push((token.clone(), token.span)),
            _ => {}
        }
        inside = stray;
    }
    tokens.retain(|token| token.kind != TokenKind::Other);
    let more = stretches.len().saturating_sub(STRAYS_MAX);
    for (place, (first, span)) in stretches.into_iter().take(STRAYS_MAX).enumerate() {
        let mut found = Diagnostic::error("A0001", span, first.stray())
            .label("no token of the language begins with this")
            .help("remove it; outside comments a model is plain ASCII, and ≡ ≠ ≥ ≤ → − – —");
        if more > 0 && place + 1 == STRAYS_MAX {
            found = found.note(format!("{more} more such places are not shown"));
        }
        diagnostics.push(found);
    }
}

/// Proof that an error was reported; whoever gets one recovers.
#[derive(Debug)]
struct Reported;

type Parsed<T> = Result<T, Reported>;

/// Something that waits for its end.
struct Opener {
    span: Span,
    text: &'static str,
    close: &'static str,
}

struct Parser<'a> {
    tokens: &'a [Token],
    sources: &'a SourceMap,
    end: Span,
    at: usize,
    /// The token of the last error: no second one there.
    reported_at: Option<usize>,
    depth: usize,
    /// Open parentheses of expressions: inside them a line's end means nothing.
    parentheses: usize,
    /// Inside a formula.
    temporal: bool,
    /// The `if`, `do` and `{` around this place, outermost first.
    open: Vec<Opener>,
    /// The text was cut by an error of the preprocessor: its end is not its own.
    incomplete: bool,
    tree: Tree,
    diagnostics: Vec<Diagnostic>,
}

/// Words that begin or end statements; they cannot name a channel or process.
const RESERVED: [&str; 8] = ["if", "fi", "do", "od", "skip", "break", "goto", "else"];

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    fn peek_at(&self, distance: usize) -> Option<&'a Token> {
        self.tokens.get(self.at + distance)
    }

    fn at_punct(&self, text: &str) -> bool {
        self.peek().is_some_and(|token| token.is_punct(text))
    }

    fn at_word(&self, text: &str) -> bool {
        self.peek().is_some_and(|token| token.is_word(text))
    }

    fn is_punct_at(&self, distance: usize, text: &str) -> bool {
        self.peek_at(distance).is_some_and(|token| token.is_punct(text))
    }

    /// Whether two signs stand here that are one.
    fn at_pair(&self, first: &str, second: &str) -> bool {
        let touches = self.peek_at(1).is_some_and(|token| !token.spaced);
        self.at_punct(first) && touches && self.is_punct_at(1, second)
    }

    /// Whether a name that may be declared stands at `distance`.
    fn is_name_at(&self, distance: usize) -> bool {
        self.peek_at(distance).is_some_and(is_name)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.at_punct(text);
        self.at += usize::from(found);
        found
    }

    fn take(&mut self) -> Option<&'a Token> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    /// Where the next token stands, or the end of the text.
    fn here(&self) -> Span {
        self.peek().map_or(self.end, |token| token.span)
    }

    /// The token before this place.
    fn last(&self) -> Span {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.map_or(self.end, |token| token.span)
    }

    fn at_separator(&self) -> bool {
        self.at_punct(";") || self.at_punct("->")
    }

    fn skip_separators(&mut self) {
        while self.at_separator() {
            self.at += 1;
        }
    }

    /// From `first` to the last token taken, seen from inside the innermost
    /// macro that holds both.
    fn since(&self, first: Span) -> Span {
        self.sources.cover(first, self.last())
    }

    /// Reports, unless the last error was at this very token.
    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        let cut = self.incomplete && self.peek().is_none();
        if self.reported_at != Some(self.at) && !cut {
            self.diagnostics.push(diagnostic);
        }
        self.reported_at = Some(self.at);
        Reported
    }

    /// "`x` is not expected here", with what would be.
    fn unexpected(&mut self, wanted: &str, help: impl Into<String>) -> Reported {
        let found = preprocess::unexpected("A0002", self.peek(), self.last(), wanted);
        self.report(found.help(help))
    }

    fn expect(&mut self, text: &str, help: &str) -> Parsed<()> {
        if self.eat(text) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{text}`"), help))
    }

    /// A name to declare: any word but the reserved ones.
    fn name(&mut self, of: &str) -> Parsed<Word> {
        let token = self.peek().filter(|token| is_name(token));
        let Some(token) = token else {
            let help = preprocess::help_with_name(self.peek(), of);
            return Err(self.unexpected(&format!("the name of a {of}"), help));
        };
        self.at += 1;
        Ok(token.word())
    }

    /// Goes one level deeper, if the limit allows.
    fn descend(&mut self, what: &str) -> Parsed<()> {
        if self.depth < NESTING_MAX {
            self.depth += 1;
            return Ok(());
        }
        let message = format!("{what} nested more than {NESTING_MAX} deep");
        let found = Diagnostic::error("A0029", self.here(), message)
            .label("too deep")
            .help("split it: move inner parts into procedures, or name intermediate values");
        Err(self.report(found))
    }

    /// Skips to where a statement may end or begin. What is opened on the way
    /// is skipped as a whole.
    fn recover(&mut self) {
        let mut inside: Vec<&str> = Vec::new();
        while let Some(token) = self.peek() {
            if inside.is_empty() && self.may_resume() {
                break;
            }
            if self.at_definition() {
                break;
            }
            match token.text.as_str() {
                "if" => inside.push("fi"),
                "do" => inside.push("od"),
                "{" => inside.push("}"),
                "(" => inside.push(")"),
                closer if inside.last() == Some(&closer) => {
                    inside.pop();
                }
                ")" => {}
                "}" | "fi" | "od" | ";" | "->" if inside.contains(&")") => {
                    inside.retain(|closer| *closer != ")");
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.reported_at = Some(self.at);
    }

    fn may_resume(&self) -> bool {
        let stop = ["::", "}"].iter().any(|text| self.at_punct(text));
        let word = ["fi", "od"].iter().any(|text| self.at_word(text));
        stop || word || self.at_separator()
    }
}

fn is_name(token: &Token) -> bool {
    token.kind == TokenKind::Word && !RESERVED.contains(&token.text.as_str())
}
