//! What is special in formulas: their operators, what these bind, and the warnings where SPIN
//! reads a formula otherwise than most people do.

use super::{Parsed, Parser, Reported};
use crate::tree::{Expr, ExprKind, Item, Word};
use crate::wording;
use base::{Diagnostic, Name, Span, TemporalOp};
use preprocess::TokenKind;
use program::{BinaryOp, Probe, UnaryOp};

/// Texts shown in a message are cut behind so many characters.
const SHOWN_MAX: usize = 240;

/// Operators of one strength in a row, without parentheses.
#[derive(Clone, Copy, Default)]
pub(super) struct Row {
    strength: u8,
    operators: usize,
}

impl Row {
    /// The row behind a further operator, which has this strength if it is temporal.
    pub(super) fn and(self, temporal: Option<u8>) -> Self {
        match temporal {
            Some(strength) if self.goes_on(temporal) => {
                Row { strength, operators: self.operators + 1 }
            }
            Some(strength) => Row { strength, operators: 1 },
            None => Row::default(),
        }
    }

    /// Whether an operator of this strength belongs to it.
    pub(super) fn goes_on(self, temporal: Option<u8>) -> bool {
        self.operators > 0 && temporal == Some(self.strength)
    }
}

impl Parser<'_> {
    /// `ltl NAME { formula }`
    pub(super) fn ltl(&mut self) -> Parsed<Item> {
        const HELP: &str = "write ltl NAME { formula }";
        let first = self.at;
        self.at += 1;
        let name = if self.at_punct("{") { None } else { Some(self.ltl_name()?) };
        self.expect("{", HELP)?;
        let formula = self.formula()?;
        self.skip_separators();
        self.expect("}", HELP)?;
        Ok(Item::Ltl { name, formula, span: self.since(first) })
    }

    pub(super) fn ltl_name(&mut self) -> Parsed<Word> {
        let name = self.name("formula")?;
        if let Some(inline) = self.inlines.get(&name.name) {
            let message = format!("`{}` is the name of an inline", name.name);
            let found = Diagnostic::error("M0008", name.span, message)
                .label("the formula needs another name")
                .other(inline.name.span, "declared here")
                .help("rename one of them");
            self.diagnostics.push(found);
        }
        Ok(name)
    }

    pub(super) fn formula(&mut self) -> Parsed<Expr> {
        self.temporal = true;
        let formula = self.expression()?;
        self.temporal = false;
        Ok(formula)
    }

    /// The formulas of a text of their own: `ltl NAME { f }`, `NAME: f` or `f`, each on a new
    /// line or behind `;`. Those without a name are numbered on from `unnamed`.
    pub(super) fn formulas(&mut self, unnamed: &mut usize) {
        if self.peek().is_none() {
            self.unexpected("a formula", "write a formula, such as `[] (x < 4)`");
        }
        while self.peek().is_some() {
            if self.at_punct(";") {
                self.at += 1;
                continue;
            }
            let first = self.at;
            match self.further_formula(unnamed) {
                Ok(item) => self.tree.items.push(item),
                Err(Reported) => {
                    self.tree.broken = true;
                    self.at = self.tokens.len().max(first + 1);
                }
            }
            (self.depth, self.parentheses, self.temporal) = (0, 0, false);
        }
    }

    fn further_formula(&mut self, unnamed: &mut usize) -> Parsed<Item> {
        if self.at_definition() {
            let Item::Ltl { name, formula, .. } = self.ltl()? else { return Err(Reported) };
            return Ok(further(name, formula, unnamed));
        }
        let name = self.name_in_front()?;
        let formula = self.formula()?;
        let ends = self.peek().is_none_or(|next| next.line_start || next.is_punct(";"));
        if !ends {
            return Err(self.unexpected("the end of the formula", "join formulas by `&&` or `||`"));
        }
        Ok(further(name, formula, unnamed))
    }

    /// The temporal operator between two formulas that stands here, its strength and how many
    /// tokens it takes.
    pub(super) fn temporal_infix(&self) -> Option<(TemporalOp, u8, usize)> {
        let token = self.peek().filter(|_| self.temporal)?;
        let (op, tokens) = match token.kind {
            TokenKind::Word => (TemporalOp::infix_word(&token.text)?, 1),
            _ if token.is_punct("->") => (TemporalOp::Implies, 1),
            _ if self.at_pair("<", "->") => (TemporalOp::Equivalent, 2),
            _ => return None,
        };
        Some((op, op.strength(), tokens))
    }

    fn temporal_prefix(&self) -> Option<(TemporalOp, usize)> {
        let token = self.peek().filter(|_| self.temporal)?;
        match (token.kind, token.text.as_str()) {
            (TokenKind::Punct, "[") if self.is_punct_at(1, "]") => Some((TemporalOp::Always, 2)),
            (TokenKind::Punct, "<") if self.is_punct_at(1, ">") => {
                Some((TemporalOp::Eventually, 2))
            }
            (TokenKind::Word, word) => TemporalOp::prefix_word(word).map(|op| (op, 1)),
            _ => None,
        }
    }

    /// `[] f`, `<> f`, `X f`, if one stands here. The operand of `[] x >= 4` is the comparison:
    /// SPIN compares a number it has for the operator.
    pub(super) fn temporal_unary(&mut self) -> Parsed<Option<Expr>> {
        let Some((op, tokens)) = self.temporal_prefix() else { return Ok(None) };
        let first = self.at;
        if op == TemporalOp::Next {
            let help = "avoid next-time; it speaks of single steps, which reduction removes";
            self.remark("N0004", self.here(), "SPIN as packaged has no next-time", help);
        }
        self.at += tokens;
        let from = self.at;
        let operand = self.operand()?;
        let near = self.at;
        let operand = self.operators(from, operand, TemporalOp::OF_STATES, false)?;
        let height = operand.height + 1;
        let kind = ExprKind::Temporal(op, vec![operand]);
        let expr = Expr { span: self.since(first), kind, height };
        if self.at > near {
            let message = "a temporal operator before a comparison";
            let note = "SPIN 6.5.2 compares a number that stands for the operator, and so checks \
                        nothing";
            let notes = self.about_macros(first).into_iter().chain([note.to_owned()]);
            self.read_as("N0011", &expr, message, notes.collect());
        }
        Ok(Some(expr))
    }

    /// `!x == 1` is `(!x) == 1`, as in C.
    pub(super) fn denied_side(&mut self, first: usize, expr: &Expr) {
        if let ExprKind::Binary(op, left, _) = &expr.kind
            && matches!(left.kind, ExprKind::Unary(UnaryOp::Not, _))
            && is_comparison(*op)
        {
            let message = "`!` before a comparison";
            let notes = self.about_macros(first).into_iter().collect();
            self.read_as("N0011", expr, message, notes);
        }
    }

    /// Warns of a row of operators that ends with this expression.
    pub(super) fn end_row(&mut self, row: Row, expr: &Expr) {
        if row.operators < 2 {
            return;
        }
        let message = match row.strength {
            0 => "`->` or `<->` in a row",
            _ => "`U`, `W` or `V` in a row",
        };
        self.read_as("N0010", expr, message, Vec::new());
    }

    /// A warning that shows how a formula was read.
    fn read_as(&mut self, id: &'static str, expr: &Expr, message: &str, notes: Vec<String>) {
        let mut text = wording::formula(expr);
        if text.chars().count() > SHOWN_MAX {
            text = text.chars().take(SHOWN_MAX).chain("...".chars()).collect();
        }
        let message = format!("{message}, read as {text}");
        let mut found = Diagnostic::warning(id, expr.span, message)
            .label("no parentheses here")
            .help("write the parentheses you mean");
        found.notes = notes;
        self.diagnostics.push(found);
    }

    /// What to know of macros, if one was replaced behind token `first`.
    fn about_macros(&self, first: usize) -> Option<String> {
        let replaced = self.tokens[first..self.at].iter().any(|it| it.place.origin.is_some());
        let note = "macros are replaced as text: put parentheses around their bodies";
        replaced.then(|| note.to_owned())
    }

    /// SPIN has no word for `full(q)` and its kin in formulas.
    pub(super) fn probe_in_formula(&mut self, probe: Probe, span: Span) {
        if self.temporal && probe != Probe::Len {
            let help = "compare len(q) with a number instead";
            self.remark("N0014", span, "SPIN refuses this channel test in a formula", help);
        }
    }

    /// A word that other tools have for an operator, between two formulas or before one.
    pub(super) fn foreign_word(&mut self) -> Parsed<()> {
        let Some(next) = self.peek().filter(|_| self.temporal) else { return Ok(()) };
        let begins = next.kind == TokenKind::Word || next.is_punct("(");
        if !begins || (next.line_start && self.parentheses == 0) {
            return Ok(());
        }
        let before = self.at.checked_sub(1).map(|at| self.tokens[at].text.clone());
        let Some((word, sign)) = TemporalOp::foreign(&next.text, before.as_deref()) else {
            return Ok(());
        };
        let help = format!("write `{sign}` for `{word}`");
        Err(self.unexpected("an operator", help))
    }

    /// What changes a state, where a formula was read.
    pub(super) fn effect(&mut self) -> Parsed<()> {
        const SIGNS: [&str; 5] = ["=", "++", "--", "!", "?"];
        // What begins a line begins the next formula of a list.
        let begins = self.peek().is_some_and(|token| token.line_start && self.parentheses == 0);
        let (what, help) = match SIGNS.iter().position(|sign| self.at_punct(sign)) {
            None => return Ok(()),
            Some(_) if !self.temporal || begins => return Ok(()),
            Some(0) => ("an assignment", "`==` compares"),
            Some(1 | 2) => ("an assignment", "compare with `==`, `<` and their kin"),
            _ => ("a send or receive", "`q?[m]` asks whether q begins with m; len(q) counts"),
        };
        let found = Diagnostic::error("M0037", self.here(), format!("{what} in a formula"))
            .label("a formula looks at states and changes nothing")
            .help(help);
        Err(self.report(found))
    }
}

/// A formula that was given beside the model; one without a name gets one.
fn further(name: Option<Word>, formula: Expr, unnamed: &mut usize) -> Item {
    let span = formula.span;
    let name = name.unwrap_or_else(|| {
        *unnamed += 1;
        Word { name: Name::new(&format!("cmd_{unnamed}")), span }
    });
    Item::Ltl { name: Some(name), formula, span }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}
