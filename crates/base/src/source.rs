//! Where a piece of text stands: files, includes, and the macros or procedures
//! it came through. A [`Span`] points at the characters as they are spelled; its
//! origin chain leads from there out to the place the user sees as "here".

use crate::{IdVec, Name, define_id};
use std::sync::Arc;

define_id!(
    /// A file of the model, the main one or an included one.
    FileId, "file";
    /// One expansion of a macro, or one inlined call of a procedure.
    OriginId, "origin"
);

/// A stretch of one file, in bytes, and the expansion it came through.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    /// The file that spells the text.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The innermost expansion that put this text here; `None` for plain text.
    pub origin: Option<OriginId>,
}

/// A name in the text.
#[derive(Clone, Debug)]
pub struct Word {
    /// The name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

impl Span {
    /// From the start of `self` to the end of `last`, if both are spelled in the
    /// same file by the same expansion; else `self`.
    pub fn to(self, last: Span) -> Span {
        if self.file == last.file && self.origin == last.origin && last.end >= self.start {
            Span { end: last.end.max(self.end), ..self }
        } else {
            self
        }
    }

    /// The empty span right behind this one, for "expected here".
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }
}

/// What kind of expansion an [`Origin`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OriginKind {
    /// A `#define` macro.
    Macro,
    /// A procedure of Argos, inlined at its call.
    Procedure,
}

/// One expansion: what was expanded, and where it was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Macro or procedure.
    pub kind: OriginKind,
    /// Its name.
    pub name: Name,
    /// The use; has an origin of its own when it stands inside another expansion.
    pub call: Span,
}

/// A `# 12 "file"` or `#line` directive: from `offset` on, lines count anew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineMarker {
    /// Byte offset of the line that follows the directive.
    pub offset: u32,
    /// What to call the file from here on, if the marker says so.
    pub file: Option<String>,
    /// The number of the line at `offset`.
    pub line: u32,
}

/// One file and where its lines begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// As the user named it, or as the include found it.
    pub name: String,
    /// The text; bytes that are not UTF-8 were replaced when it was read.
    pub text: Arc<str>,
    /// The `#include` that asked for it.
    pub included_at: Option<Span>,
    /// Line markers in order of offset.
    pub markers: Vec<LineMarker>,
    lines: Vec<u32>,
}

/// A position for people: counted from one, columns in characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// File name.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in characters.
    pub column: u32,
}

/// All files and expansions of one model.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct SourceMap {
    /// The files; the first one is the model itself.
    pub files: IdVec<FileId, SourceFile>,
    /// The expansions spans refer to.
    pub origins: IdVec<OriginId, Origin>,
}

impl SourceMap {
    /// Adds a file. Texts beyond 4 GiB cannot be addressed; callers refuse them.
    pub fn add(&mut self, name: &str, text: Arc<str>, included_at: Option<Span>) -> FileId {
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(starts.map(|(i, _)| i as u32 + 1)).collect();
        self.files.push(SourceFile {
            name: name.to_owned(),
            text,
            included_at,
            markers: Vec::new(),
            lines,
        })
    }

    /// The characters a span covers; empty if it does not fit its file.
    pub fn text(&self, span: Span) -> &str {
        let file = &self.files[span.file];
        file.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The place the user sees as the origin of `span`: outside all macros and
    /// inlined calls.
    pub fn outermost(&self, mut span: Span) -> Span {
        while let Some(origin) = span.origin {
            span = self.origins[origin].call;
        }
        span
    }

    /// The place where the text of `span` was written down, seen through macros
    /// but not through procedures: the statement of a procedure has its own line.
    pub fn statement(&self, mut span: Span) -> Span {
        while let Some(origin) = span.origin {
            let origin = &self.origins[origin];
            match origin.kind {
                OriginKind::Macro => span = origin.call,
                OriginKind::Procedure => break,
            }
        }
        span
    }

    /// Line and column of the start of `span` as spelled, line markers obeyed.
    pub fn place(&self, span: Span) -> Place {
        let file = &self.files[span.file];
        let row = file.lines.partition_point(|start| *start <= span.start) - 1;
        let before = file.text.get(file.lines[row] as usize..span.start as usize).unwrap_or("");
        let column = before.chars().count() as u32 + 1;
        let marker = file.markers.iter().rev().find(|marker| marker.offset <= span.start);
        let (name, line) = match marker {
            None => (&file.name, row as u32 + 1),
            Some(marker) => {
                let marked = file.lines.partition_point(|start| *start <= marker.offset) - 1;
                let line = marker.line.saturating_add((row - marked) as u32);
                (marker.file.as_ref().unwrap_or(&file.name), line)
            }
        };
        Place { file: name.clone(), line, column }
    }

    /// From `first` to `last`. Where they came through different macros, the span
    /// is that of the innermost text that spells, or calls for, both.
    pub fn cover(&self, first: Span, last: Span) -> Span {
        let outwards = |span: Span| {
            std::iter::successors(Some(span), |span| {
                span.origin.map(|origin| self.origins[origin].call)
            })
        };
        for first in outwards(first) {
            let mate = outwards(last).find(|last| {
                last.file == first.file && last.origin == first.origin && last.end >= first.start
            });
            if let Some(last) = mate {
                return first.to(last);
            }
        }
        first
    }

    /// The name of a file, unless it is the model itself.
    pub fn unless_main(&self, file: String) -> Option<String> {
        let main = self.files.iter().next().map(|main| &main.name);
        (main != Some(&file)).then_some(file)
    }

    /// Line of the statement a span belongs to, for reports.
    pub fn line(&self, span: Span) -> u32 {
        self.place(self.statement(span)).line
    }
}
