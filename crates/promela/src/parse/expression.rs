//! Expressions and formulas, by strength of their operators; all lean left.

use super::formula::Row;
use super::{Parsed, Parser, Reported};
use crate::tree::{Expr, ExprKind, Part, Reference};
use base::{Diagnostic, Span, TemporalOp};
use preprocess::TokenKind;
use program::{BinaryOp, Probe, UnaryOp};

/// Operators in a row lean to the left, a thousand of them a thousand deep; the
/// stages behind recurse over them.
const HEIGHT_MAX: usize = 1000;

const HELP: &str = "an expression has numbers, variables, parentheses, operators as in C, \
                    (c -> a : b), len(q), q?[m], run P(), P[i]@L";

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

    /// The operator that stands here, its strength and how many tokens it takes.
    fn operator(&self) -> Option<(Join, u8, usize)> {
        let token = self.peek()?;
        if let Some((op, strength, tokens)) = self.temporal_infix() {
            return Some((Join::Temporal(op), strength, tokens));
        }
        if token.kind != TokenKind::Punct || (self.on_new_line() && token.is_punct("-")) {
            return None;
        }
        if self.temporal {
            if self.at_pair("/", "\\") {
                return Some((Join::Binary(BinaryOp::And), 2, 2));
            }
            if self.at_pair("\\", "/") {
                return Some((Join::Binary(BinaryOp::Or), 1, 2));
            }
            // The next formula of a list begins.
            if self.at_pair("<", ">") {
                return None;
            }
        }
        let op = BinaryOp::from_symbol(&token.text)?;
        Some((Join::Binary(op), op.strength(), 1))
    }

    /// Whether a line began here, outside parentheses: SPIN ends a statement
    /// there. Only asked before what could begin a new one.
    pub(super) fn on_new_line(&self) -> bool {
        self.parentheses == 0 && !self.temporal && self.peek().is_some_and(|it| it.line_start)
    }

    /// Operators at least as strong as `least`.
    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        self.descend("expressions")?;
        let first = self.at;
        let expr = self.prefix().and_then(|left| self.operators(first, left, least, true));
        self.depth -= 1;
        expr
    }

    /// Joins `left` with what follows. `warns` says whether a `!` that took only the left side
    /// of a comparison is worth a warning.
    pub(super) fn operators(
        &mut self,
        first: usize,
        mut left: Expr,
        least: u8,
        warns: bool,
    ) -> Parsed<Expr> {
        let mut denies = warns && self.temporal && self.tokens[first].is_punct("!");
        let mut row = Row::default();
        while let Some((join, strength, tokens)) = self.operator() {
            if strength < least {
                break;
            }
            self.continues_line();
            self.at += tokens;
            let right = self.binary(strength + 1)?;
            let height = left.height.max(right.height) + 1;
            if height > HEIGHT_MAX {
                return Err(self.too_long(left.span));
            }
            let temporal = matches!(join, Join::Temporal(_)).then_some(strength);
            if !row.goes_on(temporal) {
                self.end_row(row, &left);
            }
            row = row.and(temporal);
            let kind = match join {
                Join::Binary(op) => ExprKind::Binary(op, Box::new(left), Box::new(right)),
                Join::Temporal(op) => ExprKind::Temporal(op, vec![left, right]),
            };
            left = Expr { span: self.since(first), kind, height };
            if std::mem::take(&mut denies) {
                self.denied_side(first, &left);
            }
        }
        self.end_row(row, &left);
        self.effect()?;
        self.foreign_word()?;
        Ok(left)
    }

    /// An operator that begins a line: for SPIN the statement ended before it.
    fn continues_line(&mut self) {
        if self.on_new_line() && self.at > 0 {
            let help = "end the line with the operator, or put parentheses around the expression";
            let message = "SPIN ends the statement at the end of the line before this operator";
            self.remark("N0007", self.here(), message, help);
        }
    }

    fn too_long(&mut self, span: Span) -> Reported {
        let message = format!("more than {HEIGHT_MAX} operators in a row");
        let found =
            Diagnostic::error("M0006", span, message).help("compute it in several assignments");
        self.report(found)
    }

    fn prefix(&mut self) -> Parsed<Expr> {
        let first = self.at;
        if let Some(formula) = self.temporal_unary()? {
            return Ok(formula);
        }
        let op = match self.peek().map(|token| (token.kind, token.text.as_str())) {
            Some((TokenKind::Punct, "-")) => UnaryOp::Negate,
            Some((TokenKind::Punct, "!")) => UnaryOp::Not,
            Some((TokenKind::Punct, "~")) => UnaryOp::Complement,
            _ => return self.postfix(),
        };
        self.at += 1;
        let operand = self.operand()?;
        if op == UnaryOp::Not
            && matches!(operand.kind, ExprKind::Probe(probe, _) if probe != Probe::Len)
        {
            let help = "use the opposite: nfull for full, nempty for empty";
            self.remark("N0002", operand.span, "SPIN refuses `!` before this", help);
        }
        let height = operand.height + 1;
        let kind = ExprKind::Unary(op, Box::new(operand));
        Ok(Expr { span: self.since(first), kind, height })
    }

    pub(super) fn operand(&mut self) -> Parsed<Expr> {
        self.descend("expressions")?;
        let operand = self.prefix();
        self.depth -= 1;
        operand
    }

    /// An operand and what may stand behind a reference.
    fn postfix(&mut self) -> Parsed<Expr> {
        let first = self.at;
        let Some(token) = self.peek() else { return Err(self.unexpected("an expression", HELP)) };
        let leaf = |kind, span| Ok(Expr { span, kind, height: 1 });
        match (token.kind, token.text.as_str()) {
            (TokenKind::Number, _) => {
                let span = token.span;
                leaf(ExprKind::Number(self.number()?), span)
            }
            (TokenKind::Char, _) => {
                let span = token.span;
                leaf(ExprKind::Number(self.character()), span)
            }
            (TokenKind::Punct, "(") => self.parenthesised(),
            (TokenKind::Word, _) if self.is_name_at(0) => self.named(first),
            (TokenKind::Word, _) => {
                let kind = self.keyword()?;
                let height = kind.height();
                Ok(Expr { span: self.since(first), kind, height })
            }
            _ => Err(self.unexpected("an expression", HELP)),
        }
    }

    fn parenthesised(&mut self) -> Parsed<Expr> {
        let first = self.at;
        self.at += 1;
        let inner = self.inside(")", "close the parenthesis", Self::chosen)?;
        Ok(Expr { span: self.since(first), ..inner })
    }

    /// An expression, or `condition -> then : otherwise`.
    fn chosen(&mut self) -> Parsed<Expr> {
        let condition = self.expression()?;
        if self.temporal || !self.eat("->") {
            return Ok(condition);
        }
        let yes = self.expression()?;
        self.expect(":", "write `(condition -> then : otherwise)`")?;
        let no = self.expression()?;
        let height = 1 + condition.height.max(yes.height).max(no.height);
        let span = condition.span;
        let kind = ExprKind::Choose(Box::new([condition, yes, no]));
        Ok(Expr { span, kind, height })
    }

    /// Words of the language that are, or begin, an expression.
    fn keyword(&mut self) -> Parsed<ExprKind> {
        let text = self.peek().map(|token| token.text.clone());
        let kind = match text.as_deref().unwrap_or("") {
            "true" | "skip" => ExprKind::Number(1),
            "false" => ExprKind::Number(0),
            "timeout" => ExprKind::Timeout,
            "np_" => ExprKind::NonProgress,
            "len" => return self.probe(Probe::Len),
            "empty" => return self.probe(Probe::Empty),
            "full" => return self.probe(Probe::Full),
            "nempty" => return self.probe(Probe::NotEmpty),
            "nfull" => return self.probe(Probe::NotFull),
            "enabled" => return Ok(ExprKind::Enabled(self.of_process()?)),
            "pc_value" => return Ok(ExprKind::PcValue(self.of_process()?)),
            "get_priority" => return Ok(ExprKind::GetPriority(self.of_process()?)),
            "run" => return self.run(),
            "c_expr" => {
                self.embedded_c();
                return Ok(ExprKind::Broken);
            }
            _ => return Err(self.unexpected("an expression", HELP)),
        };
        self.at += 1;
        Ok(kind)
    }

    fn probe(&mut self, probe: Probe) -> Parsed<ExprKind> {
        const HELP: &str = "write the channel in parentheses: len(q), empty(q), nfull(q[i])";
        self.at += 1;
        self.expect("(", HELP)?;
        let queue = self.reference("channel")?;
        self.expect(")", HELP)?;
        self.probe_in_formula(probe, queue.span);
        Ok(ExprKind::Probe(probe, queue))
    }

    fn of_process(&mut self) -> Parsed<Box<Expr>> {
        const HELP: &str = "write the process number in parentheses: enabled(p)";
        self.at += 1;
        self.expect("(", HELP)?;
        Ok(Box::new(self.inside(")", HELP, Self::expression)?))
    }

    fn run(&mut self) -> Parsed<ExprKind> {
        self.at += 1;
        let proctype = self.name("proctype")?;
        self.expect("(", "write `run P(arguments)`; without any, `run P()`")?;
        let arguments = self.arguments()?;
        let priority = match self.eat_word("priority") {
            true => Some(Box::new(self.postfix()?)),
            false => None,
        };
        Ok(ExprKind::Run { proctype, arguments, priority })
    }

    /// `a, b)`
    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let help = "separate arguments by `,` and close them with `)`";
        self.inside(")", help, |it| it.list(")", Self::expression))
    }

    /// A variable, or a remote reference, or a poll.
    fn named(&mut self, first: usize) -> Parsed<Expr> {
        if let Some(expr) = self.messages(first)? {
            return Ok(expr);
        }
        let reference = self.reference("variable")?;
        let kind = self.behind_reference(reference)?;
        let height = kind.height();
        Ok(Expr { span: self.since(first), kind, height })
    }

    fn behind_reference(&mut self, reference: Reference) -> Parsed<ExprKind> {
        if self.at_punct("@") {
            self.at += 1;
            let (proctype, pid) = self.process(reference)?;
            return Ok(ExprKind::RemoteLabel { proctype, pid, label: self.name("label")? });
        }
        let only = reference.parts.len() == 1;
        if only && self.at_punct(":") && self.proctypes.contains(&reference.parts[0].name.name) {
            self.at += 1;
            let (proctype, pid) = self.process(reference)?;
            if let Some((line, place)) = self.line_number()? {
                return Ok(ExprKind::Line { proctype, pid, line, place });
            }
            let variable = self.reference("variable")?;
            return Ok(ExprKind::RemoteVariable { proctype, pid, variable });
        }
        let marks = if self.at_pair("?", "?") { 2 } else { 1 };
        if self.at_punct("?") && self.is_punct_at(marks, "[") {
            self.at += marks + 1;
            let patterns = self.patterns()?;
            self.expect("]", "close the poll with `]`")?;
            return Ok(ExprKind::Poll { queue: reference, patterns, random: marks == 2 });
        }
        Ok(ExprKind::Variable(reference))
    }

    /// The `P[i]` of a remote reference.
    fn process(&mut self, reference: Reference) -> Parsed<(crate::tree::Word, Option<Box<Expr>>)> {
        let span = reference.span;
        let mut parts = reference.parts.into_iter();
        match (parts.next(), parts.next()) {
            (Some(part), None) => Ok((part.name, part.index)),
            _ => {
                let found =
                    Diagnostic::error("M0027", span, "a remote reference begins with a proctype")
                        .help("write `P[pid]@label` or `P[pid]:variable`");
                Err(self.report(found))
            }
        }
    }

    /// `a[i].b[j]`
    pub(super) fn reference(&mut self, of: &str) -> Parsed<Reference> {
        let first = self.at;
        let mut parts = Vec::new();
        loop {
            let name = self.name(of)?;
            let always = self.temporal && self.is_punct_at(1, "]");
            let index = if self.at_punct("[") && !self.on_new_line() && !always {
                self.at += 1;
                Some(Box::new(self.inside("]", "close the index with `]`", Self::expression)?))
            } else {
                None
            };
            parts.push(Part { name, index });
            if !self.at_punct(".") || !self.is_name_at(1) {
                break;
            }
            self.at += 1;
        }
        Ok(Reference { parts, span: self.since(first) })
    }
}

impl ExprKind {
    /// One more than its highest operand.
    fn height(&self) -> usize {
        let of_box = |expr: &Option<Box<Expr>>| expr.as_ref().map_or(0, |expr| expr.height);
        let of_reference = |reference: &Reference| {
            reference.parts.iter().map(|part| of_box(&part.index)).max().unwrap_or(0)
        };
        1 + match self {
            ExprKind::Variable(reference) | ExprKind::Probe(_, reference) => {
                of_reference(reference)
            }
            ExprKind::Run { arguments, .. } => {
                arguments.iter().map(|argument| argument.height).max().unwrap_or(0)
            }
            ExprKind::Enabled(inner) | ExprKind::PcValue(inner) | ExprKind::GetPriority(inner) => {
                inner.height
            }
            ExprKind::RemoteLabel { pid, .. } | ExprKind::Line { pid, .. } => of_box(pid),
            ExprKind::RemoteVariable { pid, variable, .. } => {
                of_box(pid).max(of_reference(variable))
            }
            _ => 0,
        }
    }
}
