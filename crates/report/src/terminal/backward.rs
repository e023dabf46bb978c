//! The screen of `backward`: the verdict, the first run, what can be and what is not
//! decided, and what both directions cost.

use super::{evidence, indented, labelled, verdict_line};
use crate::chart::Chart;
use crate::look::Look;
use crate::style::{Role, Row, Screen, Signs, cut, width};
use crate::{Backward, Candidate, Line, Reached, Verdict, words};
use trace::Scenario;

/// So many rows of candidates, unless all are asked for.
const ROWS: usize = 12;

/// The whole screen; with `all` every candidate has a row.
pub fn render_backward(backward: &Backward, look: &Look, all: bool) -> String {
    let mut out = verdict_line(&backward.report, look);
    if look.quiet || backward.report.verdict == Verdict::Error {
        return out.render(&look.palette);
    }
    run(&mut out, backward, look);
    out.gap();
    out.extend(rows(backward, look, all));
    out.gap();
    out.extend(labelled(&backward.report.remarks, look));
    let took = Line { head: "took".to_owned(), text: words::took(&backward.report.stats) };
    out.extend(labelled(&[took], look));
    out.render(&look.palette)
}

/// The run of the first error with its table, or the run to the target.
fn run(out: &mut Screen, backward: &Backward, look: &Look) {
    let report = &backward.report;
    if !report.errors.is_empty() {
        return evidence(out, report, look);
    }
    let first =
        backward.candidates.iter().find_map(|c| Some((c.initial.clone()?, c.trace.clone()?)));
    let Some((initial, trace)) = first else { return };
    let scenario = Scenario { initial, trace };
    let chart = Chart {
        command: &report.command,
        title: report.headline.clone(),
        length: "shortest",
        ..Chart::of_scenario(&report.model, &report.channels, &scenario)
    };
    out.gap();
    out.extend(indented(&chart, look));
}

/// A row per candidate that can be or is not decided, or per candidate.
fn rows(backward: &Backward, look: &Look, all: bool) -> Screen {
    let told = |candidate: &&Candidate| all || candidate.verdict != Reached::Unreachable;
    let shown: Vec<&Candidate> = backward.candidates.iter().filter(told).collect();
    let most = if all { usize::MAX } else { ROWS };
    let mut out = Screen::new();
    if backward.is_target() {
        return out;
    }
    for candidate in shown.iter().take(most) {
        out.row(row(candidate, look));
    }
    if shown.len() > most {
        let more = words::count((shown.len() - most) as u64, "more");
        let text = format!("{} (--list has all)", more.trim_end_matches('s'));
        out.row(Row::new().to(4, 0).put(Role::Faint, &text));
    }
    out
}

fn row(candidate: &Candidate, look: &Look) -> Row {
    let signs = look.palette.signs();
    let (role, sign) = reached_sign(candidate.verdict, signs);
    let cost = candidate_cost(candidate);
    let row = Row::new().to(3 - width(sign).min(3), 0).put(role, sign).plain(" ");
    let row = row.plain(&candidate.kind.replace('-', " ")).to(27, 2);
    let room = look.palette.room().saturating_sub(row.width() + width(&cost) + 2);
    let start = row.width() + room + 2;
    row.plain(&cut(&candidate.place, room, signs.cut)).to(start, 0).put(Role::Faint, &cost)
}

pub(crate) fn reached_sign(reached: Reached, signs: &Signs) -> (Role, &'static str) {
    match reached {
        Reached::Reachable => (Role::Bad, signs.bad),
        Reached::Unreachable => (Role::Good, signs.good),
        Reached::Bound => (Role::Care, signs.unknown),
    }
}

/// What it took to decide a candidate, or why no search was needed.
pub(crate) fn candidate_cost(candidate: &Candidate) -> String {
    match &candidate.ruled_out {
        Some(why) => why.clone(),
        None => words::count(candidate.states, "state"),
    }
}
