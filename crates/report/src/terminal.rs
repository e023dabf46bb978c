//! The screen of `check`: verdict, then scope, then evidence. Never more sure
//! than the data; never wider than the terminal.

mod backward;
mod summary;
mod tested;
mod warned;

pub use backward::render_backward;
pub(crate) use backward::{candidate_cost, reached_sign};
pub(crate) use summary::verdict_sign;
pub use summary::{rank, summary};
pub use tested::{TestMark, TestRow, tested};
pub(crate) use warned::grouped;

use crate::chart::{Chart, verdict_word};
use crate::look::{Look, TraceForm};
use crate::style::{Role, Row, Screen, Signs, cut, width, wrap};
use crate::{Line, Property, PropertyVerdict, Report, Verdict, run, waits, words};

/// Column where the text of a labelled line begins.
const TEXT: usize = 12;

/// The whole screen for one report. Errors of the model's text are only counted
/// here: [`diagnostics`](crate::diagnostics) shows them with their lines.
pub fn render(report: &Report, look: &Look) -> String {
    let mut out = Screen::new();
    out.extend(verdict_line(report, look));
    if !look.quiet && report.verdict != Verdict::Error {
        body(&mut out, report, look);
    }
    if look.warnings && !look.quiet {
        out.gap();
        out.extend(warned::screen(report, look));
    }
    out.render(&look.palette)
}

pub(crate) fn verdict_role(verdict: Verdict) -> Role {
    match verdict {
        Verdict::Holds | Verdict::Possible => Role::Good,
        Verdict::Violated | Verdict::Error => Role::Bad,
        Verdict::Incomplete | Verdict::Impossible => Role::Care,
    }
}

/// `HOLDS  file: sentence`; a long sentence goes on under the file.
fn verdict_line(report: &Report, look: &Look) -> Screen {
    let word = verdict_word(report.verdict);
    let indent = width(word) + 2;
    let text = format!("{}: {}", report.model, report.headline);
    let mut out = Screen::new();
    for (number, part) in wrap(&text, look.palette.room() - indent).iter().enumerate() {
        let row = match number {
            0 => Row::new().put(verdict_role(report.verdict), word),
            _ => Row::new(),
        };
        out.row(row.to(indent, 0).plain(part));
    }
    out
}

fn body(out: &mut Screen, report: &Report, look: &Look) {
    if report.verdict == Verdict::Violated {
        evidence(out, report, look);
    } else {
        out.gap();
        out.extend(requirements(report, look));
        witness(out, report, look);
    }
    out.gap();
    let why = report.errors.first().map(|error| error.why.as_slice()).unwrap_or_default();
    out.extend(labelled(why, look));
    // A long explanation and the claims about the run are two thoughts.
    if why.len() > 2 {
        out.gap();
    }
    if report.verdict == Verdict::Violated && needs_rows(report) {
        out.extend(requirements(report, look));
        out.gap();
    }
    let listed = |line: &&Line| !(look.warnings && line.head == "warnings");
    let mut remarks: Vec<Line> = report.remarks.iter().filter(listed).cloned().collect();
    if let Some(line) =
        remarks.iter_mut().find(|line| look.explain_search && line.head == "searched")
        && report.runs.len() > 1
    {
        line.text = words::stages(report, true);
    }
    out.extend(labelled(&remarks, look));
    if out.shortened {
        let text = "the whole run: --trace FILE, then argos replay FILE".to_owned();
        out.extend(labelled(&[Line { head: "more".to_owned(), text }], look));
    }
    let took = Line { head: "took".to_owned(), text: words::took(&report.stats) };
    out.extend(labelled(&[took], look));
}

/// The run to a state that was asked for, if it is the only one.
fn witness(out: &mut Screen, report: &Report, look: &Look) {
    let [entry] = report.witnesses.as_slice() else { return };
    let Some(chart) = Chart::of_witness(report, 0) else { return };
    out.gap();
    out.row(Row::new().plain("  ").plain(&format!("{} ({})", chart.title, entry.length)));
    out.gap();
    out.extend(indented(&chart, look));
}

/// With one failure and nothing else decided, headline and `others` say it all.
fn needs_rows(report: &Report) -> bool {
    let with = |verdict| report.properties.iter().filter(move |p| p.verdict == verdict).count();
    with(PropertyVerdict::Violated) > 1 || with(PropertyVerdict::Holds) > 0
}

/// When nothing can move, who waits for what; then the run.
fn evidence(out: &mut Screen, report: &Report, look: &Look) {
    let Some(error) = report.errors.first() else { return };
    out.gap();
    if let Some(list) = error.waits.as_deref() {
        out.extend(waits::screen(list, look));
        out.gap();
    }
    out.extend(run_screen(report, look));
}

fn run_screen(report: &Report, look: &Look) -> Screen {
    match Chart::of_error(report, 0) {
        Some(chart) => indented(&chart, look),
        None => Screen::new(),
    }
}

/// A run below a verdict; a chart has a margin of its own.
fn indented(chart: &Chart<'_>, look: &Look) -> Screen {
    let screen = run::screen(chart, look);
    match run::form(chart, look) {
        TraceForm::Chart => screen,
        TraceForm::Columns | TraceForm::Steps => screen.indented(2),
    }
}

/// One row per requirement: sign, what it is about with its result, place, text.
fn requirements(report: &Report, look: &Look) -> Screen {
    let signs = look.palette.signs();
    let room = look.palette.room();
    let told = |property: &Property| {
        format!("{}: {}", words::subject(&property.name), words::result(property))
    };
    // Two blanks stand before what follows.
    let gap = |property: &Property| match property.line.is_some() || !detail(property).is_empty() {
        true => 2,
        false => 0,
    };
    let names = report.properties.iter().map(|property| width(&told(property)) + gap(property));
    let name = names.max().unwrap_or(0).clamp(28, 60).min(room * 2 / 3);
    let lines = report.properties.iter().filter_map(|property| property.line);
    let digits = lines.max().map_or(0, |line| line.to_string().len());
    let mut out = Screen::new();
    for property in &report.properties {
        let (role, sign) = sign(property.verdict, signs);
        // Signs end in one column, so `ok` takes the place of a blank.
        let mut row = Row::new().to(3 - width(sign).min(3), 0).put(role, sign).plain(" ");
        row = row.plain(&cut(&told(property), name - gap(property), signs.cut));
        if let Some(line) = property.line {
            let place = format!("line {line:<digits$} ");
            row = row.to(4 + name, 0).put(Role::Faint, &place);
        }
        let text = detail(property);
        if !text.is_empty() {
            row = row.to(4 + name, 2);
            let rest = room.saturating_sub(row.width());
            row = row.plain(&cut(&text, rest, signs.cut));
        }
        out.row(row);
    }
    out
}

fn detail(property: &Property) -> String {
    if property.verdict == PropertyVerdict::Unknown {
        // A requirement no search here can decide says so itself.
        return property.note.clone().unwrap_or_default();
    }
    let text = property.text.as_deref().unwrap_or("");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn sign(verdict: PropertyVerdict, signs: &Signs) -> (Role, &'static str) {
    match verdict {
        PropertyVerdict::Holds | PropertyVerdict::Reached => (Role::Good, signs.good),
        PropertyVerdict::Violated => (Role::Bad, signs.bad),
        PropertyVerdict::Unknown | PropertyVerdict::Unreached => (Role::Care, signs.unknown),
    }
}

/// Labels on the left, text on the right, wrapped under itself.
fn labelled(lines: &[Line], look: &Look) -> Screen {
    let mut out = Screen::new();
    let mut last = "";
    for line in lines {
        let role = match line.head.as_str() {
            "note" | "unused" | "warnings" => Role::Care,
            _ => Role::Faint,
        };
        let head = if line.head == last { "" } else { line.head.as_str() };
        let head = cut(head, TEXT - 4, look.palette.signs().cut);
        last = &line.head;
        for (number, part) in wrap(&line.text, look.palette.room() - TEXT).iter().enumerate() {
            let row = Row::new().plain("  ").put(role, if number == 0 { &head } else { "" });
            out.row(row.to(TEXT, if number == 0 { 2 } else { 0 }).plain(part));
        }
    }
    out
}
