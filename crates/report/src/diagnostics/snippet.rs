//! One diagnostic with its lines of text, drawn by annotate-snippets. That crate
//! trusts its input, so spans are brought inside their texts here first.

use super::{Through, statement, trail};
use crate::look::Look;
use crate::style::{Palette, Role, safe};
use annotate_snippets::renderer::{AnsiColor, Effects, Style};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use base::{Diagnostic, FileId, OriginKind, Severity, SourceMap, Span};
use std::ops::Range;

/// The diagnostic as text, ending with a line break.
pub(super) fn render(diagnostic: &Diagnostic, sources: &SourceMap, look: &Look) -> String {
    let trail = trail(diagnostic.span, sources);
    let mut groups = vec![primary(diagnostic, sources, &trail)];
    let macros = trail.iter().take_while(|step| step.kind == OriginKind::Macro);
    groups.extend(macros.filter_map(|step| expansion(step, sources)));
    let text = renderer(&look.palette).render(&groups);
    format!("{}\n", text.trim_end_matches('\n'))
}

fn primary<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap, trail: &[Through]) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Remark => Level::INFO.with_name("remark"),
    };
    let title = level.primary_title(safe(&diagnostic.message)).id(diagnostic.id);
    let own = statement(diagnostic.span, sources);
    let mut marks =
        vec![Mark { kind: AnnotationKind::Primary, span: own, text: &diagnostic.label }];
    marks.extend(diagnostic.others.iter().map(|other| Mark {
        kind: AnnotationKind::Context,
        span: statement(other.span, sources),
        text: &other.text,
    }));
    let mut group = Group::with_title(title).elements(snippets(&marks, sources));
    let procedures = trail.iter().filter(|step| step.kind == OriginKind::Procedure);
    let through: Vec<String> = procedures.map(|step| step.words(sources)).collect();
    for note in diagnostic.notes.iter().chain(&through) {
        group = group.element(Level::NOTE.message(safe_lines(note)));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(safe_lines(help)));
    }
    group
}

/// Where a macro spells the text the caret stands for.
fn expansion<'a>(step: &Through, sources: &'a SourceMap) -> Option<Group<'a>> {
    let marks = [Mark { kind: AnnotationKind::Primary, span: step.spelled, text: "" }];
    let snippets = snippets(&marks, sources);
    let title = Level::NOTE.secondary_title(safe(&step.words(sources)));
    (!snippets.is_empty()).then(|| Group::with_title(title).elements(snippets))
}

fn safe_lines(text: &str) -> String {
    text.lines().map(safe).collect::<Vec<_>>().join("\n")
}

struct Mark<'a> {
    kind: AnnotationKind,
    span: Span,
    text: &'a str,
}

/// Where a mark stands: its file, the bytes of its lines, and by how much line
/// markers moved the numbers there.
struct Spot {
    file: FileId,
    bytes: Range<usize>,
    lines: Range<usize>,
    first_line: u32,
    shift: i64,
    path: String,
}

/// One snippet per file and stretch of continuous line numbers, in the order
/// of the marks.
fn snippets<'a>(marks: &[Mark<'a>], sources: &'a SourceMap) -> Vec<Snippet<'a, Annotation<'a>>> {
    let mut groups: Vec<Vec<(&Mark, Spot)>> = Vec::new();
    for mark in marks {
        let Some(spot) = spot(mark.span, sources) else { continue };
        let same = |group: &&mut Vec<(&Mark, Spot)>| {
            let first = &group[0].1;
            first.file == spot.file && first.shift == spot.shift && first.path == spot.path
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push((mark, spot)),
            None => groups.push(vec![(mark, spot)]),
        }
    }
    groups.iter().map(|group| snippet(group, sources)).collect()
}

fn snippet<'a>(group: &[(&Mark<'a>, Spot)], sources: &'a SourceMap) -> Snippet<'a, Annotation<'a>> {
    let start = group.iter().map(|(_, spot)| spot.lines.start).min().unwrap_or(0);
    let end = group.iter().map(|(_, spot)| spot.lines.end).max().unwrap_or(0);
    let first_line = group.iter().map(|(_, spot)| spot.first_line).min().unwrap_or(1);
    let spot = &group[0].1;
    let text = printable(&sources.files[spot.file].text[start..end]);
    let annotations = group.iter().map(|(mark, spot)| {
        let span = spot.bytes.start - start..spot.bytes.end - start;
        let label = (!mark.text.is_empty()).then(|| safe(mark.text));
        mark.kind.span(span).label(label)
    });
    Snippet::source(text)
        .line_start(first_line as usize)
        .path(safe(&spot.path))
        .annotations(annotations.collect::<Vec<_>>())
}

fn spot(span: Span, sources: &SourceMap) -> Option<Spot> {
    let file = sources.files.get(span.file)?;
    let text = &file.text;
    let start = floor(text, span.start as usize);
    let end = floor(text, (span.end as usize).max(start)).max(start);
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let last = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let at_line = |byte: usize| {
        sources.place(Span { file: span.file, start: byte as u32, end: byte as u32, origin: None })
    };
    let place = at_line(first);
    let row = text[..first].bytes().filter(|byte| *byte == b'\n').count();
    Some(Spot {
        file: span.file,
        bytes: start..end,
        lines: first..last,
        first_line: place.line,
        shift: i64::from(place.line) - row as i64,
        path: place.file,
    })
}

/// The next character border at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at.min(text.len()))
}

/// Replaces what annotate-snippets would print as it is, byte for byte of the
/// same length so that spans stay true.
fn printable(text: &str) -> String {
    let fix = |c: char| match c {
        '\u{80}'..='\u{9F}' | '\u{061C}' => '\u{BF}',
        '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}' | '\u{FEFF}' => '\u{FFFD}',
        c => c,
    };
    text.chars().map(fix).collect()
}

fn renderer(palette: &Palette) -> Renderer {
    if !palette.color {
        return Renderer::plain().term_width(palette.room());
    }
    Renderer::styled()
        .hyperlink(false)
        .term_width(palette.room())
        .error(style(Role::Bad))
        .warning(style(Role::Care))
        .info(style(Role::Name))
        .note(style(Role::Name))
        .help(style(Role::Name))
        .emphasis(style(Role::Name))
        .line_num(style(Role::Faint))
        .context(style(Role::Message))
}

/// The roles of [`crate::style`] in the words of that crate.
fn style(role: Role) -> Style {
    let color = |color: AnsiColor| color.on_default();
    match role {
        Role::Bad => color(AnsiColor::Red).effects(Effects::BOLD),
        Role::Good => color(AnsiColor::Green).effects(Effects::BOLD),
        Role::Care => color(AnsiColor::Yellow).effects(Effects::BOLD),
        Role::Name => Style::new().effects(Effects::BOLD),
        Role::Faint => Style::new().effects(Effects::DIMMED),
        Role::Message => color(AnsiColor::Cyan),
        Role::Time => color(AnsiColor::Magenta),
        Role::Plain => Style::new(),
    }
}
