//! What formulas and predicates look at, and predicates that are given beside a model.

use super::{Parsed, Parser, Reported};
use crate::tree::{Expr, ExprKind, Item, Kind, Look, Property, Word};
use base::{Name, Purpose, Span, UnaryOp};
use preprocess::{Token, TokenKind};
use std::collections::HashMap;

/// How many predicates of each purpose have no name so far.
pub(super) type Numbered = HashMap<Purpose, usize>;

impl Parser<'_> {
    /// The one predicate of a text of its own: `NAME: p` or `p`. Without a name it is numbered.
    pub(super) fn predicates(&mut self, purpose: Purpose, numbered: &mut Numbered) {
        let number = numbered.entry(purpose).or_default();
        *number += 1;
        if let Ok(property) = self.predicate(*number) {
            self.tree.items.push(Item::Predicate(purpose, property));
        }
    }

    fn predicate(&mut self, number: usize) -> Parsed<Property> {
        let name = self.name_in_front("predicate")?;
        if self.peek().is_none() {
            return Err(self.unexpected("a predicate", "write a predicate, such as `x < 4`"));
        }
        let formula = self.formula()?;
        if self.peek().is_some() {
            let help = "give each predicate an option of its own, or join them by `&&`";
            return Err(self.unexpected("the end of the predicate", help));
        }
        let span = formula.span;
        let name = name.unwrap_or_else(|| Word { name: Name::new(&number.to_string()), span });
        Ok(Property { name, formula, span })
    }

    /// `NAME:`, if that is no process whose variable or line comes.
    pub(super) fn name_in_front(&mut self, of: &str) -> Parsed<Option<Word>> {
        let named = self.is_name_at(0) && self.is_punct_at(1, ":");
        if !named || self.peek().is_some_and(|token| self.is_process(&token.text)) {
            return Ok(None);
        }
        let name = self.name(of)?;
        self.at += 1;
        Ok(Some(name))
    }

    fn is_process(&self, name: &Name) -> bool {
        let mut items = self.tree.items.iter();
        items.any(|item| matches!(item, Item::Process(process) if process.name.name == *name))
    }

    /// `p@label`, `p.x`, `p:x`, `p:12`, or a question about a channel, if one stands here.
    pub(super) fn look(&mut self) -> Parsed<Option<Expr>> {
        let Some(token) = self.peek().filter(|_| self.temporal) else { return Ok(None) };
        let (first, word) = (token.span, token.word());
        let look = if self.is_punct_at(1, "@") {
            self.at += 2;
            Look::At(word, self.name("label")?)
        } else if self.is_punct_at(1, ".") {
            self.at += 2;
            Look::Member(word, self.name("variable")?)
        } else if self.is_punct_at(1, ":") {
            self.at += 2;
            self.line_or_member(word)?
        } else if self.is_punct_at(1, "(") {
            return self.asked(first, &word);
        } else {
            return Ok(None);
        };
        Ok(Some(self.leaf(first, look)))
    }

    fn leaf(&self, first: Span, look: Look) -> Expr {
        Expr { span: self.since(first), kind: ExprKind::Look(look), height: 1 }
    }

    fn line_or_member(&mut self, process: Word) -> Parsed<Look> {
        let number = self.peek().filter(|token| token.kind == TokenKind::Number);
        let Some(token) = number else { return Ok(Look::Member(process, self.name("variable")?)) };
        let Ok(line) = token.text.parse() else {
            return Err(self.unexpected("the number of a line", "write p:12 for line 12"));
        };
        let span = token.span;
        self.at += 1;
        Ok(Look::Line(process, span, line))
    }

    fn asked(&mut self, first: Span, word: &Word) -> Parsed<Option<Expr>> {
        let look = match word.name.as_str() {
            "len" => Look::Length(self.asked_channel()?),
            "empty" => Look::Empty(self.asked_channel()?),
            "nempty" => Look::NotEmpty(self.asked_channel()?),
            "full" => Look::Full(self.asked_channel()?),
            "nfull" => Look::NotFull(self.asked_channel()?),
            "head" => return self.head(first).map(Some),
            "count" => self.messages()?,
            _ => return Ok(None),
        };
        Ok(Some(self.leaf(first, look)))
    }

    /// `(q)` behind the word for what is asked.
    fn asked_channel(&mut self) -> Parsed<Word> {
        self.at += 2;
        let channel = self.name("channel")?;
        self.expect(")", "close the parenthesis behind the name of the channel")?;
        Ok(channel)
    }

    /// `head(q) == m` or `head(q) != m`
    fn head(&mut self, first: Span) -> Parsed<Expr> {
        const HELP: &str = "write head(q) == m, with the name of a message";
        let channel = self.asked_channel()?;
        let denied = self.at_punct("!=");
        if !denied && !self.at_punct("==") {
            return Err(self.unexpected("`==` or `!=`", HELP));
        }
        self.at += 1;
        let kind = self.message_kind(HELP)?;
        let look = self.leaf(first, Look::Head(channel, kind));
        if !denied {
            return Ok(look);
        }
        let span = look.span;
        Ok(Expr { span, kind: ExprKind::Unary(UnaryOp::Not, Box::new(look)), height: 2 })
    }

    /// `count(q, m)`
    fn messages(&mut self) -> Parsed<Look> {
        const HELP: &str = "write count(q, m), with a channel and the name of a message";
        self.at += 2;
        let channel = self.name("channel")?;
        self.expect(",", HELP)?;
        let kind = self.message_kind(HELP)?;
        self.expect(")", HELP)?;
        Ok(Look::Count(channel, kind))
    }

    /// `m`, `m(3)` or `m(_)`
    fn message_kind(&mut self, help: &str) -> Parsed<Kind> {
        let message = self.peek().filter(|token| token.kind == TokenKind::Word);
        let Some(name) = message.map(Token::word) else {
            return Err(self.unexpected("the name of a message", help));
        };
        self.at += 1;
        if !self.eat("(") {
            return Ok(Kind { name, value: None });
        }
        let value = if self.at_word("_") { self.anything() } else { Some(self.message_value()?) };
        self.expect(")", "close the parenthesis behind the value of the message")?;
        Ok(Kind { name, value })
    }

    fn anything(&mut self) -> Option<i16> {
        self.at += 1;
        None
    }

    fn message_value(&mut self) -> Parsed<i16> {
        let negative = self.at_punct("-");
        let is_number =
            self.peek_at(usize::from(negative)).is_some_and(|it| it.kind == TokenKind::Number);
        if is_number && let ExprKind::Number(value) = self.prefix()?.kind {
            return Ok(value as i16);
        }
        let found: Reported = self.unexpected("a number or `_`", "`m(3)` has value 3, `m(_)` any");
        Err(found)
    }
}
