//! Variables, types and channels.

use super::{Parsed, Parser};
use crate::tree::{Declaration, Declarator, Initial, TypeName};

/// Words that begin a declaration, besides the names of structures.
const TYPES: [&str; 9] =
    ["bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan"];
const VISIBILITY: [&str; 3] = ["hidden", "show", "local"];

/// Whether this word begins a declaration, whatever follows.
pub(super) fn begins(token: &super::Lexeme) -> bool {
    let word = token.text.as_str();
    TYPES.contains(&word) || VISIBILITY.contains(&word)
}

impl Parser<'_> {
    /// A type, or two names in a row: a structure and its variable.
    pub(super) fn at_declaration(&self) -> bool {
        let Some(token) = self.peek() else { return false };
        begins(token)
            || (self.is_name_at(0) && self.is_name_at(1) && !self.tokens[self.at + 1].line_start)
    }

    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let mut hidden = false;
        while self.peek().is_some_and(|token| VISIBILITY.contains(&token.text.as_str())) {
            hidden |= self.at_word("hidden");
            self.at += 1;
        }
        let of = self.type_name()?;
        let mut variables = vec![self.declarator()?];
        while self.at_punct(",") && !self.parameter_follows() {
            self.at += 1;
            variables.push(self.declarator()?);
        }
        Ok(Declaration { hidden, of, variables })
    }

    /// `, byte b`: a comma where SPIN wants a semicolon.
    fn parameter_follows(&self) -> bool {
        let next = self.tokens.get(self.at + 1);
        next.is_some_and(|token| TYPES.contains(&token.text.as_str()))
            || (self.is_name_at(1) && self.is_name_at(2) && !self.tokens[self.at + 2].line_start)
    }

    fn type_name(&mut self) -> Parsed<TypeName> {
        let text = self.peek().map(|token| token.text.clone());
        let known = match text.as_deref().unwrap_or("") {
            "bit" => TypeName::Bit,
            "bool" => TypeName::Bool,
            "byte" => TypeName::Byte,
            "pid" => TypeName::Pid,
            "short" => TypeName::Short,
            "int" => TypeName::Int,
            "unsigned" => TypeName::Unsigned,
            "chan" => TypeName::Chan,
            "mtype" => {
                self.at += 1;
                let set = if self.eat(":") { Some(self.name("mtype")?) } else { None };
                return Ok(TypeName::Mtype(set));
            }
            _ => return Ok(TypeName::User(self.name("type")?)),
        };
        self.at += 1;
        Ok(known)
    }

    fn declarator(&mut self) -> Parsed<Declarator> {
        let first = self.at;
        let name = self.name("variable")?;
        let width = if self.eat(":") { Some(self.expression()?) } else { None };
        let length = if self.eat("[") {
            let length = self.expression()?;
            self.expect("]", "close the length of the array with `]`")?;
            Some(length)
        } else {
            None
        };
        let initial = if self.eat("=") { Some(self.initial()?) } else { None };
        Ok(Declarator { name, width, length, initial, span: self.since(first) })
    }

    fn initial(&mut self) -> Parsed<Initial> {
        if self.eat("{") {
            let values = self.list("}", Self::expression)?;
            self.expect("}", "write the values of the array as { 1, 2, 3 }")?;
            return Ok(Initial::List(values));
        }
        if self.at_punct("[") {
            return self.channel();
        }
        Ok(Initial::Value(self.expression()?))
    }

    /// `[n] of { byte, chan }`
    fn channel(&mut self) -> Parsed<Initial> {
        const HELP: &str = "write chan q = [slots] of { type, type }";
        self.at += 1;
        let capacity = self.expression()?;
        self.expect("]", HELP)?;
        if !self.eat_word("of") {
            return Err(self.unexpected("`of`", HELP));
        }
        self.expect("{", HELP)?;
        let mut fields = vec![self.type_name()?];
        while self.eat(",") {
            fields.push(self.type_name()?);
        }
        self.expect("}", HELP)?;
        Ok(Initial::Channel { capacity, fields })
    }

    /// `(byte a, b; bit c)`; the caller has taken the parenthesis.
    pub(super) fn parameters(&mut self) -> Parsed<Vec<Declaration>> {
        const HELP: &str = "write the parameters as (byte a, b; chan c)";
        let mut parameters = Vec::new();
        while self.eat(";") {}
        while !self.at_punct(")") {
            if !self.at_declaration() {
                return Err(self.unexpected("the type of a parameter", HELP));
            }
            parameters.push(self.declaration()?);
            if self.at_punct(",") {
                let help = "separate parameters of different types by `;`";
                let message = "SPIN refuses a type behind a comma";
                self.remark("N0003", self.here(), message, help);
                self.at += 1;
            } else if !self.at_punct(")") {
                self.expect(";", HELP)?;
            }
        }
        self.expect(")", HELP)?;
        Ok(parameters)
    }
}
