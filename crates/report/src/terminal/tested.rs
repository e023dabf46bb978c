//! The results of a test suite of models: one line each, those that fail first.

use crate::look::Look;
use crate::style::{Role, Row, Screen, cut, cut_front, width, wrap};
use crate::{Report, words};

/// What became of a test.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TestMark {
    /// Something is not as expected.
    Failed,
    /// A limit ended the search before it was known.
    Open,
    /// Everything is as expected.
    Passed,
}

/// A test with what became of it.
#[derive(Clone, Debug)]
pub struct TestRow<'a> {
    /// What became of it.
    pub mark: TestMark,
    /// The model with the options that tell it from others.
    pub name: String,
    /// Where it says what is expected.
    pub place: (&'a str, u32),
    /// What was found, if anything was.
    pub report: Option<&'a Report>,
    /// What is not as expected.
    pub differences: &'a [String],
    /// The command that repeats it.
    pub command: &'a str,
    /// How long it took.
    pub seconds: f64,
}

/// The table. `silent` are the models that expect nothing.
pub fn tested(rows: &[TestRow<'_>], silent: &[String], seconds: f64, look: &Look) -> String {
    let mut out = Screen::new();
    out.extend(first_line(rows, seconds));
    let mut sorted: Vec<&TestRow<'_>> = rows.iter().collect();
    sorted.sort_by_key(|row| row.mark);
    sorted.retain(|row| !look.quiet || row.mark != TestMark::Passed);
    if !sorted.is_empty() {
        out.gap();
    }
    let name = sorted.iter().map(|row| width(&row.name)).max().unwrap_or(0);
    let name = name.min(look.palette.room().saturating_sub(52).max(24));
    for row in sorted {
        table_row(&mut out, row, name, look);
    }
    if !silent.is_empty() && !look.quiet {
        out.gap();
        let text = format!(
            "{} without an expectation: {}",
            words::count(silent.len() as u64, "model"),
            silent.join(", ")
        );
        for line in wrap(&text, look.palette.room() - 2) {
            out.row(Row::new().plain("  ").put(Role::Faint, &line));
        }
    }
    out.render(&look.palette)
}

/// `FAILED  2 of 40 tests` or `PASSED  40 tests`.
fn first_line(rows: &[TestRow<'_>], seconds: f64) -> Screen {
    let count = |mark| rows.iter().filter(|row| row.mark == mark).count() as u64;
    let (failed, open) = (count(TestMark::Failed), count(TestMark::Open));
    let all = words::count(rows.len() as u64, "test");
    let (role, word, mut text) = match (failed, open) {
        (0, 0) => (Role::Good, "PASSED", all),
        (0, open) => (Role::Care, "UNDECIDED", format!("{open} of {all}")),
        (failed, _) => (Role::Bad, "FAILED", format!("{failed} of {all}")),
    };
    if failed > 0 && open > 0 {
        text.push_str(&format!(", {open} undecided"));
    }
    let mut out = Screen::new();
    let took = format!(" in {}", words::seconds(seconds));
    out.row(Row::new().put(role, word).plain("  ").plain(&text).put(Role::Faint, &took));
    out
}

fn table_row(out: &mut Screen, row: &TestRow<'_>, name: usize, look: &Look) {
    let signs = look.palette.signs();
    let (role, sign, word) = match row.mark {
        TestMark::Passed => (Role::Good, signs.good, "pass"),
        TestMark::Open => (Role::Care, signs.unknown, "OPEN"),
        TestMark::Failed => (Role::Bad, signs.bad, "FAIL"),
    };
    let mut line = Row::new().to(3 - width(sign).min(3), 0).put(role, sign).plain(" ");
    line = line.put(role, word).plain("  ");
    line = line.plain(&cut(&row.name, name, signs.cut)).to(12 + name, 2);
    if let Some(report) = row.report {
        let states = words::count(report.stats.states, "state");
        let word = crate::chart::verdict_word(report.verdict).to_lowercase();
        line = line.plain(&format!("{word:<10}  {states:>16}  {:>7}", words::seconds(row.seconds)));
    }
    out.row(line);
    if row.mark == TestMark::Passed {
        return;
    }
    let place = format!("{}:{}", row.place.0, row.place.1);
    let room = look.palette.room() - 10;
    for difference in row.differences {
        for text in wrap(difference, room) {
            out.row(Row::new().plain("          ").plain(&text));
        }
    }
    out.row(Row::new().plain("          ").put(Role::Faint, &cut_front(&place, room, signs.cut)));
    if !row.command.is_empty() {
        out.row(
            Row::new().plain("          ").put(Role::Faint, &cut(row.command, room, signs.cut)),
        );
    }
}
