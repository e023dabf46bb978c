//! The outermost level: processes, procedures, assertions, formulas and declarations.

use super::{Opener, Parsed, Parser, Reported, text};
use crate::tree::{Assertion, Body, Definition, Item};
use base::{Diagnostic, Name, Span, nearest};
use preprocess::{Token, TokenKind};

/// Words that begin a definition, and words that begin a declaration.
const DEFINITIONS: [&str; 3] = ["proc", "process", "procedure"];
pub(super) const DECLARATIONS: [&str; 5] = ["channel", "queue", "var", "pvar", "variable"];

/// Words of PROMELA and C that people try, and what Argos writes instead.
const FOREIGN: [(&str, &str); 9] = [
    ("proctype", "proc"),
    ("active", "proc"),
    ("init", "proc init"),
    ("inline", "procedure"),
    ("chan", "channel"),
    ("int", "var"),
    ("byte", "var"),
    ("bool", "var"),
    ("short", "var"),
];

impl Parser<'_> {
    pub(super) fn items(&mut self) {
        while self.peek().is_some() {
            if self.at_separator() {
                self.at += 1;
                continue;
            }
            let before = self.at;
            if self.item().is_err() {
                self.at = self.at.max(before + 1);
                self.recover_item();
            }
        }
    }

    fn item(&mut self) -> Parsed<()> {
        let Some(token) = self.peek() else { return Ok(()) };
        let acts = self.is_punct_at(1, "!") || self.is_punct_at(1, "?");
        let item = match token.text.as_str() {
            _ if token.kind != TokenKind::Word || acts => return Err(self.stray(token)),
            "proc" | "process" => Item::Process(self.definition("process")?),
            "procedure" => Item::Procedure(self.definition("procedure")?),
            "assert" => Item::Assertion(self.assertion()),
            "ltl" => Item::Ltl(self.ltl()?),
            word if DECLARATIONS.contains(&word) => {
                let declaration =
                    self.declaration().inspect_err(|_| self.tree.broken_declarations = true);
                Item::Declaration(declaration?)
            }
            _ => return Err(self.stray(token)),
        };
        self.tree.items.push(item);
        Ok(())
    }

    /// Something that is neither a declaration nor a definition.
    fn stray(&mut self, token: &Token) -> Reported {
        let text = &token.text;
        let names: Vec<Name> = DEFINITIONS
            .iter()
            .chain(&DECLARATIONS)
            .chain(&["assert", "ltl"])
            .copied()
            .map(Name::new)
            .collect();
        let foreign = FOREIGN.iter().find(|(foreign, _)| *foreign == text.as_str());
        let help = match (foreign, nearest(text, &names)) {
            (Some((_, ours)), _) => format!("`{text}` is not a word of Argos; it writes `{ours}`"),
            (None, Some(name)) if token.kind == TokenKind::Word && self.is_name_at(1) => {
                format!("did you mean `{name}`?")
            }
            _ => "statements stand inside `proc NAME { ... }`; outside are only channel, var, \
                  proc, procedure, assert and ltl"
                .to_owned(),
        };
        let message = format!("`{text}` does not begin a declaration");
        let found = Diagnostic::error("A0033", token.span, message)
            .label("outside all processes")
            .help(help);
        self.report(found)
    }

    /// Skips to the next definition or declaration, or past what looks like the
    /// end of this one; braces are skipped whole.
    fn recover_item(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            if self.at_definition() || (depth == 0 && self.begins_item(token)) {
                break;
            }
            self.at += 1;
            match token.text.as_str() {
                "{" => depth += 1,
                "}" if depth <= 1 => break,
                "}" => depth -= 1,
                ";" if depth == 0 => break,
                _ => {}
            }
        }
    }

    /// Even with a wrong name behind it, if it begins a line.
    fn begins_item(&self, token: &Token) -> bool {
        let word = token.text.as_str();
        let others = ["assert", "ltl"];
        let known = DEFINITIONS.iter().chain(&DECLARATIONS).chain(&others).any(|it| *it == word);
        let acts = self.is_punct_at(1, "!") || self.is_punct_at(1, "?");
        self.at_declaration() || (known && token.line_start && !acts)
    }

    /// `proc NAME`, `assert {`, `ltl NAME {` and their like: nothing of the kind stands inside
    /// a body, so it ends whatever was left open.
    pub(super) fn at_definition(&self) -> bool {
        let Some(token) = self.peek() else { return false };
        let word = token.text.as_str();
        (DEFINITIONS.contains(&word) && self.is_name_at(1))
            || (word == "assert" && (self.is_name_at(1) || self.is_punct_at(1, "{")))
            || (word == "ltl" && self.is_name_at(1) && self.is_punct_at(2, "{"))
    }

    /// Behind a body without braces: two names in a row on a new line begin no statement, but
    /// perhaps a declaration with a slip in its word.
    pub(super) fn at_misspelt(&self) -> bool {
        let begins_line = self.peek().is_some_and(|token| token.line_start);
        self.open.is_empty() && begins_line && self.is_name_at(0) && self.is_name_at(1)
    }

    /// `var NAME`, `channel NAME` and their like.
    pub(super) fn at_declaration(&self) -> bool {
        self.peek().is_some_and(|token| DECLARATIONS.contains(&token.text.as_str()))
            && self.is_name_at(1)
    }

    fn definition(&mut self, of: &str) -> Parsed<Definition> {
        self.at += 1;
        let name = self.name(of)?;
        self.parameters(of);
        let body = self.body(of)?;
        Ok(Definition { name, body })
    }

    /// Reports `(...)` between name and `{`. Without the brace it is a condition,
    /// the one statement of the body.
    fn parameters(&mut self, of: &str) {
        let first = self.here();
        let rest = &self.tokens[self.at..];
        let stop = |token: &Token| ["{", ")", ";"].iter().any(|text| token.is_punct(text));
        let Some(close) = rest.iter().position(stop).filter(|_| self.at_punct("(")) else { return };
        if !rest[close].is_punct(")") || !rest.get(close + 1).is_some_and(|it| it.is_punct("{")) {
            return;
        }
        self.at += close + 1;
        let found =
            Diagnostic::error("A0035", self.since(first), format!("a {of} has no parameters"))
                .label("remove this")
                .help(format!("write the name alone: `{of} NAME {{ ... }}`"));
        self.report(found);
    }

    /// `{ declarations statements }`, or the same without braces.
    fn body(&mut self, of: &str) -> Parsed<Body> {
        if self.at_punct("{") {
            return Ok(self.braced(false));
        }
        if self.peek().is_none() || self.at_definition() || self.at_separator() {
            return Err(self.no_body(of));
        }
        let mut body = Body::default();
        while self.at_declaration() {
            self.local(false, &mut body);
            self.skip_separators();
        }
        self.unbraced(&mut body);
        if body.statements.is_empty() {
            // What was declared is lost with the body.
            self.tree.broken_declarations = true;
            return Err(self.no_body(of));
        }
        Ok(body)
    }

    fn no_body(&mut self, of: &str) -> Reported {
        let help = format!("write the statements of the {of} between `{{` and `}}`");
        self.unexpected(&format!("the body of the {of}"), help)
    }

    /// `{ ... }` with its declarations; those of an assertion are for the
    /// resolver to refuse, wherever they stand.
    fn braced(&mut self, watches: bool) -> Body {
        let open = self.here();
        self.open.push(Opener { span: open, text: "{", close: "}" });
        self.at += 1;
        let mut body = Body::default();
        loop {
            self.skip_separators();
            if self.at_declaration() {
                let late = !watches && !body.statements.is_empty();
                self.local(late, &mut body);
            } else if self.at_sequence_end() && !self.stray_closer() {
                break;
            } else {
                body.statements.extend(self.sequence());
            }
        }
        self.close();
        body.end = Some(self.last());
        body
    }

    /// A declaration inside a body.
    fn local(&mut self, late: bool, body: &mut Body) {
        let first = self.here();
        if late {
            let found = Diagnostic::error("A0025", first, "a declaration behind a statement")
                .label("declarations stand first in a body")
                .help("move it to the beginning of the body");
            self.report(found);
        }
        match self.declaration() {
            Ok(declaration) => body.declarations.push((first, declaration)),
            Err(Reported) => {
                self.tree.broken_declarations = true;
                self.recover();
            }
        }
    }

    fn assertion(&mut self) -> Assertion {
        let span = self.here();
        self.at += 1;
        let first = self.at;
        let (body, inner) = if self.at_punct("{") {
            let body = self.braced(true);
            (body, first + 1..self.at.saturating_sub(1).max(first + 1))
        } else {
            let mut body = Body::default();
            self.unbraced(&mut body);
            if body.statements.is_empty() {
                self.unexpected("the body of the assertion", "write `assert { c!m; d!n }`");
            }
            (body, first..self.at)
        };
        let tokens = self.tokens.get(inner).unwrap_or(&[]);
        Assertion { span, text: text::fold(tokens), body }
    }

    /// The statements up to the end of the text or the next declaration.
    fn unbraced(&mut self, body: &mut Body) {
        while self.peek().is_some() && !self.at_definition() && !self.at_declaration() {
            if self.at_sequence_end() && !self.stray_closer() {
                break;
            }
            body.statements.extend(self.sequence());
        }
        body.end = Some(self.last());
    }

    /// Reports and takes a `fi`, `od`, `::` or `}` that nothing here opened.
    pub(super) fn stray_closer(&mut self) -> bool {
        let Some(token) = self.peek() else { return false };
        let (what, help) = match token.text.as_str() {
            "fi" => ("`fi` without `if`", "remove it, or write the `if` it closes"),
            "od" => ("`od` without `do`", "remove it, or write the `do` it closes"),
            "::" => {
                ("`::` outside `if` and `do`", "put the options between if ... fi or do ... od")
            }
            "}" if self.open.is_empty() => {
                ("`}` without `{`", "remove it, or write the `{` it closes")
            }
            _ => return false,
        };
        let found =
            Diagnostic::error("A0002", token.span, what).label("nothing is open here").help(help);
        self.report(found);
        self.at += 1;
        true
    }

    /// Takes the closer of the innermost opener, or reports that it is missing.
    pub(super) fn close(&mut self) {
        let opener = self.open.pop().expect("whoever closes has opened");
        if self.peek().is_some_and(|token| token.text.as_str() == opener.close) {
            self.at += 1;
            return;
        }
        let Opener { span, text, close } = opener;
        let (at, label) = match self.peek() {
            Some(token) => (token.span, format!("expected `{close}` before this")),
            None => (self.last().after(), format!("expected `{close}` here")),
        };
        let found = Diagnostic::error("A0004", at, format!("`{text}` is not closed"))
            .label(label)
            .other(span, "opened here")
            .help(format!("write `{close}`"));
        self.report(found);
        self.take_wrong_closer();
    }

    /// `if ... od`: when nothing around waits for that `od`, it was meant to close.
    fn take_wrong_closer(&mut self) {
        let Some(token) = self.peek() else { return };
        let closes = ["fi", "od"].contains(&token.text.as_str());
        if closes && !self.open.iter().any(|opener| opener.close == token.text.as_str()) {
            self.at += 1;
        }
    }

    /// The word of a label in front of a statement.
    pub(super) fn label(&mut self) -> Option<(crate::tree::Word, Span)> {
        let token = self.peek().filter(|_| self.is_name_at(0) && self.is_punct_at(1, ":"))?;
        self.at += 2;
        Some((token.word(), token.span))
    }
}
