//! The fields of sends and receives.

use super::{Parsed, Parser};
use crate::tree::{Expr, ExprKind, Pattern, Reference, StmtKind};

const CLOSE: &str = "close the fields of the message with `)`";

impl Parser<'_> {
    /// What follows `q` in `q!m`, `q!!m`.
    pub(super) fn send(&mut self, queue: Reference) -> Parsed<StmtKind> {
        let sorted = self.at_pair("!", "!");
        self.at += 1 + usize::from(sorted);
        let arguments = self.fields()?;
        Ok(StmtKind::Send { queue, arguments, sorted })
    }

    /// `a, b` or `a(b, c)`, which is the same.
    fn fields(&mut self) -> Parsed<Vec<Expr>> {
        let mut fields = vec![self.expression()?];
        if self.at_punct("(") && !self.on_new_line() {
            self.at += 1;
            fields.extend(self.inside(")", CLOSE, |it| it.list(")", Self::expression))?);
            return Ok(fields);
        }
        while self.eat(",") {
            fields.push(self.expression()?);
        }
        Ok(fields)
    }

    /// What follows `q` in `q?m`, `q??m`, `q?<m>`.
    pub(super) fn receive(&mut self, queue: Reference) -> Parsed<StmtKind> {
        let random = self.at_pair("?", "?");
        self.at += 1 + usize::from(random);
        let keep = self.eat("<");
        let patterns = self.patterns()?;
        if keep {
            self.expect(">", "close the copy with `>`: q?<a,b>")?;
        }
        Ok(StmtKind::Receive { queue, patterns, random, keep })
    }

    /// `a, b` or `a(b, c)` or `(a, b)` or `a, (b, c)`: behind parentheses nothing follows.
    pub(super) fn patterns(&mut self) -> Parsed<Vec<Pattern>> {
        let mut patterns = Vec::new();
        loop {
            if self.at_punct("(") {
                self.inner_patterns(&mut patterns)?;
                break;
            }
            patterns.push(self.pattern()?);
            if self.at_punct("(") && !self.on_new_line() {
                self.inner_patterns(&mut patterns)?;
                break;
            }
            if !self.eat(",") {
                break;
            }
        }
        Ok(patterns)
    }

    /// `m` or `m(1, _)`: the first fields of a message.
    pub(super) fn message_kind(&mut self) -> Parsed<Vec<Pattern>> {
        let mut patterns = vec![self.pattern()?];
        if self.at_punct("(") {
            self.inner_patterns(&mut patterns)?;
        }
        Ok(patterns)
    }

    fn inner_patterns(&mut self, patterns: &mut Vec<Pattern>) -> Parsed<()> {
        self.descend("fields")?;
        self.at += 1;
        let inner = self.inside(")", CLOSE, |it| {
            let inner = it.patterns();
            it.depth -= 1;
            inner
        });
        patterns.extend(inner?);
        Ok(())
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        if self.at_word("_") {
            self.at += 1;
            return Ok(Pattern::Any);
        }
        if self.eat_word("eval") {
            self.expect("(", "write eval(expression)")?;
            let value = self.inside(")", "close eval with `)`", Self::expression)?;
            return Ok(Pattern::Value(value));
        }
        if self.is_name_at(0) {
            return Ok(Pattern::Variable(self.reference("variable")?));
        }
        let first = self.at;
        let negative = self.eat("-");
        let value = match self.constant() {
            Some(value) => value?,
            None => {
                let help = "a receive has variables, constants, `_` and eval(expression)";
                return Err(self.unexpected("a variable or a constant", help));
            }
        };
        let value = if negative { value.wrapping_neg() } else { value };
        let kind = ExprKind::Number(value);
        Ok(Pattern::Value(Expr { span: self.since(first), kind, height: 1 }))
    }

    fn constant(&mut self) -> Option<Parsed<i32>> {
        use preprocess::TokenKind::{Char, Number};
        let token = self.peek()?;
        let truth = match token.text.as_str() {
            "true" | "skip" => Some(1),
            "false" => Some(0),
            _ => None,
        };
        match token.kind {
            Number => Some(self.number()),
            Char => Some(Ok(self.character())),
            _ => {
                self.at += usize::from(truth.is_some());
                truth.map(Ok)
            }
        }
    }
}
