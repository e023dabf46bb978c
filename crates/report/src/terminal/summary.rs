//! Several files: one line each, worst first.

use super::verdict_role;
use crate::chart::verdict_word;
use crate::look::Look;
use crate::style::{Role, Row, Screen, Signs, cut, cut_front, width};
use crate::{PropertyVerdict, Report, Verdict, words};

/// The middle column is not wider than this.
const WHAT_MAX: usize = 28;

/// One line per file under a verdict for all of them; those that could not be checked come last, with the reason.
pub fn summary(reports: &[Report], unread: &[(&str, &str)], look: &Look) -> String {
    let mut sorted: Vec<&Report> = reports.iter().collect();
    sorted.sort_by_key(|report| rank(report.verdict));
    let Some(worst) = sorted.first().map(|report| report.verdict) else { return String::new() };
    let mut out = Screen::new();
    let share = sorted.iter().filter(|report| report.verdict == worst).count();
    let row = Row::new().put(verdict_role(worst), verdict_word(worst)).plain("  ");
    out.row(row.plain(&share_text(share, reports.len() + unread.len())));
    if look.quiet {
        return out.render(&look.palette);
    }
    out.gap();
    let names = sorted
        .iter()
        .map(|report| report.model.as_str())
        .chain(unread.iter().map(|(file, _)| *file));
    let name = names.map(width).max().unwrap_or(0);
    let name = name.min(32).min(look.palette.room() / 3);
    for report in &sorted {
        out.row(file_row(report, name, look));
    }
    for (file, why) in unread {
        let row = Row::new().plain("    ").put(Role::Bad, &format!("{:<10}", "-")).plain("  ");
        let row = row.plain(&cut_front(file, name, look.palette.signs().cut)).to(18 + name, 2);
        let room = look.palette.room().saturating_sub(row.width());
        out.row(row.plain(&cut(why, room, look.palette.signs().cut)));
    }
    if let Some(first) = sorted.iter().find(|report| report.verdict == Verdict::Violated) {
        out.gap();
        let hint = format!("argos check {}    (one file prints its trace)", first.model);
        let row = Row::new().plain("  ").put(Role::Faint, "traces").to(12, 2);
        out.row(row.plain(&cut(&hint, look.palette.room() - 12, look.palette.signs().cut)));
    }
    out.render(&look.palette)
}

/// Worst first, in the order of the exit codes.
pub fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Error => 0,
        Verdict::Violated => 1,
        Verdict::Incomplete => 2,
        Verdict::Impossible => 3,
        Verdict::Possible => 4,
        Verdict::Holds => 5,
    }
}

fn share_text(share: usize, all: usize) -> String {
    match (share, all) {
        (1, 1) => "the one file".to_owned(),
        (share, all) if share == all => format!("all {all} files"),
        (share, all) => format!("{share} of {all} files"),
    }
}

fn file_row(report: &Report, name: usize, look: &Look) -> Row {
    let signs = look.palette.signs();
    let role = verdict_role(report.verdict);
    let sign = verdict_sign(report.verdict, signs);
    let mut row = Row::new().to(3 - width(sign).min(3), 0).put(role, sign).plain(" ");
    row = row.put(role, &format!("{:<10}", verdict_word(report.verdict))).plain("  ");
    row = row.plain(&cut_front(&report.model, name, signs.cut)).to(18 + name, 2);
    let figures = figures(report);
    let room = look.palette.room().saturating_sub(row.width());
    if figures.is_empty() {
        return row.plain(&cut(&what(report), room, signs.cut));
    }
    let room = room.saturating_sub(width(&figures) + 2).min(WHAT_MAX);
    let start = row.width() + room + 2;
    row.plain(&cut(&what(report), room, signs.cut)).to(start, 0).plain(&figures)
}

pub(crate) fn verdict_sign(verdict: Verdict, signs: &Signs) -> &'static str {
    match verdict {
        Verdict::Holds | Verdict::Possible => signs.good,
        Verdict::Violated | Verdict::Error => signs.bad,
        Verdict::Incomplete | Verdict::Impossible => signs.unknown,
    }
}

fn what(report: &Report) -> String {
    match report.verdict {
        Verdict::Violated => {
            let failing = report.properties.iter().find(|p| p.verdict == PropertyVerdict::Violated);
            match (failing, report.errors.first()) {
                (Some(property), _) if property.line.is_some() => {
                    words::subject(&property.name).to_owned()
                }
                (_, Some(error)) => words::kind_word(error.kind).to_owned(),
                (Some(property), None) => words::subject(&property.name).to_owned(),
                (None, None) => String::new(),
            }
        }
        Verdict::Holds => match report.properties.len() {
            0 | 1 => words::count(report.properties.len() as u64, "requirement"),
            n => format!("all {n} requirements"),
        },
        Verdict::Incomplete => report.why_incomplete.join(", "),
        Verdict::Possible | Verdict::Impossible => {
            report.properties.first().map_or_else(String::new, |property| property.name.clone())
        }
        Verdict::Error => report.headline.clone(),
    }
}

/// Steps, states and time, right-aligned among themselves.
fn figures(report: &Report) -> String {
    if report.verdict == Verdict::Error {
        return String::new();
    }
    let steps = report.errors.first().map(|error| words::count(error.steps as u64, "step"));
    let states = words::count(report.stats.states, "state");
    let time = words::seconds(report.stats.seconds.total);
    format!("{:>9}  {states:>14}  {time:>6}", steps.unwrap_or_default())
}
