//! One series of searches with growing depth bounds, which four figures of the papers are
//! drawn from: the data switch with two slots per channel, by every kind of search.

use crate::lab::{Lab, NotRun};
use crate::models;
use crate::restricted::LOTS;
use pipeline::{Options, Search};

/// A kind of search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Method {
    pub(crate) name: &'static str,
    search: Search,
    keep: Option<u32>,
    lots: Option<u64>,
}

pub(crate) const EXHAUSTIVE: Method =
    Method { name: "exhaustive", search: Search::Exhaustive, keep: None, lots: None };
pub(crate) const PARTIAL: Method =
    Method { name: "partial", search: Search::Partial, keep: None, lots: None };
/// The papers' scatter search: all steps of one process, ties by lot.
pub(crate) const LOTTERY: Method =
    Method { name: "scatter", search: Search::Scatter, keep: Some(1), lots: Some(LOTS) };
/// The same, ties in the order of declaration.
pub(crate) const SCATTER: Method = Method {
    name: "scatter, ties as declared",
    search: Search::Scatter,
    keep: Some(1),
    lots: None,
};
pub(crate) const SCATTER_2: Method =
    Method { name: "scatter, 2 processes", search: Search::Scatter, keep: Some(2), lots: None };
/// The 1987 paper's other one: one step of each process.
pub(crate) const SINGLE: Method =
    Method { name: "one step per process", search: Search::OnePerProcess, keep: None, lots: None };

pub(crate) const METHODS: [Method; 6] = [EXHAUSTIVE, PARTIAL, LOTTERY, SINGLE, SCATTER_2, SCATTER];
/// Those that figures show beside the paper's points; the tables have all of them.
pub(crate) const DRAWN: [Method; 4] = [EXHAUSTIVE, PARTIAL, LOTTERY, SINGLE];

impl Method {
    /// What it asks for, to a depth.
    pub(crate) fn options(self, depth: Option<u64>) -> Options {
        let Method { search, keep, lots: seed, .. } = self;
        let all_errors = true;
        Options { search, keep, seed, depth, all_errors, shorten_budget: 0, ..Options::default() }
    }
}

/// One search of the series.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Point {
    pub(crate) method: Method,
    pub(crate) depth: u64,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) errors: u64,
    /// Of the search.
    pub(crate) seconds: f64,
    /// Of everything, the preparations too.
    pub(crate) total: f64,
    pub(crate) bytes_per_state: f64,
    /// Whether the time was not enough.
    pub(crate) ended: bool,
}

/// How far the series goes, in steps of ten, and how long one search may take.
fn extent(lab: &Lab<'_>, method: Method) -> (u64, f64) {
    let cheap = [LOTTERY, SCATTER, SINGLE].contains(&method);
    match lab.is_full() {
        true => (230, 15.0),
        false => (if cheap { 100 } else { 60 }, 2.0),
    }
}

/// Makes the series, or gives the one that was made before.
pub(crate) fn sweep(lab: &mut Lab<'_>) -> Result<Vec<Point>, NotRun> {
    if let Some(points) = &lab.sweep {
        return Ok(points.clone());
    }
    let mut points = Vec::new();
    for method in METHODS {
        let (deepest, time) = extent(lab, method);
        for depth in (10..=deepest).step_by(10) {
            let point = measured(lab, method, depth, time)?;
            let ended = point.ended;
            points.push(point);
            if ended {
                break;
            }
        }
    }
    lab.sweep = Some(points.clone());
    Ok(points)
}

fn measured(lab: &mut Lab<'_>, method: Method, depth: u64, time: f64) -> Result<Point, NotRun> {
    let options = Options { time: Some(time), ..method.options(Some(depth)) };
    let run = lab.check(models::DATA_SWITCH, &options)?;
    let stats = run.stats();
    Ok(Point {
        method,
        depth,
        states: stats.states,
        transitions: stats.transitions,
        errors: errors(stats),
        seconds: stats.seconds.search,
        total: stats.seconds.total,
        bytes_per_state: stats.bytes_per_state,
        ended: run.report.why_incomplete.iter().any(|why| why == "time" || why == "memory"),
    })
}

/// Errors of all kinds; messages left at a proper end are none.
pub(crate) fn errors(stats: &report::Stats) -> u64 {
    stats.errors.iter().filter(|(kind, _)| *kind != "residual").map(|(_, count)| count).sum()
}

/// The points of one method whose searches came to their end.
pub(crate) fn of(points: &[Point], method: Method) -> Vec<&Point> {
    points.iter().filter(|point| point.method == method && !point.ended).collect()
}
