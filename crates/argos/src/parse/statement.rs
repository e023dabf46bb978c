//! Statements and sequences of them.

use super::{Opener, Parsed, Parser, Reported};
use crate::tree::{Expr, ExprKind, Stmt, StmtKind, Word};
use base::{Diagnostic, Name, Span};
use model::BinaryOp;
use preprocess::{Token, TokenKind};

/// Statements of other languages, and what Argos has instead.
const FOREIGN: [(&str, &str); 12] = [
    ("while", LOOP),
    ("for", LOOP),
    ("printf", PRINT),
    ("print", PRINT),
    (
        "assert",
        "a condition on all states is an `ltl NAME { [] (condition) }` outside the processes",
    ),
    ("return", RETURN),
    ("int", VARIABLE),
    ("byte", VARIABLE),
    ("bool", VARIABLE),
    ("bit", VARIABLE),
    ("short", VARIABLE),
    ("unsigned", VARIABLE),
];
const LOOP: &str = "a loop is `do :: first :: second od`, and `break` leaves it";
const PRINT: &str = "remove it: Argos prints nothing, a run shows every step";
const RETURN: &str =
    "a procedure brings no value: write `return` alone, and set a variable before it";
const VARIABLE: &str = "a variable is declared by `var NAME`";

/// What to write for a word of other languages.
fn foreign(word: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(foreign, _)| *foreign == word).map(|(_, ours)| *ours)
}

impl Parser<'_> {
    /// Statements up to a closer, an option, a definition or a declaration.
    pub(super) fn sequence(&mut self) -> Vec<Stmt> {
        let mut statements = Vec::new();
        loop {
            self.skip_separators();
            if self.at_sequence_end() || self.at_declaration() {
                return statements;
            }
            let before = self.at;
            statements.push(self.statement());
            self.separator();
            // A token that no rule takes was reported; it must not stop us.
            self.at = self.at.max(before + 1);
        }
    }

    pub(super) fn at_sequence_end(&self) -> bool {
        self.peek().is_none()
            || self.at_punct("}")
            || self.at_punct("::")
            || self.at_word("fi")
            || self.at_word("od")
            || self.at_definition()
            || self.at_misspelt()
    }

    /// Between two statements; reported right behind the first.
    fn separator(&mut self) {
        let unbraced_ends = self.open.is_empty() && self.at_declaration();
        if self.at_separator() || self.at_sequence_end() || unbraced_ends {
            return;
        }
        let Some(token) = self.peek() else { return };
        if token.kind == TokenKind::Word || token.is_punct("(") {
            let message = "a separator is missing between two statements";
            let found = Diagnostic::error("A0003", self.last().after(), message)
                .label("expected `;` or `->` here")
                .help(format!("write `;` before `{}`", token.text));
            self.report(found);
        } else {
            self.unexpected("`;` or `->`", "separate statements by `;` or `->`");
            self.recover();
        }
    }

    /// One statement with its labels; a broken one was reported and skipped.
    pub(super) fn statement(&mut self) -> Stmt {
        let mut labels = Vec::new();
        while let Some((label, _)) = self.label() {
            labels.push(label);
        }
        let first = self.here();
        if let Some(last) = labels.last()
            && (self.at_sequence_end() || self.at_separator())
        {
            let span = last.span;
            return Stmt { labels, span, kind: StmtKind::Skip };
        }
        let kind = self.kind().unwrap_or_else(|Reported| {
            self.recover();
            StmtKind::Broken
        });
        let span = match kind {
            StmtKind::If(_) | StmtKind::Do(_) | StmtKind::Broken => first,
            _ => self.since(first),
        };
        Stmt { labels, span, kind }
    }

    fn kind(&mut self) -> Parsed<StmtKind> {
        const HELP: &str =
            "a statement is c!m, c?m, v = e, (e), if, do, skip, break, goto L or a call p()";
        let Some(token) = self.peek() else { return Err(self.unexpected("a statement", HELP)) };
        let simple = match token.text.as_str() {
            "if" => return self.options("if", "fi").map(StmtKind::If),
            "do" => return self.options("do", "od").map(StmtKind::Do),
            "{" => return Ok(self.block()),
            "(" | "-" | "!" => return self.condition(),
            "skip" => StmtKind::Skip,
            "break" => StmtKind::Break,
            "goto" => return self.jump(),
            "else" => return Ok(self.otherwise()),
            "return" if self.ends_at(1) => StmtKind::Return,
            _ if token.kind == TokenKind::Number => return self.condition(),
            _ if self.is_name_at(0) => return self.named(),
            _ => return Err(self.unexpected("a statement", HELP)),
        };
        self.at += 1;
        Ok(simple)
    }

    /// Whether a statement that takes so many more tokens is complete.
    fn ends_at(&mut self, distance: usize) -> bool {
        let here = self.at;
        self.at += distance;
        let ends = self.at_separator() || self.at_sequence_end() || self.at_declaration();
        self.at = here;
        ends
    }

    fn jump(&mut self) -> Parsed<StmtKind> {
        self.at += 1;
        self.name("label").map(StmtKind::Goto)
    }

    fn otherwise(&mut self) -> StmtKind {
        let found = Diagnostic::error("A0017", self.here(), "Argos has no `else`")
            .label("not a statement")
            .help("write the opposite condition, for instance `(x != 0)` beside `(x == 0)`");
        self.report(found);
        self.at += 1;
        StmtKind::Broken
    }

    /// Braces around statements inside a body: not in the language, but clear.
    fn block(&mut self) -> StmtKind {
        let span = self.here();
        let found = Diagnostic::error("A0002", span, "`{` where a statement is expected")
            .label("braces stand around whole bodies only")
            .help("remove the braces; a sequence needs none");
        // Braces inside braces are one mistake.
        if self.open.iter().filter(|opener| opener.text == "{").count() < 2 {
            self.report(found);
        }
        if self.descend("braces").is_err() {
            self.recover();
            return StmtKind::Broken;
        }
        self.at += 1;
        self.open.push(Opener { span, text: "{", close: "}" });
        // Kept as an `if` of one option, so that its names are checked too.
        let inner = self.sequence();
        self.close();
        self.depth -= 1;
        if inner.is_empty() { StmtKind::Broken } else { StmtKind::If(vec![inner]) }
    }

    /// `(e)`, or an expression that lacks its parentheses.
    fn condition(&mut self) -> Parsed<StmtKind> {
        let first = self.at;
        let expr = self.expression()?;
        let closed = self.closing(first) == Some(self.at - 1);
        if !closed {
            self.bare(first, expr.span);
        }
        Ok(StmtKind::Condition(expr))
    }

    /// Where the parenthesis at token `open` is closed.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().take(self.at).skip(open) {
            if token.is_punct("(") {
                depth += 1;
            } else if depth == 0 {
                return None;
            } else if token.is_punct(")") {
                depth -= 1;
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    fn bare(&mut self, first: usize, span: Span) {
        let text = super::text::fold(&self.tokens[first..self.at]);
        let found = Diagnostic::error("A0016", span, "a condition needs parentheses")
            .label("an expression alone is not a statement")
            .help(format!("write `({text})`"));
        self.report_at(first, found);
    }

    /// A statement that begins with a name.
    fn named(&mut self) -> Parsed<StmtKind> {
        let first = self.at;
        let name = self.take().expect("a name was seen here").word();
        let Some(token) = self.peek() else { return Err(self.lonely(first, &name)) };
        match token.text.as_str() {
            _ if token.kind != TokenKind::Punct => Err(self.lonely(first, &name)),
            "!" => self.send(name),
            "?" => self.receive(name),
            "=" => self.assign(name),
            "++" => Ok(self.count(name, BinaryOp::Add)),
            "--" => Ok(self.count(name, BinaryOp::Subtract)),
            "+" if self.is_punct_at(1, "%") => self.cycle(name),
            "-" if self.ends_at(1) => Err(self.half_counted(&name)),
            "(" => self.call(name),
            "[" => Err(self.indexed(&name.name)),
            _ if self.operator().is_some() => self.comparison(first, name),
            _ => Err(self.lonely(first, &name)),
        }
    }

    /// `v-`: print often joins the two signs of `v--`.
    fn half_counted(&mut self, name: &Word) -> Reported {
        let message = format!("`{}-` is not a statement", name.name);
        let found = Diagnostic::error("A0002", self.here(), message)
            .label("nothing is subtracted")
            .help(format!("to subtract one write `{}--`", name.name));
        self.report(found)
    }

    fn lonely(&mut self, first: usize, name: &Word) -> Reported {
        let text = &name.name;
        if text.as_str() == "return" {
            let found = Diagnostic::error("A0042", self.here(), "`return` with a value")
                .label("expected the end of the statement")
                .help(RETURN);
            return self.report_at(first, found);
        }
        let message = format!("`{text}` alone is not a statement");
        let found = Diagnostic::error("A0002", name.span, message).label("what about it?");
        if let Some(ours) = foreign(text) {
            return self.report_at(first, found.help(ours));
        }
        let found = found
            .help(format!("for a channel write `{text}!m` or `{text}?m`"))
            .help(format!("for a variable `({text})` or `{text} = 1`, for a procedure `{text}()`"));
        self.report_at(first, found)
    }

    pub(super) fn indexed(&mut self, name: &Name) -> Reported {
        let found =
            Diagnostic::error("A0036", self.here(), format!("`{name}` cannot have an index"))
                .label("there are no arrays")
                .help("use one variable or channel per element");
        self.report(found)
    }

    /// `x == 1` without parentheses.
    fn comparison(&mut self, first: usize, name: Word) -> Parsed<StmtKind> {
        let left = Expr { span: name.span, kind: ExprKind::Variable(name.name), height: 1 };
        let expr = self.operators(left, 0)?;
        self.bare(first, expr.span);
        Ok(StmtKind::Condition(expr))
    }

    fn assign(&mut self, name: Word) -> Parsed<StmtKind> {
        self.at += 1;
        Ok(StmtKind::Assign(name, self.expression()?))
    }

    /// `v++` and `v--`.
    fn count(&mut self, name: Word, op: BinaryOp) -> StmtKind {
        self.at += 1;
        let leaf = |kind| Box::new(Expr { span: name.span, kind, height: 1 });
        let variable = leaf(ExprKind::Variable(name.name.clone()));
        let kind = ExprKind::Binary(op, variable, leaf(ExprKind::Number(1)));
        let span = self.since(name.span);
        StmtKind::Assign(name, Expr { span, kind, height: 2 })
    }

    /// `v +% k`
    fn cycle(&mut self, name: Word) -> Parsed<StmtKind> {
        self.at += 2;
        let expr = self.expression()?;
        let modulus = self.evaluate(&expr, "the modulus of `+%`")?;
        if modulus <= 0 {
            let found =
                Diagnostic::error("A0024", expr.span, "the modulus of `+%` must be positive")
                    .label(format!("this is {modulus}"))
                    .help("`v +% k` counts v through 0, 1, ... k-1; write k as a positive number");
            self.diagnostics.push(found);
        }
        Ok(StmtKind::Cycle(name, modulus.max(1)))
    }

    fn call(&mut self, name: Word) -> Parsed<StmtKind> {
        self.at += 1;
        if self.eat(")") {
            return Ok(StmtKind::Call(name));
        }
        let text = &name.name;
        let message = format!("the call of `{text}` has an argument");
        let found = Diagnostic::error("A0035", self.here(), message)
            .label("procedures have no parameters")
            .help(match foreign(text) {
                Some(ours) => ours.to_owned(),
                None => format!("write `{text}()`, and set a variable before it"),
            });
        Err(self.report(found))
    }

    /// The name of a message behind `!` or `?`; `why` is said of reserved ones.
    pub(super) fn message(&mut self, why: &str) -> Parsed<Word> {
        let Some(token) = self.peek() else {
            return Err(self.unexpected("the name of a message", "name the message: `c!m`"));
        };
        match (token.kind, token.text.as_str()) {
            (TokenKind::Word, name @ ("default" | "timeout")) => {
                let found =
                    Diagnostic::error("A0022", token.span, format!("`{name}` is not a message"))
                        .label(why)
                        .help("name the message; `default` and `timeout` stand behind `?` only");
                Err(self.report(found))
            }
            (TokenKind::Word, _) => {
                self.at += 1;
                Ok(token.word())
            }
            (TokenKind::Number, number) => {
                let message = format!("{number} is not the name of a message");
                let found = Diagnostic::error("A0022", token.span, message)
                    .label("a number")
                    .help(format!("give the message a name and attach the number: `m({number})`"));
                Err(self.report(found))
            }
            _ => {
                Err(self.unexpected("the name of a message", "name the message: `c!m` or `c!m(3)`"))
            }
        }
    }

    fn send(&mut self, channel: Word) -> Parsed<StmtKind> {
        self.at += 1;
        let message = self.message("it cannot be sent")?;
        let open = self.here();
        if self.at_punct(",") {
            return Err(self.comma_value(&message));
        }
        if !self.eat("(") {
            return Ok(StmtKind::Send(channel, message, None));
        }
        if self.eat(")") {
            return Err(self.bad_value(open, "the value of the message is missing"));
        }
        let value = self.expression()?;
        if self.at_punct(",") {
            return Err(self.bad_value(open, "a message carries one value at most"));
        }
        self.expect(")", "close the value with `)`")?;
        Ok(StmtKind::Send(channel, message, Some(value)))
    }

    fn bad_value(&mut self, open: Span, message: &str) -> Reported {
        let found = Diagnostic::error("A0023", self.since(open), message)
            .label("wrong value")
            .help("write `c!m` or `c!m(value)`; send several values as several messages");
        self.report(found)
    }

    fn comma_value(&mut self, message: &Word) -> Reported {
        let found = Diagnostic::error("A0023", self.here(), "a value stands in parentheses")
            .label("not after a comma")
            .help(format!("write `{}(value)`", message.name));
        self.report(found)
    }

    fn receive(&mut self, channel: Word) -> Parsed<StmtKind> {
        self.at += 1;
        let any = self.at_word("default");
        if any || self.at_word("timeout") {
            self.at += 1;
            if self.at_punct("(") {
                let open = self.here();
                return Err(self.bad_value(open, "`default` and `timeout` bring no value"));
            }
            return Ok(if any {
                StmtKind::ReceiveAny(channel)
            } else {
                StmtKind::Timeout(channel)
            });
        }
        let message = self.message("it cannot be received")?;
        if self.at_punct(",") {
            return Err(self.comma_value(&message));
        }
        let variable = if self.eat("(") { Some(self.target()?) } else { None };
        Ok(StmtKind::Receive(channel, message, variable))
    }

    /// The variable in `c?m(v)`.
    fn target(&mut self) -> Parsed<Word> {
        let variable = self.peek().filter(|_| self.is_name_at(0) && self.is_punct_at(1, ")"));
        if let Some(token) = variable {
            self.at += 2;
            return Ok(token.word());
        }
        let found = Diagnostic::error("A0028", self.here(), "a receive takes one variable")
            .label("the value of the message goes to a variable")
            .help("write `c?m(v)`; to wait for one value, test it behind: `c?m(v) -> (v == 3)`");
        Err(self.report(found))
    }

    /// `if ... fi` and `do ... od`.
    fn options(&mut self, text: &'static str, close: &'static str) -> Parsed<Vec<Vec<Stmt>>> {
        let span = self.here();
        self.descend("if and do")?;
        self.at += 1;
        self.open.push(Opener { span, text, close });
        if !self.at_punct("::") {
            self.without_option(span, text, close);
        }
        let mut options = Vec::new();
        loop {
            if let Some(mark) = self.peek().filter(|_| self.eat("::")) {
                options.push(self.option(mark));
            } else if options.is_empty() && !self.at_sequence_end() {
                // The `::` is missing; what follows is the first option.
                options.push(self.sequence());
            } else if self.at_declaration() {
                self.misplaced();
                options.push(self.sequence());
            } else {
                break;
            }
        }
        self.close();
        self.depth -= 1;
        Ok(options)
    }

    fn without_option(&mut self, span: Span, text: &str, close: &str) {
        let empty = self.at_sequence_end();
        let (span, message) = if empty {
            (span, format!("`{text}` without an option"))
        } else {
            (self.here(), format!("the first option of `{text}` does not begin with `::`"))
        };
        let found = Diagnostic::error("A0005", span, message)
            .label("expected `::`")
            .help(format!("write `{text} :: first :: second {close}`"));
        if self.at_word(close) {
            self.diagnostics.push(found);
        } else {
            self.report(found);
        }
    }

    fn option(&mut self, mark: &Token) -> Vec<Stmt> {
        if self.at_sequence_end() || self.at_separator() {
            let found = Diagnostic::error("A0005", mark.span, "an option without a statement")
                .label("nothing follows")
                .help("write `:: skip` for an option that does nothing");
            self.report(found);
        }
        if self.is_name_at(0) && self.is_punct_at(1, ":") {
            let found =
                Diagnostic::error("A0015", self.here(), "a label at the beginning of an option")
                    .label("the first statement of an option shares the state of its `if` or `do`")
                    .help(
                        "put the label before the `if` or `do`, or begin the option with `skip;`",
                    );
            self.report(found);
        }
        self.sequence()
    }

    /// A declaration among options.
    fn misplaced(&mut self) {
        let found = Diagnostic::error("A0025", self.here(), "a declaration inside `if` or `do`")
            .label("declarations stand first in a body")
            .help("move it to the beginning of the body");
        self.report(found);
        if self.declaration().is_err() {
            self.recover();
        }
        self.tree.broken_declarations = true;
    }

    /// Reports at token `at` instead of the next one.
    fn report_at(&mut self, at: usize, diagnostic: Diagnostic) -> Reported {
        let here = std::mem::replace(&mut self.at, at);
        let reported = self.report(diagnostic);
        self.at = here;
        reported
    }
}
