//! What an experiment gives back: a table, a picture, and the comparison with the paper.

use report::Plot;
use serde::Serialize;
use std::fmt;

/// What came out of an experiment.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Findings {
    /// Everything that was measured.
    pub table: Table,
    /// The figures: none, one, or one for each panel of the paper's.
    pub plots: Vec<Plot>,
    /// The paper's figures and ours.
    pub compared: Vec<Compared>,
    /// What a reader has to know: stand-ins, limits.
    pub notes: Vec<String>,
    /// A text to be shown as it is: a run, a table of the paper.
    pub exhibit: Option<String>,
}

/// One figure of the paper beside ours.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Compared {
    /// What it is.
    pub what: String,
    /// As printed.
    pub paper: String,
    /// As measured.
    pub ours: String,
    /// Whether they agree.
    pub agrees: Agrees,
    /// Why they do not, or in what only the shape does.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub because: String,
}

/// Whether a paper's figure and ours agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Agrees {
    /// To the digit, or in every word.
    #[serde(rename = "yes")]
    Yes,
    /// Another model or another machine; the same curve.
    #[serde(rename = "in shape")]
    InShape,
    /// Not.
    #[serde(rename = "no")]
    No,
}

impl fmt::Display for Agrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Agrees::Yes => "yes",
            Agrees::InShape => "in shape",
            Agrees::No => "no",
        })
    }
}

impl Compared {
    /// Agrees if the two texts are the same.
    pub(crate) fn exact(what: &str, paper: impl fmt::Display, ours: impl fmt::Display) -> Self {
        let (paper, ours) = (paper.to_string(), ours.to_string());
        let agrees = if paper == ours { Agrees::Yes } else { Agrees::No };
        let because = match agrees {
            Agrees::No => "it should be the same to the digit: please report it".to_owned(),
            _ => String::new(),
        };
        Self { what: what.to_owned(), paper, ours, agrees, because }
    }

    /// Agrees in shape if `holds`; says what the shape is, or why it does not.
    pub(crate) fn shape(
        what: &str,
        (paper, ours): (impl fmt::Display, impl fmt::Display),
        holds: bool,
        because: &str,
    ) -> Self {
        let agrees = if holds { Agrees::InShape } else { Agrees::No };
        let (what, because) = (what.to_owned(), because.to_owned());
        Self { what, paper: paper.to_string(), ours: ours.to_string(), agrees, because }
    }

    /// Is known not to agree, and why.
    pub(crate) fn differs(
        what: &str,
        (paper, ours): (impl fmt::Display, impl fmt::Display),
        because: &str,
    ) -> Self {
        Self::shape(what, (paper, ours), false, because)
    }
}

/// Measured values, column by column named.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows; blanks separate the names of its columns.
    pub(crate) fn new(columns: &str) -> Self {
        let columns = columns.split(' ').map(str::to_owned).collect();
        Self { columns, rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: &[&dyn fmt::Display]) {
        debug_assert_eq!(cells.len(), self.columns.len(), "a cell for each column");
        self.rows.push(cells.iter().map(ToString::to_string).collect());
    }

    /// Comma separated, after RFC 4180.
    pub fn csv(&self) -> String {
        let line = |cells: &Vec<String>| {
            let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
            cells.join(",") + "\n"
        };
        std::iter::once(&self.columns).chain(&self.rows).map(line).collect()
    }
}

fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

/// `0.0421` is `42 ms`.
pub(crate) fn seconds(time: f64) -> String {
    match time {
        ..0.0995 => format!("{:.1} ms", time * 1e3),
        ..9.95 => format!("{time:.2} s"),
        _ => format!("{time:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_quoted_where_it_must_be() {
        let mut table = Table::new("model states");
        table.row(&[&"a \"b\", c", &17]);
        assert_eq!(table.csv(), "model,states\n\"a \"\"b\"\", c\",17\n");
    }

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!([0.0421, 1.234, 61.2].map(seconds), ["42.1 ms", "1.23 s", "61 s"]);
    }
}
