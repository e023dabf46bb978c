//! The text of `printf`.

use super::Lowerer;
use crate::tree;
use base::{Diagnostic, Span};
use program::{Expr, PrintPart};

impl Lowerer {
    pub(super) fn printf(
        &mut self,
        format: &str,
        span: Span,
        values: &[tree::Expr],
    ) -> Vec<PrintPart> {
        let values: Vec<Expr> = values.iter().map(|value| self.value(value)).collect();
        let mut values = values.into_iter();
        let mut parts = Vec::new();
        let mut plain = String::new();
        let inside = format.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let mut letters = inside.unwrap_or(format).chars();
        let mut missing = false;
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => plain.push(escape(letters.next())),
                '%' => match letters.next() {
                    Some('%') | None => plain.push('%'),
                    Some(kind) => match part(kind) {
                        Some(make) => {
                            flush(&mut plain, &mut parts);
                            missing |= values.len() == 0;
                            parts.extend(values.next().map(make));
                        }
                        None => plain.extend(['%', kind]),
                    },
                },
                other => plain.push(other),
            }
        }
        flush(&mut plain, &mut parts);
        if missing {
            let found = Diagnostic::warning("N0017", span, "the text asks for more values")
                .label("one value per %d, %u, %x, %o, %c and %e; nothing is printed for the others")
                .help("add the values behind the text, or write %% for a percent sign");
            self.report(found);
        }
        parts
    }
}

fn flush(plain: &mut String, parts: &mut Vec<PrintPart>) {
    if !plain.is_empty() {
        parts.push(PrintPart::Text(std::mem::take(plain)));
    }
}

fn escape(letter: Option<char>) -> char {
    match letter {
        Some('n') => '\n',
        Some('t') => '\t',
        Some('r') => '\r',
        Some(other) => other,
        None => '\\',
    }
}

fn part(kind: char) -> Option<fn(Expr) -> PrintPart> {
    Some(match kind {
        'd' | 'i' => PrintPart::Decimal,
        'u' => PrintPart::Unsigned,
        'x' => PrintPart::Hexadecimal,
        'o' => PrintPart::Octal,
        'c' => PrintPart::Character,
        'e' => PrintPart::Symbol,
        _ => return None,
    })
}
