//! `channel ...;` and `var ...;`. Their numbers are constants and are worked out
//! here, for no later stage needs their expressions.

use super::{Parsed, Parser, Reported, constant};
use crate::tree::{Channel, Declaration, Expr, Initial, Variable};
use base::{Diagnostic, Span};
use model::cut;
use preprocess::TokenKind;

/// Slots of one channel.
const CAPACITY_MAX: u32 = 4096;

impl Parser<'_> {
    /// A declaration, its word still to be read, up to and with its `;`.
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let word = self.take().expect("a declaration begins with its word");
        let declaration = match word.text.as_str() {
            "channel" | "queue" => Declaration::Channels(self.list(Self::channel)?),
            _ => Declaration::Variables(self.list(Self::variable)?),
        };
        if !self.at_separator() {
            let message = "`;` is missing behind a declaration";
            let found = Diagnostic::error("A0003", self.last().after(), message)
                .label("expected `;` here")
                .help("end each declaration with `;`, separate names by `,`");
            self.report(found);
            if !self.at_sequence_end() && !self.at_declaration() && !self.is_name_at(0) {
                self.recover();
            }
        }
        Ok(declaration)
    }

    /// Elements with commas between them; fails only when a name is missing.
    fn list<T>(&mut self, element: fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut list = vec![element(self)?];
        while self.eat(",") {
            list.push(element(self)?);
        }
        Ok(list)
    }

    /// After an error inside brackets or braces: goes on behind them, or where
    /// the declaration ends.
    fn skip_past(&mut self, close: &str) {
        while self.peek().is_some() && !self.at_punct(";") && !self.at_definition() {
            let closed = self.at_punct(close);
            self.at += 1;
            if closed {
                break;
            }
        }
        self.reported_at = Some(self.at);
    }

    /// After an error in an initial value: goes on behind it.
    fn skip_value(&mut self) {
        let ends = [",", ";", "}"];
        while self.peek().is_some()
            && !self.at_definition()
            && !ends.iter().any(|end| self.at_punct(end))
        {
            self.at += 1;
        }
    }

    fn variable(&mut self) -> Parsed<Variable> {
        let name = self.name("variable")?;
        if self.at_punct("[") {
            let message = format!("`{}` cannot be an array", name.name);
            let found = Diagnostic::error("A0036", self.here(), message)
                .label("a variable holds one number")
                .help("declare one variable per element");
            self.report(found);
            self.skip_value();
        }
        let mut initial = 0;
        if self.eat("=") {
            initial = self.constant("an initial value").unwrap_or_else(|Reported| {
                self.skip_value();
                0
            });
        }
        Ok(Variable { name, initial: cut(initial) })
    }

    fn channel(&mut self) -> Parsed<Channel> {
        let name = self.name("channel")?;
        let mut channel = Channel { name, capacity: None, initial: Vec::new() };
        if self.eat("[") {
            let capacity = self.capacity(&channel.name.name);
            channel.capacity = capacity.inspect_err(|_| self.skip_past("]")).ok();
        }
        if self.eat("=") && self.contents(&mut channel).is_err() {
            self.skip_past("}");
        }
        Ok(channel)
    }

    /// The number in `[2]`; one out of range was reported and counts as 1.
    fn capacity(&mut self, name: &str) -> Parsed<u32> {
        let first = self.here();
        let literal =
            self.peek().filter(|token| token.kind == TokenKind::Number && self.is_punct_at(1, "]"));
        let value = match literal {
            Some(token) => {
                self.at += 1;
                token.text.parse().unwrap_or(i64::MAX)
            }
            None if self.at_punct("]") => {
                return Err(self
                    .unexpected("the number of slots", format!("write for instance `{name}[2]`")));
            }
            None => i64::from(self.constant("a capacity")?),
        };
        let span = self.since(first);
        self.expect("]", "close the capacity with `]`")?;
        Ok(self.check_capacity(name, span, value))
    }

    fn check_capacity(&mut self, name: &str, span: Span, value: i64) -> u32 {
        if let Ok(slots @ 1..=CAPACITY_MAX) = u32::try_from(value) {
            return slots;
        }
        let (message, help) = if value == 0 {
            let message = format!("channel `{name}` has no slot");
            (
                message,
                "every message waits in a slot before it is received; write at least 1".to_owned(),
            )
        } else {
            let message = format!("the capacity of channel `{name}` is out of range");
            (message, format!("write a number from 1 to {CAPACITY_MAX}"))
        };
        self.diagnostics
            .push(Diagnostic::error("A0020", span, message).label("number of slots").help(help));
        1
    }

    /// `{ m1, m2(3) }`
    fn contents(&mut self, channel: &mut Channel) -> Parsed<()> {
        self.expect("{", "write the first messages as `= { m1, m2(3) }`, or `= { }`")?;
        while !self.at_punct("}") {
            let message = self.initial()?;
            channel.initial.push(message);
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}", "separate messages by `,` and close the list with `}`")?;
        let name = &channel.name.name;
        let over = channel.capacity.and_then(|slots| channel.initial.get(slots as usize));
        if let (Some(first), Some(slots)) = (over, channel.capacity) {
            let count = channel.initial.len();
            let plural = if slots == 1 { "" } else { "s" };
            let message = format!(
                "channel `{name}` begins with {count} messages but has {slots} slot{plural}"
            );
            let found = Diagnostic::error("A0021", first.message.span, message)
                .label("no slot for this one")
                .other(channel.name.span, format!("declared with {slots} slot{plural}"))
                .help(format!("write `{name}[{count}]`, or fewer messages"));
            self.diagnostics.push(found);
        }
        Ok(())
    }

    fn initial(&mut self) -> Parsed<Initial> {
        let message = self.message("a channel cannot hold it")?;
        let mut value = None;
        if self.eat("(") {
            value = Some(cut(self.constant("the value of a message in a channel")?));
            self.expect(")", "a message carries one value: `m(3)`")?;
        }
        Ok(Initial { message, value })
    }

    /// A constant expression.
    pub(super) fn constant(&mut self, what: &str) -> Parsed<i32> {
        let expr = self.expression()?;
        self.evaluate(&expr, what)
    }

    /// The value of `expr`, which must be known now.
    pub(super) fn evaluate(&mut self, expr: &Expr, what: &str) -> Parsed<i32> {
        constant::value(expr).map_err(|fault| {
            let Some(fault) = fault else { return Reported };
            let message = format!("{what} must be a constant");
            let found = Diagnostic::error("A0031", fault.span, message)
                .label(fault.reason)
                .help("write a number, or a macro that stands for one");
            self.report(found)
        })
    }
}
