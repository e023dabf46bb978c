//! Temporal formulas. They are expressions with further operators and with looks at channels,
//! labels and the variables of processes; how operators bind is as in PROMELA, but operators of
//! one strength in a row need parentheses.

use super::{Parsed, Parser, Reported};
use crate::tree::{Expr, ExprKind, Item, Property, Word};
use base::{BinaryOp, Diagnostic, Name, Span, TemporalOp, UnaryOp};
use preprocess::TokenKind;

/// Texts shown in a message are cut behind so many characters.
const SHOWN_MAX: usize = 240;

/// Temporal operators of one strength that join operands without parentheses.
#[derive(Default)]
pub(super) struct Chain {
    strength: u8,
    operands: Vec<String>,
    signs: Vec<&'static str>,
    span: Option<Span>,
}

impl Chain {
    fn left(&self) -> String {
        let first = self.operands[0].clone();
        let rest = self.signs.iter().zip(&self.operands[1..]).enumerate();
        rest.fold(first, |all, (at, (sign, operand))| {
            let all = if at == 0 { all } else { format!("({all})") };
            format!("{all} {sign} {operand}")
        })
    }

    fn right(&self) -> String {
        let last = self.operands[self.signs.len()].clone();
        let rest = self.signs.iter().zip(&self.operands).rev().enumerate();
        rest.fold(last, |all, (at, (sign, operand))| {
            let all = if at == 0 { all } else { format!("({all})") };
            format!("{operand} {sign} {all}")
        })
    }
}

fn cut(text: String) -> String {
    if text.chars().count() <= SHOWN_MAX {
        return text;
    }
    text.chars().take(SHOWN_MAX).chain("...".chars()).collect()
}

impl Parser<'_> {
    /// `ltl NAME { formula }`
    pub(super) fn ltl(&mut self) -> Parsed<Property> {
        const HELP: &str = "write ltl NAME { formula }";
        let first = self.here();
        self.at += 1;
        let name = self.name("formula")?;
        self.expect("{", HELP)?;
        let formula = self.formula()?;
        self.skip_separators();
        self.expect("}", HELP)?;
        Ok(Property { name, formula, span: self.since(first) })
    }

    pub(super) fn formula(&mut self) -> Parsed<Expr> {
        (self.temporal, self.parentheses) = (true, 0);
        let formula = self.expression();
        self.temporal = false;
        formula
    }

    /// The formulas of a text of their own: `ltl NAME { f }`, `NAME: f` or `f`, each on a new
    /// line or behind `;`. Those without a name are numbered on from `unnamed`.
    pub(super) fn formulas(&mut self, unnamed: &mut usize) {
        if self.peek().is_none() {
            self.unexpected("a formula", "write a formula, such as `[] (x < 4)`");
        }
        while self.peek().is_some() {
            if self.eat(";") {
                continue;
            }
            match self.further(unnamed) {
                Ok(property) => self.tree.items.push(Item::Ltl(property)),
                Err(Reported) => self.at = self.tokens.len(),
            }
        }
    }

    fn further(&mut self, unnamed: &mut usize) -> Parsed<Property> {
        if self.at_definition() {
            return self.ltl();
        }
        let name = self.name_in_front("formula")?;
        let formula = self.formula()?;
        let ends = self.peek().is_none_or(|next| next.line_start || next.is_punct(";"));
        if !ends {
            return Err(self.unexpected("the end of the formula", "join formulas by `&&` or `||`"));
        }
        let span = formula.span;
        let name = name.unwrap_or_else(|| {
            *unnamed += 1;
            Word { name: Name::new(&format!("cmd_{unnamed}")), span }
        });
        Ok(Property { name, formula, span })
    }

    /// The temporal operator between two formulas that stands here, and how many tokens it takes.
    pub(super) fn temporal_infix(&self) -> Option<(TemporalOp, usize)> {
        let token = self.peek().filter(|_| self.temporal)?;
        match token.kind {
            TokenKind::Word => TemporalOp::infix_word(&token.text).map(|op| (op, 1)),
            _ if token.is_punct("->") => Some((TemporalOp::Implies, 1)),
            _ if self.at_pair("<", "->") => Some((TemporalOp::Equivalent, 2)),
            _ => None,
        }
    }

    fn temporal_prefix(&self) -> Option<(TemporalOp, usize)> {
        let token = self.peek().filter(|_| self.temporal)?;
        match token.kind {
            TokenKind::Word => TemporalOp::prefix_word(&token.text).map(|op| (op, 1)),
            _ if self.at_pair("[", "]") => Some((TemporalOp::Always, 2)),
            _ if self.at_pair("<", ">") => Some((TemporalOp::Eventually, 2)),
            _ => None,
        }
    }

    /// `[] f`, `<> f`, `X f`, if one stands here. The operand of `[] x >= 4` is the comparison.
    pub(super) fn temporal_unary(&mut self) -> Parsed<Option<Expr>> {
        let Some((op, tokens)) = self.temporal_prefix() else { return Ok(None) };
        let first = self.here();
        self.at += tokens;
        self.descend("formulas")?;
        let operand = self.prefix();
        self.depth -= 1;
        let operand = self.operators(operand?, TemporalOp::OF_STATES)?;
        let height = operand.height + 1;
        let kind = ExprKind::Temporal(op, vec![operand]);
        Ok(Some(Expr { span: self.since(first), kind, height }))
    }

    /// Notes a further operator; one of another strength, or one of expressions, ends the chain.
    pub(super) fn link(
        &mut self,
        chain: &mut Chain,
        op: Option<TemporalOp>,
        (left, right): (Span, Span),
    ) {
        let Some(op) = op else { return self.end_chain(std::mem::take(chain)) };
        if chain.signs.is_empty() || chain.strength != op.strength() {
            self.end_chain(std::mem::take(chain));
            chain.strength = op.strength();
            chain.operands = vec![self.text(left)];
        }
        chain.signs.push(op.symbol());
        chain.operands.push(self.text(right));
        chain.span = Some(self.sources.cover(left, right));
    }

    /// `!x == 1` is `(!x) == 1` in C, and mostly meant otherwise.
    pub(super) fn denied_side(&mut self, left: &Expr, op: BinaryOp, right: Span) {
        let denies = matches!(left.kind, ExprKind::Unary(UnaryOp::Not, _));
        if !self.temporal || !denies || !op.is_comparison() {
            return;
        }
        let (whole, right) = (self.sources.cover(left.span, right), self.text(right));
        let left = self.text(left.span);
        let Some(operand) = left.strip_prefix('!') else { return };
        let sign = op.symbol();
        let readings = [
            format!("({left}) {sign} {right}"),
            format!("!({} {sign} {right})", operand.trim_start()),
        ];
        self.ambiguous(whole, "`!` before a comparison", readings);
    }

    /// Reports operators in a row: which of the two readings is meant is not for us to choose.
    pub(super) fn end_chain(&mut self, chain: Chain) {
        let (Some(span), true) = (chain.span, chain.signs.len() > 1) else { return };
        let what = match chain.strength {
            0 => "`->` or `<->` in a row",
            _ => "`U`, `W` or `V` in a row",
        };
        self.ambiguous(span, what, [chain.left(), chain.right()]);
    }

    fn ambiguous(&mut self, span: Span, what: &str, [one, other]: [String; 2]) {
        let found = Diagnostic::error("A0037", span, format!("{what} without parentheses"))
            .label("this can be read in two ways")
            .note(format!("either {}", cut(one)))
            .note(format!("or     {}", cut(other)))
            .help("write the parentheses you mean");
        self.diagnostics.push(found);
    }

    /// What is written there, on one line.
    fn text(&self, span: Span) -> String {
        self.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// What cannot go on a formula: an action, or a word of another tool for an operator.
    pub(super) fn formula_ends(&mut self) -> Parsed<()> {
        let Some(next) = self.peek().filter(|_| self.temporal) else { return Ok(()) };
        // What begins a line begins the next formula of a list.
        if next.line_start && self.parentheses == 0 {
            return Ok(());
        }
        let before = self.at.checked_sub(1).map(|at| self.tokens[at].text.as_str());
        if next.kind == TokenKind::Word
            && let Some((word, sign)) = TemporalOp::foreign(&next.text, before)
        {
            return Err(self.unexpected("an operator", format!("write `{sign}` for `{word}`")));
        }
        let (what, help) = match next.text.as_str() {
            "++" | "--" => ("an assignment", "compare with `==`, `<` and their kin"),
            "!" | "?" => ("a send or receive", "head(q) == m asks for the oldest message of q"),
            _ => return Ok(()),
        };
        let found = Diagnostic::error("A0038", next.span, format!("{what} in a formula"))
            .label("a formula looks at states and changes nothing")
            .help(help);
        Err(self.report(found))
    }
}
