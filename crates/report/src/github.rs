//! Results for GitHub Actions: annotations, which are commands in the log of a step, and the
//! summary of a job, which is Markdown. Both are read by a program that obeys what it reads, so
//! every text of a model is escaped for it.

use crate::chart::{Chart, verdict_word};
use crate::place::Root;
use crate::style::{plain, safe};
use crate::terminal::{TestMark, TestRow};
use crate::{GateVerdict, PropertyVerdict, Report, Verdict, mermaid, words};

/// GitHub draws no larger chart.
const CHART_MAX: usize = 40_000;
/// A summary of more than a megabyte is refused as a whole.
const SUMMARY_MAX: usize = 900_000;

/// A place that GitHub marks in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Annotation<'a> {
    /// `error`, `warning` or `notice`.
    pub level: &'a str,
    /// The file, as the command knows it.
    pub file: &'a str,
    /// Line, from 1; 0 for the file as a whole.
    pub line: u32,
    /// Column, from 1; 0 for the line as a whole.
    pub column: u32,
    /// A few words.
    pub title: &'a str,
    /// Sentences.
    pub message: &'a str,
}

impl Annotation<'_> {
    /// As a line of the log.
    pub fn command(&self, root: &Root<'_>) -> String {
        let mut out = format!("::{} file={}", self.level, property(&root.name(self.file)));
        if self.line > 0 {
            out.push_str(&format!(",line={}", self.line));
        }
        if self.line > 0 && self.column > 0 {
            out.push_str(&format!(",col={}", self.column));
        }
        format!("{out},title={}::{}\n", property(self.title), data(self.message))
    }
}

/// Everything that was found in a model, as lines of the log: the worst first, because GitHub
/// shows ten of each level.
pub fn annotations(report: &Report, root: &Root<'_>) -> String {
    let mut out = String::new();
    for (index, error) in report.errors.iter().enumerate() {
        let annotation = Annotation {
            level: "error",
            file: report.file_of(&error.location.file),
            line: error.location.line,
            column: error.location.column,
            title: &format!("VIOLATED: {}", words::kind_word(error.kind)),
            message: &words::sentence(report, index, error),
        };
        out.push_str(&annotation.command(root));
    }
    for finding in report.diagnostics.iter().chain(&report.warnings) {
        let level = match finding.severity.as_str() {
            "error" => "error",
            "warning" => "warning",
            _ => "notice",
        };
        let hint = finding.hint.iter().map(|hint| format!("\nhelp: {hint}")).collect::<String>();
        let message = format!("{}{hint}", finding.message);
        let (file, line, column) = (report.file_of(&finding.file), finding.line, finding.column);
        let title = &finding.id;
        let annotation = Annotation { level, file, line, column, title, message: &message };
        out.push_str(&annotation.command(root));
    }
    if report.verdict == Verdict::Incomplete {
        let message = report.headline.as_str();
        out.push_str(&whole(report, "warning", "INCOMPLETE", message).command(root));
    }
    for gate in &report.gates {
        let Some(refusal) = gate.refusal() else { continue };
        let level = if gate.verdict == GateVerdict::Failed { "error" } else { "warning" };
        let reasons = gate.reasons.iter().map(|reason| format!("\n{reason}"));
        let message = refusal + &reasons.collect::<String>();
        let title = format!("--fail-on {}", gate.gate);
        out.push_str(&whole(report, level, &title, &message).command(root));
    }
    for statement in &report.unreached {
        let annotation = Annotation {
            line: statement.line,
            column: statement.column,
            ..whole(report, "notice", "never executed", "")
        };
        let guard = statement.guard.as_ref().map(|guard| format!(": {}", guard.text));
        let guard = guard.unwrap_or_default();
        let message = format!("{}: {}{guard}", statement.process, statement.statement);
        out.push_str(&Annotation { message: &message, ..annotation }.command(root));
    }
    out
}

fn whole<'a>(
    report: &'a Report,
    level: &'a str,
    title: &'a str,
    message: &'a str,
) -> Annotation<'a> {
    Annotation { level, file: &report.model, line: 0, column: 0, title, message }
}

/// A row of the summary.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The model with the options that tell it from others.
    pub name: &'a str,
    /// What was found.
    pub report: &'a Report,
}

/// The summary of a job: one row per model, then the run of the first violation of each.
pub fn job_summary(rows: &[Row<'_>], unread: &[(&str, &str)]) -> String {
    let mut out = "### argos\n\n| verdict | model | found | states | time |\n".to_owned();
    out.push_str("|---|---|---|--:|--:|\n");
    for row in rows {
        let (report, stats) = (row.report, &row.report.stats);
        out.push_str(&format!(
            "| {} {} | {} | {} | {} | {} |\n",
            sign(report.verdict),
            verdict_word(report.verdict),
            code(row.name),
            markdown(&found(report)),
            words::thousands(stats.states),
            words::seconds(stats.seconds.total),
        ));
    }
    for (file, why) in unread {
        out.push_str(&format!("| :x: | {} | {} | | |\n", code(file), markdown(why)));
    }
    for row in rows.iter().filter(|row| row.report.verdict == Verdict::Violated) {
        let run = chart(row);
        if out.len() + run.len() > SUMMARY_MAX {
            out.push_str("\nThe runs of further models are left out.\n");
            break;
        }
        out.push_str(&run);
    }
    out
}

/// The summary of a job that ran tests: those that fail, and how many pass.
pub fn tests_summary(rows: &[TestRow<'_>]) -> String {
    let passed = rows.iter().filter(|row| row.mark == TestMark::Passed).count();
    let mut out = format!("### argos test\n\n{passed} of {} tests pass.\n", rows.len());
    let mut failing = rows.iter().filter(|row| row.mark != TestMark::Passed).peekable();
    if failing.peek().is_some() {
        out.push_str("\n| | test | why |\n|---|---|---|\n");
    }
    for row in failing {
        let sign = if row.mark == TestMark::Failed { ":x:" } else { ":grey_question:" };
        let why = markdown(&row.differences.join("; "));
        let line = format!("| {sign} | {} | {why} |\n", code(&row.name));
        if out.len() + line.len() > SUMMARY_MAX {
            out.push_str("\nFurther tests are left out.\n");
            break;
        }
        out.push_str(&line);
    }
    out
}

fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds | Verdict::Possible => ":white_check_mark:",
        Verdict::Violated | Verdict::Error => ":x:",
        Verdict::Incomplete | Verdict::Impossible => ":grey_question:",
    }
}

fn found(report: &Report) -> String {
    let failing = |verdict| report.properties.iter().filter(move |it| it.verdict == verdict);
    let names: Vec<&str> = match report.verdict {
        Verdict::Violated => failing(PropertyVerdict::Violated),
        Verdict::Incomplete => failing(PropertyVerdict::Unknown),
        _ => return report.headline.clone(),
    }
    .map(|property| words::subject(&property.name))
    .collect();
    match report.verdict {
        // It was ended before it came to requirements.
        _ if names.is_empty() => report.headline.clone(),
        Verdict::Incomplete => format!("not decided: {}", names.join(", ")),
        _ => names.join(", "),
    }
}

/// The run of the first error, folded.
fn chart(row: &Row<'_>) -> String {
    let Some(chart) = Chart::of_error(row.report, 0) else { return String::new() };
    let drawn = mermaid(&chart);
    let drawn = match drawn.len() <= CHART_MAX {
        true => format!("```mermaid\n{drawn}```"),
        false => format!("The run has {} steps, too many to be drawn.", chart.steps(false).len()),
    };
    let title = markdown(&row.report.headline);
    format!(
        "\n<details open><summary>{}: {title}</summary>\n\n{drawn}\n\n</details>\n",
        code(row.name)
    )
}

/// Text of a command. A line break would end it, and a percent sign begins an escape.
fn data(text: &str) -> String {
    plain(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The same between commas and colons.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Text that means nothing in Markdown and HTML, on one line. As references to characters
/// nothing of it can begin a link, a table or a mention of somebody.
fn markdown(text: &str) -> String {
    let mut out = String::new();
    for c in safe(&text.replace('\n', " ")).chars() {
        match c.is_ascii_punctuation() && !matches!(c, '.' | ',' | '-' | '(' | ')' | ';' | '/') {
            true => out.push_str(&format!("&#{};", u32::from(c))),
            false => out.push(c),
        }
    }
    out
}

/// Text in the type of code, where backquotes in it would end it early.
fn code(text: &str) -> String {
    format!("<code>{}</code>", markdown(text))
}
