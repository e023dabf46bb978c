//! Expands macros. A macro is disabled while its own expansion is being read,
//! and a name met in that time stays a plain word for ever (C's rule), so
//! expansion always ends; a budget bounds how much it may produce.
//!
//! Origins: every token of a body gets the origin of the call. The tokens of an
//! argument keep the place where the user wrote them and get an origin of the
//! same content but another number, so that a span never stretches from a
//! `#define` to an argument far away from it.

use crate::macros::Macro;
use crate::token::{Spellings, Token, TokenKind};
use crate::{EXPANSION_DEPTH_MAX, TOKENS_MAX, lex};
use base::{Diagnostic, Name, Origin, OriginId, OriginKind, SourceMap, Span};
use std::collections::HashMap;
use std::rc::Rc;

/// Tokens from below the expansion: the lines of the file that follow.
pub(crate) trait Below {
    /// The next token, unless a directive or the end of the file comes first.
    fn next(&mut self) -> Option<Token>;
    /// The same without taking it.
    fn peek(&self) -> Option<&Token>;
}

/// Nothing below: for lines of directives and for arguments.
pub(crate) struct Nothing;

impl Below for Nothing {
    fn next(&mut self) -> Option<Token> {
        None
    }
    fn peek(&self) -> Option<&Token> {
        None
    }
}

/// All that expansion needs and makes.
#[derive(Default)]
pub(crate) struct Expander {
    pub(crate) macros: HashMap<Name, Rc<Macro>>,
    pub(crate) sources: SourceMap,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) spellings: Spellings,
    /// Tokens read and produced so far.
    pub(crate) spent: usize,
    /// The budget is used up; everything stops.
    pub(crate) exhausted: bool,
    contexts: Vec<Context>,
}

/// Tokens being read: a macro's expansion, or an argument.
struct Context {
    tokens: std::vec::IntoIter<Token>,
    /// The macro that is disabled until these tokens are used up.
    disables: Option<Name>,
}

/// One call of a macro.
struct Call {
    name: Name,
    /// From the name to the closing parenthesis.
    span: Span,
    arguments: Vec<Vec<Token>>,
}

impl Expander {
    /// Expands `tokens` alone.
    pub(crate) fn expand_all(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        let floor = self.contexts.len();
        self.contexts.push(Context { tokens: tokens.into_iter(), disables: None });
        let mut out = Vec::new();
        self.drain(floor, &mut Nothing, &mut out);
        out
    }

    /// Expands `token`, which came from `below`, into `out`.
    pub(crate) fn expand_one(&mut self, token: Token, below: &mut dyn Below, out: &mut Vec<Token>) {
        self.step(0, token, below, out);
        self.drain(0, below, out);
    }

    /// Uses up all contexts above `floor`.
    fn drain(&mut self, floor: usize, below: &mut dyn Below, out: &mut Vec<Token>) {
        while let Some(token) = self.next_above(floor) {
            self.step(floor, token, below, out);
        }
        self.contexts.truncate(floor);
    }

    fn next_above(&mut self, floor: usize) -> Option<Token> {
        while self.contexts.len() > floor && !self.exhausted {
            let top = self.contexts.last_mut().expect("longer than the floor");
            match top.tokens.next() {
                Some(token) => return Some(token),
                None => self.contexts.pop(),
            };
        }
        None
    }

    /// Emits `token`, or replaces it by what it stands for.
    fn step(
        &mut self,
        floor: usize,
        mut token: Token,
        below: &mut dyn Below,
        out: &mut Vec<Token>,
    ) {
        let known =
            (token.kind == TokenKind::Word && !token.frozen).then(|| self.macros.get(&token.text));
        let Some(subject) = known.flatten().cloned() else { return out.push(token) };
        if self.contexts.iter().any(|context| context.disables.as_ref() == Some(&token.text)) {
            token.frozen = true;
            return out.push(token);
        }
        if subject.parameters.is_some() && !self.peek_is_open(floor, below) {
            return out.push(token);
        }
        if let Some(call) = self.call(floor, &token, &subject, below) {
            self.replace(&token, &subject, call);
        }
    }

    fn peek_is_open(&self, floor: usize, below: &dyn Below) -> bool {
        let above = self.contexts[floor..].iter().rev();
        let next = above.filter_map(|context| context.tokens.as_slice().first()).next();
        next.or_else(|| below.peek()).is_some_and(|token| token.is_punct("("))
    }

    /// Gathers the arguments; `None` when the call is wrong.
    fn call(
        &mut self,
        floor: usize,
        name: &Token,
        subject: &Macro,
        below: &mut dyn Below,
    ) -> Option<Call> {
        let mut call = Call { name: name.text.clone(), span: name.span, arguments: Vec::new() };
        let Some(parameters) = &subject.parameters else { return Some(call) };
        let mut depth = 0_usize;
        let mut argument = Vec::new();
        loop {
            let Some(token) = self.next_above(floor).or_else(|| below.next()) else {
                self.report_unclosed(&call);
                return None;
            };
            match token.text.as_str() {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            match token.text.as_str() {
                "(" if depth == 1 => {}
                ")" if depth == 0 => {
                    call.span = call.span.to(token.span);
                    call.arguments.push(argument);
                    return self.check_count(call, subject, parameters.len());
                }
                "," if depth == 1 => call.arguments.push(std::mem::take(&mut argument)),
                _ => argument.push(token),
            }
        }
    }

    fn report_unclosed(&mut self, call: &Call) {
        if self.exhausted {
            return;
        }
        let message = format!("the call of macro `{}` has no closing parenthesis", call.name);
        let found = Diagnostic::error("P0014", call.span, message)
            .label("called here")
            .help("close the list of arguments with `)`, before any `#` line");
        self.diagnostics.push(found);
    }

    fn check_count(&mut self, mut call: Call, subject: &Macro, wanted: usize) -> Option<Call> {
        if wanted == 0 && call.arguments.len() == 1 && call.arguments[0].is_empty() {
            call.arguments.clear();
        }
        let found = call.arguments.len();
        if found == wanted {
            return Some(call);
        }
        let plural = if wanted == 1 { "" } else { "s" };
        let name = &call.name;
        let message = format!("macro `{name}` takes {wanted} argument{plural}, not {found}");
        let found = Diagnostic::error("P0015", call.span, message)
            .label("called here")
            .other(subject.span, "defined here")
            .help("an argument with a comma in it needs parentheses around it");
        self.diagnostics.push(found);
        None
    }

    /// Puts what `call` stands for in front of the tokens still to read.
    fn replace(&mut self, name: &Token, subject: &Rc<Macro>, call: Call) {
        if self.contexts.len() >= EXPANSION_DEPTH_MAX {
            return self.give_up_depth(call.span);
        }
        let mut tokens = self.substitute(subject, &call);
        self.spend(tokens.len() + 1, call.span);
        if let Some(first) = tokens.first_mut() {
            (first.line_start, first.spaced) = (name.line_start, name.spaced);
        }
        self.contexts.push(Context { tokens: tokens.into_iter(), disables: Some(call.name) });
    }

    fn give_up_depth(&mut self, at: Span) {
        self.exhausted = true;
        let message = format!("macros nested more than {EXPANSION_DEPTH_MAX} deep");
        let found = Diagnostic::error("P0017", at, message)
            .note("the rest of the file was not read")
            .help("use fewer macros inside macros");
        self.diagnostics.push(found);
    }

    /// Books `count` tokens; ends everything when the budget is used up.
    pub(crate) fn spend(&mut self, count: usize, at: Span) {
        self.spent = self.spent.saturating_add(count);
        if self.spent <= TOKENS_MAX || self.exhausted {
            return;
        }
        self.exhausted = true;
        let message = format!("the model grows beyond {TOKENS_MAX} tokens");
        let found = Diagnostic::error("P0016", at, message)
            .label("the limit is reached in this expansion")
            .note("the rest of the file was not read")
            .help("look for macros or includes that double the text each time");
        self.diagnostics.push(found);
    }

    fn substitute(&mut self, subject: &Rc<Macro>, call: &Call) -> Vec<Token> {
        let origin = self.origin(call);
        let mut arguments: Vec<Argument> = Vec::new();
        for raw in &call.arguments {
            arguments.push(Argument { raw: self.claim(raw, call), expanded: None });
        }
        let mut joint = Joint { out: Vec::new(), joining: false, last_empty: true };
        let mut at = 0;
        while let Some(token) = subject.body.get(at) {
            let (before, next) = (at.checked_sub(1), subject.body.get(at + 1));
            let joined = |token: Option<&Token>| token.is_some_and(|token| token.is_punct("##"));
            let quoted = next.and_then(|next| subject.parameter(next));
            if token.is_punct("##") {
                joint.joining = true;
            } else if let (true, Some(place)) = (token.is_punct("#"), quoted) {
                let piece = self.quote(token, &arguments[place].raw, origin);
                self.append(&mut joint, vec![piece]);
                at += 1;
            } else if let Some(place) = subject.parameter(token) {
                let alone = joined(next) || joined(before.map(|before| &subject.body[before]));
                let piece = self.argument(&mut arguments[place], alone, token.spaced);
                self.append(&mut joint, piece);
            } else {
                self.append(&mut joint, vec![located(token, Some(origin))]);
            }
            at += 1;
            if self.exhausted {
                break;
            }
        }
        joint.out
    }

    /// The tokens that stand for a parameter; next to `##` they are not expanded.
    fn argument(&mut self, argument: &mut Argument, alone: bool, spaced: bool) -> Vec<Token> {
        let mut piece = if alone {
            argument.raw.clone()
        } else {
            let raw = &argument.raw;
            argument.expanded.get_or_insert_with(|| self.expand_all(raw.clone())).clone()
        };
        if let Some(first) = piece.first_mut() {
            first.spaced = spaced;
            self.spend(piece.len(), piece[0].span);
        }
        piece
    }

    fn append(&mut self, joint: &mut Joint, piece: Vec<Token>) {
        let empty = piece.is_empty();
        let mut piece = piece.into_iter();
        let joining = std::mem::take(&mut joint.joining);
        if joining && !joint.last_empty && !empty {
            let left = joint.out.pop().expect("the piece before was not empty");
            let right = piece.next().expect("checked above");
            self.join(left, right, &mut joint.out);
        }
        joint.out.extend(piece);
        joint.last_empty = empty && (!joining || joint.last_empty);
    }

    /// `left ## right`.
    fn join(&mut self, left: Token, right: Token, out: &mut Vec<Token>) {
        let text = format!("{}{}", left.text, right.text);
        let pieces = lex::lex(left.span.file, &text, &mut self.spellings).tokens;
        match <[Token; 1]>::try_from(pieces) {
            Ok([piece]) if piece.span.end as usize == text.len() => {
                out.push(Token { span: left.span, spaced: left.spaced, line_start: false, ..piece })
            }
            _ => {
                let message =
                    format!("`{}` and `{}` do not join into one token", left.text, right.text);
                let found = Diagnostic::error("P0018", left.span, message)
                    .help("remove the `##` between them");
                self.diagnostics.push(found);
                out.extend([left, right]);
            }
        }
    }

    /// `#parameter`: the argument as a string.
    fn quote(&mut self, sign: &Token, argument: &[Token], origin: OriginId) -> Token {
        let mut text = String::from("\"");
        for (place, token) in argument.iter().enumerate() {
            if place > 0 && token.spaced {
                text.push(' ');
            }
            let literal = matches!(token.kind, TokenKind::String | TokenKind::Char);
            for letter in token.text.chars() {
                if literal && matches!(letter, '"' | '\\') {
                    text.push('\\');
                }
                text.push(letter);
            }
        }
        text.push('"');
        let text = self.spellings.name(&text);
        Token { kind: TokenKind::String, text, ..located(sign, Some(origin)) }
    }

    /// The tokens of an argument, as part of `call`.
    fn claim(&mut self, argument: &[Token], call: &Call) -> Vec<Token> {
        if argument.is_empty() {
            return Vec::new();
        }
        let mut moved = Moved {
            under: self.origin(call),
            home: call.span.origin.map(|id| self.sources.origins[id].clone()),
            known: HashMap::new(),
        };
        let mut claimed = Vec::with_capacity(argument.len());
        for token in argument {
            let origin = self.move_origin(token.span.origin, &mut moved);
            claimed.push(Token { line_start: false, ..located(token, Some(origin)) });
        }
        claimed
    }

    /// The chain `from`, hung under the call: a token that came through other
    /// macros before keeps them.
    fn move_origin(&mut self, from: Option<OriginId>, moved: &mut Moved) -> OriginId {
        let mut chain = Vec::new();
        let mut under = moved.under;
        let mut at = from;
        while let Some(id) = at {
            if let Some(known) = moved.known.get(&id) {
                under = *known;
                break;
            }
            // By content, for an argument has a twin of its macro's origin.
            let origin = &self.sources.origins[id];
            if moved.home.as_ref() == Some(origin) {
                break;
            }
            chain.push(id);
            at = origin.call.origin;
        }
        for id in chain.into_iter().rev() {
            let mut origin = self.sources.origins[id].clone();
            origin.call.origin = Some(under);
            self.spend(1, origin.call);
            under = self.sources.origins.push(origin);
            moved.known.insert(id, under);
        }
        under
    }

    fn origin(&mut self, call: &Call) -> OriginId {
        let (name, call) = (call.name.clone(), call.span);
        self.sources.origins.push(Origin { kind: OriginKind::Macro, name, call })
    }
}

/// How origins change when an argument becomes part of a call.
struct Moved {
    /// The call.
    under: OriginId,
    /// Where the call itself stands; chains are cut there.
    home: Option<Origin>,
    known: HashMap<OriginId, OriginId>,
}

/// An argument, as written and as expanded.
struct Argument {
    raw: Vec<Token>,
    expanded: Option<Vec<Token>>,
}

/// What a macro's body has become so far.
struct Joint {
    out: Vec<Token>,
    /// A `##` stands before the next piece.
    joining: bool,
    /// The piece before was an empty argument: nothing to join with.
    last_empty: bool,
}

fn located(token: &Token, origin: Option<OriginId>) -> Token {
    Token { span: Span { origin, ..token.span }, ..token.clone() }
}
