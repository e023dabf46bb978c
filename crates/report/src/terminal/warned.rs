//! Warnings as a list: grouped by id, the places in one column, the hint once.

use crate::look::Look;
use crate::style::{Role, Row, Screen, cut, safe, width, wrap};
use crate::{Finding, Report, Source, Unreached, Unused, UnusedKind, words};
use indexmap::IndexMap;

/// Texts longer than this are cut: a place is found by its line.
const TEXT_MAX: usize = 40;

/// All warnings of a report and the statements never executed.
pub(super) fn screen(report: &Report, look: &Look) -> Screen {
    let mut by_id: IndexMap<(&str, &str), Vec<&Finding>> = IndexMap::new();
    for finding in &report.warnings {
        by_id.entry((&finding.id, &finding.message)).or_default().push(finding);
    }
    let mut out = Screen::new();
    for findings in by_id.values() {
        out.gap();
        let alone = match findings.as_slice() {
            [finding] => excerpt(finding, &report.sources, look),
            _ => None,
        };
        out.extend(alone.unwrap_or_else(|| grouped(findings, look)));
    }
    // A warning of that name already lists them.
    let told = report.warnings.iter().any(|finding| finding.message.contains("never executed"));
    if report.complete && !told && !report.unreached.is_empty() {
        out.gap();
        out.extend(never_executed(&report.unreached, look));
    }
    let messages = report
        .unused
        .iter()
        .filter(|unused| matches!(unused.kind, UnusedKind::Send | UnusedKind::Receive));
    let messages: Vec<&Unused> = messages.collect();
    if report.complete && !messages.is_empty() {
        out.gap();
        out.extend(without_effect(&messages, look));
    }
    out
}

/// Messages that a complete search never saw sent, or received.
fn without_effect(messages: &[&Unused], look: &Look) -> Screen {
    let mut out = Screen::new();
    let total = words::count(messages.len() as u64, "message");
    let message = format!("{total} never sent or never received in a complete search");
    out.extend(title("warning[W0015]", "warning", &message, look));
    for Unused { text, location, .. } in messages {
        let line = location.as_ref().map_or(0, |place| place.line);
        let row = Row::new().put(Role::Faint, &format!("{line:>5}")).plain("   ");
        let room = look.palette.room().saturating_sub(8);
        out.row(row.plain(&cut(text, room, look.palette.signs().cut)));
    }
    out
}

/// Findings that say the same at several places.
pub(crate) fn grouped(findings: &[&Finding], look: &Look) -> Screen {
    let mut out = Screen::new();
    let Some(first) = findings.first() else { return out };
    let head = format!("{}[{}]", first.severity, first.id);
    out.extend(title(&head, &first.severity, &first.message, look));
    let mut files: IndexMap<&str, IndexMap<&str, Vec<u32>>> = IndexMap::new();
    for finding in findings {
        let own = (&finding.file, &finding.text, finding.line);
        let others = finding.others.iter().map(|o| (&o.file, &o.text, o.line));
        for (file, text, line) in std::iter::once(own).chain(others) {
            files.entry(file).or_default().entry(text).or_default().push(line);
        }
    }
    for (file, mut texts) in files {
        out.row(Row::new().put(Role::Faint, "  --> ").plain(file));
        texts.values_mut().for_each(|lines| {
            lines.sort_unstable();
            lines.dedup();
        });
        texts.sort_by(|_, a, _, b| a.cmp(b));
        out.extend(places(&texts, look));
    }
    out.extend(remarks(findings, look));
    out
}

/// A finding that is the only one of its kind, with its lines of text; none if they are not
/// there, or too long.
fn excerpt(finding: &Finding, sources: &[Source], look: &Look) -> Option<Screen> {
    let mut out = Screen::new();
    let head = format!("{}[{}]", finding.severity, finding.id);
    out.extend(title(&head, &finding.severity, &finding.message, look));
    let Finding { file, line, column, text, .. } = finding;
    out.extend(marked((file, *line, *column), text, "", sources, look)?);
    for other in &finding.others {
        let place = (other.file.as_str(), other.line, other.column);
        out.extend(marked(place, &other.text, &other.message, sources, look)?);
    }
    out.extend(remarks(&[finding], look));
    Some(out)
}

/// A line of a text, with carets under the part that is meant.
fn marked(
    (file, line, column): (&str, u32, u32),
    part: &str,
    label: &str,
    sources: &[Source],
    look: &Look,
) -> Option<Screen> {
    let source = sources.iter().find(|source| source.file == file)?;
    let text = source.text.lines().nth(line.checked_sub(1)? as usize)?;
    let start: usize = text.chars().map(char::len_utf8).take(column.checked_sub(1)? as usize).sum();
    let (before, meant) = (safe(&text[..start]), &text[start..]);
    let carets = if meant.starts_with(part) { width(part).max(1) } else { 1 };
    let room = look.palette.room().saturating_sub(8);
    if width(&before) + width(&safe(meant)).max(carets + 1 + width(label)) > room {
        return None;
    }
    let mut out = Screen::new();
    out.row(Row::new().put(Role::Faint, "  --> ").plain(&format!("{file}:{line}:{column}")));
    let number = format!("{line:>5} | ");
    out.row(Row::new().put(Role::Faint, &number).plain(&safe(text)));
    let indent = width(&number) + width(&before);
    let row = Row::new().put(Role::Faint, "      | ").to(indent, 0);
    let row = row.put(Role::Care, &"^".repeat(carets));
    out.row(if label.is_empty() { row } else { row.plain(" ").plain(label) });
    Some(out)
}

fn title(head: &str, severity: &str, message: &str, look: &Look) -> Screen {
    let role = match severity {
        "error" => Role::Bad,
        "warning" => Role::Care,
        _ => Role::Name,
    };
    let mut out = Screen::new();
    let mut row = Row::new().put(role, head).put(Role::Name, ": ");
    let indent = row.width();
    for part in wrap(message, look.palette.room().saturating_sub(indent)) {
        out.row(std::mem::take(&mut row).to(indent, 0).put(Role::Name, &part));
    }
    out
}

/// `   17   ca?m7         also 24, 36`.
fn places(texts: &IndexMap<&str, Vec<u32>>, look: &Look) -> Screen {
    let cut_sign = look.palette.signs().cut;
    let wide = texts.keys().map(|text| width(text)).max().unwrap_or(0).min(TEXT_MAX);
    let mut out = Screen::new();
    for (text, lines) in texts {
        let Some((first, more)) = lines.split_first() else { continue };
        let mut row = Row::new().put(Role::Faint, &format!("{first:>5}")).plain("   ");
        row = row.plain(&cut(text, wide, cut_sign));
        if more.is_empty() {
            out.row(row);
            continue;
        }
        let also: Vec<String> = more.iter().map(u32::to_string).collect();
        let start = 8 + wide + 2;
        let room = look.palette.room().saturating_sub(start).max(12);
        for part in wrap(&format!("also {}", also.join(", ")), room) {
            out.row(std::mem::take(&mut row).to(start, 0).put(Role::Faint, &part));
        }
    }
    out
}

fn remarks(findings: &[&Finding], look: &Look) -> Screen {
    let mut out = Screen::new();
    let mut told: Vec<(&str, &str)> = Vec::new();
    let notes = findings.iter().flat_map(|f| f.notes.iter().map(|note| ("note", note.as_str())));
    let hints = findings.iter().filter_map(|f| f.hint.as_deref().map(|hint| ("help", hint)));
    for (word, text) in notes.chain(hints) {
        if told.contains(&(word, text)) {
            continue;
        }
        told.push((word, text));
        for (number, part) in wrap(text, look.palette.room() - 11).iter().enumerate() {
            let row = match number {
                0 => Row::new().put(Role::Faint, "   = ").plain(&format!("{word}: ")),
                _ => Row::new().to(11, 0),
            };
            out.row(row.plain(part));
        }
    }
    out
}

/// `   A   52   lines 9, 12, 17`.
fn never_executed(list: &[Unreached], look: &Look) -> Screen {
    let mut by_process: IndexMap<&str, Vec<u32>> = IndexMap::new();
    for statement in list {
        by_process.entry(&statement.process).or_default().push(statement.line);
    }
    let total = words::count(list.len() as u64, "statement");
    let mut out = Screen::new();
    let message = format!("{total} never executed in a complete search");
    out.extend(title("warning[W0007]", "warning", &message, look));
    let wide = by_process.keys().map(|name| width(name)).max().unwrap_or(0).min(24);
    for (process, lines) in by_process {
        let name = cut(process, wide, look.palette.signs().cut);
        let mut row = Row::new().plain("   ").plain(&name).to(4 + wide, 0);
        row = row.put(Role::Faint, &format!("{:>4}", lines.len())).plain("   ");
        let start = row.width();
        for part in wrap(&words::line_ranges(lines), look.palette.room() - start) {
            out.row(std::mem::take(&mut row).to(start, 0).plain(&part));
        }
    }
    list.iter().for_each(|missed| out.extend(never_true(missed, look)));
    out
}

/// `   = line 9: d?nak: never executable: d was empty`, of a statement that was waited for.
fn never_true(missed: &Unreached, look: &Look) -> Screen {
    let mut out = Screen::new();
    let Some(guard) = &missed.guard else { return out };
    let statement = cut(&missed.statement, TEXT_MAX, look.palette.signs().cut);
    let text = format!("{} line {}: {statement}: {}", missed.process, missed.line, guard.text);
    let mut row = Row::new().put(Role::Faint, "   = ");
    for part in wrap(&text, look.palette.room() - 7) {
        out.row(row.plain(&part));
        row = Row::new().to(7, 0);
    }
    out
}
