//! What is wrong with a model's text, shown where it stands: the line, a caret,
//! the reason, what to write instead. In: diagnostics as the front end collected
//! them, whatever their spans. Out: text for people, findings for the report.
//!
//! The caret stands where the user wrote the statement: outside macros, but
//! inside procedures, because a procedure's text has lines of its own.

mod snippet;

use crate::look::Look;
use crate::style::{Role, Row, Screen, safe};
use crate::terminal::grouped;
use crate::{Finding, Related};
use base::{Diagnostic, OriginKind, Severity, SourceMap, Span};

/// A text longer than this says nothing more about a place.
const TEXT_MAX: usize = 80;
/// An expansion deeper than this would be a broken source map.
const ORIGINS_MAX: usize = 64;

/// All diagnostics as text, and where to read more about the first one.
pub fn diagnostics(list: &[Diagnostic], sources: &SourceMap, look: &Look) -> String {
    let mut out = String::new();
    for diagnostic in list {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&self::diagnostic(diagnostic, sources, look));
    }
    let first = list.iter().find(|d| d.severity == Severity::Error).or(list.first());
    if let Some(first) = first {
        let word = if first.severity == Severity::Error { "an error" } else { "a warning" };
        let mut screen = Screen::new();
        let text = format!("for more on {word}: argos help {}", first.id);
        screen.row(Row::new().put(Role::Faint, &text));
        out.push('\n');
        out.push_str(&screen.render(&look.palette));
    }
    out
}

/// One of them as text.
pub fn diagnostic(diagnostic: &Diagnostic, sources: &SourceMap, look: &Look) -> String {
    if diagnostic.severity != Severity::Error && !diagnostic.others.is_empty() {
        let finding = finding(diagnostic, sources);
        return grouped(&[&finding], look).render(&look.palette);
    }
    snippet::render(diagnostic, sources, look)
}

/// The same as plain data, for the report.
pub fn findings(list: &[Diagnostic], sources: &SourceMap) -> Vec<Finding> {
    list.iter().map(|diagnostic| finding(diagnostic, sources)).collect()
}

fn finding(diagnostic: &Diagnostic, sources: &SourceMap) -> Finding {
    let (file, line, column) = position(diagnostic.span, sources);
    let mut notes = diagnostic.notes.clone();
    notes.extend(trail(diagnostic.span, sources).iter().map(|step| step.words(sources)));
    Finding {
        id: diagnostic.id.to_owned(),
        severity: severity_word(diagnostic.severity).to_owned(),
        message: diagnostic.message.clone(),
        file,
        line,
        column,
        hint: (!diagnostic.help.is_empty()).then(|| diagnostic.help.join("; ")),
        text: text_at(diagnostic.span, sources),
        notes,
        others: diagnostic.others.iter().map(|other| related(other, sources)).collect(),
    }
}

fn related(label: &base::Label, sources: &SourceMap) -> Related {
    let (file, line, column) = position(label.span, sources);
    let text = text_at(label.span, sources);
    Related { file, line, column, text, message: label.text.clone() }
}

fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Remark => "remark",
    }
}

/// File, line and column of the statement; a span of an unknown file has none.
fn position(span: Span, sources: &SourceMap) -> (String, u32, u32) {
    let span = statement(span, sources);
    if sources.files.get(span.file).is_none() {
        return (String::new(), 0, 0);
    }
    let place = sources.place(span);
    (place.file, place.line, place.column)
}

fn text_at(span: Span, sources: &SourceMap) -> String {
    let span = statement(span, sources);
    if sources.files.get(span.file).is_none() {
        return String::new();
    }
    let text = sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let text = safe(&text);
    match text.char_indices().nth(TEXT_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// One expansion on the way from a spelled text to the user's statement, or from
/// the statement out to the calls it was inlined through.
struct Through<'a> {
    kind: OriginKind,
    name: &'a str,
    /// Where the text is spelled, inside the macro or procedure.
    spelled: Span,
    call: Span,
}

impl Through<'_> {
    fn words(&self, sources: &SourceMap) -> String {
        match self.kind {
            OriginKind::Macro => format!("in the expansion of `{}`", self.name),
            OriginKind::Procedure => {
                let (_, line, _) = position(self.call, sources);
                format!("in procedure `{}`, called at line {line}", self.name)
            }
        }
    }
}

fn trail(span: Span, sources: &SourceMap) -> Vec<Through<'_>> {
    let mut out = Vec::new();
    let mut at = span;
    while let Some(origin) = at.origin.and_then(|id| sources.origins.get(id)) {
        if out.len() == ORIGINS_MAX {
            break;
        }
        let name = origin.name.as_str();
        out.push(Through { kind: origin.kind, name, spelled: at, call: origin.call });
        at = origin.call;
    }
    out
}

/// The user's statement of a span, also when its origins are broken.
fn statement(span: Span, sources: &SourceMap) -> Span {
    let trail = trail(span, sources);
    let through = trail.iter().take_while(|step| step.kind == OriginKind::Macro);
    through.last().map_or(span, |step| step.call)
}
