//! Searches that store fewer states than there are: how small a cache can be (1985, 1986,
//! 1995).

use crate::findings::{Compared, Findings, Table};
use crate::lab::{Lab, NotRun, Text};
use crate::models;
use crate::restricted::{LOTS, Scatter};
use crate::sleep::bare;
use pipeline::{Options, Reduce, Replace};
use report::{Axis, Plot, Rule, Series, thousands};
use search::CacheRequest;

/// More than any model has whose cache is measured.
pub(crate) const EVERYTHING: u64 = 4_000_000;

/// A search with a cache.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cached {
    pub(crate) size: u64,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    pub(crate) recreated: u64,
    pub(crate) seconds: f64,
    pub(crate) ended: Ended,
}

/// How a search with a cache ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// With every state visited.
    Complete,
    /// It took too many transitions: the cache is too small to be of use.
    TooFar,
    /// The path alone filled the cache.
    TooSmall,
}

impl Ended {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Ended::Complete => "complete",
            Ended::TooFar => "stopped",
            Ended::TooSmall => "path too long",
        }
    }
}

/// Searches with a cache of so many states, for at most so many transitions.
pub(crate) fn cached(
    lab: &mut Lab<'_>,
    text: Text<'_>,
    options: &Options,
    (size, transitions): (u64, u64),
) -> Result<Cached, NotRun> {
    let options = Options { cache: Some(size.max(1)), ..options.clone() };
    let run = lab.check_within(text, &options, transitions)?;
    let stats = run.stats();
    let ended = match run.report.why_incomplete.iter().any(|why| why == "cache") {
        true => Ended::TooSmall,
        false if run.too_far => Ended::TooFar,
        false => Ended::Complete,
    };
    Ok(Cached {
        size,
        states: stats.states,
        transitions: stats.transitions,
        recreated: stats.recreated,
        seconds: stats.seconds.search,
        ended,
    })
}

/// A curve: transitions by cache size, from large to small, until it explodes.
struct Curve {
    name: String,
    /// States and transitions of the search that stores everything without a reduction.
    whole: (u64, u64),
    points: Vec<Cached>,
}

impl Curve {
    /// As shares: cache by states, transitions by transitions.
    fn series(&self) -> Series {
        let place = |point: &Cached| {
            let size = 100.0 * point.size as f64 / self.whole.0 as f64;
            (size, point.transitions as f64 / self.whole.1 as f64)
        };
        // A point that was stopped is where the curve leaves the picture.
        let drawn = self.points.iter().filter(|point| point.ended != Ended::TooSmall);
        Series::line(&self.name, drawn.map(place).collect())
    }

    /// The smallest cache, in percent, with at most twice the transitions of the largest
    /// one.
    fn threshold(&self) -> f64 {
        let most = self.points.first().map_or(0, |point| 2 * point.transitions);
        let fine = self
            .points
            .iter()
            .take_while(|point| point.ended == Ended::Complete && point.transitions <= most);
        let smallest = fine.last().map_or(self.whole.0, |point| point.size);
        100.0 * smallest as f64 / self.whole.0 as f64
    }

    fn rows(&self, table: &mut Table) {
        for point in &self.points {
            let percent = 100.0 * point.size as f64 / self.whole.0 as f64;
            let times = point.transitions as f64 / self.whole.1 as f64;
            let Cached { size, states, transitions, seconds, ended, .. } = point;
            let ended = ended.word();
            table.row(&[&self.name, size, &percent, states, transitions, &times, seconds, &ended]);
        }
    }
}

const COLUMNS: &str = "curve cache percent states transitions times seconds ended";

/// What a curve is measured on.
struct CurveSetting<'a> {
    name: &'a str,
    text: Text<'a>,
    options: Options,
    percents: &'a [f64],
    /// A point may take so many times the transitions of the whole search.
    times: u64,
}

fn curve(
    lab: &mut Lab<'_>,
    setting: &CurveSetting<'_>,
    whole: (u64, u64),
) -> Result<Curve, NotRun> {
    let mut points = Vec::new();
    for percent in setting.percents {
        let size = (whole.0 as f64 * percent / 100.0).round() as u64;
        let point = cached(lab, setting.text, &setting.options, (size, whole.1 * setting.times))?;
        points.push(point);
        if point.ended != Ended::Complete {
            break;
        }
    }
    Ok(Curve { name: setting.name.to_owned(), whole, points })
}

/// States and transitions of a search that stores everything.
fn whole(lab: &mut Lab<'_>, text: Text<'_>, options: &Options) -> Result<(u64, u64), NotRun> {
    let run = lab.check(text, options)?;
    Ok((run.stats().states, run.stats().transitions))
}

/// A threshold that still counts as a half of the states, in percent.
const HALF: f64 = 60.0;

/// Figure 6 itself: the cache of a scatter search, round robin.
fn scattered(lab: &mut Lab<'_>, percents: &[f64], times: u64) -> Result<Curve, NotRun> {
    let scatter = Scatter { slots: 2, lots: LOTS };
    let (whole, _) = scatter.whole(lab, EVERYTHING)?;
    let mut points = Vec::new();
    for percent in percents {
        let size = (whole.states as f64 * percent / 100.0).round() as u64;
        let replace = search::Replace::RoundRobin;
        let cache = CacheRequest { states_max: Some(size), replace, ..CacheRequest::default() };
        let (point, _) = scatter.search(lab, cache, whole.transitions * times)?;
        points.push(point);
        if point.ended != Ended::Complete {
            break;
        }
    }
    let name = "scatter, round robin".to_owned();
    Ok(Curve { name, whole: (whole.states, whole.transitions), points })
}

/// E12.
pub(crate) fn size(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let text = models::data_switch(2);
    let text = Text { name: "data_switch.argos", text: &text };
    let options = |reduce: Reduce, replace: Replace| Options {
        capacity: Some(1),
        all_errors: true,
        shorten_budget: 0,
        replace,
        search: pipeline::Search::Dfs,
        reduce,
        ..Options::default()
    };
    let fine: Vec<f64> = (0..=35).map(|step| 100.0 - 2.0 * f64::from(step)).collect();
    let coarse = [100.0, 66.0, 50.0];
    let (percents, times) = if lab.is_full() { (&fine[..], 8) } else { (&coarse[..], 3) };
    let all = whole(lab, text, &options(Reduce::None, Replace::Random))?;
    let mut curves = Vec::new();
    for (name, reduce, replace) in [
        ("exhaustive, round robin", Reduce::None, Replace::RoundRobin),
        ("exhaustive, random", Reduce::None, Replace::Random),
        ("exhaustive, round robin, sleep sets", Reduce::Sleep, Replace::RoundRobin),
    ] {
        if reduce == Reduce::Sleep && !lab.is_full() {
            continue;
        }
        let setting =
            CurveSetting { name, text, options: options(reduce, replace), percents, times };
        curves.push(curve(lab, &setting, all)?);
    }
    curves.insert(0, scattered(lab, &fine, times)?);
    let mut table = Table::new(COLUMNS);
    curves.iter().for_each(|curve| curve.rows(&mut table));
    let ours = |curve: &Curve| format!("{:.0} % of the states", curve.threshold());
    let others = format!(
        "round robin; an exhaustive search of the stand-in needs {}, and {} at random",
        ours(&curves[1]),
        ours(&curves[2])
    );
    let compared = vec![Compared::shape(
        "cache without effect",
        ("half of the states", ours(&curves[0])),
        curves[0].threshold() <= HALF,
        &others,
    )];
    let plot = Plot {
        rules: vec![Rule { label: "1986: a half is enough".to_owned(), upright: true, at: 50.0 }],
        ..Plot::new(
            "E12  A smaller and smaller cache",
            format!(
                "Data switch (a stand-in), a scatter search with {} states and an exhaustive one with {}: \
                 transitions as a multiple of those with everything stored.",
                thousands(curves[0].whole.0),
                thousands(all.0)
            ),
            [Axis::linear("cache (% of all states)"), Axis::log("times the transitions")],
            curves.iter().map(Curve::series).collect(),
        )
    };
    let notes = vec![models::DATA_SWITCH_IS_OURS.to_owned()];
    Ok(Findings { table, plots: vec![plot], compared, notes, exhibit: None })
}

/// What several curves of a protocol have in common.
struct Family<'a> {
    name: &'a str,
    text: &'a str,
    percents: &'a [f64],
    times: u64,
}

/// Curves of one protocol, one for each reduction.
fn curves(
    lab: &mut Lab<'_>,
    family: &Family<'_>,
    replace: Replace,
    reductions: &[Reduce],
) -> Result<Vec<Curve>, NotRun> {
    let Family { name, text, percents, times } = *family;
    let file = format!("{name}.pml");
    let text = Text { name: &file, text };
    let all = whole(lab, text, &bare(Reduce::None))?;
    let mut found = Vec::new();
    for reduce in reductions {
        let how = if replace == Replace::Random { "" } else { " by type" };
        let asleep = if *reduce == Reduce::Sleep { ", sleep sets" } else { "" };
        let name = format!("{name}{how}{asleep}");
        let options = Options { replace, ..bare(*reduce) };
        let setting = CurveSetting { name: &name, text, options, percents, times };
        found.push(curve(lab, &setting, all)?);
    }
    Ok(found)
}

/// Without sleep sets, and with them.
const BOTH: [Reduce; 2] = [Reduce::None, Reduce::Sleep];

/// E19.
pub(crate) fn with_sleep_sets(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let fine = [100.0, 60.0, 50.0, 40.0, 33.0, 25.0, 10.0, 2.0, 0.5, 0.2];
    let coarse = [100.0, 50.0, 33.0, 1.0];
    let (percents, times) = if lab.is_full() { (&fine[..], 3) } else { (&coarse[..], 2) };
    let mut texts = vec![("MULOG3", models::MULOG3.text.to_owned())];
    texts.push(("DTP", lab.package(models::DTP)?));
    if lab.is_full() {
        texts.insert(0, ("URP", models::URP.text.to_owned()));
        texts.insert(0, ("PFTP", lab.package(models::PFTP)?));
    }
    let mut table = Table::new(COLUMNS);
    let mut compared = Vec::new();
    let mut plots = Vec::new();
    for (name, text) in &texts {
        let family = Family { name, text, percents, times };
        let pair = curves(lab, &family, Replace::Random, &BOTH)?;
        let [plain, asleep] = &pair[..] else { continue };
        plain.rows(&mut table);
        asleep.rows(&mut table);
        compared.extend(knees(plain, asleep));
        plots.push(panel(name, &pair));
    }
    let notes = vec![crate::sleep::note()];
    Ok(Findings { table, plots, compared, notes, exhibit: None })
}

/// One of the four panels of figure 4.
fn panel(name: &str, pair: &[Curve]) -> Plot {
    let rule = |label: &str, at: f64| Rule { label: label.to_owned(), upright: true, at };
    let last = match name {
        "PFTP" => rule("1995: a quarter, with sleep sets", 25.0),
        _ => rule("1995: its depth, with sleep sets", printed_depth(name)),
    };
    let subtitle = format!(
        "Random replacement, {} states: transitions over the size of the cache, as multiples of a \
         search without sleep sets that stores everything. Where a curve ends high it was stopped.",
        thousands(pair[0].whole.0)
    );
    Plot {
        rules: vec![rule("1995: half to a third, without", 50.0), rule("", 100.0 / 3.0), last],
        ..Plot::new(
            &format!("E19  Cache size with and without sleep sets: {name}"),
            subtitle,
            [Axis::log("cache (% of all states)"), Axis::log("times the transitions")],
            pair.iter().map(Curve::series).collect(),
        )
    }
}

/// The depth of the paper's search, in percent of its states.
fn printed_depth(name: &str) -> f64 {
    let [states, depth] = crate::sleep::printed(name);
    100.0 * depth as f64 / states as f64
}

/// Where the two curves of a protocol explode.
fn knees(plain: &Curve, asleep: &Curve) -> Vec<Compared> {
    let paper = match plain.name.as_str() {
        "PFTP" => ("1/2 to 1/3", "1/4"),
        _ => ("1/2 to 1/3", "none down to the depth of the search"),
    };
    let (knee, later) = (plain.threshold(), asleep.threshold());
    let smallest = asleep.points.iter().rfind(|point| point.ended == Ended::Complete);
    let reached = smallest.map_or(String::new(), |point| {
        let states = point.transitions as f64 / asleep.points[0].transitions as f64;
        format!("{} states do, with {states:.1} times the transitions", thousands(point.size))
    });
    let stand_in = matches!(plain.name.as_str(), "MULOG3" | "URP");
    let because = if stand_in { "a stand-in; the same knee" } else { "the same knee" };
    let lower = if stand_in { "a stand-in; the same claim" } else { "the same claim" };
    vec![
        Compared::shape(
            &plain.name,
            (paper.0, format!("{knee:.0} %")),
            (25.0..=75.0).contains(&knee),
            because,
        ),
        Compared::shape(
            &asleep.name,
            (paper.1, format!("{later:.1} %; {reached}")),
            if plain.name == "PFTP" { later < knee } else { goes_down(asleep) },
            lower,
        ),
    ]
}

/// What 1995 says of three protocols: with a cache of 3 % of the states and less the transitions
/// are "only two and four times" as many.
fn goes_down(asleep: &Curve) -> bool {
    let smallest = asleep.points.iter().rfind(|point| point.ended == Ended::Complete);
    smallest.is_some_and(|point| {
        let times = point.transitions as f64 / asleep.points[0].transitions as f64;
        times <= 4.0 && point.size as f64 <= 0.03 * asleep.whole.0 as f64
    })
}

/// E20.
pub(crate) fn by_type(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let fine = [60.0, 50.0, 40.0, 30.0, 25.0, 20.0, 15.0, 10.0];
    let coarse = [50.0, 30.0];
    let (percents, times) = if lab.is_full() { (&fine[..], 3) } else { (&coarse[..], 2) };
    let text = lab.package(models::PFTP)?;
    let family = Family { name: "PFTP", text: &text, percents, times };
    // Sleep sets take their time: without them there is as much to see.
    let reductions = if lab.is_full() { &BOTH[..] } else { &BOTH[..1] };
    let random = curves(lab, &family, Replace::Random, reductions)?;
    let typed = curves(lab, &family, Replace::Type, reductions)?;
    let mut table = Table::new(COLUMNS);
    random.iter().chain(&typed).for_each(|curve| curve.rows(&mut table));
    let mut compared = Vec::new();
    for ((what, random), typed) in
        ["without sleep sets", "with sleep sets"].into_iter().zip(&random).zip(&typed)
    {
        let (any, by) = (random.threshold(), typed.threshold());
        let ours = format!(
            "{any:.0} % random, {by:.0} % by type: {:.0} % lower",
            100.0 * (1.0 - by / any)
        );
        compared.push(Compared::shape(
            what,
            ("threshold 50 % lower", ours),
            by < 0.75 * any,
            "the same gain",
        ));
    }
    let plot = Plot::new(
        "E20  Which state to replace: any, or one reached by a cheap type of step",
        "PFTP: transitions over the size of the cache, as multiples of a search without sleep \
         sets that stores everything. By type a cache of half the size does.",
        [Axis::linear("cache (% of all states)"), Axis::log("times the transitions")],
        random.iter().chain(&typed).map(Curve::series).collect(),
    );
    Ok(Findings { table, plots: vec![plot], compared, ..Findings::default() })
}

/// E21.
pub(crate) fn avoiding_types(lab: &mut Lab<'_>) -> Result<Findings, NotRun> {
    let strategies = [
        ("random", Replace::Random),
        ("round robin", Replace::RoundRobin),
        ("avoid 1, jump", Replace::Avoid1),
        ("avoid 2, receive", Replace::Avoid2),
        ("avoid 3, send", Replace::Avoid3),
        ("avoid 4, assignment", Replace::Avoid4),
    ];
    let mut texts = vec![("MULOG3", models::MULOG3.text.to_owned())];
    if lab.is_full() {
        texts.push(("DTP", lab.package(models::DTP)?));
        texts.push(("PFTP", lab.package(models::PFTP)?));
    }
    let mut table = Table::new("protocol strategy cache transitions times ended");
    let times = 4;
    let mut compared = Vec::new();
    let mut series = Vec::new();
    for (name, text) in &texts {
        let file = format!("{name}.pml");
        let text = Text { name: &file, text };
        let all = whole(lab, text, &bare(Reduce::Sleep))?;
        let mut found = Vec::new();
        for (strategy, replace) in strategies {
            let options = Options { replace, ..bare(Reduce::Sleep) };
            let point = cached(lab, text, &options, (all.0 / 3, all.1 * times))?;
            let share = point.transitions as f64 / all.1 as f64;
            table.row(&[
                name,
                &strategy,
                &point.size,
                &point.transitions,
                &share,
                &point.ended.word(),
            ]);
            found.push(share);
        }
        compared.push(avoided(name, &found));
        let points = found.iter().enumerate().map(|(at, share)| (at as f64, *share)).collect();
        series.push(Series::bars(name, points));
    }
    let plot = Plot::new(
        "E21  Round robin that avoids a type of step",
        "Sleep sets, a cache of a third of the states: transitions as a multiple of those with \
         everything stored. Long bars were stopped.",
        [
            Axis::names(
                "strategy",
                &["random", "round robin", "avoid 1", "avoid 2", "avoid 3", "avoid 4"],
            ),
            Axis::log("times the transitions"),
        ],
        series,
    );
    Ok(Findings { table, plots: vec![plot], compared, ..Findings::default() })
}

/// Shares of random, round robin, and round robin that avoids types 1 to 4.
fn avoided(name: &str, found: &[f64]) -> Compared {
    let better = found[2] < found[1] * 0.99;
    let others: Vec<String> = found[3..].iter().map(|share| format!("{share:.2}")).collect();
    let ours = format!(
        "round robin {:.2}, avoiding type 1 {:.2}; types 2 to 4 {}",
        found[1],
        found[2],
        others.join(", ")
    );
    let both = ("avoiding type 1 always better, 2 to 4 unpredictable", ours);
    let because = match better {
        true => "as printed",
        false if found[2] == found[1] => {
            "no statement of this stand-in is a jump, so nothing is avoided"
        }
        false => "states reached by jumps are not those visited again here",
    };
    Compared::shape(name, both, better, because)
}
