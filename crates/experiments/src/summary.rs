//! The result of an experiment, in words and as JSON.

use crate::findings::seconds;
use crate::{Compared, Experiment, Findings, NotRun};
use serde::Serialize;
use std::fmt::Write;

/// An experiment that was asked for.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// `E7`.
    pub name: String,
    /// Year and place of the paper.
    pub paper: &'static str,
    /// What is measured.
    pub title: &'static str,
    /// Why it was not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_run: Option<String>,
    /// How long it took.
    pub seconds: f64,
    /// The paper's figures and ours.
    pub compared: Vec<Compared>,
    /// What a reader has to know.
    pub notes: Vec<String>,
    /// A text to be shown as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhibit: Option<String>,
    /// The files that were written.
    pub files: Vec<String>,
}

impl Summary {
    /// The result of this experiment, which took so many seconds.
    pub fn new(experiment: &Experiment, result: Result<&Findings, &NotRun>, seconds: f64) -> Self {
        let (findings, not_run) = match result {
            Ok(findings) => (findings.clone(), None),
            Err(why) => (Findings::default(), Some(why.to_string())),
        };
        Self {
            name: experiment.name(),
            paper: experiment.paper,
            title: experiment.title,
            not_run,
            seconds,
            compared: findings.compared,
            notes: findings.notes,
            exhibit: findings.exhibit,
            files: Vec::new(),
        }
    }

    /// The lines of a terminal.
    pub fn text(&self) -> String {
        let mut out = format!("{:<4} {} ({})", self.name, self.title, self.paper);
        if let Some(why) = &self.not_run {
            let _ = writeln!(out, "\n  not run: {why}");
            return out;
        }
        let _ = writeln!(out, ", {}", seconds(self.seconds));
        out.push_str(&compared(&self.compared));
        for note in &self.notes {
            let _ = writeln!(out, "  note: {note}");
        }
        for line in self.exhibit.iter().flat_map(|exhibit| exhibit.lines()) {
            let _ = writeln!(out, "    {line}");
        }
        if !self.files.is_empty() {
            let _ = writeln!(out, "  wrote {}", self.files.join(", "));
        }
        out
    }
}

/// The widest that a cell of each column becomes: what, paper, ours.
const WIDEST: [usize; 3] = [28, 28, 30];

/// A table; the reason stands below its row.
fn compared(rows: &[Compared]) -> String {
    let cells = |row: &Compared| [row.what.clone(), row.paper.clone(), row.ours.clone()];
    let heads = ["what", "paper", "ours"].map(str::to_owned);
    let mut widths = heads.each_ref().map(String::len);
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(cells(row)) {
            *width = cell.chars().count().max(*width);
        }
    }
    let widths = [0, 1, 2].map(|column| widths[column].min(WIDEST[column]));
    let mut out = String::new();
    if !rows.is_empty() {
        lines(&mut out, widths, heads, "agrees");
    }
    for row in rows {
        lines(&mut out, widths, cells(row), &row.agrees.to_string());
        let whole = widths.iter().sum::<usize>() + 10;
        for line in wrapped(&row.because, whole) {
            let _ = writeln!(out, "      {line}");
        }
    }
    out
}

/// One row, in as many lines as its cells need.
fn lines(out: &mut String, widths: [usize; 3], cells: [String; 3], agrees: &str) {
    let cells: Vec<Vec<String>> =
        cells.iter().zip(widths).map(|(cell, width)| wrapped(cell, width)).collect();
    let count = cells.iter().map(Vec::len).max().unwrap_or(0);
    for number in 0..count {
        let mut line = String::from("  ");
        for (cell, width) in cells.iter().zip(widths) {
            let text = cell.get(number).map_or("", String::as_str);
            let _ = write!(line, "{text:<width$}  ");
        }
        if number == 0 {
            line.push_str(agrees);
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Lines of at most so many columns; a word that is longer has one to itself.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_as_wide_as_a_terminal() {
        let mut row = Compared::exact("states", "251,409 / 397,058 / 648,467 / 545", "1");
        row.because = "a reason ".repeat(20);
        let text = compared(&[row]);
        assert!(text.lines().all(|line| line.len() <= 100), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "  what    paper                         ours  agrees");
        assert_eq!(lines[1], "  states  251,409 / 397,058 / 648,467   1     no");
        assert_eq!(lines[2].trim(), "/ 545");
    }
}
