//! The report for programs: one object on one line.

use crate::Report;

/// The JSON Schema (draft 2020-12) of what [`json`] writes.
pub const SCHEMA: &str = include_str!("../schema/report.schema.json");

/// The report as one JSON object on one line, without a line break at its end.
pub fn json(report: &Report) -> String {
    // Maps have text keys and numbers are finite or become null: nothing in a
    // report can fail to be written.
    serde_json::to_string(report).expect("a report is plain data")
}
