//! The value of an `#if` expression: C's integer operators over 64 bits with
//! sign. `defined` and macros are gone already; a word that is left counts as 0.

use crate::token::{Token, TokenKind};
use base::{Diagnostic, Span};

/// Parentheses and prefix operators inside each other; the evaluator recurses.
const DEPTH_MAX: usize = 100;

/// The value of `tokens`; `at` is the directive, for an expression that is missing.
pub(crate) fn value(tokens: &[Token], at: Span) -> Result<i64, Diagnostic> {
    let mut reader = Reader { tokens, next: 0, at, depth: 0, ignored: 0 };
    let value = reader.choice()?;
    match reader.peek() {
        None => Ok(value),
        Some(token) => Err(reader.unexpected(token)),
    }
}

struct Reader<'a> {
    tokens: &'a [Token],
    next: usize,
    at: Span,
    depth: usize,
    /// Operands around this place whose value does not matter: a division by
    /// zero in them is no error.
    ignored: usize,
}

/// Binary operators by strength, the loosest first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.next)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.is_punct(text));
        self.next += usize::from(found);
        found
    }

    fn unexpected(&self, token: &Token) -> Diagnostic {
        let message = format!("`{}` is not expected in this `#if` expression", token.text);
        Diagnostic::error("P0008", token.span, message)
            .help("numbers, `defined NAME`, parentheses and C's integer operators can stand here")
    }

    fn missing(&self) -> Diagnostic {
        let last = self.tokens.last().map_or(self.at, |token| token.span);
        Diagnostic::error("P0008", last.after(), "the `#if` expression is not complete")
            .label("a value is missing here")
            .help("write for instance `#if defined(NAME) && SIZE > 2`")
    }

    /// What is wrong where something else must stand.
    fn wrong(&self) -> Diagnostic {
        self.peek().map_or_else(|| self.missing(), |token| self.unexpected(token))
    }

    /// `a ? b : c`, and everything tighter.
    fn choice(&mut self) -> Result<i64, Diagnostic> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            let message = format!("this `#if` expression is nested more than {DEPTH_MAX} deep");
            return Err(Diagnostic::error("P0008", self.at, message).help("split it into several"));
        }
        let condition = self.binary(0)?;
        let value = if self.eat("?") {
            let yes = self.operand(condition == 0, Self::choice)?;
            if !self.eat(":") {
                return Err(self.wrong());
            }
            let no = self.operand(condition != 0, Self::choice)?;
            if condition != 0 { yes } else { no }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, level: usize) -> Result<i64, Diagnostic> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(token) = self.peek() {
            let found = operators.iter().find(|operator| token.is_punct(operator));
            let Some(operator) = found else { break };
            self.next += 1;
            let decided = match *operator {
                "||" => left != 0,
                "&&" => left == 0,
                _ => false,
            };
            let right = self.operand(decided, |reader| reader.binary(level + 1))?;
            left = match apply(operator, left, right) {
                Some(value) => value,
                None if self.ignored > 0 => 0,
                None => {
                    let message = "division by zero in an `#if` expression";
                    return Err(Diagnostic::error("P0008", token.span, message)
                        .help("test the divisor first: `#if N && M / N > 2`"));
                }
            };
        }
        Ok(left)
    }

    fn operand(
        &mut self,
        ignored: bool,
        read: impl Fn(&mut Self) -> Result<i64, Diagnostic>,
    ) -> Result<i64, Diagnostic> {
        self.ignored += usize::from(ignored);
        let value = read(self);
        self.ignored -= usize::from(ignored);
        value
    }

    fn unary(&mut self) -> Result<i64, Diagnostic> {
        let Some(token) = self.peek() else { return Err(self.missing()) };
        self.next += 1;
        let prefix = ["-", "+", "!", "~"].into_iter().find(|sign| token.is_punct(sign));
        if let Some(sign) = prefix {
            return self.prefixed(sign);
        }
        match token.kind {
            TokenKind::Word => Ok(0),
            TokenKind::Number => number(token),
            TokenKind::Char => {
                Ok(token.text.chars().nth(1).map_or(0, |letter| i64::from(u32::from(letter))))
            }
            _ if token.is_punct("(") => {
                let value = self.choice()?;
                if self.eat(")") {
                    return Ok(value);
                }
                Err(self.wrong())
            }
            _ => Err(self.unexpected(token)),
        }
    }

    fn prefixed(&mut self, sign: &str) -> Result<i64, Diagnostic> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.missing());
        }
        let value = self.unary()?;
        self.depth -= 1;
        Ok(match sign {
            "-" => value.wrapping_neg(),
            "!" => i64::from(value == 0),
            "~" => !value,
            _ => value,
        })
    }
}

fn apply(operator: &str, x: i64, y: i64) -> Option<i64> {
    Some(match operator {
        "||" => i64::from(x != 0 || y != 0),
        "&&" => i64::from(x != 0 && y != 0),
        "|" => x | y,
        "^" => x ^ y,
        "&" => x & y,
        "==" => i64::from(x == y),
        "!=" => i64::from(x != y),
        "<" => i64::from(x < y),
        "<=" => i64::from(x <= y),
        ">" => i64::from(x > y),
        ">=" => i64::from(x >= y),
        "<<" => x.wrapping_shl(y as u32),
        ">>" => x.wrapping_shr(y as u32),
        "+" => x.wrapping_add(y),
        "-" => x.wrapping_sub(y),
        "*" => x.wrapping_mul(y),
        "/" if y != 0 => x.wrapping_div(y),
        "%" if y != 0 => x.wrapping_rem(y),
        _ => return None,
    })
}

/// Decimal, `0x` or octal, as in C, with C's suffixes.
pub(crate) fn number(token: &Token) -> Result<i64, Diagnostic> {
    let digits = token.text.trim_end_matches(['u', 'U', 'l', 'L']);
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let value = match hexadecimal {
        Some(digits) => i64::from_str_radix(digits, 16),
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8),
        None => digits.parse(),
    };
    value.map_err(|_| {
        let message = format!("`{}` is not a number of 64 bits", token.text);
        Diagnostic::error("P0008", token.span, message)
            .help("write a decimal, octal (017) or hexadecimal (0xf) number")
    })
}
