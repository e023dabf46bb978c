//! The figures as Markdown.

use super::figures::{MANY_STATES, Requirement, Results, Row, Small, geometric_mean};
use super::machine::Machine;
use super::measure::{COMPILE, SMALL_STATES};
use super::modes::{Mode, ONE_THREAD, TWO_THREADS};
use testkit::spin;

/// Where a generated part of the page begins and ends.
pub(super) type Marks = [&'static str; 2];

pub(super) const MARKS: Marks =
    ["<!-- bench: begin; written by `cargo xtask bench`, do not edit -->", "<!-- bench: end -->"];

/// The document with other text between the marks.
pub(super) fn insert(
    document: &str,
    [begin, end]: &Marks,
    generated: &str,
) -> Result<String, String> {
    let parts = document.split_once(begin).and_then(|(head, rest)| {
        let (_, tail) = rest.split_once(end)?;
        Some((head, tail))
    });
    let (head, tail) = parts.ok_or("docs/performance.md has lost its marks")?;
    Ok(format!("{head}{begin}\n\n{generated}\n{end}{tail}"))
}

/// Everything between the marks.
pub(super) fn generated(results: &Results, machine: &Machine, how: &str) -> String {
    [
        "![Ratios by model, and growth](performance.svg)\n\n".to_owned(),
        conditions(machine, how),
        commands(&results.modes),
        section("Requirements", &requirements(results)),
        section("Against SPIN, one thread", &against(results)),
        section("Other ways to search", &modes(results)),
        section("Growth", &growth(&results.growth)),
        section("Small models", &small(&results.small)),
        section("Argos models", &own(&results.argos)),
        section("The models", &origins(results)),
    ]
    .concat()
}

pub(super) fn section(title: &str, body: &str) -> String {
    format!("\n## {title}\n\n{body}")
}

pub(super) fn conditions(machine: &Machine, how: &str) -> String {
    let Machine { processor, cores, memory_kb, date, load, versions } = machine;
    format!(
        "Measured on {date} by `{how}`:\n\
         {processor}, {cores} cores, {} GB; load {load} when it began.\n\
         {}.\n",
        memory_kb / (1024 * 1024),
        versions.join("; "),
    )
}

fn commands(modes: &[Mode]) -> String {
    let mut text = format!(
        "\n```text\n{} MODEL\n{}\n./pan -c0 -n -mDEPTH -wSLOTS\n",
        spin::GENERATE.join(" "),
        COMPILE.join(" ")
    );
    for Mode { name, options } in modes {
        let line = format!("argos check MODEL --spin-counts --no-claims {}", options.join(" "));
        text.push_str(&format!("{:<80} # {name}\n", line.trim_end()));
    }
    text + "```\n"
}

/// A table; the first column is text, the others are figures.
pub(super) fn table(heads: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let heads: Vec<String> = heads.iter().map(|&head| head.to_owned()).collect();
    let rule = format!("|---|{}\n", "---:|".repeat(heads.len() - 1));
    let rows: String = rows.iter().map(|row| line(row)).collect();
    format!("{}{rule}{rows}", line(&heads))
}

/// A figure with so many digits, or a dash.
pub(super) fn figure(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
}

pub(super) fn ratio(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), times)
}

/// A ratio with as many digits as mean something.
pub(super) fn times(value: f64) -> String {
    let digits = if value < 1.0 { 2 } else { usize::from(value < 10.0) };
    format!("{value:.digits$}x")
}

/// 1234567 as 1 234 567.
pub(super) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let spaced = digits.char_indices().map(|(at, digit)| {
        let gap = at > 0 && (digits.len() - at).is_multiple_of(3);
        if gap { format!(" {digit}") } else { digit.to_string() }
    });
    spaced.collect()
}

fn requirements(results: &Results) -> String {
    required(&results.requirements(), results.whole)
}

/// What is wanted and what was measured.
pub(super) fn required(requirements: &[Requirement], whole: bool) -> String {
    let rows: Vec<Vec<String>> = requirements
        .iter()
        .map(|Requirement { text, wanted, measured, met }| {
            let met = met.map_or("not measured", |met| if met { "yes" } else { "NO" });
            let measured = measured.clone().unwrap_or_else(|| "-".to_owned());
            vec![(*text).to_owned(), wanted.clone(), measured, met.to_owned()]
        })
        .collect();
    let part = if whole { "" } else { "Judged on a part of the models only.\n\n" };
    format!("{part}{}", table(&["requirement", "wanted", "measured", "met"], &rows))
}

/// States and transitions, or dashes.
fn sizes(row: &Row) -> [String; 2] {
    let counts = row.pan().or(row.mode(ONE_THREAD)).map(|best| best.counts);
    counts.map_or(["-".into(), "-".into()], |[stored, _, all]| [grouped(stored), grouped(all)])
}

fn against(results: &Results) -> String {
    let heads = [
        "model",
        "states",
        "transitions",
        "pan CPU s",
        "argos CPU s",
        "search",
        "whole command",
        "pan B/state",
        "argos B/state",
        "argos states/s",
        "argos transitions/s",
    ];
    let mut rows: Vec<Vec<String>> = results.set.iter().map(against_row).collect();
    let mean = |figure: &dyn Fn(&Row) -> Option<f64>| ratio(geometric_mean(&results.all(figure)));
    let mut last = vec![String::new(); heads.len()];
    last[0] = "**geometric mean**".to_owned();
    last[5] = mean(&|row| row.search_ratio(ONE_THREAD));
    last[6] = mean(&|row| row.total_ratio(ONE_THREAD));
    rows.push(last);
    table(&heads, &rows) + &obstacles(&results.set)
}

fn against_row(row: &Row) -> Vec<String> {
    let (pan, argos) = (row.pan(), row.mode(ONE_THREAD));
    let [states, transitions] = sizes(row);
    let rate = |which: usize| argos.map(|best| best.counts[which] as f64 / best.search.max(1e-9));
    let rate = |which: usize| rate(which).map_or("-".to_owned(), |rate| grouped(rate as u64));
    vec![
        row.model.clone(),
        states,
        transitions,
        figure(pan.map(|best| best.cpu), 2),
        figure(argos.map(|best| best.cpu), 2),
        ratio(row.search_ratio(ONE_THREAD)),
        ratio(row.total_ratio(ONE_THREAD)),
        figure(pan.and_then(|best| best.bytes_per_state()), 1),
        figure(argos.and_then(|best| best.bytes_per_state()), 1),
        rate(0),
        rate(2),
    ]
}

/// A list of what is not in the figures, and why.
fn obstacles(rows: &[Row]) -> String {
    let named = |row: &Row| (row.model.clone(), row.obstacles());
    not_counted(rows.iter().map(named))
}

/// A list of obstacles by what they are about.
pub(super) fn not_counted(all: impl Iterator<Item = (String, Vec<String>)>) -> String {
    let lines: Vec<String> = all
        .flat_map(|(name, obstacles)| {
            obstacles.into_iter().map(move |it| format!("- {name}: {it}"))
        })
        .collect();
    match lines.is_empty() {
        true => String::new(),
        false => format!("\nNot counted:\n\n{}\n", lines.join("\n")),
    }
}

fn modes(results: &Results) -> String {
    let names: Vec<&str> = results.modes.iter().map(|mode| mode.name).collect();
    let cells = |name: &str, ratio_of: &dyn Fn(&str) -> Option<f64>| {
        let ratios = names.iter().map(|mode| ratio(ratio_of(mode)));
        std::iter::once(name.to_owned()).chain(ratios).collect::<Vec<_>>()
    };
    let mut rows: Vec<Vec<String>> =
        results.set.iter().map(|row| cells(&row.model, &|mode| row.search_ratio(mode))).collect();
    rows.push(cells("**geometric mean**", &|mode| {
        geometric_mean(&results.all(|row| row.search_ratio(mode)))
    }));
    let heads: Vec<&str> = std::iter::once("model").chain(names.iter().copied()).collect();
    let note = match names.contains(&TWO_THREADS) {
        true => "Two threads are measured by the clock, everything else by processor time.\n",
        false => "This build has no option for threads.\n",
    };
    format!("pan's search over that of argos. {note}\n{}", table(&heads, &rows))
}

/// Nanoseconds of search for each state.
pub(super) fn nanoseconds(best: &super::figures::Best) -> f64 {
    best.search * 1e9 / best.counts[0] as f64
}

fn growth(rows: &[Row]) -> String {
    let heads =
        ["model", "states", "pan ns/state", "argos ns/state", "pan B/state", "argos B/state"];
    let cells = rows.iter().map(|row| {
        let (pan, argos) = (row.pan(), row.mode(ONE_THREAD));
        vec![
            row.model.clone(),
            sizes(row)[0].clone(),
            figure(pan.map(nanoseconds), 0),
            figure(argos.map(nanoseconds), 0),
            figure(pan.and_then(|best| best.bytes_per_state()), 1),
            figure(argos.and_then(|best| best.bytes_per_state()), 1),
        ]
    });
    table(&heads, &cells.collect::<Vec<_>>()) + &obstacles(rows)
}

fn small(all: &[Small]) -> String {
    let mut walls: Vec<&Small> = all.iter().collect();
    walls.sort_by(|one, other| one.wall.total_cmp(&other.wall));
    let (Some(middle), Some(last)) = (walls.get(walls.len() / 2), walls.last()) else {
        return "Not measured.\n".to_owned();
    };
    let Some(longest) =
        all.iter().max_by(|one, other| one.every_error.total_cmp(&other.every_error))
    else {
        return "Not measured.\n".to_owned();
    };
    format!(
        "`argos check MODEL` by the clock, on the {} models of the SPIN package with at most\n\
         {} states: {:.0} ms in the median, {:.0} ms at most (`{}`). With every error as JSON,\n\
         each executed again, {:.0} ms at most (`{}`).\n",
        walls.len(),
        grouped(SMALL_STATES),
        middle.wall * 1000.0,
        last.wall * 1000.0,
        last.model,
        longest.every_error * 1000.0,
        longest.model,
    )
}

fn own(rows: &[Row]) -> String {
    let heads = ["model", "states", "transitions", "CPU s", "states/s", "B/state"];
    let cells = rows.iter().map(|row| {
        let best = row.mode(ONE_THREAD);
        let [states, transitions] = sizes(row);
        let rate = best.map(|best| best.counts[0] as f64 / best.search.max(1e-9));
        vec![
            row.model.clone(),
            states,
            transitions,
            figure(best.map(|best| best.cpu), 2),
            rate.map_or("-".to_owned(), |rate| grouped(rate as u64)),
            figure(best.and_then(|best| best.bytes_per_state()), 1),
        ]
    });
    table(&heads, &cells.collect::<Vec<_>>()) + &obstacles(rows)
}

fn origins(results: &Results) -> String {
    let mut rows: Vec<&Row> =
        results.set.iter().chain(&results.growth).chain(&results.argos).collect();
    rows.dedup_by(|one, other| one.origin == other.origin);
    let lines: String =
        rows.iter().map(|row| format!("- {}: `{}`\n", row.model, row.origin)).collect();
    format!(
        "Formulas (`ltl` lines) are taken out, macros have the values given here. A store is\n\
         judged from {} states on.\n\n{lines}",
        grouped(MANY_STATES)
    )
}
