//! What only formulas and predicates look at, and predicates that are given beside a model.

use super::{Parsed, Parser, Reported, is_keyword};
use crate::tree::{Expr, ExprKind, Item, Word};
use base::{Name, Purpose, Span};
use preprocess::TokenKind;
use program::UnaryOp;
use std::collections::HashMap;

/// How many predicates of each purpose have no name so far.
pub(super) type Numbered = HashMap<Purpose, usize>;

impl Parser<'_> {
    /// The one predicate of a text of its own: `NAME: p` or `p`. Without a name it is numbered.
    pub(super) fn predicates(&mut self, purpose: Purpose, numbered: &mut Numbered) {
        let number = numbered.entry(purpose).or_default();
        *number += 1;
        match self.predicate(purpose, *number) {
            Ok(item) => self.tree.items.push(item),
            Err(Reported) => self.tree.broken = true,
        }
        (self.depth, self.parentheses, self.temporal) = (0, 0, false);
    }

    fn predicate(&mut self, purpose: Purpose, number: usize) -> Parsed<Item> {
        let name = self.name_in_front()?;
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
        Ok(Item::Predicate { purpose, name, formula })
    }

    /// `NAME:`, if that is no process whose variable or line comes.
    pub(super) fn name_in_front(&mut self) -> Parsed<Option<Word>> {
        let named = self.is_name_at(0) && self.is_punct_at(1, ":");
        let keyword = self.peek().filter(|it| it.kind == TokenKind::Word && is_keyword(&it.text));
        if let (Some(word), true) = (keyword.map(|it| it.text.clone()), self.is_punct_at(1, ":")) {
            let help = format!("`{word}` is a word of PROMELA; write another name before the `:`");
            return Err(self.unexpected("a name", help));
        }
        let remote = self.peek().is_some_and(|token| self.proctypes.contains(&token.text));
        if !named || remote {
            return Ok(None);
        }
        let name = self.ltl_name()?;
        self.at += 1;
        Ok(Some(name))
    }

    /// The number of a line behind `P:`, and where it stands, if one comes and not a variable.
    pub(super) fn line_number(&mut self) -> Parsed<Option<(u32, Span)>> {
        let number = self.peek().filter(|it| self.temporal && it.kind == TokenKind::Number);
        let Some((text, place)) = number.map(|it| (it.text.clone(), it.span)) else {
            return Ok(None);
        };
        let Ok(line) = text.parse() else {
            return Err(self.unexpected("the number of a line", "write P:12 for line 12"));
        };
        self.at += 1;
        if self.at_punct("@") || self.at_punct(".") {
            let help = format!(
                "`:{line}` is line {line}; process {line} is `[{line}]`, as in `P[{line}]@wait`"
            );
            return Err(self.unexpected("an operator or the end", help));
        }
        Ok(Some((line, place)))
    }

    /// `head(q) == m(1, _)` or `count(q, m(1, _))`, if one stands here: in an expression no other
    /// name has a parenthesis behind it.
    pub(super) fn messages(&mut self, first: usize) -> Parsed<Option<Expr>> {
        let asked = self.temporal && self.is_punct_at(1, "(");
        match self.peek().filter(|_| asked).map(|token| token.text.as_str()) {
            Some("head") => self.head(first).map(Some),
            Some("count") => self.count_messages(first).map(Some),
            _ => Ok(None),
        }
    }

    fn head(&mut self, first: usize) -> Parsed<Expr> {
        const HELP: &str = "write head(q) == m or head(q) == m(1, _)";
        self.at += 2;
        let queue = self.reference("channel")?;
        self.expect(")", HELP)?;
        let denied = self.at_punct("!=");
        if !denied && !self.at_punct("==") {
            return Err(self.unexpected("`==` or `!=`", HELP));
        }
        self.at += 1;
        let patterns = self.message_kind()?;
        let kind = ExprKind::Messages { queue, patterns, head: true };
        let span = self.since(first);
        let head = Expr { span, kind, height: 2 };
        Ok(match denied {
            true => Expr { span, kind: ExprKind::Unary(UnaryOp::Not, Box::new(head)), height: 3 },
            false => head,
        })
    }

    fn count_messages(&mut self, first: usize) -> Parsed<Expr> {
        const HELP: &str = "write count(q, m) or count(q, m(1, _))";
        self.at += 2;
        let queue = self.reference("channel")?;
        self.expect(",", HELP)?;
        let patterns = self.message_kind()?;
        self.expect(")", HELP)?;
        let kind = ExprKind::Messages { queue, patterns, head: false };
        Ok(Expr { span: self.since(first), kind, height: 2 })
    }
}
