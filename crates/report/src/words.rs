//! The sentences of a report, made once. They travel in the data, so terminal,
//! JSON and pictures never say different things. In: the facts (verdict,
//! requirements, figures, errors). Out: headline, what was established, under
//! which assumptions, and the labelled remarks.
//!
//! Two rules hold throughout. "Holds" and "all states" are said only after a
//! complete search; a requirement nobody decided is named, with the reason.

mod backward;
mod figures;
mod headline;
mod remarks;
mod requirement;
mod setting;

pub use backward::phrase_backward;
pub use figures::thousands;
pub(crate) use figures::{count, grouped, line_ranges, seconds, took};
pub(crate) use headline::kind_word;
pub use headline::sentence;
pub use remarks::error_types;
pub(crate) use remarks::stages;
pub use requirement::subject;
pub(crate) use requirement::{length, named, result};

use crate::{Report, Setting};

/// Labels of the left column in the order they are shown. Remarks with another
/// label stay behind these, in the order they came.
const HEADS: [&str; 16] = [
    "shown", "also", "errors", "others", "why", "searched", "means", "try", "assuming", "reduced",
    "dropped", "note", "unused", "warnings", "hint", "more",
];

/// Fills `headline`, `established`, `assumptions` and `remarks` from the facts.
/// Remarks that are there already (what only the caller knows, as `reduced`)
/// stay; doing it twice changes nothing.
pub fn phrase(report: &mut Report, setting: &Setting) {
    report.headline = headline::headline(report, setting);
    report.established = headline::established(report, setting);
    report.assumptions = setting::assumptions(report, setting);
    for line in remarks::remarks(report, setting) {
        if !report.remarks.contains(&line) {
            report.remarks.push(line);
        }
    }
    let rank = |head: &str| HEADS.iter().position(|known| *known == head).unwrap_or(HEADS.len());
    report.remarks.sort_by_key(|line| rank(&line.head));
}
