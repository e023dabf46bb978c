//! What is wrong with a text, as data. Renderers (terminal, JSON, editor) live
//! elsewhere; a stage only collects.

use crate::{SourceMap, Span};
use std::collections::HashSet;

/// How serious a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The model cannot be checked.
    Error,
    /// The model can be checked; something in it looks unintended.
    Warning,
    /// Worth knowing; nothing to mend.
    Remark,
}

/// A second place that explains the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What to say there.
    pub text: String,
}

/// One finding about the text of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Stable id: `A0012`, `W0003`; `argos help ID` explains it.
    pub id: &'static str,
    /// How serious.
    pub severity: Severity,
    /// One sentence without a full stop; names what the user named.
    pub message: String,
    /// The place to mend.
    pub span: Span,
    /// What to say under the caret; may be empty.
    pub label: String,
    /// Other places that matter.
    pub others: Vec<Label>,
    /// Facts that explain the message.
    pub notes: Vec<String>,
    /// What to write instead.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(id: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(id, Severity::Error, span, message)
    }

    /// A warning at `span`.
    pub fn warning(id: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(id, Severity::Warning, span, message)
    }

    /// A remark at `span`.
    pub fn remark(id: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(id, Severity::Remark, span, message)
    }

    /// Orders diagnostics by the place the user sees, and drops repeats: a mistake
    /// in a macro, a procedure or an `inline` is met at each use.
    pub fn sort(list: &mut Vec<Diagnostic>, sources: &SourceMap) {
        list.sort_by_key(|found| {
            let span = sources.outermost(found.span);
            (span.file, span.start, found.id)
        });
        let mut seen = HashSet::new();
        list.retain(|found| {
            let said = |span: Span| (found.id, found.message.clone(), span.file, span.start);
            let places = [said(found.span), said(sources.outermost(found.span))];
            let fresh = !places.iter().any(|place| seen.contains(place));
            seen.extend(places);
            fresh
        });
    }

    /// Drops the warnings and remarks that the text allows, and sorts the rest; whether there
    /// is an error among them.
    pub fn settle(list: &mut Vec<Diagnostic>, sources: &SourceMap, allowed: &[String]) -> bool {
        let is_error = |found: &Diagnostic| found.severity == Severity::Error;
        list.retain(|found| is_error(found) || !allowed.iter().any(|id| *id == found.id));
        Self::sort(list, sources);
        list.iter().any(is_error)
    }

    fn new(id: &'static str, severity: Severity, span: Span, message: impl Into<String>) -> Self {
        Self {
            id,
            severity,
            message: message.into(),
            span,
            label: String::new(),
            others: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Says `text` under the caret.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Points at another place too.
    #[must_use]
    pub fn other(mut self, span: Span, text: impl Into<String>) -> Self {
        self.others.push(Label { span, text: text.into() });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Says what to write instead.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }
}
