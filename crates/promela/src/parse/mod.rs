//! Tokens in, a [`Tree`] out: recursive descent that goes on after an error.
//!
//! Separators: `;` and `->` are the same. SPIN repairs missing ones in its
//! lexer (after `}`, after `else`, at the end of a line); here the parser knows
//! where one may be missing ([`Parser::may_omit_separator`]), which accepts the
//! same texts and a few more.
//!
//! Recovery: after an error the parser skips to the next place a statement may
//! end or begin, and never reports twice at one token, so one mistake gives one
//! message. Nesting is bounded by `NESTING_MAX`.

mod declaration;
mod expression;
mod formula;
mod inline;
mod item;
mod look;
mod message;
mod number;
mod statement;
mod token;

use crate::NESTING_MAX;
use crate::tree::{Reference, Tree};
use base::{Diagnostic, Name, SourceMap, Span, Word};
use inline::Inline;
use look::Numbered;
use preprocess::TokenKind;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;
use token::Lexeme;

/// Reads the tokens of a model, and those of the formulas behind it. Calls of `inline` add to the map of sources.
pub(crate) fn parse(output: &mut preprocess::Output) -> (Tree, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let tokens = token::lexemes(std::mem::take(&mut output.tokens), &mut diagnostics);
    let mut parser = Parser {
        tokens,
        at: 0,
        end: output.end,
        sources: &mut output.sources,
        inlines: HashMap::new(),
        proctypes: HashSet::new(),
        calls: Vec::new(),
        expanded: 0,
        reported_at: None,
        depth: 0,
        parentheses: 0,
        temporal: false,
        embedded: false,
        incomplete: output.incomplete,
        tree: Tree { items: Vec::new(), broken: output.incomplete, end: output.end },
        diagnostics,
    };
    parser.survey();
    parser.items();
    let (mut unnamed, mut numbered) = (0, Numbered::default());
    for rest in std::mem::take(&mut output.further) {
        parser.tokens = token::lexemes(rest.tokens, &mut parser.diagnostics);
        (parser.at, parser.end, parser.reported_at) = (0, rest.end, None);
        match rest.purpose {
            Some(purpose) => parser.predicates(purpose, &mut numbered),
            None => parser.formulas(&mut unnamed),
        }
    }
    (parser.tree, parser.diagnostics)
}

/// Proof that an error was reported; whoever gets one recovers.
#[derive(Debug)]
struct Reported;

type Parsed<T> = Result<T, Reported>;

/// An `inline` being expanded.
struct Call {
    name: Name,
    /// Where `return` puts its value.
    result: Option<Reference>,
}

struct Parser<'a> {
    /// The text being read: the model's, or the body of an `inline`.
    tokens: Vec<Lexeme>,
    at: usize,
    end: Span,
    sources: &'a mut SourceMap,
    inlines: HashMap<Name, Inline>,
    /// Names of all proctypes: `P:x` is a remote reference only for those.
    proctypes: HashSet<Name>,
    /// Innermost last.
    calls: Vec<Call>,
    /// Tokens produced by `inline` so far.
    expanded: usize,
    /// The token of the last error: no second one there.
    reported_at: Option<usize>,
    depth: usize,
    /// Open parentheses and brackets: inside them a line's end means nothing.
    parentheses: usize,
    /// Inside `ltl { }`.
    temporal: bool,
    /// Embedded C was reported: once per model is enough.
    embedded: bool,
    /// The text was cut by an error of the preprocessor: its end is not its own.
    incomplete: bool,
    tree: Tree,
    diagnostics: Vec<Diagnostic>,
}

/// Words of the language; none can be a name.
const KEYWORDS: &str = "\
    active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track chan \
    D_proctype d_step do else empty enabled eval false fi for full get_priority goto hidden if \
    init inline int len local ltl mtype nempty never nfull notrace np_ od of pc_value pid printf \
    printm priority proctype provided return run select set_priority short show skip timeout \
    trace true typedef unless unsigned xr xs";

/// Whether a word is one of the language. Asked of every word of a model, several times.
pub(crate) fn is_keyword(word: &str) -> bool {
    static SET: LazyLock<HashSet<&str>> = LazyLock::new(|| KEYWORDS.split(' ').collect());
    SET.contains(word)
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Lexeme> {
        self.tokens.get(self.at)
    }

    fn at_punct(&self, text: &str) -> bool {
        self.is_punct_at(0, text)
    }

    fn at_word(&self, text: &str) -> bool {
        self.is_word_at(0, text)
    }

    fn is_punct_at(&self, distance: usize, text: &str) -> bool {
        self.tokens.get(self.at + distance).is_some_and(|token| token.is_punct(text))
    }

    fn is_word_at(&self, distance: usize, text: &str) -> bool {
        self.tokens.get(self.at + distance).is_some_and(|token| token.is_word(text))
    }

    /// Whether a name that may be declared stands at `distance`.
    fn is_name_at(&self, distance: usize) -> bool {
        self.tokens.get(self.at + distance).is_some_and(is_name)
    }

    /// Two signs that touch: `??`, `!!`, `[]`, `<>`.
    fn at_pair(&self, first: &str, second: &str) -> bool {
        let touches = self.tokens.get(self.at + 1).is_some_and(|token| !token.spaced);
        self.at_punct(first) && touches && self.is_punct_at(1, second)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.at_punct(text);
        self.at += usize::from(found);
        found
    }

    fn eat_word(&mut self, text: &str) -> bool {
        let found = self.at_word(text);
        self.at += usize::from(found);
        found
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

    /// What `read` reads, and `close` behind it: inside, the end of a line means nothing.
    fn inside<T>(
        &mut self,
        close: &str,
        help: &str,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        self.parentheses += 1;
        let found = read(self)?;
        self.expect(close, help)?;
        self.parentheses = self.parentheses.saturating_sub(1);
        Ok(found)
    }

    /// Elements with commas between them, up to `close`.
    fn list<T>(&mut self, close: &str, element: fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut list = Vec::new();
        while !self.at_punct(close) {
            list.push(element(self)?);
            if !self.eat(",") {
                break;
            }
        }
        Ok(list)
    }

    /// From token `first` to the last one taken, as the text around them spells
    /// it: an argument of an `inline` stands where the parameter does.
    fn since(&self, first: usize) -> Span {
        let place = |at: usize| self.tokens.get(at).map_or(self.end, |token| token.place);
        let last = self.at.saturating_sub(1).max(first);
        self.sources.cover(place(first), place(last))
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

    /// Something SPIN would refuse.
    fn remark(&mut self, id: &'static str, span: Span, message: &str, help: &str) {
        self.diagnostics.push(Diagnostic::remark(id, span, message).help(help));
    }

    /// "`x` is not expected here", with what would be.
    fn unexpected(&mut self, wanted: &str, help: impl Into<String>) -> Reported {
        let found =
            preprocess::unexpected("M0002", self.peek().map(|it| &**it), self.last(), wanted);
        self.report(found.help(help))
    }

    fn expect(&mut self, text: &str, help: &str) -> Parsed<()> {
        if self.eat(text) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{text}`"), help))
    }

    /// A name to declare or refer to: any word but the reserved ones.
    fn name(&mut self, of: &str) -> Parsed<Word> {
        if let Some(token) = self.peek().filter(|token| is_name(token)) {
            let word = token.word();
            self.at += 1;
            return Ok(word);
        }
        let help = preprocess::help_with_name(self.peek().map(|it| &**it), of);
        Err(self.unexpected(&format!("the name of a {of}"), help))
    }

    /// Goes one level deeper, if the limit allows; the caller goes back up.
    fn descend(&mut self, what: &str) -> Parsed<()> {
        if self.depth < NESTING_MAX {
            self.depth += 1;
            return Ok(());
        }
        let message = format!("{what} nested more than {NESTING_MAX} deep");
        let found = Diagnostic::error("M0006", self.here(), message)
            .label("too deep")
            .help("split it: move inner parts into an `inline`, or name intermediate values");
        Err(self.report(found))
    }

    /// Skips to where a statement may end or begin. What is opened on the way
    /// is skipped as a whole.
    fn recover(&mut self) {
        let mut inside: Vec<&str> = Vec::new();
        while let Some(token) = self.peek() {
            if (inside.is_empty() && self.may_resume()) || self.at_definition() {
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
                "}" | "fi" | "od" | ";" | "->" if inside.contains(&")") => {
                    inside.retain(|closer| *closer != ")");
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.reported_at = Some(self.at);
        self.parentheses = 0;
    }

    /// Whether the tokens skipped since `from` may have declared something.
    fn lost_names(&self, from: usize) -> bool {
        let skipped = self.tokens.get(from..self.at).unwrap_or(&[]);
        skipped.iter().any(|token| token.is_punct(":") || declaration::begins(token))
    }

    fn may_resume(&self) -> bool {
        let stop = ["::", "}"].iter().any(|text| self.at_punct(text));
        let word = ["fi", "od"].iter().any(|text| self.at_word(text));
        stop || word || self.at_separator()
    }
}

fn is_name(token: &Lexeme) -> bool {
    token.kind == TokenKind::Word && !is_keyword(token.text.as_str())
}
