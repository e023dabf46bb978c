//! The outermost level: declarations, proctypes, claims.

use super::statement::At;
use super::{Parsed, Parser, Reported};
use crate::tree::{Body, Constants, Expr, Item, Proctype, Typedef, Word};
use base::{Diagnostic, Name, Span, nearest};
use preprocess::TokenKind;

/// Words that begin an item.
const ITEMS: &str = "proctype D_proctype active init never trace notrace ltl typedef inline mtype \
                     chan byte int bool";

impl Parser<'_> {
    pub(super) fn items(&mut self) {
        while self.peek().is_some() {
            if self.at_separator() {
                self.at += 1;
                continue;
            }
            let before = self.at;
            self.parentheses = 0;
            self.temporal = false;
            if self.item().is_err() {
                self.tree.broken = true;
                self.at = self.at.max(before + 1);
                self.recover_item();
            }
            self.depth = 0;
        }
    }

    fn item(&mut self) -> Parsed<()> {
        let Some(token) = self.peek() else { return Ok(()) };
        let item = match token.text.clone().as_str() {
            _ if token.kind != TokenKind::Word => return Err(self.stray()),
            "active" | "proctype" | "D_proctype" => Item::Proctype(Box::new(self.proctype()?)),
            "init" => Item::Proctype(Box::new(self.init()?)),
            "never" => self.never()?,
            "trace" => self.trace(false)?,
            "notrace" => self.trace(true)?,
            "ltl" => self.ltl()?,
            "typedef" => self.typedef()?,
            "inline" => return self.inline(),
            "c_code" | "c_decl" | "c_state" | "c_track" | "c_expr" => {
                self.embedded_c();
                return Ok(());
            }
            "mtype" if self.at_constants() => self.constants()?,
            // `proctpye P(`
            _ if self.is_name_at(0) && self.is_punct_at(2, "(") => return Err(self.stray()),
            _ if self.at_declaration() => Item::Declaration(self.declaration()?),
            _ => return Err(self.stray()),
        };
        self.tree.items.push(item);
        Ok(())
    }

    /// Something that begins no item.
    fn stray(&mut self) -> Reported {
        let text = self.peek().map_or(Name::new(""), |token| token.text.clone());
        let names: Vec<Name> = ITEMS.split(' ').map(Name::new).collect();
        let help = match nearest(&text, &names) {
            Some(name) if text.len() > 2 => format!("did you mean `{name}`?"),
            _ => "statements stand inside proctypes; outside are only declarations, proctype, \
                  init, never, trace, ltl, typedef and inline"
                .to_owned(),
        };
        let message = format!("`{text}` does not begin a declaration");
        let found = Diagnostic::error("M0002", self.here(), message)
            .label("outside all proctypes")
            .help(help);
        self.report(found)
    }

    /// Skips to the next item, or past what looks like the end of this one.
    fn recover_item(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            let begins_item = ITEMS.split(' ').any(|item| token.text.as_str() == item);
            if self.at_definition() || (depth == 0 && token.line_start && begins_item) {
                break;
            }
            let text = token.text.clone();
            self.at += 1;
            match text.as_str() {
                "{" => depth += 1,
                "}" if depth <= 1 => break,
                "}" => depth -= 1,
                ";" if depth == 0 => break,
                _ => {}
            }
        }
    }

    /// What never stands inside a body, so it ends whatever was left open.
    pub(super) fn at_definition(&self) -> bool {
        let Some(token) = self.peek() else { return false };
        match token.text.as_str() {
            "proctype" | "D_proctype" | "inline" | "typedef" => self.is_name_at(1),
            "active" => {
                self.is_word_at(1, "proctype")
                    || self.is_word_at(1, "D_proctype")
                    || self.is_punct_at(1, "[")
            }
            "init" | "never" | "trace" | "notrace" => self.is_punct_at(1, "{"),
            "ltl" => self.is_punct_at(1, "{") || self.is_punct_at(2, "{"),
            _ => false,
        }
    }

    fn proctype(&mut self) -> Parsed<Proctype> {
        const HELP: &str = "write proctype NAME(byte a, b; chan c) { statements }";
        let active = if self.eat_word("active") { Some(self.instances()?) } else { None };
        let span = self.here();
        let deterministic = self.at_word("D_proctype");
        if !deterministic && !self.at_word("proctype") {
            return Err(self.unexpected("`proctype`", HELP));
        }
        self.at += 1;
        let name = self.name("proctype")?;
        self.expect("(", HELP)?;
        let parameters = self.parameters()?;
        let priority = self.priority()?;
        let provided = self.provided()?;
        let priority = if priority.is_none() { self.priority()? } else { priority };
        let body = self.body(span, HELP)?;
        Ok(Proctype { name, active, deterministic, parameters, priority, provided, body })
    }

    /// `[n]` behind `active`.
    fn instances(&mut self) -> Parsed<Option<Expr>> {
        if !self.eat("[") {
            return Ok(None);
        }
        let count = self.expression()?;
        self.expect("]", "write active [n] proctype P()")?;
        Ok(Some(count))
    }

    fn priority(&mut self) -> Parsed<Option<Expr>> {
        if !self.eat_word("priority") {
            return Ok(None);
        }
        self.expression().map(Some)
    }

    fn provided(&mut self) -> Parsed<Option<Expr>> {
        const HELP: &str = "write provided (condition)";
        if !self.eat_word("provided") {
            return Ok(None);
        }
        self.expect("(", HELP)?;
        self.inside(")", HELP, Self::expression).map(Some)
    }

    fn init(&mut self) -> Parsed<Proctype> {
        let span = self.here();
        self.at += 1;
        let priority = self.priority()?;
        let body = self.body(span, "write init { statements }")?;
        let name = Word { name: Name::new("init"), span };
        Ok(Proctype {
            name,
            active: Some(None),
            deterministic: false,
            parameters: Vec::new(),
            priority,
            provided: None,
            body,
        })
    }

    fn body(&mut self, span: Span, help: &str) -> Parsed<Body> {
        self.skip_separators();
        if !self.at_punct("{") {
            return Err(self.unexpected("`{`", help));
        }
        Ok(Body { span, steps: self.braced(At::Body)? })
    }

    fn never(&mut self) -> Parsed<Item> {
        let span = self.here();
        self.at += 1;
        let name = if self.is_name_at(0) { Some(self.name("claim")?) } else { None };
        let span = name.as_ref().map_or(span, |name| name.span);
        Ok(Item::Never(name, self.body(span, "write never NAME { statements }")?))
    }

    fn trace(&mut self, forbidden: bool) -> Parsed<Item> {
        let span = self.here();
        self.at += 1;
        let body = self.body(span, "write trace { sends and receives }")?;
        Ok(Item::Trace { forbidden, body })
    }

    fn typedef(&mut self) -> Parsed<Item> {
        const HELP: &str = "write typedef NAME { byte a; int b[3] }";
        self.at += 1;
        let name = self.name("type")?;
        self.expect("{", HELP)?;
        let mut fields = Vec::new();
        loop {
            self.skip_separators();
            if self.at_punct("}") || self.peek().is_none() {
                break;
            }
            if !self.at_declaration() {
                return Err(self.unexpected("the type of a field", HELP));
            }
            fields.push(self.declaration()?);
            let new_line = self.peek().is_some_and(|token| token.line_start);
            if !self.at_separator() && !self.at_punct("}") && !new_line {
                return Err(self.unexpected("`;`", HELP));
            }
        }
        self.expect("}", HELP)?;
        Ok(Item::Typedef(Typedef { name, fields }))
    }

    /// `mtype = {`, `mtype {`, `mtype:set = {`, `mtype:set {`.
    fn at_constants(&self) -> bool {
        let from = if self.is_punct_at(1, ":") { 3 } else { 1 };
        self.is_punct_at(from, "{")
            || (self.is_punct_at(from, "=") && self.is_punct_at(from + 1, "{"))
    }

    fn constants(&mut self) -> Parsed<Item> {
        const HELP: &str = "write mtype = { name, name }";
        self.at += 1;
        let set = if self.eat(":") { Some(self.name("mtype")?) } else { None };
        self.eat("=");
        self.expect("{", HELP)?;
        let mut names = Vec::new();
        while !self.at_punct("}") {
            names.push(self.name("constant")?);
            // Commas are optional, and one may be repeated.
            while self.eat(",") {}
        }
        self.expect("}", HELP)?;
        Ok(Item::Constants(Constants { set, names }))
    }
}
