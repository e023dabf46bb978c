//! The figures of formulas as Markdown.

use super::figures::{Measured, Results, Row};
use super::measure::{COMPILE, FAIR, GENERATE, PLAIN, THREADS};
use super::models::MANY;
use crate::bench::document::{
    Marks, conditions, figure, grouped, not_counted, ratio, required, section, table,
};
use crate::bench::figures::geometric_mean;
use crate::bench::machine::Machine;

pub(in crate::bench) const MARKS: Marks = [
    "<!-- bench live: begin; written by `cargo xtask bench --live`, do not edit -->",
    "<!-- bench live: end -->",
];

/// Everything between the marks.
pub(in crate::bench) fn generated(results: &Results, machine: &Machine, how: &str) -> String {
    [
        conditions(machine, how),
        commands(),
        section("Requirements of formulas", &required(&results.requirements(), results.whole)),
        section("Formulas against SPIN, one thread", &against(results)),
        section("Many formulas", &many(results)),
        section("The models of formulas", &origins(results)),
    ]
    .concat()
}

fn commands() -> String {
    let line = |options: &[&str], name: &str| {
        let quoted = |word: &&str| match word.contains(' ') {
            true => format!("'{word}'"),
            false => (*word).to_owned(),
        };
        let words: Vec<String> = options.iter().map(quoted).collect();
        format!("{:<82} # {name}\n", format!("argos check MODEL {}", words.join(" ")))
    };
    let only = [&["--only", "ltl NAME"], &THREADS[..]].concat();
    format!(
        "\n```text\n{} MODEL\n{}\n./pan -a -n -mDEPTH -wSLOTS -N NAME\n{}{}{}```\n",
        GENERATE.join(" "),
        COMPILE.join(" "),
        line(&only, "argos"),
        line(&[&only[..], &FAIR].concat(), "weak fairness"),
        line(&[&PLAIN[..], &THREADS].concat(), "no formulas"),
    )
}

const HEADS: [&str; 13] = [
    "formula",
    "class",
    "product states",
    "pan",
    "argos",
    "pan CPU s",
    "argos CPU s",
    "ratio",
    "argos B/product state",
    "weak fairness CPU s",
    "over none",
    "no formulas CPU s",
    "formula over no formulas",
];

fn against(results: &Results) -> String {
    let mut rows: Vec<Vec<String>> = results.rows.iter().map(cells).collect();
    let mean = |of: &dyn Fn(&Row) -> Option<f64>| ratio(geometric_mean(&results.all(of)));
    let mut last = vec![String::new(); HEADS.len()];
    last[0] = "**geometric mean**".to_owned();
    last[7] = mean(&Row::ratio);
    last[10] = mean(&Row::fair_ratio);
    last[12] = mean(&Row::plain_ratio);
    rows.push(last);
    let obstacles = results.rows.iter().map(|row| (name(row), row.obstacles()));
    table(&HEADS, &rows) + &not_counted(obstacles)
}

fn name(row: &Row) -> String {
    format!("{} {}", row.model, row.formula)
}

fn cells(row: &Row) -> Vec<String> {
    let states = row.pan.as_ref().map_or("-".to_owned(), |pan| grouped(pan.states));
    vec![
        name(row),
        row.class.to_owned(),
        states,
        verdict(&row.pan).to_owned(),
        verdict(&row.argos).to_owned(),
        seconds(&row.pan),
        seconds(&row.argos),
        ratio(row.ratio()),
        figure(row.product_bytes(), 1),
        seconds(&row.fair),
        ratio(row.fair_ratio()),
        seconds(&row.plain),
        ratio(row.plain_ratio()),
    ]
}

fn seconds(measured: &Measured) -> String {
    figure(measured.as_ref().ok().map(|decided| decided.cpu), 2)
}

fn verdict(measured: &Measured) -> &'static str {
    match measured {
        Ok(decided) if decided.violated => "violated",
        Ok(_) => "holds",
        Err(_) => "-",
    }
}

fn many(results: &Results) -> String {
    let Some(many) = &results.many else { return "Not measured.\n".to_owned() };
    let states = many.all.as_ref().map_or("-".to_owned(), |all| grouped(all.states));
    let obstacles = [("one", &many.one), ("all", &many.all)]
        .map(|(name, it)| (name.to_owned(), it.as_ref().err().cloned().into_iter().collect()));
    format!(
        "{}, {states} states: {} s for its first formula, {} s for all {}.\n{}",
        MANY.origin(),
        seconds(&many.one),
        seconds(&many.all),
        MANY.asked.len(),
        not_counted(obstacles.into_iter()),
    )
}

fn origins(results: &Results) -> String {
    let mut rows: Vec<&Row> = results.rows.iter().collect();
    rows.dedup_by_key(|row| row.model);
    rows.iter().map(|row| format!("- {}: {}\n", row.model, row.origin)).collect()
}
