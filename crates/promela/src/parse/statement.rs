//! Sequences and statements.

use super::{Parsed, Parser, Reported};
use crate::tree::{Expr, ExprKind, Range, Sequence, Step, Stmt, StmtKind, Word};
use base::{Diagnostic, Span};
use preprocess::TokenKind;
use program::BinaryOp;

/// Where a sequence stands: SPIN forbids a label at the start of most.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    Body,
    Option,
    Block,
}

impl Parser<'_> {
    /// `{ ... }`; the caller has seen the brace.
    pub(super) fn braced(&mut self, at: At) -> Parsed<Sequence> {
        let open = self.here();
        self.descend("blocks")?;
        self.at += 1;
        let outside = std::mem::replace(&mut self.parentheses, 0);
        let mut sequence = self.sequence(at);
        sequence.end = self.here();
        self.parentheses = outside;
        self.depth -= 1;
        if sequence.steps.is_empty() {
            self.empty_block(open);
        }
        if !self.eat("}") {
            return Err(self.unclosed(open, "{", "}"));
        }
        Ok(sequence)
    }

    fn empty_block(&mut self, open: Span) {
        if self.at_punct("}") {
            let found = Diagnostic::error("M0005", open, "braces without a statement")
                .label("nothing follows")
                .help("write `skip` for a block that does nothing");
            self.report(found);
        }
    }

    fn unclosed(&mut self, open: Span, text: &str, close: &str) -> Reported {
        let message = format!("`{text}` is not closed");
        let found = Diagnostic::error("M0004", self.here(), message)
            .label(format!("expected `{close}` before this"))
            .other(open, "opened here")
            .help(format!("write `{close}` where it ends"));
        self.report(found)
    }

    /// Steps up to what closes the sequence, which stays.
    pub(super) fn sequence(&mut self, at: At) -> Sequence {
        let mut steps = Vec::new();
        self.early_label(at);
        loop {
            self.skip_separators();
            if self.at_sequence_end() {
                break;
            }
            let before = self.at;
            match self.step() {
                Ok(step) => steps.push(step),
                Err(Reported) => {
                    self.recover();
                    self.tree.broken |= self.lost_names(before);
                    let span = self.since(before);
                    let broken = Stmt { labels: Vec::new(), span, kind: StmtKind::Broken };
                    steps.push(Step::Statement(Box::new(broken)));
                }
            }
            self.at = self.at.max(before + usize::from(!self.at_sequence_end()));
            if !self.at_separator() && !self.at_sequence_end() && !self.may_omit_separator() {
                self.missing_separator();
            }
        }
        Sequence { steps, end: self.here() }
    }

    fn at_sequence_end(&self) -> bool {
        let Some(token) = self.peek() else { return true };
        let closes = match token.kind {
            TokenKind::Punct => matches!(token.text.as_str(), "}" | "::"),
            TokenKind::Word => matches!(token.text.as_str(), "fi" | "od"),
            _ => false,
        };
        closes || self.at_definition()
    }

    /// SPIN's lexer puts a separator behind `}` and `else`, and at the end of a
    /// line that may end a statement.
    fn may_omit_separator(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let repaired = before.is_some_and(|token| token.is_punct("}") || token.is_word("else"));
        repaired || self.peek().is_some_and(|token| token.line_start)
    }

    fn missing_separator(&mut self) {
        let begins = |token: &super::Lexeme| {
            token.kind != TokenKind::Punct
                || ["(", "{", "-", "!", "~"].contains(&token.text.as_str())
        };
        if !self.peek().is_some_and(begins) {
            self.unexpected("`;` or the end of the statement", "remove it, or close what is open");
            return;
        }
        let found = self.peek().map_or(String::new(), |token| token.text.to_string());
        let message = format!("no `;` before `{found}`");
        let found = Diagnostic::error("M0003", self.here(), message)
            .label("a new statement begins here")
            .help("put `;` or `->` between two statements");
        self.report(found);
    }

    /// A label in front of everything in an option or block: SPIN has no state there.
    fn early_label(&mut self, at: At) {
        if at == At::Body || !self.at_label() {
            return;
        }
        let (message, help) = match at {
            At::Option => (
                "a label at the beginning of an option",
                "put the label before the `if` or `do`, or begin the option with `skip;`",
            ),
            _ => (
                "a label at the beginning of a block",
                "put the label before the block, or begin the block with `skip;`",
            ),
        };
        let found = Diagnostic::error("M0019", self.here(), message)
            .label("the first statement has no state of its own")
            .help(help);
        self.report(found);
    }

    fn step(&mut self) -> Parsed<Step> {
        if self.at_declaration() {
            return Ok(Step::Declaration(self.declaration()?));
        }
        if self.at_word("xr") || self.at_word("xs") {
            self.at += 1;
            let mut queues = vec![self.reference("channel")?];
            while self.eat(",") {
                queues.push(self.reference("channel")?);
            }
            return Ok(Step::Exclusive(queues));
        }
        Ok(Step::Statement(Box::new(self.statement()?)))
    }

    /// A statement and its `unless`.
    fn statement(&mut self) -> Parsed<Stmt> {
        let first = self.at;
        let mut main = self.labelled()?;
        while self.eat_word("unless") {
            self.unless_label();
            self.descend("unless")?;
            let escape = self.labelled();
            self.depth -= 1;
            let kind = StmtKind::Unless(Box::new(main), Box::new(escape?));
            main = Stmt { labels: Vec::new(), span: self.since(first), kind };
            if self.at_word("unless") {
                self.double_unless();
            }
        }
        Ok(main)
    }

    fn unless_label(&mut self) {
        if self.at_label() {
            let found = Diagnostic::error("M0019", self.here(), "a label behind `unless`")
                .label("the escape has no state of its own")
                .help("put the label inside, behind a first statement");
            self.report(found);
        }
    }

    fn double_unless(&mut self) {
        let found = Diagnostic::error("M0002", self.here(), "a second `unless` in one statement")
            .label("which one goes first?")
            .help("put braces around the first: `{ a unless b } unless c`");
        self.report(found);
    }

    /// `L:`; but `P:x` with a proctype P is a remote reference.
    fn at_label(&self) -> bool {
        let labelled = self.is_name_at(0) && self.is_punct_at(1, ":");
        let remote = || self.is_name_at(2) && self.proctypes.contains(&self.tokens[self.at].text);
        labelled && !remote()
    }

    fn labelled(&mut self) -> Parsed<Stmt> {
        let first = self.at;
        let mut labels = Vec::new();
        while self.at_label() {
            labels.push(self.tokens[self.at].word());
            self.at += 2;
        }
        let bare = self.at_separator() || self.at_sequence_end();
        if !labels.is_empty() && (bare || self.at_declaration()) {
            return self.bare_label(first, labels, bare);
        }
        let kind = self.kind()?;
        Ok(Stmt { labels, span: self.since(first), kind })
    }

    /// `L: ;` is a label on a `skip`.
    fn bare_label(&mut self, first: usize, labels: Vec<Word>, bare: bool) -> Parsed<Stmt> {
        if !bare {
            let found = Diagnostic::error("M0019", self.here(), "a label on a declaration")
                .label("not a statement")
                .help("put the declaration first, or write `L: skip;` before it");
            return Err(self.report(found));
        }
        let span = self.since(first);
        let one = Expr { span, kind: ExprKind::Number(1), height: 1 };
        Ok(Stmt { labels, span, kind: StmtKind::Condition(one) })
    }

    fn kind(&mut self) -> Parsed<StmtKind> {
        const HELP: &str = "a statement is an assignment, a condition, q!m, q?m, if, do, for, \
                            select, atomic, d_step, goto, break, assert, printf or a block";
        let Some(token) = self.peek() else { return Err(self.unexpected("a statement", HELP)) };
        match (token.kind, token.text.clone().as_str()) {
            (TokenKind::Word, _) if self.is_name_at(0) => self.beginning_with_name(),
            (TokenKind::Punct, "{") => self.braced(At::Block).map(StmtKind::Block),
            (TokenKind::Punct, "(" | "-" | "!" | "~")
            | (TokenKind::Number | TokenKind::Char, _) => {
                self.expression().map(StmtKind::Condition)
            }
            (TokenKind::Word, text) => self.beginning_with_keyword(text),
            _ => Err(self.unexpected("a statement", HELP)),
        }
    }

    fn beginning_with_keyword(&mut self, text: &str) -> Parsed<StmtKind> {
        match text {
            "if" => self.options("if", "fi").map(StmtKind::If),
            "do" => self.options("do", "od").map(StmtKind::Do),
            "atomic" => self.block_behind_word().map(StmtKind::Atomic),
            "d_step" => self.block_behind_word().map(StmtKind::Deterministic),
            "for" => self.for_loop(),
            "select" => self.select(),
            "assert" => {
                self.at += 1;
                self.expression().map(StmtKind::Assert)
            }
            "printf" => self.printf(),
            "printm" => self.printm(),
            "set_priority" => self.set_priority(),
            "return" => self.give_back(),
            "c_code" => {
                self.embedded_c();
                Ok(StmtKind::Broken)
            }
            "goto" => {
                self.at += 1;
                self.name("label").map(StmtKind::Goto)
            }
            "break" => {
                self.at += 1;
                Ok(StmtKind::Break)
            }
            "else" => {
                self.at += 1;
                Ok(StmtKind::Else)
            }
            "proctype" | "init" | "never" | "typedef" | "inline" | "active" | "ltl" => {
                let found =
                    Diagnostic::error("M0002", self.here(), format!("`{text}` inside a body"))
                        .label("only at the outermost level")
                        .help("is a `}` missing before it?");
                Err(self.report(found))
            }
            _ => self.expression().map(StmtKind::Condition),
        }
    }

    fn block_behind_word(&mut self) -> Parsed<Sequence> {
        self.at += 1;
        if !self.at_punct("{") {
            return Err(self.unexpected("`{`", "put braces around the statements"));
        }
        self.braced(At::Block)
    }

    /// Assignments, sends, receives, calls, conditions.
    fn beginning_with_name(&mut self) -> Parsed<StmtKind> {
        let first = self.at;
        if self.call_follows() {
            return self.call(None);
        }
        let reference = self.reference("variable")?;
        let Some(token) = self.peek() else {
            self.at = first;
            return self.expression().map(StmtKind::Condition);
        };
        let ends = self.on_new_line();
        let polls = self.is_punct_at(if self.at_pair("?", "?") { 2 } else { 1 }, "[");
        match (token.kind, token.text.as_str()) {
            (TokenKind::Punct, "=") => {
                self.at += 1;
                if self.call_follows() {
                    return self.call(Some(reference));
                }
                Ok(StmtKind::Assign(reference, self.expression()?))
            }
            (TokenKind::Punct, sign @ ("++" | "--")) => {
                let op = if sign == "++" { BinaryOp::Add } else { BinaryOp::Subtract };
                self.at += 1;
                Ok(StmtKind::Count(reference, op))
            }
            (TokenKind::Punct, "!") if !ends => self.send(reference),
            (TokenKind::Punct, "?") if !polls => self.receive(reference),
            _ => {
                self.at = first;
                self.expression().map(StmtKind::Condition)
            }
        }
    }

    /// `NAME (` on one line; on the next line a condition begins.
    fn call_follows(&self) -> bool {
        let open = self.tokens.get(self.at + 1);
        self.is_name_at(0) && open.is_some_and(|token| token.is_punct("(") && !token.line_start)
    }

    fn printf(&mut self) -> Parsed<StmtKind> {
        const HELP: &str = "write printf(\"text %d\\n\", value)";
        self.at += 1;
        self.expect("(", HELP)?;
        let text = self.peek().filter(|token| token.kind == TokenKind::String);
        let Some((text, span)) = text.map(|token| (token.text.clone(), token.span)) else {
            return Err(self.unexpected("a text in quotes", HELP));
        };
        self.at += 1;
        let values = self.inside(")", HELP, |it| {
            let mut values = Vec::new();
            while it.eat(",") {
                values.push(it.expression()?);
            }
            Ok(values)
        })?;
        Ok(StmtKind::Printf(text, span, values))
    }

    fn printm(&mut self) -> Parsed<StmtKind> {
        const HELP: &str = "write printm(x) for a symbolic constant x";
        self.at += 1;
        self.expect("(", HELP)?;
        self.inside(")", HELP, Self::expression).map(StmtKind::Printm)
    }

    fn set_priority(&mut self) -> Parsed<StmtKind> {
        const HELP: &str = "write set_priority(process, priority)";
        self.at += 1;
        self.expect("(", HELP)?;
        self.inside(")", HELP, |it| {
            let process = it.expression()?;
            it.expect(",", HELP)?;
            Ok(StmtKind::SetPriority(process, it.expression()?))
        })
    }

    /// `return e` inside `v = f()` assigns to v, and goes on.
    fn give_back(&mut self) -> Parsed<StmtKind> {
        let result = self.calls.last().and_then(|call| call.result.clone());
        let Some(result) = result else {
            let found = Diagnostic::error("M0021", self.here(), "`return` without a place to go")
                .label("nobody asked for a value")
                .help("`return e` belongs into an `inline` f that is called as `v = f()`");
            return Err(self.report(found));
        };
        self.at += 1;
        Ok(StmtKind::Assign(result, self.expression()?))
    }

    /// `for (i : a .. b) { }` and `for (x in y) { }`.
    fn for_loop(&mut self) -> Parsed<StmtKind> {
        const HELP: &str = "write for (i : 1 .. n) { ... } or for (i in array) { ... }";
        self.at += 1;
        let (variable, range) = self.range(HELP)?;
        self.skip_separators();
        if !self.at_punct("{") {
            return Err(self.unexpected("`{`", HELP));
        }
        let body = self.braced(At::Body)?;
        Ok(StmtKind::For(variable, range, body))
    }

    fn select(&mut self) -> Parsed<StmtKind> {
        const HELP: &str = "write select (i : 1 .. n)";
        self.at += 1;
        let (variable, range) = self.range(HELP)?;
        if let Range::In(over) = &range {
            let found = Diagnostic::error("M0002", over.span, "`select` needs two bounds")
                .label("not a range")
                .help(HELP);
            return Err(self.report(found));
        }
        Ok(StmtKind::Select(variable, range))
    }

    fn range(&mut self, help: &str) -> Parsed<(Word, Range)> {
        self.expect("(", help)?;
        self.inside(")", help, |it| it.counted(help))
    }

    fn counted(&mut self, help: &str) -> Parsed<(Word, Range)> {
        let variable = self.name("variable")?;
        if self.at_punct("[") || self.at_punct(".") {
            return Err(self.unexpected("`:` or `in`", "the variable of a loop is a plain name"));
        }
        let range = if self.eat_word("in") {
            Range::In(self.reference("variable")?)
        } else {
            self.expect(":", help)?;
            let from = self.expression()?;
            self.expect("..", help)?;
            Range::Between(Box::new([from, self.expression()?]))
        };
        Ok((variable, range))
    }

    /// `if ... fi` and `do ... od`.
    fn options(&mut self, text: &str, close: &str) -> Parsed<Vec<Sequence>> {
        let open = self.here();
        self.descend("if and do")?;
        self.at += 1;
        let outside = std::mem::replace(&mut self.parentheses, 0);
        self.skip_separators();
        let mut options = Vec::new();
        if !self.at_punct("::") {
            self.without_option(open, text, close);
        }
        loop {
            if self.eat("::") {
                options.push(self.option());
            } else if options.is_empty() && !self.at_sequence_end() {
                options.push(self.sequence(At::Option));
            } else {
                break;
            }
        }
        self.parentheses = outside;
        self.depth -= 1;
        if !self.eat_word(close) {
            return Err(self.unclosed(open, text, close));
        }
        Ok(options)
    }

    fn without_option(&mut self, open: Span, text: &str, close: &str) {
        let found = Diagnostic::error("M0005", open, format!("`{text}` without an option"))
            .label("expected `::` behind it")
            .help(format!("write `{text} :: first :: second {close}`"));
        self.report(found);
    }

    fn option(&mut self) -> Sequence {
        let mark = self.last();
        let sequence = self.sequence(At::Option);
        if sequence.steps.is_empty() {
            let found = Diagnostic::error("M0005", mark, "an option without a statement")
                .label("nothing follows")
                .help("write `:: skip` for an option that does nothing");
            self.report(found);
        }
        sequence
    }

    /// `c_code { ... }` and other embedded C: one message per model, the text is skipped.
    pub(super) fn embedded_c(&mut self) {
        let span = self.here();
        if !std::mem::replace(&mut self.embedded, true) {
            let found = Diagnostic::error("M0022", span, "embedded C is not supported")
                .label("this is C, not PROMELA")
                .note("it would need a C compiler, and could reach anything outside the model")
                .help(
                    "write the same in PROMELA: variables instead of c_state, statements \
                       instead of c_code, conditions instead of c_expr; or keep using SPIN",
                );
            self.diagnostics.push(found);
        }
        self.tree.broken = true;
        self.at += 1;
        if self.at_punct("[") {
            self.skip_balanced("[", "]");
        }
        if self.at_punct("{") {
            self.skip_balanced("{", "}");
        }
        while self.peek().is_some_and(|token| token.kind == TokenKind::String) {
            self.at += 1;
        }
    }

    pub(super) fn skip_balanced(&mut self, open: &str, close: &str) {
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            if token.is_punct(open) {
                depth += 1;
            } else if token.is_punct(close) {
                depth = depth.saturating_sub(1);
            }
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
    }
}
