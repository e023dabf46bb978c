//! The report for programs: one object on one line.

use crate::Report;
use crate::style::safe_char;
use serde::Serialize;

/// The JSON Schema (draft 2020-12) of what [`json`] writes.
pub const SCHEMA: &str = include_str!("../schema/report.schema.json");

/// The report as one JSON object on one line, without a line break at its end.
pub fn json(report: &Report) -> String {
    // Maps have text keys and numbers are finite or become null: nothing in a
    // report can fail to be written.
    json_of(report)
}

/// Plain data as JSON on one line. What could give a terminal an order, reorder a line or be read
/// as markup by a page around it is written as its number.
pub fn json_of(data: &impl Serialize) -> String {
    let text = serde_json::to_string(data).expect("the data is plain");
    // Only strings can have such characters, and an escape stands for any in a string.
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match safe_char(c) == c && c != '<' {
            true => out.push(c),
            false => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        }
    }
    out
}
