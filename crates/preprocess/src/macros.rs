//! What `#define` says.

use crate::token::{Token, TokenKind};
use base::{Diagnostic, Name, Span};

/// A macro.
#[derive(Clone)]
pub(crate) struct Macro {
    /// Where its name stands in the `#define`.
    pub(crate) span: Span,
    /// The parameters of a function macro.
    pub(crate) parameters: Option<Vec<Name>>,
    /// What it stands for.
    pub(crate) body: Vec<Token>,
}

impl Macro {
    /// Whether both say the same, so that the second one is harmless.
    pub(crate) fn equals(&self, other: &Macro) -> bool {
        let same = |(a, b): (&Token, &Token)| a.kind == b.kind && a.text == b.text;
        self.parameters == other.parameters
            && self.body.len() == other.body.len()
            && self.body.iter().zip(&other.body).all(same)
    }

    /// The number of the parameter that `token` names.
    pub(crate) fn parameter(&self, token: &Token) -> Option<usize> {
        let named = |name: &Name| token.kind == TokenKind::Word && *name == token.text;
        self.parameters.as_ref()?.iter().position(named)
    }
}

/// Reads the tokens behind `#define`; `at` is the word `define` itself.
pub(crate) fn read(at: Span, line: &[Token]) -> Result<(Name, Macro), Diagnostic> {
    let (name, rest) = match line {
        [name, rest @ ..] if name.kind == TokenKind::Word && !name.is_word("defined") => {
            (name, rest)
        }
        [found, ..] => {
            return Err(bad_name(
                found.span,
                &format!("`{}` cannot be a macro's name", found.text),
            ));
        }
        [] => return Err(bad_name(at.after(), "the macro's name is missing")),
    };
    let (parameters, body) = match rest {
        [open, rest @ ..] if open.is_punct("(") && !open.spaced => {
            let (parameters, body) = read_parameters(open.span, rest)?;
            (Some(parameters), body)
        }
        _ => (None, rest),
    };
    let mut result = Macro { span: name.span, parameters, body: body.to_vec() };
    if let Some(first) = result.body.first_mut() {
        first.spaced = false;
    }
    check_operators(&result)?;
    Ok((name.text.clone(), result))
}

fn bad_name(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error("P0010", span, message).help("write `#define NAME text`")
}

/// Reads `a, b)` and returns what follows it.
fn read_parameters(open: Span, line: &[Token]) -> Result<(Vec<Name>, &[Token]), Diagnostic> {
    let mut names: Vec<Name> = Vec::new();
    let mut rest = line;
    if let [close, body @ ..] = rest
        && close.is_punct(")")
    {
        return Ok((names, body));
    }
    loop {
        let name = match rest {
            [name, ..] if name.kind == TokenKind::Word && !names.contains(&name.text) => name,
            other => return Err(bad_parameter(open, other, &names)),
        };
        names.push(name.text.clone());
        match &rest[1..] {
            [comma, more @ ..] if comma.is_punct(",") => rest = more,
            [close, body @ ..] if close.is_punct(")") => return Ok((names, body)),
            other => return Err(bad_parameter(open, other, &names)),
        }
    }
}

fn bad_parameter(open: Span, rest: &[Token], names: &[Name]) -> Diagnostic {
    const HELP: &str = "write `#define NAME(a, b) text`, each parameter a name of its own";
    let Some(found) = rest.first() else {
        return Diagnostic::error("P0011", open, "the macro's parameter list has no end")
            .label("opened here")
            .help(HELP);
    };
    if found.text.starts_with("..") {
        let message = "macros with a variable number of arguments are not supported";
        return Diagnostic::error("P0012", found.span, message)
            .label("`...`")
            .help("name each parameter, or define one macro per number of arguments");
    }
    let message = if names.contains(&found.text) {
        format!("the parameter `{}` is named twice", found.text)
    } else {
        format!("`{}` does not belong in a macro's parameter list", found.text)
    };
    Diagnostic::error("P0011", found.span, message).help(HELP)
}

/// `##` joins two neighbours, `#` quotes a parameter: both need them.
fn check_operators(subject: &Macro) -> Result<(), Diagnostic> {
    let joins = |token: Option<&Token>| token.is_some_and(|token| token.is_punct("##"));
    if joins(subject.body.first()) || joins(subject.body.last()) {
        let message = "`##` at the border of a macro has nothing to join";
        return Err(Diagnostic::error("P0013", subject.span, message)
            .help("put `##` between the two pieces to join"));
    }
    if subject.parameters.is_none() {
        return Ok(());
    }
    for (place, token) in subject.body.iter().enumerate() {
        let next = subject.body.get(place + 1);
        if token.is_punct("#") && next.is_none_or(|next| subject.parameter(next).is_none()) {
            let message = "`#` must stand before a parameter of the macro";
            return Err(Diagnostic::error("P0013", token.span, message)
                .help("remove the `#`, or name one of the parameters behind it"));
        }
    }
    Ok(())
}
