//! Reads files line by line: directives are obeyed, all other lines go through
//! macro expansion to the output. Included files are a stack of [`Frame`]s, not
//! recursion, so their depth costs no stack.

use crate::expand::{Below, Expander};
use crate::include::{self, Found, Missing};
use crate::token::{Token, TokenKind};
use crate::{
    BYTES_MAX, Files, Further, INCLUDE_DEPTH_MAX, INCLUDES_MAX, Input, Options, Output, Rest,
};
use crate::{condition, lex, macros};
use base::{Diagnostic, FileId, Id, LineMarker, Name, Span, nearest};
use std::rc::Rc;
use std::sync::Arc;

/// The whole run.
pub(crate) fn run(input: Input<'_>, options: &Options, files: &dyn Files) -> Output {
    let mut driver = Driver {
        expander: Expander::default(),
        frames: Vec::new(),
        tokens: Vec::new(),
        allowed: Vec::new(),
        bytes: 0,
        changes: 0,
        options,
        files,
    };
    driver.open(input.name, input.bytes, None);
    driver.open("command line", definitions(options).as_bytes(), None);
    while driver.line() {}
    let main = driver.expander.sources.files.ids().next().expect("the model was opened first");
    let tokens = std::mem::take(&mut driver.tokens);
    let further = options.further.iter().map(|text| driver.further(text)).collect();
    let loses = |found: &Diagnostic| !HARMLESS.contains(&found.id);
    Output {
        incomplete: driver.expander.diagnostics.iter().any(loses),
        end: driver.end_of(main),
        tokens,
        further,
        sources: driver.expander.sources,
        diagnostics: driver.expander.diagnostics,
        allowed: driver.allowed,
    }
}

/// Faults that leave nothing out.
const HARMLESS: [&str; 6] = ["P0003", "P0006", "P0009", "P0018", "P0019", "P0020"];

/// `-D` as the lines of a file, so that their macros have a place too.
fn definitions(options: &Options) -> String {
    let mut text = String::new();
    for (name, value) in &options.defines {
        let value = value.as_deref().unwrap_or("1").replace(['\n', '\r'], " ");
        text += &format!("#define {} {value}\n", name.replace(['\n', '\r'], " "));
    }
    text
}

struct Driver<'a> {
    expander: Expander,
    frames: Vec<Frame>,
    tokens: Vec<Token>,
    allowed: Vec<String>,
    /// Of all files together.
    bytes: usize,
    /// How often a macro came, went or changed.
    changes: usize,
    options: &'a Options,
    files: &'a dyn Files,
}

/// A file being read.
struct Frame {
    path: String,
    file: FileId,
    tokens: Vec<Token>,
    next: usize,
    groups: Vec<Group>,
    /// [`Driver::changes`] when it was opened.
    changes: usize,
}

/// An `#if` that is not closed yet.
struct Group {
    /// Its directive.
    opened: Span,
    /// Whether the lines that follow are read.
    active: bool,
    /// Whether some branch was taken, or none may be.
    done: bool,
    /// Whether `#else` was met.
    last: bool,
}

impl Below for Frame {
    fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned()?;
        self.next += 1;
        Some(token)
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).filter(|token| !is_directive(token))
    }
}

fn is_directive(token: &Token) -> bool {
    token.line_start && token.is_punct("#")
}

impl Frame {
    fn skipping(&self) -> bool {
        self.groups.last().is_some_and(|group| !group.active)
    }

    /// Takes the rest of the line.
    fn rest_of_line(&mut self) -> Vec<Token> {
        let rest = &self.tokens[self.next..];
        let length = rest.iter().position(|token| token.line_start).unwrap_or(rest.len());
        self.next += length;
        rest[..length].to_vec()
    }
}

/// Words that may stand behind `#`.
const DIRECTIVES: [&str; 14] = [
    "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif", "error",
    "warning", "line", "pragma", "ident",
];

impl Driver<'_> {
    /// Reads a text behind the model.
    fn further(&mut self, text: &Further) -> Rest {
        let file = self.expander.sources.files.len();
        match text {
            Further::Text { name, text, .. } => self.open(name, text.as_bytes(), None),
            Further::File(path) => match self.files.read(path) {
                Ok(bytes) => self.open(path, &bytes, None),
                Err(error) => {
                    self.open(path, b"", None);
                    let at = self.end_of(Id::new(file));
                    self.report(
                        Diagnostic::error("P0023", at, format!("`{path}` cannot be read: {error}"))
                            .help("check the name"),
                    );
                }
            },
        }
        while self.line() {}
        let purpose = match text {
            Further::Text { purpose, .. } => *purpose,
            Further::File(_) => None,
        };
        Rest { purpose, tokens: std::mem::take(&mut self.tokens), end: self.end_of(Id::new(file)) }
    }

    fn end_of(&self, file: FileId) -> Span {
        let end = self.expander.sources.files[file].text.len() as u32;
        Span { file, start: end, end, origin: None }
    }

    /// Starts reading a file.
    fn open(&mut self, path: &str, bytes: &[u8], asked: Option<Span>) {
        // Three bytes for each that is not UTF-8: the text may be longer.
        let room = BYTES_MAX - self.bytes;
        let text = if bytes.len() > room { "".into() } else { String::from_utf8_lossy(bytes) };
        let too_big = bytes.len() > room || text.len() > room;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let text: Arc<str> = Arc::from(if too_big { "" } else { text });
        self.bytes += text.len();
        let file = self.expander.sources.add(path, text.clone(), asked);
        let at = asked.unwrap_or(Span { file, start: 0, end: 0, origin: None });
        if too_big {
            let found = Diagnostic::error("P0002", at, format!("`{path}` is too big"))
                .note("all files of a model together may have 4 GiB at most")
                .help("split the model, or leave out what it does not need");
            self.report(found);
        }
        let lexed = lex::lex(file, &text, &mut self.expander.spellings);
        self.expander.diagnostics.extend(lexed.diagnostics);
        self.allowed.extend(lexed.allowed);
        self.expander.spend(lexed.tokens.len(), at);
        let (tokens, path) = (lexed.tokens, include::normal(path));
        let (next, groups, changes) = (0, Vec::new(), self.changes);
        self.frames.push(Frame { path, file, tokens, next, groups, changes });
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.expander.diagnostics.push(diagnostic);
    }

    /// Handles one line, or the end of a file; false when all is read.
    fn line(&mut self) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        if self.expander.exhausted {
            self.frames.clear();
            return false;
        }
        match frame.tokens.get(frame.next) {
            None => self.close(),
            Some(token) if is_directive(token) => {
                let sign = token.span;
                frame.next += 1;
                let line = frame.rest_of_line();
                self.directive(sign, &line);
            }
            Some(_) if frame.skipping() => {
                frame.next += 1;
                frame.rest_of_line();
            }
            Some(token) => {
                let token = token.clone();
                frame.next += 1;
                self.emit(token);
            }
        }
        true
    }

    fn emit(&mut self, token: Token) {
        let frame = self.frames.last_mut().expect("a token came from the last frame");
        let before = self.tokens.len();
        self.expander.expand_one(token, frame, &mut self.tokens);
        for place in (before..self.tokens.len()).rev() {
            if lex::is_unclosed_string(&self.tokens[place]) {
                let string = self.tokens.remove(place);
                let found = Diagnostic::error("P0003", string.span, "string without an end")
                    .label("the string begins here")
                    .help("close it with `\"` on the same line");
                self.report(found);
            }
        }
    }

    /// The end of a file.
    fn close(&mut self) {
        let frame = self.frames.pop().expect("called for the last frame");
        for group in frame.groups {
            let found = Diagnostic::error("P0005", group.opened, "`#if` without `#endif`")
                .label("opened here, open at the end of the file")
                .help("write `#endif` behind the last line it governs");
            self.report(found);
        }
    }

    fn directive(&mut self, sign: Span, line: &[Token]) {
        let Some((word, rest)) = line.split_first() else { return };
        let at = sign.to(word.span);
        let skipping = self.frames.last().is_some_and(Frame::skipping);
        match word.text.as_str() {
            "if" | "ifdef" | "ifndef" => self.open_group(at, &word.text, rest),
            "elif" | "else" | "endif" => self.turn_group(at, &word.text, rest),
            _ if skipping => {}
            "define" => self.define(word.span, rest),
            "undef" => self.undefine(word.span, rest),
            "include" => self.include(at, rest),
            "error" => self.user_says(at, rest, Diagnostic::error),
            "warning" => self.user_says(at, rest, Diagnostic::warning),
            "line" => self.mark(at, rest),
            "pragma" | "ident" => {}
            _ if word.kind == TokenKind::Number => self.mark(at, line),
            _ => self.unknown(word),
        }
    }

    fn unknown(&mut self, word: &Token) {
        let message = format!("unknown directive `#{}`", word.text);
        let names: Vec<Name> = DIRECTIVES.iter().copied().map(Name::new).collect();
        let help = match nearest(&word.text, &names) {
            Some(name) => format!("did you mean `#{name}`?"),
            None => format!("the directives are: {}", DIRECTIVES.join(", ")),
        };
        self.report(Diagnostic::error("P0004", word.span, message).help(help));
    }

    fn define(&mut self, at: Span, line: &[Token]) {
        let (name, subject) = match macros::read(at, line) {
            Ok(read) => read,
            Err(diagnostic) => return self.report(diagnostic),
        };
        let known = self.expander.macros.get(&name).cloned();
        self.changes += usize::from(!known.as_ref().is_some_and(|known| known.equals(&subject)));
        if let Some(known) = known
            && !known.equals(&subject)
        {
            let found = Diagnostic::warning(
                "P0020",
                subject.span,
                format!("macro `{name}` is defined again"),
            )
            .label("this definition counts from here on")
            .other(known.span, "defined differently before")
            .help(format!("write `#undef {name}` first, or wrap it in `#ifndef {name}`"));
            self.report(found);
        }
        self.expander.macros.insert(name, Rc::new(subject));
    }

    fn undefine(&mut self, at: Span, line: &[Token]) {
        match line {
            [name] if name.kind == TokenKind::Word => {
                let known = self.expander.macros.remove(&name.text);
                self.changes += usize::from(known.is_some());
            }
            _ => self.report(
                Diagnostic::error("P0010", at.after(), "`#undef` takes one macro name")
                    .help("write `#undef NAME`"),
            ),
        }
    }

    fn user_says(
        &mut self,
        at: Span,
        line: &[Token],
        severity: fn(&'static str, Span, String) -> Diagnostic,
    ) {
        let span = match (line.first(), line.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => at.after(),
        };
        let text = self.expander.sources.text(span).to_owned();
        let help = "the model itself asks for this; see the `#if` around it";
        self.report(severity("P0009", at, format!("the model says: {text}")).help(help));
    }

    /// `#line 12 "file"` and `# 12 "file"`.
    fn mark(&mut self, at: Span, line: &[Token]) {
        let line = self.expander.expand_all(line.to_vec());
        let number = line.first().filter(|token| token.kind == TokenKind::Number);
        let number = number.and_then(|token| token.text.parse().ok());
        let file = line.get(1).filter(|token| token.kind == TokenKind::String);
        let (Some(number), true) = (number, line.len() == 1 || file.is_some()) else {
            let found = Diagnostic::error("P0019", at, "a line marker needs a number")
                .help("write `#line 12` or `#line 12 \"file\"`");
            return self.report(found);
        };
        let file = file.map(|token| unquoted(&token.text));
        let frame = self.frames.last().expect("a directive stands in a file");
        let source = &mut self.expander.sources.files[frame.file];
        let after = &source.text[at.end as usize..];
        let Some(end) = after.find('\n') else { return };
        let offset = at.end + end as u32 + 1;
        source.markers.push(LineMarker { offset, file, line: number });
    }

    fn open_group(&mut self, at: Span, word: &str, line: &[Token]) {
        let frame = self.frames.last().expect("a directive stands in a file");
        let group = if frame.skipping() {
            Group { opened: at, active: false, done: true, last: false }
        } else {
            let active = match word {
                "if" => self.condition(at, line),
                _ => self.is_defined(at, line) == (word == "ifdef"),
            };
            Group { opened: at, active, done: active, last: false }
        };
        self.frames.last_mut().expect("as above").groups.push(group);
    }

    fn is_defined(&mut self, at: Span, line: &[Token]) -> bool {
        match line {
            [name, ..] if name.kind == TokenKind::Word => {
                self.expander.macros.contains_key(&name.text)
            }
            _ => {
                let found = Diagnostic::error("P0010", at.after(), "a macro's name is missing")
                    .help("write `#ifdef NAME` or `#ifndef NAME`");
                self.report(found);
                false
            }
        }
    }

    /// `#elif`, `#else`, `#endif`.
    fn turn_group(&mut self, at: Span, word: &str, line: &[Token]) {
        let frame = self.frames.last_mut().expect("a directive stands in a file");
        let Some(group) = frame.groups.last_mut() else {
            let found = Diagnostic::error("P0006", at, format!("`#{word}` without `#if`"))
                .help("remove it, or write the `#if` it belongs to");
            return self.report(found);
        };
        if word == "endif" {
            frame.groups.pop();
            return;
        }
        if group.last {
            let opened = group.opened;
            let found = Diagnostic::error("P0006", at, format!("`#{word}` after `#else`"))
                .other(opened, "the `#if` is here")
                .help("an `#if` has one `#else`, as its last branch");
            return self.report(found);
        }
        group.last = word == "else";
        group.active = !group.done;
        if group.done || word == "else" {
            group.done = true;
            return;
        }
        let active = self.condition(at, line);
        let frame = self.frames.last_mut().expect("as above");
        let group = frame.groups.last_mut().expect("as above");
        (group.active, group.done) = (active, active);
    }

    /// The value of the expression behind `#if` or `#elif`; wrong ones count as 0.
    fn condition(&mut self, at: Span, line: &[Token]) -> bool {
        let line = self.resolve_defined(line);
        let line = self.expander.expand_all(line);
        match condition::value(&line, at) {
            Ok(value) => value != 0,
            Err(diagnostic) => {
                self.report(diagnostic);
                false
            }
        }
    }

    /// Replaces `defined X` and `defined(X)`, before their names are expanded.
    fn resolve_defined(&mut self, line: &[Token]) -> Vec<Token> {
        let mut out = Vec::new();
        let mut rest = line;
        while let [token, more @ ..] = rest {
            let (name, after) = match more {
                _ if !token.is_word("defined") => (None, more),
                [open, name, close, after @ ..] if open.is_punct("(") && close.is_punct(")") => {
                    (Some(name), after)
                }
                [name, after @ ..] if name.kind == TokenKind::Word => (Some(name), after),
                _ => (None, more),
            };
            rest = after;
            out.push(match name {
                None => token.clone(),
                Some(name) => {
                    let known = self.expander.macros.contains_key(&name.text);
                    let text = self.expander.spellings.name(if known { "1" } else { "0" });
                    Token { kind: TokenKind::Number, text, ..token.clone() }
                }
            });
        }
        out
    }

    fn include(&mut self, at: Span, line: &[Token]) {
        let Some(name) = self.include_name(line) else {
            let found = Diagnostic::error("P0007", at, "`#include` needs a file name")
                .help("write `#include \"file\"`");
            return self.report(found);
        };
        let from = self.frames.last().expect("a directive stands in a file").path.clone();
        let at = line.iter().fold(at, |at, token| at.to(token.span));
        match include::find(&name, &from, &self.options.include_paths, self.files) {
            Ok(found) => self.enter(at, &found),
            Err(missing) => self.report_missing(at, &name, missing),
        }
    }

    /// The name in `"file"` or `<file>`, directly or after macro expansion.
    fn include_name(&mut self, line: &[Token]) -> Option<String> {
        let expanded;
        let line = match line.first() {
            Some(first) if first.kind == TokenKind::Word => {
                expanded = self.expander.expand_all(line.to_vec());
                &expanded
            }
            _ => line,
        };
        let (first, last) = (line.first()?, line.last()?);
        if first.kind == TokenKind::String {
            return Some(unquoted(&first.text));
        }
        let bracketed = first.is_punct("<") && last.is_punct(">") && line.len() > 2;
        let written = self.expander.sources.text(first.span.to(last.span));
        bracketed.then(|| written.trim_matches(['<', '>', ' ']).to_owned())
    }

    fn enter(&mut self, at: Span, found: &Found) {
        let path = &found.path;
        // With the macros it was entered with before, a file takes the same turns again.
        let again = |frame: &Frame| frame.path == *path && frame.changes == self.changes;
        if let Some(place) = self.frames.iter().rposition(again) {
            return self.report_cycle(at, place);
        }
        let count = self.expander.sources.files.len();
        if self.frames.len() > INCLUDE_DEPTH_MAX || count > INCLUDES_MAX {
            self.expander.exhausted = true;
            let limits = format!("{INCLUDE_DEPTH_MAX} deep, {INCLUDES_MAX} in all");
            let found =
                Diagnostic::error("P0021", at, format!("too many included files at `{path}`"))
                    .note(format!("the limit is {limits}; the rest of the file was not read"))
                    .help("include each file once, from the model's own file");
            return self.report(found);
        }
        self.open(path, &found.bytes, Some(at));
    }

    fn report_cycle(&mut self, at: Span, place: usize) {
        let path = self.frames[place].path.clone();
        let mut cycle: Vec<&str> = Vec::new();
        cycle.extend(self.frames[place..].iter().map(|frame| frame.path.as_str()));
        cycle.push(&path);
        let note = format!("the cycle is {}", cycle.join(" -> "));
        let found = Diagnostic::error("P0022", at, format!("`{path}` includes itself"))
            .label("this include closes the cycle")
            .note(note)
            .help("remove this `#include`, or wrap the file in `#ifndef`, `#define` and `#endif`");
        self.report(found);
    }

    fn report_missing(&mut self, at: Span, name: &str, missing: Missing) {
        let message = match &missing.error {
            None => format!("there is no file `{name}` to include"),
            Some(error) => format!("`{name}` cannot be read: {error}"),
        };
        let found = Diagnostic::error("P0023", at, message)
            .note(format!("tried {}", missing.tried.join(", ")))
            .help("check the name, or give its directory with `-I`");
        self.report(found);
    }
}

/// A string's contents; names of files know no escapes.
fn unquoted(text: &str) -> String {
    text.trim_matches('"').to_owned()
}
