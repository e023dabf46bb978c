//! What restrictions cost and find: smaller queues (1985, 1986), the quality of scatter
//! searches, and the largest protocol of 1987.

use crate::cache::{Cached, EVERYTHING};
use crate::estimate::channel_contents;
use crate::findings::{Compared, Findings, Table, seconds};
use crate::lab::{Lab, NotRun, Text};
use crate::models;
use crate::restricted::{LOTS, Scatter};
use crate::sweep::{EXHAUSTIVE, LOTTERY, Method, PARTIAL, SCATTER, SCATTER_2, SINGLE, errors};
use pipeline::{Options, Search};
use report::{Axis, Plot, Series, thousands};
use search::CacheRequest;
use std::collections::BTreeSet;

/// E11.
pub(crate) fn queue_sizes(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let depth = if lab.is_full() { 60 } else { 50 };
    let mut table = Table::new("search slots states transitions seconds");
    let methods = [EXHAUSTIVE, LOTTERY, SCATTER_2, SINGLE];
    let mut series = Vec::new();
    let mut growth = Vec::new();
    for method in methods {
        let mut points = Vec::new();
        for slots in 1..=4 {
            let options = Options { capacity: Some(slots), ..method.options(Some(depth)) };
            let run = lab.check(models::DATA_SWITCH, &options)?;
            let stats = run.stats();
            let time = stats.seconds.search;
            table.row(&[&method.name, &slots, &stats.states, &stats.transitions, &time]);
            points.push((f64::from(slots), stats.transitions as f64));
        }
        growth.push(points[3].1 / points[0].1);
        series.push(Series::line(method.name, points));
    }
    let more = channel_contents(lab, 2)? - channel_contents(lab, 1)?;
    let compared = vec![
        Compared::shape(
            "4 slots against 1",
            (
                "exhaustive strongly, scatter weakly",
                format!("exhaustive x{:.1}, scatter x{:.1}", growth[0], growth[1]),
            ),
            growth[0] > growth[1],
            "all interleavings depend on the queue sizes, one process at a time hardly does",
        ),
        Compared::exact("|S|^N more contents with slot N = 2, |S| = 10", 100, more),
    ];
    let plot = Plot::new(
        "E11  Work over the size of the queues",
        format!(
            "Data switch (a stand-in), searches to a depth of {depth}: transitions with one to four slots per channel."
        ),
        [Axis::linear("slots of each channel"), Axis::log("transitions")],
        series,
    );
    let notes = vec![models::DATA_SWITCH_IS_OURS.to_owned()];
    Ok(Findings { table, plots: vec![plot], compared, notes, exhibit: None })
}

/// E15.
pub(crate) fn quality(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let mut table = Table::new("search slots depth transitions work errors found");
    let mut points = Vec::new();
    let slots = [1, 2];
    for slots in slots {
        let whole = types(lab, &Options { capacity: Some(slots), ..EXHAUSTIVE.options(None) })?;
        for (name, options) in restricted(slots) {
            let part = types(lab, &options)?;
            let work = part.transitions as f64 / whole.transitions as f64;
            let found = part.errors.intersection(&whole.errors).count() as f64;
            let share = found / whole.errors.len() as f64;
            let depth = options.depth.map_or(String::new(), |depth| depth.to_string());
            table.row(&[
                &name,
                &slots,
                &depth,
                &part.transitions,
                &work,
                &part.errors.len(),
                &share,
            ]);
            if work <= 1.0 {
                points.push((work, share));
            }
        }
    }
    let best = upper(&points);
    let half = best.iter().filter(|point| point.0 <= 0.5).map(|point| point.1).fold(0.0, f64::max);
    let compared = vec![Compared::shape(
        "errors over work",
        (
            "a concave curve (no numbers)",
            format!("{:.0} % of the errors for half of the work", half * 100.0),
        ),
        half > 0.5,
        "more than its share for little work: concave",
    )];
    let plot = Plot::new(
        "E15  What share of the errors a share of the work finds",
        "X.21 (a stand-in), one and two slots: depth bounds and restrictions against the errors \
         and transitions of an exhaustive search.",
        [
            Axis::linear("share of the work (transitions)"),
            Axis::linear("share of the types of errors"),
        ],
        vec![Series::points("searches", points), Series::line("the best for that work", best)],
    );
    let notes = vec![
        "the X.21 model of the papers was not printed; measured is a stand-in (examples/x21.argos)"
            .to_owned(),
    ];
    Ok(Findings { table, plots: vec![plot], compared, notes, exhibit: None })
}

struct Part {
    transitions: u64,
    errors: BTreeSet<String>,
}

fn types(lab: &mut Lab<'_>, options: &Options) -> Result<Part, NotRun> {
    let run = lab.check(models::X21, options)?;
    let errors = run.report.errors.iter().map(|error| error.group.clone()).collect();
    Ok(Part { transitions: run.stats().transitions, errors })
}

/// Every restriction that is tried.
fn restricted(slots: u32) -> Vec<(String, Options)> {
    let mut all = Vec::new();
    for method in [EXHAUSTIVE, PARTIAL, SCATTER, SINGLE] {
        for depth in [2, 4, 6, 8, 10, 12, 14, 16, 20, 30] {
            let options = Options { capacity: Some(slots), ..method.options(Some(depth)) };
            all.push((method.name.to_owned(), options));
        }
    }
    let lots = |method: Method, seed: u64| {
        let options = Options { capacity: Some(slots), seed: Some(seed), ..method.options(None) };
        (format!("{}, ties by lot", method.name), options)
    };
    all.extend((1..=6).flat_map(|seed| [lots(SCATTER, seed), lots(SINGLE, seed)]));
    all
}

/// The best share for each amount of work.
fn upper(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let mut best: Vec<(f64, f64)> = vec![(0.0, 0.0)];
    for point in sorted {
        if best.last().is_none_or(|last| point.1 > last.1) {
            best.push(point);
        }
    }
    best
}

/// E16.
pub(crate) fn largest_protocol(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let text = models::data_switch(2);
    let text = Text { name: "data_switch.argos", text: &text };
    let one_slot = |options: Options| Options { capacity: Some(1), ..options };
    let whole =
        lab.check(text, &one_slot(Options { search: Search::Dfs, ..EXHAUSTIVE.options(None) }))?;
    let unique = whole.stats().states;
    let mut table = Table::new("search states transitions errors types seconds first_error_states");
    let mut found = Vec::new();
    for method in [EXHAUSTIVE, LOTTERY, SINGLE, SCATTER_2] {
        let depth = (method != EXHAUSTIVE).then_some(230);
        let all = lab.check(text, &one_slot(method.options(depth)))?;
        let first = Options { all_errors: false, ..one_slot(method.options(depth)) };
        let first = lab.check(text, &first)?;
        let kinds: BTreeSet<&String> =
            all.stats().errors.keys().filter(|k| *k != "residual").collect();
        let stats = all.stats();
        let (count, time) = (errors(stats), stats.seconds.search);
        let until = (count > 0).then_some(first.stats().states);
        table.row(&[
            &method.name,
            &stats.states,
            &stats.transitions,
            &count,
            &kinds.len(),
            &time,
            &until.map(|states| states.to_string()).unwrap_or_default(),
        ]);
        found.push((method, stats.states, count, time, until));
    }
    let repeated = repeated(lab, &mut table)?;
    let of = |wanted: Method| found.iter().find(|row| row.0 == wanted).copied();
    let compared = compared_largest(unique, repeated, of(EXHAUSTIVE), of(LOTTERY));
    let plot = largest_plot(unique, &found);
    let notes = vec![models::DATA_SWITCH_IS_OURS.to_owned(),
        "two texts instead of four and one slot per channel, so that the exhaustive search ends; 172,402 \
         states are an exhaustive search in 1987 and the largest scatter search in 1985 and 1986".to_owned()];
    Ok(Findings { table, plots: vec![plot], compared, notes, exhibit: None })
}

/// The scatter search with four texts and two slots, and with a cache of 87 % of its states,
/// round robin: unique states, states analysed.
fn repeated(lab: &mut Lab<'_>, table: &mut Table) -> Result<(u64, u64), NotRun> {
    let scatter = Scatter { slots: 2, lots: LOTS };
    let (whole, _) = scatter.whole(lab, EVERYTHING)?;
    let size = whole.states * 150_000 / 172_402;
    let replace = search::Replace::RoundRobin;
    let cache = CacheRequest { states_max: Some(size), replace, ..CacheRequest::default() };
    let (cached, _) = scatter.search(lab, cache, u64::MAX)?;
    for (name, found) in
        [("scatter, 2 slots", &whole), ("scatter, 2 slots, cache of 87 %", &cached)]
    {
        let Cached { states, transitions, seconds, .. } = found;
        table.row(&[&name, states, transitions, &"", &"", seconds, &""]);
    }
    Ok((whole.states, cached.states))
}

/// Search, states, errors, seconds, states until the first error if there is one.
type Row = (Method, u64, u64, f64, Option<u64>);

fn compared_largest(
    unique: u64,
    (stored, created): (u64, u64),
    whole: Option<Row>,
    part: Option<Row>,
) -> Vec<Compared> {
    let (Some(whole), Some(part)) = (whole, part) else { return Vec::new() };
    let until = (whole.4.unwrap_or(0), part.4.unwrap_or(0));
    let again = (created as f64 / stored as f64 - 1.0) * 100.0;
    let share = 100.0 * part.1 as f64 / unique as f64;
    vec![
        Compared::shape(
            "a cache of 87 % of the states",
            (
                "175,748 analysed, 172,402 unique: 1.9 % again",
                format!(
                    "{} analysed, {} unique: {again:.1} % again",
                    thousands(created),
                    thousands(stored)
                ),
            ),
            again < 10.0,
            match again < 10.0 {
                true => "a scatter search, round robin; little work is repeated",
                false => "a scatter search, round robin, but more work is repeated",
            },
        ),
        Compared::shape(
            "states of the restricted search",
            ("4523: 2.5 %", format!("{}: {share:.1} %", thousands(part.1))),
            share < 10.0 && part.2 > 0,
            "one process at a time; a few percent of the states, and errors in them",
        ),
        Compared::shape(
            "until the first error",
            (
                "exhaustive 20 min, scatter 3 s",
                format!(
                    "exhaustive {} states, scatter {} states",
                    thousands(until.0),
                    thousands(until.1)
                ),
            ),
            part.4.is_some() && until.1 < until.0,
            &format!(
                "{:.1} times fewer states; the exhaustive search takes {} as a whole",
                until.0 as f64 / until.1.max(1) as f64,
                seconds(whole.3)
            ),
        ),
    ]
}

fn largest_plot(unique: u64, found: &[Row]) -> Plot {
    let names: Vec<&str> = found.iter().map(|row| row.0.name).collect();
    let bars = |pick: fn(&Row) -> Option<u64>| {
        let bar = |(place, row)| pick(row).map(|height| (place as f64, height as f64));
        found.iter().enumerate().filter_map(bar).collect()
    };
    Plot::new(
        "E16  The data switch: exhaustive against restricted",
        format!(
            "A stand-in with {} states (1987: 172,402), searched completely and in part.",
            thousands(unique)
        ),
        [Axis::names("search", &names), Axis::log("number")],
        vec![
            Series::bars("states", bars(|row| Some(row.1))),
            Series::bars("states until the first error", bars(|row| row.4)),
            Series::bars("error states", bars(|row| Some(row.2))),
            Series::bars("states, 1987", vec![(0.0, 172_402.0), (1.0, 4523.0)]),
        ],
    )
}
