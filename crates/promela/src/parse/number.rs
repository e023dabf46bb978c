//! Numbers and characters.

use super::{Parsed, Parser};
use base::Diagnostic;

impl Parser<'_> {
    /// The value of the number that stands here.
    pub(super) fn number(&mut self) -> Parsed<i32> {
        let Some(token) = self.peek() else { return Err(self.unexpected("a number", "")) };
        let (text, span) = (token.text.clone(), token.span);
        let value = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => {
                let value = i64::from_str_radix(digits, 16).ok();
                if value.is_some() {
                    let help = "write it in decimal; SPIN reads no other numbers";
                    self.remark("N0001", span, "SPIN refuses hexadecimal numbers", help);
                }
                value
            }
            None => text.parse::<i64>().ok(),
        };
        match value {
            Some(value) if value <= i64::from(u32::MAX) => {
                self.at += 1;
                // As SPIN does: what fits 32 bits without sign is taken modulo 2^32.
                Ok(value as i32)
            }
            _ => Err(self.not_a_number(&text)),
        }
    }

    fn not_a_number(&mut self, text: &str) -> super::Reported {
        let large = text.bytes().all(|byte| byte.is_ascii_digit());
        let label = if large { "does not fit 32 bits" } else { "digits and letters mixed" };
        let found = Diagnostic::error("M0029", self.here(), format!("`{text}` is not a number"))
            .label(label)
            .help("write decimal digits only, at most 2147483647; names begin with a letter");
        self.report(found)
    }

    /// The value of the character that stands here.
    pub(super) fn character(&mut self) -> i32 {
        let text = self.peek().map(|token| token.text.clone());
        self.at += 1;
        let mut letters = text.as_deref().unwrap_or("").chars().skip(1);
        let value = match letters.next() {
            Some('\\') => match letters.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('f') => '\u{c}',
                Some(other) => other,
                None => '\\',
            },
            Some(letter) => letter,
            None => '\0',
        };
        u32::from(value) as i32
    }
}
