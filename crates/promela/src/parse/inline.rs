//! `inline`: definitions, and calls, which put the text of the definition in
//! the place of the call with parameters replaced by arguments, token by token.

use super::statement::At;
use super::token::Lexeme;
use super::{Call, Parsed, Parser, Reported};
use crate::tree::{Reference, StmtKind, Word};
use crate::wording;
use base::{Diagnostic, Name, Origin, OriginId, OriginKind, Span, nearest};
use preprocess::TokenKind;
use std::collections::HashMap;

/// A definition.
#[derive(Clone)]
pub(super) struct Inline {
    pub(super) name: Word,
    pub(super) parameters: Vec<Name>,
    /// Braces included.
    pub(super) body: Vec<Lexeme>,
}

/// Tokens all calls of a model together may produce: an `inline` that calls two
/// others twice each, twenty deep, makes a million.
const EXPANSION_MAX: usize = 1_000_000;

impl Parser<'_> {
    /// Finds the names of all proctypes before anything else is read: whether
    /// `P:x` begins with a label depends on them.
    pub(super) fn survey(&mut self) {
        for pair in self.tokens.windows(2) {
            if pair[0].is_word("proctype") || pair[0].is_word("D_proctype") {
                self.proctypes.insert(pair[1].text.clone());
            }
        }
    }

    /// `inline NAME(a, b) { text }`
    pub(super) fn inline(&mut self) -> Parsed<()> {
        const HELP: &str = "write inline NAME(a, b) { statements }";
        self.at += 1;
        let name = self.name("inline")?;
        self.expect("(", HELP)?;
        let parameters = self.list(")", |it| Ok(it.name("parameter")?.name))?;
        self.expect(")", HELP)?;
        self.skip_separators();
        if !self.at_punct("{") {
            return Err(self.unexpected("`{`", HELP));
        }
        let first = self.at;
        self.skip_balanced("{", "}");
        let body = self.tokens[first..self.at].to_vec();
        if !body.last().is_some_and(|token| token.is_punct("}")) {
            let found = Diagnostic::error("M0004", self.here(), "the `inline` is not closed")
                .label("expected `}` before this")
                .other(name.span, "of this inline")
                .help("write `}` where it ends");
            return Err(self.report(found));
        }
        if let Some(known) = self.inlines.get(&name.name) {
            let message = format!("the inline `{}` is defined twice", name.name);
            let found = Diagnostic::error("M0008", name.span, message)
                .label("second definition")
                .other(known.name.span, "first definition")
                .help("rename or remove one of them");
            self.diagnostics.push(found);
        }
        self.inlines.insert(name.name.clone(), Inline { name, parameters, body });
        Ok(())
    }

    /// `f(a, b)`, or what follows `v =` in `v = f(a, b)`.
    pub(super) fn call(&mut self, result: Option<Reference>) -> Parsed<StmtKind> {
        let first = self.at;
        let name = self.name("inline")?;
        let Some(inline) = self.inlines.get(&name.name).cloned() else {
            return Err(self.unknown_call(&name));
        };
        let arguments = self.argument_tokens()?;
        let call = self.since(first);
        if self.calls.iter().any(|call| call.name == name.name) {
            return Err(self.recursive(&name));
        }
        if arguments.len() != inline.parameters.len() {
            return Err(self.wrong_count(&name, &inline, arguments.len()));
        }
        if self.expanded.saturating_add(inline.body.len()) > EXPANSION_MAX {
            return Err(self.too_much(&name));
        }
        let origin = self.sources.origins.push(Origin {
            kind: OriginKind::Procedure,
            name: name.name.clone(),
            call,
        });
        let tokens = self.substitute(&inline, &arguments, origin);
        self.expanded += tokens.len();
        self.calls.push(Call { name: name.name, result });
        let sequence = self.read_expansion(tokens, call);
        self.calls.pop();
        sequence
    }

    /// Reads `tokens` in place of the call.
    fn read_expansion(&mut self, tokens: Vec<Lexeme>, call: Span) -> Parsed<StmtKind> {
        let outer = std::mem::replace(&mut self.tokens, tokens);
        let (at, end) =
            (std::mem::replace(&mut self.at, 0), std::mem::replace(&mut self.end, call));
        let reported = self.reported_at.take();
        let sequence = self.braced(At::Block);
        self.tokens = outer;
        self.at = at;
        self.end = end;
        // What is wrong inside is wrong in the definition; the call goes on.
        self.reported_at = reported;
        self.tree.broken |= sequence.is_err();
        Ok(sequence.map_or_else(|Reported| StmtKind::Broken, StmtKind::Inlined))
    }

    /// The arguments as written; commas inside brackets do not separate.
    fn argument_tokens(&mut self) -> Parsed<Vec<Vec<Lexeme>>> {
        let open = self.here();
        self.at += 1;
        let mut arguments: Vec<Vec<Lexeme>> = Vec::new();
        let mut depth = 0_usize;
        while let Some(token) = self.peek().cloned() {
            self.at += 1;
            match token.text.as_str() {
                _ if token.kind != TokenKind::Punct => {}
                "(" | "[" | "{" => depth += 1,
                ")" if depth == 0 => return Ok(arguments),
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                "," if depth == 0 => {
                    if arguments.is_empty() {
                        arguments.push(Vec::new());
                    }
                    arguments.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            match arguments.last_mut() {
                Some(argument) => argument.push(token),
                None => arguments.push(vec![token]),
            }
        }
        let found = Diagnostic::error("M0004", self.here(), "the call is not closed")
            .label("expected `)` before this")
            .other(open, "opened here")
            .help("close the arguments with `)`");
        Err(self.report(found))
    }

    fn substitute(
        &mut self,
        inline: &Inline,
        arguments: &[Vec<Lexeme>],
        origin: OriginId,
    ) -> Vec<Lexeme> {
        let mut rooted = HashMap::new();
        let mut tokens = Vec::new();
        for token in &inline.body {
            let place = self.rooted(token.place, origin, &mut rooted);
            let parameter = (token.kind == TokenKind::Word)
                .then(|| inline.parameters.iter().position(|name| *name == token.text))
                .flatten();
            let Some(argument) = parameter.and_then(|index| arguments.get(index)) else {
                let mut copy = Lexeme { place, ..token.clone() };
                copy.token.span = place;
                tokens.push(copy);
                continue;
            };
            for (index, actual) in argument.iter().enumerate() {
                let mut copy = Lexeme { place, ..actual.clone() };
                (copy.token.line_start, copy.token.spaced) = match index {
                    0 => (token.line_start, token.spaced),
                    _ => (false, actual.spaced),
                };
                tokens.push(copy);
            }
        }
        tokens
    }

    /// `span` as seen from this call: the outermost text of its chain of macros
    /// is the body, and the body was asked for by the call.
    fn rooted(
        &mut self,
        span: Span,
        origin: OriginId,
        known: &mut HashMap<OriginId, OriginId>,
    ) -> Span {
        let Some(inner) = span.origin else { return Span { origin: Some(origin), ..span } };
        if let Some(copy) = known.get(&inner) {
            return Span { origin: Some(*copy), ..span };
        }
        let mut copy = self.sources.origins[inner].clone();
        copy.call = self.rooted(copy.call, origin, known);
        let copy = self.sources.origins.push(copy);
        known.insert(inner, copy);
        Span { origin: Some(copy), ..span }
    }

    fn unknown_call(&mut self, name: &Word) -> Reported {
        let text = &name.name;
        let mut found = Diagnostic::error("M0007", name.span, format!("`{text}` is not an inline"))
            .label("nothing of this name can be called");
        let known: Vec<Name> = self.inlines.keys().cloned().collect();
        found = match nearest(text, &known) {
            _ if self.proctypes.contains(text) => {
                found.help(format!("`{text}` is a proctype: write `run {text}(...)`"))
            }
            Some(near) if text.len() > 1 => found.help(format!("did you mean `{near}`?")),
            _ => found.help("define it before: inline NAME(parameters) { statements }"),
        };
        self.report(found)
    }

    fn recursive(&mut self, name: &Word) -> Reported {
        let message = format!("the inline `{}` calls itself", name.name);
        let found = Diagnostic::error("M0028", name.span, message).label("called again here").help(
            "an inline is text that is put in place, so it cannot repeat itself; use a loop \
                   or a proctype",
        );
        self.report(found)
    }

    fn wrong_count(&mut self, name: &Word, inline: &Inline, given: usize) -> Reported {
        let (text, wanted) = (&name.name, wording::arguments(inline.parameters.len()));
        let message = format!("`{text}` takes {wanted}, not {given}");
        let found = Diagnostic::error("M0011", name.span, message)
            .label(format!("{given} given"))
            .other(inline.name.span, "defined here")
            .help(format!("give it as many arguments as `inline {text}` has parameters"));
        self.report(found)
    }

    fn too_much(&mut self, name: &Word) -> Reported {
        // Once is enough: all calls behind it fail too.
        if std::mem::replace(&mut self.expanded, usize::MAX) == usize::MAX {
            return Reported;
        }
        let found = Diagnostic::error("M0035", name.span, "the calls of inlines grow too large")
            .label("too much text")
            .note(format!("all calls together may make {EXPANSION_MAX} tokens"))
            .help("turn some of the inlines into proctypes");
        self.report(found)
    }
}
