//! The figures of a check, for who wants them all: label and text.

use super::figures::{bytes, count, grouped, seconds, thousands};
use super::remarks::stages;
use crate::{Line, Report};

/// One line per figure that there is.
pub(crate) fn statistics(report: &Report) -> Vec<Line> {
    let stats = &report.stats;
    let times = &stats.seconds;
    let some = |number: u64| (number > 0).then(|| thousands(number));
    let time = format!(
        "{} (parse {}, compile {}, search {})",
        seconds(times.total),
        seconds(times.parse),
        seconds(times.compile),
        seconds(times.search)
    );
    let first = times.first_error.map(|it| format!("after {}", seconds(it)));
    let per_state = grouped(&format!("{:.0}", stats.bytes_per_state));
    let store = format!("{}, {per_state} per state", bytes(stats.store_bytes));
    let errors = stats.errors.iter().map(|(kind, number)| format!("{kind} {}", thousands(*number)));
    let errors = errors.collect::<Vec<_>>().join(", ");
    let lines = [
        ("searches", Some(stages(report, true)).filter(|text| !text.is_empty())),
        ("states", Some(thousands(stats.states))),
        ("matched", Some(thousands(stats.matched))),
        ("transitions", Some(thousands(stats.transitions))),
        ("depth", Some(count(stats.depth, "step"))),
        ("truncated", some(stats.truncated)),
        ("errors", Some(errors).filter(|text| !text.is_empty())),
        ("time", Some(time)),
        ("first error", first),
        ("states per second", some(stats.states_per_second)),
        ("store", Some(store).filter(|_| stats.store_bytes > 0)),
        ("memory", Some(bytes(stats.peak_rss_bytes)).filter(|_| stats.peak_rss_bytes > 0)),
        ("threads", Some(thousands(u64::from(stats.threads.max(1))))),
    ];
    let line = |(head, text): (&str, Option<String>)| {
        text.map(|text| Line { head: head.to_owned(), text })
    };
    lines.into_iter().filter_map(line).collect()
}
