//! Exhaustive, partial and scatter searches of the data switch with a depth bound (1985,
//! 1986): run time, errors, redundancy, speed.

use crate::findings::{Compared, Findings, Table, seconds};
use crate::lab::{Lab, NotRun};
use crate::models;
use crate::sweep::{self, DRAWN, EXHAUSTIVE, LOTTERY, METHODS, Method, PARTIAL, Point, sweep};
use pipeline::Options;
use report::{Axis, Plot, Rule, Scale, Series, thousands};

const YEAR: f64 = 365.25 * 86_400.0;

fn table(points: &[Point]) -> Table {
    let mut table =
        Table::new("search depth states transitions errors seconds seconds_total ended_by_time");
    for point in points {
        let Point { method, depth, states, transitions, errors, seconds, total, ended, .. } = point;
        table.row(&[&method.name, depth, states, transitions, errors, seconds, total, ended]);
    }
    table
}

/// A line for each kind of search.
fn lines(points: &[Point], place: fn(&Point) -> (f64, f64)) -> Vec<Series> {
    let line = |method: Method| {
        let all = points.iter().filter(|point| point.method == method && !point.ended);
        Series::line(method.name, all.map(place).collect())
    };
    DRAWN.into_iter().map(line).collect()
}

/// What the papers print beside their figures 1 and 2: depth, seconds, errors.
const EXHAUSTIVE_1986: [(f64, f64, f64); 3] =
    [(35.0, 180.0, 1.0), (40.0, 360.0, 3.0), (70.0, 6.0 * 3600.0, 100.0)];
const SCATTER_1986: [(f64, f64, f64); 3] =
    [(35.0, 4.0, 1.0), (100.0, 30.0, 100.0), (189.0, 240.0, 2000.0)];

/// The papers' points.
fn printed(place: fn(&(f64, f64, f64)) -> (f64, f64)) -> [Series; 2] {
    [("exhaustive, 1986", EXHAUSTIVE_1986), ("scatter, 1986", SCATTER_1986)]
        .map(|(name, points)| Series::points(name, points.iter().map(place).collect()))
}

fn with(mut series: Vec<Series>, more: [Series; 2]) -> Vec<Series> {
    series.extend(more);
    series
}

fn notes() -> Vec<String> {
    vec![models::DATA_SWITCH_IS_OURS.to_owned()]
}

/// E7.
pub(crate) fn run_time(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let points = sweep(lab)?;
    let exhaustive = sweep::of(&points, EXHAUSTIVE);
    let slope = slope(&exhaustive);
    let deepest = exhaustive.last().map_or(0, |point| point.depth);
    let growth = 10f64.powf(10.0 * slope);
    let far = exhaustive.last().map_or(0.0, |point| {
        point.seconds * 10f64.powf(slope * (189.0 - point.depth as f64)) / YEAR
    });
    let scatter = sweep::of(&points, LOTTERY);
    let longest = scatter.iter().map(|point| point.seconds).fold(0.0, f64::max);
    let (last, before) = (scatter.last(), scatter.iter().rev().nth(1));
    let saturates = last.zip(before).is_some_and(|(a, b)| a.states < b.states + b.states / 20);
    let straight = growth > 2.0;
    let compared = vec![
        Compared::shape(
            "exhaustive: time over depth",
            ("a straight line on a log scale", format!("times {growth:.1} every 10 steps")),
            straight,
            "exponential in the depth",
        ),
        Compared::shape(
            "exhaustive: feasible depth",
            ("80", format!("{deepest} within {} s", if lab.is_full() { 15 } else { 2 })),
            deepest >= 50,
            "the same wall; a faster machine moves it by a few tens of steps",
        ),
        Compared::shape(
            "exhaustive to a depth of 189, extrapolated",
            ("3000 years", format!("{far:.1e} years")),
            far > 1e-3,
            "an estimate in both; states come ten thousand times faster now",
        ),
        Compared::shape(
            "scatter: longest search",
            (
                "< 4 min, depth 189",
                format!("{}, depth {}", seconds(longest), last.map_or(0, |p| p.depth)),
            ),
            saturates,
            "saturates: ten more steps add less than a twentieth",
        ),
    ];
    let plot = Plot::new(
        "E7  Run time over the depth bound",
        "Data switch (a stand-in), two slots per channel. Exhaustive: a straight line, \
         hence exponential; restricted searches saturate.",
        [Axis::linear("depth bound (steps)"), Axis::log("seconds")],
        with(
            lines(&points, |point| (point.depth as f64, point.seconds.max(1e-5))),
            printed(|point| (point.0, point.1)),
        ),
    );
    Ok(Findings {
        table: table(&points),
        plots: vec![plot],
        compared,
        notes: notes(),
        exhibit: None,
    })
}

/// Powers of ten of run time for each step of depth, by least squares over the searches
/// that took long enough to be measured.
fn slope(points: &[&Point]) -> f64 {
    let long: Vec<(f64, f64)> = points
        .iter()
        .filter(|point| point.seconds > 0.002)
        .map(|point| (point.depth as f64, point.seconds.log10()))
        .collect();
    let count = long.len() as f64;
    let mean = |pick: fn(&(f64, f64)) -> f64| long.iter().map(pick).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let over: f64 = long.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let under: f64 = long.iter().map(|point| (point.0 - x).powi(2)).sum();
    if under > 0.0 { over / under } else { 0.0 }
}

/// E8.
pub(crate) fn first_errors(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let points = sweep(lab)?;
    let exhaustive = sweep::of(&points, EXHAUSTIVE);
    let without =
        exhaustive.iter().filter(|point| point.errors == 0).map(|point| point.depth).max();
    let with = exhaustive.iter().find(|point| point.errors > 0);
    let mut table = table(&points);
    let mut first = Vec::new();
    for method in METHODS {
        let depth = with.map_or(40, |point| point.depth);
        let found = first_error(lab, method, depth)?;
        let (states, time) = (found.0, found.1);
        let name = format!("{}, first error", method.name);
        let errors = u64::from(found.2);
        table.row(&[&name, &depth, &states, &"", &errors, &time, &"", &false]);
        first.push((method, found));
    }
    let time = |wanted: Method| {
        first.iter().find(|row| row.0 == wanted).map_or((0, 0.0, false), |row| row.1)
    };
    let (whole, quick) = (time(EXHAUSTIVE), time(LOTTERY));
    let ratio = whole.0 as f64 / quick.0.max(1) as f64;
    let none = without.unwrap_or(0);
    let depths = format!("none at {none}, some at {}", with.map_or(0, |p| p.depth));
    let until = format!(
        "exhaustive {} states, {}; scatter {} states, {}",
        thousands(whole.0),
        seconds(whole.1),
        thousands(quick.0),
        seconds(quick.1)
    );
    let mut compared = vec![
        Compared::shape(
            "depth of the first error",
            ("none at 30, some at 35", depths),
            without.is_some() && with.is_some(),
            "the stand-in was written for that",
        ),
        Compared::shape(
            "until the first error",
            ("exhaustive 3 min, scatter 4 s", until),
            quick.2 && ratio > 1.0,
            &format!("{ratio:.1} times fewer states"),
        ),
    ];
    compared.push(largest_scatter(&points));
    compared.extend(hundred(&points));
    let plots = error_plots(&points);
    Ok(Findings { table, plots, compared, notes: notes(), exhibit: None })
}

/// Figures 2a and 2b.
fn error_plots(points: &[Point]) -> Vec<Plot> {
    let over = |title: &str, axis: Axis, place: fn(&Point) -> (f64, f64), then| {
        Plot::new(
            title,
            "Data switch (a stand-in), two slots per channel: every point is a search to another \
             depth. Scatter: one process at a time, ties by lot.",
            [axis, Axis::log("error states")],
            with(lines(points, place), printed(then)),
        )
    };
    vec![
        over(
            "E8  Errors found over the time to find them",
            Axis::log("seconds"),
            |point| (point.seconds.max(1e-5), point.errors as f64),
            |point| (point.1, point.2),
        ),
        over(
            "E8  Errors found over the depth of the search (1985, figure 2a)",
            Axis::linear("depth bound (steps)"),
            |point| (point.depth as f64, point.errors as f64),
            |point| (point.0, point.2),
        ),
    ]
}

/// States, seconds, and whether there was one.
fn first_error(lab: &mut Lab<'_>, method: Method, depth: u64) -> Result<(u64, f64, bool), NotRun> {
    // Restricted searches need more depth for the same error.
    let depth = if method == EXHAUSTIVE || method == PARTIAL { depth } else { 230 };
    let all = method.options(Some(depth));
    let run =
        lab.check(models::DATA_SWITCH, &Options { all_errors: false, time: Some(15.0), ..all })?;
    Ok((run.stats().states, run.stats().seconds.search, !run.report.errors.is_empty()))
}

/// The papers' scatter search on our model, by both ways to break ties.
fn largest_scatter(points: &[Point]) -> Compared {
    let last = |method: Method| {
        let all = sweep::of(points, method);
        all.last().map_or((0, 0), |point| (point.states, point.errors))
    };
    let (lots, declared) = (last(LOTTERY), last(sweep::SCATTER));
    let ours = format!("{} states, {} errors", thousands(lots.0), thousands(lots.1));
    let because = format!(
        "by lot; in the order of declaration {} states and {} errors, since one process at a \
         time then never fills a channel. 1987 gives 172,402 as the states of an exhaustive search",
        thousands(declared.0),
        declared.1
    );
    let both = ("172,402 states, > 2000 reports", ours);
    Compared::shape("the largest scatter search", both, lots.1 > 0, &because)
}

/// What 1986 says of the first hundred errors; 1985 has 3 hours.
const HUNDRED: &str = "exhaustive 6 h (70 steps), scatter 30 s (100 steps)";

/// The quickest search with a hundred errors.
fn hundred(points: &[Point]) -> Option<Compared> {
    let quickest = |method: Method| {
        let many = sweep::of(points, method).into_iter().filter(|point| point.errors >= 100);
        many.min_by(|a, b| a.seconds.total_cmp(&b.seconds))
    };
    let said = |point: &Point| format!("{} ({} steps)", seconds(point.seconds), point.depth);
    let whole = quickest(EXHAUSTIVE)?;
    let Some(scatter) = quickest(LOTTERY) else {
        let most = sweep::of(points, LOTTERY).iter().map(|point| point.errors).max().unwrap_or(0);
        let ours = format!("exhaustive {}, scatter {most} errors in all", said(whole));
        let because = "the scatter search of the stand-in has fewer error states than that";
        return Some(Compared::differs("100 errors", (HUNDRED, ours), because));
    };
    let ours = format!("exhaustive {}, scatter {}", said(whole), said(scatter));
    let sooner = scatter.states < whole.states;
    let because = format!(
        "{} states exhaustive, {} scatter",
        thousands(whole.states),
        thousands(scatter.states)
    );
    Some(Compared::shape("100 errors", (HUNDRED, ours), sooner, &because))
}

/// E10.
pub(crate) fn speed(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let points = sweep(lab)?;
    let mut table = Table::new("search states states_per_second bytes_per_state");
    for point in &points {
        table.row(&[
            &point.method.name,
            &point.states,
            &rate(point).round(),
            &point.bytes_per_state,
        ]);
    }
    let all = points.iter().filter(|point| point.method == EXHAUSTIVE || point.method == PARTIAL);
    let largest = all.clone().max_by_key(|point| point.states);
    let best = all.clone().max_by(|a, b| rate(a).total_cmp(&rate(b)));
    let (Some(best), Some(largest)) = (best, largest) else {
        return Err(NotRun::Failed("the series is empty".to_owned()));
    };
    let smallest = points.iter().map(rate).fold(f64::INFINITY, f64::min);
    let compared = rates(best, largest, smallest);
    let plot = Plot {
        rules: vec![
            Rule { label: "1986: best here".to_owned(), upright: true, at: 1000.0 },
            Rule { label: "1986: at most 100 a second".to_owned(), upright: false, at: 100.0 },
        ],
        ..Plot::new(
            "E10  Speed over the size of the search",
            "States per second of the whole run, preparations included; data switch (a stand-in). \
             1986: best at about 1000 states.",
            [
                Axis { label: "states".to_owned(), scale: Scale::Log },
                Axis::log("states per second"),
            ],
            lines(&points, |point| (point.states as f64, rate(point))),
        )
    };
    Ok(Findings { table, plots: vec![plot], compared, notes: notes(), exhibit: None })
}

/// States per second of a whole run.
fn rate(point: &Point) -> f64 {
    point.states as f64 / point.total.max(1e-6)
}

/// The fastest search, the largest one, and the smallest rate of all.
fn rates(best: &Point, largest: &Point, smallest: f64) -> Vec<Compared> {
    vec![
        Compared::shape(
            "the best rate",
            (
                "at about 1000 states",
                format!("{}/s at {} states", thousands(rate(best) as u64), thousands(best.states)),
            ),
            rate(best) > 3.0 * smallest,
            "steep while the preparations count; these take milliseconds now, so the top is further right",
        ),
        Compared::shape(
            "the slow fall",
            (
                "states/s fall with memory",
                format!(
                    "{}/s at {} states",
                    thousands(rate(largest) as u64),
                    thousands(largest.states)
                ),
            ),
            rate(largest) <= rate(best),
            "memory that does not fit the processor's caches, then and now",
        ),
        Compared::shape(
            "bytes per state",
            ("about 40", format!("{:.0}", largest.bytes_per_state)),
            largest.bytes_per_state < 40.0 * 2.0,
            "collapsed to numbers; whole and with its depth, as for the exhaustive search here, about 50",
        ),
        Compared::shape(
            "the longest search",
            ("332,527 states, 15 MB", format!("{} states", thousands(largest.states))),
            largest.states > 100_000,
            "what fits has grown with the memory",
        ),
    ]
}
