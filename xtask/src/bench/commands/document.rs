//! The figures of whole commands as Markdown.

use super::figures::{Ended, Results, Row};
use super::measure::{ARGOS, SPIN};
use crate::bench::document::{
    Marks, conditions, figure, grouped, not_counted, ratio, required, section, table,
};
use crate::bench::figures::geometric_mean;
use crate::bench::machine::Machine;

pub(in crate::bench) const MARKS: Marks = [
    "<!-- bench commands: begin; written by `cargo xtask bench --commands`, do not edit -->",
    "<!-- bench commands: end -->",
];

/// Everything between the marks.
pub(in crate::bench) fn generated(results: &Results, machine: &Machine, how: &str) -> String {
    [
        conditions(machine, how),
        format!(
            "\n```text\n{} MODEL\nargos check MODEL {}\n```\n",
            SPIN.join(" "),
            ARGOS.join(" ")
        ),
        section(
            "Requirements of whole commands",
            &required(&results.requirements(), results.whole),
        ),
        section("The models of SPIN's package", &rows(&results.package)),
        section("Larger models", &rows(&results.scaled)),
        not_counted(results.rows().map(|row| (row.model.clone(), row.obstacles()))),
    ]
    .concat()
}

const HEADS: [&str; 13] = [
    "model",
    "verdict",
    "SPIN, states",
    "argos, states",
    "SPIN, s",
    "argos, s",
    "ratio",
    "SPIN, CPU s",
    "argos, CPU s",
    "CPU ratio",
    "SPIN, MB",
    "argos, MB",
    "added for SPIN",
];

fn rows(all: &[Row]) -> String {
    let mut cells: Vec<Vec<String>> = all.iter().map(row).collect();
    let mean = |of: &dyn Fn(&Row) -> Option<f64>| {
        ratio(geometric_mean(&all.iter().filter_map(of).collect::<Vec<f64>>()))
    };
    let mut last = vec![String::new(); HEADS.len()];
    last[0] = "**geometric mean**".to_owned();
    last[6] = mean(&Row::wall_ratio);
    last[9] = mean(&Row::cpu_ratio);
    cells.push(last);
    table(&HEADS, &cells)
}

fn row(row: &Row) -> Vec<String> {
    let of = |figure: &dyn Fn(&Ended) -> String| {
        [&row.spin, &row.argos].map(|it| it.as_ref().map_or_else(|_| "-".to_owned(), figure))
    };
    let [_, verdict] = of(&|it| if it.violated { "violated" } else { "holds" }.to_owned());
    let states = of(&|it| grouped(it.states));
    let [wall, cpu] = [of(&|it| seconds(it.wall)), of(&|it| seconds(it.cpu))];
    let memory = of(&|it| figure(Some(it.bytes / 1e6), 0));
    let first = [row.model.clone(), verdict].into_iter();
    let times = wall.into_iter().chain([ratio(row.wall_ratio())]);
    let times = times.chain(cpu).chain([ratio(row.cpu_ratio())]);
    first.chain(states).chain(times).chain(memory).chain([row.added.clone()]).collect()
}

fn seconds(seconds: f64) -> String {
    figure(Some(seconds), if seconds < 0.1 { 3 } else { 2 })
}
