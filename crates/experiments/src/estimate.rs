//! The papers' arithmetic: how many states there can be, how long a search of them takes.

use crate::findings::{Compared, Findings, Table};
use crate::lab::{Lab, NotRun, Text};
use crate::models;
use pipeline::{Options, Search};
use report::{Axis, Plot, Rule, Series, thousands};

const DAY: f64 = 86_400.0;
const YEAR: f64 = 365.25 * DAY;
/// States a second in the papers.
const THEN: f64 = 100.0;

/// E25.
pub(crate) fn arithmetic(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let contents = channel_contents(lab, 5)?;
    let states = 10f64.powi(10) * 100f64.powi(2) * contents.powi(2);
    let (days, years) = (1e9 / THEN / DAY, states * 1e-6 / YEAR);
    let rows = [
        ("contents of a channel, 10 messages, 5 slots", "111111".to_owned(), contents.to_string()),
        ("states of two such processes", order(24.0), order(states.log10().floor())),
        ("10^9 states at 100 a second", "115 days".to_owned(), format!("{} days", days.floor())),
        ("16 states as 2 machines of 8", "4 times".to_owned(), times(8.0, 2)),
        ("16 states as 4 machines of 4", "16 times".to_owned(), times(4.0, 4)),
    ];
    let mut table = Table::new("what paper ours");
    let mut compared = Vec::new();
    for (what, paper, ours) in rows {
        table.row(&[&what, &paper, &ours]);
        compared.push(Compared::exact(what, paper, ours));
    }
    let close = (years.log10() - 11.0).abs() < 0.5;
    let both = ("roughly 10^11 years", format!("{:.1}e10 years", years / 1e10));
    compared.push(Compared::shape("those at a million a second", both, close, "rounded up there"));
    let now = rate(lab)?;
    table.row(&[&"states a second", &THEN, &now.round()]);
    let both = ("10 to 100", thousands(now as u64));
    let because = "this machine, complete search of the data switch with one slot per channel";
    compared.push(Compared::shape("states a second", both, now > THEN, because));
    Ok(Findings { table, compared, plots: vec![patience(now)], ..Findings::default() })
}

fn order(power: f64) -> String {
    format!("10^{power}")
}

/// How many times 16 states are as so many machines of so many states.
fn times(states: f64, machines: i32) -> String {
    format!("{} times", states.powi(machines) / 16.0)
}

/// How many contents a channel of ten messages can have, by the formula that
/// `argos show --channels` prints.
pub(crate) fn channel_contents(lab: &mut Lab<'_>, slots: u32) -> Result<f64, NotRun> {
    let options = |sign: char| -> String { (0..10).map(|m| format!(" :: c{sign}m{m}")).collect() };
    let text = format!(
        "channel c[{slots}];\nproc left {{ do{} od }}\nproc right {{ do{} od }}\n",
        options('!'),
        options('?')
    );
    // The bound is a matter of the declarations: nothing has to be searched.
    let little = Options { search: Search::OnePerState, depth: Some(1), ..Options::default() };
    let run = lab.check(Text { name: "ten messages", text: &text }, &little)?;
    let bound = run.report.channels.first().and_then(|channel| channel.contents_max.parse().ok());
    bound.ok_or_else(|| NotRun::Failed("a channel without a bound".to_owned()))
}

/// States a second of a complete search today.
fn rate(lab: &mut Lab<'_>) -> Result<f64, NotRun> {
    let options = Options {
        search: Search::Exhaustive,
        capacity: Some(1),
        all_errors: true,
        shorten_budget: 0,
        ..Options::default()
    };
    let text = models::data_switch(2);
    let run = lab.check(Text { name: models::DATA_SWITCH.name, text: &text }, &options)?;
    Ok(run.stats().states as f64 / run.stats().seconds.search.max(1e-9))
}

/// How long a search takes, by its size.
fn patience(now: f64) -> Plot {
    let line = |rate: f64| (3..=15).map(|power| 10f64.powi(power)).map(|n| (n, n / rate)).collect();
    let rule = |label: &str, at: f64| Rule { label: label.to_owned(), upright: false, at };
    Plot {
        rules: vec![rule("a day", DAY), rule("a year", YEAR)],
        ..Plot::new(
            "E25  How long a complete search takes",
            "At 100 states a second, the best rate of the papers, and at the rate measured \
             here. Ten thousand times the speed is four powers of ten of states, and no more.",
            [Axis::log("states"), Axis::log("seconds")],
            vec![
                Series::line("1985: 100 states/s", line(THEN)),
                Series::line(&format!("here: {} states/s", thousands(now as u64)), line(now)),
            ],
        )
    }
}
