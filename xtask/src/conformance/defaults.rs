//! What remains by default: the states of `argos check` beside those of a verifier as SPIN
//! makes it, statements merged and dead variables reset by both, on the models without errors of
//! the package and on those of `xtask/models/mutex`, whose processes share variables only.

use super::{Arguments, Set};
use std::path::Path;
use testkit::finding::{Finding, argos, spin};

/// Claims are not for a search of finite runs.
const ARGOS: [&str; 1] = ["--no-claims"];

/// One model, searched by both.
struct Row {
    model: String,
    spin: Finding,
    ours: Finding,
}

impl Row {
    /// How many times the states of SPIN, if both have searched all of a model without errors.
    fn times(&self) -> Option<f64> {
        Some(states(&self.ours)? as f64 / states(&self.spin)? as f64)
    }
}

fn states(finding: &Finding) -> Option<u64> {
    let is_whole = finding.complete && finding.kinds.is_empty();
    finding.counts.filter(|_| is_whole).map(|[states, ..]| states)
}

/// A section with a table for each set.
pub(super) fn section(sets: &[Set], binary: &Path, arguments: &Arguments) -> String {
    let compile = [spin::USUAL.compiler, spin::USUAL.options].concat().join(" ");
    let tables: Vec<String> =
        sets.iter().map(|set| table(set, &rows(set, binary, arguments))).collect();
    format!(
        "## By default\n\n\
         The states that remain of models without errors if nobody asks for anything, statements merged\n\
         and dead variables reset by both:\n\n\
         ```text\n{} MODEL\n{compile}\n{}\nargos check MODEL {}\n```\n\n{}",
        spin::USUAL.generate.join(" "),
        spin::USUAL.verify.join(" "),
        ARGOS.join(" "),
        tables.join("\n"),
    )
}

fn rows(set: &Set, binary: &Path, arguments: &Arguments) -> Vec<Row> {
    let limits = arguments.limits();
    let mut rows = super::each(set, arguments, |model: &Path, name: String| {
        let row = Row {
            spin: spin::verify_usually(model, limits),
            ours: argos::check(binary, model, &ARGOS, limits),
            model: name,
        };
        eprintln!("{}: {:?}", row.model, row.times());
        row
    });
    rows.retain(|row| row.times().is_some());
    rows.sort_by(|a, b| a.model.cmp(&b.model));
    rows
}

fn table(set: &Set, rows: &[Row]) -> String {
    let times: Vec<f64> = rows.iter().filter_map(Row::times).collect();
    let mean = (times.iter().map(|times| times.ln()).sum::<f64>() / times.len() as f64).exp();
    let fewer = times.iter().filter(|times| **times <= 1.0).count();
    let worst = times.iter().copied().fold(0.0, f64::max);
    let line = |row: &Row| {
        let figure = |finding| states(finding).unwrap_or_default();
        let times = row.times().unwrap_or_default();
        format!("| {} | {} | {} | {times:.2} |\n", row.model, figure(&row.spin), figure(&row.ours))
    };
    format!(
        "{}: at most as many as SPIN in {fewer} of {}, at most {worst:.2} times as many, in the geometric\n\
         mean {mean:.2} times.\n\n\
         | model | SPIN | argos | ratio |\n|---|---:|---:|---:|\n{}",
        set.title,
        times.len(),
        rows.iter().map(line).collect::<String>(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_models_without_errors_count() {
        let finding = |states| Finding {
            counts: Some([states, 0, states]),
            complete: true,
            read: true,
            ..Finding::default()
        };
        let row = |spin, ours| Row { model: "m.pml".to_owned(), spin, ours };
        assert_eq!(row(finding(20), finding(5)).times(), Some(0.25));
        let mut wrong = finding(20);
        wrong.kinds.insert("deadlock".to_owned());
        assert_eq!(row(wrong, finding(5)).times(), None);
        assert_eq!(row(finding(20), Finding { complete: false, ..finding(5) }).times(), None);
    }
}
