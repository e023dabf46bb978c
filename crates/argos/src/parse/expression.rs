//! Expressions, by strength of their operators.

use super::formula::Chain;
use super::{Parsed, Parser, Reported};
use crate::tree::{Expr, ExprKind};
use base::{Diagnostic, Span, TemporalOp};
use model::{BinaryOp, UnaryOp};
use preprocess::{Token, TokenKind};

/// Operators in a row lean to the left, a thousand of them a thousand deep; the
/// stages behind recurse over them.
const HEIGHT_MAX: usize = 1000;

const HELP: &str =
    "an expression has numbers, variables, parentheses, - ! * / % + - < <= > >= == != && ||";

/// What joins two operands.
#[derive(Clone, Copy)]
enum Join {
    Binary(BinaryOp),
    Temporal(TemporalOp),
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.binary(0)
    }

    /// An operator that joins what stands before with what follows; `+%` does not.
    pub(super) fn operator(&self) -> Option<BinaryOp> {
        let token = self.peek().filter(|token| token.kind == TokenKind::Punct)?;
        let cycle = token.is_punct("+") && self.is_punct_at(1, "%");
        BinaryOp::from_symbol(&token.text).filter(|op| !cycle && !op.is_bitwise())
    }

    /// What stands here to join two operands, its strength and how many tokens it takes.
    fn join(&self) -> Option<(Join, u8, usize)> {
        if let Some((op, tokens)) = self.temporal_infix() {
            return Some((Join::Temporal(op), op.strength(), tokens));
        }
        // The next formula of a list begins.
        if self.temporal && self.at_pair("<", ">") {
            return None;
        }
        self.operator().map(|op| (Join::Binary(op), op.strength(), 1))
    }

    /// Operators at least as strong as `least`.
    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        self.descend("expressions")?;
        let expr = self.prefix().and_then(|left| self.operators(left, least));
        self.depth -= 1;
        expr
    }

    /// Goes on with an expression whose first operand is read already.
    pub(super) fn operators(&mut self, mut left: Expr, least: u8) -> Parsed<Expr> {
        let mut chain = Chain::default();
        while let Some((join, strength, tokens)) = self.join().filter(|(_, it, _)| *it >= least) {
            self.at += tokens;
            let right = self.binary(strength + 1)?;
            let height = left.height.max(right.height) + 1;
            if height > HEIGHT_MAX {
                return Err(self.too_long(left.span));
            }
            let span = self.sources.cover(left.span, right.span);
            let temporal = if let Join::Temporal(op) = join { Some(op) } else { None };
            self.link(&mut chain, temporal, (left.span, right.span));
            if let Join::Binary(op) = join {
                self.denied_side(&left, op, right.span);
            }
            let kind = match join {
                Join::Binary(op) => ExprKind::Binary(op, Box::new(left), Box::new(right)),
                Join::Temporal(op) => ExprKind::Temporal(op, vec![left, right]),
            };
            left = Expr { span, kind, height };
        }
        self.end_chain(chain);
        if self.at_punct("=") {
            return Err(self.assignment_inside());
        }
        self.formula_ends()?;
        Ok(left)
    }

    fn too_long(&mut self, span: Span) -> Reported {
        let message = format!("more than {HEIGHT_MAX} operators in a row");
        let found =
            Diagnostic::error("A0029", span, message).help("compute it in several assignments");
        self.report(found)
    }

    fn assignment_inside(&mut self) -> Reported {
        let found = Diagnostic::error("A0032", self.here(), "`=` inside an expression")
            .label("an assignment has no value")
            .help("write `==` to compare, or assign in a statement of its own");
        self.report(found)
    }

    pub(super) fn prefix(&mut self) -> Parsed<Expr> {
        if let Some(formula) = self.temporal_unary()? {
            return Ok(formula);
        }
        let first = self.here();
        let op = if self.at_punct("-") {
            UnaryOp::Negate
        } else if self.at_punct("!") {
            UnaryOp::Not
        } else {
            return self.primary();
        };
        self.at += 1;
        let literal = self.peek().filter(|token| token.kind == TokenKind::Number);
        if let (UnaryOp::Negate, Some(token)) = (op, literal) {
            return self.number(first, token, true);
        }
        self.descend("expressions")?;
        let operand = self.prefix();
        self.depth -= 1;
        let operand = operand?;
        let height = operand.height + 1;
        Ok(Expr { span: self.since(first), kind: ExprKind::Unary(op, Box::new(operand)), height })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let first = self.here();
        let Some(token) = self.peek() else { return Err(self.unexpected("an expression", HELP)) };
        match token.kind {
            TokenKind::Number => self.number(first, token, false),
            TokenKind::Word if self.is_name_at(0) => {
                if let Some(look) = self.look()? {
                    return Ok(look);
                }
                self.at += 1;
                let word = token.word();
                if self.at_punct("[") {
                    return Err(self.indexed(&word.name));
                }
                Ok(Expr { span: word.span, kind: ExprKind::Variable(word.name), height: 1 })
            }
            _ if self.eat("(") => {
                self.parentheses += 1;
                let inner = self.expression()?;
                self.expect(")", HELP)?;
                self.parentheses -= 1;
                Ok(Expr { span: self.since(first), ..inner })
            }
            _ => Err(self.unexpected("an expression", HELP)),
        }
    }

    /// A literal, from -32768 to 32767.
    fn number(&mut self, first: Span, token: &Token, negative: bool) -> Parsed<Expr> {
        self.at += 1;
        let span = self.since(first);
        let magnitude = magnitude(&token.text);
        let most = if negative { 32768 } else { 32767 };
        let kind = match magnitude {
            Some(value) if value <= most => {
                ExprKind::Number(if negative { -(value as i32) } else { value as i32 })
            }
            Some(_) => {
                let sign = if negative { "-" } else { "" };
                let message = format!("{sign}{} does not fit into 16 bits", token.text);
                let found = Diagnostic::error("A0019", span, message)
                    .label("out of range")
                    .help("numbers run from -32768 to 32767");
                self.diagnostics.push(found);
                ExprKind::Broken
            }
            None => {
                let message = format!("`{}` is not a number", token.text);
                let found = Diagnostic::error("A0034", span, message).help(
                    "write decimal digits, or 0x and hexadecimal ones; names begin with a letter",
                );
                self.diagnostics.push(found);
                ExprKind::Broken
            }
        };
        Ok(Expr { span, kind, height: 1 })
    }
}

/// The value of decimal or `0x` digits, as much as fits.
fn magnitude(text: &str) -> Option<u32> {
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix) = hexadecimal.map_or((text, 10), |digits| (digits, 16));
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    Some(u32::from_str_radix(digits, radix).unwrap_or(u32::MAX))
}
